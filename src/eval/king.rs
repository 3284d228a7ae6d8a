//! Enemy attacks on kings: danger, checks and pins.

use super::attacks::attacked_among;
use super::rays::{Rays, each_ray, slider_rays};
use crate::bitboard::Direction;
use crate::boards::{Boards, called};
use crate::leaper;
use crate::pieces::{Colour, Pieces, Role};

/// The squares that the enemy attacks after all kings of the side are removed from the board. A king may not move
/// there. They include the squares beyond the king on the line of a check. 8 rays.
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

/// Checks and pins against a side's kings, computed by [`king_threats`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KingThreats<B> {
    /// The enemy pieces that attack a king of the side.
    pub checkers: B,
    /// The side's pieces that are alone between one of its kings and an enemy slider on the same line.
    pub pinned: B,
    /// The enemy sliders that pin them.
    pub pinners: B,
}

called! {
    /// The checks and pins against a side: checkers, pinned pieces and pinners. `enemy_rays` are the rays of the other
    /// side.
    ///
    /// Every king counts, and every king blocks: a king between another king and a slider is pinned too. Without a
    /// king, all three sets are empty. A pinned piece lies on a ray from the king and, in the opposite direction, on a
    /// ray of the slider. A second ray from the pinned piece finds the pinner. 16 rays.
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
    #[must_use]
    pub fn king_threats<'a, B: Boards>(position: &'a Pieces<B>, enemy_rays: &'a Rays<B>) -> KingThreats<B> {
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
        let from_king = slider_rays(&kings, &kings, &occupied);
        let mut pinned = from_king;
        for direction in Direction::ALL {
            pinned[direction as usize] &= own & enemy_rays[direction.opposite()];
        }
        let behind = unions(each_ray(pinned.each_ref(), &occupied));
        let (from_king, pinned) = (unions(from_king), unions(pinned));
        threats.checkers |= (from_king[0] & orthogonal) | (from_king[1] & diagonal);
        threats.pinned = pinned[0] | pinned[1];
        threats.pinners = (behind[0] & orthogonal) | (behind[1] & diagonal);
        threats
    }
}

/// The union of the orthogonal rays, and the union of the diagonal rays.
#[inline(always)]
fn unions<B: Boards>([a, b, c, d, e, f, g, h]: [B; 8]) -> [B; 2] {
    [(a | b) | (c | d), (e | f) | (g | h)]
}
