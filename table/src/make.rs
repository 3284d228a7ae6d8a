//! Arrays of positions in, columns out: which columns, of which types, by which backend.

use std::sync::Arc;
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int64Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, Schema};
use setwise::{Colour, Pieces};
use setwise_formats::{Field, Fields, Format, Records};

use crate::builder::Builder;
use crate::column::{Column, Given};
use crate::error::{BadRow, Error};
use crate::fill::{Boards, Columns, Input};
use crate::maps::Maps;
use crate::read;
use crate::records::{RecordsBuilder, told};
use crate::text::Text;

/// Columns, and the rows that are not in them as they should be.
#[derive(Clone, Debug)]
pub struct Output {
    /// The columns.
    pub batch: RecordBatch,
    /// The rows of the input whose text is no position, in order.
    pub bad: Vec<BadRow>,
    /// How much of the time the kernel took; the rest went into reading the text.
    pub computing: Duration,
}

/// The same, not yet a table.
pub(crate) struct OfText {
    pub(crate) columns: Vec<ArrayRef>,
    pub(crate) rows: usize,
    pub(crate) bad: Vec<BadRow>,
    pub(crate) computing: Duration,
}

impl Maps {
    /// The columns of a text array: `Utf8`, `LargeUtf8`, `Utf8View` or a dictionary of one of them, a FEN
    /// or EPD a row as [`Fen::parse`](setwise::Fen::parse) reads it.
    ///
    /// A null gives nulls, and all fields are nullable, so that the slices of an array have one schema.
    /// The columns lie in memory once, 8 bytes a row and map; nothing else grows with
    /// the rows, except that a dictionary's keys are copied.
    ///
    /// # Errors
    /// If the array is no text, if a column is asked for twice, or at the first bad row if these stop.
    ///
    /// ```
    /// use arrow_array::{cast::AsArray, types::UInt64Type, Array, StringViewArray};
    /// use setwise_table::{Maps, OnBad};
    ///
    /// let fens = [Some("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), None, Some("4k3/8")];
    /// let fens: StringViewArray = fens.into_iter().collect();
    /// let maps = Maps::default().columns(["white_rook".parse()?]);
    /// let output = maps.clone().on_bad(OnBad::Null).of_text(&fens)?;
    /// let rooks = output.batch.column(0).as_primitive::<UInt64Type>();
    /// assert_eq!(rooks.value(0), 0x0101_0101_0101_011e);
    /// assert!(rooks.is_null(1) && rooks.is_null(2));
    /// assert_eq!(output.bad[0].row, 2);
    ///
    /// let error = maps.of_text(&fens).unwrap_err();
    /// assert_eq!(error.to_string(), "row 2, character 6: expected 8 ranks, found 2: \"4k3/8\"");
    /// # Ok::<(), setwise_table::Error>(())
    /// ```
    pub fn of_text(&self, text: &dyn Array) -> Result<Output, Error> {
        let OfText { columns, rows, bad, computing } = self.columns_of_text(text, None)?;
        Ok(Output { batch: batch(self.fields(true), columns, rows)?, bad, computing })
    }

    /// The columns of a text array that is called so, and which rows are null in all of them.
    pub(crate) fn columns_of_text(
        &self,
        text: &dyn Array,
        name: Option<&str>,
    ) -> Result<OfText, Error> {
        let text = Text::new(text).ok_or_else(|| Error::Type {
            column: name.unwrap_or("fen").to_owned(),
            found: text.data_type().clone(),
            expected: TEXT,
        })?;
        let mut builder = self.builder(text.len())?;
        let bad = read::read(&text, self.on_bad, self.chunk, &mut builder)
            .map_err(|bad| Error::Bad { column: name.map(str::to_owned), bad })?;
        let rows = builder.len();
        let (columns, computing) = builder.finish_timed();
        Ok(OfText { columns, rows, bad, computing })
    }

