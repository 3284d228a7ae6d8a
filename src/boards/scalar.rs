//! One board in a `u64`: Kogge-Stone fills in general-purpose registers. And the numbers of boards in 64-bit lanes.

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
use core::arch::asm;
use core::array::from_fn;

use crate::bitboard::{Direction, shift};
use crate::boards::{Boards, Numbers, Sealed};

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
        in_a_register(Free::new(direction, occupied).ray(self))
    }

    /// Both shift by the same count, so that they share a 128-bit vector: half the time of separate [rays](Self::ray).
    #[inline(always)]
    fn two_rays([a, b]: [u64; 2], direction: Direction, occupied: u64) -> [u64; 2] {
        let free = Free::new(direction, occupied);
        [free.ray(a), free.ray(b)]
    }
}

/// The free squares ahead in one direction, for steps of one, two and four squares.
struct Free {
    direction: Direction,
    ahead: [u64; 3],
}

impl Free {
    #[inline(always)]
    fn new(direction: Direction, occupied: u64) -> Self {
        let (by, landing) = direction.shift();
        let one = !occupied & landing;
        let two = one & shift(one, by);
        Self { direction, ahead: [one, two, two & shift(two, 2 * by)] }
    }

    #[inline(always)]
    fn ray(&self, sliders: u64) -> u64 {
        let (by, landing) = self.direction.shift();
        let rays = sliders | (self.ahead[0] & shift(sliders, by));
        let rays = rays | (self.ahead[1] & shift(rays, 2 * by));
        let rays = rays | (self.ahead[2] & shift(rays, 4 * by));
        shift(rays, by) & landing
    }
}

/// Keeps the compiler from packing two directions into a 128-bit vector, whose lanes it cannot shift by different
/// counts. This costs nothing and halves the latency of the union.
#[inline(always)]
fn in_a_register(set: u64) -> u64 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let same;
        // SAFETY: the assembly has no instructions.
        unsafe {
            asm!(
                "/* {0} */",
                inlateout(reg) set => same,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        same
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    set
}

/// The numbers of boards in 64-bit lanes.
#[derive(Clone, Copy)]
pub struct LaneNumbers<const COUNT: usize>(pub(super) [i16; COUNT]);

operators! { numbers: [const COUNT: usize] LaneNumbers<COUNT>; (self, other)
    Self(from_fn(|i| self.0[i].wrapping_add(other.0[i]))),
    Self(from_fn(|i| self.0[i].wrapping_sub(other.0[i]))),
    Self(from_fn(|i| self.0[i].wrapping_mul(other.0[i])))
}

impl<const COUNT: usize> Sealed for LaneNumbers<COUNT> {}

impl<const COUNT: usize> Numbers for LaneNumbers<COUNT> {
    #[inline(always)]
    fn splat(number: i16) -> Self {
        Self([number; COUNT])
    }

    #[inline(always)]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        Self(from_fn(|i| if self.0[i] < other.0[i] { then.0[i] } else { otherwise.0[i] }))
    }
}

impl From<LaneNumbers<1>> for i16 {
    #[inline(always)]
    fn from(LaneNumbers([number]): LaneNumbers<1>) -> Self {
        number
    }
}
