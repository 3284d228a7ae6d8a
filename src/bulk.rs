//! Slices in, slices out: blocks, tails, and one dispatch for each call.
//!
//! - `positions.rs`: many positions, in whatever form the caller has them; `state.rs`: what their pieces do not say;
//!   `batch.rs`: boards that stay sliced.
//! - `request.rs`: a column and where its values go; `lists.rs`: what lists are.
//! - `fill.rs`: any columns of the catalogue in one call. What fills them: `sides.rs` bitboards and numbers of each
//!   side, `whole.rs` columns of a whole position and its state, `arrays.rs` fixed-size lists one
//!   position at a time, `list_columns.rs` lists, `features.rs` inputs of
//!   networks.
//!   `legal.rs` writes the columns about legal moves.
//! - `sliders.rs`: the attacks of sliders by themselves.
//! - `blocks.rs`: how rows are cut into blocks.
//!
//! Every block is full. If the number of rows is no multiple of a block, the last block ends with the last row and
//! computes some rows for the second time, with the same result; so there is no second kernel for tails.
//! Only a call with less than one block is padded, and that happens outside the loop, because a call near the
//! loop makes the compiler give up registers in it.
//!
//! Each question is a [`Task`](crate::backend::Task) with one loop in it, and [`Kernel::run`](crate::Kernel::run)
//! compiles that loop once for every backend, inside the function that enables the backend's instructions.

mod arrays;
#[cfg(feature = "std")]
pub(crate) mod batch;
pub(crate) mod blocks;
#[cfg(feature = "std")]
pub(crate) mod features;
mod fill;
mod legal;
#[cfg(feature = "std")]
mod list_columns;
#[cfg(feature = "std")]
pub(crate) mod lists;
pub(crate) mod positions;
pub(crate) mod request;
mod sides;
mod sliders;
mod state;
mod whole;
