//! The labels of tables, and the other columns that affect their positions.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};
use setwise::{Colour, Fen};
use setwise_formats::pgn::Score;
use setwise_formats::{Records, legal_move};

use crate::cells::{Operands, Scalar, integer, is_nan, is_number};
use crate::column::{Column, InputColumn};
use crate::data_sets::{
    DEPTH, DataSet, EVALS, LEAD, MATE, MOVE, RESULT, SCORE, Variation, after_first, best_variation,
    deepest, is_evaluations,
};
use crate::error::Error;
use crate::labels::{Label, Labels, Loss, Side, parse_result};
use crate::schema::{called, check_type, find};
use crate::text::is_text_or_null;

/// The types of a column, and their description for messages.
type Types = (fn(&DataType) -> bool, &'static str);

const NUMBERS: Types = (is_number_or_text, "numbers or text");
const TEXT: Types = (is_text_or_null, "text");
const EVALUATIONS: Types = (is_evaluations, "lists of evaluations, or their JSON");

/// The columns of [`LabelColumns::places`]: their labels, their usual names, the option that names them, and their
/// types.
const COLUMNS: [(&[InputColumn], &[&str], &str, Types); 7] = [
    (&[InputColumn::Score, InputColumn::Move], &[], "", EVALUATIONS),
    (&[InputColumn::Score], &["score", "cp", "eval"], "score_column", NUMBERS),
    (&[InputColumn::Score], &["mate"], "mate_column", NUMBERS),
    (&[InputColumn::Result], &["result", "wdl", "outcome", "winner"], "result_column", NUMBERS),
    (&[InputColumn::Move], &["move"], "move_column", TEXT),
    (&[], &[], "", TEXT),
    (&[], &[], "", NUMBERS),
];

/// The kinds of numbers among results, as bits. -1 and a zero without a decimal point imply that -1 is a loss; 0.5 and a
/// zero with a decimal point imply that 0 is one.
const ONE: u8 = 1;
const MINUS_ONE: u8 = 2;
const ZERO: u8 = 4;
const HALF: u8 = 8;
const ZERO_POINT: u8 = 16;
/// A result that is no number.
const WORD: u8 = 32;
/// A zero in a column of floats: a loss, or a draw if the column is [`SIGNED`].
const ZERO_FLOAT: u8 = 64;
/// Set by a look at the rows before they are read: there is a -1.
const SIGNED: u8 = 128;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabelColumns {
    pub(crate) places: [Option<usize>; 7],
    /// The index of the word that is the move, if the column has several words.
    word: Option<usize>,
    scores_of: Side,
    results_of: Option<Side>,
    loss_is: Option<Loss>,
    /// True if other values than results are ignored, because nobody named the column of a table of games.
    pub(crate) ignores_others: bool,
    seen: Seen,
}

/// The kinds of numbers among the results so far, and a value that is no result, shared by the plans of one source.
#[derive(Clone, Debug, Default)]
struct Seen {
    kinds: Arc<AtomicU8>,
    other: Arc<OnceLock<String>>,
}

/// Only plans of one source are alike.
impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.kinds, &other.kinds)
    }
}

/// Returns whether these labels include a column, or the move from which the column is computed.
pub(crate) fn includes(labels: &[InputColumn], column: InputColumn) -> bool {
    let is_of_move = InputColumn::OF_MOVES.contains(&column);
    labels.contains(if is_of_move { &InputColumn::Move } else { &column })
}

/// Returns the column with one of the usual names of a label, if there is one.
fn find_usual(
    schema: &Schema,
    labels: &[InputColumn],
    names: &[&str],
    option: &'static str,
) -> Result<Option<usize>, Error> {
    let found = called(schema, names);
    let [one, other, ..] = found[..] else { return Ok(found.first().copied()) };
    let [one, other] = [one, other].map(|place| schema.field(place).name());
    let label = Column::Input(labels[0]);
    let doubt = format!("`{one}` or `{other}`: which one is the {label}?");
    Err(Error::Doubt(doubt, option))
}

fn is_number_or_text(of: &DataType) -> bool {
    is_number(of) || is_text_or_null(of)
}

