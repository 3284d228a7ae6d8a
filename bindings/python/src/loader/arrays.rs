//! Batches as dictionaries of arrays.

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef};
use numpy::{Element, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_formats::{Field, Fields};
use setwise_table::Column;

use super::inputs::{Inputs, Made};
use super::memory::Pool;
use crate::error::wrong;

/// The arrays of a batch, without its columns.
pub(super) fn arrays_of<'py>(
    py: Python<'py>,
    made: Made,
    (has, has_hashes): (Fields, bool),
    padded: Option<usize>,
    pool: &Pool,
) -> PyResult<Bound<'py, PyDict>> {
    let batch = PyDict::new(py);
    if let Some(both) = made.inputs {
        let array = |inputs| -> PyResult<Bound<'py, PyAny>> {
            Ok(match inputs {
                Inputs::Rows(rows) => {
                    let width = padded.unwrap_or(1);
                    let shape = [rows.len() / width, width];
                    pool.array(py, rows, shape)?.into_any()
                }
                Inputs::Lists(offsets, items) => {
                    let count = items.len();
                    let items = pool.array(py, items, [count])?;
                    (PyArray1::from_vec(py, offsets), items).into_pyobject(py)?.into_any()
                }
            })
        };
        let [first, second] = both;
        batch.set_item("inputs", (array(first)?, array(second)?))?;
    }
    let labels = [Field::Score, Field::Result, Field::Ply, Field::Move];
    let absent = labels.into_iter().filter(|label| !has.contains(*label)).map(Field::name);
    let absent: Vec<_> = absent.chain((!has_hashes).then_some("game_hash")).collect();
    for (name, array) in made.values.arrays(py) {
        if !absent.contains(&name) {
            batch.set_item(name, array)?;
        }
    }
    Ok(batch)
}

/// A column of numbers as a writable array, with -1 for nulls.
pub(super) fn array_of<'py>(
    py: Python<'py>,
    column: Column,
    array: &ArrayRef,
) -> PyResult<Bound<'py, PyAny>> {
    use arrow_array::types::{
        Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
    };
    use arrow_schema::DataType;
    pub(super) fn of<'py, T: ArrowPrimitiveType<Native: Element>>(
        py: Python<'py>,
        array: &ArrayRef,
        null: Option<T::Native>,
    ) -> Bound<'py, PyAny> {
        let array = array.as_primitive::<T>();
        match null.filter(|_| array.null_count() > 0) {
            Some(null) => {
                PyArray1::from_iter(py, array.iter().map(|value| value.unwrap_or(null))).into_any()
            }
            None => PyArray1::from_slice(py, array.values()).into_any(),
        }
    }
    Ok(match array.data_type() {
        // All eight bits count, but where there are nulls.
        DataType::Int8 if column.data_type(false) == DataType::UInt8 && !column.is_nullable() => {
            let bytes = array.as_primitive::<Int8Type>().values();
            PyArray1::from_iter(py, bytes.iter().map(|byte| byte.cast_unsigned())).into_any()
        }
        DataType::UInt8 => of::<UInt8Type>(py, array, None),
        DataType::UInt16 => of::<UInt16Type>(py, array, None),
        DataType::UInt32 => of::<UInt32Type>(py, array, None),
        DataType::UInt64 => of::<UInt64Type>(py, array, None),
        DataType::Int8 => of::<Int8Type>(py, array, Some(-1)),
        DataType::Int16 => of::<Int16Type>(py, array, Some(-1)),
        DataType::Int32 => of::<Int32Type>(py, array, Some(-1)),
        DataType::Int64 => of::<Int64Type>(py, array, Some(-1)),
        other => return Err(wrong(format!("a column of {other}"))),
    })
}
