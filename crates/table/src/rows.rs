//! The row builder, to which every source appends its rows: positions, columns to pass through, and invalid rows. It
//! applies the query's rules to these, and computes the columns of some thousand rows at a time.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::{NullBuffer, NullBufferBuilder};
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};
use setwise_formats::{Records, pgn};

use crate::column::{Column, Element, InputColumn};
use crate::error::{BadRow, Error};
use crate::filter::is_pushed;
use crate::filtered::{Filtered, Gathered, Keeps};
use crate::finished::{FinishedPart, Report};
use crate::hash;
use crate::labels::split_labels;
use crate::labels::{Label, OnMissing};
use crate::query::{OnInvalid, Plan};
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
    fen: Vec<usize>,
    line: Vec<usize>,
    rest: Vec<usize>,
    /// What conditions leave, if there are any.
    kept: Option<Box<Filtered<'a>>>,
    /// Where the positions are gathered, if no columns are computed.
    gathered: Option<Box<Gathered>>,
    /// Takes them, unless late conditions have to see all first.
    takes: Option<Takes<'a>>,
    passed: Vec<ArrayRef>,
    skipped: Vec<usize>,
    /// Which rows of the part are wanted, if not all are.
    wanted: Option<Wanted>,
    /// Which rows are kept, before conditions are evaluated.
    pub(crate) keeps: Option<Keeps<'a, 'a>>,
    places: Places,
    /// Rows that lack a label which is asked for: the first, or all where conditions may still leave it out.
    missing: Vec<(usize, InputColumn)>,
    report: Report,
    computing: Duration,
    /// The rows that the kernel has seen.
    computed: usize,
}

/// Says whether a row is wanted, by its index in the part.
pub(crate) type Wanted = Box<dyn Fn(u64) -> bool + Send>;

