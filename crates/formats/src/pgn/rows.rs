//! The columns that games are read into: a row for each position, and beside them a row for each game.

use std::ops::Range;

use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};

use super::error::Error;
use crate::{Move, Records};

/// The positions of games, column by column, and the games themselves.
///
/// A game of *n* moves has *n* + 1 rows, from its start to its end. The columns of positions have the same length,
/// but `clock`, `elapsed` and `eval` have no rows at all if comments are not read, and `san` none unless requested.
///
/// What a comment says stands with the position it follows: `[%eval]` values that position, and `[%clk]` is what
/// the side that has just moved has left. So `moves[row]` leads to `eval[row + 1]` and `clock[row + 1]`.
///
/// ```
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
/// assert_eq!(rows.fen(1).to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
/// assert_eq!(rows.moves[1].unwrap().to_string(), "e7e5");
/// assert_eq!(rows.moves[2], None);
/// assert_eq!((rows.san.get(0), rows.san.get(1), rows.san.get(2)), (Some("e4"), Some("e5"), None));
/// assert_eq!(rows.clock, [None, Some(180_000), Some(178_400)]); // milliseconds
/// assert_eq!(rows.eval, [None, Some(Score::Centipawns(25)), Some(Score::Mate(12))]); // white's view
/// assert_eq!(rows.result, [Some(1), Some(-1), Some(1)]); // of the side to move
/// assert_eq!(rows.games[0].result, Some(1)); // of white
/// assert_eq!(rows.tags[0].get(0), Some(r#"Anna "A." Lee"#));
/// # Ok::<(), setwise_formats::pgn::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Rows {
    /// The pieces.
    pub pieces: Vec<Pieces>,
    /// The side to move.
    pub turn: Vec<Colour>,
    /// The castling rights.
    pub castling: Vec<Castling>,
    /// The square behind the pawn that has just made a double step (0 = a1, 63 = h8), on rank 3 or 6, whether or
    /// not a pawn can capture there.
    pub en_passant: Vec<Option<u8>>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: Vec<u32>,
    /// The number of the move, which grows after black's.
    pub fullmove_number: Vec<u32>,
    /// The number of the game, counting from 1 in the whole input.
    pub game: Vec<u64>,
    /// Half-moves since the start of the game, from 0.
    pub ply: Vec<u32>,
    /// 0 for the main line, *n* for the game's *n*th variation, in the order in which they begin. A variation's rows go
    /// from the position in which it differs to its end. Only if
    /// [`Options::variations`](super::Options::variations).
    pub variation: Vec<u32>,
    /// The move played; none at the end of the game. A null move (`--`) is none too, and has a row behind it.
    pub moves: Vec<Option<Move>>,
    /// The move as the file writes it, without `!?`; none at the end. Only if [`Options::san`](super::Options::san).
    pub san: Texts,
    /// `[%clk]` in milliseconds: what the side that has just moved has left.
    pub clock: Vec<Option<u32>>,
    /// `[%emt]` in milliseconds: what the move that led here took.
    pub elapsed: Vec<Option<u32>>,
    /// `[%eval]` of this position, as white sees it.
    pub eval: Vec<Option<Score>>,
    /// How the game ended for the side to move: 1 won, 0 drawn, -1 lost; none if that is unknown.
    pub result: Vec<Option<i8>>,

    /// The games of these rows.
    pub games: Vec<Game>,
    /// A column for each of [`Options::tags`](super::Options::tags), with a row for each of `games`.
    pub tags: Vec<Texts>,
    /// The games that were refused, with what is wrong.
    pub rejects: Vec<Reject>,
}

/// A game in [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// Its number, counting from 1 in the whole input.
    pub number: u64,
    /// The line on which its text begins, counting from 1 in the whole input.
    pub line: u64,
    /// Its first row.
    pub first_row: usize,
    /// The number of its rows: one more than half-moves, for each line if variations are read.
    pub rows: usize,
    /// 1 if white won, 0 for a draw, -1 if black won; none if that is unknown (`*`, or nothing). The tag counts, and
    /// if it is missing or `*`, the end of the moves.
    pub result: Option<i8>,
    /// Whether the tags say that it is a game of Chess960, so that castling is best written as the king's move to
    /// its rook.
    pub chess960: bool,
    /// Whether a result stands behind the last move. If not, the text may have been cut off.
    pub complete: bool,
}

