//! Legal moves.

use crate::boards::Boards;
use crate::fen::{Castling, Fen};
use crate::pieces::Colour;

mod count;
#[cfg(feature = "bulk")]
mod kernel;
mod mover;
mod planes;
#[cfg(test)]
mod tests;

pub use count::{count, status};
pub use planes::{DIRECTIONS, LEAPS, PLANES, PlaneSink, planes};

/// What the legal moves of a position depend on besides its pieces: side to move, castling rights, en passant.
///
/// It is a board, so that a column of states is a column of `u64`:
///
/// | rank | |
/// |---|---|
/// | 1, 8 | the castling rooks of white and of black |
/// | 3, 6 | the square behind a pawn that has just made a double step |
/// | 4 | full if black moves, else empty |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct State<B = u64> {
    board: B,
}

impl<B: Boards> State<B> {
    /// State from its board.
    #[inline(always)]
    #[must_use]
    pub fn from_board(board: B) -> Self {
        Self { board }
    }

    /// The board.
    #[inline(always)]
    #[must_use]
    pub fn board(self) -> B {
        self.board
    }
}

impl State {
    /// State of one position.
    #[inline]
    #[must_use]
    pub fn new(turn: Colour, castling: Castling, en_passant: Option<u8>) -> Self {
        let turn = if turn == Colour::Black { 0xff << 24 } else { 0 };
        let rooks = u64::from(castling.white) | u64::from(castling.black) << 56;
        let en_passant = en_passant.map_or(0, |square| 1 << square) & 0x0000_ff00_00ff_0000;
        Self { board: turn | rooks | en_passant }
    }
}

impl From<&Fen> for State {
    #[inline]
    fn from(fen: &Fen) -> Self {
        Self::new(fen.turn, fen.castling, fen.en_passant)
    }
}
