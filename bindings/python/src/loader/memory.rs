//! Memory of large arrays, which is reused after an array is dropped.
//!
//! Allocating the pages of a new array takes as long as computing the inputs: a batch of padded rows of 288 numbers
//! takes 40 MB. (Lists are smaller and gain nothing.)

use std::sync::{Arc, Mutex, PoisonError};

use numpy::PyArray2;
use numpy::ndarray::ArrayView2;
use pyo3::prelude::*;

use crate::error::wrong;
use crate::query::advise;

/// The memory of dropped arrays.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Mutex<Vec<Vec<i32>>>>);

impl Pool {
    /// The maximum number of allocations to keep: two batches have this number of arrays.
    const MAX: usize = 4;

    /// Returns memory for `numbers` elements, whose values are unspecified.
    pub(super) fn take(&self, numbers: usize) -> Vec<i32> {
        let mut memory = self.left().pop().unwrap_or_default();
        if memory.capacity() < numbers {
            memory = Vec::with_capacity(numbers);
            advise(memory.spare_capacity_mut());
        }
        memory.resize(numbers, 0);
        memory
    }

    fn left(&self) -> std::sync::MutexGuard<'_, Vec<Vec<i32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a numpy array in this memory, which returns to the pool when the array is dropped.
    pub(super) fn array<'py>(
        &self,
        py: Python<'py>,
        memory: Vec<i32>,
        width: usize,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let held = Bound::new(py, Memory { memory, pool: self.clone() })?;
        let memory = &held.get().memory;
        let view = ArrayView2::from_shape([memory.len() / width, width], memory).map_err(wrong)?;
        // SAFETY: the array holds the only reference to `held`. `Memory` is frozen, so its numbers do not move until it
        // is dropped, and only this array reads or writes them.
        Ok(unsafe { PyArray2::borrow_from_array(&view, held.clone().into_any()) })
    }
}

/// The memory of an array.
#[pyclass(frozen, module = "setwise")]
struct Memory {
    memory: Vec<i32>,
    pool: Pool,
}

impl Drop for Memory {
    fn drop(&mut self) {
        let mut left = self.pool.left();
        if left.len() < Pool::MAX {
            left.push(std::mem::take(&mut self.memory));
        }
    }
}
