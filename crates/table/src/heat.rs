//! Counts how often each square is in the sets of a column, over all rows of a source or by ply.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};

use crate::chunks::{Chunk, parts};
use crate::column::{Column, InputColumn};
use crate::error::Error;
use crate::input::Input;
use crate::query::{Plan, Query};
use crate::records::ply;
use crate::rows::Rows;
use crate::threads::{count, each};

/// The number of positions in which each square is in the sets of some columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    /// The number of positions.
    pub rows: u64,
    /// For each column, the number of positions that have the square in their set, a1 first.
    pub squares: Vec<[u64; 64]>,
}

/// A [`Heat`] for each group of plies. The key is the first ply of the group.
pub type HeatByPly = BTreeMap<u32, Heat>;

/// Adds the counts of other rows.
pub fn add_heat(all: &mut HeatByPly, other: HeatByPly) {
    for (first, heat) in other {
        let sum = all.entry(first).or_default();
        sum.rows += heat.rows;
        sum.squares.resize(heat.squares.len(), [0; 64]);
        let pairs = sum.squares.as_flattened_mut().iter_mut().zip(heat.squares.as_flattened());
        pairs.for_each(|(sum, more)| *sum += more);
    }
}

/// A query for [`Heat`], compiled for a kind of input.
pub struct HeatPlan {
    plan: Plan,
    /// The columns of sets, and the number of columns that follow them and determine the ply.
    columns: Vec<Column>,
    of_ply: usize,
    plies: Option<u32>,
}

impl HeatPlan {
    /// Compiles a query whose columns are sets of squares, for sources with this description. [Optional](Query::optional)
    /// columns of other kinds are left out, unless all columns are. With `plies`, each group has this many plies;
    /// otherwise there is one group, 0.
    ///
    /// The ply is the number of half-moves since the start of the game. It is the column `ply` if the input has it;
    /// otherwise it is computed from the move number. Text positions without a move number do not count, and are
    /// [reported](crate::Report::without_clocks).
    ///
    /// # Errors
    /// As for [`Query::plan`]; if a column is not a set of squares; if the input has neither plies nor move numbers.
    ///
    /// ```
    /// use arrow_array::{ArrayRef, StringArray};
    /// use setwise_table::{Error, HeatPlan, Input, Query};
    /// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// let fens = std::sync::Arc::new(StringArray::from(vec![start; 1000])) as ArrayRef;
    /// let query = Query::default().columns(["white_all".parse()?]);
    /// let heat = HeatPlan::new(&query, &Input::column(), None)?;
    /// let heat = heat.collect(&[fens], &mut || Ok::<(), Error>(()))?;
    /// assert_eq!((heat[&0].rows, heat[&0].squares[0][..2].to_vec()), (1000, vec![0, 1000]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(query: &Query, input: &Input, plies: Option<u32>) -> Result<Self, Error> {
        let mut columns = query.columns.clone();
        if columns.iter().any(|column| column.is_board()) {
            columns.retain(|column| column.is_board() || !query.optional.contains(column));
        }
        if let Some(other) = columns.iter().find(|column| !column.is_board()) {
            let name = other.name().to_owned();
            return Err(Error::Type(name, other.data_type(false), "sets of squares"));
        }
        let ply: &[InputColumn] = match plies {
            None => &[],
            Some(_) if input.has(InputColumn::Ply) => &[InputColumn::Ply],
            Some(_) => &[InputColumn::FullmoveNumber, InputColumn::Turn],
        };
        let of_ply = ply.iter().map(|&column| Column::from(column));
        let all = query.clone().columns(columns.iter().copied().chain(of_ply)).signed(false);
        // A pattern may have selected the columns of the ply, which are needed.
        let all = all.optional(query.optional.iter().copied().filter(|column| column.is_board()));
        let plan = all.with_move_numbers(ply.len() > 1).plan(input)?;
        columns.retain(|column| plan.columns().contains(column));
        Ok(Self { plan, columns, of_ply: ply.len(), plies: plies.map(|plies| plies.max(1)) })
    }

    /// The columns that are counted.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The plan of the columns.
    #[must_use]
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Counts the squares of all rows of some chunks. Rows without a position do not count.
    ///
    /// # Errors
    /// The first error in the order of the rows.
    pub fn collect<C: Chunk, E: From<Error> + Send>(
        &self,
        chunks: &[C],
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<HeatByPly, E> {
        const ROWS: usize = 8192;
        let (threads, tasks) = (count(self.plan.query.threads), parts(chunks, ROWS).collect());
        let parts = each(threads, tasks, check, |(chunk, range, number)| {
            let mut rows = Rows::new(&self.plan, range.len(), Vec::new());
            chunk.read(range, number, &mut rows)?;
            Ok(self.count(&rows.finish()?.into_output(self.plan.schema())?.batch))
        })?;
        let mut all = HeatByPly::new();
        parts.into_iter().for_each(|part| add_heat(&mut all, part));
        Ok(all)
    }

    /// Counts the squares of a batch of the plan.
    #[must_use]
    pub fn count(&self, batch: &RecordBatch) -> HeatByPly {
        // The computed columns follow those that are passed through.
        let columns = self.columns.len();
        let made = &batch.columns()[batch.num_columns() - columns - self.of_ply..];
        let (sets, of_ply) = made.split_at(columns);
        let group = |row: usize| {
            let ply = match of_ply {
                [] => return 0,
                [ply] => ply.as_primitive::<UInt32Type>().value(row),
                [number, turn, ..] => {
                    let turn = turn.as_primitive::<UInt8Type>().value(row);
                    ply(number.as_primitive::<UInt32Type>().value(row), turn)
                }
            };
            self.plies.map_or(0, |plies| ply / plies * plies)
        };
        let mut rows: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let valid = |row: &usize| sets.first().is_none_or(|sets| sets.is_valid(*row));
        for row in (0..batch.num_rows()).filter(valid) {
            rows.entry(group(row)).or_default().push(row);
        }
        let heat = |rows: &Vec<usize>| {
            let of_column = |sets: &arrow_array::ArrayRef| {
                let sets = sets.as_primitive::<UInt64Type>().values();
                count_squares(rows.iter().map(|&row| sets[row]))
            };
            Heat { rows: rows.len() as u64, squares: sets.iter().map(of_column).collect() }
        };
        rows.iter().map(|(&first, rows)| (first, heat(rows))).collect()
    }
}

/// Counts the sets that contain each square. Each byte of a number counts one square until it could overflow.
fn count_squares(sets: impl Iterator<Item = u64>) -> [u64; 64] {
    let mut squares = [0; 64];
    let mut sets = sets.peekable();
    while sets.peek().is_some() {
        let mut files = [0_u64; 8];
        for set in sets.by_ref().take(255) {
            for (file, sum) in files.iter_mut().enumerate() {
                *sum += set >> file & 0x0101_0101_0101_0101;
            }
        }
        for (square, sum) in squares.iter_mut().enumerate() {
            *sum += files[square % 8] >> (square & 56) & 0xff;
        }
    }
    squares
}
