//! Tables as sources of a loader: files, and tables in memory.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::{Array, RecordBatch};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use setwise_files::{Batch, FileFormat, TableReader, TextOptions, no_progress, open_table};
use setwise_table::{Input, Run, Runs};

use crate::error::Error;
use crate::units::{Contents, UNITS, Unit, UnitStream};

/// The maximum number of rows per unit. Small tables have smaller units, so that each has a few dozen.
const ROWS: usize = 4096;

/// A table in memory.
#[derive(Clone)]
pub struct Table {
    name: PathBuf,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    identity: String,
}

impl Table {
    /// Names a table for messages. `identity` is a text that differs for tables with other rows; the name of kept units
    /// is derived from it.
    #[must_use]
    pub fn new(name: &str, identity: &str, schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { name: name.into(), schema, batches, identity: identity.to_owned() }
    }

    /// The name.
    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

/// Where a table is.
pub(crate) enum Location {
    File(FileFormat),
    Memory(Table),
}

/// The columns to read, and the input that they are.
struct Selection {
    input: Input,
    places: Vec<usize>,
    positions: usize,
}

/// A table of a loader, which is read in units.
pub(crate) struct TableFile {
    path: PathBuf,
    location: Location,
    /// The number of bytes in the file or in memory.
    bytes: u64,
    selection: OnceLock<Selection>,
    /// The index of the first row of each part, and the number of rows.
    starts: OnceLock<Vec<u64>>,
    /// The number of this table among all of the process.
    number: u64,
}

/// The readers used last, each with the number of its table. Only these stay open, because there may be thousands.
static OPEN: Mutex<VecDeque<(u64, Box<dyn TableReader>)>> = Mutex::new(VecDeque::new());

const MAX_OPEN: usize = 16;

impl TableFile {
    pub(crate) fn new(path: &Path, location: Location) -> Result<Self, Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let bytes = match &location {
            Location::File(_) => {
                path.metadata().map_err(|error| Error::reading(path, error))?.len()
            }
            Location::Memory(table) => {
                table.batches.iter().map(|batch| size_of(batch) as u64).sum()
            }
        };
        Ok(Self {
            path: path.to_owned(),
            location,
            bytes,
            selection: OnceLock::new(),
            starts: OnceLock::new(),
            number: COUNT.fetch_add(1, Ordering::Relaxed),
        })
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A text that differs for tables with other rows.
    pub(crate) fn identity(&self) -> Result<String, Error> {
        match &self.location {
            Location::File(_) => file_identity(&self.path),
            Location::Memory(table) => Ok(table.identity.clone()),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The names and types of the columns.
    pub(crate) fn schema(&self) -> Result<SchemaRef, Error> {
        Ok(self.open()?.schema().clone())
    }

    /// Selects the columns that an input reads. Called once, before the following functions.
    pub(crate) fn select(&self, input: &Input) {
        let (places, positions) = (input.places(), input.positions_of_row());
        let input = input.clone().of_places();
        self.selection.get_or_init(|| Selection { input, places, positions });
    }

    fn selection(&self) -> &Selection {
        self.selection.get().expect("columns are selected before rows are read")
    }

    /// The input that the selected columns are.
    fn input(&self) -> &Input {
        &self.selection().input
    }

    /// Returns whether only one of the consecutive rows of a position is read.
    pub(crate) fn has_groups(&self) -> bool {
        self.input().groups().is_some()
    }

    /// Adds the name of the table to an error.
    pub(crate) fn named(&self, error: anyhow::Error) -> Error {
        match error.downcast::<io::Error>() {
            Ok(error) if error.raw_os_error().is_some() => Error::reading(&self.path, error),
            Ok(error) => Error::Invalid(format!("{}: {error}", self.path.display())),
            Err(error) => Error::Invalid(format!("{}: {error:#}", self.path.display())),
        }
    }

    fn open(&self) -> Result<Box<dyn TableReader>, Error> {
        let mut reader: Box<dyn TableReader> = match &self.location {
            Location::File(format) => {
                let options = TextOptions { guess: Some(true), ..TextOptions::default() };
                open_table(&self.path, *format, &options, &no_progress())
                    .map_err(|error| self.named(error))?
            }
            Location::Memory(table) => {
                let positions = self.selection.get().map_or(1, |selection| selection.positions);
                let step = (table.rows() / UNITS as usize).max(ROWS / 128).min(ROWS / positions);
                let (table, places) = (table.clone(), None);
                Box::new(MemoryReader { table, places, at: 0, step: step.max(1) })
            }
        };
        if let Some(selection) = self.selection.get() {
            reader.select(selection.places.clone());
        }
        Ok(reader)
    }

    /// Calls a function with a reader, which stays open for the next call.
    fn with_open<T>(
        &self,
        call: impl FnOnce(&mut dyn TableReader) -> anyhow::Result<T>,
    ) -> Result<T, Error> {
        let lock = || OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = lock();
        let at = open.iter().position(|(number, _)| *number == self.number);
        let reader = at.and_then(|at| open.remove(at)).map(|(_, reader)| reader);
        drop(open);
        let mut reader = match reader {
            Some(reader) => reader,
            None => {
                let mut reader = self.open()?;
                reader.parts().map_err(|error| self.named(error))?;
                reader
            }
        };
        let outcome = call(&mut *reader).map_err(|error| self.named(error));
        let mut open = lock();
        open.push_back((self.number, reader));
        if open.len() > MAX_OPEN {
            open.pop_front();
        }
        outcome
    }

    /// The index of the first row of each part that can be read separately, and the number of rows.
    fn starts(&self) -> Result<&[u64], Error> {
        if let Some(starts) = self.starts.get() {
            return Ok(starts);
        }
        let starts = self.with_open(|reader| reader.parts())?;
        Ok(self.starts.get_or_init(|| starts))
    }

    /// The number of parts that can be read separately; 0 if the table is a stream.
    pub(crate) fn parts(&self) -> Result<u64, Error> {
        Ok(self.starts()?.len().saturating_sub(1) as u64)
    }

    /// Returns the index of the first row of a part, and its rows.
    pub(crate) fn part(&self, part: u64) -> Result<(u64, Batch), Error> {
        let starts = self.starts()?;
        let first = starts[part as usize];
        let rows = (starts[part as usize + 1] - first) as usize;
        let batch = self.with_open(|reader| {
            reader.seek(part as usize)?;
            // A part without rows may be followed by another one.
            if rows > 0
                && let Some(batch) = reader.next(rows, usize::MAX)?
            {
                return Ok(batch);
            }
            let schema = reader.schema().project(&self.selection().places)?;
            Ok(Batch::of(RecordBatch::new_empty(Arc::new(schema))))
        })?;
        Ok((first, batch))
    }

    /// The number of rows of a unit of a stream.
    fn unit_rows(&self) -> Result<usize, Error> {
        // An estimate for text.
        let is_packed = setwise_files::compression_of(&self.path).is_some();
        let rows = match self.starts()?.last() {
            Some(rows) if *rows > 0 => *rows as usize,
            _ => (self.bytes / 64) as usize * if is_packed { 4 } else { 1 },
        };
        let positions = self.selection().positions;
        let count = rows.saturating_mul(positions) / UNITS as usize;
        Ok((count.clamp(ROWS / 32, ROWS) / positions).max(1))
    }
}

impl Drop for TableFile {
    /// Closes the reader.
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(number, _)| *number != self.number);
    }
}

/// Reads tables from the front to the end, some thousand rows at a time. A unit has all rows of its positions if only the
/// deepest of them is read.
pub(crate) fn units(tables: &[Arc<TableFile>]) -> UnitStream {
    let (tables, mut at, mut open) = (tables.to_vec(), 0, None);
    let (mut runs, mut ready) = (Runs::default(), VecDeque::new());
    Box::new(move || {
        loop {
            let run = match tables.get(at) {
                _ if !ready.is_empty() => ready.pop_front(),
                None => runs.finish(),
                Some(table) => {
                    let rows = match &mut open {
                        Some(rows) => rows,
                        closed => closed.insert(Slices::new(table)?),
                    };
                    match rows.next().map_err(|error| table.named(error))? {
                        Some((first, rows)) => {
                            let run = Run { table: at, first, rows };
                            let done = if table.has_groups() {
                                runs.push(table.input(), run)?
                            } else {
                                vec![run]
                            };
                            ready.extend(done);
                        }
                        None => {
                            ready.extend(runs.end_table(table.input())?);
                            (open, at) = (None, at + 1);
                        }
                    }
                    continue;
                }
            };
            return Ok(run.map(|Run { table, first, rows }| {
                let contents = Contents::Rows(Batch::of(rows));
                (Unit { contents, first: place_of(table, first) }, 0)
            }));
        }
    })
}

/// The bits of the number of a row in its table. The bits above are the index of the table.
const ROW_BITS: u32 = 40;

/// Combines the index of a table and the index of a row in it.
const fn place_of(table: usize, row: u64) -> u64 {
    (table as u64) << ROW_BITS | row
}

/// Returns the index of a table, and the index of a row in it.
pub(crate) const fn row_at(place: u64) -> (usize, u64) {
    ((place >> ROW_BITS) as usize, place & ((1 << ROW_BITS) - 1))
}

/// The rows of a table, from the front to the end.
struct Slices {
    reader: Box<dyn TableReader>,
    /// The number of rows of a slice.
    rows: usize,
    /// The index of the next row.
    first: u64,
    /// Rows that are read but not returned.
    rest: Option<RecordBatch>,
}

impl Slices {
    fn new(table: &TableFile) -> Result<Self, Error> {
        let rows = table.unit_rows()?;
        Ok(Self { reader: table.open()?, rows, first: 0, rest: None })
    }

