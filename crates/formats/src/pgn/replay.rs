//! Replays games into rows: reads the tags, the start position and the moves, and handles rejected games.

use std::ops::Range;

use setwise::Fen;

use super::chunks::Chunk;
use super::error::{Error, ErrorKind, Found, Problem};
use super::lists;
use super::movetext::Reading;
use super::options::{OnError, Options};
use super::rows::{Game, Reject, Rows};
use super::scan::{Flaw, Span, ends_with_result};
use super::tags;
use crate::Records;
use crate::board::{Board, Rules};
use crate::lines::end as line_end;

/// Replays games into [`Rows`].
///
/// ```
/// use setwise_formats::pgn::{Chunk, Options, Replayer, Rows, Splitter};
/// let file = b"1. e4 e5 2. Nf3 1/2-1/2\n1. d4 *\n";
/// let mut splitter = Splitter::new(&file[..]);
/// let mut replayer = Replayer::new(Options::default());
/// let (mut chunk, mut rows) = (Chunk::default(), Rows::default());
/// while splitter.read_chunk(1 << 20, &mut chunk)? {
///     rows.clear();
///     replayer.chunk(&chunk, &mut rows)?;
///     assert_eq!(rows.game, [1, 1, 1, 1, 2, 2]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replayer {
    options: Options,
}

#[derive(Default)]
struct Tags {
    /// The values of the requested tags, as ranges in the text.
    values: Vec<Option<Range<usize>>>,
    fen: Option<Range<usize>>,
    variant: Option<Range<usize>>,
    result: Option<i8>,
    /// The range of the first malformed tag.
    malformed: Option<Range<usize>>,
    /// The start of the movetext.
    end: usize,
}

impl Replayer {
    /// Creates a replayer with options.
    #[must_use]
    pub const fn new(options: Options) -> Self {
        Self { options }
    }

    /// The options of the replayer.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Adds the rows of all games of a chunk.
    ///
    /// # Errors
    /// If a game cannot be replayed and [`Options::on_error`] is [`OnError::Stop`].
    pub fn chunk(&mut self, chunk: &Chunk, rows: &mut Rows) -> Result<(), Error> {
        self.games(chunk, 0..chunk.games(), rows)
    }

    /// Adds the rows of a range of a chunk's games, counted from 0. To keep the rows in the cache, replay a few games,
    /// use their rows, and continue.
    ///
    /// # Errors
    /// If a game cannot be replayed and [`Options::on_error`] is [`OnError::Stop`].
    ///
    /// # Panics
    /// If `games` are out of range.
    pub fn games(
        &mut self,
        chunk: &Chunk,
        games: Range<usize>,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        for game in games {
            let (text, span) = (&chunk.bytes()[chunk.range(game)], &chunk.games[game]);
            let last = chunk.is_last() && game + 1 == chunk.games();
            self.add(text, span, chunk.first_game() + game as u64, last, rows)?;
        }
        Ok(())
    }

    /// Adds the rows of a single game. `number` and `line` identify the game and its first line in rows and errors.
    ///
    /// The text may have no tags and no result. A second game after the first is an error, and so is a last tag, word,
    /// comment or variation without its end: only a file is expected to be cut off.
    ///
    /// # Errors
    /// If the game cannot be replayed and [`Options::on_error`] is [`OnError::Stop`].
    pub fn game(
        &mut self,
        text: &[u8],
        number: u64,
        line: u64,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        let span = Span { range: 0..text.len(), line, flaw: None };
        self.add(text, &span, number, false, rows)
    }

