//! The legal moves of one position: destinations by origin, a list, how many, and whether there is one.

use setwise::Colour;
use setwise::fen::Castling;
use setwise::legal::{Move, State, Status};
use setwise::position::{self, Legal};

use crate::buffers::output_slice;
use crate::kernel::setwise_kernel;
use crate::pieces::{SETWISE_NO_SQUARE, colour, setwise_pieces};
use crate::position::{ready, setwise_king_facts};

/// What legal moves depend on besides the pieces. The fields are those of setwise_fen.
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

/// No chess position has more legal moves than 218. Where any number of pieces stands anywhere, this is enough.
pub const SETWISE_MAX_LEGAL_MOVES: usize = 512;

/// The squares that each piece of the side to move can legally go to, by its square: `targets` has 64 sets, a1 to h8.
/// Castling is the king going two squares where it stands on the e-file and the rook in a corner, else (Chess960) to
/// its rook's square. Returns 1; or 0, with empty sets, if the position is invalid: if a side has not exactly one king,
/// the side not to move is in check, or a square has two pieces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_legal_targets(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    state: setwise_state,
    targets: *mut u64,
) -> i32 {
    let (kernel, pieces) = ready!(setwise_pieces_legal_targets(kernel, pieces; state, targets));
    let legal = kernel.position().legal(pieces, state.into());
    // SAFETY: the caller's buffer holds 64 sets, or none if it is null.
    let to = unsafe { output_slice(targets, if targets.is_null() { 0 } else { 64 }) };
    for (to, targets) in to.iter_mut().zip(legal.map_or([0; 64], |legal| legal.targets())) {
        *to = targets;
    }
    legal.is_some().into()
}

/// The legal moves by origin, then destination, then promotion to a knight, a bishop, a rook and a queen: how many
/// there are, of which the first `capacity` are written; -1 if the position is invalid. SETWISE_MAX_LEGAL_MOVES are
/// enough. The column `legal_moves` has the same for many positions: destination + 64 * origin + 4096 * role + 16384 *
/// special, where `special` is 1 for a promotion, to the `role` 0 knight, 1 bishop, 2 rook or 3 queen; 2 for en
/// passant, 3 for castling.
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

/// Writes the first `capacity` moves, and says how many there are. They pass through a buffer, because what lies behind
/// them in that of [`Legal::write_moves`] is unspecified.
///
/// # Safety
/// `moves` is null or has space for as many of them.
unsafe fn write_first(legal: &Legal, moves: *mut u16, capacity: usize) -> i32 {
    let mut buffer = [0; SETWISE_MAX_LEGAL_MOVES];
    let count = legal.write_moves(&mut buffer);
    let written = if moves.is_null() { 0 } else { capacity.min(count) };
    // SAFETY: the caller's promise; these are no more than `capacity`.
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

/// The legal moves of a node whose king's facts are known, from setwise_pieces_king_facts() for the side to move: only
/// those from `origins` to `destinations`, of the kind that a SETWISE_MOVES_... says. Order, bits, `capacity` and the
/// result are as in setwise_pieces_legal_moves(), but nothing is validated: for an invalid position the result is some
/// number of moves.
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

/// The position after a legal move, in the bits of setwise_pieces_legal_moves(): its pieces to `after`, and the state
/// is returned. `after` may be `pieces`, or null. The en passant square is the one behind every double step. A move
/// that is not legal gives some position; bits that are no move give the position itself.
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
    // SAFETY: the caller's position is not read any more, and `after` is null or has space for one.
    if let Some(after) = unsafe { after.as_mut() } {
        *after = moved.into();
    }
    state.into()
}

/// Static exchange evaluation: 1 if the side that makes a move (in the bits of setwise_pieces_legal_moves()) wins at
/// least `threshold` if both sides then go on capturing on its destination for as long as that pays, else 0. `values`
/// are those of a pawn, knight, bishop, rook, queen and king. Each side takes with its least valuable piece in this
/// order; sliders behind others join in; pins are ignored. Castling, a move from an empty square and bits that are no
/// move win 0.
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

/// How many legal moves there are, a promotion counted four times; -1 if the position is invalid.
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

/// 1 if the side to move is in check, 2 if it is checkmate, 3 if it is stalemate, 0 if none of them; -1 if the position
/// is invalid. The column `status` has the same for many positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_legal_status(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    state: setwise_state,
) -> i32 {
    let (kernel, pieces) = ready!(setwise_pieces_legal_status(kernel, pieces; state));
    match kernel.position().legal(pieces, state.into()).map(|legal| legal.status()) {
        None => -1,
        Some(Status::Normal) => 0,
        Some(Status::Check) => 1,
        Some(Status::Checkmate) => 2,
        Some(Status::Stalemate) => 3,
    }
}
