//! The C interface: converts C's arguments to those of the crate `setwise`, and results back. It contains no chess
//! logic.
//!
//! The headers in `include/setwise/` are generated from these files, comments included. So comments address C programmers
//! and use the names of the headers. The rules for pointers are stated once, at the top of `setwise.h` (`setwise.h.in`).
//! There are two kinds of functions: functions that cannot fail return their result; the others return a status and set
//! a message.

#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![allow(unreachable_pub, reason = "C reaches it")]
#![allow(clippy::missing_safety_doc, reason = "the head of the header says it for all")]

mod buffers;
mod changes;
mod columns;
mod error;
mod feature_sets;
mod fill;
mod inputs;
mod kernel;
mod legal;
mod once;
mod pieces;
mod places;
mod position;
mod positions;
mod sliders;
mod successors;
#[cfg(test)]
mod tests;
mod threats;
mod version;
