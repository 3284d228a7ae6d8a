//! Training chunks of Leela Chess Zero, versions 6 and 7: one record per position of a game, in the published layout.
//!
//! | bytes | |
//! |---|---|
//! | 0 to 3 | version, 6 or 7 |
//! | 4 to 7 | input format; only 1 is supported, the classical one of 112 planes |
//! | 8 to 7439 | probabilities of 1,858 moves, negative for illegal ones |
//! | 7440 to 8271 | 104 planes: eight positions, the latest first, with six of the mover's roles, six of the opponent's and one for repetitions; the first byte is the first rank, its highest bit the file a |
//! | 8272 to 8275 | castling: long and short for the mover, long and short for the opponent |
//! | 8276, 8277 | side to move, half-move clock |
//! | 8284, 8292 | value and draw probability of the best move |
//! | 8308, 8312 | value and draw probability of the result |
//! | 8340 | visits; 0 if unknown, as in records that lc0 upgraded from versions 3 to 5, and then there is no best move |
//! | 8344, 8346 | indices of the move played and of the best move |
//! | from 8352 | reserved; in version 7, short-term values and the next moves |
//!
//! Boards and moves are from the point of view of the side to move: ranks are counted from its own side.

use std::sync::LazyLock;

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role};

use crate::error::Fault;
use crate::records::find_legal;
use crate::{Move, Records, fixed};

/// The number of moves in a policy.
const MOVES: usize = 1858;

/// The size of a record of version 6 in bytes.
const SIZE: usize = 8356;

pub(crate) const fn size(version: [u8; 4]) -> Option<usize> {
    match u32::from_le_bytes(version) {
        6 => Some(SIZE),
        7 => Some(8396),
        _ => None,
    }
}

/// White's and black's pieces by role.
pub(crate) type Board = [[u64; 6]; 2];

/// A record, for access to values that [`Records`] does not contain. They are for the side to move; a win is 1.
///
/// ```
/// use setwise_formats::Lc0Record;
/// assert!(Lc0Record::new(&[0; 8356]).is_none()); // no version
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Lc0Record<'a>(&'a [u8]);

