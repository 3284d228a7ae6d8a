//! The legal moves of one position: destinations by origin, a list, their number, and check, checkmate or stalemate.

use setwise::Colour;
use setwise::fen::Castling;
use setwise::legal::{Move, State};
use setwise::position::{self, Legal};

use crate::buffers::output_slice;
use crate::kernel::setwise_kernel;
use crate::pieces::{SETWISE_NO_SQUARE, colour, setwise_pieces};
use crate::position::{ready, setwise_king_facts};

/// The state of a position that legal moves depend on, apart from the pieces. The fields are as in setwise_fen.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_state {
    /// SETWISE_WHITE or SETWISE_BLACK.
    pub turn: u8,
    /// The files of white's castling rooks, a = bit 0 to h = bit 7.
    pub castling_white: u8,
    /// The files of black's castling rooks.
    pub castling_black: u8,
    /// The square behind a pawn that has just made a double step, or SETWISE_NO_SQUARE.
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

/// Writes the squares to which each piece of the side to move can legally move, by its square: `targets` has 64 sets,
/// a1 to h8. Castling moves the king by two squares if the king is on the e-file and the rook in a corner, otherwise
/// (Chess960) to the rook's square. Returns 1; or 0, with empty sets, if the position is invalid: if a side does not
/// have exactly one king, if the side not to move is in check, or if a square has two pieces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_legal_targets(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    state: setwise_state,
    targets: *mut u64,
) -> i32 {
    let (kernel, pieces) = ready!(setwise_pieces_legal_targets(kernel, pieces; state, targets));
    let legal = kernel.position().legal(pieces, state.into());
    // SAFETY: the caller's buffer holds 64 sets, or is null.
    if let Some(targets) = unsafe { targets.cast::<[u64; 64]>().as_mut() } {
        *targets = legal.map_or([0; 64], |legal| legal.targets());
    }
    legal.is_some().into()
}

/// Lists the legal moves by origin, then destination, then promotion to a knight, a bishop, a rook and a queen. Writes
/// the first `capacity` moves and returns the number of all moves; -1 if the position is invalid.
/// SETWISE_MAX_LEGAL_MOVES suffice. A move is destination + 64 * origin + 4096 * role + 16384 * special, where
/// `special` is 1 for a promotion to `role` (0 knight, 1 bishop, 2 rook, 3 queen), 2 for en passant, 3 for castling.
/// For many positions use the column `legal_moves`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_legal_moves(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    state: setwise_state,
    moves: *mut u16,
    capacity: usize,
) -> i32 {
    let (kernel, pieces) =
        ready!(setwise_pieces_legal_moves(kernel, pieces; state, moves, capacity));
    let Some(legal) = kernel.position().legal(pieces, state.into()) else { return -1 };
    // SAFETY: the caller's buffer holds `capacity` moves.
    unsafe { write_first(&legal, moves, capacity) }
}

/// Writes the first `capacity` moves, and returns the number of all moves. They pass through a separate buffer, because
/// [`Legal::write_moves`] may overwrite its buffer after the last move.
///
/// # Safety
/// `moves` is null or has space for `capacity` moves.
unsafe fn write_first(legal: &Legal, moves: *mut u16, capacity: usize) -> i32 {
    let mut buffer = [0; SETWISE_MAX_LEGAL_MOVES];
    let count = legal.write_moves(&mut buffer);
    let written = if moves.is_null() { 0 } else { capacity.min(count) };
    // SAFETY: guaranteed by the caller; at most `capacity` moves are copied.
    unsafe { output_slice(moves, written) }.copy_from_slice(&buffer[..written]);
    count as i32
}

/// All moves.
#[allow(dead_code, reason = "for C")]
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
    let legal = legal.from(origins).to(destinations);
    let legal = match kind {
        SETWISE_MOVES_CAPTURES => legal.captures(),
        SETWISE_MOVES_QUIETS => legal.quiets(),
        _ => legal,
    };
    // SAFETY: the caller's buffer holds `capacity` moves.
    unsafe { write_first(&legal, moves, capacity) }
}

/// Plays a legal move, in the bits of setwise_pieces_legal_moves(): writes the pieces of the new position to `after`
/// and returns its state. `after` may be `pieces`, or NULL. After every double step, the en passant square is set. If
/// the move is not legal, the position is unspecified; if the bits are not a move, the position does not change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_play(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    state: setwise_state,
    played: u16,
    after: *mut setwise_pieces,
) -> setwise_state {
    let (kernel, pieces) = ready!(setwise_pieces_play(kernel, pieces; state, played, after));
    let (moved, state) = match Move::from_bits(played) {
        Some(played) => kernel.position().play(pieces, state.into(), played),
        None => (*pieces, state.into()),
    };
    // SAFETY: the caller's position is no longer read, and `after` is null or has space for one.
    if let Some(after) = unsafe { after.as_mut() } {
        *after = moved.into();
    }
    state.into()
}

/// Static exchange evaluation: 1 if the side that plays a move (in the bits of setwise_pieces_legal_moves()) wins at
/// least `threshold` when both sides keep capturing on its destination as long as they profit, else 0. `values` are
/// the values of a pawn, knight, bishop, rook, queen and king. Each side captures with its least valuable piece in this
/// order. Sliders behind other attackers take part; pins are ignored. Castling, a move from an empty square, and bits
/// that are not a move win 0.
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

/// The number of legal moves, with four for each promotion; -1 if the position is invalid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_legal_count(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    state: setwise_state,
) -> i32 {
    let (kernel, pieces) = ready!(setwise_pieces_legal_count(kernel, pieces; state));
    let legal = kernel.position().legal(pieces, state.into());
    legal.map_or(-1, |legal: Legal| legal.count() as i32)
}

/// 1 if the side to move is in check, 2 if it is checkmated, 3 if it is stalemated, 0 otherwise; -1 if the position is
/// invalid. For many positions use the column `status`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_legal_status(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    state: setwise_state,
) -> i32 {
    let (kernel, pieces) = ready!(setwise_pieces_legal_status(kernel, pieces; state));
    let legal = kernel.position().legal(pieces, state.into());
    legal.map_or(-1, |legal: Legal| legal.status() as i32)
}
