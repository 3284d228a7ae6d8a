//! Lists the files of folders.

use std::io;
use std::path::{Path, PathBuf};

use setwise_formats::{Format, tar};

use crate::format::FileFormat;
use crate::names::is_stdin;
use crate::open::{no_progress, unpack};

/// Replaces a folder by its files, recursively and sorted by name. Omits names that begin with `.` or `_`, which are not
/// part of a data set, and beside chunks of lc0 also licenses and the like. Any other path is returned unchanged.
/// `format` is the format of all files, if it is not inferred from their names.
///
/// # Errors
/// If a folder cannot be read.
pub fn list(path: &Path, format: Option<FileFormat>) -> io::Result<Vec<PathBuf>> {
    fn add(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
        if !path.is_dir() {
            files.push(path.to_owned());
            return Ok(());
        }
        let entries = path.read_dir()?.map(|entry| Ok(entry?.path()));
        let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
        entries.retain(|path| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            !name.starts_with(b".") && !name.starts_with(b"_")
        });
        entries.sort();
        entries.iter().try_for_each(|path| add(path, files))
    }
    if is_stdin(path) || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (mut found, lc0) = (Vec::new(), Some(FileFormat::Packed(Format::Lc0)));
    add(path, &mut found)?;
    if format != lc0 && !found.iter().any(|path| FileFormat::of_name(path) == lc0) {
        return Ok(found);
    }
    let mut chunks = Vec::with_capacity(found.len());
    for path in found {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !tar::is_skipped_file(&name, || unpack(&path, &no_progress()))? {
            chunks.push(path);
        }
    }
    Ok(chunks)
}
