//! Fills any number of columns for many positions in one call.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr;

use setwise::{Buffer, Lists, Needs, ValueType};
use setwise_nnue::{Column, FeatureSet, Request, columns};

use crate::buffers::{Checked, checked};
use crate::columns::{column_at, values_of_a_position};
use crate::error::{Failure, bail, setwise_status};
use crate::feature_sets::setwise_feature_set;
use crate::kernel::{chosen, setwise_kernel};
use crate::positions::{ROWS_OF_PART, setwise_positions};

/// A column and the buffer for its values. Set unused fields to 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_buffer {
    /// The column's number, from setwise_column_find() or setwise_column_select().
    pub column: i32,
    /// The values, of setwise_column_value_bytes() each: one per position; for a SETWISE_SHAPE_ARRAY,
    /// setwise_column_length() per position; for a SETWISE_SHAPE_LIST, all lists one after another.
    pub values: *mut c_void,
    /// The size of `values` in bytes: exactly what the positions need, or for lists, the space available.
    pub bytes: usize,
    /// For lists, `count + 1` offsets, counted in values: the start of each list in `values`, and the end of the last
    /// list. List `i` goes from `offsets[i]` up to, but not including, `offsets[i + 1]`.
    pub offsets: *mut usize,
    /// Receives 1 for each position that has a value, and 0 for the others, for which the column has zeros or an empty
    /// list. May be NULL.
    pub validity: *mut u8,
    /// The feature set, for columns that need one; see setwise_feature_set_find().
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
    // SAFETY: the kernel and the sets are null or ours, and the other pointers are the caller's.
    checked(|arrays| unsafe {
        let [positions] = arrays.read_array::<_, 1>("positions", positions)?;
        // With more buffers than columns, a column would occur twice.
        if buffer_count > Column::ALL.len() {
            bail!(Column, "{buffer_count} buffers for {} columns", Column::ALL.len());
        }
        let buffers = arrays.read("buffers", buffers, buffer_count)?;
        positions.check(arrays)?;
        let mut targets = Vec::with_capacity(buffers.len());
        for buffer in buffers {
            let Some(column) = column_at(buffer.column) else {
                bail!(Column, "no column has the number {}", buffer.column);
            };
            if targets.iter().any(|other: &Target<'_>| other.column == column) {
                bail!(Column, "column `{column}` is requested twice");
            }
            targets.push(Target::checked(column, positions, buffer, arrays)?);
        }
        let has_lists = targets.iter().any(|target| values_of_a_position(target.column).is_none());
        let kernel = chosen(kernel);
        positions.in_parts(if has_lists { ROWS_OF_PART } else { usize::MAX }, |rows, part| {
            let mut requests: Vec<Request<'_>> =
                targets.iter_mut().map(|target| target.request(rows.clone())).collect();
            columns::fill(kernel, part, &mut requests);
            drop(requests);
            targets.iter_mut().for_each(|target| target.values.append(rows.clone()));
            true
        });
        // All columns are finished, even after a failure; the first failure is returned.
        let mut outcome = Ok(());
        for target in &mut targets {
            outcome = outcome.and(target.values.finish(target.column));
        }
        outcome
    })
}

/// The caller's memory for the values of a column.
trait Values {
    /// The memory that the kernel fills for some rows.
    fn buffer(&mut self, rows: Range<usize>) -> Buffer<'_>;

    /// Copies the lists of these rows.
    fn append(&mut self, _rows: Range<usize>) {}

    /// Writes the start of the first list. Fails if there are more values than the memory holds.
    fn finish(&mut self, _column: Column) -> Result<(), Failure> {
        Ok(())
    }
}

/// Values that the kernel writes directly, and their number per position.
struct InPlace<'a, T>(&'a mut [T], usize);

impl<T> Values for InPlace<'_, T>
where
    for<'b> Buffer<'b>: From<&'b mut [T]>,
{
    fn buffer(&mut self, rows: Range<usize>) -> Buffer<'_> {
        Buffer::from(&mut self.0[rows.start * self.1..rows.end * self.1])
    }
}