    /// Returns the index of the next row, and the next rows; `None` at the end.
    fn next(&mut self) -> anyhow::Result<Option<(u64, RecordBatch)>> {
        /// Slices and bytes that are decoded together.
        const TOGETHER: usize = 16;
        const BYTES: usize = 1 << 24;
        let batch = loop {
            match self.rest.take().filter(|rest| rest.num_rows() > 0) {
                Some(rest) => break rest,
                None => match self.reader.next(TOGETHER * self.rows, BYTES)? {
                    Some(batch) => self.rest = Some(batch.read()?),
                    None => return Ok(None),
                },
            }
        };
        let rows = self.rows.min(batch.num_rows());
        self.rest = Some(batch.slice(rows, batch.num_rows() - rows));
        self.first += rows as u64;
        Ok(Some((self.first - rows as u64, batch.slice(0, rows))))
    }
}

/// A text that differs for files with other contents.
pub(crate) fn file_identity(path: &Path) -> Result<String, Error> {
    let of = |path: &Path| {
        let of = path.metadata()?;
        Ok((std::path::absolute(path)?, of.len(), of.modified()?))
    };
    Ok(format!("{:?}", of(path).map_err(|error| Error::reading(path, error))?))
}

/// The number of bytes of the rows in memory.
pub(crate) fn size_of(rows: &RecordBatch) -> usize {
    let columns = rows.columns().iter();
    columns.map(|column| column.to_data().get_slice_memory_size().unwrap_or(0)).sum()
}

/// Reads a table in memory. Its parts are ranges of rows.
struct MemoryReader {
    table: Table,
    /// The selected columns; `None` for all.
    places: Option<Vec<usize>>,
    /// The index of the next row.
    at: usize,
    /// The number of rows of a part.
    step: usize,
}

impl TableReader for MemoryReader {
    fn schema(&self) -> &SchemaRef {
        &self.table.schema
    }

    fn select(&mut self, places: Vec<usize>) {
        self.places = Some(places);
    }

    fn next(&mut self, rows: usize, _: usize) -> anyhow::Result<Option<Batch>> {
        let (mut parts, mut before, mut count) = (Vec::new(), 0, 0);
        for batch in &self.table.batches {
            let start = self.at.saturating_sub(before).min(batch.num_rows());
            let take = (batch.num_rows() - start).min(rows - count);
            if take > 0 {
                let batch = batch.slice(start, take);
                parts.push(match &self.places {
                    Some(places) => batch.project(places)?,
                    None => batch,
                });
            }
            (before, count) = (before + batch.num_rows(), count + take);
            self.at += take;
        }
        Ok(match &parts[..] {
            [] => None,
            [batch] => Some(Batch::of(batch.clone())),
            all => Some(Batch::of(concat_batches(all[0].schema_ref(), all)?)),
        })
    }

    fn parts(&mut self) -> anyhow::Result<Vec<u64>> {
        let rows = self.table.rows();
        Ok((0..rows).step_by(self.step).chain([rows]).map(|row| row as u64).collect())
    }

    fn seek(&mut self, part: usize) -> anyhow::Result<()> {
        self.at = part * self.step;
        Ok(())
    }
}
