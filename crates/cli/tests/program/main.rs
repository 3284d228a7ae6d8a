//! Tests the program as a process, by its files, its messages and its exit status.
//!
//! All tests are in one test program, because linking Arrow and Parquet takes a long time.

mod answers;
mod batches;
#[path = "../../../formats/tests/formats/chunks.rs"]
mod chunks;
mod clocks;
mod conditions;
mod docs;
mod ends;
mod errors;
mod formats;
mod games;
mod inputs;
mod labels;
mod legal;
mod lists;
mod memory;
mod packed;
mod presets;
mod read;
mod run;
mod show;
mod successors;
mod tables;
