//! Tables of results: Arrow PyCapsules for other packages, numpy arrays for single columns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float64Type};
use arrow_array::{
    Array, ArrayRef, RecordBatch, StructArray, UInt64Array, downcast_integer, new_empty_array,
};
use arrow_buffer::NullBuffer;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema as ArrowSchema, SchemaRef};
use arrow_select::concat::concat;
use arrow_select::take::take;
use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PySlice, PyString};
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use setwise_files::compact;
use setwise_table::Column;

use crate::error::{at_least, quoted, wrong};
use crate::input::{of_stream, words};

/// A table of named columns, in one or more batches of rows, stored in Arrow's layout.
///
/// Packages that read Arrow PyCapsules accept it without a copy: ``pyarrow.table(t)``, ``polars.DataFrame(t)``,
/// ``duckdb.sql("from t")``. ``t["white_all"]`` is a column as a numpy array, and ``t[10:20]`` is a range of rows. A
/// table built from pandas data keeps the index for ``to_pandas``.
#[pyclass(frozen, module = "setwise")]
pub(crate) struct Table {
    pub(crate) batches: Vec<RecordBatch>,
    pub(crate) schema: SchemaRef,
    /// The row labels, a pandas index.
    pub(crate) index: Option<Py<PyAny>>,
}

impl Table {
    /// Returns a column as one array: the array of the only batch, or a copy.
    fn whole(&self, name: &str) -> PyResult<(&Field, ArrayRef)> {
        let Some((place, field)) = self.schema.column_with_name(name) else {
            let names = quoted(self.column_names());
            return Err(PyKeyError::new_err(format!(
                "no column is called `{name}`; there are {names}"
            )));
        };
        let chunks: Vec<&dyn Array> =
            self.batches.iter().map(|batch| &**batch.column(place)).collect();
        let array = match chunks[..] {
            [] => new_empty_array(field.data_type()),
            _ => concat(&chunks).map_err(wrong)?,
        };
        Ok((field, array))
    }

    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (_, array) = self.whole(name)?;
        let Some(lists) = array.as_fixed_size_list_opt() else {
            return numbers(py, name, &array);
        };
        if lists.null_count() > 0 {
            return Err(PyTypeError::new_err(format!(
                "column `{name}` holds arrays, and some rows are null: pass the table to pyarrow or polars"
            )));
        }
        let (rows, width) = (lists.len(), lists.value_length() as usize);
        let values = lists.values().slice(lists.value_offset(0) as usize, width * rows);
        numbers(py, name, &values)?.call_method1("reshape", (rows, width))
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

