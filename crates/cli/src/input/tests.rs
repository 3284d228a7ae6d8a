//! Tests the line reader with arbitrary bytes and with texts of all lengths.

use std::io::Write;

use proptest::prelude::*;

use super::{LineReader, MAX_LINE};
use oracle::read_all;

#[path = "../../tests/program/reader_oracle.rs"]
mod oracle;

/// Returns whether all bytes were checked.
fn check(bytes: &[u8]) -> bool {
    [(1, 1), (3, 1 << 20), (1000, 50), (1 << 17, 1 << 24)]
        .into_iter()
        .all(|(lines, bytes_of_text)| check_with(bytes, (lines, bytes_of_text)))
}

fn check_with(bytes: &[u8], size: (usize, usize)) -> bool {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read_all(file.path(), bytes, size)
}

/// Bytes with many line ends, and with the first bytes of compressed files.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![8 => any::<u8>(), 2 => Just(b'\n'), 1 => Just(b'\r')];
    let head = prop_oneof![
        6 => Just(&b""[..]),
        1 => Just(&b"\x1f\x8b\x08\x00"[..]),
        1 => Just(&b"\x28\xb5\x2f\xfd"[..]),
        1 => Just(&b"\x51\x2a\x4d\x18\x02\x00\x00\x00"[..]),
    ];
    (head, proptest::collection::vec(byte, 0..200))
        .prop_map(|(head, rest)| [head, &rest[..]].concat())
}

/// Lines of all lengths, including those around the maximum, with or without the last line end.
fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let length = prop_oneof![9 => 0..100usize, 1 => MAX_LINE - 2..MAX_LINE + 4];
    (proptest::collection::vec((0x20..0x7fu8, length), 0..20), any::<bool>()).prop_map(
        |(lines, ended)| {
            let lines: Vec<_> = lines.iter().map(|&(byte, length)| vec![byte; length]).collect();
            let mut text = lines.join(&b'\n');
            text.extend(ended.then_some(b'\n'));
            text
        },
    )
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_read_to_an_end(bytes in any_bytes()) {
        check(&bytes);
    }

    #[test]
    fn text_is_returned_line_by_line(text in any_text()) {
        assert!(check(&text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn truncated_and_damaged_packed_files_end(text in any_text(), at: usize, flip: u8) {
        let mut gzip =
            flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        for mut bytes in [gzip.finish().unwrap(), zstd::encode_all(&text[..], 1).unwrap()] {
            let at = at % bytes.len();
            check(&bytes[..at]);
            bytes[at] ^= flip;
            check(&bytes);
        }
    }
}

#[test]
fn batches_end_between_lines() {
    for lines in 3..=5 {
        for bytes in 1..40 {
            let size = (4, bytes);
            assert!(check_with(&b"\n".repeat(lines), size));
            assert!(check_with(&b"8/8 w\n".repeat(lines), size));
            assert!(check_with(&[&b"\n".repeat(lines)[..], b"8/8"].concat(), size));
        }
    }
}
