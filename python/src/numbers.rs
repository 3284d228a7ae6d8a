//! Arrays of numpy in and out: boards, attack maps, threats and the inputs that networks make of them.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef};
use numpy::ndarray::ArrayViewMut2;
use numpy::{
    PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use setwise::threats::{FeatureError, FeatureSet, UnknownFeatureSet};
use setwise::{FeatureLists, ThreatLists};
use setwise::{ByColour, Column, Kernel, Pieces, Positions};
use setwise_table::{Error, Given, Maps, OnBad};

use crate::maps::stopped;
use crate::tasks::{Stopped, Threads};
use crate::{columns, input};

/// The most rows of a task whose answers go to their place at once: some tenths of a millisecond of work.
const MOST: usize = 8192;

/// Boards as they lie in arrays of numpy.
#[derive(FromPyObject)]
pub(crate) enum Boards<'py> {
    /// `[n, 8]`, whatever the strides.
    Rows(PyReadonlyArray2<'py, u64>),
    /// Eight of `[n]`.
    Columns([PyReadonlyArray1<'py, u64>; 8]),
}

/// The same as slices.
#[derive(Clone, Copy)]
enum Slices<'a> {
    /// Eight numbers a row.
    Rows(&'a [u64]),
    Columns([&'a [u64]; 8]),
}

impl Boards<'_> {
    fn slices(&self) -> PyResult<Slices<'_>> {
        let gaps = || PyValueError::new_err("the boards do not lie one after the other");
        match self {
            Self::Rows(rows) => {
                if rows.shape()[1] != 8 {
                    let found = rows.shape()[1];
                    return Err(PyValueError::new_err(format!(
                        "boards have the shape [n, 8], found [n, {found}]"
                    )));
                }
                if rows.is_c_contiguous() {
                    return Ok(Slices::Rows(rows.as_slice()?));
                }
                let all = rows.as_slice().map_err(|_| gaps())?;
                let count = rows.shape()[0];
                Ok(Slices::Columns(std::array::from_fn(|i| &all[i * count..(i + 1) * count])))
            }
            Self::Columns(columns) => {
                let rows = columns[0].len();
                let mut slices = [&[][..]; 8];
                for (slice, column) in slices.iter_mut().zip(columns) {
                    *slice = column.as_slice().map_err(|_| gaps())?;
                    if slice.len() != rows {
                        let found = slice.len();
                        return Err(PyValueError::new_err(format!(
                            "the eight columns have different lengths: {rows} and {found}"
                        )));
                    }
                }
                Ok(Slices::Columns(slices))
            }
        }
    }
}

/// Rows that are copied to where the kernel can read them, 32 KiB: numpy does not align to cache lines.
const COPIED: usize = 512;

impl<'a> Slices<'a> {
    fn rows(self) -> usize {
        match self {
            Self::Rows(rows) => rows.len() / 8,
            Self::Columns(columns) => columns[0].len(),
        }
    }

    fn part(self, rows: Range<usize>) -> Self {
        match self {
            Self::Rows(all) => Self::Rows(&all[8 * rows.start..8 * rows.end]),
            Self::Columns(columns) => Self::Columns(columns.map(|column| &column[rows.clone()])),
        }
    }

    /// The ranges of the tasks of a call.
    fn tasks(self, threads: Threads) -> Vec<Range<usize>> {
        let (rows, most) = (self.rows(), threads.rows_of_a_task(self.rows(), MOST));
        (0..rows).step_by(most).map(|start| start..rows.min(start + most)).collect()
    }

    /// Calls with some rows at a time, until one fails: where they start, and the positions.
    fn each<E>(
        self,
        mut with: impl FnMut(Range<usize>, Positions<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Columns(columns) => with(0..self.rows(), Pieces::from_sets(columns).into()),
            Self::Rows(rows) => {
                let mut copied = Vec::with_capacity(COPIED.min(self.rows()));
                let (sets, _) = rows.as_chunks::<8>();
                for (i, sets) in sets.chunks(COPIED).enumerate() {
                    copied.clear();
                    copied.extend(sets.iter().map(|&sets| Pieces::from_sets(sets)));
                    let start = i * COPIED;
                    with(start..start + copied.len(), (&copied).into())?;
                }
                Ok(())
            }
        }
    }
}

/// Parts of the columns of an array `[COUNT, n]`: for each range all of them.
fn split<'a, const COUNT: usize>(
    all: &'a mut ArrayViewMut2<'_, u64>,
    ranges: Vec<Range<usize>>,
) -> Vec<(Range<usize>, [&'a mut [u64]; COUNT])> {
    // A column that does not lie in one piece has no slice, and too few rows below.
    let mut columns = all.outer_iter_mut().map(|column| column.into_slice().unwrap_or_default());
    let mut rest: [&mut [u64]; COUNT] = std::array::from_fn(|_| columns.next().unwrap_or_default());
    let part = |range: Range<usize>| {
        let mut parts: [&mut [u64]; COUNT] = std::array::from_fn(|_| Default::default());
        for (part, rest) in parts.iter_mut().zip(&mut rest) {
            let (first, after) = std::mem::take(rest).split_at_mut(range.len());
            (*part, *rest) = (first, after);
        }
        (range, parts)
    };
    ranges.into_iter().map(part).collect()
}

/// Fills `out`, `[16, n]`, with the attack maps.
#[pyfunction]
pub(crate) fn attacks(
    py: Python<'_>,
    boards: Boards<'_>,
    mut out: PyReadwriteArray2<'_, u64>,
    threads: Option<usize>,
) -> PyResult<()> {
    let threads = Threads::new(threads)?;
    let slices = boards.slices()?;
    let kernel = Kernel::detect();
    let mut out = out.as_array_mut();
    let tasks = split::<16>(&mut out, slices.tasks(threads));
    threads
        .run(py, tasks, |(range, mut columns)| {
            slices.part(range).each(|rows, positions| {
                let parts = columns.iter_mut().map(|column| &mut column[rows.clone()]);
                let mut maps: Vec<_> =
                    Column::DEFAULT.iter().zip(parts).map(|(column, part)| column.to(part)).collect();
                kernel.fill(positions, &mut maps);
                Ok::<(), Error>(())
            })
        })
        .map_err(|error| stopped(py, error))?;
    Ok(())
}

/// The rows of a column of text, and whatever else.
#[pyclass(frozen)]
pub(crate) struct Text {
    chunks: Vec<ArrayRef>,
}

#[pymethods]
impl Text {
    #[new]
    fn new(fens: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { chunks: input::text(fens)? })
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }
}

/// Fills `out`, `[8, n]`, with the boards of the text.
#[pyfunction]
pub(crate) fn pieces(
    py: Python<'_>,
    text: &Bound<'_, Text>,
    mut out: PyReadwriteArray2<'_, u64>,
    errors: &str,
    threads: Option<usize>,
) -> PyResult<()> {
    let threads = Threads::new(threads)?;
    let on_bad: OnBad = crate::maps::on_bad(errors)?;
    let chunks = &text.get().chunks;
    let boards = Given::ALL[..8].iter().map(|&given| given.into());
    let maps = Maps::default().columns(boards).on_bad(on_bad);
    let rows = text.get().__len__();
    let parts = input::cut(chunks, threads.rows_of_a_task(rows, columns::MOST));
    let ranges = parts.iter().map(|part| part.start..part.start + part.rows).collect();
    let mut out = out.as_array_mut();
    let room = split::<8>(&mut out, ranges);
    let tasks: Vec<_> = parts.into_iter().zip(room).collect();
    threads
        .run(py, tasks, |(part, (_, columns))| {
            let output = maps.of_text(&part.input).map_err(|error| error.after(part.start))?;
            for (column, values) in columns.into_iter().zip(output.batch.columns()) {
                column.copy_from_slice(values.as_primitive::<UInt64Type>().values());
            }
            Ok::<(), Error>(())
        })
        .map_err(|error| stopped(py, error))?;
    Ok(())
}

/// Lists one after another, and where each begins and ends.
type Csr<'py, T> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<T>>);

/// Lists that were made in parts.
struct Parts<T> {
    offsets: Vec<i64>,
    items: Vec<T>,
}

impl<T: Copy> Parts<T> {
    fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Self { offsets, items: Vec::new() }
    }

    fn append<U: Copy>(&mut self, offsets: &[usize], items: &[U], of: impl Fn(U) -> T) {
        let before = self.items.len();
        self.offsets.extend(offsets[1..].iter().map(|end| (before + end) as i64));
        self.items.extend(items.iter().map(|&item| of(item)));
    }

    /// The parts in order, each of which is freed when it is copied.
    fn joined(parts: Vec<Self>) -> Self {
        let rows = parts.iter().map(|part| part.offsets.len() - 1).sum();
        let mut all = Self::new(rows);
        all.items.reserve_exact(parts.iter().map(|part| part.items.len()).sum());
        for part in parts {
            let before = all.items.len() as i64;
            all.offsets.extend(part.offsets[1..].iter().map(|end| before + end));
            all.items.extend_from_slice(&part.items);
        }
        all
    }
}

impl<T: numpy::Element + Copy> Parts<T> {
    fn into_numpy(self, py: Python<'_>) -> Csr<'_, T> {
        (PyArray1::from_vec(py, self.offsets), PyArray1::from_vec(py, self.items))
    }
}

/// The pairs of every position.
#[pyfunction]
pub(crate) fn threats<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    threads: Option<usize>,
) -> PyResult<Csr<'py, u16>> {
    let threads = Threads::new(threads)?;
    let slices = boards.slices()?;
    let kernel = Kernel::detect();
    let parts = threads
        .run(py, slices.tasks(threads), |range| {
            let mut part = Parts::new(range.len());
            let mut lists = ThreatLists::new();
            slices.part(range).each(|_, positions| {
                kernel.threats(positions, &mut lists);
                part.append(lists.offsets(), lists.items(), setwise::threats::Threat::bits);
                Ok::<(), Error>(())
            })?;
            Ok(part)
        })
        .map_err(|error| stopped(py, error))?;
    Ok(Parts::joined(parts).into_numpy(py))
}

