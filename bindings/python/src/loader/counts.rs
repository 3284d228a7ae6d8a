//! Counts of rows: of those that have no place in a batch, by the reason; and by ply, number of pieces and result, of those
//! that have their labels and those that are kept.

use setwise_formats::{Preview, Records};

use super::rows::Row;

/// Plies that are counted; later ones count as the last.
const PLIES: usize = 256;

/// Numbers of pieces, 0 to 64.
const PIECES: usize = 65;

/// Lost, drawn, won, and neither.
const RESULTS: usize = 4;

/// Counts of some rows.
const COUNTS: usize = PLIES + PIECES + RESULTS;

/// The counts of the rows seen, then those of the rows kept, each by ply, pieces and result; empty if none were counted.
/// What a source does not say is not counted.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(super) struct Tally(Vec<u64>);

/// Rows that have no place in a batch.
#[derive(Clone, Default, Debug)]
pub(super) struct Counts {
    /// By each condition, and for want of a label.
    pub(super) left_out: Vec<u64>,
    pub(super) not_sampled: u64,
    pub(super) invalid: u64,
    /// By the sampling: outcome, ply, pieces.
    pub(super) sampled: [u64; 3],
    pub(super) tally: Tally,
}

/// The counts for Python: by each condition and for want of a label, by chance, invalid; by the sampling; and by ply,
/// pieces and result.
pub(super) type CountsForPython = (Vec<u64>, u64, u64, [u64; 3], Vec<u64>);

impl Counts {
    pub(super) fn add(&mut self, more: &Self) {
        self.left_out.resize(self.left_out.len().max(more.left_out.len()), 0);
        self.left_out.iter_mut().zip(&more.left_out).for_each(|(all, more)| *all += more);
        self.not_sampled += more.not_sampled;
        self.invalid += more.invalid;
        self.sampled.iter_mut().zip(&more.sampled).for_each(|(all, more)| *all += more);
        self.tally.add(&more.tally);
    }

    pub(super) fn subtract(&mut self, more: &Self) {
        self.left_out.iter_mut().zip(&more.left_out).for_each(|(all, more)| *all -= more);
        self.not_sampled -= more.not_sampled;
        self.invalid -= more.invalid;
        self.sampled.iter_mut().zip(&more.sampled).for_each(|(all, more)| *all -= more);
        self.tally.subtract(&more.tally);
    }

    pub(super) fn for_python(self) -> CountsForPython {
        (self.left_out, self.not_sampled, self.invalid, self.sampled, self.tally.into_counts())
    }

    pub(super) fn from_python(
        (left_out, not_sampled, invalid, sampled, tally): CountsForPython,
    ) -> Self {
        Self { left_out, not_sampled, invalid, sampled, tally: Tally::from_counts(tally) }
    }
}

/// What is known of each row.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    ply: bool,
    result: bool,
}

impl Known {
    pub(super) fn see(&mut self, records: &Records) {
        self.ply |= !records.ply.is_empty();
        self.result |= !records.result.is_empty();
    }
}

impl Tally {
    pub(super) fn from_counts(counts: Vec<u64>) -> Self {
        Self(counts)
    }

    pub(super) fn into_counts(self) -> Vec<u64> {
        self.0
    }

    pub(super) fn add(&mut self, more: &Self) {
        self.0.resize(self.0.len().max(more.0.len()), 0);
        self.0.iter_mut().zip(&more.0).for_each(|(all, more)| *all += more);
    }

    pub(super) fn subtract(&mut self, more: &Self) {
        self.0.iter_mut().zip(&more.0).for_each(|(all, more)| *all -= more);
    }

    /// Counts a row that has its labels.
    #[inline]
    pub(super) fn see(&mut self, preview: &Preview) {
        if self.0.is_empty() {
            self.0.resize(2 * COUNTS, 0);
        }
        let (plies, rest) = self.0.split_at_mut(PLIES);
        if let Some(ply) = preview.ply {
            plies[place_of_ply(ply)] += 1;
        }
        rest[preview.pieces as usize] += 1;
        if preview.result != Records::NO_RESULT {
            rest[PIECES + place_of_result(preview.result)] += 1;
        }
    }

    /// Counts the rows that are kept.
    pub(super) fn keep(&mut self, rows: &[Row], known: Known) {
        if rows.is_empty() {
            return;
        }
        self.0.resize(2 * COUNTS, 0);
        let (plies, rest) = self.0[COUNTS..].split_at_mut(PLIES);
        for row in rows {
            rest[usize::from(row.piece_count())] += 1;
            if known.ply {
                plies[place_of_ply(row.ply)] += 1;
            }
            if known.result && row.result != Records::NO_RESULT {
                rest[PIECES + place_of_result(row.result)] += 1;
            }
        }
    }
}

fn place_of_ply(ply: u32) -> usize {
    (ply as usize).min(PLIES - 1)
}

fn place_of_result(result: i8) -> usize {
    match result {
        -1 => 0,
        0 => 1,
        1 => 2,
        _ => 3,
    }
}
