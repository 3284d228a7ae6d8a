//! The catalogue of columns. Each row has the type, name and meaning of a column, and the expression that computes it.
//!
//! To add a column, add its row here, the function that computes it (for a bitboard, in `eval/`), and an arm in the
//! tests' oracle (`tests/common/oracles.rs`). `Kernel::fill`, the documents, C, Python and the program take it from
//! here.

use super::types::{Needs, Shape, ValueType};
use super::words;
use crate::pieces::{Colour, Role};

/// Passes the catalogue to a macro.
///
/// A row is `Kind: type [flags] "name", "meaning" = value;`.
///
/// - The type is that of a value: `u64` for a bitboard, `[u16]` for a list, `[u64; 73]` for a fixed-size list.
/// - Flags: `few` has few distinct values, so a dictionary makes files smaller; `turn` needs the side to move; `state`
///   needs the side to move, castling rights and en passant square; `nullable` has no value for some positions;
///   `feature_set` needs a feature set.
/// - `{own}` is the colour of the column's side, `{enemy}` the other one, `{role}` the role of a number.
/// - The value is an expression that uses the names in the head of its section.
///
/// `boards` are bitboards of each side, in sections whose columns are computed together. Each section is computed once
/// for each attacking side. It consists of groups: `whose = expression => rows`. The expression is evaluated once for a
/// block of positions if any column of the group is requested, and each row names a part of its value. `Own` columns
/// belong to the attacking side. `Enemy` columns belong to the other side. `Both` columns belong to the attacking side
/// and need the attacks of both.
///
/// `to_move` are kinds of `boards` for the side to move. `numbers` are numbers for each side and role. `lists` have a
/// variable length: they are written to the front of a buffer, and the expression returns their length, or none if the
/// position has no value. `features` are lists of network inputs for each side. `arrays` are fixed-size lists of
/// bitboards that are computed one position at a time; the expression returns the array, or none. `whole` are columns of
/// any fixed size that describe a whole position: their function writes boards and numbers to `out`.
macro_rules! catalogue {
    ($then:ident) => {
        $then! {
            boards {
                ByAttacks(position, side, occupied: B, own: B) {
                    Own = eval::attacks_of(position, occupied, own, side) => {
                        Pawn:     u64 []    "{own}_pawn",   "squares attacked by {own} pawns" = pawn;
                        Knight:   u64 [few] "{own}_knight", "squares attacked by {own} knights" = knight;
                        Bishop:   u64 [few] "{own}_bishop", "squares attacked by {own} bishops" = bishop;
                        Rook:     u64 [few] "{own}_rook",   "squares attacked by {own} rooks" = rook;
                        Queen:    u64 [few] "{own}_queen",  "squares attacked by {own} queens" = queen;
                        King:     u64 [few] "{own}_king",   "squares attacked by the {own} king" = king;
                        All:      u64 []    "{own}_all",    "squares attacked by any {own} piece" = all;
                        Twice:    u64 []    "{own}_twice",  "squares attacked by at least two {own} pieces" = twice;
                    }
                }
                ByRays(position, side, rays: &Rays<B>) {
                    Own = <(_, _, _, _, _)>::from(eval::attacker_counts(position, rays).planes()) => {
                        CountBit0: u64 []    "{own}_count_0",
                            "bit 0 of the number of {own} pieces that attack each square" = 0;
                        CountBit1: u64 []    "{own}_count_1",
                            "bit 1 of the number of {own} pieces that attack each square" = 1;
                        CountBit2: u64 []    "{own}_count_2",
                            "bit 2 of the number of {own} pieces that attack each square" = 2;
                        CountBit3: u64 [few] "{own}_count_3",
                            "bit 3 of the number of {own} pieces that attack each square" = 3;
                        CountBit4: u64 [few] "{own}_count_4",
                            "bit 4 of the number of {own} pieces that attack each square" = 4;
                    }
                    Own = (eval::x_rays(position, rays),) => {
                        XRay:      u64 []    "{own}_xray",
                            "squares that {own} sliders attack through exactly one piece" = 0;
                    }
                    Enemy = eval::king_threats(position, rays) => {
                        Pinned:    u64 [few] "{own}_pinned",
                            "{own} pieces that are pinned to their king (possibly a king, if there are several)" = pinned;
                        Checkers:  u64 [few] "{own}_checkers",
                            "pieces that give check to the {own} king" = checkers;
                        Pinners:   u64 [few] "{own}_pinners",
                            "sliders that pin a piece to the {own} king" = pinners;
                    }
                }
                ByValue(position, side, cumulative: &ByColour<Cumulative<B>>) {
                    Own = cumulative[side] => {
                        ByMinor:   u64 []    "{own}_by_minor",
                            "squares attacked by {own} pawns, knights or bishops" = by_minor;
                        ByRook:    u64 []    "{own}_by_rook",
                            "squares attacked by {own} pawns, knights, bishops or rooks" = by_rook;
                    }
                    Both = (eval::hanging(position, side, cumulative),) => {
                        Hanging:   u64 [few] "{own}_hanging",
                            "{own} pieces, kings included, that are attacked and not defended" = 0;
                    }
                    Enemy = (eval::attacked_by_lesser(position, side.opponent(), cumulative),) => {
                        AttackedByLesser: u64 [few] "{own}_lesser",
                            "{own} pieces attacked by a piece of lesser value (knight = bishop, kings excluded)" = 0;
                    }
                }
                ByPosition(position, side) {
                    Own = (eval::king_danger(position, side),) => {
                        KingDanger: u64 []   "{own}_king_danger",
                            "squares attacked by {enemy} when every {own} king is off the board" = 0;
                    }
                }
            }
            to_move {
                CHECKERS Checkers: u64 [few turn] "checkers",
                    "pieces that give check to the side to move";
                PINNED Pinned:     u64 [few turn] "pinned",
                    "pieces of the side to move that are pinned to their king";
            }
            numbers(counts, free, safe, ring) {
                Own Mobility:     u16 [few] "{own}_mobility_{role}",
                    "attacks by {own} {role}s on squares without a {own} piece" = counts.sum_on(free);
                Own SafeMobility: u16 [few] "{own}_safe_mobility_{role}",
                    "attacks by {own} {role}s on squares without a {own} piece or an attack by a {enemy} pawn"
                    = counts.sum_on(safe);
                Enemy KingRing:   u16 [few] "{own}_ring_{role}",
                    "attacks by {enemy} {role}s on the squares around the {own} king (with several kings: the union)"
                    = counts.sum_on(ring);
            }
            lists(pieces, state, buffer) {
                THREATS Threats: [u16 as Threat] [] "threats",
                    "which piece attacks which: from + 256 * to for each attacked or defended piece"
                    = Some(I::Extractor::pairs(Sets::of(pieces), buffer));
                LEGAL_MOVES LegalMoves: [u16 as u16] [state nullable] "legal_moves",
                    "legal moves: to + 64 * from + 4096 * promotion + 16384 * special; null if the position is invalid"
                    = I::legal(pieces, state.get()).map(|legal| legal.write_moves(buffer));
            }
            features {
                Features: [u32] [nullable feature_set] "{own}_features",
                    "a network's inputs from {own}'s perspective; null unless each side has one king";
            }
            arrays(pieces, state) {
                LEGAL_TARGETS LegalTargets: [u64; 64] [state nullable] "legal_targets",
                    "destinations of legal moves, for each origin from a1 to h8; null if the position is invalid"
                    = I::legal(pieces, state).map(|legal| legal.targets());
            }
            whole(position, state, out) {
                LEGAL_PLANES LegalPlanes: [u64; 73] [state nullable] "legal_planes",
                    "origins of legal moves, for each of AlphaZero's 73 move types, as the side to move sees the \
                     board; null if the position is invalid"
                    = legal::planes(position, state, out);
                LEGAL_COUNT LegalCount: u16 [few state nullable] "legal_count",
                    "number of legal moves; null if the position is invalid"
                    = legal::count(position, state, out);
                STATUS Status: u8 [few state nullable] "status",
                    "1 check, 2 checkmate, 3 stalemate, 0 none of them; null if the position is invalid"
                    = legal::status(position, state, out);
            }
        }
    };
}
pub(crate) use catalogue;

