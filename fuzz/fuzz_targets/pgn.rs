//! Replays any bytes as PGN, to the end or to an error with a message, with the same result for any chunk size.
#![no_main]

#[path = "../../crates/formats/tests/pgn/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| oracles::any_bytes(bytes));
