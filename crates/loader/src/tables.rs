//! The sources of a loader, and those that are tables: in files or in memory.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::SchemaRef;
use arrow_select::{concat::concat_batches, take::take};
use setwise_files::{Batch, FileFormat, TableReader, TextOptions, no_progress, open_table};
use setwise_table::{Condition, Input, Run, Runs, TableOptions, folders};

use crate::error::Error;
use crate::units::{
    BYTES, Contents, TOGETHER, UNITS, Unit, UnitStream, append_range, check_length,
};

/// The maximum number of rows per unit. Small tables have smaller units, so that each has a few dozen.
const ROWS: usize = 4096;

/// Something to read.
#[derive(Clone)]
pub enum Source {
    /// A file or a folder.
    Path(PathBuf),
    /// A table.
    Table(Table),
}

impl<P: Into<PathBuf>> From<P> for Source {
    fn from(path: P) -> Self {
        Self::Path(path.into())
    }
}

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

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }
}

impl Source {
    /// The path, or the name of a table.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Path(path) => path,
            Self::Table(table) => &table.name,
        }
    }

    /// The number of bytes in the file or in memory.
    pub(crate) fn bytes(&self) -> Result<u64, Error> {
        match self {
            Self::Path(path) => match path.metadata() {
                Ok(of) if of.is_file() => Ok(of.len()),
                Ok(_) => Err(Error::Invalid(format!(
                    "{}: not a file; a loader reads its files several times, so write what comes from a pipe to a file",
                    path.display()
                ))),
                Err(error) => Err(Error::reading(path, error)),
            },
            Self::Table(table) => {
                let columns = table.batches.iter().flat_map(RecordBatch::columns);
                let sizes = columns.map(|column| column.to_data().get_slice_memory_size());
                Ok(sizes.map(|size| size.unwrap_or(0) as u64).sum())
            }
        }
    }

    /// Excerpts of the bytes or the rows: from the start, the middle and the end, so that long files take no longer. They
    /// depend neither on the batches of a table nor on its dictionaries.
    pub(crate) fn excerpts(&self) -> Result<Vec<u8>, Error> {
        let parts = |size: u64, excerpt: u64| {
            let starts = [0, size / 2, size.saturating_sub(excerpt)];
            starts.map(|start| start..(start + excerpt).min(size))
        };
        let mut bytes = Vec::new();
        match self {
            Self::Path(path) => {
                let reading = |error| Error::reading(path, error);
                let mut file = File::open(path).map_err(reading)?;
                for part in parts(self.bytes()?, 4096) {
                    append_range(&mut bytes, &mut file, part).map_err(reading)?;
                }
            }
            Self::Table(table) => {
                let mut reader = MemoryReader { table: table.clone(), at: 0, step: 1 };
                for part in parts(table.rows() as u64, 8) {
                    reader.at = part.start as usize;
                    let rows = reader.next((part.end - part.start) as usize, 0);
                    let rows = rows.and_then(|rows| rows.map(Batch::read).transpose());
                    let rows = rows.map_err(|error| self.named(error))?;
                    for column in rows.iter().flat_map(RecordBatch::columns) {
                        let column = match column.as_any_dictionary_opt() {
                            Some(of) => take(of.values(), of.keys(), None)
                                .map_err(|error| self.named(error.into()))?,
                            None => column.clone(),
                        };
                        bytes.extend(format!("{column:?}").bytes());
                    }
                }
            }
        }
        Ok(bytes)
    }

    /// A text that differs for files and tables with other contents.
    pub(crate) fn identity(&self) -> Result<String, Error> {
        let of = |path: &Path| {
            let of = path.metadata()?;
            Ok(format!("{:?}", (std::path::absolute(path)?, of.len(), of.modified()?)))
        };
        match self {
            Self::Path(path) => of(path).map_err(|error| Error::reading(path, error)),
            Self::Table(table) => Ok(table.identity.clone()),
        }
    }

    /// Adds the name of the table to an error.
    pub(crate) fn named(&self, error: anyhow::Error) -> Error {
        match error.downcast::<io::Error>() {
            Ok(error) if error.raw_os_error().is_some() => Error::reading(self.path(), error),
            Ok(error) => Error::Invalid(format!("{}: {error}", self.path().display())),
            Err(error) => Error::Invalid(format!("{}: {error:#}", self.path().display())),
        }
    }

    /// Adds the name of the table to an error about its columns, and the option that helps.
    fn of_columns(&self, error: setwise_table::Error) -> Error {
        use setwise_table::Error::{Doubt, NoFen, SeveralFens};
        let message = format!("{}: {error}", self.path().display());
        match error {
            NoFen(_) | SeveralFens(_) => Doubt(message, "fen_column").into(),
            Doubt(_, option) => Doubt(message, option).into(),
            _ => Error::Invalid(message),
        }
    }

    /// Opens the table. Each of its rows has about `positions` positions.
    fn open(&self, format: FileFormat, positions: usize) -> Result<Box<dyn TableReader>, Error> {
        match self {
            Self::Path(path) => {
                let options = TextOptions { guess: Some(true), ..TextOptions::default() };
                open_table(path, format, &options, &no_progress())
                    .map_err(|error| self.named(error))
            }
            Self::Table(table) => {
                let step = (table.rows() / UNITS as usize).max(ROWS / 128).min(ROWS / positions);
                Ok(Box::new(MemoryReader { table: table.clone(), at: 0, step: step.max(1) }))
            }
        }
    }
}

