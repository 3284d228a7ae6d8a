//! The legal moves of one position: destinations by origin, a list, their number, and check, checkmate or stalemate.

use std::ffi::c_char;
use std::ptr;

use setwise::fen::Castling;
use setwise::legal::{Move, State};
use setwise::position::{self, Legal, UciError};
use setwise::{Colour, Kernel, Pieces};

use crate::buffers::{input_slice, output_slice};
use crate::kernel::chosen;
use crate::pieces::{SETWISE_NO_SQUARE, colour, setwise_pieces};
use crate::position::{questions, setwise_king_facts};

/// The state of a position that legal moves depend on, apart from the pieces. The fields are as in setwise_fen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_state {
    pub turn: u8,
    pub castling_white: u8,
    pub castling_black: u8,
    pub en_passant: u8,
}

impl From<setwise_state> for State {
    #[inline(always)]
    fn from(state: setwise_state) -> Self {
        let castling = Castling { white: state.castling_white, black: state.castling_black };
        let square = (state.en_passant != SETWISE_NO_SQUARE).then_some(state.en_passant);
        Self::new(colour(state.turn), castling, square)
    }
}

impl From<State> for setwise_state {
    #[inline(always)]
    fn from(state: State) -> Self {
        let castling = state.castling();
        Self {
            turn: (state.turn() == Colour::Black).into(),
            castling_white: castling.white,
            castling_black: castling.black,
            en_passant: state.en_passant().unwrap_or(SETWISE_NO_SQUARE),
        }
    }
}

/// The length of a buffer that suffices for the legal moves of any position. Positions that can arise in chess have at
/// most 218; this suffices for any number of pieces on any squares.
pub const SETWISE_MAX_LEGAL_MOVES: usize = 512;

questions! {
    /// Writes the squares to which each piece of the side to move can legally move, by its square: `targets` has 64
    /// sets, a1 to h8. Castling moves the king by two squares if the king is on the e-file and the rook in a corner,
    /// otherwise (Chess960) to the rook's square. Returns 1; or 0, with empty sets, if the position is invalid: if a
    /// side does not have exactly one king, if the side not to move is in check, or if a square has two pieces.
    fn setwise_pieces_legal_targets(kernel, pieces; state: setwise_state, targets: *mut u64) -> i32 {
        let legal = kernel.position().legal(pieces, state.into());
        // SAFETY: the caller's buffer holds 64 sets, or is null.
        if let Some(targets) = unsafe { targets.cast::<[u64; 64]>().as_mut() } {
            *targets = legal.map_or([0; 64], |legal| legal.targets());
        }
        legal.is_some().into()
    }

    /// Lists the legal moves by origin, then destination, then promotion to a knight, a bishop, a rook and a queen.
    /// Writes the first `capacity` moves and returns the number of all moves; -1 if the position is invalid.
    /// SETWISE_MAX_LEGAL_MOVES suffice. A move is destination + 64 * origin + 4096 * role + 16384 * special, where
    /// `special` is 1 for a promotion to `role` (0 knight, 1 bishop, 2 rook, 3 queen), 2 for en passant, 3 for
    /// castling, whose destination is as in setwise_pieces_legal_targets(). For many positions use the column
    /// `legal_moves`.
    fn setwise_pieces_legal_moves(kernel, pieces; state: setwise_state, moves: *mut u16, capacity: usize) -> i32 {
        let Some(legal) = kernel.position().legal(pieces, state.into()) else { return -1 };
        // SAFETY: the caller's buffer holds `capacity` moves.
        unsafe { write_first(kernel, &legal, moves, capacity) }
    }
}

/// Writes the first `capacity` moves, and returns the number of all moves. They pass through a separate buffer, because
/// [`Legal::write_moves`] may overwrite its buffer after the last move.
///
/// # Safety
/// `moves` is null or has space for `capacity` moves.
unsafe fn write_first(kernel: Kernel, legal: &Legal, moves: *mut u16, capacity: usize) -> i32 {
    let mut buffer = [0; SETWISE_MAX_LEGAL_MOVES];
    let count = kernel.position().write_moves_of(legal, &mut buffer);
    let written = if moves.is_null() { 0 } else { capacity.min(count) };
    // SAFETY: guaranteed by the caller; at most `capacity` moves are copied.
    unsafe { output_slice(moves, written) }.copy_from_slice(&buffer[..written]);
    count as i32
}

