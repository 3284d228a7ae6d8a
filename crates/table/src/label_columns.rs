//! The labels of tables, and the other columns that affect their positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};
use setwise::{Colour, Fen};
use setwise_formats::pgn::Score;
use setwise_formats::{Records, legal_move};

use crate::cells::{Operands, Scalar, integer};
use crate::column::{Column, InputColumn};
use crate::data_sets::{DataSet, Evaluations, Variation, after_first, deepest};
use crate::error::Error;
use crate::labels::{Label, Labels, Loss, Side, parse_result};
use crate::schema::{check_type, find};
use crate::text::is_text_or_null;

/// The columns of labels: indices into [`LabelColumns::places`].
const SCORE: usize = 0;
const MATE: usize = 1;
const RESULT: usize = 2;
const MOVE: usize = 3;
/// The column of moves, the first of which leads to the position.
const LEAD: usize = 4;
/// The column of evaluations, which contain scores and moves.
const EVALS: usize = 5;
/// The column of depths. Of several consecutive rows of one position, only the deepest is read.
pub(crate) const DEPTH: usize = 6;

/// The columns of single labels, each with its label, its usual names, and the option that names it.
const COLUMNS: [(InputColumn, &[&str], &str); 4] = [
    (InputColumn::Score, &["score", "cp", "eval"], "score_column"),
    (InputColumn::Score, &["mate"], "mate_column"),
    (InputColumn::Result, &["result", "wdl", "outcome", "winner"], "result_column"),
    (InputColumn::Move, &["move"], "move_column"),
];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelColumns {
    pub(crate) places: [Option<usize>; 7],
    /// The index of the word that is the move, if the column has several words.
    word: Option<usize>,
    scores_of: Side,
    results_of: Option<Side>,
    loss_is: Option<Loss>,
    seen: Seen,
}

/// The kinds of numbers among the results so far, shared by the plans of one source.
#[derive(Clone, Debug, Default)]
struct Seen(Arc<AtomicU8>);

