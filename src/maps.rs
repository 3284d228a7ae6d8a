//! What an evaluation asks of a position: attack maps, and the one table of all columns with their names
//! and meanings.

use core::fmt;
use core::str::FromStr;

use crate::boards::{Boards, SliderMaps};
use crate::eval;
use crate::leaper;
use crate::pieces::{Colour, Position, Role};

/// One side's attack maps.
///
/// A square is attacked if a man of the side could capture there were it the enemy's: own men's squares
/// are included (they are defended), pins are ignored, pawns attack diagonally ahead whether or not
/// something stands there, en passant and castling attack nothing. All men block.
///
/// The fields lie in memory in the order in which they stand here.
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
    with_sliders(position, colour, sliders)
}

/// The attack maps of one side, given those of its sliders.
#[inline(always)]
pub(crate) fn with_sliders<B: Boards>(
    position: &Position<B>,
    colour: Colour,
    sliders: SliderMaps<B>,
) -> Attacks<B> {
    let men = |role| position.of(colour, role);
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
    /// Whether any of these kinds (bits by [`Kind`]) is asked for, of one side.
    fn wants(&self, colour: Colour, kinds: u32) -> bool;

    /// Takes a map, if it is asked for.
    fn put(&mut self, colour: Colour, kind: Kind, map: B);
}

/// Gives a sink the attack maps of both sides that it wants, and computes what they need.
#[inline(always)]
pub(crate) fn fill_attacks<B: Boards>(position: &Position<B>, sink: &mut impl Sink<B>) {
    let mut side = 0;
    while side < 2 {
        fill_side(position, Colour::ALL[side], sink);
        side += 1;
    }
}

/// One side's attack maps.
#[inline(always)]
fn fill_side<B: Boards>(position: &Position<B>, colour: Colour, sink: &mut impl Sink<B>) {
    const EACH: u32 = Kind::Bishop.bit() | Kind::Rook.bit() | Kind::Queen.bit();
    const LEAPERS: u32 = Kind::Pawn.bit() | Kind::Knight.bit() | Kind::King.bit();
    const BOTH: u32 = Kind::All.bit() | Kind::Twice.bit();
    if sink.wants(colour, EACH | Kind::Twice.bit()) {
        let attacks = attacks(position, colour);
        sink.put(colour, Kind::Pawn, attacks.pawn);
        sink.put(colour, Kind::Knight, attacks.knight);
        sink.put(colour, Kind::Bishop, attacks.bishop);
        sink.put(colour, Kind::Rook, attacks.rook);
        sink.put(colour, Kind::Queen, attacks.queen);
        sink.put(colour, Kind::King, attacks.king);
        sink.put(colour, Kind::All, attacks.all);
        sink.put(colour, Kind::Twice, attacks.twice);
    } else if sink.wants(colour, LEAPERS | BOTH) {
        let pawn = leaper::pawns(colour, position.of(colour, Role::Pawn));
        let knight = leaper::knights(position.of(colour, Role::Knight));
        let king = leaper::kings(position.of(colour, Role::King));
        sink.put(colour, Kind::Pawn, pawn);
        sink.put(colour, Kind::Knight, knight);
        sink.put(colour, Kind::King, king);
        if sink.wants(colour, Kind::All.bit()) {
            let men = position.colour(colour);
            let orthogonal = men & (position.rooks | position.queens);
            let diagonal = men & (position.bishops | position.queens);
            let slider = B::slider_attacks(position.occupied(), orthogonal, diagonal);
            sink.put(colour, Kind::All, (pawn | knight) | (king | slider));
        }
    }
}

/// Gives a sink what it wants of both sides' maps that look at values, and computes what they need.
#[inline(always)]
fn fill_values<B: Boards>(position: &Position<B>, sink: &mut impl Sink<B>) {
    const OWN: u32 = Kind::ByMinor.bit() | Kind::ByRook.bit() | Kind::Hanging.bit();
    const ENEMY: u32 = Kind::Hanging.bit() | Kind::Lesser.bit();
    let empty = B::empty();
    let empty = eval::Cumulative { by_pawn: empty, by_minor: empty, by_rook: empty, all: empty };
    let mut sides = [empty; 2];
    let mut side = 0;
    while side < 2 {
        let colour = Colour::ALL[side];
        if sink.wants(colour, OWN) || sink.wants(colour.opponent(), ENEMY) {
            sides[side] = eval::cumulative(position, colour);
            sink.put(colour, Kind::ByMinor, sides[side].by_minor);
            sink.put(colour, Kind::ByRook, sides[side].by_rook);
        }
        side += 1;
    }
    let mut side = 0;
    while side < 2 {
        let (colour, own, enemy) = (Colour::ALL[side], &sides[side], &sides[1 - side]);
        if sink.wants(colour, ENEMY) {
            sink.put(colour, Kind::Hanging, eval::hanging(position, colour, own, enemy));
            sink.put(colour, Kind::Lesser, eval::attacked_by_lesser(position, colour, enemy));
        }
        side += 1;
    }
}

