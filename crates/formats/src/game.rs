//! Replays games: where a piece can go, and the board after a move.
//!
//! Moves are checked against the pieces, because a file may be damaged. Whether a king is left in check is not checked.

use setwise::fen::Castling;
use setwise::{Colour, Pieces, leaper, line};

use crate::error::Square;
use crate::{Move, MoveKind, Records};

/// The squares that a knight, bishop, rook, queen or king attacks. This is all that is needed from `setwise`.
#[inline(always)]
fn attacks(role: u8, square: u8, occupied: u64) -> u64 {
    let at = usize::from(square & 63);
    match role {
        KNIGHT => leaper::KNIGHT_ATTACKS[at],
        BISHOP => line::bishop_attacks(square & 63, occupied),
        ROOK => line::rook_attacks(square & 63, occupied),
        QUEEN => line::queen_attacks(square & 63, occupied),
        _ => leaper::KING_ATTACKS[at],
    }
}

/// The squares that a pawn captures on.
#[inline(always)]
fn pawn_attacks(colour: Colour, square: u8) -> u64 {
    leaper::PAWN_ATTACKS[colour as usize][usize::from(square & 63)]
}

/// Roles as numbers, as in [`Role::ALL`](setwise::Role::ALL).
pub(crate) const PAWN: u8 = 0;
pub(crate) const KNIGHT: u8 = 1;
const BISHOP: u8 = 2;
const ROOK: u8 = 3;
const QUEEN: u8 = 4;
pub(crate) const KING: u8 = 5;
const NOBODY: u8 = 6;

/// No en passant square.
const NO_SQUARE: u8 = 64;

/// The rules for castling rights and en passant squares. A move is stored as an index among those that are possible
/// under these rules, so they must be the writer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// A king that moves loses its rights. A double step sets an en passant square if an enemy pawn attacks it.
    Viridithas,
    /// Rights are lost by changes on e1, e8 and the corners. A double step sets an en passant square if an enemy pawn
    /// can capture there without exposing its king to a slider.
    Stockfish,
}

/// A position during a game.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    /// The pieces of each role, of both colours.
    roles: [u64; 6],
    colours: [u64; 2],
    /// The role on each square.
    mailbox: [u8; 64],
    pub(crate) turn: Colour,
    /// The rooks that may castle.
    castling: u64,
    en_passant: u8,
    halfmove_clock: u32,
    fullmove_number: u32,
    rules: Rules,
}

impl Board {
    /// A position with valid pieces: one role and one colour each, and one king per side.
    pub(crate) fn new(pieces: &Pieces, turn: Colour, castling: u64, rules: Rules) -> Self {
        let [roles @ .., white, black] = pieces.sets();
        let mut mailbox = [NOBODY; 64];
        for (role, &set) in roles.iter().enumerate() {
            let mut squares = set;
            while squares != 0 {
                mailbox[squares.trailing_zeros() as usize] = role as u8;
                squares &= squares - 1;
            }
        }
        Self {
            roles,
            colours: [white, black],
            mailbox,
            turn,
            castling,
            en_passant: NO_SQUARE,
            halfmove_clock: 0,
            fullmove_number: 1,
            rules,
        }
    }

    pub(crate) fn set_en_passant(&mut self, square: Option<u8>) {
        self.en_passant = square.unwrap_or(NO_SQUARE);
    }

    pub(crate) fn set_clocks(&mut self, halfmove_clock: u32, fullmove_number: u32) {
        self.halfmove_clock = halfmove_clock;
        self.fullmove_number = fullmove_number;
    }

