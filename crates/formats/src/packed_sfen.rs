//! PackedSfenValue, the `.bin` of Stockfish's tools: 40 bytes, of which 32 are a string of bits for the position,
//! including the clocks.
//!
//! | bits, low ones first | |
//! |---|---|
//! | 1 | 1 if black is to move |
//! | 6, 6 | the squares of white's and black's kings |
//! | 1 or 5 per square | a8 to h8, a7 to h7 and so on to h1, without the kings' squares: 0 if empty; else 1, three bits for the role (pawn 0, knight 1, bishop 2, rook 3, queen 4) and 1 if black |
//! | 4 | castling: K, Q, k, q |
//! | 1 or 7 | 0, or 1 and the en passant square |
//! | 6, 8, 8, 1 | halfmove clock, fullmove number, its high bits, the clock's highest bit |
//!
//! | bytes | |
//! |---|---|
//! | 32, 33 | score for the side to move, signed |
//! | 34, 35 | move: destination (in castling, the rook's square), origin `<< 6`, promotion `<< 12` (knight 0 to queen 3), kind `<< 14` (1 promotion, 2 en passant, 3 castling) |
//! | 36, 37 | ply |
//! | 38 | result for the side to move: −1, 0, 1 |
//! | 39 | spare |

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role};

use crate::bits::{Bits, Codes, Portable};
use crate::error::Fault;
use crate::fixed::{self, Fixed, fill, half};
use crate::packed_move::Layout;
use crate::{Format, Records};

pub(crate) struct PackedSfen;

/// The bit offset of the squares, after the turn and the kings.
const SQUARES: u32 = 13;

/// The bits from `cursor` on; at least 57 of them belong to the record. `cursor` must be at most 256.
#[inline(always)]
fn peek(record: &[u8; 40], cursor: u32) -> u64 {
    let at = (cursor / 8).min(32) as usize;
    let bytes = record[at..at + 8].try_into().expect("eight bytes");
    u64::from_le_bytes(bytes) >> (cursor % 8)
}

/// Inserts an empty square by shifting the squares from `square` on.
#[inline(always)]
const fn insert_square(set: u64, square: u32) -> u64 {
    let below = (1 << square) - 1;
    (set & below) | (set & !below) << 1
}

/// The occupied squares, counted from a8 without the kings' squares, their pieces, and the end of the squares: above 256 if
/// they do not end within the record. The four bits of a piece equal a nibble of the other formats; they are shifted in from
/// the top.
#[inline(always)]
fn squares(record: &[u8; 40]) -> (u64, u128, u32) {
    let mut cursor = SQUARES;
    let mut square = 0;
    let mut occupied = 0u64;
    let mut nibbles = 0u128;
    'squares: while square < 62 && cursor <= 256 {
        let mut ahead = peek(record, cursor);
        let mut left = 57;
        loop {
            let empty = ahead.trailing_zeros().min(left);
            if square + empty >= 62 {
                cursor += 62 - square;
                break 'squares;
            }
            square += empty;
            cursor += empty;
            if empty + 5 > left {
                break;
            }
            ahead >>= empty;
            nibbles = nibbles >> 4 | u128::from(ahead >> 1 & 15) << 124;
            occupied |= 1 << square;
            ahead >>= 5;
            square += 1;
            cursor += 5;
            left -= empty + 5;
        }
    }
    (occupied, nibbles, cursor)
}

/// Decodes the string of bits, and validates the other fields.
#[inline(always)]
fn read<B: Bits>(record: &[u8; 40]) -> Result<Fen, Fault> {
    let too_long = || Fault::new(0, "64 squares and the clocks in 256 bits", "more");
    let head = peek(record, 0);
    let kings = [(head >> 1 & 63) as u32, (head >> 7 & 63) as u32];
    if kings[0] == kings[1] {
        let square = crate::error::Square(kings[0] as u8);
        return Err(Fault::new(0, "the kings on two squares", format_args!("both on {square}")));
    }

    let (occupied, nibbles, cursor) = squares(record);
    if cursor > 256 {
        return Err(too_long());
    }
    let from_a8 = kings.map(|king| king ^ 56);
    let (low, high) = (from_a8[0].min(from_a8[1]), from_a8[0].max(from_a8[1]));
    let place = |set| insert_square(insert_square(set, low), high).swap_bytes();
    let pieces = occupied.count_ones();
    if pieces > 30 {
        return Err(Fault::new(1, "at most 30 pieces besides the kings", pieces));
    }
    let nibbles = nibbles.checked_shr(128 - 4 * pieces).unwrap_or(0);
    let Codes { low, high: black, .. } = B::codes(occupied, &nibbles.to_le_bytes());
    let [pawns, knights, bishops, rooks, queens, undefined @ ..] = low;
    let undefined = undefined[0] | undefined[1] | undefined[2];
    if undefined != 0 {
        let square = place(undefined).trailing_zeros() as u8;
        let found = format!("another on {}", crate::error::Square(square));
        return Err(Fault::new(1, "the code of a pawn, knight, bishop, rook or queen", found));
    }

    // At least 30 bits of squares come before this point, so one peek reaches the end.
    let rest = peek(record, cursor);
    let has_square = (rest >> 4 & 1) as u32;
    let square = (rest >> 5 & 63) as u8 * has_square as u8;
    let en_passant = if has_square == 1 { Some(fixed::en_passant(1, square)?) } else { None };
    let clocks = rest >> (5 + 6 * has_square);
    let end = cursor + 5 + 6 * has_square + 23;
    if end > 256 {
        return Err(too_long());
    }
    let more = first_from(record, end);
    if more < 256 {
        return Err(Fault::new(more as usize / 8, "zeros after the clocks", "something else"));
    }
    MOVES.check(half::<34, 40>(record), 34)?;
    if record[38].wrapping_add(1) > 2 {
        return Err(Fault::new(38, "a result of -1, 0 or 1", record[38] as i8));
    }

    let [white_king, black_king] = kings.map(|king| 1u64 << king);
    let black = place(black);
    Ok(Fen {
        pieces: Pieces {
            pawns: place(pawns),
            knights: place(knights),
            bishops: place(bishops),
            rooks: place(rooks),
            queens: place(queens),
            kings: white_king | black_king,
            white: (place(occupied) & !black) | white_king,
            black: black | black_king,
        },
        turn: if head & 1 == 0 { Colour::White } else { Colour::Black },
        castling: Castling { white: corners(rest), black: corners(rest >> 2) },
        en_passant,
        halfmove_clock: (clocks & 63 | (clocks >> 22 & 1) << 6) as u32,
        fullmove_number: (clocks >> 6 & 0xffff) as u32,
    })
}

