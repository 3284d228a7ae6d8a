//! How a call fails: a status, and a text for each thread. Panics end here.

use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call came to. After anything but SETWISE_OK, setwise_error() says what was wrong, and nothing was written
/// but what the function's own comment names.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum setwise_status {
    /// Done.
    SETWISE_OK = 0,
    /// A pointer is null that must not be.
    SETWISE_NULL,
    /// A pointer is not aligned to its type.
    SETWISE_UNALIGNED,
    /// A buffer has another size than its column needs, or there are more rows than memory can hold.
    SETWISE_SIZE,
    /// Two buffers overlap, or a buffer and an input.
    SETWISE_OVERLAP,
    /// No column has this name or number, or a column is asked for twice.
    SETWISE_COLUMN,
    /// A column about the side to move is asked for, but no turns are given.
    SETWISE_TURNS,
    /// A square of the mailbox holds no piece that there is.
    SETWISE_PIECE,
    /// The text is no FEN.
    SETWISE_FEN,
    /// A fault in the library: please report it. Buffers may have been written.
    SETWISE_INTERNAL,
}

/// A status that is not SETWISE_OK, and why.
pub(crate) struct Failure {
    pub(crate) status: setwise_status,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(status: setwise_status, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }
}

const ROOM: usize = 512;

thread_local! {
    /// The last failure's text, ended by a zero.
    static TEXT: Cell<[u8; ROOM]> = const { Cell::new([0; ROOM]) };
}

/// Keeps a text for [`setwise_error`], as much as there is room for.
pub(crate) fn remember(text: &str) {
    let mut room = [0; ROOM];
    let end = text.floor_char_boundary(ROOM - 1);
    for (to, &from) in room.iter_mut().zip(&text.as_bytes()[..end]) {
        *to = if from == 0 { b' ' } else { from };
    }
    // A thread that is ending has no text any more.
    let _ = TEXT.try_with(|kept| kept.set(room));
}

/// Runs what may fail; a panic is one failure more.
pub(crate) fn status_of(run: impl FnOnce() -> Result<(), Failure>) -> setwise_status {
    // A panic leaves nothing behind but buffers of plain numbers.
    let failure = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => return setwise_status::SETWISE_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("a panic");
            Failure::new(setwise_status::SETWISE_INTERNAL, text)
        }
    };
    remember(&failure.text);
    failure.status
}

/// What was wrong with the last call of this thread that failed, in UTF-8; empty if none has. It stays until the
/// next call of the thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_error() -> *const c_char {
    TEXT.try_with(|text| text.as_ptr().cast_const().cast()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::{Failure, ROOM, remember, setwise_error, setwise_status, status_of};

    fn text() -> String {
        // SAFETY: the text is ended by a zero and stays until this thread's next failure.
        unsafe { CStr::from_ptr(setwise_error()) }.to_str().expect("UTF-8").to_owned()
    }

    #[test]
    fn panics_become_a_status() {
        let status = status_of(|| panic!("row {}", 7));
        assert_eq!((status, text()), (setwise_status::SETWISE_INTERNAL, "row 7".into()));
        let failed = Failure::new(setwise_status::SETWISE_FEN, "no FEN");
        assert_eq!(status_of(|| Err(failed)), setwise_status::SETWISE_FEN);
        assert_eq!(text(), "no FEN");
        assert_eq!(status_of(|| Ok(())), setwise_status::SETWISE_OK);
        assert_eq!(text(), "no FEN");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        remember(&("é".repeat(ROOM) + "\0"));
        assert_eq!(text(), "é".repeat((ROOM - 1) / 2));
        remember("a\0b");
        assert_eq!(text(), "a b");
    }
}
