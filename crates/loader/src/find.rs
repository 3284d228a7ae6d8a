//! Finds the units of a file by reading it once.
//!
//! Games have to be read from the start. Compressed files and most tables cannot be read from the middle, so their
//! units are written to another file, each compressed separately with zstd.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, process};

use setwise_files::FileFormat;
use setwise_formats::{Format, Reader, Records};

use crate::blocks::{HEAD, end_of_block};
use crate::error::Error;
use crate::files::{Cut, LoaderFile};
use crate::hooks::Checker;
use crate::options::{Options, Spill as Choice};
use crate::units::{Place, Spill, UNITS, Unit, cannot_read_kept, read_range};

const BINPACK: FileFormat = FileFormat::Packed(Format::Binpack);

/// Finds the units of files, so that they can be read in any order. Files that cannot be read from the middle are
/// spilled, if this is allowed.
pub(crate) fn find_units(
    files: &mut [LoaderFile],
    options: &Options,
    checker: &mut Checker,
) -> Result<(), Error> {
    let mut shared = None;
    for file in files {
        file.cut = match &file.cut {
            Cut::Places { .. } if !is_cut_again(file) => continue,
            Cut::Parts { .. } => continue,
            Cut::Stream { .. } if file.needs_spill() => match &options.spill {
                Choice::Off => continue,
                Choice::Temporary => spill(file, &mut shared, checker)?,
                Choice::Folder(folder) => {
                    keep(file, options.kept_units(folder, &file.identity()?), checker)?
                }
            },
            _ => {
                let mut units = Vec::new();
                each_unit(file, checker, |_, place| {
                    units.push(place);
                    Ok(())
                })?;
                Cut::Places { units, spill: None }
            }
        };
    }
    Ok(())
}

/// Returns whether a file has so few blocks of binpack that they are cut between games to shuffle it. Those in a spill have
/// been cut, also if the loader was interrupted afterwards.
pub(crate) fn is_cut_again(file: &LoaderFile) -> bool {
    let is_in_blocks =
        matches!(file.cut, Cut::Places { spill: None, .. }) && file.format == BINPACK;
    is_in_blocks && file.units() < UNITS
}

/// Reads a file once, and passes each unit's bytes and location to a function. Cuts blocks of binpack between games.
fn each_unit(
    file: &LoaderFile,
    checker: &mut Checker,
    mut take: impl FnMut(&[u8], Place) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut next, mut start) = (file.stream()?, 0);
    while let Some((Unit { contents, first }, end)) = next()? {
        checker.check()?;
        let bytes = contents
            .into_bytes()
            .map_err(|error| Error::reading(&file.path, io::Error::other(error)))?;
        if file.format == BINPACK {
            end_of_block(&file.path, start, &bytes, end)?;
            for games in cut(&bytes, file.unit) {
                let range = start + games.start..start + games.end;
                let first = range.start - HEAD;
                take(&bytes[games.start as usize..games.end as usize], Place { range, first })?;
            }
        } else {
            take(&bytes, Place { range: start..end, first })?;
        }
        start = end;
    }
    Ok(())
}

/// Returns ranges of whole games in a block of binpack, of about `unit` bytes each.
fn cut(block: &[u8], unit: u64) -> Vec<Range<u64>> {
    /// The number of rows to read before looking for the end of a game.
    const STEP: usize = 64;
    let mut reader = Reader::new(Format::Binpack, block);
    let mut batch = Records::new();
    let mut read =
        |rows, reader: &mut Reader<'_>| reader.read(rows, &mut batch).is_ok_and(|rows| rows > 0);
    let (mut ranges, mut start, end) = (Vec::new(), HEAD, block.len() as u64);
    // Invalid data are not cut. Decoding them reports the error.
    while read(STEP, &mut reader) {
        while !reader.is_between_games() && read(1, &mut reader) {}
        if reader.is_between_games() && reader.offset() >= start + unit && reader.offset() < end {
            ranges.push(start..reader.offset());
            start = reader.offset();
        }
    }
    ranges.push(start..end);
    ranges
}

