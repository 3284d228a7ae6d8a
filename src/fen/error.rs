//! Errors in FEN or EPD, with their column.

use core::fmt;

/// An error in a line of FEN or EPD.
///
/// It displays as a sentence without the column, so that a program can write `file:line:column: message`. The alternate
/// form `{:#}` starts with the column.
///
/// ```
/// use setwise::Fen;
/// let error = Fen::parse("8/8/8/8/8/8/8/8 w - e4 0 1").unwrap_err();
/// assert_eq!(error.column(), 22);
/// assert_eq!(error.to_string(), "expected rank 3 or 6 for the en passant square, found '4'");
/// assert_eq!(format!("{error:#}"), format!("column 22: {error}"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FenError {
    pub(super) column: usize,
    pub(super) problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Problem {
    /// The expected text, and the text found.
    Expected(&'static str, Found),
    Files {
        rank: u8,
        files: usize,
    },
    Ranks(u8),
    /// A castling right that is given twice.
    Repeated(Found),
    TooLarge(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Found {
    Character(char),
    /// A byte that does not begin a UTF-8 character.
    Byte(u8),
    End,
}

impl FenError {
    /// The column of the first wrong character, counted in characters from 1. If something is missing, this is the
    /// column where it should be.
    ///
    /// A character of several bytes in UTF-8 counts as one column, and so does a tab.
    #[inline]
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "column {}: ", self.column)?;
        }
        match self.problem {
            Problem::Expected(what, found) => write!(f, "expected {what}, found {found}"),
            Problem::Files { rank, files: 1 } => write!(f, "rank {rank} has 1 file, expected 8"),
            Problem::Files { rank, files } => {
                write!(f, "rank {rank} has {files} files, expected 8")
            }
            Problem::Ranks(9) => f.write_str("expected 8 ranks, found a ninth"),
            Problem::Ranks(ranks) => write!(f, "expected 8 ranks, found {ranks}"),
            Problem::Repeated(found) => {
                write!(f, "expected each castling right once, found {found} again")
            }
            Problem::TooLarge(what) => write!(f, "expected {what} up to {}, found more", u32::MAX),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(character) => write!(f, "{character:?}"),
            Self::Byte(byte) => write!(f, "the byte 0x{byte:02x}"),
            Self::End => f.write_str("the end of the line"),
        }
    }
}

impl core::error::Error for FenError {}
