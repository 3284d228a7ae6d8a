//! Returns successors as numpy arrays.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use setwise::legal::{Move, State};
use setwise::{Pieces, Positions, Successors};
use setwise_formats::Records;

use crate::input::{self, state_arrays, state_of};
use crate::query::{kernel_of, run};

/// The number of parents between two checks for signals, whose successors stay in the cache.
const PARENTS: usize = 1024;

/// Computes the successors of boards of shape `[n, 8]`: offsets by parent, moves, boards and states. Invalid positions
/// have no successors.
#[pyfunction]
pub(crate) fn successors<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    state: input::State<'py>,
    backend: Option<&str>,
) -> PyResult<Bound<'py, PyTuple>> {
    let kernel = kernel_of(backend)?;
    let pieces: Vec<Pieces> =
        boards.as_slice()?.as_chunks().0.iter().copied().map(Pieces::from_sets).collect();
    let Records { turn, castling, en_passant, .. } = state_of(&state, None)?;
    let (mut offsets, mut moves, mut sets, mut states) = (vec![0], vec![], vec![], vec![]);
    run(py, &[], None, |_, go_on| {
        let (mut after, mut end) = (Successors::new(), 0);
        for (part, pieces) in pieces.chunks(PARENTS).enumerate() {
            go_on()?;
            let rows = part * PARENTS..part * PARENTS + pieces.len();
            let known: Vec<_> =
                rows.map(|row| State::new(turn[row], castling[row], en_passant[row])).collect();
            kernel.successors(Positions::from(pieces).with_states(&known), &mut after);
            offsets.extend(after.offsets()[1..].iter().map(|&offset| end + offset as i64));
            end += after.len() as i64;
            moves.extend(after.moves().iter().copied().map(Move::bits));
            sets.extend(after.pieces().iter().map(Pieces::sets));
            states.extend_from_slice(after.states());
        }
        Ok(())
    })?;
    let state = states.iter().map(|state| (state.turn(), state.castling(), state.en_passant()));
    let state = state_arrays(py, state);
    let boards = PyArray1::<u64>::from_vec(py, sets.into_flattened());
    let boards = boards.reshape([states.len(), 8])?;
    let (offsets, moves) = (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, moves));
    (offsets, moves, boards, state).into_pyobject(py)
}
