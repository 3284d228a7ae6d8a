//! Converts batches to dictionaries of arrays.

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_formats::{Field, Fields};
use setwise_loader::{Inputs, Row};
use setwise_table::Column;

use super::memory;
use crate::numbers::{nulls_of, owned};

/// Returns the arrays of a batch by name, without its columns. `boards` adds the boards and their state.
pub(super) fn arrays_of<'py>(
    py: Python<'py>,
    rows: &[Row],
    inputs: Option<[Inputs; 2]>,
    has: Fields,
    boards: bool,
    padded: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let batch = PyDict::new(py);
    if let Some(both) = inputs {
        let array = |inputs| -> PyResult<Bound<'py, PyAny>> {
            match inputs {
                Inputs::Rows(rows) => Ok(memory::array(py, rows, padded.unwrap_or(1))?.into_any()),
                Inputs::Lists(offsets, items) => {
                    let lists = (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, items));
                    Ok(lists.into_pyobject(py)?.into_any())
                }
            }
        };
        let [first, second] = both.map(array);
        batch.set_item("inputs", (first?, second?))?;
    }
    batch.set_item("turn", of_rows(py, rows, |row| row.turn as u8))?;
    batch.set_item("piece_count", of_rows(py, rows, Row::piece_count))?;
    if has.contains(Field::Score) {
        batch.set_item("score", of_rows(py, rows, |row| row.score))?;
    }
    if has.contains(Field::Result) {
        batch.set_item("result", of_rows(py, rows, |row| row.result))?;
    }
    if has.contains(Field::Ply) {
        batch.set_item("ply", of_rows(py, rows, |row| row.ply))?;
    }
    if has.contains(Field::Move) {
        batch.set_item("move", of_rows(py, rows, |row| row.played))?;
    }
    if boards {
        let sets = rows.iter().flat_map(|row| row.pieces().sets()).collect();
        batch.set_item("boards", PyArray1::<u64>::from_vec(py, sets).reshape([rows.len(), 8])?)?;
        let turns = of_rows(py, rows, |row| row.turn as u8);
        let white = of_rows(py, rows, |row| row.castling.white);
        let black = of_rows(py, rows, |row| row.castling.black);
        let squares = of_rows(py, rows, |row| row.en_passant.map_or(-1, i16::from));
        batch.set_item("state", (turns, white, black, squares))?;
    }
    Ok(batch)
}

pub(super) fn of_rows<'py, T: Element>(
    py: Python<'py>,
    rows: &[Row],
    of: impl Fn(&Row) -> T,
) -> Bound<'py, PyArray1<T>> {
    PyArray1::from_vec(py, rows.iter().map(of).collect())
}

/// Converts a numeric column to a writable array, with -1 for nulls.
pub(super) fn array_of<'py>(
    py: Python<'py>,
    column: Column,
    array: ArrayRef,
) -> PyResult<Bound<'py, PyAny>> {
    let nulls = nulls_of(py, array.nulls());
    let array = owned(py, array)?;
    if let Some(nulls) = nulls {
        array.set_item(nulls, -1)?;
    }
    // Bytes are unsigned, unless -1 has to represent nulls.
    match column.data_type(false) == DataType::UInt8 && !column.is_nullable() {
        true => array.call_method1("view", ("uint8",)),
        false => Ok(array),
    }
}
