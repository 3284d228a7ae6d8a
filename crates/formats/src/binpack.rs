//! binpack, the format of Stockfish's training data: blocks of games, with a move and a score difference per position.
//!
//! A block consists of `BINP`, the size of its games (four bytes, little-endian), and the games. A game begins with a
//! position of 32 bytes, big-endian:
//!
//! | bytes | |
//! |---|---|
//! | 0 to 7 | occupied squares |
//! | 8 to 23 | one nibble per piece, low nibble first: 2 · role, + 1 if black, except for the codes below |
//! | 24, 25 | move: kind `<< 14` (1 promotion, 2 castling, 3 en passant), origin `<< 8`, destination (in castling, the rook's square) `<< 2`, promotion (knight 0 to queen 3) |
//! | 26, 27 | score for the side to move: the sign in bit 0, negative numbers inverted |
//! | 28, 29 | ply, and `<< 14` the result for the side to move, encoded like the score |
//! | 30, 31 | halfmove clock |
//!
//! Code 12 is a pawn that can be captured en passant, 13 and 14 are white and black rooks that may castle, and 15 is
//! the black king if black is to move.
//!
//! The next two bytes are the number of remaining positions. Each of them is a string of bits, high bits first: the
//! index of the moving piece among the pieces of its side, the index of the destination among those of the piece, and
//! the difference to the previous score (from the point of view of the side now to move). An index has as many bits as
//! the largest index needs. The difference is stored in groups of four bits, low bits first, each preceded by a bit
//! that is set if more groups follow. Destinations are in the order of the squares, with four indices each if a pawn
//! promotes; castling comes last, queenside first. The next game begins at the next full byte.
//!
//! The writer plays the moves on the same type of board, so that it computes the indices that a reader expects.

pub(crate) mod write;

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};

use crate::bits::{Bits, Codes, Work};
use crate::board::{Board, KING, PAWN, Rules};
use crate::error::{Fault, Square};
use crate::fixed::{self, bad_code, single};
use crate::packed_move::{Layout, PROMOTIONS};
use crate::{Move, MoveKind, Preview, Records};

/// The bytes at the start of a block, before its size.
pub(crate) const MAGIC: [u8; 4] = *b"BINP";

/// The size of a first position and the number of remaining positions.
pub(crate) const STEM: usize = 34;

/// An upper bound on the bytes of any position after the first (34 bits, after up to 7 bits of the previous position).
pub(crate) const AHEAD: usize = 8;

const MOVES: Layout = Layout { role: 0, to: 2, from: 8, promotion: 1, castling: 2, en_passant: 3 };

/// A game that is being read: the last row, and the number of remaining positions.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    board: Board,
    played: Option<Move>,
    /// The score from the point of view of the side that has just moved. The next score is this plus a difference.
    score: i16,
    result: i8,
    ply: u32,
    pub(crate) left: u16,
    /// The number of bits of the next byte that have been used.
    pub(crate) bit: usize,
}

/// Decodes a number whose sign is in bit 0.
#[inline(always)]
const fn signed(packed: u16) -> i16 {
    // 0, 1, 2, 3 are 0, -1, 1, -2.
    (packed >> 1) as i16 ^ -((packed & 1) as i16)
}

impl Game {
    /// Adds the position as a row.
    #[inline(always)]
    fn push(&self, batch: &mut Records) {
        batch.push_fen(&self.board.fen());
        // The format does not store it.
        batch.fullmove_number.clear();
        batch.score.push(self.score.wrapping_neg().into());
        batch.result.push(self.result);
        batch.moves.push(self.played);
        batch.ply.push(self.ply);
    }

