//! The rows in the buffer of a loader, packed: shuffling reads one or two lines of the cache for a row.

use setwise::fen::Castling;
use setwise::legal::{self, MoveKind};
use setwise::{Colour, Pieces, Role};
use setwise_formats::{Move, Records};
use setwise_table::Sets;

use crate::input::State;

/// A row of 56 bytes. The roles are numbers of three bits, 1 for a pawn to 6 for a king, in three planes.
#[derive(Clone, Copy)]
pub(super) struct Row {
    planes: [u64; 3],
    white: u64,
    /// The hash of the game, 0 if it is not asked for.
    pub(super) game_hash: u64,
    pub(super) score: i32,
    pub(super) ply: u32,
    castling: Castling,
    en_passant: Option<u8>,
    pub(super) result: i8,
    pub(super) turn: Colour,
    /// The move in 16 bits, 0 if there is none.
    pub(super) played: u16,
}

const _: () = assert!(size_of::<Row>() == 56);

impl Row {
    /// Stands for a number of half-moves that the source does not say.
    pub(super) const NO_PLY: u32 = u32::MAX;

    /// Appends the rows of records. What these do not say is 0, or none, and white is to move.
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

    /// The position. No source has two pieces on a square.
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

    /// The number of pieces.
    pub(super) const fn piece_count(&self) -> u8 {
        let [low, middle, high] = self.planes;
        (low | middle | high).count_ones() as u8
    }
}

/// A move as `legal_moves` has it: castling goes two squares where the king stands on the e-file and the rook in a corner.
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

/// Rows column by column, as a source of the executor.
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