    /// Adds the rows of a game. `last` is true if its text may have been truncated at the end.
    fn add(
        &self,
        text: &[u8],
        span: &Span,
        number: u64,
        last: bool,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        let first_row = rows.len();
        let (mut reading, mut has_clocks) = (None, true);
        let tags = Tags::read(text, last, &self.options.tags);
        let read = if span.flaw == Some(Flaw::TooLong) {
            let text = "expected a game of fewer bytes: it has more than are allowed";
            Err(Problem::new(ErrorKind::TooLong, 0, text))
        } else if let Some(tag) = tags.malformed.clone() {
            let (at, found) = (tag.start, Found(&text[tag]));
            let problem = format!("expected a tag with a value in quotes and ']', found {found}");
            Err(Problem::new(ErrorKind::Syntax, at, problem))
        } else {
            begin(text, &tags).and_then(|(board, clocks)| {
                has_clocks = clocks;
                let options = &self.options;
                // A text with its result has not been cut off.
                let last = last && !ends_with_result(text.trim_ascii_end());
                let reading = reading.insert(Reading::new(text, last, options, board, first_row));
                reading.movetext(tags.end, rows)?;
                let problem = "expected the result of this game before the next one";
                match span.flaw {
                    None => Ok(()),
                    Some(_) => Err(Problem::new(ErrorKind::Syntax, text.len(), problem)),
                }
            })
        };
        if let Err(mut problem) = read {
            if matches!(problem.kind, ErrorKind::Illegal | ErrorKind::Ambiguous) {
                problem.position = Some(rows.records.fen(rows.len() - 1));
            }
            let error = Error::new(number, span.line, text, problem);
            if self.options.on_error != OnError::Keep {
                rows.truncate(first_row);
            }
            if self.options.on_error == OnError::Stop {
                return Err(error);
            }
            rows.rejects.push(Reject { error, text: span.range.clone() });
            if self.options.on_error == OnError::Skip {
                return Ok(());
            }
        }
        let Some(mut reading) = reading else { return Ok(()) };
        reading.end(rows);
        rows.game.resize(rows.len(), number);
        let result = tags.result.or(reading.result.flatten());
        add_labels(rows, first_row, result);
        rows.tags.resize_with(self.options.tags.len(), Default::default);
        for (column, value) in rows.tags.iter_mut().zip(tags.values) {
            let value = value.map(|value| tags::unescape(&text[value]));
            column.push(value.as_deref());
        }
        rows.games.push(Game {
            number,
            line: span.line,
            first_row,
            rows: rows.len() - first_row,
            result,
            chess960: tags.variant.is_some_and(|name| variant(&text[name]) == Some(true)),
            complete: reading.result.is_some(),
            has_clocks,
            of_engines: reading.of_engines,
        });
        Ok(())
    }
}

impl Tags {
    /// Reads the tags. `last` is true if the text may have been truncated at its end.
    fn read(text: &[u8], last: bool, wanted: &[String]) -> Self {
        let mut tags = Self { values: vec![None; wanted.len()], ..Self::default() };
        let (mut at, mut has_tags) = (0, false);
        // The start of comments that may come before the tags.
        let mut comments = None;
        loop {
            match text.get(at) {
                Some(b'\n' | b'\r') => {
                    at += 1;
                    if text.get(at) == Some(&b'%') {
                        at = line_end(text, at);
                    }
                }
                Some(b'[') => {
                    let tag = tags::read(text, at);
                    has_tags = true;
                    tags.add(text, &tag, wanted);
                    if tag.is_malformed && !(last && tag.end == text.len()) {
                        tags.malformed.get_or_insert(at..tag.end);
                    }
                    at = tag.end;
                }
                Some(b';') => at = line_end(text, at),
                Some(b'%') if at == 0 => at = line_end(text, at),
                Some(b'{') if !has_tags => match comment_end(text, at) {
                    Some(end) => {
                        comments.get_or_insert(at);
                        at = end;
                    }
                    None => break,
                },
                _ => match tags::past_spaces(text, at) {
                    end if end > at => at = end,
                    _ => break,
                },
            }
        }
        tags.end = comments.filter(|_| !has_tags).unwrap_or(at);
        tags
    }

