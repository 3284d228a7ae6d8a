//! The available columns: those that the library computes and those that the input provides. A table defines the name,
//! type and meaning of each input column.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, FieldRef};
use setwise::columns::{Catalogue, Description, Preset, SelectionError, select};
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
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
    let describe = |column: setwise::Column| {
        let name = format!("{column}{SQUARES}").leak();
        let meaning = format!("number of squares of `{column}`").leak();
        (column, Description::new(name, meaning, ValueType::U8, Shape::Value))
    };
    let is_set = |&column: &setwise::Column| Column::from(column).is_board();
    setwise::Column::ALL.iter().copied().filter(is_set).map(describe).collect()
});

/// Generates [`InputColumn`] and [`INPUT`] from a table: variant, name, type, other facts of its [`Description`], and
/// meaning.
macro_rules! input_columns {
    ($($variant:ident $name:literal $value:ident $(, $fact:ident = $is:literal)*: $meaning:literal;)*) => {
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
        static INPUT: &[Description] = &[$(
            Description {
                $($fact: $is,)*
                ..Description::new($name, $meaning, ValueType::$value, Shape::Value)
            },
        )*];
    };
}

input_columns! {
    Fen "fen" Text, few_values = false: "the text of the position; for a packed record, its FEN";
    Line "line" U64, few_values = false: "number of the line, row or record in its input, counted from 1";
    Rest "rest" Text, few_values = false: "the text after the position, such as EPD operations";
    Pawns "pawns" U64, few_values = false: "pawns of both colours";
    Knights "knights" U64: "knights of both colours";
    Bishops "bishops" U64: "bishops of both colours";
    Rooks "rooks" U64: "rooks of both colours";
    Queens "queens" U64: "queens of both colours";
    Kings "kings" U64: "kings of both colours";
    White "white" U64, few_values = false: "all white pieces";
    Black "black" U64, few_values = false: "all black pieces";
    PieceCount "piece_count" U8: "number of pieces on the board, kings included";
    Material "material" I32: "white's material minus black's: pawn 1, knight and bishop 3, rook 5, queen 9";
    Turn "turn" U8: "the side to move: 0 = white, 1 = black";
    CastlingWhite "castling_white" U8: "files of white's castling rooks, a = bit 0 to h = bit 7";
    CastlingBlack "castling_black" U8: "files of black's castling rooks, a = bit 0 to h = bit 7";
    EnPassant "en_passant" U8, nullable = true:
        "the square that a pawn has just crossed with a double step, 0 = a1 to 63 = h8; null if there is none";
    HalfmoveClock "halfmove_clock" U32: "half-moves since the last capture or pawn move";
    FullmoveNumber "fullmove_number" U32: "move number, which increases after black's move";
    Score "score" I32: "evaluation for the side to move, usually in centipawns";
    Result "result" I8: "result of the game for the side to move: 1 = win, 0 = draw, -1 = loss";
    Move "move" Text, nullable = true: "the move played or found best, in UCI notation; null if there is none";
    Capture "capture" U8: "1 if the move captures a piece, including en passant; otherwise 0";
    EnPassantCapture "en_passant_capture" U8: "1 if the move captures en passant; otherwise 0";
    See "see" I16, nullable = true:
        "centipawns that the move wins if both sides go on capturing on its square (pawn 100, knight and bishop 300, rook 500, queen 900); null if there is no move";
    Promotion "promotion" U8: "1 if the move promotes a pawn; otherwise 0";
    Ply "ply" U32: "half-moves since the start of the game";
    Variation "variation" U32: "number of the variation in its game, in order of their starts; 0 for the main line";
    Extra "extra" U32: "spare bytes of the record, as a little-endian number";
    GameHash "game_hash" U64, few_values = false:
        "a hash of the game, or of the position if the input has no games; the same in every run";
    Game "game" U64: "number of the game in its input, from 1";
    San "san" Text, nullable = true: "the move as written in the text of the game; null if there is none";
    Clock "clock" F64, nullable = true:
        "[%clk] in seconds: the time left to the side that has just moved; null if missing";
    Elapsed "elapsed" F64, nullable = true:
        "seconds that the last move took: [%emt], or an engine's comment (+0.31/12 1.2s); null if missing";
    Eval "eval" I32, nullable = true:
        "[%eval] of this position, or an engine's comment, in centipawns for white; null if missing or a mate";
    Mate "mate" I32, nullable = true:
        "moves to mate by this evaluation, negative if black mates; null if it is not a mate";
    Depth "depth" U32, nullable = true: "depth of the search that gave the evaluation: [%eval 0.17,23], or an engine's comment (+0.31/12 1.2s); null if missing";
}

