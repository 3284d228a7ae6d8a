//! Opens files and standard input, and decompresses them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::bufread::GzDecoder;
use setwise_formats::{Format, tar};

use crate::names::{compression_of, is_stdin};

/// The decompressed contents of a file.
pub type Stream = Box<dyn BufRead + Send>;

/// Receives the number of bytes read from files, as they are read.
pub type Progress = Arc<dyn Fn(u64) + Send + Sync>;

/// Returns a function that ignores the progress.
#[must_use]
pub fn no_progress() -> Progress {
    Arc::new(|_| {})
}

/// Passes the number of bytes read on.
struct Counted<R>(R, Progress);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(into)?;
        (self.1)(read as u64);
        Ok(read)
    }
}

/// Returns whether data with these first bytes are compressed with gzip or zstd.
#[must_use]
pub const fn is_compressed(head: &[u8]) -> bool {
    is_gzip(head) || is_zstd(head)
}

const fn is_gzip(head: &[u8]) -> bool {
    matches!(head, [0x1f, 0x8b, 8, ..])
}

/// A frame, or a skippable frame, with which some writers begin.
const fn is_zstd(head: &[u8]) -> bool {
    matches!(head, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Opens an input, and decompresses it if its first bytes are those of gzip or zstd.
///
/// # Errors
/// If the file cannot be read, or if it is empty and its name says that it is compressed.
pub fn unpack(path: &Path, progress: &Progress) -> io::Result<Stream> {
    let raw: Box<dyn Read + Send> =
        if is_stdin(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut raw = Counted(raw, progress.clone());
    let head = head(&mut raw, 10)?;
    check_compression(&head)?;
    if let Some(kind) = compression_of(path)
        && head.is_empty()
    {
        return Err(io::Error::other(format!("it is empty, not {kind}")));
    }
    let raw = BufReader::with_capacity(BLOCK, Cursor::new(head.clone()).chain(raw));
    Ok(if is_gzip(&head) {
        Box::new(BufReader::with_capacity(BLOCK, Gzip::new(raw)))
    } else if is_zstd(&head) {
        Box::new(BufReader::with_capacity(BLOCK, zstd::Decoder::with_buffer(raw)?))
    } else {
        Box::new(raw)
    })
}

/// Returns the records of a stream, including lc0 records in an archive.
///
/// # Errors
/// If the archive cannot be read, or if records of text are not text.
pub fn records(format: Format, stream: Stream) -> io::Result<Stream> {
    match format {
        Format::Lc0 => tar::files(stream, |bytes| Box::new(Gzip::new(bytes))),
        Format::Plain => checked(stream),
        _ => Ok(stream),
    }
}

/// The number of bytes that are read or decompressed at a time.
const BLOCK: usize = 1 << 20;

/// Reads the first bytes; fewer only at the end.
fn head(reader: &mut impl Read, bytes: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

/// The byte order mark with which some programs begin text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Skips a byte order mark.
///
/// # Errors
/// If the input cannot be read or is not text.
pub fn text(reader: impl BufRead + Send + 'static) -> io::Result<Stream> {
    let mut text = checked(reader)?;
    if text.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        text.consume(BYTE_ORDER_MARK.len());
    }
    Ok(text)
}

/// Fails if an input is not text. Keeps a byte order mark, and with it the offsets in the input.
fn checked(mut reader: impl BufRead + Send + 'static) -> io::Result<Stream> {
    let head = head(&mut reader, 512)?;
    check_compression(&head)?;
    match binary(&head) {
        Some(kind) => Err(io::Error::other(format!("{kind}; {EXPECTED}"))),
        None => Ok(Box::new(Cursor::new(head).chain(reader))),
    }
}

/// Fails if data are compressed in another way, by their first ten bytes.
pub(crate) fn check_compression(head: &[u8]) -> io::Result<()> {
    // In bzip2, the first four bytes are `BZh` and the level.
    const KINDS: [(usize, &[u8], &str); 3] =
        [(4, b"1AY&SY", "bzip2"), (0, b"\xfd7zXZ\0", "xz"), (0, b"\x04\x22\x4d\x18", "lz4")];
    let is_of = |(at, magic, _): &&(usize, &[u8], &str)| {
        head.get(*at..).is_some_and(|rest| rest.starts_with(magic))
    };
    KINDS.iter().find(is_of).map_or(Ok(()), |(.., kind)| {
        let advice = "decompress it, or compress it with gzip or zstd";
        Err(io::Error::other(format!("it is compressed with {kind}; {advice}")))
    })
}

/// The first bytes of an Arrow stream: a continuation, which precedes the size of a message.
pub(crate) const ARROW_STREAM: &[u8] = &[0xff; 4];

/// The expected kinds of input.
const EXPECTED: &str = "expected text, plain or compressed with gzip or zstd";

/// Detects binary data: known file types by their first bytes, and anything with a zero byte near the start.
fn binary(head: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 8] = [
        (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive"),
        (b"PK\x03\x04", "it is a Zip archive"),
        (b"PAR1", "it is a Parquet file"),
        (b"ARROW1", "it is an Arrow file"),
        (ARROW_STREAM, "it is an Arrow stream"),
        (b"\x93NUMPY", "it is a NumPy array"),
        (b"\xff\xfe", "it is UTF-16 text"),
        (b"\xfe\xff", "it is UTF-16 text"),
    ];
    let known = KINDS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, kind)| kind);
    known.or_else(|| head.contains(&0).then_some("it is binary"))
}

/// Reads gzip data with several members, with or without zeros after them. Any other data after a member are an error.
struct Gzip<R> {
    member: Option<GzDecoder<R>>,
    /// True if this is not the first member.
    follows: bool,
}

impl<R: BufRead> Gzip<R> {
    fn new(raw: R) -> Self {
        Self { member: Some(GzDecoder::new(raw)), follows: false }
    }
}

fn trailing_data() -> io::Error {
    io::Error::other("there is other data after the gzip data")
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(into).map_err(|error| match error.kind() {
                // The decoder reports a missing header with this error.
                io::ErrorKind::InvalidInput if self.follows => trailing_data(),
                _ => error,
            })?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            let mut raw = self.member.take().expect("it is there").into_inner();
            while let [0, ..] = raw.fill_buf()? {
                let zeros = raw.fill_buf()?.iter().take_while(|byte| **byte == 0).count();
                raw.consume(zeros);
            }
            match raw.fill_buf()?.first() {
                None => {}
                Some(0x1f) => {
                    self.member = Some(GzDecoder::new(raw));
                    self.follows = true;
                }
                Some(_) => return Err(trailing_data()),
            }
        }
        Ok(0)
    }
}
