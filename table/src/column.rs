//! What can be asked for: the library's columns, and what a position says itself. One row of a table for each
//! of the latter: name, type and meaning.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field};
use setwise::threats::FeatureSet;
use setwise::{Fen, Role};
use setwise_formats::Format;

use crate::input::Input;
use crate::library::{Catalogue, LibraryColumn, SelectionError, Shape, ValueType, select};
use crate::query::Query;

/// The key under which a field's metadata says what its column means.
pub const DESCRIPTION: &str = "description";

/// The key under which a field of network inputs names their set.
pub const FEATURE_SET: &str = "feature_set";

/// A column of a table of positions.
///
/// ```
/// use setwise_table::{Column, Given};
/// let column: Column = "white_all".parse()?;
/// println!("{column}: {}", column.meaning());
/// assert_eq!("en_passant".parse::<Column>()?, Column::Given(Given::EnPassant));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// What the library computes.
    Computed(LibraryColumn),
    /// What the input says.
    Given(Given),
}

/// What an input says of a position: its text, its boards, the rest of a FEN, and what only packed records say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Given {
    /// The position's text; of a packed record, its FEN.
    Fen,
    /// The number of the line, row or record, from 1.
    Line,
    /// The text behind the position on its line.
    Rest,
    /// The pieces of a role, of both colours: `pawns` to `kings`.
    Role(Role),
    /// All white pieces.
    White,
    /// All black pieces.
    Black,
    /// The side to move: 0 = white, 1 = black.
    Turn,
    /// The files of white's castling rooks: a = bit 0 to h = bit 7.
    CastlingWhite,
    /// The files of black's castling rooks.
    CastlingBlack,
    /// The square behind a pawn that has just made a double step (0 = a1, 63 = h8); null if there is none.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move.
    FullmoveNumber,
    /// The evaluation for the side to move, in the unit of the file (mostly centipawns).
    Score,
    /// How the game ended for the side to move: 1 won, 0 drawn, -1 lost.
    Result,
    /// The move that was played or found best, as UCI writes it; null if there is none.
    Move,
    /// Half-moves since the start of the game.
    Ply,
    /// The spare bytes of a record, as a little-endian number.
    Extra,
}

/// The type of an element, before signed ones are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    U8,
    U16,
    U32,
    U64,
    /// Signed in any case.
    I8,
    I32,
    Text,
}

impl Element {
    /// Bytes; those of a text are not known.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 => 2,
            Self::U32 | Self::I32 => 4,
            Self::U64 => 8,
            Self::Text => 0,
        }
    }
}

impl Given {
    /// All of them, in the order in which programs show them.
    pub const ALL: &[Self] = &[
        Self::Fen,
        Self::Line,
        Self::Rest,
        Self::Role(Role::Pawn),
        Self::Role(Role::Knight),
        Self::Role(Role::Bishop),
        Self::Role(Role::Rook),
        Self::Role(Role::Queen),
        Self::Role(Role::King),
        Self::White,
        Self::Black,
        Self::Turn,
        Self::CastlingWhite,
        Self::CastlingBlack,
        Self::EnPassant,
        Self::HalfmoveClock,
        Self::FullmoveNumber,
        Self::Score,
        Self::Result,
        Self::Move,
        Self::Ply,
        Self::Extra,
    ];

    /// The eight boards, in the order of [`Pieces::sets`](setwise::Pieces::sets).
    pub const BOARDS: [Self; 8] = [
        Self::Role(Role::Pawn),
        Self::Role(Role::Knight),
        Self::Role(Role::Bishop),
        Self::Role(Role::Rook),
        Self::Role(Role::Queen),
        Self::Role(Role::King),
        Self::White,
        Self::Black,
    ];

    /// The part of a position that a FEN states besides the boards.
    pub(crate) const STATE: [Self; 6] = [
        Self::Turn,
        Self::CastlingWhite,
        Self::CastlingBlack,
        Self::EnPassant,
        Self::HalfmoveClock,
        Self::FullmoveNumber,
    ];

