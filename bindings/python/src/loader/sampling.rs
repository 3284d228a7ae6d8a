//! The sampling of a loader, as Python gives it, and the rows that it keeps.
//!
//! A random number for each row comes from the seed, the epoch, the unit and the row. What depends on the row alone is
//! decided by the threads that decode units. Steering by the number of pieces follows the order of the units.

use pyo3::prelude::*;
use setwise_formats::Records;
use setwise_table::{PlaceholderZeros, Sampling, Steering, WinRate};

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

    /// Whether something of this probability happens to a row.
    fn happens(self, probability: f64, row: usize, cause: Cause) -> bool {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        let bits = mix(self.0 ^ mix(row as u64 * 4 + cause as u64));
        (bits >> 11) as f64 * STEP < probability
    }
}

/// Whether records stay by their outcome and ply. Counts those that do not.
pub(super) fn stays(
    sampling: &Sampling,
    records: &Records,
    chances: Chances,
    left_out: &mut [u64; 3],
) -> Vec<bool> {
    let rows = records.len();
    let mut stays = vec![true; rows];
    let needs = sampling.needs();
    if needs.contains(setwise_formats::Field::Score) {
        let labels = records.score.iter().zip(&records.result).zip(&records.ply);
        for (row, (((&score, &result), &ply), stays)) in labels.zip(&mut stays).enumerate() {
            *stays = chances.happens(sampling.of_outcome(score, ply, result), row, Cause::Outcome);
            left_out[Cause::Outcome as usize] += u64::from(!*stays);
        }
    }
    if needs.contains(setwise_formats::Field::Ply) {
        for (row, (&ply, stays)) in records.ply.iter().zip(&mut stays).enumerate() {
            let is_out = *stays && !chances.happens(sampling.of_ply(ply), row, Cause::Ply);
            *stays &= !is_out;
            left_out[Cause::Ply as usize] += u64::from(is_out);
        }
    }
    stays
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
        chances.happens(probability, row - 1, Cause::Pieces)
    });
    left_out[Cause::Pieces as usize] += (before - rows.len()) as u64;
}
