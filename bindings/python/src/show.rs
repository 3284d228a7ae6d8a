//! Draws one position, as the program does.

use pyo3::prelude::*;
use setwise::{Colour, Fen};
use setwise_draw::{Panel, picture, side_by_side};
use setwise_table::{BadRow, Column};

use crate::error::{fen_error, wrong};
use crate::query::selected;

/// The text and the picture of a position with at least one set of squares. `attackers` and `threats` draw both sides.
#[pyfunction]
pub(crate) fn show(fen: &str, columns: Option<Vec<String>>) -> PyResult<(String, String)> {
    let fen = match fen {
        "startpos" => Fen::START,
        text => Fen::parse(text).map_err(|error| {
            let character = error.column();
            let (place, reason) = (format!("character {character}"), error.to_string());
            let bad = BadRow { row: 0, place, character, reason, text: text.as_bytes().to_vec() };
            fen_error(bad.to_string(), &bad)
        })?,
    };
    let sides = || [("white_all", Colour::White), ("black_all", Colour::Black)];
    let mut in_text: Vec<(&str, u64)> = Vec::new();
    let mut panels: Vec<Panel<'_>> = Vec::new();
    let columns = columns.unwrap_or_else(|| vec!["attackers".to_owned()]);
    for name in &columns {
        let panel = match name.as_str() {
            "attackers" => Panel::Attackers,
            "threats" => Panel::Threats,
            "legal" | "legal_moves" => {
                panels.push(Panel::LegalMoves((&fen).into()));
                continue;
            }
            _ => {
                for column in selected(std::slice::from_ref(name))? {
                    let squares = column.value(&fen).filter(|_| column.is_board());
                    let (name, meaning) = (column.name(), column.meaning());
                    let squares = squares.ok_or_else(|| {
                        wrong(format!(
                            "column `{name}` is not a set of squares; \
                             besides those, `attackers`, `threats` and `legal` can be drawn"
                        ))
                    })?;
                    in_text.push((name, squares));
                    panels.push(Panel::Map { name, meaning, squares });
                }
                continue;
            }
        };
        for (name, colour) in sides() {
            panels.push(panel(colour));
            if !in_text.iter().any(|(other, _)| *other == name) {
                in_text.push((name, value(name, &fen)?));
            }
        }
    }
    if panels.is_empty() {
        return Err(wrong("`columns` has no names"));
    }
    if in_text.is_empty() {
        in_text.push(("destinations", destinations(&fen)));
    }
    let text: Vec<_> = side_by_side(&fen, &in_text).iter().map(|lines| lines.join("\n")).collect();
    Ok((text.join("\n\n"), picture(&fen, &panels)))
}

/// All squares that legal moves go to.
fn destinations(fen: &Fen) -> u64 {
    let legal = setwise::position::legal(&fen.pieces, fen.into());
    legal.map_or(0, |legal| legal.targets().into_iter().fold(0, |all, targets| all | targets))
}

fn value(name: &str, fen: &Fen) -> PyResult<u64> {
    let column: Column = name.parse().map_err(wrong)?;
    Ok(column.value(fen).unwrap_or(0))
}
