//! Checks that hold for any file given to the reader. A fuzz target runs them too.

use std::path::Path;

use setwise::Fen;
use setwise_table::MAX_LINE;

use super::LineReader;

/// The limit for decompressed text, so that a small file cannot keep a run busy for long.
const ENOUGH: usize = 4 << 20;

/// Reads a file with these bytes twice in a row. The reader must end, and must return the lines of plain text with the
/// right numbers, in batches of any size. Returns false if the decompressed text exceeds the limit.
pub(crate) fn read_all(
    path: &Path,
    bytes: &[u8],
    (most_lines, most_bytes): (usize, usize),
) -> bool {
    let mut reader = LineReader::new(&vec![path.to_owned(); 2], setwise_files::no_progress());
    let mut lines = Vec::new();
    let mut read = 0;
    let ended = loop {
        match reader.batch(most_lines, most_bytes) {
            Ok(batch) if batch.count == 0 => break true,
            Ok(batch) => {
                let before = lines.len();
                lines.extend(batch.iter().map(|line| (line.number, line.text.to_vec())));
                let count = lines.len() - before;
                assert_eq!(count, batch.count);
                assert!((1..=most_lines).contains(&count));
                assert!(batch.text.len() <= most_bytes + MAX_LINE + 1);
                read += lines[before..].iter().map(|(_, text)| text.len() + 1).sum::<usize>();
                if read > ENOUGH {
                    return false;
                }
            }
            Err(_) => break false,
        }
    };
    for (_, text) in &lines {
        assert!(text.len() <= MAX_LINE + 1);
        let _ = Fen::parse(text);
    }
    let packed = matches!(bytes, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..])
        || matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    if !packed && !ended {
        let head = &bytes[..bytes.len().min(512)];
        let other = [&b"BZh"[..], b"PK\x03\x04", b"PAR1", b"ARROW1"];
        let text = !head.iter().any(|byte| matches!(byte, 0..9 | 0x7f..));
        assert!(!text || other.iter().any(|magic| head.starts_with(magic)), "text is always read");
    }
    if !packed && ended {
        // A carriage return ends a line, too.
        let mut text = bytes.to_vec();
        for at in 0..text.len() {
            if text[at] == b'\r' && text.get(at + 1) != Some(&b'\n') {
                text[at] = b'\n';
            }
        }
        let bytes = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let expected: Vec<&[u8]> =
            if bytes.is_empty() { vec![] } else { whole.split(|&byte| byte == b'\n').collect() };
        assert_eq!(lines.len(), 2 * expected.len());
        for (i, (number, text)) in lines.iter().enumerate() {
            let line = i % expected.len();
            assert_eq!(*number, line as u64 + 1);
            assert_eq!(text, &expected[line][..expected[line].len().min(MAX_LINE + 1)]);
        }
    }
    true
}
