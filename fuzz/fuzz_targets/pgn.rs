//! Any bytes as PGN: they are replayed to the end or rejected with a message, with the same result for any chunks.
#![no_main]

#[path = "../../crates/formats/tests/pgn/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| oracles::any_bytes(bytes));
