//! Rows of text to positions, and what becomes of rows that are none.

use setwise::Fen;

use crate::builder::Builder;
use crate::error::BadRow;
use crate::maps::OnBad;
use crate::text::Text;

/// Puts all rows into the builder, and gives back those whose text is bad, in order; or the first of them
/// if it is to stop. `size` rows are looked up at a time.
pub(crate) fn read(
    text: &Text<'_>,
    on_bad: OnBad,
    size: usize,
    into: &mut Builder<'_>,
) -> Result<Vec<BadRow>, BadRow> {
    let rows = text.len();
    let size = size.min(rows).max(1);
    let mut lines = Vec::with_capacity(size);
    let mut bad = Vec::new();
    for start in (0..rows).step_by(size) {
        lines.clear();
        text.lines(start..rows.min(start + size), &mut lines);
        for (row, line) in (start..).zip(&lines) {
            match line.map(Fen::parse) {
                Some(Ok(fen)) => into.push(&fen),
                None => into.push_null(),
                Some(Err(error)) => {
                    let text = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
                    let this = BadRow { row, text, error };
                    match on_bad {
                        OnBad::Stop => return Err(this),
                        OnBad::Null => into.push_null(),
                        OnBad::Drop => {}
                    }
                    bad.push(this);
                }
            }
        }
    }
    Ok(bad)
}
