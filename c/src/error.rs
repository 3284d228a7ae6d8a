//! How a call fails: a status, and a text for each thread. Panics end here.

use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call came to. After anything but SETWISE_STATUS_OK, setwise_error_message() says what was wrong, and nothing was
/// written but what the function's own comment names.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum setwise_status {
    /// Done.
    Ok = 0,
    /// A required pointer is null.
    Null,
    /// A pointer is not aligned to its type.
    Unaligned,
    /// A buffer has another size than its column needs, or there are more rows than memory can hold.
    Size,
    /// Two buffers overlap, or a buffer and an input.
    Overlap,
    /// No column has this name or number, or a column is requested twice.
    Column,
    /// A column needs a state (turns, castling rights, en passant squares) that is not there.
    State,
    /// A column needs a set of inputs that is not there; a table makes no set; or a set has more inputs than the
    /// numbers can tell apart.
    FeatureSet,
    /// A buffer is too small for the lists that go into it.
    Capacity,
    /// A square is above 63, or changes twice, or holds an unknown piece afterwards.
    Square,
    /// A side has not exactly one king, so its inputs are unknown.
    Kings,
    /// A square of the mailbox holds an unknown piece.
    Piece,
    /// The text is not FEN.
    Fen,
    /// A fault in the library: please report it. Buffers may have been written.
    Internal,
}

/// A status other than SETWISE_STATUS_OK, and why.
pub(crate) struct Failure {
    pub(crate) status: setwise_status,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(status: setwise_status, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }
}

const LENGTH: usize = 512;

thread_local! {
    /// The last failure's text, ended by a zero.
    static TEXT: Cell<[u8; LENGTH]> = const { Cell::new([0; LENGTH]) };
}

/// Keeps a text for [`setwise_error_message`], as much as fits.
pub(crate) fn remember(text: &str) {
    let mut kept = [0; LENGTH];
    let end = text.floor_char_boundary(LENGTH - 1);
    for (to, &from) in kept.iter_mut().zip(&text.as_bytes()[..end]) {
        *to = if from == 0 { b' ' } else { from };
    }
    // A thread that is ending has no text any more.
    let _ = TEXT.try_with(|last| last.set(kept));
}

/// Runs what may fail; a panic is one failure more.
pub(crate) fn status_of(run: impl FnOnce() -> Result<(), Failure>) -> setwise_status {
    // A panic leaves nothing behind but buffers of plain numbers.
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

/// What was wrong with the last call of this thread that failed, in UTF-8; empty if none has. It stays until the
/// next call of the thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn setwise_error_message() -> *const c_char {
    TEXT.try_with(|text| text.as_ptr().cast_const().cast()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::{Failure, LENGTH, remember, setwise_error_message, setwise_status, status_of};

    fn text() -> String {
        // SAFETY: the text is ended by a zero and stays until this thread's next failure.
        unsafe { CStr::from_ptr(setwise_error_message()) }.to_str().expect("UTF-8").to_owned()
    }

    #[test]
    fn panics_become_a_status() {
        let status = status_of(|| panic!("row {}", 7));
        assert_eq!((status, text()), (setwise_status::Internal, "row 7".into()));
        let failed = Failure::new(setwise_status::Fen, "no FEN");
        assert_eq!(status_of(|| Err(failed)), setwise_status::Fen);
        assert_eq!(text(), "no FEN");
        assert_eq!(status_of(|| Ok(())), setwise_status::Ok);
        assert_eq!(text(), "no FEN");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        remember(&("é".repeat(LENGTH) + "\0"));
        assert_eq!(text(), "é".repeat((LENGTH - 1) / 2));
        remember("a\0b");
        assert_eq!(text(), "a b");
    }
}
