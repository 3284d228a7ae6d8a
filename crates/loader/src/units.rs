//! Units: rows that are read and decoded together, and the places from which they are read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_ipc::writer::StreamWriter;
use setwise_files::{Batch, compact};

use crate::error::Error;

/// The minimum number of units per file, unless they would be very small. Fewer units shuffle badly.
pub(crate) const UNITS: u64 = 128;

/// The number of units to decode together, and the approximate number of their bytes if they are parts of tables.
pub(crate) const TOGETHER: usize = 16;
pub(crate) const BYTES: usize = 1 << 24;

/// The file to which units are written. No file stays open per source, because there may be thousands of sources.
pub(crate) enum Spill {
    /// A deleted file, which all sources share.
    Shared(Arc<Mutex<File>>),
    /// A kept file, opened to read a unit.
    Kept(PathBuf),
}

impl Spill {
    /// Appends the bytes of a unit.
    pub(crate) fn read(&self, range: Range<u64>, bytes: &mut Vec<u8>) -> io::Result<()> {
        let mut unit = |file: &mut File| {
            zstd::stream::copy_decode(&read_range(file, range.clone())?[..], &mut *bytes)
        };
        match self {
            Self::Shared(file) => unit(&mut file.lock().unwrap_or_else(PoisonError::into_inner)),
            Self::Kept(path) => {
                let read = File::open(path).and_then(|mut file| unit(&mut file));
                read.map_err(|error| cannot_read_kept(path, &error))
            }
        }
    }
}

/// Explains an error of a file of kept units.
pub(crate) fn cannot_read_kept(path: &Path, error: &io::Error) -> io::Error {
    let path = path.display();
    io::Error::other(format!("{path}: cannot read these kept units: {error}; remove them"))
}

/// The location of a unit. In binpack, it excludes the head of the block.
pub(crate) struct Place {
    pub(crate) range: Range<u64>,
    /// The number of the first record, row or byte, for messages.
    pub(crate) first: u64,
}

/// The contents of a unit, and their location for messages.
pub(crate) struct Unit {
    pub(crate) contents: Contents,
    /// The number of the first record, row or byte.
    pub(crate) first: u64,
}

pub(crate) enum Contents {
    Bytes(Vec<u8>),
    /// Rows of a table, which any thread can decode.
    Rows(Batch),
}

impl Contents {
    /// The bytes; for rows, their Arrow stream.
    pub(crate) fn into_bytes(self) -> anyhow::Result<Vec<u8>> {
        let rows = match self {
            Self::Bytes(bytes) => return Ok(bytes),
            Self::Rows(rows) => compact(rows.read()?, true)?,
        };
        let mut writer = StreamWriter::try_new(Vec::new(), rows.schema_ref())?;
        writer.write(&rows)?;
        Ok(writer.into_inner()?)
    }
}

/// Checks that a file still has the bytes that it had when it was opened, so that rows are not lost without an error.
pub(crate) fn check_length(path: &Path, bytes: u64) -> Result<(), Error> {
    let found = path.metadata().map_err(|error| Error::reading(path, error))?.len();
    if found < bytes {
        let message =
            format!("it was changed while it was read: it has {found} bytes, and had {bytes}");
        return Err(Error::reading(path, io::Error::other(message)));
    }
    Ok(())
}

/// Reads a range of bytes of a file.
pub(crate) fn read_range(file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    append_range(&mut bytes, file, range)?;
    Ok(bytes)
}

/// Appends a range of a file's bytes.
pub(crate) fn append_range(
    bytes: &mut Vec<u8>,
    file: &mut File,
    range: Range<u64>,
) -> io::Result<()> {
    file.seek(SeekFrom::Start(range.start))?;
    let before = bytes.len();
    bytes.resize(before + (range.end - range.start) as usize, 0);
    file.read_exact(&mut bytes[before..])
}

/// Yields the units of a stream in order, each with the offset of its end.
pub(crate) type UnitStream = Box<dyn FnMut() -> Result<Option<(Unit, u64)>, Error> + Send>;
