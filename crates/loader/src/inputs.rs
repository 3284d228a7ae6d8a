//! Computes the network inputs of a batch in the memory of its arrays.
//!
//! A few hundred rows at a time are unpacked and passed to the kernel, so that they stay in the cache. Padded rows of
//! inputs are written in place. Lists are copied: with one thread immediately, from the cache; with several threads
//! once the lengths of all lists are known.

use std::ops::Range;

use setwise::{ByColour, Colour, Lists, Positions};
use setwise_formats::Records;
use setwise_nnue::{Column, FeatureError, FeatureSet, KernelExt, Sides, columns};
use setwise_table::each;

use crate::error::Error;
use crate::options::{Options, Perspectives};
use crate::pool::{PaddedRows, Pool};
use crate::rows::{Row, positions_of};

/// The number of rows per call of the kernel.
const ROWS: usize = 256;

/// Parts of a batch per thread, so that no thread waits for long.
const PARTS: usize = 4;

/// The inputs of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Rows of the width `padded`, one after another, each with -1 after its last input.
    Rows(PaddedRows),
    /// Offsets, one more than rows, and the inputs between each two of them.
    Lists(Vec<i64>, Vec<i32>),
}

/// Computes the inputs of rows, if a feature set is given. Padded rows are written `into` memory if it is given, and then
/// not returned; otherwise they are in memory of the pool.
pub(crate) fn inputs_of(
    options: &Options,
    pool: &Pool,
    rows: &[Row],
    into: Option<[&mut [i32]; 2]>,
) -> Result<Option<[Inputs; 2]>, Error> {
    let (Some(set), Some(width)) = (options.features, options.padded) else {
        assert!(into.is_none(), "there are no padded rows: set `features` and `padded`");
        return options.features.map(|set| lists(options, set, rows)).transpose();
    };
    let (count, needed) = (rows.len(), width * rows.len());
    let Some(into) = into else {
        let mut both = [(); 2].map(|()| pool.take(needed, &options.hooks));
        let into = both.each_mut().map(|rows| &mut rows.numbers[..]);
        write_rows(options, set, width, rows, into)?;
        return Ok(Some(both.map(Inputs::Rows)));
    };
    for numbers in &into {
        let found = numbers.len();
        assert!(
            found >= needed,
            "a slice for inputs has {found} numbers, but {count} rows of {width} are needed"
        );
    }
    write_rows(options, set, width, rows, into.map(|numbers| &mut numbers[..needed]))?;
    Ok(None)
}

/// Computes padded rows of inputs.
fn write_rows(
    options: &Options,
    set: &FeatureSet,
    width: usize,
    rows: &[Row],
    into: [&mut [i32]; 2],
) -> Result<(), Error> {
    let [first, second] = into.map(|numbers| numbers.chunks_mut(ROWS * width));
    let tasks = rows.chunks(ROWS).zip(first.zip(second)).enumerate().collect();
    each(options.threads(), tasks, &mut || Ok(()), |(task, (rows, (first, second)))| {
        fill_rows(options, set, width, &positions_of(rows), task * ROWS, [first, second])
    })?;
    Ok(())
}

fn fill_rows(
    options: &Options,
    set: &FeatureSet,
    width: usize,
    rows: &Records,
    start: usize,
    [first, second]: [&mut [i32]; 2],
) -> Result<(), Error> {
    let mut at = 0;
    loop {
        let positions = Positions::from(&rows.pieces[at..]).with_turns(&rows.turn[at..]);
        let (first, second) = (&mut first[at * width..], &mut second[at * width..]);
        let sides = if options.perspectives == Perspectives::Mover {
            Sides::ByTurn { mover: &mut *first, other: &mut *second }
        } else {
            Sides::Colours(ByColour { white: &mut *first, black: &mut *second })
        };
        match options.kernel.feature_rows(set, positions, width, sides) {
            Ok(()) => return Ok(()),
            // A position without exactly one king per side has no inputs.
            Err(FeatureError::Kings { row, .. }) => {
                first[row * width..][..width].fill(-1);
                second[row * width..][..width].fill(-1);
                at += row + 1;
            }
            Err(FeatureError::Width { row, inputs, .. }) => {
                let row = start + at + row;
                return Err(Error::Invalid(format!(
                    "row {row} of the batch has {inputs} inputs, and `padded` is {width}"
                )));
            }
            Err(error) => return Err(Error::Invalid(error.to_string())),
        }
    }
}

/// Computes lists of inputs.
fn lists(options: &Options, set: &'static FeatureSet, rows: &[Row]) -> Result<[Inputs; 2], Error> {
    if options.threads() == 1 || rows.len() <= ROWS {
        return Ok(lists_of(options, set, rows).map(|(ends, items)| Inputs::Lists(ends, items)));
    }
    let part = rows.len().div_ceil(PARTS * options.threads()).max(ROWS);
    let parts = each(options.threads(), rows.chunks(part).collect(), &mut || Ok(()), |rows| {
        Ok::<_, Error>(lists_of(options, set, rows))
    })?;
    let both = each(options.threads(), vec![0, 1], &mut || Ok(()), |side: usize| {
        let parts = parts.iter().map(|part| &part[side]);
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(0);
        let mut all = Vec::with_capacity(parts.clone().map(|(_, items)| items.len()).sum());
        for (ends, items) in parts {
            let start = all.len() as i64;
            offsets.extend(ends[1..].iter().map(|end| start + end));
            all.extend_from_slice(items);
        }
        Ok::<_, Error>(Inputs::Lists(offsets, all))
    })?;
    both.try_into().map_err(|_| unreachable!("there are two sides"))
}

/// Computes offsets and items of the lists of some rows, on one thread.
fn lists_of(
    options: &Options,
    set: &'static FeatureSet,
    rows: &[Row],
) -> [(Vec<i64>, Vec<i32>); 2] {
    /// The inputs per position for which memory is reserved: an upper estimate of the average.
    const INPUTS: usize = 96;
    let mut sides = [(); 2].map(|()| {
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(0);
        (offsets, Vec::with_capacity(INPUTS.min(set.max_inputs()) * rows.len()))
    });
    let (mut white, mut black) = (Lists::<u32>::new(), Lists::<u32>::new());
    for rows in rows.chunks(ROWS) {
        let rows = positions_of(rows);
        // A position without exactly one king per side has no inputs.
        let mut requests = [
            Column::Features(Colour::White).to(&mut white).feature_set(set),
            Column::Features(Colour::Black).to(&mut black).feature_set(set),
        ];
        columns::fill(options.kernel, &rows.pieces, &mut requests);
        let [first, second] = &mut sides;
        if options.perspectives == Perspectives::Mover {
            for (row, turn) in rows.turn.iter().enumerate() {
                let (own, other) =
                    if *turn == Colour::White { (&white, &black) } else { (&black, &white) };
                append(first, own, row..row + 1);
                append(second, other, row..row + 1);
            }
        } else {
            append(first, &white, 0..rows.pieces.len());
            append(second, &black, 0..rows.pieces.len());
        }
    }
    sides
}

/// Appends a range of lists to others.
fn append((offsets, items): &mut (Vec<i64>, Vec<i32>), lists: &Lists<u32>, rows: Range<usize>) {
    let ends = &lists.offsets()[rows.start..=rows.end];
    let (start, end) = (ends[0], ends[rows.len()]);
    let before = items.len() as i64 - start as i64;
    offsets.extend(ends[1..].iter().map(|&end| before + end as i64));
    items.extend(lists.items()[start..end].iter().map(|&input| input as i32));
}
