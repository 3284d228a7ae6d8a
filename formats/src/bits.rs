//! What the decoders want of a processor, in plain words; and the choice of instructions at run time.
//!
//! The packed formats have a set of occupied squares and a nibble for each piece, in the order of the
//! squares. The nibbles are dealt out to the occupied squares, and the squares sorted by their code.

/// What is decoded with some set of instructions; `run` is `#[inline(always)]` in every implementor, so that
/// it becomes part of the function that enables them.
pub(crate) trait Work {
    type Output;

    fn run<B: Bits>(self) -> Self::Output;
}

/// The occupied squares by the code of their piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Codes {
    /// The squares by the three low bits of the code.
    pub(crate) low: [u64; 8],
    /// The squares whose code has bit 3.
    pub(crate) high: u64,
    /// There are more than 32 pieces, or a nibble after the last piece's is not 0.
    pub(crate) miscounted: bool,
}

impl Codes {
    /// From the squares whose code has bit 0, bit 1 and so on.
    #[inline(always)]
    pub(crate) fn new(occupied: u64, bits: [u64; 4], miscounted: bool) -> Self {
        let [one, two, four, high] = bits;
        let low = std::array::from_fn(|code| {
            let has = |set: u64, bit: usize| if code >> bit & 1 == 1 { set } else { !set };
            occupied & has(one, 0) & has(two, 1) & has(four, 2)
        });
        Self { low, high, miscounted }
    }
}

/// A set of instructions.
pub(crate) trait Bits {
    /// Deals the nibbles (the low one of a byte first) out to the occupied squares from a1 to h8.
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes;

    /// The square of a set that has so many before it. There must be more squares in it than that.
    fn nth(set: u64, before: u32) -> u8;
}

/// What runs everywhere: bit by bit.
#[derive(Debug)]
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes {
        let mut bits = [0; 4];
        let mut left = u128::from_le_bytes(*nibbles);
        let mut squares = occupied;
        while squares != 0 {
            let square = squares & squares.wrapping_neg();
            squares ^= square;
            for (bit, plane) in bits.iter_mut().enumerate() {
                *plane |= square & (left as u64 >> bit & 1).wrapping_neg();
            }
            left >>= 4;
        }
        Codes::new(occupied, bits, occupied.count_ones() > 32 || left != 0)
    }

    #[inline(always)]
    fn nth(mut set: u64, before: u32) -> u8 {
        for _ in 0..before {
            set &= set.wrapping_sub(1);
        }
        (set.trailing_zeros() & 63) as u8
    }
}

/// The sets of instructions that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Bmi2(crate::vector::Bmi2),
    #[cfg(target_arch = "x86_64")]
    Avx512(crate::vector::Avx512),
}

impl Instructions {
    /// The fastest of this processor.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(avx512) = crate::vector::Avx512::detect() {
                return Self::Avx512(avx512);
            }
            if let Some(bmi2) = crate::vector::Bmi2::detect() {
                return Self::Bmi2(bmi2);
            }
        }
        Self::Portable
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2(bmi2) => bmi2.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(avx512) => avx512.run(work),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Nibble by nibble and square by square.
    fn expected(occupied: u64, nibbles: &[u8; 16]) -> Codes {
        let mut nibbles = nibbles.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let mut codes = Codes { low: [0; 8], high: 0, miscounted: false };
        for square in (0..64).filter(|square| occupied >> square & 1 == 1) {
            let Some(nibble) = nibbles.next() else {
                codes.miscounted = true;
                break;
            };
            codes.low[usize::from(nibble % 8)] |= 1 << square;
            codes.high |= u64::from(nibble / 8) << square;
        }
        codes.miscounted |= nibbles.any(|nibble| nibble != 0);
        codes
    }

    struct Dealt(u64, [u8; 16]);

    impl Work for Dealt {
        type Output = Codes;

        #[inline(always)]
        fn run<B: Bits>(self) -> Codes {
            B::codes(self.0, &self.1)
        }
    }

    struct Nth(u64, u32);

    impl Work for Nth {
        type Output = u8;

        #[inline(always)]
        fn run<B: Bits>(self) -> u8 {
            B::nth(self.0, self.1)
        }
    }

    /// All that this machine has; says so aloud where one is missing.
    pub(crate) fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let vector = [
                crate::vector::Bmi2::detect().map(Instructions::Bmi2),
                crate::vector::Avx512::detect().map(Instructions::Avx512),
            ];
            for (instructions, name) in vector.into_iter().zip(["BMI2", "AVX-512"]) {
                match instructions {
                    Some(instructions) => all.push(instructions),
                    None => eprintln!("skipped: {name} is not there, or not quick"),
                }
            }
        }
        all
    }

    /// Sets of all kinds: empty, full, one square, borders, sparse and dense.
    fn set() -> impl Strategy<Value = u64> {
        prop_oneof![
            Just(0),
            Just(!0),
            Just(0xffff_ffff),
            Just(0xffff_0000_0000_ffff),
            (0..64u32).prop_map(|square| 1 << square),
            any::<u64>(),
            (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a & b),
            (any::<u64>(), any::<u64>()).prop_map(|(a, b)| a | b),
        ]
    }

    proptest! {
        #[test]
        fn codes_are_dealt_to_their_squares(occupied in set(), nibbles in [set(), set()], tidy: bool) {
            let mut nibbles = u128::from(nibbles[0]) << 64 | u128::from(nibbles[1]);
            let pieces = occupied.count_ones();
            if tidy && pieces < 32 {
                nibbles &= (1 << (4 * pieces)) - 1;
            }
            let expected = expected(occupied, &nibbles.to_le_bytes());
            prop_assert_eq!(expected.miscounted, pieces > 32 || nibbles.checked_shr(4 * pieces).unwrap_or(0) != 0);
            for instructions in all() {
                let codes = instructions.run(Dealt(occupied, nibbles.to_le_bytes()));
                prop_assert_eq!(codes.miscounted, expected.miscounted, "{:?}", instructions);
                if pieces <= 32 {
                    prop_assert_eq!(codes, expected, "{:?}", instructions);
                }
            }
        }

        #[test]
        fn squares_are_counted(set in set()) {
            let squares = (0..64u8).filter(|square| set >> square & 1 == 1);
            for (before, square) in squares.enumerate() {
                for instructions in all() {
                    prop_assert_eq!(instructions.run(Nth(set, before as u32)), square, "{:?}", instructions);
                }
            }
        }
    }
}
