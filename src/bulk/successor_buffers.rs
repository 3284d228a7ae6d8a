//! Buffers for successors, and how those of one parent are written to them.

use crate::instructions::play::Parent;
use crate::legal::{Move, State};
use crate::pieces::Pieces;

/// Where the pieces of successors go.
#[derive(Debug)]
pub enum SuccessorPieces<'a> {
    /// A position in each row.
    Rows(&'a mut [Pieces]),
    /// A column for each set.
    Columns(Pieces<&'a mut [u64]>),
}

/// Buffers for successors, of any size: how many rows the shortest has is how many successors fit.
#[derive(Debug)]
pub struct SuccessorBuffers<'a> {
    /// The pieces of each successor.
    pub pieces: SuccessorPieces<'a>,
    /// The state of each.
    pub states: &'a mut [State],
    /// The move that leads to each.
    pub moves: &'a mut [Move],
    /// The halfmove clock of each, if it is of interest: 0 after captures and moves of pawns, else one more than before.
    pub halfmoves: Option<&'a mut [u16]>,
    /// Where the successors of each parent begin, and where those of the last one end: one more than there are parents.
    pub offsets: &'a mut [usize],
}

/// What [`Kernel::write_successors`](crate::Kernel::write_successors) has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// How many parents have all their successors in the buffers. Those of the next one did not fit.
    pub parents: usize,
    /// How many successors there are.
    pub successors: usize,
    /// How many of these parents are not [valid](mod@crate::legal), and so have no successors.
    pub invalid: usize,
}

/// Buffers, and how far they have been filled.
pub(super) struct Room<'a> {
    pub(super) buffers: SuccessorBuffers<'a>,
    /// How many successors fit.
    pub(super) fits: usize,
    pub(super) written: &'a mut Written,
}

impl SuccessorBuffers<'_> {
    /// How many successors fit.
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

impl Room<'_> {
    /// Writes the successors of the next parent, given its legal moves and its halfmove clock. Returns false, and writes
    /// nothing, if they do not fit.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        pieces: &Pieces,
        state: State,
        valid: bool,
        moves: &[u16],
        halfmoves: Option<u16>,
    ) -> bool {
        let Self { buffers, fits, written } = self;
        let begin = written.successors;
        if moves.len() > *fits - begin {
            return false;
        }
        let range = begin..begin + moves.len();
        let parent = Parent::new(pieces, state);
        let mut special = 0;
        let to_moves = &mut buffers.moves[range.clone()];
        for (&bits, played) in moves.iter().zip(&mut *to_moves) {
            *played = Move::of(bits);
            special |= bits;
        }
        let moves = &*to_moves;
        for (&played, state) in moves.iter().zip(&mut buffers.states[range.clone()]) {
            *state = parent.state_after(played);
        }
        match &mut buffers.pieces {
            SuccessorPieces::Rows(rows) => {
                let rows = &mut rows[range.clone()];
                for (&played, after) in moves.iter().zip(&mut *rows) {
                    *after = parent.pieces_after(played);
                }
                if special >> 14 != 0 {
                    for (&played, after) in moves.iter().zip(rows) {
                        if played.bits() >> 14 != 0 {
                            parent.finish(played, after);
                        }
                    }
                }
            }
            SuccessorPieces::Columns(columns) => {
                for (&played, at) in moves.iter().zip(range.clone()) {
                    let mut after = parent.pieces_after(played);
                    if played.bits() >> 14 != 0 {
                        parent.finish(played, &mut after);
                    }
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
        }
        if let (Some(clocks), Some(before)) = (&mut buffers.halfmoves, halfmoves) {
            for (&played, clock) in moves.iter().zip(&mut clocks[range.clone()]) {
                let resets = parent.resets_clock(played);
                *clock = if resets { 0 } else { before.saturating_add(1) };
            }
        }
        written.successors = range.end;
        written.parents += 1;
        written.invalid += usize::from(!valid);
        buffers.offsets[written.parents] = range.end;
        true
    }
}
