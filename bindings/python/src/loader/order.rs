//! The order of the units in an epoch: the same for all shards, of which each takes every n-th.

use std::io;

use setwise_table::Draws;

use super::files::{Cut, LoaderFile, UnitStream};
use super::places::Unit;

/// Puts units, which are in the order of the files, into a random order in which every stretch has some from everywhere:
/// the files are cut into strata, and each round takes a unit of every stratum. So a buffer is a sample of all files, even
/// if there are only a few dozen units.
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
pub(super) struct Draw {
    /// Its place in the order.
    pub(super) number: u64,
    pub(super) file: usize,
    /// A number of the unit in its file.
    pub(super) unit: u64,
    /// The bytes, if they come from a stream.
    pub(super) bytes: Option<Unit>,
}

/// The units of an epoch that have not been drawn yet.
pub(super) struct Order {
    /// File and unit, the next one last.
    units: Vec<(u32, u32)>,
    streams: Vec<OpenStream>,
    random: Option<Draws>,
    /// The number of the next draw.
    pub(super) next: u64,
}

struct OpenStream {
    file: usize,
    /// Opened when it is first drawn from.
    stream: Option<UnitStream>,
    /// About how many units are left.
    left: u64,
    drawn: u64,
}

impl Order {
    /// The order of an epoch, random if a seed is given.
    pub(super) fn new(files: &[LoaderFile], seed: Option<u64>, epoch: u64) -> Self {
        let mut units = Vec::new();
        let mut streams = Vec::new();
        for (at, file) in files.iter().enumerate() {
            let of_file = 0..file.units().unwrap_or(0) as u32;
            units.extend(of_file.map(|unit| (at as u32, unit)));
            if let Cut::Stream { about } = file.cut {
                streams.push(OpenStream { file: at, stream: None, left: about, drawn: 0 });
            }
        }
        let mut random = seed.map(|seed| Draws::of(&[seed, epoch, 1]));
        match &mut random {
            Some(random) => units = scatter(&mut units, random),
            None => {
                units.reverse();
                streams.reverse();
            }
        }
        Self { units, streams, random, next: 0 }
    }

    /// The next unit. The bytes of a stream are read also if they are not wanted, and dropped.
    pub(super) fn draw(&mut self, files: &[LoaderFile]) -> io::Result<Option<Draw>> {
        loop {
            // The last of the lists if the order is that of the files.
            let stream = match &mut self.random {
                None => {
                    let unit = self.units.last().map_or(usize::MAX, |unit| unit.0 as usize);
                    let last = self.streams.len().wrapping_sub(1);
                    self.streams.last().filter(|stream| stream.file < unit).map(|_| last)
                }
                Some(random) => {
                    let of_streams: u64 = self.streams.iter().map(|stream| stream.left).sum();
                    let all = self.units.len() as u64 + of_streams;
                    let mut chosen = if all == 0 { 0 } else { random.below(all) };
                    let is_chosen = |stream: &OpenStream| {
                        let is_chosen = chosen < stream.left;
                        chosen = chosen.wrapping_sub(stream.left);
                        is_chosen
                    };
                    self.streams.iter().position(is_chosen)
                }
            };
            let Some(at) = stream else {
                let Some((file, unit)) = self.units.pop() else { return Ok(None) };
                return Ok(Some(self.numbered(file as usize, unit.into(), None)));
            };
            let of_stream = &mut self.streams[at];
            let open = match &mut of_stream.stream {
                Some(open) => open,
                closed => closed.insert(files[of_stream.file].stream()?),
            };
            let Some((bytes, _)) = open()? else {
                self.streams.remove(at);
                continue;
            };
            of_stream.left = (of_stream.left - 1).max(1);
            of_stream.drawn += 1;
            let (file, unit) = (of_stream.file, of_stream.drawn);
            return Ok(Some(self.numbered(file, unit, Some(bytes))));
        }
    }

    fn numbered(&mut self, file: usize, unit: u64, bytes: Option<Unit>) -> Draw {
        self.next += 1;
        Draw { number: self.next - 1, file, unit, bytes }
    }
}
