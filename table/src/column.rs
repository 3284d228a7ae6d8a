//! What can be asked for: the library's columns, its lists, and what a position says itself. One row of a
//! table for each of the latter: name, type and meaning.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use arrow_schema::DataType;
use setwise::columns::UnknownColumn;
use setwise::threats::FeatureSet;
use setwise::{Colour, Role, Shape, ValueType};
use setwise_formats::{Field, Format};

use crate::error::Error;

/// The key under which a field's metadata says what its column means.
pub const DESCRIPTION: &str = "description";

/// The key under which the metadata of a field with [features](Column::Features) says of which set they are.
pub const FEATURE_SET: &str = "feature_set";

/// A column that can be made of positions.
///
/// ```
/// use setwise_table::{Column, Given};
/// let column: Column = "white_all".parse()?;
/// println!("{column}: {}", column.meaning());
/// assert_eq!("en_passant".parse::<Column>()?, Column::Given(Given::EnPassant));
/// # Ok::<(), setwise_table::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// What the library computes.
    Computed(setwise::Column),
    /// Who attacks whom: for each position the list that [`Kernel::threats`](setwise::Kernel::threats) gives,
    /// in its order, a pair as [`Threat::bits`](setwise::threats::Threat::bits) has it.
    Threats,
    /// The inputs that a network has for these threats as a side sees them, in the order that
    /// [`Kernel::features`](setwise::Kernel::features) gives: null unless each side has exactly one king. No name
    /// stands for it, since a name does not say which set.
    Features(&'static FeatureSet, Colour),
    /// What the position says.
    Given(Given),
}

/// What a position says itself: its boards, what a FEN says besides, and last what only packed records say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Given {
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
    /// How good the position is for the side to move, in the unit of the file (mostly centipawns).
    Score,
    /// How the game ended for the side to move: 1 won, 0 drawn, -1 lost.
    Result,
    /// The move that was played or found best, as UCI has it; null if there is none.
    Move,
    /// Half-moves since the start of the game.
    Ply,
    /// The spare bytes of a record, as a little-endian number.
    Extra,
}

/// The types that columns have before anybody asks for signed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    U8,
    U16,
    U32,
    U64,
    /// Signed in any case.
    I8,
    I32,
    Text,
    /// Lists of 16 and of 32 bits.
    ListU16,
    ListU32,
}

impl Given {
    /// All of them, in the order in which programs show them; the eight boards come first, in the order of
    /// the fields of [`Pieces`](setwise::Pieces).
    pub const ALL: &[Self] = &[
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

    /// What the records of a format say besides the pieces, in order.
    ///
    /// ```
    /// use setwise_formats::Format;
    /// use setwise_table::Given;
    /// assert_eq!(Given::of(Format::Bullet), [Given::Score, Given::Result, Given::Extra]);
    /// ```
    #[must_use]
    pub fn of(format: Format) -> Vec<Self> {
        let keeps = format.keeps();
        let kept =
            |given: &Self| Column::Given(*given).needs().is_some_and(|field| keeps.contains(field));
        Self::ALL.iter().copied().filter(kept).collect()
    }

    const fn row(self) -> (&'static str, Width, &'static str) {
        use Width::{I8, I32, Text, U8, U32, U64};
        match self {
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
                ("fullmove_number", U32, "the number of the move, which grows after black's")
            }
            Self::Score => ("score", I32, "how good the position is for the side to move"),
            Self::Result => {
                ("result", I8, "how the game ended for the side to move: 1 won, 0 drawn, -1 lost")
            }
            Self::Move => ("move", Text, "the move that was played or found best, as UCI has it"),
            Self::Ply => ("ply", U32, "half-moves since the start of the game"),
            Self::Extra => ("extra", U32, "spare bytes of the record, as a little-endian number"),
        }
    }
}

impl Column {
    /// Every column that has a name of its own: the library's, the list of threats, then what a position says
    /// itself.
    pub fn all() -> impl Iterator<Item = Self> {
        let given = Given::ALL.iter().copied().map(Self::Given);
        let computed = setwise::Column::ALL.iter().copied();
        let computed = computed.filter(|column| column.shape() == Shape::Value).map(Self::Computed);
        computed.chain([Self::Threats]).chain(given)
    }

