//! This crate on one position at a time: inlined, and with a choice of instructions at run time.

use core::hint::black_box;

use setwise::eval::Attacks;
use setwise::position::{self, PositionKernel};
use setwise::{ByColour, Pieces};

use crate::support::columns::{AlignedColumn, slices};
use crate::support::inputs::Dataset;
use crate::support::rivals::Question;

/// A way to call this crate.
pub trait Ask: Copy {
    fn slider_attacks(self, orthogonal: u64, diagonal: u64, occupied: u64) -> u64;

    fn attacks(self, pieces: &Pieces) -> ByColour<Attacks<u64>>;
}

/// The functions of the module `position`: inlined, with the instructions that the build enables.
#[derive(Clone, Copy)]
pub struct BuiltIn;

impl BuiltIn {
    /// The best that the build enables.
    pub fn name() -> &'static str {
        let gfni = cfg!(target_feature = "gfni");
        if cfg!(all(target_feature = "avx512vl", target_feature = "avx512bw")) {
            if gfni { "inlined-avx512-gfni" } else { "inlined-avx512" }
        } else if cfg!(target_feature = "avx2") {
            if gfni { "inlined-avx2-gfni" } else { "inlined-avx2" }
        } else {
            "inlined-scalar"
        }
    }
}

impl Ask for BuiltIn {
    #[inline(always)]
    fn slider_attacks(self, orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        position::slider_attacks(orthogonal, diagonal, occupied)
    }

    #[inline(always)]
    fn attacks(self, pieces: &Pieces) -> ByColour<Attacks<u64>> {
        position::attacks(pieces)
    }
}

impl Ask for &PositionKernel {
    #[inline(always)]
    fn slider_attacks(self, orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        PositionKernel::slider_attacks(self, orthogonal, diagonal, occupied)
    }

    #[inline(always)]
    fn attacks(self, pieces: &Pieces) -> ByColour<Attacks<u64>> {
        PositionKernel::attacks(self, pieces)
    }
}

/// Answers a question.
pub fn answer(ask: impl Ask, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    match question {
        Question::Unions => unions(ask, dataset, answers),
        Question::ChainedUnions => chained_unions(ask, dataset, answers),
        Question::Maps => maps(ask, dataset, answers),
        Question::Rays => unreachable!("no group asks that about one position"),
    }
}

fn unions(ask: impl Ask, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *attacks = ask.slider_attacks(orthogonal, diagonal, occupied);
    }
}

/// The rivals' loop.
fn chained_unions(ask: impl Ask, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let (nothing, mut last) = (black_box(0), 0);
    let boards = dataset.occupied.iter().zip(&*dataset.orthogonal).zip(&*dataset.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        let wait = last & nothing;
        last = ask.slider_attacks(orthogonal ^ wait, diagonal ^ wait, occupied ^ wait);
        *attacks = last;
    }
}

fn maps(ask: impl Ask, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    let answers: [_; 16] = slices(answers);
    for (i, pieces) in dataset.rows.iter().enumerate() {
        let ByColour { white, black } = ask.attacks(pieces);
        for (at, side) in [(0, white), (8, black)] {
            answers[at][i] = side.pawn;
            answers[at + 1][i] = side.knight;
            answers[at + 2][i] = side.bishop;
            answers[at + 3][i] = side.rook;
            answers[at + 4][i] = side.queen;
            answers[at + 5][i] = side.king;
            answers[at + 6][i] = side.all;
            answers[at + 7][i] = side.twice;
        }
    }
}
