//! The program as its users meet it: started as a process, judged by what it writes, says and returns.
//!
//! One test program for all of it, because linking Arrow and Parquet takes long.

mod answers;
mod batches;
#[path = "../../../formats/tests/formats/chunks.rs"]
mod chunks;
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
mod tables;
