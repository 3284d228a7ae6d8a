//! Draws one position, like the command-line program.

use pyo3::prelude::*;
use setwise::{Colour, Fen};
use setwise_draw::{Panel, picture, side_by_side};
use setwise_table::BadRow;

use crate::error::{fen_error, wrong};
use crate::query::selected;

/// Returns the text and the picture of a position with at least one set of squares. `attackers` and `threats` draw both
/// sides.
#[pyfunction]
pub(crate) fn show(fen: &str, columns: Option<Vec<String>>) -> PyResult<(String, String)> {
    let fen = match fen {
        "startpos" => Fen::START,
        text => Fen::parse(text).map_err(|error| {
            let character = error.column();
            let (place, reason) = (format!("character {character}"), error.to_string());
            fen_error(&BadRow { row: 0, place, character, reason, text: text.as_bytes().to_vec() })
        })?,
    };
    let mut in_text: Vec<(&str, u64)> = Vec::new();
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for name in &columns.unwrap_or_else(|| vec!["attackers".to_owned()]) {
        match name.as_str() {
            "attackers" | "threats" => {
                let panel = if name == "attackers" { Panel::Attackers } else { Panel::Threats };
                panels.extend(Colour::ALL.map(panel));
                for column in selected(&["white_all".to_owned(), "black_all".to_owned()])?.0 {
                    let squares = column.value(&fen).unwrap_or(0) as u64;
                    if !in_text.contains(&(column.name(), squares)) {
                        in_text.push((column.name(), squares));
                    }
                }
            }
            "legal" | "legal_moves" => panels.push(Panel::LegalMoves((&fen).into())),
            _ => {
                let (mut columns, optional) = selected(std::slice::from_ref(name))?;
                if columns.iter().any(|column| column.is_board()) {
                    columns.retain(|column| column.is_board() || !optional.contains(column));
                }
                for column in columns {
                    let squares = column.value(&fen).filter(|_| column.is_board());
                    let (name, meaning) = (column.name(), column.meaning());
                    let squares = squares.map(|squares| squares as u64).ok_or_else(|| {
                        wrong(format!(
                            "column `{name}` is not a set of squares; \
                             besides those, `attackers`, `threats` and `legal` can be drawn"
                        ))
                    })?;
                    in_text.push((name, squares));
                    panels.push(Panel::Map { name, meaning, squares });
                }
            }
        }
    }
    if panels.is_empty() {
        return Err(wrong("`columns` has no names"));
    }
    if in_text.is_empty() {
        // All destinations of legal moves.
        let legal = setwise::position::legal(&fen.pieces, (&fen).into());
        let targets = legal.map_or([0; 64], |legal| legal.targets());
        in_text.push(("destinations", targets.into_iter().fold(0, |all, targets| all | targets)));
    }
    let text: Vec<_> = side_by_side(&fen, &in_text).iter().map(|lines| lines.join("\n")).collect();
    Ok((text.join("\n\n"), picture(&fen, &panels)))
}
