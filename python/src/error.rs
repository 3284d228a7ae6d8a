//! Errors of the crates as exceptions of Python.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use setwise_table::{BadRow, Error};

/// `ValueError`, `TypeError`, or for a bad row `setwise.FenError`, which knows the row.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Bad { bad, .. } => fen_error(py, message, &bad),
        Error::Type { .. } => PyTypeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// `setwise.FenError` of a row.
pub(crate) fn fen_error(py: Python<'_>, message: String, bad: &BadRow) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = match CLASS.import(py, "setwise._error", "FenError") {
        Ok(class) => class,
        Err(error) => return error,
    };
    match class.call1((message, bad.row, bad.text.as_str(), bad.error.column())) {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}
