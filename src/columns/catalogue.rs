//! The catalogue of columns: a table of facts. The code that computes them is in `bulk/`: `side_columns.rs` for the
//! bitboards and numbers of a side, `legal.rs` and `one_by_one.rs` for legal moves.
//!
//! To add a column, add its row here, the code that computes it, and an arm in the tests' oracle
//! (`tests/common/oracles.rs`). Documents, C, Python and the program pick it up from here.

use super::types::{Description, Needs, Shape, ValueType};
use crate::pieces::{Colour, Role};

/// Writes [`ColumnKind`], its numbers and the table [`ROWS`] from the rows of the catalogue:
/// `ColumnKind(role, if it has one): value type, name, meaning`, and other facts of its [`Description`]. In the texts
/// `{own}` is the colour of the column's side, `{enemy}` the opposite colour, `{role}` the role of a number.
macro_rules! catalogue {
    ($(
        $kind:ident $(($role:ident: $role_type:ty))?: $value:ident $name:literal $meaning:literal
        $(, $fact:ident: $is:expr)*;
    )*) => {
        /// The kind of a column: its meaning for a side or a whole position. [`Column`](crate::Column) adds the side.
        ///
        /// `{own}` is the colour of the column's side, `{enemy}` the opposite colour, `{role}` the role of a number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ColumnKind {
            $(
                #[doc = concat!("`", $name, "`: ", $meaning, ".")]
                $kind $(($role_type))?,
            )*
        }

        enum Ordinal {
            $($kind,)*
        }

        impl ColumnKind {
            /// The index of its row, and that of its role or 0.
            const fn numbers(self) -> (usize, usize) {
                match self {
                    $(Self::$kind $(($role))? => (Ordinal::$kind as usize, 0 $(+ $role as usize)?),)*
                }
            }

            /// The same kind for another role, if the kind has roles.
            const fn with_role(self, _new: Role) -> Self {
                match self {
                    $(Self::$kind $(($role))? => {
                        $(let $role = { let _ = $role; _new };)?
                        Self::$kind $(($role))?
                    })*
                }
            }
        }

        const ROWS: &[Row] = &[$(
            Row {
                kind: ColumnKind::$kind $((<$role_type>::Pawn))?,
                roles: <[&str]>::len(&[$(stringify!($role))?]) == 1,
                description: Description {
                    $($fact: $is,)*
                    ..Description::new($name, $meaning, ValueType::$value, Shape::Value)
                },
            },
        )*];
    };
}

catalogue! {
    Pawn: U64 "{own}_pawn" "squares attacked by {own} pawns";
    Knight: U64 "{own}_knight" "squares attacked by {own} knights", few_values: true;
    Bishop: U64 "{own}_bishop" "squares attacked by {own} bishops", few_values: true;
    Rook: U64 "{own}_rook" "squares attacked by {own} rooks", few_values: true;
    Queen: U64 "{own}_queen" "squares attacked by {own} queens", few_values: true;
    King: U64 "{own}_king" "squares attacked by the {own} king", few_values: true;
    All: U64 "{own}_all" "squares attacked by any {own} piece";
    Twice: U64 "{own}_twice" "squares attacked by at least two {own} pieces";
    CountBit0: U64 "{own}_count_0" "bit 0 of the number of {own} pieces that attack each square";
    CountBit1: U64 "{own}_count_1" "bit 1 of the number of {own} pieces that attack each square";
    CountBit2: U64 "{own}_count_2" "bit 2 of the number of {own} pieces that attack each square";
    CountBit3: U64 "{own}_count_3" "bit 3 of the number of {own} pieces that attack each square", few_values: true;
    CountBit4: U64 "{own}_count_4" "bit 4 of the number of {own} pieces that attack each square", few_values: true;
    XRay: U64 "{own}_xray" "squares that {own} sliders attack through exactly one piece";
    Pinned: U64 "{own}_pinned"
        "{own} pieces that are pinned to their king (possibly a king, if there are several)", few_values: true;
    Checkers: U64 "{own}_checkers" "pieces that give check to the {own} king", few_values: true;
    Pinners: U64 "{own}_pinners" "sliders that pin a piece to the {own} king", few_values: true;
    ByMinor: U64 "{own}_by_minor" "squares attacked by {own} pawns, knights or bishops";
    ByRook: U64 "{own}_by_rook" "squares attacked by {own} pawns, knights, bishops or rooks";
    Hanging: U64 "{own}_hanging" "{own} pieces, kings included, that are attacked and not defended", few_values: true;
    AttackedByLesser: U64 "{own}_lesser"
        "{own} pieces attacked by a piece of lesser value (knight = bishop, kings excluded)", few_values: true;
    KingDanger: U64 "{own}_king_danger" "squares attacked by {enemy} when every {own} king is off the board";
    PawnChecks: U64 "{own}_checking_squares_pawn"
        "squares from which a {enemy} pawn gives check to the {own} king", few_values: true;
    KnightChecks: U64 "{own}_checking_squares_knight"
        "squares from which a {enemy} knight gives check to the {own} king", few_values: true;
    BishopChecks: U64 "{own}_checking_squares_bishop"
        "squares from which a {enemy} bishop (or queen) gives check to the {own} king";
    RookChecks: U64 "{own}_checking_squares_rook"
        "squares from which a {enemy} rook (or queen) gives check to the {own} king";
    Mobility(role: Role): U16 "{own}_mobility_{role}"
        "attacks by {own} {role}s on squares without a {own} piece", few_values: true;
    SafeMobility(role: Role): U16 "{own}_safe_mobility_{role}"
        "attacks by {own} {role}s on squares without a {own} piece or an attack by a {enemy} pawn", few_values: true;
    KingRing(role: Role): U16 "{own}_ring_{role}"
        "attacks by {enemy} {role}s on the squares around the {own} king (with several kings: the union)",
        few_values: true;
    LegalMoves: U16 "legal_moves"
        "legal moves: to + 64 * from + 4096 * promotion + 16384 * special; null if the position is invalid",
        shape: Shape::List, needs: Needs::State, nullable: true;
    LegalTargets: U64 "legal_targets"
        "destinations of legal moves, for each origin from a1 to h8; null if the position is invalid",
        shape: Shape::Array(64), needs: Needs::State, nullable: true;
    LegalPlanes: U64 "legal_planes"
        "origins of legal moves, for each of AlphaZero's 73 move types, as the side to move sees the board; null if the position is invalid",
        shape: Shape::Array(73), needs: Needs::State, nullable: true;
    LegalCount: U16 "legal_count"
        "number of legal moves; null if the position is invalid", needs: Needs::State, few_values: true, nullable: true;
    Status: U8 "status"
        "1 check, 2 checkmate, 3 stalemate, 0 none of them; null if the position is invalid",
        needs: Needs::State, few_values: true, nullable: true;
}

