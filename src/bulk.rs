//! Slices in, slices out: blocks, tails, and one dispatch for each call.
//!
//! - `positions.rs`: many positions, in whichever form the caller has them; `state.rs`: side to move, castling rights
//!   and en passant squares; `batch.rs`: boards that stay sliced.
//! - `request.rs`: a column and the buffer for its values; `lists.rs`: lists of different lengths.
//! - `fill.rs`: fills any columns of the catalogue in one call. `side_columns.rs` computes bitboards and numbers of each side,
//!   `legal.rs` planes, numbers and status of legal moves, `one_by_one.rs` moves themselves, one position at a time.
//! - `successors.rs`: the positions after all legal moves; `successor_buffers.rs`: where they go.
//! - `sliders.rs`: slider attacks without a position.
//! - `blocks.rs`: splits rows into blocks.
//!
//! Every block is full: the last one ends with the last row and computes some rows a second time. Only a call with fewer
//! rows than a block is padded, or answered row by row if it asks for unions or attack maps of less than half a block
//! (`small_calls.rs`). That happens outside the loop, because a call near the loop makes the compiler give up registers in it.
//!
//! Each call is a [`Task`](crate::dispatch::Task) with one loop in it, which [`Kernel::run`](crate::Kernel::run) compiles
//! once for every backend, inside the function that enables the backend's instructions.

#[cfg(feature = "std")]
pub(crate) mod batch;
pub(crate) mod blocks;
mod fill;
mod legal;
#[cfg(feature = "std")]
pub(crate) mod lists;
mod one_by_one;
pub(crate) mod positions;
pub(crate) mod request;
mod side_columns;
mod sliders;
mod small_calls;
mod state;
#[cfg(feature = "std")]
pub(crate) mod successor_buffers;
#[cfg(feature = "std")]
pub(crate) mod successors;
