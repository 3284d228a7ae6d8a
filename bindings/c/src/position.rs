//! Calls for one position, as in `setwise::position`, with the kernel's instructions; and single sliders, lines and
//! leapers, which need no kernel.
//!
//! These functions cannot fail, so they return no status. Aligned positions are read in place; others are copied first.

use std::mem::MaybeUninit;

use setwise::bitboard::ByDirection;
use setwise::eval::Attacks;
use setwise::position::{KingFacts, SliderAttacksByRole};
use setwise::{ByColour, Kernel, Pieces, leaper, line};

use crate::kernel::{chosen_already, setwise_kernel, setwise_kernel_detect};
use crate::pieces::{colour as side, setwise_pieces};

/// Converts between types of the library and C types with the same bytes. (A copy field by field would make vector
/// loads follow right after word stores to the same memory, and each copy would wait for the cache.)
macro_rules! same_bytes {
    ($answer:expr, $from:ty => $to:ty) => {{
        const _: () = assert!(std::mem::align_of::<$from>() == std::mem::align_of::<$to>());
        let answer: $from = $answer;
        // SAFETY: both are `repr(C)` structs of `u64` fields in the same order; the compiler compares the sizes.
        unsafe { std::mem::transmute::<$from, $to>(answer) }
    }};
}

/// The attack maps of one side: the squares attacked by each role, by any piece, and by at least two pieces. A square
/// is attacked if a piece could capture an enemy piece there. Squares of own pieces are included (as defended).
/// Pins are ignored.
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

/// The attack maps of both sides.
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

/// The squares that each side's rooks, bishops and queens attack, with the orthogonal and diagonal attacks of queens
/// separate.
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

/// Facts about a side's king; the enemy is the other side. With several kings, every king counts.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_king_facts {
    /// The results of setwise_pieces_checkers(), setwise_pieces_pinned() and setwise_pieces_pinners().
    pub checkers: u64,
    pub pinned: u64,
    pub pinners: u64,
    /// The enemy's pieces that stand alone between the king and an enemy slider: they give discovered check if they
    /// leave the line.
    pub discoverers: u64,
    /// The result of setwise_pieces_king_danger(); unspecified if a square has two pieces.
    pub danger: u64,
    /// For each role, the squares from which an enemy piece gives check; empty for kings.
    pub checking_squares: [u64; 6],
}

impl From<setwise_king_facts> for KingFacts {
    fn from(facts: setwise_king_facts) -> Self {
        same_bytes!(facts, setwise_king_facts => KingFacts)
    }
}

/// The facts about the kings of both sides.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_both_king_facts {
    pub white: setwise_king_facts,
    pub black: setwise_king_facts,
}

/// Returns whether a position is aligned and can be borrowed.
#[inline(always)]
fn can_be_lent(pieces: *const setwise_pieces) -> bool {
    pieces.cast::<Pieces>().is_aligned()
}

/// The arguments of a call that needs no preparation: the caller's kernel, and the position in place; an empty position
/// for NULL.
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
    // SAFETY: guaranteed by the caller, and the two types have the same fields in the same order (the check below).
    let (kernel, pieces) = unsafe { (chosen_already(kernel)?, pieces.cast::<Pieces>().as_ref()) };
    Some((kernel, pieces.unwrap_or(&Pieces::EMPTY)))
}

/// Repeats a call with a detected kernel and an aligned copy of the position.
///
/// Rare work is in a separate function with a separate result variable. An ordinary call is therefore a jump, without a
/// frame or an aligned stack, and its result is written directly to the caller. This saves up to eight nanoseconds.
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
    // SAFETY: guaranteed by the caller, and the function writes the result.
    unsafe {
        prepare(kernel, pieces, ask, &mut answer);
        answer.assume_init()
    }
}

