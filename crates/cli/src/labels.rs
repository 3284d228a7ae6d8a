//! Rows of tables as records: the position, and its score, result and move from other columns.

use anyhow::{Context, Result, anyhow, bail, ensure};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_schema::Schema;
use setwise::{Colour, Fen, position};
use setwise_formats::{Field, Fields, Move, MoveKind, Records};

use crate::args::{ConvertArguments, Loss, Side};
use crate::cells::Cells;

/// A position with its score, result and move.
type Row = (Fen, Option<i32>, Option<i8>, Option<Move>);

/// Where the columns of a table are.
pub(crate) struct Labels {
    fen: usize,
    line: usize,
    score: Option<usize>,
    result: Option<usize>,
    played: Option<usize>,
    scores_of: Side,
    results_of: Side,
    loss_is: Option<Loss>,
    seen: Seen,
    /// The columns that are in none of these places.
    pub(crate) others: Vec<String>,
    /// Rows without score, and without result.
    pub(crate) unknown: [u64; 2],
}

/// The results that say whether a zero is a draw or a loss.
#[derive(Default)]
struct Seen {
    zeros: u64,
    has_minus_one: bool,
    has_point: bool,
}

impl Labels {
    /// Finds the columns among those of batches: what is named has to be there. `position` is the column of positions.
    pub(crate) fn new(
        arguments: &ConvertArguments,
        schema: &Schema,
        position: &str,
    ) -> Result<Self> {
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let find = |option: &str, name: &Option<String>, usual: &str| {
            let wanted = name.as_deref().unwrap_or(usual);
            match names.iter().position(|own| *own == wanted) {
                None if name.is_some() => {
                    let there: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                    Err(anyhow!(
                        "no column is called `{wanted}` ({option}); there are {}",
                        there.join(", ")
                    ))
                }
                place => Ok(place),
            }
        };
        let computed = |name| names.iter().rposition(|own| *own == name);
        let fen = computed("fen").context("a column of positions")?;
        let line = computed("line").context("a column of rows")?;
        let score = find("--score-column", &arguments.score_column, "score")?;
        let result = find("--result-column", &arguments.result_column, "result")?;
        let played = find("--move-column", &arguments.move_column, "move")?;
        let is_used = |at: usize| {
            [fen, line].contains(&at)
                || names[at] == position
                || [score, result, played].contains(&Some(at))
        };
        let others = (0..names.len()).filter(|&at| !is_used(at)).map(|at| names[at].to_owned());
        Ok(Self {
            others: others.collect(),
            fen,
            line,
            score,
            result,
            played,
            scores_of: arguments.scores_of,
            results_of: arguments.results_of,
            loss_is: arguments.loss_is,
            seen: Seen::default(),
            unknown: [0; 2],
        })
    }

    /// What the rows say.
    pub(crate) fn fields(&self) -> Fields {
        let mut fields = Fields::FEN;
        for (place, field) in
            [(self.score, Field::Score), (self.result, Field::Result), (self.played, Field::Move)]
        {
            if place.is_some() {
                fields = fields.union(Fields::of(&[field]));
            }
        }
        fields
    }

    /// How many zeros were taken as draws without anything that shows it.
    pub(crate) fn doubtful_zeros(&self) -> u64 {
        let is_known = self.loss_is.is_some() || self.seen.has_minus_one;
        if is_known { 0 } else { self.seen.zeros }
    }

    /// The rows of a batch; of those that are wrong, what is.
    pub(crate) fn records(
        &mut self,
        batch: &RecordBatch,
        mut wrong: impl FnMut(anyhow::Error) -> Result<()>,
    ) -> Result<Records> {
        let column =
            |place: Option<usize>| place.map(|place| Cells::of(batch.column(place))).transpose();
        let (score, result, played) =
            (column(self.score)?, column(self.result)?, column(self.played)?);
        let cell = |column: &Option<Cells<'_>>, row: usize| -> Result<Option<String>> {
            let mut text = String::new();
            column.as_ref().map_or(Ok(()), |column| column.write(row, &mut text))?;
            Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
        };
        let fens = batch.column(self.fen).as_string::<i32>();
        let lines = batch.column(self.line).as_primitive::<UInt64Type>();
        let mut records = Records::new();
        for row in 0..batch.num_rows() {
            let fen = fens.value(row);
            let of_game = cell(&result, row)?;
            if let Some(result) = &of_game {
                self.seen
                    .add(result, self.loss_is)
                    .with_context(|| row_of(lines.value(row), fen))?;
            }
            let of_row = || -> Result<Row> {
                let position = Fen::parse(fen).map_err(|error| anyhow!("{error}"))?;
                let of_side = |side| side == Side::White && position.turn == Colour::Black;
                let score = cell(&score, row)?.map(|text| number(&text)).transpose()?;
                let score = score.map(|score| if of_side(self.scores_of) { -score } else { score });
                let result = of_game.as_ref().map(|text| {
                    outcome(text, position.turn, of_side(self.results_of), self.loss_is)
                });
                let played = cell(&played, row)?.map(|text| uci(&text, &position)).transpose()?;
                Ok((position, score, result.transpose()?, played))
            };
            match of_row() {
                Ok((position, score, result, played)) => {
                    records.push_fen(&position);
                    self.unknown[0] += u64::from(self.score.is_some() && score.is_none());
                    self.unknown[1] += u64::from(self.result.is_some() && result.is_none());
                    if self.score.is_some() {
                        records.score.push(score.unwrap_or(0));
                    }
                    if self.result.is_some() {
                        records.result.push(result.unwrap_or(0));
                    }
                    if self.played.is_some() {
                        records.moves.push(played);
                    }
                }
                Err(error) => wrong(error.context(row_of(lines.value(row), fen)))?,
            }
        }
        Ok(records)
    }
}