/// Writes the units of a file to a deleted file, which all sources share.
fn spill(
    file: &LoaderFile,
    shared: &mut Option<Arc<Mutex<File>>>,
    checker: &mut Checker,
) -> Result<Cut, Error> {
    let path = env::temp_dir().join("setwise.units");
    let failed = |error| cannot_keep(file, &path, error);
    let shared = match shared {
        Some(shared) => shared,
        none => {
            let (file, name) = create_beside(&path).map_err(failed)?;
            fs::remove_file(name).map_err(failed)?;
            none.insert(Arc::new(Mutex::new(file)))
        }
    };
    let mut spill = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let units = write_units(file, &mut spill, checker, failed)?;
    Ok(Cut::Places { units, spill: Some(Spill::Shared(Arc::clone(shared))) })
}

/// Writes the units of a file to another one, which is kept for other processes, or opens the one that a process has
/// written.
fn keep(file: &LoaderFile, path: PathBuf, checker: &mut Checker) -> Result<Cut, Error> {
    let units = if path.exists() {
        let places = File::open(&path).and_then(read_places);
        places.map_err(|error| Error::reading(&file.path, cannot_read_kept(&path, &error)))?
    } else {
        let failed = |error| cannot_keep(file, &path, error);
        // The file is renamed when it is complete, so other processes never see a part of it.
        let (mut spill, unfinished) = create_beside(&path).map_err(failed)?;
        let units = write_units(file, &mut spill, checker, failed);
        match &units {
            Ok(_) => fs::rename(&unfinished, &path),
            Err(_) => fs::remove_file(&unfinished),
        }
        .map_err(failed)?;
        units?
    };
    Ok(Cut::Places { units, spill: Some(Spill::Kept(path)) })
}

/// Explains an error of the file to which units are written.
fn cannot_keep(file: &LoaderFile, path: &Path, error: io::Error) -> Error {
    let (of, path) = (file.path.display(), path.display());
    let advice = "name another folder as `spill`, or set it to False";
    let message = format!("{path}: cannot keep the units of {of}: {error}; {advice}");
    Error::reading(&file.path, io::Error::other(message))
}

/// Creates a file next to a path. Another thread may be writing one, and a killed process may have left one.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0;
    loop {
        let name = path.with_extension(format!("{}-{number}", process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            created => return Ok((created?, name)),
        }
    }
}

/// Writes units, followed by an index: for each unit its end and its location for messages. The index is compressed like
/// a unit, with a checksum; its size follows.
fn write_units(
    file: &LoaderFile,
    spill: &mut File,
    checker: &mut Checker,
    failed: impl Fn(io::Error) -> Error,
) -> Result<Vec<Place>, Error> {
    let (mut units, mut end) = (Vec::new(), spill.seek(SeekFrom::End(0)).map_err(&failed)?);
    let mut packer = zstd::bulk::Compressor::new(1).map_err(&failed)?;
    packer.include_checksum(true).map_err(&failed)?;
    each_unit(file, checker, |bytes, Place { first, .. }| {
        let packed = packer.compress(bytes).map_err(&failed)?;
        spill.write_all(&packed).map_err(&failed)?;
        let start = end;
        end += packed.len() as u64;
        units.push(Place { range: start..end, first });
        Ok(())
    })?;
    let numbers = units.iter().flat_map(|unit| [unit.range.end, unit.first]);
    let numbers: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
    let mut index = packer.compress(&numbers).map_err(&failed)?;
    index.extend((index.len() as u64).to_le_bytes());
    spill.write_all(&index).map_err(failed)?;
    Ok(units)
}

/// Reads the index of a spill.
fn read_places(mut spill: File) -> io::Result<Vec<Place>> {
    let damaged = || io::Error::from(io::ErrorKind::InvalidData);
    let end = spill.metadata()?.len().checked_sub(8).ok_or_else(damaged)?;
    let size = read_range(&mut spill, end..end + 8)?.try_into().map_or(0, u64::from_le_bytes);
    let index = end.checked_sub(size).ok_or_else(damaged)?;
    let places = zstd::stream::decode_all(&read_range(&mut spill, index..end)?[..])?;
    let (numbers, mut start) = (places.as_chunks().0.iter().copied().map(u64::from_le_bytes), 0);
    let place =
        |&[end, first]: &[u64; 2]| Place { range: std::mem::replace(&mut start, end)..end, first };
    let units = numbers.collect::<Vec<_>>().as_chunks().0.iter().map(place).collect();
    if start == index { Ok(units) } else { Err(damaged()) }
}
