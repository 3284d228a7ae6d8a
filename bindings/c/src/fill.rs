//! Fills any columns for many positions, in one call.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr;

use setwise::{Lists, Needs, ValueType};
use setwise_nnue::{Column, FeatureSet, Request, columns};

use crate::buffers::{Checked, input_slice, output_slice, rows_from};
use crate::columns::{column_at, values_of_a_position};
use crate::error::{Failure, setwise_status, status_of};
use crate::feature_sets::setwise_feature_set;
use crate::kernel::{chosen, setwise_kernel};
use crate::positions::setwise_positions;

/// A column and the buffer for its values. Set unused fields to zero.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_buffer {
    /// The column's number, from setwise_column_find() or setwise_column_select().
    pub column: i32,
    /// The values, each of setwise_column_value_bytes(). There is one for each position; for a SETWISE_SHAPE_ARRAY
    /// there are setwise_column_length() for each; for a SETWISE_SHAPE_LIST all lists follow one another.
    pub values: *mut c_void,
    /// The size of `values` in bytes: exactly what the positions need, or for lists, the space available.
    pub bytes: usize,
    /// For lists, `count + 1` offsets: where each list begins in `values` and where the last one ends, counted in
    /// values. List `i` goes from `offsets[i]` up to, but not including, `offsets[i + 1]`.
    pub offsets: *mut usize,
    /// For each position, 1 if it has a value, or 0 if not (zeros, an empty list). May be NULL.
    pub validity: *mut u8,
    /// For columns that need one, a feature set; see setwise_feature_set_find().
    pub feature_set: *const setwise_feature_set,
}

/// Fills `buffer_count` columns for many positions. Work that no column needs is skipped, so request all columns in one
/// call. Nothing is written unless all arguments are valid.
///
/// If a buffer is too small for its lists, the status is SETWISE_STATUS_CAPACITY. Everything else is filled, including
/// the `offsets`; the last offset is the number of values needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_positions_fill(
    kernel: *const setwise_kernel,
    positions: *const setwise_positions,
    buffers: *const setwise_buffer,
    buffer_count: usize,
) -> setwise_status {
    status_of(|| {
        let mut checked = Checked::default();
        checked.input("positions", positions, 1)?;
        // More buffers than columns would contain a column twice.
        if buffer_count > Column::ALL.len() {
            let text = format!("{buffer_count} buffers for {} columns", Column::ALL.len());
            return Err(Failure::new(setwise_status::Column, text));
        }
        checked.input("buffers", buffers, buffer_count)?;
        // SAFETY: both were checked.
        let (positions, buffers) = unsafe { (&*positions, input_slice(buffers, buffer_count)) };
        positions.check(&mut checked)?;
        let mut targets = Vec::with_capacity(buffers.len());
        for buffer in buffers {
            let Some(column) = column_at(buffer.column) else {
                let text = format!("no column has the number {}", buffer.column);
                return Err(Failure::new(setwise_status::Column, text));
            };
            if targets.iter().any(|other: &Target<'_>| other.column == column) {
                let text = format!("column `{column}` is requested twice");
                return Err(Failure::new(setwise_status::Column, text));
            }
            // SAFETY: a set is null or one of ours.
            targets.push(unsafe { Target::checked(column, positions, buffer, &mut checked)? });
        }
        // SAFETY: the kernel is null or one of ours.
        let kernel = unsafe { chosen(kernel) };
        let in_parts = targets.iter().any(|target| !matches!(target.kind, Kind::Values));
        // SAFETY: everything was checked, and no buffer reaches into anything else.
        unsafe {
            for target in &mut targets {
                target.begin(positions.count);
            }
            positions.in_parts(in_parts, |rows, part| {
                let mut requests: Vec<Request<'_>> =
                    targets.iter_mut().map(|target| target.request(rows.clone())).collect();
                columns::fill(kernel, part, &mut requests);
                drop(requests);
                for target in &mut targets {
                    target.append(rows.clone());
                }
            });
        }
        targets.iter().try_for_each(Target::result)
    })
}

/// A column and its checked buffer.
struct Target<'a> {
    column: Column,
    values: *mut c_void,
    offsets: *mut usize,
    validity: *mut u8,
    feature_set: Option<&'a FeatureSet>,
    kind: Kind,
}

