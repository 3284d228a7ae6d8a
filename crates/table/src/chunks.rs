//! Sources in memory: columns of text, batches of tables, and boards. They are split into parts without copying.

use std::ops::Range;

use arrow_array::{Array, ArrayRef, RecordBatch};
use setwise::Fen;
use setwise_formats::Records;

use crate::error::{BadRow, Error, Shown};
use crate::finished::Output;
use crate::games;
use crate::input::difference;
use crate::label_columns::LabelRows;
use crate::labels::Label;
use crate::lines::MAX_LINE;
use crate::query::Plan;
use crate::rows::{Part, RowNames, Rows};
use crate::text::lines;

/// Contiguous rows in memory.
pub trait Chunk: Sync {
    /// The number of rows.
    fn rows(&self) -> usize;

    /// Appends a range of rows to a row builder. `number` is the number of the first row in the source.
    ///
    /// # Errors
    /// If the chunk does not match the plan's input, or at an invalid row if the query stops there.
    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error>;
}

/// Splits chunks into ranges of a maximum number of rows, each with its chunk and the number of its first row.
pub(crate) fn parts<C: Chunk>(
    chunks: &[C],
    rows: usize,
) -> impl Iterator<Item = (&C, Range<usize>, u64)> {
    let mut number = 1;
    let starts = chunks
        .iter()
        .flat_map(move |chunk| (0..chunk.rows()).step_by(rows).map(move |start| (chunk, start)));
    starts.map(move |(chunk, start)| {
        let range = start..chunk.rows().min(start + rows);
        number += range.len() as u64;
        (chunk, range.clone(), number - range.len() as u64)
    })
}

impl Rows<'_> {
    /// Appends rows of text, with the other columns of their table that are read.
    fn push_table(
        &mut self,
        array: &dyn Array,
        labels: Option<&LabelRows<'_>>,
        number: u64,
        names: RowNames<'_>,
    ) -> Result<(), Error> {
        for (at, line) in lines("fen", array)?.into_iter().enumerate() {
            let number = number + at as u64;
            let line = line.map(|line| &line.as_bytes()[..line.len().min(MAX_LINE + 1)]);
            if !self.wants(at as u64) {
                continue;
            }
            if labels.is_some_and(|labels| !labels.is_read(at)) {
                self.skip();
                continue;
            }
            let text = line.unwrap_or_default();
            let bad = |within: &str, character, reason| {
                let (row, place) = (names.row(number), names.place(number) + within);
                BadRow { row, place, character, reason, text: text.to_vec() }
            };
            let at_character =
                |character, reason| bad(&format!(", character {character}"), character, reason);
            let parsed = line.map(|line| match Fen::parse(line) {
                Ok(_) if line.len() > MAX_LINE => {
                    Err((MAX_LINE + 1, format!("the text is longer than {MAX_LINE} bytes")))
                }
                parsed => parsed.map_err(|error| (error.column(), error.to_string())),
            });
            let fen = match parsed {
                Some(Ok(fen)) => fen,
                Some(Err((character, reason))) => {
                    let describe = || at_character(character, reason);
                    self.push_invalid(line, number, describe)?;
                    continue;
                }
                None if self.plan().leaves_out_nulls() => {
                    let describe = || bad("", 0, "it has no position".to_owned());
                    self.push_invalid(None, number, describe)?;
                    continue;
                }
                None => {
                    self.push_null(None, number)?;
                    continue;
                }
            };
            match labels.map_or(Ok((fen, Label::NONE)), |labels| labels.row(at, fen)) {
                Ok((played, label)) => {
                    if !self.check_text(&fen, text, at_character)? {
                        self.push_null(line, number)?;
                        continue;
                    }
                    let has_lead = labels.is_some_and(LabelRows::has_lead);
                    let of_played = has_lead.then(|| played.to_string());
                    let text = of_played.as_ref().map_or(text, |fen| fen.as_bytes());
                    self.push(&played, text, number, label);
                }
                Err((column, reason)) => {
                    let describe = || bad(&format!(", column `{column}`"), 0, reason);
                    self.push_invalid(line, number, describe)?;
                }
            }
        }
        Ok(())
    }

    /// Appends a batch of a table.
    ///
    /// # Errors
    /// If the columns of the batch differ from those of the plan's input; at an invalid row if the query stops there;
    /// at a null if the output has no nulls.
    pub fn push_batch(
        &mut self,
        batch: &RecordBatch,
        number: u64,
        names: RowNames<'_>,
    ) -> Result<(), Error> {
        let input = &self.plan().input;
        check(&input.schema, batch)?;
        if let Some(of_games) = input.movetext {
            self.name_rows(names);
            return games::push_batch(self, batch, of_games, number, names);
        }
        let columns = input.places_of_rows().map(|place| batch.column(place).clone());
        self.pass(columns.collect());
        let fens = batch.column(input.fen.unwrap_or(0));
        let labels = input.labels.as_ref().filter(|labels| labels.places != [None; 7]);
        let Some(labels) = labels else { return self.push_table(fens, None, number, names) };
        self.name_rows(names);
        let rows = labels.read(batch, fens, names.row(number))?;
        self.push_table(fens, Some(&rows), number, names)?;
        labels.check(&input.schema, false)
    }
}

