//! Columns of text and tables to columns of maps.

use std::sync::Arc;

use arrow_schema::Schema as ArrowSchema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_table::{Column, Error, Keep, Maps, OnBad, Plan};

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
    // Fails as the first task would, if there is none.
    maps.builder(0).map_err(|error| raised(py, error))?;
    let rows = chunks.iter().map(|chunk| chunk.len()).sum();
    let tasks = input::cut(&chunks, threads.rows_of_a_task(rows));
    let batches = threads
        .run(py, tasks, |(row, text)| match maps.of_text(&text) {
            Ok(output) => Ok(output.batch),
            Err(error) => Err(error.after(row)),
        })
        .map_err(|error| stopped(py, error))?;
    Ok(Table::new(batches, Arc::new(ArrowSchema::new(maps.fields(true)))))
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
    let rows = batches.iter().map(|batch| batch.num_rows()).sum();
    let tasks = input::cut(&batches, threads.rows_of_a_task(rows));
    let batches = threads
        .run(py, tasks, |(row, batch)| match plan.maps(&batch) {
            Ok(output) => Ok(output.batch),
            Err(error) => Err(error.after(row)),
        })
        .map_err(|error| stopped(py, error))?;
    Ok(Table::new(batches, plan.schema().clone()))
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
pub(crate) fn columns(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let columns = PyDict::new(py);
    for column in Column::all() {
        if Maps::default().columns([column]).builder(0).is_ok() {
            columns.set_item(column.name(), column.meaning())?;
        }
    }
    Ok(columns)
}
