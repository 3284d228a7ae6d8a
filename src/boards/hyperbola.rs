//! Generalized set-wise hyperbola quintessence for boards in 64-bit lanes: one `u64`, or several in a vector.
//!
//! `docs/how-it-works.md` explains it in steps 1 to 3, with pictures and the proof. With `t = o & !r`, the blockers
//! that are not sliders, `(o | r) ^ (t - r)` is the union of the set's rays, whether or not `o` contains the sliders.
//! Three techniques keep the borrow on its line:
//!
//! ```text
//! ranks      an overflow barrier: the far file (h when going east) always occupied and never a slider
//! files      one masked file at a time
//! diagonals  one wrapped diagonal at a time: eight masks, each two diagonals that continue each other around the
//!            board's edge, with the barrier at the end of the first
//! ```
//!
//! Rays towards the lower bits are those towards the higher bits on the reversed board: reversed by `swap_bytes` for
//! files and diagonals, rank by rank for ranks.
//!
//! Cost of a ray: 5 operations per masked line (8 lines) and about 5 more; 4 for a rank, and two or three reversals for
//! the opposite direction.

use core::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

use crate::bitboard::{Direction, EAST_BARRIER, FILES, WEST_BARRIER};
#[cfg(feature = "bulk")]
use crate::boards::block::{Block, FromNumber};
use crate::boards::{Boards, Numbers, Sealed};
#[cfg(feature = "bulk")]
use crate::pieces::Pieces;

/// Boards in 64-bit lanes: the operations that the subtraction needs besides the algebra of sets.
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

impl Sealed for u64 {}

impl Boards for u64 {
    const COUNT: usize = 1;

    type Numbers = LaneNumbers<1>;

    #[inline(always)]
    fn count(self) -> LaneNumbers<1> {
        LaneNumbers([self.count_ones() as i16])
    }

    #[inline(always)]
    fn splat(board: u64) -> Self {
        board
    }

    #[inline(always)]
    fn any(self) -> Self {
        u64::from(self != 0).wrapping_neg()
    }

    #[inline(always)]
    fn many(self) -> Self {
        (self & self.wrapping_sub(1)).any()
    }

    #[inline(always)]
    fn flip_vertical(self) -> Self {
        crate::bitboard::flip_vertical(self)
    }

    #[inline(always)]
    fn north(self) -> Self {
        Direction::North.step(self)
    }

    #[inline(always)]
    fn south(self) -> Self {
        Direction::South.step(self)
    }

    #[inline(always)]
    fn east(self) -> Self {
        Direction::East.step(self)
    }

    #[inline(always)]
    fn west(self) -> Self {
        Direction::West.step(self)
    }

    #[inline(always)]
    fn north_east(self) -> Self {
        Direction::NorthEast.step(self)
    }

    #[inline(always)]
    fn north_west(self) -> Self {
        Direction::NorthWest.step(self)
    }

    #[inline(always)]
    fn south_east(self) -> Self {
        Direction::SouthEast.step(self)
    }

    #[inline(always)]
    fn south_west(self) -> Self {
        Direction::SouthWest.step(self)
    }

    #[inline(always)]
    fn ray(self, direction: Direction, occupied: Self) -> Self {
        ray(self, direction, occupied)
    }
}

#[cfg(feature = "bulk")]
impl Block for u64 {
    type Scratch = ();
    type Memory = ();

    #[inline(always)]
    fn memory() {}

    #[inline(always)]
    fn load(boards: &[u64]) -> Self {
        boards[0]
    }

    #[inline(always)]
    fn store(self, boards: &mut [u64]) {
        boards[0] = self;
    }

    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> Pieces<Self> {
        pieces[0]
    }

    #[inline(always)]
    fn store_numbers<T: FromNumber>(numbers: LaneNumbers<1>, elements: &mut [T]) {
        numbers.store(elements);
    }

    #[inline(always)]
    fn load_numbers(elements: &[i16]) -> LaneNumbers<1> {
        LaneNumbers([elements[0]])
    }
}

/// The numbers of boards in 64-bit lanes.
#[derive(Clone, Copy)]
pub struct LaneNumbers<const COUNT: usize>(pub(super) [i16; COUNT]);

/// Applies an operation to every number.
macro_rules! each {
    ($i:ident => $number:expr) => {{
        let mut numbers = [0; COUNT];
        let mut $i = 0;
        while $i < COUNT {
            numbers[$i] = $number;
            $i += 1;
        }
        Self(numbers)
    }};
}

impl<const COUNT: usize> Add for LaneNumbers<COUNT> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_add(other.0[i]))
    }
}

impl<const COUNT: usize> Sub for LaneNumbers<COUNT> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_sub(other.0[i]))
    }
}

impl<const COUNT: usize> Mul for LaneNumbers<COUNT> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        each!(i => self.0[i].wrapping_mul(other.0[i]))
    }
}

derived_operators!(numbers: [const COUNT: usize] LaneNumbers<COUNT>);

impl<const COUNT: usize> Sealed for LaneNumbers<COUNT> {}

impl<const COUNT: usize> Numbers for LaneNumbers<COUNT> {
    #[inline(always)]
    fn splat(number: i16) -> Self {
        Self([number; COUNT])
    }

    #[inline(always)]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        each!(i => if self.0[i] < other.0[i] { then.0[i] } else { otherwise.0[i] })
    }
}

impl From<LaneNumbers<1>> for i16 {
    #[inline(always)]
    fn from(LaneNumbers([number]): LaneNumbers<1>) -> Self {
        number
    }
}

#[cfg(feature = "bulk")]
impl<const COUNT: usize> LaneNumbers<COUNT> {
    #[inline(always)]
    pub(super) fn store<T: FromNumber>(self, elements: &mut [T]) {
        assert!(elements.len() == COUNT, "as many elements as boards");
        let mut i = 0;
        while i < COUNT {
            elements[i] = T::from_number(self.0[i]);
            i += 1;
        }
    }
}

/// The wrapped diagonals: `[i]` contains the squares whose file minus rank is `i` modulo 8.
const WRAPPED_DIAGONALS: [u64; 8] = wrapped(7);

/// The wrapped antidiagonals: `[i]` contains the squares whose file plus rank is `i` modulo 8.
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
        // Where both have the same bit, a borrow passes: `blockers` minus itself, with the sliders on the line.
        difference = difference | (blockers.minus(blockers ^ (occupied & line)) & line);
    }
    occupied ^ difference
}

/// Rays towards the lower bits: those towards the higher bits on the flipped board, where lines of one slope become
/// lines of the other and the barrier stays on its file.
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
