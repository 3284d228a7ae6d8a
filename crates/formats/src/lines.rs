//! Lines of text, which end at `\n`, `\r\n` or `\r`, for all readers of text.

use std::io::{self, BufRead, Read};
use std::iter;

/// A text whose lines end with `\n` or `\r\n`: replaces each `\r` that no `\n` follows, so that code that splits at
/// `\n` finds all lines. Every byte keeps its offset.
///
/// ```
/// use std::io::BufRead;
/// let text = setwise_formats::LineFeeds::new(&b"a\rb\r\nc\n"[..]);
/// let lines: Vec<String> = text.lines().collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["a", "b", "c"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineFeeds<R> {
    input: R,
    /// The number of buffered bytes that need no replacement.
    clean: usize,
    /// True if the input is after a `\r` that has not been returned.
    is_after_return: bool,
}

impl<R: BufRead> LineFeeds<R> {
    /// Wraps an input.
    pub const fn new(input: R) -> Self {
        Self { input, clean: 0, is_after_return: false }
    }
}

impl<R: BufRead> BufRead for LineFeeds<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.clean == 0 && !self.is_after_return {
            let bytes = self.input.fill_buf()?;
            let mut returns = memchr::memchr_iter(b'\r', bytes);
            let lone = returns.find(|at| bytes.get(at + 1) != Some(&b'\n'));
            self.clean = lone.unwrap_or(bytes.len());
            if lone == Some(0) {
                self.input.consume(1);
                self.is_after_return = true;
            }
        }
        let bytes = self.input.fill_buf()?;
        Ok(match (self.is_after_return, bytes.first()) {
            (false, _) => &bytes[..self.clean],
            // The end of a buffer separated the two.
            (true, Some(b'\n')) => b"\r",
            (true, _) => b"\n",
        })
    }

    fn consume(&mut self, bytes: usize) {
        if self.is_after_return {
            self.is_after_return = bytes == 0;
        } else {
            self.clean -= bytes;
            self.input.consume(bytes);
        }
    }
}

impl<R: BufRead> Read for LineFeeds<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

/// The offset of the end of the line, without its line break.
pub(crate) fn end(text: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |step| at + step)
}

/// The lines of a text, with their line breaks.
///
/// ```
/// let lines: Vec<&[u8]> = setwise_formats::lines::split(b"a\rb\r\nc").collect();
/// assert_eq!(lines, [&b"a\r"[..], b"b\r\n", b"c"]);
/// ```
pub fn split(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    iter::from_fn(move || {
        let end = end(text, 0);
        let line_break = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        let (line, rest) = text.split_at(text.len().min(end + line_break));
        text = rest;
        (!line.is_empty()).then_some(line)
    })
}

/// The number of line breaks before an offset.
///
/// # Panics
/// If `end` is out of range.
#[must_use]
pub fn count(text: &[u8], end: usize) -> u64 {
    let is_last = |at: &usize| text[*at] == b'\n' || text.get(at + 1) != Some(&b'\n');
    memchr::memchr2_iter(b'\n', b'\r', &text[..end]).filter(is_last).count() as u64
}

/// Appends the next line with its line break, but at most this number of bytes. Returns false at the end of the input.
///
/// # Errors
/// If reading fails.
pub fn read(input: &mut impl BufRead, longest: usize, into: &mut Vec<u8>) -> io::Result<bool> {
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

    proptest::proptest! {
        #[test]
        fn line_feeds_end_all_lines(
            bytes in proptest::collection::vec(proptest::sample::select(&b"a\r\n"[..]), 0..40),
            capacity in 1..20_usize,
            step in 1..20_usize,
        ) {
            let expected: Vec<u8> = (0..bytes.len())
                .map(|at| match (bytes[at], bytes.get(at + 1)) {
                    (b'\r', next) if next != Some(&b'\n') => b'\n',
                    (byte, _) => byte,
                })
                .collect();
            let mut text = LineFeeds::new(io::BufReader::with_capacity(capacity, &bytes[..]));
            let (mut found, mut part) = (Vec::new(), vec![0; step]);
            loop {
                let read = text.read(&mut part).expect("reads");
                if read == 0 {
                    break;
                }
                found.extend_from_slice(&part[..read]);
            }
            proptest::prop_assert_eq!(found, expected);
        }
    }

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
