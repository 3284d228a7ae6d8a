//! Columns that are fixed-size lists of bitboards, computed one position at a time.

use super::positions::Positions;
use crate::backend::Kernel;
use crate::boards::block::MAX_BOARDS;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;
use crate::pieces::Pieces;

/// The destinations of legal moves of many positions, for each origin; and which positions have any.
struct LegalTargets<'a> {
    positions: Positions<'a>,
    targets: &'a mut [[u64; 64]],
    validity: Option<&'a mut [bool]>,
}

impl Task for LegalTargets<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let Self { positions, targets, mut validity } = self;
        let (mut scratch, mut row) = ([Pieces::EMPTY; MAX_BOARDS], 0);
        while row < targets.len() {
            let end = targets.len().min(row + MAX_BOARDS);
            let rows = &mut scratch[..end - row];
            positions.rows(row..end).copy_to_rows(rows);
            for pieces in rows {
                let legal = L::Position::legal(pieces, positions.state().row(row));
                if let Some(validity) = &mut validity {
                    validity[row] = legal.is_some();
                }
                targets[row] = legal.map_or([0; 64], |legal| legal.targets());
                row += 1;
            }
        }
    }
}

/// Fills the column of destinations of legal moves, whose buffer was checked.
pub(super) fn fill(
    kernel: Kernel,
    positions: Positions<'_>,
    values: &mut [u64],
    validity: Option<&mut [bool]>,
) {
    kernel.run(LegalTargets { positions, targets: values.as_chunks_mut().0, validity });
}
