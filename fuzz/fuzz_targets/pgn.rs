//! Any bytes as PGN: replayed to the end or refused in words, the same in whatever chunks they come.
#![no_main]

#[path = "../../crates/formats/tests/pgn/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| oracles::any_bytes(bytes));
