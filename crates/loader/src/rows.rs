//! The rows in the buffer of a loader, packed so that shuffling reads only one or two cache lines per row.

use setwise::fen::Castling;
use setwise::legal::{self, MoveKind};
use setwise::{Colour, Pieces, Role};
use setwise_formats::{Move, Records};

/// A row of a batch: a position with its labels.
// 56 bytes. Roles are three-bit numbers, 1 for a pawn to 6 for a king, in three bit planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    planes: [u64; 3],
    white: u64,
    /// The hash of the game, 0 unless the column `game_hash` is requested.
    pub game_hash: u64,
    /// The evaluation for the side to move; 0 if a file lacks it.
    pub score: i32,
    /// The half-moves since the start of the game, or [`Row::NO_PLY`].
    pub ply: u32,
    /// The castling rights.
    pub castling: Castling,
    /// The en passant square.
    pub en_passant: Option<u8>,
    /// The result for the side to move: 1, 0 or -1; [`Records::NO_RESULT`] if it is unknown.
    pub result: i8,
    /// The side to move. Always white in bulletformat, whose boards are flipped so that white is to move.
    pub turn: Colour,
    /// The bits of the [move](legal::Move::bits) that was played or found best, 0 for no move.
    pub played: u16,
}

const _: () = assert!(size_of::<Row>() == 56);

impl Row {
    /// The ply of rows whose source does not store plies.
    pub const NO_PLY: u32 = u32::MAX;

    /// Appends the rows of records. Missing fields become 0 or none, and white is to move.
    pub(crate) fn append(rows: &mut Vec<Self>, records: &Records, hashes: &[u64], has_moves: bool) {
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

    /// The pieces.
    // No source has two pieces on a square.
    #[must_use]
    pub const fn pieces(&self) -> Pieces {
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
    #[must_use]
    pub const fn piece_count(&self) -> u8 {
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

/// Returns the positions of rows in columns, without labels.
pub(crate) fn positions_of(rows: &[Row]) -> Records {
    let mut columns = Records::new();
    columns.pieces = rows.iter().map(Row::pieces).collect();
    columns.turn = rows.iter().map(|row| row.turn).collect();
    columns.castling = rows.iter().map(|row| row.castling).collect();
    columns.en_passant = rows.iter().map(|row| row.en_passant).collect();
    columns
}
