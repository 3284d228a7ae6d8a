//! Numpy arrays in the memory of a loader's pool, to which it returns after an array is dropped.

use numpy::PyArray2;
use numpy::ndarray::ArrayView2;
use pyo3::prelude::*;
use setwise_loader::Pool;

use crate::error::wrong;

/// The memory of an array.
#[pyclass(frozen, module = "setwise")]
struct Memory {
    memory: Vec<i32>,
    pool: Pool,
}

/// Creates a numpy array in this memory.
pub(super) fn array<'py>(
    py: Python<'py>,
    memory: Vec<i32>,
    width: usize,
    pool: &Pool,
) -> PyResult<Bound<'py, PyArray2<i32>>> {
    let held = Bound::new(py, Memory { memory, pool: pool.clone() })?;
    let memory = &held.get().memory;
    let view = ArrayView2::from_shape([memory.len() / width, width], memory).map_err(wrong)?;
    // SAFETY: the array holds the only reference to `held`. `Memory` is frozen, so its numbers do not move until it is
    // dropped, and only this array reads or writes them.
    Ok(unsafe { PyArray2::borrow_from_array(&view, held.clone().into_any()) })
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.pool.put(std::mem::take(&mut self.memory));
    }
}
