//! Memory of padded rows, which is reused after a batch is dropped.
//!
//! Allocating the pages of new memory takes as long as computing the inputs: a batch of 16,384 rows of 288 numbers for
//! each side takes 40 MB. (Lists are smaller and gain nothing.)

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::hooks::Hooks;

/// Memory for padded rows, shared by all clones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool(Arc<Mutex<Vec<Vec<i32>>>>);

impl Pool {
    /// The maximum number of allocations to keep: two batches have this number of arrays.
    const MAX: usize = 4;

    /// Returns memory for `numbers` elements, whose values are unspecified.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn take(&self, numbers: usize, hooks: &Hooks) -> Result<PaddedRows, Error> {
        let mut memory = self.left().pop().unwrap_or_default();
        if memory.capacity() < numbers {
            memory = Vec::new();
            memory.try_reserve_exact(numbers).map_err(|_| {
                Error::Invalid(format!(
                    "no memory for {numbers} numbers of a batch: set a smaller `batch_size` or `padded`"
                ))
            })?;
            hooks.advise(memory.spare_capacity_mut());
        }
        memory.resize(numbers, 0);
        Ok(PaddedRows { numbers: memory, pool: self.clone() })
    }

    /// The memory for later batches.
    fn left(&self) -> std::sync::MutexGuard<'_, Vec<Vec<i32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Padded rows of inputs: a slice of numbers. A later batch reuses their memory after they are dropped.
#[derive(Clone, Debug)]
pub struct PaddedRows {
    pub(crate) numbers: Vec<i32>,
    pool: Pool,
}

impl Deref for PaddedRows {
    type Target = [i32];

    fn deref(&self) -> &[i32] {
        &self.numbers
    }
}

impl DerefMut for PaddedRows {
    fn deref_mut(&mut self) -> &mut [i32] {
        &mut self.numbers
    }
}

impl Drop for PaddedRows {
    fn drop(&mut self) {
        let mut left = self.pool.left();
        if self.numbers.capacity() > 0 && left.len() < Pool::MAX {
            left.push(std::mem::take(&mut self.numbers));
        }
    }
}

impl PartialEq for PaddedRows {
    fn eq(&self, other: &Self) -> bool {
        self.numbers == other.numbers
    }
}

impl Eq for PaddedRows {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_returns_after_a_drop() {
        let (pool, hooks) = (Pool::default(), Hooks::default());
        let mut first = pool.take(1000, &hooks).unwrap();
        first.numbers.fill(7);
        let place = first.as_ptr();
        let copy = first.clone();
        assert_ne!(copy.as_ptr(), place);
        assert_eq!(copy, first);
        drop(first);
        let second = pool.take(900, &hooks).unwrap();
        assert_eq!((second.as_ptr(), second.len()), (place, 900));
        let many: Vec<_> = (0..6).map(|_| pool.take(10, &hooks).unwrap()).collect();
        drop(many);
        assert_eq!(pool.left().len(), Pool::MAX);
        assert_eq!(copy[..3], [7, 7, 7]);
        let message = pool.take(1 << 60, &hooks).unwrap_err().to_string();
        assert!(message.starts_with("no memory for 1152921504606846976 numbers"), "{message}");
    }
}
