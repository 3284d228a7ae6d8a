//! The available columns: those that the library computes and those that the input provides. A table defines the name,
//! type and meaning of each input column.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, FieldRef};
use setwise::columns::{Catalogue, PRESETS, Preset, SelectionError, find};
use setwise::{Shape, ValueType};
use setwise_formats::{Field, Fields, Format};
use setwise_nnue::FeatureSet;

/// The metadata key of a field under which the meaning of its column is stored.
pub const DESCRIPTION: &str = "description";

/// The metadata key of a field of network inputs under which the name of the feature set is stored.
pub const FEATURE_SET: &str = "feature_set";

/// A column of a table of positions.
///
/// ```
/// use setwise_table::{Column, InputColumn};
/// let column: Column = "white_all".parse()?;
/// println!("{column}: {}", column.meaning());
/// assert_eq!("en_passant".parse::<Column>()?, Column::Input(InputColumn::EnPassant));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// Computed by the library.
    Computed(setwise_nnue::Column),
    /// A column of the input.
    Input(InputColumn),
    /// The number of squares of a column of sets of squares that the library computes: `white_all_squares`. Patterns
    /// select such columns only if they end with `_squares`.
    Squares(setwise::Column),
}

/// What the name of a column of sets is followed by in the name of its numbers of squares.
const SQUARES: &str = "_squares";

/// The descriptions of [`Column::Squares`].
static SQUARES_OF: LazyLock<Vec<(setwise::Column, Description)>> = LazyLock::new(|| {
    let is_set = |column: &&setwise::Column| {
        matches!(column.shape(), Shape::Value) && column.value_type() == ValueType::U64
    };
    let describe = |&column: &setwise::Column| {
        let name = format!("{column}{SQUARES}").leak();
        let meaning = format!("number of squares of `{column}`").leak();
        (column, Description::new(name, meaning, DataType::UInt8))
    };
    setwise::Column::ALL.iter().filter(is_set).map(describe).collect()
});

/// What a column is, and how it is built as Arrow.
#[derive(Clone)]
struct Description {
    name: &'static str,
    meaning: &'static str,
    /// The type of the numbers or texts, regardless of the option for signed integers.
    element: DataType,
    shape: Shape,
    /// The corresponding field of packed records.
    field: Option<Field>,
    /// True if rows that have a position can be null.
    nullable: bool,
    /// True if most values differ, so that a dictionary would make files larger.
    distinct: bool,
}

impl Description {
    const fn new(name: &'static str, meaning: &'static str, element: DataType) -> Self {
        let (shape, field, nullable, distinct) = (Shape::Value, None, false, false);
        Self { name, meaning, element, shape, field, nullable, distinct }
    }

    fn of_computed(column: setwise_nnue::Column) -> Self {
        let element = match column.value_type() {
            ValueType::U8 => DataType::UInt8,
            ValueType::U16 => DataType::UInt16,
            ValueType::U32 => DataType::UInt32,
            ValueType::U64 => DataType::UInt64,
            _ => panic!("this crate does not know the type of a column's values"),
        };
        Self {
            shape: column.shape(),
            nullable: column.is_nullable(),
            distinct: !column.has_few_values(),
            ..Self::new(column.name(), column.meaning(), element)
        }
    }
}

/// Generates [`InputColumn`] and [`INPUT`] from a table: variant, name, type, the corresponding field of packed records,
/// flags, and meaning.
macro_rules! input_columns {
    ($($variant:ident $name:literal $element:ident $([$field:ident])? $(, $flag:ident)* : $meaning:literal;)*) => {
        /// Data that an input provides for a position: its text, its boards, the other fields of a FEN, and data of
        /// games and packed records.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum InputColumn {
            $(#[doc = concat!("`", $name, "`: ", $meaning, ".")] $variant,)*
        }

        impl InputColumn {
            /// All input columns, in the order in which programs list them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];
        }

        /// The descriptions of [`InputColumn::ALL`].
        const INPUT: &[Description] = &[$({
            #[allow(unused_mut)]
            let mut row = Description::new($name, $meaning, DataType::$element);
            $(row.field = Some(Field::$field);)?
            $(row.$flag = true;)*
            row
        },)*];
    };
}

