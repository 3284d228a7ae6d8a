//! The best loops over tables that we could write.
//!
//! A loop over the sliders of a board ends where a branch predictor cannot know. These look up a fixed number of sliders,
//! three of each kind, where there is none in an entry of zeros, and enter a loop only for the few boards with more. All
//! boards are independent, so the processor overlaps as many of them as it can hold.
//!
//! | name | |
//! |---|---|
//! | `pext-fixed` | PEXT, 841 KiB of tables |
//! | `pext-fixed-small` | answers of 16 bits, spread by PDEP: 210 KiB, which fit into the second cache |
//! | `pext-fixed-ahead` | the places of 32 boards' answers first, each prefetched; then the answers |
//! | `pext-gather` | the same places, fetched by gathers of four |
//! | `magic-fixed` | cozy-chess's magics; where there is no slider, the answer is masked |

use core::arch::x86_64::*;
use std::sync::LazyLock;

use cozy_chess::{BitBoard, Square, get_bishop_moves, get_rook_moves};

use super::squares::pext::{Entry, Pext, SIZE};
use super::{Question, Rival, answer};
use crate::support::columns::AlignedColumn;
use crate::support::inputs::Dataset;

/// Sliders of each kind that are looked up whether they are there or not.
const FIXED: usize = 3;

/// What a slider sees; nothing if the square is 64.
trait Table: Copy {
    fn rook(self, square: usize, occupied: u64) -> u64;

    fn bishop(self, square: usize, occupied: u64) -> u64;
}

#[derive(Clone, Copy)]
struct Fixed<T>(T);

/// The union over a set: a fixed number of look-ups, then a loop that few boards enter.
#[inline(always)]
fn union(mut sliders: u64, look_up: impl Fn(usize) -> u64) -> u64 {
    let mut union = 0;
    for _ in 0..FIXED {
        union |= look_up(sliders.trailing_zeros() as usize);
        sliders &= sliders.wrapping_sub(1);
    }
    while sliders != 0 {
        union |= look_up(sliders.trailing_zeros() as usize);
        sliders &= sliders - 1;
    }
    union
}

impl<T: Table> Rival for Fixed<T> {
    #[inline(always)]
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64 {
        union(sliders, |square| self.0.rook(square, occupied))
    }

    #[inline(always)]
    fn diagonal(self, occupied: u64, sliders: u64) -> u64 {
        union(sliders, |square| self.0.bishop(square, occupied))
    }
}

/// Where the answer for one slider is.
#[inline(always)]
fn place(entry: &Entry, occupied: u64) -> usize {
    // SAFETY: a `Pext`, without which there is no entry, exists only where the processor has the instruction.
    entry.offset as usize + unsafe { _pext_u64(occupied, entry.mask) } as usize
}

impl Table for Pext {
    #[inline(always)]
    fn rook(self, square: usize, occupied: u64) -> u64 {
        self.0.seen[place(&self.0.rook[square], occupied)]
    }

    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        self.0.seen[place(&self.0.bishop[square], occupied)]
    }
}

/// The same answers as bits of what a slider sees on an empty board.
struct Compressed {
    rook: [u64; 65],
    bishop: [u64; 65],
    seen: Box<[u16; SIZE]>,
}

#[derive(Clone, Copy)]
struct Small(Pext, &'static Compressed);

impl Small {
    fn new(pext: Pext) -> Self {
        static COMPRESSED: LazyLock<Compressed> = LazyLock::new(|| {
            let pext = Pext::detect().expect("it was detected before");
            let mut seen = vec![0; SIZE];
            let mut reach = |entries: &[Entry; 65]| {
                entries.map(|Entry { mask, offset }| {
                    let (first, count) = (offset as usize, 1 << mask.count_ones());
                    let reach = pext.0.seen[first];
                    let whole = &pext.0.seen[first..first + count];
                    for (bits, &seen) in seen[first..].iter_mut().zip(whole) {
                        // SAFETY: a `Pext` exists only where the processor has the instruction.
                        *bits = unsafe { _pext_u64(seen, reach) } as u16;
                    }
                    reach
                })
            };
            let (rook, bishop) = (reach(&pext.0.rook), reach(&pext.0.bishop));
            Compressed { rook, bishop, seen: seen.into_boxed_slice().try_into().expect("as many") }
        });
        Self(pext, &COMPRESSED)
    }

    #[inline(always)]
    fn look_up(self, entry: &Entry, reach: u64, occupied: u64) -> u64 {
        // SAFETY: a `Pext` exists only where the processor has the instruction.
        unsafe { _pdep_u64(self.1.seen[place(entry, occupied)].into(), reach) }
    }
}

impl Table for Small {
    #[inline(always)]
    fn rook(self, square: usize, occupied: u64) -> u64 {
        self.look_up(&self.0.0.rook[square], self.1.rook[square], occupied)
    }

    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        self.look_up(&self.0.0.bishop[square], self.1.bishop[square], occupied)
    }
}

