//! Buffers for successors, and the task that writes to them.

use super::positions::Positions;
use crate::boards::block::MAX_BOARDS;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;
use crate::instructions::legal::{Legal, MAX_MOVES, Sorted};
use crate::legal::{Move, State};
use crate::pieces::Pieces;

/// Buffers for the pieces of successors.
#[derive(Debug)]
pub enum SuccessorPieces<'a> {
    /// One position per row.
    Rows(&'a mut [Pieces]),
    /// One column per set.
    Columns(Pieces<&'a mut [u64]>),
}

/// Buffers for successors, of any size. The shortest one limits the number of successors.
#[derive(Debug)]
#[non_exhaustive]
pub struct SuccessorBuffers<'a> {
    /// The pieces of each successor.
    pub pieces: SuccessorPieces<'a>,
    /// The state of each successor.
    pub states: &'a mut [State],
    /// The move that leads to each.
    pub moves: &'a mut [Move],
    /// The halfmove clock of each, if requested: 0 after captures and pawn moves, otherwise one more than before, at
    /// most [`u32::MAX`].
    pub halfmoves: Option<&'a mut [u32]>,
    /// The index of each parent's first successor, then the total: one more element than there are parents.
    pub offsets: &'a mut [usize],
}

/// The result of [`Kernel::write_successors`](crate::Kernel::write_successors).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The number of parents whose successors are all in the buffers. Those of the next parent did not fit.
    pub parents: usize,
    /// The number of successors in the buffers.
    pub successors: usize,
    /// The number of these parents that are not [valid](mod@crate::legal) and therefore have no successors.
    pub invalid: usize,
}

/// Writes the successors of the positions after those that are written.
pub(super) struct SuccessorWriter<'a> {
    pub(super) positions: Positions<'a>,
    pub(super) buffers: SuccessorBuffers<'a>,
    /// The number of successors that fit.
    pub(super) fits: usize,
    pub(super) written: &'a mut Written,
    // Both are references: a task is moved, and would otherwise move 32 KB in every call.
    /// The legal moves of a parent.
    pub(super) sorted: &'a mut Sorted,
    /// Its successors, before they are copied to columns.
    pub(super) rows: &'a mut Option<[Pieces; MAX_MOVES]>,
}

impl<'a> SuccessorBuffers<'a> {
    /// Buffers without halfmove clocks; set [`halfmoves`](Self::halfmoves) to request them.
    #[must_use]
    pub fn new(
        pieces: SuccessorPieces<'a>,
        states: &'a mut [State],
        moves: &'a mut [Move],
        offsets: &'a mut [usize],
    ) -> Self {
        Self { pieces, states, moves, halfmoves: None, offsets }
    }

    /// The number of successors that fit.
    pub(super) fn len(&self) -> usize {
        let Self { pieces, states, moves, halfmoves, .. } = self;
        let pieces = match pieces {
            SuccessorPieces::Rows(rows) => rows.len(),
            SuccessorPieces::Columns(columns) => {
                columns.each_ref().map(|column| column.len()).sets().into_iter().min().unwrap_or(0)
            }
        };
        let clocks = halfmoves.as_ref().map_or(usize::MAX, |clocks| clocks.len());
        pieces.min(states.len()).min(moves.len()).min(clocks)
    }
}

impl Task for SuccessorWriter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(mut self, level: L) {
        let positions = self.positions;
        let known_valid = positions.state().valid;
        let first = self.written.parents;
        let mut at = first / MAX_BOARDS * MAX_BOARDS;
        let mut scratch = None;
        while at < positions.len() {
            let end = positions.len().min(at + MAX_BOARDS);
            let rows = positions.as_rows(level, at..end, &mut scratch);
            for (row, pieces) in (at..).zip(rows).skip(first.saturating_sub(at)) {
                let state = positions.state().row(row);
                let valid = known_valid || L::Position::is_valid(pieces, state);
                let legal = valid.then(|| L::Position::legal_unchecked(pieces, state));
                let clock = positions.state().halfmoves.map(|clocks| clocks[row]);
                if !self.push(legal.as_ref(), clock) {
                    return;
                }
            }
            at = end;
        }
    }
}

impl SuccessorWriter<'_> {
    /// Writes the successors of the next parent, given its legal moves (`None` if it is invalid) and its halfmove
    /// clock. Returns false, and writes nothing, if they do not fit.
    #[inline(always)]
    pub(super) fn push(&mut self, legal: Option<&Legal>, halfmoves: Option<u32>) -> bool {
        let Self { buffers, fits, written, sorted, rows: scratch, .. } = self;
        let begin = written.successors;
        let mut end = begin;
        if let Some(legal) = legal {
            legal.sort(sorted);
            if sorted.count > *fits - begin {
                return false;
            }
            end += sorted.count;
            let SuccessorBuffers { pieces, states, moves, halfmoves: clocks, .. } = buffers;
            let (moves, states) = (&mut moves[begin..end], &mut states[begin..end]);
            let rows = match pieces {
                SuccessorPieces::Rows(rows) => &mut rows[begin..end],
                SuccessorPieces::Columns(_) => {
                    let rows = scratch.get_or_insert_with(|| [Pieces::EMPTY; MAX_MOVES]);
                    &mut rows[..sorted.count]
                }
            };
            legal.write_successors(sorted, moves, rows, states);
            if let (SuccessorPieces::Columns(columns), Some(rows)) = (pieces, scratch) {
                for (at, after) in (begin..end).zip(rows) {
                    columns.pawns[at] = after.pawns;
                    columns.knights[at] = after.knights;
                    columns.bishops[at] = after.bishops;
                    columns.rooks[at] = after.rooks;
                    columns.queens[at] = after.queens;
                    columns.kings[at] = after.kings;
                    columns.white[at] = after.white;
                    columns.black[at] = after.black;
                }
            }
            if let (Some(clocks), Some(before)) = (clocks, halfmoves) {
                for (&played, clock) in moves.iter().zip(&mut clocks[begin..end]) {
                    let resets = legal.resets_clock(played);
                    *clock = if resets { 0 } else { before.saturating_add(1) };
                }
            }
        }
        written.successors = end;
        written.parents += 1;
        written.invalid += usize::from(legal.is_none());
        buffers.offsets[written.parents] = end;
        true
    }
}
