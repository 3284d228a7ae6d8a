//! The results of a part: its columns and a report on the rows without output.

use std::collections::BTreeMap;
use std::time::Duration;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

use crate::error::{BadRow, Error};
use crate::values::Finished;

/// The numbers of invalid rows and of rows without output.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Invalid rows, both those that were skipped and those that have nulls.
    pub invalid: u64,
    /// Blank lines.
    pub blank: u64,
    /// Comment lines.
    pub comments: u64,
    /// Games whose positions are in the output.
    pub games: u64,
    /// The number of rows that each condition of the query drops. A row counts for the first condition that drops it.
    pub left_out: Vec<u64>,
    /// Rows that are skipped because a label is missing.
    pub missing: u64,
    /// The number of games that have each tag that is passed through or named in a condition.
    pub tags: BTreeMap<String, u64>,
    /// Kept rows in which a missing label was replaced by the number of [`OnMissing::Value`](crate::OnMissing::Value).
    pub filled: u64,
    /// Positions of games whose evaluation is from a comment of an engine, such as `+0.31/12 1.2s`.
    pub of_engines: u64,
    /// Positions of games that are dropped because they have no move.
    pub without_moves: u64,
    /// Kept positions whose text has no halfmove clock or move number, which were assumed to be 0 and 1; or those without
    /// a move number, which are rows without a position if the query says so.
    pub without_clocks: u64,
    /// The first invalid row of each part, or every invalid row if the query reports all.
    pub bad_rows: Vec<BadRow>,
}

impl Report {
    /// What [`of_engines`](Self::of_engines) counts, for messages: "evaluations" and this.
    pub const OF_ENGINES: &str = "from engines' comments such as +0.31/12 1.2s, for the side that moved, mates in half-moves";

    /// Appends the report of the rows that follow.
    pub fn add(&mut self, next: Self) {
        self.invalid += next.invalid;
        self.blank += next.blank;
        self.comments += next.comments;
        self.games += next.games;
        self.left_out.resize(self.left_out.len().max(next.left_out.len()), 0);
        self.left_out.iter_mut().zip(next.left_out).for_each(|(all, next)| *all += next);
        self.missing += next.missing;
        for (tag, games) in next.tags {
            *self.tags.entry(tag).or_default() += games;
        }
        self.filled += next.filled;
        self.of_engines += next.of_engines;
        self.without_moves += next.without_moves;
        self.without_clocks += next.without_clocks;
        self.bad_rows.extend(next.bad_rows);
    }

    /// The number of rows that conditions drop.
    #[must_use]
    pub fn all_left_out(&self) -> u64 {
        self.left_out.iter().sum()
    }
}

/// The columns of a part.
#[derive(Clone, Debug)]
pub struct Output {
    /// The columns.
    pub batch: RecordBatch,
    /// Invalid rows and other rows without output.
    pub report: Report,
    /// The time spent in the kernel. The rest of the time was spent reading positions.
    pub computing: Duration,
}

pub(crate) struct FinishedPart {
    pub(crate) rows: usize,
    /// The columns that are passed through.
    pub(crate) passed: Vec<ArrayRef>,
    pub(crate) columns: Vec<Finished>,
    pub(crate) skipped: Vec<usize>,
    pub(crate) report: Report,
    pub(crate) computing: Duration,
}

impl FinishedPart {
    pub(crate) fn into_output(self, schema: &SchemaRef) -> Result<Output, Error> {
        let made = self.columns.into_iter().map(Finished::into_array);
        let batch = batch(schema, self.passed.into_iter().chain(made).collect(), self.rows)?;
        Ok(Output { batch, report: self.report, computing: self.computing })
    }
}

/// Creates a batch with this many rows, even if it has no columns.
pub(crate) fn batch(
    schema: &SchemaRef,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> Result<RecordBatch, Error> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(schema.clone(), columns, &options)?)
}
