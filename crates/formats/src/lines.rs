//! Lines of text, which end at `\n`, `\r\n` or `\r`.

use std::io::{self, BufRead};
use std::iter;

/// The offset of the end of the line, without its line break.
pub(crate) fn end(text: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |step| at + step)
}

/// The lines of a text, with their line breaks.
pub(crate) fn split(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    iter::from_fn(move || {
        let end = end(text, 0);
        let line_break = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        let (line, rest) = text.split_at(text.len().min(end + line_break));
        text = rest;
        (!line.is_empty()).then_some(line)
    })
}

/// The number of line breaks before an offset.
pub(crate) fn count(text: &[u8], end: usize) -> u64 {
    let is_last = |at: &usize| text[*at] == b'\n' || text.get(at + 1) != Some(&b'\n');
    memchr::memchr2_iter(b'\n', b'\r', &text[..end]).filter(is_last).count() as u64
}

/// Appends the next line with its line break, but at most this number of bytes. Returns false at the end of the input.
pub(crate) fn read(
    input: &mut impl BufRead,
    longest: usize,
    into: &mut Vec<u8>,
) -> io::Result<bool> {
    let start = into.len();
    let more = |into: &Vec<u8>| longest - (into.len() - start);
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => &bytes[..bytes.len().min(more(into))],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let feeds = into.last() == Some(&b'\r') && into.len() > start;
        let used = match memchr::memchr2(b'\n', b'\r', bytes) {
            _ if feeds => usize::from(bytes.first() == Some(&b'\n')),
            Some(at) => at + 1,
            None => bytes.len(),
        };
        into.extend_from_slice(&bytes[..used]);
        input.consume(used);
        if feeds || used == 0 || into.last() == Some(&b'\n') {
            return Ok(into.len() > start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_break() {
        let text = b"a\nb\r\nc\rd\r\r\n\n\re\r";
        let lines: [&[u8]; 9] =
            [b"a\n", b"b\r\n", b"c\r", b"d\r", b"\r\n", b"\n", b"\r", b"e\r", b""];
        assert!(split(text).eq(lines[..8].iter().copied()));
        assert_eq!(count(text, text.len()), 8);
        // Between `\r` and `\n`.
        assert_eq!((count(text, 3), count(text, 4), count(text, 5)), (1, 1, 2));
        for capacity in [1, 2, 100] {
            let mut input = io::BufReader::with_capacity(capacity, &text[..]);
            for line in lines {
                let mut found = Vec::new();
                assert_eq!(read(&mut input, 100, &mut found).expect("reads"), !line.is_empty());
                assert_eq!(found, line);
            }
        }
        let (mut input, mut line) = (&b"abc\n"[..], vec![]);
        assert!(read(&mut input, 2, &mut line).expect("reads") && line == b"ab");
    }
}