    /// Decodes the first 24 bytes.
    #[inline(always)]
    fn position<B: Bits>(occupied: u64, stem: &[u8; STEM]) -> Result<Board, Fault> {
        let nibbles = std::array::from_fn(|i| stem[8 + i]);
        let Codes { low, high, miscounted } = B::codes(occupied, &nibbles);
        // 2 · role + colour, or one of the codes 12 to 15.
        let code = |code: usize| low[code % 8] & if code < 8 { !high } else { high };
        let both = |role: usize| code(2 * role) | code(2 * role + 1);
        let (passed, black_to_move) = (code(12), code(15));
        let (white_rooks, black_rooks) = (code(13), code(14));
        let castling = white_rooks | black_rooks;
        let pieces = Pieces {
            pawns: both(0) | passed,
            knights: both(1),
            bishops: both(2),
            rooks: both(3) | castling,
            queens: both(4),
            kings: both(5) | black_to_move,
            white: 0,
            black: 0,
        };
        let black = [1, 3, 5, 7, 9, 11].into_iter().fold(0, |all, black| all | code(black));
        let black = black | black_rooks | black_to_move | (passed & 0xff << 32);
        let pieces = Pieces { white: occupied & !black, black, ..pieces };
        let corners = castling & !(white_rooks & 0x81 | black_rooks & 0x81 << 56);
        let turn = if black_to_move == 0 { Colour::White } else { Colour::Black };
        let passed_rank = if turn == Colour::White { 0xff << 32 } else { 0xff << 24 };
        let invalid = miscounted
            | !single(pieces.kings & pieces.white)
            | !single(pieces.kings & pieces.black)
            | (corners != 0)
            | (passed & !passed_rank != 0)
            | (passed & passed.wrapping_sub(1) != 0)
            | (pieces.pawns & (0xff | 0xff << 56) != 0);
        if invalid {
            Self::check(occupied, stem, turn)?;
        }
        let fen = Fen {
            pieces,
            turn,
            castling: Castling { white: castling as u8, black: (castling >> 56) as u8 },
            // The square behind the pawn: ranks 3 and 4, and 5 and 6, differ in one bit.
            en_passant: (passed != 0).then_some((passed.trailing_zeros() as u8 & 63) ^ 8),
            halfmove_clock: u16::from_be_bytes([stem[30], stem[31]]).into(),
            fullmove_number: 1,
        };
        Ok(Board::new(&fen, Rules::Stockfish))
    }

    /// Finds the error in the pieces of a first position. It is not performance-critical.
    fn check(occupied: u64, stem: &[u8; STEM], turn: Colour) -> Result<(), Fault> {
        let codes = fixed::coded(occupied, &stem[8..24], 8)?;
        let mut passed = 0;
        for (i, &(square, code)) in codes.iter().enumerate() {
            let expected = match (code, turn) {
                (0 | 1, _) if matches!(square, 0..8 | 56..64) => "a pawn on ranks 2 to 7",
                (12, Colour::White) if square / 8 != 4 => {
                    "a pawn that can be captured en passant on rank 5 if it is white's turn"
                }
                (12, Colour::Black) if square / 8 != 3 => {
                    "a pawn that can be captured en passant on rank 4 if it is black's turn"
                }
                (13, _) if !matches!(square, 0 | 7) => "a rook that may castle on a1 or h1",
                (14, _) if !matches!(square, 56 | 63) => "a rook that may castle on a8 or h8",
                _ => {
                    passed += usize::from(code == 12);
                    continue;
                }
            };
            return Err(bad_code(8, i, square, code, expected));
        }
        if passed > 1 {
            return Err(Fault::new(8, "at most 1 pawn that can be captured en passant", passed));
        }
        let count = |kings: &[u8]| codes.iter().filter(|(_, code)| kings.contains(code)).count();
        fixed::kings([count(&[10]), count(&[11, 15])], ["white", "black"], 8)?;
        Err(Fault::new(8, "the pieces of a position", "something else"))
    }
}

/// Decodes the start of a game, and adds the first position as a row if `keeps` returns true for it. Returns `None` for a
/// game of one position that is skipped.
pub(crate) struct Start<'a, K> {
    pub(crate) stem: &'a [u8; STEM],
    pub(crate) batch: &'a mut Records,
    pub(crate) keeps: &'a mut K,
}

