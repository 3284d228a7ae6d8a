//! A position in a game: who can go where, and what the board is after a move.
//!
//! A move in algebraic notation names a role and a destination; the origin has to be found. It is a piece of that
//! role that the destination would attack if it were of that role itself, so one slider's attacks answer it. The move
//! is made on a copy of the eight sets (each loses both squares, then two gain the destination: no one needs to know
//! what was captured), and only if the king is not attacked then does the copy become the board.
//!
//! All of this is done without branches on the role, the capture or the kind of check, which come as they like:
//! a wrong guess of the processor costs more than both sliders' attacks.
//!
//! A move takes about 1,100 instructions in all, tags and cutting included. Of these the board has 220, the notation 100,
//! and a comment with a clock and an evaluation 130. A build for BMI2 has 5 % fewer and is not measurably faster, so there
//! is no choice at run time.

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, leaper, line};

use crate::error::Square;
use crate::game::span;
use crate::{Move, MoveKind};

/// Roles as numbers, as in [`Role::ALL`](setwise::Role::ALL), which is the order of the sets too.
pub(crate) const PAWN: usize = 0;
pub(crate) const KNIGHT: usize = 1;
pub(crate) const BISHOP: usize = 2;
pub(crate) const ROOK: usize = 3;
pub(crate) const QUEEN: usize = 4;
pub(crate) const KING: usize = 5;
/// The set of white's pieces; black's is the next.
const WHITE: usize = 6;

/// No en passant square.
const NO_SQUARE: u8 = 64;

/// The sets in the order of [`Pieces`]: six roles, white, black.
type Sets = [u64; 8];

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No piece of the role can go there.
    Nobody,
    /// The king would be in check.
    Check,
    /// These pieces can, and the text does not say which.
    Several(u64),
    /// A pawn on the last rank, and no role to become; or a role for another piece.
    Promotion { expected: bool },
    /// No right to castle on that side.
    NoRight,
    /// Castling with a piece in the way.
    Blocked,
    /// Castling out of check or through an attacked square.
    Through(u8),
}

/// A position in a game.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    sets: Sets,
    /// The rooks that may castle.
    castling: u64,
    /// 0 for white, 1 for black.
    us: usize,
    en_passant: u8,
    halfmove_clock: u32,
}

/// What each role attacks with: masks for the orthogonal lines, the diagonal lines, the knight's and the king's
/// squares.
const WAYS: [[u64; 4]; 8] = {
    let mut ways = [[0; 4]; 8];
    ways[KNIGHT][2] = !0;
    ways[BISHOP][1] = !0;
    ways[ROOK][0] = !0;
    ways[QUEEN][0] = !0;
    ways[QUEEN][1] = !0;
    ways[KING][3] = !0;
    ways
};

/// The file, diagonal and antidiagonal through each square, without the square. 2 KiB.
const LINES: [[u64; 4]; 64] = {
    let mut lines = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        lines[square as usize] = [
            line::file_attacks(square, 0),
            line::diagonal_attacks(square, 0),
            line::antidiagonal_attacks(square, 0),
            0,
        ];
        square += 1;
    }
    lines
};

/// What a rook attacks along the first rank, by the six inner squares that are occupied and its file. 512 bytes.
const FIRST_RANK: [[u8; 8]; 64] = {
    let mut attacks = [[0; 8]; 64];
    let mut inner = 0;
    while inner < 64 {
        let mut file = 0;
        while file < 8 {
            attacks[inner][file] = line::rank_attacks(file as u8, (inner as u64) << 1) as u8;
            file += 1;
        }
        inner += 1;
    }
    attacks
};

/// What a rook and a bishop on a square attack: [`setwise::line`] with the lines in a table, 31 operations for both.
#[inline(always)]
fn sliders(square: u8, occupied: u64) -> (u64, u64) {
    let square = square & 63;
    let [file, diagonal, antidiagonal, _] = LINES[usize::from(square)];
    let (above, below) = ((1u64 << square) << 1, (1u64 << (square ^ 56)) << 1);
    let along = |line: u64| {
        let blockers = occupied & line;
        let up = blockers.wrapping_sub(above);
        let down = blockers.swap_bytes().wrapping_sub(below).swap_bytes();
        (up ^ down) & line
    };
    let inner = (occupied >> (square & 56)) as usize >> 1 & 63;
    let rank = u64::from(FIRST_RANK[inner][usize::from(square & 7)]) << (square & 56);
    (along(file) | rank, along(diagonal) | along(antidiagonal))
}

