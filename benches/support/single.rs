//! Runs this library on one position at a time, inlined and with instructions selected at run time. Both variants run
//! in the rivals' loops.

use setwise::eval::Attacks;
use setwise::{Backend, ByColour, Kernel, Pieces, position};

use crate::support::columns::{AlignedColumn, slices};
use crate::support::inputs::Dataset;
use crate::support::rivals::{Question, Rival, answer};

/// The name of the best backend that the build enables.
pub fn built_in() -> &'static str {
    let gfni = cfg!(target_feature = "gfni");
    if cfg!(all(target_feature = "avx512vl", target_feature = "avx512bw")) {
        if gfni { "inlined-avx512-gfni" } else { "inlined-avx512" }
    } else if cfg!(target_feature = "avx2") {
        if gfni { "inlined-avx2-gfni" } else { "inlined-avx2" }
    } else {
        "inlined-scalar"
    }
}

/// The kernels with other instructions than the inlined functions: `lanes` and `wide` use those of the build, too.
pub fn kernels() -> impl Iterator<Item = (String, Kernel)> {
    let kernels = Kernel::available()
        .filter(|kernel| !matches!(kernel.backend(), Backend::Lanes | Backend::Wide));
    kernels.map(|kernel| (format!("in-hand-{}", kernel.backend()), kernel))
}

/// Answers a question with the functions of the module `position`.
pub fn inlined(question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let ours = Ours { union: position::slider_attacks, attacks: position::attacks };
    answer(ours, question, dataset, answers);
}

/// Answers a question with a kernel's methods for one position.
pub fn in_hand(
    kernel: Kernel,
    question: Question,
    dataset: &Dataset,
    answers: &mut [AlignedColumn],
) {
    let position = kernel.position();
    let ours = Ours {
        union: |orthogonal, diagonal, occupied| {
            position.slider_attacks(orthogonal, diagonal, occupied)
        },
        attacks: |pieces: &Pieces| position.attacks(pieces),
    };
    answer(ours, question, dataset, answers);
}

/// The functions for the union of sliders and for attack maps.
#[derive(Clone, Copy)]
struct Ours<U, A> {
    union: U,
    attacks: A,
}

impl<U, A> Rival for Ours<U, A>
where
    U: Fn(u64, u64, u64) -> u64 + Copy,
    A: Fn(&Pieces) -> ByColour<Attacks<u64>> + Copy,
{
    #[inline(always)]
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64 {
        self.union(occupied, sliders, 0)
    }

    #[inline(always)]
    fn diagonal(self, occupied: u64, sliders: u64) -> u64 {
        self.union(occupied, 0, sliders)
    }

    #[inline(always)]
    fn union(self, occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
        (self.union)(orthogonal, diagonal, occupied)
    }

    #[inline(always)]
    fn columns(self, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
        assert_eq!(question, Question::Maps);
        let mut columns: [_; 16] = slices(answers);
        for (i, pieces) in dataset.rows.iter().enumerate() {
            let ByColour { white, black } = (self.attacks)(pieces);
            let maps = [white, black].map(Attacks::into_array);
            for (column, &map) in columns.iter_mut().zip(maps.as_flattened()) {
                column[i] = map;
            }
        }
    }
}