input_columns! {
    Fen "fen" Utf8, distinct: "the text of the position; for a packed record, its FEN";
    Line "line" UInt64, distinct: "number of the line, row or record in its input, counted from 1";
    Rest "rest" Utf8, distinct: "the text after the position, such as EPD operations";
    Pawns "pawns" UInt64, distinct: "pawns of both colours";
    Knights "knights" UInt64: "knights of both colours";
    Bishops "bishops" UInt64: "bishops of both colours";
    Rooks "rooks" UInt64: "rooks of both colours";
    Queens "queens" UInt64: "queens of both colours";
    Kings "kings" UInt64: "kings of both colours";
    White "white" UInt64, distinct: "all white pieces";
    Black "black" UInt64, distinct: "all black pieces";
    PieceCount "piece_count" UInt8: "number of pieces on the board, kings included";
    Material "material" Int32:
        "white's material minus black's: pawn 1, knight and bishop 3, rook 5, queen 9";
    Turn "turn" UInt8 [Turn]: "the side to move: 0 = white, 1 = black";
    CastlingWhite "castling_white" UInt8 [Castling]: "files of white's castling rooks, a = bit 0 to h = bit 7";
    CastlingBlack "castling_black" UInt8 [Castling]: "files of black's castling rooks, a = bit 0 to h = bit 7";
    EnPassant "en_passant" UInt8 [EnPassant], nullable:
        "the square that a pawn has just crossed with a double step, 0 = a1 to 63 = h8; null if there is none";
    HalfmoveClock "halfmove_clock" UInt32 [HalfmoveClock]: "half-moves since the last capture or pawn move";
    FullmoveNumber "fullmove_number" UInt32 [FullmoveNumber]: "move number, which increases after black's move";
    Score "score" Int32 [Score]: "evaluation for the side to move, usually in centipawns";
    Result "result" Int8 [Result]: "result of the game for the side to move: 1 = win, 0 = draw, -1 = loss";
    Move "move" Utf8 [Move], nullable: "the move played or found best, in UCI notation; null if there is none";
    Capture "capture" UInt8: "1 if the move captures a piece, including en passant; otherwise 0";
    EnPassantCapture "en_passant_capture" UInt8: "1 if the move captures en passant; otherwise 0";
    See "see" Int16, nullable:
        "centipawns that the move wins if both sides go on capturing on its square (pawn 100, knight and bishop 300, rook 500, queen 900); null if there is no move";
    Promotion "promotion" UInt8: "1 if the move promotes a pawn; otherwise 0";
    Ply "ply" UInt32 [Ply]: "half-moves since the start of the game";
    Variation "variation" UInt32: "number of the variation in its game, in order of their starts; 0 for the main line";
    Extra "extra" UInt32 [Extra]: "spare bytes of the record, as a little-endian number";
    GameHash "game_hash" UInt64, distinct:
        "a hash of the game, or of the position if the input has no games; the same in every run";
    Game "game" UInt64: "number of the game in its input, from 1";
    San "san" Utf8, nullable: "the move as written in the text of the game; null if there is none";
    Clock "clock" Float64, nullable: "[%clk] in seconds: the time left to the side that has just moved; null if missing";
    Elapsed "elapsed" Float64, nullable:
        "seconds that the last move took: [%emt], or an engine's comment (+0.31/12 1.2s); null if missing";
    Eval "eval" Int32, nullable:
        "[%eval] of this position, or an engine's comment, in centipawns for white; null if missing or a mate";
    Mate "mate" Int32, nullable: "moves to mate by this evaluation, negative if black mates; null if it is not a mate";
    Depth "depth" UInt32, nullable: "depth of the search in an engine's comment (+0.31/12 1.2s); null if missing";
}

impl InputColumn {
    /// The eight boards, in the order of [`Pieces::sets`](setwise::Pieces::sets).
    pub const BOARDS: [Self; 8] = [
        Self::Pawns,
        Self::Knights,
        Self::Bishops,
        Self::Rooks,
        Self::Queens,
        Self::Kings,
        Self::White,
        Self::Black,
    ];