    /// The names and types of the columns.
    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.schema.clone())
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

    /// Formats the first rows as an HTML table for notebooks. Boards are hexadecimal.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        const ROWS: i64 = 10;
        let row = |tag: &str, cells: &mut dyn Iterator<Item = String>| {
            let cell = |text: String| {
                let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                format!("<{tag}>{text}</{tag}>")
            };
            format!("<tr>{}</tr>", cells.map(cell).collect::<String>())
        };
        let fields = self.schema.fields();
        let names = row("th", &mut fields.iter().map(|field| field.name().clone()));
        let types = row("td", &mut fields.iter().map(|field| field.data_type().to_string()));
        let mut rows = String::new();
        for batch in &self.slice(py, 0, Some(ROWS))?.batches {
            let columns: Vec<_> = batch
                .columns()
                .iter()
                .zip(fields)
                .map(|(array, field)| cells(array, field))
                .collect();
            for at in 0..batch.num_rows() {
                rows += &row("td", &mut columns.iter().map(|text| text(at)));
            }
        }
        Ok(format!(
            "<table><thead>{names}{types}</thead><tbody>{rows}</tbody></table><p>{} rows, {} columns</p>",
            self.num_rows(),
            self.num_columns()
        ))
    }

    /// Returns a column as a numpy array (by its name), or a range of rows as a table (by a slice with step 1).
    ///
    /// Arrays are read-only: a view of Arrow's memory if the table has one batch, else a copy. ``.copy()`` returns a
    /// writable array. A column with nulls is a masked array, and a column of fixed-size lists has the shape [n, k].
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = key.py();
        if let Ok(name) = key.cast::<PyString>() {
            return self.column(py, &name.to_cow()?);
        }
        let Ok(slice) = key.cast::<PySlice>() else {
            let found = key.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected the name of a column or a slice of rows, found {found}"
            )));
        };
        let slice = slice.indices(self.num_rows() as isize)?;
        if slice.step != 1 {
            return Err(PyIndexError::new_err("a slice of rows has step 1"));
        }
        let rows = self.slice(py, slice.start as i64, Some(slice.slicelength as i64))?;
        Ok(Bound::new(py, rows)?.into_any())
    }

    /// Returns at most ``length`` rows, starting at ``offset``, without a copy.
    #[pyo3(signature = (offset, length=None))]
    fn slice(&self, py: Python<'_>, offset: i64, length: Option<i64>) -> PyResult<Self> {
        let all = self.num_rows();
        let start = at_least("offset", 0, offset)?.min(all);
        let length = length.map_or(Ok(all), |length| at_least("length", 0, length))?;
        let end = start + length.min(all - start);
        let (mut skip, mut take) = (start, end - start);
        let mut part_of = |batch: &RecordBatch| {
            let from = skip.min(batch.num_rows());
            let rows = take.min(batch.num_rows() - from);
            (skip, take) = (skip - from, take - rows);
            (rows > 0).then(|| batch.slice(from, rows))
        };
        let batches = self.batches.iter().filter_map(&mut part_of).collect();
        let rows = |index: &Py<PyAny>| -> PyResult<Py<PyAny>> {
            let rows = PySlice::new(py, start as isize, end as isize, 1);
            Ok(index.bind(py).get_item(rows)?.unbind())
        };
        let index = self.index.as_ref().map(rows).transpose()?;
        Ok(Self { batches, schema: self.schema.clone(), index })
    }

    /// Returns the first ``n`` rows.
    #[pyo3(signature = (n=5))]
    fn head(&self, py: Python<'_>, n: i64) -> PyResult<Self> {
        at_least("n", 0, n)?;
        self.slice(py, 0, Some(n))
    }

    /// Returns a column of lists as two read-only numpy arrays: ``offsets``, ``int64`` of shape [n + 1], and ``items``.
    /// The list of row ``i`` is ``items[offsets[i]:offsets[i + 1]]``. The list of a null row is empty.
    fn lists<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (field, mut array) = self.whole(name)?;
        let has_items = |row| array.is_null(row) && array.as_list::<i64>().value_length(row) > 0;
        if array.null_count() > 0
            && array.as_list_opt::<i64>().is_some()
            && (0..array.len()).any(has_items)
        {
            // A copy without the items of null rows.
            let rows = UInt64Array::from_iter_values(0..array.len() as u64);
            array = take(&array, &rows, None).map_err(wrong)?;
        }
        let Some(lists) = array.as_list_opt::<i64>() else {
            return Err(PyTypeError::new_err(format!(
                "column `{name}` holds {}, not lists",
                field.data_type()
            )));
        };
        let (first, end) = (lists.offsets()[0], lists.offsets()[lists.len()]);
        let items = lists.values().slice(first as usize, (end - first) as usize);
        let items = numbers(py, name, &items)?;
        let offsets = match first {
            0 => viewed(py, &array, &lists.offsets()[..])?,
            _ => PyArray1::from_iter(py, lists.offsets().iter().map(|end| end - first)),
        };
        offsets.call_method1("setflags", (false,))?;
        Ok((offsets.into_any(), items))
    }

    /// Converts the table to a ``pyarrow.Table``.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// Converts the table to a ``polars.DataFrame``.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// Converts the table to a ``pandas.DataFrame`` with pyarrow. A table built from a pandas series or frame keeps its
    /// index. Integers with nulls get pandas' nullable types, such as ``UInt64``, because floating-point numbers cannot
    /// hold all bits of a bitboard.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let frame = slf.py().import("setwise._tables")?.getattr("frame")?;
        frame.call1((Self::to_pyarrow(slf)?, &slf.get().index))
    }

    /// Returns all columns as numpy arrays, by name. Columns that are not numeric raise a ``TypeError``.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for name in self.column_names() {
            columns.set_item(name, self.column(py, name)?)?;
        }
        Ok(columns)
    }

    /// Supports ``pickle`` and ``copy``.
    #[allow(clippy::type_complexity, reason = "pickle wants it so")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, Option<Py<PyAny>>))> {
        let stream = || -> Result<Vec<u8>, ArrowError> {
            let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
            for batch in &self.batches {
                writer.write(&compact(batch.clone(), false)?)?;
            }
            writer.into_inner()
        };
        let stream = py.detach(stream).map_err(wrong)?;
        let index = self.index.as_ref().map(|index| index.clone_ref(py));
        let again = py.import("setwise._setwise")?.getattr("table_of_stream")?;
        Ok((again, (PyBytes::new(py, &stream), index)))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = self.batches.clone().into_iter().map(Ok);
        stream_of(py, &self.schema, batches, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }
}

/// Joins Arrow tables or record batches with the same columns to one table, without copying their data.
#[pyfunction]
pub(crate) fn table_of(sources: Vec<Bound<'_, PyAny>>) -> PyResult<Table> {
    let mut batches = Vec::new();
    let mut first: Option<SchemaRef> = None;
    for source in sources {
        let (more, schema) = crate::input::table(&source)?;
        let expected = first.get_or_insert_with(|| schema.clone());
        if schema.fields() != expected.fields() {
            let (found, expected) = (listed(&schema), listed(expected));
            return Err(wrong(format!("expected batches with {expected}, found one with {found}")));
        }
        batches.extend(more);
    }
    let schema = first.unwrap_or_else(|| Arc::new(ArrowSchema::empty()));
    Ok(Table { batches, schema, index: None })
}

/// Recreates a table from an Arrow IPC stream and its row labels.
#[pyfunction]
pub(crate) fn table_of_stream(stream: &[u8], index: Option<Py<PyAny>>) -> PyResult<Table> {
    let (batches, schema) = of_stream(stream)?;
    Ok(Table { batches, schema, index })
}

