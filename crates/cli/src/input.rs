//! Reads text from files and standard input, decompresses it if necessary, and splits it into batches of complete
//! lines.
//!
//! A batch becomes a row group or a similar unit. Its end must therefore depend only on the text, not on the number of
//! threads or on the number of bytes that a pipe returns at a time.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use flate2::bufread::GzDecoder;
use indicatif::ProgressBar;
use setwise_formats::{Format, LineFeeds, tar};
use setwise_table::{LineRun, Lines, MAX_LINE, Part, Source};

/// The name of an input in messages, always on one line.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) {
        return "standard input".into();
    }
    let mut name = String::new();
    for character in path.display().to_string().chars() {
        if character.is_control() {
            name.extend(character.escape_default());
        } else {
            name.push(character);
        }
    }
    name
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Checks that all inputs can be read before the work begins. Returns their total size in bytes, if it is known.
pub(crate) fn check(paths: &[PathBuf]) -> Result<Option<u64>> {
    let mut size = Some(0);
    for path in paths {
        if is_stdin(path) {
            size = None;
            continue;
        }
        let wrong = || format!("cannot read {}", name(path));
        let metadata = fs::metadata(path).with_context(wrong)?;
        if metadata.is_dir() {
            bail!("cannot read {}: it is a directory", name(path));
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

/// Replaces each folder among the inputs by its files, recursively and sorted by name. Omits hidden files and files
/// whose names begin with `_`, which are not part of a data set; with chunks of lc0, also licenses and the like.
pub(crate) fn files(paths: &[PathBuf], chunks: bool) -> Result<Vec<PathBuf>> {
    fn of_folder(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
        let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
        let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
        entries.retain(|path| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            !name.starts_with(b".") && !name.starts_with(b"_")
        });
        entries.sort();
        for path in entries {
            if path.is_dir() {
                of_folder(&path, files)?;
            } else {
                files.push(path);
            }
        }
        Ok(())
    }
    let mut files = Vec::new();
    for path in paths {
        if is_stdin(path) || !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        let listed = of_folder(path, &mut files).and_then(|()| {
            let mut found = files.split_off(before);
            if chunks || found.iter().any(|path| is_lc0(path)) {
                skip_others(&mut found)?;
            }
            files.append(&mut found);
            Ok(())
        });
        listed.with_context(|| format!("cannot read {}", name(path)))?;
        if files.len() == before {
            bail!("cannot read {}: the folder has no files", name(path));
        }
    }
    Ok(files)
}

/// Returns whether a file has lc0's chunks, by its extension.
fn is_lc0(path: &Path) -> bool {
    plain_extension(path).and_then(Format::from_extension) == Some(Format::Lc0)
}

/// Removes the files of a folder that are not chunks of lc0.
fn skip_others(files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut kept = Vec::with_capacity(files.len());
    for path in mem::take(files) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !tar::is_skipped_file(&name, || unpack(&path, &ProgressBar::hidden()))? {
            kept.push(path);
        }
    }
    *files = kept;
    Ok(())
}

/// Reads the lines of all inputs, one after another, in batches.
pub(crate) struct LineReader {
    /// The inputs with their names in messages.
    inputs: Vec<(PathBuf, Arc<str>)>,
    progress: ProgressBar,
    input: usize,
    open: Option<Box<dyn BufRead + Send>>,
    line: u64,
}

impl LineReader {
    pub(crate) fn new(paths: &[PathBuf], progress: ProgressBar) -> Self {
        let inputs = paths.iter().map(|path| (path.clone(), name(path).into())).collect();
        Self { inputs, progress, input: 0, open: None, line: 1 }
    }

    /// Returns the next batch of at most `lines` lines. It ends early after `bytes` bytes, so that long lines do not
    /// fill the memory. It is empty at the end.
    pub(crate) fn batch(&mut self, lines: usize, bytes: usize) -> Result<Lines> {
        let mut batch = Lines::default();
        let mut remaining = lines;
        while let Some((path, input)) = self.inputs.get(self.input) {
            let wrong = || format!("cannot read {input}");
            let reader = match &mut self.open {
                Some(reader) => reader,
                closed => {
                    let opened = unpack(path, &self.progress).and_then(text);
                    closed.insert(Box::new(LineFeeds::new(opened.with_context(wrong)?)))
                }
            };
            let before = remaining;
            let at_end = read_lines(reader, &mut batch.text, &mut remaining, bytes);
            let at_end = at_end.with_context(wrong)?;
            if remaining < before {
                let (input, end) = (input.clone(), batch.text.len());
                batch.runs.push(LineRun { input, first: self.line, end });
            }
            self.line += (before - remaining) as u64;
            if !at_end {
                break;
            }
            self.open = None;
            self.input += 1;
            self.line = 1;
        }
        batch.count = lines - remaining;
        Ok(batch)
    }
}

impl Source<anyhow::Error> for LineReader {
    fn next(&mut self, lines: usize, bytes: usize) -> Result<Option<Part<'static, anyhow::Error>>> {
        let batch = self.batch(lines, bytes)?;
        Ok((batch.count > 0).then(|| batch.into_part()))
    }
}

