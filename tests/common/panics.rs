//! Checks documented panics: their messages, and their locations, which must be in the caller's code.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
    static HEARD: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Checks that a call panics with this message, at a location in the caller's file.
#[track_caller]
pub(crate) fn check(message: &str, call: impl FnOnce()) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| match EXPECTED.get() {
            true => HEARD.set(panic.to_string()),
            false => others(panic),
        }));
    });
    let file = Location::caller().file();
    EXPECTED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(call));
    EXPECTED.set(false);
    assert!(outcome.is_err(), "no panic, where it should say: {message}");
    let heard = HEARD.take();
    let (place, words) = heard.split_once(":\n").expect("a place and a message");
    assert_eq!(words, message);
    assert!(place.starts_with(&format!("panicked at {file}:")), "{place}: {message}");
}