/// Lists, which the kernel computes in parts.
struct Appended<'a, T> {
    part: Lists<T>,
    values: &'a mut [T],
    /// The number of values so far, including those that did not fit.
    count: usize,
    offsets: &'a mut [usize],
}

impl<T: Copy + Default> Values for Appended<'_, T>
where
    for<'b> Buffer<'b>: From<&'b mut Lists<T>>,
{
    fn buffer(&mut self, _rows: Range<usize>) -> Buffer<'_> {
        Buffer::from(&mut self.part)
    }

    fn append(&mut self, rows: Range<usize>) {
        let items = self.part.items();
        if let Some(free) = self.values.get_mut(self.count..) {
            free.iter_mut().zip(items).for_each(|(to, item)| *to = *item);
        }
        let ends = self.offsets[rows.start + 1..].iter_mut().zip(&self.part.offsets()[1..]);
        ends.for_each(|(offset, end)| *offset = self.count + end);
        self.count += items.len();
    }

    fn finish(&mut self, column: Column) -> Result<(), Failure> {
        self.offsets[0] = 0;
        let (count, capacity) = (self.count, self.values.len());
        if count > capacity {
            let lists = format!("the lists of column `{column}`");
            bail!(Capacity, "{lists} have {count} values, but the buffer holds {capacity}");
        }
        Ok(())
    }
}

/// A column and its checked buffer.
struct Target<'a> {
    column: Column,
    values: Box<dyn Values + 'a>,
    validity: Option<&'a mut [u8]>,
    feature_set: Option<&'a FeatureSet>,
}

impl<'a> Target<'a> {
    /// # Safety
    /// The feature set is null or one of ours, and the arrays of the buffer are the caller's.
    unsafe fn checked(
        column: Column,
        positions: &setwise_positions,
        buffer: &setwise_buffer,
        arrays: &mut Checked,
    ) -> Result<Self, Failure> {
        let count = positions.count;
        let needed = match column.needs() {
            Needs::Pieces => 0,
            Needs::Turn => 1,
            _ => 4,
        };
        if let Some(name) = positions.lacking(needed) {
            bail!(State, "column `{column}` needs `{name}`, but it is null");
        }
        // SAFETY: guaranteed by the caller.
        let set = unsafe { buffer.feature_set.as_ref() }.filter(|_| column.needs_feature_set());
        if column.needs_feature_set() && set.is_none() {
            bail!(FeatureSet, "column `{column}` needs a feature set, but `feature_set` is null");
        }
        let of_position = values_of_a_position(column);
        if let Some(bytes) = of_position.map(|values| values * column.value_type().bytes())
            && Some(buffer.bytes) != count.checked_mul(bytes)
        {
            let has = format!("the buffer of column `{column}` has {} bytes", buffer.bytes);
            bail!(Size, "{has}, but {count} positions need {bytes} each");
        }
        // SAFETY: guaranteed by the caller.
        unsafe {
            let values = match (column.value_type(), of_position) {
                (ValueType::U8, Some(length)) => in_place::<u8>(column, buffer, length, arrays)?,
                (ValueType::U16, Some(length)) => in_place::<u16>(column, buffer, length, arrays)?,
                (ValueType::U32, Some(length)) => in_place::<u32>(column, buffer, length, arrays)?,
                (ValueType::U64, Some(length)) => in_place::<u64>(column, buffer, length, arrays)?,
                (ValueType::U16, None) => lists::<u16>(column, buffer, count, arrays)?,
                (ValueType::U32, None) => lists::<u32>(column, buffer, count, arrays)?,
                (other, _) => {
                    bail!(Column, "column `{column}` holds {other}, which is unknown here")
                }
            };
            let validity = match buffer.validity.is_null() {
                true => None,
                false => Some(arrays.write("validity", buffer.validity, count)?),
            };
            Ok(Self { column, values, validity, feature_set: set.map(|set| &set.set) })
        }
    }

