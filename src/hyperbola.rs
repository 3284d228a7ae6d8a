//! Generalized set-wise hyperbola quintessence for boards in 64-bit lanes: one `u64`, or several in a vector.
//!
//! Hyperbola quintessence finds the ray of one slider `r` by a subtraction, `o ^ (o - 2r)`: the borrow
//! runs from the slider to the first blocker and flips every bit on the way. With `t = o & !r`, the
//! blockers that are no sliders of the set, the same holds for a whole set at once: in `t - r` every
//! slider's borrow is taken either by the next blocker or by the next slider, which owes a borrow of its
//! own and passes on just one. So `(o | r) ^ (t - r)` is every ray of the set, and it does not matter
//! whether `o` has the sliders.
//!
//! Three things keep the borrow on its line:
//!
//! ```text
//! ranks      An overflow barrier: the far file (h when going east) always occupied and never a slider.
//!            A ray ends there anyway and includes the square that stops it, so the answer is the same;
//!            but the borrow is taken before it reaches the next rank.
//! files      One masked file at a time. Nothing lies between its squares, and the borrow of the last
//!            leaves the word.
//! diagonals  One wrapped diagonal at a time: eight masks, each two diagonals that continue each other
//!            around the board's edge. The barrier at the end of the first keeps them apart.
//!
//!            8  . . . . . 1 . .
//!            7  . . . . 1 . . .       the wrapped diagonal of d1–h5 and a6–c8:
//!            6  . . . . . . . .       the barrier stands on h5
//!            ...
//! ```
//!
//! Rays towards the lower bits are those towards the higher bits on the reversed board: `swap_bytes` for
//! files and diagonals, the rank-wise reversal for ranks.
//!
//! Cost for a ray: 5 operations per masked line (8 lines) and about 5 around them; 4 for a rank, and two
//! or three reversals for the way back.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use wide::{bytemuck, u8x16, u8x32, u8x64, u64x2, u64x4, u64x8};

use crate::bitboard::{Direction, EAST_BARRIER, FILES, WEST_BARRIER};
use crate::boards::{Block, Boards};
use crate::numbers::Few;
use crate::pieces::{Pieces, Position};

/// Boards in 64-bit lanes: what the subtraction needs besides the algebra of sets.
pub(crate) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The same board in every lane.
    fn constant(board: u64) -> Self;

    /// Subtraction modulo 2^64 in every lane.
    fn minus(self, other: Self) -> Self;

    /// The bits of each byte in reverse order.
    fn reverse_ranks(self) -> Self;

    /// The bytes of each lane in reverse order.
    fn swap_bytes(self) -> Self;
}

impl Lanes for u64 {
    #[inline(always)]
    fn constant(board: u64) -> Self {
        board
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn reverse_ranks(self) -> Self {
        crate::bitboard::reverse_ranks(self)
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        self.swap_bytes()
    }
}

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

        impl Boards for $vector {
            const COUNT: usize = size_of::<Self>() / 8;

            type Numbers = Few<{ size_of::<Self>() / 8 }>;

            #[inline(always)]
            fn count(self) -> Self::Numbers {
                let boards = self.to_array();
                let mut counts = [0; Self::COUNT];
                let mut i = 0;
                while i < Self::COUNT {
                    counts[i] = boards[i].count_ones() as i16;
                    i += 1;
                }
                Few(counts)
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
        }
    };
}

lanes!(u64x2, u8x16, whole);
lanes!(u64x4, u8x32, groups);
lanes!(u64x8, u8x64, halves);

/// The wrapped diagonals: `[i]` holds the squares whose file less their rank is `i` modulo 8.
const WRAPPED_DIAGONALS: [u64; 8] = wrapped(7);

/// The wrapped antidiagonals: `[i]` holds the squares whose file and rank add up to `i` modulo 8.
const WRAPPED_ANTIDIAGONALS: [u64; 8] = wrapped(1);

/// The eight lines along which the file grows by `-slope` from rank to rank, modulo 8.
const fn wrapped(slope: usize) -> [u64; 8] {
    let mut lines = [0; 8];
    let mut square = 0;
    while square < 64 {
        lines[(square % 8 + slope * (square / 8)) % 8] |= 1 << square;
        square += 1;
    }
    lines
}

/// All rays of a set in one direction.
#[inline(always)]
pub(crate) fn ray<L: Lanes>(sliders: L, direction: Direction, occupied: L) -> L {
    match direction {
        Direction::North => up(sliders, occupied, &FILES, 0),
        Direction::South => down(sliders, occupied, &FILES, 0),
        Direction::NorthEast => up(sliders, occupied, &WRAPPED_DIAGONALS, EAST_BARRIER),
        Direction::SouthWest => down(sliders, occupied, &WRAPPED_DIAGONALS, WEST_BARRIER),
        Direction::NorthWest => up(sliders, occupied, &WRAPPED_ANTIDIAGONALS, WEST_BARRIER),
        Direction::SouthEast => down(sliders, occupied, &WRAPPED_ANTIDIAGONALS, EAST_BARRIER),
        Direction::East => east(sliders, occupied),
        Direction::West => east(sliders.reverse_ranks(), occupied.reverse_ranks()).reverse_ranks(),
    }
}

/// Rays to the east: a subtraction within each rank, kept there by the barrier on the h-file.
#[inline(always)]
fn east<L: Lanes>(sliders: L, occupied: L) -> L {
    let barrier = L::constant(EAST_BARRIER);
    let occupied = occupied | sliders | barrier;
    let sliders = sliders & !barrier;
    occupied ^ (occupied & !sliders).minus(sliders)
}

/// Rays towards the higher bits along masked lines, with a barrier where a line wraps.
#[inline(always)]
fn up<L: Lanes>(sliders: L, occupied: L, lines: &[u64; 8], barrier: u64) -> L {
    let barrier = L::constant(barrier);
    let occupied = occupied | sliders | barrier;
    let sliders = sliders & !barrier;
    let blockers = occupied & !sliders;
    let mut difference = L::constant(0);
    for &line in lines {
        let line = L::constant(line);
        difference = difference | ((blockers & line).minus(sliders & line) & line);
    }
    occupied ^ difference
}

/// Rays towards the lower bits: those towards the higher bits on the board turned upside down, where a
/// line of the one slope is one of the other and the barrier stays on its file.
#[inline(always)]
fn down<L: Lanes>(sliders: L, occupied: L, lines: &[u64; 8], barrier: u64) -> L {
    let mut mirrored = [0; 8];
    for (mirrored, &line) in mirrored.iter_mut().zip(lines) {
        *mirrored = line.swap_bytes();
    }
    up(sliders.swap_bytes(), occupied.swap_bytes(), &mirrored, barrier).swap_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_lines_are_two_diagonals_apart() {
        use crate::bitboard::{ANTIDIAGONALS, DIAGONALS};
        for i in 0..8 {
            let rest = |lines: &[u64; 15], at: usize| if at < 15 { lines[at] } else { 0 };
            assert_eq!(WRAPPED_DIAGONALS[i], DIAGONALS[7 - i] | rest(&DIAGONALS, 15 - i));
            assert_eq!(WRAPPED_ANTIDIAGONALS[i], ANTIDIAGONALS[i] | rest(&ANTIDIAGONALS, i + 8));
        }
    }
}