    /// The fields of a FEN other than the boards.
    pub const STATE: [Self; 6] = [
        Self::Turn,
        Self::CastlingWhite,
        Self::CastlingBlack,
        Self::EnPassant,
        Self::HalfmoveClock,
        Self::FullmoveNumber,
    ];

    /// What is computed from the move of a position.
    pub(crate) const OF_MOVES: [Self; 4] =
        [Self::Capture, Self::EnPassantCapture, Self::Promotion, Self::See];

    /// The label that a column with this name is or needs: the move for `capture`.
    #[must_use]
    pub fn label_of(name: &str) -> Option<Self> {
        let column =
            Self::ALL.iter().copied().find(|&column| Column::Input(column).name() == name)?;
        match column {
            Self::Score | Self::Result | Self::Move => Some(column),
            other => Self::OF_MOVES.contains(&other).then_some(Self::Move),
        }
    }

    /// The data of games for each position, in order, other than the position itself.
    pub(crate) const OF_GAMES: [Self; 9] = [
        Self::Game,
        Self::Ply,
        Self::Move,
        Self::San,
        Self::Clock,
        Self::Elapsed,
        Self::Eval,
        Self::Mate,
        Self::Result,
    ];

    /// The data in the records of a format, in order, other than the pieces.
    ///
    /// ```
    /// use setwise_formats::Format;
    /// use setwise_table::InputColumn;
    /// assert_eq!(InputColumn::in_format(Format::Bullet), [InputColumn::Score, InputColumn::Result, InputColumn::Extra]);
    /// ```
    #[must_use]
    pub fn in_format(format: Format) -> Vec<Self> {
        let fields = format.keeps();
        let is_stored = |column: &Self| {
            INPUT[*column as usize].field.is_some_and(|field| fields.contains(field))
        };
        Self::ALL.iter().copied().filter(is_stored).collect()
    }
}

/// Returns the fields of the records of a format: those that it stores, and the ply of formats that number the moves.
#[must_use]
pub fn known_fields(format: Format) -> Fields {
    let stored = format.keeps();
    match stored.contains(Field::FullmoveNumber) {
        true => stored.union(Fields::of(&[Field::Ply])),
        false => stored,
    }
}