/// The columns of the side to move: in each row, white's value or black's.
const SIDE_TO_MOVE: [Row; 2] = {
    let meaning = "pieces that give check to the side to move";
    let description = Description::new("checkers", meaning, ValueType::U64, Shape::Value);
    let description = Description { needs: Needs::Turn, few_values: true, ..description };
    let checkers = Row { kind: ColumnKind::Checkers, roles: false, description };
    let meaning = "pieces of the side to move that are pinned to their king";
    let description = Description { name: "pinned", meaning, ..description };
    [checkers, Row { kind: ColumnKind::Pinned, description, ..checkers }]
};

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

/// A row of the catalogue. It describes one column, or one for each side, or one for each side and role.
#[derive(Clone, Copy)]
struct Row {
    kind: ColumnKind,
    roles: bool,
    /// Its name and meaning have words to be replaced.
    description: Description,
}

/// The rows in the order of the columns, in groups. Some groups are repeated for each side.
const GROUPS: [(&[Row], &[Option<Colour>]); 4] = {
    const SIDES: &[Option<Colour>] = &[Some(Colour::White), Some(Colour::Black)];
    let (boards, rest) = ROWS.split_at(BOARDS);
    let (numbers, rest) = rest.split_at(NUMBERS / 6);
    [(boards, SIDES), (&SIDE_TO_MOVE, &[None]), (numbers, SIDES), (rest, &[None])]
};

/// An entry of the catalogue.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) kind: ColumnKind,
    pub(super) colour: Option<Colour>,
    pub(super) description: Description,
}

/// The number of columns, and the length of their names and meanings.
const LENGTHS: (usize, usize) = expand(&mut [], &mut [], &[]);

/// The number of columns.
pub(crate) const COLUMNS: usize = LENGTHS.0;

/// The name and the meaning of every column, one after another.
static TEXTS: [u8; LENGTHS.1] = {
    let mut texts = [0; LENGTHS.1];
    expand(&mut [], &mut texts, &[]);
    texts
};

/// Every column's entry, in order.
pub(super) static ENTRIES: [Entry; COLUMNS] = {
    let Row { kind, description, .. } = ROWS[0];
    let mut entries = [Entry { kind, colour: None, description }; COLUMNS];
    expand(&mut entries, &mut [], &TEXTS);
    entries
};

/// Writes as many entries, with their texts from `texts`, and as many bytes of these texts as fit. Returns the total
/// number of both.
const fn expand(entries: &mut [Entry], out: &mut [u8], texts: &'static [u8]) -> (usize, usize) {
    let (mut at, mut end, mut group) = (0, 0, 0);
    while group < GROUPS.len() {
        let (rows, sides) = GROUPS[group];
        let mut side = 0;
        while side < sides.len() {
            let mut row = 0;
            while row < rows.len() {
                let Row { kind, roles, description } = rows[row];
                let mut role = 0;
                while role < if roles { 6 } else { 1 } {
                    let words = (Colour::ALL[side], Role::ALL[role]);
                    let start = end;
                    let middle = write(description.name, words, out, start);
                    end = write(description.meaning, words, out, middle);
                    if at < entries.len() {
                        let (kind, colour) = (kind.with_role(Role::ALL[role]), sides[side]);
                        let (name, meaning) =
                            (text(texts, start, middle), text(texts, middle, end));
                        let description = Description { name, meaning, ..description };
                        entries[at] = Entry { kind, colour, description };
                    }
                    at += 1;
                    role += 1;
                }
                row += 1;
            }
            side += 1;
        }
        group += 1;
    }
    (at, end)
}

/// Writes as much of a text as fits, with the words for a side and a role. Returns where it ends.
const fn write(text: &str, (own, role): (Colour, Role), out: &mut [u8], mut at: usize) -> usize {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let (word, after) = match rest {
            [b'{', b'o', b'w', b'n', b'}', after @ ..] => (own.name().as_bytes(), after),
            [b'{', b'e', b'n', b'e', b'm', b'y', b'}', after @ ..] => {
                (own.opponent().name().as_bytes(), after)
            }
            [b'{', b'r', b'o', b'l', b'e', b'}', after @ ..] => (role.name().as_bytes(), after),
            _ => rest.split_at(1),
        };
        let mut i = 0;
        while i < word.len() {
            if at < out.len() {
                out[at] = word[i];
            }
            (at, i) = (at + 1, i + 1);
        }
        rest = after;
    }
    at
}

const fn text(texts: &'static [u8], start: usize, end: usize) -> &'static str {
    match core::str::from_utf8(texts.split_at(end).0.split_at(start).1) {
        Ok(text) => text,
        Err(_) => panic!("the catalogue is ASCII"),
    }
}
