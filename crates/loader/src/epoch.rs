//! A loader and its epoch: the units read so far, the rows in the buffer, and the next batch.
//!
//! The rows that pass all tests fill a buffer. When it is full, its rows are shuffled and returned as complete batches;
//! leftover rows start the next filling.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::PoisonError;

use setwise_table::{Draws, Plan, Steering, each};

use crate::counts::Counts;
use crate::decode::{Decoded, Decoder};
use crate::error::Error;
use crate::files::{self, Cut};
use crate::find::find_units;
use crate::hooks::Checker;
use crate::options::{Fingerprint, Options};
use crate::order::{Draw, Order};
use crate::pool::Pool;
use crate::rows::Row;
use crate::units::{BYTES, Contents, TOGETHER, Unit};

/// The number of rows to decode together, unless there are fewer units than threads. A block of binpack can have
/// several hundred thousand rows.
const ROWS: usize = 1 << 20;

/// The maximum number of rows for which memory is reserved, because a file may be shorter.
const RESERVED: usize = 1 << 21;

/// The first unit of an empty filling.
pub(crate) const NO_UNIT: u64 = u64::MAX;

/// Loads training batches from files of positions: an iterator of batches.
///
/// Each loop over the batches is the next epoch, or the next [`epochs`](Options::epochs), and is shuffled differently.
/// After its last batch, the iterator returns `None` until [`begin_loop`](Self::begin_loop) is called.
pub struct Loader {
    pub(crate) decoder: Decoder,
    /// Of the files as they were when they were opened.
    pub(crate) fingerprint: Fingerprint,
    /// Memory for padded rows.
    pub(crate) pool: Pool,
    pub(crate) columns: Option<Plan>,
    /// The number of batches of the loop so far.
    pub(crate) turn: u64,
    /// True if the next loop continues here instead of beginning another epoch.
    pub(crate) goes_on: bool,
    pub(crate) checker: Checker,
    /// True if the files have been read to find their units.
    pub(crate) has_found: bool,
    /// The first epoch of the loop.
    pub(crate) start: u64,
    pub(crate) epoch: u64,
    pub(crate) over: bool,
    pub(crate) counts: Counts,
    /// The counts without those of the units in the buffer, which are read again from a state.
    pub(crate) done: Counts,
    pub(crate) at: Progress,
}

/// The progress of the current epoch.
#[derive(Default)]
pub(crate) struct Progress {
    /// Created at the first draw.
    pub(crate) order: Option<Order>,
    /// Decoded units that are not yet in the buffer.
    pending: VecDeque<Decoded>,
    /// The number of rows of the largest unit so far.
    largest: usize,
    pub(crate) rows: Vec<Row>,
    /// The units in the buffer.
    pub(crate) units: VecDeque<Decoded>,
    /// The number of the unit after the last one that left the buffer, if any has.
    next_unit: Option<u64>,
    /// The state of steering by the number of pieces.
    pub(crate) steering: Option<Steering>,
    /// The order of the rows in the buffer.
    pub(crate) shuffled: Vec<u32>,
    pub(crate) batch: u64,
    /// True if there has been a batch, or if the epoch did not begin at its start.
    pub(crate) has_batches: bool,
}

impl Loader {
    /// Returns the epoch from which random numbers are derived.
    const fn epoch_of_order(&self) -> u64 {
        if self.decoder.options.fixed { 0 } else { self.epoch }
    }

    /// Draws the next unit, of any shard. Returns `None` at the end of the epoch.
    pub(crate) fn draw(&mut self) -> Result<Option<Draw>, Error> {
        let epoch = self.epoch_of_order();
        let Decoder { options, sources, .. } = &mut self.decoder;
        let order = match &mut self.at.order {
            Some(order) => order,
            none => {
                if options.shuffle > 0 && !self.has_found {
                    find_units(&mut sources.files, options, &mut self.checker)?;
                    self.has_found = true;
                }
                none.insert(Order::new(&sources.files, options.seed_of_order(), epoch))
            }
        };
        order.draw(&sources.files)
    }

