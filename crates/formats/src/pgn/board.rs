//! Plays moves given as text on a board: finds the piece and checks that the move is legal.
//!
//! A move in algebraic notation contains a role and a destination; the origin must be found. It is a square that a
//! piece of the same role would attack from the destination, so one attack set finds it. The move is made on a copy of
//! the sets; the copy becomes the board if the king is not attacked. This needs no branches on the role, the capture or
//! the kind of check.

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role, leaper, position};

use crate::board::{
    BISHOP, Board, KING, KNIGHT, PAWN, QUEEN, ROOK, Rules, Sets, WHITE, attacks, sliders, span,
};
use crate::error::Square;
use crate::{Move, MoveKind};

/// The reason to reject a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No piece of the role can reach the destination.
    NoPiece,
    /// The move leaves the king in check.
    Check,
    /// The text does not distinguish between the pieces on these squares, which can all make the move.
    Several(u64),
    /// The promotion role is missing, or the text has one but the move is not a promotion.
    Promotion { expected: bool },
    /// The side to move has no right to castle on that side of the board.
    NoRight,
    /// A piece blocks castling.
    Blocked,
    /// The king castles out of check or through this attacked square.
    Through(u8),
}

impl Board {
    /// Creates a board from a position, or returns the error in it. Castling rights without king and rook on the back
    /// rank are dropped.
    pub(crate) fn of_text(fen: &Fen) -> Result<Self, String> {
        let pieces = &fen.pieces;
        for colour in Colour::ALL {
            let kings = pieces.of(colour, Role::King).count_ones();
            if kings != 1 {
                return Err(format!("expected one {colour} king, found {kings}"));
            }
        }
        let pawns = pieces.pawns & 0xff00_0000_0000_00ff;
        if pawns != 0 {
            let square = Square(pawns.trailing_zeros() as u8);
            return Err(format!("expected pawns on ranks 2 to 7, found one on {square}"));
        }
        let rights = |colour: Colour, rank: u32| {
            let own = pieces.colour(colour);
            let rooks = (own & pieces.rooks) >> rank & u64::from(fen.castling.of(colour));
            if pieces.kings & own & 0xff << rank != 0 { rooks as u8 } else { 0 }
        };
        let castling =
            Castling { white: rights(Colour::White, 0), black: rights(Colour::Black, 56) };
        Ok(Self::new(&Fen { castling, ..*fen }, Rules::Fen))
    }

    /// The role of a piece of the side to move.
    pub(crate) fn own_role(&self, square: u8) -> Option<usize> {
        (self.own() >> (square & 63) & 1 == 1).then(|| self.role(square))
    }

    /// Moves a piece other than a pawn from a square in `origins`.
    #[inline(always)]
    pub(crate) fn piece(&mut self, role: usize, to: u8, origins: u64) -> Result<Move, Refusal> {
        let to = to & 63;
        let reach = attacks(role, to, self.occupied());
        let candidates = reach & self.own() & self.sets[role & 7] & origins;
        let banned = self.own() | self.sets[KING];
        if candidates == 0 || banned >> to & 1 != 0 {
            return Err(Refusal::NoPiece);
        }
        let mut from = (candidates.trailing_zeros() & 63) as u8;
        if candidates & (candidates - 1) != 0 {
            from = self.only_legal(role, to, candidates)?;
        }
        let next = self.moved(role, from, to, 0);
        if is_attacked(&next, self.us) {
            return Err(Refusal::Check);
        }
        self.apply(next, role, from, to);
        Ok(Move { from, to, kind: MoveKind::Normal })
    }

    /// Finds the only one of several pieces that can make a move without leaving the king in check.
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

