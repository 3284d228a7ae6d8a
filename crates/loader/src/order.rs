//! The order of the units in an epoch, which is the same for all shards. Each shard reads every n-th unit.

use setwise_table::Draws;

use crate::error::Error;
use crate::files::{Cut, LoaderFile};
use crate::units::{Unit, UnitStream};

/// Shuffles units, which are in the order of the files, so that every stretch of the result draws evenly from all
/// files: the files are cut into strata, and each round takes one unit from every stratum. The buffer is then a sample
/// of all files even if there are only a few dozen units.
fn scatter<T: Copy>(units: &mut [T], random: &mut Draws) -> Vec<T> {
    let (count, strata) = (units.len(), (units.len().isqrt() / 2).max(1));
    let stratum = |at: usize| at * count / strata..(at + 1) * count / strata;
    (0..strata).for_each(|at| random.shuffle(&mut units[stratum(at)]));
    let mut order = Vec::with_capacity(count);
    for round in 0..count.div_ceil(strata) {
        let start = order.len();
        order.extend((0..strata).filter_map(|at| units[stratum(at)].get(round)));
        random.shuffle(&mut order[start..]);
    }
    order
}

/// A unit to decode.
pub(crate) struct Draw {
    /// The index of the unit in the order.
    pub(crate) number: u64,
    pub(crate) file: usize,
    /// The index of the unit in its file.
    pub(crate) unit: u64,
    /// The bytes, if the file is a stream.
    pub(crate) bytes: Option<Unit>,
}

/// The units of an epoch that have not been drawn yet.
pub(crate) struct Order {
    /// Files and units, the next one last. A stream has about one entry per unit, or a single entry if the units are
    /// read in order.
    units: Vec<(u32, u32)>,
    /// One per file.
    streams: Vec<OpenStream>,
    /// The index of the next draw.
    pub(crate) next: u64,
}

struct OpenStream {
    /// Opened at the first draw.
    stream: Option<UnitStream>,
    drawn: u64,
    /// The number of its entries in `units`.
    count: u64,
}

impl Order {
    /// Returns the order of an epoch, which is random if a seed is given.
    pub(crate) fn new(files: &[LoaderFile], seed: Option<u64>, epoch: u64) -> Self {
        let count = |file: &LoaderFile| match (&file.cut, seed) {
            (Cut::Stream { .. }, None) => 1,
            _ => file.units(),
        };
        let units_of = |(at, file): (usize, &LoaderFile)| {
            (0..count(file) as u32).map(move |unit| (at as u32, unit))
        };
        let mut units: Vec<_> = files.iter().enumerate().flat_map(units_of).collect();
        match seed {
            Some(seed) => units = scatter(&mut units, &mut Draws::of(&[seed, epoch, 1])),
            None => units.reverse(),
        }
        let stream = |file| OpenStream { stream: None, drawn: 0, count: count(file) };
        Self { units, streams: files.iter().map(stream).collect(), next: 0 }
    }

    /// Draws the next unit. The bytes of a stream are read even if the caller drops them.
    pub(crate) fn draw(&mut self, files: &[LoaderFile]) -> Result<Option<Draw>, Error> {
        while let Some((at, unit)) = self.units.pop() {
            let file = at as usize;
            let (mut unit, mut bytes) = (unit.into(), None);
            if matches!(files[file].cut, Cut::Stream { .. }) {
                let OpenStream { stream, drawn, count } = &mut self.streams[file];
                let next = match &mut *stream {
                    Some(next) => next,
                    closed => closed.insert(files[file].stream()?),
                };
                let Some((read, _)) = next()? else {
                    *stream = None; // closes the file
                    self.units.retain(|(of, _)| *of != at);
                    continue;
                };
                (unit, bytes) = (*drawn, Some(read));
                *drawn += 1;
                if drawn >= count {
                    // A stream may have more units than estimated.
                    self.units.push((at, 0));
                }
            }
            self.next += 1;
            return Ok(Some(Draw { number: self.next - 1, file, unit, bytes }));
        }
        Ok(None)
    }
}
