//! The row builder, to which every source appends its rows: positions, columns to pass through, and invalid rows. It
//! applies the query's rules to these, and computes the columns of some thousand rows at a time.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_buffer::{NullBuffer, NullBufferBuilder};
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};
use setwise_formats::{Format, Records, pgn};

use crate::column::{Column, InputColumn};
use crate::error::{BadRow, Error};
use crate::finished::{FinishedPart, Report};
use crate::hash;
use crate::kept::Keeps;
use crate::labels::{Label, OnMissing, split_labels};
use crate::query::{OnInvalid, Plan};
use crate::span::{Boards, Gathered, Span, State, indices, part, with_rows};
use crate::text::rest;
use crate::threads::{CHUNK, clock};
use crate::values::{Place, Values, fill_rows, joined, push_move};

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

/// Collects the rows of a part.
pub struct Rows<'a> {
    plan: &'a Plan,
    columns: Vec<Values<'a>>,
    /// Which rows of the columns have a position.
    nulls: NullBufferBuilder,
    /// The maximum number of rows.
    rows: usize,
    /// Rows whose columns are computed next, those of them without a position, and their texts.
    waiting: Gathered,
    waiting_nulls: NullBufferBuilder,
    waiting_fen: StringBuilder,
    waiting_rest: StringBuilder,
    /// The columns of text that are needed, and whether the numbers of the rows are.
    texts: Vec<InputColumn>,
    needs_line: bool,
    /// Whether each row of the source so far stays: it was not skipped, and no condition left it out.
    stays: Vec<bool>,
    /// The rows of the source before those that wait.
    computed: usize,
    /// The columns that are passed through from a row of the source on, and those of the rows before.
    passed: Vec<ArrayRef>,
    passed_from: usize,
    passed_before: Vec<Vec<ArrayRef>>,
    /// The positions themselves, if no columns are computed.
    gathered: Option<Box<Gathered>>,
    /// Takes them.
    takes: Option<Takes<'a>>,
    /// Memory for rows that are left.
    left: Gathered,
    /// The format of records.
    format: Option<Format>,
    /// Which rows of the part are wanted, if not all are.
    wanted: Option<Wanted>,
    /// Which rows are kept, before conditions are evaluated.
    pub(crate) keeps: Option<Keeps<'a>>,
    /// What stands before the number of a row in messages, and the number that these give to the first.
    name: Arc<str>,
    first: u64,
    /// The first row that lacks a label which is asked for.
    missing: Option<Error>,
    /// How many rows each condition leaves out.
    left_out: Vec<u64>,
    report: Report,
    computing: Duration,
}

/// Says whether a row is wanted, by its index in the part.
type Wanted = Box<dyn Fn(u64) -> bool + Send>;

