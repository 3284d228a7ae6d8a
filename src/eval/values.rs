//! Attacks by the value of the attacker, and the pieces that are hanging or attacked by pieces of lesser value.

use super::attacks::slider_attacks;
use crate::boards::{Boards, called};
use crate::leaper;
use crate::pieces::{ByColour, Colour, Pieces, Role};

/// The squares that a side attacks, as nested sets by the value of the attacker, computed by [`cumulative`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Cumulative<B> {
    /// Attacked by a pawn.
    pub by_pawn: B,
    /// Attacked by a pawn, a knight or a bishop.
    pub by_minor: B,
    /// Attacked by a pawn, a knight, a bishop or a rook.
    pub by_rook: B,
    /// Attacked by any piece.
    pub all: B,
}

/// The squares that each side attacks with pawns, with pawns and minor pieces, with all of these and rooks, and with
/// all pieces. 32 rays.
///
/// ```
/// use setwise::{Pieces, eval};
/// let white = eval::cumulative(&Pieces::START).white;
/// assert_eq!(white.by_pawn, 0x00ff_0000);
/// assert_eq!(white.by_minor & 0xff00, 0b0101_1010 << 8); // b2, d2, e2 and g2
/// ```
#[inline(always)]
#[must_use]
pub fn cumulative<B: Boards>(position: &Pieces<B>) -> ByColour<Cumulative<B>> {
    ByColour {
        white: cumulative_of(position, Colour::White),
        black: cumulative_of(position, Colour::Black),
    }
}

called! {
    /// One side of [`cumulative`]. 16 rays.
    #[must_use]
    pub fn cumulative_of<'a, B: Boards>(position: &'a Pieces<B>, colour: Colour) -> Cumulative<B> {
        let occupied = position.occupied();
        let queens = position.of(colour, Role::Queen);
        let by_pawn = leaper::pawns(colour, position.of(colour, Role::Pawn));
        let by_minor = by_pawn
            | leaper::knights(position.of(colour, Role::Knight))
            | position.of(colour, Role::Bishop).bishop_attacks(occupied);
        let by_rook = by_minor | position.of(colour, Role::Rook).rook_attacks(occupied);
        let all = by_rook
            | slider_attacks(&queens, &queens, &occupied)
            | leaper::kings(position.of(colour, Role::King));
        Cumulative { by_pawn, by_minor, by_rook, all }
    }
}

/// Empty sets of attacks.
#[cfg(feature = "bulk")]
#[inline(always)]
pub(crate) fn no_attacks<B: Boards>() -> Cumulative<B> {
    let empty = B::empty();
    Cumulative { by_pawn: empty, by_minor: empty, by_rook: empty, all: empty }
}

/// The pieces of a side, kings included, that the enemy attacks and the side does not defend.
///
/// ```
/// use setwise::{Colour, Fen, eval};
/// let pieces = Fen::parse("4k3/8/8/3q4/8/8/3R4/3KN3 w - - 0 1")?.pieces;
/// let attacks = eval::cumulative(&pieces);
/// assert_eq!(eval::hanging(&pieces, Colour::Black, &attacks), 1 << 35); // the queen on d5
/// assert_eq!(eval::attacked_by_lesser(&pieces, Colour::Black, &attacks), 1 << 35); // by the rook
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn hanging<B: Boards>(
    position: &Pieces<B>,
    colour: Colour,
    attacks: &ByColour<Cumulative<B>>,
) -> B {
    let (own, enemy) = (&attacks[colour], &attacks[colour.opponent()]);
    (position.colour(colour) & enemy.all).without(own.all)
}

/// The pieces of a side that an enemy piece of lesser value attacks: knights and bishops (of equal value) attacked by a
/// pawn, rooks attacked by a pawn or a minor piece, and queens attacked by anything but a queen or a king. Kings have
/// no value here, so they are never in the set. See [`hanging`] for an example.
#[inline(always)]
#[must_use]
pub fn attacked_by_lesser<B: Boards>(
    position: &Pieces<B>,
    colour: Colour,
    attacks: &ByColour<Cumulative<B>>,
) -> B {
    let enemy = &attacks[colour.opponent()];
    let minor = (position.knights | position.bishops) & enemy.by_pawn;
    let major = (position.rooks & enemy.by_minor) | (position.queens & enemy.by_rook);
    position.colour(colour) & (minor | major)
}