/// Gives a sink what it wants of the maps that are made of one side's rays, and computes what they need.
#[inline(always)]
fn fill_rays<B: Boards>(position: &Position<B>, colour: Colour, sink: &mut impl Sink<B>) {
    let enemy = colour.opponent();
    let counts = sink.wants(colour, COUNTS);
    let x_rays = sink.wants(colour, Kind::XRay.bit());
    let king_threats = sink.wants(enemy, KING_THREATS);
    if counts || x_rays || king_threats {
        let rays = eval::rays(position, colour);
        if counts {
            let [ones, twos, fours, eights, sixteens] = eval::attackers(position, colour, &rays);
            sink.put(colour, Kind::Count0, ones);
            sink.put(colour, Kind::Count1, twos);
            sink.put(colour, Kind::Count2, fours);
            sink.put(colour, Kind::Count3, eights);
            sink.put(colour, Kind::Count4, sixteens);
        }
        if x_rays {
            sink.put(colour, Kind::XRay, eval::x_rays(position, &rays));
        }
        if king_threats {
            let threats = eval::king_threats(position, enemy, &rays);
            sink.put(enemy, Kind::Checkers, threats.checkers);
            sink.put(enemy, Kind::Pinned, threats.pinned);
            sink.put(enemy, Kind::Pinners, threats.pinners);
        }
    }
    if sink.wants(colour, Kind::KingDanger.bit()) {
        sink.put(colour, Kind::KingDanger, eval::king_danger(position, colour));
    }
}

/// The bit planes of the number of attackers.
const COUNTS: u32 = Kind::Count0.bit()
    | Kind::Count1.bit()
    | Kind::Count2.bit()
    | Kind::Count3.bit()
    | Kind::Count4.bit();

/// What the enemy's sliders do to the king.
const KING_THREATS: u32 = Kind::Checkers.bit() | Kind::Pinned.bit() | Kind::Pinners.bit();

/// All kinds but the attack maps.
const BEYOND_ATTACKS: u32 = !(Kind::Count0.bit() - 1);

/// Gives a sink the maps that it wants, and computes what they need.
#[inline(always)]
pub(crate) fn fill<B: Boards>(position: &Position<B>, sink: &mut impl Sink<B>) {
    fill_attacks(position, sink);
    if sink.wants(Colour::White, BEYOND_ATTACKS) || sink.wants(Colour::Black, BEYOND_ATTACKS) {
        fill_values(position, sink);
        let mut side = 0;
        while side < 2 {
            fill_rays(position, Colour::ALL[side], sink);
            side += 1;
        }
    }
}

/// Where the numbers that were asked for go.
pub(crate) trait NumberSink<B: Boards> {
    /// Whether a number is asked for.
    fn wants(&self, count: Count) -> bool;

    /// Takes a number, if it is asked for.
    fn put(&mut self, count: Count, numbers: B::Numbers);
}

