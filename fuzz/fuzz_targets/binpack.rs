//! Any bytes as a binpack, and as the contents of its only block: they are read to the end or rejected with a message,
//! however the input is split.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| {
    oracles::any_bytes(Format::Binpack, bytes);
    oracles::any_bytes(Format::Binpack, &oracles::block_of(bytes));
});
