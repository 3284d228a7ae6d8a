//! The labels of tables: their columns and cells.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use setwise::{Colour, Fen};
use setwise_formats::pgn::Score;
use setwise_formats::{Records, legal_move};

use crate::column::{Column, InputColumn};
use crate::data_sets::{DataSet, Evaluations, Variation};
use crate::error::Error;
use crate::evaluate::{Operands, Scalar, cell, integer};
use crate::labels::{Label, Labels, Loss, Side, parse_result};
use crate::schema::find;
use crate::text::is_text_or_null;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelColumns {
    pub(crate) score: Option<usize>,
    pub(crate) mate: Option<usize>,
    pub(crate) result: Option<usize>,
    pub(crate) played: Option<usize>,
    /// The index of the word that is the move, if the column has several words.
    word: Option<usize>,
    /// The column of evaluations, which contain scores and moves.
    evals: Option<usize>,
    scores_of: Side,
    results_of: Option<Side>,
    loss_is: Option<Loss>,
    seen: Seen,
}

/// The kinds of numbers among the results so far, shared by the plans of one source.
#[derive(Clone, Debug, Default)]
struct Seen(Arc<AtomicU8>);

impl PartialEq for Seen {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Seen {
    const MINUS_ONE: u8 = 1;
    const HALF: u8 = 2;
    /// A zero without a decimal point, and with one.
    const ZERO: u8 = 4;
    const ZERO_POINT: u8 = 8;

    /// Adds a kind. Returns false if both -1 and 0 would be losses.
    fn add(&self, kind: u8) -> bool {
        let old = self.0.load(Ordering::Relaxed);
        let now = old | kind;
        if now != old {
            self.0.fetch_or(kind, Ordering::Relaxed);
        }
        let signed = now & (Self::MINUS_ONE | Self::ZERO) != 0;
        let points = now & (Self::HALF | Self::ZERO_POINT) != 0;
        !(signed && points)
    }

