//! One position without vectors: one set and one direction at a time, in general-purpose registers.

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
use core::arch::asm;

use super::{DiagonalAttacks, Instructions, NOT_A, NOT_H, OrthogonalAttacks, SliderAttacksByRole};
use crate::bitboard::{ByDirection, Direction};
use crate::boards::SliderAttacks;
use crate::pieces::{ByColour, Pieces, Role};

/// No vectors: one set and one direction at a time.
///
/// Eight rays take about a hundred operations, and processors execute four to six at a time. So the speed is limited by
/// throughput, and the latency is only slightly longer.
pub struct Scalar;

/// The free squares ahead in one direction, for steps of one, two and four squares.
struct Free {
    direction: Direction,
    ahead: [u64; 3],
}

impl Free {
    #[inline(always)]
    fn new(direction: Direction, occupied: u64) -> Self {
        let (by, landing) = step(direction);
        let one = !occupied & landing;
        let two = one & shift(one, by);
        Self { direction, ahead: [one, two, two & shift(two, 2 * by)] }
    }

    #[inline(always)]
    fn ray(&self, sliders: u64) -> u64 {
        let (by, landing) = step(self.direction);
        let rays = sliders | (self.ahead[0] & shift(sliders, by));
        let rays = rays | (self.ahead[1] & shift(rays, 2 * by));
        let rays = rays | (self.ahead[2] & shift(rays, 4 * by));
        shift(rays, by) & landing
    }
}

/// The step size, positive towards the higher bits, and the squares where a step can end.
#[inline(always)]
fn step(direction: Direction) -> (i32, u64) {
    match direction {
        Direction::North => (8, !0),
        Direction::South => (-8, !0),
        Direction::East => (1, NOT_A),
        Direction::West => (-1, NOT_H),
        Direction::NorthEast => (9, NOT_A),
        Direction::NorthWest => (7, NOT_H),
        Direction::SouthEast => (-7, NOT_A),
        Direction::SouthWest => (-9, NOT_H),
    }
}

#[inline(always)]
fn shift(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

#[inline(always)]
fn ray(direction: Direction, occupied: u64, sliders: u64) -> u64 {
    in_a_register(Free::new(direction, occupied).ray(sliders))
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

impl Instructions for Scalar {
    #[inline(always)]
    fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64> {
        ByDirection([
            ray(Direction::North, occupied, orthogonal),
            ray(Direction::South, occupied, orthogonal),
            ray(Direction::East, occupied, orthogonal),
            ray(Direction::West, occupied, orthogonal),
            ray(Direction::NorthEast, occupied, diagonal),
            ray(Direction::NorthWest, occupied, diagonal),
            ray(Direction::SouthEast, occupied, diagonal),
            ray(Direction::SouthWest, occupied, diagonal),
        ])
    }

    #[inline(always)]
    fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        Self::orthogonal_attacks(orthogonal, occupied) | Self::diagonal_attacks(diagonal, occupied)
    }

    #[inline(always)]
    fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64 {
        (ray(Direction::North, occupied, sliders) | ray(Direction::South, occupied, sliders))
            | (ray(Direction::East, occupied, sliders) | ray(Direction::West, occupied, sliders))
    }

    #[inline(always)]
    fn diagonal_attacks(sliders: u64, occupied: u64) -> u64 {
        (ray(Direction::NorthEast, occupied, sliders)
            | ray(Direction::NorthWest, occupied, sliders))
            | (ray(Direction::SouthEast, occupied, sliders)
                | ray(Direction::SouthWest, occupied, sliders))
    }

    #[inline(always)]
    fn slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole {
        let occupied = pieces.occupied();
        let orthogonal = |colour, role| Self::orthogonal_attacks(pieces.of(colour, role), occupied);
        let diagonal = |colour, role| Self::diagonal_attacks(pieces.of(colour, role), occupied);
        SliderAttacksByRole {
            orthogonal: ByColour::new(|colour| OrthogonalAttacks {
                rook: orthogonal(colour, Role::Rook),
                queen: orthogonal(colour, Role::Queen),
            }),
            diagonal: ByColour::new(|colour| DiagonalAttacks {
                bishop: diagonal(colour, Role::Bishop),
                queen: diagonal(colour, Role::Queen),
            }),
        }
    }

    #[inline(always)]
    fn slider_attackers(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // A slider attacks a target exactly if the target, as a slider, would attack it. (If another target blocks the
        // ray, that target hits the slider.)
        (Self::orthogonal_attacks(targets, occupied) & orthogonal)
            | (Self::diagonal_attacks(targets, occupied) & diagonal)
    }

    #[inline(always)]
    fn between(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        let ByDirection([n, s, e, w, ne, nw, se, sw]) =
            Self::slider_rays(targets, targets, occupied);
        let ByDirection(by) = Self::slider_rays(orthogonal, diagonal, occupied);
        ((n & by[1]) | (s & by[0]) | (e & by[3]) | (w & by[2]))
            | ((ne & by[7]) | (nw & by[6]) | (se & by[5]) | (sw & by[4]))
    }

    #[inline(always)]
    fn behind(occupied: u64, targets: u64, between: u64, sliders: [u64; 2]) -> u64 {
        let [orthogonal, diagonal] = sliders;
        let ByDirection(to) = Self::slider_rays(targets, targets, occupied);
        let ByDirection(by) = Self::slider_rays(orthogonal, diagonal, occupied);
        let mut behind = 0;
        macro_rules! look {
            ($($direction:ident $sliders:ident,)*) => {
                $({
                    let direction = Direction::$direction;
                    let first = to[direction as usize] & by[direction.opposite() as usize];
                    behind |= ray(direction, occupied, first & between) & $sliders;
                })*
            };
        }
        look! {
            North orthogonal,
            South orthogonal,
            East orthogonal,
            West orthogonal,
            NorthEast diagonal,
            NorthWest diagonal,
            SouthEast diagonal,
            SouthWest diagonal,
        }
        behind
    }

    #[inline(always)]
    fn one_side(bishops: u64, rooks: u64, queens: u64, occupied: u64) -> SliderAttacks<u64> {
        let mut attacks = SliderAttacks { bishop: 0, rook: 0, queen: 0, once: 0, twice: 0 };
        macro_rules! rays {
            ($role:ident $sliders:ident: $($direction:ident)*) => {
                $(
                    let free = Free::new(Direction::$direction, occupied);
                    // In any one direction, at most one slider attacks a given square.
                    let ray = free.ray($sliders);
                    let by_queens = free.ray(queens);
                    attacks.$role |= ray;
                    attacks.queen |= by_queens;
                    attacks.twice |= attacks.once & (ray | by_queens);
                    attacks.once |= ray | by_queens;
                )*
            };
        }
        rays!(rook rooks: North South East West);
        rays!(bishop bishops: NorthEast NorthWest SouthEast SouthWest);
        attacks
    }
}
