//! Callbacks of a loader.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::Error;

/// Callbacks of a loader, for programs that embed it.
#[derive(Clone)]
pub struct Hooks {
    /// Called on the calling thread a few times per second, and at the end of each batch; an error stops the work.
    pub check: Arc<dyn Fn() -> Result<(), Error> + Send + Sync>,
    /// Called with the address and the number of bytes of large new memory, to request larger pages.
    pub advise: fn(*const u8, usize),
}

impl Default for Hooks {
    fn default() -> Self {
        Self { check: Arc::new(|| Ok(())), advise: |_, _| {} }
    }
}

impl Hooks {
    /// Requests larger pages for memory.
    pub(crate) fn advise<T>(&self, memory: &[T]) {
        (self.advise)(memory.as_ptr().cast(), size_of_val(memory));
    }
}

/// Calls [`Hooks::check`] a few times per second.
pub(crate) struct Checker {
    hooks: Hooks,
    checked: Instant,
}

impl Checker {
    pub(crate) fn new(hooks: Hooks) -> Self {
        Self { hooks, checked: Instant::now() }
    }

    pub(crate) fn check(&mut self) -> Result<(), Error> {
        if self.checked.elapsed() > Duration::from_millis(200) {
            self.check_now()?;
        }
        Ok(())
    }

    pub(crate) fn check_now(&mut self) -> Result<(), Error> {
        self.checked = Instant::now();
        (self.hooks.check)()
    }
}
