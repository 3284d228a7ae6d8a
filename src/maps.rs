//! What an evaluation asks of a position: attack maps, generic over [`Boards`].

use core::fmt;
use core::str::FromStr;

use crate::boards::Boards;
use crate::leaper;
use crate::position::{Colour, Position, Role};

/// One side's attack maps.
///
/// A square is attacked if a man of the side could capture there were it the enemy's: own men's squares
/// are included (they are defended), pins are ignored, pawns attack diagonally ahead whether or not
/// something stands there, en passant and castling attack nothing. All men block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Attacked by anything.
    pub all: T,
    /// Attacked by at least two men.
    pub twice: T,
}

/// Squares that were hit, and squares that were hit more than once.
#[derive(Clone, Copy)]
struct Hits<B> {
    once: B,
    twice: B,
}

impl<B: Boards> Hits<B> {
    /// Two sets whose squares are hit once each.
    #[inline(always)]
    fn of_two(a: B, b: B) -> Self {
        Self { once: a | b, twice: a & b }
    }

    /// Three sets whose squares are hit once each.
    #[inline(always)]
    fn of_three(a: B, b: B, c: B) -> Self {
        Self { once: a | b | c, twice: B::majority(a, b, c) }
    }

    /// All hits of three together.
    #[inline(always)]
    fn join(a: Self, b: Self, c: Self) -> Self {
        let sum = Self::of_three(a.once, b.once, c.once);
        Self { once: sum.once, twice: (a.twice | b.twice | c.twice) | sum.twice }
    }
}

/// The attack maps of one side.
#[inline(always)]
#[must_use]
pub fn attacks<B: Boards>(position: &Position<B>, colour: Colour) -> Attacks<B> {
    let men = |role| position.of(colour, role);
    let sliders =
        B::slider_maps(position.occupied(), men(Role::Bishop), men(Role::Rook), men(Role::Queen));

    let pawns = men(Role::Pawn);
    let pawn = match colour {
        Colour::White => Hits::of_two(pawns.north_west(), pawns.north_east()),
        Colour::Black => Hits::of_two(pawns.south_west(), pawns.south_east()),
    };

    // What two knights of one rank, or a knight's two sides, hit together stays so when the rank moves.
    let knights = men(Role::Knight);
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

    let kings = men(Role::King);
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

/// Where the maps that were asked for go.
pub(crate) trait Sink<B> {
    /// Whether any of these kinds (bits by [`Kind`]) is asked for.
    fn wants(&self, kinds: u32) -> bool;

    /// Takes a map, if it is asked for.
    fn put(&mut self, kind: Kind, map: B);
}

/// Gives a sink the maps of one side that it wants, and computes no others.
#[inline(always)]
pub(crate) fn fill<B: Boards>(position: &Position<B>, colour: Colour, sink: &mut impl Sink<B>) {
    const EACH: u32 = Kind::Bishop.bit() | Kind::Rook.bit() | Kind::Queen.bit();
    const LEAPERS: u32 = Kind::Pawn.bit() | Kind::Knight.bit() | Kind::King.bit();
    const BOTH: u32 = Kind::All.bit() | Kind::Twice.bit();
    if sink.wants(EACH | Kind::Twice.bit()) {
        let attacks = attacks(position, colour);
        sink.put(Kind::Pawn, attacks.pawn);
        sink.put(Kind::Knight, attacks.knight);
        sink.put(Kind::Bishop, attacks.bishop);
        sink.put(Kind::Rook, attacks.rook);
        sink.put(Kind::Queen, attacks.queen);
        sink.put(Kind::King, attacks.king);
        sink.put(Kind::All, attacks.all);
        sink.put(Kind::Twice, attacks.twice);
    } else if sink.wants(LEAPERS | BOTH) {
        let pawn = leaper::pawns(colour, position.of(colour, Role::Pawn));
        let knight = leaper::knights(position.of(colour, Role::Knight));
        let king = leaper::kings(position.of(colour, Role::King));
        sink.put(Kind::Pawn, pawn);
        sink.put(Kind::Knight, knight);
        sink.put(Kind::King, king);
        if sink.wants(Kind::All.bit()) {
            let men = position.colour(colour);
            let orthogonal = men & (position.rooks | position.queens);
            let diagonal = men & (position.bishops | position.queens);
            let slider = B::slider_attacks(position.occupied(), orthogonal, diagonal);
            sink.put(Kind::All, (pawn | knight) | (king | slider));
        }
    }
}

/// What a column of attack maps says, for a side that [`Map`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Attacked by pawns.
    Pawn,
    /// Attacked by knights.
    Knight,
    /// Attacked by bishops.
    Bishop,
    /// Attacked by rooks.
    Rook,
    /// Attacked by queens.
    Queen,
    /// Attacked by kings.
    King,
    /// Attacked by anything.
    All,
    /// Attacked by at least two men.
    Twice,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 8] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::All,
        Self::Twice,
    ];

    /// The kind's bit in a set of kinds.
    pub(crate) const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A column of bitboards that the bulk calls can fill: a kind of map, for one side.
///
/// ```
/// use setwise::Map;
/// let map: Map = "white_twice".parse()?;
/// assert_eq!(map.to_string(), "white_twice");
/// assert_eq!(map.meaning(), "squares attacked by at least two white men");
/// # Ok::<(), setwise::maps::UnknownMap>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Map {
    /// Whose map.
    pub colour: Colour,
    /// Which map.
    pub kind: Kind,
}

impl Map {
    /// Every map there is, in the order in which programs show them.
    pub const ALL: &'static [Self] = &{
        let mut table = [Self { colour: Colour::White, kind: Kind::Pawn }; 2 * Kind::ALL.len()];
        let mut i = 0;
        while i < table.len() {
            table[i].colour = Colour::ALL[i / Kind::ALL.len()];
            table[i].kind = Kind::ALL[i % Kind::ALL.len()];
            i += 1;
        }
        table
    };

    /// The sixteen attack maps: for white, then for black, by pawns, knights, bishops, rooks, queens,
    /// kings, anything, and at least two men.
    pub const DEFAULT: &'static [Self] = Self::ALL;

    /// Name and meaning, white's and black's.
    const fn words(self) -> (&'static str, &'static str) {
        macro_rules! words {
            ($($kind:ident: $name:literal, $before:literal $after:literal;)*) => {
                match (self.colour, self.kind) {
                    $(
                        (Colour::White, Kind::$kind) =>
                            (concat!("white_", $name), concat!($before, "white", $after)),
                        (Colour::Black, Kind::$kind) =>
                            (concat!("black_", $name), concat!($before, "black", $after)),
                    )*
                }
            };
        }
        words! {
            Pawn: "pawn", "squares attacked by " " pawns";
            Knight: "knight", "squares attacked by " " knights";
            Bishop: "bishop", "squares attacked by " " bishops";
            Rook: "rook", "squares attacked by " " rooks";
            Queen: "queen", "squares attacked by " " queens";
            King: "king", "squares attacked by the " " king";
            All: "all", "squares attacked by any " " man";
            Twice: "twice", "squares attacked by at least two " " men";
        }
    }

    /// The column's name, as in `white_pawn`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What the column says, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.words().1
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no [`Map`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMap;

impl fmt::Display for UnknownMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no map has this name")
    }
}

impl core::error::Error for UnknownMap {}

impl FromStr for Map {
    type Err = UnknownMap;

    fn from_str(name: &str) -> Result<Self, UnknownMap> {
        Self::ALL.iter().copied().find(|map| map.name() == name).ok_or(UnknownMap)
    }
}
