//! Reads any bytes as a binpack, and as the contents of its only block, to the end or to an error with a message, with
//! the same result for any split of the input.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| {
    oracles::any_bytes(Format::Binpack, bytes);
    oracles::any_bytes(Format::Binpack, &oracles::block_of(bytes));
});