    /// Returns whether zeros are ambiguous: draws or losses.
    fn is_doubtful(&self) -> bool {
        let seen = self.0.load(Ordering::Relaxed);
        let has = |kind| seen & kind != 0;
        has(Self::ZERO) && !has(Self::MINUS_ONE) || has(Self::ZERO_POINT) && !has(Self::HALF)
    }
}

/// Returns the column with one of the usual names of a label, if there is one.
fn find_usual(
    schema: &Schema,
    label: InputColumn,
    names: &[&str],
    option: &'static str,
) -> Result<Option<usize>, Error> {
    let is_usual = |name: &String| names.iter().any(|own| name.eq_ignore_ascii_case(own));
    let fields = schema.fields().iter().enumerate();
    let mut found = fields.filter(|(_, field)| is_usual(field.name()));
    match (found.next(), found.next()) {
        (Some((_, one)), Some((_, other))) => {
            let (label, one, other) = (Column::Input(label), one.name(), other.name());
            let doubt = format!("`{one}` or `{other}`: which one is the {label}?");
            Err(Error::Doubt(doubt, option))
        }
        (found, _) => Ok(found.map(|(place, _)| place)),
    }
}

/// Returns an error if a column is neither text nor, where they are allowed, numbers.
fn check_type(field: &Field, numbers: bool) -> Result<(), Error> {
    let of = field.data_type();
    let is_number = of.is_integer() || matches!(of, DataType::Float32 | DataType::Float64);
    if is_text_or_null(of) || numbers && is_number {
        return Ok(());
    }
    let expected = if numbers { "numbers or text" } else { "text" };
    Err(Error::Type(field.name().clone(), of.clone(), expected))
}

impl LabelColumns {
    pub(crate) fn new(
        schema: &Schema,
        labels: &Labels,
        wanted: &[InputColumn],
        data_set: Option<DataSet>,
    ) -> Result<Self, Error> {
        let find_column = |label, named: &Option<String>, defaults: &[&str], option| {
            let usual = || find_usual(schema, label, defaults, option);
            match named {
                _ if !wanted.contains(&label) => Ok(None),
                None => usual(),
                Some(name) => {
                    let found = find(schema, name).map(Some);
                    found.map_err(|error| Error::Doubt(error.to_string(), option))
                }
            }
        };
        let is_named =
            |place: usize, name: &str| schema.field(place).name().eq_ignore_ascii_case(name);
        let of_evals = [InputColumn::Score, InputColumn::Move];
        let mut evals = None;
        if data_set == Some(DataSet::LichessEvals) && of_evals.iter().any(|of| wanted.contains(of))
        {
            evals = Some(find(schema, "evals")?);
        }
        let score: &[&str] = if evals.is_some() { &[] } else { &["score", "cp", "eval"] };
        let score = find_column(InputColumn::Score, &labels.score, score, "score_column")?;
        let with_mate = score.is_none_or(|place| !is_named(place, "score"));
        let mates: &[&str] = if with_mate && evals.is_none() { &["mate"] } else { &[] };
        let mate = find_column(InputColumn::Score, &labels.mate, mates, "mate_column")?;
        let results = &["result", "wdl", "outcome", "winner"];
        let result = find_column(InputColumn::Result, &labels.result, results, "result_column")?;
        let of_data_set = data_set.and_then(DataSet::moves).filter(|_| labels.played.is_none());
        let word = of_data_set.map(|(_, word)| word);
        let moves = if evals.is_some() { "" } else { of_data_set.map_or("move", |(name, _)| name) };
        let played = find_column(InputColumn::Move, &labels.played, &[moves], "move_column")?;
        let scores_of = match (labels.scores_of, score) {
            (Some(side), _) => side,
            (None, Some(place)) if is_named(place, "score") => Side::Mover,
            (None, Some(place)) if !is_named(place, "cp") && !is_named(place, "eval") => {
                let name = schema.field(place).name();
                let doubt = format!("are the scores in `{name}` white's or the side to move's?");
                return Err(Error::Doubt(doubt, "scores_of"));
            }
            _ => Side::White,
        };
        let of_result = result.filter(|&place| is_named(place, "result")).map(|_| Side::Mover);
        for (place, numbers) in [(score, true), (mate, true), (result, true), (played, false)] {
            place.map_or(Ok(()), |place| check_type(schema.field(place), numbers))?;
        }
        if let Some(field) = evals.map(|place| schema.field(place))
            && !Evaluations::fits(field.data_type())
        {
            let (name, of) = (field.name().clone(), field.data_type().clone());
            return Err(Error::Type(name, of, "lists of evaluations, or their JSON"));
        }
        Ok(Self {
            score,
            mate,
            result,
            played,
            word,
            evals,
            scores_of,
            results_of: labels.results_of.or(of_result),
            loss_is: labels.loss_is,
            seen: Seen::default(),
        })
    }

    pub(crate) fn found(&self) -> Vec<InputColumn> {
        let mut found = Vec::new();
        found.extend(self.score.or(self.mate).or(self.evals).map(|_| InputColumn::Score));
        found.extend(self.result.map(|_| InputColumn::Result));
        if self.played.or(self.evals).is_some() {
            found.push(InputColumn::Move);
            found.extend(InputColumn::OF_MOVES);
        }
        found
    }

    pub(crate) fn keep(&mut self, scores: bool, results: bool, moves: bool) {
        let keeps = [scores, scores, results, moves, scores || moves];
        let places = self.places_mut().into_iter().zip(keeps);
        places.filter(|(_, keeps)| !keeps).for_each(|(place, _)| *place = None);
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        [self.score, self.mate, self.result, self.played, self.evals].into_iter().flatten()
    }

    pub(crate) fn places_mut(&mut self) -> [&mut Option<usize>; 5] {
        let Self { score, mate, result, played, evals, .. } = self;
        [score, mate, result, played, evals]
    }

