//! Where the units of a file stand, and how they are read from there.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The bytes of a unit, and their place in messages.
pub(super) struct Unit {
    pub(super) bytes: Vec<u8>,
    /// The number of the first record, row or byte.
    pub(super) first: u64,
}

/// The places of the units, in the file or in the other one.
pub(super) struct Places {
    pub(super) units: Vec<Place>,
    pub(super) spill: Option<Mutex<File>>,
}

pub(super) struct Place {
    pub(super) range: Range<u64>,
    /// The place in messages.
    pub(super) first: u64,
}

impl Places {
    /// Units of bytes of the file.
    pub(super) fn of_file(ranges: impl IntoIterator<Item = Range<u64>>) -> Self {
        let place = |range: Range<u64>| Place { first: range.start, range };
        Self { units: ranges.into_iter().map(place).collect(), spill: None }
    }

    pub(super) fn read(&self, path: &Path, unit: usize) -> io::Result<Unit> {
        let Place { range, first } = &self.units[unit];
        let bytes = match &self.spill {
            None => read(&mut File::open(path)?, range.clone())?,
            Some(spill) => {
                let mut spill = spill.lock().unwrap_or_else(PoisonError::into_inner);
                let packed = read(&mut spill, range.clone())?;
                drop(spill);
                zstd::decode_all(&packed[..])?
            }
        };
        Ok(Unit { bytes, first: *first })
    }
}

/// Reads some bytes of a file.
pub(super) fn read(file: &mut File, range: Range<u64>) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(range.start))?;
    let mut bytes = vec![0; (range.end - range.start) as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A block of binpack with these games.
pub(super) fn block_of(games: &[u8]) -> Vec<u8> {
    [b"BINP", &(games.len() as u32).to_le_bytes()[..], games].concat()
}
