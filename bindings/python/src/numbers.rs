//! Returns results as numpy arrays: boards, attack maps and network inputs.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, LargeListArray, downcast_integer};
use arrow_buffer::{ArrowNativeType, ScalarBuffer};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use setwise::Colour;
use setwise_nnue::{FeatureError, FeatureSet};
use setwise_table::{Place, each};

use crate::error::{Stopped, wrong};
use crate::input::Positions;
use crate::maps::collect_positions;
use crate::query::{Query, run, threads_or_all};
use crate::table::{Nulls, nulls_of};

/// Writes `k` columns of 64-bit numbers or arrays of these to the rows of `out`, one after another. Undefined values
/// are zero.
#[pyfunction]
pub(crate) fn fill<'py>(
    py: Python<'py>,
    positions: &Positions,
    query: &Query,
    mut out: PyReadwriteArray2<'_, u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Nulls<'py>> {
    if out.is_empty() {
        return Ok(None);
    }
    let mut out = out.as_array_mut();
    let gaps = || wrong("a column of `out` does not lie in one piece");
    let columns = out.outer_iter_mut().map(|column| column.into_slice());
    let columns: Vec<&mut [u64]> = columns.collect::<Option<_>>().ok_or_else(gaps)?;
    let read = positions.memory(py);
    for Range { start, end } in columns.iter().map(|column| column.as_ptr_range()) {
        let is_written = |read: &Range<_>| read.start < end.cast() && start.cast() < read.end;
        if read.iter().any(|read| !read.is_empty() && is_written(read)) {
            return Err(wrong("`out` and the boards overlap"));
        }
    }
    let places = columns.into_iter().map(Place::from).collect();
    positions.with_chunks(py, |chunks| {
        let plan = query.plan(&positions.input)?;
        let nulls = run(py, chunks, progress, |chunks, go_on| {
            plan.collect_into::<_, Stopped>(chunks, places, go_on)
        })?;
        Ok(nulls_of(py, nulls.iter().flatten().next()))
    })
}

/// Lists the named feature sets with the number of inputs of each. ``FeatureSet(name)`` has more details.
///
/// >>> import setwise
/// >>> setwise.feature_sets()["stockfish-threats-2026-08"]
/// 59808
#[pyfunction]
pub(crate) fn feature_sets(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    FeatureSet::ALL.iter().map(|set| (set.name(), set.inputs())).into_py_dict(py)
}

/// The offsets and items of lists.
type Lists<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>);

/// Computes columns of lists. Returns for each its offsets, of shape `[n + 1]`, and its items, as writable arrays.
#[pyfunction]
pub(crate) fn lists<'py>(
    py: Python<'py>,
    positions: &Positions,
    query: &Query,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Vec<Lists<'py>>, Nulls<'py>)> {
    let columns = lists_of(py, positions, query, progress)?;
    let nulls = nulls_of(py, columns[0].nulls());
    let arrays = columns.into_iter().map(|lists| {
        let (_, offsets, items, _) = lists.into_parts();
        Ok((PyArray1::from_vec(py, in_vec(offsets.into_inner())), owned(py, items)?))
    });
    Ok((arrays.collect::<PyResult<_>>()?, nulls))
}

/// Converts numbers to a numpy array, without a copy unless they are shared.
pub(crate) fn owned(py: Python<'_>, array: ArrayRef) -> PyResult<Bound<'_, PyAny>> {
    macro_rules! of {
        ($of:ty) => {{
            let values = array.as_primitive::<$of>().values().clone();
            drop(array);
            Ok(PyArray1::from_vec(py, in_vec(values)).into_any())
        }};
    }
    downcast_integer! {
        array.data_type() => (of),
        other => Err(wrong(format!("a column of {other}")))
    }
}

fn in_vec<T: ArrowNativeType>(values: ScalarBuffer<T>) -> Vec<T> {
    values.into_inner().into_vec().unwrap_or_else(|shared| shared.typed_data().to_vec())
}

/// Computes the inputs of both sides as rows of `width`, with -1 after the last input.
#[pyfunction]
pub(crate) fn feature_rows<'py>(
    py: Python<'py>,
    positions: &Positions,
    query: &Query,
    width: usize,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<([Bound<'py, PyArray2<i32>>; 2], Nulls<'py>)> {
    /// Rows per task. A task takes a few tenths of a millisecond.
    const ROWS: usize = 4096;
    let lists = lists_of(py, positions, query, progress)?;
    let rows = lists[0].len();
    for row in 0..rows {
        for (colour, lists) in Colour::ALL.into_iter().zip(&lists) {
            let inputs = lists.value_length(row) as usize;
            if inputs > width {
                return Err(wrong(FeatureError::Width { row, colour, inputs, width }));
            }
        }
    }
    let threads = threads_or_all(threads);
    // `PyArray2::zeros` panics if there is no memory.
    let array = || -> PyResult<Bound<'py, PyArray2<i32>>> {
        Ok(py.import("numpy")?.call_method1("zeros", ((rows, width), "i4"))?.cast_into()?)
    };
    let arrays = [array()?, array()?];
    for (array, lists) in arrays.iter().zip(&lists) {
        let mut array = array.readwrite();
        let place = array.as_slice_mut()?;
        let (offsets, items) =
            (lists.offsets(), lists.values().as_primitive::<Int32Type>().values());
        run(py, &[], None, |_, go_on| {
            let tasks = place.chunks_mut(ROWS * width).zip((0..).step_by(ROWS)).collect();
            each(threads, tasks, go_on, |(place, first): (&mut [i32], usize)| {
                for (row, place) in (first..).zip(place.chunks_mut(width)) {
                    let list = &items[offsets[row] as usize..offsets[row + 1] as usize];
                    let (inputs, rest) = place.split_at_mut(list.len());
                    inputs.copy_from_slice(list);
                    rest.fill(-1);
                }
                Ok(())
            })
        })?;
    }
    Ok((arrays, nulls_of(py, lists[0].nulls())))
}

/// Computes columns of lists, each as one array.
fn lists_of(
    py: Python<'_>,
    positions: &Positions,
    query: &Query,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<LargeListArray>> {
    let (_, collected) = collect_positions(py, positions, query, progress)?;
    Ok(collected.columns.iter().map(|column| column.as_list().clone()).collect())
}
