//! Conversions into positions.

use super::*;

impl<'a, R: AsRef<[Pieces]> + ?Sized> From<&'a R> for Positions<'a> {
    fn from(rows: &'a R) -> Self {
        Self { source: Source::Rows(rows.as_ref()), state: States::default() }
    }
}

/// # Panics
/// If the columns differ in length; the message names the column.
impl<'a> From<Pieces<&'a [u64]>> for Positions<'a> {
    #[track_caller]
    fn from(columns: Pieces<&'a [u64]>) -> Self {
        for (name, column) in Pieces::NAMES.into_iter().zip(columns.sets()) {
            same_length(name, column.len(), "black", columns.black.len());
        }
        Self { source: Source::Columns(columns), state: States::default() }
    }
}

/// # Panics
/// If the columns differ in length; the message names the column.
impl<'a, C: AsRef<[u64]>> From<&'a Pieces<C>> for Positions<'a> {
    #[track_caller]
    fn from(columns: &'a Pieces<C>) -> Self {
        Self::from(columns.each_ref().map(|column| column.as_ref()))
    }
}

/// # Panics
/// If the batches differ in length or were made for different backends; the message names the set.
#[cfg(feature = "std")]
impl<'a> From<Pieces<&'a Batch>> for Positions<'a> {
    #[track_caller]
    fn from(batches: Pieces<&'a Batch>) -> Self {
        for (name, batch) in Pieces::NAMES.into_iter().zip(batches.sets()) {
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