/// How values reach a buffer.
enum Kind {
    /// Written directly by the kernel.
    Values,
    /// Lists, appended part by part.
    ListU16(Appended<u16>),
    ListU32(Appended<u32>),
}

/// How much of the caller's buffer is filled.
struct Appended<T> {
    part: Lists<T>,
    /// How many values there are so far, and how many the buffer can hold.
    values: usize,
    capacity: usize,
}

impl<T: Copy + Default> Appended<T> {
    fn new(bytes: usize) -> Self {
        Self { part: Lists::new(), values: 0, capacity: bytes / size_of::<T>() }
    }

    /// Appends the lists of a part, as far as they fit, and all their offsets.
    ///
    /// # Safety
    /// `values` has the capacity, and nothing else accesses it.
    unsafe fn append(&mut self, values: *mut T, offsets: &mut [usize]) {
        let items = self.part.items();
        let free = self.capacity.saturating_sub(self.values).min(items.len());
        if free > 0 {
            // SAFETY: the buffer has this much free space after the values so far.
            unsafe { output_slice(values.add(self.values), free) }.copy_from_slice(&items[..free]);
        }
        for (offset, end) in offsets.iter_mut().zip(&self.part.offsets()[1..]) {
            *offset = self.values + end;
        }
        self.values += items.len();
    }

    fn result(&self, column: Column) -> Result<(), Failure> {
        if self.values <= self.capacity {
            return Ok(());
        }
        let text = format!(
            "the lists of column `{column}` have {} values, but the buffer holds {}",
            self.values, self.capacity
        );
        Err(Failure::new(setwise_status::Capacity, text))
    }
}

impl<'a> Target<'a> {
    /// # Safety
    /// The feature set is null or one of ours.
    unsafe fn checked(
        column: Column,
        positions: &setwise_positions,
        buffer: &setwise_buffer,
        checked: &mut Checked,
    ) -> Result<Self, Failure> {
        let count = positions.count;
        let needed = match column.needs() {
            Needs::Pieces => 0,
            Needs::Turn => 1,
            _ => 4,
        };
        for (name, values) in &positions.state()[..needed] {
            if values.is_null() {
                let text = format!("column `{column}` needs `{name}`, but it is null");
                return Err(Failure::new(setwise_status::State, text));
            }
        }
        // SAFETY: the caller says so.
        let feature_set = unsafe { set_of(column, buffer.feature_set)? };
        let bytes = column.value_type().bytes();
        if let Some(values) = values_of_a_position(column) {
            let of_position = values * bytes;
            if Some(buffer.bytes) != count.checked_mul(of_position) {
                let text = format!(
                    "the buffer of column `{column}` has {} bytes, but {count} positions need {of_position} each",
                    buffer.bytes
                );
                return Err(Failure::new(setwise_status::Size, text));
            }
        } else {
            // As many positions as memory holds can be counted with one more.
            checked.output("offsets", buffer.offsets, count.saturating_add(1))?;
        }
        let (name, values, length) = (column.name(), buffer.values, buffer.bytes / bytes);
        let kind = match (column.value_type(), values_of_a_position(column)) {
            (ValueType::U8, Some(_)) => Kind::values(checked, name, values.cast::<u8>(), length)?,
            (ValueType::U16, Some(_)) => Kind::values(checked, name, values.cast::<u16>(), length)?,
            (ValueType::U32, Some(_)) => Kind::values(checked, name, values.cast::<u32>(), length)?,
            (ValueType::U64, Some(_)) => Kind::values(checked, name, values.cast::<u64>(), length)?,
            (ValueType::U16, None) => {
                checked.output(name, values.cast::<u16>(), length)?;
                Kind::ListU16(Appended::new(buffer.bytes))
            }
            (ValueType::U32, None) => {
                checked.output(name, values.cast::<u32>(), length)?;
                Kind::ListU32(Appended::new(buffer.bytes))
            }
            (other, _) => {
                let text =
                    format!("column `{column}` holds {other}, which this interface does not know");
                return Err(Failure::new(setwise_status::Column, text));
            }
        };
        if !buffer.validity.is_null() {
            checked.output("validity", buffer.validity, count)?;
        }
        let (offsets, validity) = (buffer.offsets, buffer.validity);
        Ok(Self { column, values, offsets, validity, feature_set, kind })
    }

