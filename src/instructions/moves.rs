//! Rules for the pieces of one position, and an iterator over its moves. The public methods are in `legal.rs`.

use core::iter::FusedIterator;

use crate::bitboard::{FILES, RANKS, square_of, squares};
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::legal::{Move, State};
use crate::line;
use crate::pieces::{Colour, Pieces, Role};

/// The legal moves of a position, as the facts that determine them: [`position::legal`](fn@crate::position::legal).
///
/// [`captures`](Self::captures), [`quiets`](Self::quiets), [`from_squares`](Self::from_squares) and
/// [`to_squares`](Self::to_squares) restrict them. All methods that list or count moves respect these restrictions.
#[derive(Clone, Copy, Debug)]
pub struct Legal {
    pub(super) pieces: Pieces,
    pub(super) state: State,
    pub(super) turn: Colour,
    pub(super) king: u8,
    pub(super) checkers: u64,
    pub(super) danger: u64,
    pub(super) pinned: u64,
    /// The rooks with castling rights, and the en passant square if there is a pawn to capture.
    pub(super) castling: u64,
    pub(super) en_passant: u64,
    pub(super) origins: u64,
    pub(super) destinations: u64,
}

impl Legal {
    /// The destinations of pieces other than the king that resolve a check: all squares without one; the checker and
    /// the squares between it and the king; none in double check. (En passant captures of a checker end elsewhere.)
    #[inline]
    #[must_use]
    pub fn evasions(&self) -> u64 {
        match self.checkers.count_ones() {
            0 => !0,
            1 => self.checkers | line::between(self.king, square_of(self.checkers)),
            _ => 0,
        }
    }

    /// The destinations of pawns by one step, by two, and by captures to the west and the east.
    #[inline(always)]
    fn pawns(&self, pawns: u64, allowed: u64) -> [u64; 4] {
        let (us, occupied) = (self.turn, self.pieces.occupied());
        let enemies = self.pieces.colour(us.opponent());
        let one = ahead(us, pawns) & !occupied;
        let two = ahead(us, one & RANKS[if us == Colour::White { 2 } else { 5 }]) & !occupied;
        let west = ahead(us, pawns & !FILES[0]) >> 1 & enemies;
        let east = ahead(us, pawns & !FILES[7]) << 1 & enemies;
        [one, two, west, east].map(|to| to & allowed)
    }

    /// The destinations of the king, without castling.
    #[inline(always)]
    pub(super) fn king_steps(&self) -> u64 {
        KING_ATTACKS[usize::from(self.king)] & !self.pieces.colour(self.turn) & !self.danger
    }

    /// The destinations of the king by castling.
    #[inline(always)]
    fn castles(&self) -> u64 {
        let (king, rooks) = (self.king, self.castling);
        let back_rank = if self.turn == Colour::White { 0 } else { 56 };
        if rooks == 0 || self.checkers != 0 || king & 56 != back_rank {
            return 0;
        }
        let mut castles = 0;
        for rook in squares(rooks) {
            let (king_to, rook_to, two) = if rook > king {
                (back_rank + 6, back_rank + 5, king + 2)
            } else {
                (back_rank + 2, back_rank + 3, king.wrapping_sub(2))
            };
            let king_path = line::between(king, king_to) | 1 << king_to;
            let path = king_path | line::between(rook, rook_to) | 1 << rook_to;
            let others = self.pieces.occupied() & !(1 << king | 1 << rook);
            // The rook may have shielded the king's new square from another rook.
            let behind = line::rank_attacks(king_to, others | 1 << rook_to)
                & self.pieces.orthogonal(self.turn.opponent());
            if path & others == 0 && king_path & self.danger == 0 && behind == 0 {
                let standard = king & 7 == 4 && matches!(rook & 7, 0 | 7);
                castles |= 1 << if standard { two } else { rook };
            }
        }
        castles
    }

