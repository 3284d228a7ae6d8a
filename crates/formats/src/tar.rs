//! Reads the files of a tar archive one after the other, and unpacks gzip files. lc0's chunks are published in such
//! archives.

use std::io::{self, BufRead, BufReader, Cursor, Read};

/// The size of a header and of the blocks of a file, in bytes.
const BLOCK: usize = 512;

/// The maximum size of an unpacked file, in bytes.
const LARGEST: u64 = 1 << 30;

/// A function that unpacks gzip.
pub type Unpack = for<'a> fn(&'a [u8]) -> Box<dyn Read + 'a>;

/// Returns whether the first 512 bytes of an input are a header of an archive.
#[must_use]
pub fn is_archive(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

/// Returns the concatenated files of an archive, or the input unchanged if it is not an archive.
///
/// # Errors
/// If reading fails. Errors in the archive are reported when the returned reader is read.
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
        true => Box::new(BufReader::new(Files { archive, unpack, file: Cursor::default() })),
        false => Box::new(archive),
    })
}

struct Files<R> {
    archive: R,
    unpack: Unpack,
    file: Cursor<Vec<u8>>,
}

impl<R: Read> Files<R> {
    /// Advances to the next file. Returns false at the end of the archive.
    fn next(&mut self) -> io::Result<bool> {
        let ends = || io::Error::other("it ends too soon: within a file of the archive");
        let mut head = Vec::new();
        // Zeros end an archive. Another one may follow, and a decompressor checks its input at the end.
        while head.iter().all(|byte| *byte == 0) {
            head.clear();
            if self.archive.by_ref().take(BLOCK as u64).read_to_end(&mut head)? == 0 {
                return Ok(false);
            }
        }
        if head.len() < BLOCK {
            return Err(ends());
        }
        let octal = |field: &[u8]| {
            let text = field.split(|byte| *byte == 0).next().unwrap_or_default().trim_ascii();
            str::from_utf8(text).ok().and_then(|text| u64::from_str_radix(text, 8).ok())
        };
        // The checksum counts its own field as blanks.
        let sum: u64 =
            head[..148].iter().chain(&[b' '; 8]).chain(&head[156..]).map(|&b| u64::from(b)).sum();
        let size = octal(&head[124..136]).filter(|size| *size <= LARGEST);
        let (Some(size), true) = (size, octal(&head[148..156]) == Some(sum)) else {
            return Err(io::Error::other(
                "expected the header of a file of the archive, found something else",
            ));
        };
        let mut bytes = Vec::new();
        self.archive.by_ref().take(size).read_to_end(&mut bytes)?;
        let rest = size.next_multiple_of(BLOCK as u64) - size;
        let skipped = io::copy(&mut self.archive.by_ref().take(rest), &mut io::sink())?;
        if (bytes.len() as u64) < size || skipped < rest {
            return Err(ends());
        }
        let is_file = matches!(head[156], 0 | b'0');
        if is_file && bytes.starts_with(&[0x1f, 0x8b]) {
            let mut unpacked = Vec::new();
            let read = (self.unpack)(&bytes).take(LARGEST + 1).read_to_end(&mut unpacked);
            let name = head.split(|byte| *byte == 0).next().unwrap_or_default().escape_ascii();
            let invalid = |error: &str| io::Error::other(format!("its file {name}: {error}"));
            if read.map_err(|error| invalid(&error.to_string()))? as u64 > LARGEST {
                return Err(invalid("it unpacks to more than 1 GB"));
            }
            bytes = unpacked;
        }
        self.file = Cursor::new(if is_file { bytes } else { Vec::new() });
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