impl Seen {
    /// Looks at one more result.
    ///
    /// # Errors
    /// If zeros can be either.
    fn add(&mut self, result: &str, loss_is: Option<Loss>) -> Result<()> {
        match result {
            "0" => self.zeros += 1,
            "-1" => self.has_minus_one = true,
            "0.0" | "0.5" | "1.0" => self.has_point = true,
            _ => {}
        }
        ensure!(
            loss_is.is_some() || self.zeros == 0 || !self.has_point,
            "the results have both `0` and numbers with a point: is a loss -1 or 0 (--loss-is)?"
        );
        Ok(())
    }
}

/// The place of a row, for messages.
fn row_of(line: u64, fen: &str) -> String {
    format!("row {line}, {fen:?}")
}

/// A score: an integer, also with zeros behind the point.
fn number(text: &str) -> Result<i32> {
    let whole = text.split_once('.').filter(|(_, rest)| rest.bytes().all(|byte| byte == b'0'));
    let digits = whole.map_or(text, |(whole, _)| whole);
    let score = digits.parse().ok().filter(|score| *score != i32::MIN);
    score.with_context(|| format!("expected an integer as the score, found `{text}`"))
}

/// A result of the side to move: 1, 0, -1. Unless it is said what a loss is, numbers without a point are meant like this, and
/// those with one are 1.0, 0.5 and 0.0.
fn outcome(text: &str, turn: Colour, turned: bool, loss_is: Option<Loss>) -> Result<i8> {
    let (signed, points) = (loss_is != Some(Loss::Zero), loss_is != Some(Loss::MinusOne));
    let result = match text {
        "1-0" => return Ok(if turn == Colour::White { 1 } else { -1 }),
        "0-1" => return Ok(if turn == Colour::White { -1 } else { 1 }),
        "1/2-1/2" | "1/2" | "½-½" => 0,
        "1" | "1.0" => 1,
        "0.5" if points => 0,
        "0.0" if points => -1,
        "0" if signed => 0,
        "-1" if signed => -1,
        "0.0" => 0,
        "0" => -1,
        "-1.0" if !points => -1,
        _ => {
            let numbers = match loss_is {
                None => "1, 0 or -1, or 1.0, 0.5 or 0.0",
                Some(Loss::MinusOne) => "1, 0 or -1",
                Some(Loss::Zero) => "1, 0.5 or 0",
            };
            bail!("expected {numbers}, or 1-0, 1/2-1/2 or 0-1 as the result, found `{text}`")
        }
    };
    Ok(if turned { -result } else { result })
}

/// A legal move in UCI notation, castling as the king's move or to its rook.
fn uci(text: &str, position: &Fen) -> Result<Move> {
    let legal = position::legal(&position.pieces, position.into());
    let legal = legal
        .context("the side not to move is in check, or a side has not one king: it has no moves")?;
    for played in legal.moves() {
        let (from, mut to, kind) = (played.from(), played.to(), played.kind());
        if kind == MoveKind::Castling {
            // Records have the square of the rook.
            let (rank, rooks) = (
                from & 56,
                match position.turn {
                    Colour::White => position.castling.white,
                    Colour::Black => position.castling.black,
                },
            );
            let is_right = to > from;
            let file =
                (0..8).filter(|file| rooks >> file & 1 == 1 && (rank | file > from) == is_right);
            to = file.map(|file| rank | file).next().unwrap_or(to);
        }
        let record = Move { from, to, kind };
        if text == played.to_string() || text == record.to_string() || text == format!("{record:#}")
        {
            return Ok(record);
        }
    }
    bail!("expected a legal move in UCI notation, found `{text}`")
}
