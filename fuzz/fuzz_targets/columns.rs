//! Any positions, valid or not: every backend's columns are compared with one-square code.
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| common::oracles::columns(&common::seeds::positions(bytes)));
