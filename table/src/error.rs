//! What can be wrong with a table, and with a row of it.

use std::fmt;

use arrow_schema::{ArrowError, DataType};
use setwise::fen::FenError;

/// Why there are no columns.
///
/// It displays as one line that names what was found and what was expected.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A row's text is no position, and [`OnBad::Stop`](crate::OnBad::Stop) was asked for.
    Bad {
        /// The column that the text stands in, where it has a name.
        column: Option<String>,
        /// The row, its text, and what is wrong.
        bad: BadRow,
    },
    /// No column is called `fen`, in capitals or not.
    NoFen {
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// Several columns are called `fen` but for capitals.
    SeveralFens {
        /// Those columns.
        columns: Vec<String>,
    },
    /// A column that was named is not there.
    NoColumn {
        /// The name.
        name: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// Nothing that can be computed has this name.
    UnknownColumn {
        /// The name.
        name: String,
        /// The computed column that has the nearest, if one is near.
        nearest: Option<crate::Column>,
    },
    /// A column would stand in the output twice.
    Twice {
        /// The name.
        name: String,
    },
    /// A column holds something else than it should.
    Type {
        /// The column's name.
        column: String,
        /// What it holds.
        found: DataType,
        /// What it should hold.
        expected: &'static str,
    },
    /// Columns that belong together have different lengths.
    Length {
        /// The column's name.
        column: String,
        /// Its rows.
        found: usize,
        /// The rows of the others.
        expected: usize,
    },
    /// A cell holds what it cannot mean.
    Value {
        /// The column's name.
        column: String,
        /// The row, counting from 0.
        row: usize,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// A column was asked for that the input does not tell.
    NotInInput {
        /// The column.
        column: crate::Column,
    },
    /// A batch has other columns than the plan was made for.
    Schema {
        /// What is different.
        difference: String,
    },
    /// Arrow refuses.
    Arrow(ArrowError),
}

/// A row whose text is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The row in the batch or array, counting from 0.
    pub row: usize,
    /// What stands there.
    pub text: String,
    /// What is wrong with it, and at which character.
    pub error: FenError,
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (row, at) = (self.row, self.error.column());
        write!(f, "row {row}, character {at}: {}: ", self.error)?;
        // As much of the text as is easy to read.
        match self.text.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(f, "{:?}...", &self.text[..end]),
            None => write!(f, "{:?}", self.text),
        }
    }
}

/// Characters of a text that a message shows.
const SHOWN: usize = 100;

impl std::error::Error for BadRow {}

impl Error {
    /// The same error in a table that has `rows` more rows before it: what a caller says who has cut a
    /// table into slices.
    ///
    /// ```
    /// use arrow_array::StringArray;
    /// use setwise_table::Maps;
    /// let slice = StringArray::from(vec!["8/8/8/8/8/8/8/8", "x"]);
    /// let error = Maps::default().of_text(&slice).unwrap_err().after(1000);
    /// assert!(error.to_string().starts_with("row 1001, character 1: "), "{error}");
    /// ```
    #[must_use]
    pub fn after(mut self, rows: usize) -> Self {
        if let Self::Bad { bad: BadRow { row, .. }, .. } | Self::Value { row, .. } = &mut self {
            *row += rows;
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bad { column: Some(column), bad } => write!(f, "column '{column}', {bad}"),
            Self::Bad { column: None, bad } => write!(f, "{bad}"),
            Self::NoFen { columns } => {
                write!(f, "no column is called 'fen': say which one holds the positions; ")?;
                there_are(f, columns)
            }
            Self::SeveralFens { columns } => {
                write!(f, "several columns may hold the positions ({}): say which", quoted(columns))
            }
            Self::NoColumn { name, columns } => {
                write!(f, "no column is called '{name}'; ")?;
                there_are(f, columns)
            }
            Self::UnknownColumn { name, nearest: Some(nearest) } => {
                write!(f, "no column is called '{name}'; did you mean '{nearest}'?")
            }
            Self::UnknownColumn { name, nearest: None } => {
                write!(f, "no column is called '{name}'")
            }
            Self::Twice { name } => write!(f, "column '{name}' would stand in the output twice"),
            Self::Type { column, found, expected } => {
                write!(f, "column '{column}' holds {found}, expected {expected}")
            }
            Self::Length { column, found, expected } => {
                write!(f, "column '{column}' has {found} rows, expected {expected}")
            }
            Self::Value { column, row, found, expected } => {
                write!(f, "column '{column}', row {row}: expected {expected}, found {found}")
            }
            Self::NotInInput { column } => {
                write!(f, "column '{column}' cannot be told from this input")
            }
            Self::Schema { difference } => {
                write!(f, "the batch has not the columns that were planned for: {difference}")
            }
            Self::Arrow(error) => error.fmt(f),
        }
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

fn there_are(f: &mut fmt::Formatter<'_>, columns: &[String]) -> fmt::Result {
    match columns {
        [] => write!(f, "there are no columns"),
        [column] => write!(f, "the only column is '{column}'"),
        columns => write!(f, "there are {}", quoted(columns)),
    }
}

impl std::error::Error for Error {}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}
