//! A position in a game of packed records or text: the destinations of its pieces, and the board after a move.
//!
//! Moves are checked against the pieces, because a file may be damaged. Only moves read from text are also rejected if
//! they leave the king in check (`pgn/board.rs`).
//!
//! A move removes both squares from all eight sets and adds the destination to two, so the captured piece need not be
//! known. A move from text is made on a copy, because it may leave the king in check. The code rarely branches on the
//! role, which is unpredictable: a misprediction costs more than computing both sliders' attacks.

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, leaper, line};

use crate::error::Square;
use crate::{Move, MoveKind};

/// Roles as numbers, in the order of [`Role::ALL`](setwise::Role::ALL) and of the sets.
pub(crate) const PAWN: usize = 0;
pub(crate) const KNIGHT: usize = 1;
pub(crate) const BISHOP: usize = 2;
pub(crate) const ROOK: usize = 3;
pub(crate) const QUEEN: usize = 4;
pub(crate) const KING: usize = 5;
/// The index of the set of white's pieces; black's follows.
pub(crate) const WHITE: usize = 6;

/// No en passant square.
pub(crate) const NO_SQUARE: u8 = 64;

/// The sets in the order of [`Pieces`]: six roles, white, black.
pub(crate) type Sets = [u64; 8];

/// The rules for castling rights and en passant squares. Packed games store a move as an index among the possible
/// moves, so a reader must use the writer's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// A king that moves loses its rights. A double step sets an en passant square.
    Fen,
    /// A king that moves loses its rights. A double step sets an en passant square if an enemy pawn attacks it.
    Viridithas,
    /// A move from or to e1, e8 or a corner removes rights. A double step sets an en passant square if an enemy pawn
    /// can capture there without exposing its king to a slider.
    Stockfish,
}

/// A position during a game. The sets lie in one cache line: a processor is slow to load a set from a vector that it has
/// just stored to two.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Board {
    pub(crate) sets: Sets,
    /// The rooks that may castle.
    pub(crate) castling: u64,
    /// 0 for white, 1 for black.
    pub(crate) us: usize,
    pub(crate) en_passant: u8,
    pub(crate) halfmove_clock: u32,
    pub(crate) fullmove_number: u32,
    rules: Rules,
}

/// The squares attacked by a rook and by a bishop on a square.
#[inline(always)]
pub(crate) fn sliders(square: u8, occupied: u64) -> (u64, u64) {
    (line::rook_attacks(square & 63, occupied), line::bishop_attacks(square & 63, occupied))
}

/// The squares attacked by a piece other than a pawn.
#[inline(always)]
pub(crate) fn attacks(role: usize, square: u8, occupied: u64) -> u64 {
    let square = square & 63;
    match role {
        KNIGHT => leaper::KNIGHT_ATTACKS[usize::from(square)],
        BISHOP => line::bishop_attacks(square, occupied),
        ROOK => line::rook_attacks(square, occupied),
        QUEEN => line::queen_attacks(square, occupied),
        _ => leaper::KING_ATTACKS[usize::from(square)],
    }
}

/// The squares from one square to another on the same rank, including both.
#[inline(always)]
pub(crate) const fn span(a: u8, b: u8) -> u64 {
    let (low, high) = if a < b { (a & 63, b & 63) } else { (b & 63, a & 63) };
    (u64::MAX << low) & (u64::MAX >> (63 - high))
}

impl Board {
    /// Creates a board from valid pieces: one role and one colour each, and one king per side.
    pub(crate) fn new(fen: &Fen, rules: Rules) -> Self {
        Self {
            sets: fen.pieces.sets(),
            castling: u64::from(fen.castling.white) | u64::from(fen.castling.black) << 56,
            us: fen.turn as usize,
            en_passant: fen.en_passant.unwrap_or(NO_SQUARE),
            halfmove_clock: fen.halfmove_clock,
            fullmove_number: fen.fullmove_number,
            rules,
        }
    }

