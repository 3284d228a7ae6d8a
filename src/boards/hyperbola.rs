//! Generalized set-wise hyperbola quintessence: the rays of a whole set of sliders by subtraction, for boards in 64-bit
//! lanes: a single `u64`, or several in a vector of `wide`.
//!
//! On one line, let `t = o & !r` be the blockers that are not sliders. The borrow of `t - r` runs from each slider over
//! the empty squares up to and including the next piece. So `(o | r) ^ (t - r)` is the union of the rays, even if `o`
//! lacks the sliders (`docs/how-it-works.md` has the proof and pictures, in steps 1 to 3).
//!
//! ```text
//!  o   . x . . . x . .      occupied            the borrow of r passes three empty squares and stops at x;
//!  r   . r . . . . . .      sliders             changed bits are attacked
//!  ^   . . a a a a . .      attacked, eastwards
//! ```
//!
//! Three techniques keep the borrow on its line and let it run in both directions:
//!
//! - **Barriers.** Ranks need no masks: the far file (h when going east) counts as occupied and never as a slider, so
//!   no borrow enters the next rank. Diagonals are processed two at a time, as eight lines that wrap around the board's
//!   edge, with the barrier at the end of the first. Files are masked one by one.
//! - **`swap_bytes`** (`flip_vertical`). Rays to the lower bits are rays to the higher bits on the flipped board.
//! - **Rank-wise reversal.** Flipping the board does not reverse a rank; instead, the bits of each byte are reversed.
//!
//! Cost of a ray: 5 operations per masked line (8 lines) and about 5 more; 4 along ranks, and two or three reversals
//! for the opposite direction.

use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::bitboard::{self, Direction, EAST_BARRIER, FILES, WEST_BARRIER};
use crate::boards::scalar::LaneNumbers;
use crate::boards::{Boards, Routine, Sealed};

/// Boards in 64-bit lanes whose rays are computed by generalized hyperbola quintessence: `T` is `u64`, or a vector of
/// the crate `wide` with `COUNT` lanes.
///
/// The results equal those of a plain `u64`, whose rays are Kogge-Stone fills and take half the operations.
///
/// ```
/// use setwise::{Boards, Hyperbola, bitboard::Direction};
/// let (rooks, occupied) = (1_u64 << 40 | 1 << 47, 1 << 40 | 1 << 43 | 1 << 47); // a6, h6; d6
/// let Hyperbola(ray) = Hyperbola(rooks).ray(Direction::East, Hyperbola(occupied));
/// assert_eq!(ray, 0b1110 << 40); // b6, c6 and d6
/// assert_eq!(ray, rooks.ray(Direction::East, occupied));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hyperbola<T, const COUNT: usize = 1>(pub T);

/// The operations on 64-bit lanes that [`Hyperbola`] needs. `<<` shifts every lane towards the higher bits.
pub trait Lanes<const COUNT: usize>:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    fn from_lanes(boards: [u64; COUNT]) -> Self;
    fn to_lanes(self) -> [u64; COUNT];
    fn minus(self, other: Self) -> Self;

    #[inline(always)]
    fn splat(board: u64) -> Self {
        Self::from_lanes([board; COUNT])
    }

    /// `swap_bytes` in every lane. In a vector, this compiles to one byte shuffle.
    #[inline(always)]
    fn flip_vertical(self) -> Self {
        let exchange = |board: Self, mask: u64, by: u32| {
            let mask = Self::splat(mask);
            ((board >> by) & mask) | ((board & mask) << by)
        };
        let board = exchange(self, 0x00ff_00ff_00ff_00ff, 8);
        let board = exchange(board, 0x0000_ffff_0000_ffff, 16);
        exchange(board, 0x0000_0000_ffff_ffff, 32)
    }

    /// Reverses the bits of each byte. In a vector, this compiles to byte shuffles, or to one operation with GFNI.
    #[inline(always)]
    fn reverse_ranks(self) -> Self {
        Self::from_lanes(self.to_lanes().map(bitboard::reverse_ranks))
    }
}

impl Lanes<1> for u64 {
    #[inline(always)]
    fn from_lanes([board]: [u64; 1]) -> Self {
        board
    }

    #[inline(always)]
    fn to_lanes(self) -> [u64; 1] {
        [self]
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
}

/// The wrapped diagonals: `[i]` contains the squares whose file minus rank is `i` modulo 8.
const WRAPPED_DIAGONALS: [u64; 8] = wrapped(7);

/// The wrapped antidiagonals: `[i]` contains the squares whose file plus rank is `i` modulo 8.
const WRAPPED_ANTIDIAGONALS: [u64; 8] = wrapped(1);

/// The eight lines along which the file changes by `-slope` from rank to rank, modulo 8.
const fn wrapped(slope: usize) -> [u64; 8] {
    let mut lines = [0; 8];
    let mut square = 0;
    while square < 64 {
        lines[(square % 8 + slope * (square / 8)) % 8] |= 1 << square;
        square += 1;
    }
    lines
}

impl<T: Lanes<COUNT>, const COUNT: usize> Hyperbola<T, COUNT> {
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(self.0.minus(other.0))
    }

