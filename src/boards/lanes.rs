//! Hyperbola quintessence with a board in each 64-bit lane of a vector of `wide`: its byte shuffles reverse
//! ranks and boards, and everything else is `hyperbola.rs` as it stands.
//!
//! # What it is for
//!
//! It is the arithmetic as it is written down, in vectors: overflow barriers, the rank-wise reversal,
//! `swap_bytes` as a byte shuffle. It is the second opinion to every other backend, not a fast path: it takes
//! about three times the operations of Kogge-Stone. Six of the eight rays go line by line, eight masked lines of
//! five operations each.
//!
//! # Tried: lines turned into ranks
//!
//! Turn the board so that every line is a rank. Then one subtraction byte by byte does all lines of a direction,
//! and one rank-wise reversal gives the way back:
//!
//! ```text
//! files       a transpose of 8 x 8 bits: three exchanges, 18 operations a board
//! diagonals   file f moves down (or up) by f ranks, around the edge: three selects; rank 1 and rank 8 become
//!             barriers, and a false hit on the first square of a line is masked off
//! both ways   (u ^ ((u ^ r) - r)) | (u ^ reverse((v ^ s) - s))      u = o | r, v = reverse(u), s = reverse(r)
//! union       both ways are joined on the turned board, which is turned back once an axis
//! ```
//!
//! Speed for the union of eight rays against Kogge-Stone compiled for the same, and vector operations a block
//! without moves and broadcasts; medians of 600 rounds in turns in one process, 4,096 boards, AMD Zen 5, on a busy
//! machine:
//!
//! ```text
//!                                        x86-64           x86-64-v3        native (VBMI)
//! line by line, as below                 0.32   379       0.45   298       0.39   247
//! files and diagonals turned             0.25   360       0.42   228       0.51   142
//! diagonals turned, files line by line   0.27   365       0.49   236       0.56   161
//! ```
//!
//! - The baseline has no byte shuffle, so a reversal is three exchanges (15 operations), and the union needs
//!   twelve: that eats what the lines save, and puts shifts, which have fewer ports, in place of logic. Every mixture
//!   loses.
//! - With AVX2 the operations fall by a fifth and the time by a tenth: the chains are longer (turn, reverse,
//!   subtract, reverse, turn back). Making one diagonal's turn from the other's saves operations, lengthens the
//!   chain, and is slower (0.46). Transposed files are slower than files line by line.
//! - Built for AVX-512 with VBMI the turned diagonals are 1.4 times as fast as line by line. The reversal is four
//!   operations there: `vpermb` looks six bits up at once and ignores the rest, so no nibble is masked. With
//!   AVX-512 but without VBMI three exchanges of two shifts and a `vpternlogq` bring 1.04 times.
//!
//! Not built in: the baseline needs the lines all the same, so it would be a second kernel beside them, for a tenth
//! with AVX2 and 1.4 times with VBMI, and still about half as fast as Kogge-Stone.

use wide::{bytemuck, u8x16, u8x32, u8x64, u64x2, u64x4, u64x8};

use crate::bitboard::{Direction, FILES};
use crate::boards::block::{Block, FromNumber};
use crate::boards::hyperbola::{LaneNumbers, Lanes, ray};
use crate::boards::{Boards, Sealed};
use crate::pieces::{Pieces, Position};

/// Whether the build has a byte shuffle; `wide` writes a loop where it has none.
const SHUFFLES: bool =
    cfg!(any(target_feature = "ssse3", target_feature = "neon", target_feature = "simd128"));

/// Exchanges neighbouring groups of bits: those under the mask, and those above them.
macro_rules! exchange {
    ($board:expr, $mask:literal, $by:literal) => {{
        let (board, mask) = ($board, Self::splat($mask));
        ((board >> $by) & mask) | ((board & mask) << $by)
    }};
}

/// Looks bytes up within 16-byte groups. `u8x64` has no such operation that is one instruction on every
/// processor with 64-byte vectors (its `shuffle` crosses the groups: eight shuffles without VBMI), so it
/// is done by halves.
macro_rules! shuffle {
    (whole, $table:expr, $indices:expr) => {
        $table.shuffle($indices)
    };
    (groups, $table:expr, $indices:expr) => {
        $table.swizzle_half_relaxed($indices)
    };
    (halves, $table:expr, $indices:expr) => {{
        let [a, b]: [u8x32; 2] = bytemuck::cast($table);
        let [i, j]: [u8x32; 2] = bytemuck::cast($indices);
        bytemuck::cast::<[u8x32; 2], u8x64>([a.swizzle_half_relaxed(i), b.swizzle_half_relaxed(j)])
    }};
}

/// Boards in the 64-bit lanes of a vector of `wide`.
macro_rules! lanes {
    ($vector:ident, $bytes:ident, $shuffle:ident) => {
        impl Lanes for $vector {
            #[inline(always)]
            fn constant(board: u64) -> Self {
                Self::splat(board)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[inline(always)]
            fn reverse_ranks(self) -> Self {
                if !SHUFFLES {
                    let board = exchange!(self, 0x5555_5555_5555_5555, 1);
                    let board = exchange!(board, 0x3333_3333_3333_3333, 2);
                    return exchange!(board, 0x0f0f_0f0f_0f0f_0f0f, 4);
                }
                // A nibble of four bits looks up its reversal, which goes to the other half of the byte.
                const REVERSED: u128 = 0x0f07_0b03_0d05_0901_0e06_0a02_0c04_0800;
                let nibble = Self::splat(0x0f0f_0f0f_0f0f_0f0f);
                let low: $bytes = bytemuck::cast([REVERSED << 4; size_of::<Self>() / 16]);
                let high: $bytes = bytemuck::cast([REVERSED; size_of::<Self>() / 16]);
                let reversed = |table: $bytes, nibbles: Self| -> Self {
                    bytemuck::cast(shuffle!($shuffle, table, bytemuck::cast::<_, $bytes>(nibbles)))
                };
                reversed(low, self & nibble) | reversed(high, (self >> 4) & nibble)
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                if !SHUFFLES {
                    let board = exchange!(self, 0x00ff_00ff_00ff_00ff, 8);
                    let board = exchange!(board, 0x0000_ffff_0000_ffff, 16);
                    return exchange!(board, 0x0000_0000_ffff_ffff, 32);
                }
                const SWAPPED: u128 = 0x0809_0a0b_0c0d_0e0f_0001_0203_0405_0607;
                let swapped: $bytes = bytemuck::cast([SWAPPED; size_of::<Self>() / 16]);
                let bytes: $bytes = bytemuck::cast(self);
                bytemuck::cast(shuffle!($shuffle, bytes, swapped))
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
            type Room = ();

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
            fn load_pieces(pieces: &[Pieces]) -> Position<Self> {
                let mut columns = [[0; Self::COUNT]; 8];
                for (row, pieces) in pieces[..Self::COUNT].iter().enumerate() {
                    for (column, set) in columns.iter_mut().zip(pieces.sets()) {
                        column[row] = set;
                    }
                }
                Position::from_sets(columns.map(Self::new))
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

lanes!(u64x2, u8x16, whole);
lanes!(u64x4, u8x32, groups);
lanes!(u64x8, u8x64, halves);
