//! The catalogue of columns: a table of facts. The code that computes them is in `bulk/`: `side_columns.rs` for the
//! bitboards and numbers of a side, `legal.rs` and `one_by_one.rs` for legal moves.
//!
//! To add a column, add its row here, the code that computes it, and an arm in the tests' oracle
//! (`tests/common/oracles.rs`). Documents, C, Python and the program pick it up from here.

use super::types::{Description, Needs, Shape, ValueType};
use crate::pieces::{Colour, Role};

/// Joins the words of a name or a meaning, given the colour of the column's side (`own`), the opposite colour (`enemy`)
/// and the role of a number (`role`).
macro_rules! words {
    ($own:literal $enemy:literal $role:literal ($($word:tt)*)) => {
        concat!($(words!(@ $own $enemy $role $word)),*)
    };
    (@ $own:literal $enemy:literal $role:literal own) => { $own };
    (@ $own:literal $enemy:literal $role:literal enemy) => { $enemy };
    (@ $own:literal $enemy:literal $role:literal role) => { $role };
    (@ $own:literal $enemy:literal $role:literal $text:literal) => { $text };
}

/// A name and a meaning for each side and each role.
macro_rules! texts {
    ($name:tt $meaning:tt) => {
        [texts!("white" "black" $name $meaning), texts!("black" "white" $name $meaning)]
    };
    ($own:literal $enemy:literal $name:tt $meaning:tt) => {
        [
            texts!($own $enemy "pawn" $name $meaning),
            texts!($own $enemy "knight" $name $meaning),
            texts!($own $enemy "bishop" $name $meaning),
            texts!($own $enemy "rook" $name $meaning),
            texts!($own $enemy "queen" $name $meaning),
            texts!($own $enemy "king" $name $meaning),
        ]
    };
    ($own:literal $enemy:literal $role:literal $name:tt $meaning:tt) => {
        [words!($own $enemy $role $name), words!($own $enemy $role $meaning)]
    };
}

/// Writes [`ColumnKind`], its numbers and the table [`ROWS`] from the rows of the catalogue:
/// `ColumnKind(role, if it has one): value type, shape, needs [flags], words of the name, words of the meaning`.
///
/// Flags: `few_values`: few distinct values, so a dictionary makes files smaller; `nullable`: some positions have no
/// value.
macro_rules! catalogue {
    ($(
        $kind:ident $(($role:ident: $role_type:ty))?: $value:ident $shape:expr, $needs:ident [$($flag:ident)*],
        $name:tt $meaning:tt;
    )*) => {
        /// The kind of a column: its meaning for a side or a whole position. [`Column`](crate::Column) adds the side.
        ///
        /// `{own}` is the colour of the column's side, `{enemy}` the opposite colour, `{role}` the role of a number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ColumnKind {
            $(
                #[doc = concat!("`", words!("{own}" "{enemy}" "{role}" $name), "`: ", words!("{own}" "{enemy}" "{role}" $meaning), ".")]
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
                texts: texts!($name $meaning),
                description: Description {
                    needs: Needs::$needs,
                    $($flag: true,)*
                    ..Description::new("", "", ValueType::$value, $shape)
                },
            },
        )*];
    };
}

