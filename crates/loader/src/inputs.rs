//! Computes the network inputs of a batch in the memory of its arrays.
//!
//! A few hundred rows at a time are unpacked and passed to the kernel, so that they stay in the cache. Padded rows of
//! inputs are written in place. Lists are copied: with one thread immediately, from the cache; with several threads
//! once the lengths of all lists are known.

use setwise::{ByColour, Lists, Positions};
use setwise_nnue::{FeatureError, FeatureSet, KernelExt, Sides};
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
    let mut own = None;
    let into = match into {
        Some(into) => into,
        None => {
            let take = || pool.take(needed, &options.hooks);
            own.insert([take()?, take()?]).each_mut().map(|rows| &mut rows.numbers[..])
        }
    };
    let [first, second] = into.map(|numbers| {
        let found = numbers.len();
        assert!(
            found >= needed,
            "a slice for inputs has {found} numbers, but {count} rows of {width} are needed"
        );
        numbers[..needed].chunks_mut(ROWS * width)
    });
    let tasks = rows.chunks(ROWS).zip(first.zip(second)).enumerate().collect();
    each(options.threads(), tasks, &mut || Ok(()), |(task, (rows, (first, second)))| {
        let mut into = [first, second];
        each_stretch(rows, task * ROWS, |at, positions| {
            let sides = sides(options, into.each_mut().map(|rows| &mut rows[at * width..]));
            let found = options.kernel.feature_rows(set, positions, width, sides);
            if let Err(FeatureError::Kings { row, .. }) = found {
                into.iter_mut().for_each(|rows| rows[(at + row) * width..][..width].fill(-1));
            }
            found
        })
    })?;
    Ok(own.map(|both| both.map(Inputs::Rows)))
}

/// The destinations of the two sides, in the order of the options.
fn sides<T>(options: &Options, [first, second]: [T; 2]) -> Sides<T> {
    match options.perspectives {
        Perspectives::Mover => Sides::ByTurn { mover: first, other: second },
        Perspectives::Colours => Sides::Colours(ByColour { white: first, black: second }),
    }
}

/// Computes the inputs of some rows, the first of which is row `start` of the batch. A position without exactly one king
/// per side has no inputs: `compute` fails at it, and is called again with the positions after it and the index of the
/// first of them.
fn each_stretch(
    rows: &[Row],
    start: usize,
    mut compute: impl FnMut(usize, Positions<'_>) -> Result<(), FeatureError>,
) -> Result<(), Error> {
    let (rows, mut at) = (positions_of(rows), 0);
    loop {
        let positions = Positions::from(&rows.pieces[at..]).with_turns(&rows.turn[at..]);
        match compute(at, positions) {
            Ok(()) => return Ok(()),
            Err(FeatureError::Kings { row, .. }) => at += row + 1,
            Err(FeatureError::Width { row, inputs, width, .. }) => {
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
        return Ok(lists_of(options, set, rows)?.map(|(ends, items)| Inputs::Lists(ends, items)));
    }
    let part = rows.len().div_ceil(PARTS * options.threads()).max(ROWS);
    let parts = each(options.threads(), rows.chunks(part).collect(), &mut || Ok(()), |rows| {
        lists_of(options, set, rows)
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

/// Offsets, one more than lists, and items.
type ListsOfSide = (Vec<i64>, Vec<i32>);

/// Computes the lists of some rows, on one thread.
fn lists_of(options: &Options, set: &FeatureSet, rows: &[Row]) -> Result<[ListsOfSide; 2], Error> {
    /// The inputs per position for which memory is reserved: an upper estimate of the average.
    const INPUTS: usize = 96;
    let mut all = [(); 2].map(|()| {
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(0);
        (offsets, Vec::with_capacity(INPUTS.min(set.max_inputs()) * rows.len()))
    });
    let mut some = [(); 2].map(|()| Lists::<i32>::new());
    for rows in rows.chunks(ROWS) {
        each_stretch(rows, 0, |_, positions| {
            let found = options.kernel.features(set, positions, sides(options, some.each_mut()));
            for ((offsets, items), lists) in all.iter_mut().zip(&some) {
                let start = items.len() as i64;
                offsets.extend(lists.offsets()[1..].iter().map(|&end| start + end as i64));
                items.extend_from_slice(lists.items());
                if found.is_err() {
                    // The position after these has no inputs.
                    offsets.push(items.len() as i64);
                }
            }
            found
        })?;
    }
    Ok(all)
}
