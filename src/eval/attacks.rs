//! Attack maps: by role, for all pieces, and for at least two pieces.

use crate::boards::{Boards, SliderAttacks, called};
use crate::leaper;
use crate::pieces::{Colour, Pieces, Role};

/// The attack maps of one side: the squares attacked by each role, by any piece, and by at least two pieces.
///
/// A square is attacked if a piece of the side could capture an enemy piece there. So the squares of the side's own
/// pieces are included (those pieces are defended), and pins are ignored. Pawns attack diagonally ahead whether or not
/// the square is occupied. En passant and castling attack nothing. All pieces block.
///
/// The fields are laid out in memory in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Attacks<T> {
    /// Attacked by pawns.
    pub pawn: T,
    /// Attacked by knights.
    pub knight: T,
    /// Attacked by bishops.
    pub bishop: T,
    /// Attacked by rooks.
    pub rook: T,
    /// Attacked by queens.
    pub queen: T,
    /// Attacked by kings.
    pub king: T,
    /// Attacked by any piece.
    pub all: T,
    /// Attacked by at least two pieces.
    pub twice: T,
}

impl<T> Attacks<T> {
    /// The maps as an array, in the order of the fields.
    #[inline(always)]
    #[must_use]
    pub fn into_array(self) -> [T; 8] {
        let Self { pawn, knight, bishop, rook, queen, king, all, twice } = self;
        [pawn, knight, bishop, rook, queen, king, all, twice]
    }
}

/// The squares that are hit, and those that are hit more than once.
#[derive(Clone, Copy)]
struct Hits<B> {
    once: B,
    twice: B,
}

impl<B: Boards> Hits<B> {
    /// Two sets that each hit their squares once.
    #[inline(always)]
    fn of_two(a: B, b: B) -> Self {
        Self { once: a | b, twice: a & b }
    }

    /// Three sets that each hit their squares once.
    #[inline(always)]
    fn of_three(a: B, b: B, c: B) -> Self {
        Self { once: a | b | c, twice: B::majority(a, b, c) }
    }

    /// Adds up three groups of hits.
    #[inline(always)]
    fn join(a: Self, b: Self, c: Self) -> Self {
        let sum = Self::of_three(a.once, b.once, c.once);
        Self { once: sum.once, twice: (a.twice | b.twice | c.twice) | sum.twice }
    }
}

called! {
/// Computes the attack maps of one side, with 16 rays and about 110 operations for leapers and `twice`.
///
/// ```
/// use setwise::{Colour, Pieces, eval};
/// let white = eval::attacks_by(&Pieces::START, Colour::White);
/// assert_eq!(white.pawn, 0x0000_0000_00ff_0000);
/// ```
#[must_use]
pub fn attacks_by<'a, B: Boards>(position: &'a Pieces<B>, colour: Colour) -> Attacks<B> {
    let (bishops, rooks, queens) = (
        position.of(colour, Role::Bishop),
        position.of(colour, Role::Rook),
        position.of(colour, Role::Queen),
    );
    let sliders = B::attacks_of_roles(bishops, rooks, queens, position.occupied());
    with_sliders(position, colour, sliders)
}
}

/// The attack maps of one side, given the attacks of its sliders.
#[inline(always)]
pub(crate) fn with_sliders<B: Boards>(
    position: &Pieces<B>,
    colour: Colour,
    sliders: SliderAttacks<B>,
) -> Attacks<B> {
    let own = position.colour(colour);
    let pawns = own & position.pawns;
    let pawn = match colour {
        Colour::White => Hits::of_two(pawns.north_west(), pawns.north_east()),
        Colour::Black => Hits::of_two(pawns.south_west(), pawns.south_east()),
    };

    // A square hit by two steps along a rank is still hit twice after both are shifted to another rank.
    let knights = own & position.knights;
    let (east, west) = (knights.east(), knights.west());
    let far = Hits::of_two(east, west);
    let near = Hits::of_two(east.east(), west.west());
    let knight =
        Hits::of_three(far.once.north().north(), far.once.south().south(), near.once.north());
    let last = near.once.south();
    let knight = Hits {
        once: knight.once | last,
        twice: (knight.twice | (knight.once & last))
            | (far.twice.north().north() | far.twice.south().south())
            | (near.twice.north() | near.twice.south()),
    };

    let kings = own & position.kings;
    let sides = Hits::of_two(kings.east(), kings.west());
    let row = Hits { once: sides.once | kings, twice: sides.twice | (sides.once & kings) };
    let king = Hits::of_three(sides.once, row.once.north(), row.once.south());
    let king = Hits {
        once: king.once,
        twice: (king.twice | sides.twice) | (row.twice.north() | row.twice.south()),
    };

    let leapers = Hits::join(pawn, knight, king);
    Attacks {
        pawn: pawn.once,
        knight: knight.once,
        bishop: sliders.bishop,
        rook: sliders.rook,
        queen: sliders.queen,
        king: king.once,
        all: leapers.once | sliders.once,
        twice: (leapers.twice | sliders.twice) | (leapers.once & sliders.once),
    }
}

/// The squares attacked by any piece of a side: 8 rays, in one sweep.
#[inline(always)]
#[must_use]
pub fn attacked<B: Boards>(position: &Pieces<B>, colour: Colour) -> B {
    attacked_among(position, colour, position.occupied())
}

called! {
    /// [`Boards::slider_attacks`] as a function call.
    pub(crate) fn slider_attacks<'a, B: Boards>(
        orthogonal: &'a B,
        diagonal: &'a B,
        occupied: &'a B,
    ) -> B {
        B::slider_attacks(*orthogonal, *diagonal, *occupied)
    }

    /// The squares attacked by any piece of a side, given the blockers.
    pub(super) fn attacked_among<'a, B: Boards>(
        position: &'a Pieces<B>,
        colour: Colour,
        occupied: B,
    ) -> B {
        let (orthogonal, diagonal) = (position.orthogonal(colour), position.diagonal(colour));
        slider_attacks(&orthogonal, &diagonal, &occupied)
            | leaper::pawns(colour, position.of(colour, Role::Pawn))
            | leaper::knights(position.of(colour, Role::Knight))
            | leaper::kings(position.of(colour, Role::King))
    }
}
