//! Errors of tables and of their rows.

use std::fmt;

use arrow_schema::{ArrowError, DataType, Field};

use crate::column::Column;
use crate::condition::ConditionError;

/// The reason why columns could not be computed.
///
/// Its message is one line with the expected and the actual value.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A row is invalid, and the query has [`OnInvalid::Stop`](crate::OnInvalid::Stop).
    Invalid(Box<BadRow>),
    /// No column is called `fen`, in upper or lower case. These columns exist.
    NoFen(Vec<String>),
    /// Several columns are called `fen`, in different case. These are their names.
    SeveralFens(Vec<String>),
    /// No column has this name. These columns exist.
    NoColumn(String, Vec<String>),
    /// Several columns have this name.
    Ambiguous(String),
    /// The output would contain a column of this name twice.
    Twice(String),
    /// A column has the wrong type; the expected type is described.
    Type(String, DataType, &'static str),
    /// A column has a different number of rows than the columns that it belongs to.
    Length(String, usize, usize),
    /// A value of a column, in the row of this number, is not allowed; the allowed values are described.
    Value(String, usize, String, &'static str),
    /// A requested column is not available from this input.
    NotInInput(Column),
    /// A requested column needs a feature set.
    NoFeatureSet(Column),
    /// This condition is invalid.
    Condition(String, ConditionError),
    /// This input does not support the requested handling of invalid rows, for this reason.
    OnInvalid(&'static str),
    /// A column can have nulls in this input, but the output cannot, for this reason.
    Nullable(Column, &'static str),
    /// The row with this number in its source has no position, and the output cannot have nulls, for this reason.
    Null(u64, &'static str),
    /// The row at this place lacks a requested label, which is described.
    Missing(String, String),
    /// The labels of a table are ambiguous, as described. The option with this name resolves the ambiguity.
    Doubt(String, &'static str),
    /// The text of this column, which games repeat for each position, is too long for one batch.
    TooLong(String),
    /// The columns of a batch differ from the description of its source, as described.
    Schema(String),
    /// Packed records cannot be read.
    Records(setwise_formats::Error),
    /// The input cannot be read.
    Io(std::io::Error),
    /// The threads cannot be started.
    Threads(std::io::Error),
    /// An error from Arrow.
    Arrow(ArrowError),
}

/// An invalid row: text that is not a position, or a record that its format does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The number of the row, line or record, as its source numbers them.
    pub row: u64,
    /// The place as text: `row 2, character 6` or `games.epd:17:3`.
    pub place: String,
    /// The first wrong character of the text, counted from 1; 0 if the error is in another column.
    pub character: usize,
    /// The reason why the row is invalid.
    pub reason: String,
    /// The text of the row; empty if its source has no text.
    pub text: Vec<u8>,
}

impl BadRow {
    /// The place and the reason, without the text.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{}: {}", self.place, self.reason)
    }

    /// Shortens the text to the line of the wrong character.
    pub fn cut_to_line(&mut self) {
        let text = String::from_utf8_lossy(&self.text);
        let before: String = text.chars().take(self.character.saturating_sub(1)).collect();
        let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let line = text[start..].split(['\n', '\r']).next().unwrap_or_default().as_bytes().to_vec();
        self.character = before[start..].chars().count() + 1;
        self.text = line;
    }
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        // Truncate long texts.
        let text = String::from_utf8_lossy(&self.text);
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(f, ": {:?}...", &text[..end]),
            None if text.is_empty() => Ok(()),
            None => write!(f, ": {text:?}"),
        }
    }
}

/// The maximum number of characters of text in a message.
const SHOWN: usize = 100;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(bad) => bad.fmt(f),
            Self::NoFen(columns) => {
                write!(f, "no column is called `fen`: say which one holds the positions; ")?;
                list_columns(f, columns)
            }
            Self::SeveralFens(columns) => {
                write!(f, "several columns may hold the positions ({}): say which", quoted(columns))
            }
            Self::NoColumn(name, columns) => {
                write!(f, "no column is called `{name}`; ")?;
                list_columns(f, columns)
            }
            Self::Ambiguous(name) => write!(f, "several columns are called `{name}`"),
            Self::Twice(name) => write!(f, "column `{name}` would stand in the output twice"),
            Self::Type(column, found, expected) => {
                write!(f, "column `{column}` holds {found}, expected {expected}")
            }
            Self::Length(column, found, expected) => {
                write!(f, "column `{column}` has {found} rows, expected {expected}")
            }
            Self::Value(column, row, found, expected) => {
                write!(f, "column `{column}`, row {row}: expected {expected}, found {found}")
            }
            Self::NotInInput(column) => write!(f, "column `{column}` is not in this input"),
            Self::NoFeatureSet(column) => {
                write!(f, "column `{column}` needs the name of a feature set")
            }
            Self::Condition(condition, error) => write!(f, "condition `{condition}`, {error}"),
            Self::OnInvalid(reason) => f.write_str(reason),
            Self::Nullable(column, reason) => {
                write!(f, "column `{column}` has nulls in this input, and {reason}")
            }
            Self::Null(row, reason) => write!(f, "row {row} has no position, and {reason}"),
            Self::Missing(place, what) => write!(f, "{place}: {what}"),
            Self::Doubt(doubt, _) => f.write_str(doubt),
            Self::TooLong(column) => write!(
                f,
                "column `{column}` has more than 2 GiB of text in one batch: leave it out, or read \
                 fewer rows at once"
            ),
            Self::Schema(difference) => {
                write!(f, "the batch has other columns than its source said: {difference}")
            }
            Self::Records(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
            Self::Threads(error) => write!(f, "cannot start the threads (ask for fewer): {error}"),
            Self::Arrow(error) => error.fmt(f),
        }
    }
}

/// A field as it appears in messages.
pub(crate) struct Shown<'a>(pub(crate) &'a Field);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nulls = if self.0.is_nullable() { "" } else { ", not null" };
        write!(f, "`{}` ({}{nulls})", self.0.name(), self.0.data_type())
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn list_columns(f: &mut fmt::Formatter<'_>, columns: &[String]) -> fmt::Result {
    match columns {
        [] => write!(f, "there are no columns"),
        [column] => write!(f, "the only column is `{column}`"),
        columns => write!(f, "there are {}", quoted(columns)),
    }
}

impl Error {
    /// An error of Arrow for a column.
    pub(crate) fn of_column(error: ArrowError, column: &str) -> Self {
        match error {
            ArrowError::OffsetOverflowError(_) => Self::TooLong(column.to_owned()),
            other => Self::Arrow(other),
        }
    }

    pub(crate) fn no_column(name: &str, columns: &[&str]) -> Self {
        Self::NoColumn(name.to_owned(), columns.iter().map(|&column| column.to_owned()).collect())
    }
}

impl std::error::Error for Error {}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

impl From<setwise_formats::Error> for Error {
    fn from(error: setwise_formats::Error) -> Self {
        Self::Records(error)
    }
}
