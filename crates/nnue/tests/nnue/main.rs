//! The tests of the crate, in one program. Tests of a kernel are in a module named after its backend.

#[path = "../../../../tests/common/mod.rs"]
mod common;
#[cfg(all(unix, target_pointer_width = "64"))]
#[path = "../../../../tests/common/guard_pages.rs"]
mod guard_pages;

mod changes;
mod columns;
#[cfg(not(target_arch = "wasm32"))]
mod columns_page;
#[cfg(all(unix, target_pointer_width = "64"))]
mod guards;
mod oracle;
#[cfg(panic = "unwind")]
mod panics;
mod threats;
