//! The state of a position: side to move, castling rights, and en passant square.
#![allow(dead_code, reason = "the catalogue's columns need turns only, so far")]

use core::ops::Range;

use crate::boards::block::{Block, MAX_BOARDS};
use crate::columns::{Column, Needs};
use crate::fen::Castling;
use crate::pieces::Colour;

/// The states of many positions, as far as the caller has set them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State<'a> {
    pub(super) turns: Option<&'a [Colour]>,
    pub(super) castling: Option<&'a [Castling]>,
    pub(super) en_passant: Option<&'a [Option<u8>]>,
}

impl<'a> State<'a> {
    /// Panics if a state is missing that a column needs.
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

    /// The states of a range of rows.
    pub(super) fn rows(&self, rows: Range<usize>) -> Self {
        Self {
            turns: self.turns.map(|turns| &turns[rows.clone()]),
            castling: self.castling.map(|castling| &castling[rows.clone()]),
            en_passant: self.en_passant.map(|en_passant| &en_passant[rows]),
        }
    }

    /// The states of a whole block, padded with the usual state.
    pub(super) fn padded<'b>(&self, padded: &'b mut PaddedState, boards: usize) -> State<'b> {
        fn front<'b, T: Copy>(rows: &[T], padded: &'b mut [T], boards: usize) -> &'b [T] {
            padded[..rows.len()].copy_from_slice(rows);
            &padded[..boards]
        }
        State {
            turns: self.turns.map(|turns| front(turns, &mut padded.turns, boards)),
            castling: self.castling.map(|castling| front(castling, &mut padded.castling, boards)),
            en_passant: self
                .en_passant
                .map(|squares| front(squares, &mut padded.en_passant, boards)),
        }
    }

    /// The states of the block that begins at a row, as boards.
    #[inline(always)]
    pub(super) fn load<B: Block>(&self, at: usize) -> StateBlock<B> {
        let rows = at..at + B::COUNT;
        let mut boards = [[0; MAX_BOARDS]; 3];
        if let Some(turns) = self.turns {
            for (board, &turn) in boards[0].iter_mut().zip(&turns[rows.clone()]) {
                *board = if turn == Colour::Black { !0 } else { 0 };
            }
        }
        if let Some(castling) = self.castling {
            for (board, castling) in boards[1].iter_mut().zip(&castling[rows.clone()]) {
                *board = u64::from(castling.white) | u64::from(castling.black) << 56;
            }
        }
        if let Some(en_passant) = self.en_passant {
            for (board, square) in boards[2].iter_mut().zip(&en_passant[rows]) {
                *board = square.and_then(|square| 1_u64.checked_shl(square.into())).unwrap_or(0);
            }
        }
        let [black_to_move, castling, en_passant] =
            boards.each_ref().map(|boards| B::load(&boards[..B::COUNT]));
        StateBlock { black_to_move, castling, en_passant }
    }
}

/// The states of a block of positions, as boards.
pub(super) struct StateBlock<B> {
    /// All squares if black is to move, else none.
    pub(super) black_to_move: B,
    /// The squares of the rooks that may castle, on rank 1 for white, on rank 8 for black.
    pub(super) castling: B,
    /// The square behind a pawn that has just made a double step, or none.
    pub(super) en_passant: B,
}

/// The state of one position, read when it is needed.
#[cfg(feature = "std")]
#[derive(Clone, Copy)]
pub(super) struct RowState<'a> {
    pub(super) state: &'a State<'a>,
    pub(super) row: usize,
}

#[cfg(feature = "std")]
impl RowState<'_> {
    /// The side to move.
    #[inline(always)]
    pub(super) fn turn(self) -> Colour {
        self.state.turns.map_or(Colour::White, |turns| turns[self.row])
    }

    /// The castling rights.
    #[inline(always)]
    pub(super) fn castling(self) -> Castling {
        self.state.castling.map_or(Castling::NONE, |castling| castling[self.row])
    }

    /// The square behind a pawn that has just made a double step.
    #[inline(always)]
    pub(super) fn en_passant(self) -> Option<u8> {
        self.state.en_passant.and_then(|squares| squares[self.row])
    }
}

/// States of less than a block, padded with the usual state.
pub(super) struct PaddedState {
    turns: [Colour; MAX_BOARDS],
    castling: [Castling; MAX_BOARDS],
    en_passant: [Option<u8>; MAX_BOARDS],
}

impl PaddedState {
    pub(super) fn new() -> Self {
        Self {
            turns: [Colour::White; MAX_BOARDS],
            castling: [Castling::NONE; MAX_BOARDS],
            en_passant: [None; MAX_BOARDS],
        }
    }
}
