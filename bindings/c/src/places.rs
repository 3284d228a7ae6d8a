//! Pointers of calls at every node, which are checked by comparisons alone; only what is refused goes the way that
//! makes a text.

use crate::buffers::{Checked, checked};
use crate::error::{Failure, setwise_status, status_of};

/// Where an array lies.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: usize,
    /// In bytes.
    len: usize,
    pub(crate) is_good: bool,
}

impl Place {
    #[inline(always)]
    pub(crate) fn of<T>(values: *const T, count: usize) -> Self {
        let (start, len) = (values.addr(), count.saturating_mul(size_of::<T>()));
        // Null wraps around to the last address, and an array beyond memory is after the last that it may start at.
        let is_there = start.wrapping_sub(1) < usize::MAX - len && len <= isize::MAX as usize;
        Self { start, len, is_good: is_there && values.is_aligned() }
    }

    /// Returns whether two good arrays share a byte: whether one starts in the other or less than its length before.
    /// Also true of an empty array inside the other.
    #[inline(always)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let from = self.start.wrapping_sub(other.start).wrapping_add(self.len);
        from.wrapping_sub(1) < (self.len + other.len).wrapping_sub(1)
    }
}

/// Returns the status of a call whose arrays are not all there and aligned, or one that is written overlaps another.
/// Each array has its name in texts, its pointer, and its number of values.
///
/// Written out: as arrays the places went through memory, and a call cost twice as much.
macro_rules! check {
    (
        read $($in_name:literal = $input:ident[$in_count:expr]),*;
        write $($out_name:literal = $output:ident[$out_count:expr]),*
    ) => {
        let are_good = {
            $(let $input = $crate::places::Place::of($input, $in_count);)*
            $(let $output = $crate::places::Place::of($output, $out_count);)*
            $($input.is_good &&)* $($output.is_good &&)* check!(@apart [$($input)*] $($output)*)
        };
        // SAFETY: the pointers are the caller's.
        if !are_good && let Some(status) = $crate::places::refuse(move |arrays| unsafe {
            $(arrays.read($in_name, $input, $in_count)?;)*
            $(arrays.write($out_name, $output, $out_count)?;)*
            Ok(())
        }) {
            return status;
        }
    };
    (@apart [$($before:ident)*] $output:ident $($rest:ident)*) => {
        $(!$output.overlaps($before) &&)* check!(@apart [$($before)* $output] $($rest)*)
    };
    (@apart [$($before:ident)*]) => { true };
}
pub(crate) use check;

/// The status and the text of arrays that are not good, unless it is only empty ones that are not.
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