impl<K: FnMut(&Preview) -> bool> Work for Start<'_, K> {
    type Output = Result<Option<Game>, Fault>;

    #[inline(always)]
    fn run<B: Bits>(self) -> Self::Output {
        let Self { stem, batch, keeps } = self;
        let pair = |at| u16::from_be_bytes([stem[at], stem[at + 1]]);
        let occupied = u64::from_be_bytes(std::array::from_fn(|i| stem[i]));
        let (score, left) = (signed(pair(26)), pair(32));
        let ply = u32::from(pair(28) & 0x3fff);
        let result = match signed(pair(28) >> 14) {
            result @ -1..=1 => result as i8,
            other => return Err(Fault::new(28, "a result of -1, 0 or 1", other)),
        };
        let pieces = occupied.count_ones();
        let keep = keeps(&Preview { score: score.into(), result, ply: Some(ply), pieces });
        if !keep && left == 0 {
            return Ok(None);
        }
        let board = Game::position::<B>(occupied, stem)?;
        let packed = pair(24);
        MOVES.check(packed, 24)?;
        let played = (packed != 0).then_some(MOVES.unpack(packed));
        match played {
            Some(played) if left > 0 => {
                board.check(played).map_err(|text| Fault::of(24, text))?;
            }
            None if left > 0 => {
                let found = format!("no move before {left} positions");
                return Err(Fault::new(24, "a move", found));
            }
            _ => {}
        }
        let game = Game { board, played, score: score.wrapping_neg(), result, ply, left, bit: 0 };
        if keep {
            game.push(batch);
        }
        Ok(Some(game))
    }
}

/// Continues a game until its end, the requested number of rows, or the end of the bytes.
pub(crate) struct Replay<'a, K> {
    pub(crate) game: &'a mut Game,
    pub(crate) bytes: &'a [u8],
    /// True if the block ends with these bytes.
    pub(crate) ends: bool,
    /// Decoding stops when the batch has this number of rows.
    pub(crate) rows: usize,
    pub(crate) batch: &'a mut Records,
    pub(crate) keeps: &'a mut K,
    /// The number of rows read.
    pub(crate) read: &'a mut u64,
}

impl<K: FnMut(&Preview) -> bool> Work for Replay<'_, K> {
    type Output = Result<(), Fault>;

    #[inline(always)]
    fn run<B: Bits>(self) -> Result<(), Fault> {
        let Self { game, bytes, ends, rows, batch, keeps, read } = self;
        // A local, because a move that has just been stored in parts is slow to load as a whole.
        let mut last = game.played;
        while game.left > 0 && batch.len() < rows {
            let at = game.bit / 8;
            let ahead = match bytes.get(at..at + AHEAD) {
                Some(ahead) => u64::from_be_bytes(ahead.try_into().expect("eight bytes")),
                None if ends => last_bytes(&bytes[at.min(bytes.len())..]),
                None => break,
            };
            let mut ahead = Ahead { bits: ahead << (game.bit % 8), used: 0 };
            let next = game.next::<B>(last, &mut ahead);
            let (played, score) = next.map_err(|invalid| invalid.fault(at))?;
            last = Some(played);
            if game.bit + ahead.used as usize > 8 * bytes.len() {
                return Err(Fault::new(at, "the rest of the game", "the end of the block"));
            }
            game.bit += ahead.used as usize;
            game.left -= 1;
            game.result = -game.result;
            game.ply += 1;
            game.played = last;
            game.score = score.wrapping_neg();
            *read += 1;
            let Game { result, ply, .. } = *game;
            let (score, pieces) = (score.into(), game.board.occupied().count_ones());
            if keeps(&Preview { score, result, ply: Some(ply), pieces }) {
                game.push(batch);
            }
        }
        Ok(())
    }
}

/// Pads the last bytes of a block, fewer than eight, with zeros.
#[cold]
fn last_bytes(bytes: &[u8]) -> u64 {
    let mut ahead = [0; AHEAD];
    ahead[..bytes.len()].copy_from_slice(bytes);
    u64::from_be_bytes(ahead)
}

/// Unread bits, high bits first.
struct Ahead {
    bits: u64,
    used: u32,
}

impl Ahead {
    #[inline(always)]
    fn read(&mut self, bits: u32) -> u32 {
        // In two steps, because `bits` can be 0.
        let value = self.bits >> 1 >> (63 - bits);
        self.bits <<= bits;
        self.used += bits;
        value as u32
    }

