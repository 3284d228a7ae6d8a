//! Games in PGN, from a stream of text or from a column of a table. The thread that computes the columns also replays
//! the games, a few at a time, so that their positions are still in the cache.

use std::borrow::Cow;
use std::io::BufRead;
use std::iter;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
use arrow_select::take::take;
use setwise::Colour;
use setwise_formats::pgn::{self, Chunk, OnError, Options, Replayer, Splitter};
use setwise_formats::{Records, lines};

use crate::column::InputColumn;
use crate::error::{BadRow, Error};
use crate::hash;
use crate::input::Movetext;
use crate::query::{OnInvalid, Plan};
use crate::rows::{Part, RowNames, Rows};
use crate::span::{Boards, Span, State};
use crate::stream::Source;
use crate::tags::columns_of;
use crate::text::{Games, lines as texts_of};
use crate::threads::CHUNK;
use crate::values::push_move;

/// The games of a stream.
pub struct GameSource<R> {
    /// The text before the number of a game in messages.
    before: Arc<str>,
    splitter: Splitter<R>,
    /// The estimated number of bytes per position, from the latest chunk.
    position: usize,
}

impl<R: BufRead> GameSource<R> {
    /// Reads games from the start of an input. `before` precedes the number of a game in messages.
    pub fn new(input: R, before: &str) -> Self {
        Self { before: before.into(), splitter: Splitter::new(input), position: MOVE }
    }
}

/// The typical number of bytes per move without comments, including its share of the move number.
const MOVE: usize = 6;

/// Estimates the number of bytes per position from the start of a chunk. Comments and tags contain no positions.
fn bytes_of_position(text: &[u8]) -> usize {
    let text = &text[..text.len().min(1 << 14)];
    let (mut moves, mut in_comment) = (0, false);
    for line in lines::split(text) {
        if line.first() == Some(&b'[') && !in_comment {
            continue;
        }
        for &byte in line {
            in_comment = byte == b'{' || in_comment && byte != b'}';
            moves += usize::from(!in_comment);
        }
    }
    (text.len() * MOVE / moves.max(1)).max(MOVE)
}

impl<R: BufRead, E: From<Error> + Send + 'static> Source<E> for GameSource<R> {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, E>>, E> {
        let bytes = bytes.min(rows.saturating_mul(self.position));
        let mut chunk = Chunk::default();
        if !self.splitter.read_chunk(bytes, &mut chunk).map_err(Error::Io)? {
            return Ok(None);
        }
        let bytes = chunk.bytes().len();
        self.position = bytes_of_position(chunk.bytes());
        let rows = bytes / self.position + chunk.games();
        let before = Arc::clone(&self.before);
        let read = move |rows: &mut Rows<'_>| Ok(replay(&chunk, &before, rows)?);
        Ok(Some(Part { rows, bytes, read: Box::new(read) }))
    }
}

impl From<OnInvalid> for OnError {
    fn from(on_invalid: OnInvalid) -> Self {
        match on_invalid {
            OnInvalid::Stop => Self::Stop,
            OnInvalid::Skip | OnInvalid::Null => Self::Skip,
            OnInvalid::Keep => Self::Keep,
        }
    }
}

impl Plan {
    /// The data to read from games.
    fn options(&self) -> Options {
        use InputColumn::{Clock, Depth, Elapsed, Eval, Mate, Score};
        let mut options = Options::default();
        options.san = self.reads(InputColumn::San);
        options.variations = self.reads(InputColumn::Variation);
        let of_comments = [Clock, Elapsed, Eval, Mate, Depth, Score];
        options.comments = of_comments.into_iter().any(|column| self.reads(column));
        if self.input.movetext.is_none() {
            let tags = self.input.passed().chain(self.input.hidden());
            options.tags = tags.map(|field| field.name().clone()).collect();
        }
        options.on_error = self.query.on_invalid.into();
        options
    }
}

/// Appends the positions of a chunk.
fn replay(chunk: &Chunk, before: &str, rows: &mut Rows<'_>) -> Result<(), Error> {
    let plan = rows.plan();
    rows.name(&format!("{before}game "));
    let mut replayer = Replayer::new(plan.options());
    let mut games = pgn::Rows::default();
    let mut outcome = Ok(());
    for game in 0..chunk.games() {
        if let Err(error) = replayer.games(chunk, game..game + 1, &mut games) {
            let text = &chunk.bytes()[chunk.range(game)];
            outcome = Err(stop(bad_game(&error, text, chunk.line(game), before)));
        }
        if games.len() < CHUNK && game + 1 < chunk.games() && outcome.is_ok() {
            continue;
        }
        for reject in &games.rejects {
            let line = chunk.line((reject.error.game() - chunk.first_game()) as usize);
            let text = &chunk.bytes()[reject.text.clone()];
            rows.note_invalid(|| bad_game(&reject.error, text, line, before));
        }
        let counts = games.games.iter().map(|game| game.rows).enumerate();
        let origins = counts.flat_map(|(game, rows)| iter::repeat_n(game as u64, rows)).collect();
        rows.push_games(&games, &columns_of(&games, &plan.input.schema), origins)?;
        games.clear();
        if outcome.is_err() {
            break;
        }
    }
    outcome
}

