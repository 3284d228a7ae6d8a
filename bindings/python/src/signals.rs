//! Signals that arrive during a call.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::{Stopped, passed};

thread_local! {
    /// True while handlers run within a call on this thread.
    static HANDLING: Cell<bool> = const { Cell::new(false) };
}

/// Runs the handlers of signals that have arrived. The exception of a handler is an error.
pub(crate) fn check_signals() -> Result<(), Stopped> {
    let outer = HANDLING.replace(true);
    let checked = Python::attach(|py| py.check_signals());
    HANDLING.set(outer);
    checked.map_err(passed)
}

/// Returns a function that checks signals only a few times a second, because a check may have to wait for the GIL.
pub(crate) fn rare_checks() -> impl FnMut() -> Result<(), Stopped> + Send {
    let mut checked = Instant::now();
    move || {
        if checked.elapsed() > Duration::from_millis(200) {
            checked = Instant::now();
            check_signals()?;
        }
        Ok(())
    }
}

/// Waits for the call that uses a value, without the GIL, which that call may need. A handler gets an error instead, because
/// it may have interrupted that call.
pub(crate) fn lock<T>(value: &Mutex<T>) -> Result<MutexGuard<'_, T>, Stopped> {
    let mut check = rare_checks();
    loop {
        match value.try_lock() {
            Ok(value) => return Ok(value),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if HANDLING.get() => {
                let message = "another call is running, and a signal handler cannot wait for its end: \
                               set a flag in the handler, and act on it after the call";
                return Err(passed(PyRuntimeError::new_err(message)));
            }
            Err(TryLockError::WouldBlock) => {
                check()?;
                // Consumers of a stream may hold the GIL.
                Python::attach(|py| py.detach(|| sleep(Duration::from_millis(1))));
            }
        }
    }
}
