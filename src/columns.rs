//! The one table of columns: name, type, meaning, and what fills each.
//!
//! A new column is a row of the table, the function in `eval.rs` that computes it, and an arm in the tests'
//! oracle.

use core::fmt;
use core::str::FromStr;

use crate::boards::block::Block;
use crate::eval::{self, Cumulative};
use crate::leaper;
use crate::names::{self, ShortName};
use crate::pieces::{ByColour, Colour, Pieces, Role};

/// Hands the table to a macro.
///
/// Bitboards come first. Those that are computed together are a group: `whose group = expression`. The expression
/// is evaluated once for a block of positions and a side, if any column of the group is asked for, and each
/// row says which part of its value the column is. Besides the position and the side, an expression may use
/// what its section names: all pieces and the side's own, its rays, or both sides' cumulative attacks. *Own* columns belong to that
/// side, *enemy* columns to the other. `few` marks columns with few distinct values.
///
/// Numbers come once for each role: the attacks of that role's pieces on a set of squares.
macro_rules! table {
    ($then:ident) => {
        $then! {
            attacks(position, occupied, pieces, side) {
                own attacks = eval::attacks_of(position, occupied, pieces, side) => {
                    /// Attacked by pawns.
                    Pawn "pawn" pawn, ("squares attacked by " own " pawns");
                    /// Attacked by knights.
                    Knight "knight" knight few, ("squares attacked by " own " knights");
                    /// Attacked by bishops.
                    Bishop "bishop" bishop few, ("squares attacked by " own " bishops");
                    /// Attacked by rooks.
                    Rook "rook" rook few, ("squares attacked by " own " rooks");
                    /// Attacked by queens.
                    Queen "queen" queen few, ("squares attacked by " own " queens");
                    /// Attacked by kings.
                    King "king" king few, ("squares attacked by the " own " king");
                    /// Attacked by anything.
                    All "all" all, ("squares attacked by any " own " piece");
                    /// Attacked by at least two pieces.
                    Twice "twice" twice, ("squares attacked by at least two " own " pieces");
                }
            }
            rays(position, side, rays) {
                own counts = <(_, _, _, _, _)>::from(eval::attacker_counts(position, rays).planes()) => {
                    /// Bit 0 of the number of attackers; exact with the four that follow.
                    CountBit0 "count_0" 0,
                        ("bit 0 of the number of " own " pieces that attack each square");
                    /// Bit 1 of the number of attackers.
                    CountBit1 "count_1" 1,
                        ("bit 1 of the number of " own " pieces that attack each square");
                    /// Bit 2 of the number of attackers.
                    CountBit2 "count_2" 2,
                        ("bit 2 of the number of " own " pieces that attack each square");
                    /// Bit 3 of the number of attackers.
                    CountBit3 "count_3" 3 few,
                        ("bit 3 of the number of " own " pieces that attack each square");
                    /// Bit 4 of the number of attackers.
                    CountBit4 "count_4" 4 few,
                        ("bit 4 of the number of " own " pieces that attack each square");
                }
                own x_rays = (eval::x_rays(position, rays),) => {
                    /// Squares that own sliders attack through exactly one piece: [`eval::x_rays`].
                    XRay "xray" 0,
                        ("squares that " own " sliders attack through exactly one piece");
                }
                enemy king_threats = eval::king_threats(position, rays) => {
                    /// Own pieces pinned to their king: with several kings, a king too.
                    Pinned "pinned" pinned few,
                        (own " pieces that are pinned to their king (with several kings, a king too)");
                    /// Enemy pieces that give check to the own king, or to any of several.
                    Checkers "checkers" checkers few,
                        ("pieces that give check to the " own " king");
                    /// Enemy sliders that pin an own piece.
                    Pinners "pinners" pinners few,
                        ("sliders that pin a piece to the " own " king");
                }
            }
            cumulative(position, side, cumulative) {
                own by_value = cumulative[side] => {
                    /// Attacked by a pawn or a minor piece. (The cumulative sets of engines are
                    /// [`Pawn`](Self::Pawn), this, [`ByRook`](Self::ByRook) and [`All`](Self::All).)
                    ByMinor "by_minor" by_minor,
                        ("squares attacked by " own " pawns, knights or bishops");
                    /// Attacked by a pawn, a minor piece or a rook.
                    ByRook "by_rook" by_rook,
                        ("squares attacked by " own " pawns, knights, bishops or rooks");
                }
                own hanging = (eval::hanging(position, side, cumulative),) => {
                    /// Own pieces, kings included, that the enemy attacks and nothing defends.
                    Hanging "hanging" 0 few,
                        (own " pieces (kings too) that are attacked and not defended");
                }
                own lesser = (eval::attacked_by_lesser(position, side, cumulative),) => {
                    /// Own pieces that an enemy piece of lesser value attacks. A knight is worth as much as a
                    /// bishop, and kings neither attack nor are attacked here.
                    AttackedByLesser "lesser" 0 few,
                        (own " pieces that a piece of lesser value attacks (knight = bishop, kings excluded)");
                }
            }
            position(position, side) {
                own king_danger = (eval::king_danger(position, side),) => {
                    /// Squares that the enemy attacks when all own kings are off the board.
                    KingDanger "king_danger" 0,
                        ("squares the enemy attacks with every " own " king off the board");
                }
            }
            numbers(free, safe, ring) {
                /// Attacks by own pieces of a role on squares without an own piece. A square that two knights
                /// attack counts twice, here and in the other numbers.
                own Mobility "mobility" free,
                    ("attacks by " own " " role " on squares without a " own " piece");
                /// The same, without the squares that an enemy pawn attacks.
                own SafeMobility "safe_mobility" safe,
                    ("attacks by " own " " role " on squares without a " own
                    " piece or an attack by a " enemy " pawn");
                /// Attacks by enemy pieces of a role on the squares around the own king, its own square not
                /// included. Of several kings: on the union of their rings.
                enemy KingRing "ring" ring,
                    ("attacks by " enemy " " role " on the squares around the " own
                    " king (of several: the union)");
            }
        }
    };
}

