//! Bulk calls: slices in, slices out, with one dispatch per call.
//!
//! - `positions.rs`: many positions, in whichever layout the caller has; `state.rs`: side to move, castling rights, en
//!   passant squares; `batch.rs`: boards that stay sliced.
//! - `request.rs`: a column and the buffer for its values; `lists.rs`: lists of different lengths.
//! - `fill.rs`: fills any columns of the catalogue in one call. `side_columns.rs` computes each side's bitboards and
//!   numbers, `legal.rs` planes, counts and status of legal moves of sliced boards, `one_by_one.rs` what is computed one
//!   position at a time.
//! - `successors.rs`: the positions after all legal moves; `successor_buffers.rs`: their buffers.
//! - `sliders.rs`: slider attacks without a position.
//! - `blocks.rs`: splits rows into blocks.
//!
//! Every block is full: the last one ends with the last row and recomputes some rows. Only a call with fewer rows than
//! a block is padded, or computed row by row: legal moves, and unions or attack maps of few rows (`small_calls.rs`). That
//! happens outside the loop, because a call next to the loop costs registers inside it.
//!
//! Each call is a [`Task`](crate::dispatch::Task) with a single loop, which [`Kernel::run`](crate::Kernel::run)
//! compiles once for every backend, inside the function that enables the backend's instructions.

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
