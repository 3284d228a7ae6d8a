//! Checks of the caller's memory: every pointer, size and alignment is checked before anything is written, so that
//! errors become a status.

use std::ops::Range;
use std::slice;

use crate::error::{Failure, bail, setwise_status, status_of};

/// Runs a call that checks its arrays. A panic is a failure, too.
pub(crate) fn checked(call: impl FnOnce(&mut Checked) -> Result<(), Failure>) -> setwise_status {
    status_of(|| call(&mut Checked::default()))
}

/// The address ranges and the names of the arrays of a call so far.
#[derive(Default)]
pub(crate) struct Checked(Vec<(Range<usize>, &'static str)>);

impl Checked {
    /// Returns the address range and the name of an array; `None` if it is empty.
    fn place<T>(
        name: &'static str,
        values: *const T,
        count: usize,
    ) -> Result<Option<(Range<usize>, &'static str)>, Failure> {
        if count == 0 {
            return Ok(None);
        }
        if values.is_null() {
            let plural = if count == 1 { "" } else { "s" };
            bail!(Null, "`{name}` is null, expected {count} value{plural}");
        }
        if !values.is_aligned() {
            bail!(Unaligned, "`{name}` is not aligned to {} bytes", align_of::<T>());
        }
        let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
        match bytes.and_then(|bytes| values.addr().checked_add(bytes)) {
            Some(end) => Ok(Some((values.addr()..end, name))),
            None => bail!(Size, "`{name}`: {count} values are more than memory can hold"),
        }
    }

    /// Checks and borrows an array that is read.
    ///
    /// # Safety
    /// The C caller keeps the array while the slice lives, and only arrays checked here are written.
    pub(crate) unsafe fn read<'a, T>(
        &mut self,
        name: &'static str,
        values: *const T,
        count: usize,
    ) -> Result<&'a [T], Failure> {
        self.0.extend(Self::place(name, values, count)?);
        // SAFETY: it was checked.
        Ok(unsafe { input_slice(values, count) })
    }

    /// Checks and borrows an array that is written, after all arrays that are read.
    ///
    /// # Safety
    /// The C caller keeps the array while the slice lives, and nothing else accesses it.
    pub(crate) unsafe fn write<'a, T>(
        &mut self,
        name: &'static str,
        values: *mut T,
        count: usize,
    ) -> Result<&'a mut [T], Failure> {
        if let Some((place, _)) = Self::place(name, values, count)? {
            for (other, other_name) in &self.0 {
                if place.start < other.end && other.start < place.end {
                    bail!(Overlap, "`{name}` and `{other_name}` overlap");
                }
            }
            self.0.push((place, name));
        }
        // SAFETY: it was checked, and overlaps no other array.
        Ok(unsafe { output_slice(values, count) })
    }

    /// [`read`](Self::read) for an array of known length.
    pub(crate) unsafe fn read_array<'a, T, const N: usize>(
        &mut self,
        name: &'static str,
        values: *const T,
    ) -> Result<&'a [T; N], Failure> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.read(name, values, N).map(|_| &*values.cast()) }
    }

    /// [`write`](Self::write) for an array of known length.
    pub(crate) unsafe fn write_array<'a, T, const N: usize>(
        &mut self,
        name: &'static str,
        values: *mut T,
    ) -> Result<&'a mut [T; N], Failure> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.write(name, values, N).map(|values| &mut *values.as_mut_ptr().cast()) }
    }
}

/// Borrows an array of the caller that is read. The pointer of an empty array may be null.
///
/// # Safety
/// The array has been checked, and is not written while the slice lives.
pub(crate) unsafe fn input_slice<'a, T>(values: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: guaranteed by the caller.
    unsafe { slice::from_raw_parts(values, count) }
}

/// Borrows an array of the caller that is written.
///
/// # Safety
/// The array has been checked, and nothing else accesses it while the slice lives.
pub(crate) unsafe fn output_slice<'a, T>(values: *mut T, count: usize) -> &'a mut [T] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: guaranteed by the caller.
    unsafe { slice::from_raw_parts_mut(values, count) }
}