/// Appends the positions of the games in a batch of a table, and repeats the columns that are passed through.
pub(crate) fn push_batch(
    rows: &mut Rows<'_>,
    batch: &RecordBatch,
    columns: Movetext,
    number: u64,
    names: RowNames<'_>,
) -> Result<(), Error> {
    let texts =
        |place: usize| texts_of(batch.schema_ref().field(place).name(), batch.column(place));
    let starts = columns.start.map(texts).transpose()?.unwrap_or_default();
    let name_of_start = columns.start.map(|place| batch.schema_ref().field(place).name());
    let plan = rows.plan();
    let labels = plan.input.labels.as_ref();
    let results = labels.map(|labels| labels.read(batch, batch.column(columns.moves), number));
    let results = results.transpose()?;
    let mut replayer = Replayer::new(plan.options());
    let mut games = pgn::Rows::default();
    let (mut origins, mut outcome) = (Vec::new(), Ok(()));
    let passed = plan.input.places_of_rows().map(|place| batch.column(place).clone());
    let passed: Vec<_> = passed.collect();
    let moves = batch.schema_ref().field(columns.moves).name();
    let cells = Games::of(moves, batch.column(columns.moves))?;
    for row in 0..batch.num_rows() {
        let (Some(cell), count) = (cells.row(row)?, games.len()) else { continue };
        let (text, number) = (cell.text.as_bytes(), number + row as u64);
        let start = starts.get(row).copied().flatten().filter(|fen| !fen.is_empty());
        // The start position is line 0, so that the moves are line 1.
        let text = match start {
            Some(fen) => Cow::Owned([tag_of_start(fen).as_bytes(), text].concat()),
            None => Cow::Borrowed(text),
        };
        let result = results.as_ref().map(|results| results.result(row, Colour::White));
        let (result, wrong_result) = match result {
            Some(Ok(result)) => (result, None),
            Some(Err(wrong)) if labels.is_some_and(|labels| !labels.ignores_others) => {
                (Records::NO_RESULT, Some(wrong))
            }
            _ => (Records::NO_RESULT, None),
        };
        let wrong_moves = cell.error.map(|reason| (moves.clone(), reason));
        if let Some((column, reason)) = wrong_moves.or(wrong_result) {
            let (row, place) = (names.row(number), names.place(number));
            let place = format!("{place}, column `{column}`");
            let bad = BadRow { row, place, character: 0, reason, text: text.to_vec() };
            if plan.query.on_invalid == OnInvalid::Stop {
                outcome = Err(Error::Invalid(Box::new(bad)));
                break;
            }
            rows.note_invalid(|| bad);
            if plan.query.on_invalid != OnInvalid::Keep {
                continue;
            }
        }
        let line = u64::from(start.is_none());
        let replayed = replayer.game(&text, number, line, &mut games);
        let bad = |error: &pgn::Error| bad_cell(error, &text, start.zip(name_of_start), names);
        games.rejects.drain(..).for_each(|reject| rows.note_invalid(|| bad(&reject.error)));
        outcome = replayed.map_err(|error| stop(bad(&error)));
        origins.extend(iter::repeat_n(row as u64, games.len() - count));
        if let Some(game) = games.games.last_mut().filter(|game| game.number == number) {
            game.line = game.number;
            if result != Records::NO_RESULT {
                let rows = game.first_row..game.first_row + game.rows;
                set_results(&mut games.records, rows, result);
            }
        }
        if games.len() >= CHUNK {
            rows.push_games(&games, &passed, mem::take(&mut origins))?;
            games.clear();
        }
        if outcome.is_err() {
            break;
        }
    }
    rows.push_games(&games, &passed, origins)?;
    outcome?;
    labels.map_or(Ok(()), |labels| labels.check(&plan.input.schema, false))
}

/// Sets the result of a game for the side to move in each of its positions.
fn set_results(records: &mut Records, rows: Range<usize>, white: i8) {
    for (result, turn) in records.result[rows.clone()].iter_mut().zip(&records.turn[rows]) {
        *result = if *turn == Colour::White { white } else { -white };
    }
}

