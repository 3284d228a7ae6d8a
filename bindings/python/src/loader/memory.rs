//! Memory of large arrays, which is used again when nobody holds the array any more.
//!
//! The system takes as long to hand out the pages of a new array as the inputs take to compute: 40 MB for a batch of rows
//! of 288 numbers.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::PyArray;
use numpy::ndarray::{ArrayView, Dimension, IntoDimension};
use pyo3::prelude::*;

use crate::query::advise;

/// The memory that arrays have left.
#[derive(Clone)]
pub(super) struct Pool {
    left: Arc<Mutex<Vec<Vec<i32>>>>,
    max: usize,
}

impl Pool {
    /// A pool that keeps so many.
    pub(super) fn new(max: usize) -> Self {
        Self { left: Arc::default(), max }
    }

    /// Memory for at least so many numbers, without any.
    pub(super) fn take(&self, numbers: usize) -> Vec<i32> {
        let mut memory = self.take_any(numbers);
        memory.clear();
        memory
    }

    /// Memory for at least so many numbers, with what it held.
    fn take_any(&self, numbers: usize) -> Vec<i32> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = left.iter().enumerate().filter(|(_, memory)| memory.capacity() >= numbers);
        let smallest = enough.min_by_key(|(_, memory)| memory.capacity()).map(|(at, _)| at);
        let found = smallest.map(|at| left.swap_remove(at));
        drop(left);
        found.unwrap_or_else(|| {
            let mut memory = Vec::with_capacity(numbers);
            advise(memory.spare_capacity_mut());
            memory
        })
    }

    /// Memory with so many numbers, which are unspecified.
    pub(super) fn take_filled(&self, numbers: usize) -> Vec<i32> {
        let mut memory = self.take_any(numbers);
        memory.resize(numbers, 0);
        memory
    }

    /// Gives memory back.
    pub(super) fn put(&self, memory: Vec<i32>) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= self.max {
            // The smallest goes.
            let smallest = left.iter().map(Vec::capacity).enumerate().min_by_key(|(_, size)| *size);
            match smallest {
                Some((at, size)) if size < memory.capacity() => drop(left.swap_remove(at)),
                _ => return,
            }
        }
        left.push(memory);
    }

    /// An array of numpy in this memory, which comes back when the array is dropped.
    pub(super) fn array<'py, D: IntoDimension<Dim: Dimension>>(
        &self,
        py: Python<'py>,
        memory: Vec<i32>,
        shape: D,
    ) -> PyResult<Bound<'py, PyArray<i32, D::Dim>>> {
        let held = Bound::new(py, Memory { memory, pool: self.clone() })?;
        let held_memory = held.get();
        let view =
            ArrayView::from_shape(shape, &held_memory.memory).map_err(crate::error::wrong)?;
        // SAFETY: the array holds a reference to `held`, and nobody else has one. `Memory` is frozen, so its numbers stay
        // where they are until it is dropped, and nothing but this array reads or writes them.
        Ok(unsafe { PyArray::borrow_from_array(&view, held.clone().into_any()) })
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
        self.pool.put(std::mem::take(&mut self.memory));
    }
}