/// A game that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reject {
    /// What is wrong with it; its number too.
    pub error: Error,
    /// The bytes of its text, in the chunk that was read ([`Chunk::bytes`](super::Chunk::bytes)); for a single game
    /// all of them.
    pub text: Range<usize>,
}

/// What an engine thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn; positive if white is better.
    Centipawns(i32),
    /// Moves to mate; positive if white mates.
    Mate(i32),
}

impl Score {
    /// As a number for the side to move: centipawns up to ±31,000, or 32,000 less the moves to mate.
    #[must_use]
    pub fn of(self, turn: Colour) -> i32 {
        let white = match self {
            // Whoever is to move is mated.
            Self::Mate(0) => return -MATE,
            Self::Mate(moves) => moves.signum() * (MATE - moves.saturating_abs().min(1000)),
            Self::Centipawns(score) => score.clamp(1000 - MATE, MATE - 1000),
        };
        if turn == Colour::White { white } else { -white }
    }
}

/// The score of a mate.
const MATE: i32 = 32_000;

impl Rows {
    /// The number of positions.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Removes all rows, games and rejects, and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
        self.games.clear();
        self.tags.iter_mut().for_each(Texts::clear);
        self.rejects.clear();
    }

    /// A row as FEN.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[track_caller]
    pub fn fen(&self, row: usize) -> Fen {
        Fen {
            pieces: self.pieces[row],
            turn: self.turn[row],
            castling: self.castling[row],
            en_passant: self.en_passant[row],
            halfmove_clock: self.halfmove_clock[row],
            fullmove_number: self.fullmove_number[row],
        }
    }

    /// Some rows as records, for a [`Writer`](crate::Writer).
    ///
    /// The score is the evaluation for the side to move ([`Score::of`]), or [`Records::NO_SCORE`]. An unknown result is
    /// [`Records::NO_RESULT`].
    ///
    /// # Panics
    /// If there are no such rows.
    #[must_use]
    #[track_caller]
    pub fn records(&self, rows: Range<usize>) -> Records {
        let part = rows.clone();
        Records {
            pieces: self.pieces[part.clone()].to_vec(),
            turn: self.turn[part.clone()].to_vec(),
            castling: self.castling[part.clone()].to_vec(),
            en_passant: self.en_passant[part.clone()].to_vec(),
            halfmove_clock: self.halfmove_clock[part.clone()].to_vec(),
            fullmove_number: self.fullmove_number[part.clone()].to_vec(),
            moves: self.moves[part.clone()].to_vec(),
            ply: self.ply[part].to_vec(),
            score: self.scores(rows.clone()),
            result: self.results(rows),
            ..Records::new()
        }
    }

    /// The scores of some rows, as in [`records`](Self::records).
    #[must_use]
    pub fn scores(&self, rows: Range<usize>) -> Vec<i32> {
        let score = |row: usize| {
            let eval = self.eval.get(row).copied().flatten();
            eval.map_or(Records::NO_SCORE, |eval| eval.of(self.turn[row]))
        };
        rows.map(score).collect()
    }

    /// The results of some rows, as in [`records`](Self::records).
    #[must_use]
    pub fn results(&self, rows: Range<usize>) -> Vec<i8> {
        self.result[rows].iter().map(|result| result.unwrap_or(Records::NO_RESULT)).collect()
    }

    /// Removes the positions from `rows` on.
    pub(crate) fn truncate(&mut self, rows: usize) {
        macro_rules! truncate {
            ($($column:ident)*) => { $(self.$column.truncate(rows);)* };
        }
        truncate!(pieces turn castling en_passant halfmove_clock fullmove_number game ply);
        truncate!(variation moves san clock elapsed eval result);
    }
}

/// A column of texts in one piece of memory; a text may be missing.
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
    /// Where each text ends in `text`, and whether it is there.
    ends: Vec<(usize, bool)>,
}

impl Texts {
    /// The number of rows.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text of a row; none if it is missing.
    ///
    /// # Panics
    /// If there is no such row.
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

    /// Removes all rows, and keeps the memory.
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
