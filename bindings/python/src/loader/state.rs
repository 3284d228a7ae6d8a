//! The state of a loader: the epoch, the units read so far, the rows in the buffer, and the next batch.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::PoisonError;

use arrow_array::ArrayRef;
use setwise_table::{Collect, Draws, Error, Plan, Steering, each};

use super::counts::Counts;
use super::decode::{Decoded, Decoder};
use super::files::{self, Cut};
use super::inputs::{Inputs, Maker};
use super::options::Options;
use super::order::{Draw, Order};
use super::rows::{Columns, Row};
use crate::error::{Stopped, not_read};
use crate::query::{Signals, advise};

/// The number of units to decode together.
const TOGETHER: usize = 16;

/// The approximate number of bytes of parts of tables to decode together.
const BYTES: usize = 1 << 24;

/// The maximum number of rows for which memory is reserved, because a file may be shorter.
const RESERVED: usize = 1 << 21;

/// The first unit of an empty filling.
pub(super) const NO_UNIT: u64 = u64::MAX;

pub(super) struct Core {
    pub(super) decoder: Decoder,
    /// Computes the inputs of a batch.
    pub(super) maker: Maker,
    pub(super) columns: Option<Plan>,
    /// True if the files have been read to find their units.
    pub(super) has_found: bool,
    /// The first epoch of the loop.
    pub(super) start: u64,
    /// True if the next loop continues here instead of beginning another epoch.
    pub(super) goes_on: bool,
    pub(super) epoch: u64,
    pub(super) over: bool,
    pub(super) counts: Counts,
    pub(super) signals: Signals,
    pub(super) at: Progress,
}

/// The progress of the current epoch.
#[derive(Default)]
pub(super) struct Progress {
    /// Created at the first draw.
    pub(super) order: Option<Order>,
    /// Decoded units that are not yet in the buffer.
    pending: VecDeque<Decoded>,
    rows: Vec<Row>,
    /// The units in the buffer.
    pub(super) units: VecDeque<Decoded>,
    /// The number of the unit after the last one that left the buffer, if any has.
    next_unit: Option<u64>,
    /// The state of steering by the number of pieces.
    pub(super) steering: Option<Steering>,
    /// The order of the rows in the buffer.
    shuffled: Vec<u32>,
    pub(super) batch: u64,
    /// True if there has been a batch, or if the epoch did not begin at its start.
    pub(super) has_batches: bool,
}

/// A batch.
pub(super) struct Batch {
    pub(super) rows: Vec<Row>,
    pub(super) inputs: Option<[Inputs; 2]>,
    pub(super) columns: Vec<ArrayRef>,
}

impl Core {
    /// Returns the epoch from which random numbers are derived.
    const fn epoch_of_order(&self) -> u64 {
        if self.decoder.options.fixed { 0 } else { self.epoch }
    }

    /// Draws the next unit, of any shard. Returns `None` at the end of the epoch.
    pub(super) fn draw(&mut self) -> Result<Option<Draw>, Stopped> {
        let epoch = self.epoch_of_order();
        let Decoder { options, sources, .. } = &mut self.decoder;
        let order = match &mut self.at.order {
            Some(order) => order,
            none => {
                if options.shuffle > 0 && !self.has_found {
                    for (at, file) in sources.files.iter_mut().enumerate() {
                        let found = file.find_units(at, options.spills.as_ref());
                        found.map_err(|error| not_read(&file.path, error))?;
                    }
                    self.has_found = true;
                }
                none.insert(Order::new(&sources.files, options.seed_of_order(), epoch))
            }
        };
        order.draw(&sources.files).map_err(|error| Error::Io(error).into())
    }