/// A table of a loader, which is read in units.
pub(crate) struct TableFile {
    pub(crate) source: Source,
    format: FileFormat,
    bytes: u64,
    schema: SchemaRef,
    /// The columns to read.
    places: Vec<usize>,
    /// The input that they are.
    pub(crate) input: Input,
    /// The index of the first row of each part that can be read separately, and the number of rows; nothing if the table
    /// is a stream.
    pub(crate) starts: Vec<u64>,
    /// The number of this table among all of the process.
    number: u64,
}

impl TableFile {
    /// Opens a table to read the columns of labels that it has, and those that the conditions need.
    pub(crate) fn open(
        source: &Source,
        format: FileFormat,
        options: &TableOptions,
        conditions: &[Condition],
    ) -> Result<Self, Error> {
        let bytes = source.bytes()?;
        let options = TableOptions { folders: folders(source.path()), ..options.clone() };
        let schema = source.open(format, 1)?.schema().clone();
        let input = Input::of_table(&schema, &options).map_err(|error| source.of_columns(error))?;
        let input = input.hashed().needing(conditions);
        let (source, (places, input)) = (source.clone(), input.select());
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let starts = Vec::new();
        let mut table = Self { source, format, bytes, schema, places, input, starts, number };
        let mut reader = table.reader()?;
        table.starts = reader.parts().map_err(|error| table.source.named(error))?;
        Ok(table)
    }

    /// Returns whether only one of the consecutive rows of a position is read.
    pub(crate) fn has_groups(&self) -> bool {
        self.input.groups().is_some()
    }

    fn reader(&self) -> Result<Box<dyn TableReader>, Error> {
        if let Source::Path(path) = &self.source {
            check_length(path, self.bytes)?;
        }
        let mut reader = self.source.open(self.format, self.input.positions_of_row())?;
        if *reader.schema() != self.schema {
            return Err(self.changed("columns"));
        }
        reader.select(self.places.clone());
        Ok(reader)
    }

    fn changed(&self, what: &str) -> Error {
        let path = self.source.path().display();
        Error::Invalid(format!("{path}: it was changed while it was read: it has other {what}"))
    }

    /// Reads a part, by a reader that stays open for the next one.
    pub(crate) fn read(&self, part: u64) -> Result<Batch, Error> {
        let named = |error| self.source.named(error);
        let is_own = |(number, _): &mut (u64, _)| *number == self.number;
        let open = open_readers().extract_if(.., is_own).next();
        let mut reader = match open {
            Some((_, reader)) => reader,
            None => {
                let mut reader = self.reader()?;
                if reader.parts().map_err(named)? != self.starts {
                    return Err(self.changed("rows"));
                }
                reader
            }
        };
        let rows = self.part(&mut *reader, part as usize).map_err(named);
        let mut open = open_readers();
        open.push((self.number, reader));
        if open.len() > MAX_OPEN {
            open.remove(0);
        }
        rows
    }