/// All moves.
pub const SETWISE_MOVES_ALL: u8 = 0;

/// Moves that capture, en passant included.
pub const SETWISE_MOVES_CAPTURES: u8 = 1;

/// Moves that do not capture; promotions and castling included.
pub const SETWISE_MOVES_QUIETS: u8 = 2;

/// Lists legal moves from facts returned by setwise_pieces_king_facts() for the side to move: only moves from `origins`
/// to `destinations`, of the kind selected by a SETWISE_MOVES_... constant. Order, bits, `capacity` and the result are
/// as in setwise_pieces_legal_moves(), but the position is not validated: if it is invalid, the moves are unspecified.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_king_facts_legal_moves(
    facts: *const setwise_king_facts,
    pieces: *const setwise_pieces,
    state: setwise_state,
    kind: u8,
    origins: u64,
    destinations: u64,
    moves: *mut u16,
    capacity: usize,
) -> i32 {
    // SAFETY: both are null or the caller's.
    let (facts, pieces) = unsafe { (facts.as_ref(), pieces.as_ref()) };
    let (facts, pieces) = (facts.copied().unwrap_or_default(), pieces.copied().unwrap_or_default());
    let legal = Legal::new(&pieces.into(), state.into(), &facts.into());
    let legal = legal.from_squares(origins).to_squares(destinations);
    let legal = match kind {
        SETWISE_MOVES_CAPTURES => legal.captures(),
        SETWISE_MOVES_QUIETS => legal.quiets(),
        _ => legal,
    };
    // SAFETY: the kernel is detected, and the caller's buffer holds `capacity` moves.
    unsafe { write_first(chosen(ptr::null()), &legal, moves, capacity) }
}

questions! {
    /// Plays a legal move, in the bits of setwise_pieces_legal_moves(): writes the pieces of the new position to
    /// `after` and returns its state. `after` may be `pieces`, or NULL. After every double step, the en passant square
    /// is set. If the move is not legal, the position is unspecified; if the bits are not a move, the position does not
    /// change.
    fn setwise_pieces_play(kernel, pieces; state: setwise_state, played: u16, after: *mut setwise_pieces) -> setwise_state {
        let state = state.into();
        let state = match Move::from_bits(played) {
            Some(played) => Play::of(kernel).play(&raw const *pieces, state, played, after.cast()),
            // SAFETY: `after` is null, or has space for a position, which may be the caller's.
            None if !after.is_null() => unsafe {
                after.cast::<Pieces>().write_unaligned(*pieces);
                state
            },
            None => state,
        };
        state.into()
    }
}

setwise::functions! {
    /// The body of [`setwise_pieces_play`].
    struct Play {
        /// Stores the new position at once: a copy would load whole vectors just after their words were stored.
        fn play<L: Level>(
            _level: L,
            pieces: *const Pieces,
            state: State,
            played: Move,
            after: *mut Pieces
        ) -> State {
            // SAFETY: only the C function runs this. The position is no longer read when it is overwritten.
            unsafe {
                let (moved, state) = position::play(&*pieces, state, played);
                if !after.is_null() {
                    after.write_unaligned(moved);
                }
                state
            }
        }
    }
}

/// Static exchange evaluation: 1 if the side that plays a move (in the bits of setwise_pieces_legal_moves()) wins at
/// least `threshold` when both sides keep capturing on its destination as long as they profit, else 0. `values` are
/// the values of a pawn, knight, bishop, rook, queen and king. Each side captures with its least valuable piece in this
/// order; the king only an undefended piece. Sliders behind other attackers take part; pins are ignored; only the move
/// itself can promote. Castling, a move from an empty square, and bits that are not a move win 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_see(
    pieces: *const setwise_pieces,
    played: u16,
    values: *const i32,
    threshold: i32,
) -> i32 {
    // SAFETY: the position is null or the caller's, and so are six values.
    let (pieces, values) = unsafe { (pieces.as_ref(), values.cast::<[i32; 6]>().as_ref()) };
    let (Some(pieces), Some(values), Some(played)) = (pieces, values, Move::from_bits(played))
    else {
        return (threshold <= 0).into();
    };
    position::see(&(*pieces).into(), played, values, threshold).into()
}