impl<'a> Lc0Record<'a> {
    /// Returns the record at the start of `bytes`; `None` unless it is a complete record of version 6 or 7.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        bytes.get(..size(*bytes.first_chunk()?)?).map(Self)
    }

    fn float(self, at: usize) -> f32 {
        f32::from_le_bytes(std::array::from_fn(|i| self.0[at + i]))
    }

    fn plane(self, plane: usize) -> u64 {
        let at = 7440 + 8 * plane;
        // The highest bit of each byte is the file a.
        u64::from_be_bytes(std::array::from_fn(|i| self.0[at + i])).reverse_bits()
    }

    /// The value of the best move, and its draw probability.
    #[must_use]
    pub fn best(self) -> [f32; 2] {
        [self.float(8284), self.float(8292)]
    }

    /// The result of the game: its value, and its draw probability.
    #[must_use]
    pub fn result(self) -> [f32; 2] {
        [self.float(8308), self.float(8312)]
    }

    /// The probabilities of all moves, in the order of their indices; negative for illegal moves.
    pub fn policy(self) -> impl Iterator<Item = f32> + 'a {
        (0..MOVES).map(move |index| self.float(8 + 4 * index))
    }

    /// Returns whether the record continues the game of the record before it, that is, whether its earlier positions
    /// include that of the record before. The first record of a game may have earlier positions, too: those of an opening
    /// that lc0 did not record, or copies of the first position. Within a game, up to six records may have been removed.
    #[must_use]
    pub fn continues(self, before: Lc0Record<'_>) -> bool {
        self.contains(&before.board(0))
    }

    /// Returns whether the earlier positions include this one.
    pub(crate) fn contains(self, board: &Board) -> bool {
        (1..8).any(|back| self.board(back) == *board)
    }

    /// White's and black's pieces by role, some half-moves before the position.
    pub(crate) fn board(self, back: usize) -> Board {
        let is_white = self.0[8276] == 0;
        let flip = |set: u64| if is_white { set } else { set.swap_bytes() };
        let side = |first| std::array::from_fn(|role| flip(self.plane(13 * back + first + role)));
        if is_white { [side(0), side(6)] } else { [side(6), side(0)] }
    }

    /// The position. Its en passant square is derived from the previous position.
    fn position(self) -> Result<Fen, Fault> {
        let input_format = u32::from_le_bytes(std::array::from_fn(|i| self.0[4 + i]));
        if input_format != 1 {
            let expected = "1, the input format of 112 classical planes";
            return Err(Fault::new(4, expected, input_format));
        }
        let turn = match self.0[8276] {
            0 => Colour::White,
            1 => Colour::Black,
            other => return Err(Fault::new(8276, "0 or 1 as the side to move", other)),
        };
        if let Some(at) = (8272..8276).find(|&at| self.0[at] > 1) {
            return Err(Fault::new(at, "0 or 1 as a castling right", self.0[at]));
        }
        let flip = |set: u64| if turn == Colour::White { set } else { set.swap_bytes() };
        let mut rooks = [8272, 8274].map(|at| self.0[at] | self.0[at + 1] << 7);
        if turn == Colour::Black {
            rooks.reverse();
        }
        let pieces = Pieces::from_bitboards(self.board(0));
        fixed::pieces(&pieces).map_err(|fault| Fault::of(7440, fault.into_text()))?;
        // A pawn of the opponent that has just left its second rank.
        let (before, now) = (self.plane(19), self.plane(6));
        let stepped = (before & !now) >> 16 & now & !before & 0xff << 32;
        let behind = flip(stepped << 8);
        Ok(Fen {
            pieces,
            turn,
            castling: Castling { white: rooks[0], black: rooks[1] },
            en_passant: (behind != 0).then(|| behind.trailing_zeros() as u8),
            halfmove_clock: self.0[8277].into(),
            fullmove_number: 1,
        })
    }

    /// The best move; `None` in a record without visits.
    fn best_move(self, fen: &Fen) -> Result<Option<Move>, Fault> {
        if self.0[8340..8344] == [0; 4] {
            return Ok(None);
        }
        let at = 8346;
        let index = u16::from_le_bytes([self.0[at], self.0[at + 1]]);
        let found = INDICES.get(usize::from(index)).and_then(|&(from, to, promotion)| {
            let flip = if fen.turn == Colour::White { 0 } else { 56 };
            // A pawn that reaches the last rank without a promotion role becomes a knight.
            let is_last = fen.pieces.pawns >> (from ^ flip) & 1 == 1 && to >= 56;
            let promotion = promotion.or(is_last.then_some(Role::Knight));
            find_legal(fen, from ^ flip, to ^ flip, promotion)
        });
        found.map(Some).ok_or_else(|| Fault::new(at, "the index of a legal move", index))
    }

    /// Appends the record as a row.
    pub(crate) fn read(self, batch: &mut Records) -> Result<(), Fault> {
        let fen = self.position()?;
        let [value, _] = self.best();
        if value.abs() > 1.0 {
            return Err(Fault::new(8284, "a value of -1 to 1", value));
        }
        let [result, _] = self.result();
        let result = match result {
            -1.0..=1.0 => result.round() as i8,
            _ => return Err(Fault::new(8308, "a result of -1 to 1", result)),
        };
        let best_move = self.best_move(&fen)?;
        // lc0's formula for centipawns.
        let score = 90.0 * (1.563_754_189_7 * f64::from(value)).tan();
        batch.push_fen(&fen);
        batch.fullmove_number.clear();
        batch.score.push(if value.is_nan() { Records::NO_SCORE } else { score.round() as i32 });
        batch.result.push(result);
        batch.moves.push(best_move);
        Ok(())
    }
}

/// The moves of a policy by index: origin, destination, and the promotion role (`None` for a knight).
static INDICES: LazyLock<Vec<(u8, u8, Option<Role>)>> = LazyLock::new(|| {
    let reaches = |from: u8, to: u8| {
        let [files, ranks] = [(from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8)];
        from != to && (files == 0 || ranks == 0 || files == ranks || files + ranks == 3)
    };
    let all = (0..64).flat_map(|from| (0..64).map(move |to| (from, to, None)));
    let mut moves: Vec<_> = all.filter(|&(from, to, _)| reaches(from, to)).collect();
    for from in 48..56u8 {
        for to in (from + 7).max(56)..=(from + 9).min(63) {
            let roles = [Role::Queen, Role::Rook, Role::Bishop];
            moves.extend(roles.map(|role| (from, to, Some(role))));
        }
    }
    moves
});