/// A word of a meaning: a side, a role, or what stands there.
macro_rules! word {
    (White $role:tt own) => {
        "white"
    };
    (White $role:tt enemy) => {
        "black"
    };
    (Black $role:tt own) => {
        "black"
    };
    (Black $role:tt enemy) => {
        "white"
    };
    ($colour:ident $role:tt role) => {
        $role
    };
    ($colour:ident $role:tt $text:literal) => {
        $text
    };
}

/// The side that a column belongs to, given the side that its expression is about.
macro_rules! whose {
    (own $side:expr) => {
        $side
    };
    (enemy $side:expr) => {
        $side.opponent()
    };
}

/// Name and meaning of a number, for each role.
macro_rules! words_by_role {
    ($colour:ident $prefix:literal $name:literal $role:ident, $($meaning:tt)*) => {
        match $role {
            Role::Pawn => (
                concat!($prefix, $name, "_pawn"),
                concat!($(word!($colour "pawns" $meaning)),*),
            ),
            Role::Knight => (
                concat!($prefix, $name, "_knight"),
                concat!($(word!($colour "knights" $meaning)),*),
            ),
            Role::Bishop => (
                concat!($prefix, $name, "_bishop"),
                concat!($(word!($colour "bishops" $meaning)),*),
            ),
            Role::Rook => (
                concat!($prefix, $name, "_rook"),
                concat!($(word!($colour "rooks" $meaning)),*),
            ),
            Role::Queen => (
                concat!($prefix, $name, "_queen"),
                concat!($(word!($colour "queens" $meaning)),*),
            ),
            Role::King => (
                concat!($prefix, $name, "_king"),
                concat!($(word!($colour "kings" $meaning)),*),
            ),
        }
    };
}

/// Whether a row says `few`.
macro_rules! few {
    () => {
        false
    };
    (few) => {
        true
    };
}