impl LabelColumns {
    pub(crate) fn new(
        schema: &Schema,
        labels: &Labels,
        wanted: &[InputColumn],
        data_set: Option<DataSet>,
    ) -> Result<Self, Error> {
        let Labels { score, mate, result, played, scores_of, results_of, loss_is } = labels;
        let named = [&None, score, mate, result, played, &None, &None];
        let mut places = [None; 7];
        let is_named = |place: Option<usize>, names: &[&str]| {
            place.is_some_and(|place| called(schema, names).contains(&place))
        };
        for (at, (labels, usual, option, (fits, expected))) in COLUMNS.into_iter().enumerate() {
            if !labels.is_empty() && !labels.iter().any(|label| wanted.contains(label)) {
                continue;
            }
            let of_data_set = data_set.and_then(|data_set| data_set.column(at));
            places[at] = match (named[at], of_data_set) {
                (Some(name), _) => {
                    let found = find(schema, name);
                    Some(found.map_err(|error| Error::Doubt(error.to_string(), option))?)
                }
                (None, Some(name)) => Some(find(schema, name)?),
                // Evaluations contain scores and moves, and a column `score` contains mates, too.
                _ if places[EVALS].is_some() && at != RESULT => None,
                _ if at == MATE && is_named(places[SCORE], &["score"]) => None,
                _ => find_usual(schema, labels, usual, option)?,
            };
            if let Some(place) = places[at] {
                check_type(schema.field(place), fits, expected)?;
            }
        }
        let scores_of = match (*scores_of, places[SCORE]) {
            (Some(side), _) => side,
            (None, place) if is_named(place, &["score"]) => Side::Mover,
            (None, Some(place)) if !is_named(Some(place), &["cp", "eval"]) => {
                let name = schema.field(place).name();
                let doubt = format!("are the scores in `{name}` white's or the side to move's?");
                return Err(Error::Doubt(doubt, "scores_of"));
            }
            _ => Side::White,
        };
        let of_mover = is_named(places[RESULT], &["result"]);
        Ok(Self {
            places,
            word: data_set.and_then(|data_set| data_set.word).filter(|_| played.is_none()),
            scores_of,
            results_of: results_of.or(of_mover.then_some(Side::Mover)),
            loss_is: *loss_is,
            ignores_others: false,
            seen: Seen::default(),
        })
    }

    /// The labels of a table of games: the result for white. Scores and moves are in the movetext.
    pub(crate) fn of_games(schema: &Schema, labels: &Labels) -> Result<Self, Error> {
        let Labels { score, mate, result, played, scores_of, results_of, loss_is } = labels;
        let of_scores = "games have their scores in the movetext (`[%eval]`)";
        let of_mover = Some(Side::Mover);
        let refused = [
            (score.is_some(), of_scores, "score_column"),
            (mate.is_some(), of_scores, "mate_column"),
            (played.is_some(), "games have their moves in the movetext", "move_column"),
            (*scores_of == of_mover, "the scores of games are for white", "scores_of"),
            (*results_of == of_mover, "the results of games are for white", "results_of"),
        ];
        if let Some((_, reason, option)) = refused.into_iter().find(|(given, ..)| *given) {
            return Err(Error::Doubt(format!("{reason}: leave out this option"), option));
        }
        let (own, option) = (&[InputColumn::Result], "result_column");
        let usual = || -> Result<_, Error> {
            let field = find_usual(schema, own, &["result"], option)?.map(|at| schema.field(at));
            let field = field.filter(|field| is_number_or_text(field.data_type()));
            Ok(field.map(|field| field.name().clone()))
        };
        let ignores_others = result.is_none();
        let result = result.clone().map_or_else(usual, |name| Ok(Some(name)))?;
        let wanted: &[InputColumn] = if result.is_some() { own } else { &[] };
        let results_of = Some(Side::White);
        let labels = Labels { result, results_of, loss_is: *loss_is, ..Labels::default() };
        Ok(Self { ignores_others, ..Self::new(schema, &labels, wanted, None)? })
    }

    /// Returns whether the table has a label, or the move from which a column is computed.
    pub(crate) fn has(&self, label: InputColumn) -> bool {
        let mut columns = self.places.iter().zip(COLUMNS);
        columns.any(|(place, (labels, ..))| place.is_some() && includes(labels, label))
    }

    /// Forgets the columns of other labels than these.
    pub(crate) fn keep(&mut self, needed: &[InputColumn]) {
        for (place, (labels, ..)) in self.places.iter_mut().zip(COLUMNS) {
            if !labels.is_empty() && !needed.iter().any(|label| includes(labels, *label)) {
                *place = None;
            }
        }
    }