/// Gives a sink the numbers that it wants, and computes what they need.
#[inline(always)]
pub(crate) fn fill_counts<B: Boards>(position: &Position<B>, sink: &mut impl NumberSink<B>) {
    let mut side = 0;
    while side < 2 {
        let colour = Colour::ALL[side];
        let enemy = colour.opponent();
        let free = !position.colour(colour);
        let safe = free.without(leaper::pawns(enemy, position.of(enemy, Role::Pawn)));
        let ring = leaper::kings(position.of(enemy, Role::King));
        macro_rules! roles {
            ($($role:ident)*) => {
                $(
                    let mobility = Count { colour, measure: Measure::Mobility, role: Role::$role };
                    let on_safe = Count { measure: Measure::SafeMobility, ..mobility };
                    let on_ring = Count { colour: enemy, measure: Measure::KingRing, ..mobility };
                    if sink.wants(mobility) || sink.wants(on_safe) || sink.wants(on_ring) {
                        let planes = eval::attackers_of(position, colour, Role::$role);
                        if sink.wants(mobility) {
                            sink.put(mobility, eval::count_on(&planes, free));
                        }
                        if sink.wants(on_safe) {
                            sink.put(on_safe, eval::count_on(&planes, safe));
                        }
                        if sink.wants(on_ring) {
                            sink.put(on_ring, eval::count_on(&planes, ring));
                        }
                    }
                )*
            };
        }
        roles!(Pawn Knight Bishop Rook Queen King);
        side += 1;
    }
}

/// What a column of bitboards says, for a side that [`Map`] names.
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
    /// Bit 0 of the number of attackers; exact with the four that follow.
    Count0,
    /// Bit 1 of the number of attackers.
    Count1,
    /// Bit 2 of the number of attackers.
    Count2,
    /// Bit 3 of the number of attackers.
    Count3,
    /// Bit 4 of the number of attackers.
    Count4,
    /// Attacked by a pawn or a minor man. (The sets of engines that grow with the men's value are
    /// [`Pawn`](Self::Pawn), this, [`ByRook`](Self::ByRook) and [`All`](Self::All).)
    ByMinor,
    /// Attacked by a pawn, a minor man or a rook.
    ByRook,
    /// Own men that the enemy attacks and nothing defends.
    Hanging,
    /// Own minor men, rooks and queens that an enemy man of lesser value attacks.
    Lesser,
    /// Squares that own sliders see through exactly one man; see [`eval::x_rays`].
    XRay,
    /// Squares that the enemy attacks when the own king is off the board.
    KingDanger,
    /// Own men pinned to their king; see [`eval::king_threats`] for several kings or none.
    Pinned,
    /// Enemy men that give check to the own king.
    Checkers,
    /// Enemy sliders that pin an own man.
    Pinners,
}

impl Kind {
    /// All kinds, in order: the eight attack maps, then the others.
    pub const ALL: [Self; 22] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
        Self::All,
        Self::Twice,
        Self::Count0,
        Self::Count1,
        Self::Count2,
        Self::Count3,
        Self::Count4,
        Self::ByMinor,
        Self::ByRook,
        Self::Hanging,
        Self::Lesser,
        Self::XRay,
        Self::KingDanger,
        Self::Pinned,
        Self::Checkers,
        Self::Pinners,
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
    /// Every map there is, in the order in which programs show them: white's, then black's.
    pub const ALL: &'static [Self] = &Self::table::<{ 2 * Kind::ALL.len() }>();

    /// The sixteen attack maps: for white, then for black, by pawns, knights, bishops, rooks, queens,
    /// kings, anything, and at least two men.
    pub const DEFAULT: &'static [Self] = &Self::table::<16>();

    /// The first kinds of both sides, as many as fill the table.
    const fn table<const ROWS: usize>() -> [Self; ROWS] {
        let mut table = [Self { colour: Colour::White, kind: Kind::Pawn }; ROWS];
        let mut i = 0;
        while i < ROWS {
            table[i].colour = Colour::ALL[2 * i / ROWS];
            table[i].kind = Kind::ALL[i % (ROWS / 2)];
            i += 1;
        }
        table
    }

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
            Count0: "count_0", "bit 0 of the number of " " men that attack each square";
            Count1: "count_1", "bit 1 of the number of " " men that attack each square";
            Count2: "count_2", "bit 2 of the number of " " men that attack each square";
            Count3: "count_3", "bit 3 of the number of " " men that attack each square";
            Count4: "count_4", "bit 4 of the number of " " men that attack each square";
            ByMinor: "by_minor", "squares attacked by " " pawns, knights or bishops";
            ByRook: "by_rook", "squares attacked by " " pawns, knights, bishops or rooks";
            Hanging: "hanging", "" " men that are attacked and not defended";
            Lesser: "lesser", "" " men that an enemy man of lesser value attacks";
            XRay: "xray", "squares that " " sliders see through exactly one man";
            KingDanger: "king_danger", "squares the enemy attacks with the " " king off the board";
            Pinned: "pinned", "" " men that are pinned to their king";
            Checkers: "checkers", "men that give check to the " " king";
            Pinners: "pinners", "sliders that pin a man to the " " king";
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

/// What a column of small integers counts, of the men of one role.
///
/// All three add up attacks: a square that two knights attack counts twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// Attacks on squares that no man of the same side occupies.
    Mobility,
    /// The same, without the squares that an enemy pawn attacks.
    SafeMobility,
    /// Attacks by the enemy's men on the squares around the king, not counting the king's own. (Of
    /// several kings, on the squares around any of them.)
    KingRing,
}

