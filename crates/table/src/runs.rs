//! Collects the rows of tables in which only the deepest of the consecutive rows of a position is read.

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;

use crate::data_sets::greatest_depth;
use crate::error::Error;
use crate::input::Input;
use crate::text::lines;

/// Consecutive rows of a table.
#[derive(Clone, Debug)]
pub struct Run<T> {
    /// The table.
    pub table: T,
    /// The number of the first row.
    pub first: u64,
    /// The rows.
    pub rows: RecordBatch,
}

impl<T: Clone> Run<T> {
    fn split(&self, at: usize) -> [Self; 2] {
        let (table, rest) = (self.table.clone(), self.rows.num_rows() - at);
        let end = Self { table, first: self.first + at as u64, rows: self.rows.slice(at, rest) };
        [Self { rows: self.rows.slice(0, at), ..self.clone() }, end]
    }
}

/// The last position of the tables before.
#[derive(Debug)]
struct Held<T> {
    run: Run<T>,
    position: Option<String>,
    depth: Option<i32>,
}

/// Collects the rows of consecutive tables [with groups](Input::groups), so that each run has all rows of its positions.
/// If a position continues in the next table, the rows of the first table with the greatest depth are kept.
#[derive(Debug)]
pub struct Runs<T> {
    held: Option<Held<T>>,
    /// The rows of the last position of this table so far.
    rest: Option<Run<T>>,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { held: None, rest: None }
    }
}

impl<T: Clone> Runs<T> {
    /// Adds the next rows of a table with this input. Returns the runs that are complete.
    ///
    /// # Errors
    /// If positions are not text.
    pub fn push(&mut self, input: &Input, next: Run<T>) -> Result<Vec<Run<T>>, Error> {
        let next = match self.rest.take() {
            Some(rest) => {
                let rows = concat_batches(rest.rows.schema_ref(), [&rest.rows, &next.rows])?;
                Run { rows, ..rest }
            }
            None => next,
        };
        let lines = positions(input, &next.rows)?;
        let other = lines.iter().rposition(|line| Some(line) != lines.last());
        let [done, rest] = next.split(other.map_or(0, |row| row + 1));
        self.rest = Some(rest);
        if done.rows.num_rows() == 0 {
            return Ok(Vec::new());
        }
        let Some(held) = self.held.take() else { return Ok(vec![done]) };
        Ok(match held.continued(input, &done.rows)? {
            None => vec![held.run, done],
            Some((_, true)) => vec![done],
            Some((rows, false)) => vec![held.run, done.split(rows)[1].clone()],
        })
    }

    /// Ends a table. The next one may continue its last position.
    ///
    /// # Errors
    /// If positions are not text.
    pub fn end_table(&mut self, input: &Input) -> Result<Option<Run<T>>, Error> {
        let Some(run) = self.rest.take().filter(|run| run.rows.num_rows() > 0) else {
            return Ok(None);
        };
        let continued = match &self.held {
            Some(held) => held.continued(input, &run.rows)?,
            None => None,
        };
        if let Some((_, false)) = continued {
            return Ok(None);
        }
        let position = positions(input, &run.rows)?[0].map(str::to_owned);
        let depth = depth(input, &run.rows, run.rows.num_rows());
        let before = self.held.replace(Held { run, position, depth });
        Ok(before.filter(|_| continued.is_none()).map(|held| held.run))
    }

    /// Returns the last run, after all tables.
    pub fn finish(&mut self) -> Option<Run<T>> {
        self.held.take().map(|held| held.run)
    }
}

impl<T> Held<T> {
    /// Returns whether the first rows of a table continue this position: their number, and whether one of them is deeper
    /// than all rows of the tables before. Returns `None` if they are of another position, or if a depth is not a
    /// number, which reading the rows will report.
    fn continued(&self, input: &Input, rows: &RecordBatch) -> Result<Option<(usize, bool)>, Error> {
        let positions = positions(input, rows)?;
        let is_own = |position: &Option<&str>| *position == self.position.as_deref();
        let count = positions.into_iter().take_while(is_own).count();
        let (Some(before), Some(after)) = (self.depth, depth(input, rows, count)) else {
            return Ok(None);
        };
        Ok((count > 0).then_some((count, after > before)))
    }
}

/// The text of the positions of a table.
fn positions<'a>(input: &Input, rows: &'a RecordBatch) -> Result<Vec<Option<&'a str>>, Error> {
    lines("fen", rows.column(input.fen.unwrap_or(0)))
}

/// The greatest depth of the first rows; `None` if one is not a number.
fn depth(input: &Input, rows: &RecordBatch, count: usize) -> Option<i32> {
    greatest_depth(rows.column(input.groups()?), count)
}
