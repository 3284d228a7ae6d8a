//! One position: the questions of `setwise::position`, by the kernel's instructions; and single sliders, lines and
//! leapers, which need none.
//!
//! Nothing here can fail, so there is no status. Positions of C that lie aligned are read where they are; others are
//! copied first.

use std::mem::MaybeUninit;

use setwise::bitboard::ByDirection;
use setwise::eval::Attacks;
use setwise::position::SliderAttacksByRole;
use setwise::{ByColour, Colour, Kernel, Pieces, leaper, line};

use crate::kernel::{chosen_already, setwise_kernel, setwise_kernel_detect};
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
unsafe fn lend<'a>(pieces: *const setwise_pieces) -> &'a Pieces {
    static NONE: Pieces = Pieces::EMPTY;
    // SAFETY: the caller says so, and the two types have the same fields in the same order (the check below).
    unsafe { pieces.cast::<Pieces>().as_ref() }.unwrap_or(&NONE)
}

/// Whether a position can be lent as it lies.
#[inline(always)]
fn can_be_lent(pieces: *const setwise_pieces) -> bool {
    pieces.cast::<Pieces>().is_aligned()
}

/// What a question needs, if nothing has to be done first: the caller's kernel, and the position where it lies.
///
/// # Safety
/// The kernel is null or one of ours, and the position null or the caller's.
#[inline(always)]
pub(crate) unsafe fn at_hand<'a>(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
) -> Option<(Kernel, &'a Pieces)> {
    if !can_be_lent(pieces) {
        return None;
    }
    // SAFETY: the caller says so.
    Some(unsafe { (chosen_already(kernel)?, lend(pieces)) })
}

/// Asks again with a kernel that is detected and a position that lies where it can be lent.
///
/// All that is rare happens in a function apart and the answer comes through memory of its own, so that an ordinary
/// question is a jump: without a frame, without an aligned stack, and with its answer where the caller wants it. That
/// is worth up to eight nanoseconds.
///
/// # Safety
/// As for [`at_hand`].
#[inline(always)]
pub(crate) unsafe fn prepare<A>(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    ask: impl FnOnce(*const setwise_kernel, *const setwise_pieces) -> A,
) -> A {
    #[cold]
    #[inline(never)]
    unsafe fn prepare<A, Ask>(
        kernel: *const setwise_kernel,
        pieces: *const setwise_pieces,
        ask: Ask,
        answer: &mut MaybeUninit<A>,
    ) where
        Ask: FnOnce(*const setwise_kernel, *const setwise_pieces) -> A,
    {
        let kernel = if kernel.is_null() { setwise_kernel_detect() } else { kernel };
        answer.write(if can_be_lent(pieces) {
            ask(kernel, pieces)
        } else {
            // SAFETY: null can be lent, so the position is the caller's.
            let copy = Pieces::from(unsafe { *pieces });
            ask(kernel, (&raw const copy).cast())
        });
    }
    let mut answer = MaybeUninit::uninit();
    // SAFETY: the caller says so, and the function writes the answer.
    unsafe {
        prepare(kernel, pieces, ask, &mut answer);
        answer.assume_init()
    }
}

/// What a function needs to ask its question; or the function returns what it answers when all is prepared. It is named
/// with its arguments.
macro_rules! ready {
    ($function:ident($kernel:ident; $($argument:ident),*)) => {{
        // SAFETY: the kernel is null or one of ours.
        match unsafe { $crate::position::at_hand($kernel, std::ptr::null()) } {
            Some((kernel, _)) => kernel,
            // SAFETY: the same.
            None => return unsafe {
                $crate::position::prepare($kernel, std::ptr::null(), move |kernel, _| {
                    $function(kernel, $($argument),*)
                })
            },
        }
    }};
    ($function:ident($kernel:ident, $pieces:ident $(; $($argument:ident),*)?)) => {{
        // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
        match unsafe { $crate::position::at_hand($kernel, $pieces) } {
            Some(ready) => ready,
            // SAFETY: the same.
            None => return unsafe {
                $crate::position::prepare($kernel, $pieces, move |kernel, pieces| {
                    $function(kernel, pieces $($(, $argument)*)?)
                })
            },
        }
    }};
}
pub(crate) use ready;

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

