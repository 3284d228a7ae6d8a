//! The row builder, to which every source appends its rows: positions, columns to pass through, and invalid rows. It
//! applies the rules of the query and computes the columns of a few thousand rows at a time.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_buffer::NullBufferBuilder;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};
use setwise_formats::Records;

use crate::column::{Column, InputColumn};
use crate::error::{BadRow, Error};
use crate::finished::{FinishedPart, Report};
use crate::hash;
use crate::labels::{Label, OnMissing, split_labels};
use crate::query::{OnInvalid, Plan};
use crate::selection::RowFilter;
use crate::span::{Boards, Gathered, Span, filter_columns};
use crate::text::rest;
use crate::threads::CHUNK;
use crate::values::{Place, Values, fill_rows, joined};

mod checks;

/// A part of a source, whose rows any thread can decode.
pub struct Part<'a, E = Error> {
    /// The maximum number of rows.
    pub rows: usize,
    /// The approximate size of the rows in bytes.
    pub bytes: usize,
    /// Appends the rows to a row builder.
    #[allow(clippy::type_complexity, reason = "a name for it would say less")]
    pub read: Box<dyn FnOnce(&mut Rows<'_>) -> Result<(), E> + Send + 'a>,
}

/// Collects the rows of a part.
pub struct Rows<'a> {
    plan: &'a Plan,
    columns: Vec<Values<'a>>,
    /// The validity of the columns' rows: a row without a position is null.
    nulls: NullBufferBuilder,
    /// Receives the positions themselves, instead of columns.
    pub(crate) receiver: Option<Receiver<'a>>,
    /// Rows that were pushed one at a time and are not computed yet, their nulls, and their texts.
    waiting: Gathered,
    waiting_nulls: NullBufferBuilder,
    waiting_texts: Vec<(InputColumn, StringBuilder)>,
    /// A buffer for the kept rows.
    scratch: Gathered,
    /// For each row of the source so far: true unless it was skipped or a condition dropped it.
    retained: Vec<bool>,
    /// The number of rows of the source before the waiting ones.
    computed: usize,
    /// The columns that are passed through from row `passed_from` on, and those of the rows before it.
    passed: Vec<ArrayRef>,
    passed_from: usize,
    passed_before: Vec<Vec<ArrayRef>>,
    /// Selects the rows of the part to read; `None` reads all rows.
    wanted: Option<Wanted>,
    /// Selects the rows to keep, before conditions are evaluated.
    pub(crate) row_filter: Option<RowFilter<'a>>,
    /// Selects the rows to pass to the receiver by their number of pieces, after everything else.
    pub(crate) steering: Option<&'a mut (dyn FnMut(usize) -> bool + 'a)>,
    /// The text before the number of a row in messages, and the number of the first row in messages.
    name: String,
    first: u64,
    /// The error of the first kept row that lacks a requested label or clocks.
    missing: Option<Error>,
    /// Rows without clocks that are not computed yet, as indices in `retained`, with their errors if clocks are required.
    without_clocks: Vec<(usize, Option<Box<BadRow>>)>,
    /// The number of rows that each condition drops.
    left_out: Vec<u64>,
    pub(crate) report: Report,
    computing: Duration,
}

/// Returns whether to read a row, given its index in the part.
type Wanted = Box<dyn Fn(u64) -> bool + Send>;

/// Receives the kept positions, a few thousand at a time, and the hashes of their games if requested.
pub(crate) type Receiver<'a> = &'a mut (dyn FnMut(&mut Records, &[u64]) + 'a);

/// The naming of rows of a text column in messages.
#[derive(Clone, Copy, Debug)]
pub struct RowNames<'a> {
    /// The text before the row number: the name of a file or a column.
    pub before: &'a str,
    /// The number of the first row of the source: 0 for programs, 1 for users.
    pub first: u64,
}