    /// Describes the inferred columns and points of view in one line.
    pub(crate) fn decided(&self, schema: &Schema, with_moves: bool) -> Option<String> {
        let names = |places: [Option<usize>; 2]| names(places, schema);
        let of = |side| match side {
            Side::Mover => "for the side to move",
            Side::White => "for white",
        };
        let mut notes = Vec::new();
        if self.evals.is_some() {
            let variation = "the first variation of the deepest of `evals`, scores for white";
            notes.push(format!("scores and moves: {variation}"));
        }
        if self.score.or(self.mate).is_some() {
            let names = names([self.score, self.mate]);
            notes.push(format!("scores: {names}, {}", of(self.scores_of)));
        }
        if let Some(place) = self.result {
            // Text such as 1-0 is for white.
            let is_text = is_text_or_null(schema.field(place).data_type());
            let numbers = if is_text { ", words for white, numbers" } else { "," };
            let side = self.results_of.map(|side| format!("{numbers} {}", of(side)));
            let side = side.unwrap_or_default();
            notes.push(format!("results: {}{side}", names([self.result, None])));
        }
        if with_moves && self.played.is_some() {
            let word = ["the first of ", "the second of "];
            let word = self.word.map_or("", |at| word[at]);
            notes.push(format!("moves: {word}{}", names([self.played, None])));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Fails if results are numbers and a zero could be a draw or a loss.
    pub(crate) fn check(&self, schema: &Schema) -> Result<(), Error> {
        match self.result {
            Some(place) if self.loss_is.is_none() && self.seen.is_doubtful() => {
                let name = schema.field(place).name();
                let doubt = format!(
                    "the results in `{name}` are 1 and 0, without -1 or 0.5: is a loss -1 or 0?"
                );
                Err(Error::Doubt(doubt, "loss_is"))
            }
            _ => Ok(()),
        }
    }

    /// The columns of a missing label, for messages.
    pub(crate) fn missing(&self, label: InputColumn, schema: &Schema) -> String {
        let places = match label {
            InputColumn::Result => [self.result, None],
            _ => [self.score.or(self.evals), self.mate],
        };
        format!("column {}", names(places, schema))
    }

    pub(crate) fn read<'a>(&'a self, batch: &'a RecordBatch) -> LabelRows<'a> {
        let cells = |place: Option<usize>| {
            let place = place.filter(|&place| *batch.column(place).data_type() != DataType::Null);
            place.map(|place| Operands::of_array(batch.column(place)))
        };
        LabelRows {
            columns: self,
            batch,
            score: cells(self.score),
            mate: cells(self.mate),
            result: cells(self.result),
            played: cells(self.played),
            evals: self.evals.map(|place| Evaluations::of(batch.column(place))),
        }
    }
}

/// The names of columns, for use in a sentence.
fn names(places: [Option<usize>; 2], schema: &Schema) -> String {
    let names = places.into_iter().flatten().map(|place| schema.field(place).name());
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ")
}

pub(crate) struct LabelRows<'a> {
    columns: &'a LabelColumns,
    batch: &'a RecordBatch,
    score: Option<Operands<'a>>,
    mate: Option<Operands<'a>>,
    result: Option<Operands<'a>>,
    played: Option<Operands<'a>>,
    evals: Option<Evaluations<'a>>,
}

/// The reason why a label cannot be read.
pub(crate) enum Wrong {
    /// A wrong cell, in the column of this name.
    Cell(String, String),
    /// A wrong column.
    Column(Error),
}

impl LabelRows<'_> {
    pub(crate) fn label(&self, row: usize, fen: &Fen) -> Result<Label, Wrong> {
        let best = self.evals.as_ref().map(|evals| evals.best(row)).transpose();
        let best = best.map_err(|reason| self.wrong(self.columns.evals, reason))?;
        let mut label = Label { score: self.score(row, fen.turn, best.as_ref())?, ..Label::NONE };
        label.result = self.result(row, fen.turn)?;
        let (text, place, word) = match (cell(self.played.as_ref(), row), &best) {
            (None, Some(best)) => (best.line.as_deref(), self.columns.evals, Some(0)),
            (Some(Scalar::Text(text)), _) => (Some(text), self.columns.played, self.columns.word),
            _ => (None, None, None),
        };
        let text = match word {
            Some(word) => text.and_then(|text| text.split_ascii_whitespace().nth(word)),
            None => text,
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let played = legal_move(text, fen).map_err(|reason| self.wrong(place, reason));
            label.played = Some(played?.1);
        }
        Ok(label)
    }

    fn wrong(&self, place: Option<usize>, reason: String) -> Wrong {
        let name = place.map(|place| self.batch.schema_ref().field(place).name().clone());
        Wrong::Cell(name.unwrap_or_default(), reason)
    }

