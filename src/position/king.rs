//! What the pieces say about a side's king: checks, pins, discovered checks, and where it must not go.

use super::instructions::Instructions;
use super::scalar::Scalar;
use crate::leaper;
use crate::pieces::{Colour, Pieces, Role};

/// What the pieces say about a side's king: [`position::king_facts`](crate::position::king_facts). The enemy is the
/// other side.
///
/// With several kings every king counts, and every king blocks; without one, all sets but `danger` are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
#[non_exhaustive]
pub struct KingFacts {
    /// The enemy's pieces that give check: [`checkers`](crate::position::checkers).
    pub checkers: u64,
    /// The side's pieces that are pinned: [`pinned`](crate::position::pinned).
    pub pinned: u64,
    /// The enemy's sliders that pin them: [`pinners`](crate::position::pinners).
    pub pinners: u64,
    /// The enemy's pieces that stand alone between the king and an enemy slider: they give discovered check if they
    /// leave the line.
    pub discoverers: u64,
    /// The squares where the king would be in check: [`king_danger`](crate::position::king_danger).
    pub danger: u64,
    /// The squares from which an enemy piece of each role, in the order of [`Role::ALL`], gives check. None for a king.
    pub checking_squares: [u64; 6],
}

/// The rays from a king, and those of the enemy's sliders.
#[derive(Clone, Copy)]
pub(crate) struct KingRays {
    /// From the king along ranks and files, and along diagonals.
    pub(super) rook: u64,
    pub(super) bishop: u64,
    /// Where a ray from the king meets one that comes from the opposite side.
    pub(super) between: u64,
    /// The sliders behind those of the side's pieces that stand there.
    pub(super) pinners: u64,
    /// What the sliders attack with the king off the board.
    pub(super) seen: u64,
}

/// The facts about a side's kings: the rays from the king, those of the enemy's sliders as if it were not there, and
/// where they meet.
#[inline(always)]
pub(super) fn facts<I: Instructions>(pieces: &Pieces, colour: Colour) -> KingFacts {
    let (king, occupied) = (pieces.of(colour, Role::King), pieces.occupied());
    let (own, enemy, enemies) =
        (pieces.colour(colour), colour.opponent(), pieces.colour(colour.opponent()));
    let (orthogonal, diagonal) = (pieces.orthogonal(enemy), pieces.diagonal(enemy));
    let sliders = [orthogonal, diagonal];
    let KingRays { rook, bishop, mut between, mut pinners, seen } =
        I::king_rays(occupied, king, own, sliders);
    if king & king.wrapping_sub(1) != 0 {
        (between, pinners) = of_several(occupied, king, own, sliders);
    }
    let (pawn, knight) = (leaper::pawns(colour, king), leaper::knights(king));
    KingFacts {
        checkers: (pawn & pieces.pawns
            | knight & pieces.knights
            | leaper::kings(king) & pieces.kings)
            & enemies
            | rook & orthogonal
            | bishop & diagonal,
        pinned: between & own,
        pinners,
        discoverers: between & enemies,
        danger: seen
            | leaper::pawns(enemy, pieces.of(enemy, Role::Pawn))
            | leaper::knights(pieces.of(enemy, Role::Knight))
            | leaper::kings(pieces.of(enemy, Role::King)),
        checking_squares: [pawn, knight, bishop, rook, bishop | rook, 0],
    }
}

/// The squares between kings and sliders, and the sliders behind own pieces there, where a king may hide another from a
/// slider.
#[cold]
#[inline(never)]
fn of_several(occupied: u64, kings: u64, own: u64, sliders: [u64; 2]) -> (u64, u64) {
    let [orthogonal, diagonal] = sliders;
    let between = Scalar::between(occupied, kings, orthogonal, diagonal);
    (between, Scalar::behind(occupied, kings, own, sliders))
}
