//! Returns successors as numpy arrays.

use numpy::{PyArrayMethods, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use setwise::legal::Move;
use setwise::{Pieces, Positions, Successors};

use crate::input::{State, StateArrays};
use crate::query::kernel_of;

/// Computes the successors of boards of shape `[n, 8]`: offsets by parent, moves, boards and states. Invalid positions
/// have no successors.
#[pyfunction]
pub(crate) fn successors<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    state: StateArrays<'py>,
    backend: Option<&str>,
) -> PyResult<Bound<'py, PyTuple>> {
    let kernel = kernel_of(backend)?;
    let pieces: Vec<Pieces> =
        boards.as_slice()?.as_chunks().0.iter().copied().map(Pieces::from_sets).collect();
    let State { turns, castling, en_passant } = State::new(&state)?;
    let positions = Positions::from(&pieces).with_turns(&turns).with_castling(&castling);
    let positions = positions.with_en_passant(&en_passant);
    let mut successors = Successors::new();
    py.detach(|| kernel.successors(positions, &mut successors));
    let offsets: Vec<i64> = successors.offsets().iter().map(|&offset| offset as i64).collect();
    let moves: Vec<u16> = successors.moves().iter().copied().map(Move::bits).collect();
    let words: Vec<u64> = successors.pieces().iter().flat_map(Pieces::sets).collect();
    let states = successors.states().iter();
    let turn: Vec<u8> = states.clone().map(|state| state.turn() as u8).collect();
    let white: Vec<u8> = states.clone().map(|state| state.castling().white).collect();
    let black: Vec<u8> = states.clone().map(|state| state.castling().black).collect();
    let square: Vec<i16> = states.map(|state| state.en_passant().map_or(-1, i16::from)).collect();
    let state =
        (turn.to_pyarray(py), white.to_pyarray(py), black.to_pyarray(py), square.to_pyarray(py));
    let boards = words.to_pyarray(py).reshape([successors.len(), 8])?;
    (offsets.to_pyarray(py), moves.to_pyarray(py), boards, state).into_pyobject(py)
}
