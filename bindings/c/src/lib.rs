//! The C interface: converts C's arguments to those of the crate `setwise`, and results back. It contains no chess
//! logic.
//!
//! The headers in `include/setwise/` are generated from these files, comments included. So comments address C programmers
//! and use the names of the headers. The rules for pointers are stated once, at the top of `setwise.h` (`setwise.h.in`).
//! There are two kinds of functions: functions that cannot fail return their result; the others return a status and set
//! a message.

#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![allow(missing_docs, reason = "fields that need no comment in the header")]
#![allow(clippy::missing_safety_doc, reason = "the head of the header says it for all")]

mod buffers;
pub mod changes;
pub mod columns;
pub mod error;
pub mod feature_sets;
pub mod fill;
pub mod inputs;
pub mod kernel;
pub mod legal;
pub mod pieces;
mod places;
pub mod position;
pub mod positions;
pub mod sliders;
pub mod successors;
#[cfg(test)]
mod tests;
pub mod threats;
pub mod version;
