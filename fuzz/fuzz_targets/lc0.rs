//! Any bytes as chunks of lc0, and as an archive: they are read to the end or rejected with a message, however the
//! input is split.
#![no_main]

#[path = "../../crates/formats/tests/formats/oracles.rs"]
mod oracles;

use libfuzzer_sys::fuzz_target;
use setwise_formats::Format;

fuzz_target!(|bytes: &[u8]| {
    oracles::any_bytes(Format::Lc0, bytes);
    oracles::any_archive(bytes);
});
