//! The tests of the crate, in one program. Tests of a kernel are in a module named after its backend.

#[path = "../../../../tests/common/mod.rs"]
mod common;
#[cfg(unix)]
#[path = "../../../../tests/common/guard_pages.rs"]
mod guard_pages;

mod changes;
mod columns;
#[cfg(not(target_arch = "wasm32"))]
mod columns_page;
#[cfg(unix)]
mod guards;
mod oracle;
#[cfg(panic = "unwind")]
mod panics;
mod threats;
