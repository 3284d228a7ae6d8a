//! The state of a position: side to move, castling rights, and en passant square.

use core::ops::Range;

use crate::boards::block::{Block, MAX_BOARDS};
use crate::boards::called;
use crate::columns::{Column, Needs};
use crate::legal::State;
use crate::pieces::Colour;

/// The states of many positions, as far as the caller has set them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct States<'a> {
    pub(super) turns: Option<&'a [Colour]>,
    pub(super) states: Option<&'a [State]>,
    pub(super) halfmoves: Option<&'a [u32]>,
    /// True if the positions are known to be valid.
    pub(super) valid: bool,
}

impl<'a> States<'a> {
    /// Panics if a state is missing that a column needs.
    #[inline(always)]
    #[track_caller]
    pub(super) fn check(&self, column: Column) {
        if column.needs() != Needs::Pieces && self.states.is_none() {
            self.check_for(column);
        }
    }

    /// [`check`](Self::check) for a column that needs more than the pieces, without states.
    #[track_caller]
    fn check_for(&self, column: Column) {
        assert!(
            column.needs() != Needs::State,
            "column `{column}` needs the states of the positions; pass them to `Positions::with_states`"
        );
        assert!(
            self.turns.is_some(),
            "column `{column}` depends on the side to move; pass it to `Positions::with_turns`"
        );
    }

    /// The states of a range of rows.
    pub(super) fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            turns: self.turns.map(|turns| &turns[rows.clone()]),
            states: self.states.map(|states| &states[rows.clone()]),
            halfmoves: self.halfmoves.map(|halfmoves| &halfmoves[rows]),
            valid: self.valid,
        }
    }

    /// The state of a row. White is to move if nothing is known.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> State {
        self.states.map_or(State::EMPTY, |states| states[row])
    }

    /// The side to move in a row.
    #[inline(always)]
    pub(super) fn turn(&self, row: usize) -> Colour {
        self.turns.map_or_else(|| self.row(row).turn(), |turns| turns[row])
    }

    /// Loads the states of the block that starts at row `at`, as boards.
    #[inline(always)]
    pub(super) fn load<B: Block>(&self, at: usize) -> B {
        load(self.states.unwrap_or_default(), at)
    }
}

called! {
    fn load<'a, B: Block>(states: &'a [State], at: usize) -> B {
        let mut boards = [0; MAX_BOARDS];
        let boards = &mut boards[..B::COUNT];
        for (board, state) in boards.iter_mut().zip(&states[at..at + B::COUNT]) {
            *board = state.board();
        }
        B::load(boards)
    }
}