    /// Describes the inferred columns and points of view.
    pub(crate) fn decided(&self, schema: &Schema, with_moves: bool) -> Vec<String> {
        let names = |columns: &[usize]| self.names(columns, schema);
        let of = |side| match side {
            Side::Mover => "for the side to move",
            Side::White => "for white",
        };
        let evals = self.places[EVALS].map(|_| {
            let variation = "the first variation of the deepest of `evals`, scores for white";
            format!("scores and moves: {variation}")
        });
        let scores = Some(names(&[SCORE, MATE])).filter(|names| !names.is_empty());
        let scores = scores.map(|names| format!("scores: {names}, {}", of(self.scores_of)));
        let results = self.places[RESULT].map(|place| {
            // Text such as 1-0 is for white.
            let is_text = is_text_or_null(schema.field(place).data_type());
            let numbers = if is_text { ", words for white, numbers" } else { "," };
            let side = self.results_of.map(|side| format!("{numbers} {}", of(side)));
            format!("results: {}{}", names(&[RESULT]), side.unwrap_or_default())
        });
        let moves = self.places[MOVE].filter(|_| with_moves).map(|_| {
            let word = self.word.map_or("", |at| ["the first of ", "the second of "][at]);
            format!("moves: {word}{}", names(&[MOVE]))
        });
        [evals, scores, results, moves].into_iter().flatten().collect()
    }

    /// Fails if the numbers among the results so far have several meanings, or, at the end, if a zero could be a draw or
    /// a loss.
    pub(crate) fn check(&self, schema: &Schema, at_end: bool) -> Result<(), Error> {
        let Some(place) = self.places[RESULT] else { return Ok(()) };
        let (results, seen) = (schema.field(place).name(), self.seen.kinds.load(Ordering::Relaxed));
        let floats = if seen & SIGNED == 0 { ZERO_FLOAT } else { 0 };
        let (signed, points) = (seen & (MINUS_ONE | ZERO), seen & (HALF | ZERO_POINT | floats));
        let doubt = match (self.results_of, self.loss_is) {
            (None, _) if seen & !WORD != 0 => {
                let doubt =
                    format!("are the results in `{results}` white's or the side to move's?");
                return Err(Error::Doubt(doubt, "results_of"));
            }
            (_, None) if signed != 0 && points != 0 => {
                "mix whole numbers and points (-1 or `0` beside 0.5 or `0.0`)"
            }
            (_, None) if at_end && (signed == ZERO || points != 0 && points & HALF == 0) => {
                "are 1 and 0, without -1 or 0.5"
            }
            _ => return Ok(()),
        };
        let other = self.seen.other.get().map(|other| format!(" (`{other}` is no result)"));
        let other = other.unwrap_or_default();
        let doubt = format!("the results in `{results}` {doubt}{other}: is a loss -1 or 0?");
        Err(Error::Doubt(doubt, "loss_is"))
    }

    fn see(&self, kind: u8) {
        if self.seen.kinds.load(Ordering::Relaxed) & kind == 0 {
            self.seen.kinds.fetch_or(kind, Ordering::Relaxed);
        }
    }

    /// Returns whether the rows so far tell which numbers are losses.
    pub(crate) fn knows_losses(&self) -> bool {
        let seen = self.seen.kinds.load(Ordering::Relaxed);
        let is_asked = self.places[RESULT].is_some() && self.loss_is.is_none();
        !is_asked || seen & (MINUS_ONE | HALF | WORD) != 0
    }

    /// Lets the rows so far decide about the zeros of a column of floats in all rows that are read from now on.
    pub(crate) fn decide_zeros(&self) {
        if self.seen.kinds.load(Ordering::Relaxed) & (MINUS_ONE | HALF) == MINUS_ONE {
            self.see(SIGNED);
        }
    }

    /// The columns of a missing label, for messages.
    pub(crate) fn missing(&self, label: InputColumn, schema: &Schema) -> String {
        let is_own = |at: &usize| includes(COLUMNS[*at].0, label);
        let columns: Vec<usize> = (0..COLUMNS.len()).filter(is_own).collect();
        format!("column {}", self.names(&columns, schema))
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
        let cells = self.places.map(|place| Some(Operands::of_array(batch.column(place?))));
        let deepest = cells[DEPTH].as_ref().map(|depths| deepest(fens, depths, first));
        Ok(LabelRows { columns: self, batch, deepest: deepest.transpose()?, cells })
    }
}

pub(crate) struct LabelRows<'a> {
    columns: &'a LabelColumns,
    batch: &'a RecordBatch,
    cells: [Option<Operands<'a>>; 7],
    /// True for each row to read; `None` if all rows are read.
    deepest: Option<Vec<bool>>,
}