    /// Reads a part.
    fn part(&self, reader: &mut dyn TableReader, part: usize) -> anyhow::Result<Batch> {
        reader.seek(part)?;
        let rows = (self.starts[part + 1] - self.starts[part]) as usize;
        // A part without rows may be followed by another one.
        if rows > 0
            && let Some(batch) = reader.next(rows, usize::MAX)?
        {
            return Ok(batch);
        }
        let schema = reader.schema().project(&self.places)?;
        Ok(Batch::of(RecordBatch::new_empty(Arc::new(schema))))
    }

    /// The number of rows of a unit of a stream.
    fn unit_rows(&self) -> usize {
        // An estimate for text.
        let is_packed = setwise_files::compression_of(self.source.path()).is_some();
        let rows = match self.starts.last() {
            Some(rows) if *rows > 0 => *rows as usize,
            _ => (self.bytes / 64) as usize * if is_packed { 4 } else { 1 },
        };
        let positions = self.input.positions_of_row();
        let count = rows.saturating_mul(positions) / UNITS as usize;
        (count.clamp(ROWS / 32, ROWS) / positions).max(1)
    }
}

/// The readers used last, each with the number of its table. Only these stay open, because there may be thousands of
/// tables, in many loaders.
static OPEN: Mutex<Vec<(u64, Box<dyn TableReader>)>> = Mutex::new(Vec::new());

const MAX_OPEN: usize = 16;

fn open_readers() -> MutexGuard<'static, Vec<(u64, Box<dyn TableReader>)>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for TableFile {
    /// Closes the reader.
    fn drop(&mut self) {
        open_readers().retain(|(number, _)| *number != self.number);
    }
}

/// Reads tables from the front to the end, some thousand rows at a time. A unit has all rows of its positions if only the
/// deepest of them is read.
pub(crate) fn units(tables: &[Arc<TableFile>]) -> UnitStream {
    let (tables, mut at, mut open) = (tables.to_vec(), 0, None);
    let (mut runs, mut ready) = (Runs::default(), VecDeque::new());
    Box::new(move || {
        while ready.is_empty()
            && let Some(table) = tables.get(at)
        {
            let (reader, first) = match &mut open {
                Some(open) => open,
                closed => closed.insert((table.reader()?, 0)),
            };
            let rows = table.unit_rows();
            let batch = reader.next(TOGETHER * rows, BYTES);
            let batch = batch.and_then(|batch| batch.map(Batch::read).transpose());
            if let (Source::Path(path), Err(_) | Ok(None)) = (&table.source, &batch) {
                check_length(path, table.bytes)?;
            }
            let Some(batch) = batch.map_err(|error| table.source.named(error))? else {
                ready.extend(runs.end_table(&table.input)?);
                (open, at) = (None, at + 1);
                continue;
            };
            for start in (0..batch.num_rows()).step_by(rows) {
                let slice = batch.slice(start, rows.min(batch.num_rows() - start));
                let run = Run { table: at, first: *first + start as u64, rows: slice };
                match table.has_groups() {
                    true => ready.extend(runs.push(&table.input, run)?),
                    false => ready.push_back(run),
                }
            }
            *first += batch.num_rows() as u64;
        }
        let run = ready.pop_front().or_else(|| runs.finish());
        Ok(run.map(|Run { table, first, rows }| {
            let contents = Contents::Rows(Batch::of(rows));
            (Unit { contents, first: place_of(table, first) }, 0)
        }))
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

/// Reads a table in memory. Its parts are ranges of rows.
struct MemoryReader {
    table: Table,
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
        for batch in &mut self.table.batches {
            *batch = batch.project(&places).expect("columns of the table");
        }
    }

    fn next(&mut self, rows: usize, _: usize) -> anyhow::Result<Option<Batch>> {
        let (end, mut before, mut parts) = (self.at.saturating_add(rows), 0, Vec::new());
        for batch in &self.table.batches {
            let after = before + batch.num_rows();
            let (from, to) = (self.at.clamp(before, after), end.clamp(before, after));
            if from < to {
                parts.push(batch.slice(from - before, to - from));
            }
            before = after;
        }
        self.at = end.min(before);
        let Some(first) = parts.first() else { return Ok(None) };
        Ok(Some(Batch::of(concat_batches(first.schema_ref(), &parts)?)))
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
