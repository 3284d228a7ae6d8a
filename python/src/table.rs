//! Tables that go out: Arrow's capsules for whoever takes them, numpy for each column.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, Schema as ArrowSchema, SchemaRef};
use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

/// Columns with names, in one or more batches of rows, as Arrow has them.
///
/// Whatever reads Arrow's PyCapsules takes it as it is, without a copy: ``pyarrow.table(t)``,
/// ``polars.DataFrame(t)``, ``duckdb.sql("from t")``. ``t["white_all"]`` is a column as a numpy array.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Table {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
}

impl Table {
    pub(crate) fn new(batches: Vec<RecordBatch>, schema: SchemaRef) -> Self {
        Self { batches, schema }
    }

    /// Calls a function of a module that need not be there with this table.
    fn handed_to<'py>(
        slf: &Bound<'py, Self>,
        module: &str,
        function: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import(module)?.call_method1(function, (slf,))
    }
}

#[pymethods]
impl Table {
    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.schema.fields().len()
    }

    /// The names of the columns, in order.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// Names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema::new(self.schema.clone())
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.schema.column_with_name(name).is_some()
    }

    fn __repr__(&self) -> String {
        format!("<setwise.Table: {} rows, {}>", self.num_rows(), listed(&self.schema))
    }

    /// A column of numbers as a numpy array, read-only: a view if the table has one batch, else a copy. With
    /// nulls it is a masked array.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some((place, field)) = self.schema.column_with_name(name) else {
            let names = self.column_names().join(", ");
            return Err(PyKeyError::new_err(format!("no column '{name}'; there are {names}")));
        };
        let chunks: Vec<&ArrayRef> = self.batches.iter().map(|batch| batch.column(place)).collect();
        match field.data_type() {
            DataType::UInt8 => numpy_of::<UInt8Type>(py, &chunks),
            DataType::UInt16 => numpy_of::<UInt16Type>(py, &chunks),
            DataType::UInt32 => numpy_of::<UInt32Type>(py, &chunks),
            DataType::UInt64 => numpy_of::<UInt64Type>(py, &chunks),
            DataType::Int8 => numpy_of::<Int8Type>(py, &chunks),
            DataType::Int16 => numpy_of::<Int16Type>(py, &chunks),
            DataType::Int32 => numpy_of::<Int32Type>(py, &chunks),
            DataType::Int64 => numpy_of::<Int64Type>(py, &chunks),
            other => Err(PyTypeError::new_err(format!(
                "column '{name}' holds {other}, which numpy has no array for: \
                 hand the table to pyarrow, polars or pandas"
            ))),
        }
    }

    /// The same as ``pyarrow.Table``.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::handed_to(slf, "pyarrow", "table")
    }

    /// The same as ``polars.DataFrame``.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::handed_to(slf, "polars", "DataFrame")
    }

    /// The same as ``pandas.DataFrame``, by way of pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    /// The columns by name, as numpy arrays.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for name in self.column_names() {
            columns.set_item(name, self.__getitem__(py, name)?)?;
        }
        Ok(columns)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let field = Field::new_struct("", self.schema.fields().clone(), false)
            .with_metadata(self.schema.metadata().clone());
        let arrays = self.batches.clone().into_iter();
        let arrays = arrays.map(|batch| Ok(Arc::new(StructArray::from(batch)) as ArrayRef));
        let arrays = Box::new(ArrayIterator::new(arrays, Arc::new(field)));
        Ok(to_stream_pycapsule(py, arrays, requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }
}

/// Names and types of columns, as Arrow has them: ``pyarrow.schema(s)``.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Schema {
    schema: SchemaRef,
}

impl Schema {
    pub(crate) fn new(schema: SchemaRef) -> Self {
        Self { schema }
    }
}

#[pymethods]
impl Schema {
    /// The names of the columns, in order.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.schema.fields().len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.schema == other.schema
    }

    fn __repr__(&self) -> String {
        format!("<setwise.Schema: {}>", listed(&self.schema))
    }

    /// The same as ``pyarrow.Schema``.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("schema", (slf,))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }
}

pub(crate) fn listed(schema: &ArrowSchema) -> String {
    let of_one = |field: &Arc<Field>| format!("{}: {}", field.name(), field.data_type());
    schema.fields().iter().map(of_one).collect::<Vec<_>>().join(", ")
}

/// Keeps an array's memory while numpy looks at it.
#[pyclass(frozen)]
struct Owner {
    _array: ArrayRef,
}

fn numpy_of<'py, T: ArrowPrimitiveType<Native: Element + Copy>>(
    py: Python<'py>,
    chunks: &[&ArrayRef],
) -> PyResult<Bound<'py, PyAny>> {
    let values: Bound<'py, PyArray1<T::Native>> = match chunks {
        [one] => {
            let owner = Bound::new(py, Owner { _array: Arc::clone(one) })?;
            let view = ArrayView1::from(&one.as_primitive::<T>().values()[..]);
            // SAFETY: the owner keeps the array, whose values stay where they are as long as it lives; numpy
            // keeps the owner. Nobody writes: the flag is taken away below, before anybody has the array.
            unsafe { PyArray1::borrow_from_array(&view, owner.into_any()) }
        }
        chunks => {
            let mut all = Vec::with_capacity(chunks.iter().map(|chunk| chunk.len()).sum());
            for chunk in chunks {
                all.extend_from_slice(chunk.as_primitive::<T>().values());
            }
            PyArray1::from_vec(py, all)
        }
    };
    values.call_method1("setflags", (false,))?;
    if chunks.iter().all(|chunk| chunk.null_count() == 0) {
        return Ok(values.into_any());
    }
    let is_null = chunks.iter().flat_map(|chunk| (0..chunk.len()).map(|row| chunk.is_null(row)));
    let mask = PyArray1::from_iter(py, is_null);
    py.import("numpy.ma")?.call_method1("MaskedArray", (values, mask))
}