impl Rows<'_> {
    /// Appends the positions of games. `columns` are those to pass through; `origins` is the index of each position's
    /// row in them.
    fn push_games(
        &mut self,
        games: &pgn::Rows,
        columns: &[ArrayRef],
        origins: Vec<u64>,
    ) -> Result<(), Error> {
        let origins = UInt64Array::from(origins);
        let fields = self.plan().input.passed().chain(self.plan().input.hidden());
        let passed = columns.iter().zip(fields).map(|(column, field)| {
            take(column, &origins, None).map_err(|error| Error::of_column(error, field.name()))
        });
        self.pass(passed.collect::<Result<_, _>>()?);
        self.check_games(&games.games);
        self.report.games += games.games.len() as u64;
        for (field, values) in self.plan().input.schema.fields().iter().zip(&games.tags) {
            let of_tag = self.report.tags.entry(field.name().clone()).or_default();
            *of_tag += values.iter().flatten().count() as u64;
        }
        self.report.of_engines += games.games.iter().map(|game| game.of_engines).sum::<u64>();
        let plan = self.plan();
        if plan.query.moves_only {
            let without = games.records.moves.iter().filter(|played| played.is_none());
            self.report.without_moves += without.count() as u64;
        }
        let mut hashes = Vec::new();
        if plan.reads(InputColumn::GameHash) {
            let positions =
                hash::of_positions(Boards::Rows(&games.records.pieces), &games.records.turn);
            let starts: Vec<usize> = games.games.iter().map(|game| game.first_row).collect();
            hashes = hash::of_games(positions, &starts);
        }
        let lines = games.games.iter().flat_map(|game| iter::repeat_n(game.line, game.rows));
        let line: Vec<u64> = lines.collect();
        let game_of = |row: usize| {
            let next = games.games.partition_point(|game| game.first_row <= row);
            &games.games[next - 1]
        };
        let mut state = State { game_hash: &hashes, line: &line, ..State::of_games(games) };
        if !plan.reads_labels {
            (state.score, state.result) = (&[], &[]);
        }
        for rows in plan.chunks(0..games.len()) {
            let texts_but_fens = plan.texts.iter().filter(|column| **column != InputColumn::Fen);
            let texts = texts_but_fens.map(|&column| {
                let mut cells = StringBuilder::with_capacity(rows.len(), 0);
                for row in rows.clone() {
                    match column {
                        InputColumn::San => cells.append_option(games.san.get(row)),
                        _ => push_move(&mut cells, games.records.moves[row], game_of(row).chess960),
                    }
                }
                (column, Arc::new(cells.finish()) as ArrayRef)
            });
            let texts = texts.collect();
            let boards = Boards::Rows(&games.records.pieces[rows.clone()]);
            let span = Span { texts, ..Span::new(boards, state.rows(&rows)) };
            self.push_span(span, &|row| {
                let game = game_of(rows.start + row);
                (game.number, Some(rows.start + row - game.first_row + 1))
            });
        }
        Ok(())
    }
}

/// The error for an invalid game. It shows only the offending line of the game's text.
fn stop(mut bad: BadRow) -> Error {
    bad.cut_to_line();
    Error::Invalid(Box::new(bad))
}

/// The text before a position in the tag of a start position.
const START: &str = "[FEN \"";

/// Returns the tag of a start position, which is any text, on one line.
fn tag_of_start(fen: &str) -> String {
    let value = fen.trim().replace('\\', r"\\").replace('"', "\\\"");
    format!("{START}{}\"]\n", value.replace(['\n', '\r'], "␤"))
}

/// Describes a row whose moves cannot be replayed, or whose start position, from the column of this name, is wrong.
/// `text` has a line for the start position if there is one.
fn bad_cell(
    error: &pgn::Error,
    text: &[u8],
    start: Option<(&str, &String)>,
    names: RowNames<'_>,
) -> BadRow {
    let (line, column) = (error.line(), error.column());
    let (row, place) = (names.row(error.game()), names.place(error.game()));
    if let Some((_, name)) = start.filter(|_| line == 0) {
        let bad = bad_game(error, text, 0, "");
        let place = format!("{place}, column `{name}`, character {}", bad.character - START.len());
        let reason = bad.reason.replacen("in the tag FEN: ", "", 1);
        return BadRow { row, place, reason, ..bad };
    }
    let line = if line > 1 { format!(", line {line}") } else { String::new() };
    let place = format!("{place}{line}, column {column}");
    BadRow { row, place, ..bad_game(error, text, u64::from(start.is_none()), "") }
}

/// Describes a game that cannot be replayed. Its text begins on line `first_line`.
fn bad_game(error: &pgn::Error, text: &[u8], first_line: u64, before: &str) -> BadRow {
    let said = error.to_string();
    let place = format!("game {}, line {}, column {}", error.game(), error.line(), error.column());
    let reason = said.strip_prefix(&format!("{place}: ")).unwrap_or(&said).to_owned();
    let lines = lines::split(text).take(error.line().saturating_sub(first_line) as usize);
    let characters = lines.map(|line| String::from_utf8_lossy(line).chars().count());
    BadRow {
        row: error.game(),
        place: format!("{before}{place}"),
        character: characters.sum::<usize>() + error.column() as usize,
        reason,
        text: text.trim_ascii_end().to_vec(),
    }
}
