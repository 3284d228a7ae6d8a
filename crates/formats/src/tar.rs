//! Reads the files of a tar archive one after the other, and unpacks gzip files. lc0's chunks are published in such
//! archives.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use crate::lc0;

/// The size of a header and of the blocks of a file, in bytes.
const BLOCK: usize = 512;

/// The maximum size of an unpacked file, in bytes.
const LARGEST: u64 = 1 << 30;

/// A function that unpacks gzip.
pub type Unpack = for<'a> fn(&'a [u8]) -> Box<dyn Read + 'a>;

/// Returns whether the first 512 bytes of an input are a header of an archive: with the signature of today's archives,
/// or with a checksum, as in older ones.
#[must_use]
pub fn is_archive(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar") || head.get(..BLOCK).is_some_and(has_checksum)
}

/// Returns whether a file of an archive, or of a folder made from one, is something else than a chunk of lc0 and is to
/// be skipped: a hidden file, or a license, a description or an index.
///
/// `bytes` are its first bytes, unpacked. A file is read, whatever its contents, if it is compressed or its name is
/// that of a chunk.
///
/// ```
/// use setwise_formats::tar::is_skipped;
/// assert!(is_skipped("data/LICENSE", b"The Open"));
/// assert!(is_skipped("data/._training.1.gz", b"\x06\0\0\0"));
/// assert!(!is_skipped("data/chunk", b"\x06\0\0\0"));
/// assert!(!is_skipped("data/training.1.gz", b"anything"));
/// ```
#[must_use]
pub fn is_skipped(name: &str, bytes: &[u8]) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_chunk = bytes.first_chunk().is_some_and(|version| lc0::size(*version).is_some());
    let named = name.starts_with("training.") || name.ends_with(".gz") || name.ends_with(".lc0");
    name.starts_with('.') || !is_chunk && !named
}

/// Works like [`is_skipped`] for a file of a folder, which may also be an archive. `open` opens the file, unpacked; it is
/// called only if the name does not decide.
///
/// # Errors
/// If the file cannot be opened or read.
pub fn is_skipped_file<R: Read>(
    name: &str,
    open: impl FnOnce() -> io::Result<R>,
) -> io::Result<bool> {
    if !is_skipped(name, b"") {
        return Ok(false);
    }
    let mut head = Vec::new();
    open()?.take(BLOCK as u64).read_to_end(&mut head)?;
    Ok(!is_archive(&head) && is_skipped(name, &head))
}

/// The number in a field, in octal digits.
fn octal(field: &[u8]) -> Option<u64> {
    let text = field.split(|byte| *byte == 0).next().unwrap_or_default().trim_ascii();
    str::from_utf8(text).ok().and_then(|text| u64::from_str_radix(text, 8).ok())
}

/// Returns whether a header has the right checksum, which counts its own field as blanks.
fn has_checksum(head: &[u8]) -> bool {
    let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>();
    octal(&head[148..156]) == Some(sum(&head[..148]) + 8 * u64::from(b' ') + sum(&head[156..]))
}

/// Returns the concatenated chunks of an archive without its other files ([`is_skipped`]), or the input unchanged if it
/// is not an archive.
///
/// # Errors
/// If reading fails. Errors in the archive are reported when the returned reader is read: damage, or links to chunks.
///
/// ```
/// use std::io::Read;
/// let mut bytes = Vec::new();
/// setwise_formats::tar::files(&b"no archive"[..], |_| unreachable!())?.read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"no archive");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn files<'a>(
    mut input: impl BufRead + Send + 'a,
    unpack: Unpack,
) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    let mut head = Vec::new();
    input.by_ref().take(BLOCK as u64).read_to_end(&mut head)?;
    let is_archive = is_archive(&head);
    let archive = Cursor::new(head).chain(input);
    Ok(match is_archive {
        true => Box::new(BufReader::new(Files {
            archive,
            unpack,
            file: Cursor::default(),
            name: String::new(),
        })),
        false => Box::new(archive),
    })
}

struct Files<R> {
    archive: R,
    unpack: Unpack,
    file: Cursor<Vec<u8>>,
    /// The name of the file, for messages.
    name: String,
}

impl<R: Read> Files<R> {
    /// Advances to the next file. Returns false at the end of the archive.
    fn next(&mut self) -> io::Result<bool> {
        let mut head = Vec::new();
        // Zeros end an archive. Another one may follow, and a decompressor checks its input at the end.
        while head.iter().all(|byte| *byte == 0) {
            head.clear();
            if self.archive.by_ref().take(BLOCK as u64).read_to_end(&mut head)? == 0 {
                return Ok(false);
            }
        }
        let after = match self.name.as_str() {
            "" => String::new(),
            name => format!(" after its file {name}"),
        };
        if head.len() < BLOCK {
            return Err(io::Error::other(format!(
                "it ends too soon: within a file of the archive{after}"
            )));
        }
        let size = octal(&head[124..136]).filter(|size| *size <= LARGEST);
        let (Some(size), true) = (size, has_checksum(&head)) else {
            let error = "expected the header of a file of the archive, found something else";
            return Err(io::Error::other(error.to_owned() + &after));
        };
        let name = head[..100].split(|byte| *byte == 0).next().unwrap_or_default();
        self.name = name.escape_ascii().to_string();
        let mut bytes = Vec::new();
        self.archive.by_ref().take(size).read_to_end(&mut bytes)?;
        let rest = size.next_multiple_of(BLOCK as u64) - size;
        let skipped = io::copy(&mut self.archive.by_ref().take(rest), &mut io::sink())?;
        if (bytes.len() as u64) < size || skipped < rest {
            let error = format!("it ends too soon: within a file of the archive, {}", self.name);
            return Err(io::Error::other(error));
        }
        let (is_file, is_link) = (matches!(head[156], 0 | b'0'), matches!(head[156], b'1' | b'2'));
        if is_link && !is_skipped(&self.name, b"") {
            let advice = "unpack the archive and pass the folder";
            return Err(io::Error::other(format!("its file {} is a link; {advice}", self.name)));
        }
        if is_file && bytes.starts_with(&[0x1f, 0x8b]) {
            let mut unpacked = Vec::new();
            let read = (self.unpack)(&bytes).take(LARGEST + 1).read_to_end(&mut unpacked);
            let invalid =
                |error: &str| io::Error::other(format!("its file {}: {error}", self.name));
            if read.map_err(|error| invalid(&error.to_string()))? as u64 > LARGEST {
                return Err(invalid("it unpacks to more than 1 GB"));
            }
            bytes = unpacked;
        }
        let is_read = is_file && !is_skipped(&self.name, &bytes);
        let mut rest = &bytes[..];
        while let Some(size) = rest.first_chunk().and_then(|version| lc0::size(*version))
            && is_read
        {
            // The next file would continue an incomplete record.
            let missing = size.saturating_sub(rest.len());
            if missing > 0 {
                let error =
                    format!("its file {}: the last record lacks {missing} bytes", self.name);
                return Err(io::Error::other(error));
            }
            rest = &rest[size..];
        }
        if is_read && !rest.is_empty() && rest.len() < bytes.len() {
            let (name, at) = (&self.name, bytes.len() - rest.len());
            let error =
                format!("its file {name}: expected a record at byte {at}, found something else");
            return Err(io::Error::other(error));
        }
        self.file = Cursor::new(if is_read { bytes } else { Vec::new() });
        Ok(true)
    }
}

impl<R: Read> Read for Files<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.file.read(into)?;
            if read > 0 || into.is_empty() || !self.next()? {
                return Ok(read);
            }
        }
    }
}
