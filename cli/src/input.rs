//! Text in: files and standard input, unpacked if need be, cut into batches of whole lines.
//!
//! A batch becomes a row group (or its like), so where it ends depends on the text alone: not on how
//! many threads there are, nor on how much a pipe hands out at a time.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;

/// Lines in a batch, and so the rows of a row group: 1 MiB for a column of bitboards.
const LINES: usize = 128 * 1024;

/// A batch ends early when it has this many bytes, so that long lines do not fill the memory.
const BYTES: usize = 32 << 20;

/// A line may have this many bytes; what is longer is no text of positions, and is not kept.
pub(crate) const LONGEST: usize = 64 * 1024;

/// Whole lines, from one input or from several.
#[derive(Default)]
pub(crate) struct Batch {
    text: Vec<u8>,
    parts: Vec<Part>,
    count: usize,
}

/// Lines of a batch that come from one input.
struct Part {
    input: usize,
    /// Number of its first line in the input, from 1.
    line: u64,
    /// Where it ends in the batch's text.
    end: usize,
}

/// A line, and where it stands.
pub(crate) struct Line<'a> {
    pub(crate) input: usize,
    pub(crate) number: u64,
    pub(crate) text: &'a [u8],
}

impl Batch {
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many lines there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut start = 0;
        self.parts.iter().flat_map(move |part| {
            let text = &self.text[start..part.end];
            start = part.end;
            let mut begin = 0;
            memchr::memchr_iter(b'\n', text).zip(part.line..).map(move |(end, number)| {
                let line = &text[begin..end];
                begin = end + 1;
                Line { input: part.input, number, text: line }
            })
        })
    }
}

/// The name by which messages call an input.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".into() } else { path.display().to_string() }
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Sees whether all inputs can be read before the work begins. Their size in bytes, if it is known.
pub(crate) fn check(paths: &[PathBuf]) -> Result<Option<u64>> {
    let mut size = Some(0);
    for path in paths {
        if is_stdin(path) {
            size = None;
            continue;
        }
        let wrong = || format!("cannot read {}", path.display());
        let metadata = fs::metadata(path).with_context(wrong)?;
        if metadata.is_dir() {
            bail!("cannot read {}: it is a directory", path.display());
        }
        if metadata.is_file() {
            File::open(path).with_context(wrong)?;
            size = size.map(|size| size + metadata.len());
        } else {
            size = None; // a pipe: opening it here would use it up
        }
    }
    Ok(size)
}

/// The batches of all inputs, one after the other.
pub(crate) struct Batches {
    paths: Vec<PathBuf>,
    progress: ProgressBar,
    input: usize,
    open: Option<Box<dyn BufRead>>,
    line: u64,
}

impl Batches {
    pub(crate) fn new(paths: Vec<PathBuf>, progress: ProgressBar) -> Self {
        Self { paths, progress, input: 0, open: None, line: 1 }
    }

    /// The next batch; it is empty at the end.
    pub(crate) fn next(&mut self) -> Result<Batch> {
        let mut batch = Batch::default();
        let mut lines = LINES;
        while let Some(path) = self.paths.get(self.input) {
            let wrong = || format!("cannot read {}", name(path));
            let reader = match &mut self.open {
                Some(reader) => reader,
                closed => closed.insert(open(path, &self.progress).with_context(wrong)?),
            };
            let before = lines;
            let at_end = read_lines(reader, &mut batch.text, &mut lines).with_context(wrong)?;
            if lines < before {
                batch.parts.push(Part {
                    input: self.input,
                    line: self.line,
                    end: batch.text.len(),
                });
            }
            self.line += (before - lines) as u64;
            if !at_end {
                break;
            }
            self.open = None;
            self.input += 1;
            self.line = 1;
        }
        batch.count = LINES - lines;
        Ok(batch)
    }
}

/// Appends up to `lines` whole lines, each with its line end. Says whether the input is at its end.
fn read_lines(
    reader: &mut impl BufRead,
    text: &mut Vec<u8>,
    lines: &mut usize,
) -> io::Result<bool> {
    while *lines > 0 && text.len() < BYTES {
        // One byte more than allowed, to show that it is too long.
        let read = reader.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', text)?;
        if read == 0 {
            return Ok(true);
        }
        if !text.ends_with(b"\n") {
            text.push(b'\n');
            if read > LONGEST {
                reader.skip_until(b'\n')?;
            }
        }
        *lines -= 1;
    }
    Ok(false)
}

/// Opens an input, and unpacks it if it begins as gzip or zstd files do.
fn open(path: &Path, progress: &ProgressBar) -> io::Result<Box<dyn BufRead>> {
    let raw: Box<dyn Read> =
        if is_stdin(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut raw = progress.wrap_read(raw);
    let mut head = Vec::new();
    raw.by_ref().take(4).read_to_end(&mut head)?;
    let kind = (head.first().copied(), head.get(1..).unwrap_or_default());
    let raw = BufReader::with_capacity(BLOCK, Cursor::new(head.clone()).chain(raw));
    Ok(match kind {
        (Some(0x1f), [0x8b, ..]) => unpacked(flate2::bufread::MultiGzDecoder::new(raw)),
        // A frame, or a skippable frame, with which some writers begin.
        (Some(0x28), [0xb5, 0x2f, 0xfd]) | (Some(0x50..=0x5f), [0x2a, 0x4d, 0x18]) => {
            unpacked(zstd::Decoder::with_buffer(raw)?)
        }
        _ => Box::new(raw),
    })
}

/// Bytes that are read or unpacked at a time.
const BLOCK: usize = 1 << 20;

fn unpacked(reader: impl Read + 'static) -> Box<dyn BufRead> {
    Box::new(BufReader::with_capacity(BLOCK, reader))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::{LINES, LONGEST};
    use crate::oracle;

    /// Whether all of it was looked at.
    fn check(bytes: &[u8]) -> bool {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        oracle::check(file.path(), bytes)
    }

    /// Bytes with many line ends, and with what packed files begin with.
    fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![4 => any::<u8>(), 1 => Just(b'\n')];
        let head = prop_oneof![
            6 => Just(&b""[..]),
            1 => Just(&b"\x1f\x8b\x08\x00"[..]),
            1 => Just(&b"\x28\xb5\x2f\xfd"[..]),
            1 => Just(&b"\x51\x2a\x4d\x18\x02\x00\x00\x00"[..]),
        ];
        (head, proptest::collection::vec(byte, 0..200))
            .prop_map(|(head, rest)| [head, &rest[..]].concat())
    }

    /// Lines of all lengths, around the longest that is allowed too, with or without the last line end.
    fn any_text() -> impl Strategy<Value = Vec<u8>> {
        let length = prop_oneof![9 => 0..100usize, 1 => LONGEST - 2..LONGEST + 4];
        (proptest::collection::vec((0x20..0x7fu8, length), 0..20), any::<bool>()).prop_map(
            |(lines, ended)| {
                let lines: Vec<_> =
                    lines.iter().map(|&(byte, length)| vec![byte; length]).collect();
                let mut text = lines.join(&b'\n');
                text.extend(ended.then_some(b'\n'));
                text
            },
        )
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_an_end(bytes in any_bytes()) {
            check(&bytes);
        }

        #[test]
        fn text_comes_back_line_by_line(text in any_text()) {
            assert!(check(&text));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn packed_files_that_are_cut_or_spoilt_end(text in any_text(), at: usize, flip: u8) {
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
        for lines in LINES - 1..=LINES + 1 {
            assert!(check(&b"\n".repeat(lines)));
            assert!(check(&[&b"\n".repeat(lines)[..], b"8/8"].concat()));
        }
    }
}
