//! Lines to positions: what is skipped, what is wrong, and how that is shown.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use setwise::Fen;

use crate::columns::Builder;
use crate::input::{self, Batch, LONGEST, Line};

/// A line that is no position.
#[derive(Debug)]
pub(crate) struct BadLine {
    /// `file:line:column: what is wrong`
    pub(crate) message: String,
    pub(crate) text: Vec<u8>,
    column: usize,
}

/// What became of the lines of a batch besides rows.
#[derive(Default)]
pub(crate) struct NoRows {
    /// Lines with nothing on them.
    pub(crate) blank: u64,
    /// Lines that start with #.
    pub(crate) comments: u64,
    /// Lines, rows or records that are no position and were left out.
    pub(crate) bad: u64,
    /// Rows that are no position and have nulls.
    pub(crate) nulls: u64,
    /// The first of the bad lines, or all of them if they are to be kept.
    pub(crate) shown: Vec<BadLine>,
}

/// What to do with bad lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnBad {
    /// Stop at the first.
    Stop,
    /// Count them, and keep the first.
    Skip,
    /// Count and keep them.
    Keep,
}

/// Reads the positions of a batch into columns.
pub(crate) fn parse(
    batch: &Batch,
    inputs: &[PathBuf],
    on_bad: OnBad,
    into: &mut Builder<'_>,
) -> NoRows {
    let mut rest = NoRows::default();
    for line in batch.lines() {
        let text = line.text.trim_ascii_end();
        if text.is_empty() && line.text.len() <= LONGEST {
            rest.blank += 1;
            continue;
        }
        if text.starts_with(b"#") {
            rest.comments += 1;
            continue;
        }
        let (column, reason) = match position(&line, text) {
            Ok(position) => {
                into.push(&position, text, line.number);
                continue;
            }
            Err(wrong) => wrong,
        };
        rest.bad += 1;
        if on_bad == OnBad::Keep || rest.shown.is_empty() {
            rest.shown.push(BadLine::new(&line, inputs, column, &reason));
        }
        if on_bad == OnBad::Stop {
            break;
        }
    }
    rest
}

/// The position on a line, or the column and the reason why there is none. The text is the line without
/// the blanks at its end.
pub(crate) fn position(line: &Line<'_>, text: &[u8]) -> Result<Fen, (usize, String)> {
    if let Some(at) = memchr::memchr(b'\r', text) {
        let column = String::from_utf8_lossy(&text[..at]).chars().count() + 1;
        let reason = "a carriage return within the line; expected lines that end with LF or CR LF";
        return Err((column, reason.into()));
    }
    if line.text.len() > LONGEST {
        return Err((LONGEST + 1, format!("the line is longer than {LONGEST} bytes")));
    }
    Fen::parse(text).map_err(|error| (error.column(), error.to_string()))
}

/// Writes lines in such a way that, once corrected, the file can be read again: what is wrong stands in a
/// comment above each.
pub(crate) fn keep(lines: &[BadLine], into: &mut impl Write) -> io::Result<()> {
    for line in lines {
        writeln!(into, "# {}", line.message)?;
        // A cell of a table may have several lines.
        for line in line.text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            into.write_all(line)?;
            writeln!(into)?;
        }
    }
    Ok(())
}

impl BadLine {
    /// A position that stands in no file.
    pub(crate) fn of_text(text: &str, column: usize, reason: &str) -> Self {
        Self { message: format!("column {column}: {reason}"), text: text.into(), column }
    }

    /// A row of a table, or a record; the text is empty where it is none.
    pub(crate) fn of_row(message: String, text: &str, column: usize) -> Self {
        Self { message, text: text.into(), column }
    }

    pub(crate) fn new(line: &Line<'_>, inputs: &[PathBuf], column: usize, reason: &str) -> Self {
        let file = input::name(&inputs[line.input]);
        let message = format!("{file}:{}:{column}: {reason}", line.number);
        let mut text = line.text.trim_ascii_end().to_vec();
        text.truncate(LONGEST);
        Self { message, text, column }
    }
}

/// Characters of a line that an error shows.
const SHOWN: usize = 76;

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, caret) = shorten(&String::from_utf8_lossy(&self.text), self.column - 1);
        let (bold, red) = (Style::new().bold(), AnsiColor::Red.on_default().bold());
        if self.text.is_empty() {
            return write!(f, "{bold}{}{bold:#}", self.message);
        }
        write!(f, "{bold}{}{bold:#}\n  {line}\n  {:caret$}{red}^{red:#}", self.message, "")
    }
}

impl std::error::Error for BadLine {}

/// As much of a line as fits, around the character at `at`; and where that is now.
fn shorten(line: &str, at: usize) -> (String, usize) {
    // Control characters would move the caret, or worse.
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let line: Vec<char> = line.chars().map(shown).collect();
    let at = at.min(line.len());
    if line.len() <= SHOWN {
        return (line.into_iter().collect(), at);
    }
    let begin = at.saturating_sub(SHOWN / 2).min(line.len() - SHOWN);
    let mut part = line[begin..begin + SHOWN].to_vec();
    if begin > 0 {
        part[0] = '…';
    }
    if begin + SHOWN < line.len() {
        part[SHOWN - 1] = '…';
    }
    (part.into_iter().collect(), at - begin)
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn short_lines_stay() {
        assert_eq!(shorten("8/8 w", 2), ("8/8 w".into(), 2));
        assert_eq!(shorten("8/8", 9), ("8/8".into(), 3));
        assert_eq!(shorten("8\t8", 0), ("8\u{fffd}8".into(), 0));
    }

    #[test]
    fn the_caret_stays_below_its_character() {
        let line: String = ('!'..='~').cycle().take(500).collect();
        for (at, c) in line.chars().enumerate() {
            let (part, caret) = shorten(&line, at);
            assert_eq!(part.chars().count(), 76);
            assert_eq!(part.chars().nth(caret), Some(c), "{at}");
        }
    }
}