#[derive(Clone, Copy)]
struct Magic;

/// All ones if there is a slider.
#[inline(always)]
fn present(square: usize) -> u64 {
    u64::from(square < 64).wrapping_neg()
}

impl Table for Magic {
    #[inline(always)]
    fn rook(self, square: usize, occupied: u64) -> u64 {
        get_rook_moves(Square::ALL[square & 63], BitBoard(occupied)).0 & present(square)
    }

    #[inline(always)]
    fn bishop(self, square: usize, occupied: u64) -> u64 {
        get_bishop_moves(Square::ALL[square & 63], BitBoard(occupied)).0 & present(square)
    }
}

#[target_feature(enable = "bmi1,bmi2")]
pub fn pext(pext: Pext, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(Fixed(pext), question, dataset, answers);
}

#[target_feature(enable = "bmi1,bmi2")]
pub fn small(pext: Pext, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(Fixed(Small::new(pext)), question, dataset, answers);
}

#[target_feature(enable = "bmi1,bmi2")]
pub fn magic(question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(Fixed(Magic), question, dataset, answers);
}

/// The places of a board's first answers; and whether it has more sliders than these.
#[inline(always)]
fn places(pext: Pext, occupied: u64, sliders: [u64; 2]) -> ([usize; 2 * FIXED], bool) {
    let [mut orthogonal, mut diagonal] = sliders;
    let mut places = [0; 2 * FIXED];
    for pair in places.as_chunks_mut::<2>().0 {
        *pair = [
            place(&pext.0.rook[orthogonal.trailing_zeros() as usize], occupied),
            place(&pext.0.bishop[diagonal.trailing_zeros() as usize], occupied),
        ];
        orthogonal &= orthogonal.wrapping_sub(1);
        diagonal &= diagonal.wrapping_sub(1);
    }
    (places, orthogonal | diagonal != 0)
}

/// All sliders of a board that has many.
#[cold]
fn all_of(pext: Pext, occupied: u64, [orthogonal, diagonal]: [u64; 2]) -> u64 {
    Fixed(pext).orthogonal(occupied, orthogonal) | Fixed(pext).diagonal(occupied, diagonal)
}

/// How many boards' places are worked out ahead.
const AHEAD: usize = 32;

/// Answers [`Question::Unions`] in blocks: a function takes the places of each block to its answers.
#[inline(always)]
fn in_blocks(
    pext: Pext,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
    prefetch: bool,
    fetch: impl Fn(&[[usize; 2 * FIXED]; AHEAD], &mut [u64]),
) {
    let mut ahead = [[SIZE - 1; 2 * FIXED]; AHEAD];
    for first in (0..dataset.len()).step_by(AHEAD) {
        let rows = first..dataset.len().min(first + AHEAD);
        let sliders = |row: usize| [dataset.orthogonal[row], dataset.diagonal[row]];
        let mut many = 0_u32;
        for (at, row) in rows.clone().enumerate() {
            let (places, has_more) = places(pext, dataset.occupied[row], sliders(row));
            ahead[at] = places;
            many |= u32::from(has_more) << at;
            if prefetch {
                for place in places {
                    // SAFETY: a prefetch reads nothing, and SSE is in every x86-64 processor.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const pext.0.seen[place]).cast()) };
                }
            }
        }
        fetch(&ahead, &mut answers[0][rows]);
        while many != 0 {
            let row = first + many.trailing_zeros() as usize;
            answers[0][row] = all_of(pext, dataset.occupied[row], sliders(row));
            many &= many - 1;
        }
    }
}

#[target_feature(enable = "bmi1,bmi2")]
pub fn ahead(pext: Pext, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    in_blocks(pext, dataset, answers, true, |ahead, answers| {
        for (answer, places) in answers.iter_mut().zip(ahead) {
            *answer = places.iter().fold(0, |union, &place| union | pext.0.seen[place]);
        }
    });
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub fn gather(pext: Pext, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    in_blocks(pext, dataset, answers, false, |ahead, answers| {
        for (answers, ahead) in answers.chunks_mut(4).zip(ahead.as_chunks::<4>().0) {
            let mut union = _mm256_setzero_si256();
            for look_up in 0..2 * FIXED {
                let [a, b, c, d] = ahead.map(|places| places[look_up] as i64);
                let places = _mm256_set_epi64x(d, c, b, a);
                // SAFETY: the places are below the table's size.
                let seen =
                    unsafe { _mm256_i64gather_epi64::<8>(pext.0.seen.as_ptr().cast(), places) };
                union = _mm256_or_si256(union, seen);
            }
            let mut four = [0_u64; 4];
            // SAFETY: it is 32 bytes.
            unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), union) };
            answers.copy_from_slice(&four[..answers.len()]);
        }
    });
}
