//! Reads any bytes as lc0's chunks, and as an archive, to the end or to an error with a message, with the same result
//! for any split of the input.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| {
    oracles::any_bytes(Format::Lc0, bytes);
    oracles::any_archive(bytes);
});