/// The placeholder for a null: an empty board, for which every computed column is 0.
const EMPTY: Fen = Fen {
    pieces: Pieces::EMPTY,
    turn: Colour::White,
    castling: Castling::NONE,
    en_passant: None,
    halfmove_clock: 0,
    fullmove_number: 0,
};

impl RowNames<'_> {
    /// The number of a row in messages, given its number in the source, counted from 1.
    pub(crate) const fn row(self, number: u64) -> u64 {
        number - 1 + self.first
    }

    /// The name of a row in messages, given its number in the source, counted from 1.
    pub(crate) fn place(self, number: u64) -> String {
        format!("{}row {}", self.before, self.row(number))
    }
}

/// The name of a row or game in messages, if the first one has the number `first`.
fn name_of(before: &str, first: u64, number: u64) -> String {
    format!("{before}{}", number - 1 + first)
}

impl<'a> Rows<'a> {
    /// Creates a builder that writes columns of numbers to these places, in order, or to new memory for `rows` rows.
    pub(crate) fn new(plan: &'a Plan, rows: usize, places: Vec<Option<Place<'a>>>) -> Self {
        let mut places = places.into_iter();
        let missing = match plan.query.on_missing {
            OnMissing::Value(value) => Some(value),
            _ => None,
        };
        let values = |&column: &Column| {
            let place = places.next().flatten();
            Values::new(column, plan.is_nullable(column), place, rows, missing)
        };
        let columns = plan.query.columns.iter().map(values).collect();
        let of_lines =
            |column: &&InputColumn| matches!(column, InputColumn::Fen | InputColumn::Rest);
        let texts = plan.texts.iter().filter(of_lines);
        Self {
            plan,
            columns,
            nulls: NullBufferBuilder::new(rows),
            receiver: None,
            steering: None,
            waiting: Gathered::default(),
            waiting_nulls: NullBufferBuilder::new(CHUNK.min(rows)),
            waiting_texts: texts.map(|&column| (column, StringBuilder::new())).collect(),
            scratch: Gathered::default(),
            retained: Vec::new(),
            computed: 0,
            passed: Vec::new(),
            passed_from: 0,
            passed_before: Vec::new(),
            wanted: None,
            row_filter: None,
            name: "row ".into(),
            first: 1,
            missing: None,
            without_clocks: Vec::new(),
            left_out: vec![0; plan.filter.conditions.len()],
            report: Report::default(),
            computing: Duration::ZERO,
        }
    }