/// Defines the functions of a table of questions about one position: the kernel, the position if it is named, then the
/// arguments. The body sees the kernel as a [`Kernel`] and the position as [`Pieces`]. With `as`, it computes a type of
/// the library with the same bytes as the result, in a separate function: the compiler writes a result of many words to
/// its final place only if it is the result of a call, and moving it would cost more than the call.
///
/// `tests/header.rs` reads these tables for the header.
macro_rules! questions {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($kernel:ident $(, $pieces:ident)? $(; $($argument:ident: $type:ty),*)?)
            -> $answer:ty $(as $same:ty)? $body:block
    )*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            $kernel: *const $crate::kernel::setwise_kernel
            $(, $pieces: *const $crate::pieces::setwise_pieces)?
            $($(, $argument: $type)*)?
        ) -> $answer {
            // A call without a position needs no copy.
            let position: *const $crate::pieces::setwise_pieces = [$($pieces,)? std::ptr::null()][0];
            // SAFETY: the kernel is null or one of ours, and the position null or the caller's.
            let ready = unsafe { $crate::position::at_hand($kernel, position) };
            let Some(($kernel, _position)) = ready else {
                // SAFETY: as above.
                return unsafe {
                    $crate::position::prepare($kernel, position, move |kernel, _position| {
                        $(let $pieces = _position;)?
                        $name(kernel $(, $pieces)? $($(, $argument)*)?)
                    })
                };
            };
            $(let $pieces = _position;)?
            $crate::position::questions! {
                @answer $answer $(as $same)?;
                ($kernel: setwise::Kernel $(, $pieces: &setwise::Pieces)? $($(, $argument: $type)*)?) $body
            }
        }
    )*};
    (@answer $answer:ty; ($($name:ident: $type:ty),*) $body:block) => { $body };
    (@answer $answer:ty as $same:ty; ($($name:ident: $type:ty),*) $body:block) => {{
        #[inline(never)]
        fn apart($($name: $type),*) -> $answer {
            same_bytes!($body, $same => $answer)
        }
        apart($($name),*)
    }};
}
pub(crate) use questions;

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