/// The set of a name.
fn set_named(name: &str) -> PyResult<&'static FeatureSet> {
    name.parse().map_err(|error: UnknownFeatureSet| PyValueError::new_err(error.to_string()))
}

/// The names of the sets, and how many inputs each has.
#[pyfunction]
pub(crate) fn feature_sets() -> Vec<(&'static str, u32)> {
    FeatureSet::ALL.iter().map(|set| (set.name(), set.inputs())).collect()
}

/// An error with so many rows before it.
fn after(error: FeatureError, rows: usize) -> FeatureError {
    match error {
        FeatureError::Kings { row, colour, kings } => {
            FeatureError::Kings { row: row + rows, colour, kings }
        }
        FeatureError::Width { row, colour, inputs, width } => {
            FeatureError::Width { row: row + rows, colour, inputs, width }
        }
        other => other,
    }
}

fn features_stopped(stopped: Stopped<FeatureError>) -> PyErr {
    match stopped {
        Stopped::Failed(error) => PyValueError::new_err(error.to_string()),
        Stopped::Raised(error) => error,
    }
}

/// The inputs of every position, as white and as black sees them.
#[pyfunction]
pub(crate) fn features<'py>(
    py: Python<'py>,
    boards: Boards<'py>,
    set: &str,
    threads: Option<usize>,
) -> PyResult<(Csr<'py, i32>, Csr<'py, i32>)> {
    let threads = Threads::new(threads)?;
    let set = set_named(set)?;
    let slices = boards.slices()?;
    let kernel = Kernel::detect();
    let parts = threads
        .run(py, slices.tasks(threads), |range| {
            let mut part = ByColour::new(|_| Parts::new(range.len()));
            let mut lists = FeatureLists::<i32>::default();
            let start = range.start;
            slices.part(range).each(|rows, positions| {
                kernel
                    .features(set, positions, &mut lists)
                    .map_err(|error| after(error, start + rows.start))?;
                part.white.append(lists.white.offsets(), lists.white.items(), |input| input);
                part.black.append(lists.black.offsets(), lists.black.items(), |input| input);
                Ok(())
            })?;
            Ok(part)
        })
        .map_err(features_stopped)?;
    let (white, black) = parts.into_iter().map(|part| (part.white, part.black)).unzip();
    Ok((Parts::joined(white).into_numpy(py), Parts::joined(black).into_numpy(py)))
}

