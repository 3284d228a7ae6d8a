//! What Python hands over: columns of text as Arrow, lists or numpy arrays; tables as Arrow.

use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3_arrow::input::{AnyArray, AnyRecordBatch};

use crate::columns::Part;

/// The chunks of a column of text: anything with Arrow's capsules, or a sequence of `str` and `None`.
pub(crate) fn text(fens: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if fens.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "expected a column of FENs, found one str: put it into a list",
        ));
    }
    if is_arrow(fens)? {
        let (chunks, _) = fens.extract::<AnyArray>()?.into_chunked_array()?.into_inner();
        return Ok(chunks);
    }
    // Arrays of numpy and columns of pandas become lists, whose items are `str`.
    let list = match fens.hasattr("tolist")? {
        true => fens.call_method0("tolist")?,
        false => fens.clone(),
    };
    let items = list.try_iter().map_err(|_| wrong(fens))?;
    let rows = list.len().unwrap_or(0);
    let mut column = LargeStringBuilder::with_capacity(rows, 64 * rows);
    for (row, item) in items.enumerate() {
        if row % SIGNALS == 0 {
            fens.py().check_signals()?;
        }
        let item = item?;
        if let Ok(text) = item.cast::<PyString>() {
            column.append_value(text.to_cow()?);
        } else if is_missing(&item)? {
            column.append_null();
        } else {
            let found = item.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "row {row}: expected str or None, found {found}"
            )));
        }
    }
    Ok(vec![Arc::new(column.finish())])
}

/// Rows of a list after which to look for signals.
const SIGNALS: usize = 1 << 16;

/// Whether an object has one of Arrow's capsules.
pub(crate) fn is_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}

/// `None`, and what pandas has in its place: NaN, which is not itself, and NA, which is of no truth.
fn is_missing(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if item.is_none() {
        return Ok(true);
    }
    match item.ne(item) {
        Ok(is_nan) => Ok(is_nan),
        Err(_) => Ok(item.get_type().name()? == "NAType"),
    }
}

fn wrong(found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "expected a column of text (Arrow, a list of str or a numpy array of str), found {found}"
    ))
}

/// The batches of a table, with their schema.
pub(crate) fn table(table: &Bound<'_, PyAny>) -> PyResult<(Vec<RecordBatch>, SchemaRef)> {
    if !is_arrow(table)? {
        let found = table.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected a table (Arrow), found {found}")));
    }
    Ok(table.extract::<AnyRecordBatch>()?.into_table()?.into_inner())
}

/// Parts of at most so many rows.
pub(crate) fn cut<T: Sliced>(chunks: &[T], most: usize) -> Vec<Part<T>> {
    let mut parts = Vec::new();
    let mut before = 0;
    for chunk in chunks {
        let of_chunk = chunk.rows();
        for start in (0..of_chunk).step_by(most) {
            let rows = most.min(of_chunk - start);
            parts.push(Part { start: before + start, rows, input: chunk.part(start, rows) });
        }
        before += of_chunk;
    }
    parts
}

/// What can be cut without a copy.
pub(crate) trait Sliced {
    fn rows(&self) -> usize;
    fn part(&self, start: usize, rows: usize) -> Self;
}

impl Sliced for ArrayRef {
    fn rows(&self) -> usize {
        self.len()
    }

    fn part(&self, start: usize, rows: usize) -> Self {
        self.slice(start, rows)
    }
}

impl Sliced for RecordBatch {
    fn rows(&self) -> usize {
        self.num_rows()
    }

    fn part(&self, start: usize, rows: usize) -> Self {
        self.slice(start, rows)
    }
}