    /// The squares next to the pawn that can be captured en passant.
    #[inline(always)]
    pub(super) fn en_passant_capturers(&self) -> u64 {
        let beside = ahead(self.turn.opponent(), self.en_passant);
        (beside & !FILES[0]) >> 1 | (beside & !FILES[7]) << 1
    }

    /// Returns whether the king is safe after an en passant capture.
    #[cold]
    fn is_safe_en_passant(&self, from: u8, to: u64) -> bool {
        let captured = ahead(self.turn.opponent(), to);
        let occupied = (self.pieces.occupied() & !(1 << from | captured)) | to;
        let enemy = self.turn.opponent();
        let (orthogonal, diagonal) = (self.pieces.orthogonal(enemy), self.pieces.diagonal(enemy));
        let leapers = self.checkers & !captured & !(orthogonal | diagonal);
        leapers == 0
            && line::rook_attacks(self.king, occupied) & orthogonal == 0
            && line::bishop_attacks(self.king, occupied) & diagonal == 0
    }

    /// The line through the king to which a pin confines a piece; all squares if the piece is not pinned.
    #[inline(always)]
    fn along_pin(&self, square: u8) -> u64 {
        if self.pinned >> square & 1 == 1 { line::line_through(self.king, square) } else { !0 }
    }
}

/// The roles whose moves are generated piece by piece; of pawns, only pinned ones and possible en passant capturers.
const ROLES: [Role; 6] =
    [Role::King, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Pawn];

/// The sets that the moves of all pieces share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generator {
    /// The pieces other than the king that may move, and their destinations.
    pub(super) movers: u64,
    allowed: u64,
    /// The pawns whose moves are generated one by one.
    single_pawns: u64,
}

impl Generator {
    #[inline(always)]
    pub(super) fn new(legal: &Legal) -> Self {
        let own = legal.pieces.colour(legal.turn);
        let twice = legal.checkers & legal.checkers.wrapping_sub(1) != 0;
        let movers = if twice { 0 } else { own & legal.origins };
        let allowed = legal.evasions() & legal.destinations & !own;
        let single_pawns = legal.pinned | legal.en_passant_capturers();
        Self { movers, allowed, single_pawns }
    }

    /// The pieces of a role whose moves are generated one by one.
    #[inline(always)]
    pub(super) fn movers(&self, legal: &Legal, role: Role) -> u64 {
        match role {
            Role::King => 1 << legal.king & legal.origins,
            Role::Pawn => legal.pieces.pawns & self.movers & self.single_pawns,
            _ => legal.pieces.role(role) & self.movers,
        }
    }

    /// The destinations of one of the [`movers`](Self::movers).
    #[inline(always)]
    pub(super) fn targets(&self, legal: &Legal, role: Role, from: u8) -> u64 {
        let occupied = legal.pieces.occupied();
        // Comparisons: a `match` on a role that is known only at run time becomes an indirect jump.
        if role > Role::Queen {
            return (legal.king_steps() | legal.castles()) & legal.destinations;
        }
        if role < Role::Knight {
            return self.targets_of_pawn(legal, from);
        }
        let mut attacks = 0;
        if role == Role::Knight {
            attacks = KNIGHT_ATTACKS[usize::from(from)];
        } else {
            if role != Role::Rook {
                attacks = line::bishop_attacks(from, occupied);
            }
            if role > Role::Bishop {
                attacks |= line::rook_attacks(from, occupied);
            }
        }
        attacks & self.allowed & legal.along_pin(from)
    }

    #[inline(always)]
    fn targets_of_pawn(&self, legal: &Legal, from: u8) -> u64 {
        let [one, two, west, east] = legal.pawns(1 << from, self.allowed & legal.along_pin(from));
        let mut targets = one | two | west | east;
        for to in squares(legal.en_passant & PAWN_ATTACKS[legal.turn as usize][usize::from(from)]) {
            if legal.is_safe_en_passant(from, 1 << to) {
                targets |= 1 << to;
            }
        }
        targets
    }

