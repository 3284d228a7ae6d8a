//! Opens files: folders, compression, and formats by their names.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use setwise_formats::{Format, tar};

use crate::error::Error;

/// The decompressed contents of a file.
pub type Stream = Box<dyn BufRead + Send>;

/// The name of the format for games.
pub const PGN: &str = "pgn";

/// The name of the format for lines of text.
pub const TEXT: &str = "text";

/// Returns whether a file with these first bytes is compressed with gzip or zstd.
pub(crate) const fn is_compressed(head: &[u8]) -> bool {
    // The last one is a skippable frame, which some writers of zstd put first.
    matches!(
        head,
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
    )
}

/// Opens a file, and decompresses it if it begins with the magic bytes of gzip or zstd.
///
/// # Errors
/// If the file cannot be read.
pub fn open(path: &Path) -> io::Result<Stream> {
    const BLOCK: usize = 1 << 20;
    let mut file = BufReader::with_capacity(BLOCK, File::open(path)?);
    Ok(match file.fill_buf()? {
        [0x1f, 0x8b, ..] => {
            Box::new(BufReader::with_capacity(BLOCK, flate2::bufread::MultiGzDecoder::new(file)))
        }
        head if is_compressed(head) => {
            Box::new(BufReader::with_capacity(BLOCK, zstd::Decoder::with_buffer(file)?))
        }
        _ => Box::new(file),
    })
}

/// Returns the records of a stream, including lc0 records in an archive.
///
/// # Errors
/// If the archive cannot be read.
pub fn records(format: Format, stream: Stream) -> io::Result<Stream> {
    match format {
        Format::Lc0 => {
            tar::files(stream, |bytes| Box::new(flate2::read::MultiGzDecoder::new(bytes)))
        }
        _ => Ok(stream),
    }
}

/// Returns the name of a file's format by its extension, after that of its compression: [`PGN`], [`TEXT`] or the name
/// of a packed format. `None` for other files.
///
/// ```
/// assert_eq!(setwise_loader::format_of("games/2026-08.binpack.zst".as_ref()), Some("binpack"));
/// ```
#[must_use]
pub fn format_of(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    match extension.to_ascii_lowercase().as_str() {
        "gz" | "zst" => format_of(Path::new(path.file_stem()?)),
        "pgn" => Some(PGN),
        "fen" | "epd" | "txt" => Some(TEXT),
        _ => Format::from_extension(extension).map(Format::name),
    }
}

/// Replaces a folder by its files, recursively and sorted by name. Omits names that begin with `.` or `_`, which are not
/// part of a data set, and beside chunks of lc0 also licenses and the like. Any other path is returned as it is. `format`
/// is the format of all files, if it is not inferred from their names.
///
/// # Errors
/// If a folder cannot be read or has no files.
pub fn files(path: &Path, format: Option<&str>) -> Result<Vec<PathBuf>, Error> {
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
    let mut found = Vec::new();
    add(path, &mut found).map_err(|error| Error::reading(path, error))?;
    let lc0 = Some(Format::Lc0.name());
    if path.is_dir() && (format == lc0 || found.iter().any(|path| format_of(path) == lc0)) {
        let mut chunks = Vec::with_capacity(found.len());
        for path in found {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_other = tar::is_skipped_file(&name, || open(&path));
            if !is_other.map_err(|error| Error::reading(&path, error))? {
                chunks.push(path);
            }
        }
        found = chunks;
    }
    if found.is_empty() {
        return Err(Error::Invalid(format!("{}: the folder has no files", path.display())));
    }
    Ok(found)
}