/// Appends up to `lines` complete lines, each with its line end, until the text has `bytes`. Returns whether the input
/// is at its end.
fn read_lines(
    reader: &mut impl BufRead,
    text: &mut Vec<u8>,
    lines: &mut usize,
    bytes: usize,
) -> io::Result<bool> {
    while *lines > 0 && text.len() < bytes {
        // The complete lines in the reader's buffer.
        let buffer = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let mut end = 0;
        for at in memchr::memchr_iter(b'\n', buffer) {
            if at - end > MAX_LINE || *lines == 0 || text.len() + end >= bytes {
                break;
            }
            end = at + 1;
            *lines -= 1;
        }
        text.extend_from_slice(&buffer[..end]);
        reader.consume(end);
        if end > 0 {
            continue;
        }
        // An incomplete line. Reads one byte more than allowed, to detect lines that are too long.
        let read = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', text)?;
        if read == 0 {
            return Ok(true);
        }
        if !text.ends_with(b"\n") {
            text.push(b'\n');
            if read > MAX_LINE {
                reader.skip_until(b'\n')?;
            }
        }
        *lines -= 1;
    }
    Ok(false)
}

/// Opens an input, and decompresses it if its first bytes are those of gzip or zstd.
pub(crate) fn unpack(path: &Path, progress: &ProgressBar) -> io::Result<Box<dyn BufRead + Send>> {
    let raw: Box<dyn Read + Send> =
        if is_stdin(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut raw = progress.wrap_read(raw);
    let head = head(&mut raw, 4)?;
    if let Some(kind) = packed_by_name(path)
        && head.is_empty()
    {
        return Err(io::Error::other(format!("it is empty, not {kind}")));
    }
    let raw = BufReader::with_capacity(BLOCK, Cursor::new(head.clone()).chain(raw));
    Ok(match head[..] {
        [0x1f, 0x8b, ..] => Box::new(BufReader::with_capacity(BLOCK, Gzip::new(raw))),
        // A frame, or a skippable frame, with which some writers begin.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
            Box::new(BufReader::with_capacity(BLOCK, zstd::Decoder::with_buffer(raw)?))
        }
        _ => Box::new(raw),
    })
}

/// The number of bytes that are read or decompressed at a time.
const BLOCK: usize = 1 << 20;

/// Reads the first bytes; fewer only at the end.
fn head(reader: &mut impl Read, bytes: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

/// Skips a byte order mark. Fails if the input is not text.
pub(crate) fn text(
    mut reader: impl BufRead + Send + 'static,
) -> io::Result<Box<dyn BufRead + Send>> {
    let mut head = head(&mut reader, 512)?;
    if let Some(kind) = binary(&head) {
        return Err(io::Error::other(format!("{kind}; {EXPECTED}")));
    }
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    Ok(Box::new(Cursor::new(head).chain(reader)))
}

/// The expected kinds of input.
const EXPECTED: &str = "expected text, plain or compressed with gzip or zstd";

/// Detects binary data: known file types by their first bytes, and anything with a zero byte near the start.
fn binary(head: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 10] = [
        (b"BZh", "it is compressed with bzip2"),
        (b"\xfd7zXZ\0", "it is compressed with xz"),
        (b"\x04\x22\x4d\x18", "it is compressed with lz4"),
        (b"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive"),
        (b"PK\x03\x04", "it is a Zip archive"),
        (b"PAR1", "it is a Parquet file"),
        (b"ARROW1", "it is an Arrow file"),
        (b"\x93NUMPY", "it is a NumPy array"),
        (b"\xff\xfe", "it is UTF-16 text"),
        (b"\xfe\xff", "it is UTF-16 text"),
    ];
    let known = KINDS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, kind)| kind);
    known.or_else(|| head.contains(&0).then_some("it is binary"))
}

/// Returns the compression of an input by its extension.
pub(crate) fn packed_by_name(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?;
    let known = [("gz", "gzip"), ("zst", "zstd")];
    known.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|&(_, kind)| kind)
}

/// Returns the extension of a file, after that of its compression is removed.
pub(crate) fn plain_extension(path: &Path) -> Option<&str> {
    match packed_by_name(path) {
        Some(_) => Path::new(path.file_stem()?).extension()?.to_str(),
        None => path.extension()?.to_str(),
    }
}

/// Reads gzip data with several members. Any other data after the last member is an error.
struct Gzip<R> {
    member: Option<GzDecoder<R>>,
    /// True if this is not the first member.
    follows: bool,
}

fn trailing_data() -> io::Error {
    io::Error::other("there is other data after the gzip data")
}

impl<R: BufRead> Gzip<R> {
    fn new(raw: R) -> Self {
        Self { member: Some(GzDecoder::new(raw)), follows: false }
    }
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

#[cfg(test)]
#[path = "input/tests.rs"] // also where a fuzz target includes this file
mod tests;
