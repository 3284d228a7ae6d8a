//! The rivals: methods that others use today, each written as well as its advocates would.
//!
//! None of them uses this crate's kernels, and each runs with the instructions that suit it best. All take `occupied`
//! with the sliders in it. A rival implements one position (or many, if that is faster). The loops are written once,
//! here, and inlined into one function per rival that enables its instructions.
//!
//! | name | how | in |
//! |---|---|---|
//! | `kogge-stone-scalar`, `-avx2`, `-avx512` | plain loops over boards, vectorised by the compiler | `fills` |
//! | `kogge-stone-unvectorised` | the same loop in general registers only | `fills` |
//! | `dumb7fill-scalar` | a plain loop over boards | `fills` |
//! | `hyperbola-per-square` | a loop over sliders, a subtraction for each line | `squares` |
//! | `magic-loop` | a loop over sliders, cozy-chess's magics | `squares` |
//! | `magic-loop-pawn-shifts` | the same for attack maps, pawns set-wise | `squares` |
//! | `pext-loop` | a loop over sliders, PEXT | `squares` |
//! | `pext`, `magic`, `dual-avx2` | one slider; the last with hyperbola quintessence along three lines in a vector | `squares` |
//! | `pext-fixed` and others | a fixed number of lookups for each board, and a loop for boards with more | `fixed` |
//! | `four-directions-avx2`, `-avx512` | one position, a direction in each lane | `four_directions` |
//! | `magic-loop`, `magic-loop-once` | threats: a loop over pieces, cozy-chess's magics | `threats` |
//! | `byteboard-avx512` | the same: the board turned to each piece by a permutation | `threats` |

pub mod changes;
pub mod fills;
#[cfg(target_arch = "x86_64")]
pub mod fixed;
#[cfg(target_arch = "x86_64")]
pub mod four_directions;
pub mod squares;
pub mod threats;

use core::hint::black_box;

use setwise::Pieces;

use crate::support::columns::AlignedColumn;
use crate::support::inputs::Dataset;

/// The questions about every position of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The union of one side's rays.
    Unions,
    /// The same, but each position depends on the answer before.
    ChainedUnions,
    /// Eight sets: white's rooks, its queens as rooks, black's the same; then bishops and queens as bishops.
    /// Each position's answers are adjacent in memory, as in an engine.
    Sets,
    /// One side's rays, a column for each direction.
    Rays,
    /// The sixteen attack maps.
    Maps,
    /// The same, with pawns by two shifts, from rivals that otherwise look them up one by one.
    MapsWithPawnShifts,
}

/// A way to compute slider attacks.
pub trait Rival: Copy {
    /// The squares that rooks attack.
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64;

    /// The squares that bishops attack.
    fn diagonal(self, occupied: u64, sliders: u64) -> u64;

    /// Answers [`Question::Rays`].
    fn rays(self, _batch: &Dataset, _answers: &mut [AlignedColumn]) {
        unimplemented!("this rival is not asked for rays");
    }

    /// Answers [`Question::Maps`].
    fn maps(self, _batch: &Dataset, _answers: &mut [AlignedColumn]) {
        unimplemented!("this rival is not asked for maps");
    }

    /// Answers [`Question::MapsWithPawnShifts`].
    fn maps_with_pawn_shifts(self, _batch: &Dataset, _answers: &mut [AlignedColumn]) {
        unimplemented!("this rival is not asked for maps");
    }
}

/// Answers a question; it must be inlined where the rival's instructions are enabled.
#[inline(always)]
fn answer(rival: impl Rival, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    match question {
        Question::Unions => unions(rival, dataset, answers),
        Question::ChainedUnions => chained_unions(rival, dataset, answers),
        Question::Sets => sets(rival, dataset, answers),
        Question::Rays => rival.rays(dataset, answers),
        Question::Maps => rival.maps(dataset, answers),
        Question::MapsWithPawnShifts => rival.maps_with_pawn_shifts(dataset, answers),
    }
}

#[inline(always)]
fn unions(rival: impl Rival, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *attacks = rival.orthogonal(occupied, orthogonal) | rival.diagonal(occupied, diagonal);
    }
}

/// Each board is xored with a zero that depends on the last result and that the compiler cannot predict. That adds two
/// cycles of latency, the same for all rivals.
#[inline(always)]
fn chained_unions(rival: impl Rival, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let (nothing, mut last) = (black_box(0), 0);
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        let wait = last & nothing;
        let occupied = occupied ^ wait;
        last = rival.orthogonal(occupied, orthogonal ^ wait)
            | rival.diagonal(occupied, diagonal ^ wait);
        *attacks = last;
    }
}

#[inline(always)]
fn sets(rival: impl Rival, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let (answers, _) = answers[0].as_chunks_mut();
    for (answer, pieces) in answers.iter_mut().zip(&dataset.rows) {
        let &Pieces { bishops, rooks, queens, white, black, .. } = pieces;
        let occupied = white | black;
        *answer = [
            rival.orthogonal(occupied, white & rooks),
            rival.orthogonal(occupied, white & queens),
            rival.orthogonal(occupied, black & rooks),
            rival.orthogonal(occupied, black & queens),
            rival.diagonal(occupied, white & bishops),
            rival.diagonal(occupied, white & queens),
            rival.diagonal(occupied, black & bishops),
            rival.diagonal(occupied, black & queens),
        ];
    }
}

/// Reads three columns and writes one, without any work: the bound set by memory.
pub fn copy(dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (sum, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *sum = occupied ^ orthogonal ^ diagonal;
    }
}
