//! The interface of tables.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use anyhow::{Result, anyhow, bail};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

/// The options for tables of text: CSV and JSON Lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// The delimiter of CSV. By default it is a comma, or a tab if the header has no comma.
    pub delimiter: Option<u8>,
    /// True to guess column types from the first 4,096 rows, false for unchanged text. By default types of JSON Lines
    /// are guessed and those of CSV are not.
    pub guess: Option<bool>,
    /// True if keys of JSON that the first 4,096 rows lack are errors. Otherwise they are ignored.
    pub strict: bool,
    /// The advice at the end of an error about a cell without the guessed type.
    pub advice: &'static str,
}

/// Rows of a table. Any thread can decode them.
pub struct Batch {
    /// The number of rows.
    pub rows: usize,
    /// The approximate number of bytes.
    pub bytes: usize,
    pub(super) decode: Box<dyn FnOnce() -> Result<RecordBatch> + Send>,
}

impl Batch {
    /// Returns rows that are already decoded.
    #[must_use]
    pub fn of(rows: RecordBatch) -> Self {
        let bytes = rows.get_array_memory_size();
        Self { rows: rows.num_rows(), bytes, decode: Box::new(move || Ok(rows)) }
    }

    /// Decodes the selected columns.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn read(self) -> Result<RecordBatch> {
        (self.decode)()
    }
}

/// A table that is read from the front to the end, or part by part.
pub trait TableReader: Send {
    /// The names and types of all columns.
    fn schema(&self) -> &SchemaRef;

    /// Selects the columns to read by their indices, in ascending order. By default all are read.
    ///
    /// # Panics
    /// May panic if an index is not that of a column.
    fn select(&mut self, places: Vec<usize>);

    /// Returns the next rows: at most `rows`, and approximately `bytes`. Returns `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Batch>>;

    /// Returns the index of the first row of each part that can be read separately, followed by the number of rows.
    /// Returns nothing for a table that can only be read from the front to the end.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    fn parts(&mut self) -> Result<Vec<u64>> {
        Ok(Vec::new())
    }

    /// Continues with the first row of a part. A batch does not reach beyond its part.
    ///
    /// # Errors
    /// If the table has no such part, or if the file cannot be read.
    fn seek(&mut self, part: usize) -> Result<()> {
        bail!("there is no part {part}")
    }
}

/// Returns the index of the first row of each part, and the number of rows.
pub(super) fn starts(rows: Vec<u64>) -> Vec<u64> {
    let next = |sum: &mut u64, rows| {
        *sum = u64::saturating_add(*sum, rows);
        Some(*sum)
    };
    std::iter::once(0).chain(rows.into_iter().scan(0, next)).collect()
}

/// Runs third-party decoders, some of which panic if a file is damaged, and turns their panics into errors.
pub(super) fn catch_panics<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    thread_local! {
        static QUIET: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let message = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                message(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    outcome.unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
        let message =
            message.unwrap_or("no reason given").lines().next().unwrap_or_default().to_owned();
        Err(anyhow!("it is damaged ({message})"))
    })
}

/// Unwraps an error of Arrow.
pub(super) fn unwrap_arrow(error: ArrowError) -> anyhow::Error {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        ArrowError::ExternalError(error) => anyhow::Error::from_boxed(error),
        ArrowError::IpcError(text)
        | ArrowError::ParseError(text)
        | ArrowError::ParquetError(text)
        | ArrowError::InvalidArgumentError(text) => anyhow!("{text}"),
        other => other.into(),
    }
}
