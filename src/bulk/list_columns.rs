//! The column of legal moves: lists, computed one position at a time.

use super::lists::Lists;
use super::positions::Positions;
use crate::backend::Kernel;
use crate::boards::block::MAX_BOARDS;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;
use crate::pieces::Pieces;

/// More than the moves of any position.
const MAX_MOVES: usize = 452;

struct LegalMoves<'a> {
    positions: Positions<'a>,
    lists: &'a mut Lists<u16>,
    validity: Option<&'a mut [bool]>,
}

impl Task for LegalMoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let Self { positions, lists, mut validity } = self;
        let mut scratch = [Pieces::EMPTY; MAX_BOARDS];
        let mut row = 0;
        while row < positions.len() {
            let end = positions.len().min(row + MAX_BOARDS);
            for pieces in positions.as_rows(level, row..end, &mut scratch) {
                let legal = L::Position::legal(pieces, positions.state().row(row));
                let buffer = lists.space(MAX_MOVES).first_chunk_mut::<MAX_MOVES>();
                let length = legal.zip(buffer).map(|(legal, buffer)| legal.write_moves(buffer));
                lists.push(length.unwrap_or(0));
                if let Some(validity) = &mut validity {
                    validity[row] = length.is_some();
                }
                row += 1;
            }
        }
    }
}

/// Fills the column of legal moves.
pub(super) fn fill(
    kernel: Kernel,
    positions: Positions<'_>,
    lists: &mut Lists<u16>,
    validity: Option<&mut [bool]>,
) {
    lists.start(positions.len());
    kernel.run(LegalMoves { positions, lists, validity });
}
