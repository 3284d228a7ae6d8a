//! Any bytes as a binpack, and as what stands in its only block: read to the end or refused in words, however
//! they come.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| {
    oracles::any_bytes(Format::Binpack, bytes);
    oracles::any_bytes(Format::Binpack, &oracles::block_of(bytes));
});
