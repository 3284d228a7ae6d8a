//! The library's catalogue of columns, by number and name.

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use once_cell::race::OnceBox;
use setwise::columns::select;
use setwise::{Needs, Shape};
use setwise_nnue::Column;

use crate::buffers::checked;
use crate::error::{Failure, bail, find, setwise_status};

/// The number of values of a column for each position.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum setwise_shape {
    /// There is no such column.
    None = 0,
    /// One.
    Value,
    /// A list whose length depends on the position: all lists are contiguous, with offsets.
    List,
    /// The same number for all positions. The values of a position are contiguous.
    Array,
}

/// The parts of each position that a column needs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum setwise_needs {
    /// The pieces.
    Pieces = 0,
    /// The pieces and the side to move: `turns` of setwise_positions.
    Turn,
    /// The complete state: `turns`, `castling_white`, `castling_black` and `en_passant`.
    State,
}

/// Returns the name and the meaning of a column as C strings.
fn words(column: i32) -> Option<&'static [CString; 2]> {
    static COLUMNS: OnceBox<Vec<[CString; 2]>> = OnceBox::new();
    let in_c = |column: &Column| {
        [column.name(), column.meaning()].map(|text| CString::new(text).unwrap_or_default())
    };
    let columns = COLUMNS.get_or_init(|| Box::new(Column::ALL.iter().map(in_c).collect()));
    columns.get(usize::try_from(column).ok()?)
}

/// The column with a number.
pub(crate) fn column_at(number: i32) -> Option<Column> {
    Column::ALL.get(usize::try_from(number).ok()?).copied()
}

/// The number of values of a buffer for each position; `None` for lists.
pub(crate) fn values_of_a_position(column: Column) -> Option<usize> {
    match column.shape() {
        Shape::Value => Some(1),
        Shape::Array(count) => Some(count),
        _ => None,
    }
}

fn number_of(column: Column) -> i32 {
    let number = Column::ALL.iter().position(|&other| other == column);
    number.and_then(|number| i32::try_from(number).ok()).unwrap_or(-1)
}

/// The number of columns. Columns are numbered from 0. The numbers may change with the version of the library, so look
/// them up when the program starts.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_count() -> i32 {
    i32::try_from(Column::ALL.len()).unwrap_or(0)
}

/// The number of a column by its name, such as "white_all" (`docs/columns.md` lists them). -1 if there is no such
/// column; setwise_error_message() then suggests the nearest name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_column_find(name: *const c_char) -> i32 {
    // SAFETY: the caller passes a NUL-terminated string, or null.
    unsafe { find("column", name, |name| name.parse::<Column>().map(number_of)) }.unwrap_or(-1)
}

/// Finds columns by a comma-separated list of names, patterns such as "white_*", and presets ("default", "all",
/// "counts", "mobility", "rings"). Writes their number to `count`, and the first `capacity` column numbers to
/// `columns`.
///
/// If a name is unknown, the status is SETWISE_STATUS_COLUMN, and setwise_error_message() suggests the nearest name. If
/// there are more than `capacity` columns, the status is SETWISE_STATUS_CAPACITY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_column_select(
    names: *const c_char,
    columns: *mut i32,
    capacity: usize,
    count: *mut usize,
) -> setwise_status {
    // SAFETY: the pointers are the caller's, and the names are NUL-terminated.
    checked(|arrays| unsafe {
        arrays.read("names", names, 1)?;
        let columns = arrays.write("columns", columns, capacity)?;
        let [count] = arrays.write_array("count", count)?;
        let names = CStr::from_ptr(names).to_string_lossy();
        let chosen: Vec<Column> = select(names.split(','))
            .map_err(|error| Failure::new(setwise_status::Column, error.to_string()))?;
        *count = chosen.len();
        for (to, &column) in columns.iter_mut().zip(&chosen) {
            *to = number_of(column);
        }
        if chosen.len() > capacity {
            let count = chosen.len();
            bail!(Capacity, "{count} columns are selected, but the capacity is {capacity}");
        }
        Ok(())
    })
}

/// The name of a column; NULL if there is no such column.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_name(column: i32) -> *const c_char {
    words(column).map_or(ptr::null(), |[name, _]| name.as_ptr())
}

/// The meaning of a column, in English; NULL if there is no such column.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_meaning(column: i32) -> *const c_char {
    words(column).map_or(ptr::null(), |[_, meaning]| meaning.as_ptr())
}

/// The size of one value of a column in bytes: 8 for uint64_t (a set of squares), 4, 2 or 1 for smaller unsigned
/// integers; 0 if there is no such column.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_value_bytes(column: i32) -> usize {
    column_at(column).map_or(0, |column| column.value_type().bytes())
}

/// The shape of a column; SETWISE_SHAPE_NONE if there is no such column.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_shape(column: i32) -> setwise_shape {
    match column_at(column).map(Column::shape) {
        Some(Shape::Value) => setwise_shape::Value,
        Some(Shape::List) => setwise_shape::List,
        Some(Shape::Array(_)) => setwise_shape::Array,
        _ => setwise_shape::None,
    }
}

/// The number of values of a column for each position: 1, or the length of a SETWISE_SHAPE_ARRAY; 0 for lists and if
/// there is no such column.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_length(column: i32) -> usize {
    column_at(column).and_then(values_of_a_position).unwrap_or(0)
}

/// The parts of each position that a column needs.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_needs(column: i32) -> setwise_needs {
    match column_at(column).map(Column::needs) {
        Some(Needs::Turn) => setwise_needs::Turn,
        Some(Needs::State) => setwise_needs::State,
        _ => setwise_needs::Pieces,
    }
}

/// Returns 1 if positions may have no value in a column, else 0. `validity` of setwise_buffer reports these positions.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_is_nullable(column: i32) -> i32 {
    column_at(column).is_some_and(Column::is_nullable).into()
}

/// Returns 1 if a column needs a feature set, to be set as `feature_set` of setwise_buffer, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_column_needs_feature_set(column: i32) -> i32 {
    column_at(column).is_some_and(Column::needs_feature_set).into()
}