catalogue! {
    Pawn: U64 Shape::Value, Pieces [], (own "_pawn") ("squares attacked by " own " pawns");
    Knight: U64 Shape::Value, Pieces [few_values], (own "_knight") ("squares attacked by " own " knights");
    Bishop: U64 Shape::Value, Pieces [few_values], (own "_bishop") ("squares attacked by " own " bishops");
    Rook: U64 Shape::Value, Pieces [few_values], (own "_rook") ("squares attacked by " own " rooks");
    Queen: U64 Shape::Value, Pieces [few_values], (own "_queen") ("squares attacked by " own " queens");
    King: U64 Shape::Value, Pieces [few_values], (own "_king") ("squares attacked by the " own " king");
    All: U64 Shape::Value, Pieces [], (own "_all") ("squares attacked by any " own " piece");
    Twice: U64 Shape::Value, Pieces [], (own "_twice") ("squares attacked by at least two " own " pieces");
    CountBit0: U64 Shape::Value, Pieces [], (own "_count_0")
        ("bit 0 of the number of " own " pieces that attack each square");
    CountBit1: U64 Shape::Value, Pieces [], (own "_count_1")
        ("bit 1 of the number of " own " pieces that attack each square");
    CountBit2: U64 Shape::Value, Pieces [], (own "_count_2")
        ("bit 2 of the number of " own " pieces that attack each square");
    CountBit3: U64 Shape::Value, Pieces [few_values], (own "_count_3")
        ("bit 3 of the number of " own " pieces that attack each square");
    CountBit4: U64 Shape::Value, Pieces [few_values], (own "_count_4")
        ("bit 4 of the number of " own " pieces that attack each square");
    XRay: U64 Shape::Value, Pieces [], (own "_xray")
        ("squares that " own " sliders attack through exactly one piece");
    Pinned: U64 Shape::Value, Pieces [few_values], (own "_pinned")
        (own " pieces that are pinned to their king (possibly a king, if there are several)");
    Checkers: U64 Shape::Value, Pieces [few_values], (own "_checkers") ("pieces that give check to the " own " king");
    Pinners: U64 Shape::Value, Pieces [few_values], (own "_pinners") ("sliders that pin a piece to the " own " king");
    ByMinor: U64 Shape::Value, Pieces [], (own "_by_minor")
        ("squares attacked by " own " pawns, knights or bishops");
    ByRook: U64 Shape::Value, Pieces [], (own "_by_rook")
        ("squares attacked by " own " pawns, knights, bishops or rooks");
    Hanging: U64 Shape::Value, Pieces [few_values], (own "_hanging")
        (own " pieces, kings included, that are attacked and not defended");
    AttackedByLesser: U64 Shape::Value, Pieces [few_values], (own "_lesser")
        (own " pieces attacked by a piece of lesser value (knight = bishop, kings excluded)");
    KingDanger: U64 Shape::Value, Pieces [], (own "_king_danger")
        ("squares attacked by " enemy " when every " own " king is off the board");
    PawnChecks: U64 Shape::Value, Pieces [few_values], (own "_checking_squares_pawn")
        ("squares from which a " enemy " pawn gives check to the " own " king");
    KnightChecks: U64 Shape::Value, Pieces [few_values], (own "_checking_squares_knight")
        ("squares from which a " enemy " knight gives check to the " own " king");
    BishopChecks: U64 Shape::Value, Pieces [], (own "_checking_squares_bishop")
        ("squares from which a " enemy " bishop (or queen) gives check to the " own " king");
    RookChecks: U64 Shape::Value, Pieces [], (own "_checking_squares_rook")
        ("squares from which a " enemy " rook (or queen) gives check to the " own " king");
    Mobility(role: Role): U16 Shape::Value, Pieces [few_values], (own "_mobility_" role)
        ("attacks by " own " " role "s on squares without a " own " piece");
    SafeMobility(role: Role): U16 Shape::Value, Pieces [few_values], (own "_safe_mobility_" role)
        ("attacks by " own " " role "s on squares without a " own " piece or an attack by a " enemy " pawn");
    KingRing(role: Role): U16 Shape::Value, Pieces [few_values], (own "_ring_" role)
        ("attacks by " enemy " " role "s on the squares around the " own " king (with several kings: the union)");
    LegalMoves: U16 Shape::List, State [nullable], ("legal_moves")
        ("legal moves: to + 64 * from + 4096 * promotion + 16384 * special; null if the position is invalid");
    LegalTargets: U64 Shape::Array(64), State [nullable], ("legal_targets")
        ("destinations of legal moves, for each origin from a1 to h8; null if the position is invalid");
    LegalPlanes: U64 Shape::Array(73), State [nullable], ("legal_planes")
        ("origins of legal moves, for each of AlphaZero's 73 move types, as the side to move sees the board; null if the position is invalid");
    LegalCount: U16 Shape::Value, State [few_values nullable], ("legal_count")
        ("number of legal moves; null if the position is invalid");
    Status: U8 Shape::Value, State [few_values nullable], ("status")
        ("1 check, 2 checkmate, 3 stalemate, 0 none of them; null if the position is invalid");
}

/// The columns of the side to move: in each row, white's value or black's.
const SIDE_TO_MOVE: [Row; 2] = {
    let of_rows = Description::new("", "", ValueType::U64, Shape::Value);
    let description = Description { needs: Needs::Turn, few_values: true, ..of_rows };
    let row = Row {
        kind: ColumnKind::Checkers,
        roles: false,
        texts: texts!(("checkers")("pieces that give check to the side to move")),
        description,
    };
    let texts = texts!(("pinned")("pieces of the side to move that are pinned to their king"));
    [row, Row { kind: ColumnKind::Pinned, texts, ..row }]
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
    /// The name and the meaning for each side and role.
    texts: [[[&'static str; 2]; 6]; 2],
    /// The rest.
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

/// The number of columns.
pub(crate) const COLUMNS: usize = expand(&mut []);

/// Every column's entry, in order.
pub(super) static ENTRIES: [Entry; COLUMNS] = {
    let Row { kind, description, .. } = ROWS[0];
    let mut entries = [Entry { kind, colour: None, description }; COLUMNS];
    expand(&mut entries);
    entries
};

/// Writes as many entries as fit, and returns their total number.
const fn expand(entries: &mut [Entry]) -> usize {
    let (mut at, mut group) = (0, 0);
    while group < GROUPS.len() {
        let (rows, sides) = GROUPS[group];
        let mut side = 0;
        while side < sides.len() {
            let mut row = 0;
            while row < rows.len() {
                let Row { kind, roles, texts, description } = rows[row];
                let mut role = 0;
                while role < if roles { 6 } else { 1 } {
                    if at < entries.len() {
                        let (kind, colour) = (kind.with_role(Role::ALL[role]), sides[side]);
                        let [name, meaning] = texts[side][role];
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
    at
}
