//! Errors in files: the record, the byte, the expected and the actual contents.

use std::{error, fmt, io};

/// An error in reading or writing records.
///
/// Its text includes the location in the file, which [`record`](Self::record) and [`offset`](Self::offset) return
/// separately.
///
/// ```
/// use setwise_formats::{Records, ErrorKind, Format, Reader};
/// let mut reader = Reader::new(Format::Bullet, &[0u8; 40][..]);
/// let error = reader.read(100, &mut Records::new()).unwrap_err();
/// assert_eq!(error.to_string(), "record 1, byte 8: expected 1 king of the mover, found 0");
///
/// // Reading continues with the next record, which is truncated here.
/// let error = reader.read(100, &mut Records::new()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated);
/// assert_eq!((error.record(), error.offset()), (2, 32));
/// assert_eq!(error.to_string(), "record 2, byte 32: expected 32 bytes, found 8 and the end of the file");
/// ```
#[derive(Debug)]
pub struct Error {
    record: u64,
    offset: u64,
    resumes: bool,
    fault: Fault,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed; [`source`](error::Error::source) returns the cause.
    Io,
    /// The input ends within a record, a game or a block.
    Truncated,
    /// The bytes are not a valid record of the format; or, when writing, the format cannot hold a row.
    Invalid,
}

impl Error {
    /// The number of the record, counted from 1. In formats of games, a record is a position.
    ///
    /// A reader counts from the start of the input and includes invalid records. A writer counts from the first row it
    /// receives.
    #[must_use]
    pub const fn record(&self) -> u64 {
        self.record
    }

    /// The byte offset of the error in the input or output, from 0.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The kind of error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.fault.kind
    }

    /// Returns whether the [`Reader`](crate::Reader) continues after this record, because its end is known: with
    /// fixed-size records, in [`Plain`](crate::Format::Plain), where a line ends each record, and in
    /// [`Lc0`](crate::Format::Lc0), where a record begins with its version. Otherwise the rest of the input is not read.
    #[must_use]
    pub const fn resumes(&self) -> bool {
        self.resumes
    }

    /// Locates a fault in the record that begins at the byte `start`.
    pub(crate) fn new(record: u64, start: u64, fault: Fault) -> Self {
        Self { record, offset: start + fault.at as u64, resumes: false, fault }
    }

    /// Sets whether the reader continues.
    pub(crate) fn resuming(self, resumes: bool) -> Self {
        Self { resumes, ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}, byte {}: {}", self.record, self.offset, self.fault.text)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.fault.source.as_ref().map(|error| error as _)
    }
}

/// An error in a record whose offset in the file is not known yet.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The offset within the record.
    at: usize,
    kind: ErrorKind,
    /// The expected and the actual contents, or the cause of an I/O error.
    text: String,
    source: Option<io::Error>,
}

impl Fault {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(at: usize, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self::of(at, format!("expected {expected}, found {found}"))
    }

    pub(crate) const fn of(at: usize, text: String) -> Self {
        Self { at, kind: ErrorKind::Invalid, text, source: None }
    }

    /// An input that ends within a record, after the number of bytes found; 0 if they are not what is expected.
    pub(crate) fn truncated(expected: &str, found: usize) -> Self {
        let fault = match found {
            0 => Self::new(0, expected, "the end of the file"),
            found => Self::new(0, expected, format_args!("{found} and the end of the file")),
        };
        Self { kind: ErrorKind::Truncated, ..fault }
    }

    /// Removes the offset within the record, which is unknown when writing.
    pub(crate) fn without_offset(self) -> Self {
        Self { at: 0, ..self }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self { at: 0, kind: ErrorKind::Io, text: error.to_string(), source: Some(error) }
    }
}

/// Displays the name of a square in messages.
pub(crate) struct Square(pub(crate) u8);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), self.0 / 8 + 1)
    }
}
