//! Collects sources in memory into contiguous columns, in new memory or in the caller's memory.
//!
//! The thread that computes values of fixed width writes them to their final location. The system allocates the pages
//! of new columns as they are written. A caller can use [`Collect::advise`] to request larger pages.

use std::mem;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder};
use bytemuck::{cast_slice, cast_slice_mut};

use crate::chunks::{Chunk, parts};
use crate::error::Error;
use crate::finished::{FinishedPart, Report, batch};
use crate::query::Plan;
use crate::rows::Rows;
use crate::span::filter_columns;
use crate::threads::{count, each, part_rows};
use crate::values::{Finished, Place, array, joined};

/// Contiguous columns of all rows of a source.
#[derive(Debug)]
pub struct Collected {
    /// The computed columns; empty if they were written to the caller's memory.
    pub columns: Vec<ArrayRef>,
    /// The number of rows.
    pub rows: usize,
    /// The skipped rows of the source, counted from 0.
    pub skipped: Vec<usize>,
    /// Invalid rows and other rows without output.
    pub report: Report,
}

/// The callbacks for collecting columns.
pub struct Collect<'a, E> {
    /// Called on the calling thread about twenty times per second; an error stops the work.
    pub check: &'a mut dyn FnMut() -> Result<(), E>,
    /// Called with the memory of each new column before anything is written to it.
    pub advise: fn(&[u8]),
}

impl Plan {
    /// Computes contiguous columns of all rows of the chunks. The columns of a table are not passed through;
    /// [`Collected::append_to`] appends the computed columns to them.
    ///
    /// # Errors
    /// The first error in the order of the rows.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_array::{Array, ArrayRef, StringArray};
    /// use setwise_table::{Collect, Error, Input, Query};
    ///
    /// let fens = vec!["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"; 100_000];
    /// let chunks: Vec<ArrayRef> = fens.chunks(60_000).map(|some| Arc::new(StringArray::from(some.to_vec())) as _).collect();
    /// let plan = Query::default().columns(["white_all".parse()?]).plan(&Input::column())?;
    /// let how = Collect { check: &mut || Ok::<(), Error>(()), advise: |_| {} };
    /// let collected = plan.collect(&chunks, how)?;
    /// assert_eq!(collected.columns[0].len(), 100_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn collect<C: Chunk, E: From<Error> + Send>(
        &self,
        chunks: &[C],
        collect: Collect<'_, E>,
    ) -> Result<Collected, E> {
        let rows: usize = chunks.iter().map(Chunk::rows).sum();
        let columns = self.columns();
        // Zeroed pages, which the system allocates as they are written.
        let mut memory: Vec<Option<Vec<u64>>> = columns
            .iter()
            .map(|column| column.row_bytes().map(|row| vec![0; (row * rows).div_ceil(8)]))
            .collect();
        memory.iter().flatten().for_each(|memory| (collect.advise)(cast_slice(memory)));
        let places = memory
            .iter_mut()
            .map(|memory| memory.as_mut().map(|memory| Place::from(&mut memory[..])));
        let places = places.collect();
        let mut parts = self.fill_places(chunks, places, collect.check)?;

        // If rows were skipped, move the following rows up.
        let (mut skipped, mut ranges) = (Vec::new(), Vec::new());
        let (mut before, mut rows_now) = (0, 0);
        for part in &parts {
            skipped.extend(part.skipped.iter().map(|row| before + row));
            ranges.push((before, rows_now, part.rows));
            before += part.rows + part.skipped.len();
            rows_now += part.rows;
        }
        if !skipped.is_empty() {
            for (memory, &column) in memory.iter_mut().zip(columns) {
                let (Some(memory), Some(row)) = (memory, column.row_bytes()) else { continue };
                let bytes: &mut [u8] = cast_slice_mut(memory);
                for &(from, to, rows) in &ranges {
                    bytes.copy_within(row * from..row * (from + rows), row * to);
                }
            }
        }
        let mut report =
            Report { left_out: vec![0; self.filter.conditions.len()], ..Report::default() };
        parts.iter_mut().for_each(|part| report.add(mem::take(&mut part.report)));
        let fields = &self.schema().fields()[self.passed()..];
        let columns = fields.iter().zip(columns).zip(memory).enumerate();
        let columns = columns.map(|(at, ((field, &column), memory))| match memory {
            Some(memory) => {
                let bytes = column.row_bytes().unwrap_or(0) * rows_now;
                let values = Buffer::from_vec(memory).slice_with_length(0, bytes);
                Ok(array(field.data_type(), values, rows_now, joined_nulls(&parts, at, rows_now)))
            }
            None => {
                let take = |part: &mut FinishedPart| {
                    mem::replace(&mut part.columns[at], Finished::Placed(None)).into_array()
                };
                let parts = parts.iter_mut().map(take).collect::<Vec<_>>();
                joined(field.name(), field.data_type(), &parts)
            }
        });
        let columns = columns.collect::<Result<_, Error>>()?;
        Ok(Collected { columns, rows: rows_now, skipped, report })
    }

    /// Writes the columns, all of which must be numbers, to the caller's memory: one [`Place`] per column, with exactly
    /// the rows of the chunks. Rows without a value are zero. Returns the nulls of each column.
    ///
    /// # Errors
    /// The first error in the order of the rows.
    ///
    /// # Panics
    /// If a place does not match the type or length of its column, or if the query skips rows or has conditions.
    ///
    /// ```
    /// use setwise::Pieces;
    /// use setwise_table::{Error, Input, Place, Positions, Query, Sets};
    ///
    /// let boards = vec![Pieces::START; 10_000];
    /// let positions = Positions { boards: Sets::Pieces(&boards), state: None, nulls: None };
    /// let plan = Query::default().columns(["white_all".parse()?]).plan(&Input::boards(&[]))?;
    /// let mut maps = vec![0_u64; 10_000];
    /// plan.collect_into(&[positions], vec![Place::from(&mut maps[..])], &mut || Ok::<(), Error>(()))?;
    /// assert_eq!(maps[9_999], 0x00ff_ff7e);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn collect_into<C: Chunk, E: From<Error> + Send>(
        &self,
        chunks: &[C],
        places: Vec<Place<'_>>,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<Option<NullBuffer>>, E> {
        let rows: usize = chunks.iter().map(Chunk::rows).sum();
        assert_eq!(places.len(), self.columns().len(), "there is a place for each column");
        let keeps_all =
            self.query.on_invalid != crate::OnInvalid::Skip && self.filter.conditions.is_empty();
        assert!(keeps_all, "places have a row for each row");
        for (place, &column) in places.iter().zip(self.columns()) {
            let found = (place.bytes.len(), place.width);
            let expected = column.row_bytes().map(|row| (row * rows, column.value_type().bytes()));
            assert_eq!(Some(found), expected, "bytes and width of the place of `{column}`");
        }
        let parts = self.fill_places(chunks, places.into_iter().map(Some).collect(), check)?;
        Ok((0..self.columns().len()).map(|at| joined_nulls(&parts, at, rows)).collect())
    }

    fn fill_places<C: Chunk, E: From<Error> + Send>(
        &self,
        chunks: &[C],
        mut places: Vec<Option<Place<'_>>>,
        check: &mut dyn FnMut() -> Result<(), E>,
    ) -> Result<Vec<FinishedPart>, E> {
        let rows = chunks.iter().map(Chunk::rows).sum();
        let threads = count(self.query.threads);
        let rows_of_part = self.query.part_rows.unwrap_or_else(|| part_rows(threads, rows));
        let with_places = parts(chunks, rows_of_part).map(|(chunk, range, number)| {
            let of_part = places.iter_mut().zip(self.columns()).map(|(place, &column)| {
                let place = place.as_mut()?;
                let bytes = column.row_bytes().unwrap_or(0) * range.len();
                let bytes = place.bytes.split_off_mut(..bytes);
                let bytes = bytes.expect("the places have the rows of all parts");
                Some(Place { bytes, width: place.width })
            });
            let of_part: Vec<_> = of_part.collect();
            (chunk, range, number, of_part)
        });
        let tasks = with_places.collect();
        each(threads, tasks, check, |(chunk, range, number, places)| {
            let mut rows = Rows::new(self, range.len(), places);
            chunk.read(range, number, &mut rows)?;
            Ok(rows.finish()?)
        })
    }
}