impl Measure {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Mobility, Self::SafeMobility, Self::KingRing];
}

/// A column of small integers (`u16`) that the bulk calls can fill: a measure, for one side and role.
///
/// ```
/// use setwise::maps::{Count, Measure};
/// use setwise::{Colour, Role};
/// let count: Count = "white_ring_knight".parse()?;
/// assert_eq!(count.to_string(), "white_ring_knight");
/// assert_eq!(count.meaning(), "attacks by black knights on the squares around the white king");
/// let (colour, measure, role) = (Colour::White, Measure::KingRing, Role::Knight);
/// assert_eq!(count, Count { colour, measure, role });
/// # Ok::<(), setwise::maps::UnknownCount>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count {
    /// Whose mobility, or whose king.
    pub colour: Colour,
    /// What is counted.
    pub measure: Measure,
    /// The men whose attacks are counted; at [`Measure::KingRing`] they are the enemy's.
    pub role: Role,
}

impl Count {
    /// Every count there is, in the order in which programs show them: white's, then black's.
    pub const ALL: &'static [Self] = &{
        let first = Self { colour: Colour::White, measure: Measure::Mobility, role: Role::Pawn };
        let mut table = [first; 36];
        let mut i = 0;
        while i < table.len() {
            table[i].colour = Colour::ALL[i / 18];
            table[i].measure = Measure::ALL[i / 6 % 3];
            table[i].role = Role::ALL[i % 6];
            i += 1;
        }
        table
    };

    /// Where it stands in [`ALL`](Self::ALL).
    pub(crate) const fn index(self) -> usize {
        18 * self.colour as usize + 6 * self.measure as usize + self.role as usize
    }

    /// Name and meaning.
    const fn words(self) -> (&'static str, &'static str) {
        macro_rules! words {
            ($($role:ident $one:literal $many:literal,)*) => {
                match (self.role, self.measure, self.colour) {
                    $(
                        (Role::$role, Measure::Mobility, Colour::White) => (
                            concat!("white_mobility_", $one),
                            concat!("attacks by white ", $many, " on squares without a white man"),
                        ),
                        (Role::$role, Measure::Mobility, Colour::Black) => (
                            concat!("black_mobility_", $one),
                            concat!("attacks by black ", $many, " on squares without a black man"),
                        ),
                        (Role::$role, Measure::SafeMobility, Colour::White) => (
                            concat!("white_safe_mobility_", $one),
                            concat!(
"attacks by white ", $many,
" on squares without a white man or an attack by a black pawn"),
                        ),
                        (Role::$role, Measure::SafeMobility, Colour::Black) => (
                            concat!("black_safe_mobility_", $one),
                            concat!(
"attacks by black ", $many,
" on squares without a black man or an attack by a white pawn"),
                        ),
                        (Role::$role, Measure::KingRing, Colour::White) => (
                            concat!("white_ring_", $one),
                            concat!("attacks by black ", $many, " on the squares around the white king"),
                        ),
                        (Role::$role, Measure::KingRing, Colour::Black) => (
                            concat!("black_ring_", $one),
                            concat!("attacks by white ", $many, " on the squares around the black king"),
                        ),
                    )*
                }
            };
        }
        words! {
            Pawn "pawn" "pawns",
            Knight "knight" "knights",
            Bishop "bishop" "bishops",
            Rook "rook" "rooks",
            Queen "queen" "queens",
            King "king" "kings",
        }
    }

    /// The column's name, as in `white_mobility_knight`.
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

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no [`Count`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCount;

impl fmt::Display for UnknownCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no count has this name")
    }
}

impl core::error::Error for UnknownCount {}

impl FromStr for Count {
    type Err = UnknownCount;

    fn from_str(name: &str) -> Result<Self, UnknownCount> {
        Self::ALL.iter().copied().find(|count| count.name() == name).ok_or(UnknownCount)
    }
}

