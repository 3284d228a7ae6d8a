//! Reads files of packed records and games, batch by batch.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::{io, mem, process};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::to_schema_pycapsule;
use setwise_files::{FileFormat, Stream, no_progress, records, unpack};
use setwise_formats::{ErrorKind, Format, Records};
use setwise_table::{
    BadRow, Column, GameSource, Input, InputColumn, Keep, OnInvalid, Output, Part, Plan, Rows,
    Source, each,
};

use crate::error::{Stopped, at_least, passed, quoted, raised, wrong};
use crate::query::{GoOn, Query, threads_of, threads_or_all};
use crate::signals::{lock, rare_checks};
use crate::table::{Schema, Table, listed, stream_of};

/// The number of records to decode before their columns are computed, so that they stay in the cache.
const CHUNK: usize = 4096;

/// The maximum number of rows for which memory is reserved in advance, because a file may be shorter.
const RESERVED: usize = 1 << 16;

/// Reads a file of packed records or games in batches: an iterator of ``Table``, and an Arrow stream.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Reader {
    rest: Shared,
    left_out: Arc<[AtomicU64]>,
    schema: SchemaRef,
}

/// The rest of a file, and the process that opened it.
#[derive(Clone)]
struct Shared {
    process: u32,
    rest: Arc<Mutex<Rest>>,
}

impl Shared {
    /// Processes would share the position in the file, and the lock may have been copied while it was held.
    fn next(&self, go_on: GoOn<'_>) -> Result<Option<RecordBatch>, Stopped> {
        if self.process != process::id() {
            let message =
                "this reader was opened in another process, which reads the file: call `read` here";
            return Err(passed(PyRuntimeError::new_err(message)));
        }
        lock(&self.rest)?.next(go_on)
    }
}

impl Drop for Shared {
    /// Does not touch the rest of the parent process: another thread may have been using it when the process forked.
    fn drop(&mut self) {
        if self.process != process::id() {
            mem::forget(Arc::clone(&self.rest));
        }
    }
}

/// The part of a file that has not been read.
struct Rest {
    /// Reads the next rows as one or several outputs, the last with an optional error; none at the end.
    more: More,
    plan: Plan,
    rows: usize,
    /// The number of rows that each condition has dropped.
    left_out: Arc<[AtomicU64]>,
    ready: VecDeque<RecordBatch>,
    /// The error to return after the rows before it.
    failed: Option<Stopped>,
}