    /// The destinations of all other pawns, by step.
    #[inline(always)]
    pub(super) fn pawns(&self, legal: &Legal) -> [u64; 4] {
        legal.pawns(legal.pieces.pawns & self.movers & !self.single_pawns, self.allowed)
    }
}

/// The steps of a side's pawns, in the order of [`Legal::pawns`].
#[inline(always)]
pub(super) fn steps(turn: Colour) -> [u8; 4] {
    let up = |step: u8| if turn == Colour::White { step } else { step.wrapping_neg() };
    [up(8), up(16), up(8).wrapping_sub(1), up(8).wrapping_add(1)]
}

/// An iterator over the legal moves of a position: [`Legal::moves`].
#[derive(Clone, Debug)]
pub struct Moves {
    legal: Legal,
    generator: Generator,
    /// The destinations of the pawns that are not generated one by one.
    pawns: [u64; 4],
    /// The index of the role in [`ROLES`], followed by those of the pawns' steps.
    stage: usize,
    /// The remaining pieces of the role.
    pieces: u64,
    /// The remaining destinations of the current piece, and its square; for a step of pawns, `from` is 0.
    to: u64,
    from: u8,
    step: u8,
    /// The next promotion of the current move, from 0 to 3.
    becomes: u8,
}

impl Moves {
    #[inline(always)]
    pub(super) fn new(legal: Legal) -> Self {
        let generator = Generator::new(&legal);
        let (pawns, pieces) = (generator.pawns(&legal), generator.movers(&legal, ROLES[0]));
        Self { legal, generator, pawns, stage: 0, pieces, to: 0, from: 0, step: 0, becomes: 0 }
    }
}

impl Iterator for Moves {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        let (legal, generator) = (&self.legal, self.generator);
        while self.to == 0 {
            if self.pieces != 0 {
                self.from = square_of(self.pieces);
                self.pieces &= self.pieces - 1;
                self.to = generator.targets(legal, ROLES[self.stage], self.from);
                continue;
            }
            self.stage += 1;
            if let Some(&role) = ROLES.get(self.stage) {
                self.pieces = generator.movers(legal, role);
            } else if let Some(&to) = self.pawns.get(self.stage - ROLES.len()) {
                (self.to, self.from) = (to, 0);
                self.step = steps(legal.turn)[self.stage - ROLES.len()];
            } else {
                self.stage -= 1;
                return None;
            }
        }
        let to = square_of(self.to);
        let from = if self.step == 0 { self.from } else { to.wrapping_sub(self.step) & 63 };
        let bits = u16::from(to) | u16::from(from) << 6;
        let special = if self.stage >= ROLES.len() - 1 {
            PROMOTING | legal.en_passant
        } else if self.stage == 0 {
            !legal.king_steps()
        } else {
            0
        };
        let bits = match special >> to & 1 == 1 {
            false => bits,
            true if self.stage == 0 => bits | 3 << 14,
            true if PROMOTING >> to & 1 == 0 => bits | 2 << 14,
            true => {
                let becomes = u16::from(self.becomes);
                self.becomes = (self.becomes + 1) & 3;
                // The promotion to a queen is the last one on a square.
                if self.becomes != 0 {
                    return Some(Move::of(bits | 1 << 14 | becomes << 12));
                }
                bits | 1 << 14 | becomes << 12
            }
        };
        self.to &= self.to - 1;
        Some(Move::of(bits))
    }
}

impl FusedIterator for Moves {}

pub(super) const PROMOTING: u64 = RANKS[0] | RANKS[7];

/// One rank up for white, one down for black.
#[inline(always)]
pub(super) fn ahead(colour: Colour, set: u64) -> u64 {
    match colour {
        Colour::White => set << 8,
        Colour::Black => set >> 8,
    }
}
