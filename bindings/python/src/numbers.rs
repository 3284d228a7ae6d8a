//! Results as numpy arrays: boards, attack maps, and network inputs.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt16Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, LargeListArray};
use arrow_buffer::{ArrowNativeType, NullBuffer, ScalarBuffer};
use arrow_schema::DataType;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use setwise::Colour;
use setwise_nnue::{FeatureError, FeatureSet};
use setwise_table::{
    Chunk, Error, Input, InputColumn, Part, Place, Query as TableQuery, Rows, each,
};

use crate::error::{Stopped, raised, wrong};
use crate::input::{Counted, Piece, Positions};
use crate::maps::collect;
use crate::query::{Query, run, threads_or_all};

/// Writes `k` columns of numbers or arrays of 64 bits to the rows of `out`, one after another. If `strict`, a position
/// for which a column is not defined is an error; else its values are zero.
#[pyfunction]
pub(crate) fn fill(
    py: Python<'_>,
    positions: &Bound<'_, Positions>,
    query: &Bound<'_, Query>,
    mut out: PyReadwriteArray2<'_, u64>,
    strict: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    if out.is_empty() {
        return Ok(());
    }
    let positions = positions.get();
    let mut out = out.as_array_mut();
    let gaps = || wrong("a column of `out` does not lie in one piece");
    let places = out.outer_iter_mut().map(|column| column.into_slice().map(Place::from));
    let places: Vec<_> = places.collect::<Option<_>>().ok_or_else(gaps)?;
    positions.with_chunks(py, |chunks| {
        let rows = chunks.iter().map(Chunk::rows).sum();
        let plan = query.get().plan(&positions.input(), rows)?;
        let nulls = run(py, rows, progress, |go_on, done| {
            let chunks: Vec<_> = chunks.iter().map(|&chunk| Counted { chunk, done }).collect();
            plan.collect_into::<_, Stopped>(&chunks, places, go_on)
        })?;
        let nulls = nulls.iter().flatten().filter(|_| strict);
        nulls.into_iter().try_for_each(|nulls| check_answers(positions, &chunks, nulls))
    })
}

/// The names of the feature sets, and the number of inputs of each.
#[pyfunction]
pub(crate) fn feature_sets() -> Vec<(&'static str, u32)> {
    FeatureSet::ALL.iter().map(|set| (set.name(), set.inputs())).collect()
}

/// The offsets and the items of lists.
type Lists<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>);

/// Columns of lists: for each its offsets, of shape `[n + 1]`, and its items, as writable arrays. If `strict`, a
/// position without a value is an error.
#[pyfunction]
pub(crate) fn lists<'py>(
    py: Python<'py>,
    positions: &Bound<'py, Positions>,
    query: &Bound<'py, Query>,
    strict: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Lists<'py>>> {
    let columns = lists_of(py, positions, query, strict, progress)?;
    let arrays = columns.into_iter().map(|lists| {
        let (_, offsets, items, _) = lists.into_parts();
        let items = match items.data_type() {
            DataType::UInt16 => owned::<UInt16Type>(py, items).into_any(),
            DataType::Int32 => owned::<Int32Type>(py, items).into_any(),
            other => return Err(wrong(format!("lists of {other}"))),
        };
        Ok((PyArray1::from_vec(py, in_vec(offsets.into_inner())), items))
    });
    arrays.collect()
}

/// Converts numbers to a numpy array, without a copy if they are not shared.
fn owned<'py, T: ArrowPrimitiveType<Native: Element>>(
    py: Python<'py>,
    array: ArrayRef,
) -> Bound<'py, PyArray1<T::Native>> {
    let values = array.as_primitive::<T>().values().clone();
    drop(array);
    PyArray1::from_vec(py, in_vec(values))
}

fn in_vec<T: ArrowNativeType>(values: ScalarBuffer<T>) -> Vec<T> {
    values.into_inner().into_vec().unwrap_or_else(|shared| shared.typed_data().to_vec())
}

