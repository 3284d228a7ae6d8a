//! Columns that are fixed-size lists of bitboards, computed one position at a time.

use super::positions::Positions;
use crate::backend::Kernel;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;

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
        for (row, to) in targets.iter_mut().enumerate() {
            let legal = L::Position::legal(&positions.get(row), positions.state().row(row));
            if let Some(validity) = &mut validity {
                validity[row] = legal.is_some();
            }
            *to = legal.map_or([0; 64], |legal| legal.targets());
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
