//! The rivals: what others do today, written as their friends would write it.
//!
//! None of them uses this crate's kernels, and each gets the instructions that it likes best. All take
//! `occupied` with the sliders in it.

pub mod kogge_stone;
pub mod squares;
