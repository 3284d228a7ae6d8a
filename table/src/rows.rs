//! The row builder, to which every source appends its rows: positions, columns to pass through, and invalid rows. It
//! applies the query's rules to these, and computes the columns of some thousand rows at a time.

use std::ops::Range;
use std::time::Duration;

use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer, NullBufferBuilder};
use arrow_schema::SchemaRef;
use arrow_select::filter::FilterBuilder;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};
use setwise_formats::{Records, pgn};

use crate::column::{Column, InputColumn};
use crate::error::{BadRow, Error};
use crate::input::Input;
use crate::query::{OnInvalid, Plan, Query};
use crate::text::rest;
use crate::threads::{CHUNK, clock};
use crate::values::{Boards, Finished, Place, State, Values, fill_rows};

/// Rows of a source that any thread can decode.
pub struct Part<'a, E = Error> {
    /// The maximum number of rows.
    pub rows: usize,
    /// Their approximate size in bytes.
    pub bytes: usize,
    /// Appends them to a row builder.
    #[allow(clippy::type_complexity, reason = "a name for it would say less")]
    pub read: Box<dyn FnOnce(&mut Rows<'_>) -> Result<(), E> + Send + 'a>,
}

/// Counts of the rows of a source that are invalid or have no output.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Invalid rows, whether they were skipped or have nulls.
    pub invalid: u64,
    /// Blank lines.
    pub blank: u64,
    /// Lines that are comments.
    pub comments: u64,
    /// Games whose positions are in the output.
    pub games: u64,
    /// The first invalid row of each part, or all of them if the query reports all.
    pub bad_rows: Vec<BadRow>,
}

impl Report {
    /// Adds the report of the following rows.
    pub fn add(&mut self, next: Self) {
        self.invalid += next.invalid;
        self.blank += next.blank;
        self.comments += next.comments;
        self.games += next.games;
        self.bad_rows.extend(next.bad_rows);
    }
}

/// The columns of a part.
#[derive(Clone, Debug)]
pub struct Output {
    /// The columns.
    pub batch: RecordBatch,
    /// Invalid rows and other rows without output.
    pub report: Report,
    /// The time spent in the kernel; the rest was spent on reading the positions.
    pub computing: Duration,
}

/// Collects the rows of a part.
pub struct Rows<'a> {
    plan: &'a Plan,
    columns: Vec<Values<'a>>,
    nulls: NullBufferBuilder,
    /// The maximum number of rows.
    rows: usize,
    /// Positions that have not been passed to the kernel yet.
    waiting: Records,
    /// The indices of the columns whose values are appended with the row.
    fen: Option<usize>,
    line: Option<usize>,
    rest: Option<usize>,
    passed: Vec<ArrayRef>,
    /// The skipped rows of the part.
    skipped: Vec<usize>,
    report: Report,
    computing: Duration,
}

/// How messages name the rows of a column of text.
#[derive(Clone, Copy, Debug)]
pub struct RowNames<'a> {
    /// The text before the row: the name of a file or a column.
    pub before: &'a str,
    /// The number that messages give to the first row of the source: 0 in programs, 1 for users.
    pub first: u64,
}

/// Positions in memory, and their state as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'a> {
    /// The boards.
    pub boards: Sets<'a>,
    /// The sides to move, or an empty slice if they are unknown.
    pub turns: &'a [Colour],
    /// Who may castle, or an empty slice if that is not known.
    pub castling: &'a [Castling],
    /// The square behind a pawn that has just made a double step, or an empty slice if that is not known.
    pub en_passant: &'a [Option<u8>],
    /// Rows without a position.
    pub nulls: Option<&'a NullBuffer>,
}

