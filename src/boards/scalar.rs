//! One board in a `u64`, and the numbers of boards in 64-bit lanes.

use crate::bitboard::Direction;
#[cfg(feature = "bulk")]
use crate::boards::block::{Block, FromNumber};
use crate::boards::hyperbola::{self, Lanes};
use crate::boards::{Boards, Numbers, Sealed};
#[cfg(feature = "bulk")]
use crate::pieces::Pieces;

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
    fn ray(self, direction: Direction, occupied: Self) -> Self {
        hyperbola::ray(self, direction, occupied)
    }
}

impl Lanes for u64 {
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }

    #[inline(always)]
    fn reverse_ranks(self) -> Self {
        crate::bitboard::reverse_ranks(self)
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

operators! { numbers: [const COUNT: usize] LaneNumbers<COUNT>; (self, other)
    each!(i => self.0[i].wrapping_add(other.0[i])),
    each!(i => self.0[i].wrapping_sub(other.0[i])),
    each!(i => self.0[i].wrapping_mul(other.0[i]))
}

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