    fn add(&mut self, text: &[u8], tag: &tags::Tag, wanted: &[String]) {
        let name = &text[tag.name.clone()];
        let value = tag.value.clone();
        if name.eq_ignore_ascii_case(b"FEN") {
            self.fen = Some(value.clone());
        } else if name.eq_ignore_ascii_case(b"Variant") {
            self.variant = Some(value.clone());
        } else if name.eq_ignore_ascii_case(b"Result") {
            self.result = match text[value.clone()].trim_ascii() {
                b"1-0" => Some(1),
                b"0-1" => Some(-1),
                b"1/2-1/2" | b"1/2" => Some(0),
                _ => None,
            };
        }
        for (slot, wanted) in self.values.iter_mut().zip(wanted) {
            if name.eq_ignore_ascii_case(wanted.as_bytes()) {
                *slot = Some(value.clone());
            }
        }
    }
}

/// The end of a comment. A comment that is a list of moves is left for the movetext to refuse.
#[cold]
fn comment_end(text: &[u8], at: usize) -> Option<usize> {
    let end = at + memchr::memchr(b'}', &text[at..])? + 1;
    let has_moves =
        lists::is_list(&text[at..end]) || lists::is_object(&text[at..line_end(text, at)]);
    (!has_moves).then_some(end)
}

/// Adds the results and scores of the rows of a game, for the side to move, given its result for white.
fn add_labels(rows: &mut Rows, first_row: usize, white: Option<i8>) {
    let of_mover = white.map_or([Records::NO_RESULT; 2], |white| [white, -white]);
    let Records { turn, score, result, .. } = &mut rows.records;
    let turns = &turn[first_row..];
    result.extend(turns.iter().map(|turn| of_mover[*turn as usize]));
    let evals = rows.eval.get(first_row..).unwrap_or_default().iter();
    let scores = evals.zip(turns).map(|(eval, turn)| match eval {
        Some(eval) => eval.of(*turn),
        None => Records::NO_SCORE,
    });
    score.extend(scores);
    score.resize(turn.len(), Records::NO_SCORE);
}

/// Sets up the board at the start of a game. Also returns whether both clocks are known.
fn begin(text: &[u8], tags: &Tags) -> Result<(Board, bool), Box<Problem>> {
    if let Some(name) = tags.variant.clone()
        && variant(&text[name.clone()]).is_none()
    {
        let expected = "expected standard chess or Chess960, found the variant";
        let found = Found(&text[name.clone()]);
        let problem = format!("{expected} {found}");
        return Err(Problem::new(ErrorKind::Variant, name.start, problem));
    }
    let Some(range) = tags.fen.clone() else {
        return Ok((Board::new(&Fen::START, Rules::Fen), true));
    };
    let value = tags::unescape(&text[range.clone()]);
    let invalid = |at: usize, why: String| {
        let at = range.start + at;
        Problem::new(ErrorKind::Position, at, format_args!("in the tag FEN: {why}"))
    };
    let (fen, clocks) = Fen::parse_with_clocks(value.trim())
        .map_err(|error| invalid(error.column() - 1, error.to_string()))?;
    let board = Board::of_text(&fen).map_err(|why| invalid(0, why))?;
    Ok((board, clocks == [true; 2]))
}

/// Returns whether a variant is Chess960; `None` for variants that are not supported.
fn variant(name: &[u8]) -> Option<bool> {
    let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let letters: Vec<u8> = letters.map(u8::to_ascii_lowercase).take(32).collect();
    match &letters[..] {
        b"" | b"standard" | b"chess" | b"standardchess" | b"normal" | b"orthodox"
        | b"fromposition" => Some(false),
        b"chess960"
        | b"960"
        | b"fischerandom"
        | b"fischerrandom"
        | b"fischerandomchess"
        | b"fischerrandomchess"
        | b"chess960fischerrandom"
        | b"freestyle"
        | b"freestylechess" => Some(true),
        _ => None,
    }
}