questions! {
    /// The number of legal moves, with four for each promotion; -1 if the position is invalid.
    fn setwise_pieces_legal_count(kernel, pieces; state: setwise_state) -> i32 {
        let legal = kernel.position().legal(pieces, state.into());
        legal.map_or(-1, |legal| kernel.position().count_moves_of(&legal) as i32)
    }

    /// 1 if the side to move is in check, 2 if it is checkmated, 3 if it is stalemated, 0 otherwise; -1 if the position
    /// is invalid. For many positions use the column `status`.
    fn setwise_pieces_legal_status(kernel, pieces; state: setwise_state) -> i32 {
        let legal = kernel.position().legal(pieces, state.into());
        legal.map_or(-1, |legal: Legal| legal.status() as i32)
    }
}

/// What setwise_pieces_parse_uci() returns for a text that is not a move.
pub const SETWISE_NOT_A_MOVE: i32 = -1;

/// What setwise_pieces_parse_uci() returns for a move that is not legal, and for any text if the position is invalid.
pub const SETWISE_ILLEGAL_MOVE: i32 = -2;

questions! {
    /// The legal move that a text of UCI names, such as "e2e4" or "e7e8q", in the bits of setwise_pieces_legal_moves();
    /// SETWISE_NOT_A_MOVE or SETWISE_ILLEGAL_MOVE, which are negative, if there is none. Castling is the king's move
    /// ("e1g1"; in Chess960 to the c- or g-file, unless that is another move) or king takes rook ("e1h1"). `length` is
    /// in bytes; the text need not end with a NUL.
    fn setwise_pieces_parse_uci(kernel, pieces; state: setwise_state, text: *const c_char, length: usize) -> i32 {
        // SAFETY: the caller's text has `length` bytes, or is null.
        let text = unsafe { input_slice(text.cast::<u8>(), if text.is_null() { 0 } else { length }) };
        let Some(legal) = kernel.position().legal(pieces, state.into()) else {
            return SETWISE_ILLEGAL_MOVE;
        };
        match std::str::from_utf8(text).map(|text| legal.parse_uci(text)) {
            Ok(Ok(played)) => played.bits().into(),
            Ok(Err(UciError::Illegal)) => SETWISE_ILLEGAL_MOVE,
            _ => SETWISE_NOT_A_MOVE,
        }
    }
}

/// The state without its en passant square if no legal move captures there, so that equal positions have equal states
/// and keys. The position is not validated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_legal_en_passant(
    pieces: *const setwise_pieces,
    state: setwise_state,
) -> setwise_state {
    // SAFETY: the position is null or the caller's.
    let pieces = unsafe { pieces.as_ref() }.copied().unwrap_or_default();
    position::with_legal_en_passant(&pieces.into(), state.into()).into()
}

/// The Zobrist key of a position. It is the exclusive or of a number for each element of the eight sets of setwise_pieces
/// and of the state: a piece counts twice, by role and by colour. The numbers are those of splitmix64, seeded with 0, and
/// will not change. An en passant square counts even if no pawn can capture there: see
/// setwise_pieces_legal_en_passant().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_key(
    pieces: *const setwise_pieces,
    state: setwise_state,
) -> u64 {
    // SAFETY: the position is null or the caller's.
    let pieces = unsafe { pieces.as_ref() }.copied().unwrap_or_default();
    position::key(&pieces.into(), state.into())
}

/// The change of the key from one position to another: the exclusive or of their keys. For a move it takes some eight
/// look-ups.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_key_change(
    before: *const setwise_pieces,
    state_before: setwise_state,
    after: *const setwise_pieces,
    state_after: setwise_state,
) -> u64 {
    // SAFETY: both are null or the caller's.
    let [before, after] =
        [before, after].map(|of| unsafe { of.as_ref() }.copied().unwrap_or_default());
    position::key_change((before.into(), state_before.into()), (after.into(), state_after.into()))
}