    /// What the records of a format say besides the pieces, in order.
    ///
    /// ```
    /// use setwise_formats::Format;
    /// use setwise_table::Given;
    /// assert_eq!(Given::in_format(Format::Bullet), [Given::Score, Given::Result, Given::Extra]);
    /// ```
    #[must_use]
    pub fn in_format(format: Format) -> Vec<Self> {
        use setwise_formats::Field;
        let keeps = format.keeps();
        let is_kept = |given: &Self| {
            keeps.contains(match given {
                Self::Turn => Field::Turn,
                Self::CastlingWhite | Self::CastlingBlack => Field::Castling,
                Self::EnPassant => Field::EnPassant,
                Self::HalfmoveClock => Field::HalfmoveClock,
                Self::FullmoveNumber => Field::FullmoveNumber,
                Self::Score => Field::Score,
                Self::Result => Field::Result,
                Self::Move => Field::Move,
                Self::Ply => Field::Ply,
                Self::Extra => Field::Extra,
                Self::Fen | Self::Line | Self::Rest => return false,
                Self::Role(_) | Self::White | Self::Black => return false,
            })
        };
        Self::ALL.iter().copied().filter(is_kept).collect()
    }

    const fn row(self) -> (&'static str, Element, &'static str) {
        use Element::{I8, I32, Text, U8, U32, U64};
        match self {
            Self::Fen => ("fen", Text, "the position's text; of a packed record, its FEN"),
            Self::Line => ("line", U64, "number of the line, row or record in its input, from 1"),
            Self::Rest => ("rest", Text, "the text behind the position, such as EPD operations"),
            Self::Role(Role::Pawn) => ("pawns", U64, "pawns of both colours"),
            Self::Role(Role::Knight) => ("knights", U64, "knights of both colours"),
            Self::Role(Role::Bishop) => ("bishops", U64, "bishops of both colours"),
            Self::Role(Role::Rook) => ("rooks", U64, "rooks of both colours"),
            Self::Role(Role::Queen) => ("queens", U64, "queens of both colours"),
            Self::Role(Role::King) => ("kings", U64, "kings of both colours"),
            Self::White => ("white", U64, "all white pieces"),
            Self::Black => ("black", U64, "all black pieces"),
            Self::Turn => ("turn", U8, "the side to move: 0 = white, 1 = black"),
            Self::CastlingWhite => {
                ("castling_white", U8, "files of white's castling rooks, a = bit 0 to h = bit 7")
            }
            Self::CastlingBlack => {
                ("castling_black", U8, "files of black's castling rooks, a = bit 0 to h = bit 7")
            }
            Self::EnPassant => (
                "en_passant",
                U8,
                "the square behind a pawn that has just made a double step, 0 = a1 to 63 = h8",
            ),
            Self::HalfmoveClock => {
                ("halfmove_clock", U32, "half-moves since the last capture or pawn move")
            }
            Self::FullmoveNumber => {
                ("fullmove_number", U32, "number of the move, which grows after black's")
            }
            Self::Score => ("score", I32, "evaluation for the side to move, mostly in centipawns"),
            Self::Result => {
                ("result", I8, "how the game ended for the side to move: 1 won, 0 drawn, -1 lost")
            }
            Self::Move => {
                ("move", Text, "the move that was played or found best, as UCI writes it")
            }
            Self::Ply => ("ply", U32, "half-moves since the start of the game"),
            Self::Extra => ("extra", U32, "spare bytes of the record, as a little-endian number"),
        }
    }
}

