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

/// [`position::play`](fn@crate::position::play).
#[inline(always)]
pub(crate) fn play(pieces: &Pieces, state: State, played: Move) -> (Pieces, State) {
    let parent = Parent::new(pieces, state);
    let mut after = parent.pieces_after(played);
    if played.kind() != MoveKind::Normal {
        parent.finish(played, &mut after);
    }
    (after, parent.state_after(played))
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

/// A position whose moves are played: what is the same for all of them.
#[derive(Clone, Copy)]
pub(crate) struct Parent {
    sets: [u64; 8],
    /// The state of successors but for what a move takes from it or adds to it.
    state: u64,
    back_rank: u64,
    turn: Colour,
}

impl Parent {
    #[inline(always)]
    pub(crate) fn new(pieces: &Pieces, state: State) -> Self {
        let turn = state.turn();
        let state = (state.board() ^ BLACK_MOVES) & !EN_PASSANT;
        let back_rank = RANKS[if turn == Colour::White { 0 } else { 7 }];
        Self { sets: pieces.sets(), state, back_rank, turn }
    }

    /// Whether a legal move captures or moves a pawn.
    #[cfg(all(feature = "bulk", feature = "std"))]
    #[inline(always)]
    pub(crate) fn resets_clock(&self, played: Move) -> bool {
        let [pawns, .., white, black] = self.sets;
        let enemy = if self.turn == Colour::White { black } else { white };
        (enemy >> played.to() | pawns >> played.from()) & 1 == 1
    }

    /// The pieces after a legal move, but for what [`finish`](Self::finish) does if it is special.
    ///
    /// In each of the eight sets both squares are cleared, then the new one is added where the old one was. That is a
    /// comparison and four logical operations for a vector of sets, whatever the piece is.
    #[inline(always)]
    pub(crate) fn pieces_after(&self, played: Move) -> Pieces {
        // From a table, so that both are vectors from the start.
        let from = &SQUARES[usize::from(played.from())].0;
        let to = &SQUARES[usize::from(played.to())].0;
        let mut sets = [0; 8];
        let mut i = 0;
        while i < 8 {
            let (set, from, to) = (self.sets[i], from[i % 4], to[i % 4]);
            sets[i] = (set & !(from | to)) | if set & from == 0 { 0 } else { to };
            i += 1;
        }
        Pieces::from_sets(sets)
    }

    /// The state after a legal move.
    #[inline(always)]
    pub(crate) fn state_after(&self, played: Move) -> State {
        let [pawns, .., kings, _, _] = self.sets;
        let (from, to) = (1_u64 << played.from(), 1_u64 << played.to());
        let is = |set: u64| 0_u64.wrapping_sub(set >> played.from() & 1);
        let lost = ((from | to) & BACK_RANKS) | (self.back_rank & is(kings));
        // The square between, where a pawn goes two ranks.
        let between = (from << 8 & to >> 8) | (from >> 8 & to << 8);
        State::from_board((self.state & !lost) | (between & is(pawns)))
    }

    /// What a special move does besides.
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