    /// The request for some rows.
    fn request(&mut self, rows: Range<usize>) -> Request<'_> {
        let mut request = self.column.to(self.values.buffer(rows.clone()));
        if let Some(set) = self.feature_set {
            request = request.feature_set(set);
        }
        let Some(validity) = &mut self.validity else { return request };
        let validity = &mut validity[rows];
        validity.fill(0);
        // SAFETY: each byte is 0.
        request.validity(unsafe { &mut *(ptr::from_mut(validity) as *mut [bool]) })
    }
}

/// Checks the values of a column with a fixed number of values per position.
///
/// # Safety
/// The arrays are the caller's.
unsafe fn in_place<'a, T: 'a>(
    column: Column,
    buffer: &setwise_buffer,
    of_position: usize,
    arrays: &mut Checked,
) -> Result<Box<dyn Values + 'a>, Failure>
where
    for<'b> Buffer<'b>: From<&'b mut [T]>,
{
    let (values, length) = (buffer.values.cast::<T>(), buffer.bytes / size_of::<T>());
    // SAFETY: guaranteed by the caller.
    let values = unsafe { arrays.write(column.name(), values, length)? };
    Ok(Box::new(InPlace(values, of_position)))
}

/// Checks lists and their offsets.
///
/// # Safety
/// The arrays are the caller's.
unsafe fn lists<'a, T: Copy + Default + 'a>(
    column: Column,
    buffer: &setwise_buffer,
    count: usize,
    arrays: &mut Checked,
) -> Result<Box<dyn Values + 'a>, Failure>
where
    for<'b> Buffer<'b>: From<&'b mut Lists<T>>,
{
    let (values, length) = (buffer.values.cast::<T>(), buffer.bytes / size_of::<T>());
    // The count plus 1 cannot overflow for positions that fit into memory.
    // SAFETY: guaranteed by the caller.
    let (offsets, values) = unsafe {
        let offsets = arrays.write("offsets", buffer.offsets, count.saturating_add(1))?;
        (offsets, arrays.write(column.name(), values, length)?)
    };
    Ok(Box::new(Appended { part: Lists::new(), values, count: 0, offsets }))
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use setwise::Pieces;

    use super::*;
    use crate::columns::setwise_column_find;
    use crate::pieces::setwise_pieces;

    /// Thousands of positions are filled in parts. Numbers after lists that do not fit hide no error.
    #[test]
    fn lists_of_many_positions() {
        const ROWS: usize = 5000;
        let rows = vec![setwise_pieces::from(Pieces::START); ROWS];
        let (turns, [castling_white, castling_black, en_passant]) = (ptr::null(), [ptr::null(); 3]);
        let (count, rows, columns) = (ROWS, rows.as_ptr(), [ptr::null(); 8]);
        let positions = setwise_positions {
            count,
            rows,
            columns,
            turns,
            castling_white,
            castling_black,
            en_passant,
        };
        for (length, expected) in
            [(40 * ROWS, setwise_status::Ok), (40 * ROWS - 1, setwise_status::Capacity)]
        {
            let (mut threats, mut offsets) = (vec![0_u16; length], vec![7; ROWS + 1]);
            let mut attacks = vec![0_u64; ROWS];
            let buffer = |name: &CStr, values: *mut c_void, bytes, offsets| {
                // SAFETY: the name is NUL-terminated.
                let column = unsafe { setwise_column_find(name.as_ptr()) };
                let (validity, feature_set) = (ptr::null_mut(), ptr::null());
                setwise_buffer { column, values, bytes, offsets, validity, feature_set }
            };
            let buffers = [
                buffer(c"threats", threats.as_mut_ptr().cast(), 2 * length, offsets.as_mut_ptr()),
                buffer(c"white_pawn", attacks.as_mut_ptr().cast(), 8 * ROWS, ptr::null_mut()),
            ];
            // SAFETY: all buffers have the lengths that they state.
            let status =
                unsafe { setwise_positions_fill(ptr::null(), &positions, buffers.as_ptr(), 2) };
            assert_eq!(status, expected);
            assert!(offsets.into_iter().eq((0..=ROWS).map(|row| 40 * row)));
            assert!(attacks.iter().all(|rank| *rank == 0xff << 16));
            assert!(threats[40..].iter().zip(&threats).all(|(one, before)| one == before));
        }
    }
}
