//! Writes a game as binpack.

use setwise::{Colour, leaper};

use super::{Game, MOVES, STEM};
use crate::bits::Portable;
use crate::board::KING;
use crate::error::Fault;
use crate::records::counted_ply;
use crate::{MoveKind, Records, fixed, packed_move};

/// Packs numbers as bits, high bits first.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    /// The number of unused bits of the last byte.
    free: u32,
}

impl Packed {
    fn push(&mut self, value: u32, bits: u32) {
        for bit in (0..bits).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> bit & 1) as u8) << self.free;
            }
        }
    }

    fn below(&mut self, value: u32, count: u32) {
        self.push(value, 32 - count.saturating_sub(1).leading_zeros());
    }

    fn groups(&mut self, value: u16) {
        let mut left = value;
        loop {
            let more = u32::from(left > 15);
            self.push(more << 4 | u32::from(left & 15), 5);
            left >>= 4;
            if more == 0 {
                return;
            }
        }
    }
}

/// Encodes a number with its sign in bit 0.
const fn unsigned(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

/// Appends the first `rows` rows of a game, 1 to 65,536. All of them must have a move.
pub(crate) fn write(game: &Records, rows: usize, into: &mut Vec<u8>) -> Result<(), Fault> {
    let count: u16 = fixed::narrow(32, rows as i64 - 1, "a number of moves")?;
    let mut stem = first(game)?;
    let occupied = u64::from_be_bytes(std::array::from_fn(|i| stem[i]));
    let mut board = Game::position::<Portable>(occupied, &stem)?;
    let mut packed = Packed::default();
    let mut expected = 0;
    for row in 0..rows {
        let played = game.played(row, &board)?;
        let score = i16::from_le_bytes(fixed::score(game, row, game.turn(row), 0)?);
        if row == 0 {
            stem[24..26].copy_from_slice(&MOVES.pack(played, 24)?.to_be_bytes());
            stem[26..28].copy_from_slice(&unsigned(score).to_be_bytes());
        } else {
            let own = board.own();
            let below = |set: u64, square: u8| (set & ((1 << square) - 1)).count_ones();
            packed.below(below(own, played.from), own.count_ones());
            let role = board.role(played.from);
            let destinations = board.destinations(played.from, role);
            let (count, number) = (destinations.count_ones(), below(destinations, played.to));
            match played.kind {
                MoveKind::Promotion(role) => {
                    let role = packed_move::number(role, 0)?;
                    packed.below(4 * number + u32::from(role), 4 * count);
                }
                MoveKind::Castling => {
                    let rooks = board.castling_rooks();
                    packed.below(count + below(rooks, played.to), count + rooks.count_ones());
                }
                _ if role == KING => {
                    packed.below(number, count + board.castling_rooks().count_ones());
                }
                _ => packed.below(number, count),
            }
            packed.groups(unsigned(score.wrapping_sub(expected)));
        }
        expected = score.wrapping_neg();
        board.make(played);
    }
    stem[32..].copy_from_slice(&count.to_be_bytes());
    into.extend_from_slice(&stem);
    into.extend_from_slice(&packed.bytes);
    Ok(())
}

/// Encodes the first position of a game, without its move and score.
fn first(game: &Records) -> Result<[u8; STEM], Fault> {
    let (fen, turn) = (game.fen(0), game.turn(0));
    let rooks = u64::from(fen.castling.white) | u64::from(fen.castling.black) << 56;
    let kings = fen.pieces.kings & (fen.pieces.white & 0x10 | fen.pieces.black & 0x10 << 56);
    let sides = [(fen.castling.white, 0x10), (fen.castling.black, 0x10 << 56)];
    if sides.iter().any(|&(files, king)| files & !0x81 != 0 || files != 0 && kings & king == 0) {
        let expected = "castling from the e-file with rooks from the corners";
        return Err(Fault::new(8, expected, format_args!("the castling rights of {fen}")));
    }
    // Store an en passant square only if a pawn can capture there.
    let capturers = |square: u8| {
        let pawns = fen.pieces.pawns & fen.pieces.colour(turn);
        leaper::PAWN_ATTACKS[turn.opponent() as usize][usize::from(square & 63)] & pawns
    };
    let square = fen.en_passant.filter(|&square| capturers(square) != 0);
    let passed = square.map(|square| square ^ 8);
    let code = |(square, colour, role): (u8, Colour, setwise::Role)| {
        let ordinary = 2 * role as u8 + colour as u8;
        let code = match (role, colour) {
            (setwise::Role::Pawn, _) if passed == Some(square) => 12,
            (setwise::Role::Rook, _) if rooks >> square & 1 == 1 => 13 + colour as u8,
            (setwise::Role::King, Colour::Black) if turn == Colour::Black => 15,
            _ => ordinary,
        };
        (square, code)
    };
    let mut stem = [0; STEM];
    fixed::write_nibbles(&mut stem, fixed::pieces(&fen.pieces)?.into_iter().map(code));
    stem[..8].reverse();
    let ply = if game.format.is_some() { game.half_moves(0) } else { counted_ply(&fen) };
    if ply >= 1 << 14 {
        return Err(Fault::new(28, "a ply below 16384", ply));
    }
    let result = unsigned(i16::from(fixed::result(game, 0, 28)?) - 1);
    stem[28..30].copy_from_slice(&(ply as u16 | result << 14).to_be_bytes());
    let clock: u16 = fixed::narrow(30, fen.halfmove_clock.into(), "a halfmove clock")?;
    stem[30..32].copy_from_slice(&clock.to_be_bytes());
    Ok(stem)
}
