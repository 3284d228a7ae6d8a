//! Legal moves.

use crate::bitboard::RANKS;
use crate::boards::Boards;
use crate::fen::{Castling, Fen};
use crate::pieces::Colour;

mod count;
#[cfg(feature = "bulk")]
mod kernel;
mod mover;
mod moves;
mod planes;

pub use count::{count, status};
pub use moves::{Kind, Move};
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
    /// White moves, nobody may castle, and nothing can be captured en passant.
    pub const EMPTY: Self = Self { board: 0 };

    /// State of one position.
    #[inline]
    #[must_use]
    pub fn new(turn: Colour, castling: Castling, en_passant: Option<u8>) -> Self {
        let turn = if turn == Colour::Black { BLACK_MOVES } else { 0 };
        let rooks = u64::from(castling.white) | u64::from(castling.black) << 56;
        let en_passant = en_passant.map_or(0, |square| 1 << square) & (RANKS[2] | RANKS[5]);
        Self { board: turn | rooks | en_passant }
    }
}

impl State {
    /// The side to move.
    ///
    /// ```
    /// use setwise::{Colour, Fen, legal::State};
    /// assert_eq!(State::from(&Fen::START).turn(), Colour::White);
    /// ```
    #[inline]
    #[must_use]
    pub const fn turn(self) -> Colour {
        if self.board & BLACK_MOVES == 0 { Colour::White } else { Colour::Black }
    }
}

/// Whether a position has a legal move, and whether its mover is in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Status {
    /// Not in check, and not stalemate.
    Normal = 0,
    /// In check, and there is a legal move.
    Check = 1,
    /// In check, and there is none.
    Checkmate = 2,
    /// Not in check, and there is none.
    Stalemate = 3,
}

/// The rank of a [`State`] that is full if black moves.
const BLACK_MOVES: u64 = RANKS[3];

impl From<&Fen> for State {
    #[inline]
    fn from(fen: &Fen) -> Self {
        Self::new(fen.turn, fen.castling, fen.en_passant)
    }
}
