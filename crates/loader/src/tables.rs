//! Tables as sources of a loader.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::error::Error;

/// A table, whose rows a loader reads as Arrow batches.
pub trait Table: Send + Sync {
    /// The path, or a name for messages. Folders such as `year=2025` are columns of public data sets.
    fn path(&self) -> &Path;

    /// The approximate size in bytes.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn size(&self) -> Result<u64, Error>;

    /// A text that differs for tables with other rows; the name of kept units is derived from it.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn identity(&self) -> Result<String, Error>;

    /// The names and types of the columns.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn schema(&self) -> Result<SchemaRef, Error>;

    /// Says what will be read. Called once, before the following functions.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn select(&self, selection: &Selection) -> Result<(), Error>;

    /// The number of parts that can be read separately; 0 if the table is a stream.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn parts(&self) -> Result<u64, Error>;

    /// Reads a part: the index of its first row, and its rows.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn part(&self, part: u64) -> Result<(u64, RecordBatch), Error>;

    /// Opens the rows as units of some thousand rows.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn stream(&self) -> Result<Batches, Error>;
}

/// What a loader reads of a table.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The columns, in the order of the schema.
    pub columns: Vec<String>,
    /// The column whose runs of equal values a unit does not split. A table with such a column is a stream.
    pub groups: Option<String>,
    /// The approximate number of positions per row.
    pub positions: usize,
}

/// Returns the next unit of a table; `None` at the end.
pub type Batches = Box<dyn FnMut() -> Result<Option<RecordBatch>, Error> + Send>;
