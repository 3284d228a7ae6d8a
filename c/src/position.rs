//! One position: the questions of `setwise::position`, by the kernel's instructions; and single sliders, lines and
//! leapers, which need none.
//!
//! Nothing here can fail, so there is no status. Positions of C that lie aligned are read where they are; others are
//! copied first.

use setwise::bitboard::ByDirection;
use setwise::eval::Attacks;
use setwise::position::SliderAttacksByRole;
use setwise::{ByColour, Pieces, leaper, line};

use crate::kernel::{chosen, setwise_kernel};
use crate::pieces::{colour, setwise_pieces};

/// What one side attacks: the squares on which it could capture an enemy, by role, all together, and those that at
/// least two pieces attack. Squares of own pieces are included (they are defended); pins are ignored.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_maps {
    pub pawn: u64,
    pub knight: u64,
    pub bishop: u64,
    pub rook: u64,
    pub queen: u64,
    pub king: u64,
    pub all: u64,
    pub twice: u64,
}

/// What both sides attack.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_both_maps {
    pub white: setwise_maps,
    pub black: setwise_maps,
}

/// The rays of a set of sliders, by direction: north is towards rank 8, east towards the h-file.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_rays {
    pub north: u64,
    pub south: u64,
    pub east: u64,
    pub west: u64,
    pub north_east: u64,
    pub north_west: u64,
    pub south_east: u64,
    pub south_west: u64,
}

/// What each side's rooks, bishops and queens attack, with the two ways of queens apart.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_slider_maps {
    pub white_rook: u64,
    pub white_queen_orthogonal: u64,
    pub black_rook: u64,
    pub black_queen_orthogonal: u64,
    pub white_bishop: u64,
    pub white_queen_diagonal: u64,
    pub black_bishop: u64,
    pub black_queen_diagonal: u64,
}

/// Lends a position of C's; an empty one for NULL.
///
/// # Safety
/// The pointer is null, or points to a position and is aligned as `Pieces` are.
#[inline(always)]
pub(crate) unsafe fn lend<'a>(pieces: *const setwise_pieces) -> &'a Pieces {
    static NONE: Pieces = Pieces::EMPTY;
    // SAFETY: the caller says so, and the two types have the same fields in the same order (the check below).
    unsafe { pieces.cast::<Pieces>().as_ref() }.unwrap_or(&NONE)
}

/// Whether a position can be lent as it lies.
#[inline(always)]
pub(crate) fn can_be_lent(pieces: *const setwise_pieces) -> bool {
    pieces.cast::<Pieces>().is_aligned()
}

/// Asks again with a copy that can be lent. Not inlined: an aligned stack, and arguments that wait in memory, would cost
/// calls without a copy two nanoseconds.
///
/// # Safety
/// The pointer points to a position.
#[cold]
#[inline(never)]
pub(crate) unsafe fn with_copy<A>(
    pieces: *const setwise_pieces,
    ask: impl FnOnce(*const setwise_pieces) -> A,
) -> A {
    // SAFETY: the caller says so.
    let copy = Pieces::from(unsafe { *pieces });
    ask((&raw const copy).cast())
}

/// An answer of the library's as C has it: the same bytes. (Field by field they would be copied with vectors right after
/// they were stored as words, and each copy would wait for the cache.)
macro_rules! same_bytes {
    ($answer:expr, $from:ty => $to:ty) => {{
        const _: () = assert!(std::mem::align_of::<$from>() == std::mem::align_of::<$to>());
        let answer: $from = $answer;
        // SAFETY: both are `repr(C)` structs of as many `u64` (the compiler compares the sizes) in the same order.
        unsafe { std::mem::transmute::<$from, $to>(answer) }
    }};
}

const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<setwise_pieces>() == size_of::<Pieces>());
    assert!(offset_of!(setwise_pieces, pawns) == offset_of!(Pieces, pawns));
    assert!(offset_of!(setwise_pieces, knights) == offset_of!(Pieces, knights));
    assert!(offset_of!(setwise_pieces, bishops) == offset_of!(Pieces, bishops));
    assert!(offset_of!(setwise_pieces, rooks) == offset_of!(Pieces, rooks));
    assert!(offset_of!(setwise_pieces, queens) == offset_of!(Pieces, queens));
    assert!(offset_of!(setwise_pieces, kings) == offset_of!(Pieces, kings));
    assert!(offset_of!(setwise_pieces, white) == offset_of!(Pieces, white));
    assert!(offset_of!(setwise_pieces, black) == offset_of!(Pieces, black));
};

/// What orthogonal sliders (rooks, queens) and diagonal sliders (bishops, queens) attack together: the union of all
/// rays. Queens stand in both sets. Sliders of a set stop each other whether `occupied` has them or not, but a bishop
/// stops a rook only if `occupied` has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_slider_attacks(
    kernel: *const setwise_kernel,
    occupied: u64,
    orthogonal: u64,
    diagonal: u64,
) -> u64 {
    // SAFETY: the kernel is null or one of ours.
    unsafe { chosen(kernel) }.position().slider_attacks(occupied, orthogonal, diagonal)
}

/// What sliders attack along ranks and files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_orthogonal_attacks(
    kernel: *const setwise_kernel,
    occupied: u64,
    sliders: u64,
) -> u64 {
    // SAFETY: the kernel is null or one of ours.
    unsafe { chosen(kernel) }.position().orthogonal_attacks(occupied, sliders)
}

