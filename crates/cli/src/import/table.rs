//! Tables as sources.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use setwise_files::{Batch, TableReader, TextOptions, name};
use setwise_table::{
    Condition, Input, InputColumn, Keep, Part, PlaceholderZeros, RowNames, Rows, Run, Runs, Source,
    TableOptions, folders,
};

use super::explain::explain;

/// A source of any format.
pub(crate) type AnySource = Box<dyn Source<anyhow::Error> + Send>;

/// Rows whose position the next table may continue.
pub(crate) type SharedRuns = Arc<Mutex<Runs<Arc<Table>>>>;

/// The options for reading inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadOptions {
    /// The options for tables; other inputs use only the columns to pass through.
    pub(crate) table: TableOptions,
    /// The detector of scores of 0 that are placeholders for missing scores in packed records.
    pub(crate) zeros: Option<PlaceholderZeros>,
    /// The conditions, which can need further columns.
    pub(crate) conditions: Vec<Condition>,
    /// The options for CSV and JSON Lines.
    pub(crate) text: TextOptions,
    /// The rows of the last position of the previous tables.
    pub(crate) runs: SharedRuns,
}

/// The maximum number of columns that are passed through: the columns of all unfinished batches are in memory at once.
const MAX_COLUMNS: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Table {
    name: String,
    input: Input,
}

impl Table {
    /// Describes a table with these columns. Returns the indices of the columns to read, too.
    fn new(path: &Path, schema: &SchemaRef, options: &ReadOptions) -> Result<(Self, Vec<usize>)> {
        let columns = schema.fields().len();
        if options.table.keep == Keep::All && columns > MAX_COLUMNS {
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
        let (places, input) = input.needing(&options.conditions).select();
        Ok((Self { name: name(path), input }, places))
    }

    /// Converts the batches of a table to a source of parts, and describes its rows.
    pub(super) fn source(
        path: &Path,
        mut batches: Box<dyn TableReader>,
        options: &ReadOptions,
    ) -> Result<(Input, AnySource)> {
        let (table, places) = Self::new(path, batches.schema(), options)?;
        batches.select(places);
        let (input, next, runs) = (table.input.clone(), 1, Arc::clone(&options.runs));
        let (table, ready, is_over) = (Arc::new(table), VecDeque::new(), false);
        Ok((input, Box::new(TableSource { table, batches, next, runs, ready, is_over })))
    }

    /// Creates a part whose first row has this number.
    fn part(
        self: &Arc<Self>,
        first: u64,
        rows: usize,
        bytes: usize,
        read: impl FnOnce() -> Result<RecordBatch> + Send + 'static,
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

/// Returns a run as a part.
pub(super) fn part_of(run: Run<Arc<Table>>) -> Part<'static, anyhow::Error> {
    let (rows, bytes) = (run.rows.num_rows(), run.rows.get_array_memory_size());
    run.table.part(run.first, rows, bytes, move || Ok(run.rows))
}

struct TableSource {
    table: Arc<Table>,
    batches: Box<dyn TableReader>,
    /// The number of the next row, from 1.
    next: u64,
    runs: SharedRuns,
    /// Complete runs.
    ready: VecDeque<Run<Arc<Table>>>,
    is_over: bool,
}

impl Source<anyhow::Error> for TableSource {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, anyhow::Error>>> {
        let input = &self.table.input;
        if input.groups().is_none() {
            let batch = self.batches.next(rows, bytes)?;
            return Ok(batch.map(|batch| {
                self.next += batch.rows as u64;
                let (rows, bytes) = (batch.rows, batch.bytes);
                self.table.part(self.next - rows as u64, rows, bytes, || batch.read())
            }));
        }
        while self.ready.is_empty() && !self.is_over {
            // The reading thread must decode the rows to find where positions end.
            let batch = self.batches.next(rows, bytes)?.map(Batch::read).transpose()?;
            let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            self.is_over = batch.is_none();
            match batch {
                Some(rows) => {
                    let (first, table) = (self.next, self.table.clone());
                    self.next += rows.num_rows() as u64;
                    self.ready
                        .extend(runs.push(input, Run { table, first, rows }).map_err(explain)?);
                }
                None => self.ready.extend(runs.end_table(input).map_err(explain)?),
            }
        }
        Ok(self.ready.pop_front().map(part_of))
    }
}
