//! Loops over positions, with each question inlined; `bench.c` has the same loops with a call across the border.
//! Each gives the exclusive or of its answers, which must agree.
#![no_std]

use setwise::eval::Attacks;
use setwise_nnue::{PairFilter, SquareChange, ThreatChange};
use setwise::{ByColour, Colour, Pieces};
use setwise_nnue::position;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// What `core`, which was compiled to unwind, refers to; nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// Every map counts.
#[inline(always)]
fn fold(maps: Attacks<u64>) -> u64 {
    maps.into_array().into_iter().fold(0, |sum, map| sum.rotate_left(1) ^ map)
}

macro_rules! loops {
    ($($name:ident |$pieces:ident| $answer:expr;)*) => {
        $(
            /// # Safety
            /// `rows` has `count` positions.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name(rows: *const Pieces, count: usize) -> u64 {
                // SAFETY: the caller says so.
                let rows = unsafe { core::slice::from_raw_parts(rows, count) };
                let mut sum = 0_u64;
                for $pieces in rows {
                    sum = sum.rotate_left(1) ^ $answer;
                }
                sum
            }
        )*
    };
}

loops! {
    rust_slider_attacks |p| position::slider_attacks(p.rooks | p.queens, p.bishops | p.queens, p.occupied());
    rust_orthogonal_attacks |p| position::orthogonal_attacks(p.rooks | p.queens, p.occupied());
    rust_slider_rays |p| position::slider_rays(p.rooks | p.queens, p.bishops | p.queens, p.occupied())
        .0.into_iter().fold(0_u64, |sum, ray| sum.rotate_left(1) ^ ray);
    rust_attacks |p| {
        let ByColour { white, black } = position::attacks(p);
        fold(white) ^ fold(black).rotate_left(8)
    };
    rust_attacks_by |p| fold(position::attacks_by(p, Colour::White, p.occupied() & !(p.kings & p.black)));
    rust_attackers |p| position::attackers(p, Colour::White, p.kings, p.occupied());
    rust_checkers |p| position::checkers(p, Colour::White);
    rust_pinned |p| position::pinned(p, Colour::White);
    rust_king_danger |p| position::king_danger(p, Colour::White);
}

/// How many boards `bench.c` has.
const ROWS: usize = 256;

unsafe extern "C" {
    static bench_mailboxes: [[u8; 64]; ROWS];
    static bench_moves: [[SquareChange; 2]; ROWS];
    static mut bench_records: [ThreatChange; 200];
}

/// # Safety
/// `count` is no more than there are boards, which are filled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rust_threat_changes(_: *const Pieces, count: usize) -> u64 {
    // SAFETY: `bench.c` has the arrays, and nobody else looks at them meanwhile.
    let (boards, moves, records) =
        unsafe { (&bench_mailboxes, &bench_moves, &mut *(&raw mut bench_records)) };
    let mut sum = 0_u64;
    for (board, changes) in boards.iter().zip(moves).take(count) {
        let written = position::threat_changes(board, changes, &PairFilter::ALL, records).unwrap_or(0);
        let last = written.checked_sub(1).map_or(0, |last| records[last].bits());
        sum = sum.rotate_left(1) ^ (written as u64 + u64::from(last));
    }
    sum
}
