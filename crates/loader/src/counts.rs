//! Counts of rows: dropped rows by reason; rows with complete labels, and kept rows, by ply, number of pieces and
//! result.

use serde::{Deserialize, Serialize};
use setwise_formats::{Preview, Records};

use crate::rows::Row;

/// The number of counters for plies. The last one also counts all later plies.
const PLIES: usize = 256;

/// The number of counters for numbers of pieces, 0 to 64.
const PIECES: usize = 65;

/// The number of counters for results: lost, drawn, won, unknown.
const RESULTS: usize = 4;

/// The total number of counters.
const COUNTS: usize = PLIES + PIECES + RESULTS;

/// Counts of the rows read so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The rows dropped by each condition, then the rows without a label, which were dropped or got the number
    /// [`OnMissing::Value`](setwise_table::OnMissing::Value).
    pub left_out: Vec<u64>,
    /// The rows dropped by `one_in`.
    pub not_sampled: u64,
    /// The invalid rows, which were skipped or kept in part.
    pub invalid: u64,
    /// The rows dropped by the sampling: by outcome, ply and number of pieces.
    pub sampled: [u64; 3],
    /// The counts of the rows with complete labels, then of the rows kept: each 256 by ply (the last one also counts all
    /// later plies), 65 by number of pieces, and 4 by result (lost, drawn, won, unknown). Empty if no rows were counted.
    /// Values that a source does not have are not counted.
    pub tally: Vec<u64>,
}

impl Counts {
    /// Returns counts of zero for this number of conditions.
    pub(crate) fn none(conditions: usize) -> Self {
        Self { left_out: vec![0; conditions + 1], ..Self::default() }
    }

    /// Returns whether these can be counts of a loader with this number of conditions.
    pub(crate) fn fit(&self, conditions: usize) -> bool {
        self.left_out.len() == conditions + 1 && [0, 2 * COUNTS].contains(&self.tally.len())
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, more: &Self) {
        let lists = [(&mut self.left_out, &more.left_out), (&mut self.tally, &more.tally)];
        for (all, more) in lists {
            all.resize(all.len().max(more.len()), 0);
            all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
        self.not_sampled += more.not_sampled;
        self.invalid += more.invalid;
        self.sampled.iter_mut().zip(more.sampled).for_each(|(all, more)| *all += more);
    }

    /// Counts a row with complete labels.
    #[inline]
    pub(crate) fn see(&mut self, preview: &Preview) {
        if self.tally.is_empty() {
            self.tally.resize(2 * COUNTS, 0);
        }
        count(&mut self.tally, preview.ply, preview.pieces as usize, preview.result);
    }

    /// Counts rows that are kept.
    pub(crate) fn keep(&mut self, rows: &[Row]) {
        if !rows.is_empty() {
            self.tally.resize(2 * COUNTS, 0);
        }
        for row in rows {
            let ply = Some(row.ply).filter(|&ply| ply != Row::NO_PLY);
            count(&mut self.tally[COUNTS..], ply, row.piece_count().into(), row.result);
        }
    }
}

/// Counts a row by its known properties.
#[inline]
fn count(counts: &mut [u64], ply: Option<u32>, pieces: usize, result: i8) {
    if let Some(ply) = ply {
        counts[(ply as usize).min(PLIES - 1)] += 1;
    }
    counts[PLIES + pieces] += 1;
    if result != Records::NO_RESULT {
        let place = if (-1..=1).contains(&result) { (result + 1) as usize } else { 3 };
        counts[PLIES + PIECES + place] += 1;
    }
}
