//! Why a loader has no batch.

use std::io;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use setwise_nnue::FeatureError;
use setwise_table::Error;

use crate::error::{raised, wrong};

/// Why there is no batch.
pub(super) enum Failed {
    Table(Error),
    File(PathBuf, io::Error),
    Width { row: usize, found: usize },
    Features(FeatureError),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Table(error)
    }
}

impl Failed {
    /// A failure to read a file, or an exception of Python's, which reads tables.
    pub(super) fn of(path: &Path, error: io::Error) -> Self {
        match error.get_ref() {
            Some(one) if one.is::<PyErr>() => Self::Table(Error::Io(error)),
            _ => Self::File(path.to_owned(), error),
        }
    }

    pub(super) fn raised(self, py: Python<'_>, padded: Option<usize>) -> PyErr {
        match self {
            Self::Table(Error::Io(error))
                if error.get_ref().is_some_and(|one| one.is::<PyErr>()) =>
            {
                error.into()
            }
            Self::Table(error) => raised(py, error),
            Self::File(path, error) => PyOSError::new_err(format!("{}: {error}", path.display())),
            Self::Width { row, found } => wrong(format!(
                "row {row} of the batch has {found} inputs, and `padded` is {}",
                padded.unwrap_or(0)
            )),
            Self::Features(error) => wrong(error),
        }
    }
}