    /// The pieces of the side to move.
    #[inline(always)]
    pub(crate) fn own(&self) -> u64 {
        self.colours[self.turn as usize]
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> u64 {
        self.colours[0] | self.colours[1]
    }

    /// The role of the piece on a square, or a number that is not a role.
    #[inline(always)]
    pub(crate) fn role(&self, square: u8) -> u8 {
        self.mailbox[usize::from(square & 63)]
    }

    #[inline(always)]
    pub(crate) fn is_en_passant(&self, square: u8) -> bool {
        square == self.en_passant
    }

    /// Whether a pawn of the side to move on a square promotes with its next move.
    #[inline(always)]
    pub(crate) fn promotes_from(&self, square: u8) -> bool {
        square / 8 == if self.turn == Colour::White { 6 } else { 1 }
    }

    /// The rooks with which the side to move may castle.
    #[inline(always)]
    pub(crate) fn castling_rooks(&self) -> u64 {
        self.castling & self.own()
    }

    /// The destinations of a piece of the side to move, ignoring checks and castling.
    #[inline(always)]
    pub(crate) fn destinations(&self, from: u8, role: u8) -> u64 {
        if role != PAWN {
            return attacks(role, from, self.occupied()) & !self.own();
        }
        let empty = !self.occupied();
        let theirs = self.colours[self.turn.opponent() as usize];
        // Without an en passant square, the bit is 0.
        let en_passant = u64::from(self.en_passant < 64) << (self.en_passant & 63);
        let pawn = 1u64 << (from & 63);
        let pushes = if self.turn == Colour::White {
            let one = pawn << 8 & empty;
            one | (one & 0xff_0000) << 8 & empty
        } else {
            let one = pawn >> 8 & empty;
            one | (one & 0xff00_0000_0000) >> 8 & empty
        };
        pushes | pawn_attacks(self.turn, from) & (theirs | en_passant)
    }

    /// The squares of king and rook before and after castling, as sets; none if a piece is in the way.
    #[inline(always)]
    pub(crate) fn castle(&self, rook: u8) -> Option<Castle> {
        let kings = self.roles[KING as usize] & self.own();
        let king = (kings.trailing_zeros() & 63) as u8;
        let rank = rook & 56;
        let (king_to, rook_to) =
            if rook > king { (rank | 6, rank | 5) } else { (rank | 2, rank | 3) };
        let castle = Castle { king, rook, king_to, rook_to };
        let free = !(self.occupied() & !(1 << king | 1 << rook));
        let way = span(king, king_to) | span(rook, rook_to);
        (king & 56 == rank && way & !free == 0).then_some(castle)
    }

    /// Checks whether a move can be made, and if not, explains why.
    pub(crate) fn check(&self, Move { from, to, kind }: Move) -> Result<(), String> {
        if self.own() >> from & 1 == 0 {
            return Err(format!(
                "expected a piece of the side to move on {}, found none",
                Square(from)
            ));
        }
        let role = self.role(from);
        let way = |what: &str| {
            Err(format!("expected {what}, found the move {}{}", Square(from), Square(to)))
        };
        if kind == MoveKind::Castling {
            if role != KING || self.castling_rooks() >> to & 1 == 0 {
                return way("castling with a king and a rook that may castle");
            }
            return match self.castle(to) {
                Some(_) => Ok(()),
                None => way("castling with nothing in the way"),
            };
        }
        if self.destinations(from, role) >> to & 1 == 0 {
            return way("a move that the piece can make");
        }
        if self.role(to) == KING {
            return way("a move that takes no king");
        }
        let pawn = role == PAWN;
        if matches!(kind, MoveKind::Promotion(_)) != (pawn && self.promotes_from(from)) {
            return way("a promotion if a pawn reaches the last rank, and only then");
        }
        if (kind == MoveKind::EnPassant) != (pawn && self.is_en_passant(to)) {
            return way("en passant if a pawn captures on that square, and only then");
        }
        Ok(())
    }

    /// Makes a move that [`check`](Self::check) accepts, or that is made from [`destinations`](Self::destinations) and
    /// [`castle`](Self::castle).
    #[inline(always)]
    pub(crate) fn make(&mut self, Move { from, to, kind }: Move) {
        let us = self.turn as usize;
        let them = self.turn.opponent() as usize;
        let role = self.role(from);
        let (from_bit, to_bit) = (1u64 << (from & 63), 1u64 << (to & 63));
        self.en_passant = NO_SQUARE;
        self.halfmove_clock += 1;
        self.fullmove_number += us as u32;
        if self.castling != 0 {
            self.castling &= !(from_bit | to_bit);
            let kings = match self.rules {
                Rules::Viridithas => u64::from(role == KING) << (4 + 56 * us),
                Rules::Stockfish => from_bit | to_bit,
            };
            for king_square in [4, 60] {
                let lost = kings >> king_square & 1;
                self.castling &= !(lost.wrapping_mul(0xff) << (king_square & 56));
            }
        }

        if kind == MoveKind::Castling {
            if let Some(Castle { king, rook, king_to, rook_to }) = self.castle(to) {
                let moved = |set: u64, from: u8, to: u8| set & !(1 << from) | 1 << to;
                self.colours[us] &= !(1 << king | 1 << rook);
                self.colours[us] |= 1 << king_to | 1 << rook_to;
                self.roles[KING as usize] = moved(self.roles[KING as usize], king, king_to);
                self.roles[ROOK as usize] = moved(self.roles[ROOK as usize], rook, rook_to);
                self.mailbox[usize::from(king & 63)] = NOBODY;
                self.mailbox[usize::from(rook & 63)] = NOBODY;
                self.mailbox[usize::from(king_to & 63)] = KING;
                self.mailbox[usize::from(rook_to & 63)] = ROOK;
            }
            self.turn = self.turn.opponent();
            return;
        }

        let captured = self.role(to);
        if captured != NOBODY {
            self.roles[usize::from(captured.min(KING))] ^= to_bit;
            self.colours[them] ^= to_bit;
            self.halfmove_clock = 0;
        }
        self.colours[us] ^= from_bit | to_bit;
        self.roles[usize::from(role.min(KING))] ^= from_bit | to_bit;
        self.mailbox[usize::from(from & 63)] = NOBODY;
        self.mailbox[usize::from(to & 63)] = role;
        self.turn = self.turn.opponent();
        if role == PAWN {
            self.halfmove_clock = 0;
            match kind {
                MoveKind::Promotion(promotion) => {
                    self.roles[PAWN as usize] ^= to_bit;
                    self.roles[promotion as usize] ^= to_bit;
                    self.mailbox[usize::from(to & 63)] = promotion as u8;
                }
                MoveKind::EnPassant => {
                    // One rank back: ranks 3 and 4 differ in one bit, and so do 5 and 6.
                    let passed = (to ^ 8) & 63;
                    self.roles[PAWN as usize] ^= 1 << passed;
                    self.colours[them] ^= 1 << passed;
                    self.mailbox[usize::from(passed)] = NOBODY;
                }
                _ if from ^ to == 16 => self.double_step((from + to) / 2),
                _ => {}
            }
        }
    }

    /// Sets the en passant square behind a pawn that has made a double step, if the rules say so; it is the other
    /// side's turn already.
    #[inline(always)]
    fn double_step(&mut self, behind: u8) {
        let own = self.own();
        let capturers =
            pawn_attacks(self.turn.opponent(), behind) & self.roles[PAWN as usize] & own;
        if capturers != 0
            && (self.rules == Rules::Viridithas || self.is_capturable(behind, capturers))
        {
            self.en_passant = behind;
        }
    }

    /// Whether one of the pawns can capture en passant without exposing its king.
    #[inline(never)]
    fn is_capturable(&self, behind: u8, mut capturers: u64) -> bool {
        let own = self.own();
        let theirs = self.colours[self.turn.opponent() as usize];
        let king = (self.roles[KING as usize] & own).trailing_zeros() as u8;
        let [_, _, bishops, rooks, queens, _] = self.roles.map(|set| set & theirs);
        while capturers != 0 {
            let capturer = capturers & capturers.wrapping_neg();
            capturers ^= capturer;
            let occupied = (self.occupied() ^ capturer ^ 1 << (behind ^ 8)) | 1 << behind;
            if attacks(BISHOP, king, occupied) & (bishops | queens) == 0
                && attacks(ROOK, king, occupied) & (rooks | queens) == 0
            {
                return true;
            }
        }
        false
    }

    /// Adds the position as a row, with the columns that games have in all formats.
    #[inline(always)]
    pub(crate) fn push(&self, batch: &mut Records, score: i32, result: i8, played: Option<Move>) {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let [white, black] = self.colours;
        batch.pieces.push(Pieces { pawns, knights, bishops, rooks, queens, kings, white, black });
        batch.turn.push(self.turn);
        let castling = Castling { white: self.castling as u8, black: (self.castling >> 56) as u8 };
        batch.castling.push(castling);
        batch.en_passant.push((self.en_passant < 64).then_some(self.en_passant));
        batch.halfmove_clock.push(self.halfmove_clock);
        batch.score.push(score);
        batch.result.push(result);
        batch.moves.push(played);
    }

    pub(crate) fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }
}

/// The squares of king and rook before and after castling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Castle {
    pub(crate) king: u8,
    rook: u8,
    king_to: u8,
    rook_to: u8,
}

/// All squares from one to another on the same rank, both included.
#[inline(always)]
pub(crate) const fn span(a: u8, b: u8) -> u64 {
    let (low, high) = if a < b { (a & 63, b & 63) } else { (b & 63, a & 63) };
    (u64::MAX << low) & (u64::MAX >> (63 - high))
}

#[cfg(test)]
mod tests {
    use setwise::Fen;

    use super::*;

    /// Black's pawn goes from e7 to e5, beside white's on d5. Where the capture would open a line to white's king, whatever
    /// slides along it, Stockfish's tools know no en passant square; Viridithas does.
    #[test]
    fn en_passant_that_opens_a_line_to_the_king_is_not_there() {
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
                    let mut board = Board::new(&fen.pieces, fen.turn, 0, rules);
                    board.make(Move { from: 52, to: 36, kind: MoveKind::Normal });
                    assert_eq!(board.is_en_passant(44), expected, "{placement} {rules:?}");
                }
            }
        }
    }
}
