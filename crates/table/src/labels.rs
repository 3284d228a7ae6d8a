//! Labels: the score, the result and the move of a position, for the side to move; and how text has them. The program, the
//! loader and conversions all read them here, and from tables in `label_columns.rs`.

use setwise::Colour;
use setwise_formats::{Move, Records};

/// The side for which a score or a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side to move.
    Mover,
    /// White.
    White,
}

/// The number of a lost game, by which a zero is a draw or a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Won, drawn and lost are 1, 0 and -1.
    MinusOne,
    /// Won, drawn and lost are 1, 0.5 and 0.
    Zero,
}

/// What to do with a row without a score or a result that is asked for. Conditions come first: to them it is a null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnMissing {
    /// Write a null; records get [`Records::NO_SCORE`] or [`Records::NO_RESULT`].
    #[default]
    Null,
    /// Fail at the first such row.
    Stop,
    /// Leave it out, and count it.
    Skip,
    /// Write this number, also as a result if it is one.
    Value(i32),
}

impl OnMissing {
    /// Writes the number that stands for missing labels, if there is one. Returns the number of rows that it is in.
    pub fn fill(self, records: &mut Records) -> u64 {
        let Self::Value(value) = self else { return 0 };
        let result = i8::try_from(value).unwrap_or(i8::MAX);
        let mut missing = vec![false; records.len()];
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
        missing.iter().map(|missing| u64::from(*missing)).sum()
    }
}

/// Where the labels of a table are, and how they are written. What is `None` is found by the names of the columns.
///
/// | label | columns | view of numbers |
/// |---|---|---|
/// | score | `score` | side to move |
/// | | `cp` or `eval`, and `mate` where these are null | white |
/// | result | `result` | side to move |
/// | | `wdl`, `outcome` or `winner` | has to be said |
/// | move | `move` | |
///
/// Any other column of scores has to come with its side. Texts such as `1-0` and `black` need none.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The column of scores: integers.
    pub score: Option<String>,
    /// The column with the moves to a mate, negative if the other side mates.
    pub mate: Option<String>,
    /// The column of results: 1, 0, -1; or 1.0, 0.5, 0.0; or 1-0, 1/2-1/2, 0-1; or white, draw, black.
    pub result: Option<String>,
    /// The column of moves in UCI notation.
    pub played: Option<String>,
    /// The side of the scores.
    pub scores_of: Option<Side>,
    /// The side of results that are numbers.
    pub results_of: Option<Side>,
    /// How a loss is written, if results are numbers.
    pub loss_is: Option<Loss>,
}

/// The labels of a position, for the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Label {
    pub(crate) score: i32,
    pub(crate) result: i8,
    pub(crate) played: Option<Move>,
}

impl Label {
    pub(crate) const NONE: Self =
        Self { score: Records::NO_SCORE, result: Records::NO_RESULT, played: None };

    /// What white sees as the side to move sees it.
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

/// The score and the result after a position of text, which are for white: `| 32 | 1.0`. Each may be missing: `| | *`.
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
        Err(format!(
            "expected {expected} in `| score | result` after the position, found `{found}`"
        ))
    };
    let Some(both) = rest.strip_prefix('|') else { return wrong("`|`", rest) };
    let Some((score, result)) = both.split_once('|') else { return wrong("a second `|`", rest) };
    let (score, result) = (score.trim(), result.trim());
    let score = match score {
        "" => Records::NO_SCORE,
        _ => match score.parse().ok().filter(|score| *score != i32::MIN) {
            Some(score) => score,
            None => return wrong("an integer as the score", score),
        },
    };
    let bare = result.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(result);
    let result = match (bare, word(bare)) {
        (_, Some(result)) => result,
        ("1.0" | "1", _) => 1,
        ("0.5", _) => 0,
        ("0.0" | "0", _) => -1,
        _ => return wrong("1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1 as the result", result),
    };
    Ok(Label { score, result, played: None }.of_white(turn))
}

/// Cuts a line with a score and a result after the position: the position, and the rest from its first `|` on.
///
/// None if there is no such sign, or if something else stands before it.
///
/// ```
/// let line = b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 3 | 0.5";
/// assert_eq!(setwise_table::split_labels(line), Some((&line[..30], &line[30..])));
/// assert_eq!(setwise_table::split_labels(b"4k3/8/8/8/8/8/8/4K3 w - - id \"a|b\";"), None);
/// ```
#[must_use]
pub fn split_labels(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(b'|', line)?;
    let (position, labels) = line.split_at(at);
    crate::rest(position).is_empty().then_some((position, labels))
}

/// A result in words, for white.
pub(crate) fn word(text: &str) -> Option<i8> {
    Some(match text {
        "1-0" | "white" => 1,
        "1/2-1/2" | "1/2" | "½-½" | "draw" => 0,
        "0-1" | "black" => -1,
        "*" | "" => Records::NO_RESULT,
        _ => return None,
    })
}

pub(crate) fn result_of_white(text: &str) -> Option<i8> {
    word(text.trim()).filter(|result| *result != Records::NO_RESULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_text_are_read() {
        for (text, score, result) in [
            ("| 0 | 0.5", 0, 0),
            ("|+17|0", 17, -1),
            ("| -2147483647 | 1/2-1/2", -2_147_483_647, 0),
            ("| 3 | [1.0]", 3, 1),
            ("| 32 | 1.0", 32, 1),
        ] {
            for (turn, sign) in [(Colour::White, 1), (Colour::Black, -1)] {
                let label = of_text(text.as_bytes(), turn).unwrap();
                assert_eq!((label.score, label.result), (sign * score, sign as i8 * result));
            }
        }
        for text in ["", "| | *", "| 32002 | *", "|-32002|"] {
            for turn in Colour::ALL {
                let label = of_text(text.as_bytes(), turn).unwrap();
                assert_eq!((label.score, label.result), (Records::NO_SCORE, Records::NO_RESULT));
            }
        }
        for text in
            ["3", "| 3", "| x | 1", "| 3 | 2", "| -2147483648 | 1", "| 3 | 1 | 1", "| 1.0 | 32"]
        {
            assert!(of_text(text.as_bytes(), Colour::White).is_err(), "{text}");
        }
    }
}
