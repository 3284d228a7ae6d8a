//! Sources in memory: columns of text, batches of tables, boards. They are split into parts without a copy.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::DataType;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};
use setwise_formats::Records;

use crate::column::{Column, InputColumn};
use crate::error::{BadRow, Error, Shown};
use crate::evaluate::Operands;
use crate::finished::Output;
use crate::games;
use crate::input::takes;
use crate::labels::{Label, LabelRows, Wrong};
use crate::presets;
use crate::query::Plan;
use crate::rows::{Part, Positions, RowNames, Rows, Sets};
use crate::text::lines;

/// Contiguous rows in memory.
pub trait Chunk: Sync {
    /// The number of rows.
    fn rows(&self) -> usize;

    /// Appends a range of rows to a row builder; the first of them has this number in the source.
    ///
    /// # Errors
    /// If the chunk does not match the plan's input, or at an invalid row if the query stops there.
    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error>;
}

/// Cuts chunks into ranges of at most so many rows, each with its chunk and the number of its first row.
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
    /// Appends rows of text, which is `Utf8`, `LargeUtf8`, `Utf8View` or a dictionary of one of them. The first row has
    /// this number in the source, counted from 1.
    ///
    /// # Errors
    /// If the array is not text; at an invalid row if the query stops there; at a null if the output has no nulls.
    pub fn push_column(
        &mut self,
        array: &dyn Array,
        number: u64,
        names: RowNames<'_>,
    ) -> Result<(), Error> {
        self.push_table(array, &TableRows::default(), number, names)
    }

    fn push_table(
        &mut self,
        array: &dyn Array,
        table: &TableRows<'_>,
        number: u64,
        names: RowNames<'_>,
    ) -> Result<(), Error> {
        let row = |number: u64| number - 1 + names.first;
        for (at, line) in lines("fen", array)?.into_iter().enumerate() {
            let (number, line) = (number + at as u64, line.map(str::as_bytes));
            if !self.wants(at as u64) {
                continue;
            }
            if table.read.as_ref().is_some_and(|read| !read[at]) {
                self.skip();
                continue;
            }
            match line.map(Fen::parse) {
                Some(Ok(fen)) => {
                    let text = line.unwrap_or_default();
                    match table.row(at, fen) {
                        Ok((fen, label)) if table.lead.is_some() => {
                            self.push(&fen, fen.to_string().as_bytes(), number, label);
                        }
                        Ok((fen, label)) => self.push(&fen, text, number, label),
                        Err(Wrong::Column(error)) => return Err(error),
                        Err(Wrong::Cell(column, reason)) => {
                            self.push_invalid(Some(text), number, || {
                                let (row, before) = (row(number), names.before);
                                let place = format!("{before}row {row}, column `{column}`");
                                BadRow { row, place, character: 1, reason, text: text.to_vec() }
                            })?;
                        }
                    }
                }
                None if !self.plan().leaves_out_nulls() => self.push_null(None, number)?,
                bad => self.push_invalid(line, number, || {
                    let row = row(number);
                    let mut place = format!("{}row {row}", names.before);
                    let (mut character, mut reason) = (0, "it has no position".to_owned());
                    if let Some(Err(error)) = bad {
                        (character, reason) = (error.column(), error.to_string());
                        place += &format!(", character {character}");
                    }
                    BadRow {
                        row,
                        place,
                        character,
                        reason,
                        text: line.unwrap_or_default().to_vec(),
                    }
                })?,
            }
        }
        Ok(())
    }

    /// Appends a batch of a table.
    ///
    /// # Errors
    /// As [`push_column`](Self::push_column), and if the columns of the batch are not those of the plan's input.
    pub fn push_batch(
        &mut self,
        batch: &RecordBatch,
        number: u64,
        names: RowNames<'_>,
    ) -> Result<(), Error> {
        let input = &self.plan().input;
        let fen = input.fen.unwrap_or(0);
        check(&input.schema, batch)?;
        if let Some(of_games) = input.movetext {
            self.name_rows(names);
            return games::push_batch(self, batch, of_games, number, names);
        }
        self.pass(batch);
        let plan = self.plan();
        let labels = input.labels.as_ref().filter(|_| plan.reads_labels);
        if labels.is_some() {
            self.name_rows(names);
        }
        let labels = labels.map(|labels| labels.read(batch));
        let lead = input.lead.map(|place| Operands::of_array(batch.column(place)));
        let depths =
            input.depth.map(|place| presets::deepest(batch.column(fen), batch.column(place)));
        let read = depths.transpose()?;
        self.push_table(batch.column(fen), &TableRows { labels, lead, read }, number, names)
    }
}

