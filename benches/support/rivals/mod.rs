//! The rivals: what others do today, written as their friends would write it.
//!
//! None of them uses this crate's kernels, and each gets the instructions that it likes best. All take
//! `occupied` with the sliders in it. A rival says what it does with one position (or, where that is
//! better, with many); the loops stand here once and are inlined into one function for each rival, which
//! has the rival's instructions enabled.
//!
//! | name | how | in |
//! |---|---|---|
//! | `kogge-stone-scalar`, `-avx2`, `-avx512` | plain loops over boards, vectorised by the compiler | `fills` |
//! | `kogge-stone-unvectorised` | the same loop, held to general registers | `fills` |
//! | `dumb7fill-scalar` | a plain loop over boards | `fills` |
//! | `hyperbola-per-square` | a loop over sliders, a subtraction for each line | `squares` |
//! | `magic-loop` | a loop over sliders, cozy-chess's magics | `squares` |
//! | `magic-loop-pawn-shifts` | the same for attack maps, pawns set-wise | `squares` |
//! | `pext-loop` | a loop over sliders, PEXT | `squares` |
//! | `four-directions-avx2`, `-avx512` | one position, a direction in each lane | `four_directions` |

pub mod fills;
#[cfg(target_arch = "x86_64")]
pub mod four_directions;
pub mod squares;

use core::hint::black_box;

use setwise::Pieces;

use crate::support::columns::Column;
use crate::support::inputs::Batch;

/// What is asked about every position of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The union of one side's rays.
    Unions,
    /// The same, but no position is known before the last one's answer is there.
    ChainedUnions,
    /// Eight sets: white's rooks, its queens as rooks, black's the same; then bishops and queens as bishops.
    /// The answer stands together, as an engine has it.
    Sets,
    /// One side's rays, a column for each direction.
    Rays,
    /// The sixteen attack maps.
    Maps,
    /// The same, from rivals that otherwise look pawns up one by one.
    MapsWithPawnShifts,
}

/// A way to find what sliders attack.
pub trait Rival: Copy {
    /// What rooks attack.
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64;

    /// What bishops attack.
    fn diagonal(self, occupied: u64, sliders: u64) -> u64;

    /// Answers [`Question::Rays`].
    fn rays(self, _batch: &Batch, _answers: &mut [Column]) {
        unimplemented!("this rival is not asked for rays");
    }

    /// Answers [`Question::Maps`].
    fn maps(self, _batch: &Batch, _answers: &mut [Column]) {
        unimplemented!("this rival is not asked for maps");
    }

    /// Answers [`Question::MapsWithPawnShifts`].
    fn maps_with_pawn_shifts(self, _batch: &Batch, _answers: &mut [Column]) {
        unimplemented!("this rival is not asked for maps");
    }
}

/// Answers a question; to be inlined where the rival's instructions are enabled.
#[inline(always)]
fn answer(rival: impl Rival, question: Question, batch: &Batch, answers: &mut [Column]) {
    match question {
        Question::Unions => unions(rival, batch, answers),
        Question::ChainedUnions => chained_unions(rival, batch, answers),
        Question::Sets => sets(rival, batch, answers),
        Question::Rays => rival.rays(batch, answers),
        Question::Maps => rival.maps(batch, answers),
        Question::MapsWithPawnShifts => rival.maps_with_pawn_shifts(batch, answers),
    }
}

#[inline(always)]
fn unions(rival: impl Rival, batch: &Batch, answers: &mut [Column]) {
    let boards = batch.occupied.iter().zip(&*batch.orthogonal).zip(&*batch.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *attacks = rival.orthogonal(occupied, orthogonal) | rival.diagonal(occupied, diagonal);
    }
}

/// Each board is combined with nothing, of which only we know that it is nothing. That costs two cycles
/// of latency, for all rivals alike.
#[inline(always)]
fn chained_unions(rival: impl Rival, batch: &Batch, answers: &mut [Column]) {
    let (nothing, mut last) = (black_box(0), 0);
    let boards = batch.occupied.iter().zip(&*batch.orthogonal).zip(&*batch.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        let wait = last & nothing;
        let occupied = occupied ^ wait;
        last = rival.orthogonal(occupied, orthogonal ^ wait)
            | rival.diagonal(occupied, diagonal ^ wait);
        *attacks = last;
    }
}

#[inline(always)]
fn sets(rival: impl Rival, batch: &Batch, answers: &mut [Column]) {
    let (answers, _) = answers[0].as_chunks_mut();
    for (answer, pieces) in answers.iter_mut().zip(&batch.rows) {
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

/// Reads three columns and writes one: what memory allows if the work is free.
pub fn copy(batch: &Batch, answers: &mut [Column]) {
    let boards = batch.occupied.iter().zip(&*batch.orthogonal).zip(&*batch.diagonal);
    for (sum, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *sum = occupied ^ orthogonal ^ diagonal;
    }
}