    /// Writes what stands before the first position, and makes the validity a field of booleans.
    ///
    /// # Safety
    /// The buffer was checked for this number of positions.
    unsafe fn begin(&mut self, count: usize) {
        // SAFETY: a list has an offset more than there are positions, and a validity as many.
        unsafe {
            if !matches!(self.kind, Kind::Values) {
                *self.offsets = 0;
            }
            if !self.validity.is_null() && count > 0 {
                ptr::write_bytes(self.validity, 0, count);
            }
        }
    }

    /// Some rows, as the kernel takes them.
    ///
    /// # Safety
    /// The buffer was checked, has these rows, and nobody else looks at it.
    unsafe fn request(&mut self, rows: Range<usize>) -> Request<'_> {
        let (column, values) = (self.column, self.values);
        let length = values_of_a_position(column).unwrap_or_default();
        let (begin, length) = (rows.start * length, rows.len() * length);
        // SAFETY: the buffer is as long as its column's type and the rows say.
        let request = unsafe {
            match (&mut self.kind, column.value_type()) {
                (Kind::ListU16(lists), _) => column.to(&mut lists.part),
                (Kind::ListU32(lists), _) => column.to(&mut lists.part),
                (Kind::Values, ValueType::U8) => {
                    column.to(part(values.cast::<u8>(), begin, length))
                }
                (Kind::Values, ValueType::U16) => {
                    column.to(part(values.cast::<u16>(), begin, length))
                }
                (Kind::Values, ValueType::U32) => {
                    column.to(part(values.cast::<u32>(), begin, length))
                }
                (Kind::Values, _) => column.to(part(values.cast::<u64>(), begin, length)),
            }
        };
        let request = match self.feature_set {
            Some(set) => request.feature_set(set),
            None => request,
        };
        if self.validity.is_null() {
            return request;
        }
        // SAFETY: the buffer has this many bytes, and `begin` set each of them to 0, which is a `bool`.
        request.validity(unsafe { part(self.validity.cast::<bool>(), rows.start, rows.len()) })
    }

    /// Appends the lists of some rows.
    ///
    /// # Safety
    /// As for [`request`](Self::request).
    unsafe fn append(&mut self, rows: Range<usize>) {
        // SAFETY: a list has an offset more than there are positions, and the capacity that was counted.
        unsafe {
            match &mut self.kind {
                Kind::Values => {}
                Kind::ListU16(lists) => lists.append(
                    self.values.cast::<u16>(),
                    part(self.offsets, rows.start + 1, rows.len()),
                ),
                Kind::ListU32(lists) => lists.append(
                    self.values.cast::<u32>(),
                    part(self.offsets, rows.start + 1, rows.len()),
                ),
            }
        }
    }

    fn result(&self) -> Result<(), Failure> {
        match &self.kind {
            Kind::Values => Ok(()),
            Kind::ListU16(lists) => lists.result(self.column),
            Kind::ListU32(lists) => lists.result(self.column),
        }
    }
}

impl Kind {
    /// Checks values that the kernel writes where they lie.
    fn values<T>(
        checked: &mut Checked,
        name: &'static str,
        values: *mut T,
        length: usize,
    ) -> Result<Self, Failure> {
        checked.output(name, values, length)?;
        Ok(Self::Values)
    }
}

/// Part of an array that is written.
///
/// # Safety
/// It was checked to have that part, and nobody else looks at it while the slice lives.
unsafe fn part<'a, T>(values: *mut T, begin: usize, length: usize) -> &'a mut [T] {
    // SAFETY: the caller says so.
    unsafe { output_slice(rows_from(values, begin), length) }
}

/// The feature set, if the column needs one.
///
/// # Safety
/// The set is null or one of ours.
unsafe fn set_of<'a>(
    column: Column,
    set: *const setwise_feature_set,
) -> Result<Option<&'a FeatureSet>, Failure> {
    if !column.needs_feature_set() {
        return Ok(None);
    }
    // SAFETY: the caller says so.
    match unsafe { set.as_ref() } {
        Some(set) => Ok(Some(&set.set)),
        None => {
            let text = format!("column `{column}` needs a feature set, but `feature_set` is null");
            Err(Failure::new(setwise_status::FeatureSet, text))
        }
    }
}
