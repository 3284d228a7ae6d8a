//! Code shared by the benches and some examples: inputs, rivals, and the groups of implementations to compare.
//!
//! This is not a bench: each program that includes this module uses a part of it.

pub mod changes;
pub mod columns;
pub mod fresh;
pub mod groups;
pub mod inputs;
pub mod legal;
pub mod one_slider;
pub mod random;
pub mod rivals;
pub mod single;
pub mod threats;