/// The files of the rooks for K and Q: the corners.
#[inline(always)]
const fn corners(bits: u64) -> u8 {
    ((bits & 1) << 7 | (bits >> 1 & 1)) as u8
}

/// The index of the first set bit from `bit` on; 256 if no bit is set.
#[inline(always)]
fn first_from(record: &[u8; 40], bit: u32) -> u32 {
    let word =
        |i: usize| u64::from_le_bytes(record[8 * i..8 * i + 8].try_into().expect("eight bytes"));
    let mut from = u64::MAX << (bit % 64);
    for i in (bit / 64) as usize..4 {
        let set = word(i) & from;
        if set != 0 {
            return 64 * i as u32 + set.trailing_zeros();
        }
        from = u64::MAX;
    }
    256
}

/// Stockfish's layout of moves; 0 means no move.
const MOVES: Layout = Layout { to: 0, from: 6, role: 12, promotion: 1, en_passant: 2, castling: 3 };

impl Fixed<40> for PackedSfen {
    #[inline(always)]
    fn decode<B: Bits>(records: &[[u8; 40]], batch: &mut Records) -> bool {
        for record in records {
            let Ok(fen) = read::<B>(record) else { return false };
            batch.push_fen(&fen);
        }
        fill(&mut batch.score, 0, records, |record| (half::<32, 40>(record) as i16).into());
        fill(&mut batch.result, 0, records, |record| record[38] as i8);
        fill(&mut batch.moves, None, records, |record| {
            let packed = half::<34, 40>(record);
            (packed != 0).then_some(MOVES.unpack(packed))
        });
        fill(&mut batch.ply, 0, records, |record| half::<36, 40>(record).into());
        fill(&mut batch.extra, 0, records, |record| record[39].into());
        true
    }

    fn check(record: &[u8; 40]) -> Result<(), Fault> {
        read::<Portable>(record).map(|_| ())
    }

    fn encode(batch: &Records, row: usize, record: &mut [u8; 40]) -> Result<(), Fault> {
        let fen = batch.fen(row);
        fixed::pieces(&fen.pieces)?;
        // Writes bits, low bits first. A row that `fixed::pieces` accepts needs at most 228.
        let mut cursor = 0;
        let mut push = |value: u32, bits: usize| {
            for bit in 0..bits {
                record[cursor / 8] |= ((value >> bit & 1) as u8) << (cursor % 8);
                cursor += 1;
            }
        };
        push(fen.turn as u32, 1);
        for side in [fen.pieces.white, fen.pieces.black] {
            push((side & fen.pieces.kings).trailing_zeros(), 6);
        }
        for square in 0..64 {
            match fen.pieces.at(square ^ 56) {
                None => push(0, 1),
                Some((_, Role::King)) => {}
                Some((colour, role)) => push(1 | (role as u32) << 1 | (colour as u32) << 4, 5),
            }
        }
        for files in [fen.castling.white, fen.castling.black] {
            if files & 0b0111_1110 != 0 {
                let files = (0..8).filter(|file| files >> file & 1 == 1);
                let names = files.map(|file| String::from(char::from(b'a' + file)));
                let found = names.collect::<Vec<_>>().join(" and ");
                return Err(Fault::new(0, "castling with the rooks of the files a and h", found));
            }
            push((files >> 7).into(), 1);
            push((files & 1).into(), 1);
        }
        match fen.en_passant {
            None => push(0, 1),
            Some(square) => push(1 | u32::from(fixed::en_passant(0, square)?) << 1, 7),
        }
        let clock = fen.halfmove_clock;
        if clock > 127 {
            return Err(Fault::new(0, "a halfmove clock up to 127", clock));
        }
        let number: u16 = fixed::narrow(0, fen.fullmove_number.into(), "a fullmove number")?;
        push(clock & 63, 6);
        push(number.into(), 16);
        push(clock >> 6, 1);

        record[32..34].copy_from_slice(&fixed::score(batch, row, fen.turn, 32)?);
        let played = batch.moves.get(row).copied().flatten();
        let packed = played.map_or(Ok(0), |played| MOVES.pack(played, 34))?;
        record[34..36].copy_from_slice(&packed.to_le_bytes());
        let ply: u16 = fixed::narrow(36, batch.half_moves(row), "a ply")?;
        record[36..38].copy_from_slice(&ply.to_le_bytes());
        record[38] = fixed::result(batch, row, 38)?.wrapping_sub(1);
        let extra = batch.extra_of(row, Format::PackedSfen);
        record[39] = fixed::narrow(39, extra.into(), "a spare byte")?;
        Ok(())
    }
}
