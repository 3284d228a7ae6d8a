//! Labels: the score, the result and the move of a position, from the point of view of the side to move. The program,
//! the loader and conversions read the labels of text here, and those of tables in `label_columns.rs`.

use setwise::Colour;
use setwise_formats::{Move, Records};

/// The point of view of scores or results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side to move.
    Mover,
    /// White.
    White,
}

/// The encoding of a loss in numeric results. It decides whether 0 is a draw or a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Win, draw and loss are 1, 0 and -1.
    MinusOne,
    /// Win, draw and loss are 1, 0.5 and 0.
    Zero,
}

/// The handling of rows without a requested score or result. Conditions see a null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnMissing {
    /// Write a null; records get [`Records::NO_SCORE`] or [`Records::NO_RESULT`].
    #[default]
    Null,
    /// Fail at the first such row.
    Stop,
    /// Skip the row, and count it.
    Skip,
    /// Write this number. A missing result remains an error unless the number is 1, 0 or -1.
    Value(i32),
}

impl OnMissing {
    /// Replaces missing labels by the number in [`OnMissing::Value`]. Returns for each row whether it has changed.
    pub fn fill(self, records: &mut Records) -> Vec<bool> {
        let mut missing = vec![false; records.len()];
        let Self::Value(value) = self else { return missing };
        let result = i8::try_from(value).unwrap_or(i8::MAX);
        for (score, missing) in records.score.iter_mut().zip(&mut missing) {
            if !Records::is_score(*score) {
                (*score, *missing) = (value, true);
            }
        }
        for (old, missing) in records.result.iter_mut().zip(&mut missing) {
            if *old == Records::NO_RESULT {
                (*old, *missing) = (result, true);
            }
        }
        missing
    }
}

/// The columns and the encoding of a table's labels. Fields that are `None` are inferred from the names of the columns.
///
/// | label | columns | point of view of numbers |
/// |---|---|---|
/// | score | `score` | side to move |
/// | | `cp` or `eval`, and `mate` where these are null | white |
/// | result | `result` | side to move |
/// | | `wdl`, `outcome` or `winner` | must be given |
/// | move | `move` | |
///
/// For any other column of scores, set `scores_of`. Results that are texts such as `1-0` and `black` need no point of
/// view.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The column of scores: integers.
    pub score: Option<String>,
    /// The column of moves to mate, negative if the other side mates.
    pub mate: Option<String>,
    /// The column of results: 1, 0, -1; or 1.0, 0.5, 0.0; or 1-0, 1/2-1/2, 0-1; or white, draw, black.
    pub result: Option<String>,
    /// The column of moves in UCI notation.
    pub played: Option<String>,
    /// The point of view of the scores.
    pub scores_of: Option<Side>,
    /// The point of view of numeric results.
    pub results_of: Option<Side>,
    /// The encoding of a loss in numeric results.
    pub loss_is: Option<Loss>,
}

/// The labels of a position, from the point of view of the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Label {
    pub(crate) score: i32,
    pub(crate) result: i8,
    pub(crate) played: Option<Move>,
}

impl Label {
    pub(crate) const NONE: Self =
        Self { score: Records::NO_SCORE, result: Records::NO_RESULT, played: None };

    /// Converts labels from white's point of view to that of the side to move.
    pub(crate) fn of_white(mut self, turn: Colour) -> Self {
        if turn == Colour::Black {
            self.score = -self.score;
            self.result = self.result.saturating_neg();
        }
        if !Records::is_score(self.score) {
            self.score = Records::NO_SCORE;
        }
        if self.result.unsigned_abs() > 1 {
            self.result = Records::NO_RESULT;
        }
        self
    }
}

/// Parses the score and the result after a position in text, both for white: `| 32 | 1.0`. Each may be missing:
/// `| | *`. In Ethereal's notation, `[1.0] 32`, the result is white's, and the score, which may be missing, that of the
/// side to move.
///
/// # Errors
/// A sentence that says what was expected and what was found.
pub(crate) fn of_text(rest: &[u8], turn: Colour) -> Result<Label, String> {
    let rest = String::from_utf8_lossy(rest);
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok(Label::NONE);
    }
    let wrong = |expected: &str, found: &str| {
        let notation = if rest.starts_with('[') { "[result] score" } else { "| score | result" };
        Err(format!("expected {expected} in `{notation}` after the position, found `{found}`"))
    };
    let of_mover = rest.starts_with('[');
    let (score, result) = if let Some(both) = rest.strip_prefix('[') {
        let Some((result, score)) = both.split_once(']') else { return wrong("`]`", rest) };
        (score, result)
    } else {
        let Some(both) = rest.strip_prefix('|') else { return wrong("`|`", rest) };
        let Some(both) = both.split_once('|') else { return wrong("a second `|`", rest) };
        both
    };
    let (score, result) = (score.trim(), result.trim());
    let score = match score {
        "" => Records::NO_SCORE,
        _ => match score.parse().ok().filter(|score| *score != i32::MIN) {
            Some(score) => score,
            None => return wrong("an integer from -2147483647 to 2147483647 as the score", score),
        },
    };
    let bare = result.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(result);
    let result = match (bare, parse_result(bare)) {
        (_, Some(result)) => result,
        ("1.0" | "1", _) => 1,
        ("0.5", _) => 0,
        ("0.0" | "0", _) => -1,
        _ => {
            let results = "1.0, 0.5, 0.0, 1-0, 1/2-1/2, 0-1, white, draw or black as the result";
            return wrong(results, result);
        }
    };
    let score = if of_mover && turn == Colour::Black { -score } else { score };
    Ok(Label { score, result, played: None }.of_white(turn))
}

/// Splits a line with a score and a result into the position and the labels, which start at the first `|` or `[`.
///
/// Returns `None` if there is neither, or if other text precedes it.
///
/// ```
/// let line = b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 3 | 0.5";
/// assert_eq!(setwise_table::split_labels(line), Some((&line[..30], &line[30..])));
/// let line = b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 [0.5] 3";
/// assert_eq!(setwise_table::split_labels(line), Some((&line[..30], &line[30..])));
/// assert_eq!(setwise_table::split_labels(b"4k3/8/8/8/8/8/8/4K3 w - - id \"a|b\";"), None);
/// ```
#[must_use]
pub fn split_labels(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr2(b'|', b'[', line)?;
    let (position, labels) = line.split_at(at);
    crate::rest(position).is_empty().then_some((position, labels))
}

/// Parses a result that is text, for white.
pub(crate) fn parse_result(text: &str) -> Option<i8> {
    Some(match text {
        "1-0" | "white" => 1,
        "1/2-1/2" | "1/2" | "½-½" | "draw" => 0,
        "0-1" | "black" => -1,
        "*" | "" => Records::NO_RESULT,
        _ => return None,
    })
}
