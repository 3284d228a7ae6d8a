//! Memory of large arrays, which is reused after a batch is dropped.
//!
//! Allocating the pages of a new array takes as long as computing the inputs: a batch of padded rows of 288 numbers
//! takes 40 MB. (Lists are smaller and gain nothing.)

use std::sync::{Arc, Mutex, PoisonError};

use crate::hooks::Hooks;

/// Memory for padded rows, shared by all clones.
#[derive(Clone, Debug, Default)]
pub struct Pool(Arc<Mutex<Vec<Vec<i32>>>>);

impl Pool {
    /// The maximum number of allocations to keep: two batches have this number of arrays.
    const MAX: usize = 4;

    /// Returns memory for `numbers` elements, whose values are unspecified.
    pub(crate) fn take(&self, numbers: usize, hooks: &Hooks) -> Vec<i32> {
        let mut memory = self.left().pop().unwrap_or_default();
        if memory.capacity() < numbers {
            memory = Vec::with_capacity(numbers);
            hooks.advise(memory.spare_capacity_mut());
        }
        memory.resize(numbers, 0);
        memory
    }

    /// Returns the memory of a batch, for later batches.
    pub fn put(&self, memory: Vec<i32>) {
        let mut left = self.left();
        if left.len() < Self::MAX {
            left.push(memory);
        }
    }

    fn left(&self) -> std::sync::MutexGuard<'_, Vec<Vec<i32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
