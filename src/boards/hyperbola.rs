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

use crate::bitboard::{Direction, EAST_BARRIER, FILES, WEST_BARRIER};
use crate::boards::Boards;

/// Boards in 64-bit lanes, with the operations that the subtraction needs in addition to the algebra of sets.
pub(crate) trait Lanes: Boards {
    fn minus(self, other: Self) -> Self;

    /// Reverses the bits of each byte.
    fn reverse_ranks(self) -> Self;
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
    let occupied = occupied | sliders | EAST_BARRIER;
    let sliders = sliders & !EAST_BARRIER;
    occupied ^ (occupied & !sliders).minus(sliders)
}

/// Rays towards the higher bits along masked lines, with a barrier where a line wraps.
#[inline(always)]
fn up<L: Lanes>(sliders: L, occupied: L, lines: &[u64; 8], barrier: u64) -> L {
    let occupied = occupied | sliders | barrier;
    let sliders = sliders & !barrier;
    let blockers = occupied & !sliders;
    let mut difference = L::empty();
    for &line in lines {
        // Off the line, both operands have the same bits, so a borrow passes. On the line, this subtracts the sliders.
        difference |= blockers.minus(blockers ^ (occupied & line)) & line;
    }
    occupied ^ difference
}

/// Rays towards the lower bits, computed towards the higher bits on the flipped board, where lines of one slope become
/// lines of the other and the barrier stays on its file.
#[inline(always)]
fn down<L: Lanes>(sliders: L, occupied: L, lines: &[u64; 8], barrier: u64) -> L {
    let mut mirrored = [0; 8];
    for (mirrored, &line) in mirrored.iter_mut().zip(lines) {
        *mirrored = line.swap_bytes();
    }
    up(sliders.flip_vertical(), occupied.flip_vertical(), &mirrored, barrier).flip_vertical()
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
