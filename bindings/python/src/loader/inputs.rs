//! The rows of a batch and their network inputs, written to the memory of its arrays.
//!
//! A few hundred rows at a time are gathered, unpacked, and go through the kernel, so that they stay in the cache. Rows of
//! inputs are written to their places. Lists are copied there from the cache: with one thread, as they are made; with
//! more, when the lengths of all are known.

use numpy::PyArray1;
use pyo3::prelude::*;
use setwise::{ByColour, Colour, Kernel, Lists, Pieces, Positions};
use setwise_nnue::{Column, FeatureError, FeatureSet, KernelExt, columns};
use setwise_table::each;

use super::memory::Pool;
use super::rows::Row;
use crate::error::Stopped;

/// Rows that go through the kernel together.
const ROWS: usize = 256;

/// Parts of a batch for each thread, so that none waits for long.
pub(super) const PARTS: usize = 4;

/// What is made for a batch besides columns.
pub(super) struct Made {
    pub(super) values: Values,
    pub(super) inputs: Option<[Inputs; 2]>,
}

/// Generates the values that each row has, and the places in memory where threads put those of their rows.
macro_rules! values {
    ($($name:ident $in_python:literal: $type:ty = $of:expr;)*) => {
        /// A number for each row.
        pub(super) struct Values { $($name: Vec<$type>,)* }

        impl Values {
            fn zeros(rows: usize) -> Self {
                Self { $($name: vec![0; rows],)* }
            }

            fn places(&mut self) -> Places<'_> {
                Places { $($name: &mut self.$name,)* }
            }

            /// The arrays by name.
            pub(super) fn arrays(self, py: Python<'_>) -> Vec<(&'static str, Bound<'_, PyAny>)> {
                vec![$(($in_python, PyArray1::from_vec(py, self.$name).into_any()),)*]
            }
        }

        /// Where the values of some rows go.
        struct Places<'a> { $($name: &'a mut [$type],)* }

        impl Places<'_> {
            /// Takes the places of the first rows.
            fn take(&mut self, rows: usize) -> Self {
                Self { $($name: take(&mut self.$name, rows),)* }
            }

            fn fill(self, rows: &[Row]) {
                $(self.$name.iter_mut().zip(rows).for_each(|(place, row)| *place = $of(row));)*
            }
        }
    };
}

values! {
    turn "turn": u8 = |row: &Row| row.turn as u8;
    piece_count "piece_count": u8 = Row::piece_count;
    score "score": i32 = |row: &Row| row.score;
    result "result": i8 = |row: &Row| row.result;
    ply "ply": u32 = |row: &Row| row.ply;
    played "move": u16 = |row: &Row| row.played;
    game_hash "game_hash": i64 = |row: &Row| row.game_hash.cast_signed();
}

/// The inputs of one side.
pub(super) enum Inputs {
    Rows(Vec<i32>),
    Lists(Vec<i64>, Vec<i32>),
}

/// How inputs are made.
pub(super) struct Maker {
    pub(super) kernel: Kernel,
    pub(super) set: Option<&'static FeatureSet>,
    /// The width of rows, if these are not lists.
    pub(super) padded: Option<usize>,
    /// Whether the side to move comes first.
    pub(super) is_mover: bool,
    pub(super) threads: usize,
    /// Memory of arrays.
    pub(super) pool: Pool,
    /// Memory of the lists that threads make of a part of a batch.
    pub(super) parts: Pool,
}

