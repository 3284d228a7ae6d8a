//! Zobrist keys of positions, and whether an en passant square belongs to them.

use crate::bitboard::{RANKS, squares};
use crate::dispatch::BuiltIn;
use crate::instructions::Instructions;
use crate::instructions::legal::Legal;
use crate::leaper;
use crate::legal::{BLACK_MOVES, MoveKind, State};
use crate::pieces::{Pieces, Role};

/// A key for each square of the eight sets of [`Pieces`] and of the [`State`]. 4.5 KB.
static KEYS: [[u64; 64]; 9] = {
    let (mut keys, mut i) = ([[0; 64]; 9], 0);
    while i < 9 * 64 {
        keys[i / 64][i % 64] = splitmix64(i as u64);
        i += 1;
    }
    keys
};

/// The output of splitmix64, seeded with 0, at an index.
const fn splitmix64(index: u64) -> u64 {
    let state = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The squares that tell the side to move: one key suffices for the full rank.
const NOT_A4: u64 = BLACK_MOVES & (BLACK_MOVES - 1);

/// The Zobrist key of a position: the exclusive or of a random number for each element of its eight sets and of its
/// [state](State::board).
///
/// A piece counts twice, once for its role and once for its colour. So the key is linear in the sets: the key of a
/// position after a move is the key before it xor their [`key_change`]. The number of square `s` in the set `i` of
/// [`Pieces::sets`] (8 for the state, of which rank 4 counts only as a4) is output `64 i + s` of splitmix64, seeded with
/// 0. The numbers will not change.
///
/// An en passant square counts even if no pawn can capture there; see [`with_legal_en_passant`].
///
/// ```
/// use setwise::{Fen, Pieces, position};
/// let key = position::key(&Pieces::START, (&Fen::START).into());
/// assert_eq!(key, 0x645e_c1d7_6b36_f5dc);
/// ```
#[inline]
#[must_use]
#[doc(alias = "zobrist")]
#[doc(alias = "hash")]
pub fn key(pieces: &Pieces, state: State) -> u64 {
    key_of_sets(pieces.sets(), state.board())
}

/// The change of the [`key`] from one position to another: the exclusive or of their keys. For a move, it takes some
/// eight look-ups.
///
/// ```
/// use setwise::legal::{Move, MoveKind, State};
/// use setwise::{Fen, Pieces, position};
/// let before = (Pieces::START, State::from(&Fen::START));
/// let after = position::play(&before.0, before.1, Move::new(12, 28, MoveKind::Normal));
/// let changed = position::key(&before.0, before.1) ^ position::key_change(before, after);
/// assert_eq!(changed, position::key(&after.0, after.1));
/// ```
#[inline]
#[must_use]
pub fn key_change(before: (Pieces, State), after: (Pieces, State)) -> u64 {
    let mut sets = before.0.sets();
    for (set, after) in sets.iter_mut().zip(after.0.sets()) {
        *set ^= after;
    }
    key_of_sets(sets, before.1.board() ^ after.1.board())
}

#[inline]
fn key_of_sets(sets: [u64; 8], state: u64) -> u64 {
    let [a, b, c, d, e, f, g, h] = sets;
    let mut key = 0;
    for (set, keys) in [a, b, c, d, e, f, g, h, state & !NOT_A4].into_iter().zip(&KEYS) {
        for square in squares(set) {
            key ^= keys[usize::from(square & 63)];
        }
    }
    key
}

/// The state without its en passant square if no legal move captures there, so that equal positions have equal states
/// (and [keys](key)). [`play`](crate::position::play) sets the square after every double step.
///
/// ```
/// use setwise::{Fen, legal::State, position};
/// for (fen, square) in [
///     ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", Some(20)),
///     ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", None), // no pawn
///     ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", None), // check along the rank
/// ] {
///     let fen = Fen::parse(fen)?;
///     let state = position::with_legal_en_passant(&fen.pieces, State::from(&fen));
///     assert_eq!(state.en_passant(), square);
/// }
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[must_use]
pub fn with_legal_en_passant(pieces: &Pieces, state: State) -> State {
    let square = state.board() & (RANKS[2] | RANKS[5]);
    let turn = state.turn();
    let capturers = leaper::pawns(!turn, square) & pieces.of(turn, Role::Pawn);
    let captures = |legal: Legal| {
        legal
            .from_squares(capturers)
            .to_squares(square)
            .moves()
            .any(|played| played.kind() == MoveKind::EnPassant)
    };
    if capturers != 0 && captures(BuiltIn::legal_unchecked(pieces, state)) {
        state
    } else {
        State::from_board(state.board() & !square)
    }
}
