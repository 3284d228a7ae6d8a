//! The interface of input formats.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::BufRead;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, Mutex, Once, PoisonError};

use anyhow::{Result, anyhow, bail};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use indicatif::ProgressBar;
use setwise_table::{
    Condition, Error, Input, InputColumn, Keep, Part, PlaceholderZeros, RowNames, Rows, Source,
    TableOptions, folders,
};

use super::types::Types;
use crate::input;

/// A source of any format.
pub(crate) type AnySource = Box<dyn Source<anyhow::Error> + Send>;

pub(crate) struct Opened<'a> {
    pub(super) path: &'a Path,
    /// The input from its start, decompressed.
    pub(super) input: Box<dyn BufRead + Send>,
    /// The progress bar, for bytes that are read by other means than `input`.
    pub(super) progress: ProgressBar,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ReadOptions {
    /// The options for tables; other inputs use only the columns to pass through.
    pub(crate) table: TableOptions,
    /// The detector of scores of 0 that are placeholders for missing scores in packed records.
    pub(crate) zeros: Option<PlaceholderZeros>,
    /// The conditions, which can need further columns.
    pub(crate) conditions: Vec<Condition>,
    /// The delimiter of CSV, if it is given.
    pub(crate) delimiter: Option<u8>,
    pub(crate) types: Option<Types>,
    /// The rows of the last position of the previous table, shared by the tables of one run.
    pub(crate) held: Arc<Mutex<Option<Held>>>,
}

/// Rows at the end of a table, if the next table may continue their position.
#[derive(Debug)]
pub(crate) struct Held {
    table: Arc<Table>,
    /// The number of the first row.
    first: u64,
    rows: RecordBatch,
}

impl Held {
    pub(super) fn part(self) -> Part<'static, anyhow::Error> {
        let (rows, bytes) = (self.rows.num_rows(), self.rows.get_array_memory_size());
        let read = Box::new(move || Ok(self.rows));
        self.table.part(self.first, Batch { rows, bytes, read })
    }
}

/// The maximum number of columns that are passed through: the columns of all unfinished batches are in memory at once.
const MAX_COLUMNS: usize = 10_000;

impl ReadOptions {
    /// Returns whether all columns are requested.
    pub(super) fn all(&self) -> bool {
        self.table.keep == Keep::All
    }
}

#[derive(Debug)]
pub(super) struct Table {
    name: String,
    held: Arc<Mutex<Option<Held>>>,
    pub(super) input: Input,
    /// The indices of the columns to read, in order.
    pub(super) places: Vec<usize>,
}

impl Table {
    /// Describes a table with these columns.
    pub(super) fn new(path: &Path, schema: &SchemaRef, options: &ReadOptions) -> Result<Self> {
        let columns = schema.fields().len();
        if options.all() && columns > MAX_COLUMNS {
            bail!(
                "it has {columns} columns, and at most {MAX_COLUMNS} are passed along: \
                 name those to pass with --keep"
            );
        }
        let mut table = TableOptions { folders: folders(path), ..options.table.clone() };
        // Conditions name labels too, unless the table has a column of this name.
        let names: BTreeSet<&str> = options.conditions.iter().flat_map(Condition::names).collect();
        table.wanted.extend(names.into_iter().filter_map(|name| match name {
            name if schema.column_with_name(name).is_some() => None,
            name => InputColumn::label_of(name),
        }));
        let input = Input::of_table(schema, &table).map_err(explain)?;
        let input = input.needing(&options.conditions);
        let (name, held) = (input::name(path), Arc::clone(&options.held));
        Ok(Self { name, held, places: input.places(), input: input.of_places() })
    }

    /// Converts the batches of the table to a source of parts.
    pub(super) fn source(self, batches: impl Batches + 'static) -> (Input, AnySource) {
        let (input, next, rest) = (self.input.clone(), 1, None);
        let batches = Box::new(batches);
        (input, Box::new(TableSource { table: Arc::new(self), batches, next, rest }))
    }

    /// Creates a part whose first row has this number.
    fn part(
        self: &Arc<Self>,
        first: u64,
        Batch { rows, bytes, read }: Batch,
    ) -> Part<'static, anyhow::Error> {
        let table = Arc::clone(self);
        let read = move |rows: &mut Rows<'_>| {
            let names = RowNames { before: &format!("{}: ", table.name), first: 1 };
            let batch = table.input.complete(read()?);
            batch.and_then(|batch| rows.push_batch(&batch, first, names)).map_err(explain)
        };
        // Count the bytes both as read and as encoded.
        Part { rows, bytes: 2 * bytes, read: Box::new(read) }
    }
}