    fn score(&self, row: usize, turn: Colour, best: Option<&Variation<'_>>) -> Result<i32, Wrong> {
        let not = |what: &str, found: Scalar<'_>| {
            format!("expected an integer as the {what}, found `{found}`")
        };
        let columns = self.columns;
        // A column of scores can contain mates such as `#3`.
        let (score, mate) = match cell(self.score.as_ref(), row) {
            Some(Scalar::Text(text)) if let Some(moves) = text.strip_prefix('#') => {
                (None, Some(Scalar::Text(moves)))
            }
            None if let Some(best) = best => best.score(),
            score => (score, cell(self.mate.as_ref(), row)),
        };
        let [of_scores, of_mates] = [columns.score, columns.mate].map(|own| own.or(columns.evals));
        let score = integer(score).map_err(|found| self.wrong(of_scores, not("score", found)))?;
        let mate = integer(mate);
        let mate = mate.map_err(|found| self.wrong(of_mates, not("number of moves", found)))?;
        let of = if columns.scores_of == Side::White { turn } else { Colour::White };
        match (score.filter(|score| Records::is_score(*score)), mate) {
            (Some(i32::MIN), _) => {
                Err(self.wrong(of_scores, not("score", Scalar::Integer(i32::MIN.into()))))
            }
            (Some(score), None) => Ok(if of == Colour::White { score } else { -score }),
            (None, Some(moves)) => Ok(Score::Mate(moves).of(of)),
            (None, None) => Ok(Records::NO_SCORE),
            (Some(score), Some(moves)) => {
                let both = format!("expected a score or a mate, found both: {score} and {moves}");
                Err(self.wrong(of_mates, both))
            }
        }
    }

    fn result(&self, row: usize, turn: Colour) -> Result<i8, Wrong> {
        let LabelColumns { loss_is, results_of, result: place, seen, .. } = self.columns;
        let Some(found) = cell(self.result.as_ref(), row) else { return Ok(Records::NO_RESULT) };
        let (value, has_point) = match found {
            Scalar::Integer(value) => (value as f64, false),
            Scalar::Float(value) if value.is_nan() => return Ok(Records::NO_RESULT),
            Scalar::Float(value) => (value, true),
            Scalar::Bool(_) => (f64::NAN, false),
            Scalar::Text(text) => match parse_result(text) {
                Some(result) => {
                    return Ok(Label { result, ..Label::NONE }.of_white(turn).result);
                }
                None => (text.parse().unwrap_or(f64::NAN), text.contains('.')),
            },
        };
        let (signed, points) = (*loss_is != Some(Loss::Zero), *loss_is != Some(Loss::MinusOne));
        let (result, kind) = match value {
            1.0 => (1, 0),
            0.5 if points => (0, Seen::HALF),
            -1.0 if signed => (-1, Seen::MINUS_ONE),
            0.0 if points && (has_point || !signed) => (-1, Seen::ZERO_POINT),
            0.0 if signed => (0, Seen::ZERO),
            _ => {
                let numbers = match loss_is {
                    None => "1, 0 or -1, or 1.0, 0.5 or 0.0",
                    Some(Loss::MinusOne) => "1, 0 or -1",
                    Some(Loss::Zero) => "1, 0.5 or 0",
                };
                let expected = format!(
                    "expected {numbers}, or 1-0, 1/2-1/2 or 0-1 as the result, found `{found}`"
                );
                return Err(self.wrong(*place, expected));
            }
        };
        let name = || self.batch.schema_ref().field(place.unwrap_or(0)).name().clone();
        if loss_is.is_none() && !seen.add(kind) {
            let doubt = format!(
                "the results in `{}` mix whole numbers and points (-1 or `0` beside 0.5 or `0.0`): is a loss -1 or 0?",
                name()
            );
            return Err(Wrong::Column(Error::Doubt(doubt, "loss_is")));
        }
        match results_of {
            Some(Side::White) if turn == Colour::Black => Ok(-result),
            Some(_) => Ok(result),
            None => {
                let doubt =
                    format!("are the results in `{}` white's or the side to move's?", name());
                Err(Wrong::Column(Error::Doubt(doubt, "results_of")))
            }
        }
    }
}
