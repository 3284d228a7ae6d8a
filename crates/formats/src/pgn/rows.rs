//! The columns into which games are read: one row per position, and separate columns with one row per game.

use std::ops::Range;

use setwise::Colour;

use super::error::Error;
use crate::Records;

/// The positions of games, column by column, and the games themselves.
///
/// A game of *n* moves has *n* + 1 rows, from its start to its end. All columns of positions have the same length,
/// except that `clock`, `elapsed`, `eval` and `depth` are empty if comments are not read, and `san` and `variation` are empty
/// unless requested.
///
/// The values in a comment belong to the position after the move that precedes it: `[%eval]` is the evaluation of that
/// position, and `[%clk]` the remaining time of the side that has just moved. So `records.moves[row]` leads to
/// `eval[row + 1]` and `clock[row + 1]`.
///
/// ```
/// use setwise_formats::Records;
/// use setwise_formats::pgn::{Options, Replayer, Rows, Score};
/// let mut options = Options::default();
/// options.san = true;
/// options.tags = vec!["White".into()];
/// let game = br#"
/// [White "Anna \"A.\" Lee"]
/// [Result "1-0"]
///
/// 1. e4 { [%eval 0.25] [%clk 0:03:00] } e5?? { [%eval #12] [%clk 0:02:58.4] } 1-0
/// "#;
/// let mut rows = Rows::default();
/// Replayer::new(options).game(game, 1, 1, &mut rows)?;
/// assert_eq!(rows.len(), 3);
/// assert_eq!(rows.records.fen(1).to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
/// assert_eq!(rows.records.moves[1].unwrap().to_string(), "e7e5");
/// assert_eq!(rows.records.moves[2], None);
/// assert_eq!((rows.san.get(0), rows.san.get(1), rows.san.get(2)), (Some("e4"), Some("e5"), None));
/// assert_eq!(rows.clock, [None, Some(180_000), Some(178_400)]); // milliseconds
/// assert_eq!(rows.eval, [None, Some(Score::Centipawns(25)), Some(Score::Mate(12))]); // white's view
/// assert_eq!(rows.records.result, [1, -1, 1]); // of the side to move
/// assert_eq!(rows.records.score, [Records::NO_SCORE, -25, 31_988]); // of the side to move
/// assert_eq!(rows.games[0].result, Some(1)); // of white
/// assert_eq!(rows.tags[0].get(0), Some(r#"Anna "A." Lee"#));
/// # Ok::<(), setwise_formats::pgn::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Rows {
    /// The positions, ready for a [`Writer`](crate::Writer). Plies count from 0 at the start of the game. A move is `None`
    /// at the end of the game, and for a null move (`--`), after which another row follows. The en passant square is
    /// that of a double step, whether or not a pawn can capture there. The score is the evaluation for the side to move
    /// ([`Score::of`]), or [`Records::NO_SCORE`]; an unknown result is [`Records::NO_RESULT`].
    pub records: Records,
    /// The number of the game, counted from 1 in the whole input.
    pub game: Vec<u64>,
    /// 0 for the main line, *n* for the game's *n*th variation, in the order of their starts. The rows of a variation
    /// begin with the position where it departs from its line. Requires
    /// [`Options::variations`](super::Options::variations).
    pub variation: Vec<u32>,
    /// The move as in the file, without `!?`; missing at the end. Requires [`Options::san`](super::Options::san).
    pub san: Texts,
    /// `[%clk]` in milliseconds: the remaining time of the side that has just moved.
    pub clock: Vec<Option<u32>>,
    /// `[%emt]` in milliseconds: the time taken by the move that led to this position.
    pub elapsed: Vec<Option<u32>>,
    /// `[%eval]` of this position, from white's point of view.
    pub eval: Vec<Option<Score>>,
    /// The depth of the search that gave the evaluation: in `[%eval 0.17,23]`, or in comments of engines' matches
    /// (`+0.31/12 1.2s`), whose evaluation and time are in `eval` and `elapsed`.
    pub depth: Vec<Option<u32>>,

    /// The games of these rows.
    pub games: Vec<Game>,
    /// One column for each of [`Options::tags`](super::Options::tags), with one row for each of `games`.
    pub tags: Vec<Texts>,
    /// The rejected games, with their errors.
    pub rejects: Vec<Reject>,
}

