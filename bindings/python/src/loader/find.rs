//! Finds where the units of a file stand, by reading it once.
//!
//! Games have to be followed from the front. Compressed files and most tables cannot be entered elsewhere, so their units are
//! kept in another file, each packed with zstd on its own.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process;
use std::sync::Mutex;

use pyo3::prelude::*;
use setwise_formats::{Format, Reader, Records};

use super::files::{Cut, HEAD, Kind, LoaderFile, Place, UNITS, Unit, end_of_block, read_range};

const BINPACK: Kind = Kind::Packed(Format::Binpack);

impl LoaderFile {
    /// Finds where the units stand, so that they can be read in any order. What cannot be entered is kept, if it may be.
    pub(super) fn find_units(&mut self, at: usize, spills: Option<&Spills>) -> io::Result<()> {
        self.cut = match &self.cut {
            Cut::Places { units, .. } if self.kind != BINPACK || units.len() as u64 >= UNITS => {
                return Ok(());
            }
            Cut::Stream { .. } if self.needs_spill() => match spills {
                Some(spills) => spills.spill(at, self)?,
                None => return Ok(()),
            },
            Cut::Parts { .. } => return Ok(()),
            _ => {
                let mut units = Vec::new();
                each_unit(self, |_, place| {
                    units.push(place);
                    Ok(())
                })?;
                Cut::Places { units, spill: None }
            }
        };
        Ok(())
    }
}

/// Reads a file once: what each unit has, and where. Blocks of binpack are cut between games.
fn each_unit(
    file: &LoaderFile,
    mut take: impl FnMut(&[u8], Place) -> io::Result<()>,
) -> io::Result<()> {
    let (mut next, mut start) = (file.stream()?, 0);
    for count in 0_u64.. {
        // Ctrl-C ends what may take long, every few units.
        if count.is_multiple_of(64) {
            Python::attach(|py| py.check_signals())?;
        }
        let Some((Unit { bytes, first }, end)) = next()? else { break };
        if file.kind == BINPACK {
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

/// Ranges of whole games in a block of binpack, of about so many bytes each.
fn cut(block: &[u8], unit: u64) -> Vec<Range<u64>> {
    /// Rows to read before the end of a game is looked for.
    const STEP: usize = 64;
    let mut reader = Reader::new(Format::Binpack, block);
    let mut batch = Records::new();
    let mut read =
        |rows, reader: &mut Reader<_>| reader.read(rows, &mut batch).is_ok_and(|rows| rows > 0);
    let (mut ranges, mut start, end) = (Vec::new(), HEAD, block.len() as u64);
    // Behind what is invalid nothing is cut, and whoever decodes that says so.
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

/// Where the units of files are kept that cannot be entered in the middle.
#[derive(FromPyObject)]
pub(super) struct Spills {
    /// A path for each file.
    #[pyo3(item(0))]
    paths: Vec<PathBuf>,
    /// Whether the spills stay for others. If not, one is gone when it is closed.
    #[pyo3(item(1))]
    stay: bool,
}

impl Spills {
    /// Keeps the units of a file, or finds them where another process has kept them.
    fn spill(&self, at: usize, file: &LoaderFile) -> io::Result<Cut> {
        let path = &self.paths[at];
        if self.stay && path.exists() {
            return read_places(File::open(path)?);
        }
        let explained = |error: io::Error| {
            let (of, path) = (file.path.display(), path.display());
            let advice = "name another folder as `spill`, or set it to False";
            io::Error::other(format!("{path}: cannot keep the units of {of}: {error}; {advice}"))
        };
        // Others see it when it is complete.
        let unfinished = path.with_extension(process::id().to_string());
        let open = OpenOptions::new().read(true).write(true).create_new(true).open(&unfinished);
        let mut spill = open.map_err(explained)?;
        if !self.stay {
            fs::remove_file(&unfinished).map_err(explained)?;
        }
        let units = write_units(file, &mut spill, explained);
        if self.stay {
            match &units {
                Ok(_) => fs::rename(&unfinished, path),
                Err(_) => fs::remove_file(&unfinished),
            }
            .map_err(explained)?;
        }
        Ok(Cut::Places { units: units?, spill: Some(Mutex::new(spill)) })
    }
}

/// Writes units, and behind them their places: for each, its end and its place in messages, then how many there are.
fn write_units(
    file: &LoaderFile,
    spill: &mut File,
    explained: impl Fn(io::Error) -> io::Error,
) -> io::Result<Vec<Place>> {
    let (mut units, mut end) = (Vec::new(), 0);
    each_unit(file, |bytes, Place { first, .. }| {
        let packed = zstd::bulk::compress(bytes, 1)?;
        spill.write_all(&packed).map_err(&explained)?;
        let start = end;
        end += packed.len() as u64;
        units.push(Place { range: start..end, first });
        Ok(())
    })?;
    let numbers = units.iter().flat_map(|unit| [unit.range.end, unit.first]);
    let numbers = numbers.chain([units.len() as u64]).flat_map(u64::to_le_bytes);
    spill.write_all(&numbers.collect::<Vec<_>>()).map_err(explained)?;
    Ok(units)
}

/// Reads the places of units that have been kept.
fn read_places(mut spill: File) -> io::Result<Cut> {
    let end = spill.metadata()?.len();
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
    let count = number(&read_range(&mut spill, end - 8..end)?);
    let places = read_range(&mut spill, end - 8 - 16 * count..end - 8)?;
    let mut start = 0;
    let place = |bytes: &[u8]| {
        let end = number(&bytes[..8]);
        Place { range: std::mem::replace(&mut start, end)..end, first: number(&bytes[8..]) }
    };
    Ok(Cut::Places {
        units: places.chunks(16).map(place).collect(),
        spill: Some(Mutex::new(spill)),
    })
}