/// Takes the positions that are kept, some thousand at a time, and the hashes of their games if they are asked for.
pub(crate) type Takes<'a> = &'a mut (dyn FnMut(&Records, &[u64]) + 'a);

/// Where the rows of a part stand in their sources.
#[derive(Default)]
struct Places {
    /// What stands before the number of a row.
    names: Vec<Arc<str>>,
    /// From which row on, the number of the row in the source, and which name.
    runs: Vec<(usize, u64, usize)>,
    /// The number that continues the last run.
    next: u64,
    /// The number that messages give to the first row.
    first: u64,
}

impl Places {
    /// The next row has this number.
    #[inline(always)]
    fn set(&mut self, row: usize, number: u64, rows: usize) {
        if number != self.next {
            self.jump(row, number);
        }
        self.next = number + rows as u64;
    }

    #[cold]
    fn jump(&mut self, row: usize, number: u64) {
        self.runs.push((row, number, self.names.len()));
    }

    fn of(&self, row: usize, of_games: bool) -> String {
        let run = self.runs.partition_point(|run| run.0 <= row).checked_sub(1);
        let Some((first, number, name)) = run.map(|run| self.runs[run]) else {
            return format!("row {row}");
        };
        let name = name.checked_sub(1).map_or("row ", |name| &self.names[name]);
        match of_games {
            true => format!("{name}{}, position {}", number - 1 + self.first, row - first + 1),
            false => format!("{name}{}", number - 1 + self.first + (row - first) as u64),
        }
    }
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
        let of_columns = plan.query.columns.iter().chain(&plan.filter.late);
        let output = plan.query.columns.len();
        let at = |wanted| {
            let columns = of_columns.clone().enumerate();
            let same = columns.filter(|(_, column)| **column == Column::Input(wanted));
            same.map(|(at, _)| at).collect()
        };
        let mut places = places.into_iter();
        let values = |(at, &column): (usize, &Column)| {
            let place = places.next().flatten();
            let values = Values::new(column, plan.is_nullable(column), place, rows);
            // Conditions see what is missing as null.
            if at < output { values.on_missing(plan.query.on_missing) } else { values }
        };
        Self {
            plan,
            columns: of_columns.clone().enumerate().map(values).collect(),
            nulls: NullBufferBuilder::new(rows),
            rows,
            waiting: Records::new(),
            fen: at(InputColumn::Fen),
            line: at(InputColumn::Line),
            rest: at(InputColumn::Rest),
            kept: (!plan.filter.is_empty()).then(|| Box::new(Filtered::new(plan))),
            gathered: None,
            takes: None,
            passed: Vec::new(),
            skipped: Vec::new(),
            wanted: None,
            keeps: None,
            places: Places { next: u64::MAX, first: 1, ..Places::default() },
            missing: Vec::new(),
            report: Report::default(),
            computing: Duration::ZERO,
            computed: 0,
        }
    }

    /// Without columns, for the positions themselves.
    pub(crate) fn keeping(
        plan: &'a Plan,
        rows: usize,
        keeps: Option<Keeps<'a, 'a>>,
        takes: Option<Takes<'a>>,
    ) -> Self {
        let mut new = Self::new(plan, rows, Vec::new());
        if keeps.is_some() && new.kept.is_none() {
            new.kept = Some(Box::new(Filtered::new(plan)));
        }
        Self { gathered: Some(Box::default()), keeps, takes, ..new }
    }

    /// The positions, if they are gathered.
    ///
    /// # Errors
    /// If Arrow rejects the columns of conditions.
    pub(crate) fn into_kept(mut self) -> Result<(Records, Report), Error> {
        self.compute_waiting();
        let mut gathered = self.gathered.take().unwrap_or_default();
        if let Some(mut kept) = self.kept.take() {
            let (rows, nulls) = (self.nulls.len(), self.nulls.finish());
            let columns = std::mem::take(&mut self.columns).into_iter();
            // They were appended with the rows.
            let hidden =
                columns.map(|values| values.finish_kept(false, nulls.clone(), Some(&kept.rows)));
            let hidden = hidden.map(|column| column.map(Finished::into_array));
            let hidden = hidden.collect::<Result<Vec<ArrayRef>, Error>>()?;
            if rows > 0
                && let Some(late) = kept.evaluate_late(&self.passed, &self.skipped, &hidden)?
            {
                self.check_missing(&kept.rows, Some(&late))?;
                let mut stay = Box::<Gathered>::default();
                stay.records.format = gathered.records.format;
                let rows = late.iter().enumerate().filter(|(_, kept)| **kept).map(|(row, _)| row);
                let boards = Boards::Rows(&gathered.records.pieces);
                stay.extend(boards, gathered.state(false), Some(&rows.collect::<Vec<_>>()));
                gathered = stay;
            }
            self.report.leave_out(kept.left_out, self.plan.query.conditions.len());
        }
        self.report.missing += self.plan.query.on_missing.fill(&mut gathered.records);
        if let Some(takes) = self.takes {
            gathered.complete_hashes(self.plan);
            takes(&gathered.records, &gathered.game_hash);
            gathered.clear();
        }
        Ok((gathered.records, self.report))
    }

    /// Fails if a row that stays lacks a label which is asked for.
    fn check_missing(&self, kept: &[bool], late: Option<&[bool]>) -> Result<(), Error> {
        // The rows that the late conditions leave, among all.
        let mut late = late.map(|late| late.iter());
        let mut next =
            |kept: &bool| *kept && late.as_mut().is_some_and(|late| late.next() == Some(&true));
        let stay: Vec<bool> = kept.iter().map(&mut next).collect();
        let stays = |(row, _): &&(usize, InputColumn)| stay.get(*row).is_none_or(|stay| *stay);
        match self.missing.iter().filter(stays).min_by_key(|(row, _)| *row) {
            Some(&(row, label)) => {
                let place = self.places.of(row, self.plan.input.games);
                Err(Error::Missing(place, self.plan.input.missing(label)))
            }
            None => Ok(()),
        }
    }

    /// The first row without a label that is asked for, as an error, unless late conditions may leave it out.
    ///
    /// # Errors
    /// If there is one.
    pub(crate) fn first_missing(&mut self) -> Result<(), Error> {
        self.compute_waiting();
        if self.plan.filter.has_late() { Ok(()) } else { self.check_missing(&[], None) }
    }

    /// The plan of the rows.
    #[must_use]
    pub const fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The number of rows so far, without those that conditions are known to leave out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nulls.len() - self.kept.as_ref().map_or(0, |kept| kept.out)
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
        if self.places.names.last() != Some(before) {
            self.places.names.push(Arc::clone(before));
            self.places.next = u64::MAX;
        }
    }

    /// The same for a column or a table.
    pub(crate) fn name_rows(&mut self, names: RowNames<'_>) {
        self.name(&format!("{}row ", names.before).into());
        self.places.first = names.first;
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
        self.skipped.push(self.nulls.len() + self.skipped.len());
    }

    /// Appends a position, with its text and its number in the source.
    #[inline(always)]
    pub(crate) fn push(&mut self, fen: &Fen, text: &[u8], number: u64, label: Label) {
        self.places.set(self.nulls.len(), number, 1);
        self.nulls.append_non_null();
        if !(self.fen.is_empty() && self.line.is_empty() && self.rest.is_empty()) {
            self.push_text(Some(text), true, number);
        }
        self.wait_for_kernel(fen, label);
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
        self.places.set(self.nulls.len(), number, 1);
        self.nulls.append_null();
        self.push_text(text, false, number);
        self.wait_for_kernel(&NOTHING, Label::NONE);
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

    fn push_text(&mut self, text: Option<&[u8]>, is_position: bool, number: u64) {
        for &at in &self.fen {
            let position = text.map(|text| {
                split_labels(text).map_or(text, |(position, _)| position.trim_ascii_end())
            });
            self.columns[at].push_text(position);
        }
        for &at in &self.line {
            self.columns[at].push_number(number);
        }
        for &at in &self.rest {
            self.columns[at].push_text(text.filter(|_| is_position).map(rest));
        }
    }

    #[inline(always)]
    fn wait_for_kernel(&mut self, fen: &Fen, label: Label) {
        if self.waiting.pieces.len() == self.waiting.pieces.capacity() {
            self.reserve();
        }
        let waiting = &mut self.waiting;
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
        let waiting = &mut self.waiting;
        waiting.pieces.reserve(rows);
        waiting.turn.reserve(rows);
        waiting.castling.reserve(rows);
        waiting.en_passant.reserve(rows);
        waiting.halfmove_clock.reserve(rows);
        waiting.fullmove_number.reserve(rows);
        if self.plan.reads_labels {
            waiting.score.reserve(rows);
            waiting.result.reserve(rows);
        }
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
        let (plan, nulls, missing) = (self.plan, &self.nulls, &mut self.missing);
        let is_valid = |row| nulls.is_valid(row);
        let is_valid: Option<&dyn Fn(usize) -> bool> = match nulls.as_slice() {
            Some(_) => Some(&is_valid),
            None => None,
        };
        let first = self.computed;
        self.computed += boards.len();
        match (&mut self.kept, &mut self.gathered) {
            (Some(kept), Some(gathered)) => {
                let mut then = |boards: Boards<'_>, state: State<'_>, rows: &[usize]| {
                    let some = (rows.len() < boards.len()).then_some(rows);
                    gathered.extend(boards, state, some);
                };
                let keeps = self.keeps.as_deref_mut();
                kept.each_kept(plan, boards, state, is_valid, keeps, &mut then);
            }
            (Some(kept), None) => kept.fill(&mut self.columns, plan, boards, state, is_valid),
            (None, Some(gathered)) => gathered.extend(boards, state, None),
            (None, None) => fill_rows(&mut self.columns, &plan.query, boards, state),
        }
        if !matches!(plan.query.on_missing, OnMissing::Null | OnMissing::Skip) {
            let kept = self.kept.as_ref().map(|kept| &kept.rows[first..]);
            let value = match plan.query.on_missing {
                OnMissing::Value(value) => Some(value),
                _ => None,
            };
            let score = plan.asked.score && value.is_none();
            let result = plan.asked.result && value.is_none_or(|value| !(-1..=1).contains(&value));
            let of_row = |row: usize| {
                let found = state.score.get(row).copied();
                let no_score = score && found.is_some_and(|score| !Records::is_score(score));
                let no_result = result && state.result.get(row) == Some(&Records::NO_RESULT);
                let label = if no_score { InputColumn::Score } else { InputColumn::Result };
                let is_kept = kept.is_none_or(|kept| kept[row])
                    && is_valid.is_none_or(|is_valid| is_valid(first + row));
                ((no_score || no_result) && is_kept).then_some((first + row, label))
            };
            let mut all = (0..boards.len()).filter_map(of_row);
            match plan.filter.has_late() {
                true => missing.extend(all),
                false if missing.is_empty() => missing.extend(all.next()),
                false => {}
            }
        }
        if let (Some(gathered), Some(takes)) = (&mut self.gathered, &mut self.takes)
            && !plan.filter.has_late()
        {
            self.report.missing += plan.query.on_missing.fill(&mut gathered.records);
            gathered.complete_hashes(plan);
            takes(&gathered.records, &gathered.game_hash);
            let format = gathered.records.format;
            gathered.clear();
            gathered.records.format = format;
        }
        self.computing += start.map_or(Duration::ZERO, |start| start.elapsed());
    }

    /// Appends a range of packed records; the first of them has this number in the source.
    pub fn push_records(&mut self, records: &Records, range: Range<usize>, number: u64) {
        self.push_hashed(records, range, number, &[]);
    }

    /// The same with the hash of the game of each record, also of those out of the range, or without hashes.
    pub(crate) fn push_hashed(
        &mut self,
        records: &Records,
        range: Range<usize>,
        number: u64,
        hashes: &[u64],
    ) {
        self.compute_waiting();
        self.places.set(self.nulls.len(), number, range.len());
        self.nulls.append_n_non_nulls(range.len());
        if let Some(gathered) = &mut self.gathered {
            gathered.records.format = records.format; // tells whose spare bytes there are
        }
        if !(self.fen.is_empty() && self.line.is_empty()) {
            for (row, number) in range.clone().zip(number..) {
                let fen = self.fen.first().map(|_| records.fen(row).to_string());
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
            state.game_hash = hashes.get(rows.clone()).unwrap_or(&[]);
            if records.turn.is_empty() {
                state.turn = &white[..rows.len()];
            }
            self.compute(Boards::Rows(&records.pieces[rows]), state);
        }
    }

    /// Appends packed records that are known to be kept, each with its number in the source.
    pub(crate) fn push_kept(&mut self, records: &Records, numbers: impl Iterator<Item = u64>) {
        let (first, keeps) = (self.nulls.len(), self.keeps.take());
        let mut numbers = numbers.peekable();
        let number = *numbers.peek().unwrap_or(&1);
        self.push_records(records, 0..records.len(), number);
        self.keeps = keeps;
        if self.plan.query.on_missing == OnMissing::Stop {
            self.places.next = number;
            for (row, number) in (first..).zip(numbers) {
                self.places.set(row, number, 1);
            }
        }
    }

    /// Appends the positions of games.
    pub(crate) fn push_games(&mut self, games: &pgn::Rows) {
        self.compute_waiting();
        for game in &games.games {
            self.places.jump(self.nulls.len() + game.first_row, game.number);
        }
        self.nulls.append_n_non_nulls(games.len());
        self.report.games += games.games.len() as u64;
        self.columns.iter_mut().for_each(|values| values.push_games(games));
        let mut hashes = Vec::new();
        if self.plan.reads_hashes() {
            hashes.resize(games.len(), 0);
            for game in &games.games {
                let rows = game.first_row..game.first_row + game.rows;
                let hash = hash::of_game(&games.pieces, &games.turn, rows.clone());
                hashes[rows].fill(hash);
            }
        }
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
                game_hash: hashes.get(rows.clone()).unwrap_or(&[]),
                ..State::of_games(games, rows.clone())
            };
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
        for &at in &self.line {
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
        let places = self.plan.input.places_of_rows();
        self.passed = places.map(|place| batch.column(place).clone()).collect();
    }

    /// All columns.
    ///
    /// # Errors
    /// If Arrow rejects the columns of conditions.
    pub(crate) fn finish(mut self) -> Result<FinishedPart, Error> {
        self.first_missing()?;
        let (rows, nulls) = (self.nulls.len(), self.nulls.finish());
        if self.kept.is_some() {
            return self.finish_kept(rows, nulls);
        }
        let signed = self.plan.query.signed;
        let columns = self.columns.into_iter();
        let columns = columns.map(|values| values.finish(signed, nulls.clone())).collect();
        let Self { passed, skipped, report, computing, .. } = self;
        Ok(FinishedPart { rows, passed, columns, skipped, report, computing })
    }

    /// All columns, without the rows that conditions leave out.
    fn finish_kept(
        mut self,
        rows: usize,
        nulls: Option<NullBuffer>,
    ) -> Result<FinishedPart, Error> {
        let (plan, mut columns) = (self.plan, std::mem::take(&mut self.columns));
        let mut kept = self.kept.take().expect("the plan has conditions");
        let input = &plan.input;
        let of_kept = kept.nulls(nulls.clone());
        // Values that were appended with the row stand beside all rows, the others beside those that are kept.
        let finish = |values: Values<'_>, signed, late: Option<&[bool]>, all: &[bool]| {
            let early = all.iter().filter(|kept| **kept);
            match is_pushed(values.column) || input.games && is_text(values.column) {
                true => {
                    let mut late = late.map(|late| late.iter());
                    let stays = |&kept: &bool| {
                        kept && late.as_mut().is_none_or(|late| *late.next().unwrap_or(&true))
                    };
                    let all: Vec<bool> = all.iter().map(stays).collect();
                    values.finish_kept(signed, nulls.clone(), Some(&all))
                }
                false => {
                    debug_assert!(late.is_none_or(|late| late.len() == early.count()));
                    values.finish_kept(signed, of_kept.clone(), late)
                }
            }
        };
        let hidden = columns.split_off(plan.query.columns.len()).into_iter();
        let hidden = hidden.map(|values| finish(values, false, None, &kept.rows));
        let hidden = hidden.map(|column| column.map(Finished::into_array));
        let hidden = hidden.collect::<Result<Vec<ArrayRef>, Error>>()?;
        let late = match rows {
            0 => None,
            _ => kept.evaluate_late(&self.passed, &self.skipped, &hidden)?,
        };
        let late = late.as_deref();
        if late.is_some() {
            self.check_missing(&kept.rows, late)?;
        }
        let Self { mut passed, skipped, mut report, computing, .. } = self;
        let columns = columns.into_iter();
        let columns = columns.map(|values| finish(values, plan.query.signed, late, &kept.rows));
        let columns = columns.collect::<Result<_, _>>()?;
        passed.truncate(plan.passed());
        let skipped = kept.of_source(&skipped, late);
        let out = kept.left_out.iter().sum::<u64>() as usize;
        report.leave_out(kept.left_out, plan.query.conditions.len());
        Ok(FinishedPart { rows: rows - out, passed, columns, skipped, report, computing })
    }
}

/// Whether a column is text, which games append with their rows.
pub(crate) fn is_text(column: Column) -> bool {
    column.element() == Element::Text
}
