//! Converts errors of the crates to Python exceptions.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use setwise_nnue::FeatureSet;
use setwise_table::{BadRow, Error};

/// The reason why a call failed. It is converted to a Python exception on the calling thread, because other threads
/// could deadlock on the GIL.
pub(crate) enum Stopped {
    /// The executor failed.
    Failed(Error),
    /// A value is invalid.
    Wrong(String),
    /// A signal or a callback raised an exception.
    Raised(PyErr),
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
        Self::Raised(error)
    }
}

impl From<Stopped> for PyErr {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Failed(error) => raised(error),
            Stopped::Wrong(message) => wrong(message),
            Stopped::Raised(error) => error,
        }
    }
}

/// Adds the path of the file to a read error.
pub(crate) fn not_read(path: &Path, error: io::Error) -> Stopped {
    Stopped::Failed(Error::Io(io::Error::other(format!("{}: {error}", path.display()))))
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
        Error::Io(error) if error.get_ref().is_some_and(|one| one.is::<PyErr>()) => error.into(),
        Error::Io(error) => match error.kind() {
            io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
            _ => PyOSError::new_err(message),
        },
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
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let text = String::from_utf8_lossy(&bad.text);
    Python::attach(|py| {
        let class = CLASS.import(py, "setwise._error", "FenError");
        let made =
            class.and_then(|class| class.call1((bad.to_string(), bad.row, text, bad.character)));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}