/// What sliders attack along diagonals.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_diagonal_attacks(
    kernel: *const setwise_kernel,
    occupied: u64,
    sliders: u64,
) -> u64 {
    // SAFETY: the kernel is null or one of ours.
    unsafe { chosen(kernel) }.position().diagonal_attacks(occupied, sliders)
}

/// The rays of setwise_slider_attacks, one by one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_slider_rays(
    kernel: *const setwise_kernel,
    occupied: u64,
    orthogonal: u64,
    diagonal: u64,
) -> setwise_rays {
    // SAFETY: the kernel is null or one of ours.
    let rays = unsafe { chosen(kernel) }.position().slider_rays(occupied, orthogonal, diagonal);
    same_bytes!(rays, ByDirection<u64> => setwise_rays)
}

/// What each side's sliders attack by role: eight sets for much less than eight calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_slider_attacks_by_role(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
) -> setwise_slider_maps {
    if !can_be_lent(pieces) {
        // SAFETY: null is aligned, so the position is the caller's.
        return unsafe {
            with_copy(pieces, move |pieces| setwise_slider_attacks_by_role(kernel, pieces))
        };
    }
    // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
    let sets = unsafe { chosen(kernel).position().slider_attacks_by_role(lend(pieces)) };
    same_bytes!(sets, SliderAttacksByRole => setwise_slider_maps)
}

/// What both sides attack. All pieces block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_attacks(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
) -> setwise_both_maps {
    if !can_be_lent(pieces) {
        // SAFETY: null is aligned, so the position is the caller's.
        return unsafe { with_copy(pieces, move |pieces| setwise_attacks(kernel, pieces)) };
    }
    // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
    let both = unsafe { chosen(kernel).position().attacks(lend(pieces)) };
    same_bytes!(both, ByColour<Attacks<u64>> => setwise_both_maps)
}

/// What one side attacks, with blockers of the caller's choice; its own sliders always block too. With the enemy king
/// taken out of `occupied`, `all` is where that king must not go, and the other maps serve the evaluation in the
/// same call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_attacks_by(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
    occupied: u64,
) -> setwise_maps {
    if !can_be_lent(pieces) {
        // SAFETY: null is aligned, so the position is the caller's.
        return unsafe {
            with_copy(pieces, move |pieces| setwise_attacks_by(kernel, pieces, colour, occupied))
        };
    }
    let side = self::colour(colour);
    // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
    let maps = unsafe { chosen(kernel).position().attacks_by(lend(pieces), side, occupied) };
    same_bytes!(maps, Attacks<u64> => setwise_maps)
}

/// The pieces of a colour that attack a square of a set, given the blockers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_attackers(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    targets: u64,
    colour: u8,
    occupied: u64,
) -> u64 {
    if !can_be_lent(pieces) {
        // SAFETY: null is aligned, so the position is the caller's.
        return unsafe {
            with_copy(pieces, move |pieces| {
                setwise_attackers(kernel, pieces, targets, colour, occupied)
            })
        };
    }
    let side = self::colour(colour);
    // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
    unsafe { chosen(kernel).position().attackers(lend(pieces), targets, side, occupied) }
}

/// The pieces that give check to a colour.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_checkers(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
) -> u64 {
    if !can_be_lent(pieces) {
        // SAFETY: null is aligned, so the position is the caller's.
        return unsafe {
            with_copy(pieces, move |pieces| setwise_checkers(kernel, pieces, colour))
        };
    }
    let side = self::colour(colour);
    // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
    unsafe { chosen(kernel).position().checkers(lend(pieces), side) }
}

/// The pieces of a colour that are pinned to their king. They may still move along setwise_line(king, square).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pinned(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
) -> u64 {
    if !can_be_lent(pieces) {
        // SAFETY: null is aligned, so the position is the caller's.
        return unsafe { with_copy(pieces, move |pieces| setwise_pinned(kernel, pieces, colour)) };
    }
    let side = self::colour(colour);
    // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
    unsafe { chosen(kernel).position().pinned(lend(pieces), side) }
}

/// The squares where a king of the colour would be in check: what the enemy attacks with that king off the board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_king_danger(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
) -> u64 {
    if !can_be_lent(pieces) {
        // SAFETY: null is aligned, so the position is the caller's.
        return unsafe {
            with_copy(pieces, move |pieces| setwise_king_danger(kernel, pieces, colour))
        };
    }
    let side = self::colour(colour);
    // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
    unsafe { chosen(kernel).position().king_danger(lend(pieces), side) }
}

/// What a rook on a square attacks; the empty set if the square is above 63, as in the four functions that follow.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_rook_attacks(square: u8, occupied: u64) -> u64 {
    if square > 63 { 0 } else { line::rook_attacks(square, occupied) }
}

/// What a bishop on a square attacks.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_bishop_attacks(square: u8, occupied: u64) -> u64 {
    if square > 63 { 0 } else { line::bishop_attacks(square, occupied) }
}

/// What a queen on a square attacks.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_queen_attacks(square: u8, occupied: u64) -> u64 {
    if square > 63 { 0 } else { line::queen_attacks(square, occupied) }
}

/// The squares strictly between two squares of a line; empty if they are on none.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_between(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::between(a, b) }
}

/// The whole line through two squares, from edge to edge; empty if they are on none.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_line(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::line(a, b) }
}

/// What a colour's pawns attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_pawn_attacks(colour: u8, pawns: u64) -> u64 {
    leaper::pawns(self::colour(colour), pawns)
}

/// What knights attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_knight_attacks(knights: u64) -> u64 {
    leaper::knights(knights)
}

/// What kings attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_king_attacks(kings: u64) -> u64 {
    leaper::kings(kings)
}