/// The inputs of both sides as rows of `width`, with -1 after the last.
#[pyfunction]
pub(crate) fn feature_rows<'py>(
    py: Python<'py>,
    positions: &Bound<'py, Positions>,
    query: &Bound<'py, Query>,
    strict: bool,
    width: usize,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<[Bound<'py, PyArray2<i32>>; 2]> {
    /// Rows in a task: some tenths of a millisecond.
    const ROWS: usize = 4096;
    let lists = lists_of(py, positions, query, strict, progress)?;
    let rows = lists[0].len();
    for (row, (white, black)) in
        lists[0].offsets().windows(2).zip(lists[1].offsets().windows(2)).enumerate()
    {
        for (colour, ends) in Colour::ALL.into_iter().zip([white, black]) {
            let inputs = (ends[1] - ends[0]) as usize;
            if inputs > width {
                return Err(wrong(FeatureError::Width { row, colour, inputs, width }));
            }
        }
    }
    let threads = threads_or_all(threads);
    let arrays = [(); 2].map(|()| PyArray2::<i32>::zeros(py, [rows, width], false));
    for (array, lists) in arrays.iter().zip(&lists) {
        let mut array = array.readwrite();
        let place = array.as_slice_mut()?;
        let (offsets, items) =
            (lists.offsets(), lists.values().as_primitive::<Int32Type>().values());
        run(py, 0, None, |go_on, _| {
            let tasks = place.chunks_mut(ROWS * width).zip((0..).step_by(ROWS)).collect();
            each(threads, tasks, go_on, |(place, first): (&mut [i32], usize)| {
                for (row, place) in place.chunks_mut(width).enumerate() {
                    let ends = &offsets[first + row..][..2];
                    let list = &items[ends[0] as usize..ends[1] as usize];
                    let (inputs, rest) = place.split_at_mut(list.len());
                    inputs.copy_from_slice(list);
                    rest.fill(-1);
                }
                Ok(())
            })
        })?;
    }
    Ok(arrays)
}

/// Contiguous columns of lists.
fn lists_of(
    py: Python<'_>,
    positions: &Bound<'_, Positions>,
    query: &Bound<'_, Query>,
    strict: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<LargeListArray>> {
    let columns = columns(py, positions, query, strict, progress)?;
    Ok(columns.into_iter().map(|column| column.as_list().clone()).collect())
}

/// Columns in one piece.
fn columns(
    py: Python<'_>,
    positions: &Bound<'_, Positions>,
    query: &Bound<'_, Query>,
    strict: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<ArrayRef>> {
    let positions = positions.get();
    positions.with_chunks(py, |chunks| {
        let rows = chunks.iter().map(Chunk::rows).sum();
        let plan = query.get().plan(&positions.input(), rows)?;
        let collected = collect(py, &plan, &chunks, progress)?;
        if strict && let Some(nulls) = collected.columns[0].nulls() {
            check_answers(positions, &chunks, nulls)?;
        }
        Ok(collected.columns)
    })
}

/// Fails at the first position without an answer. A row without a position does not count.
fn check_answers(positions: &Positions, chunks: &[Piece<'_>], nulls: &NullBuffer) -> PyResult<()> {
    let mut before = 0;
    for chunk in chunks {
        let null = |row: &usize| nulls.is_null(before + row) && !chunk.is_null(*row);
        if let Some(row) = (0..chunk.rows()).find(null) {
            let kings = kings(&positions.input(), chunk, row).map_err(raised)?;
            let two = Colour::ALL.into_iter().zip(kings);
            let row = before + row;
            return Err(match two.into_iter().find(|(_, kings)| *kings != 1) {
                Some((colour, kings)) => wrong(FeatureError::Kings { row, colour, kings }),
                None => wrong(format!(
                    "row {row} is no valid position: the side not to move is in check, or a square has two pieces"
                )),
            });
        }
        before += chunk.rows();
    }
    Ok(())
}

/// How many kings each side has in a row.
fn kings(input: &Input, chunk: &Piece<'_>, row: usize) -> Result<[u32; 2], Error> {
    let boards = [InputColumn::BOARDS[5], InputColumn::White, InputColumn::Black].map(Into::into);
    let plan = TableQuery::default().columns(boards).plan(input)?;
    let read = |rows: &mut Rows<'_>| chunk.read(row..row + 1, 1, rows);
    let batch = plan.read::<Error>(Part { rows: 1, bytes: 0, read: Box::new(read) })?.batch;
    let board = |column| batch.column(column).as_primitive::<UInt64Type>().value(0);
    Ok([1, 2].map(|side| (board(0) & board(side)).count_ones()))
}