/// Writes [`Kind`], and what the rows say of each.
macro_rules! kinds {
    (
        attacks $attacks_given:tt { $($attacks:tt)* }
        rays $rays_given:tt { $($by_rays:tt)* }
        cumulative $cumulative_given:tt { $($by_value:tt)* }
        position $position_given:tt { $($by_position:tt)* }
        numbers $numbers_given:tt $numbers:tt
    ) => {
        kinds! {@rows $numbers $($attacks)* $($by_rays)* $($by_value)* $($by_position)* }
    };
    (@rows $numbers:tt $(
        $whose:ident $group:ident = $value:expr => {$(
            $(#[$doc:meta])*
            $kind:ident $name:literal $part:tt $($few:ident)?, ($($meaning:tt)*);
        )*}
    )*) => {
        kinds! {@numbers
            {$($({$(#[$doc])*} $kind $name [$($few)?] [$($meaning)*],)*)*}
            $numbers
        }
    };
    (@numbers
        {$({$(#[$doc:meta])*} $kind:ident $name:literal [$($few:ident)?] [$($meaning:tt)*],)*}
        {$(
            $(#[$numbers_doc:meta])*
            $whose:ident $measure:ident $measure_name:literal $squares:ident, ($($measure_meaning:tt)*);
        )*}
    ) => {
        /// What a column says about a side: a bitboard, or a number for one role. [`Column`] adds the side.
        ///
        /// *Own* and *enemy* are seen from the column's side.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
            $($(#[$numbers_doc])* $measure(Role),)*
        }

        /// The bitboards, numbered.
        #[derive(Clone, Copy)]
        enum Ordinal {
            $($kind,)*
        }

        /// The numbers of one role, numbered.
        #[derive(Clone, Copy)]
        enum Measure {
            $($measure,)*
        }

        const BOARDS: &[Kind] = &[$(Kind::$kind),*];
        const MEASURES: usize = [$(stringify!($measure)),*].len();

        impl Kind {
            /// What the column holds.
            #[must_use]
            pub const fn value_type(self) -> ValueType {
                match self {
                    $(Self::$kind => ValueType::U64,)*
                    $(Self::$measure(_) => ValueType::U16,)*
                }
            }

            /// Where its column is among those of its side: bitboards from 0, numbers from 0.
            const fn index(self) -> usize {
                match self {
                    $(Self::$kind => Ordinal::$kind as usize,)*
                    $(Self::$measure(role) => 6 * Measure::$measure as usize + role as usize,)*
                }
            }

            /// The number at a place.
            const fn number(index: usize) -> Self {
                let role = Role::ALL[index % 6];
                $(
                    if index / 6 == Measure::$measure as usize {
                        return Self::$measure(role);
                    }
                )*
                panic!("no such number")
            }

            /// Whether few values come again and again, so that a dictionary makes a file of them smaller.
            const fn has_few_values(self) -> bool {
                match self {
                    $(Self::$kind => few!($($few)?),)*
                    $(Self::$measure(_) => true,)*
                }
            }

            /// Name and meaning of a side's column.
            const fn words(self, colour: Colour) -> (&'static str, &'static str) {
                match (self, colour) {
                    $(
                        (Self::$kind, Colour::White) =>
                            (concat!("white_", $name), concat!($(word!(White "" $meaning)),*)),
                        (Self::$kind, Colour::Black) =>
                            (concat!("black_", $name), concat!($(word!(Black "" $meaning)),*)),
                    )*
                    $(
                        (Self::$measure(role), Colour::White) =>
                            words_by_role!(White "white_" $measure_name role, $($measure_meaning)*),
                        (Self::$measure(role), Colour::Black) =>
                            words_by_role!(Black "black_" $measure_name role, $($measure_meaning)*),
                    )*
                }
            }
        }
    };
}

table!(kinds);

/// Computes the groups of a section that are asked for, and puts their columns into `$out`.
macro_rules! fill_groups {
    ($side:expr, $out:ident: $(
        $whose:ident $group:ident = $value:expr => {$(
            $(#[$doc:meta])*
            $kind:ident $name:literal $part:tt $($few:ident)?, $meaning:tt;
        )*}
    )*) => {
        $(
            if $out.wants(whose!($whose $side), 0 $(| Kind::$kind.bit())*) {
                let $group = $value;
                $($out.put(whose!($whose $side), Kind::$kind, $group.$part);)*
            }
        )*
    };
}

/// Whether any column of a section is asked for.
macro_rules! wants_groups {
    ($side:expr, $out:ident: $(
        $whose:ident $group:ident = $value:expr => {$(
            $(#[$doc:meta])*
            $kind:ident $name:literal $part:tt $($few:ident)?, $meaning:tt;
        )*}
    )*) => {
        false $(|| $out.wants(whose!($whose $side), 0 $(| Kind::$kind.bit())*))*
    };
}

/// Writes a function for each section, which computes what is asked for and nothing else.
macro_rules! fills {
    (
        attacks($p1:ident, $occupied:ident, $own:ident, $side1:ident) { $($attacks:tt)* }
        rays($p2:ident, $side2:ident, $rays:ident) { $($by_rays:tt)* }
        cumulative($p3:ident, $side3:ident, $cumulative:ident) { $($by_value:tt)* }
        position($p4:ident, $side4:ident) { $($by_position:tt)* }
        numbers($free:ident, $safe:ident, $ring:ident) {$(
            $(#[$doc:meta])*
            $whose:ident $measure:ident $name:literal $squares:ident, $meaning:tt;
        )*}
    ) => {
        #[inline(always)]
        fn fill_all_attacks<B: Block>(
            $p1: &Pieces<B>,
            $occupied: B,
            $own: B,
            $side1: Colour,
            out: &mut AttackSlots<'_, '_>,
        ) {
            fill_groups!($side1, out: $($attacks)*);
        }

        #[inline(always)]
        fn fill_by_rays<B: Block>($p2: &Pieces<B>, $side2: Colour, out: &mut OtherSlots<'_, '_>) {
            if wants_groups!($side2, out: $($by_rays)*) {
                let $rays = &eval::rays($p2, $side2);
                fill_groups!($side2, out: $($by_rays)*);
            }
        }

        #[inline(always)]
        fn fill_by_value<B: Block>(
            $p3: &Pieces<B>,
            $cumulative: &ByColour<Cumulative<B>>,
            out: &mut OtherSlots<'_, '_>,
        ) {
            let mut side = 0;
            while side < 2 {
                let $side3 = Colour::ALL[side];
                fill_groups!($side3, out: $($by_value)*);
                side += 1;
            }
        }

        #[inline(always)]
        fn fill_by_position<B: Block>($p4: &Pieces<B>, $side4: Colour, out: &mut OtherSlots<'_, '_>) {
            fill_groups!($side4, out: $($by_position)*);
        }

        /// Puts a role's numbers: the attacks of `side` on three sets of squares.
        #[inline(always)]
        fn fill_numbers_of_role<B: Block>(
            position: &Pieces<B>,
            side: Colour,
            role: Role,
            [$free, $safe, $ring]: [B; 3],
            out: &mut NumberSlots<'_, '_>,
        ) {
            if false $(|| out.wants(whose!($whose side), Kind::$measure(role)))* {
                let counts = eval::attacker_counts_by_role(position, side, role);
                $(
                    if out.wants(whose!($whose side), Kind::$measure(role)) {
                        out.put::<B>(whose!($whose side), Kind::$measure(role), counts.sum_on($squares));
                    }
                )*
            }
        }
    };
}

table!(fills);

/// The attack maps are the first bitboards: [`Column::DEFAULT`].
const ATTACKS: usize = Kind::Twice.index() + 1;

const OTHERS: usize = BOARDS.len() - ATTACKS;

const NUMBERS: usize = 6 * MEASURES;

impl Kind {
    /// A bitboard's place in a set of them.
    const fn bit(self) -> u32 {
        1 << self.index()
    }
}

/// Columns of one type, white's before black's, where they are asked for.
pub(crate) type Columns<'a, T, const COUNT: usize> = [Option<&'a mut [T]>; COUNT];

/// The attack maps.
pub(crate) type AttackColumns<'a> = Columns<'a, u64, { 2 * ATTACKS }>;

/// The other bitboards.
pub(crate) type OtherColumns<'a> = Columns<'a, u64, { 2 * OTHERS }>;

/// The numbers.
pub(crate) type NumberColumns<'a> = Columns<'a, u16, { 2 * NUMBERS }>;

/// Where the bitboards of a block go: the columns that are asked for, and where the block starts in them. `FIRST` is
/// the kind of the first column. It is made anew for each block, so that what does not change while columns
/// are written can stay in registers.
pub(crate) struct BoardSlots<'a, 'b, const FIRST: usize, const COUNT: usize> {
    wanted: [u32; 2],
    at: usize,
    columns: &'b mut Columns<'a, u64, COUNT>,
}

pub(crate) type AttackSlots<'a, 'b> = BoardSlots<'a, 'b, 0, { 2 * ATTACKS }>;

pub(crate) type OtherSlots<'a, 'b> = BoardSlots<'a, 'b, ATTACKS, { 2 * OTHERS }>;

impl<'a, 'b, const FIRST: usize, const COUNT: usize> BoardSlots<'a, 'b, FIRST, COUNT> {
    /// The kinds that are asked for, of each side: bits by [`Kind::bit`].
    #[inline(always)]
    pub(crate) fn wanted(columns: &Columns<'_, u64, COUNT>) -> [u32; 2] {
        let mut wanted = [0; 2];
        for (i, column) in columns.iter().enumerate() {
            if column.is_some() {
                wanted[i / (COUNT / 2)] |= 1 << (FIRST + i % (COUNT / 2));
            }
        }
        wanted
    }

    #[inline(always)]
    pub(crate) fn new(
        wanted: [u32; 2],
        at: usize,
        columns: &'b mut Columns<'a, u64, COUNT>,
    ) -> Self {
        Self { wanted, at, columns }
    }

    /// Whether any of these kinds is asked for, of one side.
    #[inline(always)]
    fn wants(&self, side: Colour, kinds: u32) -> bool {
        self.wanted[side as usize] & kinds != 0
    }

    /// Puts a block into a column, if it is asked for.
    #[inline(always)]
    fn put<B: Block>(&mut self, side: Colour, kind: Kind, boards: B) {
        let place = side as usize * (COUNT / 2) + kind.index() - FIRST;
        if let Some(column) = &mut self.columns[place] {
            boards.store(&mut column[self.at..self.at + B::COUNT]);
        }
    }
}

/// Where the numbers of a block go.
pub(crate) struct NumberSlots<'a, 'b> {
    at: usize,
    columns: &'b mut NumberColumns<'a>,
}

impl<'a, 'b> NumberSlots<'a, 'b> {
    #[inline(always)]
    pub(crate) fn wanted(_: &NumberColumns<'_>) {}

    #[inline(always)]
    pub(crate) fn new((): (), at: usize, columns: &'b mut NumberColumns<'a>) -> Self {
        Self { at, columns }
    }

    /// Whether a number is asked for, of one side.
    #[inline(always)]
    fn wants(&self, side: Colour, kind: Kind) -> bool {
        self.columns[side as usize * NUMBERS + kind.index()].is_some()
    }

    /// Puts a block of numbers into a column, if it is asked for.
    #[inline(always)]
    fn put<B: Block>(&mut self, side: Colour, kind: Kind, numbers: B::Numbers) {
        if let Some(column) = &mut self.columns[side as usize * NUMBERS + kind.index()] {
            B::store_numbers(numbers, &mut column[self.at..self.at + B::COUNT]);
        }
    }
}

/// The sliders' maps of one role, and `twice`, which bring all others.
const OF_SLIDERS: u32 =
    Kind::Bishop.bit() | Kind::Rook.bit() | Kind::Queen.bit() | Kind::Twice.bit();

/// Fills the attack maps that are asked for, of one block. What a side costs goes by what is asked of it: the
/// leapers' three maps come together; `all` adds one union of sliders; a map of bishops, rooks or queens, or
/// `twice`, brings all.
#[inline(always)]
pub(crate) fn fill_attacks<B: Block>(position: &Pieces<B>, out: &mut AttackSlots<'_, '_>) {
    let occupied = position.occupied();
    // By index from memory: a choice by colour would be a branch that copies eight vectors.
    let sides = [position.white, position.black];
    let mut side = 0;
    while side < 2 {
        let (colour, own) = (Colour::ALL[side], sides[side]);
        if out.wants(colour, OF_SLIDERS) {
            fill_all_attacks(position, occupied, own, colour, out);
        } else {
            fill_side_without_roles(position, colour, out);
        }
        side += 1;
    }
}

/// Whether maps are asked for that need the rays of single roles, of either side.
pub(crate) fn want_roles(wanted: [u32; 2]) -> bool {
    (wanted[0] | wanted[1]) & OF_SLIDERS != 0
}

/// Fills the attack maps that are asked for and need no rays of single roles.
#[inline(always)]
pub(crate) fn fill_without_roles<B: Block>(position: &Pieces<B>, out: &mut AttackSlots<'_, '_>) {
    let mut side = 0;
    while side < 2 {
        fill_side_without_roles(position, Colour::ALL[side], out);
        side += 1;
    }
}

/// The same for one side.
#[inline(always)]
fn fill_side_without_roles<B: Block>(
    position: &Pieces<B>,
    colour: Colour,
    out: &mut AttackSlots<'_, '_>,
) {
    if !out.wants(colour, !0) {
        return;
    }
    let pawn = leaper::pawns(colour, position.of(colour, Role::Pawn));
    let knight = leaper::knights(position.of(colour, Role::Knight));
    let king = leaper::kings(position.of(colour, Role::King));
    out.put(colour, Kind::Pawn, pawn);
    out.put(colour, Kind::Knight, knight);
    out.put(colour, Kind::King, king);
    if out.wants(colour, Kind::All.bit()) {
        let (orthogonal, diagonal) = (position.orthogonal(colour), position.diagonal(colour));
        let slider = B::slider_attacks(orthogonal, diagonal, position.occupied());
        out.put(colour, Kind::All, (pawn | knight) | (king | slider));
    }
}

/// Fills the other bitboards that are asked for, of one block.
#[inline(always)]
pub(crate) fn fill_others<B: Block>(position: &Pieces<B>, out: &mut OtherSlots<'_, '_>) {
    const OWN: u32 = Kind::ByMinor.bit() | Kind::ByRook.bit() | Kind::Hanging.bit();
    const ENEMY: u32 = Kind::Hanging.bit() | Kind::AttackedByLesser.bit();
    if out.wants(Colour::White, OWN | ENEMY) || out.wants(Colour::Black, OWN | ENEMY) {
        let none = eval::no_attacks();
        let mut sides = ByColour { white: none, black: none };
        let mut side = 0;
        while side < 2 {
            let colour = Colour::ALL[side];
            if out.wants(colour, OWN) || out.wants(colour.opponent(), ENEMY) {
                sides[colour] = eval::cumulative_of(position, colour);
            }
            side += 1;
        }
        fill_by_value(position, &sides, out);
    }
    let mut side = 0;
    while side < 2 {
        fill_by_rays(position, Colour::ALL[side], out);
        fill_by_position(position, Colour::ALL[side], out);
        side += 1;
    }
}

/// Fills the numbers that are asked for, of one block.
#[inline(always)]
pub(crate) fn fill_numbers<B: Block>(position: &Pieces<B>, out: &mut NumberSlots<'_, '_>) {
    let mut side = 0;
    while side < 2 {
        let colour = Colour::ALL[side];
        let enemy = colour.opponent();
        let free = !position.colour(colour);
        let safe = free.without(leaper::pawns(enemy, position.of(enemy, Role::Pawn)));
        let ring = leaper::kings(position.of(enemy, Role::King));
        // A loop that stays one: written out six times it would be six times the code and no faster.
        let mut role = 0;
        while role < 6 {
            fill_numbers_of_role(position, colour, Role::ALL[role], [free, safe, ring], out);
            role += 1;
        }
        side += 1;
    }
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// `u64`: a bitboard, a1 = bit 0.
    U64,
    /// `u16`: a small integer.
    U16,
}

/// A column that [`Kernel::fill`](crate::Kernel::fill) can fill: what it says, and of which side.
///
/// ```
/// use setwise::{Column, Kind, Role, ValueType};
/// let column = Column::white(Kind::Twice);
/// assert_eq!(column.name(), "white_twice");
/// assert_eq!(column.meaning(), "squares attacked by at least two white pieces");
/// assert_eq!("black_mobility_queen".parse(), Ok(Column::black(Kind::Mobility(Role::Queen))));
/// for column in Column::ALL {
///     println!("{:<28} {:?}  {}", column.name(), column.value_type(), column.meaning());
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column {
    side: Side,
    kind: Kind,
}

/// Whose column it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Side {
    Of(Colour),
    ToMove,
}

impl Column {
    /// Every column, in the order in which programs show them: white's bitboards, then black's; those of the
    /// side to move; white's numbers, then black's.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::CHECKERS; 2 * (BOARDS.len() + NUMBERS) + 2];
        let (mut at, mut colour) = (0, 0);
        while colour < 2 {
            let mut i = 0;
            while i < BOARDS.len() {
                all[at] = Self::of(Colour::ALL[colour], BOARDS[i]);
                at += 1;
                i += 1;
            }
            colour += 1;
        }
        all[at] = Self::CHECKERS;
        all[at + 1] = Self::PINNED;
        at += 2;
        colour = 0;
        while colour < 2 {
            let mut i = 0;
            while i < NUMBERS {
                all[at] = Self::of(Colour::ALL[colour], Kind::number(i));
                at += 1;
                i += 1;
            }
            colour += 1;
        }
        all
    };

    /// The sixteen attack maps: for white, then for black, those of pawns, knights, bishops, rooks, queens and
    /// kings, of all pieces, and of at least two.
    pub const DEFAULT: &'static [Self] = &{
        let mut maps = [Self::CHECKERS; 2 * ATTACKS];
        let mut i = 0;
        while i < maps.len() {
            maps[i] = Self::of(Colour::ALL[i / ATTACKS], BOARDS[i % ATTACKS]);
            i += 1;
        }
        maps
    };

    /// The pieces that give check to the side to move: [`Kind::Checkers`] of white or of black, row by row. Whose
    /// turn it is comes with the positions ([`Positions::with_turns`](crate::Positions::with_turns)).
    pub const CHECKERS: Self = Self { side: Side::ToMove, kind: Kind::Checkers };

    /// The pieces of the side to move that are pinned to their king: [`Kind::Pinned`] of white or of black, row by
    /// row.
    pub const PINNED: Self = Self { side: Side::ToMove, kind: Kind::Pinned };

    /// A column about white.
    #[must_use]
    pub const fn white(kind: Kind) -> Self {
        Self::of(Colour::White, kind)
    }

    /// A column about black.
    #[must_use]
    pub const fn black(kind: Kind) -> Self {
        Self::of(Colour::Black, kind)
    }

    /// A column about one side.
    #[must_use]
    pub const fn of(colour: Colour, kind: Kind) -> Self {
        Self { side: Side::Of(colour), kind }
    }

    /// What it says.
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// The side that it is about; none if that is the side to move.
    #[must_use]
    pub const fn colour(self) -> Option<Colour> {
        match self.side {
            Side::Of(colour) => Some(colour),
            Side::ToMove => None,
        }
    }

    /// The name by which programs call it, as in `white_pawn`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match (self.side, self.kind) {
            (Side::Of(colour), kind) => kind.words(colour).0,
            (Side::ToMove, Kind::Checkers) => "checkers",
            (Side::ToMove, _) => "pinned",
        }
    }

    /// What the column says, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match (self.side, self.kind) {
            (Side::Of(colour), kind) => kind.words(colour).1,
            (Side::ToMove, Kind::Checkers) => "pieces that give check to the side to move",
            (Side::ToMove, _) => "pieces of the side to move that are pinned to their king",
        }
    }

    /// The type of its values.
    #[must_use]
    pub const fn value_type(self) -> ValueType {
        self.kind.value_type()
    }

    /// Whether it has few distinct values in positions of play, so that a dictionary makes a file smaller.
    #[must_use]
    pub const fn has_few_values(self) -> bool {
        self.kind.has_few_values()
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no [`Column`] has. The message says which it was, and which column has the nearest.
///
/// ```
/// let error = "white_rok".parse::<setwise::Column>().unwrap_err();
/// assert_eq!(error.to_string(), "no column is called `white_rok`; did you mean `white_rook`?");
/// assert_eq!(error.nearest().name(), "white_rook");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownColumn {
    name: ShortName,
    nearest: Column,
}

impl UnknownColumn {
    /// The column whose name is the fewest edits away.
    #[must_use]
    pub fn nearest(&self) -> Column {
        self.nearest
    }
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no column is called {}; did you mean `{}`?", self.name, self.nearest)
    }
}

impl core::error::Error for UnknownColumn {}

impl FromStr for Column {
    type Err = UnknownColumn;

    fn from_str(name: &str) -> Result<Self, UnknownColumn> {
        let found = Self::ALL.iter().copied().find(|column| column.name() == name);
        found.ok_or_else(|| UnknownColumn {
            name: ShortName::new(name),
            nearest: names::nearest(name, Self::ALL, Self::name).unwrap_or(Self::CHECKERS),
        })
    }
}

/// The columns that a call asks for, sorted by what fills them.
pub(crate) struct Requests<'a> {
    pub(crate) attacks: AttackColumns<'a>,
    pub(crate) others: OtherColumns<'a>,
    pub(crate) numbers: NumberColumns<'a>,
    /// [`Column::CHECKERS`] and [`Column::PINNED`].
    pub(crate) to_move: [Option<&'a mut [u64]>; 2],
}

impl<'a> Requests<'a> {
    pub(crate) fn new() -> Self {
        Self {
            attacks: [const { None }; 2 * ATTACKS],
            others: [const { None }; 2 * OTHERS],
            numbers: [const { None }; 2 * NUMBERS],
            to_move: [const { None }; 2],
        }
    }

    /// Adds a column of bitboards. Says whether it is new.
    pub(crate) fn boards(&mut self, column: Column, values: &'a mut [u64]) -> bool {
        let index = column.kind.index();
        let place = match column.side {
            Side::ToMove => &mut self.to_move[usize::from(column == Column::PINNED)],
            Side::Of(side) if index < ATTACKS => &mut self.attacks[side as usize * ATTACKS + index],
            Side::Of(side) => &mut self.others[side as usize * OTHERS + index - ATTACKS],
        };
        place.replace(values).is_none()
    }

    /// Adds a column of numbers. Says whether it is new.
    pub(crate) fn numbers(&mut self, column: Column, values: &'a mut [u16]) -> bool {
        let side = usize::from(column.side == Side::Of(Colour::Black));
        self.numbers[side * NUMBERS + column.kind.index()].replace(values).is_none()
    }
}

/// The columns of [`Kind::Checkers`] and [`Kind::Pinned`], of white and of black, as requests.
pub(crate) fn king_threats<'a>(
    [white_checkers, black_checkers, white_pinned, black_pinned]: [&'a mut [u64]; 4],
) -> OtherColumns<'a> {
    let mut requests = Requests::new();
    requests.boards(Column::white(Kind::Checkers), white_checkers);
    requests.boards(Column::black(Kind::Checkers), black_checkers);
    requests.boards(Column::white(Kind::Pinned), white_pinned);
    requests.boards(Column::black(Kind::Pinned), black_pinned);
    requests.others
}