    /// The column's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Computed(column) => column.name(),
            Self::Threats => "threats",
            Self::Features(_, Colour::White) => "white_features",
            Self::Features(_, Colour::Black) => "black_features",
            Self::Given(given) => given.row().0,
        }
    }

    /// What the column says, in a line.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Computed(column) => column.meaning(),
            Self::Threats => {
                "who attacks whom: from + 256 * to for each attacked or defended piece"
            }
            Self::Features(_, Colour::White) => {
                "a network's threat inputs as White sees them; null unless each side has one king"
            }
            Self::Features(_, Colour::Black) => {
                "a network's threat inputs as Black sees them; null unless each side has one king"
            }
            Self::Given(given) => given.row().2,
        }
    }

    /// What its rows hold: an unsigned integer, or if `signed`, a signed one of as many bits. Lists are
    /// `LargeList`s of these, with offsets of 64 bits, so that no number of rows is too many for an array.
    #[must_use]
    pub fn data_type(self, signed: bool) -> DataType {
        match (self.width(), signed) {
            (Width::U8, false) => DataType::UInt8,
            (Width::U8, true) => DataType::Int8,
            (Width::U16, false) => DataType::UInt16,
            (Width::U16, true) => DataType::Int16,
            (Width::U32, false) => DataType::UInt32,
            (Width::U32, true) => DataType::Int32,
            (Width::U64, false) => DataType::UInt64,
            (Width::U64, true) => DataType::Int64,
            (Width::I8, _) => DataType::Int8,
            (Width::I32, _) => DataType::Int32,
            (Width::Text, _) => DataType::Utf8,
            (Width::ListU16, false) => DataType::LargeList(item(DataType::UInt16)),
            (Width::ListU16, true) => DataType::LargeList(item(DataType::Int16)),
            (Width::ListU32, false) => DataType::LargeList(item(DataType::UInt32)),
            (Width::ListU32, true) => DataType::LargeList(item(DataType::Int32)),
        }
    }

    pub(crate) const fn width(self) -> Width {
        match self {
            Self::Computed(column) => match column.value_type() {
                ValueType::U64 => Width::U64,
                ValueType::U16 => Width::U16,
                _ => panic!("this crate does not know the type of a column's values"),
            },
            Self::Threats => Width::ListU16,
            Self::Features(..) => Width::ListU32,
            Self::Given(given) => given.row().1,
        }
    }

    /// The column in a schema, with its meaning as metadata under [`DESCRIPTION`].
    ///
    /// ```
    /// use setwise_table::{Column, DESCRIPTION};
    /// let column: Column = "checkers".parse()?;
    /// let field = column.field(true, false);
    /// assert_eq!(*field.data_type(), arrow_schema::DataType::Int64);
    /// assert_eq!(field.metadata()[DESCRIPTION], column.meaning());
    /// # Ok::<(), setwise_table::Error>(())
    /// ```
    #[must_use]
    pub fn field(self, signed: bool, nullable: bool) -> arrow_schema::Field {
        let always =
            matches!(self, Self::Given(Given::EnPassant | Given::Move) | Self::Features(..));
        let mut metadata = HashMap::from([(DESCRIPTION.to_owned(), self.meaning().to_owned())]);
        if let Self::Features(set, _) = self {
            metadata.insert(FEATURE_SET.to_owned(), set.name().to_owned());
        }
        arrow_schema::Field::new(self.name(), self.data_type(signed), nullable || always)
            .with_metadata(metadata)
    }

    /// What of a position has to be known besides the pieces, if anything.
    pub(crate) const fn needs(self) -> Option<Field> {
        match self {
            Self::Computed(column) if column.colour().is_none() => Some(Field::Turn),
            Self::Computed(_) | Self::Threats | Self::Features(..) => None,
            Self::Given(given) => match given {
                Given::Role(_) | Given::White | Given::Black => None,
                Given::Turn => Some(Field::Turn),
                Given::CastlingWhite | Given::CastlingBlack => Some(Field::Castling),
                Given::EnPassant => Some(Field::EnPassant),
                Given::HalfmoveClock => Some(Field::HalfmoveClock),
                Given::FullmoveNumber => Some(Field::FullmoveNumber),
                Given::Score => Some(Field::Score),
                Given::Result => Some(Field::Result),
                Given::Move => Some(Field::Move),
                Given::Ply => Some(Field::Ply),
                Given::Extra => Some(Field::Extra),
            },
        }
    }
}

/// The items of a list.
pub(crate) fn item(data_type: DataType) -> Arc<arrow_schema::Field> {
    Arc::new(arrow_schema::Field::new_list_field(data_type, false))
}

impl From<setwise::Column> for Column {
    fn from(column: setwise::Column) -> Self {
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
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match Given::ALL.iter().find(|given| given.row().0 == name) {
            Some(&given) => Ok(Self::Given(given)),
            None if name == Self::Threats.name() => Ok(Self::Threats),
            None => {
                let unknown = |nearest| Error::UnknownColumn { name: name.to_owned(), nearest };
                let column: setwise::Column = name
                    .parse()
                    .map_err(|error: UnknownColumn| unknown(error.nearest().map(Self::Computed)))?;
                if column.shape() != Shape::Value {
                    return Err(unknown(None));
                }
                Ok(Self::Computed(column))
            }
        }
    }
}