impl Maker {
    /// Makes a batch of the rows at these indices.
    pub(super) fn make(&self, rows: &[Row], batch: &[u32]) -> Result<Made, Stopped> {
        let count = batch.len();
        let mut values = Values::zeros(count);
        let part = match self.threads {
            1 => count.max(1),
            threads => count.div_ceil(PARTS * threads).max(ROWS),
        };
        let mut parts = Vec::with_capacity(count.div_ceil(part));
        let mut places = values.places();
        for (batch, start) in batch.chunks(part).zip((0..).step_by(part)) {
            parts.push(Batch { rows, batch, start, places: places.take(batch.len()) });
        }
        let inputs = match (self.set, self.padded) {
            (None, _) => {
                let load = |part: Batch<'_>| {
                    let mut chunk = Chunk::default();
                    part.each_chunk(&mut chunk, |_, _| Ok(()))
                };
                each(self.threads, parts, &mut || Ok(()), load)?;
                None
            }
            (Some(set), Some(width)) => Some(self.rows(set, width, count, parts)?),
            (Some(set), None) => Some(self.lists(set, count, parts)?),
        };
        Ok(Made { values, inputs })
    }

    /// Rows of inputs.
    fn rows(
        &self,
        set: &FeatureSet,
        width: usize,
        count: usize,
        parts: Vec<Batch<'_>>,
    ) -> Result<[Inputs; 2], Stopped> {
        let mut both = [(); 2].map(|()| self.pool.take_filled(width * count));
        let [mut first, mut second] = both.each_mut().map(|memory| &mut memory[..]);
        let mut tasks = Vec::with_capacity(parts.len());
        for part in parts {
            let numbers = part.batch.len() * width;
            let places = [&mut first, &mut second].map(|rest| take(rest, numbers));
            tasks.push((part, places));
        }
        let fill = |(part, [mut first, mut second]): (Batch<'_>, [&mut [i32]; 2])| {
            let mut chunk = Chunk::default();
            part.each_chunk(&mut chunk, |chunk, start| {
                let numbers = chunk.pieces.len() * width;
                let sides = [take(&mut first, numbers), take(&mut second, numbers)];
                self.fill_rows(set, width, chunk, start, sides)
            })
        };
        each(self.threads, tasks, &mut || Ok(()), fill)?;
        Ok(both.map(Inputs::Rows))
    }

    fn fill_rows(
        &self,
        set: &FeatureSet,
        width: usize,
        chunk: &Chunk,
        start: usize,
        [first, second]: [&mut [i32]; 2],
    ) -> Result<(), Stopped> {
        let mut at = 0;
        loop {
            let positions = Positions::from(&chunk.pieces[at..]).with_turns(&chunk.turn[at..]);
            let (first, second) = (&mut first[at * width..], &mut second[at * width..]);
            let outcome = if self.is_mover {
                let sides = [&mut *first, &mut *second];
                self.kernel.feature_rows_by_turn(set, positions, width, sides)
            } else {
                let sides = ByColour { white: &mut *first, black: &mut *second };
                self.kernel.feature_rows(set, positions, width, sides)
            };
            match outcome {
                Ok(()) => return Ok(()),
                // A position without one king of each side has no inputs.
                Err(FeatureError::Kings { row, .. }) => {
                    first[row * width..][..width].fill(-1);
                    second[row * width..][..width].fill(-1);
                    at += row + 1;
                }
                Err(FeatureError::Width { row, inputs, .. }) => {
                    let row = start + at + row;
                    return Err(Stopped::Wrong(format!(
                        "row {row} of the batch has {inputs} inputs, and `padded` is {width}"
                    )));
                }
                Err(error) => return Err(Stopped::Wrong(error.to_string())),
            }
        }
    }

    /// Lists of inputs.
    fn lists(
        &self,
        set: &'static FeatureSet,
        count: usize,
        parts: Vec<Batch<'_>>,
    ) -> Result<[Inputs; 2], Stopped> {
        let mut parts: Vec<[ListsOfPart; 2]> = match parts.len() {
            1 => parts.into_iter().map(|part| self.lists_of(set, part, &self.pool)).collect(),
            _ => each(self.threads, parts, &mut || Ok(()), |part| {
                self.lists_of(set, part, &self.parts)
            }),
        }?;
        if parts.len() == 1 {
            let both = parts.swap_remove(0);
            return Ok(both.map(|side| Inputs::Lists(side.offsets, side.items)));
        }
        let mut sides = [0, 1].map(|side| {
            let mut offsets = Vec::with_capacity(count + 1);
            offsets.push(0);
            let mut end = 0;
            for part in parts.iter().map(|part| &part[side]) {
                offsets.extend(part.offsets[1..].iter().map(|offset| end + offset));
                end += part.items.len() as i64;
            }
            (offsets, self.pool.take_filled(end as usize))
        });
        let mut copies = Vec::with_capacity(2 * parts.len());
        for (side, (_, memory)) in sides.iter_mut().enumerate() {
            let mut rest = &mut memory[..];
            for part in parts.iter().map(|part| &part[side]) {
                copies.push((take(&mut rest, part.items.len()), &part.items[..]));
            }
        }
        let copy = |(place, items): (&mut [i32], &[i32])| {
            place.copy_from_slice(items);
            Ok::<_, Stopped>(())
        };
        each(self.threads, copies, &mut || Ok(()), copy)?;
        parts.into_iter().flatten().for_each(|part| self.parts.put(part.items));
        Ok(sides.map(|(offsets, items)| Inputs::Lists(offsets, items)))
    }

    /// Lists of a part, on one thread.
    fn lists_of(
        &self,
        set: &'static FeatureSet,
        part: Batch<'_>,
        pool: &Pool,
    ) -> Result<[ListsOfPart; 2], Stopped> {
        /// Inputs that most positions do not exceed on average.
        const INPUTS: usize = 96;
        let count = part.batch.len();
        let mut sides = [(); 2].map(|()| {
            let mut offsets = Vec::with_capacity(count + 1);
            offsets.push(0);
            ListsOfPart { offsets, items: pool.take(INPUTS.min(set.max_inputs()) * count) }
        });
        let (mut white, mut black) = (Lists::<u32>::new(), Lists::<u32>::new());
        let mut chunk = Chunk::default();
        part.each_chunk(&mut chunk, |chunk, _| {
            // A position without one king of each side has no inputs.
            let mut requests = [
                Column::Features(Colour::White).to(&mut white).feature_set(set),
                Column::Features(Colour::Black).to(&mut black).feature_set(set),
            ];
            columns::fill(self.kernel, &chunk.pieces, &mut requests);
            let [first, second] = &mut sides;
            if self.is_mover {
                for (row, turn) in chunk.turn.iter().enumerate() {
                    let (mut own, mut other) = (&white, &black);
                    if *turn == Colour::Black {
                        (own, other) = (other, own);
                    }
                    first.push(own, row);
                    second.push(other, row);
                }
            } else {
                first.append(&white);
                second.append(&black);
            }
            Ok(())
        })?;
        Ok(sides)
    }
}