impl Board {
    /// A position to play from, or what is wrong with it. Rights to castle without king and rook on the back rank
    /// are dropped.
    pub(crate) fn new(fen: &Fen) -> Result<Self, String> {
        let pieces = &fen.pieces;
        for (colour, name) in [(Colour::White, "white"), (Colour::Black, "black")] {
            let kings = (pieces.kings & pieces.colour(colour)).count_ones();
            if kings != 1 {
                return Err(format!("expected one {name} king, found {kings}"));
            }
        }
        let pawns = pieces.pawns & 0xff00_0000_0000_00ff;
        if pawns != 0 {
            let square = Square(pawns.trailing_zeros() as u8);
            return Err(format!("expected pawns on ranks 2 to 7, found one on {square}"));
        }
        let mut castling = 0;
        for (colour, rank) in [(Colour::White, 0), (Colour::Black, 56)] {
            let own = pieces.colour(colour);
            if pieces.kings & own & 0xff << rank != 0 {
                castling |= u64::from(fen.castling.of(colour)) << rank & own & pieces.rooks;
            }
        }
        Ok(Self {
            sets: pieces.sets(),
            castling,
            us: fen.turn as usize,
            en_passant: fen.en_passant.unwrap_or(NO_SQUARE),
            halfmove_clock: fen.halfmove_clock,
        })
    }

    #[inline(always)]
    pub(crate) fn pieces(&self) -> Pieces {
        Pieces::from_sets(self.sets)
    }

    #[inline(always)]
    pub(crate) fn turn(&self) -> Colour {
        Colour::ALL[self.us & 1]
    }

    #[inline(always)]
    pub(crate) fn castling(&self) -> Castling {
        Castling { white: self.castling as u8, black: (self.castling >> 56) as u8 }
    }

    #[inline(always)]
    pub(crate) fn en_passant(&self) -> Option<u8> {
        (self.en_passant < 64).then_some(self.en_passant)
    }

    #[inline(always)]
    pub(crate) fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    #[inline(always)]
    fn own(&self) -> u64 {
        self.sets[WHITE | self.us & 1]
    }

    #[inline(always)]
    fn theirs(&self) -> u64 {
        self.sets[WHITE | (self.us & 1 ^ 1)]
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        self.sets[WHITE] | self.sets[WHITE | 1]
    }

    /// The square of the mover's king.
    #[inline(always)]
    pub(crate) fn king(&self) -> u8 {
        ((self.sets[KING] & self.own()).trailing_zeros() & 63) as u8
    }

    /// The role of the mover's own piece on a square.
    pub(crate) fn own_role(&self, square: u8) -> Option<usize> {
        let bit = 1u64 << (square & 63) & self.own();
        (PAWN..=KING).find(|&role| self.sets[role] & bit != 0)
    }

    /// Moves a piece other than a pawn, whose origin is in `origins`.
    #[inline(always)]
    pub(crate) fn piece(&mut self, role: usize, to: u8, origins: u64) -> Result<Move, Refusal> {
        let to = to & 63;
        let [orthogonal, diagonal, knight, king] = WAYS[role & 7];
        let occupied = self.occupied();
        let (rook, bishop) = sliders(to, occupied);
        let reach = rook & orthogonal
            | bishop & diagonal
            | leaper::KNIGHT_ATTACKS[usize::from(to)] & knight
            | leaper::KING_ATTACKS[usize::from(to)] & king;
        let candidates = reach & self.own() & self.sets[role & 7] & origins;
        let banned = self.own() | self.sets[KING];
        if candidates == 0 || banned >> to & 1 != 0 {
            return Err(Refusal::Nobody);
        }
        let mut from = (candidates.trailing_zeros() & 63) as u8;
        if candidates & (candidates - 1) != 0 {
            from = self.only_legal(role, to, candidates)?;
        }
        let next = self.moved(role, from, to, 0);
        if is_attacked(&next, self.us) {
            return Err(Refusal::Check);
        }
        let captures = self.theirs() >> to & 1 != 0;
        self.sets = next;
        self.halfmove_clock = if captures { 0 } else { self.halfmove_clock.saturating_add(1) };
        self.en_passant = NO_SQUARE;
        let rank = 0xff << (56 * (self.us & 1));
        let king_moves = u64::from(role == KING).wrapping_neg();
        self.castling &= !(1 << from | 1 << to | rank & king_moves);
        self.us ^= 1;
        Ok(Move { from, to, kind: MoveKind::Normal })
    }

