//! A sliding window over an input: readers request bytes and report the number that they used. Its size is fixed,
//! regardless of the input. It counts records and bytes, to locate errors.

use std::fmt;
use std::io::{self, Read};

use crate::error::Fault;

/// The size of the window in bytes. The records of a window and their decoded rows stay in the second-level cache.
pub(crate) const WINDOW: usize = 1 << 16;

pub(crate) struct Source<'a> {
    /// Not generic, so that the decoders are compiled once, in this crate.
    input: Box<dyn Read + Send + 'a>,
    window: Box<[u8]>,
    /// The range of unused bytes in the window.
    start: usize,
    end: usize,
    /// The offset of `start` in the input.
    pub(crate) offset: u64,
    /// The number of records before `start`, including invalid ones.
    pub(crate) records: u64,
    ended: bool,
}

impl<'a> Source<'a> {
    /// Creates a window of a given size, which is also the largest possible request.
    pub(crate) fn new(input: impl Read + Send + 'a, window: usize) -> Self {
        let (input, window) = (Box::new(input), vec![0; window].into_boxed_slice());
        Self { input, window, start: 0, end: 0, offset: 0, records: 0, ended: false }
    }

    /// Returns the next bytes: at least `bytes`, fewer only at the end of the input.
    pub(crate) fn fill(&mut self, bytes: usize) -> Result<&[u8], Fault> {
        if self.end - self.start < bytes && !self.ended {
            self.window.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            while self.end < bytes {
                match self.input.read(&mut self.window[self.end..]) {
                    Ok(0) => {
                        self.ended = true;
                        break;
                    }
                    Ok(read) => self.end += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(&self.window[self.start..self.end])
    }

    /// Returns the next `SIZE` bytes; an error if fewer are left.
    pub(crate) fn chunk<const SIZE: usize>(&mut self, expected: &str) -> Result<[u8; SIZE], Fault> {
        let shown = self.fill(SIZE)?;
        shown.first_chunk().copied().ok_or_else(|| Fault::truncated(expected, shown.len()))
    }

    /// Skips bytes that [`fill`](Self::fill) returned.
    pub(crate) fn advance(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.end - self.start);
        self.start += bytes;
        self.offset += bytes as u64;
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, records, ended, .. } = self;
        let mut debug = f.debug_struct("Source");
        debug.field("offset", offset).field("records", records).field("ended", ended);
        debug.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time, with an interruption before each byte.
    struct Pipe<'a>(&'a [u8], bool);

    impl Read for Pipe<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            self.0.read(&mut buffer[..1])
        }
    }

    #[test]
    fn requests_are_filled_until_the_end() {
        let bytes: Vec<u8> = (0..50).collect();
        for window in [7, 8, 11, 64] {
            let mut source = Source::new(Pipe(&bytes, false), window);
            let mut at = 0;
            for step in (1..=7).cycle() {
                let shown = source.fill(7).expect("no errors").to_vec();
                assert!(bytes[at..].starts_with(&shown));
                assert!(shown.len() >= 7.min(bytes.len() - at));
                if shown.is_empty() {
                    break;
                }
                let step = step.min(shown.len());
                source.advance(step);
                at += step;
                assert_eq!(source.offset, at as u64);
            }
            assert_eq!(at, bytes.len());
        }
    }
}
