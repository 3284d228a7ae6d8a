//! Reads any bytes with the program's reader, which must terminate and return plain text line by line.
#![no_main]
// The program is not a library, so its reader is included as a file; not all of it is used.
#![allow(dead_code)]

#[path = "../../crates/cli/src/input.rs"]
mod input;
#[path = "../../crates/cli/tests/program/reader_oracle.rs"]
mod oracle;

use std::io::Write;
use std::path::Path;

use input::LineReader;
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    // Use a folder in memory if the system has one.
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let mut file = tempfile::NamedTempFile::new_in(folder).expect("there is room");
    file.write_all(bytes).expect("there is room");
    let sizes = [(3, 100), (1 << 17, 1 << 24)];
    let checked =
        sizes.into_iter().all(|(lines, text)| oracle::read_all(file.path(), bytes, (lines, text)));
    if checked { Corpus::Keep } else { Corpus::Reject }
});
