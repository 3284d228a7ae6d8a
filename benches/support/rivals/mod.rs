//! The rivals: methods that others use today, each written as well as its advocates would.
//!
//! None of them uses this crate's kernels, and each runs with the instructions that suit it best. All take `occupied`
//! with the sliders in it. A rival implements one position (or many, if that is faster). The loops are written once,
//! here, and inlined into one function per rival that enables its instructions.
//!
//! | name | how | in |
//! |---|---|---|
//! | `kogge-stone-scalar`, `-avx2`, `-avx512` | plain loops over boards, vectorised by the compiler | `fills` |
//! | `magic-loop` | a loop over sliders, cozy-chess's magics | `squares` |
//! | `pext-loop` | a loop over sliders, PEXT | `squares` |
//! | `pext-gather` | the same tables, three sliders of each kind by gathers, and a loop for boards with more | `squares` |
//! | `pext`, `magic`, `dual-avx2` | one slider; the last with hyperbola quintessence along three lines in a vector | `squares` |
//! | `four-directions-avx2`, `-avx512` | one position, a direction in each lane | `four_directions` |
//! | `magic-loop`, `magic-loop-once` | threats: a loop over pieces, cozy-chess's magics | `threats` |
//! | `byteboard-avx2`, `-avx512` | threats and their changes: the board turned to each square | `byteboard` |

#[cfg(target_arch = "x86_64")]
pub mod byteboard;
pub mod fills;
#[cfg(target_arch = "x86_64")]
pub mod four_directions;
pub mod squares;
pub mod threats;

use core::hint::black_box;

use crate::support::columns::AlignedColumn;
use crate::support::inputs::Dataset;

/// The questions about every position of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The union of one side's rays.
    Unions,
    /// The same, but each position depends on the answer before.
    ChainedUnions,
    /// One side's rays, a column for each direction.
    Rays,
    /// The sixteen attack maps.
    Maps,
}

/// A way to compute slider attacks.
pub trait Rival: Copy {
    /// The squares that rooks attack.
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64;

    /// The squares that bishops attack.
    fn diagonal(self, occupied: u64, sliders: u64) -> u64;

    /// The squares that both attack.
    #[inline(always)]
    fn union(self, occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
        self.orthogonal(occupied, orthogonal) | self.diagonal(occupied, diagonal)
    }

    /// Answers [`Question::Rays`] or [`Question::Maps`].
    fn columns(self, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]);
}

/// Answers a question; it must be inlined where the rival's instructions are enabled.
#[inline(always)]
pub fn answer(
    rival: impl Rival,
    question: Question,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
) {
    match question {
        Question::Unions => unions(rival, dataset, answers),
        Question::ChainedUnions => chained_unions(rival, dataset, answers),
        Question::Rays | Question::Maps => rival.columns(question, dataset, answers),
    }
}

#[inline(always)]
fn unions(rival: impl Rival, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *attacks = rival.union(occupied, orthogonal, diagonal);
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
        last = rival.union(occupied ^ wait, orthogonal ^ wait, diagonal ^ wait);
        *attacks = last;
    }
}

/// Reads three columns and writes one, without any work: the bound set by memory.
pub fn copy(dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (sum, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *sum = occupied ^ orthogonal ^ diagonal;
    }
}

/// Costs nothing, and keeps the compiler from computing several boards, rays or lookups in a vector.
#[inline(always)]
pub fn in_a_register(board: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let same;
        // SAFETY: there is no instruction in it.
        unsafe {
            core::arch::asm!(
                "/* {0} */",
                inlateout(reg) board => same,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        same
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    black_box(board)
}
