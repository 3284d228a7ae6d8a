//! Runs the decoders with one of three instruction sets.

use setwise::dispatch::{Level, Task};
use setwise::{Kernel, by_level};

use crate::bits::{Portable, Work};
#[cfg(target_arch = "x86_64")]
use crate::vector::{Avx512, Bmi2};

/// The kernel to decode with if the caller selects `kernel`: on a processor with a slow `pext`, always bit by bit.
pub(crate) fn decoder(kernel: Kernel) -> Kernel {
    #[cfg(target_arch = "x86_64")]
    if !setwise::processor::has_fast_pext() {
        return Kernel::new(setwise::Backend::Scalar).unwrap_or(kernel);
    }
    kernel
}

/// A task that decodes.
pub(crate) struct Decoding<W>(pub(crate) W);

impl<W: Work> Task for Decoding<W> {
    type Output = W::Output;

    #[inline(always)]
    fn run<L: Level>(self, _: L) -> W::Output {
        by_level!(
            L;
            avx512_gfni => self.0.run::<Avx512>(),
            avx512 | avx2 => self.0.run::<Bmi2>(),
            portable => self.0.run::<Portable>()
        )
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use setwise::Backend;

    use super::*;
    use crate::bits::{Bits, Codes};

    /// The expected codes, computed nibble by nibble and square by square.
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

    /// Asks for the codes of squares, and for one of the squares.
    struct Question {
        occupied: u64,
        nibbles: [u8; 16],
        before: u32,
    }

    impl Work for Question {
        type Output = (Codes, u8);

        #[inline(always)]
        fn run<B: Bits>(self) -> (Codes, u8) {
            (B::codes(self.occupied, &self.nibbles), B::nth(self.occupied, self.before))
        }
    }

    /// Defines one test per backend, named after it. A test prints a message if the processor lacks the backend.
    macro_rules! on_every_backend {
        (@module $module:ident $backend:ident { $($body:ident)* }) => {
            mod $module {
                $(
                    #[test]
                    fn $body() {
                        match setwise::Kernel::new(setwise::Backend::$backend) {
                            Ok(kernel) => super::$body(kernel),
                            Err(error) => eprintln!("skipped: {error}"),
                        }
                    }
                )*
            }
        };
        ($($body:ident)*) => {
            crate::instructions::tests::on_every_backend!(@module scalar Scalar { $($body)* });
            crate::instructions::tests::on_every_backend!(@module lanes Lanes { $($body)* });
            crate::instructions::tests::on_every_backend!(@module wide Wide { $($body)* });
            crate::instructions::tests::on_every_backend!(@module avx2 Avx2 { $($body)* });
            crate::instructions::tests::on_every_backend!(@module avx2_gfni Avx2Gfni { $($body)* });
            crate::instructions::tests::on_every_backend!(@module avx512 Avx512 { $($body)* });
            crate::instructions::tests::on_every_backend!(@module avx512_gfni Avx512Gfni { $($body)* });
        };
    }
    pub(crate) use on_every_backend;

    on_every_backend! { codes_are_assigned_to_their_squares squares_are_counted }

    #[test]
    fn the_scalar_backend_decodes_bit_by_bit() {
        let scalar = Kernel::new(Backend::Scalar).expect("it runs everywhere");
        assert_eq!(decoder(scalar), scalar);
    }

    /// Generates sets of several kinds: empty, full, one square, borders, sparse and dense.
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

    fn codes_are_assigned_to_their_squares(kernel: Kernel) {
        proptest!(|(occupied in set(), nibbles in [set(), set()], tidy: bool)| {
            let mut nibbles = u128::from(nibbles[0]) << 64 | u128::from(nibbles[1]);
            let pieces = occupied.count_ones();
            if tidy && pieces < 32 {
                nibbles &= (1 << (4 * pieces)) - 1;
            }
            let expected = expected(occupied, &nibbles.to_le_bytes());
            let miscounted = pieces > 32 || nibbles.checked_shr(4 * pieces).unwrap_or(0) != 0;
            prop_assert_eq!(expected.miscounted, miscounted);
            let question = Question { occupied, nibbles: nibbles.to_le_bytes(), before: 0 };
            let (codes, _) = decoder(kernel).run_nearest(Decoding(question));
            prop_assert_eq!(codes.miscounted, miscounted);
            if pieces <= 32 {
                prop_assert_eq!(codes, expected);
            }
        });
    }

    fn squares_are_counted(kernel: Kernel) {
        proptest!(|(occupied in set())| {
            let squares = (0..64u8).filter(|square| occupied >> square & 1 == 1);
            for (before, square) in (0..).zip(squares) {
                let question = Question { occupied, nibbles: [0; 16], before };
                prop_assert_eq!(decoder(kernel).run_nearest(Decoding(question)).1, square);
            }
        });
    }
}
