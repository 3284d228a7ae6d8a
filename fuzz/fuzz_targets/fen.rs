//! Any bytes as a line: read and printed back the same, or refused with a message.
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| common::oracles::fen(line));
