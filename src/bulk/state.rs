//! What the pieces of a position do not say: whose turn it is, who may castle, and the en passant square.

use core::ops::Range;

use crate::boards::block::{Block, MAX_BOARDS};
use crate::columns::{Column, Needs};
use crate::fen::Castling;
use crate::legal::State;
use crate::pieces::Colour;

/// The states of many positions, as far as the caller gives them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct States<'a> {
    pub(super) turns: Option<&'a [Colour]>,
    pub(super) castling: Option<&'a [Castling]>,
    pub(super) en_passant: Option<&'a [Option<u8>]>,
}

impl<'a> States<'a> {
    /// Panics if something is missing that a column needs.
    #[track_caller]
    pub(super) fn check(&self, column: Column) {
        let needs = column.needs();
        assert!(
            needs == Needs::Pieces || self.turns.is_some(),
            "column `{column}` needs to know whose turn it is: `Positions::with_turns`"
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

    /// Those of some rows.
    pub(super) fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            turns: self.turns.map(|turns| &turns[rows.clone()]),
            castling: self.castling.map(|castling| &castling[rows.clone()]),
            en_passant: self.en_passant.map(|en_passant| &en_passant[rows]),
        }
    }

    /// Those of a whole block, with usual ones behind the last.
    pub(super) fn padded<'b>(&self, padded: &'b mut PaddedStates, boards: usize) -> States<'b> {
        fn front<'b, T: Copy>(rows: &[T], padded: &'b mut [T], boards: usize) -> &'b [T] {
            padded[..rows.len()].copy_from_slice(rows);
            &padded[..boards]
        }
        States {
            turns: self.turns.map(|turns| front(turns, &mut padded.turns, boards)),
            castling: self.castling.map(|castling| front(castling, &mut padded.castling, boards)),
            en_passant: self
                .en_passant
                .map(|squares| front(squares, &mut padded.en_passant, boards)),
        }
    }

    /// That of a row. What the caller does not say is white to move, nobody may castle, no en passant square.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> State {
        State::new(
            self.turns.map_or(Colour::White, |turns| turns[row]),
            self.castling.map_or(Castling::NONE, |castling| castling[row]),
            self.en_passant.and_then(|squares| squares[row]),
        )
    }

    /// Those of the block that begins at a row.
    #[inline(always)]
    pub(super) fn load<B: Block>(&self, at: usize) -> State<B> {
        let mut words = [0; MAX_BOARDS];
        let words = &mut words[..B::COUNT];
        let rows = at..at + B::COUNT;
        if let (Some(turns), Some(castling), Some(en_passant)) =
            (self.turns, self.castling, self.en_passant)
        {
            let (turns, castling) = (&turns[rows.clone()], &castling[rows.clone()]);
            let states = turns.iter().zip(castling).zip(&en_passant[rows]);
            for (word, ((&turn, &castling), &square)) in words.iter_mut().zip(states) {
                *word = State::new(turn, castling, square).board();
            }
        } else {
            for (word, row) in words.iter_mut().zip(rows) {
                *word = self.row(row).board();
            }
        }
        State::from_board(B::load(words))
    }
}

/// The state of one position, looked up where it is needed.
#[cfg(feature = "std")]
#[derive(Clone, Copy)]
pub(super) struct RowState<'a> {
    pub(super) states: &'a States<'a>,
    pub(super) row: usize,
}

#[cfg(feature = "std")]
impl RowState<'_> {
    /// The state.
    #[inline(always)]
    pub(super) fn get(self) -> State {
        self.states.row(self.row)
    }
}

/// States of less than a block, with usual ones behind them.
pub(super) struct PaddedStates {
    turns: [Colour; MAX_BOARDS],
    castling: [Castling; MAX_BOARDS],
    en_passant: [Option<u8>; MAX_BOARDS],
}

impl PaddedStates {
    pub(super) fn new() -> Self {
        Self {
            turns: [Colour::White; MAX_BOARDS],
            castling: [Castling::NONE; MAX_BOARDS],
            en_passant: [None; MAX_BOARDS],
        }
    }
}
