//! marlinformat: 32 bytes with the side to move, castling, en passant and the clocks.
//!
//! | bytes | |
//! |---|---|
//! | 0 to 7 | occupied squares |
//! | 8 to 23 | one nibble per piece: pawn 0 to king 5, 6 a rook that may castle, + 8 for black |
//! | 24 | en passant square, 64 for none; + 128 if black is to move |
//! | 25 | halfmove clock |
//! | 26, 27 | fullmove number |
//! | 28, 29 | score for white, signed |
//! | 30 | result for white in half points, 0 to 2 |
//! | 31 | spare |

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role};

use crate::bits::{Bits, Codes};
use crate::error::{Fault, Square};
use crate::fixed::{self, Fixed, fill, half, nibbles, single, word};
use crate::{Format, Records};

pub(crate) struct Marlin;

/// Returns the pieces of a record, the rooks that may castle, and whether the pieces are valid.
#[inline(always)]
pub(crate) fn pieces<B: Bits>(record: &[u8; 32]) -> (Pieces, u64, bool) {
    let occupied = word::<0, 32>(record);
    let Codes { low, high: black, miscounted } = B::codes(occupied, nibbles(record));
    let [pawns, knights, bishops, rooks, queens, kings, castling, undefined] = low;
    let white = occupied ^ black;
    let back_ranks = (white & 0xff) | (black & 0xff << 56);
    let invalid = miscounted
        | (undefined != 0)
        | (castling & !back_ranks != 0)
        | !single(kings & white)
        | !single(kings & black);
    let rooks = rooks | castling;
    let pieces = Pieces { pawns, knights, bishops, rooks, queens, kings, white, black };
    (pieces, castling, !invalid)
}

/// Decodes the side to move from its byte.
#[inline(always)]
pub(crate) fn turn(byte: u8) -> Colour {
    if byte < 128 { Colour::White } else { Colour::Black }
}

/// Returns whether byte 24 has a valid en passant square (on rank 3 or 6) or none.
#[inline(always)]
fn is_valid_en_passant(byte: u8) -> bool {
    let square = byte & 127;
    (square == 64) | (square & !7 == 16) | (square & !7 == 40)
}

impl Fixed<32> for Marlin {
    #[inline(always)]
    fn decode<B: Bits>(records: &[[u8; 32]], batch: &mut Records) -> bool {
        let mut valid = true;
        let start = batch.len();
        batch.pieces.resize(start + records.len(), Pieces::EMPTY);
        batch.castling.resize(start + records.len(), Castling::NONE);
        let rows = batch.pieces[start..].iter_mut().zip(&mut batch.castling[start..]);
        for ((row, castling), record) in rows.zip(records) {
            let (pieces, rooks, is_valid) = pieces::<B>(record);
            *row = pieces;
            *castling = Castling { white: rooks as u8, black: (rooks >> 56) as u8 };
            valid &= is_valid;
        }
        for record in records {
            valid &= is_valid_en_passant(record[24]) & (record[30] <= 2);
        }
        fill(&mut batch.turn, Colour::White, records, |record| turn(record[24]));
        fill(&mut batch.en_passant, None, records, |record| {
            (record[24] & 64 == 0).then_some(record[24] & 63)
        });
        fill(&mut batch.halfmove_clock, 0, records, |record| record[25].into());
        fill(&mut batch.fullmove_number, 0, records, |record| half::<26, 32>(record).into());
        let sign = |record: &[u8; 32]| 1 - (record[24] >> 7) as i8 * 2;
        fill(&mut batch.score, 0, records, |record| {
            i32::from(half::<28, 32>(record) as i16) * i32::from(sign(record))
        });
        fill(&mut batch.result, 0, records, |record| {
            (record[30] as i8).wrapping_sub(1).wrapping_mul(sign(record))
        });
        fill(&mut batch.extra, 0, records, |record| record[31].into());
        valid
    }

    fn check(record: &[u8; 32]) -> Result<(), Fault> {
        let codes = fixed::coded(word::<0, 32>(record), &record[8..24], 8)?;
        for (i, &(square, code)) in codes.iter().enumerate() {
            if code & 7 == 7 {
                let expected = "the code of a piece, 0 to 6 or 8 to 14";
                return Err(fixed::bad_code(8, i, square, code, expected));
            }
            let back_rank = if code < 8 { 0 } else { 7 };
            if code & 7 == 6 && square / 8 != back_rank {
                let rank = back_rank + 1;
                let expected = format!("a rook that may castle on rank {rank}");
                return Err(Fault::new(
                    8 + i / 2,
                    expected,
                    format_args!("one on {}", Square(square)),
                ));
            }
        }
        let count = |king| codes.iter().filter(|&&(_, code)| code == king).count();
        fixed::kings([count(5), count(13)], ["white", "black"], 8)?;
        if record[24] & 127 != 64 {
            fixed::en_passant(24, record[24] & 127)?;
        }
        if record[30] > 2 {
            return Err(Fault::new(30, "a result of 0, 1 or 2", record[30]));
        }
        Ok(())
    }

    fn encode(batch: &Records, row: usize, record: &mut [u8; 32]) -> Result<(), Fault> {
        let Fen { pieces, turn, castling, en_passant, halfmove_clock, fullmove_number } =
            batch.fen(row);
        let mut rooks = u64::from(castling.white) | u64::from(castling.black) << 56;
        let pieces = fixed::pieces(&pieces)?;
        let code = |(square, colour, role)| {
            let files = if colour == Colour::White { 0xff } else { 0xff << 56 };
            let may_castle = role == Role::Rook && rooks & files & (1u64 << square) != 0;
            rooks &= !(u64::from(may_castle) << u32::from(square));
            (square, if may_castle { 6 } else { role as u8 } | (colour as u8) << 3)
        };
        fixed::write_nibbles(record, pieces.into_iter().map(code));
        if rooks != 0 {
            let square = Square(rooks.trailing_zeros() as u8);
            return Err(Fault::new(8, format_args!("a rook that may castle on {square}"), "none"));
        }
        let en_passant = en_passant.map_or(Ok(64), |square| fixed::en_passant(24, square))?;
        record[24] = en_passant | (turn as u8) << 7;
        record[25] = fixed::narrow(25, halfmove_clock.into(), "a halfmove clock")?;
        let number: u16 = fixed::narrow(26, fullmove_number.into(), "a fullmove number")?;
        record[26..28].copy_from_slice(&number.to_le_bytes());
        record[28..30].copy_from_slice(&fixed::score(batch, row, Colour::White, 28)?);
        let result = fixed::result(batch, row, 30)?;
        record[30] = if turn == Colour::White { result } else { 2 - result };
        let extra = batch.extra_of(row, Format::Marlin);
        record[31] = fixed::narrow(31, extra.into(), "a spare byte")?;
        Ok(())
    }
}
