//! The choice of instructions at run time.

use crate::bits::{Portable, Work};
#[cfg(target_arch = "x86_64")]
use crate::vector::{Avx512, Bmi2};

/// The sets of instructions that there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Bmi2(Bmi2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The fastest of this processor.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(avx512) = Avx512::detect() {
                return Self::Avx512(avx512);
            }
            if let Some(bmi2) = Bmi2::detect() {
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
    use crate::bits::{Bits, Codes};

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
                Bmi2::detect().map(Instructions::Bmi2),
                Avx512::detect().map(Instructions::Avx512),
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
