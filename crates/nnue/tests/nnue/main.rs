//! The tests of the crate, in one program. Every test of a kernel has the name of its backend.

#[path = "../../../../tests/common/mod.rs"]
mod common;

mod changes;
mod columns;
mod columns_page;
#[cfg(unix)]
mod guards;
mod oracle;
mod panics;
mod threats;