    /// Which of several pieces can make a move without leaving the king in check.
    #[cold]
    #[inline(never)]
    fn only_legal(&self, role: usize, to: u8, mut candidates: u64) -> Result<u8, Refusal> {
        let mut legal = 0u64;
        while candidates != 0 {
            let from = (candidates.trailing_zeros() & 63) as u8;
            candidates &= candidates - 1;
            if !is_attacked(&self.moved(role, from, to, 0), self.us) {
                legal |= 1 << from;
            }
        }
        match legal {
            0 => Err(Refusal::Check),
            _ if legal & (legal - 1) == 0 => Ok((legal.trailing_zeros() & 63) as u8),
            _ => Err(Refusal::Several(legal)),
        }
    }

    /// Moves a pawn: straight on without a file or on its own, else it captures.
    #[inline(always)]
    pub(crate) fn pawn(
        &mut self,
        to: u8,
        origins: u64,
        from_file: Option<u8>,
        promotion: Option<usize>,
    ) -> Result<Move, Refusal> {
        let to = to & 63;
        let bit = 1u64 << to;
        let last_rank = to.wrapping_sub(8) >= 48;
        if last_rank != promotion.is_some() {
            return Err(Refusal::Promotion { expected: last_rank });
        }
        let own_pawns = self.own() & self.sets[PAWN];
        // Towards the own side: one rank down for white, up for black.
        let back = |square: u8, ranks: u8| {
            let step = 8 * ranks;
            (if self.us & 1 == 0 { square.wrapping_sub(step) } else { square + step }) & 63
        };
        let captures = from_file.is_some_and(|file| file != to & 7);
        let from;
        let mut en_passant = NO_SQUARE;
        // The pawn that is captured in passing.
        let mut passed = 0;
        if captures {
            let file = from_file.unwrap_or(0) & 7;
            from = back(to, 1) & 56 | file;
            let takes = self.theirs() & !self.sets[KING] & bit != 0;
            if to == self.en_passant && self.occupied() & bit == 0 {
                passed = 1 << back(to, 1) & self.theirs() & self.sets[PAWN];
            }
            if file.abs_diff(to & 7) != 1 || !takes && passed == 0 {
                return Err(Refusal::Nobody);
            }
        } else {
            let one = back(to, 1);
            let two = back(to, 2);
            let double = own_pawns >> one & 1 == 0;
            from = if double { two } else { one };
            let from_start = to >> 3 == 3 + (self.us & 1) as u8;
            let way = bit | if double { 1 << one } else { 0 };
            if self.occupied() & way != 0 || double && !from_start {
                return Err(Refusal::Nobody);
            }
            en_passant = if double { one } else { NO_SQUARE };
        }
        if own_pawns & origins & 1 << from == 0 {
            return Err(Refusal::Nobody);
        }
        let next = self.moved(promotion.unwrap_or(PAWN), from, to, passed);
        if is_attacked(&next, self.us) {
            return Err(Refusal::Check);
        }
        self.sets = next;
        self.castling &= !bit;
        self.halfmove_clock = 0;
        self.en_passant = en_passant;
        self.us ^= 1;
        let kind = match promotion {
            None if passed != 0 => MoveKind::EnPassant,
            None => MoveKind::Normal,
            Some(role) => MoveKind::Promotion(setwise::Role::ALL[role % 6]),
        };
        Ok(Move { from, to, kind })
    }

    /// Castles with the outermost rook that may, on the king's side or the queen's.
    pub(crate) fn castle(&mut self, kings_side: bool) -> Result<Move, Refusal> {
        let king = self.king();
        let rooks = self.castling & self.own();
        let above = rooks & (!0 << king);
        let below = rooks & !(!0 << king);
        match (kings_side, above, below) {
            (true, 1.., _) => self.castle_with((above.ilog2() & 63) as u8),
            (false, _, 1..) => self.castle_with((below.trailing_zeros() & 63) as u8),
            _ => Err(Refusal::NoRight),
        }
    }

