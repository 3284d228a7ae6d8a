//! Hyperbola quintessence with a board in each 64-bit lane of a vector of `wide`: a direct use of `hyperbola.rs`.
//!
//! It serves to check the other backends and is not meant to be fast: it takes twice as many operations as Kogge-Stone.

use wide::{u64x2, u64x4, u64x8};

use crate::bitboard::{Direction, FILES};
use crate::boards::block::{Block, FromNumber};
use crate::boards::hyperbola::{Lanes, ray};
use crate::boards::scalar::LaneNumbers;
use crate::boards::{Boards, Sealed};
use crate::pieces::Pieces;

/// Boards in the 64-bit lanes of a vector of `wide`.
macro_rules! lanes {
    ($vector:ident) => {
        impl Lanes for $vector {
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            // This compiles to byte shuffles, or to a single operation with GFNI.
            #[inline(always)]
            fn reverse_ranks(self) -> Self {
                Self::new(self.to_array().map(crate::bitboard::reverse_ranks))
            }
        }

        impl Sealed for $vector {}

        impl Boards for $vector {
            const COUNT: usize = size_of::<Self>() / 8;

            type Numbers = LaneNumbers<{ size_of::<Self>() / 8 }>;

            #[inline(always)]
            fn count(self) -> Self::Numbers {
                let boards = self.to_array();
                let mut counts = [0; Self::COUNT];
                let mut i = 0;
                while i < Self::COUNT {
                    counts[i] = boards[i].count_ones() as i16;
                    i += 1;
                }
                LaneNumbers(counts)
            }

            #[inline(always)]
            fn splat(board: u64) -> Self {
                Self::splat(board)
            }

            #[inline(always)]
            fn any(self) -> Self {
                // A number or its negative has the top bit, unless it is zero.
                let none = Self::splat(0);
                none - ((self | (none - self)) >> 63)
            }

            #[inline(always)]
            fn many(self) -> Self {
                Boards::any(self & (self - Self::splat(1)))
            }

            #[inline(always)]
            fn flip_vertical(self) -> Self {
                let exchange = |board: Self, mask: u64, by: u32| {
                    ((board >> by) & mask) | ((board & mask) << by)
                };
                // This compiles to one byte shuffle.
                let board = exchange(self, 0x00ff_00ff_00ff_00ff, 8);
                let board = exchange(board, 0x0000_ffff_0000_ffff, 16);
                exchange(board, 0x0000_0000_ffff_ffff, 32)
            }

            #[inline(always)]
            fn north(self) -> Self {
                self << 8
            }

            #[inline(always)]
            fn south(self) -> Self {
                self >> 8
            }

            #[inline(always)]
            fn east(self) -> Self {
                (self & Self::splat(!FILES[7])) << 1
            }

            #[inline(always)]
            fn west(self) -> Self {
                (self & Self::splat(!FILES[0])) >> 1
            }

            #[inline(always)]
            fn ray(self, direction: Direction, occupied: Self) -> Self {
                ray(self, direction, occupied)
            }
        }

        impl Block for $vector {
            type Scratch = ();
            type Memory = ();

            #[inline(always)]
            fn memory() {}

            #[inline(always)]
            fn load(boards: &[u64]) -> Self {
                let mut lanes = [0; Self::COUNT];
                lanes.copy_from_slice(boards);
                Self::new(lanes)
            }

            #[inline(always)]
            fn store(self, boards: &mut [u64]) {
                boards.copy_from_slice(self.as_array());
            }

            #[inline(always)]
            fn load_pieces(pieces: &[Pieces]) -> Pieces<Self> {
                let mut columns = [[0; Self::COUNT]; 8];
                for (row, pieces) in pieces[..Self::COUNT].iter().enumerate() {
                    for (column, set) in columns.iter_mut().zip(pieces.sets()) {
                        column[row] = set;
                    }
                }
                Pieces::from_sets(columns.map(Self::new))
            }

            #[inline(always)]
            fn store_numbers<T: FromNumber>(numbers: Self::Numbers, elements: &mut [T]) {
                numbers.store(elements);
            }

            #[inline(always)]
            fn load_numbers(elements: &[i16]) -> Self::Numbers {
                let mut numbers = [0; Self::COUNT];
                numbers.copy_from_slice(elements);
                LaneNumbers(numbers)
            }
        }
    };
}

lanes!(u64x2);
lanes!(u64x4);
lanes!(u64x8);
