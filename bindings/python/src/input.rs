//! Converts positions from Python (columns of text, or boards in numpy arrays or Arrow columns) to sources of the
//! executor, and reads tables.

use std::array;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray, UInt64Array};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3_arrow::PyChunkedArray;
use pyo3_arrow::error::PyArrowError;
use pyo3_arrow::input::AnyArray;
use setwise::fen::Castling;
use setwise::{Colour, Pieces};
use setwise_formats::Records;
use setwise_table::{BoardArrays, Chunk, Error, Input, InputColumn, Sets};

use crate::error::{quoted, raised, wrong};
use crate::signals::rare_checks;

/// A column of positions.
#[pyclass(frozen)]
pub(crate) struct Positions {
    boards: Boards,
    pub(crate) input: Input,
}

#[allow(clippy::large_enum_variant, reason = "there is one of them for a whole column")]
enum Boards {
    /// One FEN per row.
    Text(Vec<ArrayRef>),
    /// Boards of shape `[n, 8]`, with contiguous rows, and their state.
    Rows(Py<PyArray2<u64>>, Option<Records>),
    /// Eight arrays of shape `[n]`, and their state.
    Columns([Py<PyArray1<u64>>; 8], Option<Records>),
    /// Eight columns of a table, and the state columns that it has.
    Arrays(Vec<BoardArrays>),
}

/// Side to move, castling rights of white and of black, and en passant square, or -1.
pub(crate) type State<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i16>>,
);

/// Half-move clocks and move numbers.
type Clocks<'py> = [Bound<'py, PyArray1<u32>>; 2];

/// Converts a state and clocks to columns. Python has checked the lengths and ranges of the arrays.
pub(crate) fn state_of(
    (turns, white, black, squares): &State<'_>,
    clocks: Option<&Clocks<'_>>,
) -> PyResult<Records> {
    let turn = |turn| if turn == 0 { Colour::White } else { Colour::Black };
    let files = white.to_vec()?.into_iter().zip(black.to_vec()?);
    let square = |square| u8::try_from(square).ok().filter(|square| *square < 64);
    let mut state = Records::new();
    state.turn = turns.to_vec()?.into_iter().map(turn).collect();
    state.castling = files.map(|(white, black)| Castling { white, black }).collect();
    state.en_passant = squares.to_vec()?.into_iter().map(square).collect();
    if let Some([halfmoves, numbers]) = clocks {
        state.halfmove_clock = halfmoves.to_vec()?;
        state.fullmove_number = numbers.to_vec()?;
    }
    Ok(state)
}

/// Converts sides to move, castling rights and en passant squares to a state.
pub(crate) fn state_arrays(
    py: Python<'_>,
    states: impl Iterator<Item = (Colour, Castling, Option<u8>)> + Clone,
) -> State<'_> {
    let square = |square: Option<u8>| square.map_or(-1, i16::from);
    (
        PyArray1::from_vec(py, states.clone().map(|(turn, ..)| turn as u8).collect()),
        PyArray1::from_vec(py, states.clone().map(|(_, castling, _)| castling.white).collect()),
        PyArray1::from_vec(py, states.clone().map(|(_, castling, _)| castling.black).collect()),
        PyArray1::from_vec(py, states.map(|(.., en_passant)| square(en_passant)).collect()),
    )
}

#[pymethods]
impl Positions {
    #[new]
    #[pyo3(signature = (positions, state = None, clocks = None))]
    fn new(
        positions: &Bound<'_, PyAny>,
        state: Option<State<'_>>,
        clocks: Option<Clocks<'_>>,
    ) -> PyResult<Self> {
        let known = match (&state, &clocks) {
            (None, _) => 0,
            (Some(_), None) => 4,
            (Some(_), Some(_)) => 6,
        };
        let input = Input::boards(&InputColumn::STATE[..known]);
        let state = state.map(|state| state_of(&state, clocks.as_ref())).transpose()?;
        if let Ok(rows) = positions.cast::<PyArray2<u64>>() {
            return Ok(Self { boards: Boards::Rows(rows.clone().unbind(), state), input });
        }
        let Ok(columns) = positions.extract::<[Bound<'_, PyArray1<u64>>; 8]>() else {
            return of_any(positions);
        };
        let rows = columns[0].len();
        if let Some(other) = columns.iter().map(|column| column.len()).find(|len| *len != rows) {
            return Err(wrong(format!(
                "the eight columns have different lengths: {rows} and {other}"
            )));
        }
        Ok(Self { boards: Boards::Columns(columns.map(Bound::unbind), state), input })
    }

