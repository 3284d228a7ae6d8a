//! Any bytes as a file for the program: its reader ends, and plain text comes back line by line.
#![no_main]
// The program is no library, so its reader is taken in as a file; not all of it is used.
#![allow(dead_code)]

#[path = "../../cli/src/input.rs"]
mod input;

use std::io::Write;

use indicatif::ProgressBar;
use input::{Batches, LONGEST};
use libfuzzer_sys::{Corpus, fuzz_target};
use setwise::Fen;

/// No packed file of a few kilobytes may keep a run busy for long.
const ENOUGH: usize = 4 << 20;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let mut file = tempfile::NamedTempFile::new_in("/dev/shm").expect("there is room");
    file.write_all(bytes).expect("there is room");
    let mut batches = Batches::new(vec![file.path().to_owned(); 2], ProgressBar::hidden());
    let mut lines = Vec::new();
    let mut read = 0;
    let ended = loop {
        match batches.next() {
            Ok(batch) if batch.is_empty() => break true,
            Ok(batch) => {
                let before = lines.len();
                lines.extend(batch.lines().map(|line| (line.input, line.number, line.text.to_vec())));
                assert_eq!(lines.len() - before, batch.count());
                read += lines[before..].iter().map(|(.., text)| text.len() + 1).sum::<usize>();
                if read > ENOUGH {
                    return Corpus::Reject;
                }
            }
            Err(_) => break false,
        }
    };
    for (_, _, text) in &lines {
        assert!(text.len() <= LONGEST + 1);
        let _ = Fen::parse(text);
    }
    let packed = matches!(bytes, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..])
        || matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    if !packed {
        assert!(ended, "plain text is always read");
        let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let expected: Vec<&[u8]> =
            if bytes.is_empty() { vec![] } else { whole.split(|&byte| byte == b'\n').collect() };
        assert_eq!(lines.len(), 2 * expected.len());
        for (i, (input, number, text)) in lines.iter().enumerate() {
            let line = i % expected.len();
            assert_eq!((*input, *number), (i / expected.len(), line as u64 + 1));
            assert_eq!(text, &expected[line][..expected[line].len().min(LONGEST + 1)]);
        }
    }
    Corpus::Keep
});
