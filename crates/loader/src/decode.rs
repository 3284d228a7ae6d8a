//! Decodes units into the rows that pass the tests of labels, sampling and conditions. Each thread decodes a unit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use setwise_formats::{Field, Preview, Records};
use setwise_table::{Draws, SampledOut, Sampler, Sampling, Steering, is_sampled};

use crate::counts::Counts;
use crate::error::Error;
use crate::options::Options;
use crate::order::Draw;
use crate::rows::Row;
use crate::sources::Sources;

/// A unit with its rows, which are moved to the buffer.
pub(crate) struct Decoded {
    pub(crate) number: u64,
    pub(crate) rows: Vec<Row>,
    /// The number of rows, and the number of those that earlier fillings have used.
    pub(crate) count: usize,
    pub(crate) used: usize,
    /// The counts of the unit's rows.
    pub(crate) counts: Counts,
    /// The state of steering before the unit.
    pub(crate) before: Option<Steering>,
    /// True if steering has selected the rows.
    pub(crate) is_steered: bool,
}

/// The data shared by the threads that decode units.
pub(crate) struct Decoder {
    pub(crate) options: Options,
    pub(crate) sources: Sources,
    pub(crate) sampling: Sampling,
    /// Allocations to reuse for rows.
    pub(crate) spare: Mutex<Vec<Vec<Row>>>,
}

impl Decoder {
    /// The random numbers of a unit's rows, and the index of its first row: in the file for fixed-size records, else in
    /// the unit.
    fn draws(&self, at: usize, unit: u64, first: u64, epoch: u64) -> (Draws, u64) {
        let draws = Draws::of_file(self.options.seed, epoch, at as u64);
        match self.sources.files[at].record_size() {
            Some(_) => (draws, first),
            None => (Draws::of(&[draws.at(unit)]), 0),
        }
    }

    /// Decodes a unit. A single thread steers the rows by their number of pieces, so that dropped rows are not unpacked.
    pub(crate) fn decode(
        &self,
        draw: Draw,
        epoch: u64,
        steering: Option<&mut Steering>,
    ) -> Result<Decoded, Error> {
        let Draw { number, file: at, unit, bytes } = draw;
        let Self { options, sources, .. } = self;
        let on_missing = options.on_missing.unwrap_or_default();
        let report = options.report.unwrap_or_default();
        let file = &sources.files[at];
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => file.read_unit(unit)?,
        };
        let plan = file.plan(&bytes);
        let (draws, start) = self.draws(at, unit, bytes.first, epoch);
        let one_in = options.one_in;
        let chosen = Arc::new(AtomicU64::new(0));
        let first = (one_in > 1 && file.chooses_first()).then(|| {
            let out = Arc::clone(&chosen);
            let keeps = move |row| {
                let is_kept = is_sampled(draws, start + row, one_in);
                out.fetch_add(u64::from(!is_kept), Ordering::Relaxed);
                is_kept
            };
            Box::new(keeps) as Box<dyn Fn(u64) -> bool + Send>
        });
        let mut sampler = Sampler {
            sampling: &self.sampling,
            draws,
            one_in: if first.is_some() { 1 } else { one_in },
            prior_one_in: if first.is_some() { one_in } else { 1 },
            required: sources.asked,
            on_missing,
            row: start,
            out: SampledOut::default(),
        };
        let mut counts = Counts::default();
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut rows = spare.unwrap_or_default();
        let (is_steered, mut steered) = (steering.is_some(), 0);
        let of_steering = Draws::of_steering(options.seed, epoch, options.shard);
        let mut steers = steering.map(|steering| {
            let steered = &mut steered;
            move |pieces| {
                let is_kept = steering.accepts(of_steering, pieces);
                *steered += u64::from(!is_kept);
                is_kept
            }
        });
        if let Some(part) = file.part(bytes, first)? {
            let chooses = sampler.decides() || report;
            let mut keeps = |preview: &Preview| {
                sampler.accepts(preview, |row| {
                    if report {
                        counts.see(row);
                    }
                })
            };
            let has_moves = sources.has.contains(Field::Move);
            let mut takes = |records: &mut Records, hashes: &[u64]| {
                on_missing.fill(records);
                Row::append(&mut rows, records, hashes, has_moves);
            };
            let keeps: Option<&mut dyn FnMut(&Preview) -> bool> = chooses.then_some(&mut keeps);
            let steers = steers.as_mut().map(|steers| steers as &mut dyn FnMut(usize) -> bool);
            let kept = plan.keep::<Error>(part, keeps, steers, &mut takes);
            let kept = kept.map_err(|error| file.named(error))?;
            counts.left_out = kept.left_out;
            counts.left_out.resize(options.conditions.len(), 0);
            counts.left_out.push(kept.missing + kept.filled + sampler.out.missing);
            counts.invalid = kept.invalid;
        }
        let SampledOut { chance, outcome, ply, .. } = sampler.out;
        counts.not_sampled = chance + chosen.load(Ordering::Relaxed);
        counts.sampled = [outcome, ply, steered];
        Ok(Decoded { number, rows, count: 0, used: 0, counts, before: None, is_steered })
    }
}
