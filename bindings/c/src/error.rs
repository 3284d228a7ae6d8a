//! Errors of calls: a status, and a message for each thread. Panics are caught here.

use std::cell::Cell;
use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call. After any status except SETWISE_STATUS_OK, setwise_error_message() describes the error, and
/// nothing has been written except what the comment of the function names.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum setwise_status {
    /// Success.
    Ok = 0,
    /// A required pointer is null.
    Null,
    /// A pointer is not aligned to its type.
    Unaligned,
    /// The size of a buffer does not match its column, or there are more rows than memory can hold.
    Size,
    /// Two buffers overlap, or a buffer overlaps an input.
    Overlap,
    /// No column has this name or number, or a column is requested twice.
    Column,
    /// A column needs a state (turns, castling rights, en passant squares) that is not given.
    State,
    /// A column needs a feature set, but none is given; no set has this name; or the table of a block is invalid.
    FeatureSet,
    /// A buffer is too small for its lists.
    Capacity,
    /// A square is above 63 or changes twice, or its new piece is above 15.
    Square,
    /// A side does not have exactly one king, so its inputs are undefined.
    Kings,
    /// A square of the mailbox holds an unknown piece.
    Piece,
    /// The text is not FEN.
    Fen,
    /// A bug in the library: please report it. Buffers may have been written.
    Internal,
}

/// A status other than SETWISE_STATUS_OK, and its message.
pub(crate) struct Failure {
    pub(crate) status: setwise_status,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(status: setwise_status, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }
}

/// Returns from a function with a [`Failure`]: the name of its status, then its message as in `format!`.
macro_rules! bail {
    ($status:ident, $($message:tt)+) => {{
        let status = $crate::error::setwise_status::$status;
        return Err($crate::error::Failure::new(status, format!($($message)+)));
    }};
}
pub(crate) use bail;

const LENGTH: usize = 512;

thread_local! {
    /// The message of the last failure, NUL-terminated.
    static TEXT: Cell<[u8; LENGTH]> = const { Cell::new([0; LENGTH]) };
}

/// Stores a message for [`setwise_error_message`], truncated if necessary.
pub(crate) fn remember(text: &str) {
    let mut bytes = [0; LENGTH];
    let end = text.floor_char_boundary(LENGTH - 1);
    for (to, &from) in bytes.iter_mut().zip(&text.as_bytes()[..end]) {
        *to = if from == 0 { b' ' } else { from };
    }
    // A thread that is ending no longer has a message.
    let _ = TEXT.try_with(|last| last.set(bytes));
}

/// Looks up the name of something from C. If the name is null or unknown, stores the message and returns `None`.
///
/// # Safety
/// The name is null or NUL-terminated.
pub(crate) unsafe fn find<T, E: Display>(
    what: &str,
    name: *const c_char,
    look_up: impl FnOnce(&str) -> Result<T, E>,
) -> Option<T> {
    if name.is_null() {
        remember(&format!("the name of the {what} is null"));
        return None;
    }
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    look_up(&name).inspect_err(|error| remember(&error.to_string())).ok()
}

/// Runs code that may fail, and turns a panic into a failure.
pub(crate) fn status_of(run: impl FnOnce() -> Result<(), Failure>) -> setwise_status {
    // A panic can only leave buffers of plain numbers partly written, so unwinding is safe.
    let failure = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => return setwise_status::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("a panic");
            Failure::new(setwise_status::Internal, text)
        }
    };
    remember(&failure.text);
    failure.status
}

/// The message of the last failed call in this thread, in UTF-8; empty if no call has failed. It stays valid until the
/// next failed call in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_error_message() -> *const c_char {
    TEXT.try_with(|text| text.as_ptr().cast_const().cast()).unwrap_or(c"".as_ptr())
}
