//! Compares every backend's columns with one-square code, for any positions, valid or not.
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| common::oracles::columns(&common::seeds::positions(bytes)));
