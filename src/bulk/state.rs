//! The state of a position: side to move, castling rights, and en passant square.

use core::ops::Range;

use crate::boards::block::{Block, MAX_BOARDS};
use crate::boards::called;
use crate::columns::{Column, Needs};
use crate::fen::Castling;
use crate::legal::State;
use crate::pieces::Colour;

/// The states of many positions, as far as the caller has set them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct States<'a> {
    pub(super) turns: Option<&'a [Colour]>,
    pub(super) castling: Option<&'a [Castling]>,
    pub(super) en_passant: Option<&'a [Option<u8>]>,
    /// All three in one value.
    pub(super) boards: Option<&'a [State]>,
    pub(super) halfmoves: Option<&'a [u32]>,
    /// True if the positions are known to be valid.
    pub(super) valid: bool,
}

impl<'a> States<'a> {
    /// Panics if a state is missing that a column needs.
    #[inline(always)]
    #[track_caller]
    pub(super) fn check(&self, column: Column) {
        if column.needs() != Needs::Pieces {
            self.check_for(column);
        }
    }

    /// [`check`](Self::check) for a column that needs more than the pieces.
    #[track_caller]
    fn check_for(&self, column: Column) {
        let needs = column.needs();
        if needs == Needs::State && self.boards.is_some() {
            return;
        }
        assert!(
            self.turns.is_some(),
            "column `{column}` depends on the side to move; pass it to `Positions::with_turns`"
        );
        assert!(
            needs != Needs::State || self.castling.is_some(),
            "column `{column}` needs castling rights: `Positions::with_castling`"
        );
        assert!(
            needs != Needs::State || self.en_passant.is_some(),
            "column `{column}` needs en passant squares: `Positions::with_en_passant`"
        );
    }

    /// The states of a range of rows.
    pub(super) fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            turns: self.turns.map(|turns| &turns[rows.clone()]),
            castling: self.castling.map(|castling| &castling[rows.clone()]),
            en_passant: self.en_passant.map(|en_passant| &en_passant[rows.clone()]),
            boards: self.boards.map(|boards| &boards[rows.clone()]),
            halfmoves: self.halfmoves.map(|halfmoves| &halfmoves[rows]),
            valid: self.valid,
        }
    }

    /// The state of a row. Missing parts default to white to move, no castling rights and no en passant square.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> State {
        if let Some(boards) = self.boards {
            return boards[row];
        }
        State::new(
            self.turns.map_or(Colour::White, |turns| turns[row]),
            self.castling.map_or(Castling::NONE, |castling| castling[row]),
            self.en_passant.and_then(|squares| squares[row]),
        )
    }

    /// Loads the states of the block that starts at row `at`, as boards.
    #[inline(always)]
    pub(super) fn load<B: Block>(&self, at: usize) -> B {
        load(self, at)
    }
}

called! {
    fn load<'a, B: Block>(states: &'a States<'a>, at: usize) -> B {
        let mut words = [0; MAX_BOARDS];
        let words = &mut words[..B::COUNT];
        let rows = at..at + B::COUNT;
        if let Some(boards) = states.boards {
            for (word, state) in words.iter_mut().zip(&boards[rows]) {
                *word = state.board();
            }
        } else if let (Some(turns), Some(castling), Some(en_passant)) =
            (states.turns, states.castling, states.en_passant)
        {
            let (turns, castling) = (&turns[rows.clone()], &castling[rows.clone()]);
            let states = turns.iter().zip(castling).zip(&en_passant[rows]);
            for (word, ((&turn, &castling), &square)) in words.iter_mut().zip(states) {
                *word = State::new(turn, castling, square).board();
            }
        } else {
            for (word, row) in words.iter_mut().zip(rows) {
                *word = states.row(row).board();
            }
        }
        B::load(words)
    }
}
