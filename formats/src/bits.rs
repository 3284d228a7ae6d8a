//! What the decoders want of a processor, in plain words; and the choice of instructions at run time.
//!
//! The packed formats have a set of occupied squares and a nibble for each piece, in the order of the
//! squares. Bit `b` of all nibbles, dealt out to the occupied squares, is a bitboard ([`Planes`]), and roles
//! and colours are two or three operations away from four of those.

/// What is decoded with some set of instructions; `run` is `#[inline(always)]` in every implementor, so that
/// it becomes part of the function that enables them.
pub(crate) trait Work {
    type Output;

    fn run<B: Bits>(self) -> Self::Output;
}

/// The four bits of the pieces' nibbles, each as the set of squares whose piece has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Planes {
    pub(crate) bits: [u64; 4],
    /// There are more than 32 pieces, or a nibble after the last piece's is not 0.
    pub(crate) miscounted: bool,
}

/// A set of instructions.
pub(crate) trait Bits {
    /// Deals the nibbles (the low one of a byte first) out to the occupied squares from a1 to h8.
    fn planes(occupied: u64, nibbles: [u64; 2]) -> Planes;

    /// The square of a set that has so many before it. There must be more squares in it than that.
    fn nth(set: u64, before: u32) -> u8;
}

/// What runs everywhere: bit by bit.
#[derive(Debug)]
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn planes(occupied: u64, nibbles: [u64; 2]) -> Planes {
        let mut bits = [0; 4];
        let mut left = u128::from(nibbles[0]) | u128::from(nibbles[1]) << 64;
        let mut squares = occupied;
        while squares != 0 {
            let square = squares & squares.wrapping_neg();
            squares ^= square;
            for (bit, plane) in bits.iter_mut().enumerate() {
                *plane |= square & (left as u64 >> bit & 1).wrapping_neg();
            }
            left >>= 4;
        }
        Planes { bits, miscounted: occupied.count_ones() > 32 || left != 0 }
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
}

impl Instructions {
    /// The fastest of this processor.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(bmi2) = crate::vector::Bmi2::detect() {
            return Self::Bmi2(bmi2);
        }
        Self::Portable
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2(bmi2) => bmi2.run(work),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Nibble by nibble and square by square.
    fn expected(occupied: u64, nibbles: [u64; 2]) -> Planes {
        let bytes: Vec<u8> = nibbles.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut nibbles = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let mut planes = Planes { bits: [0; 4], miscounted: false };
        for square in (0..64).filter(|square| occupied >> square & 1 == 1) {
            let Some(nibble) = nibbles.next() else {
                planes.miscounted = true;
                break;
            };
            for bit in 0..4 {
                planes.bits[bit] |= u64::from(nibble >> bit & 1) << square;
            }
        }
        planes.miscounted |= nibbles.any(|nibble| nibble != 0);
        planes
    }

    struct Dealt(u64, [u64; 2]);

    impl Work for Dealt {
        type Output = Planes;

        #[inline(always)]
        fn run<B: Bits>(self) -> Planes {
            B::planes(self.0, self.1)
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

    fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions::Portable];
        match Instructions::detect() {
            Instructions::Portable => eprintln!("only the portable way is tried here"),
            #[cfg(target_arch = "x86_64")]
            other => all.push(other),
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
        fn nibbles_are_dealt_to_their_squares(occupied in set(), nibbles in [set(), set()], tidy: bool) {
            let mut nibbles = nibbles;
            if tidy {
                let pieces = occupied.count_ones();
                let keep = if pieces >= 32 { u128::MAX } else { (1 << (4 * pieces)) - 1 };
                nibbles = [nibbles[0] & keep as u64, nibbles[1] & (keep >> 64) as u64];
            }
            let expected = expected(occupied, nibbles);
            prop_assert_eq!(expected.miscounted, !tidy && expected.miscounted || occupied.count_ones() > 32);
            for instructions in all() {
                let planes = instructions.run(Dealt(occupied, nibbles));
                prop_assert_eq!(planes.miscounted, expected.miscounted, "{:?}", instructions);
                if !expected.miscounted {
                    prop_assert_eq!(planes, expected, "{:?}", instructions);
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
