//! The sampling of a loader, as Python gives it, and the rows that it keeps.
//!
//! A random number for each row comes from the seed, the epoch, the unit and the row. What depends on the row alone is
//! decided by the threads that decode units. Steering by the number of pieces follows the order of the units.

use pyo3::prelude::*;
use setwise_formats::{Preview, Records};
use setwise_table::{OnMissing, PlaceholderZeros, Sampling, Steering, WinRate};

use super::counts::Counts;
use super::order::mix;
use super::rows::Row;

/// Why a row is left out, as an index of counts.
#[derive(Clone, Copy)]
pub(super) enum Cause {
    Outcome,
    Ply,
    Pieces,
}

/// `setwise.Sampling`.
#[derive(FromPyObject)]
pub(super) struct SamplingOptions {
    ply: Option<Vec<(f64, f64)>>,
    outcome: Option<WinRateOptions>,
    pieces: Option<Vec<(f64, f64)>>,
    max_skipped: f64,
    placeholder_zeros: Option<u32>,
}

/// `setwise.WinRate`.
#[derive(FromPyObject)]
struct WinRateOptions {
    a: [f64; 4],
    b: [f64; 4],
    max_ply: u32,
    ply_unit: f64,
    score_scale: f64,
    max_score: f64,
}

impl SamplingOptions {
    /// The sampling, or what is wrong with it.
    pub(super) fn sampling(&self) -> Result<Sampling, String> {
        let mut sampling = Sampling::default();
        if let Some(points) = &self.ply {
            sampling = sampling.by_ply(points)?;
        }
        if let Some(WinRateOptions { a, b, max_ply, ply_unit, score_scale, max_score }) =
            self.outcome
        {
            let model = WinRate { a, b, max_ply, ply_unit, score_scale, max_score };
            sampling = sampling.by_outcome(model)?;
        }
        if let Some(points) = &self.pieces {
            sampling = sampling.by_pieces(points, self.max_skipped)?;
        }
        Ok(sampling)
    }

    pub(super) fn placeholder_zeros(&self) -> Option<PlaceholderZeros> {
        self.placeholder_zeros.map(PlaceholderZeros::new)
    }
}

/// Random numbers for the rows of a unit.
#[derive(Clone, Copy)]
pub(super) struct Chances(u64);

impl Chances {
    pub(super) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// A random number for a row: one of several.
    const fn number(self, row: u64, which: u64) -> u64 {
        mix(self.0.wrapping_add((4 * row + which).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Whether chance takes one of so many rows.
    pub(super) const fn takes(self, row: u64, one_in: u64) -> bool {
        one_in == 1 || self.number(row, 1).is_multiple_of(one_in)
    }
}

/// Whether something of this probability happens, given a random number of 32 bits.
fn happens(probability: f64, random: u32) -> bool {
    f64::from(random) < probability * (u64::from(u32::MAX) + 1) as f64
}

/// Decides which rows of a unit are kept by their labels alone, before they are unpacked and conditions are evaluated.
/// Each row that is not is counted once: without a label, by chance, by outcome, by ply.
pub(super) struct Chooser<'a> {
    pub(super) sampling: &'a Sampling,
    pub(super) chances: Chances,
    pub(super) one_in: u64,
    /// Whether each row has to have a score and a result, and what happens to others.
    pub(super) asked: [bool; 2],
    pub(super) on_missing: OnMissing,
    pub(super) tallies: bool,
    /// The number of rows so far.
    pub(super) row: u64,
    pub(super) counts: Counts,
    pub(super) missing: u64,
}

impl Chooser<'_> {
    /// Whether the next row is kept.
    pub(super) fn keeps(&mut self, preview: &Preview) -> bool {
        let (row, mut preview) = (self.row, *preview);
        self.row += 1;
        let is_missing = [!Records::is_score(preview.score), preview.result == Records::NO_RESULT];
        if is_missing[0] && self.asked[0] || is_missing[1] && self.asked[1] {
            match self.on_missing {
                OnMissing::Skip => {
                    self.missing += 1;
                    return false;
                }
                OnMissing::Value(value) => {
                    if is_missing[0] {
                        preview.score = value;
                    }
                    if is_missing[1] {
                        preview.result = i8::try_from(value).unwrap_or(i8::MAX);
                    }
                }
                // It is an error unless a condition leaves it out.
                OnMissing::Stop | OnMissing::Null => return true,
            }
        }
        if self.tallies {
            self.counts.tally.see(&preview);
        }
        if !self.chances.takes(row, self.one_in) {
            self.counts.not_sampled += 1;
            return false;
        }
        let Preview { score, result, ply, .. } = preview;
        let (ply, random) = (ply.unwrap_or(0), self.chances.number(row, 0));
        let out = if !self.sampling.keeps_outcome(score, ply, result, random as u32) {
            Cause::Outcome
        } else if !happens(self.sampling.of_ply(ply), (random >> 32) as u32) {
            Cause::Ply
        } else {
            return true;
        };
        self.counts.sampled[out as usize] += 1;
        false
    }
}

/// Leaves out rows by their number of pieces, in the order of the units, and counts them.
pub(super) fn steer(
    steering: &mut Steering,
    rows: &mut Vec<Row>,
    chances: Chances,
    left_out: &mut [u64; 3],
) {
    let (before, mut row) = (rows.len(), 0);
    rows.retain(|one| {
        row += 1;
        let probability = steering.see(one.piece_count().into());
        happens(probability, (chances.number(row - 1, 2) >> 32) as u32)
    });
    left_out[Cause::Pieces as usize] += (before - rows.len()) as u64;
}
