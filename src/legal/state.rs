//! The state of a position besides its pieces, and its status: check, checkmate or stalemate.

use crate::bitboard::RANKS;
use crate::fen::{Castling, Fen};
use crate::pieces::Colour;

/// The state of a position besides its pieces: side to move, castling rights, en passant square.
///
/// It is encoded as a board, so that a column of states is a column of `u64`:
///
/// | rank | |
/// |---|---|
/// | 1, 8 | the castling rooks of white and of black |
/// | 3, 6 | the square behind a pawn that has just made a double step |
/// | 4 | full if black is to move, else empty |
///
/// With several squares on ranks 3 and 6, or a rank 4 that is neither full nor empty, results are unspecified: calls may
/// count and list different moves. They do not panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct State {
    board: u64,
}

impl State {
    /// White to move, no castling rights, no en passant square.
    pub const EMPTY: Self = Self { board: 0 };

    /// Creates the state of one position. En passant squares outside ranks 3 and 6 are ignored.
    #[inline]
    #[must_use]
    pub fn new(turn: Colour, castling: Castling, en_passant: Option<u8>) -> Self {
        let turn = if turn == Colour::Black { BLACK_MOVES } else { 0 };
        let rooks = u64::from(castling.white) | u64::from(castling.black) << 56;
        let en_passant =
            en_passant.and_then(|square| 1_u64.checked_shl(square.into())).unwrap_or(0)
                & (RANKS[2] | RANKS[5]);
        Self { board: turn | rooks | en_passant }
    }

    /// Decodes a state from a board.
    ///
    /// ```
    /// use setwise::{Fen, legal::State};
    /// let state = State::from(&Fen::START);
    /// assert_eq!(state.board(), 0x8100_0000_0000_0081);
    /// assert_eq!(State::from_board(state.board()), state);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn from_board(board: u64) -> Self {
        Self { board }
    }

    /// The state as a board.
    #[inline(always)]
    #[must_use]
    pub const fn board(self) -> u64 {
        self.board
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn turn(self) -> Colour {
        if self.board & BLACK_MOVES == 0 { Colour::White } else { Colour::Black }
    }

    /// The files of the rooks with castling rights.
    #[inline]
    #[must_use]
    pub const fn castling(self) -> Castling {
        Castling { white: self.board as u8, black: (self.board >> 56) as u8 }
    }

    /// The square behind a pawn that has just made a double step.
    #[inline]
    #[must_use]
    pub const fn en_passant(self) -> Option<u8> {
        match self.board & (RANKS[2] | RANKS[5]) {
            0 => None,
            squares => Some(squares.trailing_zeros() as u8),
        }
    }
}

/// Check, checkmate or stalemate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Status {
    /// Neither check nor stalemate.
    Normal = 0,
    /// The side to move is in check and has a legal move.
    Check = 1,
    /// The side to move is in check and has no legal move.
    Checkmate = 2,
    /// The side to move is not in check and has no legal move.
    Stalemate = 3,
}

/// The rank of a [`State`] that is full if black is to move.
pub(crate) const BLACK_MOVES: u64 = RANKS[3];

impl From<&Fen> for State {
    #[inline]
    fn from(fen: &Fen) -> Self {
        Self::new(fen.turn, fen.castling, fen.en_passant)
    }
}