impl Column {
    /// All columns: those of the input, then those of the library.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Column>> = LazyLock::new(|| {
            let column = InputColumn::ALL.iter().copied().map(Column::Input);
            let computed = setwise_nnue::Column::ALL.iter().copied().map(Column::Computed);
            let squares = SQUARES_OF.iter().map(|(column, _)| Column::Squares(*column));
            column.chain(computed).chain(squares).collect()
        });
        &ALL
    }

    fn description(self) -> Description {
        match self {
            Self::Computed(column) => Description::of_computed(column),
            Self::Input(column) => INPUT[column as usize].clone(),
            Self::Squares(column) => {
                let found = SQUARES_OF.iter().find(|(of, _)| *of == column);
                found.expect("a column of sets").1.clone()
            }
        }
    }

    /// The column's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// The meaning of the column, in one line.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.description().meaning
    }

    /// The type of the numbers or texts, regardless of the option for signed integers.
    pub(crate) fn element(self) -> DataType {
        self.description().element
    }

    pub(crate) fn is_text(self) -> bool {
        self.element() == DataType::Utf8
    }

    /// The size of an element in bytes; 0 for text.
    pub(crate) fn width(self) -> usize {
        self.element().primitive_width().unwrap_or(0)
    }

    /// The size of the values in a row, in bytes; `None` if the column is a list or text.
    pub(crate) fn row_bytes(self) -> Option<usize> {
        match self.shape() {
            Shape::Value if !self.is_text() => Some(self.width()),
            Shape::Array(length) => Some(length * self.width()),
            _ => None,
        }
    }

    /// The shape of the rows: single values, lists, or arrays of one length.
    #[must_use]
    pub fn shape(self) -> Shape {
        self.description().shape
    }

    /// The Arrow type of the column: unsigned integers, or signed integers of the same size if `signed`. Lists are
    /// `LargeList`s of these, with 64-bit offsets, so that an array can have any number of rows.
    #[must_use]
    pub fn data_type(self, signed: bool) -> DataType {
        let element = match (self.element(), signed) {
            (DataType::UInt8, true) => DataType::Int8,
            (DataType::UInt16, true) => DataType::Int16,
            (DataType::UInt32, true) => DataType::Int32,
            (DataType::UInt64, true) => DataType::Int64,
            (element, _) => element,
        };
        match self.shape() {
            Shape::Value => element,
            Shape::Array(length) => DataType::FixedSizeList(item(element), length as i32),
            _ => DataType::LargeList(item(element)),
        }
    }

    /// Returns whether each row is a set of squares, a1 = bit 0 to h8 = bit 63.
    #[must_use]
    pub fn is_board(self) -> bool {
        let is_value = matches!(self.shape(), Shape::Value);
        let is_number = matches!(
            self,
            Self::Input(InputColumn::Line | InputColumn::Game | InputColumn::GameHash)
        );
        is_value && self.element() == DataType::UInt64 && !is_number
    }

    /// Returns whether the column has few distinct values, so that a dictionary makes files smaller.
    #[must_use]
    pub fn has_few_values(self) -> bool {
        !self.description().distinct
    }

    /// Returns whether the column can be null in a row that has a position.
    #[must_use]
    pub fn is_nullable(self) -> bool {
        self.description().nullable
    }

    /// Returns whether the query must name a [`FeatureSet`].
    #[must_use]
    pub const fn needs_feature_set(self) -> bool {
        matches!(self, Self::Computed(column) if column.needs_feature_set())
    }

    /// The field of the column in a schema, with its meaning as metadata under [`DESCRIPTION`].
    pub(crate) fn field(
        self,
        signed: bool,
        nullable: bool,
        set: Option<&FeatureSet>,
    ) -> arrow_schema::Field {
        let nullable = (nullable && self != Self::Input(InputColumn::Line)) || self.is_nullable();
        let mut metadata = HashMap::from([(DESCRIPTION.to_owned(), self.meaning().to_owned())]);
        if let (Some(set), true) = (set, self.needs_feature_set()) {
            metadata.insert(FEATURE_SET.to_owned(), set.name().to_owned());
        }
        arrow_schema::Field::new(self.name(), self.data_type(signed), nullable)
            .with_metadata(metadata)
    }
}

pub(crate) fn item(data_type: DataType) -> FieldRef {
    Arc::new(arrow_schema::Field::new_list_field(data_type, false))
}

impl Catalogue for Column {
    fn all() -> &'static [Self] {
        Self::all()
    }

    fn name(self) -> &'static str {
        self.name()
    }

    fn is_in_pattern(self, pattern: &str) -> bool {
        !matches!(self, Self::Squares(_)) || pattern.ends_with(SQUARES)
    }

    /// Presets contain only data that every input has. The side to move is an exception: boards can lack it.
    fn is_in_presets(self) -> bool {
        match self {
            Self::Computed(column) => column.is_in_presets(),
            Self::Squares(_) => false,
            Self::Input(column) => {
                column == InputColumn::Turn || InputColumn::BOARDS.contains(&column)
            }
        }
    }

    fn presets() -> &'static [Preset] {
        static ALL: LazyLock<Vec<Preset>> = LazyLock::new(|| {
            let patterns = &[
                "pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black", "turn",
            ];
            let board = Preset { name: "board", patterns, meaning: "the position itself" };
            PRESETS.iter().copied().chain([board]).collect()
        });
        &ALL
    }
}

impl From<setwise::Column> for Column {
    fn from(column: setwise::Column) -> Self {
        Self::Computed(column.into())
    }
}

impl From<setwise_nnue::Column> for Column {
    fn from(column: setwise_nnue::Column) -> Self {
        Self::Computed(column)
    }
}

impl From<InputColumn> for Column {
    fn from(column: InputColumn) -> Self {
        Self::Input(column)
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
        find(name)
    }
}
