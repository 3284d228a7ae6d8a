//! Columns of legal moves: planes, counts and status of whole blocks of sliced boards; everything else one position at a
//! time (`one_by_one.rs`).

use wide::bytemuck::cast_slice_mut;

use super::one_by_one::{OneByOne, Output};
use super::positions::Positions;
use crate::backend::Kernel;
use crate::boards::block::{MAX_BOARDS, next, store_numbers};
use crate::boards::bytes::Bytes;
use crate::boards::moves::{Scratch, count_moves};
use crate::boards::planes::planes;
use crate::boards::sliced::Sliced;
use crate::boards::word_numbers::WordNumbers;
use crate::boards::{Numbers, called};
use crate::dispatch::{Level, Task};
use crate::legal::PLANES;

/// The validity of each row, if requested.
pub(super) type Validity<'a> = Option<&'a mut [bool]>;

impl Kernel {
    /// Fills a column that is computed one position at a time, or for whole blocks of sliced boards as far as there is
    /// code for them.
    pub(super) fn fill_one_by_one(
        self,
        positions: Positions<'_>,
        mut output: Output<'_>,
        mut validity: Validity<'_>,
    ) {
        let (backend, mut rows) = (self.backend(), 0);
        if cfg!(feature = "legal-blocks") && backend.is_sliced() {
            rows = positions.in_blocks(backend.boards_per_block());
        }
        let mut count = |output| {
            let validity = validity.as_deref_mut();
            self.run(CountMoves { positions, rows, output, validity });
        };
        match &mut output {
            _ if rows == 0 => {}
            Output::Planes(planes) => {
                let (planes, validity) = (&mut planes[..rows], validity.as_deref_mut());
                self.run_without_gfni(FillPlanes { positions, planes, validity });
            }
            Output::Counts(counts) => count(Output::Counts(&mut counts[..rows])),
            Output::Status(status) => count(Output::Status(&mut status[..rows])),
            _ => rows = 0,
        }
        if rows < positions.len() {
            self.run_by_rows(OneByOne { positions, first: rows, output, validity });
        }
    }
}

/// Sets the validity of a block's rows: a position is valid if its number is not 0.
#[inline(always)]
fn set_validity<V: Bytes>(validity: &mut Validity<'_>, at: usize, numbers: WordNumbers<V>) {
    let Some(validity) = validity else { return };
    let mut valid = [0_i16; MAX_BOARDS];
    store_numbers::<Sliced<V>>(numbers, &mut valid[..V::COUNT]);
    for (row, valid) in validity[at..at + V::COUNT].iter_mut().zip(valid) {
        *row = valid != 0;
    }
}

/// Fills the column of planes.
struct FillPlanes<'a> {
    positions: Positions<'a>,
    planes: &'a mut [[u64; PLANES]],
    validity: Validity<'a>,
}

impl Task for FillPlanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        fill_planes::<L::Vector>(self);
    }
}

/// Counts the legal moves of each position, or computes its status. All blocks share one working memory.
struct CountMoves<'a> {
    positions: Positions<'a>,
    rows: usize,
    output: Output<'a>,
    validity: Validity<'a>,
}

impl Task for CountMoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        count_in_blocks::<L::Vector>(self);
    }
}

called! {
    fn fill_planes<'a, V: Bytes>(task: FillPlanes<'a>) -> () {
        let FillPlanes { positions, planes: column, mut validity } = task;
        let (mut memory, states) = (Scratch::default(), positions.state());
        let mut block = Some(0);
        while let Some(at) = block {
            let position = positions.load::<Sliced<V>>(at);
            let rows = column[at..at + V::COUNT].as_flattened_mut();
            let valid = planes(&position, &states.load(at), states.valid, &mut memory, rows);
            set_validity(&mut validity, at, valid);
            block = next(at, column.len(), V::COUNT);
        }
    }

    fn count_in_blocks<'a, V: Bytes>(task: CountMoves<'a>) -> () {
        let CountMoves { positions, rows, mut output, mut validity } = task;
        let (mut memory, states) = (Scratch::<V>::default(), positions.state());
        let (none, one) = (WordNumbers::splat(0), WordNumbers::splat(1));
        let mut block = Some(0);
        while let Some(at) = block {
            let position = positions.load::<Sliced<V>>(at);
            let [moves, check] =
                count_moves(&position, &states.load(at), states.valid, &mut memory);
            let part = at..at + V::COUNT;
            // An invalid position has -1 moves.
            match &mut output {
                Output::Counts(counts) => {
                    let counts = cast_slice_mut(&mut counts[part]);
                    store_numbers::<Sliced<V>>(moves.max(none), counts);
                }
                Output::Status(status) => {
                    // Without a move: 2 in check, 3 otherwise.
                    let number = moves.if_less(one, one * 3 - check, check);
                    let (number, mut numbers) =
                        (moves.if_less(none, none, number), [0; MAX_BOARDS]);
                    store_numbers::<Sliced<V>>(number, &mut numbers[..V::COUNT]);
                    for (status, number) in status[part].iter_mut().zip(numbers) {
                        *status = number as u8;
                    }
                }
                // `fill_one_by_one` passes no other.
                _ => {}
            }
            set_validity(&mut validity, at, moves.if_less(none, none, one));
            block = next(at, rows, V::COUNT);
        }
    }
}