    /// Decodes and returns the next unit of this shard; `None` at the end of the epoch.
    pub(crate) fn next_unit(&mut self) -> Result<Option<Decoded>, Error> {
        if self.at.pending.is_empty() {
            self.checker.check()?;
            let Options { shard: (shard, shards), .. } = self.decoder.options;
            let threads = self.decoder.options.threads();
            let together = match (threads, ROWS.checked_div(self.at.largest)) {
                (1, _) => 1,
                // As many for each thread.
                (_, units) => {
                    units.unwrap_or(0).clamp(threads, TOGETHER.max(4 * threads)) / threads * threads
                }
            };
            let (mut draws, mut bytes) = (Vec::with_capacity(together), 0);
            while draws.len() < together && bytes < BYTES {
                let Some(mut draw) = self.draw()? else { break };
                if draw.number % shards != shard {
                    continue;
                }
                let file = &self.decoder.sources.files[draw.file];
                if let (Cut::Parts { .. }, Some(table)) = (&file.cut, file.table()) {
                    let part = table.read(draw.unit)?;
                    bytes += part.bytes;
                    let first = table.starts[draw.unit as usize];
                    draw.bytes = Some(Unit { contents: Contents::Rows(part), first });
                }
                draws.push(draw);
            }
            let epoch = self.epoch_of_order();
            let (decoder, checker) = (&self.decoder, &mut self.checker);
            let mut check = || checker.check();
            if let (1, Some(steering)) = (threads, &mut self.at.steering) {
                for draw in draws {
                    let before = steering.clone();
                    let unit = decoder.decode(draw, epoch, Some(steering));
                    let unit = unit.inspect_err(|_| *steering = before.clone())?;
                    self.at.pending.push_back(Decoded { before: Some(before), ..unit });
                }
            } else {
                let decode = |draw| decoder.decode(draw, epoch, None);
                self.at.pending.extend(each(threads, draws, &mut check, decode)?);
            }
            let rows = self.at.pending.iter().map(|unit| unit.rows.len());
            self.at.largest = rows.max().unwrap_or(0).max(self.at.largest);
        }
        let mut next = self.at.pending.pop_front();
        let epoch = self.epoch_of_order();
        let Options { seed, shard, report, .. } = self.decoder.options;
        if let Some(Decoded { rows, counts, before, is_steered, .. }) = &mut next {
            if let (Some(steering), false) = (&mut self.at.steering, *is_steered) {
                *before = Some(steering.clone());
                let (draws, all) = (Draws::of_steering(seed, epoch, shard), rows.len());
                rows.retain(|row| steering.accepts(draws, row.piece_count().into()));
                counts.sampled[2] += (all - rows.len()) as u64;
            }
            if report == Some(true) {
                counts.keep(rows);
            }
        }
        Ok(next)
    }

    /// Returns the first unit of the filling, and the number of its rows that the previous filling used.
    pub(crate) fn first(&self) -> (u64, usize) {
        let next = (self.at.next_unit.unwrap_or(NO_UNIT), 0);
        self.at.units.front().map_or(next, |unit| (unit.number, unit.used))
    }

    /// Moves the remaining rows of a filling to the front.
    pub(crate) fn end_filling(&mut self) {
        let mut used = self.at.shuffled.len();
        self.at.rows.drain(..used);
        while let Some(first) = self.at.units.front_mut() {
            let left = first.count - first.used;
            if used < left {
                // A filling yields all complete batches of its rows, so no unit spans three fillings.
                first.used += used;
                break;
            }
            used -= left;
            self.at.next_unit = Some(first.number + 1);
            self.done.add(&first.counts);
            self.at.units.pop_front();
        }
        self.at.shuffled.clear();
        self.at.batch = 0;
    }

    /// Fills the buffer and shuffles its rows. Returns false at the end of the epoch.
    pub(crate) fn fill(&mut self, mut skipped: usize) -> Result<bool, Error> {
        let Options { batch_size: batch, shuffle, drop_last, shard, .. } = self.decoder.options;
        let enough = shuffle.max(batch);
        if self.at.rows.capacity() == 0 {
            self.at.rows.reserve_exact((enough + files::RECORDS as usize).min(RESERVED));
            self.decoder.options.hooks.advise(self.at.rows.spare_capacity_mut());
        }
        let mut is_last = false;
        while self.at.rows.len() < enough {
            let Some(mut unit) = self.next_unit()? else {
                is_last = true;
                break;
            };
            let mut rows = std::mem::take(&mut unit.rows);
            (unit.count, unit.used) = (rows.len(), skipped.min(rows.len()));
            skipped = 0;
            self.at.rows.extend_from_slice(&rows[unit.used..]);
            self.counts.add(&unit.counts);
            self.at.units.push_back(unit);
            rows.clear();
            self.decoder.spare.get_mut().unwrap_or_else(PoisonError::into_inner).push(rows);
        }
        let rows = self.at.rows.len();
        let used = if is_last && !drop_last { rows } else { rows / batch * batch };
        self.at.shuffled.clear();
        self.at.shuffled.extend(0..used as u32);
        if let Some(seed) = self.decoder.options.seed_of_order() {
            let (unit, row) = self.first();
            let epoch = self.epoch_of_order();
            let mut random = Draws::of(&[seed, epoch, unit, row as u64, shard.0, shard.1]);
            random.shuffle(&mut self.at.shuffled);
        }
        Ok(used > 0)
    }

    /// Advances to the next batch and returns the range of its rows; `None` at the end.
    pub(crate) fn next_rows(&mut self) -> Result<Option<Range<usize>>, Error> {
        while !self.over {
            let size = self.decoder.options.batch_size;
            let start = self.at.batch as usize * size;
            if start < self.at.shuffled.len() {
                self.at.batch += 1;
                self.at.has_batches = true;
                return Ok(Some(start..self.at.shuffled.len().min(start + size)));
            }
            self.end_filling();
            if !self.fill(0)? {
                // After an epoch without rows, stop: all further epochs would be empty, too.
                let was_empty = !self.at.has_batches;
                self.begin_epoch(self.epoch + 1);
                self.over |= was_empty;
            }
        }
        Ok(None)
    }

    /// Resets to the start of an epoch of the loop.
    pub(crate) fn begin_epoch(&mut self, epoch: u64) {
        let Decoder { options, sources, sampling, .. } = &self.decoder;
        let is_last = options.epochs.is_some_and(|epochs| epoch >= self.start + epochs);
        self.over = is_last || sources.files.is_empty();
        self.epoch = epoch;
        self.done = self.counts.clone();
        let mut rows = std::mem::take(&mut self.at.rows);
        rows.clear();
        self.at = Progress { rows, steering: sampling.steering(), ..Progress::default() };
    }
}
