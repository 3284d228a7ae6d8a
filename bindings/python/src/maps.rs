//! Computes Arrow columns for positions, or appends them to a table.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, RecordBatchOptions};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use setwise_table::{Chunk, Collect, Collected, Column, Error, Input, Keep, Plan};

use crate::error::{Stopped, raised};
use crate::input::{self, Positions, references};
use crate::query::{Query, advise, run};
use crate::table::{Schema, Table};

/// Computes the columns of all chunks.
fn collect(
    py: Python<'_>,
    plan: &Plan,
    chunks: &[&dyn Chunk],
    progress: Option<Py<PyAny>>,
) -> PyResult<Collected> {
    run(py, chunks, progress, |chunks, go_on| {
        let advise = |memory: &[u8]| advise(memory.as_ptr(), memory.len());
        plan.collect::<_, Stopped>(chunks, Collect { check: go_on, advise })
    })
}

/// Computes the columns of positions.
pub(crate) fn collect_positions(
    py: Python<'_>,
    positions: &Positions,
    query: &Query,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Arc<Plan>, Collected)> {
    let plan = query.plan(&positions.input)?;
    let collected = positions.with_chunks(py, |chunks| collect(py, &plan, chunks, progress))?;
    Ok((plan, collected))
}

/// Returns the index without the skipped rows.
fn kept(index: Option<Bound<'_, PyAny>>, skipped: Vec<usize>) -> PyResult<Option<Py<PyAny>>> {
    let Some(index) = index else { return Ok(None) };
    let index =
        if skipped.is_empty() { index } else { index.call_method1("delete", (skipped,))? };
    Ok(Some(index.unbind()))
}

#[pyfunction]
pub(crate) fn maps(
    py: Python<'_>,
    positions: &Positions,
    query: &Query,
    index: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let (plan, collected) = collect_positions(py, positions, query, progress)?;
    let options = RecordBatchOptions::new().with_row_count(Some(collected.rows));
    let batch =
        RecordBatch::try_new_with_options(plan.schema().clone(), collected.columns, &options)
            .map_err(|error| raised(Error::Arrow(error)))?;
    let index = kept(index, collected.skipped)?;
    Ok(Table { batches: vec![batch], schema: plan.schema().clone(), index })
}

/// Returns the positions as FENs, with `None` for nulls. The query has the single column `fen`.
#[pyfunction]
pub(crate) fn to_fen(
    py: Python<'_>,
    positions: &Positions,
    query: &Query,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Option<String>>> {
    let (_, collected) = collect_positions(py, positions, query, progress)?;
    let fens = collected.columns[0].as_string::<i32>();
    Ok(fens.iter().map(|fen| fen.map(str::to_owned)).collect())
}

#[pyfunction]
pub(crate) fn maps_table(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    fen_column: Option<&str>,
    query: &Query,
    index: Option<Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let (batches, schema) = input::table(table)?;
    let chunks = references(&batches);
    let plan = Input::table(&schema, fen_column, &Keep::All)
        .and_then(|input| query.query.plan(&input))
        .map_err(raised)?;
    let mut collected = collect(py, &plan, &chunks, progress)?;
    let batches = collected.append_to(&plan, &batches).map_err(raised)?;
    let index = kept(index, std::mem::take(&mut collected.skipped))?;
    Ok(Table { batches, schema: plan.schema().clone(), index })
}

#[pyfunction]
pub(crate) fn schema(query: &Query) -> PyResult<Schema> {
    let plan = query.plan(&Input::column())?;
    Ok(Schema(Arc::clone(plan.schema())))
}

/// Lists the columns that can be computed from a FEN, with their meanings, without the numbers of squares of each set.
#[pyfunction]
#[pyo3(name = "columns")]
pub(crate) fn all_columns(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let input = Input::column();
    let is_listed =
        |column: &&Column| !matches!(column, Column::Squares(_)) && input.is_available(**column);
    let columns = Column::all().iter().filter(is_listed);
    columns.map(|column| (column.name(), column.meaning())).into_py_dict(py)
}

/// Returns whether the column with this name is a set of squares.
#[pyfunction]
pub(crate) fn is_board(name: &str) -> bool {
    name.parse().is_ok_and(Column::is_board)
}
