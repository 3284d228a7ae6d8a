//! Columns of text and tables to columns of maps.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{Schema as ArrowSchema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_table::{Column, Error, Keep, Maps, OnBad, Plan};

use crate::columns;
use crate::error::raised;
use crate::input;
use crate::table::{Schema, Table};
use crate::tasks::{Stopped, Threads};

/// The columns that are asked for, or the sixteen attack maps.
pub(crate) fn chosen(py: Python<'_>, columns: Option<Vec<String>>, signed: bool) -> PyResult<Maps> {
    let maps = Maps::default().signed(signed);
    let Some(columns) = columns else { return Ok(maps) };
    let columns: Result<Vec<Column>, Error> = columns.iter().map(|name| name.parse()).collect();
    Ok(maps.columns(columns.map_err(|error| raised(py, error))?))
}

pub(crate) fn on_bad(errors: &str) -> PyResult<OnBad> {
    match errors {
        "raise" => Ok(OnBad::Stop),
        "null" => Ok(OnBad::Null),
        other => {
            Err(PyValueError::new_err(format!("errors must be 'raise' or 'null', not '{other}'")))
        }
    }
}

/// The exception for what has stopped the tasks.
pub(crate) fn stopped(py: Python<'_>, stopped: Stopped<Error>) -> PyErr {
    match stopped {
        Stopped::Failed(error) => raised(py, error),
        Stopped::Raised(error) => error,
    }
}

#[pyfunction]
#[pyo3(signature = (fens, columns, errors, signed, threads))]
pub(crate) fn maps(
    py: Python<'_>,
    fens: &Bound<'_, PyAny>,
    columns: Option<Vec<String>>,
    errors: &str,
    signed: bool,
    threads: Option<usize>,
) -> PyResult<Table> {
    let maps = chosen(py, columns, signed)?.on_bad(on_bad(errors)?);
    let threads = Threads::new(threads)?;
    let chunks = input::text(fens)?;
    maps.builder(0).map_err(|error| raised(py, error))?; // fails as a part would
    let fields = maps.fields(true);
    let rows = chunks.iter().map(|chunk| chunk.len()).sum();
    let parts = input::cut(&chunks, threads.rows_of_a_task(rows, columns::MOST));
    let columns = columns::computed(py, threads, &fields, parts, |text: ArrayRef| {
        Ok(maps.of_text(&text)?.batch.columns().to_vec())
    })
    .map_err(|error| stopped(py, error))?;
    let schema = Arc::new(ArrowSchema::new(fields));
    Ok(Table::new(vec![joined(py, schema.clone(), columns, rows)?], schema))
}

#[pyfunction]
#[pyo3(signature = (table, fen, columns, errors, signed, threads))]
pub(crate) fn maps_table(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    fen: Option<&str>,
    columns: Option<Vec<String>>,
    errors: &str,
    signed: bool,
    threads: Option<usize>,
) -> PyResult<Table> {
    let maps = chosen(py, columns, signed)?.on_bad(on_bad(errors)?);
    let threads = Threads::new(threads)?;
    let (batches, schema) = input::table(table)?;
    let plan = Plan::new(maps, &schema, fen, &Keep::All).map_err(|error| raised(py, error))?;
    let kept = schema.fields().len();
    let fields = plan.schema().fields().iter().skip(kept).cloned().collect();
    let rows = batches.iter().map(|batch| batch.num_rows()).sum();
    let parts = input::cut(&batches, threads.rows_of_a_task(rows, columns::MOST));
    let columns = columns::computed(py, threads, &fields, parts, |batch: RecordBatch| {
        Ok(plan.maps(&batch)?.batch.columns()[kept..].to_vec())
    })
    .map_err(|error| stopped(py, error))?;
    // As many batches as there were, each with its part of the new columns.
    let mut before = 0;
    let with_maps = |batch: RecordBatch| {
        let (start, rows) = (before, batch.num_rows());
        before += rows;
        let new = columns.iter().map(|column| column.slice(start, rows));
        let all = batch.columns().iter().cloned().chain(new).collect();
        joined(py, plan.schema().clone(), all, rows)
    };
    let batches = batches.into_iter().map(with_maps).collect::<PyResult<_>>()?;
    Ok(Table::new(batches, plan.schema().clone()))
}

/// A batch of columns, which may be none.
fn joined(
    py: Python<'_>,
    schema: SchemaRef,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> PyResult<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, columns, &options)
        .map_err(|error| raised(py, error.into()))
}

#[pyfunction]
#[pyo3(signature = (columns, signed))]
pub(crate) fn schema(
    py: Python<'_>,
    columns: Option<Vec<String>>,
    signed: bool,
) -> PyResult<Schema> {
    let maps = chosen(py, columns, signed)?;
    maps.builder(0).map_err(|error| raised(py, error))?;
    Ok(Schema::new(Arc::new(ArrowSchema::new(maps.fields(true)))))
}

/// What can be asked of a FEN, and what it means.
#[pyfunction]
#[pyo3(name = "columns")]
pub(crate) fn all_columns(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let columns = PyDict::new(py);
    for column in Column::all() {
        if Maps::default().columns([column]).builder(0).is_ok() {
            columns.set_item(column.name(), column.meaning())?;
        }
    }
    Ok(columns)
}
