//! The legal moves of one position, piece by piece.
//!
//! This is the way of engines, and shares no code with the sets of [`legal`](crate::legal): each piece's attacks are
//! cut down to where it may go. The tests compare the two.

use crate::bitboard::RANKS;
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::legal::{Move, MoveKind, State, Status};
use crate::line;
use crate::pieces::{Colour, Pieces, Role};

/// The legal moves of a position: [`position::legal`](fn@crate::position::legal).
#[derive(Clone, Copy, Debug)]
pub struct Legal {
    pieces: Pieces,
    state: State,
    turn: Colour,
    king: u8,
    checkers: u64,
    danger: u64,
    pinned: u64,
}

/// What the pieces say of each side's king.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    /// Who gives check to the mover, and to the other side.
    pub(super) checkers: u64,
    pub(super) enemy_checkers: u64,
    /// Where the mover's king must not go.
    pub(super) danger: u64,
    /// The mover's pieces that are pinned.
    pub(super) pinned: u64,
}

impl Legal {
    /// The legal moves of a position, if it is valid.
    #[inline(always)]
    pub(super) fn new(pieces: &Pieces, state: State, facts: Facts) -> Option<Self> {
        let turn = state.turn();
        let king = pieces.of(turn, Role::King);
        let enemy_king = pieces.of(turn.opponent(), Role::King);
        let Facts { checkers, enemy_checkers, danger, pinned } = facts;
        let roles = Role::ALL.map(|role| pieces.role(role)).into_iter().fold(0, |all, of| all | of);
        let consistent = pieces.is_distinct() && roles == pieces.occupied();
        let kings = king.count_ones() == 1 && enemy_king.count_ones() == 1;
        let valid = consistent && kings && enemy_checkers == 0;
        let king = square_of(king);
        valid.then_some(Self { pieces: *pieces, state, turn, king, checkers, danger, pinned })
    }

    /// Visits each piece that can move: its role, its square and the set of squares it can go to, as
    /// [`targets`](Self::targets) has them. Kings come first; a set is never empty.
    #[inline(always)]
    pub fn visit(&self, mut visit: impl FnMut(Role, u8, u64)) {
        let mut some = |role, from, to| {
            if to != 0 {
                visit(role, from, to);
            }
        };
        let (pieces, us) = (&self.pieces, self.turn);
        let (own, occupied) = (pieces.colour(us), pieces.occupied());
        some(Role::King, self.king, self.king_steps() | self.castles());

        // Where the others may go: anywhere, or to the checker and between it and the king.
        let allowed = match self.checkers.count_ones() {
            0 => !own,
            1 => self.checkers | line::between(self.king, square_of(self.checkers)),
            _ => return,
        };
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in squares(pieces.of(us, role)) {
                let attacks = match role {
                    Role::Knight => KNIGHT_ATTACKS[usize::from(from)],
                    Role::Bishop => line::bishop_attacks(from, occupied),
                    Role::Rook => line::rook_attacks(from, occupied),
                    _ => line::queen_attacks(from, occupied),
                };
                some(role, from, attacks & allowed & self.along_pin(from));
            }
        }

