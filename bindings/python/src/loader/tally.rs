//! Counts of rows by ply, number of pieces and result: of those that conditions leave, and of those that are kept.

use setwise_formats::Records;

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

/// What is known of each row.
#[derive(Clone, Copy, Default)]
pub(super) struct Known {
    ply: bool,
    result: bool,
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

    /// Counts the rows that conditions have left. Returns what is known of them.
    pub(super) fn see(&mut self, records: &Records) -> Known {
        self.0.resize(2 * COUNTS, 0);
        let (plies, rest) = self.0.split_at_mut(PLIES);
        records.ply.iter().for_each(|ply| plies[place_of_ply(*ply)] += 1);
        for pieces in &records.pieces {
            rest[pieces.occupied().count_ones() as usize] += 1;
        }
        records.result.iter().for_each(|result| rest[PIECES + place_of_result(*result)] += 1);
        Known { ply: !records.ply.is_empty(), result: !records.result.is_empty() }
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
            if known.result {
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