/// Rows of a table. Any thread can decode them.
pub(super) struct Batch {
    pub(super) rows: usize,
    pub(super) bytes: usize,
    pub(super) read: Box<dyn FnOnce() -> Result<RecordBatch> + Send>,
}

/// A table that is read sequentially.
pub(super) trait Batches: Send {
    /// Returns the next rows: at most `rows`, and approximately `bytes`. Returns `None` at the end.
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Batch>>;
}

struct TableSource {
    table: Arc<Table>,
    batches: Box<dyn Batches>,
    /// The number of the next row, from 1.
    next: u64,
    /// Rows that are read but not returned: the next rows may belong to the same position.
    rest: Option<RecordBatch>,
}

impl Source<anyhow::Error> for TableSource {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, anyhow::Error>>> {
        if self.table.input.groups().is_some() {
            return self.next_positions(rows, bytes);
        }
        let batch = self.batches.next(rows, bytes)?;
        Ok(batch.map(|batch| {
            self.next += batch.rows as u64;
            self.table.part(self.next - batch.rows as u64, batch)
        }))
    }
}

impl TableSource {
    /// Returns the next rows, all those of their positions: the reading thread must decode them. The last position is
    /// held back at the end, because the next table may continue it. Only the deepest of its rows, in all tables, is
    /// read.
    fn next_positions(
        &mut self,
        rows: usize,
        bytes: usize,
    ) -> Result<Option<Part<'static, anyhow::Error>>> {
        loop {
            let batch = self.batches.next(rows, bytes)?;
            let is_end = batch.is_none();
            let batch = batch.map(|batch| (batch.read)()).transpose()?;
            let both: Vec<RecordBatch> = self.rest.take().into_iter().chain(batch).collect();
            let Some(first) = both.first() else { return Ok(None) };
            let all = concat_batches(first.schema_ref(), &both)?;
            let cut = self.table.input.last_group(&all).map_err(explain)?;
            if cut == 0 && !is_end {
                self.rest = Some(all);
                continue;
            }
            let mut held = self.table.held.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(previous) = held.take() {
                match self.table.input.continued(&previous.rows, &all).map_err(explain)? {
                    None => {
                        self.rest = Some(all);
                        return Ok(Some(previous.part()));
                    }
                    Some((_, true)) => {}
                    Some((rows, false)) => {
                        *held = Some(previous);
                        self.next += rows as u64;
                        let others = all.num_rows() - rows;
                        self.rest = (others > 0).then(|| all.slice(rows, others));
                        continue;
                    }
                }
            }
            let (first, table) = (self.next, Arc::clone(&self.table));
            if cut == 0 {
                *held = Some(Held { table, first, rows: all });
                return Ok(None);
            }
            self.next += cut as u64;
            self.rest = Some(all.slice(cut, all.num_rows() - cut));
            return Ok(Some(Held { table, first, rows: all.slice(0, cut) }.part()));
        }
    }
}

/// Adds suggested options to an error of tables.
pub(crate) fn explain(error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::NoFen(_) | Error::SeveralFens(_) => " (--fen-column)",
        Error::OnInvalid(_) => " (--on-invalid)",
        Error::Twice(_) => " (--keep says which columns of the input are passed along)",
        Error::NoFeatureSet(_) => " (--features)",
        Error::Condition(..) => " (--where)",
        Error::Missing(..) => "; use --on-missing to skip or fill it",
        Error::Doubt(_, option) => {
            return anyhow!("{error} (--{})", option.replace('_', "-"));
        }
        _ => return error.into(),
    };
    anyhow!("{error}{hint}")
}

/// Adds suggested options to an error of a run.
pub(crate) fn explain_run(error: anyhow::Error) -> anyhow::Error {
    let outer = error.to_string();
    match error.downcast::<Error>() {
        Ok(error) if error.to_string() == outer => explain(error),
        Ok(error) => explain(error).context(outer),
        Err(error) => error,
    }
}

/// Runs third-party decoders, some of which panic if a file is damaged, and turns their panics into errors.
pub(crate) fn catch_panics<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
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