questions! {
    /// The union of the squares that orthogonal sliders (rooks, queens) and diagonal sliders (bishops, queens) attack.
    /// Queens are in both sets. Sliders of a set always block each other, whether or not `occupied` contains them, but
    /// a bishop blocks a rook only if `occupied` contains the bishop.
    fn setwise_sliders_attacks(kernel; orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        kernel.position().slider_attacks(orthogonal, diagonal, occupied)
    }

    /// The squares that sliders attack along ranks and files.
    fn setwise_sliders_orthogonal_attacks(kernel; sliders: u64, occupied: u64) -> u64 {
        kernel.position().orthogonal_attacks(sliders, occupied)
    }

    /// The squares that sliders attack along diagonals.
    fn setwise_sliders_diagonal_attacks(kernel; sliders: u64, occupied: u64) -> u64 {
        kernel.position().diagonal_attacks(sliders, occupied)
    }

    /// The rays of setwise_sliders_attacks(), one for each direction.
    fn setwise_sliders_rays(kernel; orthogonal: u64, diagonal: u64, occupied: u64) -> setwise_rays as ByDirection<u64> {
        kernel.position().slider_rays(orthogonal, diagonal, occupied)
    }

    /// The squares that each side's sliders attack, by role: eight sets for much less than the cost of eight calls.
    fn setwise_pieces_slider_attacks(kernel, pieces) -> setwise_slider_maps as SliderAttacksByRole {
        kernel.position().slider_attacks_by_role(pieces)
    }

    /// The attack maps of both sides. All pieces block.
    fn setwise_pieces_attacks(kernel, pieces) -> setwise_both_maps as ByColour<Attacks<u64>> {
        kernel.position().attacks(pieces)
    }

    /// The attack maps of one side with the caller's choice of blockers; its own sliders always block too. With the
    /// enemy king removed from `occupied`, `all` contains the squares that this king may not move to, and the same call
    /// returns the other maps for the evaluation.
    fn setwise_pieces_attacks_by(kernel, pieces; colour: u8, occupied: u64) -> setwise_maps as Attacks<u64> {
        kernel.position().attacks_by(pieces, side(colour), occupied)
    }

    /// The squares that one side attacks: `all` of setwise_pieces_attacks_by() without the other maps.
    fn setwise_pieces_attacked(kernel, pieces; colour: u8, occupied: u64) -> u64 {
        kernel.position().attacked(pieces, side(colour), occupied)
    }

    /// The pieces of a colour that attack a square of a set, given the blockers.
    fn setwise_pieces_attackers(kernel, pieces; colour: u8, targets: u64, occupied: u64) -> u64 {
        kernel.position().attackers(pieces, side(colour), targets, occupied)
    }

    /// The pieces of both colours that attack a square of a set, given the blockers: one call instead of two calls to
    /// setwise_pieces_attackers().
    fn setwise_pieces_all_attackers(kernel, pieces; targets: u64, occupied: u64) -> u64 {
        kernel.position().all_attackers(pieces, targets, occupied)
    }

    /// The pieces that give check to a colour.
    fn setwise_pieces_checkers(kernel, pieces; colour: u8) -> u64 {
        kernel.position().checkers(pieces, side(colour))
    }

    /// The pieces of a colour that are pinned to their king. They may still move along setwise_squares_ray_pass(king,
    /// square).
    fn setwise_pieces_pinned(kernel, pieces; colour: u8) -> u64 {
        kernel.position().pinned(pieces, side(colour))
    }

    /// The enemy sliders that pin a piece of a colour to its king.
    fn setwise_pieces_pinners(kernel, pieces; colour: u8) -> u64 {
        kernel.position().pinners(pieces, side(colour))
    }

    /// The squares where a king of the colour would be in check: those that the enemy attacks with that king off the
    /// board.
    fn setwise_pieces_king_danger(kernel, pieces; colour: u8) -> u64 {
        kernel.position().king_danger(pieces, side(colour))
    }

    /// All facts about a side's king in one call, which takes less time than separate calls.
    fn setwise_pieces_king_facts(kernel, pieces; colour: u8) -> setwise_king_facts as KingFacts {
        kernel.position().king_facts(pieces, side(colour))
    }

    /// setwise_pieces_king_facts() for both sides.
    fn setwise_pieces_both_king_facts(kernel, pieces) -> setwise_both_king_facts as ByColour<KingFacts> {
        kernel.position().both_king_facts(pieces)
    }
}

/// The squares that a rook on a square attacks; empty if the square is above 63, as in the following functions with
/// square arguments.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_rook_attacks(square: u8, occupied: u64) -> u64 {
    if square > 63 { 0 } else { line::rook_attacks(square, occupied) }
}

/// The squares that a bishop on a square attacks.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_bishop_attacks(square: u8, occupied: u64) -> u64 {
    if square > 63 { 0 } else { line::bishop_attacks(square, occupied) }
}

/// The squares that a queen on a square attacks.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_queen_attacks(square: u8, occupied: u64) -> u64 {
    if square > 63 { 0 } else { line::queen_attacks(square, occupied) }
}

/// The squares strictly between two squares; empty if they share no rank, file or diagonal.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_squares_between(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::between(a, b) }
}

/// The whole line through two squares, from edge to edge; empty if they share no rank, file or diagonal.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_squares_line_through(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::line_through(a, b) }
}

/// The ray from `a` that passes `b`, up to the edge: the squares between, `b` and all beyond it; empty as above.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_squares_ray_pass(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::ray_pass(a, b) }
}

/// The squares beyond `b`, seen from `a`; empty as above.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_squares_beyond(a: u8, b: u8) -> u64 {
    if a > 63 || b > 63 { 0 } else { line::beyond(a, b) }
}

/// The squares that a colour's pawns attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_pawns_attacks(colour: u8, pawns: u64) -> u64 {
    leaper::pawns(side(colour), pawns)
}

/// The squares that knights attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_knights_attacks(knights: u64) -> u64 {
    leaper::knights(knights)
}

/// The squares that kings attack.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_kings_attacks(kings: u64) -> u64 {
    leaper::kings(kings)
}