impl Column {
    /// Every column: what the input says, then the library's.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Column>> = LazyLock::new(|| {
            let given = Given::ALL.iter().copied().map(Column::Given);
            given.chain(LibraryColumn::all().into_iter().map(Column::Computed)).collect()
        });
        &ALL
    }

    /// The column's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Computed(column) => column.name(),
            Self::Given(given) => given.row().0,
        }
    }

    /// What the column says, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Computed(column) => column.meaning(),
            Self::Given(given) => given.row().2,
        }
    }

    pub(crate) const fn element(self) -> Element {
        match self {
            Self::Computed(column) => match column.value_type() {
                ValueType::U8 => Element::U8,
                ValueType::U16 => Element::U16,
                ValueType::U32 => Element::U32,
                ValueType::U64 => Element::U64,
            },
            Self::Given(given) => given.row().1,
        }
    }

    /// Whether its rows are single values, lists, or arrays of one length.
    #[must_use]
    pub const fn shape(self) -> Shape {
        match self {
            Self::Computed(column) => column.shape(),
            Self::Given(_) => Shape::Value,
        }
    }

    /// The type of its rows: unsigned integers, or if `signed`, signed ones of as many bits. Lists are `LargeList`s
    /// of these, with offsets of 64 bits, so that an array can have any number of rows.
    #[must_use]
    pub fn data_type(self, signed: bool) -> DataType {
        let element = match (self.element(), signed) {
            (Element::U8, false) => DataType::UInt8,
            (Element::U16, false) => DataType::UInt16,
            (Element::U32, false) => DataType::UInt32,
            (Element::U64, false) => DataType::UInt64,
            (Element::U8, true) | (Element::I8, _) => DataType::Int8,
            (Element::U16, true) => DataType::Int16,
            (Element::U32, true) | (Element::I32, _) => DataType::Int32,
            (Element::U64, true) => DataType::Int64,
            (Element::Text, _) => DataType::Utf8,
        };
        match self.shape() {
            Shape::Value => element,
            Shape::List => DataType::LargeList(item(element)),
            Shape::Array(length) => DataType::FixedSizeList(item(element), length as i32),
        }
    }

    /// Whether each row is a set of squares, a1 = bit 0 to h8 = bit 63.
    #[must_use]
    pub fn is_board(self) -> bool {
        let is_value = matches!(self.shape(), Shape::Value);
        is_value && self.element() == Element::U64 && self != Self::Given(Given::Line)
    }

    /// Whether few values come again and again, so that a dictionary makes a file smaller.
    #[must_use]
    pub const fn has_few_values(self) -> bool {
        match self {
            Self::Computed(column) => column.has_few_values(),
            Self::Given(given) => !matches!(
                given,
                Given::Fen
                    | Given::Line
                    | Given::Rest
                    | Given::Role(Role::Pawn)
                    | Given::White
                    | Given::Black
            ),
        }
    }

    /// Whether a row can be null though it has a position.
    pub(crate) const fn is_nullable(self) -> bool {
        match self {
            Self::Computed(column) => column.is_nullable(),
            Self::Given(given) => matches!(given, Given::EnPassant | Given::Move),
        }
    }

    /// Whether the question has to name a [`FeatureSet`].
    #[must_use]
    pub const fn needs_feature_set(self) -> bool {
        match self {
            Self::Computed(column) => column.needs_feature_set(),
            Self::Given(_) => false,
        }
    }

    /// The column in a schema, with its meaning as metadata under [`DESCRIPTION`].
    pub(crate) fn field(self, signed: bool, nullable: bool, set: Option<&FeatureSet>) -> Field {
        let nullable = (nullable && self != Self::Given(Given::Line)) || self.is_nullable();
        let mut metadata = HashMap::from([(DESCRIPTION.to_owned(), self.meaning().to_owned())]);
        if let (Some(set), true) = (set, self.needs_feature_set()) {
            metadata.insert(FEATURE_SET.to_owned(), set.name().to_owned());
        }
        Field::new(self.name(), self.data_type(signed), nullable).with_metadata(metadata)
    }

    /// What a column of numbers or sets of squares says of one position; none where it is null, a list, text, or
    /// not in a FEN.
    ///
    /// ```
    /// use setwise::Fen;
    /// use setwise_table::Column;
    /// let column: Column = "white_all".parse()?;
    /// assert_eq!(column.value(&Fen::START), Some(0x00ff_ff7e));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(self, fen: &Fen) -> Option<u64> {
        let plan = Query::default().columns([self]).plan(&Input::text()).ok()?;
        plan.first_value(fen)
    }
}

/// The items of a list.
pub(crate) fn item(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new_list_field(data_type, false))
}

impl Catalogue for Column {
    fn all() -> &'static [Self] {
        Self::all()
    }

    fn name(self) -> &'static str {
        self.name()
    }
}

impl From<LibraryColumn> for Column {
    fn from(column: LibraryColumn) -> Self {
        Self::Computed(column)
    }
}

impl From<Given> for Column {
    fn from(given: Given) -> Self {
        Self::Given(given)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Column {
    type Err = SelectionError;

    fn from_str(name: &str) -> Result<Self, SelectionError> {
        match Self::all().iter().find(|column| column.name() == name) {
            Some(column) => Ok(*column),
            None => Err(select::<Self>([name]).err().expect("a pattern is no column's name")),
        }
    }
}
