//! The formats: their names, and the data that each of them stores for a position and its game.

use std::fmt;
use std::str::FromStr;

use setwise::UnknownName;

/// A packed format.
///
/// ```
/// use setwise_formats::{Field, Fields, Format};
/// assert!(Format::Marlin.keeps().contains(Field::Score));
/// let lost = Format::Binpack.keeps().without(Format::Marlin.keeps());
/// assert_eq!(lost.to_string(), "move, ply");
/// // The fields that a conversion from marlinformat to FEN loses, and those that the reverse must invent:
/// let marlin = Format::Marlin.keeps();
/// assert_eq!(marlin.without(Fields::FEN).to_string(), "score, result, extra");
/// assert_eq!(Fields::FEN.without(marlin), Fields::NONE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// bulletformat: 32 bytes per position, from the point of view of the side to move.
    Bullet,
    /// marlinformat: 32 bytes per position.
    Marlin,
    /// viriformat: each game is a marlinformat record followed by 4 bytes per move.
    Viri,
    /// PackedSfenValue, the `.bin` of Stockfish's tools: 40 bytes per position.
    PackedSfen,
    /// Stockfish's `.binpack`: games in blocks, two to three bytes per position.
    Binpack,
    /// Stockfish's `.plain`: six lines of text per position.
    Plain,
    /// Training chunks of Leela Chess Zero, version 6 or 7.
    Lc0,
}

impl Format {
    /// All formats.
    pub const ALL: &[Self] = &[
        Self::Bullet,
        Self::Marlin,
        Self::Viri,
        Self::PackedSfen,
        Self::Binpack,
        Self::Plain,
        Self::Lc0,
    ];

    /// The names of [`ALL`](Self::ALL).
    const NAMES: [&str; 7] = ["bullet", "marlin", "viri", "bin", "binpack", "plain", "lc0"];

    /// The short name: `bullet`, `marlin`, `viri`, `bin`, `binpack`, `plain`, `lc0`. [`FromStr`] parses it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The file extensions, without the dot.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Bullet => &["bullet", "data"],
            Self::Marlin => &["marlin"],
            Self::Viri => &["vf", "viri"],
            Self::PackedSfen => &["bin"],
            Self::Binpack => &["binpack"],
            Self::Plain => &["plain"],
            Self::Lc0 => &["lc0", "tar", "tgz"],
        }
    }

    /// The format with a file extension, in upper or lower case; `None` if no format has it.
    ///
    /// ```
    /// use setwise_formats::Format;
    /// assert_eq!(Format::from_extension("vf"), Some(Format::Viri));
    /// assert_eq!(Format::from_extension("epd"), None);
    /// ```
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let known = |format: &Self| {
            format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension))
        };
        Self::ALL.iter().copied().find(known)
    }

    /// Returns whether the format stores games as moves. In such a format, the writer writes whole games.
    #[must_use]
    pub const fn has_games(self) -> bool {
        matches!(self, Self::Viri | Self::Binpack)
    }

    /// The size of a record in bytes, if all records have the same size. A file of `n` bytes then has `n / size`
    /// positions.
    ///
    /// ```
    /// use setwise_formats::Format;
    /// assert_eq!(Format::PackedSfen.record_size(), Some(40));
    /// assert_eq!(Format::Binpack.record_size(), None);
    /// ```
    #[must_use]
    pub const fn record_size(self) -> Option<usize> {
        match self {
            Self::Bullet | Self::Marlin => Some(32),
            Self::PackedSfen => Some(40),
            Self::Viri | Self::Binpack | Self::Plain | Self::Lc0 => None,
        }
    }

    /// The fields that the format stores in addition to the pieces. [`Records`](crate::Records) has rows in these
    /// columns.
    ///
    /// Formats that store a field may differ in its range: PackedSfenValue stores castling only with rooks in corners
    /// and a halfmove clock of at most 127, marlinformat a clock of at most 255. The writer returns an error for a row
    /// with a value that does not fit.
    #[must_use]
    pub const fn keeps(self) -> Fields {
        use Field::{Castling, EnPassant, Extra, FullmoveNumber, HalfmoveClock, Move, Ply, Turn};
        const GAME: Fields = Fields::of(&[Field::Score, Field::Result]);
        const POSITION: Fields =
            GAME.union(Fields::of(&[Turn, Castling, EnPassant, HalfmoveClock]));
        match self {
            Self::Bullet => GAME.union(Fields::of(&[Extra])),
            Self::Marlin => POSITION.union(Fields::of(&[FullmoveNumber, Extra])),
            Self::Viri => POSITION.union(Fields::of(&[FullmoveNumber, Move])),
            Self::PackedSfen => Fields::ALL,
            Self::Plain => Fields::ALL.without(Fields::of(&[Extra])),
            Self::Lc0 => POSITION.union(Fields::of(&[Move])),
            Self::Binpack => POSITION.union(Fields::of(&[Move, Ply])),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.iter().copied().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownName::new("format", name, &Self::NAMES))
    }
}

/// An error for a format that a [`Writer`](crate::Writer) cannot write.
///
/// ```
/// use setwise_formats::{Format, Writer};
/// let error = Writer::new(Format::Lc0, Vec::new()).unwrap_err();
/// assert_eq!(error.to_string(), "`lc0` is only read");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWritable(pub Format);

impl fmt::Display for NotWritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is only read", self.0)
    }
}

impl std::error::Error for NotWritable {}

/// A field that a format may store in addition to the pieces; each is a column of [`Records`](crate::Records).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Field {
    /// The side to move.
    Turn,
    /// Castling rights.
    Castling,
    /// The en passant square.
    EnPassant,
    /// Half-moves since the last capture or pawn move.
    HalfmoveClock,
    /// The move number.
    FullmoveNumber,
    /// The score.
    Score,
    /// The result of the game.
    Result,
    /// The move.
    Move,
    /// Half-moves since the start.
    Ply,
    /// Spare bytes.
    Extra,
}

impl Field {
    /// All fields.
    pub const ALL: &[Self] = &[
        Self::Turn,
        Self::Castling,
        Self::EnPassant,
        Self::HalfmoveClock,
        Self::FullmoveNumber,
        Self::Score,
        Self::Result,
        Self::Move,
        Self::Ply,
        Self::Extra,
    ];

    /// The short name, such as `halfmove_clock`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        #[rustfmt::skip]
        const NAMES: [&str; Field::ALL.len()] = [
            "turn", "castling", "en_passant", "halfmove_clock", "fullmove_number", "score", "result", "move", "ply", "extra",
        ];
        NAMES[self as usize]
    }
}

/// A set of fields. It is displayed as their names, separated by commas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fields(u16);

impl Fields {
    /// No fields.
    pub const NONE: Self = Self(0);

    /// Every field.
    pub const ALL: Self = Self::of(Field::ALL);

    /// The fields of a FEN.
    pub const FEN: Self = Self::of(&[
        Field::Turn,
        Field::Castling,
        Field::EnPassant,
        Field::HalfmoveClock,
        Field::FullmoveNumber,
    ]);

    /// Creates a set of fields.
    #[must_use]
    pub const fn of(fields: &[Field]) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < fields.len() {
            set |= 1 << fields[i] as u16;
            i += 1;
        }
        Self(set)
    }

    /// The fields of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The fields that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether the set contains a field.
    #[must_use]
    pub const fn contains(self, field: Field) -> bool {
        self.0 >> field as u16 & 1 == 1
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The fields, in the order of [`Field::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Field> {
        Field::ALL.iter().copied().filter(move |&field| self.contains(field))
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(Field::name).collect::<Vec<_>>().join(", "))
    }
}