/// Formats the cells of a column. Nulls are empty, and boards are hexadecimal.
fn cells<'a>(array: &'a ArrayRef, field: &Field) -> Box<dyn Fn(usize) -> String + 'a> {
    const OPTIONS: FormatOptions<'static> = FormatOptions::new().with_display_error(true);
    let is_board = field.name().parse().is_ok_and(Column::is_board);
    if let Some(boards) = words(array).filter(|_| is_board) {
        let board = move |row| format!("{:#018x}", boards[row]);
        return Box::new(move |row| if array.is_null(row) { String::new() } else { board(row) });
    }
    match ArrayFormatter::try_new(array, &OPTIONS) {
        Ok(formatter) => Box::new(move |row| formatter.value(row).to_string()),
        Err(_) => Box::new(|_| "?".to_owned()),
    }
}

/// The names and types of columns: an Arrow schema for ``pyarrow.schema(s)``.
#[pyclass(frozen, eq, module = "setwise")]
#[derive(PartialEq)]
pub(crate) struct Schema(pub(crate) SchemaRef);

#[pymethods]
impl Schema {
    /// The names of the columns, in order.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.fields().len()
    }

    fn __repr__(&self) -> String {
        format!("<setwise.Schema: {}>", listed(&self.0))
    }

    /// Supports ``pickle`` and ``copy``: the schema of a table without rows.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Table,))> {
        let schema = py.import("operator")?.getattr("attrgetter")?.call1(("schema",))?;
        Ok((schema, (Table { batches: Vec::new(), schema: self.0.clone(), index: None },)))
    }

    /// Converts the schema to a ``pyarrow.Schema``.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("schema", (slf,))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.0.as_ref())?)
    }
}

pub(crate) fn listed(schema: &ArrowSchema) -> String {
    let of_one = |field: &Arc<Field>| format!("{}: {}", field.name(), field.data_type());
    schema.fields().iter().map(of_one).collect::<Vec<_>>().join(", ")
}

/// Keeps the memory of an array alive while numpy uses it.
#[pyclass(frozen)]
struct Owner {
    _array: ArrayRef,
}

/// Converts numbers to a read-only numpy array, masked if some are null.
fn numbers<'py>(py: Python<'py>, name: &str, array: &ArrayRef) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! numpy_of {
        ($of:ty) => {
            numpy_of::<$of>(py, array)
        };
    }
    downcast_integer! {
        array.data_type() => (numpy_of),
        DataType::Float64 => numpy_of!(Float64Type),
        DataType::LargeList(_) => Err(PyTypeError::new_err(format!(
            "column `{name}` holds lists: `table.lists({name:?})` gives their offsets and items, \
             and pyarrow, polars and pandas take the table"
        ))),
        other => Err(PyTypeError::new_err(format!(
            "column `{name}` holds {other}, which numpy has no array for: \
             pass the table to pyarrow, polars or pandas"
        ))),
    }
}

/// Returns a numpy view of an array's numbers.
fn viewed<'py, T: Element>(
    py: Python<'py>,
    array: &ArrayRef,
    values: &[T],
) -> PyResult<Bound<'py, PyArray1<T>>> {
    let owner = Bound::new(py, Owner { _array: Arc::clone(array) })?;
    let view = ArrayView1::from(values);
    // SAFETY: numpy keeps the owner, and the owner keeps the array, whose values do not move while it lives. Nothing
    // writes to it: the callers clear the writable flag before they return the array.
    Ok(unsafe { PyArray1::borrow_from_array(&view, owner.into_any()) })
}

/// The rows that are null, if any.
pub(crate) type Nulls<'py> = Option<Bound<'py, PyArray1<bool>>>;

pub(crate) fn nulls_of<'py>(py: Python<'py>, nulls: Option<&NullBuffer>) -> Nulls<'py> {
    nulls.map(|nulls| PyArray1::from_iter(py, nulls.iter().map(|is_valid| !is_valid)))
}

fn numpy_of<'py, T: ArrowPrimitiveType<Native: Element + Copy>>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<Bound<'py, PyAny>> {
    let values = viewed(py, array, &array.as_primitive::<T>().values()[..])?;
    values.call_method1("setflags", (false,))?;
    match nulls_of(py, array.nulls().filter(|nulls| nulls.null_count() > 0)) {
        None => Ok(values.into_any()),
        Some(mask) => py.import("numpy.ma")?.call_method1("MaskedArray", (values, mask)),
    }
}

/// Exports batches as an Arrow stream in a PyCapsule.
pub(crate) fn stream_of<'py>(
    py: Python<'py>,
    schema: &ArrowSchema,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
    requested: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let field = Field::new_struct("", schema.fields().clone(), false)
        .with_metadata(schema.metadata().clone());
    let arrays = batches.map(|batch| Ok(Arc::new(StructArray::from(batch?)) as ArrayRef));
    let arrays = Box::new(ArrayIterator::new(arrays, Arc::new(field)));
    Ok(to_stream_pycapsule(py, arrays, requested)?)
}
