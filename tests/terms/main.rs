//! User-defined terms, defined outside the crate: every operation on numbers, every type of column, every length, on
//! every backend. Each term is compiled for each backend, so there are few of them, all in this program.
#![allow(clippy::multiple_bound_locations, reason = "`term!` is to take bounds of both kinds")]

#[path = "../common/mod.rs"]
mod common;
#[cfg(all(unix, target_pointer_width = "64", feature = "std"))]
#[path = "../common/guard_pages.rs"]
mod guard_pages;

#[cfg(all(unix, target_pointer_width = "64", feature = "std"))]
mod guarded;
mod operators;
