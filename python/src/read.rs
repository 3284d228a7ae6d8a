//! Files of packed records, batch by batch.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, Field, Schema as ArrowSchema, SchemaRef};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};
use setwise_formats::{Records, Error, ErrorKind, Format};
use setwise_table::{Column, Given, Maps};

use crate::error::raised;
use crate::table::{Schema, Table};

/// Records that are decoded before their columns are computed: they stay in the cache.
const CHUNK: usize = 4096;

/// The most rows that a batch has room for before there are any: a file may be shorter.
const ROOM: usize = 1 << 16;

/// The batches of a file of packed records: an iterator of ``Table``, and a stream for whatever takes Arrow.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Reader {
    rest: Arc<Mutex<Rest>>,
    schema: SchemaRef,
}

/// What of the file has not been read.
struct Rest {
    records: setwise_formats::Reader<File>,
    maps: Maps,
    schema: SchemaRef,
    path: PathBuf,
    rows: usize,
    chunk: Records,
    /// Comes after the rows before it.
    failed: Option<Error>,
}

impl Rest {
    /// The next rows, or none at the end.
    fn next(&mut self) -> Result<Option<RecordBatch>, Failed> {
        if let Some(error) = self.failed.take() {
            return Err(Failed::Read(self.path.clone(), error));
        }
        let format = self.records.format();
        let room = self.rows.min(ROOM);
        let mut columns = self.maps.records_builder(format, room).map_err(Failed::Table)?;
        while columns.len() < self.rows {
            let rows = CHUNK.min(self.rows - columns.len());
            let read = self.records.read(rows, &mut self.chunk);
            columns.append(&self.chunk).map_err(Failed::Table)?;
            match read {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if columns.is_empty() => {
                    return Err(Failed::Read(self.path.clone(), error));
                }
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        if columns.is_empty() {
            return Ok(None);
        }
        let batch = RecordBatch::try_new(self.schema.clone(), columns.finish());
        batch.map(Some).map_err(|error| Failed::Table(error.into()))
    }
}

/// Why there are no more rows.
enum Failed {
    Read(PathBuf, Error),
    Table(setwise_table::Error),
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

/// Opens a file.
#[pyfunction]
#[pyo3(signature = (path, columns, format, batch_size, signed))]
pub(crate) fn read(
    py: Python<'_>,
    path: PathBuf,
    columns: Option<Vec<String>>,
    format: Option<&str>,
    batch_size: usize,
    signed: bool,
) -> PyResult<Reader> {
    if batch_size == 0 {
        return Err(PyValueError::new_err("batch_size must be at least 1"));
    }
    let format = match format {
        Some(name) => name.parse().map_err(|error: setwise_formats::UnknownFormat| {
            PyValueError::new_err(error.to_string())
        })?,
        None => {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.and_then(Format::from_extension).ok_or_else(|| {
                let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
                PyValueError::new_err(format!(
                    "{}: no format has files that are called so; say which, format=... ({})",
                    path.display(),
                    names.join(", ")
                ))
            })?
        }
    };
    let maps = match columns {
        Some(columns) => crate::maps::chosen(py, Some(columns), signed)?,
        None => {
            let told = Given::of(format).into_iter().map(Column::Given);
            let boards = Given::ALL[..8].iter().map(|&given| Column::Given(given));
            let mut columns: Vec<Column> = boards.collect();
            columns.extend(told.filter(|column| !columns.contains(column)).collect::<Vec<_>>());
            Maps::default().columns(columns).signed(signed)
        }
    };
    maps.records_builder(format, 0).map_err(|error| raised(py, error))?;
    let schema = Arc::new(ArrowSchema::new(maps.fields(false)));
    let file = File::open(&path)?;
    let rest = Rest {
        records: setwise_formats::Reader::new(format, file),
        maps,
        schema: schema.clone(),
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
        Ok(batch.map(|batch| Table::new(vec![batch], self.schema.clone())))
    }

    /// The batches that are left.
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
        Ok(pyo3_arrow::ffi::to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    fn __repr__(&self) -> String {
        format!("<setwise.Reader: {}>", crate::table::listed(&self.schema))
    }
}
