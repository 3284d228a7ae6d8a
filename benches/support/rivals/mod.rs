//! The rivals: methods of other programs, each implemented as well as possible.
//!
//! Rivals do not use this library's kernels, and each runs with the instructions that suit it best. `occupied` always
//! includes the sliders. A rival processes one position at a time, or several if that is faster. The loops are defined
//! here, and inlined into one function per rival, which enables its instructions.
//!
//! | name | method | module |
//! |---|---|---|
//! | `kogge-stone-scalar`, `-avx2`, `-avx512` | plain loops over boards, vectorised by the compiler | `fills` |
//! | `magic-loop` | a loop over sliders, cozy-chess's magics | `squares` |
//! | `pext-loop` | a loop over sliders, PEXT | `squares` |
//! | `pext-gather` | PEXT tables: gathers for three sliders of each kind, a loop for boards with more | `squares` |
//! | `pext`, `magic`, `dual-avx2` | one slider; `dual-avx2` is hyperbola quintessence along three lines in a vector | `squares` |
//! | `four-directions-avx2`, `-avx512` | one position, one direction per lane | `four_directions` |
//! | `magic-loop`, `magic-loop-once` | threats: a loop over pieces, cozy-chess's magics | `threats` |
//! | `byteboard-avx2`, `-avx512` | threats and their changes: the board permuted for each square | `byteboard` |

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

/// The results to compute for every position of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The union of one side's rays.
    Unions,
    /// The union of one side's rays, where each position depends on the previous result.
    ChainedUnions,
    /// One side's rays, one column per direction.
    Rays,
    /// The sixteen attack maps.
    Maps,
}

/// A method for slider attacks.
pub trait Rival: Copy {
    /// The squares attacked by rooks.
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64;

    /// The squares attacked by bishops.
    fn diagonal(self, occupied: u64, sliders: u64) -> u64;

    /// The squares attacked by rooks or by bishops.
    #[inline(always)]
    fn union(self, occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
        self.orthogonal(occupied, orthogonal) | self.diagonal(occupied, diagonal)
    }

    /// Answers [`Question::Rays`] or [`Question::Maps`].
    fn columns(self, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]);
}

/// Answers a question. It must be inlined into the function that enables the rival's instructions.
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

/// Computes [`Question::ChainedUnions`]. Each board is xored with a zero that depends on the previous result and that
/// the compiler does not know. This adds two cycles of latency to all rivals.
#[inline(always)]
fn chained_unions(rival: impl Rival, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let (zero, mut last) = (black_box(0), 0);
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        let dependency = last & zero;
        last = rival.union(occupied ^ dependency, orthogonal ^ dependency, diagonal ^ dependency);
        *attacks = last;
    }
}

/// Reads three columns and writes one, without computation. Memory bounds the speed.
pub fn copy(dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (sum, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *sum = occupied ^ orthogonal ^ diagonal;
    }
}

/// Prevents the compiler from computing several boards, rays or lookups in a vector. It generates no instructions.
#[inline(always)]
pub fn in_a_register(board: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let same;
        // SAFETY: the assembly contains no instructions.
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
