//! Converts errors of the crates to Python exceptions.

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use setwise_nnue::FeatureSet;
use setwise_table::{BadRow, Error};

/// Why a call has no result.
pub(crate) enum Stopped {
    /// The executor failed.
    Failed(Error),
    /// A signal or a callback raised an exception.
    Raised(PyErr),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<PyErr> for Stopped {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl Stopped {
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Failed(error) => raised(py, error),
            Self::Raised(error) => error,
        }
    }
}

/// A `ValueError` with this message.
pub(crate) fn wrong<M: ToString>(message: M) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// `ValueError`, `TypeError`, `OSError`, or for an invalid row `setwise.FenError` with the row.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Invalid(bad) => fen_error(py, message, &bad),
        Error::Type { .. } => PyTypeError::new_err(message),
        Error::Missing(..) => PyValueError::new_err(format!("{message} (`on_missing`)")),
        Error::Doubt(_, option) => PyValueError::new_err(format!("{message} (`{option}`)")),
        Error::Io(_) => PyOSError::new_err(message),
        Error::NoFeatureSet { .. } => {
            let names: Vec<_> =
                FeatureSet::ALL.iter().map(|set| format!("`{}`", set.name())).collect();
            let names = names.join(", ");
            PyValueError::new_err(format!("{message}: set `feature_set` to one of {names}"))
        }
        _ => PyValueError::new_err(message),
    }
}

/// The `setwise.FenError` of a row.
pub(crate) fn fen_error(py: Python<'_>, message: String, bad: &BadRow) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = match CLASS.import(py, "setwise._error", "FenError") {
        Ok(class) => class,
        Err(error) => return error,
    };
    match class.call1((message, bad.row, String::from_utf8_lossy(&bad.text), bad.character)) {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}
