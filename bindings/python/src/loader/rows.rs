//! The rows in the buffer of a loader, packed so that shuffling reads only one or two cache lines per row.

use setwise::fen::Castling;
use setwise::legal::{self, MoveKind};
use setwise::{Colour, Pieces, Role};
use setwise_formats::{Move, Records};
use setwise_table::Sets;

use crate::input::State;

/// A row of 56 bytes. Roles are three-bit numbers, 1 for a pawn to 6 for a king, in three bit planes.
#[derive(Clone, Copy)]
pub(super) struct Row {
    planes: [u64; 3],
    white: u64,
    /// The hash of the game, 0 unless requested.
    pub(super) game_hash: u64,
    pub(super) score: i32,
    pub(super) ply: u32,
    pub(super) castling: Castling,
    pub(super) en_passant: Option<u8>,
    pub(super) result: i8,
    pub(super) turn: Colour,
    /// The move in 16 bits, 0 for no move.
    pub(super) played: u16,
}

const _: () = assert!(size_of::<Row>() == 56);

impl Row {
    /// The ply of rows whose source does not store plies.
    pub(super) const NO_PLY: u32 = u32::MAX;

    /// Appends the rows of records. Missing fields become 0 or none, and white is to move.
    pub(super) fn append(rows: &mut Vec<Self>, records: &Records, hashes: &[u64], has_moves: bool) {
        fn of<T: Copy>(values: &[T], row: usize, blank: T) -> T {
            values.get(row).copied().unwrap_or(blank)
        }
        let moves = if has_moves { &records.moves[..] } else { &[] };
        rows.extend((0..records.len()).map(|row| {
            let Pieces { pawns, knights, bishops, rooks, queens, kings, white, .. } =
                records.pieces[row];
            Self {
                planes: [
                    pawns | bishops | queens,
                    knights | bishops | kings,
                    rooks | queens | kings,
                ],
                white,
                game_hash: of(hashes, row, 0),
                score: of(&records.score, row, 0),
                ply: of(&records.ply, row, Self::NO_PLY),
                castling: of(&records.castling, row, Castling::NONE),
                en_passant: of(&records.en_passant, row, None),
                result: of(&records.result, row, Records::NO_RESULT),
                turn: of(&records.turn, row, Colour::White),
                played: of(moves, row, None).map_or(0, bits),
            }
        }));
    }

    /// Returns the position. No source has two pieces on a square.
    pub(super) const fn pieces(&self) -> Pieces {
        let ([low, middle, high], white) = (self.planes, self.white);
        Pieces {
            pawns: low & !middle & !high,
            knights: middle & !low & !high,
            bishops: low & middle,
            rooks: high & !low & !middle,
            queens: low & high,
            kings: middle & high,
            white,
            black: (low | middle | high) & !white,
        }
    }

    /// Returns the number of pieces.
    pub(super) const fn piece_count(&self) -> u8 {
        let [low, middle, high] = self.planes;
        (low | middle | high).count_ones() as u8
    }
}

/// Converts a move to the encoding of `legal_moves`: castling moves the king by two squares if it is on the e-file and
/// the rook is in a corner.
fn bits(played: Move) -> u16 {
    let Move { from, mut to, kind } = played;
    let is_wrong = matches!(kind, MoveKind::Promotion(Role::Pawn | Role::King));
    if from > 63 || to > 63 || is_wrong {
        return 0;
    }
    if kind == MoveKind::Castling && from % 8 == 4 && matches!(to % 8, 0 | 7) {
        to = if to > from { from + 2 } else { from - 2 };
    }
    legal::Move::new(from, to, kind).bits()
}

/// Rows in columns, as a source of the executor.
pub(super) struct Columns {
    pub(super) pieces: Vec<Pieces>,
    pub(super) state: State,
}

impl Columns {
    pub(super) fn of(rows: &[Row]) -> Self {
        let state = State {
            turns: rows.iter().map(|row| row.turn).collect(),
            castling: rows.iter().map(|row| row.castling).collect(),
            en_passant: rows.iter().map(|row| row.en_passant).collect(),
        };
        Self { pieces: rows.iter().map(Row::pieces).collect(), state }
    }

    pub(super) fn positions(&self) -> setwise_table::Positions<'_> {
        State::of(Some(&self.state), Sets::Pieces(&self.pieces))
    }
}
