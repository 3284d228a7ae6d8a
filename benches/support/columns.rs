//! Columns of bitboards, aligned to cache lines like most tables in memory.

use std::ops::{Deref, DerefMut};

/// A column: a slice of bitboards aligned to 64 bytes.
pub struct AlignedColumn {
    buffer: Vec<u64>,
    start: usize,
    len: usize,
}

impl AlignedColumn {
    pub fn new(len: usize) -> Self {
        // Columns whose addresses differ by whole pages compete for the same sets of the first cache: attack maps of 4,096
        // boards took 1.08 times as long.
        let buffer = vec![0; len + 7 + 192];
        let start = buffer.as_ptr().align_offset(64);
        Self { buffer, start, len }
    }
}

impl Deref for AlignedColumn {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.buffer[self.start..][..self.len]
    }
}

impl DerefMut for AlignedColumn {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.buffer[self.start..][..self.len]
    }
}

impl FromIterator<u64> for AlignedColumn {
    fn from_iter<I: IntoIterator<Item = u64>>(boards: I) -> Self {
        let boards: Vec<u64> = boards.into_iter().collect();
        let mut column = Self::new(boards.len());
        column.copy_from_slice(&boards);
        column
    }
}

/// Converts columns to an array of slices.
///
/// # Panics
/// If the number of columns is not `N`.
pub fn slices<const N: usize>(columns: &mut [AlignedColumn]) -> [&mut [u64]; N] {
    let columns: &mut [AlignedColumn; N] = columns.try_into().expect("a column for each answer");
    columns.each_mut().map(|column| &mut **column)
}