    /// Reads an index that is less than `count` in a valid file.
    #[inline(always)]
    fn below(&mut self, count: u32) -> u32 {
        self.read(32 - count.saturating_sub(1).leading_zeros())
    }

    /// Reads a number in groups of four bits, each after a bit that says whether another follows.
    ///
    /// All four groups are computed, and masked to those that are there: how many there are is hard to predict.
    #[inline(always)]
    fn groups(&mut self) -> Result<u16, Invalid> {
        const MORE: u64 = 1 << 63 | 1 << 58 | 1 << 53 | 1 << 48;
        let last = !self.bits & MORE;
        if last == 0 {
            return Err(Invalid::Difference);
        }
        let used = last.leading_zeros() + 5;
        let group = |n: u32| self.bits >> (59 - 5 * n) << (4 * n) & 15 << (4 * n);
        let value = group(0) | group(1) | group(2) | group(3);
        let mask = (1 << (4 * used / 5)) - 1;
        self.bits <<= used;
        self.used += used;
        Ok((value & mask) as u16)
    }
}

/// What is wrong with the bits of a position. It is small, so that a move is returned in registers.
#[derive(Clone, Copy)]
enum Invalid {
    /// The index of a piece, and the number of pieces.
    Piece(u32, u32),
    /// The index of a move, the number of moves, and their origin.
    Move(u32, u32, u8),
    Castling,
    /// A move from one square to another that takes the king.
    King(u8, u8),
    Difference,
}

impl Invalid {
    #[cold]
    fn fault(self, at: usize) -> Fault {
        let index = |expected: String, index| {
            Fault::new(at, expected, format_args!("{index}, counted from 0"))
        };
        match self {
            Self::Piece(number, all) => index(format!("the number of one of {all} pieces"), number),
            Self::Move(number, all, from) => {
                index(format!("the number of one of {all} moves from {}", Square(from)), number)
            }
            Self::Castling => {
                Fault::new(at, "castling with nothing in the way", "a piece or another rank")
            }
            Self::King(from, to) => {
                let found = format!("{}{}", Square(from), Square(to));
                Fault::new(at, "a move that takes no king", found)
            }
            Self::Difference => Fault::new(at, "a difference of scores in 16 bits", "more"),
        }
    }
}

impl Game {
    /// Plays the last move, and reads the move and score of the resulting position.
    #[inline(always)]
    fn next<B: Bits>(
        &mut self,
        last: Option<Move>,
        ahead: &mut Ahead,
    ) -> Result<(Move, i16), Invalid> {
        let own = match last {
            Some(last) => self.board.make(last),
            None => self.board.own(),
        };
        let board = &self.board;
        let pieces = own.count_ones();
        let number = ahead.below(pieces);
        if number >= pieces {
            return Err(Invalid::Piece(number, pieces));
        }
        let from = B::nth(own, number);
        let role = board.role(from);
        let destinations = board.destinations(from, role);
        let count = destinations.count_ones();
        let mut kind = MoveKind::Normal;
        let number = if role == PAWN && board.promotes_from(from) {
            let number = ahead.below(4 * count);
            kind = MoveKind::Promotion(PROMOTIONS[number as usize & 3]);
            number / 4
        } else if role == KING {
            let rooks = board.castling_rooks();
            let all = count + rooks.count_ones();
            let number = ahead.below(all);
            if number >= all {
                return Err(Invalid::Move(number, all, from));
            }
            if number >= count {
                let to = B::nth(rooks, number - count);
                if board.castle_squares(to).is_none() {
                    return Err(Invalid::Castling);
                }
                let castling = Move { from, to, kind: MoveKind::Castling };
                let score = ahead.groups()?;
                return Ok((castling, self.score.wrapping_add(signed(score))));
            }
            number
        } else {
            ahead.below(count)
        };
        if number >= count {
            return Err(Invalid::Move(number, count, from));
        }
        let to = B::nth(destinations, number);
        if board.sets[KING] >> to & 1 == 1 {
            return Err(Invalid::King(from, to));
        }
        if role == PAWN && to == board.en_passant {
            kind = MoveKind::EnPassant;
        }
        let score = ahead.groups()?;
        Ok((Move { from, to, kind }, self.score.wrapping_add(signed(score))))
    }
}
