//! `.plain`, the text format of Stockfish's tools: lines of a keyword and its value, then a line `e`.
//!
//! | line | |
//! |---|---|
//! | `fen` | the position |
//! | `move` | the move in UCI notation; castling may be the king's move to its rook |
//! | `score` | the score for the side to move; 32002 for none |
//! | `ply` | half-moves since the start; if missing, computed from the move number |
//! | `result` | the result for the side to move: 1, 0 or -1 |

use setwise::Fen;

use crate::error::Fault;
use crate::records::{counted_ply, find_legal, legal_move};
use crate::{MoveKind, Records, fixed, lines};

const KEYWORDS: [&str; 5] = ["fen", "move", "score", "ply", "result"];

/// The maximum size of a record in bytes.
pub(crate) const LONGEST: usize = 4096;

/// The size of the first record in bytes, including its line `e`.
pub(crate) fn length(text: &[u8]) -> Option<usize> {
    let mut end = 0;
    lines::split(text).find_map(|line| {
        end += line.len();
        (line.trim_ascii() == b"e").then_some(end)
    })
}

/// The ply of a record; `None` if the record is invalid.
pub(crate) fn ply(record: &[u8]) -> Option<i64> {
    let value = |keyword: &str| {
        lines::split(record).find_map(|line| line.trim_ascii().strip_prefix(keyword.as_bytes()))
    };
    match value("ply ") {
        Some(ply) => str::from_utf8(ply.trim_ascii()).ok()?.parse::<u32>().ok().map(i64::from),
        None => Some(counted_ply(&Fen::parse(value("fen ")?.trim_ascii()).ok()?)),
    }
}

/// Appends the row of a record whose first line has line number `first`.
pub(crate) fn read(record: &[u8], first: u64, batch: &mut Records) -> Result<(), Fault> {
    let (mut fen, mut played, mut ply) = (None, None, None);
    let (mut score, mut result) = (Records::NO_SCORE, Records::NO_RESULT);
    let (mut at, mut seen) = (0, 0u8);
    for (number, line) in (first..).zip(lines::split(record)) {
        let text = String::from_utf8_lossy(line);
        let (word, value) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let value = value.trim();
        let fault = |expected: &str| {
            let shown: String = text.trim().chars().take(100).collect();
            Fault::of(at, format!("line {number}: expected {expected}, found `{shown}`"))
        };
        if let Some(keyword) = KEYWORDS.iter().position(|keyword| *keyword == word) {
            if seen >> keyword & 1 == 1 && word != "fen" {
                return Err(fault(&format!("one line `{word}` per record")));
            }
            seen |= 1 << keyword;
        }
        match word {
            "fen" if fen.is_some() => return Err(fault("the line `e` before the next `fen`")),
            "fen" => {
                let found = Fen::parse(value.as_bytes());
                let found = found.map_err(|error| fault(&format!("a position ({error})")))?;
                let of_line = |fault| Fault::of(at, format!("line {number}: {fault}"));
                fixed::pieces(&found.pieces).map_err(|fault| of_line(fault.into_text()))?;
                fen = Some(found);
            }
            "move" => played = Some((value.to_owned(), fault("a legal move in UCI notation"))),
            "score" => {
                score = value.parse::<i16>().map_err(|_| fault("a score of 16 bits"))?.into();
            }
            "ply" => ply = Some(value.parse::<u32>().map_err(|_| fault("a number of half-moves"))?),
            "result" => {
                result = match value {
                    "1" => 1,
                    "0" => 0,
                    "-1" => -1,
                    _ => return Err(fault("a result of 1, 0 or -1")),
                }
            }
            "e" | "" => {}
            _ => return Err(fault("`fen`, `move`, `score`, `ply`, `result` or `e`")),
        }
        at += line.len();
    }
    let Some(fen) = fen else {
        let text = format!("line {first}: expected a `fen` before the line `e`, found none");
        return Err(Fault::of(0, text));
    };
    let played = match played {
        Some((text, fault)) => Some(legal_move(&text, &fen).map_err(|_| fault)?.1),
        None => None,
    };
    batch.push_fen(&fen);
    let counted = counted_ply(&fen).min(u32::MAX.into()) as u32;
    batch.score.push(score);
    batch.result.push(result);
    batch.moves.push(played);
    batch.ply.push(ply.unwrap_or(counted));
    Ok(())
}

pub(crate) fn write(batch: &Records, row: usize, into: &mut Vec<u8>) -> Result<(), Fault> {
    use std::io::Write as _;
    let fen = batch.fen(row);
    fixed::pieces(&fen.pieces)?;
    let ply: u32 = fixed::narrow(0, batch.half_moves(row), "a ply")?;
    let score = i64::from(batch.score.get(row).copied().unwrap_or(0));
    let score: i16 = fixed::narrow(0, score, "a score")?;
    let result = i32::from(fixed::result(batch, row, 0)?) - 1;
    let _ = writeln!(into, "fen {fen}");
    if let Some(played) = batch.moves.get(row).copied().flatten() {
        let promotion = match played.kind {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        };
        // The reader accepts legal moves only.
        if find_legal(&fen, played.from, played.to, promotion).is_none() {
            return Err(Fault::new(0, "a legal move", format!("`{played}` in the position {fen}")));
        }
        let _ = writeln!(into, "move {played}");
    }
    let _ = writeln!(into, "score {score}\nply {ply}\nresult {result}\ne");
    Ok(())
}
