//! Lines of text. Each is a FEN or EPD, blank, or a comment.

use std::sync::Arc;

use setwise::Fen;

use crate::error::{BadRow, Error};
use crate::labels::{self, Label, split_labels};
use crate::rows::{Part, Rows};

/// The maximum number of bytes in a line. Text with longer lines does not contain positions.
pub const MAX_LINE: usize = 64 * 1024;

/// Complete lines of one or several inputs.
#[derive(Default)]
pub struct Lines {
    /// The lines, each with its line end.
    pub text: Vec<u8>,
    /// The inputs from which the lines come.
    pub runs: Vec<LineRun>,
    /// The number of lines.
    pub count: usize,
}

/// Consecutive lines of one input.
pub struct LineRun {
    /// The name of the input, for messages.
    pub input: Arc<str>,
    /// The number of the first line, from 1.
    pub first: u64,
    /// The end of the lines in the text.
    pub end: usize,
}

/// A line with its place.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// The name of the input.
    pub input: &'a str,
    /// The number of the line, from 1.
    pub number: u64,
    /// The text without the line end. If it is longer than [`MAX_LINE`], only the first [`MAX_LINE`] + 1 bytes.
    pub text: &'a [u8],
}

/// The contents of a line.
pub enum LineContent<'a> {
    /// A blank line.
    Blank,
    /// A line that starts with `#`.
    Comment,
    /// A position, and the text of the line without trailing blanks.
    Position(Fen, &'a [u8]),
    /// Anything else: the first wrong character, and the reason.
    Invalid(usize, String),
}

impl Lines {
    /// The lines in order.
    pub fn iter(&self) -> impl Iterator<Item = Line<'_>> {
        let mut start = 0;
        self.runs.iter().flat_map(move |run| {
            let text = &self.text[start..run.end];
            start = run.end;
            let mut begin = 0;
            memchr::memchr_iter(b'\n', text).zip(run.first..).map(move |(end, number)| {
                let line = &text[begin..end];
                begin = end + 1;
                Line { input: &run.input, number, text: line }
            })
        })
    }

    /// Converts the lines to a part that appends the positions to rows.
    #[must_use]
    pub fn into_part<E: From<Error>>(self) -> Part<'static, E> {
        let (rows, bytes) = (self.count, self.text.len());
        let read = move |rows: &mut Rows<'_>| {
            let has_returns = memchr::memchr(b'\r', &self.text).is_some();
            for (at, line) in self.iter().enumerate() {
                if at == 0 || line.number == 1 {
                    rows.name(&format!("{}:", line.input));
                }
                rows.push_line(line, at as u64, has_returns)?;
            }
            Ok(())
        };
        Part { rows, bytes, read: Box::new(read) }
    }
}

impl Rows<'_> {
    /// Appends a line of text with this index in the part. `has_returns` is true if lines may end with carriage
    /// returns.
    fn push_line(&mut self, line: Line<'_>, at: u64, has_returns: bool) -> Result<(), Error> {
        let plan = self.plan();
        // If labels are read, most lines have labels. Those of a line that is too long may be cut off.
        let has_labels = plan.reads_labels && !line.is_too_long();
        let split = if has_labels { split_labels(line.text) } else { None };
        let content = match split {
            Some((text, _)) => Line { text, ..line }.parse(has_returns),
            None => line.parse(has_returns),
        };
        let (character, reason) = match content {
            LineContent::Blank => {
                self.report.blank += 1;
                return Ok(());
            }
            LineContent::Comment => {
                self.report.comments += 1;
                return Ok(());
            }
            _ if !self.wants(at) => return Ok(()),
            LineContent::Position(fen, text) => {
                let labels = split.map_or(&b""[..], |(_, labels)| labels);
                let label = match plan.reads_labels {
                    true => labels::of_text(labels, fen.turn),
                    false => Ok(Label::NONE),
                };
                match label {
                    Ok(label) => {
                        let bad = |character, reason| line.bad(character, reason);
                        if !self.check_text(&fen, text, bad)? {
                            return self.push_null(Some(text), line.number);
                        }
                        let text = if split.is_some() { line.text.trim_ascii_end() } else { text };
                        self.push(&fen, text, line.number, label);
                        return Ok(());
                    }
                    Err(reason) => (text.len() + 1, reason),
                }
            }
            LineContent::Invalid(character, reason) => (character, reason),
        };
        let text = line.text.trim_ascii_end();
        self.push_invalid(Some(text), line.number, || line.bad(character, reason))
    }
}

impl<'a> Line<'a> {
    /// Parses the contents of the line.
    #[inline]
    #[must_use]
    pub fn content(&self) -> LineContent<'a> {
        self.parse(true)
    }

    /// Parses the contents of the line. `has_returns` is true if it may end with carriage returns.
    #[inline(always)]
    fn parse(&self, has_returns: bool) -> LineContent<'a> {
        let text = self.text.trim_ascii_end();
        let too_long = self.is_too_long();
        if text.is_empty() && !too_long {
            return LineContent::Blank;
        }
        if text.starts_with(b"#") {
            return LineContent::Comment;
        }
        if has_returns && let Some(at) = memchr::memchr(b'\r', text) {
            let character = String::from_utf8_lossy(&text[..at]).chars().count() + 1;
            let reason =
                "a carriage return within the line; expected lines that end with LF or CR LF";
            return LineContent::Invalid(character, reason.into());
        }
        if too_long {
            let reason =
                format!("the line is longer than {MAX_LINE} bytes; only its start is kept");
            return LineContent::Invalid(MAX_LINE + 1, reason);
        }
        let error = match Fen::parse(text) {
            Ok(fen) => return LineContent::Position(fen, text),
            Err(error) => error,
        };
        match split_labels(text).map(|(position, _)| Fen::parse(position.trim_ascii_end())) {
            Some(Ok(fen)) => LineContent::Position(fen, text),
            _ => LineContent::Invalid(error.column(), error.to_string()),
        }
    }

    /// Returns whether the line is too long, and its text therefore cut. The return of a line end with two bytes does not
    /// count.
    fn is_too_long(&self) -> bool {
        self.text.strip_suffix(b"\r").unwrap_or(self.text).len() > MAX_LINE
    }

    /// Describes the line as an invalid row.
    #[must_use]
    pub fn bad(&self, character: usize, reason: String) -> BadRow {
        // A line that is too long stays so, and therefore invalid.
        let text = if self.is_too_long() { self.text } else { self.text.trim_ascii_end() };
        BadRow {
            row: self.number,
            place: format!("{}:{}:{character}", self.input, self.number),
            character,
            reason,
            text: text.to_vec(),
        }
    }
}
