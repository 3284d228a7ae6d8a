//! Numpy arrays of padded rows, whose memory a later batch reuses after an array is dropped.

use numpy::PyArray2;
use numpy::ndarray::ArrayView2;
use pyo3::prelude::*;
use setwise_loader::PaddedRows;

use crate::error::wrong;

/// The memory of an array.
#[pyclass(frozen, module = "setwise")]
struct Memory(PaddedRows);

/// Creates a numpy array of padded rows.
pub(super) fn array<'py>(
    py: Python<'py>,
    rows: PaddedRows,
    width: usize,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let held = Bound::new(py, Memory(rows))?;
    let rows: &[i32] = &held.get().0;
    let view = ArrayView2::from_shape([rows.len() / width, width], rows).map_err(wrong)?;
    // SAFETY: the array holds the only reference to `held`. `Memory` is frozen, so its numbers do not move until it is
    // dropped, and only this array reads or writes them.
    Ok(unsafe { PyArray2::borrow_from_array(&view, held.clone().into_any()) })
}
