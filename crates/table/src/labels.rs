//! What text says of a position for training: `fen | score | result`, as bullet's and other trainers' text has it.

/// The score and the result behind a position, for the side to move: `| 32 | 1.0`.
///
/// In the text both are for white: the score is an integer, the result `1.0`, `0.5` or `0.0`, or `1-0`, `1/2-1/2` or
/// `0-1`. None if there is nothing behind the position.
///
/// # Errors
/// A sentence that says what was expected and what was found.
///
/// ```
/// use setwise::Colour;
/// use setwise_table::labels;
/// assert_eq!(labels(b"| 32 | 1.0", Colour::White), Ok(Some((32, 1))));
/// assert_eq!(labels(b"|-5|1-0", Colour::Black), Ok(Some((5, -1))));
/// assert_eq!(labels(b"", Colour::Black), Ok(None));
/// assert!(labels(b"| 1.0 | 32", Colour::Black).is_err());
/// ```
pub fn labels(rest: &[u8], turn: setwise::Colour) -> Result<Option<(i32, i8)>, String> {
    let rest = String::from_utf8_lossy(rest);
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok(None);
    }
    let wrong = |expected: &str, found: &str| {
        Err(format!(
            "expected {expected} in `| score | result` behind the position, found `{found}`"
        ))
    };
    let Some(both) = rest.strip_prefix('|') else { return wrong("`|`", rest) };
    let Some((score, result)) = both.split_once('|') else { return wrong("a second `|`", rest) };
    let (score, result) = (score.trim(), result.trim());
    let Some(score) = score.parse().ok().filter(|score| *score != i32::MIN) else {
        return wrong("an integer as the score", score);
    };
    let result =
        match result.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(result) {
            "1.0" | "1" | "1-0" => 1,
            "0.5" | "1/2-1/2" => 0,
            "0.0" | "0" | "0-1" => -1,
            _ => return wrong("1.0, 0.5, 0.0, 1-0, 1/2-1/2 or 0-1 as the result", result),
        };
    Ok(Some(match turn {
        setwise::Colour::White => (score, result),
        setwise::Colour::Black => (-score, -result),
    }))
}

/// Cuts a line with a score and a result behind the position: the position, and the rest from its first `|` on.
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

#[cfg(test)]
mod tests {
    use setwise::Colour;

    use super::*;

    #[test]
    fn labels_are_read() {
        for (text, expected) in [
            ("| 0 | 0.5", (0, 0)),
            ("|+17|0", (17, -1)),
            ("| -2147483647 | 1/2-1/2", (-2_147_483_647, 0)),
            ("| 3 | [1.0]", (3, 1)),
        ] {
            assert_eq!(labels(text.as_bytes(), Colour::White), Ok(Some(expected)), "{text}");
            let other = (-expected.0, -expected.1);
            assert_eq!(labels(text.as_bytes(), Colour::Black), Ok(Some(other)), "{text}");
        }
        for text in ["3", "| 3", "| x | 1", "| 3 | 2", "| -2147483648 | 1", "| 3 | 1 | 1", "||"] {
            assert!(labels(text.as_bytes(), Colour::White).is_err(), "{text}");
        }
    }
}