/// The column of a wrong cell, and the reason.
pub(crate) type Wrong = (String, String);

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
        let best = match self.columns.places[EVALS] {
            Some(place) => best_variation(self.cell(EVALS, row), self.batch.column(place), row),
            None => Ok(Variation::default()),
        };
        let best = best.map_err(|reason| self.wrong(EVALS, reason))?;
        let score = self.score(row, fen.turn, &best)?;
        let mut label = Label { score, result: self.result(row, fen.turn)?, played: None };
        let (text, at, word) = match self.cell(MOVE, row) {
            Some(Scalar::Text(text)) => (Some(text), MOVE, self.columns.word),
            _ => (best.line.as_deref(), EVALS, Some(0)),
        };
        let text = match word {
            Some(word) => text.and_then(|text| text.split_ascii_whitespace().nth(word)),
            None => text,
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            let played = legal_move(text, &fen).map_err(|reason| self.wrong(at, reason));
            label.played = Some(played?.1);
        }
        Ok((fen, label))
    }

    fn cell(&self, column: usize, row: usize) -> Option<Scalar<'_>> {
        self.cells[column].as_ref()?.cell(row)
    }

    fn wrong(&self, column: usize, reason: String) -> Wrong {
        let place = self.columns.places[column].or(self.columns.places[EVALS]);
        let name = place.map(|place| self.batch.schema_ref().field(place).name().clone());
        (name.unwrap_or_default(), reason)
    }

    fn score(&self, row: usize, turn: Colour, best: &Variation<'_>) -> Result<i32, Wrong> {
        let wrong = |column: usize, what: &str, found: Scalar<'_>| {
            self.wrong(column, format!("expected an integer as the {what}, found `{found}`"))
        };
        // A column of scores can contain mates such as `#3`.
        let [score, mate] = match [SCORE, MATE].map(|column| self.cell(column, row)) {
            [Some(Scalar::Text(text)), _] if let Some(moves) = text.strip_prefix('#') => {
                [None, Some(Scalar::Text(moves))]
            }
            [None, None] => {
                [best.cp, best.mate].map(|number| Some(Scalar::Integer(number?.into())))
            }
            cells => cells,
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

    /// Returns the result of a row for the side to move.
    pub(crate) fn result(&self, row: usize, turn: Colour) -> Result<i8, Wrong> {
        let LabelColumns { loss_is, results_of, .. } = self.columns;
        let Some(found) = self.cell(RESULT, row) else { return Ok(Records::NO_RESULT) };
        let is_signed = self.columns.seen.kinds.load(Ordering::Relaxed) & SIGNED != 0;
        let (value, zero) = match found {
            Scalar::Integer(value) => (value as f64, ZERO),
            Scalar::Float(value) if value.is_nan() => return Ok(Records::NO_RESULT),
            Scalar::Text(text) if is_nan(text) => return Ok(Records::NO_RESULT),
            Scalar::Float(value) => (value, if is_signed { ZERO } else { ZERO_FLOAT }),
            Scalar::Text(text) if let Some(result) = parse_result(text.trim()) => {
                if result != Records::NO_RESULT {
                    self.columns.see(WORD);
                }
                return Ok(Label { result, ..Label::NONE }.of_white(turn).result);
            }
            Scalar::Text(text) => {
                let zero = if text.contains('.') { ZERO_POINT } else { ZERO };
                (text.trim().parse().unwrap_or(f64::NAN), zero)
            }
        };
        let (signed, points) = (*loss_is != Some(Loss::Zero), *loss_is != Some(Loss::MinusOne));
        let (result, kind) = match value {
            1.0 => (1, ONE),
            0.5 if points => (0, HALF),
            -1.0 if signed => (-1, MINUS_ONE),
            0.0 if points && (zero != ZERO || !signed) => (-1, zero),
            0.0 if signed => (0, ZERO),
            _ => {
                let numbers = match loss_is {
                    None => "1, 0 or -1, or 1.0, 0.5 or 0.0",
                    Some(Loss::MinusOne) => "1, 0 or -1",
                    Some(Loss::Zero) => "1, 0.5 or 0",
                };
                self.columns.seen.other.get_or_init(|| found.to_string());
                let expected = format!(
                    "expected {numbers}, or 1-0, 1/2-1/2 or 0-1, or white, draw or black as the result, \
                     found `{found}`"
                );
                return Err(self.wrong(RESULT, expected));
            }
        };
        self.columns.see(kind);
        let is_other = *results_of == Some(Side::White) && turn == Colour::Black;
        Ok(if is_other { -result } else { result })
    }
}
