//! The tests of the library: every kernel on every backend, and the files generated from its sources. User-defined
//! terms take longer to compile and have a separate program, `tests/terms`.
//!
//! Without the standard library, only the tests run that need no allocation in the library.

#![allow(
    clippy::duplicate_mod,
    reason = "the tests and the examples that they run share random numbers"
)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(all(unix, target_pointer_width = "64", feature = "std"))]
#[path = "../common/guard_pages.rs"]
mod guard_pages;
#[cfg(feature = "std")]
#[path = "../../examples/perft.rs"]
#[allow(dead_code, unreachable_pub, reason = "the example's own main is not called")]
mod perft_example;

mod answers;
mod backends;
mod columns;
mod dispatch;
mod position;

#[cfg(feature = "std")]
mod batch;
#[cfg(feature = "std")]
mod bitboard;
#[cfg(feature = "std")]
mod fen;
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
mod figures;
#[cfg(all(unix, target_pointer_width = "64", feature = "std"))]
mod guards;
#[cfg(feature = "std")]
mod leaper;
#[cfg(feature = "std")]
mod legal;
#[cfg(feature = "std")]
mod line;
#[cfg(feature = "std")]
mod lines;
#[cfg(all(panic = "unwind", feature = "std"))]
mod panics;
#[cfg(feature = "std")]
mod perft;
#[cfg(all(feature = "std", not(target_arch = "wasm32")))]
mod pictures;
#[cfg(feature = "std")]
mod pieces;
#[cfg(all(feature = "std", not(target_arch = "wasm32"), not(miri)))]
mod readme;
#[cfg(feature = "std")]
mod sample;
#[cfg(feature = "std")]
mod seeds;
#[cfg(feature = "std")]
mod selection;
#[cfg(feature = "std")]
mod successors;
#[cfg(feature = "std")]
mod uci_and_keys;