        let enemies = pieces.colour(us.opponent());
        let en_passant = self.en_passant();
        for from in squares(pieces.of(us, Role::Pawn)) {
            let captures = PAWN_ATTACKS[us as usize][usize::from(from)];
            let one = ahead(us, 1 << from) & !occupied;
            let two = ahead(us, one & RANKS[if us == Colour::White { 2 } else { 5 }]) & !occupied;
            let mut to = ((captures & enemies) | one | two) & allowed & self.along_pin(from);
            if captures & en_passant != 0 && self.is_safe_en_passant(from, en_passant) {
                to |= en_passant;
            }
            some(Role::Pawn, from, to);
        }
    }

    /// Where each piece can go, by its square (0 = a1, 63 = h8). Castling is the king going where [`MoveKind::Castling`]
    /// says.
    ///
    /// ```
    /// use setwise::{Pieces, Fen, position};
    /// let legal = position::legal(&Pieces::START, (&Fen::START).into()).expect("a position");
    /// assert_eq!(legal.targets()[6], 1 << 21 | 1 << 23); // Nf3, Nh3
    /// ```
    #[inline]
    #[must_use]
    pub fn targets(&self) -> [u64; 64] {
        let mut targets = [0; 64];
        self.visit(|_, from, to| targets[usize::from(from)] = to);
        targets
    }

    /// The number of legal moves; a pawn that is promoted has four for each square.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u32 {
        let mut count = 0;
        self.visit(|role, _, to| {
            let promotions = if role == Role::Pawn { to & (RANKS[0] | RANKS[7]) } else { 0 };
            count += to.count_ones() + 3 * promotions.count_ones();
        });
        count
    }

    /// Check, checkmate, stalemate, or nothing of it.
    #[inline]
    #[must_use]
    pub fn status(&self) -> Status {
        let moves = self.king_steps() != 0 || self.count() != 0;
        match (self.checkers != 0, moves) {
            (false, true) => Status::Normal,
            (true, true) => Status::Check,
            (true, false) => Status::Checkmate,
            (false, false) => Status::Stalemate,
        }
    }

    /// All legal moves, by the squares they come from, then by the squares they go to, promotions to a knight, a
    /// bishop, a rook and a queen.
    #[inline]
    #[must_use]
    pub fn moves(&self) -> Moves {
        let kings = self.king_steps();
        Moves {
            targets: self.targets(),
            king: self.king,
            king_steps: kings,
            pawns: self.pieces.of(self.turn, Role::Pawn),
            en_passant: self.en_passant(),
            from: 0,
            promotions: 0,
        }
    }

    /// Writes the bits of [`moves`](Self::moves) to the front of a buffer, and says how many moves there are. No position
    /// has as many as fit.
    #[cfg(all(feature = "bulk", feature = "std"))]
    #[inline(always)]
    pub(crate) fn write_moves<const ROOM: usize>(&self, buffer: &mut [u16; ROOM]) -> usize {
        const { assert!(ROOM >= 400) };
        const EN_PASSANT: u16 = 2 << 14;
        const CASTLING: u16 = 3 << 14;
        let mut targets = [0; 64];
        let mut origins = 0;
        self.visit(|_, from, to| {
            targets[usize::from(from)] = to;
            origins |= 1 << from;
        });
        let (pawns, en_passant) = (self.pieces.of(self.turn, Role::Pawn), self.en_passant());
        let mut count = 0;
        for from in squares(origins) {
            let mut to = targets[usize::from(from)];
            let origin = u16::from(from) << 6;
            if pawns >> from & 1 == 1 && to & (RANKS[0] | RANKS[7] | en_passant) != 0 {
                for to in squares(to) {
                    let bits = origin | u16::from(to);
                    let promotes = (RANKS[0] | RANKS[7]) >> to & 1 == 1;
                    let special = if en_passant >> to & 1 == 1 { EN_PASSANT } else { 0 };
                    for role in 0..if promotes { 4 } else { 1 } {
                        let special = if promotes { 1 << 14 | role << 12 } else { special };
                        if let Some(place) = buffer.get_mut(count) {
                            *place = bits | special;
                            count += 1;
                        }
                    }
                }
                continue;
            }
            // Four at a time, some of them in vain: how many there are is hard to predict.
            let (first, end) = (count, count + to.count_ones() as usize);
            while let Some(places) = buffer.get_mut(count..count + 4)
                && to != 0
            {
                for place in places {
                    *place = origin | u16::from(square_of(to) & 63);
                    to &= to.wrapping_sub(1);
                }
                count += 4;
            }
            count = end;
            if from == self.king {
                let castles = targets[usize::from(from)] & !self.king_steps();
                for played in buffer.get_mut(first..end).into_iter().flatten() {
                    if castles >> (*played & 63) & 1 == 1 {
                        *played |= CASTLING;
                    }
                }
            }
        }
        count
    }

    /// Where the king may go, but for castling.
    #[inline(always)]
    fn king_steps(&self) -> u64 {
        KING_ATTACKS[usize::from(self.king)] & !self.pieces.colour(self.turn) & !self.danger
    }

    /// Where the king goes when it castles.
    #[inline(always)]
    fn castles(&self) -> u64 {
        let king = self.king;
        let back_rank = if self.turn == Colour::White { 0 } else { 56 };
        let rooks = self.state.board() & self.pieces.of(self.turn, Role::Rook) & 0xff << back_rank;
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
                let usual = king & 7 == 4 && matches!(rook & 7, 0 | 7);
                castles |= 1 << if usual { two } else { rook };
            }
        }
        castles
    }

    /// The en passant square, if there is a pawn to capture.
    #[inline(always)]
    fn en_passant(&self) -> u64 {
        let (rank, enemy) = match self.turn {
            Colour::White => (5, Colour::Black),
            Colour::Black => (2, Colour::White),
        };
        let square = self.state.board() & RANKS[rank] & !self.pieces.occupied();
        square & ahead(self.turn, self.pieces.of(enemy, Role::Pawn))
    }

    /// Whether the king is not in check after a capture en passant.
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

    /// The squares to which a pin confines a piece: those of the line through the king.
    #[inline(always)]
    fn along_pin(&self, square: u8) -> u64 {
        if self.pinned >> square & 1 == 1 { line::line(self.king, square) } else { !0 }
    }
}

/// The legal moves of a position, one by one: [`Legal::moves`].
#[derive(Clone, Debug)]
pub struct Moves {
    targets: [u64; 64],
    king: u8,
    king_steps: u64,
    pawns: u64,
    en_passant: u64,
    from: u8,
    /// The next promotion's number, while a pawn has more of them.
    promotions: u8,
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let from = (self.from..64).find(|&from| self.targets[usize::from(from)] != 0);
        self.from = from.unwrap_or(64);
        let from = from?;
        let targets = &mut self.targets[usize::from(from)];
        let to = square_of(*targets);
        let set = 1 << to;
        if from == self.king {
            *targets &= !set;
            let kind =
                if self.king_steps & set == 0 { MoveKind::Castling } else { MoveKind::Normal };
            return Some(Move::new(from, to, kind));
        }
        if self.pawns >> from & 1 == 0 {
            *targets &= !set;
            return Some(Move::new(from, to, MoveKind::Normal));
        }
        if set & (RANKS[0] | RANKS[7]) == 0 {
            *targets &= !set;
            let kind =
                if set & self.en_passant == 0 { MoveKind::Normal } else { MoveKind::EnPassant };
            return Some(Move::new(from, to, kind));
        }
        let becomes = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let role = becomes[usize::from(self.promotions)];
        self.promotions = (self.promotions + 1) % 4;
        if self.promotions == 0 {
            *targets &= !set;
        }
        Some(Move::new(from, to, MoveKind::Promotion(role)))
    }
}

/// One rank up for white, one down for black.
#[inline(always)]
fn ahead(colour: Colour, set: u64) -> u64 {
    match colour {
        Colour::White => set << 8,
        Colour::Black => set >> 8,
    }
}

/// The square of a set that has one.
#[inline(always)]
fn square_of(set: u64) -> u8 {
    set.trailing_zeros() as u8
}

/// The squares of a set, one by one.
#[inline(always)]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        let square = (set != 0).then(|| square_of(set))?;
        set &= set - 1;
        Some(square)
    })
}
