//! Hyperbola quintessence with a board in each 64-bit lane of a vector of `wide`. Single rays use `hyperbola.rs`, those
//! along files on the transposed board if the build has GFNI. For the union of eight rays and for the rays of three
//! roles, `turned.rs` turns lines into ranks.
//!
//! It is the arithmetic as written, in vectors, to check the other backends with, and not a fast path: it takes up to twice
//! the operations of Kogge-Stone.

use wide::{bytemuck, u8x16, u8x32, u8x64, u64x2, u64x4, u64x8};

use crate::bitboard::{Direction, FILES};
use crate::boards::block::{Block, FromNumber};
use crate::boards::hyperbola::{Lanes, ray};
use crate::boards::scalar::LaneNumbers;
use crate::boards::turned::{self, Turned};
use crate::boards::{Boards, Sealed, SliderAttacks};
use crate::pieces::Pieces;

/// Whether the build has a byte shuffle, from which the compiler makes the reversal of ranks. (It does not use the one
/// of WebAssembly.)
const SHUFFLES: bool = cfg!(any(target_feature = "ssse3", target_feature = "neon"));

/// Boards in the 64-bit lanes of a vector of `wide`.
macro_rules! lanes {
    ($vector:ident, $bytes:ident, $feature:tt $register:ident $product:ident) => {
        impl Turned for $vector {
            #[inline(always)]
            fn minus_by_ranks(self, other: Self) -> Self {
                let [ranks, other] = [self, other].map(bytemuck::cast::<Self, $bytes>);
                bytemuck::cast(ranks - other)
            }

            #[cfg(all(target_arch = "x86_64", target_feature = "gfni", target_feature = $feature))]
            const TRANSPOSES: bool = true;

            // A product of matrices of bits: the board as the one, and as the other that which has ones from h1 to a8.
            #[cfg(all(target_arch = "x86_64", target_feature = "gfni", target_feature = $feature))]
            #[inline(always)]
            fn transposed(self) -> Self {
                use core::arch::x86_64::{$product, $register};
                use core::mem::transmute;
                let antidiagonal = Self::splat(0x0102_0408_1020_4080);
                // SAFETY: the build has the instruction; the vectors have the same size, and any bits are boards.
                unsafe {
                    let antidiagonal = transmute::<Self, $register>(antidiagonal);
                    let board = transmute::<Self, $register>(self);
                    transmute::<$register, Self>($product::<0>(antidiagonal, board))
                }
            }
        }

        impl Lanes for $vector {
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            // The compiler makes vector operations from this, a single one with GFNI.
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
                // The compiler makes one byte shuffle from this.
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
                match direction {
                    Direction::West => turned::west::<Self, SHUFFLES>(occupied | self, self),
                    Direction::North if Self::TRANSPOSES => {
                        let [sliders, occupied] = [self, occupied | self].map(Self::transposed);
                        turned::west::<Self, SHUFFLES>(occupied, sliders).transposed()
                    }
                    Direction::South if Self::TRANSPOSES => {
                        let [sliders, occupied] = [self, occupied].map(Self::transposed);
                        ray(sliders, Direction::East, occupied).transposed()
                    }
                    _ => ray(self, direction, occupied),
                }
            }

            #[inline(always)]
            fn slider_attacks(orthogonal: Self, diagonal: Self, occupied: Self) -> Self {
                turned::slider_attacks::<Self, SHUFFLES>(orthogonal, diagonal, occupied)
            }

            #[inline(always)]
            fn attacks_of_roles(
                bishops: Self,
                rooks: Self,
                queens: Self,
                occupied: Self,
            ) -> SliderAttacks<Self> {
                turned::attacks_of_roles::<Self, SHUFFLES>(bishops, rooks, queens, occupied)
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

lanes!(u64x2, u8x16, "sse2" __m128i _mm_gf2p8affine_epi64_epi8);
lanes!(u64x4, u8x32, "avx" __m256i _mm256_gf2p8affine_epi64_epi8);
lanes!(u64x8, u8x64, "avx512f" __m512i _mm512_gf2p8affine_epi64_epi8);
