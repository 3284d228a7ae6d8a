//! Fast checks of pointers by comparisons, for functions called at every node. The slow path creates error messages.

use crate::buffers::{Checked, checked};
use crate::error::{Failure, setwise_status, status_of};

/// The address range of an array.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: usize,
    /// The length in bytes.
    len: usize,
    pub(crate) is_good: bool,
}

impl Place {
    #[inline(always)]
    pub(crate) fn of<T>(values: *const T, count: usize) -> Self {
        let (start, len) = (values.addr(), count.saturating_mul(size_of::<T>()));
        // Null wraps around to the last address, and an array that exceeds the address space starts too late.
        let is_there = start.wrapping_sub(1) < usize::MAX - len && len <= isize::MAX as usize;
        Self { start, len, is_good: is_there && values.is_aligned() }
    }

    /// Returns whether two good arrays share a byte: one starts inside the other, or before it by less than its own
    /// length. Also true for an empty array inside the other.
    #[inline(always)]
    pub(crate) fn overlaps(self, other: Self) -> bool {
        let from = self.start.wrapping_sub(other.start).wrapping_add(self.len);
        from.wrapping_sub(1) < (self.len + other.len).wrapping_sub(1)
    }
}

/// Checks the arrays of a call, and returns from it with an error status if one is null or not aligned, or if an output
/// overlaps another array. Each array has its name in messages, its pointer, and its number of values.
///
/// The macro uses separate variables: in an array the places passed through memory, and a call took twice as long.
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

/// Repeats the checks and creates the error message. Returns `None` if only empty arrays failed the fast check.
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