    /// Moves a pawn: straight ahead if `from_file` is missing or equals the destination's file, otherwise as a capture.
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
        // A square on a file, this number of ranks backwards: down for white, up for black.
        let back = |ranks: u8, file: u8| {
            let step = 8 * ranks;
            (if self.us & 1 == 0 { to.wrapping_sub(step) } else { to + step }) & 56 | file & 7
        };
        let own_pawns = self.own() & self.sets[PAWN];
        let one = back(1, from_file.unwrap_or(to));
        let captures = one & 7 != to & 7;
        let double = !captures && own_pawns >> one & 1 == 0;
        let from = if double { back(2, to) } else { one };
        let en_passant = captures && self.occupied() & bit == 0;
        // The pawn that is captured en passant.
        let passed = u64::from(en_passant) << back(1, to) & self.theirs() & self.sets[PAWN];
        let reach = self.destinations(from, PAWN) & !self.sets[KING];
        if own_pawns & origins & 1 << from == 0 || reach & bit == 0 || en_passant && passed == 0 {
            return Err(Refusal::NoPiece);
        }
        let next = self.moved(promotion.unwrap_or(PAWN), from, to, passed);
        if is_attacked(&next, self.us) {
            return Err(Refusal::Check);
        }
        self.apply(next, PAWN, from, to);
        let kind = match promotion {
            None if passed != 0 => MoveKind::EnPassant,
            None => MoveKind::Normal,
            Some(role) => MoveKind::Promotion(Role::ALL[role % 6]),
        };
        Ok(Move { from, to, kind })
    }

    /// Castles kingside or queenside, with the outermost rook that may castle.
    pub(crate) fn castle(&mut self, kings_side: bool) -> Result<Move, Refusal> {
        let above = !0 << self.king();
        let rooks = self.castling_rooks() & if kings_side { above } else { !above };
        match (rooks, kings_side) {
            (0, _) => Err(Refusal::NoRight),
            (_, true) => self.castle_with((rooks.ilog2() & 63) as u8),
            (_, false) => self.castle_with((rooks.trailing_zeros() & 63) as u8),
        }
    }

    fn castle_with(&mut self, rook: u8) -> Result<Move, Refusal> {
        let king = self.king();
        let Some([king_to, rook_to]) = self.castle_squares(rook) else {
            return Err(Refusal::Blocked);
        };
        let danger = position::king_danger(&Pieces::from_sets(self.sets), self.turn());
        let attacked = span(king, king_to) & danger;
        if attacked != 0 {
            return Err(Refusal::Through(attacked.trailing_zeros() as u8));
        }
        let next = self.castled(rook, [king_to, rook_to]);
        if is_attacked(&next, self.us) {
            return Err(Refusal::Check);
        }
        self.apply(next, KING, king, rook);
        Ok(Move { from: king, to: rook, kind: MoveKind::Castling })
    }

    /// Castles if a king's move from square to square means castling: to its own rook, or by at least two files to its
    /// castling destination. Returns `None` for an ordinary move.
    pub(crate) fn castle_as_king(&mut self, from: u8, to: u8) -> Option<Result<Move, Refusal>> {
        if from != self.king() || from & 56 != to & 56 {
            return None;
        }
        let rooks = self.castling_rooks();
        if rooks >> to & 1 == 1 {
            return Some(self.castle_with(to));
        }
        let far = from.abs_diff(to) > 1 && to & 7 == if to > from { 6 } else { 2 };
        (rooks != 0 && far).then(|| self.castle(to > from))
    }

    /// Makes a null move: passes the turn to the other side.
    pub(crate) fn pass(&mut self) -> Result<(), Refusal> {
        if is_attacked(&self.sets, self.us) {
            return Err(Refusal::Check);
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.end_turn();
        Ok(())
    }
}

/// Returns whether the enemy attacks the king of a side.
#[inline(always)]
fn is_attacked(sets: &Sets, us: usize) -> bool {
    let king = sets[KING] & sets[WHITE | us & 1];
    let square = (king.trailing_zeros() & 63) as u8;
    let at = usize::from(square);
    let (rook, bishop) = sliders(square, sets[WHITE] | sets[WHITE | 1]);
    let attackers = rook & (sets[ROOK] | sets[QUEEN])
        | bishop & (sets[BISHOP] | sets[QUEEN])
        | leaper::KNIGHT_ATTACKS[at] & sets[KNIGHT]
        | leaper::PAWN_ATTACKS[us & 1][at] & sets[PAWN]
        | leaper::KING_ATTACKS[at] & sets[KING];
    attackers & sets[WHITE | (us & 1 ^ 1)] != 0
}
