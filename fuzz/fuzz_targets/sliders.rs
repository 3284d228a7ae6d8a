//! Any three columns of any length: every backend's rays and their union against the ray walk.
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let boards = |column: usize| -> Vec<u64> {
        let rows = bytes.as_chunks::<24>().0.iter();
        rows.map(|row| u64::from_le_bytes(row.as_chunks().0[column])).collect()
    };
    common::oracles::sliders([&boards(0), &boards(1), &boards(2)]);
});
