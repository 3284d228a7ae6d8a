//! Splits a stream between games without decoding it, so that its parts can be decoded on any thread and in any order.

use std::io::{self, BufRead, Read};
use std::mem;

use crate::{Format, Lc0Record, lc0, lines, plain};

/// Splits a stream of a [`Format`] into parts of whole games, or of whole records in formats with fixed-size records.
/// In binpack, each block is a part.
///
/// ```
/// use setwise_formats::{Cutter, Format};
/// let text = b"fen 8/8/8/8/8/8/8/K1k5 w - -\nscore 0\nply 80\nresult 0\ne\n".repeat(3);
/// let mut cutter = Cutter::new(Format::Plain, &text[..]);
/// assert_eq!(cutter.next(60)?.map(|part| part.len()), Some(110));
/// assert_eq!(cutter.next(60)?.map(|part| part.len()), Some(55));
/// assert_eq!(cutter.next(60)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Cutter<R> {
    format: Format,
    input: R,
    /// The first record of the next part.
    next_record: Vec<u8>,
}

impl<R: BufRead> Cutter<R> {
    /// Creates a cutter at the start of a stream.
    pub const fn new(format: Format, input: R) -> Self {
        Self { format, input, next_record: Vec::new() }
    }

    /// Returns the next whole games, until they have at least this number of bytes; `None` at the end. Invalid bytes
    /// are included, so that the decoder reports the error.
    ///
    /// # Errors
    /// If reading fails.
    pub fn next(&mut self, bytes: usize) -> io::Result<Option<Vec<u8>>> {
        let mut part = mem::take(&mut self.next_record);
        match self.format {
            Format::Bullet | Format::Marlin | Format::PackedSfen => {
                let size = self.format.record_size().unwrap_or(1);
                self.read(bytes.max(size) / size * size, &mut part)?;
            }
            Format::Viri => while part.len() < bytes && self.viri(&mut part)? {},
            Format::Binpack => {
                self.read(8, &mut part)?;
                if let Some(&size) = part.get(4..).and_then(<[u8]>::first_chunk) {
                    self.read(u32::from_le_bytes(size) as usize, &mut part)?;
                }
            }
            Format::Plain | Format::Lc0 => self.games(bytes, &mut part)?,
        }
        Ok((!part.is_empty()).then_some(part))
    }

    /// Appends this number of bytes, or fewer at the end of the stream. Returns false if none are left.
    fn read(&mut self, bytes: usize, part: &mut Vec<u8>) -> io::Result<bool> {
        Ok(self.input.by_ref().take(bytes as u64).read_to_end(part)? > 0)
    }

    /// Appends a game of viriformat: a position of 32 bytes, 4 bytes per move, and 4 zeros.
    fn viri(&mut self, part: &mut Vec<u8>) -> io::Result<bool> {
        let has_game = self.read(32, part)?;
        while self.read(4, part)? && !part.ends_with(&[0; 4]) {}
        Ok(has_game)
    }

    /// Appends records up to the first record of another game. Real games have a few megabytes at most.
    fn games(&mut self, bytes: usize, part: &mut Vec<u8>) -> io::Result<()> {
        const LONGEST: usize = 1 << 26;
        let mut last = 0;
        loop {
            let start = part.len();
            if self.format == Format::Lc0 {
                self.lc0(part)?
            } else {
                self.plain(part)?
            }
            let (before, record) = part.split_at(start);
            if record.is_empty() {
                return Ok(());
            }
            if start > 0 && start >= bytes {
                let before = &before[last..];
                let continues = match self.format {
                    Format::Lc0 => Lc0Record::new(record)
                        .zip(Lc0Record::new(before))
                        .is_some_and(|(record, before)| record.continues(before)),
                    // The reader uses the same rule to detect placeholders among scores.
                    _ => plain::ply(before).is_some_and(|ply| plain::ply(record) > Some(ply)),
                };
                if !continues || start >= LONGEST {
                    self.next_record = part.split_off(start);
                    return Ok(());
                }
            }
            last = start;
        }
    }

    /// Appends a record of `.plain`: the lines up to `e`.
    fn plain(&mut self, part: &mut Vec<u8>) -> io::Result<()> {
        loop {
            let start = part.len();
            if !lines::read(&mut self.input, plain::LONGEST, part)?
                || part[start..].trim_ascii() == b"e"
            {
                return Ok(());
            }
        }
    }

    /// Appends a record of lc0.
    fn lc0(&mut self, part: &mut Vec<u8>) -> io::Result<()> {
        let start = part.len();
        self.read(4, part)?;
        if let Some(size) = part[start..].first_chunk().and_then(|version| lc0::size(*version)) {
            self.read(size - 4, part)?;
        }
        Ok(())
    }
}