/// What the other columns of a table say of its positions.
#[derive(Default)]
struct TableRows<'a> {
    labels: Option<LabelRows<'a>>,
    /// Moves whose first leads to the position.
    lead: Option<Operands<'a>>,
    /// Which rows are read, if not all are.
    read: Option<Vec<bool>>,
}

impl TableRows<'_> {
    fn row(&self, row: usize, mut fen: Fen) -> Result<(Fen, Label), Wrong> {
        if let Some(lead) = &self.lead {
            let after = presets::after_first(lead, row, &fen);
            fen = after.map_err(|reason| Wrong::Cell("Moves".to_owned(), reason))?;
        }
        let label = self.labels.as_ref().map_or(Ok(Label::NONE), |labels| labels.label(row, &fen));
        Ok((fen, label?))
    }
}

/// Fails if the columns of a batch differ from this schema. Their metadata is ignored.
fn check(expected: &arrow_schema::SchemaRef, batch: &RecordBatch) -> Result<(), Error> {
    let found = batch.schema_ref();
    if std::sync::Arc::ptr_eq(found, expected) {
        return Ok(());
    }
    let (found, expected) = (found.fields(), expected.fields());
    if found.len() != expected.len() {
        let difference = format!("{} of them, expected {}", found.len(), expected.len());
        return Err(Error::Schema(difference));
    }
    match found.iter().zip(expected).find(|(found, expected)| !takes(expected, found)) {
        Some((found, expected)) => {
            Err(Error::Schema(format!("{}, expected {}", Shown(found), Shown(expected))))
        }
        None => Ok(()),
    }
}

impl Chunk for ArrayRef {
    fn rows(&self) -> usize {
        self.len()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        let part = self.slice(range.start, range.len());
        rows.push_column(&part, number, RowNames { before: "", first: 0 })
    }
}

impl Chunk for RecordBatch {
    fn rows(&self) -> usize {
        self.num_rows()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        // A whole batch passes its columns through unchanged.
        let part = match range.len() == self.num_rows() {
            true => self.clone(),
            false => self.slice(range.start, range.len()),
        };
        let before = rows.plan().fen().map_or_else(String::new, |fen| format!("column `{fen}`, "));
        rows.push_batch(&part, number, RowNames { before: &before, first: 0 })
    }
}

