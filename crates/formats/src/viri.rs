//! viriformat: a game is a marlinformat record, then two bytes for each move and two for the score of the position
//! before the move (signed, for white), then four zeros.
//!
//! A move is origin, destination (in castling, the rook's square) `<< 6`, promotion `<< 12` (knight 0 to queen 3), kind
//! `<< 14` (1 en passant, 2 castling, 3 promotion).

use setwise::fen::Castling;
use setwise::{Colour, Fen};

use crate::Records;
use crate::bits::Portable;
use crate::board::{Board, Rules};
use crate::error::Fault;
use crate::fixed::{self, Fixed, half};
use crate::marlin::{self, Marlin};
use crate::packed_move::Layout;

const MOVES: Layout = Layout { from: 0, to: 6, role: 12, en_passant: 1, castling: 2, promotion: 3 };

/// A game that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    board: Board,
    /// The result for white: -1, 0, 1.
    result: i8,
}

impl Game {
    /// Starts a game.
    pub(crate) fn new(record: &[u8; 32]) -> Result<Self, Fault> {
        Marlin::check(record)?;
        let (pieces, castling, _) = marlin::pieces::<Portable>(record);
        let en_passant = record[24] & 127;
        let start = Fen {
            pieces,
            turn: marlin::turn(record[24]),
            castling: Castling { white: castling as u8, black: (castling >> 56) as u8 },
            en_passant: (en_passant < 64).then_some(en_passant),
            halfmove_clock: record[25].into(),
            fullmove_number: half::<26, 32>(record).into(),
        };
        Ok(Self { board: Board::new(&start, Rules::Viridithas), result: record[30] as i8 - 1 })
    }

    /// Reads a move, adds the position before it as a row, and makes the move. Returns false at the end of the game.
    pub(crate) fn read(&mut self, bytes: [u8; 4], batch: &mut Records) -> Result<bool, Fault> {
        if bytes == [0; 4] {
            return Ok(false);
        }
        let packed = half::<0, 4>(&bytes);
        let played = MOVES.unpack(packed);
        self.board.check(played).map_err(|text| Fault::of(0, text))?;
        MOVES.check(packed, 0)?;
        let sign = if self.board.turn() == Colour::White { 1 } else { -1 };
        let score = i32::from(half::<2, 4>(&bytes) as i16) * i32::from(sign);
        batch.push_fen(&self.board.fen());
        batch.score.push(score);
        batch.result.push(self.result * sign);
        batch.moves.push(Some(played));
        self.board.make(played);
        Ok(true)
    }
}

/// Appends the first `rows` rows of a game. All of them must have a move.
pub(crate) fn write(game: &Records, rows: usize, into: &mut Vec<u8>) -> Result<(), Fault> {
    let mut record = [0; 32];
    Marlin::encode(game, 0, &mut record)?;
    let mut board = Game::new(&record)?.board;
    into.extend_from_slice(&record);
    for row in 0..rows {
        let played = game.played(row, &board)?;
        let packed = MOVES.pack(played, 0)?;
        into.extend(packed.to_le_bytes());
        into.extend(fixed::score(game, row, Colour::White, 2)?);
        board.make(played);
    }
    into.extend([0; 4]);
    Ok(())
}