type More = Box<dyn FnMut(&Plan, GoOn<'_>) -> Result<Vec<ReadUntil>, Stopped> + Send>;
/// Rows, and the error after them.
type ReadUntil = (Output, Option<Stopped>);

impl Rest {
    /// Returns the next rows, or `None` at the end. An error of `go_on` stops the search for rows.
    fn next(&mut self, go_on: GoOn<'_>) -> Result<Option<RecordBatch>, Stopped> {
        loop {
            if let Some(batch) = self.ready.pop_front() {
                let rows = batch.num_rows().min(self.rows);
                if batch.num_rows() > rows {
                    self.ready.push_front(batch.slice(rows, batch.num_rows() - rows));
                }
                return Ok(Some(batch.slice(0, rows)));
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            let read = (self.more)(&self.plan, go_on)?;
            if read.is_empty() {
                return Ok(None);
            }
            for (output, error) in read {
                for (all, more) in self.left_out.iter().zip(output.report.left_out) {
                    all.fetch_add(more, Ordering::Relaxed);
                }
                // Conditions may drop all rows.
                self.ready.extend(Some(output.batch).filter(|batch| batch.num_rows() > 0));
                self.failed = error;
                if self.failed.is_some() {
                    break;
                }
            }
        }
    }
}

/// Returns a function that reads records, some rows at a time.
fn more_records(
    mut records: setwise_formats::Reader<'static>,
    path: PathBuf,
    on_invalid: OnInvalid,
    wanted: usize,
) -> More {
    let (mut chunk, mut over) = (Records::new(), false);
    Box::new(move |plan, go_on| {
        if over {
            return Ok(Vec::new());
        }
        let read = |rows: &mut Rows<'_>| {
            while rows.count() < wanted {
                go_on()?;
                let first = records.records() + 1;
                let outcome = records.read(CHUNK.min(wanted - rows.count()), &mut chunk);
                rows.push_records(&chunk, 0..chunk.len(), first);
                match outcome {
                    Ok(0) => {
                        over = true;
                        break;
                    }
                    Ok(_) => {}
                    Err(error) if error.resumes() && on_invalid != OnInvalid::Stop => {
                        let row = error.record();
                        let (place, reason) = (format!("record {row}"), error.to_string());
                        let bad = BadRow { row, place, character: 1, reason, text: Vec::new() };
                        rows.push_invalid(None, row, || bad)?;
                    }
                    Err(error) => return Err(of_records(&path, error)),
                }
            }
            Ok(())
        };
        let part = Part { rows: wanted.min(RESERVED), bytes: 0, read: Box::new(read) };
        Ok(vec![plan.read_until_error(part)?])
    })
}

/// Returns a function that replays games, some parts on each thread.
fn more_games(mut games: GameSource<Stream>, rows: usize, threads: usize) -> More {
    // A few parts per thread, so that no thread waits for long.
    let parts = if threads == 1 { 1 } else { 4 * threads };
    let (mut over, mut drawn, mut bytes) = (false, Vec::new(), 0);
    Box::new(move |plan, go_on| {
        while drawn.len() < parts && bytes < PARTS && !over {
            // An error here loses no part.
            go_on()?;
            match Source::<Stopped>::next(&mut games, rows.min(RESERVED), PART) {
                Ok(Some(part)) => {
                    bytes += part.bytes;
                    drawn.push(part);
                }
                Ok(None) => over = true,
                // The error is returned after the games before it.
                Err(error) => {
                    over = true;
                    let read = Box::new(move |_: &mut Rows<'_>| Err(error));
                    drawn.push(Part { rows: 0, bytes: 0, read });
                }
            }
        }
        let parts = mem::take(&mut drawn);
        bytes = 0;
        let read = each(threads, parts, &mut || Ok(()), |part| plan.read_until_error(part))?;
        over |= read.iter().any(|(_, error)| error.is_some());
        Ok(read)
    })
}

/// The maximum number of bytes of games that a thread replays together.
const PART: usize = 4 << 20;

/// The number of bytes after which no further part is drawn. Signals are handled between them.
const PARTS: usize = 64 << 20;

/// Converts an error to an error of an Arrow stream, whose consumers display its text.
fn in_a_stream(stopped: Stopped) -> ArrowError {
    match stopped {
        Stopped::Rows(error) => ArrowError::ExternalError(Box::new(error)),
        other => ArrowError::ParseError(other.to_string()),
    }
}

/// Converts an error of a file of records.
fn of_records(path: &Path, error: setwise_formats::Error) -> Stopped {
    let message = format!("{}: {error}", path.display());
    match error.kind() {
        ErrorKind::Io => io::Error::other(message).into(),
        _ => Stopped::Invalid(message),
    }
}

/// Lists the files of a folder, or returns a path to a file.
#[pyfunction]
pub(crate) fn files(path: PathBuf, input_format: Option<&str>) -> PyResult<Vec<PathBuf>> {
    if let Some(name) = input_format.filter(|name| FileFormat::named(name).is_none()) {
        let names = quoted(FileFormat::ALL.iter().map(|format| format.name()));
        return Err(wrong(format!(
            "no format is called `{name}`; `input_format` is one of {names}"
        )));
    }
    setwise_loader::files(&path, input_format).map_err(raised)
}

/// Opens a file. Without `named`, the columns are the boards and the other fields of a record. For games, `keep`
/// selects the source columns that precede them, by default all.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub(crate) fn read(
    py: Python<'_>,
    path: PathBuf,
    query: &Query,
    named: bool,
    keep: Option<Vec<String>>,
    input_format: Option<&str>,
    batch_size: i64,
    threads: Option<i64>,
) -> PyResult<Reader> {
    let threads = threads_or_all(threads_of(threads)?);
    let batch_size = at_least("batch_size", 1, batch_size)?;
    if path.is_dir() {
        let path = path.display();
        return Err(wrong(format!(
            "{path}: it is a folder; pass its files, or the folder to `Loader`"
        )));
    }
    let format = match input_format {
        Some(name) => FileFormat::named(name),
        None => FileFormat::of(&path)?,
    };
    let packed = match format {
        Some(FileFormat::Packed(format)) => Some(format),
        Some(FileFormat::Pgn) => None,
        Some(other) => {
            let (path, name) = (path.display(), other.name());
            let rows = match other {
                FileFormat::Text => "its lines to `maps`",
                _ => "its rows to `maps_table`",
            };
            return Err(wrong(format!(
                "{path}: it is {name}, not records or games; pass {rows}, or the file to `Loader`"
            )));
        }
        None => {
            let names = Format::ALL.iter().map(|format| format.name());
            let names = quoted(names.chain([FileFormat::Pgn.name()]));
            let reason = match input_format {
                Some(name) => format!("no format of records or games is called `{name}`"),
                None => "cannot infer the format from the file name".to_owned(),
            };
            let path = path.display();
            return Err(wrong(format!("{path}: {reason}; set `input_format` to one of {names}")));
        }
    };
    let keep = match (keep, packed) {
        (Some(names), _) if names.is_empty() => Keep::None,
        (Some(names), _) => Keep::Named(names),
        (None, None) => Keep::All,
        (None, Some(_)) => Keep::None,
    };
    let input = match packed {
        Some(format) => Input::records(format, &keep),
        None => Input::games(&keep),
    };
    let input = input.map_err(raised)?;
    let on_invalid = query.on_invalid;
    let left_out: Arc<[_]> = query.query.get_conditions().iter().map(|_| 0.into()).collect();
    let mut query = query.query.clone();
    if !named {
        let of_position = InputColumn::BOARDS.into_iter().map(Column::Input);
        let said = packed.map_or_else(|| InputColumn::STATE.to_vec(), InputColumn::in_format);
        query = query.columns(of_position.chain(said.into_iter().map(Column::Input)));
    }
    let plan = query.plan(&input).map_err(raised)?;
    let schema = Arc::clone(plan.schema());
    let stream = py.detach(|| unpack(&path, &no_progress()))?;
    let more = match packed {
        Some(format) => {
            let records = setwise_formats::Reader::new(format, records(format, stream)?);
            more_records(records, path, on_invalid, batch_size)
        }
        None => {
            let games = GameSource::new(stream, &format!("{}: ", path.display()));
            more_games(games, batch_size, threads)
        }
    };
    let (ready, failed) = (VecDeque::new(), None);
    let rest = Rest { more, plan, rows: batch_size, left_out: left_out.clone(), ready, failed };
    let rest = Shared { process: process::id(), rest: Arc::new(Mutex::new(rest)) };
    Ok(Reader { rest, left_out, schema })
}

#[pymethods]
impl Reader {
    /// The names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.schema.clone())
    }

    /// The number of rows that each condition of ``where`` has dropped so far. A row is counted by the first condition
    /// that it fails.
    #[getter]
    fn left_out(&self) -> Vec<u64> {
        self.left_out.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let batch = py.detach(|| self.rest.next(&mut rare_checks())).map_err(raised)?;
        let schema = self.schema.clone();
        Ok(batch.map(|batch| Table { batches: vec![batch], schema, index: None }))
    }

    /// Exports the remaining batches.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let rest = self.rest.clone();
        let next = move || rest.next(&mut || Ok(())).map_err(in_a_stream).transpose();
        let batches = std::iter::from_fn(next);
        stream_of(py, &self.schema, batches, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    fn __repr__(&self) -> String {
        format!("<setwise.Reader: {}>", listed(&self.schema))
    }
}