/// Writes [`Kind`], and the rows that columns are made of.
macro_rules! kinds {
    (
        boards {$(
            $section:ident $names:tt {$(
                $whose:ident = $group:expr => {$(
                    $board:ident: $board_type:ty [$($board_flag:ident)*] $board_name:literal, $board_meaning:literal
                        = $part:tt;
                )*}
            )*}
        )*}
        to_move {$(
            $constant:ident $to_move:ident: $to_move_type:ty [$($to_move_flag:ident)*] $to_move_name:literal,
                $to_move_meaning:literal;
        )*}
        numbers $numbers:tt {$(
            $number_whose:ident $number:ident: $number_type:ty [$($number_flag:ident)*] $number_name:literal,
                $number_meaning:literal = $number_value:expr;
        )*}
        lists $lists:tt {$(
            $list_constant:ident $list:ident: [$item:ty as $raw:ty] [$($list_flag:ident)*] $list_name:literal,
                $list_meaning:literal = $list_value:expr;
        )*}
        features {
            $features:ident: $features_type:ty [$($features_flag:ident)*] $features_name:literal,
                $features_meaning:literal;
        }
        arrays $array_names:tt {$(
            $array_constant:ident $array:ident: $array_type:ty [$($array_flag:ident)*] $array_name:literal,
                $array_meaning:literal = $array_value:expr;
        )*}
        whole $whole_names:tt {$(
            $whole_constant:ident $whole:ident: $whole_type:ty [$($whole_flag:ident)*] $whole_name:literal,
                $whole_meaning:literal = $whole_value:expr;
        )*}
    ) => {
        /// What a column says about a side or a whole position. [`Column`](crate::Column) adds the side.
        ///
        /// `{own}` is the colour of the column's side, `{enemy}` the other one, `{role}` the role of a number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($($(#[doc = concat!("`", $board_name, "`: ", $board_meaning, ".")] $board,)*)*)*
            $(#[doc = concat!("`", $number_name, "`: ", $number_meaning, ".")] $number(Role),)*
            $(#[doc = concat!("`", $list_name, "`: ", $list_meaning, ".")] $list,)*
            #[doc = concat!("`", $features_name, "`: ", $features_meaning, ".")]
            $features,
            $(#[doc = concat!("`", $array_name, "`: ", $array_meaning, ".")] $array,)*
            $(#[doc = concat!("`", $whole_name, "`: ", $whole_meaning, ".")] $whole,)*
        }

        /// The kinds, numbered in the order of the catalogue.
        #[derive(Clone, Copy)]
        enum Ordinal {
            $($($($board,)*)*)*
            $($number,)*
            $($list,)*
            $features,
            $($array,)*
            $($whole,)*
        }

        impl Kind {
            /// The kind's number, and that of its role, or 0.
            const fn ordinal(self) -> (usize, usize) {
                match self {
                    $($($(Self::$board => (Ordinal::$board as usize, 0),)*)*)*
                    $(Self::$number(role) => (Ordinal::$number as usize, role as usize),)*
                    $(Self::$list => (Ordinal::$list as usize, 0),)*
                    Self::$features => (Ordinal::$features as usize, 0),
                    $(Self::$array => (Ordinal::$array as usize, 0),)*
                    $(Self::$whole => (Ordinal::$whole as usize, 0),)*
                }
            }
        }

        /// The bitboards of a side.
        const BOARDS: &[Row] = &[$($($(
            Row::new::<$board_type>(&[Kind::$board], $board_name, $board_meaning)$(.$board_flag())*,
        )*)*)*];

        /// The number of bitboards in each section.
        const SECTIONS: &[usize] = &[$([$($(stringify!($board)),*),*].len()),*];

        /// The kinds of the columns of the side to move.
        pub(crate) const TO_MOVE: [Kind; SIDE_TO_MOVE.len()] = [$(Kind::$to_move),*];

        const SIDE_TO_MOVE: &[Row] = &[$(
            Row::new::<$to_move_type>(&[Kind::$to_move], $to_move_name, $to_move_meaning)$(.$to_move_flag())*,
        )*];

        /// The numbers of a side.
        const MEASURES: &[Row] = &[$(
            Row::new::<$number_type>(
                &[
                    Kind::$number(Role::Pawn),
                    Kind::$number(Role::Knight),
                    Kind::$number(Role::Bishop),
                    Kind::$number(Role::Rook),
                    Kind::$number(Role::Queen),
                    Kind::$number(Role::King),
                ],
                $number_name,
                $number_meaning,
            )$(.$number_flag())*,
        )*];

        const LISTS: &[Row] = &[$(
            Row::new::<[$item]>(&[Kind::$list], $list_name, $list_meaning)$(.$list_flag())*,
        )*];

        const FEATURES: &[Row] = &[
            Row::new::<$features_type>(&[Kind::$features], $features_name, $features_meaning)$(.$features_flag())*
        ];

        const ARRAYS: &[Row] = &[$(
            Row::new::<$array_type>(&[Kind::$array], $array_name, $array_meaning)$(.$array_flag())*,
        )*];

        const WHOLE: &[Row] = &[$(
            Row::new::<$whole_type>(&[Kind::$whole], $whole_name, $whole_meaning)$(.$whole_flag())*,
        )*];
    };
}

catalogue!(kinds);

/// The attack maps of a side: the first section.
pub(crate) const ATTACKS: usize = SECTIONS[0];

/// The other bitboards of a side.
pub(crate) const OTHERS: usize = BOARDS.len() - ATTACKS;

/// The numbers of a side: one for each role.
pub(crate) const NUMBERS: usize = 6 * MEASURES.len();

impl Kind {
    pub(super) const fn is(self, other: Self) -> bool {
        let ((ordinal, role), (other, others_role)) = (self.ordinal(), other.ordinal());
        ordinal == other && role == others_role
    }

    /// Its place among the bitboards of a side, or among the numbers.
    pub(crate) const fn place(self) -> usize {
        let (ordinal, role) = self.ordinal();
        match ordinal.checked_sub(BOARDS.len()) {
            None => ordinal,
            Some(measure) => 6 * measure + role,
        }
    }

    /// A bitboard's place in a set of them.
    pub(crate) const fn bit(self) -> u32 {
        1 << self.place()
    }
}

/// What the catalogue says of a kind, which may be one for each role.
#[derive(Clone, Copy)]
struct Row {
    kinds: &'static [Kind],
    name: &'static str,
    meaning: &'static str,
    facts: Facts,
}

/// What a column's name and meaning do not say.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) value_type: ValueType,
    pub(super) shape: Shape,
    pub(super) needs: Needs,
    pub(super) few_values: bool,
    pub(super) nullable: bool,
    pub(super) feature_set: bool,
}

impl Row {
    const fn new<T: Cell + ?Sized>(
        kinds: &'static [Kind],
        name: &'static str,
        meaning: &'static str,
    ) -> Self {
        let facts = Facts {
            value_type: T::VALUE_TYPE,
            shape: T::SHAPE,
            needs: Needs::Pieces,
            few_values: false,
            nullable: false,
            feature_set: false,
        };
        Self { kinds, name, meaning, facts }
    }

    const fn few(mut self) -> Self {
        self.facts.few_values = true;
        self
    }

    const fn turn(mut self) -> Self {
        self.facts.needs = Needs::Turn;
        self
    }

    const fn state(mut self) -> Self {
        self.facts.needs = Needs::State;
        self
    }

    const fn nullable(mut self) -> Self {
        self.facts.nullable = true;
        self
    }

    const fn feature_set(mut self) -> Self {
        self.facts.feature_set = true;
        self
    }
}

/// The types of the catalogue: what a column holds for each position.
trait Cell {
    const VALUE_TYPE: ValueType;
    const SHAPE: Shape = Shape::Value;
}

impl Cell for u8 {
    const VALUE_TYPE: ValueType = ValueType::U8;
}

impl Cell for u16 {
    const VALUE_TYPE: ValueType = ValueType::U16;
}

impl Cell for u32 {
    const VALUE_TYPE: ValueType = ValueType::U32;
}

impl Cell for u64 {
    const VALUE_TYPE: ValueType = ValueType::U64;
}

impl<T: Cell> Cell for [T] {
    const VALUE_TYPE: ValueType = T::VALUE_TYPE;
    const SHAPE: Shape = Shape::List;
}

impl<T: Cell, const COUNT: usize> Cell for [T; COUNT] {
    const VALUE_TYPE: ValueType = T::VALUE_TYPE;
    const SHAPE: Shape = Shape::Array(COUNT);
}

/// What fills a column.
#[derive(Clone, Copy)]
pub(crate) enum Section {
    /// Bitboards of each side, and of the side to move.
    Boards,
    /// Numbers of each side and role.
    Numbers,
    /// Lists.
    Lists,
    /// Inputs of networks.
    Features,
    /// Fixed-size lists, one position at a time.
    Arrays,
    /// Columns of whole positions.
    Whole,
}

/// The rows in the order of the columns, each list of them once for the position or for each side.
const ORDER: [Rows; 7] = [
    (Section::Boards, BOARDS, SIDES),
    (Section::Boards, SIDE_TO_MOVE, &[None]),
    (Section::Numbers, MEASURES, SIDES),
    (Section::Lists, LISTS, &[None]),
    (Section::Features, FEATURES, SIDES),
    (Section::Arrays, ARRAYS, &[None]),
    (Section::Whole, WHOLE, &[None]),
];

type Rows = (Section, &'static [Row], &'static [Option<Colour>]);

const SIDES: &[Option<Colour>] = &[Some(Colour::White), Some(Colour::Black)];

/// The number of columns.
pub(crate) const COLUMNS: usize = {
    let (mut columns, mut list) = (0, 0);
    while list < ORDER.len() {
        let (_, rows, sides) = ORDER[list];
        let mut row = 0;
        while row < rows.len() {
            columns += sides.len() * rows[row].kinds.len();
            row += 1;
        }
        list += 1;
    }
    columns
};

/// What is known of a column.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) place_of_kind: u8,
    pub(super) colour: Option<Colour>,
    pub(super) section: Section,
    pub(super) facts: Facts,
}

/// A column's entry and the templates of its name and meaning.
type Full = (Entry, [&'static str; 2]);

const FULL: [Full; COLUMNS] = {
    let first = BOARDS[0];
    let (kind, section, facts) = (first.kinds[0], Section::Boards, first.facts);
    let entry = Entry { kind, place_of_kind: 0, colour: None, section, facts };
    let mut full: [Full; COLUMNS] = [(entry, [""; 2]); COLUMNS];
    let (mut at, mut list) = (0, 0);
    while list < ORDER.len() {
        let (section, rows, sides) = ORDER[list];
        let mut side = 0;
        while side < sides.len() {
            let mut row = 0;
            while row < rows.len() {
                let Row { kinds, name, meaning, facts } = rows[row];
                let mut role = 0;
                while role < kinds.len() {
                    let kind = kinds[role];
                    let place_of_kind = kind.place() as u8;
                    let entry = Entry { kind, place_of_kind, colour: sides[side], section, facts };
                    full[at] = (entry, [name, meaning]);
                    at += 1;
                    role += 1;
                }
                row += 1;
            }
            side += 1;
        }
        list += 1;
    }
    full
};

/// Every column's entry, in order.
pub(super) static ENTRIES: [Entry; COLUMNS] = {
    let mut entries = [FULL[0].0; COLUMNS];
    let mut at = 0;
    while at < COLUMNS {
        entries[at] = FULL[at].0;
        at += 1;
    }
    entries
};

/// The names and meanings of all columns, one behind the other.
const TEXT: &[u8; LENGTH] = &{
    let mut text = [0; LENGTH];
    write_text(&mut text);
    text
};

const LENGTH: usize = write_text(&mut [])[COLUMNS - 1][1];

/// Writes as much of the text as fits, and says where each name and each meaning ends.
const fn write_text(text: &mut [u8]) -> [[usize; 2]; COLUMNS] {
    let mut ends = [[0; 2]; COLUMNS];
    let (mut end, mut at) = (0, 0);
    while at < COLUMNS {
        let (Entry { kind, colour, .. }, [name, meaning]) = FULL[at];
        let role = Role::ALL[kind.ordinal().1];
        end = words::expand(name, colour, role, text, end);
        ends[at][0] = end;
        end = words::expand(meaning, colour, role, text, end);
        ends[at][1] = end;
        at += 1;
    }
    ends
}

/// Every column's name and meaning, in order.
pub(super) static WORDS: [[&str; 2]; COLUMNS] = {
    let ends = write_text(&mut []);
    let mut words = [[""; 2]; COLUMNS];
    let (mut begin, mut at) = (0, 0);
    while at < COLUMNS {
        let [name, meaning] = ends[at];
        words[at] = [words::part(TEXT, begin, name), words::part(TEXT, name, meaning)];
        begin = meaning;
        at += 1;
    }
    words
};
