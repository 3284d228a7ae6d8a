//! Converts errors of the crates to Python exceptions.

use std::fmt::Display;
use std::io;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use setwise_nnue::FeatureSet;
use setwise_table::{BadRow, Error};

pyo3::import_exception!(setwise._error, FenError);

/// The reason why a call failed. It is converted to a Python exception on the calling thread, because other threads
/// could deadlock on the GIL. An exception that a signal or a callback raised is an [`Error::Io`].
pub(crate) type Stopped = setwise_loader::Error;

/// Passes an exception through code that returns other errors.
pub(crate) fn passed(exception: PyErr) -> Stopped {
    io::Error::other(exception).into()
}

/// Returns a `ValueError` with this message.
pub(crate) fn wrong<M: ToString>(message: M) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// Converts an error to `ValueError`, `TypeError` or `OSError`, or, for an invalid row, to `setwise.FenError`.
pub(crate) fn raised(error: impl Into<Stopped>) -> PyErr {
    let error = error.into();
    let message = error.to_string();
    let Stopped::Rows(error) = error else { return wrong(message) };
    match error {
        Error::Invalid(bad) => fen_error(&bad),
        Error::Type { .. } => PyTypeError::new_err(message),
        Error::Missing(..) => wrong(format!(
            "{message}; set `on_missing` to \"skip\" to leave such rows out, or to a number to fill in"
        )),
        Error::NoFen(_) | Error::SeveralFens(_) => wrong(format!("{message} (`fen_column`)")),
        Error::Doubt(_, option) => wrong(format!("{message} (`{option}`)")),
        Error::Io(error) => error.into(), // also an exception that was passed on
        Error::NoFeatureSet { .. } => {
            let names = quoted(FeatureSet::ALL.iter().map(|set| set.name()));
            wrong(format!("{message}: set `feature_set` to one of {names}"))
        }
        _ => wrong(message),
    }
}

/// Returns the number that an argument has.
pub(crate) fn at_least(argument: &str, least: usize, found: i64) -> PyResult<usize> {
    let number = usize::try_from(found).ok().filter(|number| *number >= least);
    number.ok_or_else(|| wrong(format!("`{argument}` must be at least {least}, found {found}")))
}

/// Returns the `setwise.FenError` of a row.
pub(crate) fn fen_error(bad: &BadRow) -> PyErr {
    let text = String::from_utf8_lossy(&bad.text).into_owned();
    FenError::new_err((bad.to_string(), bad.row, text, bad.character))
}

/// Lists names in a message.
pub(crate) fn quoted<N: Display>(names: impl IntoIterator<Item = N>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
