//! The rows of a batch and their network inputs, written to the memory of its arrays.
//!
//! A few hundred rows at a time are gathered, unpacked, and go through the kernel, so that they stay in the cache. Rows of
//! inputs are written to their places. Lists are copied there from the cache: with one thread, as they are made; with
//! more, when the lengths of all are known.

use setwise::{ByColour, Colour, Kernel, Lists, Pieces, Positions};
use setwise_nnue::{Column, FeatureError, FeatureSet, KernelExt, columns};
use setwise_table::each;

use super::failed::Failed;
use super::memory::Pool;
use super::rows::Row;

/// Rows that go through the kernel together.
const ROWS: usize = 256;

/// Parts of a batch for each thread, so that none waits for long.
pub(super) const PARTS: usize = 4;

/// What is made for a batch besides columns.
#[derive(Default)]
pub(super) struct Made {
    pub(super) turn: Vec<u8>,
    pub(super) piece_count: Vec<u8>,
    pub(super) score: Vec<i32>,
    pub(super) result: Vec<i8>,
    pub(super) ply: Vec<u32>,
    pub(super) played: Vec<u16>,
    pub(super) game_hash: Vec<i64>,
    pub(super) inputs: Option<[Inputs; 2]>,
}

/// The inputs of one side.
pub(super) enum Inputs {
    Rows(Vec<i32>),
    Lists(Vec<i64>, Vec<i32>),
}

/// How inputs are made.
pub(super) struct Maker<'a> {
    pub(super) kernel: Kernel,
    pub(super) set: Option<&'static FeatureSet>,
    /// The width of rows, if these are not lists.
    pub(super) padded: Option<usize>,
    /// Whether the side to move comes first.
    pub(super) is_mover: bool,
    pub(super) threads: usize,
    /// Memory of arrays.
    pub(super) pool: &'a Pool,
    /// Memory of the lists that threads make of a part of a batch.
    pub(super) parts: &'a Pool,
}

impl Maker<'_> {
    /// Makes a batch of the rows at these indices.
    pub(super) fn make(&self, rows: &[Row], batch: &[u32]) -> Result<Made, Failed> {
        let count = batch.len();
        let mut made = Made {
            turn: vec![0; count],
            piece_count: vec![0; count],
            score: vec![0; count],
            result: vec![0; count],
            ply: vec![0; count],
            played: vec![0; count],
            game_hash: vec![0; count],
            inputs: None,
        };
        let part = match self.threads {
            1 => count.max(1),
            threads => count.div_ceil(PARTS * threads).max(ROWS),
        };
        let mut parts = Vec::with_capacity(count.div_ceil(part));
        let mut places = Places::of(&mut made);
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
        made.inputs = inputs;
        Ok(made)
    }

    /// Rows of inputs.
    fn rows(
        &self,
        set: &FeatureSet,
        width: usize,
        count: usize,
        parts: Vec<Batch<'_>>,
    ) -> Result<[Inputs; 2], Failed> {
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
    ) -> Result<(), Failed> {
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
                Err(FeatureError::Width { row, inputs: found, .. }) => {
                    return Err(Failed::Width { row: start + at + row, found });
                }
                Err(error) => return Err(Failed::Features(error)),
            }
        }
    }

    /// Lists of inputs.
    fn lists(
        &self,
        set: &'static FeatureSet,
        count: usize,
        parts: Vec<Batch<'_>>,
    ) -> Result<[Inputs; 2], Failed> {
        let mut parts: Vec<[ListsOfPart; 2]> = match parts.len() {
            1 => parts.into_iter().map(|part| self.lists_of(set, part, self.pool)).collect(),
            _ => each(self.threads, parts, &mut || Ok(()), |part| {
                self.lists_of(set, part, self.parts)
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
            Ok::<_, Failed>(())
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
    ) -> Result<[ListsOfPart; 2], Failed> {
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
        mut then: impl FnMut(&Chunk, usize) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
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

/// Where the values of some rows go.
struct Places<'a> {
    turn: &'a mut [u8],
    piece_count: &'a mut [u8],
    score: &'a mut [i32],
    result: &'a mut [i8],
    ply: &'a mut [u32],
    played: &'a mut [u16],
    game_hash: &'a mut [i64],
}

impl<'a> Places<'a> {
    fn of(made: &'a mut Made) -> Self {
        let Made { turn, piece_count, score, result, ply, played, game_hash, .. } = made;
        Self { turn, piece_count, score, result, ply, played, game_hash }
    }

    /// Takes the places of the first rows.
    fn take(&mut self, rows: usize) -> Self {
        Self {
            turn: take(&mut self.turn, rows),
            piece_count: take(&mut self.piece_count, rows),
            score: take(&mut self.score, rows),
            result: take(&mut self.result, rows),
            ply: take(&mut self.ply, rows),
            played: take(&mut self.played, rows),
            game_hash: take(&mut self.game_hash, rows),
        }
    }

    fn fill(self, rows: &[Row]) {
        fn put<T>(places: &mut [T], rows: &[Row], of: impl Fn(&Row) -> T) {
            places.iter_mut().zip(rows).for_each(|(place, row)| *place = of(row));
        }
        put(self.turn, rows, |row| row.turn as u8);
        put(self.piece_count, rows, Row::piece_count);
        put(self.score, rows, |row| row.score);
        put(self.result, rows, |row| row.result);
        put(self.ply, rows, |row| row.ply);
        put(self.played, rows, |row| row.played);
        put(self.game_hash, rows, |row| row.game_hash.cast_signed());
    }
}