    /// The plan of the rows.
    #[must_use]
    pub const fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The number of rows so far, without those that conditions have already dropped.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nulls.len() + self.waiting.records.len()
    }

    /// Names the source of the rows that follow. Messages write this text before the number of a row.
    pub fn name(&mut self, before: &str) {
        if self.name != before {
            self.compute_waiting();
            before.clone_into(&mut self.name);
        }
    }

    /// Names the rows of a column or a table.
    pub(crate) fn name_rows(&mut self, names: RowNames<'_>) {
        self.name(&format!("{}row ", names.before));
        self.first = names.first;
    }

    /// The name of a row or game in messages.
    pub(crate) fn place_of(&self, number: u64) -> String {
        name_of(&self.name, self.first, number)
    }

    /// Reads only the rows of text and tables for which this function returns true, given their index in the part.
    pub fn want(&mut self, wanted: Box<dyn Fn(u64) -> bool + Send>) {
        self.wanted = Some(wanted);
    }

    /// Returns whether to read a row; if not, skips it.
    pub(crate) fn wants(&mut self, row: u64) -> bool {
        let wants = self.wanted.as_ref().is_none_or(|wanted| wanted(row));
        if !wants {
            self.skip();
        }
        wants
    }

    pub(crate) fn skip(&mut self) {
        self.retained.push(false);
    }

    /// Appends a position, with its text and its number in the source.
    #[inline(always)]
    pub(crate) fn push(&mut self, fen: &Fen, text: &[u8], number: u64, label: Label) {
        if !self.waiting_texts.is_empty() {
            self.push_text(Some(text), true);
        }
        self.waiting_nulls.append_non_null();
        self.push_waiting(fen, number, label);
    }

    /// Appends a row without a position. If rows are passed on as records, skips it.
    ///
    /// # Errors
    /// If the output has no nulls.
    pub(crate) fn push_null(&mut self, text: Option<&[u8]>, number: u64) -> Result<(), Error> {
        if let Some(reason) = self.plan.query.without_nulls {
            return Err(Error::Null(number, reason));
        }
        if self.receiver.is_some() {
            self.report.blank += 1;
            self.skip();
            return Ok(());
        }
        self.push_text(text, false);
        self.waiting_nulls.append_null();
        self.push_waiting(&EMPTY, number, Label::NONE);
        Ok(())
    }

    /// Handles an invalid row as the query specifies.
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
        for (column, cells) in &mut self.waiting_texts {
            let text = match column {
                InputColumn::Fen => text.map(|text| {
                    split_labels(text).map_or(text, |(position, _)| position.trim_ascii_end())
                }),
                _ => text.filter(|_| is_position).map(rest),
            };
            cells.append_option(text.map(String::from_utf8_lossy));
        }
    }

    #[inline(always)]
    fn push_waiting(&mut self, fen: &Fen, number: u64, label: Label) {
        self.retained.push(true);
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

    #[inline(never)]
    fn compute_waiting(&mut self) {
        if self.waiting.records.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let nulls = self.waiting_nulls.finish();
        let texts = self.waiting_texts.iter_mut().map(|(column, cells)| {
            let (rows, bytes) = (waiting.line.len(), cells.values_slice().len());
            let memory = StringBuilder::with_capacity(rows, bytes);
            (*column, Arc::new(std::mem::replace(cells, memory).finish()) as ArrayRef)
        });
        let texts = texts.collect();
        let boards = Boards::Rows(&waiting.records.pieces);
        let span = Span { texts, nulls, ..Span::new(boards, waiting.state()) };
        self.compute(span, &|row| (waiting.line[row], None));
        waiting.clear();
        self.waiting = waiting;
    }

    /// Appends consecutive rows. `locate` returns the number of a row, and its position in a game.
    pub(crate) fn push_span(&mut self, span: Span<'_>, locate: Locate<'_>) {
        self.compute_waiting();
        self.retained.resize(self.retained.len() + span.len(), true);
        self.compute(span, locate);
    }

    /// Applies the conditions to some rows. Computes the columns of the kept rows or passes their positions on.
    fn compute(&mut self, span: Span<'_>, locate: Locate<'_>) {
        let start = Instant::now();
        let plan = self.plan;
        let from = std::mem::replace(&mut self.computed, self.retained.len());
        let hashes: Vec<u64>;
        let mut span = span; // with the hashes of positions if there are no games
        if plan.reads(InputColumn::GameHash) && span.state.game_hash.is_empty() {
            hashes = hash::of_positions(span.boards, span.state.turn).collect();
            span.state.game_hash = &hashes;
        }
        if plan.filter.reads_passed() {
            let (at, rows) = (from - self.passed_from, self.retained.len() - from);
            let passed = self.passed.iter().map(|column| column.slice(at, rows)).collect();
            let passed = filter_columns(passed, &self.retained[from..].into());
            span.passed = passed.expect("columns of the rows");
        }
        let filter = self.row_filter.as_mut();
        let selected = plan.select_rows(&span, filter, &mut self.scratch, &mut self.left_out);
        if let Some(selected) = &selected {
            let of_source = self.retained[from..].iter_mut().filter(|retained| **retained);
            of_source.zip(selected).for_each(|(retained, selected)| *retained = selected);
        }
        let span = &span;
        self.check_labels(span, selected.as_ref(), locate);
        let scratch = &mut self.scratch;
        if let Some(receiver) = &mut self.receiver {
            let mut rows =
                selected.as_ref().map(|selected| selected.set_indices().collect::<Vec<_>>());
            if let Some(steering) = &mut self.steering {
                let rows = rows.get_or_insert_with(|| (0..span.len()).collect());
                rows.retain(|&row| steering(span.boards.occupied(row).count_ones() as usize));
            }
            scratch.clear();
            scratch.extend(span.boards, span.state, rows.as_deref());
            scratch.records.format = span.format;
            receiver(&mut scratch.records, &scratch.game_hash);
        } else {
            let span = match selected {
                Some(selected) => &span.select(&selected, scratch).expect("columns of the rows"),
                None => span,
            };
            match &span.nulls {
                Some(nulls) => self.nulls.append_buffer(nulls),
                None => self.nulls.append_n_non_nulls(span.len()),
            }
            fill_rows(&mut self.columns, &plan.query, span);
        }
        self.count_without_clocks();
        self.computing += start.elapsed();
    }

    /// Counts an invalid row, or a game that is skipped or kept up to its error, and describes it in the report.
    pub(crate) fn note_invalid(&mut self, describe: impl FnOnce() -> BadRow) {
        if self.plan.query.report_all || self.report.bad_rows.is_empty() {
            self.report.bad_rows.push(describe());
        }
        self.report.invalid += 1;
    }

    /// Sets the columns to pass through. They have one row for each row that is appended from here on, including
    /// skipped ones.
    pub(crate) fn pass(&mut self, columns: Vec<ArrayRef>) {
        self.compute_waiting();
        self.computed = self.retained.len();
        let before = std::mem::replace(&mut self.passed, columns);
        let from = std::mem::replace(&mut self.passed_from, self.computed);
        let retained = &self.retained[from..];
        if self.receiver.is_none() && !before.is_empty() {
            let before = before.into_iter().take(self.plan.passed());
            let before = before.map(|column| match column.len() == retained.len() {
                true => column, // the very same array
                false => column.slice(0, retained.len()),
            });
            let before =
                filter_columns(before.collect(), &retained.into()).expect("columns of the rows");
            self.passed_before.push(before);
        }
    }

    /// Returns all columns.
    ///
    /// # Errors
    /// If a row lacks a requested label.
    pub(crate) fn finish(mut self) -> Result<FinishedPart, Error> {
        self.pass(Vec::new());
        if let Some(missing) = self.missing {
            return Err(missing);
        }
        let fields = self.plan.input.passed().enumerate();
        let passed = fields.map(|(at, field)| {
            let parts: Vec<_> = self.passed_before.iter().map(|part| part[at].clone()).collect();
            joined(field.name(), field.data_type(), &parts)
        });
        let passed = passed.collect::<Result<_, _>>()?;
        let (rows, nulls) = (self.nulls.len(), self.nulls.finish());
        let signed = self.plan.query.signed;
        let columns = self.columns.into_iter();
        let columns = columns.map(|values| values.finish(signed, nulls.clone()));
        let columns = columns.collect::<Result<_, _>>()?;
        let skipped = self.retained.iter().enumerate().filter(|(_, retained)| !**retained);
        let skipped = skipped.map(|(row, _)| row).collect();
        let Self { mut report, mut left_out, computing, .. } = self;
        // The conditions for missing labels follow those of the query.
        report.missing = left_out.split_off(self.plan.query.conditions.len()).iter().sum();
        report.left_out = left_out;
        Ok(FinishedPart { rows, passed, columns, skipped, report, computing })
    }
}

/// Returns the number of a row in its source, and its position in a game, both from 1.
pub(crate) type Locate<'a> = &'a dyn Fn(usize) -> (u64, Option<usize>);

impl Plan {
    /// Splits rows into ranges whose columns are computed together.
    pub(crate) fn chunks(&self, rows: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let step = self.query.chunk_rows.min(CHUNK);
        rows.clone().step_by(step).map(move |start| start..rows.end.min(start + step))
    }
}
