//! Errors of a loader.

use std::fmt;
use std::io;
use std::path::Path;

/// The reason why a loader failed. Its message is one line, which names the file and the row, or the option.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// An option, a state or the structure of a file is invalid, as described.
    Invalid(String),
    /// A file cannot be read, or a row is invalid.
    Rows(setwise_table::Error),
}

impl Error {
    /// Returns an error with this message.
    pub(crate) fn invalid(message: impl fmt::Display) -> Self {
        Self::Invalid(message.to_string())
    }

    /// Adds the path of the file to a read error.
    pub(crate) fn reading(path: &Path, error: io::Error) -> Self {
        Self::from(io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message) => f.write_str(message),
            Self::Rows(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<setwise_table::Error> for Error {
    fn from(error: setwise_table::Error) -> Self {
        Self::Rows(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Rows(setwise_table::Error::Io(error))
    }
}