/// Boards in memory.
#[derive(Clone, Copy, Debug)]
pub enum Sets<'a> {
    /// One position after another.
    Pieces(&'a [Pieces]),
    /// The same as numbers, in the order of [`Pieces::sets`], in memory of any alignment.
    Rows(&'a [[u64; 8]]),
    /// Eight columns of one length.
    Columns(Pieces<&'a [u64]>),
}

impl Sets<'_> {
    /// The number of positions.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Pieces(pieces) => pieces.len(),
            Self::Rows(rows) => rows.len(),
            Self::Columns(columns) => columns.white.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The placeholder for a null: an empty board, for which every computed column is 0.
const NOTHING: Fen = Fen {
    pieces: Pieces::EMPTY,
    turn: Colour::White,
    castling: Castling::NONE,
    en_passant: None,
    halfmove_clock: 0,
    fullmove_number: 0,
};

impl<'a> Rows<'a> {
    /// With places for the columns of numbers in order, or with new memory for this many rows.
    pub(crate) fn new(plan: &'a Plan, rows: usize, places: Vec<Option<Place<'a>>>) -> Self {
        let of_columns = &plan.query.columns;
        let at = |wanted| of_columns.iter().position(|column| *column == Column::Input(wanted));
        let mut places = places.into_iter();
        let values = |&column: &Column| {
            let nullable = column.is_nullable() || plan.input.is_null(column);
            Values::new(column, nullable, places.next().flatten(), rows)
        };
        Self {
            plan,
            columns: of_columns.iter().map(values).collect(),
            nulls: NullBufferBuilder::new(rows),
            rows,
            waiting: Records::new(),
            fen: at(InputColumn::Fen),
            line: at(InputColumn::Line),
            rest: at(InputColumn::Rest),
            passed: Vec::new(),
            skipped: Vec::new(),
            report: Report::default(),
            computing: Duration::ZERO,
        }
    }

    /// The plan of the rows.
    #[must_use]
    pub const fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The number of rows so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nulls.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The report so far.
    pub const fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    /// Appends a position, with its text and its number in the source.
    #[inline(always)]
    pub fn push(&mut self, fen: &Fen, text: &[u8], number: u64) {
        self.nulls.append_non_null();
        if self.fen.is_some() || self.line.is_some() || self.rest.is_some() {
            self.push_text(Some(text), true, number);
        }
        self.wait_for_kernel(fen);
    }

    /// Appends a row without a position.
    ///
    /// # Errors
    /// If the output has no nulls.
    pub fn push_null(&mut self, text: Option<&[u8]>, number: u64) -> Result<(), Error> {
        if let Some(reason) = self.plan.query.without_nulls {
            return Err(Error::Null(number, reason));
        }
        self.nulls.append_null();
        self.push_text(text, false, number);
        self.wait_for_kernel(&NOTHING);
        Ok(())
    }

    /// Handles an invalid row as the query says.
    ///
    /// # Errors
    /// If the query stops at invalid rows, or if the output has no nulls.
    pub fn push_invalid(
        &mut self,
        text: Option<&[u8]>,
        number: u64,
        describe: impl FnOnce() -> BadRow,
    ) -> Result<(), Error> {
        let query = &self.plan.query;
        if query.on_invalid == OnInvalid::Stop {
            return Err(Error::Invalid(Box::new(describe())));
        }
        self.note_invalid(describe);
        if query.on_invalid == OnInvalid::Skip {
            self.skipped.push(self.len() + self.skipped.len());
            return Ok(());
        }
        self.push_null(text, number)
    }

    fn push_text(&mut self, text: Option<&[u8]>, is_position: bool, number: u64) {
        if let Some(at) = self.fen {
            self.columns[at].push_text(text);
        }
        if let Some(at) = self.line {
            self.columns[at].push_number(number);
        }
        if let Some(at) = self.rest {
            self.columns[at].push_text(text.filter(|_| is_position).map(rest));
        }
    }

    #[inline(always)]
    fn wait_for_kernel(&mut self, fen: &Fen) {
        if self.waiting.pieces.len() == self.waiting.pieces.capacity() {
            self.reserve();
        }
        let waiting = &mut self.waiting;
        waiting.pieces.push(fen.pieces);
        waiting.turn.push(fen.turn);
        waiting.castling.push(fen.castling);
        waiting.en_passant.push(fen.en_passant);
        waiting.halfmove_clock.push(fen.halfmove_clock);
        waiting.fullmove_number.push(fen.fullmove_number);
        if waiting.pieces.len() >= self.plan.query.chunk_rows {
            self.compute_waiting();
        }
    }

    /// Reserves memory for the positions that wait for the kernel, or for all positions of the part if there are fewer.
    #[cold]
    fn reserve(&mut self) {
        let rows = self.plan.query.chunk_rows.min(CHUNK).min(self.rows.max(1));
        let waiting = &mut self.waiting;
        waiting.pieces.reserve(rows);
        waiting.turn.reserve(rows);
        waiting.castling.reserve(rows);
        waiting.en_passant.reserve(rows);
        waiting.halfmove_clock.reserve(rows);
        waiting.fullmove_number.reserve(rows);
    }

    #[inline(never)]
    fn compute_waiting(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        self.compute(Boards::Rows(&waiting.pieces), State::of(&waiting, 0..waiting.len()));
        waiting.clear();
        self.waiting = waiting;
    }

    fn compute(&mut self, boards: Boards<'_>, state: State<'_>) {
        let start = clock();
        fill_rows(&mut self.columns, &self.plan.query, boards, state);
        self.computing += start.map_or(Duration::ZERO, |start| start.elapsed());
    }

    /// Appends a range of packed records; the first of them has this number in the source.
    pub fn push_records(&mut self, records: &Records, range: Range<usize>, number: u64) {
        self.compute_waiting();
        self.nulls.append_n_non_nulls(range.len());
        if self.fen.is_some() || self.line.is_some() {
            for (row, number) in range.clone().zip(number..) {
                let fen = self.fen.map(|_| records.fen(row).to_string());
                self.push_text(fen.as_deref().map(str::as_bytes), true, number);
            }
        }
        // Boards without a side to move are turned so that white is to move.
        let white =
            vec![Colour::White; if records.turn.is_empty() { CHUNK.min(range.len()) } else { 0 }];
        let step = self.plan.query.chunk_rows.min(CHUNK);
        for start in range.clone().step_by(step) {
            let rows = start..range.end.min(start + step);
            let mut state = State::of(records, rows.clone());
            if records.turn.is_empty() {
                state.turn = &white[..rows.len()];
            }
            self.compute(Boards::Rows(&records.pieces[rows]), state);
        }
    }

    /// Appends the positions of games.
    pub(crate) fn push_games(&mut self, games: &pgn::Rows) {
        self.compute_waiting();
        self.nulls.append_n_non_nulls(games.len());
        self.report.games += games.games.len() as u64;
        self.columns.iter_mut().for_each(|values| values.push_games(games));
        let step = self.plan.query.chunk_rows.min(CHUNK);
        for start in (0..games.len()).step_by(step) {
            let rows = start..games.len().min(start + step);
            let state = State::of_games(games, rows.clone());
            self.compute(Boards::Rows(&games.pieces[rows]), state);
        }
    }

    /// Counts an invalid row, or a game that is left out or kept up to its error, and describes it in the report.
    pub(crate) fn note_invalid(&mut self, describe: impl FnOnce() -> BadRow) {
        if self.plan.query.report_all || self.report.bad_rows.is_empty() {
            self.report.bad_rows.push(describe());
        }
        self.report.invalid += 1;
    }

    /// What is passed along, row by row.
    pub(crate) fn pass_columns(&mut self, columns: Vec<ArrayRef>) {
        self.passed = columns;
    }

    /// Appends positions in memory; the first of them has this number in the source.
    ///
    /// # Errors
    /// If rows are null and the output has no nulls.
    pub fn push_positions(&mut self, positions: Positions<'_>, number: u64) -> Result<(), Error> {
        self.compute_waiting();
        let Positions { boards, turns, castling, en_passant, nulls } = positions;
        let null = |nulls: &&NullBuffer| nulls.null_count() > 0;
        if let (Some(reason), Some(nulls)) = (self.plan.query.without_nulls, nulls.filter(null)) {
            let row = (0..nulls.len()).find(|&row| nulls.is_null(row)).unwrap_or(0);
            return Err(Error::Null(number + row as u64, reason));
        }
        match nulls {
            Some(nulls) => self.nulls.append_buffer(nulls),
            None => self.nulls.append_n_non_nulls(boards.len()),
        }
        if let Some(at) = self.line {
            (number..).take(boards.len()).for_each(|number| self.columns[at].push_number(number));
        }
        for start in (0..boards.len()).step_by(self.plan.query.chunk_rows) {
            let rows = start..boards.len().min(start + self.plan.query.chunk_rows);
            let state = State {
                turn: turns.get(rows.clone()).unwrap_or(&[]),
                castling: castling.get(rows.clone()).unwrap_or(&[]),
                en_passant: en_passant.get(rows.clone()).unwrap_or(&[]),
                ..State::default()
            };
            match boards {
                Sets::Pieces(pieces) => self.compute(Boards::Rows(&pieces[rows]), state),
                Sets::Columns(columns) => {
                    let columns = columns.sets().map(|set| &set[rows.clone()]);
                    self.compute(Boards::Columns(Pieces::from_sets(columns)), state);
                }
                Sets::Rows(all) => {
                    let mut pieces = std::mem::take(&mut self.waiting.pieces);
                    pieces.extend(all[rows].iter().map(|&sets| Pieces::from_sets(sets)));
                    self.compute(Boards::Rows(&pieces), state);
                    pieces.clear();
                    self.waiting.pieces = pieces;
                }
            }
        }
        Ok(())
    }

    /// Sets the table columns to pass through, with one row for each row that is appended in this part, even if it is
    /// skipped.
    pub fn pass(&mut self, batch: &RecordBatch) {
        let places = self.plan.input.passed.iter();
        self.passed = places.map(|&place| batch.column(place).clone()).collect();
    }

    /// All columns.
    pub(crate) fn finish(mut self) -> FinishedPart {
        self.compute_waiting();
        let (rows, nulls) = (self.nulls.len(), self.nulls.finish());
        let signed = self.plan.query.signed;
        let columns = self.columns.into_iter();
        let columns = columns.map(|values| values.finish(signed, nulls.clone())).collect();
        let Self { passed, skipped, report, computing, .. } = self;
        FinishedPart { rows, passed, columns, skipped, report, computing }
    }
}

/// The result of a part.
pub(crate) struct FinishedPart {
    pub(crate) rows: usize,
    pub(crate) passed: Vec<ArrayRef>,
    pub(crate) columns: Vec<Finished>,
    pub(crate) skipped: Vec<usize>,
    pub(crate) report: Report,
    pub(crate) computing: Duration,
}

impl FinishedPart {
    pub(crate) fn into_output(self, schema: &SchemaRef) -> Result<Output, Error> {
        let passed = without_rows(self.passed, self.rows + self.skipped.len(), &self.skipped)?;
        let made = self.columns.into_iter().map(|column| match column {
            Finished::Array(array) => array,
            Finished::Placed(_) => unreachable!("a batch has no places of the caller's"),
        });
        let batch = batch(schema, passed.into_iter().chain(made).collect(), self.rows)?;
        Ok(Output { batch, report: self.report, computing: self.computing })
    }
}

/// A batch with this many rows, even if it has no columns.
pub(crate) fn batch(
    schema: &SchemaRef,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> Result<RecordBatch, Error> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(schema.clone(), columns, &options)?)
}

/// Removes these rows from columns with this many rows.
pub(crate) fn without_rows(
    columns: Vec<ArrayRef>,
    rows: usize,
    skipped: &[usize],
) -> Result<Vec<ArrayRef>, Error> {
    if skipped.is_empty() || columns.is_empty() {
        return Ok(columns);
    }
    let mut kept = BooleanBufferBuilder::new(rows);
    kept.append_n(rows, true);
    skipped.iter().for_each(|&row| kept.set_bit(row, false));
    let filter = FilterBuilder::new(&BooleanArray::new(kept.finish(), None));
    let filter = if columns.len() > 1 { filter.optimize() } else { filter }.build();
    Ok(columns.iter().map(|column| filter.filter(column)).collect::<Result<_, _>>()?)
}

impl Plan {
    /// Computes the columns of a part, on the calling thread.
    ///
    /// # Errors
    /// If the part cannot be read, or at the first invalid row if the query stops there.
    pub fn read<E: From<Error>>(&self, part: Part<'_, E>) -> Result<Output, E> {
        let mut rows = Rows::new(self, part.rows, Vec::new());
        (part.read)(&mut rows)?;
        Ok(rows.finish().into_output(self.schema())?)
    }

    /// The same, but an error also returns the rows before it.
    ///
    /// # Errors
    /// If Arrow rejects the columns.
    pub fn read_until_error<E: From<Error>>(
        &self,
        part: Part<'_, E>,
    ) -> Result<(Output, Option<E>), E> {
        let mut rows = Rows::new(self, part.rows, Vec::new());
        let error = (part.read)(&mut rows).err();
        let mut finished = rows.finish();
        let read = finished.rows + finished.skipped.len();
        finished.passed.iter_mut().for_each(|column| *column = column.slice(0, read));
        let output = match read {
            0 => Output {
                batch: RecordBatch::new_empty(self.schema().clone()),
                report: finished.report,
                computing: finished.computing,
            },
            _ => finished.into_output(self.schema())?,
        };
        Ok((output, error))
    }

    /// The value of the first column, which must be numeric, for one position.
    pub(crate) fn first_value(&self, fen: &Fen) -> Option<u64> {
        let mut rows = Rows::new(self, 1, Vec::new());
        rows.push(fen, b"", 1);
        let batch = rows.finish().into_output(self.schema()).ok()?.batch;
        let array = batch.column(0);
        let values = array.to_data().buffers().first().filter(|_| array.is_valid(0))?.clone();
        Some(match values[..] {
            [a] => a.into(),
            [a, b] => u16::from_ne_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
            ref eight => u64::from_ne_bytes(eight.try_into().ok()?),
        })
    }
}

impl Column {
    /// The value of a column of numbers or sets of squares for one position; none if it is null, a list, text, or not
    /// in a FEN.
    ///
    /// ```
    /// use setwise::Fen;
    /// use setwise_table::Column;
    /// let column: Column = "white_all".parse()?;
    /// assert_eq!(column.value(&Fen::START), Some(0x00ff_ff7e));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(self, fen: &Fen) -> Option<u64> {
        if matches!(self, Self::Input(InputColumn::Fen | InputColumn::Line | InputColumn::Rest)) {
            return None;
        }
        let plan = Query::default().columns([self]).plan(&Input::text()).ok()?;
        plan.first_value(fen)
    }
}
