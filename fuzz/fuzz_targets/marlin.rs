//! Any bytes as a file of marlinformat: they are read to the end or rejected with a message, however the input is
//! split, and records are written as the same bytes.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| oracles::any_bytes(Format::Marlin, bytes));