/// A game in [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// The number of the game, counted from 1 in the whole input.
    pub number: u64,
    /// The line on which its text begins, counted from 1 in the whole input.
    pub line: u64,
    /// Its first row.
    pub first_row: usize,
    /// The number of its rows. The main line, and each variation that is read, has one row more than half-moves.
    pub rows: usize,
    /// 1 if white won, 0 for a draw, -1 if black won; `None` if unknown (`*` or missing). The tag has precedence; if it
    /// is missing or `*`, the result after the moves is used.
    pub result: Option<i8>,
    /// True if the tags declare a game of Chess960, so that castling should be written as the king's move to its rook.
    pub chess960: bool,
    /// True if a result follows the last move. Otherwise the text may have been truncated.
    pub complete: bool,
    /// False if the tag `FEN` lacks a halfmove clock or a move number. The game then begins with 0 or 1.
    pub has_clocks: bool,
    /// The number of its evaluations that are from comments of engines' matches.
    pub of_engines: u64,
}

/// A rejected game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reject {
    /// The error, with the number of the game.
    pub error: Error,
    /// The range of its text in the chunk ([`Chunk::bytes`](super::Chunk::bytes)); for a single game, the whole text.
    pub text: Range<usize>,
}

/// An engine's evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn; positive if white is better.
    Centipawns(i32),
    /// Moves to mate; positive if white mates.
    Mate(i32),
}

impl Score {
    /// The same score for the other side.
    pub(crate) const fn negated(self) -> Self {
        match self {
            Self::Mate(moves) => Self::Mate(-moves),
            Self::Centipawns(score) => Self::Centipawns(-score),
        }
    }

    /// The score as a number for the side to move: centipawns up to ±31,000, or 32,000 minus the moves to mate.
    #[must_use]
    pub fn of(self, turn: Colour) -> i32 {
        let white = match self {
            // The side to move is mated.
            Self::Mate(0) => return -MATE,
            Self::Mate(moves) => moves.signum() * (MATE - moves.saturating_abs().min(1000)),
            Self::Centipawns(score) => score.clamp(1000 - MATE, MATE - 1000),
        };
        if turn == Colour::White { white } else { -white }
    }
}

/// The absolute score of mate in 0 moves.
const MATE: i32 = 32_000;

impl Rows {
    /// The number of positions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether there are no positions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Removes all rows, games and rejects, and keeps the allocation.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.games.clear();
        self.tags.iter_mut().for_each(Texts::clear);
        self.rejects.clear();
    }

    /// Removes the positions from `rows` on.
    pub(crate) fn truncate(&mut self, rows: usize) {
        macro_rules! truncate {
            ($($column:ident)*) => { $(self.$column.truncate(rows);)* };
        }
        truncate!(records game variation san clock elapsed eval depth);
    }
}

/// A column of texts in one allocation; a text may be missing.
///
/// ```
/// let mut names = setwise_formats::pgn::Texts::default();
/// names.push(Some("Anna"));
/// names.push(None);
/// assert_eq!(names.iter().collect::<Vec<_>>(), [Some("Anna"), None]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    /// The end of each text in `text`; the flag is false if the text is missing.
    ends: Vec<(usize, bool)>,
}

impl Texts {
    /// The number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a row; `None` if it is missing.
    ///
    /// # Panics
    /// If `row` is out of range.
    #[must_use]
    #[track_caller]
    pub fn get(&self, row: usize) -> Option<&str> {
        let (end, present) = self.ends[row];
        present.then(|| &self.text[self.end_of(row)..end])
    }

    /// The texts of all rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, text: Option<&str>) {
        self.text.push_str(text.unwrap_or_default());
        self.ends.push((self.text.len(), text.is_some()));
    }

    /// Removes all rows and keeps the allocation.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    pub(crate) fn truncate(&mut self, rows: usize) {
        if rows < self.len() {
            self.text.truncate(self.end_of(rows));
            self.ends.truncate(rows);
        }
    }

    fn end_of(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before].0)
    }
}