    fn castle_with(&mut self, rook: u8) -> Result<Move, Refusal> {
        let king = self.king();
        let rank = king & 56;
        let (king_to, rook_to) =
            if rook > king { (rank | 6, rank | 5) } else { (rank | 2, rank | 3) };
        let others = self.occupied() & !(1 << king | 1 << rook);
        let way = span(king, king_to);
        if (way | span(rook, rook_to)) & others != 0 {
            return Err(Refusal::Blocked);
        }
        let mut without_king = self.sets;
        without_king[WHITE | self.us & 1] &= !(1 << king);
        let mut squares = way;
        while squares != 0 {
            let square = (squares.trailing_zeros() & 63) as u8;
            squares &= squares - 1;
            if attackers(&without_king, square, self.us) != 0 {
                return Err(Refusal::Through(square));
            }
        }
        let mut next = self.sets;
        let own = WHITE | self.us & 1;
        next[own] = next[own] & !(1 << king | 1 << rook) | 1 << king_to | 1 << rook_to;
        next[KING] = next[KING] & !(1 << king) | 1 << king_to;
        next[ROOK] = next[ROOK] & !(1 << rook) | 1 << rook_to;
        if is_attacked(&next, self.us) {
            return Err(Refusal::Check);
        }
        self.sets = next;
        self.castling &= !(0xff << rank);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.en_passant = NO_SQUARE;
        self.us ^= 1;
        Ok(Move { from: king, to: rook, kind: MoveKind::Castling })
    }

    /// Castles if that is what a king's move from square to square means: to its own rook, or two files and more
    /// to where castling leads. None if it is an ordinary move.
    pub(crate) fn castle_as_king(&mut self, from: u8, to: u8) -> Option<Result<Move, Refusal>> {
        if from != self.king() || from & 56 != to & 56 {
            return None;
        }
        let rooks = self.castling & self.own();
        if rooks >> to & 1 == 1 {
            return Some(self.castle_with(to));
        }
        let far = from.abs_diff(to) > 1 && to & 7 == if to > from { 6 } else { 2 };
        (rooks != 0 && far).then(|| self.castle(to > from))
    }

    /// Moves nothing; the turn is the other's.
    pub(crate) fn pass(&mut self) -> Result<(), Refusal> {
        if is_attacked(&self.sets, self.us) {
            return Err(Refusal::Check);
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.en_passant = NO_SQUARE;
        self.us ^= 1;
        Ok(())
    }

    /// The sets after a move of a piece that is of a role behind it; `also` is emptied too.
    #[inline(always)]
    fn moved(&self, role: usize, from: u8, to: u8, also: u64) -> Sets {
        let cleared = !(1 << (from & 63) | 1 << (to & 63) | also);
        let mut next = self.sets.map(|set| set & cleared);
        next[role & 7] |= 1 << (to & 63);
        next[WHITE | self.us & 1] |= 1 << (to & 63);
        next
    }
}

#[inline(always)]
fn is_attacked(sets: &Sets, us: usize) -> bool {
    let king = sets[KING] & sets[WHITE | us & 1];
    attackers(sets, (king.trailing_zeros() & 63) as u8, us) != 0
}

/// The enemy's pieces that attack a square.
#[inline(always)]
fn attackers(sets: &Sets, square: u8, us: usize) -> u64 {
    let at = usize::from(square & 63);
    let occupied = sets[WHITE] | sets[WHITE | 1];
    let theirs = sets[WHITE | (us & 1 ^ 1)];
    let (rook, bishop) = sliders(square, occupied);
    let attackers = rook & (sets[ROOK] | sets[QUEEN])
        | bishop & (sets[BISHOP] | sets[QUEEN])
        | leaper::KNIGHT_ATTACKS[at] & sets[KNIGHT]
        | leaper::PAWN_ATTACKS[us & 1][at] & sets[PAWN]
        | leaper::KING_ATTACKS[at] & sets[KING];
    attackers & theirs
}
