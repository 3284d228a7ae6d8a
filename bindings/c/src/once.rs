//! Values that are created on first use, without a lock: a forked child must not wait for a thread that exists only in
//! its parent.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A value that is set at most once for all threads, and never freed.
pub(crate) struct Once<T>(AtomicPtr<T>);

impl<T: Send + Sync + 'static> Once<T> {
    pub(crate) const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&'static T> {
        // SAFETY: the pointer is null or from a box that was leaked below, and threads may share the value.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }

    /// If several threads call this at the same time, each creates a value, but all use the first one that is stored.
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> T) -> &'static T {
        if let Some(made) = self.get() {
            return made;
        }
        let made = Box::into_raw(Box::new(make()));
        let (set, failed) = (Ordering::AcqRel, Ordering::Acquire);
        match self.0.compare_exchange(ptr::null_mut(), made, set, failed) {
            // SAFETY: it is leaked, and threads may share it.
            Ok(_) => unsafe { &*made },
            // SAFETY: another thread has leaked its value first, and no other thread has seen this one.
            Err(first) => unsafe {
                drop(Box::from_raw(made));
                &*first
            },
        }
    }
}