impl Chunk for Positions<'_> {
    fn rows(&self) -> usize {
        self.boards.len()
    }

    fn read(&self, range: Range<usize>, number: u64, rows: &mut Rows<'_>) -> Result<(), Error> {
        let rows_of_all = self.boards.len();
        for (what, count) in [
            ("turns", self.turns.len()),
            ("castling rights", self.castling.len()),
            ("en passant squares", self.en_passant.len()),
        ] {
            assert!(
                count == 0 || count == rows_of_all,
                "there are {count} {what}, but {rows_of_all} positions"
            );
        }
        rows.push_some(*self, range, number)
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

/// Boards in Arrow arrays, borrowed in place.
pub struct BoardArrays {
    sets: [ScalarBuffer<u64>; 8],
    turns: Vec<Colour>,
    castling: Vec<Castling>,
    en_passant: Vec<Option<u8>>,
    nulls: Option<NullBuffer>,
}

impl BoardArrays {
    /// Positions in eight columns: pawns, knights, bishops, rooks, queens, kings, white and black, each `UInt64` or
    /// `Int64`; and the side to move, `UInt8` or `Int8` as in the column `turn` (0 = white). A row that is null in any
    /// of them is null in all columns.
    ///
    /// # Errors
    /// If an array has another type or length, or if a turn is neither 0 nor 1.
    pub fn new(boards: [&dyn Array; 8], turn: Option<&dyn Array>) -> Result<Self, Error> {
        let rows = boards[7].len();
        let mut nulls = None;
        let mut sets = Vec::with_capacity(8);
        for (array, board) in boards.into_iter().zip(InputColumn::BOARDS) {
            check_length(array, board, rows)?;
            sets.push(match array.data_type() {
                DataType::UInt64 => array.as_primitive::<UInt64Type>().values().clone(),
                DataType::Int64 => {
                    let signed = array.as_primitive::<Int64Type>().values();
                    ScalarBuffer::new(signed.inner().clone(), 0, signed.len())
                }
                found => {
                    let (name, found) = (Column::Input(board).name(), found.clone());
                    return Err(Error::Type(name.to_owned(), found, "boards (UInt64 or Int64)"));
                }
            });
            nulls = NullBuffer::union(nulls.as_ref(), array.nulls());
        }
        let mut turns = Vec::new();
        if let Some(array) = turn {
            nulls = NullBuffer::union(nulls.as_ref(), array.nulls());
            let turn = |row, turn| match turn {
                1 => Some(Colour::Black),
                _ => (turn == 0 || array.is_null(row)).then_some(Colour::White),
            };
            let expected = ("turns (UInt8 or Int8)", "0 (white) or 1 (black)");
            turns = bytes_of(array, InputColumn::Turn, rows, expected, turn)?;
        }
        let sets = sets.try_into().expect("there are eight");
        Ok(Self { sets, turns, castling: Vec::new(), en_passant: Vec::new(), nulls })
    }

    /// The same with the state, as the columns `castling_white`, `castling_black` and `en_passant` have it, each `UInt8`
    /// or `Int8`. A row that is null in one of the first two is null in all columns.
    ///
    /// # Errors
    /// If an array has another type or length, or if a square is above 63.
    pub fn with_state(
        mut self,
        [white, black, en_passant]: [&dyn Array; 3],
    ) -> Result<Self, Error> {
        let rows = self.sets[7].len();
        let castling = [(white, InputColumn::CastlingWhite), (black, InputColumn::CastlingBlack)];
        let mut files = Vec::with_capacity(2);
        for (array, column) in castling {
            self.nulls = NullBuffer::union(self.nulls.as_ref(), array.nulls());
            let expected = ("files of rooks (UInt8 or Int8)", "");
            files.push(bytes_of(array, column, rows, expected, |_, files| Some(files))?);
        }
        let pairs = files[0].iter().zip(&files[1]);
        self.castling = pairs.map(|(&white, &black)| Castling { white, black }).collect();
        let square = |row, square| match en_passant.is_null(row) {
            true => Some(None),
            false => (square < 64).then_some(Some(square)),
        };
        let expected = ("squares (UInt8 or Int8)", "a square, 0 to 63");
        self.en_passant = bytes_of(en_passant, InputColumn::EnPassant, rows, expected, square)?;
        Ok(self)
    }

    /// The positions.
    #[must_use]
    pub fn positions(&self) -> Positions<'_> {
        let sets = std::array::from_fn(|i| &self.sets[i][..]);
        Positions {
            boards: Sets::Columns(Pieces::from_sets(sets)),
            turns: &self.turns,
            castling: &self.castling,
            en_passant: &self.en_passant,
            nulls: self.nulls.as_ref(),
        }
    }
}

fn check_length(array: &dyn Array, column: InputColumn, expected: usize) -> Result<(), Error> {
    match array.len() {
        found if found == expected => Ok(()),
        found => Err(Error::Length(Column::Input(column).name().to_owned(), found, expected)),
    }
}

/// What numbers of eight bits mean; `expected` says of which type they are, and which are allowed.
fn bytes_of<T>(
    array: &dyn Array,
    column: InputColumn,
    rows: usize,
    expected: (&'static str, &'static str),
    meaning: impl Fn(usize, u8) -> Option<T>,
) -> Result<Vec<T>, Error> {
    check_length(array, column, rows)?;
    let name = || Column::Input(column).name().to_owned();
    let bytes: &[u8] = match array.data_type() {
        DataType::UInt8 => array.as_primitive::<UInt8Type>().values(),
        DataType::Int8 => bytemuck::cast_slice(array.as_primitive::<Int8Type>().values()),
        found => return Err(Error::Type(name(), found.clone(), expected.0)),
    };
    let bytes = bytes.iter().enumerate().map(|(row, &byte)| {
        meaning(row, byte).ok_or_else(|| Error::Value(name(), row, byte.to_string(), expected.1))
    });
    bytes.collect()
}

/// Processes one chunk in one batch, on the calling thread.
impl Plan {
    /// Computes the columns for a text array with one FEN or EPD per row, parsed by [`Fen::parse`]. A null gives nulls.
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
        let names = RowNames { before: "", first: 0 };
        let read = move |rows: &mut Rows<'_>| rows.push_column(text, 1, names);
        self.read(Part { rows: text.len(), bytes: 0, read: Box::new(read) })
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