    #[inline(always)]
    pub(crate) fn fen(&self) -> Fen {
        Fen {
            pieces: Pieces::from_sets(self.sets),
            turn: self.turn(),
            castling: Castling { white: self.castling as u8, black: (self.castling >> 56) as u8 },
            en_passant: (self.en_passant < 64).then_some(self.en_passant),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    #[inline(always)]
    pub(crate) fn turn(&self) -> Colour {
        Colour::ALL[self.us & 1]
    }

    /// The pieces of the side to move.
    #[inline(always)]
    pub(crate) fn own(&self) -> u64 {
        self.sets[WHITE | self.us & 1]
    }

    #[inline(always)]
    pub(crate) fn theirs(&self) -> u64 {
        self.sets[WHITE | (self.us & 1 ^ 1)]
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> u64 {
        self.sets[WHITE] | self.sets[WHITE | 1]
    }

    /// The square of the king of the side to move.
    #[inline(always)]
    pub(crate) fn king(&self) -> u8 {
        ((self.sets[KING] & self.own()).trailing_zeros() & 63) as u8
    }

    /// The role of the piece on a square, or a number that is not a role.
    #[inline(always)]
    pub(crate) fn role(&self, square: u8) -> usize {
        let [_, knights, bishops, rooks, queens, kings, white, black] = self.sets;
        let empty = !(white | black);
        let bits = [knights | rooks | kings, bishops | rooks | empty, queens | kings | empty];
        let [one, two, four] = bits.map(|set| (set >> (square & 63) & 1) as usize);
        one | two << 1 | four << 2
    }

    /// Returns whether the next move of a pawn of the side to move on this square promotes.
    #[inline(always)]
    pub(crate) fn promotes_from(&self, square: u8) -> bool {
        square / 8 == if self.us == 0 { 6 } else { 1 }
    }

    /// The rooks with which the side to move may castle.
    #[inline(always)]
    pub(crate) fn castling_rooks(&self) -> u64 {
        self.castling & self.own()
    }

    /// The destinations of a piece of the side to move, ignoring checks and castling.
    #[inline(always)]
    pub(crate) fn destinations(&self, from: u8, role: usize) -> u64 {
        if role != PAWN {
            return attacks(role, from, self.occupied()) & !self.own();
        }
        let empty = !self.occupied();
        // Without an en passant square, the bit is 0.
        let en_passant = u64::from(self.en_passant < 64) << (self.en_passant & 63);
        let pawn = 1u64 << (from & 63);
        let pushes = if self.us == 0 {
            let one = pawn << 8 & empty;
            one | (one & 0xff_0000) << 8 & empty
        } else {
            let one = pawn >> 8 & empty;
            one | (one & 0xff00_0000_0000) >> 8 & empty
        };
        let captures = leaper::PAWN_ATTACKS[self.us & 1][usize::from(from & 63)];
        pushes | captures & (self.theirs() | en_passant)
    }

    /// The squares of king and rook after castling with a rook; `None` if a piece is in the way.
    #[inline(always)]
    pub(crate) fn castle_squares(&self, rook: u8) -> Option<[u8; 2]> {
        let (king, rank) = (self.king(), rook & 56);
        let [king_to, rook_to] =
            if rook > king { [rank | 6, rank | 5] } else { [rank | 2, rank | 3] };
        let others = self.occupied() & !(1 << king | 1 << rook);
        let path = span(king, king_to) | span(rook, rook_to);
        (king & 56 == rank && path & others == 0).then_some([king_to, rook_to])
    }

    /// Checks that a move can be made. The error contains the reason why not.
    pub(crate) fn check(&self, Move { from, to, kind }: Move) -> Result<(), String> {
        if self.own() >> from & 1 == 0 {
            return Err(format!(
                "expected a piece of the side to move on {}, found none",
                Square(from)
            ));
        }
        let role = self.role(from);
        let reject = |expected: &str| {
            Err(format!("expected {expected}, found the move {}{}", Square(from), Square(to)))
        };
        if kind == MoveKind::Castling {
            if role != KING || self.castling_rooks() >> to & 1 == 0 {
                return reject("castling with a king and a rook that may castle");
            }
            return match self.castle_squares(to) {
                Some(_) => Ok(()),
                None => reject("castling with nothing in the way"),
            };
        }
        if self.destinations(from, role) >> to & 1 == 0 {
            return reject("a move that the piece can make");
        }
        if self.sets[KING] >> to & 1 == 1 {
            return reject("a move that takes no king");
        }
        let pawn = role == PAWN;
        if matches!(kind, MoveKind::Promotion(_)) != (pawn && self.promotes_from(from)) {
            return reject("a promotion if a pawn reaches the last rank, and only then");
        }
        if (kind == MoveKind::EnPassant) != (pawn && to == self.en_passant) {
            return reject("en passant if a pawn captures on that square, and only then");
        }
        Ok(())
    }

    /// Makes a move that [`check`](Self::check) accepts, or that is among [`destinations`](Self::destinations) or
    /// [`castle_squares`](Self::castle_squares). Returns the pieces of the side that is now to move, which the next move
    /// of a packed game needs before the sets have been stored.
    #[inline(always)]
    pub(crate) fn make(&mut self, Move { from, to, kind }: Move) -> u64 {
        let role = self.role(from);
        let theirs = self.theirs();
        let captures = theirs >> (to & 63) & 1 != 0;
        let (then, passed) = match kind {
            MoveKind::Promotion(then) => (then as usize, 0),
            // The captured pawn is one rank behind the destination: ranks 3 and 4, and 5 and 6, differ in one bit.
            MoveKind::EnPassant => (role, 1 << ((to ^ 8) & 63)),
            _ => (role, 0),
        };
        if kind != MoveKind::Castling {
            let cleared = !(1 << (from & 63) | 1 << (to & 63) | passed);
            let of_role = self.sets[then & 7] & cleared | 1 << (to & 63);
            let own = self.own() & cleared | 1 << (to & 63);
            self.sets.iter_mut().for_each(|set| *set &= cleared);
            self.sets[then & 7] = of_role;
            self.sets[WHITE | self.us & 1] = own;
        } else if let Some(after) = self.castle_squares(to) {
            self.sets = self.castled(to, after);
        }
        self.finish_move(role, from, to, captures);
        theirs & !(1 << (to & 63) | passed)
    }

    /// The sets after a move. `role` is the role of the piece after the move; the squares in `also` are cleared, too.
    #[inline(always)]
    pub(crate) fn moved(&self, role: usize, from: u8, to: u8, also: u64) -> Sets {
        let cleared = !(1 << (from & 63) | 1 << (to & 63) | also);
        let mut next = self.sets.map(|set| set & cleared);
        next[role & 7] |= 1 << (to & 63);
        next[WHITE | self.us & 1] |= 1 << (to & 63);
        next
    }

    /// The sets after castling with a rook, given the destinations of king and rook.
    pub(crate) fn castled(&self, rook: u8, [king_to, rook_to]: [u8; 2]) -> Sets {
        let cleared = !(1 << self.king() | 1 << (rook & 63));
        let mut next = self.sets.map(|set| set & cleared);
        next[KING] |= 1 << king_to;
        next[ROOK] |= 1 << rook_to;
        next[WHITE | self.us & 1] |= 1 << king_to | 1 << rook_to;
        next
    }

    /// Replaces the sets by those after a move of a piece of this role, and updates the rest of the board.
    #[inline(always)]
    pub(crate) fn apply(&mut self, next: Sets, role: usize, from: u8, to: u8) {
        let captures = self.theirs() >> (to & 63) & 1 != 0;
        self.sets = next;
        self.finish_move(role, from, to, captures);
    }

    #[inline(always)]
    fn finish_move(&mut self, role: usize, from: u8, to: u8, captures: bool) {
        if self.castling != 0 {
            let ends = 1u64 << (from & 63) | 1 << (to & 63);
            let lost = match self.rules {
                Rules::Stockfish => (ends >> 4 & 1) * 0xff + (ends >> 60 & 1) * (0xff << 56),
                _ => u64::from(role == KING) * (0xff << (56 * (self.us & 1))),
            };
            self.castling &= !(ends | lost);
        }
        let is_reset = role == PAWN || captures;
        self.halfmove_clock = if is_reset { 0 } else { self.halfmove_clock.saturating_add(1) };
        self.end_turn();
        if role == PAWN && from ^ to == 16 {
            self.double_step((from + to) / 2);
        }
    }

    /// Passes the turn to the other side.
    #[inline(always)]
    pub(crate) fn end_turn(&mut self) {
        self.en_passant = NO_SQUARE;
        self.fullmove_number = self.fullmove_number.saturating_add(self.us as u32);
        self.us ^= 1;
    }

    /// Sets the en passant square behind a pawn that has made a double step, if the rules require it. The turn has
    /// already been passed.
    #[inline(always)]
    fn double_step(&mut self, behind: u8) {
        let attacked = leaper::PAWN_ATTACKS[self.us & 1 ^ 1][usize::from(behind & 63)];
        let capturers = attacked & self.sets[PAWN] & self.own();
        let is_set = match self.rules {
            Rules::Fen => true,
            Rules::Viridithas => capturers != 0,
            Rules::Stockfish => capturers != 0 && self.is_capturable(behind, capturers),
        };
        if is_set {
            self.en_passant = behind;
        }
    }

    /// Returns whether one of the pawns can capture en passant without exposing its king.
    #[inline(never)]
    fn is_capturable(&self, behind: u8, mut capturers: u64) -> bool {
        let [_, _, bishops, rooks, queens, ..] = self.sets.map(|set| set & self.theirs());
        while capturers != 0 {
            let capturer = capturers & capturers.wrapping_neg();
            capturers ^= capturer;
            let occupied = (self.occupied() ^ capturer ^ 1 << (behind ^ 8)) | 1 << behind;
            let (rook, bishop) = sliders(self.king(), occupied);
            if bishop & (bishops | queens) == 0 && rook & (rooks | queens) == 0 {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use setwise::Fen;

    use super::*;

    /// Black's pawn moves from e7 to e5, next to white's on d5. If the capture exposes white's king to a slider,
    /// Stockfish's tools do not set the en passant square; Viridithas does.
    #[test]
    fn stockfish_omits_en_passant_that_exposes_the_king() {
        for (placement, sliders, possible) in [
            ("8/4p3/8/1K1P3S/8/8/8/7k", "qr", false),  // along the rank
            ("3S4/4p3/8/3P4/8/8/3K4/7k", "qr", false), // along the file
            ("7S/4p3/8/3P4/8/8/1K6/7k", "qb", false),  // along the pawn's diagonal
            ("S7/4p3/8/3P4/8/5K2/8/7k", "qb", false),  // along the capturer's
            ("8/4p3/8/1K1P3S/8/8/8/7k", "bn", true),
            ("7S/4p3/8/3P4/8/8/1K6/7k", "rn", true),
            ("8/4p3/8/1K1P2pS/8/8/8/7k", "qr", true), // behind a pawn
        ] {
            for slider in sliders.chars() {
                let placement = placement.replace('S', &slider.to_string());
                let fen: Fen = format!("{placement} b - - 0 1").parse().expect("a position");
                for (rules, expected) in [(Rules::Stockfish, possible), (Rules::Viridithas, true)] {
                    let mut board = Board::new(&fen, rules);
                    board.make(Move { from: 52, to: 36, kind: MoveKind::Normal });
                    assert_eq!(board.en_passant == 44, expected, "{placement} {rules:?}");
                }
            }
        }
    }
}
