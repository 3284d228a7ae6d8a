//! Decodes units into the rows that pass the tests of labels, sampling and conditions. Each thread decodes a unit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use setwise_formats::{Field, Preview, Records};
use setwise_table::{Draws, Error, SampledOut, Sampler, Sampling, Steering, is_sampled};

use super::counts::Counts;
use super::files::Kind;
use super::options::Options;
use super::order::Draw;
use super::rows::Row;
use super::sources::Sources;
use crate::error::{Stopped, not_read};

/// A unit with its rows, which are moved to the buffer.
pub(super) struct Decoded {
    pub(super) number: u64,
    pub(super) rows: Vec<Row>,
    /// The number of rows, and the number of those that earlier fillings have used.
    pub(super) count: usize,
    pub(super) used: usize,
    /// The counts of the unit's rows.
    pub(super) counts: Counts,
    /// The state of steering before the unit.
    pub(super) before: Option<Steering>,
}

/// The data shared by the threads that decode units.
pub(super) struct Decoder {
    pub(super) options: Options,
    pub(super) sources: Sources,
    pub(super) sampling: Sampling,
    /// The number of conditions.
    pub(super) conditions: usize,
    /// Allocations to reuse for rows.
    pub(super) spare: Mutex<Vec<Vec<Row>>>,
}

impl Decoder {
    /// Decodes a unit.
    pub(super) fn decode(&self, draw: Draw, epoch: u64) -> Result<Decoded, Stopped> {
        let Draw { number, file: at, unit, bytes } = draw;
        let Self { options, sources, .. } = self;
        let (file, plan) = (&sources.files[at], &sources.plans[at]);
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => file.read_unit(unit).map_err(|error| not_read(&file.path, error))?,
        };
        // Random numbers depend on the index of a row: in the file for fixed-size records, else in the unit.
        let draws = Draws::of_file(options.seed, epoch, at as u64);
        let (draws, start) = match file.kind {
            Kind::Packed(format) if format.record_size().is_some() => (draws, bytes.first),
            _ => (Draws::of(&[draws.at(unit)]), 0),
        };
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
            on_missing: options.on_missing,
            row: start,
            out: SampledOut::default(),
        };
        let mut counts = Counts::default();
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut rows = spare.unwrap_or_default();
        if let Some(part) = file.part(bytes, first)? {
            let chooses = sampler.decides() || options.report;
            let mut keeps = |preview: &Preview| {
                sampler.accepts(preview, |row| {
                    if options.report {
                        counts.see(row);
                    }
                })
            };
            let has_moves = sources.has.contains(Field::Move);
            let mut takes = |records: &mut Records, hashes: &[u64]| {
                options.on_missing.fill(records);
                Row::append(&mut rows, records, hashes, has_moves);
            };
            let keeps: Option<&mut dyn FnMut(&Preview) -> bool> = chooses.then_some(&mut keeps);
            let kept = plan.keep::<Error>(part, keeps, &mut takes);
            let kept = kept.and_then(|kept| plan.check_labels().map(|()| kept));
            let report = kept.map_err(|error| file.named(error))?;
            counts.left_out = report.left_out;
            counts.left_out.resize(self.conditions, 0);
            counts.left_out.push(report.missing + sampler.out.missing);
            counts.invalid = report.invalid;
        }
        let SampledOut { chance, outcome, ply, .. } = sampler.out;
        counts.not_sampled = chance + chosen.load(Ordering::Relaxed);
        counts.sampled = [outcome, ply, 0];
        Ok(Decoded { number, rows, count: 0, used: 0, counts, before: None })
    }
}
