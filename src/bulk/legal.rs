//! Columns of legal moves: planes, counts and status of whole blocks of sliced boards; everything else one position at a
//! time (`one_by_one.rs`).

use wide::bytemuck::cast_slice_mut;

use super::blocks::next;
use super::one_by_one::{OneByOne, Output};
use super::positions::Positions;
use crate::backend::Kernel;
use crate::boards::Numbers;
use crate::boards::block::{MAX_BOARDS, store_numbers};
use crate::boards::bytes::Bytes;
use crate::boards::moves::{Scratch, count_moves};
use crate::boards::planes::planes;
use crate::boards::sliced::Sliced;
use crate::boards::word_numbers::WordNumbers;
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
        let in_blocks = cfg!(feature = "legal-blocks");
        let mut rows = if in_blocks { positions.rows_in_slices(self) } else { 0 };
        let validity_of = &mut validity;
        match &mut output {
            _ if rows == 0 => {}
            Output::Planes(planes) => {
                let planes = &mut planes[..rows];
                self.run_without_gfni(FillPlanes { positions, planes, validity: validity_of });
            }
            Output::Counts(counts) => {
                let output = NumbersOf::Moves(&mut counts[..rows]);
                self.run(CountMoves { positions, rows, output, validity: validity_of });
            }
            Output::Status(status) => {
                let output = NumbersOf::Status(&mut status[..rows]);
                self.run(CountMoves { positions, rows, output, validity: validity_of });
            }
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
struct FillPlanes<'a, 'b> {
    positions: Positions<'a>,
    planes: &'a mut [[u64; PLANES]],
    validity: &'a mut Validity<'b>,
}

impl Task for FillPlanes<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let Self { positions, planes: column, validity } = self;
        let (mut memory, states) = (Scratch::default(), positions.state());
        let mut block = Some(0);
        while let Some(at) = block {
            let position = positions.load::<Sliced<L::Vector>>(at);
            let rows = column[at..at + L::Vector::COUNT].as_flattened_mut();
            let valid = planes(&position, &states.load(at), states.valid, &mut memory, rows);
            set_validity(validity, at, valid);
            block = next::<Sliced<L::Vector>>(at, column.len());
        }
    }
}

/// The destination of numbers.
enum NumbersOf<'a> {
    Moves(&'a mut [u16]),
    Status(&'a mut [u8]),
}

/// Counts the legal moves of each position, or computes its status. All blocks share one working memory.
struct CountMoves<'a, 'b> {
    positions: Positions<'a>,
    rows: usize,
    output: NumbersOf<'a>,
    validity: &'a mut Validity<'b>,
}

impl Task for CountMoves<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let Self { positions, rows, mut output, validity } = self;
        let (mut memory, states) = (Scratch::<L::Vector>::default(), positions.state());
        let (none, one) = (WordNumbers::splat(0), WordNumbers::splat(1));
        let mut block = Some(0);
        while let Some(at) = block {
            let position = positions.load::<Sliced<L::Vector>>(at);
            let [moves, check] =
                count_moves(&position, &states.load(at), states.valid, &mut memory);
            let part = at..at + L::Vector::COUNT;
            // An invalid position has -1 moves.
            match &mut output {
                NumbersOf::Moves(counts) => {
                    let counts = cast_slice_mut(&mut counts[part]);
                    store_numbers::<Sliced<L::Vector>>(moves.max(none), counts);
                }
                NumbersOf::Status(status) => {
                    // Without a move: 2 in check, 3 otherwise.
                    let number = moves.if_less(one, one * 3 - check, check);
                    let (number, mut numbers) =
                        (moves.if_less(none, none, number), [0; MAX_BOARDS]);
                    store_numbers::<Sliced<L::Vector>>(number, &mut numbers[..L::Vector::COUNT]);
                    for (status, number) in status[part].iter_mut().zip(numbers) {
                        *status = number as u8;
                    }
                }
            }
            set_validity(validity, at, moves.if_less(none, none, one));
            block = next::<Sliced<L::Vector>>(at, rows);
        }
    }
}