    /// Whether the positions have the state on which moves depend.
    #[getter]
    fn has_state(&self) -> bool {
        "fen".parse().is_ok_and(|fen| self.input.is_available(fen))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        match &self.boards {
            Boards::Text(chunks) => chunks.iter().map(|chunk| chunk.len()).sum(),
            Boards::Rows(rows, _) => rows.bind(py).shape()[0],
            Boards::Columns(columns, _) => columns[0].bind(py).len(),
            Boards::Arrays(chunks) => {
                chunks.iter().map(|chunk| chunk.positions().boards.len()).sum()
            }
        }
    }
}

impl Positions {
    /// Returns the memory that the positions are read from.
    pub(crate) fn memory(&self, py: Python<'_>) -> Vec<Range<*const u8>> {
        fn of<T>(slice: &[T]) -> Range<*const u8> {
            let Range { start, end } = slice.as_ptr_range();
            start.cast()..end.cast()
        }
        let of_numpy = |start: *mut u64, words: usize| {
            start.cast_const().cast()..start.wrapping_add(words).cast_const().cast()
        };
        match &self.boards {
            Boards::Rows(rows, _) => vec![of_numpy(rows.bind(py).data(), rows.bind(py).len())],
            Boards::Columns(columns, _) => {
                let columns = columns.iter().map(|column| column.bind(py));
                columns.map(|column| of_numpy(column.data(), column.len())).collect()
            }
            Boards::Arrays(chunks) => {
                let nulls = chunks.iter().filter_map(|chunk| chunk.positions().nulls);
                let nulls = nulls.map(|nulls| of(nulls.buffer().as_slice()));
                chunks.iter().flat_map(|chunk| chunk.sets().map(of)).chain(nulls).collect()
            }
            Boards::Text(chunks) => {
                let mut arrays: Vec<_> = chunks.iter().map(|chunk| chunk.to_data()).collect();
                let mut memory = Vec::new();
                while let Some(array) = arrays.pop() {
                    memory.extend(array.buffers().iter().map(|buffer| of(buffer.as_slice())));
                    memory.extend(array.nulls().map(|nulls| of(nulls.buffer().as_slice())));
                    arrays.extend_from_slice(array.child_data());
                }
                memory
            }
        }
    }

    /// Calls a function with the chunks of the source.
    pub(crate) fn with_chunks<R>(
        &self,
        py: Python<'_>,
        then: impl FnOnce(&[&dyn Chunk]) -> PyResult<R>,
    ) -> PyResult<R> {
        let written = |_| wrong("the boards are the output of another call");
        let with_state = |boards, state| setwise_table::Positions { boards, state, nulls: None };
        match &self.boards {
            Boards::Text(chunks) => then(&references(chunks)),
            Boards::Rows(rows, state) => {
                let rows = rows.bind(py).try_readonly().map_err(written)?;
                let boards = Sets::Rows(rows.as_slice()?.as_chunks().0);
                then(&[&with_state(boards, state.as_ref())])
            }
            Boards::Columns(columns, state) => {
                let columns = columns.iter().map(|column| column.bind(py).try_readonly());
                let columns: Vec<_> = columns.collect::<Result<_, _>>().map_err(written)?;
                let mut sets = [&[][..]; 8];
                for (set, column) in sets.iter_mut().zip(&columns) {
                    *set = column.as_slice()?;
                }
                let boards = Sets::Columns(Pieces::from_sets(sets));
                then(&[&with_state(boards, state.as_ref())])
            }
            Boards::Arrays(chunks) => {
                let chunks: Vec<_> = chunks.iter().map(BoardArrays::positions).collect();
                then(&references(&chunks))
            }
        }
    }
}

/// Converts chunks of one type to trait objects.
pub(crate) fn references<C: Chunk>(chunks: &[C]) -> Vec<&dyn Chunk> {
    chunks.iter().map(|chunk| chunk as &dyn Chunk).collect()
}

/// Converts any other object: an Arrow object, or a sequence of `str` and `None`.
fn of_any(positions: &Bound<'_, PyAny>) -> PyResult<Positions> {
    let mut text = Vec::new();
    if is_arrow(positions)? {
        let (chunks, field) = arrays(positions)?;
        if let DataType::Struct(fields) = field.data_type() {
            return boards_of(&chunks, fields);
        }
        text.extend(chunks);
    } else {
        text.push(list(positions)?);
    }
    Ok(Positions { boards: Boards::Text(text), input: Input::column() })
}

