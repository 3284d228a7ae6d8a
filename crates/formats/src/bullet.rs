//! bulletformat: 32 bytes from the point of view of the side to move, whose colour is not stored.
//!
//! | bytes | |
//! |---|---|
//! | 0 to 7 | occupied squares |
//! | 8 to 23 | one nibble per piece: pawn 0 to king 5, + 8 for the opponent |
//! | 24, 25 | score, signed |
//! | 26 | result in half points, 0 to 2 |
//! | 27 | the king's square |
//! | 28 | the opponent's king's square `^ 56` |
//! | 29 to 31 | spare |

use setwise::{Colour, Pieces};

use crate::bits::{Bits, Codes};
use crate::error::{Fault, Square};
use crate::fixed::{self, Fixed, fill, half, nibbles, word};
use crate::{Format, Records};

pub(crate) struct Bullet;

impl Fixed<32> for Bullet {
    #[inline(always)]
    fn decode<B: Bits>(records: &[[u8; 32]], batch: &mut Records) -> bool {
        let mut invalid = false;
        fill(&mut batch.pieces, Pieces::EMPTY, records, |record| {
            let occupied = word::<0, 32>(record);
            let Codes { low, high: theirs, miscounted } = B::codes(occupied, nibbles(record));
            let [pawns, knights, bishops, rooks, queens, kings, ..] = low;
            let ours = occupied ^ theirs;
            invalid |= miscounted
                | (low[6] | low[7] != 0)
                | (kings & ours != 1u64.wrapping_shl(record[27].into()))
                | (kings & theirs != 1u64.wrapping_shl((record[28] ^ 56).into()))
                | ((record[27] | record[28]) > 63);
            Pieces { pawns, knights, bishops, rooks, queens, kings, white: ours, black: theirs }
        });
        for record in records {
            invalid |= record[26] > 2;
        }
        fill(&mut batch.score, 0, records, |record| (half::<24, 32>(record) as i16).into());
        fill(&mut batch.result, 0, records, |record| (record[26] as i8).wrapping_sub(1));
        fill(&mut batch.extra, 0, records, |record| (word::<24, 32>(record) >> 40) as u32);
        !invalid
    }

    fn check(record: &[u8; 32]) -> Result<(), Fault> {
        let codes = fixed::coded(word::<0, 32>(record), &record[8..24], 8)?;
        for (i, &(square, code)) in codes.iter().enumerate() {
            if code & 7 > 5 {
                let expected = "the code of a piece, 0 to 5 or 8 to 13";
                return Err(fixed::bad_code(8, i, square, code, expected));
            }
        }
        let count = |king| codes.iter().filter(|&&(_, code)| code == king).count();
        fixed::kings([count(5), count(13)], ["the mover", "the opponent"], 8)?;
        for (at, king, flip, name) in [(27, 5, 0, "king"), (28, 13, 56, "opponent's king")] {
            let square =
                codes.iter().find(|&&(_, code)| code == king).map_or(64, |&(square, _)| square);
            let (byte, square) = (square ^ flip, Square(square));
            if record[at] != byte {
                let expected = format_args!("{byte}, the square of the {name} ({square})");
                return Err(Fault::new(at, expected, record[at]));
            }
        }
        if record[26] > 2 {
            return Err(Fault::new(26, "a result of 0, 1 or 2", record[26]));
        }
        Ok(())
    }

    fn encode(batch: &Records, row: usize, record: &mut [u8; 32]) -> Result<(), Fault> {
        let mut seen = batch.pieces[row];
        let turn = batch.turn(row);
        if turn == Colour::Black {
            seen = seen.map(u64::swap_bytes);
            (seen.white, seen.black) = (seen.black, seen.white);
        }
        let pieces = fixed::pieces(&seen)?;
        record[27] = (seen.kings & seen.white).trailing_zeros() as u8;
        record[28] = (seen.kings & seen.black).trailing_zeros() as u8 ^ 56;
        let code = |(square, colour, role)| (square, role as u8 | (colour as u8) << 3);
        fixed::write_nibbles(record, pieces.into_iter().map(code));
        record[24..26].copy_from_slice(&fixed::score(batch, row, turn, 24)?);
        record[26] = fixed::result(batch, row, 26)?;
        let extra = batch.extra_of(row, Format::Bullet);
        if extra >= 1 << 24 {
            return Err(Fault::new(29, "spare bytes that fit 24 bits", extra));
        }
        record[29..].copy_from_slice(&extra.to_le_bytes()[..3]);
        Ok(())
    }
}