    /// Decodes and returns the next unit of this shard; `None` at the end of the epoch.
    pub(super) fn next_unit(&mut self) -> Result<Option<Decoded>, Stopped> {
        if self.at.pending.is_empty() {
            self.signals.check()?;
            let Options { threads, shard: (shard, shards), .. } = self.decoder.options;
            let together = if threads == 1 { 1 } else { TOGETHER.max(4 * threads) };
            let (mut draws, mut bytes) = (Vec::with_capacity(together), 0);
            while draws.len() < together && bytes < BYTES {
                let Some(mut draw) = self.draw()? else { break };
                if draw.number % shards != shard {
                    continue;
                }
                let file = &self.decoder.sources.files[draw.file];
                if matches!(file.cut, Cut::Parts { .. }) {
                    let part = file.read_part(draw.unit);
                    let part = part.map_err(|error| not_read(&file.path, error))?;
                    bytes += part.bytes.len();
                    draw.bytes = Some(part);
                }
                draws.push(draw);
            }
            let epoch = self.epoch_of_order();
            let (decoder, signals) = (&self.decoder, &mut self.signals);
            let mut check = || signals.check().map_err(Stopped::from);
            let decoded = each(threads, draws, &mut check, |draw| decoder.decode(draw, epoch))?;
            self.at.pending.extend(decoded);
        }
        let mut next = self.at.pending.pop_front();
        let epoch = self.epoch_of_order();
        let Options { seed, shard, report, .. } = self.decoder.options;
        if let Some(Decoded { rows, counts, before, .. }) = &mut next {
            if let Some(steering) = &mut self.at.steering {
                *before = Some(steering.clone());
                let (draws, all) = (Draws::of_steering(seed, epoch, shard), rows.len());
                rows.retain(|row| steering.accepts(draws, row.piece_count().into()));
                counts.sampled[2] += (all - rows.len()) as u64;
            }
            if report {
                counts.keep(rows);
            }
        }
        Ok(next)
    }

    /// Returns the first unit of the filling, and the number of its rows that the previous filling used.
    pub(super) fn first(&self) -> (u64, usize) {
        let next = (self.at.next_unit.unwrap_or(NO_UNIT), 0);
        self.at.units.front().map_or(next, |unit| (unit.number, unit.used))
    }

    /// Moves the remaining rows of a filling to the front.
    pub(super) fn end_filling(&mut self) {
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
            self.at.units.pop_front();
        }
        self.at.shuffled.clear();
        self.at.batch = 0;
    }

    /// Fills the buffer and shuffles its rows. Returns false at the end of the epoch.
    pub(super) fn fill(&mut self, mut skipped: usize) -> Result<bool, Stopped> {
        let Options { batch_size: batch, shuffle, drop_last, shard, .. } = self.decoder.options;
        let enough = shuffle.max(batch);
        if self.at.rows.capacity() == 0 {
            self.at.rows.reserve_exact((enough + files::RECORDS as usize).min(RESERVED));
            advise(self.at.rows.spare_capacity_mut());
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
            self.counts.combine(&unit.counts, |all, more| *all += more);
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
    pub(super) fn next_rows(&mut self) -> Result<Option<Range<usize>>, Stopped> {
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
    pub(super) fn begin_epoch(&mut self, epoch: u64) {
        let Decoder { options, sources, sampling, .. } = &self.decoder;
        let is_last = options.epochs.is_some_and(|epochs| epoch >= self.start + epochs);
        self.over = is_last || sources.files.is_empty();
        self.epoch = epoch;
        let mut rows = std::mem::take(&mut self.at.rows);
        rows.clear();
        self.at = Progress { rows, steering: sampling.steering(), ..Progress::default() };
    }

    /// Returns the next batch. If it fails, it stays the next one, so that a resumed loader with other inputs has it.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, Stopped> {
        let Some(range) = self.next_rows()? else { return Ok(None) };
        let batch = self.batch(range);
        self.at.batch -= u64::from(batch.is_err());
        batch.map(Some)
    }

    /// Returns rows, their inputs and their columns.
    fn batch(&self, range: Range<usize>) -> Result<Batch, Stopped> {
        let rows: Vec<_> =
            self.at.shuffled[range].iter().map(|&row| self.at.rows[row as usize]).collect();
        let inputs = self.maker.make(&rows)?;
        let mut columns = Vec::new();
        if let Some(plan) = &self.columns {
            let collect = Collect { check: &mut || Ok::<(), Stopped>(()), advise };
            columns = plan.collect(&[Columns::of(&rows).positions()], collect)?.columns;
        }
        Ok(Batch { rows, inputs, columns })
    }
}
