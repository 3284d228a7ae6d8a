//! Splits rows into blocks, and pads calls with fewer rows than a block.

use core::ops::Range;

use super::positions::Positions;
use crate::backend::Kernel;
use crate::boards::block::MAX_BOARDS;
use crate::pieces::Pieces;

/// Columns of one type, white's before black's; `None` for columns that are not requested.
pub(crate) type Columns<'a, T, const COUNT: usize> = [Option<&'a mut [T]>; COUNT];

/// The given rows of every column.
pub(super) fn rows_of<'b, T, const COUNT: usize>(
    columns: &'b mut Columns<'_, T, COUNT>,
    rows: Range<usize>,
) -> Columns<'b, T, COUNT> {
    let mut parts = [const { None }; COUNT];
    for (part, column) in parts.iter_mut().zip(columns) {
        if let Some(column) = column {
            *part = Some(&mut column[rows.clone()]);
        }
    }
    parts
}

/// Calls `run` with whole blocks of positions, then with a padded block for any remaining rows.
pub(crate) fn by_blocks<T: Copy + Default, const COUNT: usize>(
    kernel: Kernel,
    positions: Positions<'_>,
    columns: &mut Columns<'_, T, COUNT>,
    run: impl Fn(Positions<'_>, Columns<'_, T, COUNT>),
) {
    let block = kernel.backend().boards_per_block();
    let (rows, in_blocks) = (positions.len(), positions.in_blocks(block));
    if in_blocks > 0 {
        run(positions.rows(0..in_blocks), rows_of(columns, 0..in_blocks));
    }
    if in_blocks < rows {
        let mut scratch = [Pieces::EMPTY; MAX_BOARDS];
        let positions = positions.rows(in_blocks..rows).padded(&mut scratch, block);
        padded(&mut rows_of(columns, in_blocks..rows), block, |columns| run(positions, columns));
    }
}

/// Calls `run` with temporary columns of a whole block, and copies the results to the shorter `columns`. Memory for a few
/// columns takes less time to initialize than memory for all.
pub(super) fn padded<T: Copy + Default, const COUNT: usize>(
    columns: &mut Columns<'_, T, COUNT>,
    block: usize,
    run: impl FnOnce(Columns<'_, T, COUNT>),
) {
    const FEW: usize = 4;
    let (mut few, mut all) = (None, None);
    // Numbers and rays need little memory.
    let is_large = COUNT * size_of::<T>() >= 128;
    let scratch = if is_large && columns.iter().flatten().count() <= FEW {
        few.insert([[T::default(); MAX_BOARDS]; FEW]).as_mut_slice()
    } else {
        all.insert([[T::default(); MAX_BOARDS]; COUNT]).as_mut_slice()
    };
    let (mut places, mut free) = ([const { None }; COUNT], scratch.iter_mut());
    for (place, column) in places.iter_mut().zip(&*columns) {
        if column.is_some() {
            *place = free.next().map(|scratch| &mut scratch[..block]);
        }
    }
    run(places);
    for (column, scratch) in columns.iter_mut().flatten().zip(scratch) {
        column.copy_from_slice(&scratch[..column.len()]);
    }
}
