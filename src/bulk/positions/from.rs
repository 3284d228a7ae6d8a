//! What converts into positions.

#[cfg(feature = "std")]
use alloc::vec::Vec;

use super::*;

impl<'a> From<&'a [Pieces]> for Positions<'a> {
    fn from(rows: &'a [Pieces]) -> Self {
        Self { source: Source::Rows(rows), state: States::default() }
    }
}

impl<'a, const ROWS: usize> From<&'a [Pieces; ROWS]> for Positions<'a> {
    fn from(rows: &'a [Pieces; ROWS]) -> Self {
        Self::from(&rows[..])
    }
}

#[cfg(feature = "std")]
impl<'a> From<&'a Vec<Pieces>> for Positions<'a> {
    fn from(rows: &'a Vec<Pieces>) -> Self {
        Self::from(&rows[..])
    }
}

/// # Panics
/// If the columns differ in length; the message names the column.
impl<'a> From<Pieces<&'a [u64]>> for Positions<'a> {
    #[track_caller]
    fn from(columns: Pieces<&'a [u64]>) -> Self {
        Self::columns(columns)
    }
}

impl<'a, const ROWS: usize> From<&'a Pieces<[u64; ROWS]>> for Positions<'a> {
    fn from(columns: &'a Pieces<[u64; ROWS]>) -> Self {
        Self::columns(columns.each_ref().map(|column| &column[..]))
    }
}

/// # Panics
/// If the columns differ in length; the message names the column.
#[cfg(feature = "std")]
impl<'a> From<&'a Pieces<Vec<u64>>> for Positions<'a> {
    #[track_caller]
    fn from(columns: &'a Pieces<Vec<u64>>) -> Self {
        Self::columns(columns.each_ref().map(|column| &column[..]))
    }
}

/// # Panics
/// If the batches differ in length or were made for different backends; the message names the set.
#[cfg(feature = "std")]
impl<'a> From<Pieces<&'a Batch>> for Positions<'a> {
    #[track_caller]
    fn from(batches: Pieces<&'a Batch>) -> Self {
        for (name, batch) in NAMES.into_iter().zip(batches.sets()) {
            same_length(name, batch.len(), "black", batches.black.len());
            assert!(
                batch.kernel() == batches.black.kernel(),
                "batch `{name}` was made for {}, but batch `black` for {}",
                batch.kernel().backend(),
                batches.black.kernel().backend()
            );
        }
        let rows = batches.black.len();
        Self {
            source: Source::Sliced(Sliced { batches, first: 0, rows }),
            state: States::default(),
        }
    }
}

/// # Panics
/// If the batches differ in length or were made for different backends; the message names the set.
#[cfg(feature = "std")]
impl<'a> From<&'a Pieces<Batch>> for Positions<'a> {
    #[track_caller]
    fn from(batches: &'a Pieces<Batch>) -> Self {
        Self::from(batches.each_ref())
    }
}