/// The nulls of a column in the caller's memory.
fn joined_nulls(parts: &[FinishedPart], column: usize, rows: usize) -> Option<NullBuffer> {
    let mut nulls = NullBufferBuilder::new(rows);
    for part in parts {
        match &part.columns[column] {
            Finished::Placed(Some(of_part)) => nulls.append_buffer(of_part),
            Finished::Placed(None) | Finished::Array(_) => nulls.append_n_non_nulls(part.rows),
        }
    }
    nulls.finish()
}

impl Collected {
    /// Appends the new columns to the batches of a table. Each batch gets its rows of the new columns. Skipped rows are
    /// removed.
    ///
    /// # Errors
    /// If the columns were not computed from these batches.
    pub fn append_to(
        &self,
        plan: &Plan,
        batches: &[RecordBatch],
    ) -> Result<Vec<RecordBatch>, Error> {
        let (mut before, mut after, mut skipped) = (0, 0, &self.skipped[..]);
        let mut with_columns = Vec::with_capacity(batches.len());
        for of_input in batches {
            let all = of_input.num_rows();
            let (here, rest) = skipped.split_at(skipped.partition_point(|&row| row < before + all));
            let mut retained = vec![true; all];
            here.iter().for_each(|row| retained[row - before] = false);
            let passed = plan.input.passed.iter().map(|&place| of_input.column(place).clone());
            let passed = filter_columns(passed.collect(), &retained[..].into())?;
            let rows = all - here.len();
            let computed = self.columns.iter().map(|column| column.slice(after, rows));
            with_columns.push(batch(
                plan.schema(),
                passed.into_iter().chain(computed).collect(),
                rows,
            )?);
            (before, after, skipped) = (before + all, after + rows, rest);
        }
        Ok(with_columns)
    }
}
