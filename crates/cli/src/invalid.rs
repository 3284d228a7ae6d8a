//! Formats invalid rows for users and for the file of rejects.

use std::fmt;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use setwise_table::{BadRow, MAX_LINE};

/// Displays an invalid row with its text and a mark below the wrong character.
pub(crate) struct Shown<'a> {
    pub(crate) bad: &'a BadRow,
    /// True if the command has the option --input-format.
    pub(crate) has_input_format: bool,
}

/// Writes invalid rows, each on one line after a comment with its error, so that the file can be corrected and read again.
/// The text of a game is unchanged.
pub(crate) fn write_rejects(rows: &[BadRow], games: bool, to: &mut impl Write) -> io::Result<()> {
    for bad in rows {
        if games {
            writeln!(to, "; {}\n", bad.message())?;
            to.write_all(&bad.text)?;
            to.write_all(b"\n\n")?;
            continue;
        }
        writeln!(to, "# {}", bad.message())?;
        // The start of a line that is too long must not be read as a whole one.
        let is_long = bad.text.len() > MAX_LINE;
        let text = if is_long { &bad.text } else { bad.text.trim_ascii_end() };
        if text.is_empty() {
            continue;
        }
        // A cell of a table may begin like a comment, and have several lines, one of which may be a position.
        if text.starts_with(b"#") {
            to.write_all(b" ")?;
        }
        for part in text.split_inclusive(|byte| b"\r\n".contains(byte)) {
            let (part, escaped) = match part {
                [part @ .., b'\n'] => (part, "\\n"),
                [part @ .., b'\r'] => (part, "\\r"),
                _ => (part, ""),
            };
            to.write_all(part)?;
            to.write_all(escaped.as_bytes())?;
        }
        writeln!(to)?;
    }
    Ok(())
}

/// The number of characters of a line that an error shows.
const SHOWN: usize = 76;

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bold, red) = (Style::new().bold(), AnsiColor::Red.on_default().bold());
        let BadRow { row, character, text, place, .. } = self.bad;
        let text = String::from_utf8_lossy(text);
        // Rows of tables and games have other places than lines.
        let is_line = place.ends_with(&format!(":{row}:{character}"));
        let hint = match looks_like(&text).filter(|_| is_line) {
            Some((name, format)) if self.has_input_format => {
                format!(" (it looks like {name}; use --input-format {format})")
            }
            Some((name, format)) => format!(
                " (it looks like {name}; `setwise convert --input-format {format}` makes text of it)"
            ),
            None => String::new(),
        };
        write!(f, "{bold}{}{hint}{bold:#}", self.bad.message())?;
        if text.is_empty() {
            return Ok(());
        }
        let (line, caret) = shorten(&text, character.saturating_sub(1));
        write!(f, "\n  {line}")?;
        if *character == 0 {
            return Ok(()); // the error is in another column
        }
        write!(f, "\n  {:caret$}{red}^{red:#}", "")
    }
}

/// Guesses the format of a line that is not a position. Returns its name in texts and for --input-format.
fn looks_like(line: &str) -> Option<(&'static str, &'static str)> {
    let is_fen = |cell: &str| cell.trim_matches('"').eq_ignore_ascii_case("fen");
    match line.trim_start_matches('\u{feff}') {
        pgn if pgn.starts_with('[') && pgn.ends_with("\"]") => Some(("PGN", "pgn")),
        json if json.starts_with('{') => Some(("JSON Lines", "jsonl")),
        csv if csv.split([',', ';', '\t']).any(is_fen) => Some(("CSV", "csv")),
        _ => None,
    }
}

/// Shortens a line to fit, around the character at index `at`. Also returns the new index of this character.
fn shorten(line: &str, at: usize) -> (String, usize) {
    // Control characters could move the cursor or change the terminal.
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let line: Vec<char> = line.chars().map(shown).collect();
    let at = at.min(line.len());
    if line.len() <= SHOWN {
        return (line.into_iter().collect(), at);
    }
    let begin = at.saturating_sub(SHOWN / 2).min(line.len() - SHOWN);
    let mut shown = line[begin..begin + SHOWN].to_vec();
    if begin > 0 {
        shown[0] = '…';
    }
    if begin + SHOWN < line.len() {
        shown[SHOWN - 1] = '…';
    }
    (shown.into_iter().collect(), at - begin)
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn short_lines_are_unchanged() {
        assert_eq!(shorten("8/8 w", 2), ("8/8 w".into(), 2));
        assert_eq!(shorten("8/8", 9), ("8/8".into(), 3));
        assert_eq!(shorten("8\t8", 0), ("8\u{fffd}8".into(), 0));
    }

    #[test]
    fn the_caret_stays_below_its_character() {
        let line: String = ('!'..='~').cycle().take(500).collect();
        for (at, c) in line.chars().enumerate() {
            let (shown, caret) = shorten(&line, at);
            assert_eq!(shown.chars().count(), 76);
            assert_eq!(shown.chars().nth(caret), Some(c), "{at}");
        }
    }
}