/// Calls a function with variables of the same names. An answer of many words must come from a call that stands alone:
/// only then does the compiler let it be written where the caller wants it, and moving it costs more than the call.
macro_rules! apart {
    (($($name:ident: $type:ty),*) -> $answer:ty $body:block) => {{
        #[inline(never)]
        fn apart($($name: $type),*) -> $answer $body
        apart($($name),*)
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
pub unsafe extern "C" fn setwise_sliders_attacks(
    kernel: *const setwise_kernel,
    orthogonal: u64,
    diagonal: u64,
    occupied: u64,
) -> u64 {
    let kernel = ready!(setwise_sliders_attacks(kernel; occupied, orthogonal, diagonal));
    kernel.position().slider_attacks(orthogonal, diagonal, occupied)
}

/// What sliders attack along ranks and files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_sliders_orthogonal_attacks(
    kernel: *const setwise_kernel,
    sliders: u64,
    occupied: u64,
) -> u64 {
    let kernel = ready!(setwise_sliders_orthogonal_attacks(kernel; occupied, sliders));
    kernel.position().orthogonal_attacks(sliders, occupied)
}

/// What sliders attack along diagonals.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_sliders_diagonal_attacks(
    kernel: *const setwise_kernel,
    sliders: u64,
    occupied: u64,
) -> u64 {
    let kernel = ready!(setwise_sliders_diagonal_attacks(kernel; occupied, sliders));
    kernel.position().diagonal_attacks(sliders, occupied)
}

/// The rays of setwise_sliders_attacks, one by one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_sliders_rays(
    kernel: *const setwise_kernel,
    orthogonal: u64,
    diagonal: u64,
    occupied: u64,
) -> setwise_rays {
    let kernel = ready!(setwise_sliders_rays(kernel; occupied, orthogonal, diagonal));
    apart!((kernel: Kernel, occupied: u64, orthogonal: u64, diagonal: u64) -> setwise_rays {
        let rays = kernel.position().slider_rays(orthogonal, diagonal, occupied);
        same_bytes!(rays, ByDirection<u64> => setwise_rays)
    })
}

/// What each side's sliders attack by role: eight sets for much less than eight calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_slider_attacks(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
) -> setwise_slider_maps {
    let (kernel, pieces) = ready!(setwise_pieces_slider_attacks(kernel, pieces));
    apart!((kernel: Kernel, pieces: &Pieces) -> setwise_slider_maps {
        let sets = kernel.position().slider_attacks_by_role(pieces);
        same_bytes!(sets, SliderAttacksByRole => setwise_slider_maps)
    })
}

/// What both sides attack. All pieces block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_attacks(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
) -> setwise_both_maps {
    let (kernel, pieces) = ready!(setwise_pieces_attacks(kernel, pieces));
    apart!((kernel: Kernel, pieces: &Pieces) -> setwise_both_maps {
        let both = kernel.position().attacks(pieces);
        same_bytes!(both, ByColour<Attacks<u64>> => setwise_both_maps)
    })
}

/// What one side attacks, with blockers of the caller's choice; its own sliders always block too. With the enemy king
/// taken out of `occupied`, `all` is where that king must not go, and the other maps serve the evaluation in the
/// same call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_attacks_by(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
    occupied: u64,
) -> setwise_maps {
    let (kernel, pieces) = ready!(setwise_pieces_attacks_by(kernel, pieces; colour, occupied));
    let colour = self::colour(colour);
    apart!((kernel: Kernel, pieces: &Pieces, colour: Colour, occupied: u64) -> setwise_maps {
        let maps = kernel.position().attacks_by(pieces, colour, occupied);
        same_bytes!(maps, Attacks<u64> => setwise_maps)
    })
}

/// The pieces of a colour that attack a square of a set, given the blockers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_attackers(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
    targets: u64,
    occupied: u64,
) -> u64 {
    let (kernel, pieces) =
        ready!(setwise_pieces_attackers(kernel, pieces; colour, targets, occupied));
    kernel.position().attackers(pieces, self::colour(colour), targets, occupied)
}

/// The pieces of both colours that attack a square of a set, given the blockers: one call in place of two of
/// setwise_pieces_attackers().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_all_attackers(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    targets: u64,
    occupied: u64,
) -> u64 {
    let (kernel, pieces) = ready!(setwise_pieces_all_attackers(kernel, pieces; targets, occupied));
    kernel.position().all_attackers(pieces, targets, occupied)
}

/// The pieces that give check to a colour.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_checkers(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
) -> u64 {
    let (kernel, pieces) = ready!(setwise_pieces_checkers(kernel, pieces; colour));
    kernel.position().checkers(pieces, self::colour(colour))
}

/// The pieces of a colour that are pinned to their king. They may still move along setwise_squares_line(king, square).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_pinned(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
) -> u64 {
    let (kernel, pieces) = ready!(setwise_pieces_pinned(kernel, pieces; colour));
    kernel.position().pinned(pieces, self::colour(colour))
}

/// The enemy sliders that pin a piece of a colour to its king.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_pinners(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
) -> u64 {
    let (kernel, pieces) = ready!(setwise_pieces_pinners(kernel, pieces; colour));
    kernel.position().pinners(pieces, self::colour(colour))
}

/// The squares where a king of the colour would be in check: what the enemy attacks with that king off the board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_king_danger(
    kernel: *const setwise_kernel,
    pieces: *const setwise_pieces,
    colour: u8,
) -> u64 {
    let (kernel, pieces) = ready!(setwise_pieces_king_danger(kernel, pieces; colour));
    kernel.position().king_danger(pieces, self::colour(colour))
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
pub extern "C" fn setwise_squares_between(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::between(a, b) }
}

/// The whole line through two squares, from edge to edge; empty if they are on none.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_squares_line(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::line(a, b) }
}

/// What a colour's pawns attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_pawns_attacks(colour: u8, pawns: u64) -> u64 {
    leaper::pawns(self::colour(colour), pawns)
}

/// What knights attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_knights_attacks(knights: u64) -> u64 {
    leaper::knights(knights)
}

/// What kings attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_kings_attacks(kings: u64) -> u64 {
    leaper::kings(kings)
}