/// A column about the side to move: white's map or black's, row by row.
///
/// Positions hold men only, so whoever knows the turn chooses: fill white's column and black's (see
/// [`of`](Self::of)), and [`choose`](Self::choose) between them.
///
/// ```
/// use setwise::maps::ToMove;
/// use setwise::{Colour, Fen, Kernel};
/// let fen = Fen::parse("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")?;
/// let (mut checkers, mut of_black) = ([0], [0]);
/// Kernel::detect().attack_maps(
///     &[fen.pieces][..],
///     &mut [
///         (ToMove::Checkers.of(Colour::White), &mut checkers[..]),
///         (ToMove::Checkers.of(Colour::Black), &mut of_black[..]),
///     ],
/// );
/// ToMove::choose(&[Colour::White], &mut checkers, &of_black);
/// assert_eq!(checkers, [1 << 12]);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToMove {
    /// Men that give check to the side to move.
    Checkers,
    /// Men of the side to move that are pinned to their king.
    Pinned,
}

impl ToMove {
    /// Both of them, in order.
    pub const ALL: [Self; 2] = [Self::Checkers, Self::Pinned];

    /// The map that it is where a colour is to move.
    #[must_use]
    pub const fn of(self, colour: Colour) -> Map {
        let kind = match self {
            Self::Checkers => Kind::Checkers,
            Self::Pinned => Kind::Pinned,
        };
        Map { colour, kind }
    }

    /// Puts black's row over white's wherever black is to move.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn choose(turns: &[Colour], white: &mut [u64], black: &[u64]) {
        assert!(turns.len() == white.len() && turns.len() == black.len(), "as many rows in each");
        for ((turn, white), black) in turns.iter().zip(white).zip(black) {
            if *turn == Colour::Black {
                *white = *black;
            }
        }
    }

    /// The column's name, as in `checkers`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkers => "checkers",
            Self::Pinned => "pinned",
        }
    }

    /// What the column says, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Checkers => "men that give check to the side to move",
            Self::Pinned => "men of the side to move that are pinned to their king",
        }
    }
}

/// The type of a column's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellType {
    /// `u64`: a bitboard.
    UInt64,
    /// `u16`: a small integer.
    UInt16,
}

/// Any column that can be filled: the one table of names, meanings and types.
///
/// ```
/// use setwise::maps::{CellType, Column};
/// let column: Column = "black_mobility_queen".parse()?;
/// assert_eq!(column.cell_type(), CellType::UInt16);
/// for column in Column::all() {
///     println!("{:<28} {:?}  {}", column.name(), column.cell_type(), column.meaning());
/// }
/// # Ok::<(), setwise::maps::UnknownColumn>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Filled by [`Kernel::attack_maps`](crate::Kernel::attack_maps).
    Map(Map),
    /// Chosen between two maps by [`ToMove::choose`].
    ToMove(ToMove),
    /// Filled by [`Kernel::attack_counts`](crate::Kernel::attack_counts).
    Count(Count),
}

impl Column {
    /// Every column there is, in the order in which programs show them.
    pub fn all() -> impl Iterator<Item = Self> {
        let maps = Map::ALL.iter().copied().map(Self::Map);
        let to_move = ToMove::ALL.into_iter().map(Self::ToMove);
        maps.chain(to_move).chain(Count::ALL.iter().copied().map(Self::Count))
    }

    /// The column's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Map(map) => map.name(),
            Self::ToMove(to_move) => to_move.name(),
            Self::Count(count) => count.name(),
        }
    }

    /// What the column says, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Map(map) => map.meaning(),
            Self::ToMove(to_move) => to_move.meaning(),
            Self::Count(count) => count.meaning(),
        }
    }

    /// What its rows hold.
    #[must_use]
    pub const fn cell_type(self) -> CellType {
        match self {
            Self::Map(_) | Self::ToMove(_) => CellType::UInt64,
            Self::Count(_) => CellType::UInt16,
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no [`Column`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownColumn;

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no column has this name")
    }
}

impl core::error::Error for UnknownColumn {}

impl FromStr for Column {
    type Err = UnknownColumn;

    fn from_str(name: &str) -> Result<Self, UnknownColumn> {
        Self::all().find(|column| column.name() == name).ok_or(UnknownColumn)
    }
}
