//! Reads any bytes as PackedSfenValue, to the end or to an error with a message, with the same result for any split of
//! the input. Writing the records reproduces their bytes.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| oracles::any_bytes(Format::PackedSfen, bytes));
