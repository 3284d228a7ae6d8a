//! Converts errors of the crates to Python exceptions.

use std::io;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use setwise_nnue::FeatureSet;
use setwise_table::{BadRow, Error};

pyo3::import_exception!(setwise._error, FenError);

/// The reason why a call failed. It is converted to a Python exception on the calling thread, because other threads
/// could deadlock on the GIL.
pub(crate) enum Stopped {
    /// The executor failed, or a signal or a callback raised an exception, which is an [`Error::Io`].
    Failed(Error),
    /// A value is invalid.
    Wrong(String),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<setwise_loader::Error> for Stopped {
    fn from(error: setwise_loader::Error) -> Self {
        match error {
            setwise_loader::Error::Rows(error) => Self::Failed(error),
            other => Self::Wrong(other.to_string()),
        }
    }
}

impl From<PyErr> for Stopped {
    fn from(error: PyErr) -> Self {
        Self::Failed(Error::Io(io::Error::other(error)))
    }
}

impl From<Stopped> for PyErr {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Failed(error) => raised(error),
            Stopped::Wrong(message) => wrong(message),
        }
    }
}

/// Returns a `ValueError` with this message.
pub(crate) fn wrong<M: ToString>(message: M) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// Converts an error to `ValueError`, `TypeError` or `OSError`, or, for an invalid row, to `setwise.FenError`.
pub(crate) fn raised(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Invalid(bad) => fen_error(&bad),
        Error::Type { .. } => PyTypeError::new_err(message),
        Error::Missing(..) => wrong(format!(
            "{message}; set `on_missing` to \"skip\" to leave such rows out, or to a number to fill in"
        )),
        Error::Doubt(_, option) => wrong(format!("{message} (`{option}`)")),
        Error::Io(error) => error.into(), // also an exception that was passed on
        Error::NoFeatureSet { .. } => {
            let names: Vec<_> =
                FeatureSet::ALL.iter().map(|set| format!("`{}`", set.name())).collect();
            wrong(format!("{message}: set `feature_set` to one of {}", names.join(", ")))
        }
        _ => wrong(message),
    }
}

/// Returns the `setwise.FenError` of a row.
pub(crate) fn fen_error(bad: &BadRow) -> PyErr {
    let text = String::from_utf8_lossy(&bad.text).into_owned();
    FenError::new_err((bad.to_string(), bad.row, text, bad.character))
}
