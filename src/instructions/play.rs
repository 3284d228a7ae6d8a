//! The position after a move.

use crate::bitboard::{RANKS, squares};
use crate::legal::{BLACK_MOVES, Move, MoveKind, State};
use crate::pieces::{Colour, Pieces, Role};

/// Each square as a set, four times: a vector of sets.
static SQUARES: [Squares; 64] = {
    let mut squares = [Squares([0; 4]); 64];
    let mut square = 0;
    while square < 64 {
        squares[square] = Squares([1 << square; 4]);
        square += 1;
    }
    squares
};

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Squares([u64; 4]);

/// The squares of castling rooks, and of en passant, in a [`State`].
const BACK_RANKS: u64 = RANKS[0] | RANKS[7];
const EN_PASSANT: u64 = RANKS[2] | RANKS[5];

/// The squares on which two positions differ (at most four after a move), starting from a1, and the piece on each in
/// the second position.
///
/// ```
/// use setwise::{Colour, Fen, Role, legal::{Move, MoveKind}, position};
/// let fen = Fen::parse("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")?;
/// let en_passant = Move::new(36, 43, MoveKind::EnPassant);
/// let (after, _) = position::play(&fen.pieces, (&fen).into(), en_passant);
/// let changed: Vec<_> = position::changed_squares(&fen.pieces, &after).collect();
/// assert_eq!(changed, [(35, None), (36, None), (43, Some((Colour::White, Role::Pawn)))]);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline]
pub fn changed_squares<'a>(
    before: &Pieces,
    after: &'a Pieces,
) -> impl Iterator<Item = (u8, Option<(Colour, Role)>)> + use<'a> {
    let sets = before.sets().into_iter().zip(after.sets());
    let changed = sets.fold(0, |changed, (before, after)| changed | (before ^ after));
    squares(changed).map(|square| (square, after.at(square)))
}

/// A position and a piece that leaves its square: the work shared by all moves of this piece.
///
/// In each of the eight sets, the old square is cleared and its bit is copied to the new square: one `and` and one
/// `xor` for any piece.
pub(crate) struct Leaving {
    sets: [u64; 8],
    /// The change of each set if every square were the destination.
    changes: [u64; 8],
    /// The successor's state, before [`state_at`](Self::state_at) adds the en passant square and removes a captured
    /// castling rook.
    pub(super) state: u64,
    /// One and two steps ahead of a pawn; empty for other pieces.
    pub(super) one: u64,
    pub(super) two: u64,
}

impl Leaving {
    /// The pieces after the move to a square, except for the changes of special moves in [`Parent::finish`].
    #[inline(always)]
    pub(crate) fn pieces_at(&self, square: u8) -> Pieces {
        let to = &SQUARES[usize::from(square)].0;
        let mut sets = [0; 8];
        let mut i = 0;
        while i < 8 {
            sets[i] = self.sets[i] ^ (self.changes[i] & to[i % 4]);
            i += 1;
        }
        Pieces::from_sets(sets)
    }

    #[inline(always)]
    pub(crate) fn state_at(&self, square: u8) -> State {
        let to = 1 << square;
        let en_passant = if self.two == to { self.one } else { 0 };
        State::from_board((self.state & !(to & BACK_RANKS)) | en_passant)
    }
}

/// A position whose moves are played: the work shared by all of its moves.
#[derive(Clone, Copy)]
pub(crate) struct Parent {
    sets: [u64; 8],
    /// The state of all successors, before the changes of the move.
    state: u64,
    back_rank: u64,
    /// The number of bits by which a board is rotated for one step ahead.
    ahead: u32,
    turn: Colour,
}

impl Parent {
    #[inline(always)]
    pub(crate) fn new(pieces: &Pieces, state: State) -> Self {
        let turn = state.turn();
        let state = (state.board() ^ BLACK_MOVES) & !EN_PASSANT;
        let (back_rank, ahead) = match turn {
            Colour::White => (RANKS[0], 8),
            Colour::Black => (RANKS[7], 56),
        };
        Self { sets: pieces.sets(), state, back_rank, ahead, turn }
    }

    #[inline(always)]
    pub(crate) fn play(&self, played: Move) -> (Pieces, State) {
        let leaving = self.leaving(played.from());
        let mut after = leaving.pieces_at(played.to());
        if played.kind() != MoveKind::Normal {
            self.finish(played, &mut after);
        }
        (after, leaving.state_at(played.to()))
    }

    /// Removes the piece on a square, which is about to move.
    #[inline(always)]
    pub(crate) fn leaving(&self, square: u8) -> Leaving {
        // Loaded from a table, so that it is a vector from the start.
        let from = &SQUARES[usize::from(square)].0;
        let (mut sets, mut changes) = ([0; 8], [0; 8]);
        let mut i = 0;
        while i < 8 {
            let (set, from) = (self.sets[i], from[i % 4]);
            sets[i] = set & !from;
            changes[i] = sets[i] ^ if set & from == 0 { 0 } else { !0 };
            i += 1;
        }
        let [pawns, .., kings, _, _] = self.sets;
        let from = from[0];
        let is = |set: u64| 0_u64.wrapping_sub(set >> square & 1);
        let state = self.state & !(from & BACK_RANKS) & !(self.back_rank & is(kings));
        let one = (from & pawns).rotate_left(self.ahead);
        Leaving { sets, changes, state, one, two: one.rotate_left(self.ahead) }
    }

    /// Makes the additional changes of a special move.
    #[inline(never)]
    pub(crate) fn finish(&self, played: Move, after: &mut Pieces) {
        let (from, to) = (played.from(), played.to());
        match played.kind() {
            MoveKind::Normal => {}
            MoveKind::Promotion(role) => {
                after.pawns &= !(1 << to);
                after.put(self.turn, role, to);
            }
            MoveKind::EnPassant => *after = after.map(|set| set & !(1 << (to ^ 8))),
            MoveKind::Castling => {
                let (back_rank, east) = (from & 56, to > from);
                let corner = if east { back_rank + 7 } else { back_rank };
                // In Chess960, the king's destination is the rook's square.
                let [_, _, _, rooks, .., white, black] = self.sets;
                let own = if self.turn == Colour::White { white } else { black };
                let rook = if (own & rooks) >> to & 1 == 1 { to } else { corner };
                *after = Pieces::from_sets(self.sets).map(|set| set & !(1 << from | 1 << rook));
                after.put(self.turn, Role::King, back_rank + if east { 6 } else { 2 });
                after.put(self.turn, Role::Rook, back_rank + if east { 5 } else { 3 });
            }
        }
    }
}