/// Returns the boards of a table, such as a batch of `setwise.read`.
fn boards_of(chunks: &[ArrayRef], fields: &Fields) -> PyResult<Positions> {
    let place = |column: &InputColumn| {
        let name = setwise_table::Column::from(*column).name();
        fields.iter().position(|field| field.name() == name)
    };
    let places = |columns: &[InputColumn]| columns.iter().map(place).collect::<Option<Vec<_>>>();
    let Some(sets) = places(&InputColumn::BOARDS) else {
        let names = fields.iter().map(|field| field.name());
        let names = quoted(names.filter(|name| !name.starts_with("__index_level_"))); // of pandas
        return Err(PyTypeError::new_err(format!(
            "expected a column of FENs or the eight boards, found a table of {names}: \
             take its column of FENs, or call `setwise.maps_table`"
        )));
    };
    // The side to move; with it the castling rights and the en passant square; and with these the clocks.
    let known = [6, 4, 1, 0].map(|known| &InputColumn::STATE[..known]);
    let state = known.into_iter().find_map(places).unwrap_or_default();
    let decisive = sets.iter().copied().chain(InputColumn::STATE[..3].iter().filter_map(place));
    let arrays = |chunk: &ArrayRef| {
        let columns: &StructArray = chunk.as_struct();
        let nulls = decisive.clone().fold(columns.nulls().cloned(), |nulls, place| {
            NullBuffer::union(nulls.as_ref(), columns.column(place).nulls())
        });
        let sets: [_; 8] =
            array::from_fn(|set| without_nulls(columns.column(sets[set]), nulls.as_ref()));
        let column = |place: usize| -> &dyn Array { columns.column(place) };
        let turn = state.first().copied().map(column);
        let mut boards = BoardArrays::new(sets.each_ref().map(|set| &**set), turn)?;
        if let [_, white, black, square, ref clocks @ ..] = state[..] {
            boards = boards.with_state([white, black, square].map(column))?;
            if let &[halfmoves, moves] = clocks {
                boards =
                    boards.with_clocks([halfmoves, moves].map(|place| columns.column(place)))?;
            }
        }
        Ok::<_, Error>(boards)
    };
    let chunks = chunks.iter().map(arrays).collect::<Result<_, _>>().map_err(raised)?;
    let input = Input::boards(&InputColumn::STATE[..state.len()]);
    Ok(Positions { boards: Boards::Arrays(chunks), input })
}

/// Empties the boards of null rows, whose values are unspecified, and marks these rows as null. Results without a place
/// for nulls, such as numpy arrays, are computed from the values.
fn without_nulls(board: &ArrayRef, nulls: Option<&NullBuffer>) -> ArrayRef {
    let (Some(nulls), Some(sets)) = (nulls, words(board)) else { return Arc::clone(board) };
    let sets = sets.iter().zip(nulls).map(|(&set, valid)| if valid { set } else { 0 });
    Arc::new(UInt64Array::new(sets.collect(), Some(nulls.clone())))
}

/// Returns the bits of a column of 64-bit integers.
pub(crate) fn words(array: &ArrayRef) -> Option<ScalarBuffer<u64>> {
    let data = array.to_data();
    matches!(array.data_type(), DataType::UInt64 | DataType::Int64)
        .then(|| ScalarBuffer::new(data.buffers()[0].clone(), data.offset(), data.len()))
}

/// Builds a column from a sequence of `str` and `None`.
fn list(fens: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    /// The number of rows between two checks for signals.
    const SIGNALS: usize = 1 << 16;
    if name_of(fens) == "LazyFrame" {
        return Err(not_text(fens)); // iterating over it would never end
    }
    // Numpy arrays and pandas columns are converted to lists of `str`.
    let list = match fens.hasattr("tolist")? {
        true => fens.call_method0("tolist")?,
        false => fens.clone(),
    };
    if list.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "expected a column of FENs, found one str: put it into a list",
        ));
    }
    let items = list.try_iter().map_err(|_| not_text(fens))?;
    let rows = list.len().unwrap_or(0);
    let mut column = LargeStringBuilder::with_capacity(rows, 64 * rows);
    for (row, item) in items.enumerate() {
        if row % SIGNALS == SIGNALS - 1 {
            fens.py().check_signals()?;
        }
        let item = item?;
        if let Ok(text) = item.cast::<PyString>() {
            column.append_value(text.to_string_lossy()); // U+FFFD for a lone surrogate
        } else if is_missing(&item)? {
            column.append_null();
        } else {
            let found = item.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "row {row}: expected str or None, found {found}"
            )));
        }
    }
    Ok(Arc::new(column.finish()))
}

