//! Positions a block at a time, with the instructions for one position.

use super::positions::Positions;
use crate::boards::block::MAX_BOARDS;
use crate::pieces::Pieces;
use crate::position::Instructions;
use crate::threats::features::FeatureError;

/// What is done with each block of positions.
///
/// A trait and not a closure: its one method can be `#[inline(always)]`, and so becomes part of the function
/// that enables the backend's instructions. (As a closure it did not: 343 ns a position, where it is 20.)
pub(super) trait Each {
    /// Does it with the positions from a row on.
    fn block<I: Instructions>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError>;
}

/// How many rows are worked on together: what one step has written to memory, the next should not read at
/// once.
pub(super) const BLOCK: usize = 16;

/// Does it with all positions, until an error.
///
/// Columns and batches become rows 64 at a time. One row at a time they would be read by vectors right after
/// they were written by words, and wait until the words have reached the cache.
#[inline(always)]
pub(super) fn each<I: Instructions>(
    positions: Positions<'_>,
    mut each: impl Each,
) -> Result<(), FeatureError> {
    let rows = positions.len();
    let mut scratch = [Pieces::EMPTY; MAX_BOARDS];
    let mut at = 0;
    while at < rows {
        let end = rows.min(at + MAX_BOARDS);
        for block in positions.as_rows(at..end, &mut scratch).chunks(BLOCK) {
            each.block::<I>(at, block)?;
            at += block.len();
        }
    }
    Ok(())
}
