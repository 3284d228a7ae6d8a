//! One position without vectors: the Kogge-Stone fills of a single `u64`.

use super::{DiagonalAttacks, Instructions, OrthogonalAttacks, SliderAttacksByRole};
use crate::bitboard::ByDirection;
use crate::boards::{Boards, SliderAttacks};
use crate::eval;
use crate::pieces::{ByColour, Pieces, Role};

/// No vectors: one set and one direction at a time.
///
/// Eight rays take about a hundred operations, and processors execute four to six at a time. So the speed is limited by
/// throughput, and the latency is only slightly longer.
pub struct Scalar;

impl Instructions for Scalar {
    #[inline(always)]
    fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64> {
        ByDirection(eval::slider_rays(&orthogonal, &diagonal, &occupied))
    }

    #[inline(always)]
    fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        Boards::slider_attacks(orthogonal, diagonal, occupied)
    }

    #[inline(always)]
    fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64 {
        sliders.rook_attacks(occupied)
    }

    #[inline(always)]
    fn diagonal_attacks(sliders: u64, occupied: u64) -> u64 {
        sliders.bishop_attacks(occupied)
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
    fn one_side(bishops: u64, rooks: u64, queens: u64, occupied: u64) -> SliderAttacks<u64> {
        Boards::attacks_of_roles(bishops, rooks, queens, occupied)
    }
}
