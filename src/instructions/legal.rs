//! The legal moves of one position, piece by piece.
//!
//! Engines generate moves in this way: each piece's attacks are restricted to its legal destinations. This module
//! shares no code with the set-wise [`legal`](crate::legal); the tests compare the two.

use super::king::KingFacts;
use super::moves::{Generator, PROMOTING, ahead, steps};
use crate::bitboard::{RANKS, square_of, squares};
use crate::boards::inlined;
use crate::leaper::{KNIGHT_ATTACKS, PAWN_ATTACKS};
use crate::legal::{PLANES, State, Status, plane};
use crate::line;
use crate::pieces::{Colour, Pieces, Role};

pub use super::moves::{Legal, Moves};

/// Returns whether each square has at most one piece, and each side one king.
#[inline(always)]
pub(super) fn is_consistent(pieces: &Pieces) -> bool {
    let roles = Role::ALL.map(|role| pieces.role(role)).into_iter().fold(0, |all, of| all | of);
    pieces.is_distinct()
        && roles == pieces.occupied()
        && Colour::ALL.into_iter().all(|colour| pieces.of(colour, Role::King).is_power_of_two())
}

impl Legal {
    /// The legal moves of a position, given the facts about the mover's king, which are not computed again. Nothing is
    /// validated; see [`legal_unchecked`](crate::position::legal_unchecked).
    ///
    /// ```
    /// use setwise::position::{self, Legal};
    /// use setwise::{Colour, Fen, Pieces};
    /// let facts = position::king_facts(&Pieces::START, Colour::White);
    /// let legal = Legal::new(&Pieces::START, (&Fen::START).into(), &facts);
    /// assert_eq!(legal.count(), 20);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn new(pieces: &Pieces, state: State, facts: &KingFacts) -> Self {
        let turn = state.turn();
        let king = square_of(pieces.of(turn, Role::King)) & 63;
        let KingFacts { checkers, danger, pinned, .. } = *facts;
        Self {
            pieces: *pieces,
            state,
            turn,
            king,
            checkers,
            danger,
            pinned,
            castling: 0,
            en_passant: 0,
            origins: 0,
            destinations: 0,
        }
        .all()
    }

    /// Removes all restrictions.
    #[inline(always)]
    fn all(mut self) -> Self {
        let board = self.state.board();
        let (rank, back_rank, enemy) = match self.turn {
            Colour::White => (5, 0, Colour::Black),
            Colour::Black => (2, 7, Colour::White),
        };
        self.castling = board & RANKS[back_rank] & self.pieces.of(self.turn, Role::Rook);
        self.en_passant = board
            & RANKS[rank]
            & !self.pieces.occupied()
            & ahead(self.turn, self.pieces.of(enemy, Role::Pawn));
        (self.origins, self.destinations) = (!0, !0);
        self
    }

    /// Keeps only captures, including en passant.
    ///
    /// ```
    /// use setwise::{Fen, position};
    /// let fen = Fen::parse("4k3/8/8/3pP3/8/8/3p4/4K3 w - d6 0 1")?;
    /// let legal = position::legal(&fen.pieces, (&fen).into()).expect("a king a side");
    /// let captures: Vec<String> = legal.captures().moves().map(|played| played.to_string()).collect();
    /// assert_eq!(captures, ["e1d2"]); // in check, so not e5d6
    /// assert_eq!(legal.quiets().count(), legal.count() - 1);
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn captures(mut self) -> Self {
        self.castling = 0;
        self.destinations &= self.pieces.colour(self.turn.opponent());
        self
    }

    /// Keeps only moves that do not capture, including promotions and castling.
    #[inline]
    #[must_use]
    pub fn quiets(mut self) -> Self {
        self.en_passant = 0;
        self.destinations &= !self.pieces.colour(self.turn.opponent());
        self
    }

    /// Keeps only moves of the pieces on these squares.
    #[inline]
    #[must_use]
    pub fn from_squares(mut self, origins: u64) -> Self {
        self.origins &= origins;
        self
    }

    /// Keeps only moves to these squares; see [`MoveKind`](crate::legal::MoveKind) for castling and en passant.
    #[inline]
    #[must_use]
    pub fn to_squares(mut self, destinations: u64) -> Self {
        self.destinations &= destinations;
        self.en_passant &= destinations;
        self
    }

    /// The pieces that give check.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> u64 {
        self.checkers
    }

    /// The mover's pieces that are pinned to the king.
    #[inline]
    #[must_use]
    pub fn pinned(&self) -> u64 {
        self.pinned
    }

    /// The squares where the mover's king would be in check.
    #[inline]
    #[must_use]
    pub fn king_danger(&self) -> u64 {
        self.danger
    }

    /// The squares from which a piece of each role, in the order of [`Role::ALL`], gives check to the enemy's king;
    /// none for a king. The enemy king's [`KingFacts::discoverers`] give check by leaving their line.
    ///
    /// ```
    /// use setwise::{Fen, Role, position};
    /// let fen = Fen::parse("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1")?;
    /// let legal = position::legal(&fen.pieces, (&fen).into()).expect("a king a side");
    /// let squares = legal.checking_squares()[Role::Knight as usize];
    /// assert_eq!(legal.from_squares(fen.pieces.knights).to_squares(squares).count(), 2); // Nd6+, Nf6+
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn checking_squares(&self) -> [u64; 6] {
        let (enemy, occupied) = (self.turn.opponent(), self.pieces.occupied());
        let king = square_of(self.pieces.of(enemy, Role::King)) & 63;
        let (rook, bishop) =
            (line::rook_attacks(king, occupied), line::bishop_attacks(king, occupied));
        let pawn = PAWN_ATTACKS[enemy as usize][usize::from(king)];
        [pawn, KNIGHT_ATTACKS[usize::from(king)], bishop, rook, bishop | rook, 0]
    }

    /// Visits the pieces that can move, in no particular order, with their role, square and set of destinations as in
    /// [`targets`](Self::targets). A set is never empty. A pawn may be visited several times, each time with different
    /// destinations.
    #[inline(always)]
    pub fn visit(&self, mut visit: impl FnMut(Role, u8, u64)) {
        self.generate(|event| match event {
            Part::Piece(role, from, to) if to != 0 => visit(role, from, to),
            Part::Pawn(from, to) if to != 0 => visit(Role::Pawn, from, to),
            Part::Piece(..) | Part::Pawn(..) => {}
            Part::Pawns(step, to) => {
                squares(to).for_each(|to| visit(Role::Pawn, to.wrapping_sub(step), 1 << to));
            }
        });
    }

    /// Generates the moves of single pieces, and those of all pawns that take the same step together.
    #[inline(always)]
    fn generate(&self, mut next: impl FnMut(Part)) {
        let generator = Generator::new(self);
        if generator.movers(self, Role::King) != 0 {
            let to = generator.targets(self, Role::King, self.king);
            next(Part::Piece(Role::King, self.king, to));
        }
        if generator.movers == 0 {
            return;
        }
        // A loop for each role. One loop over all of them would select the code of the role by an indirect jump for each
        // piece.
        let mut pieces = inlined(
            #[inline(always)]
            |role| {
                for from in squares(generator.movers(self, role)) {
                    next(Part::Piece(role, from, generator.targets(self, role, from)));
                }
            },
        );
        pieces(Role::Knight);
        pieces(Role::Bishop);
        pieces(Role::Rook);
        pieces(Role::Queen);
        for (step, to) in steps(self.turn).into_iter().zip(generator.pawns(self)) {
            next(Part::Pawns(step, to));
        }
        for from in squares(generator.movers(self, Role::Pawn)) {
            next(Part::Pawn(from, generator.targets(self, Role::Pawn, from)));
        }
    }

    /// The destinations of each piece, by its square (0 = a1, 63 = h8). Castling is a move of the king, as defined by
    /// [`MoveKind::Castling`](crate::legal::MoveKind::Castling).
    #[inline]
    #[must_use]
    pub fn targets(&self) -> [u64; 64] {
        let mut sorted = Sorted::default();
        self.sort(&mut sorted);
        sorted.targets
    }

    /// The moves as 73 planes: sets of origins, from the point of view of the side to move.
    ///
    /// If black is to move, the board is flipped vertically, so that its pawns go north. The planes are those of
    /// AlphaZero:
    ///
    /// | planes | moves |
    /// |---|---|
    /// | 0 to 55 | `7 * direction + distance - 1`, directions clockwise from north ([`DIRECTIONS`](crate::legal::DIRECTIONS)), distances 1 to 7; including promotions to a queen |
    /// | 56 to 63 | knight moves, clockwise from two north and one east ([`LEAPS`](crate::legal::LEAPS)) |
    /// | 64 to 72 | `64 + 3 * role + way`: promotions to a knight (0), a bishop (1), a rook (2), by a capture to the north-west (0), straight on (1), by a capture to the north-east (2) |
    ///
    /// Castling is a king move to the east or west: by two squares if the king is on the e-file and the rook in a
    /// corner, otherwise (Chess960) to the rook's square. No other move has the same plane and origin.
    ///
    /// ```
    /// use setwise::{Fen, position};
    /// let fen = Fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let legal = position::legal(&fen.pieces, (&fen).into()).expect("a king a side");
    /// assert_eq!(legal.planes()[7 * 2 + 2 - 1], 1 << 4); // e1 two squares east: castling
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn planes(&self) -> [u64; PLANES] {
        let mut planes = [0; PLANES];
        for played in self.moves() {
            let (plane, from) = plane(played, self.turn);
            planes[plane] |= 1 << from;
        }
        planes
    }

    /// Sorts destinations by origin.
    #[inline(always)]
    pub(crate) fn sort(&self, sorted: &mut Sorted) {
        *sorted = Sorted::default();
        let Sorted { targets, origins, count, .. } = sorted;
        let mut add = |from: u8, to: u64| {
            targets[usize::from(from & 63)] |= to;
            *origins |= u64::from(to != 0) << (from & 63);
        };
        self.generate(|part| {
            *count += part.count() as usize;
            match part {
                Part::Piece(_, from, to) | Part::Pawn(from, to) => add(from, to),
                Part::Pawns(step, to) => {
                    squares(to).for_each(|to| add(to.wrapping_sub(step), 1 << to));
                }
            }
        });
        let castles = sorted.targets[usize::from(self.king & 63)] & !self.king_steps() != 0;
        let pawns = ahead(self.turn.opponent(), PROMOTING) | self.en_passant_capturers();
        sorted.special = u64::from(castles) << self.king | pawns & self.pieces.pawns;
    }

    /// Writes the moves of any piece to the front of a buffer, in order, and returns their number.
    #[inline(always)]
    pub(super) fn write_moves_of(&self, from: u8, to: u64, buffer: &mut [u16]) -> usize {
        let bits = u16::from(from) << 6;
        let [castles, promotions, en_passant] = if from == self.king {
            [!self.king_steps(), 0, 0]
        } else if self.pieces.pawns >> from & 1 == 1 {
            [0, PROMOTING, self.en_passant]
        } else {
            [0; 3]
        };
        let mut count = 0;
        for to in squares(to) {
            let is = |set: u64| set >> to & 1 == 1;
            let bits = bits | u16::from(to);
            let (bits, roles) = if is(promotions) {
                (bits | 1 << 14, 4)
            } else {
                (bits | u16::from(is(en_passant)) << 15 | if is(castles) { 3 << 14 } else { 0 }, 1)
            };
            for role in 0..roles {
                if let Some(place) = buffer.get_mut(count) {
                    *place = bits | role << 12;
                }
                count += 1;
            }
        }
        count
    }

    /// The number of legal moves; a promotion counts four times.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> u32 {
        let mut count = 0;
        self.generate(|part| count += part.count());
        count
    }

    /// Check, checkmate, stalemate, or none of these, regardless of restrictions.
    #[inline]
    #[must_use]
    pub fn status(&self) -> Status {
        let moves = self.king_steps() != 0 || self.all().count() != 0;
        match (self.checkers != 0, moves) {
            (false, true) => Status::Normal,
            (true, true) => Status::Check,
            (true, false) => Status::Checkmate,
            (false, false) => Status::Stalemate,
        }
    }

    /// Iterates over the moves. Promotions on a square are in the order knight, bishop, rook, queen.
    #[inline(always)]
    #[must_use]
    pub fn moves(&self) -> Moves {
        Moves::new(*self)
    }

    /// Writes the [bits](crate::legal::Move::bits) of [`moves`](Self::moves), sorted by origin and then by destination,
    /// to the front of a buffer, and returns the number of moves. A buffer that is too small receives the first of
    /// them. [`MAX_MOVES`] elements always suffice, and 218 for any position that can arise in a game.
    ///
    /// ```
    /// use setwise::{Fen, Pieces, position};
    /// let legal = position::legal(&Pieces::START, (&Fen::START).into()).expect("a position");
    /// let mut buffer = [0; 218];
    /// assert_eq!(legal.write_moves(&mut buffer), 20);
    /// assert!(legal.moves().all(|played| buffer[..20].contains(&played.bits())));
    /// ```
    #[inline(always)]
    pub fn write_moves(&self, buffer: &mut [u16]) -> usize {
        let mut sorted = Sorted::default();
        self.sort(&mut sorted);
        let Sorted { ref targets, origins, special, .. } = sorted;
        let mut count = 0;
        for from in squares(origins) {
            let (mut to, bits) = (targets[usize::from(from)], u16::from(from) << 6);
            let end = count + to.count_ones() as usize;
            if special >> from & 1 == 0 {
                // Four at a time, so that the number of moves need not be predicted.
                while to != 0
                    && let Some(four) = buffer.get_mut(count..count + 4)
                {
                    for place in four {
                        *place = to.trailing_zeros() as u16 & 63 | bits;
                        to &= to.wrapping_sub(1);
                    }
                    count += 4;
                }
                if to == 0 {
                    count = end;
                    continue;
                }
            }
            let rest = buffer.get_mut(count..).unwrap_or_default();
            count += self.write_moves_of(from, to, rest);
        }
        count
    }
}

/// The moves of a position: destinations by origin.
pub(crate) struct Sorted {
    pub(super) targets: [u64; 64],
    /// The origins that have destinations.
    pub(super) origins: u64,
    /// A superset of the origins with promotions, castling or captures en passant.
    pub(super) special: u64,
    pub(crate) count: usize,
}

/// A part of the moves, from [`Legal::generate`]: destinations of a piece, a pawn, or all pawns with the same step.
enum Part {
    Piece(Role, u8, u64),
    Pawn(u8, u64),
    Pawns(u8, u64),
}

impl Default for Sorted {
    #[inline(always)]
    fn default() -> Self {
        Self { targets: [0; 64], origins: 0, special: 0, count: 0 }
    }
}

impl Part {
    #[inline(always)]
    fn count(&self) -> u32 {
        match *self {
            Self::Piece(_, _, to) => to.count_ones(),
            Self::Pawn(_, to) | Self::Pawns(_, to) => {
                to.count_ones() + 3 * (to & PROMOTING).count_ones()
            }
        }
    }
}

/// An upper bound for the number of moves that [`Legal::write_moves`] writes, for any arrangement of pieces.
pub const MAX_MOVES: usize = 512;
