//! The caller's memory: every pointer, size and alignment is checked before anything is written, so that a wrong one
//! gives a status.

use std::ops::Range;
use std::slice;

use crate::error::{Failure, setwise_status};

/// The arrays of a call so far: where each of them is, and whether it is written.
#[derive(Default)]
pub(crate) struct Checked {
    inputs: Vec<(Range<usize>, &'static str)>,
    outputs: Vec<(Range<usize>, &'static str)>,
}

impl Checked {
    /// The place of an array, if it is valid.
    fn place<T>(
        name: &'static str,
        values: *const T,
        count: usize,
    ) -> Result<Option<(Range<usize>, &'static str)>, Failure> {
        if count == 0 {
            return Ok(None);
        }
        if values.is_null() {
            let text = format!("`{name}` is null, but {count} values are expected");
            return Err(Failure::new(setwise_status::Null, text));
        }
        if !values.is_aligned() {
            let text = format!("`{name}` is not aligned to {} bytes", align_of::<T>());
            return Err(Failure::new(setwise_status::Unaligned, text));
        }
        let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
        match bytes.and_then(|bytes| values.addr().checked_add(bytes)) {
            Some(end) => Ok(Some((values.addr()..end, name))),
            None => Err(Failure::new(
                setwise_status::Size,
                format!("`{name}`: {count} values are more than memory can hold"),
            )),
        }
    }

    /// Checks an array that is read.
    pub(crate) fn input<T>(
        &mut self,
        name: &'static str,
        values: *const T,
        count: usize,
    ) -> Result<(), Failure> {
        self.inputs.extend(Self::place(name, values, count)?);
        Ok(())
    }

    /// Checks an array that is written, after all arrays that are read.
    pub(crate) fn output<T>(
        &mut self,
        name: &'static str,
        values: *mut T,
        count: usize,
    ) -> Result<(), Failure> {
        let Some((place, _)) = Self::place(name, values, count)? else {
            return Ok(());
        };
        for (other, other_name) in self.inputs.iter().chain(&self.outputs) {
            if place.start < other.end && other.start < place.end {
                let text = format!("`{name}` and `{other_name}` overlap");
                return Err(Failure::new(setwise_status::Overlap, text));
            }
        }
        self.outputs.push((place, name));
        Ok(())
    }
}

/// An array of the caller; an empty one may be null.
///
/// # Safety
/// It was checked, and is not written while the slice lives.
pub(crate) unsafe fn input_slice<'a, T>(values: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller says so.
    unsafe { slice::from_raw_parts(values, count) }
}

/// An array of the caller that is written.
///
/// # Safety
/// It was checked, and nothing else accesses it while the slice lives.
pub(crate) unsafe fn output_slice<'a, T>(values: *mut T, count: usize) -> &'a mut [T] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: the caller says so.
    unsafe { slice::from_raw_parts_mut(values, count) }
}

/// The pointer to a row; null stays null (no rows).
///
/// # Safety
/// The array has the row, or ends before it.
pub(crate) unsafe fn rows_from<T>(values: *mut T, row: usize) -> *mut T {
    if row == 0 {
        return values;
    }
    // SAFETY: the caller says so.
    unsafe { values.add(row) }
}