/// Returns whether an object has an Arrow PyCapsule method.
fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// Returns whether an item is `None` or a missing value of pandas: NaN, which is not equal to itself, or NA, which has
/// no truth value.
fn is_missing(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if item.is_none() {
        return Ok(true);
    }
    match item.ne(item) {
        Ok(is_nan) => Ok(is_nan),
        Err(_) => Ok(item.get_type().name()? == "NAType"),
    }
}

pub(crate) fn name_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}

fn not_text(found: &Bound<'_, PyAny>) -> PyErr {
    let name = name_of(found);
    PyTypeError::new_err(if name == "LazyFrame" {
        "expected a column of FENs, found LazyFrame: use the expression `pl.col(...).setwise.maps(...)`, or call \
         `collect` and then `setwise.maps_table`"
            .to_owned()
    } else {
        format!(
            "expected a column of FENs (Arrow, a list of str or a numpy array of str) or boards, found {name}"
        )
    })
}

/// Returns the batches of a table, and their schema.
pub(crate) fn table(table: &Bound<'_, PyAny>) -> PyResult<(Vec<RecordBatch>, SchemaRef)> {
    if !is_arrow(table)? {
        let found = name_of(table);
        let hint = match table.hasattr("to_table")? {
            true => ": call `to_table` first", // a data set of pyarrow
            false if found == "LazyFrame" => ": call `collect` first",
            false => "",
        };
        return Err(PyTypeError::new_err(format!("expected a table (Arrow), found {found}{hint}")));
    }
    let (chunks, field) = arrays(table)?;
    let DataType::Struct(fields) = field.data_type() else {
        return Err(PyTypeError::new_err(format!(
            "expected a table with a column of FENs, found {}, a column of {}",
            name_of(table),
            field.data_type()
        )));
    };
    if chunks.iter().any(|chunk| chunk.null_count() > 0) {
        return Err(wrong(
            "expected a table, found structs, some of them null: put the nulls into the columns",
        ));
    }
    let schema = Schema::new(fields.clone()).with_metadata(field.metadata().clone());
    let batches = chunks.iter().map(|chunk| RecordBatch::from(chunk.as_struct())).collect();
    Ok((batches, Arc::new(schema)))
}

/// Imports an Arrow object: the chunks of a column, or those of a table as structs.
fn arrays(object: &Bound<'_, PyAny>) -> PyResult<(Vec<ArrayRef>, FieldRef)> {
    let read = || {
        let reader = object.extract::<AnyArray>()?.into_reader()?;
        let (field, mut check) = (reader.field(), rare_checks());
        // Without the GIL, because the source may need it in other threads.
        let chunks = object.py().detach(|| {
            let chunks = reader.map(|chunk| check().map(|()| chunk));
            chunks.collect::<Result<Result<Vec<_>, ArrowError>, _>>()
        });
        let chunks = chunks.map_err(raised)?.map_err(PyArrowError::from);
        Ok::<_, PyErr>(chunks.and_then(|chunks| Ok(PyChunkedArray::try_new(chunks, field)?)))
    };
    // Arrow panics at batches without the buffers of their type, and at those that another consumer has taken.
    let imported = panic::catch_unwind(AssertUnwindSafe(read)).map_err(|_| {
        wrong(
            "a batch does not have the types of its schema, or was already passed to another call",
        )
    });
    let imported = imported??.map(PyChunkedArray::into_inner);
    imported.or_else(|error| of_polars(object).map_err(|_| error.into()))
}

/// Imports a column or frame of polars through its IPC stream. Polars exports columns of type Null with a buffer, which
/// Arrow does not allow.
fn of_polars(object: &Bound<'_, PyAny>) -> PyResult<(Vec<ArrayRef>, FieldRef)> {
    let frame = object.call_method0("to_frame");
    let stream =
        frame.as_ref().unwrap_or(object).call_method1("write_ipc_stream", (None::<&str>,))?;
    let (batches, schema) = of_stream(stream.call_method0("getvalue")?.extract()?)?;
    if frame.is_ok() {
        let chunks = batches.iter().map(|batch| Arc::clone(batch.column(0))).collect();
        return Ok((chunks, Arc::new(schema.field(0).clone())));
    }
    let field = Field::new_struct("", schema.fields().clone(), false);
    let chunks = batches.into_iter().map(|batch| Arc::new(StructArray::from(batch)) as ArrayRef);
    Ok((chunks.collect(), Arc::new(field)))
}

/// Reads an Arrow IPC stream.
pub(crate) fn of_stream(stream: &[u8]) -> PyResult<(Vec<RecordBatch>, SchemaRef)> {
    let reader = StreamReader::try_new(stream, None).map_err(wrong)?;
    let schema = reader.schema();
    Ok((reader.collect::<Result<_, _>>().map_err(wrong)?, schema))
}
