//! Heat maps: counts of how often each square is in a set, as numpy arrays, and their picture.

use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use setwise_draw::{HeatBoard, heat_picture, heat_text};
use setwise_table::{Column, HeatPlan};

use crate::error::{Stopped, raised};
use crate::input::Positions;
use crate::query::{Query, run};

/// The names of the columns, the first plies of the groups, the number of positions of each, and the counts, of shape
/// `[groups, columns, 64]`.
type Heat<'py> = (Vec<&'static str>, Vec<u32>, Vec<u64>, Bound<'py, PyArray3<u64>>);

#[pyfunction]
pub(crate) fn heat<'py>(
    py: Python<'py>,
    positions: &Positions,
    query: &Query,
    plies: Option<u32>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Heat<'py>> {
    let plan = HeatPlan::new(&query.query, &positions.input, plies).map_err(raised)?;
    let heat = positions.with_chunks(py, |chunks| {
        run(py, chunks, progress, |chunks, go_on| plan.collect::<_, Stopped>(chunks, go_on))
    })?;
    let counts: Vec<u64> =
        heat.values().flat_map(|heat| heat.squares.as_flattened().iter().copied()).collect();
    let names: Vec<_> = plan.columns().iter().map(|column| column.name()).collect();
    let counts = numpy::PyArray1::from_vec(py, counts).reshape([heat.len(), names.len(), 64])?;
    let rows = heat.values().map(|heat| heat.rows).collect();
    Ok((names, heat.into_keys().collect(), rows, counts))
}

/// Draws heat maps of `maps` columns, as text and as a picture, which is empty without boards. A board is the name of
/// its column, the rest of its title, 64 shares, and whether these are differences.
#[pyfunction]
pub(crate) fn draw_heat(
    note: &str,
    maps: usize,
    boards: Vec<(String, String, [f64; 64], bool)>,
) -> (String, String) {
    let board = |(name, more, shares, is_difference): (String, String, [f64; 64], bool)| {
        let meaning = match is_difference {
            true => "percentage points",
            false => name.parse().map_or("", Column::meaning),
        };
        HeatBoard { title: name + &more, meaning, shares, is_difference }
    };
    let boards: Vec<_> = boards.into_iter().map(board).collect();
    let title = "How often each square is in a map";
    let picture = match boards.is_empty() {
        true => String::new(),
        false => heat_picture(title, note, maps, &boards),
    };
    (heat_text(note, &boards).trim_end().to_owned(), picture)
}
