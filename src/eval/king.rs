//! What the enemy does to kings: danger, checks and pins.

use super::attacks::attacked_among;
use super::rays::Rays;
use crate::bitboard::Direction;
use crate::boards::Boards;
use crate::leaper;
use crate::pieces::{Colour, Pieces, Role};

/// The squares that the enemy attacks when all of a side's kings are taken off the board. A king may not go
/// there, and the squares behind it on the line of a check are among them. 8 rays.
///
/// ```
/// use setwise::{Colour, Fen, eval};
/// let pieces = Fen::parse("4k3/8/8/8/8/8/8/r1K5 w - - 0 1")?.pieces;
/// let danger = eval::king_danger(&pieces, Colour::White);
/// assert_eq!(danger & 0xff, 0b1111_1110); // the rook attacks through the king, d1 and on
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn king_danger<B: Boards>(position: &Pieces<B>, colour: Colour) -> B {
    let occupied = position.occupied().without(position.of(colour, Role::King));
    attacked_among(position, colour.opponent(), occupied)
}

/// What the enemy does to a side's kings: [`king_threats`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KingThreats<B> {
    /// The enemy pieces that attack a king of the side.
    pub checkers: B,
    /// The side's pieces that stand alone between a king of theirs and an enemy slider on its line.
    pub pinned: B,
    /// The enemy sliders that pin them.
    pub pinners: B,
}

/// Checkers, pinned pieces and pinners of the side that `enemy_rays` are aimed at.
///
/// Every king counts, and every king blocks: one that stands between another and a slider is pinned too.
/// Without a king all three sets are empty. A pinned piece is in the king's ray and, from the other end, in the
/// slider's; a ray cast once more from the piece finds the pinner. 16 rays.
///
/// ```
/// use setwise::{Colour, Fen, eval};
/// let pieces = Fen::parse("4r1k1/8/8/8/7b/8/4N3/4K3 w - - 0 1")?.pieces;
/// let white = eval::king_threats(&pieces, &eval::rays(&pieces, Colour::Black));
/// assert_eq!(white.checkers, 1 << 31); // the bishop on h4
/// assert_eq!(white.pinned, 1 << 12); // the knight on e2
/// assert_eq!(white.pinners, 1 << 60); // the rook on e8
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn king_threats<B: Boards>(position: &Pieces<B>, enemy_rays: &Rays<B>) -> KingThreats<B> {
    let (occupied, enemy) = (position.occupied(), enemy_rays.colour);
    let colour = enemy.opponent();
    let (own, kings) = (position.colour(colour), position.of(colour, Role::King));
    let (orthogonal, diagonal) = (position.orthogonal(enemy), position.diagonal(enemy));
    let pawns = leaper::pawns(colour, kings) & position.of(enemy, Role::Pawn);
    let knights = leaper::knights(kings) & position.of(enemy, Role::Knight);
    let others = leaper::kings(kings) & position.of(enemy, Role::King);
    let mut threats = KingThreats {
        checkers: (pawns | knights) | others,
        pinned: B::empty(),
        pinners: B::empty(),
    };
    macro_rules! look {
        ($($direction:ident $sliders:ident,)*) => {
            $(
                let from_king = kings.ray(Direction::$direction, occupied);
                let pinned = from_king & own & enemy_rays[Direction::$direction.opposite()];
                let behind = pinned.ray(Direction::$direction, occupied);
                threats.checkers |= from_king & $sliders;
                threats.pinned |= pinned;
                threats.pinners |= behind & $sliders;
            )*
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
    threats
}