/// Fills `white` and `black`, `[n, width]`, with the inputs of every position, -1 behind the last.
#[pyfunction]
pub(crate) fn feature_rows(
    py: Python<'_>,
    boards: Boards<'_>,
    set: &str,
    mut white: PyReadwriteArray2<'_, i32>,
    mut black: PyReadwriteArray2<'_, i32>,
    threads: Option<usize>,
) -> PyResult<()> {
    let threads = Threads::new(threads)?;
    let set = set_named(set)?;
    let slices = boards.slices()?;
    let kernel = Kernel::detect();
    let width = white.shape()[1];
    let ranges = slices.tasks(threads);
    let most = width * ranges.first().map_or(1, ExactSizeIterator::len);
    let rows = white.as_slice_mut()?.chunks_mut(most.max(1));
    let rows = rows.zip(black.as_slice_mut()?.chunks_mut(most.max(1)));
    let tasks: Vec<_> = ranges.into_iter().zip(rows).collect();
    threads
        .run(py, tasks, |(range, (white, black))| {
            let start = range.start;
            slices.part(range).each(|rows, positions| {
                let places = rows.start * width..rows.end * width;
                let into =
                    ByColour { white: &mut white[places.clone()], black: &mut black[places] };
                kernel
                    .feature_rows(set, positions, width, into)
                    .map_err(|error| after(error, start + rows.start))
            })
        })
        .map_err(features_stopped)?;
    Ok(())
}