    /// The columns of positions that come one by one; there is room for so many before it has to grow.
    ///
    /// # Errors
    /// If a column is asked for twice.
    pub fn builder(&self, rows: usize) -> Result<Builder<'_>, Error> {
        Builder::new(self, rows)
    }

    /// The columns of positions that are eight columns already: pawns, knights, bishops, rooks, queens,
    /// kings, white and black, each `UInt64` or `Int64`; and who is to move, `UInt8` or `Int8` as column
    /// `turn` has it (0 = white), which only the columns need that say so. The boards are read where they
    /// lie, without a copy.
    ///
    /// A row that is null in one of them is null in all columns.
    ///
    /// # Errors
    /// If an array has another type or length, if a turn is neither 0 nor 1, if a column is asked for
    /// twice, or if one is asked for that boards do not tell (castling rights and clocks; and without
    /// `turn` whatever depends on it).
    ///
    /// ```
    /// use arrow_array::{cast::AsArray, types::UInt64Type, Array, StringArray};
    /// use setwise_table::{Column, Given, Maps};
    ///
    /// let fens = StringArray::from(vec!["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"; 100]);
    /// let boards = Given::ALL[..8].iter().map(|&given| Column::Given(given));
    /// let boards = Maps::default().columns(boards).of_text(&fens)?.batch;
    /// let boards: [&dyn Array; 8] = std::array::from_fn(|i| &**boards.column(i));
    /// let maps = Maps::default().columns(["white_rook".parse()?]).of_boards(boards, None)?;
    /// assert_eq!(maps.column(0).as_primitive::<UInt64Type>().value(99), 0x0101_0101_0101_011e);
    /// # Ok::<(), setwise_table::Error>(())
    /// ```
    pub fn of_boards(
        &self,
        boards: [&dyn Array; 8],
        turn: Option<&dyn Array>,
    ) -> Result<RecordBatch, Error> {
        let turns = if turn.is_some() { Fields::of(&[Field::Turn]) } else { Fields::NONE };
        self.check(turns)?;
        let rows = boards[7].len();
        let mut nulls = None;
        let mut sets = Vec::with_capacity(8);
        for (array, given) in boards.into_iter().zip(Given::ALL) {
            let column = Column::Given(*given).name();
            same_length(array, column, rows)?;
            sets.push(boards_of(array, column)?);
            nulls = NullBuffer::union(nulls.as_ref(), array.nulls());
        }
        let sets = Pieces::from_sets(std::array::from_fn(|i| &sets[i][..]));
        let turns = match turn {
            Some(array) => {
                same_length(array, Column::Given(Given::Turn).name(), rows)?;
                nulls = NullBuffer::union(nulls.as_ref(), array.nulls());
                turns_of(array)?
            }
            None => Vec::new(),
        };
        let mut columns = Columns::new(&self.columns, rows);
        for start in (0..rows).step_by(self.chunk) {
            let part = start..rows.min(start + self.chunk);
            let boards = sets.sets().map(|set| &set[part.clone()]);
            let turns = if turns.is_empty() { &[] } else { &turns[part] };
            let boards = Boards::Columns(Pieces::from_sets(boards));
            columns.fill(self.kernel, Input::of_boards(boards, turns));
        }
        let columns = columns.finish(self.signed, nulls.as_ref());
        batch(self.fields(true), columns, rows)
    }

    /// The same of positions in memory, with who is to move in each. The rows have no nulls.
    ///
    /// # Errors
    /// As [`of_boards`](Self::of_boards).
    ///
    /// # Panics
    /// If there are not as many turns as positions.
    #[track_caller]
    pub fn of_pieces(&self, pieces: &[Pieces], turns: &[Colour]) -> Result<RecordBatch, Error> {
        assert!(
            turns.len() == pieces.len(),
            "there are {} turns, but {} positions",
            turns.len(),
            pieces.len()
        );
        self.check(Fields::of(&[Field::Turn]))?;
        let mut columns = Columns::new(&self.columns, pieces.len());
        for (pieces, turns) in pieces.chunks(self.chunk).zip(turns.chunks(self.chunk)) {
            let boards = Boards::Rows(pieces);
            columns.fill(self.kernel, Input::of_boards(boards, turns));
        }
        batch(self.fields(false), columns.finish(self.signed, None), pieces.len())
    }

    /// The columns of packed records, as [`setwise_formats::Reader`] reads them.
    ///
    /// Where the format does not say who is to move ([`Format::Bullet`]), its boards are turned so that it is
    /// white, and so are the columns: `white_all` is what the side to move attacks, `checkers` gives check to
    /// it.
    ///
    /// # Errors
    /// If a column is asked for twice, or one that the batch does not have.
    ///
    /// ```
    /// use arrow_array::{cast::AsArray, types::Int32Type};
    /// use setwise_formats::{Records, Format, Reader};
    /// use setwise_table::{Column, Given, Maps};
    ///
    /// # let file = {
    /// #     let mut batch = Records::new();
    /// #     batch.push_fen(&setwise::Fen::START);
    /// #     batch.score.push(25);
    /// #     let mut file = Vec::new();
    /// #     setwise_formats::Writer::new(Format::Marlin, &mut file)?.write(&batch)?;
    /// #     file
    /// # };
    /// let mut batch = Records::new();
    /// Reader::new(Format::Marlin, &file[..]).read(10_000, &mut batch)?;
    /// let kept = Given::of(Format::Marlin).into_iter().map(Column::from);
    /// let maps = Maps::default().columns(kept.chain(["white_all".parse()?]));
    /// let table = maps.of_records(&batch)?;
    /// assert_eq!(table.column_by_name("score").unwrap().as_primitive::<Int32Type>().value(0), 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_records(&self, records: &Records) -> Result<RecordBatch, Error> {
        let mut builder = self.records(told(records), records.len())?;
        builder.append(records)?;
        let rows = records.len();
        batch(self.fields(false), builder.finish(), rows)
    }

    /// The columns of packed records that come batch by batch: some thousand records at a time, which are
    /// still in the cache when their columns are computed. There is room for so many rows before it has to
    /// grow.
    ///
    /// # Errors
    /// As [`of_records`](Self::of_records).
    pub fn records_builder(
        &self,
        format: Format,
        rows: usize,
    ) -> Result<RecordsBuilder<'_>, Error> {
        self.records(format.keeps(), rows)
    }

    fn records(&self, told: Fields, rows: usize) -> Result<RecordsBuilder<'_>, Error> {
        self.check_once()?;
        self.check_told_by_records(told)?;
        Ok(RecordsBuilder::new(self, rows))
    }
}

