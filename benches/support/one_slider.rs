//! Attacks of one slider at a time, as in engines: table lookups against the module `line`, in hot loops, in dependent
//! chains, and with caches polluted by other data.

use core::hint::black_box;
use std::cell::RefCell;

use setwise::line::{self, Masks};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Reads};
use crate::support::rivals::in_a_register;
#[cfg(target_arch = "x86_64")]
use crate::support::rivals::squares::{Dual, pext::Pext};
use crate::support::rivals::squares::{Magic, Sight};

/// The piece on the square: 0 for a rook, 1 for a bishop, 2 for a queen.
type Piece = usize;

/// The relation of consecutive calls: 0 if independent, 1 if each depends on the previous result, 2 if 4 KB of a
/// megabyte are read between them.
type Mode = usize;

const NAMES: [[&str; 3]; 3] = [
    ["one-slider-rook-throughput", "one-slider-rook-latency", "one-slider-rook-polluted"],
    ["one-slider-bishop-throughput", "one-slider-bishop-latency", "one-slider-bishop-polluted"],
    ["one-slider-queen-throughput", "one-slider-queen-latency", "one-slider-queen-polluted"],
];

/// All groups for one slider.
pub fn groups() -> Vec<Group> {
    (0..3).flat_map(|mode| [0, 1, 2].map(|piece| group(piece, mode))).collect()
}

fn group(piece: Piece, mode: Mode) -> Group {
    let mut implementations = vec![
        implementation("line", piece, mode, Line),
        implementation("line-masks", piece, mode, LineMasks),
        implementation("magic", piece, mode, Magic),
    ];
    #[cfg(target_arch = "x86_64")]
    {
        implementations
            .extend(Pext::detect().map(|pext| implementation("pext", piece, mode, pext)));
        implementations
            .extend(Dual::detect().map(|dual| implementation("dual-avx2", piece, mode, dual)));
    }
    if mode == 2 {
        // Measures only the reading of the other data.
        let nothing = implementation("nothing", piece, mode, Nothing);
        implementations.push(Implementation { answers: false, ..nothing });
    }
    let (name, reads) = (NAMES[piece][mode], Reads::Sliders);
    Group { name, reads, columns: 1, per_board: 1, implementations }
}

/// A square computed by hashing the board, so that consecutive squares differ.
#[inline(always)]
fn square_of(occupied: u64) -> u8 {
    (occupied.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as u8
}

fn implementation(
    name: &str,
    piece: Piece,
    mode: Mode,
    sight: impl Sight + 'static,
) -> Implementation {
    Implementation::new(name, 1, move |dataset, answers| {
        #[cfg(target_arch = "x86_64")]
        if setwise::processor::Features::Avx2.is_available() {
            // SAFETY: the processor has the features.
            return unsafe { enabled(sight, piece, mode, dataset, answers) };
        }
        run(sight, piece, mode, dataset, answers);
    })
}

/// Runs an implementation; all of them are compiled with the same instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn enabled(
    sight: impl Sight,
    piece: Piece,
    mode: Mode,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
) {
    run(sight, piece, mode, dataset, answers);
}

#[inline(always)]
fn run(
    sight: impl Sight,
    piece: Piece,
    mode: Mode,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
) {
    match piece {
        0 => run_mode(mode, dataset, answers, |square, occupied| sight.rook(square, occupied)),
        1 => run_mode(mode, dataset, answers, |square, occupied| sight.bishop(square, occupied)),
        _ => run_mode(mode, dataset, answers, |square, occupied| sight.queen(square, occupied)),
    }
}

#[inline(always)]
fn run_mode(
    mode: Mode,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
    lookup: impl Fn(u8, u64) -> u64,
) {
    const LINES: usize = 1 << 14;
    thread_local! {
        static OTHER_DATA: RefCell<Vec<[u64; 8]>> = RefCell::new(vec![[1; 8]; LINES]);
    }
    let rows = answers[0].iter_mut().zip(&*dataset.occupied);
    match mode {
        0 => rows.for_each(|(answer, &occupied)| {
            *answer = lookup(square_of(occupied), in_a_register(occupied));
        }),
        1 => {
            let (zero, mut last) = (black_box(0), 0);
            for (answer, &occupied) in rows {
                let dependency = last & zero;
                last = lookup(square_of(occupied) ^ dependency as u8, occupied ^ dependency);
                *answer = last;
            }
        }
        _ => OTHER_DATA.with_borrow(|data| {
            let mut at = 0;
            for (answer, &occupied) in rows {
                let sum = data[at..at + 64].iter().fold(0, |sum, line| sum ^ line[0]);
                at = (at + 64) % LINES;
                *answer = lookup(square_of(occupied) ^ black_box(sum) as u8, occupied);
            }
        }),
    }
}

/// This library's module `line`.
#[derive(Clone, Copy)]
struct Line;

impl Sight for Line {
    #[inline(always)]
    fn rook(self, square: u8, occupied: u64) -> u64 {
        line::rook_attacks(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: u8, occupied: u64) -> u64 {
        line::bishop_attacks(square, occupied)
    }
}

static MASKS: Masks = Masks::new();

/// The module `line` with 2 KB of masks.
#[derive(Clone, Copy)]
struct LineMasks;

impl Sight for LineMasks {
    #[inline(always)]
    fn rook(self, square: u8, occupied: u64) -> u64 {
        MASKS.rook_attacks(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: u8, occupied: u64) -> u64 {
        MASKS.bishop_attacks(square, occupied)
    }
}

/// No computation.
#[derive(Clone, Copy)]
struct Nothing;

impl Sight for Nothing {
    #[inline(always)]
    fn rook(self, _: u8, _: u64) -> u64 {
        0
    }

    #[inline(always)]
    fn bishop(self, _: u8, _: u64) -> u64 {
        0
    }
}