    #[inline(always)]
    fn reverse_ranks(self) -> Self {
        Self(self.0.reverse_ranks())
    }

    /// Rays to the east: a subtraction within each rank, kept there by the barrier on the h-file.
    #[inline(always)]
    fn ray_east(self, occupied: Self) -> Self {
        let occupied = occupied | self | EAST_BARRIER;
        let sliders = self & !EAST_BARRIER;
        occupied ^ (occupied & !sliders).minus(sliders)
    }

    /// Rays towards the higher bits along masked lines, with a barrier where a line wraps.
    #[inline(always)]
    fn rays_up(self, occupied: Self, lines: &[u64; 8], barrier: u64) -> Self {
        let occupied = occupied | self | barrier;
        let sliders = self & !barrier;
        let blockers = occupied & !sliders;
        let mut difference = Self::splat(0);
        for &line in lines {
            // Off the line, both operands are zero, so a borrow passes.
            difference |= (blockers & line).minus(sliders & line) & line;
        }
        occupied ^ difference
    }

    /// Rays towards the lower bits, computed towards the higher bits on the flipped board, where lines of one slope
    /// become lines of the other and the barrier stays on its file.
    #[inline(always)]
    fn rays_down(self, occupied: Self, lines: &[u64; 8], barrier: u64) -> Self {
        let mut mirrored = [0; 8];
        for (mirrored, &line) in mirrored.iter_mut().zip(lines) {
            *mirrored = line.swap_bytes();
        }
        let flipped = self.flip_vertical();
        flipped.rays_up(occupied.flip_vertical(), &mirrored, barrier).flip_vertical()
    }
}

operators! { sets: [T: Lanes<COUNT>, const COUNT: usize] Hyperbola<T, COUNT>; (self, other)
    Self(self.0 & other.0),
    Self(self.0 | other.0),
    Self(self.0 ^ other.0)
}

impl<T: Lanes<COUNT>, const COUNT: usize> Not for Hyperbola<T, COUNT> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl<T, const COUNT: usize> Sealed for Hyperbola<T, COUNT> {}

impl<T: Lanes<COUNT>, const COUNT: usize> Boards for Hyperbola<T, COUNT> {
    const COUNT: usize = COUNT;

    type Numbers = LaneNumbers<COUNT>;

    #[inline(never)]
    fn call<R: Routine>(routine: R) -> R::Output {
        routine.run()
    }

    #[inline(always)]
    fn count(self) -> LaneNumbers<COUNT> {
        let boards = self.0.to_lanes();
        let mut counts = [0; COUNT];
        let mut i = 0;
        while i < COUNT {
            counts[i] = boards[i].count_ones() as i16;
            i += 1;
        }
        LaneNumbers(counts)
    }

    #[inline(always)]
    fn splat(board: u64) -> Self {
        Self(T::splat(board))
    }

    #[inline(always)]
    fn any(self) -> Self {
        // A number or its negative has the top bit, unless it is zero.
        let none = T::splat(0);
        Self(none.minus((self.0 | none.minus(self.0)) >> 63))
    }

    #[inline(always)]
    fn many(self) -> Self {
        (self & self.minus(Self::splat(1))).any()
    }

    #[inline(always)]
    fn flip_vertical(self) -> Self {
        Self(self.0.flip_vertical())
    }

    #[inline(always)]
    fn north(self) -> Self {
        Self(self.0 << 8)
    }

    #[inline(always)]
    fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    #[inline(always)]
    fn east(self) -> Self {
        Self((self & !FILES[7]).0 << 1)
    }

    #[inline(always)]
    fn west(self) -> Self {
        Self((self & !FILES[0]).0 >> 1)
    }

    #[inline(always)]
    fn ray(self, direction: Direction, occupied: Self) -> Self {
        match direction {
            Direction::North => self.rays_up(occupied, &FILES, 0),
            Direction::South => self.rays_down(occupied, &FILES, 0),
            Direction::NorthEast => self.rays_up(occupied, &WRAPPED_DIAGONALS, EAST_BARRIER),
            Direction::SouthWest => self.rays_down(occupied, &WRAPPED_DIAGONALS, WEST_BARRIER),
            Direction::NorthWest => self.rays_up(occupied, &WRAPPED_ANTIDIAGONALS, WEST_BARRIER),
            Direction::SouthEast => self.rays_down(occupied, &WRAPPED_ANTIDIAGONALS, EAST_BARRIER),
            Direction::East => self.ray_east(occupied),
            Direction::West => {
                self.reverse_ranks().ray_east(occupied.reverse_ranks()).reverse_ranks()
            }
        }
    }
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
