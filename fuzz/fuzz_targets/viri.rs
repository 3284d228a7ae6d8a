//! Reads any bytes as viriformat, to the end or to an error with a message, with the same result for any split.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| oracles::any_bytes(Format::Viri, bytes));
