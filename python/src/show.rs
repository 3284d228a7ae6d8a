//! One position, drawn as the program draws it.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_schema::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use setwise::{Colour, Fen};
use setwise_draw::{Panel, picture, side_by_side};
use setwise_table::{BadRow, Column, Maps};

use crate::error::{fen_error, raised};

/// The text and the picture of a position and a map.
#[pyfunction]
pub(crate) fn show(py: Python<'_>, fen: &str, map: &str) -> PyResult<(String, String)> {
    let fen = match fen {
        "startpos" => Fen::START,
        text => Fen::parse(text).map_err(|error| {
            let bad = BadRow { row: 0, text: text.to_owned(), error };
            fen_error(py, bad.to_string(), &bad)
        })?,
    };
    let of = |name: &str| -> PyResult<(Column, u64)> {
        let column: Column = name.parse().map_err(|error| raised(py, error))?;
        if column.data_type(false) != DataType::UInt64 {
            return Err(PyValueError::new_err(format!(
                "column '{name}' is no set of squares; 'attackers' and 'threats' can be drawn besides those"
            )));
        }
        let maps = Maps::default().columns([column]);
        let mut builder = maps.builder(1).map_err(|error| raised(py, error))?;
        builder.push(&fen);
        Ok((column, builder.finish()[0].as_primitive::<UInt64Type>().value(0)))
    };
    let (names, panels): (Vec<&str>, Vec<Panel<'_>>) = match map {
        "attackers" => (vec!["white_all", "black_all"], Colour::ALL.map(Panel::Attackers).to_vec()),
        "threats" => (vec!["white_all", "black_all"], Colour::ALL.map(Panel::Threats).to_vec()),
        name => {
            let (column, squares) = of(name)?;
            let (name, meaning) = (column.name(), column.meaning());
            (vec![name], vec![Panel::Map { name, meaning, squares }])
        }
    };
    let boards = names.iter().map(|&name| Ok((name, of(name)?.1)));
    let boards = boards.collect::<PyResult<Vec<_>>>()?;
    let text = side_by_side(&fen, &boards).concat().join("\n");
    Ok((text, picture(&fen, &panels)))
}