/// Only plans of one source are alike.
impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Seen {
    const MINUS_ONE: u8 = 1;
    /// A zero without a decimal point.
    const ZERO: u8 = 2;
    const HALF: u8 = 4;
    /// A zero with a decimal point.
    const ZERO_POINT: u8 = 8;
    /// The numbers that imply that -1 is a loss, and those that imply that 0 is one.
    const SIGNED: u8 = Self::MINUS_ONE | Self::ZERO;
    const POINTS: u8 = Self::HALF | Self::ZERO_POINT;

    /// Adds a kind. Returns false if both -1 and 0 would be losses.
    fn add(&self, kind: u8) -> bool {
        let old = self.0.load(Ordering::Relaxed);
        if old | kind != old {
            self.0.fetch_or(kind, Ordering::Relaxed);
        }
        (old | kind) & Self::SIGNED == 0 || (old | kind) & Self::POINTS == 0
    }

    /// Returns whether zeros are ambiguous: draws or losses.
    fn is_doubtful(&self) -> bool {
        let seen = self.0.load(Ordering::Relaxed);
        seen & Self::SIGNED == Self::ZERO || seen & Self::POINTS == Self::ZERO_POINT
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

fn is_number_or_text(of: &DataType) -> bool {
    of.is_integer() || matches!(of, DataType::Float32 | DataType::Float64) || is_text_or_null(of)
}

impl LabelColumns {
    pub(crate) fn new(
        schema: &Schema,
        labels: &Labels,
        wanted: &[InputColumn],
        data_set: Option<DataSet>,
    ) -> Result<Self, Error> {
        let is_named =
            |place: usize, name: &str| schema.field(place).name().eq_ignore_ascii_case(name);
        let mut places = [None; 7];
        let moves = data_set.and_then(|data_set| data_set.moves);
        let lead = moves.filter(|(_, word)| *word == 1).map(|(name, _)| name);
        for (at, name) in [(LEAD, lead), (DEPTH, data_set.and_then(|data_set| data_set.depth))] {
            places[at] = name.map(|name| find(schema, name)).transpose()?;
        }
        let in_evals = [InputColumn::Score, InputColumn::Move];
        if let Some(name) = data_set.and_then(|data_set| data_set.evaluations)
            && in_evals.iter().any(|label| wanted.contains(label))
        {
            let place = find(schema, name)?;
            let expected = "lists of evaluations, or their JSON";
            check_type(schema.field(place), Evaluations::fits, expected)?;
            places[EVALS] = Some(place);
        }
        let words = moves.filter(|_| labels.played.is_none());
        let named = [&labels.score, &labels.mate, &labels.result, &labels.played];
        for (at, (label, usual, option)) in COLUMNS.into_iter().enumerate() {
            let of_words = words.map(|(name, _)| [name]);
            let usual = match at {
                SCORE | MATE | MOVE if places[EVALS].is_some() => &[],
                // A column `score` contains mates, too.
                MATE if places[SCORE].is_some_and(|place| is_named(place, "score")) => &[],
                MOVE => of_words.as_ref().map_or(usual, |name| name),
                _ => usual,
            };
            places[at] = match named[at] {
                _ if !wanted.contains(&label) => None,
                None => find_usual(schema, label, usual, option)?,
                Some(name) => {
                    let found = find(schema, name);
                    Some(found.map_err(|error| Error::Doubt(error.to_string(), option))?)
                }
            };
            match places[at].map(|place| schema.field(place)) {
                Some(field) if at == MOVE => check_type(field, is_text_or_null, "text")?,
                Some(field) => check_type(field, is_number_or_text, "numbers or text")?,
                None => {}
            }
        }
        let scores_of = match (labels.scores_of, places[SCORE]) {
            (Some(side), _) => side,
            (None, Some(place)) if is_named(place, "score") => Side::Mover,
            (None, Some(place)) if !is_named(place, "cp") && !is_named(place, "eval") => {
                let name = schema.field(place).name();
                let doubt = format!("are the scores in `{name}` white's or the side to move's?");
                return Err(Error::Doubt(doubt, "scores_of"));
            }
            _ => Side::White,
        };
        let of_mover = places[RESULT].is_some_and(|place| is_named(place, "result"));
        Ok(Self {
            places,
            word: words.map(|(_, word)| word),
            scores_of,
            results_of: labels.results_of.or(of_mover.then_some(Side::Mover)),
            loss_is: labels.loss_is,
            seen: Seen::default(),
        })
    }

    pub(crate) fn found(&self) -> Vec<InputColumn> {
        let has = |columns: &[usize]| columns.iter().any(|at| self.places[*at].is_some());
        let mut found = Vec::new();
        found.extend(has(&[SCORE, MATE, EVALS]).then_some(InputColumn::Score));
        found.extend(has(&[RESULT]).then_some(InputColumn::Result));
        if has(&[MOVE, EVALS]) {
            found.push(InputColumn::Move);
            found.extend(InputColumn::OF_MOVES);
        }
        found
    }

    pub(crate) fn keep(&mut self, scores: bool, results: bool, moves: bool) {
        let keeps = [scores, scores, results, moves, true, scores || moves, true];
        let places = self.places.iter_mut().zip(keeps);
        places.filter(|(_, keeps)| !keeps).for_each(|(place, _)| *place = None);
    }

    /// Describes the inferred columns and points of view in one line.
    pub(crate) fn decided(&self, schema: &Schema, with_moves: bool) -> Option<String> {
        let names = |columns: &[usize]| self.names(columns, schema);
        let of = |side| match side {
            Side::Mover => "for the side to move",
            Side::White => "for white",
        };
        let mut notes = Vec::new();
        if self.places[EVALS].is_some() {
            let variation = "the first variation of the deepest of `evals`, scores for white";
            notes.push(format!("scores and moves: {variation}"));
        }
        let scores = names(&[SCORE, MATE]);
        if !scores.is_empty() {
            notes.push(format!("scores: {scores}, {}", of(self.scores_of)));
        }
        if let Some(place) = self.places[RESULT] {
            // Text such as 1-0 is for white.
            let is_text = is_text_or_null(schema.field(place).data_type());
            let numbers = if is_text { ", words for white, numbers" } else { "," };
            let side = self.results_of.map(|side| format!("{numbers} {}", of(side)));
            notes.push(format!("results: {}{}", names(&[RESULT]), side.unwrap_or_default()));
        }
        if with_moves && self.places[MOVE].is_some() {
            let word = self.word.map_or("", |at| ["the first of ", "the second of "][at]);
            notes.push(format!("moves: {word}{}", names(&[MOVE])));
        }
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// Fails if results are numbers and a zero could be a draw or a loss.
    pub(crate) fn check(&self, schema: &Schema) -> Result<(), Error> {
        match self.places[RESULT] {
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
        let columns: &[usize] = match label {
            InputColumn::Result => &[RESULT],
            _ if self.places[SCORE].is_some() => &[SCORE, MATE],
            _ => &[EVALS, MATE],
        };
        format!("column {}", self.names(columns, schema))
    }

    /// The names of some of the columns, for use in a sentence.
    fn names(&self, columns: &[usize], schema: &Schema) -> String {
        let places = columns.iter().filter_map(|at| self.places[*at]);
        let names = places.map(|place| format!("`{}`", schema.field(place).name()));
        names.collect::<Vec<_>>().join(" and ")
    }

    /// Reads the columns. `first` is the number of the first row in messages.
    pub(crate) fn read<'a>(
        &'a self,
        batch: &'a RecordBatch,
        fens: &ArrayRef,
        first: u64,
    ) -> Result<LabelRows<'a>, Error> {
        let column = |at: usize| self.places[at].map(|place| batch.column(place));
        let cells = [SCORE, MATE, RESULT, MOVE, LEAD].map(|at| {
            let array = column(at).filter(|array| *array.data_type() != DataType::Null);
            array.map(Operands::of_array)
        });
        let evals = column(EVALS).map(Evaluations::of);
        let deepest = column(DEPTH).map(|depths| deepest(fens, depths, first)).transpose()?;
        Ok(LabelRows { columns: self, batch, cells, evals, deepest })
    }
}

pub(crate) struct LabelRows<'a> {
    columns: &'a LabelColumns,
    batch: &'a RecordBatch,
    /// The cells of the columns before evaluations.
    cells: [Option<Operands<'a>>; EVALS],
    evals: Option<Evaluations<'a>>,
    /// True for each row to read; `None` if all rows are read.
    deepest: Option<Vec<bool>>,
}

/// The reason why a label cannot be read.
pub(crate) enum Wrong {
    /// A wrong cell, in the column of this name.
    Cell(String, String),
    /// A wrong column.
    Column(Error),
}

impl LabelRows<'_> {
    pub(crate) fn is_read(&self, row: usize) -> bool {
        self.deepest.as_ref().is_none_or(|deepest| deepest[row])
    }

    /// Returns whether moves lead to the positions.
    pub(crate) fn has_lead(&self) -> bool {
        self.columns.places[LEAD].is_some()
    }

    /// Returns the position and the labels of a row, given the position of its text.
    pub(crate) fn row(&self, row: usize, mut fen: Fen) -> Result<(Fen, Label), Wrong> {
        if self.has_lead() {
            let after = after_first(self.cell(LEAD, row), &fen);
            fen = after.map_err(|reason| self.wrong(LEAD, reason))?;
        }
        Ok((fen, self.label(row, &fen)?))
    }

    fn label(&self, row: usize, fen: &Fen) -> Result<Label, Wrong> {
        let best = self.evals.as_ref().map(|evals| evals.best(row)).transpose();
        let best = best.map_err(|reason| self.wrong(EVALS, reason))?;
        let score = self.score(row, fen.turn, best.as_ref())?;
        let mut label = Label { score, result: self.result(row, fen.turn)?, played: None };
        let (text, at, word) = match (self.cell(MOVE, row), &best) {
            (None, Some(best)) => (best.line.as_deref(), EVALS, Some(0)),
            (Some(Scalar::Text(text)), _) => (Some(text), MOVE, self.columns.word),
            _ => (None, MOVE, None),
        };
        let text = match word {
            Some(word) => text.and_then(|text| text.split_ascii_whitespace().nth(word)),
            None => text,
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let played = legal_move(text, fen).map_err(|reason| self.wrong(at, reason));
            label.played = Some(played?.1);
        }
        Ok(label)
    }

    fn cell(&self, column: usize, row: usize) -> Option<Scalar<'_>> {
        self.cells[column].as_ref()?.cell(row)
    }

    fn wrong(&self, column: usize, reason: String) -> Wrong {
        let place = self.columns.places[column].or(self.columns.places[EVALS]);
        let name = place.map(|place| self.batch.schema_ref().field(place).name().clone());
        Wrong::Cell(name.unwrap_or_default(), reason)
    }

    fn score(&self, row: usize, turn: Colour, best: Option<&Variation<'_>>) -> Result<i32, Wrong> {
        let wrong = |column: usize, what: &str, found: Scalar<'_>| {
            self.wrong(column, format!("expected an integer as the {what}, found `{found}`"))
        };
        // A column of scores can contain mates such as `#3`.
        let [score, mate] = match self.cell(SCORE, row) {
            Some(Scalar::Text(text)) if let Some(moves) = text.strip_prefix('#') => {
                [None, Some(Scalar::Text(moves))]
            }
            None if let Some(best) = best => {
                [best.cp, best.mate].map(|number| Some(Scalar::Integer(number?.into())))
            }
            score => [score, self.cell(MATE, row)],
        };
        let score = integer(score).map_err(|found| wrong(SCORE, "score", found))?;
        let mate = integer(mate).map_err(|found| wrong(MATE, "number of moves", found))?;
        let of = if self.columns.scores_of == Side::White { turn } else { Colour::White };
        match (score.filter(|score| Records::is_score(*score)), mate) {
            (Some(i32::MIN), _) => Err(wrong(SCORE, "score", Scalar::Integer(i32::MIN.into()))),
            (Some(score), None) => Ok(if of == Colour::White { score } else { -score }),
            (None, Some(moves)) => Ok(Score::Mate(moves).of(of)),
            (None, None) => Ok(Records::NO_SCORE),
            (Some(score), Some(moves)) => {
                let both = format!("expected a score or a mate, found both: {score} and {moves}");
                Err(self.wrong(MATE, both))
            }
        }
    }

    fn result(&self, row: usize, turn: Colour) -> Result<i8, Wrong> {
        let LabelColumns { loss_is, results_of, places, seen, .. } = self.columns;
        let Some(found) = self.cell(RESULT, row) else { return Ok(Records::NO_RESULT) };
        let (value, has_point) = match found {
            Scalar::Integer(value) => (value as f64, false),
            Scalar::Float(value) if value.is_nan() => return Ok(Records::NO_RESULT),
            Scalar::Float(value) => (value, true),
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
                return Err(self.wrong(RESULT, expected));
            }
        };
        let name = || self.batch.schema_ref().field(places[RESULT].unwrap_or(0)).name().clone();
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
