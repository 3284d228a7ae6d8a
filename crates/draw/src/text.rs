//! Draws boards as text: side by side with letters and crosses, and heat maps with a number on each square.

use std::fmt::Write;

use setwise::bitboard::Drawing;
use setwise::{Colour, Fen, Role};

use crate::svg::HeatBoard;

/// The width of a board in characters.
const WIDTH: usize = 18;
/// The maximum width of a row of boards, including the spaces after the last: three boards, or fewer with long names.
const ACROSS: usize = 80;

/// Draws the position and each set of squares with its name, three boards per row. Below them are the side to move and
/// the sets as numbers. Returns the lines of each row of boards. Every row has the same lines: names, eight ranks, an
/// empty line, files, and the line with the numbers.
///
/// ```
/// let rows = setwise_draw::side_by_side(&setwise::Fen::START, &[("white_all", 0xffff7e)]);
/// assert_eq!(rows.len(), 1);
/// assert_eq!(rows[0][8], "1  R N B Q K B N R    1  . x x x x x x .");
/// ```
#[must_use]
pub fn side_by_side(fen: &Fen, maps: &[(&str, u64)]) -> Vec<Vec<String>> {
    let turn = format!("{} to move", fen.turn);
    let mut blocks = vec![block("", &fen.pieces.to_string(), &turn)];
    for &(name, squares) in maps {
        let number = format!("{squares:#018x}");
        blocks.push(block(name, &Drawing(squares).to_string(), &number));
    }
    let width = |block: &Vec<String>| block[0].len().max(WIDTH) + 4;
    let mut rows: Vec<Vec<Vec<String>>> = Vec::new();
    for block in blocks {
        match rows.last_mut() {
            Some(row) if row.iter().chain([&block]).map(width).sum::<usize>() <= ACROSS => {
                row.push(block);
            }
            _ => rows.push(vec![block]),
        }
    }
    let row = |blocks: Vec<Vec<String>>| {
        let line = |row: usize| {
            let mut line = String::new();
            for block in &blocks {
                let width = width(block);
                let _ = write!(line, "{:<width$}", block[row]); // writing to memory does not fail
            }
            line.truncate(line.trim_end().len());
            line
        };
        (0..blocks[0].len()).map(line).collect()
    };
    rows.into_iter().map(row).collect()
}

/// Adds one line above a drawing and one line below it.
fn block(above: &str, drawing: &str, below: &str) -> Vec<String> {
    let mut lines = vec![above.to_owned()];
    lines.extend(drawing.lines().map(str::to_owned));
    lines.push(below.to_owned());
    lines
}

/// The FEN letter of a piece.
#[must_use]
pub fn letter((colour, role): (Colour, Role)) -> char {
    let letter = char::from(b"pnbrqk"[role as usize]);
    if colour == Colour::White { letter.to_ascii_uppercase() } else { letter }
}

/// Draws heat maps after a note on the positions: the percentage of the positions for each square, one board below the
/// other.
#[must_use]
pub fn heat_text(note: &str, boards: &[HeatBoard]) -> String {
    let mut text = format!("{note}: percents of them\n");
    for HeatBoard { title, shares, is_difference, .. } in boards {
        let _ = writeln!(text, "\n{title}");
        for (rank, shares) in shares.chunks(8).enumerate().rev() {
            let _ = write!(text, "{} ", rank + 1);
            for share in shares.iter().map(|share| 100.0 * share) {
                let _ = match is_difference {
                    true => write!(text, "{share:+6.1}"),
                    false => write!(text, "{share:6.1}"),
                };
            }
            text.push('\n');
        }
        let files: String = ('a'..='h').map(|file| format!("{file:>6}")).collect();
        let _ = writeln!(text, "  {files}");
    }
    text
}
