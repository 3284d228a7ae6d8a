//! The C interface: what C hands over becomes what the crate `setwise` takes, and back. No chess lives here.
//!
//! `include/setwise.h` is written from these files, comments included, so they speak to C: the names are C's, and
//! what a function expects of its pointers stands once, at the head of the header (`cbindgen.toml`). Two kinds of
//! functions: those that cannot fail give their answer, the others a status and a text.

#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![allow(unreachable_pub, reason = "C reaches it")]
#![allow(clippy::missing_safety_doc, reason = "the head of the header says it for all")]

mod buffers;
mod changes;
mod columns;
mod error;
mod feature_sets;
mod fill;
mod kernel;
mod pieces;
mod position;
mod positions;
mod sliders;
mod threats;
mod version;
