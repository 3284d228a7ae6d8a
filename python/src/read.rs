//! Reads files of packed records, batch by batch.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, Field, SchemaRef};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use setwise_formats::{ErrorKind, Format, Records};
use setwise_table::{BadRow, Column, Error, Given, Input, Keep, OnInvalid, Part, Plan, Rows};

use crate::error::raised;
use crate::query::{Query, wrong};
use crate::table::{Schema, Table, listed};

/// Records to decode before their columns are computed: they stay in the cache.
const CHUNK: usize = 4096;

/// The maximum number of rows for which memory is reserved in advance: a file may be shorter.
const RESERVED: usize = 1 << 16;

/// Reads a file of packed records in batches: an iterator of ``Table``, and an Arrow stream.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Reader {
    rest: Arc<Mutex<Rest>>,
    schema: SchemaRef,
}

/// The part of a file that has not been read.
struct Rest {
    records: setwise_formats::Reader<File>,
    plan: Plan,
    on_invalid: OnInvalid,
    path: PathBuf,
    rows: usize,
    chunk: Records,
    /// Returned after the rows before it.
    failed: Option<Failed>,
}

/// Why there are no more rows.
enum Failed {
    Read(PathBuf, setwise_formats::Error),
    Table(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Table(error)
    }
}

impl Rest {
    /// The next rows, or none at the end.
    fn next(&mut self) -> Result<Option<RecordBatch>, Failed> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let Self { records, plan, on_invalid, path, rows: wanted, chunk, .. } = self;
        let read = |rows: &mut Rows<'_>| {
            while rows.len() < *wanted {
                let first = records.records() + 1;
                let outcome = records.read(CHUNK.min(*wanted - rows.len()), chunk);
                rows.push_records(chunk, 0..chunk.len(), first);
                let error = match outcome {
                    Ok(0) => break,
                    Ok(_) => continue,
                    Err(error) => error,
                };
                // After a bad record of variable size, or a read error, nothing more can be read.
                let goes_on = records.format().record_size().is_some()
                    && !matches!(error.kind(), ErrorKind::Io);
                if !goes_on || *on_invalid == OnInvalid::Stop {
                    return Err(Failed::Read(path.clone(), error));
                }
                let row = error.record();
                let describe = || {
                    let (place, reason) = (format!("record {row}"), error.to_string());
                    BadRow { row, place, character: 1, reason, text: Vec::new() }
                };
                rows.push_invalid(None, row, describe)?;
            }
            Ok(())
        };
        let part = Part { rows: (*wanted).min(RESERVED), bytes: 0, read: Box::new(read) };
        let (output, error) = plan.read_until_error::<Failed>(part)?;
        match error {
            Some(error) if output.batch.num_rows() == 0 => return Err(error),
            error => self.failed = error,
        }
        Ok(Some(output.batch).filter(|batch| batch.num_rows() > 0))
    }
}

impl Failed {
    fn raised(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Table(error) => raised(py, error),
            Self::Read(path, error) => {
                let message = format!("{}: {error}", path.display());
                match error.kind() {
                    ErrorKind::Io => PyOSError::new_err(message),
                    _ => PyValueError::new_err(message),
                }
            }
        }
    }

    fn in_a_stream(self) -> ArrowError {
        match self {
            Self::Table(error) => ArrowError::ExternalError(Box::new(error)),
            Self::Read(path, error) => {
                ArrowError::ParseError(format!("{}: {error}", path.display()))
            }
        }
    }
}

/// Opens a file. Without `named`, the columns are the boards and all other data of a record.
#[pyfunction]
pub(crate) fn read(
    py: Python<'_>,
    path: PathBuf,
    query: &Bound<'_, Query>,
    named: bool,
    input_format: Option<&str>,
    batch_size: usize,
) -> PyResult<Reader> {
    if batch_size == 0 {
        return Err(wrong("`batch_size` must be at least 1"));
    }
    let format = match input_format {
        Some(name) => name.parse().map_err(|error: setwise_formats::UnknownFormat| wrong(error))?,
        None => {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.and_then(Format::from_extension).ok_or_else(|| {
                let names: Vec<_> =
                    Format::ALL.iter().map(|format| format!("`{}`", format.name())).collect();
                wrong(format!(
                    "{}: the name tells no format; set `input_format` to one of {}",
                    path.display(),
                    names.join(", ")
                ))
            })?
        }
    };
    let input = Input::records(format, &Keep::None).map_err(|error| raised(py, error))?;
    let on_invalid = query.get().on_invalid;
    let mut query = query.get().all_rows().clone();
    if !named {
        let in_format = Given::in_format(format).into_iter();
        let columns = Given::BOARDS.into_iter().chain(in_format);
        query = query.columns(columns.map(Column::Given));
    }
    let plan = query.plan(&input).map_err(|error| raised(py, error))?;
    let schema = Arc::clone(plan.schema());
    let file = File::open(&path)?;
    let rest = Rest {
        records: setwise_formats::Reader::new(format, file),
        on_invalid,
        plan,
        path,
        rows: batch_size,
        chunk: Records::new(),
        failed: None,
    };
    Ok(Reader { rest: Arc::new(Mutex::new(rest)), schema })
}

fn next(rest: &Mutex<Rest>) -> Result<Option<RecordBatch>, Failed> {
    rest.lock().unwrap_or_else(PoisonError::into_inner).next()
}

#[pymethods]
impl Reader {
    /// Names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema::new(self.schema.clone())
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Table>> {
        let batch = py.detach(|| next(&self.rest)).map_err(|failed| failed.raised(py))?;
        Ok(batch.map(|batch| Table::new(vec![batch], self.schema.clone(), None)))
    }

    /// The remaining batches.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let rest = Arc::clone(&self.rest);
        let batches =
            std::iter::from_fn(move || next(&rest).map_err(Failed::in_a_stream).transpose());
        let arrays = batches.map(|batch| Ok(Arc::new(StructArray::from(batch?)) as ArrayRef));
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let arrays = Box::new(ArrayIterator::new(arrays, Arc::new(field)));
        Ok(to_stream_pycapsule(py, arrays, requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    fn __repr__(&self) -> String {
        format!("<setwise.Reader: {}>", listed(&self.schema))
    }
}
