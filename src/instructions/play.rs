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

#[inline(always)]
pub(crate) fn play(pieces: &Pieces, state: State, played: Move) -> (Pieces, State) {
    Parent::new(pieces, state).play(played)
}

/// The squares on which two positions differ (four at most after a move), from a1 on, with the piece that stands there in
/// the second.
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

/// A position and a piece that leaves its square: the part that all moves of this piece share.
///
/// In each of the eight sets the old square is cleared, and the new one gets the old one's bit: one `and` and one `xor`
/// for any piece.
pub(crate) struct Leaving {
    sets: [u64; 8],
    /// The change of each set if every square became the new one.
    changes: [u64; 8],
    /// The successor's state, to which [`state_at`](Self::state_at) adds the en passant square, and from which it removes a
    /// castling rook that is captured.
    pub(super) state: u64,
    /// One step and two ahead of a pawn.
    pub(super) one: u64,
    pub(super) two: u64,
}

impl Leaving {
    /// The pieces when it has come to a square, but for what [`Parent::finish`] does if the move is special.
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

/// A position whose moves are played: the part that all of its moves share.
#[derive(Clone, Copy)]
pub(crate) struct Parent {
    sets: [u64; 8],
    /// The state of successors before the changes of a move.
    state: u64,
    back_rank: u64,
    /// By how many squares a board is rotated for a step ahead.
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

    /// The position without the piece on a square, which goes elsewhere.
    #[inline(always)]
    pub(crate) fn leaving(&self, square: u8) -> Leaving {
        // From a table, so that it is a vector from the start.
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

    /// The additional changes of a special move.
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
                // In Chess960 it goes to the rook's square.
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
