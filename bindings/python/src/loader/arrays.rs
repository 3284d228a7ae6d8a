//! Converts batches to numpy arrays. A later batch reuses the memory of padded rows after their array is dropped.

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use numpy::ndarray::ArrayViewMut2;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_formats::{Field, Fields};
use setwise_loader::{Inputs, PaddedRows, Row};
use setwise_table::Column;

use crate::input::{State, state_arrays};
use crate::numbers::owned;
use crate::table::nulls_of;

/// Returns the fields of a batch by name. Unknown ones are ``None``.
pub(super) fn fields_of<'py>(
    py: Python<'py>,
    rows: &[Row],
    inputs: Option<[Inputs; 2]>,
    has: Fields,
    padded: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let array = |inputs| -> PyResult<Bound<'py, PyAny>> {
        match inputs {
            Inputs::Rows(rows) => Ok(padded_rows(py, rows, padded.unwrap_or(1))?.into_any()),
            Inputs::Lists(offsets, items) => {
                let lists = (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, items));
                Ok(lists.into_pyobject(py)?.into_any())
            }
        }
    };
    let inputs = match inputs {
        Some([first, second]) => Some((array(first)?, array(second)?)),
        None => None,
    };
    let batch = PyDict::new(py);
    batch.set_item("inputs", inputs)?;
    batch.set_item("turn", of_rows(py, rows, |row| row.turn as u8))?;
    batch.set_item("piece_count", of_rows(py, rows, Row::piece_count))?;
    let has = |field| has.contains(field);
    batch.set_item("score", has(Field::Score).then(|| of_rows(py, rows, |row| row.score)))?;
    batch.set_item("result", has(Field::Result).then(|| of_rows(py, rows, |row| row.result)))?;
    batch.set_item("ply", has(Field::Ply).then(|| of_rows(py, rows, |row| row.ply)))?;
    batch.set_item("move", has(Field::Move).then(|| of_rows(py, rows, |row| row.played)))?;
    Ok(batch)
}

/// Boards of shape `[n, 8]` and their state.
pub(super) type Positions<'py> = (Bound<'py, PyArray2<u64>>, State<'py>);

pub(super) fn positions_of<'py>(py: Python<'py>, rows: &[Row]) -> PyResult<Positions<'py>> {
    let sets = rows.iter().flat_map(|row| row.pieces().sets()).collect();
    let states = rows.iter().map(|row| (row.turn, row.castling, row.en_passant));
    Ok((PyArray1::from_vec(py, sets).reshape([rows.len(), 8])?, state_arrays(py, states)))
}

/// The memory of an array.
#[pyclass(frozen, module = "setwise")]
struct Memory(#[expect(dead_code, reason = "an array has a pointer to it")] PaddedRows);

/// Creates a numpy array of padded rows.
fn padded_rows<'py>(
    py: Python<'py>,
    mut rows: PaddedRows,
    width: usize,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let (shape, numbers) = ([rows.len() / width, width], rows.as_mut_ptr());
    let held = Bound::new(py, Memory(rows))?;
    // SAFETY: the array holds the only reference to `held`, so its numbers do not move until the array is dropped, and only
    // the array reads or writes them, by a pointer that was made to write them.
    unsafe {
        let view = ArrayViewMut2::from_shape_ptr(shape, numbers);
        Ok(PyArray2::borrow_from_array(&view, held.into_any()))
    }
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
