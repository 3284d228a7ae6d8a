//! The catalogue of columns: a table of facts. The code that computes them is in `bulk/`: `side_columns.rs` for the
//! bitboards and numbers of a side, `legal.rs` and `one_by_one.rs` for legal moves.
//!
//! To add a column, add its row here, the code that computes it, and an arm in the tests' oracle
//! (`tests/common/oracles.rs`). Documents, C, Python and the program pick it up from here.

use super::types::{Description, Needs, Shape, ValueType};
use crate::pieces::{Colour, Role};

/// The entry of a column, from its row: value type, name, meaning, and other facts of its [`Description`]. Names and
/// meanings consist of words: `own` is the colour of the column's side, `enemy` the opposite colour, `role` the role of a
/// number.
macro_rules! entry {
    (@word $own:literal $enemy:literal $role:literal own) => { $own };
    (@word $own:literal $enemy:literal $role:literal enemy) => { $enemy };
    (@word $own:literal $enemy:literal $role:literal role) => { $role };
    (@word $own:literal $enemy:literal $role:literal $word:literal) => { $word };
    (@text $own:literal $enemy:literal $role:literal [$($word:tt)*]) => {
        concat!($(entry!(@word $own $enemy $role $word)),*)
    };
    (@doc { $value:ident $name:tt $meaning:tt $($fact:tt)* }) => {
        concat!(
            "`",
            entry!(@text "{own}" "{enemy}" "{role}" $name),
            "`: ",
            entry!(@text "{own}" "{enemy}" "{role}" $meaning),
            "."
        )
    };
    (@roles $kind:ident $colour:ident $own:literal $enemy:literal $row:tt) => {
        [
            entry!(ColumnKind::$kind(Role::Pawn), Some(Colour::$colour), $own $enemy "pawn" $row),
            entry!(ColumnKind::$kind(Role::Knight), Some(Colour::$colour), $own $enemy "knight" $row),
            entry!(ColumnKind::$kind(Role::Bishop), Some(Colour::$colour), $own $enemy "bishop" $row),
            entry!(ColumnKind::$kind(Role::Rook), Some(Colour::$colour), $own $enemy "rook" $row),
            entry!(ColumnKind::$kind(Role::Queen), Some(Colour::$colour), $own $enemy "queen" $row),
            entry!(ColumnKind::$kind(Role::King), Some(Colour::$colour), $own $enemy "king" $row),
        ]
    };
    (
        $kind:expr, $colour:expr, $own:literal $enemy:literal $role:literal
        { $value:ident $name:tt $meaning:tt $(, $fact:ident: $is:expr)* }
    ) => {
        Entry {
            kind: $kind,
            colour: $colour,
            description: Description {
                $($fact: $is,)*
                ..Description::new(
                    entry!(@text $own $enemy $role $name),
                    entry!(@text $own $enemy $role $meaning),
                    ValueType::$value,
                    Shape::Value,
                )
            },
        }
    };
}

