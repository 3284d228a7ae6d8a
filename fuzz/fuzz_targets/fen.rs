//! Reads any bytes as a line, which is printed unchanged or rejected with a message.
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| common::oracles::fen(line));
