//! Decodes units: to the rows that labels, chance and conditions leave. Threads do it, each for a unit.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use setwise_formats::{Preview, Records};
use setwise_table::{Error, OnMissing, Plan, Sampling, Steering};

use super::counts::{Counts, Known};
use super::failed::Failed;
use super::files::LoaderFile;
use super::order::{Draw, mix};
use super::rows::Row;
use super::sampling::{Chances, Chooser};

/// The rows of a unit.
pub(super) struct Decoded {
    pub(super) number: u64,
    pub(super) rows: Vec<Row>,
    pub(super) counts: Counts,
    pub(super) chances: Chances,
    /// What is known of its rows, if they are counted.
    pub(super) known: Option<Known>,
    /// The steering before the unit.
    pub(super) before: Option<Steering>,
}

/// What threads share that decode units.
#[derive(Clone, Copy)]
pub(super) struct Decoder<'a> {
    pub(super) files: &'a [LoaderFile],
    pub(super) plans: &'a [Arc<Plan>],
    pub(super) one_in: u64,
    pub(super) seed: u64,
    pub(super) sampling: &'a Sampling,
    pub(super) tallies: bool,
    pub(super) asked: [bool; 2],
    pub(super) on_missing: OnMissing,
    pub(super) has_moves: bool,
    /// The number of conditions.
    pub(super) conditions: usize,
    pub(super) spare: &'a Mutex<Vec<Vec<Row>>>,
}

impl Decoder<'_> {
    /// Decodes a unit.
    pub(super) fn decode(&self, draw: Draw) -> Result<Decoded, Failed> {
        let Draw { number, file: at, unit, bytes } = draw;
        let (file, plan) = (&self.files[at], &self.plans[at]);
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => file.read_unit(unit).map_err(|error| Failed::of(&file.path, error))?,
        };
        let seed = mix(self.seed ^ mix(at as u64 ^ mix(unit)));
        let (one_in, chances) = (self.one_in, Chances::of(seed));
        let chosen = Arc::new(AtomicU64::new(0));
        let first = (one_in > 1 && file.chooses_first()).then(|| {
            let out = Arc::clone(&chosen);
            let keeps = move |row| {
                let is_kept = chances.takes(row, one_in);
                out.fetch_add(u64::from(!is_kept), Ordering::Relaxed);
                is_kept
            };
            Box::new(keeps) as Box<dyn Fn(u64) -> bool + Send>
        });
        let mut chooser = Chooser {
            sampling: self.sampling,
            chances,
            one_in: if first.is_some() { 1 } else { one_in },
            asked: self.asked,
            on_missing: self.on_missing,
            tallies: self.tallies,
            row: 0,
            counts: Counts::default(),
            missing: 0,
        };
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (mut rows, mut known) = (spare.unwrap_or_default(), Known::default());
        if let Some(part) = file.part(bytes, first)? {
            let chooses = chooser.one_in > 1 || self.tallies || !self.sampling.needs().is_empty();
            let mut keeps = |preview: &Preview| chooser.keeps(preview);
            let mut takes = |records: &Records, hashes: &[u64]| {
                known.see(records);
                Row::append(&mut rows, records, hashes, self.has_moves);
            };
            let keeps: Option<&mut dyn FnMut(&Preview) -> bool> = chooses.then_some(&mut keeps);
            let kept = plan.keep_each::<Error>(part, keeps, &mut takes);
            let kept = kept.and_then(|kept| plan.check_labels().map(|()| kept));
            let report = kept.map_err(|error| file.named(error))?;
            let counts = &mut chooser.counts;
            counts.left_out = report.left_out;
            counts.left_out.resize(self.conditions, 0);
            counts.left_out.push(report.missing + chooser.missing);
            counts.invalid = report.invalid;
        }
        let mut counts = chooser.counts;
        counts.not_sampled += chosen.load(Ordering::Relaxed);
        let known = self.tallies.then_some(known);
        Ok(Decoded { number, rows, counts, chances, known, before: None })
    }
}