/// Writes [`ColumnKind`] and the entries of all columns from the rows of the catalogue (see `entry!`).
macro_rules! catalogue {
    (
        bitboards { $($board:ident $board_row:tt)* }
        numbers { $($number:ident $number_row:tt)* }
        position { $($whole:ident $whole_row:tt)* }
    ) => {
        /// The kind of a column: its meaning for a side or a whole position. [`Column`](crate::Column) adds the side.
        ///
        /// `{own}` is the colour of the column's side, `{enemy}` the opposite colour, `{role}` the role of a number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ColumnKind {
            $(#[doc = entry!(@doc $board_row)] $board,)*
            $(#[doc = entry!(@doc $number_row)] $number(Role),)*
            $(#[doc = entry!(@doc $whole_row)] $whole,)*
        }

        enum Ordinal { $($board,)* $($number,)* $($whole,)* }

        impl ColumnKind {
            /// The index of its row, and that of its role or 0.
            const fn numbers(self) -> (usize, usize) {
                match self {
                    $(Self::$board => (Ordinal::$board as usize, 0),)*
                    $(Self::$number(role) => (Ordinal::$number as usize, role as usize),)*
                    $(Self::$whole => (Ordinal::$whole as usize, 0),)*
                }
            }
        }

        /// The bitboards of each side.
        const BITBOARDS: [[Entry; BOARDS]; 2] = [
            [$(entry!(ColumnKind::$board, Some(Colour::White), "white" "black" "" $board_row)),*],
            [$(entry!(ColumnKind::$board, Some(Colour::Black), "black" "white" "" $board_row)),*],
        ];

        /// The numbers of each side, for each role.
        const ROLE_NUMBERS: [[[Entry; 6]; NUMBERS / 6]; 2] = [
            [$(entry!(@roles $number White "white" "black" $number_row)),*],
            [$(entry!(@roles $number Black "black" "white" $number_row)),*],
        ];

        const POSITION: &[Entry] = &[$(entry!(ColumnKind::$whole, None, "" "" "" $whole_row)),*];
    };
}

catalogue! {
    bitboards {
        Pawn { U64 [own "_pawn"] ["squares attacked by " own " pawns"], few_values: false }
        Knight { U64 [own "_knight"] ["squares attacked by " own " knights"] }
        Bishop { U64 [own "_bishop"] ["squares attacked by " own " bishops"] }
        Rook { U64 [own "_rook"] ["squares attacked by " own " rooks"] }
        Queen { U64 [own "_queen"] ["squares attacked by " own " queens"] }
        King { U64 [own "_king"] ["squares attacked by the " own " king"] }
        All { U64 [own "_all"] ["squares attacked by any " own " piece"], few_values: false }
        Twice { U64 [own "_twice"] ["squares attacked by at least two " own " pieces"], few_values: false }
        CountBit0 { U64 [own "_count_0"]
            ["bit 0 of the number of " own " pieces that attack each square"], few_values: false }
        CountBit1 { U64 [own "_count_1"]
            ["bit 1 of the number of " own " pieces that attack each square"], few_values: false }
        CountBit2 { U64 [own "_count_2"]
            ["bit 2 of the number of " own " pieces that attack each square"], few_values: false }
        CountBit3 { U64 [own "_count_3"] ["bit 3 of the number of " own " pieces that attack each square"] }
        CountBit4 { U64 [own "_count_4"] ["bit 4 of the number of " own " pieces that attack each square"] }
        XRay { U64 [own "_xray"] ["squares that " own " sliders attack through exactly one piece"], few_values: false }
        Pinned { U64 [own "_pinned"]
            [own " pieces that are pinned to their king (possibly a king, if there are several)"] }
        Checkers { U64 [own "_checkers"] ["pieces that give check to the " own " king"] }
        Pinners { U64 [own "_pinners"] ["sliders that pin a piece to the " own " king"] }
        ByMinor { U64 [own "_by_minor"] ["squares attacked by " own " pawns, knights or bishops"], few_values: false }
        ByRook { U64 [own "_by_rook"]
            ["squares attacked by " own " pawns, knights, bishops or rooks"], few_values: false }
        Hanging { U64 [own "_hanging"] [own " pieces, kings included, that are attacked and not defended"] }
        AttackedByLesser { U64 [own "_lesser"]
            [own " pieces attacked by a piece of lesser value (knight = bishop, kings excluded)"] }
        KingDanger { U64 [own "_king_danger"]
            ["squares attacked by " enemy " when every " own " king is off the board"], few_values: false }
        PawnChecks { U64 [own "_checking_squares_pawn"]
            ["squares from which a " enemy " pawn gives check to the " own " king"] }
        KnightChecks { U64 [own "_checking_squares_knight"]
            ["squares from which a " enemy " knight gives check to the " own " king"] }
        BishopChecks { U64 [own "_checking_squares_bishop"]
            ["squares from which a " enemy " bishop (or queen) gives check to the " own " king"], few_values: false }
        RookChecks { U64 [own "_checking_squares_rook"]
            ["squares from which a " enemy " rook (or queen) gives check to the " own " king"], few_values: false }
    }
    numbers {
        Mobility { U16 [own "_mobility_" role] ["attacks by " own " " role "s on squares without a " own " piece"] }
        SafeMobility { U16 [own "_safe_mobility_" role]
            ["attacks by " own " " role "s on squares without a " own " piece or an attack by a " enemy " pawn"] }
        KingRing { U16 [own "_ring_" role]
            ["attacks by " enemy " " role "s on the squares around the " own " king (with several kings: the union)"] }
    }
    position {
        LegalMoves { U16 ["legal_moves"]
            ["legal moves: to + 64 * from + 4096 * promotion + 16384 * special; null if the position is invalid"],
            shape: Shape::List, needs: Needs::State, few_values: false, nullable: true }
        LegalTargets { U64 ["legal_targets"]
            ["destinations of legal moves, for each origin from a1 to h8; null if the position is invalid"],
            shape: Shape::Array(64), needs: Needs::State, few_values: false, nullable: true }
        LegalPlanes { U64 ["legal_planes"]
            ["origins of legal moves, for each of AlphaZero's 73 move types, as the side to move sees the board; null if the position is invalid"],
            shape: Shape::Array(73), needs: Needs::State, few_values: false, nullable: true }
        LegalCount { U16 ["legal_count"]
            ["number of legal moves; null if the position is invalid"], needs: Needs::State, nullable: true }
        Status { U8 ["status"]
            ["1 check, 2 checkmate, 3 stalemate, 0 none of them; null if the position is invalid"],
            needs: Needs::State, nullable: true }
    }
}

/// The columns of the side to move: in each row, white's value or black's.
const SIDE_TO_MOVE: [Entry; 2] = [
    entry!(ColumnKind::Checkers, None, "" "" "" {
        U64 ["checkers"] ["pieces that give check to the side to move"], needs: Needs::Turn
    }),
    entry!(ColumnKind::Pinned, None, "" "" "" {
        U64 ["pinned"] ["pieces of the side to move that are pinned to their king"], needs: Needs::Turn
    }),
];

/// The number of attack maps of a side. They are its first bitboards.
pub(crate) const ATTACKS: usize = 8;

const BOARDS: usize = ColumnKind::Mobility(Role::Pawn).numbers().0;

/// The number of other bitboards of a side.
pub(crate) const OTHERS: usize = BOARDS - ATTACKS;

/// The number of numeric columns of a side: one for each kind and role.
pub(crate) const NUMBERS: usize = 6 * (ColumnKind::LegalMoves.numbers().0 - BOARDS);

impl ColumnKind {
    pub(super) const fn is(self, other: Self) -> bool {
        let ((row, role), (other, others_role)) = (self.numbers(), other.numbers());
        row == other && role == others_role
    }

    /// Its index among the bitboards of a side, or among the numbers.
    #[inline(always)]
    pub(crate) const fn place(self) -> usize {
        let (row, role) = self.numbers();
        if row < BOARDS { row } else { 6 * (row - BOARDS) + role }
    }
}

/// An entry of the catalogue.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) kind: ColumnKind,
    pub(super) colour: Option<Colour>,
    pub(super) description: Description,
}

/// The number of columns.
pub(crate) const COLUMNS: usize = 2 * (BOARDS + NUMBERS) + SIDE_TO_MOVE.len() + POSITION.len();

/// Every column's entry, in order.
pub(super) static ENTRIES: [Entry; COLUMNS] = {
    let numbers = ROLE_NUMBERS.as_flattened().as_flattened();
    let groups = [BITBOARDS.as_flattened(), &SIDE_TO_MOVE, numbers, POSITION];
    let mut entries = [POSITION[0]; COLUMNS];
    let (mut rest, mut group) = (entries.as_mut_slice(), 0);
    while group < groups.len() {
        let (these, others) = rest.split_at_mut(groups[group].len());
        these.copy_from_slice(groups[group]);
        (rest, group) = (others, group + 1);
    }
    entries
};
