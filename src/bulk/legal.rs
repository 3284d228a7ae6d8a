//! The columns about legal moves, block by block.

use super::out::Out;
use crate::boards::block::Block;
use crate::legal::{self, MAX_GROUP, PlaneSink, State};
use crate::pieces::Pieces;

/// Planes on their way to rows: some at a time, so that these and the rows stay in the first cache.
struct GroupsToRows<'a, B> {
    group: [B; MAX_GROUP],
    /// Rows of planes, one for each board.
    rows: &'a mut [u64],
}

impl<B: Block> PlaneSink<B> for GroupsToRows<'_, B> {
    #[inline(always)]
    fn put(&mut self, index: usize, plane: B) {
        self.group[index] = plane;
    }

    #[inline(always)]
    fn finish(&mut self, first: usize, planes: usize) {
        B::store_rows(&self.group[..planes], self.rows, first);
    }
}

/// The planes of a block, row by row.
#[inline(always)]
pub(super) fn planes<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, u64>) {
    let mut sink = GroupsToRows { group: [B::empty(); MAX_GROUP], rows: out.values };
    let valid = legal::planes(position, state, &mut sink);
    out.valid::<B>((valid & 1).count());
}

/// How many legal moves there are.
#[inline(always)]
pub(super) fn count<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, u16>) {
    out.answers::<B>(legal::count(position, state));
}

/// Check, checkmate, stalemate, or none of them.
#[inline(always)]
pub(super) fn status<B: Block>(position: &Pieces<B>, state: State<B>, out: &mut Out<'_, u8>) {
    out.answers::<B>(legal::status(position, state));
}
