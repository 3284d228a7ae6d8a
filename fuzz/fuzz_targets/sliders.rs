//! Compares every backend's rays and their union with the ray walk, for any three columns of any length.
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [occupied, orthogonal, diagonal] = &common::seeds::columns(bytes);
    common::oracles::sliders([occupied, orthogonal, diagonal]);
});