/// Takes the positions that are kept, some thousand at a time, and the hashes of their games if they are asked for.
pub(crate) type Takes<'a> = &'a mut (dyn FnMut(&Records, &[u64]) + 'a);

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
        let mut places = places.into_iter();
        let values = |&column: &Column| {
            let place = places.next().flatten();
            let values = Values::new(column, plan.is_nullable(column), place, rows);
            // Conditions see what is missing as null.
            values.on_missing(plan.query.on_missing)
        };
        let columns = plan.query.columns.iter().map(values).collect();
        let mut texts = Vec::new();
        for &column in plan.query.columns.iter().chain(&plan.filter.columns) {
            if let Column::Input(of) = column
                && column.is_text()
                && !texts.contains(&of)
            {
                texts.push(of);
            }
        }
        Self {
            plan,
            columns,
            nulls: NullBufferBuilder::new(rows),
            rows,
            waiting: Gathered::default(),
            waiting_nulls: NullBufferBuilder::new(CHUNK.min(rows)),
            waiting_fen: StringBuilder::new(),
            waiting_rest: StringBuilder::new(),
            texts,
            needs_line: plan.reads(InputColumn::Line),
            stays: Vec::new(),
            computed: 0,
            passed: Vec::new(),
            passed_from: 0,
            passed_before: Vec::new(),
            gathered: None,
            takes: None,
            left: Gathered::default(),
            format: None,
            wanted: None,
            keeps: None,
            name: "row ".into(),
            first: 1,
            missing: None,
            left_out: vec![0; plan.filter.len()],
            report: Report::default(),
            computing: Duration::ZERO,
        }
    }

    /// Without columns, for the positions themselves.
    pub(crate) fn keeping(
        plan: &'a Plan,
        rows: usize,
        keeps: Option<Keeps<'a>>,
        takes: Option<Takes<'a>>,
    ) -> Self {
        let mut new = Self::new(plan, rows, Vec::new());
        new.columns.clear();
        Self { gathered: Some(Box::default()), keeps, takes, ..new }
    }

    /// The positions, if they are gathered.
    pub(crate) fn into_kept(mut self) -> (Records, Report) {
        self.compute_waiting();
        let mut records = self.gathered.unwrap_or_default().records;
        records.format = self.format;
        self.report.leave_out(self.left_out, self.plan.query.conditions.len());
        self.report.missing += self.plan.query.on_missing.fill(&mut records);
        (records, self.report)
    }

    /// The first row without a label that is asked for, as an error.
    ///
    /// # Errors
    /// If there is one.
    pub(crate) fn first_missing(&mut self) -> Result<(), Error> {
        self.compute_waiting();
        self.missing.take().map_or(Ok(()), Err)
    }

    /// The plan of the rows.
    #[must_use]
    pub const fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The number of rows so far, without those that conditions are known to leave out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nulls.len() + self.waiting.records.len()
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

    /// Names the source of the rows that follow: messages have this before the number of a row.
    pub fn name(&mut self, before: &Arc<str>) {
        if self.name != *before {
            self.compute_waiting();
            self.name = Arc::clone(before);
        }
    }

    /// The same for a column or a table.
    pub(crate) fn name_rows(&mut self, names: RowNames<'_>) {
        self.name(&format!("{}row ", names.before).into());
        self.first = names.first;
    }

    /// Reads only the rows for which this is true, by their index in the part, from text and tables.
    pub fn want(&mut self, wanted: Box<dyn Fn(u64) -> bool + Send>) {
        self.wanted = Some(wanted);
    }

    /// Whether a row is to be read; if not, it is skipped.
    pub(crate) fn wants(&mut self, row: u64) -> bool {
        let wants = self.wanted.as_ref().is_none_or(|wanted| wanted(row));
        if !wants {
            self.skip();
        }
        wants
    }

    pub(crate) fn skip(&mut self) {
        self.stays.push(false);
    }

    /// Appends a position, with its text and its number in the source.
    #[inline(always)]
    pub(crate) fn push(&mut self, fen: &Fen, text: &[u8], number: u64, label: Label) {
        if !self.texts.is_empty() {
            self.push_text(Some(text), true);
        }
        self.waiting_nulls.append_non_null();
        self.wait_for_kernel(fen, number, label);
    }

    /// Appends a row without a position, which is left out of records.
    ///
    /// # Errors
    /// If the output has no nulls.
    pub fn push_null(&mut self, text: Option<&[u8]>, number: u64) -> Result<(), Error> {
        if let Some(reason) = self.plan.query.without_nulls {
            return Err(Error::Null(number, reason));
        }
        if self.gathered.is_some() {
            self.report.blank += 1;
            self.skip();
            return Ok(());
        }
        self.push_text(text, false);
        self.waiting_nulls.append_null();
        self.wait_for_kernel(&NOTHING, number, Label::NONE);
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
            self.skip();
            return Ok(());
        }
        self.push_null(text, number)
    }

    fn push_text(&mut self, text: Option<&[u8]>, is_position: bool) {
        if self.texts.contains(&InputColumn::Fen) {
            let position = text.map(|text| {
                split_labels(text).map_or(text, |(position, _)| position.trim_ascii_end())
            });
            self.waiting_fen.append_option(position.map(String::from_utf8_lossy));
        }
        if self.texts.contains(&InputColumn::Rest) {
            let rest = text.filter(|_| is_position).map(rest);
            self.waiting_rest.append_option(rest.map(String::from_utf8_lossy));
        }
    }

    #[inline(always)]
    fn wait_for_kernel(&mut self, fen: &Fen, number: u64, label: Label) {
        if self.waiting.line.len() == self.waiting.line.capacity() {
            self.reserve();
        }
        self.stays.push(true);
        self.waiting.line.push(number);
        let waiting = &mut self.waiting.records;
        waiting.push_fen(fen);
        if self.plan.reads_labels {
            waiting.score.push(label.score);
            waiting.result.push(label.result);
            if self.plan.input.labels.is_some() {
                waiting.moves.push(label.played);
            }
        }
        if waiting.pieces.len() >= self.plan.query.chunk_rows {
            self.compute_waiting();
        }
    }

    /// Reserves memory for the positions that wait for the kernel, or for all positions of the part if there are fewer.
    #[cold]
    fn reserve(&mut self) {
        let rows = self.plan.query.chunk_rows.min(CHUNK).min(self.rows.max(1));
        self.waiting.line.reserve(rows);
        self.waiting.records.pieces.reserve(rows);
    }

    #[inline(never)]
    fn compute_waiting(&mut self) {
        if self.waiting.records.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let nulls = self.waiting_nulls.finish();
        let [fen, rest] = [&mut self.waiting_fen, &mut self.waiting_rest].map(|texts| {
            let memory =
                StringBuilder::with_capacity(waiting.line.len(), texts.values_slice().len());
            std::mem::replace(texts, memory).finish()
        });
        let texts = self.texts_of(|column| match column {
            InputColumn::Fen => Some(Arc::new(fen.clone())),
            InputColumn::Rest => Some(Arc::new(rest.clone())),
            _ => None,
        });
        let boards = Boards::Rows(&waiting.records.pieces);
        let span = Span { texts, nulls, ..Span::new(boards, waiting.state()) };
        self.compute(span, &|rows, row| rows.place(waiting.line[row]));
        waiting.clear();
        self.waiting = waiting;
    }

    /// The columns of text that are needed, as some source has them.
    fn texts_of(
        &self,
        mut make: impl FnMut(InputColumn) -> Option<ArrayRef>,
    ) -> Vec<(InputColumn, ArrayRef)> {
        let texts = self.texts.iter().filter_map(|&column| Some((column, make(column)?)));
        texts.collect()
    }

    /// The place of a row with this number.
    fn place(&self, number: u64) -> String {
        format!("{}{}", self.name, number - 1 + self.first)
    }

    /// Computes the columns of some rows that no condition leaves out, or gathers them. `place` names one of them.
    fn compute(&mut self, mut span: Span<'_>, place: &dyn Fn(&Self, usize) -> String) {
        let start = clock();
        let plan = self.plan;
        let from = std::mem::replace(&mut self.computed, self.stays.len());
        if plan.filter.reads_passed() {
            let (at, rows) = (from - self.passed_from, self.stays.len() - from);
            let passed = self.passed.iter().map(|column| column.slice(at, rows)).collect();
            let passed = with_rows(passed, &self.stays[from..]);
            span.passed = passed.expect("columns of the rows");
        }
        let mut left = std::mem::take(&mut self.left);
        let kept = plan.kept(&span, self.keeps.as_mut(), &mut left, &mut self.left_out);
        if let Some(kept) = &kept {
            let of_source = self.stays[from..].iter_mut().filter(|stays| **stays);
            of_source.zip(kept).for_each(|(stays, kept)| *stays = *kept);
        }
        if self.missing.is_none() {
            let of_row = |row| kept.as_ref().is_none_or(|kept| kept[row]) && span.is_valid(row);
            self.missing = self
                .first_without_label(&span, of_row)
                .map(|(row, label)| Error::Missing(place(self, row), plan.input.missing(label)));
        }
        if let Some(gathered) = &mut self.gathered {
            let rows = kept.as_deref().map(indices);
            gathered.extend(span.boards, span.state, rows.as_deref());
            self.nulls.append_n_non_nulls(rows.map_or(span.len(), |rows| rows.len()));
            if let Some(takes) = &mut self.takes {
                gathered.records.format = self.format;
                plan.query.on_missing.fill(&mut gathered.records);
                if plan.reads(InputColumn::GameHash) {
                    gathered.complete_hashes();
                }
                takes(&gathered.records, &gathered.game_hash);
                gathered.clear();
            }
        } else {
            let span = match kept {
                Some(kept) => &span.select(&kept, &mut left).expect("columns of the rows"),
                None => &span,
            };
            match &span.nulls {
                Some(nulls) => self.nulls.append_buffer(nulls),
                None => self.nulls.append_n_non_nulls(span.len()),
            }
            fill_rows(&mut self.columns, &plan.query, span);
        }
        self.left = left;
        self.computing += start.map_or(Duration::ZERO, |start| start.elapsed());
    }

    /// The first of some rows that lacks a label which is asked for.
    fn first_without_label(
        &self,
        span: &Span<'_>,
        is_kept: impl Fn(usize) -> bool,
    ) -> Option<(usize, InputColumn)> {
        let (plan, state) = (self.plan, span.state);
        let value = match plan.query.on_missing {
            OnMissing::Null | OnMissing::Skip => return None,
            OnMissing::Stop => None,
            OnMissing::Value(value) => Some(value),
        };
        let score = plan.asked.score && value.is_none();
        let result = plan.asked.result && value.is_none_or(|value| !(-1..=1).contains(&value));
        (0..span.len()).find_map(|row| {
            let found = state.score.get(row).copied();
            let no_score = score && found.is_some_and(|score| !Records::is_score(score));
            let no_result = result && state.result.get(row) == Some(&Records::NO_RESULT);
            let label = if no_score { InputColumn::Score } else { InputColumn::Result };
            ((no_score || no_result) && is_kept(row)).then_some((row, label))
        })
    }

    /// Appends a range of packed records; the first of them has this number in the source.
    pub fn push_records(&mut self, records: &Records, range: Range<usize>, number: u64) {
        let start = range.start;
        self.push_numbered(records, range, &[], &|row| number + (row - start) as u64);
    }

    /// The same with the hash of the game of each record, also of those out of the range, or without hashes; and with
    /// the numbers of the records.
    pub(crate) fn push_numbered(
        &mut self,
        records: &Records,
        range: Range<usize>,
        hashes: &[u64],
        number: &dyn Fn(usize) -> u64,
    ) {
        self.compute_waiting();
        self.format = records.format; // tells whose spare bytes there are
        // Boards without a side to move are turned so that white is to move.
        let white =
            vec![Colour::White; if records.turn.is_empty() { CHUNK.min(range.len()) } else { 0 }];
        let step = self.plan.query.chunk_rows.min(CHUNK);
        for start in range.clone().step_by(step) {
            let rows = start..range.end.min(start + step);
            let line: Vec<u64> =
                if self.needs_line { rows.clone().map(number).collect() } else { Vec::new() };
            let mut state = State::of(records, &rows);
            (state.game_hash, state.line) = (part(hashes, &rows), &line);
            if records.turn.is_empty() {
                state.turn = &white[..rows.len()];
            }
            let texts = self.texts_of(|column| match column {
                InputColumn::Fen => {
                    let fens = rows.clone().map(|row| records.fen(row).to_string());
                    Some(Arc::new(StringArray::from_iter_values(fens)))
                }
                _ => None,
            });
            let span =
                Span { texts, ..Span::new(Boards::Rows(&records.pieces[rows.clone()]), state) };
            self.stays.resize(self.stays.len() + rows.len(), true);
            self.compute(span, &|this, row| this.place(number(start + row)));
        }
    }

    /// Appends the positions of games, beside the columns that are passed through.
    pub(crate) fn push_games(&mut self, games: &pgn::Rows, passed: Vec<ArrayRef>) {
        self.pass_columns(passed);
        self.report.games += games.games.len() as u64;
        let (mut hashes, mut line) = (Vec::new(), Vec::new());
        for game in &games.games {
            let rows = game.first_row..game.first_row + game.rows;
            if self.plan.reads(InputColumn::GameHash) {
                let hash = hash::of_game(&games.pieces, &games.turn, rows.clone());
                hashes.resize(rows.end, hash);
            }
            line.resize(rows.end, game.line);
        }
        let game_of = |row: usize| {
            let next = games.games.partition_point(|game| game.first_row <= row);
            &games.games[next - 1]
        };
        let step = self.plan.query.chunk_rows.min(CHUNK);
        for start in (0..games.len()).step_by(step) {
            let rows = start..games.len().min(start + step);
            let (mut scores, mut results) = (Vec::new(), Vec::new());
            if self.plan.reads_labels {
                scores = games.scores(rows.clone());
                results = games.results(rows.clone());
            }
            let state = State {
                score: &scores,
                result: &results,
                game_hash: part(&hashes, &rows),
                line: part(&line, &rows),
                ..State::of_games(games, &rows)
            };
            let texts = self.texts_of(|column| {
                let mut cells = StringBuilder::with_capacity(rows.len(), 0);
                for row in rows.clone() {
                    match column {
                        InputColumn::Fen => {
                            let _ = write!(cells, "{}", games.fen(row)); // to memory does not fail
                            cells.append_value("");
                        }
                        InputColumn::San => cells.append_option(games.san.get(row)),
                        _ => push_move(&mut cells, games.moves[row], game_of(row).chess960),
                    }
                }
                Some(Arc::new(cells.finish()))
            });
            let span =
                Span { texts, ..Span::new(Boards::Rows(&games.pieces[rows.clone()]), state) };
            self.stays.resize(self.stays.len() + rows.len(), true);
            self.compute(span, &|this, row| {
                let game = game_of(start + row);
                format!(
                    "{}, position {}",
                    this.place(game.number),
                    start + row - game.first_row + 1
                )
            });
        }
    }

    /// Counts an invalid row, or a game that is left out or kept up to its error, and describes it in the report.
    pub(crate) fn note_invalid(&mut self, describe: impl FnOnce() -> BadRow) {
        if self.plan.query.report_all || self.report.bad_rows.is_empty() {
            self.report.bad_rows.push(describe());
        }
        self.report.invalid += 1;
    }

    /// Appends positions in memory; the first of them has this number in the source.
    ///
    /// # Errors
    /// If rows are null and the output has no nulls.
    pub fn push_positions(&mut self, positions: Positions<'_>, number: u64) -> Result<(), Error> {
        self.push_some(positions, 0..positions.boards.len(), number)
    }

    /// The same for a range of them.
    pub(crate) fn push_some(
        &mut self,
        positions: Positions<'_>,
        range: Range<usize>,
        number: u64,
    ) -> Result<(), Error> {
        self.compute_waiting();
        let Positions { boards, turns, castling, en_passant, nulls } = positions;
        let nulls = nulls.map(|nulls| nulls.slice(range.start, range.len()));
        let null = |nulls: &&NullBuffer| nulls.null_count() > 0;
        if let (Some(reason), Some(nulls)) =
            (self.plan.query.without_nulls, nulls.as_ref().filter(null))
        {
            let row = (0..nulls.len()).find(|&row| nulls.is_null(row)).unwrap_or(0);
            return Err(Error::Null(number + row as u64, reason));
        }
        for start in range.clone().step_by(self.plan.query.chunk_rows) {
            let rows = start..range.end.min(start + self.plan.query.chunk_rows);
            let before = start - range.start;
            let number = |row: usize| number + (before + row) as u64;
            let count = if self.needs_line { rows.len() } else { 0 };
            let line: Vec<u64> = (0..count).map(number).collect();
            let state = State {
                turn: part(turns, &rows),
                castling: part(castling, &rows),
                en_passant: part(en_passant, &rows),
                line: &line,
                ..State::default()
            };
            self.stays.resize(self.stays.len() + rows.len(), true);
            let nulls = nulls.as_ref().map(|nulls| nulls.slice(before, rows.len()));
            let mut pieces = std::mem::take(&mut self.waiting.records.pieces);
            let boards = match boards {
                Sets::Pieces(pieces) => Boards::Rows(&pieces[rows]),
                Sets::Columns(columns) => {
                    let columns = columns.sets().map(|set| &set[rows.clone()]);
                    Boards::Columns(Pieces::from_sets(columns))
                }
                Sets::Rows(all) => {
                    pieces.extend(all[rows].iter().map(|&sets| Pieces::from_sets(sets)));
                    Boards::Rows(&pieces)
                }
            };
            let span = Span { nulls, ..Span::new(boards, state) };
            self.compute(span, &|this, row| this.place(number(row)));
            pieces.clear();
            self.waiting.records.pieces = pieces;
        }
        Ok(())
    }

    /// Sets the table columns to pass through, with one row for each row that is appended from here on, even if it is
    /// skipped.
    pub fn pass(&mut self, batch: &RecordBatch) {
        let places = self.plan.input.places_of_rows();
        self.pass_columns(places.map(|place| batch.column(place).clone()).collect());
    }

    fn pass_columns(&mut self, columns: Vec<ArrayRef>) {
        self.compute_waiting();
        self.computed = self.stays.len();
        let before = std::mem::replace(&mut self.passed, columns);
        let from = std::mem::replace(&mut self.passed_from, self.computed);
        let stays = &self.stays[from..];
        if self.gathered.is_none() && !before.is_empty() {
            let before = before.into_iter().take(self.plan.passed());
            let before = before.map(|column| match column.len() == stays.len() {
                true => column, // the very same array
                false => column.slice(0, stays.len()),
            });
            let before = before.collect();
            let before = with_rows(before, stays).expect("columns of the rows");
            self.passed_before.push(before);
        }
    }

    /// All columns.
    ///
    /// # Errors
    /// If a row lacks a label that is asked for.
    pub(crate) fn finish(mut self) -> Result<FinishedPart, Error> {
        self.first_missing()?;
        self.pass_columns(Vec::new());
        let fields = self.plan.input.passed().enumerate();
        let passed = fields.map(|(at, field)| {
            let parts: Vec<_> = self.passed_before.iter().map(|part| part[at].clone()).collect();
            joined(field.data_type(), &parts)
        });
        let passed = passed.collect::<Result<_, _>>()?;
        let (rows, nulls) = (self.nulls.len(), self.nulls.finish());
        let signed = self.plan.query.signed;
        let columns = self.columns.into_iter();
        let columns = columns.map(|values| values.finish(signed, nulls.clone())).collect();
        let skipped = self.stays.iter().enumerate().filter(|(_, stays)| !**stays);
        let skipped = skipped.map(|(row, _)| row).collect();
        let Self { mut report, computing, .. } = self;
        report.leave_out(self.left_out, self.plan.query.conditions.len());
        Ok(FinishedPart { rows, passed, columns, skipped, report, computing })
    }
}