/// What a column of positions may hold.
pub(crate) const TEXT: &str = "text (Utf8, LargeUtf8, Utf8View or a dictionary of these)";

pub(crate) fn batch(
    fields: impl Into<arrow_schema::Fields>,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> Result<RecordBatch, Error> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let schema = Arc::new(Schema::new(fields));
    Ok(RecordBatch::try_new_with_options(schema, columns, &options)?)
}

fn same_length(array: &dyn Array, column: &str, expected: usize) -> Result<(), Error> {
    match array.len() {
        found if found == expected => Ok(()),
        found => Err(Error::Length { column: column.to_owned(), found, expected }),
    }
}

/// Boards of a column, where they lie.
fn boards_of(array: &dyn Array, column: &str) -> Result<ScalarBuffer<u64>, Error> {
    match array.data_type() {
        DataType::UInt64 => Ok(array.as_primitive::<UInt64Type>().values().clone()),
        DataType::Int64 => {
            let signed = array.as_primitive::<Int64Type>().values();
            Ok(ScalarBuffer::new(signed.inner().clone(), 0, signed.len()))
        }
        found => Err(Error::Type {
            column: column.to_owned(),
            found: found.clone(),
            expected: "boards (UInt64 or Int64)",
        }),
    }
}

fn turns_of(array: &dyn Array) -> Result<Vec<Colour>, Error> {
    let column = || Column::Given(Given::Turn).name().to_owned();
    let bytes: Vec<u8> = match array.data_type() {
        DataType::UInt8 => array.as_primitive::<UInt8Type>().values().to_vec(),
        DataType::Int8 => {
            array.as_primitive::<Int8Type>().values().iter().map(|&turn| turn as u8).collect()
        }
        found => {
            let expected = "turns (UInt8 or Int8)";
            return Err(Error::Type { column: column(), found: found.clone(), expected });
        }
    };
    let turn = |(row, turn)| match turn {
        0 => Ok(Colour::White),
        1 => Ok(Colour::Black),
        _ if array.is_null(row) => Ok(Colour::White),
        _ => {
            let expected = "0 (white) or 1 (black)";
            Err(Error::Value { column: column(), row, found: turn.to_string(), expected })
        }
    };
    bytes.into_iter().enumerate().map(turn).collect()
}
