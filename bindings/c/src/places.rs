//! Pointers of calls at every node, which are checked by comparisons alone; only what is refused goes the way that makes a
//! text.

use crate::buffers::{Checked, checked};
use crate::error::{Failure, setwise_status, status_of};

/// Where an array lies.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: usize,
    /// In bytes; far less than memory has.
    len: usize,
    pub(crate) is_good: bool,
}

impl Place {
    /// An array of `count` values, a number whose bytes do not overflow.
    #[inline(always)]
    pub(crate) fn of<T>(values: *const T, count: usize) -> Self {
        let (start, len) = (values.addr(), count * size_of::<T>());
        // Null wraps around to the last address, and an array beyond memory is after the last that it may start at.
        let is_there = start.wrapping_sub(1) < usize::MAX - len;
        Self { start, len, is_good: is_there && values.is_aligned() }
    }

    /// Whether two arrays share a byte: whether one starts in the other or less than its length before. Also true of
    /// an empty array inside the other.
    #[inline(always)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let from = self.start.wrapping_sub(other.start).wrapping_add(self.len);
        from.wrapping_sub(1) < (self.len + other.len).wrapping_sub(1)
    }
}

/// Whether all arrays are there and aligned, and those that are written, which stand last, overlap nothing. If not,
/// [`Checked`] knows why, or that it is about empty arrays.
///
/// Written out: as arrays the places went through memory, and a call cost twice as much.
macro_rules! are_good {
    ($($input:ident),*; $($output:ident),*) => {
        $($input.is_good &&)* $($output.is_good &&)* are_good!(@apart [$($input)*] $($output)*)
    };
    (@apart [$($before:ident)*] $output:ident $($rest:ident)*) => {
        $(!$output.overlaps($before) &&)* are_good!(@apart [$($before)* $output] $($rest)*)
    };
    (@apart [$($before:ident)*]) => { true };
}
pub(crate) use are_good;

/// The status and the text of what `are_good` refuses, unless it is empty arrays only.
#[cold]
#[inline(never)]
pub(crate) fn refuse(
    check: impl FnOnce(&mut Checked) -> Result<(), Failure>,
) -> Option<setwise_status> {
    let status = checked(check);
    (status != setwise_status::Ok).then_some(status)
}

#[cold]
#[inline(never)]
pub(crate) fn fail(status: setwise_status, text: String) -> setwise_status {
    status_of(|| Err(Failure::new(status, text)))
}
