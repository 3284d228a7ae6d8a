//! Reads text from files and standard input, decompresses it if necessary, and splits it into batches of complete
//! lines.
//!
//! A batch becomes a row group or a similar unit. Its end must therefore depend only on the text, not on the number of
//! threads or on the number of bytes that a pipe returns at a time.

use std::io::{self, BufRead, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use setwise_files::{FileFormat, Progress, Stream, name, text, unpack};
use setwise_formats::LineFeeds;
use setwise_table::{LineRun, Lines, MAX_LINE, Part, Source};

/// Returns each input with its format: the given one, otherwise by its extension, otherwise by its first bytes, otherwise
/// text.
pub(crate) fn formats(
    paths: &[PathBuf],
    given: Option<FileFormat>,
) -> Result<Vec<(PathBuf, FileFormat)>> {
    let with_format = |path: &PathBuf| {
        let format = given.map_or_else(|| FileFormat::of(path), |given| Ok(Some(given)));
        let format = format.with_context(|| format!("cannot read {}", name(path)))?;
        Ok((path.clone(), format.unwrap_or(FileFormat::Text)))
    };
    paths.iter().map(with_format).collect()
}

/// Replaces each folder among the inputs by its files.
pub(crate) fn files(paths: &[PathBuf], format: Option<FileFormat>) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let found = setwise_files::list(path, format);
        let found = found.with_context(|| format!("cannot read {}", name(path)))?;
        if found.is_empty() {
            bail!("cannot read {}: the folder has no files", name(path));
        }
        files.extend(found);
    }
    Ok(files)
}

/// Reads the lines of all inputs, one after another, in batches.
pub(crate) struct LineReader {
    /// The inputs with their names in messages.
    inputs: Vec<(PathBuf, Arc<str>)>,
    progress: Progress,
    input: usize,
    open: Option<Stream>,
    line: u64,
}

impl LineReader {
    pub(crate) fn new(paths: &[PathBuf], progress: Progress) -> Self {
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

#[cfg(test)]
#[path = "input/tests.rs"] // also where a fuzz target includes this file
mod tests;