/// Takes the first items of a slice.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    rest.split_off_mut(..count).expect("there is a place for each row of a batch")
}

/// Lists of one side.
struct ListsOfPart {
    offsets: Vec<i64>,
    items: Vec<i32>,
}

impl ListsOfPart {
    fn append(&mut self, lists: &Lists<u32>) {
        let start = self.items.len();
        self.items.extend(lists.items().iter().map(|&input| input as i32));
        self.offsets.extend(lists.offsets()[1..].iter().map(|end| (start + end) as i64));
    }

    fn push(&mut self, lists: &Lists<u32>, row: usize) {
        let of_row = &lists.items()[lists.offsets()[row]..lists.offsets()[row + 1]];
        self.items.extend(of_row.iter().map(|&input| input as i32));
        self.offsets.push(self.items.len() as i64);
    }
}

/// Some of the rows of a batch, and where their values go.
struct Batch<'a> {
    rows: &'a [Row],
    batch: &'a [u32],
    /// The first of them in the batch.
    start: usize,
    places: Places<'a>,
}

impl Batch<'_> {
    /// Gathers some hundred rows at a time, puts their values in their places, and hands them over with the place of the
    /// first.
    fn each_chunk(
        mut self,
        chunk: &mut Chunk,
        mut then: impl FnMut(&Chunk, usize) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        for (batch, start) in self.batch.chunks(ROWS).zip((self.start..).step_by(ROWS)) {
            chunk.rows.clear();
            chunk.rows.extend(batch.iter().map(|&row| self.rows[row as usize]));
            self.places.take(batch.len()).fill(&chunk.rows);
            chunk.pieces.clear();
            chunk.pieces.extend(chunk.rows.iter().map(Row::pieces));
            chunk.turn.clear();
            chunk.turn.extend(chunk.rows.iter().map(|row| row.turn));
            then(chunk, start)?;
        }
        Ok(())
    }
}

/// Rows that go through the kernel together.
#[derive(Default)]
struct Chunk {
    rows: Vec<Row>,
    pieces: Vec<Pieces>,
    turn: Vec<Colour>,
}