impl InputColumn {
    /// The eight boards, in the order of [`Pieces::sets`](setwise::Pieces::sets).
    pub const BOARDS: [Self; 8] = {
        use InputColumn::*;
        [Pawns, Knights, Bishops, Rooks, Queens, Kings, White, Black]
    };

    /// The fields of a FEN other than the boards.
    pub const STATE: [Self; 6] = {
        use InputColumn::*;
        [Turn, CastlingWhite, CastlingBlack, EnPassant, HalfmoveClock, FullmoveNumber]
    };

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
    pub(crate) const OF_GAMES: [Self; 9] = {
        use InputColumn::*;
        [Game, Ply, Move, San, Clock, Elapsed, Eval, Mate, Result]
    };

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
            let name = match column {
                Self::CastlingWhite | Self::CastlingBlack => "castling",
                _ => INPUT[*column as usize].name,
            };
            fields.iter().any(|field| field.name() == name)
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
    /// Selects columns by names, patterns and presets, as [`select`] does. Returns also those that only patterns select:
    /// [`Query::optional`](crate::Query).
    ///
    /// # Errors
    /// As [`select`].
    pub fn select(names: &[impl AsRef<str>]) -> Result<(Vec<Self>, Vec<Self>), SelectionError> {
        let columns = select::<Self>(names)?;
        let is_pattern = |name: &&str| name.contains('*');
        let named = names.iter().map(AsRef::as_ref).filter(|name| !is_pattern(name));
        let named = select::<Self>(named)?;
        let optional = columns.iter().copied().filter(|column| !named.contains(column)).collect();
        Ok((columns, optional))
    }

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

    pub(crate) fn is_text(self) -> bool {
        self.value_type() == ValueType::Text
    }

    /// The size of the values in a row, in bytes; `None` if the column is a list or text.
    pub(crate) fn row_bytes(self) -> Option<usize> {
        match self.shape() {
            Shape::Value if !self.is_text() => Some(self.value_type().bytes()),
            Shape::Array(length) => Some(length * self.value_type().bytes()),
            _ => None,
        }
    }

    /// The Arrow type of the column: unsigned integers, or signed integers of the same size if `signed`. Lists are
    /// `LargeList`s of these, with 64-bit offsets, so that an array can have any number of rows.
    #[must_use]
    pub fn data_type(self, signed: bool) -> DataType {
        let element = match (self.value_type(), signed) {
            (ValueType::U8, false) => DataType::UInt8,
            (ValueType::U16, false) => DataType::UInt16,
            (ValueType::U32, false) => DataType::UInt32,
            (ValueType::U64, false) => DataType::UInt64,
            (ValueType::U8 | ValueType::I8, _) => DataType::Int8,
            (ValueType::U16 | ValueType::I16, _) => DataType::Int16,
            (ValueType::U32 | ValueType::I32, _) => DataType::Int32,
            (ValueType::U64, true) => DataType::Int64,
            (ValueType::F64, _) => DataType::Float64,
            (ValueType::Text, _) => DataType::Utf8,
            (other, _) => unreachable!("`{self}` has values of type {other}"),
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
        use InputColumn::{Game, GameHash, Line};
        let is_number = matches!(self, Self::Input(Line | Game | GameHash));
        self.shape() == Shape::Value && self.value_type() == ValueType::U64 && !is_number
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

setwise::described!(Column);

impl Catalogue for Column {
    const OWN_PRESETS: &'static [Preset] = &[Preset {
        name: "board",
        patterns: &[
            "pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black", "turn",
        ],
        meaning: "the position itself; `all` has these columns, too",
    }];

    fn all() -> &'static [Self] {
        Self::all()
    }

    fn description(self) -> &'static Description {
        match self {
            Self::Computed(column) => column.description(),
            Self::Input(column) => &INPUT[column as usize],
            Self::Squares(column) => {
                let found = SQUARES_OF.iter().find(|(of, _)| *of == column);
                &found.expect("a column of sets").1
            }
        }
    }

    /// Patterns contain numbers of squares and the inputs of networks only if they name them, and `*` alone is the preset
    /// `all`.
    fn is_in_pattern(self, pattern: &str) -> bool {
        match self {
            Self::Squares(_) => pattern.ends_with(SQUARES),
            _ if self.needs_feature_set() => pattern.ends_with("features"),
            _ => pattern != "*" || self.is_in_presets(),
        }
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
}

impl<C: Into<setwise_nnue::Column>> From<C> for Column {
    fn from(column: C) -> Self {
        Self::Computed(column.into())
    }
}

impl From<InputColumn> for Column {
    fn from(column: InputColumn) -> Self {
        Self::Input(column)
    }
}