/// Fails if the columns of a batch differ from this schema. Their metadata is ignored.
fn check(expected: &arrow_schema::SchemaRef, batch: &RecordBatch) -> Result<(), Error> {
    let found = batch.schema_ref();
    if std::sync::Arc::ptr_eq(found, expected) {
        return Ok(());
    }
    let (found, expected) = (found.fields(), expected.fields());
    let difference = match difference(expected, found) {
        None => return Ok(()),
        Some(None) => format!("{} of them, expected {}", found.len(), expected.len()),
        Some(Some((expected, found))) => format!("{}, expected {}", Shown(found), Shown(expected)),
    };
    Err(Error::Schema(difference))
}

impl Chunk for ArrayRef {
    fn rows(&self) -> usize {
        self.len()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        let part = self.slice(range.start, range.len());
        let names = RowNames { before: "", first: 0 };
        rows.push_table(&part, None, number, names)
    }
}

impl Chunk for RecordBatch {
    fn rows(&self) -> usize {
        self.num_rows()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        // A complete batch passes its columns through unchanged.
        let part = match range.len() == self.num_rows() {
            true => self.clone(),
            false => self.slice(range.start, range.len()),
        };
        let before = rows.plan().fen().map_or_else(String::new, |fen| format!("column `{fen}`, "));
        rows.push_batch(&part, number, RowNames { before: &before, first: 0 })
    }
}

impl Chunk for Records {
    fn rows(&self) -> usize {
        self.len()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        rows.push_records(self, range, number);
        Ok(())
    }
}

/// Processes one chunk into one batch, on the calling thread.
impl Plan {
    /// Computes the columns for a text array with one FEN or EPD per row, parsed by [`Fen::parse`]. A null has null
    /// columns.
    ///
    /// # Errors
    /// If the array is not text, or at the first invalid row if the query stops there.
    ///
    /// ```
    /// use arrow_array::{cast::AsArray, types::UInt64Type, Array, StringViewArray};
    /// use setwise_table::{Input, OnInvalid, Query};
    ///
    /// let fens = [Some("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), None, Some("4k3/8")];
    /// let fens: StringViewArray = fens.into_iter().collect();
    /// let query = Query::default().columns(["white_rook".parse()?]);
    /// let output = query.clone().on_invalid(OnInvalid::Null).plan(&Input::column())?.text(&fens)?;
    /// let rooks = output.batch.column(0).as_primitive::<UInt64Type>();
    /// assert_eq!(rooks.value(0), 0x0101_0101_0101_011e);
    /// assert!(rooks.is_null(1) && rooks.is_null(2));
    /// assert_eq!(output.report.bad_rows[0].row, 2);
    ///
    /// let error = query.plan(&Input::column())?.text(&fens).unwrap_err();
    /// assert_eq!(error.to_string(), "row 2, character 6: expected 8 ranks, found 2: \"4k3/8\"");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn text(&self, text: &dyn Array) -> Result<Output, Error> {
        self.chunk(&text.slice(0, text.len()))
    }

    /// Computes the columns for any chunk in memory.
    ///
    /// # Errors
    /// If the chunk does not match the plan's input, or at the first invalid row if the query stops there.
    pub fn chunk(&self, chunk: &impl Chunk) -> Result<Output, Error> {
        let read = |rows: &mut Rows<'_>| chunk.read(0..chunk.rows(), 1, rows);
        self.read(Part { rows: chunk.rows(), bytes: 0, read: Box::new(read) })
    }
}
