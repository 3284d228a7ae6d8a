//! This crate, asked about one position at a time: as the build has it, and with a kernel in hand.

use core::hint::black_box;

use setwise::Pieces;
use setwise::maps::Attacks;
use setwise::position::{self, OnePosition};

use crate::support::columns::{Column, slices};
use crate::support::inputs::Batch;
use crate::support::rivals::Question;

/// Who answers.
pub trait Ask: Copy {
    fn slider_attacks(self, occupied: u64, orthogonal: u64, diagonal: u64) -> u64;

    fn slider_sets(self, pieces: &Pieces) -> [[u64; 4]; 2];

    fn attacks(self, pieces: &Pieces) -> [Attacks<u64>; 2];
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
    fn slider_attacks(self, occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
        position::slider_attacks(occupied, orthogonal, diagonal)
    }

    #[inline(always)]
    fn slider_sets(self, pieces: &Pieces) -> [[u64; 4]; 2] {
        position::slider_sets(pieces)
    }

    #[inline(always)]
    fn attacks(self, pieces: &Pieces) -> [Attacks<u64>; 2] {
        position::attacks(pieces)
    }
}

impl Ask for OnePosition {
    #[inline(always)]
    fn slider_attacks(self, occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
        self.slider_attacks(occupied, orthogonal, diagonal)
    }

    #[inline(always)]
    fn slider_sets(self, pieces: &Pieces) -> [[u64; 4]; 2] {
        self.slider_sets(pieces)
    }

    #[inline(always)]
    fn attacks(self, pieces: &Pieces) -> [Attacks<u64>; 2] {
        self.attacks(pieces)
    }
}

/// Answers a question.
pub fn answer(ask: impl Ask, question: Question, batch: &Batch, answers: &mut [Column]) {
    match question {
        Question::Unions => unions(ask, batch, answers),
        Question::ChainedUnions => chained_unions(ask, batch, answers),
        Question::Sets => sets(ask, batch, answers),
        Question::Maps => maps(ask, batch, answers),
        Question::Rays | Question::MapsWithPawnShifts => {
            unimplemented!("no group asks that about one position")
        }
    }
}

fn unions(ask: impl Ask, batch: &Batch, answers: &mut [Column]) {
    let boards = batch.occupied.iter().zip(&*batch.orthogonal).zip(&*batch.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *attacks = ask.slider_attacks(occupied, orthogonal, diagonal);
    }
}

/// As the rivals' loop.
fn chained_unions(ask: impl Ask, batch: &Batch, answers: &mut [Column]) {
    let (nothing, mut last) = (black_box(0), 0);
    let boards = batch.occupied.iter().zip(&*batch.orthogonal).zip(&*batch.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        let wait = last & nothing;
        last = ask.slider_attacks(occupied ^ wait, orthogonal ^ wait, diagonal ^ wait);
        *attacks = last;
    }
}

/// All eight sets by one call.
fn sets(ask: impl Ask, batch: &Batch, answers: &mut [Column]) {
    let (fours, _) = answers[0].as_chunks_mut();
    let (answers, _) = fours.as_chunks_mut();
    for (answer, pieces) in answers.iter_mut().zip(&batch.rows) {
        *answer = ask.slider_sets(pieces);
    }
}

fn maps(ask: impl Ask, batch: &Batch, answers: &mut [Column]) {
    let answers: [_; 16] = slices(answers);
    for (i, pieces) in batch.rows.iter().enumerate() {
        let [white, black] = ask.attacks(pieces);
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
