//! Why a loader has no batch.

use std::io;
use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use setwise_nnue::FeatureError;
use setwise_table::Error;

use crate::error::raised;
use crate::query::wrong;

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
    pub(super) fn raised(self, py: Python<'_>, padded: Option<usize>) -> PyErr {
        match self {
            // An exception of Python's, which reads tables.
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
