//! The files of a loader, cut into units of rows that can be read separately.
//!
//! Fixed-size records, text, the blocks of binpack and small parts of tables are read by seeking. All other files are
//! streams (compressed files, PGN, viriformat, `.plain`, lc0, other tables): their units are read in order, and those
//! of other shards are read but not decoded. To shuffle a stream, it is read once in advance (`find.rs`).

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::ArrowError;
use setwise::Fen;
use setwise_formats::pgn::{Chunk, Splitter};
use setwise_formats::{Cutter, Format, LineFeeds, tar};
use setwise_table::{
    GameSource, LineRun, Lines, Part, PlaceholderZeros, Plan, RecordSource, RowNames, Rows, Source,
    split_labels,
};

use crate::error::Error;
use crate::open::{self, PGN, TEXT};
use crate::tables::Table;
use crate::units::{Contents, Place, Spill, Unit, UnitStream, read_range};

/// Rows per unit; approximately for units that are measured in bytes.
pub(crate) const RECORDS: u64 = 4096;

/// Bytes per unit of text.
const BYTES: u64 = 1 << 18;

/// The minimum number of units per file, unless they would be very small. Fewer units shuffle badly.
pub(crate) const UNITS: u64 = 128;

/// The contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text { labelled: bool },
    Packed(Format),
    Games,
    Table,
}

/// A file and its units.
pub(crate) struct LoaderFile {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    pub(crate) cut: Cut,
    /// The size of a unit: in records if they have a fixed size, otherwise in bytes.
    pub(crate) unit: u64,
    bytes: u64,
    pub(crate) is_compressed: bool,
    pub(crate) table: Option<Arc<dyn Table>>,
    /// Detects scores of 0 in packed records that are placeholders.
    pub(crate) zeros: Option<PlaceholderZeros>,
}

pub(crate) enum Cut {
    /// Parts of a table, which are read by their index.
    Parts { units: u64 },
    /// Ranges of the file, or of a spill, in which each unit is compressed separately.
    Places { units: Vec<Place>, spill: Option<Spill> },
    /// Read sequentially; with the approximate number of units.
    Stream { about: u64 },
}

/// Opens a file to determine its contents.
pub(crate) fn look(path: &Path, format: Option<&str>) -> Result<LoaderFile, Error> {
    let named = |error| Error::reading(path, error);
    let name = format.or_else(|| open::format_of(path));
    let mut stream = BufReader::new(File::open(path).map_err(named)?);
    let head = stream.fill_buf().map_err(named)?.to_vec();
    let bytes = stream.get_ref().metadata().map_err(named)?.len();
    let is_compressed = open::is_compressed(&head);
    let kind = match name {
        Some(PGN) => Kind::Games,
        Some(TEXT | "fen" | "epd" | "txt") => Kind::Text { labelled: is_labelled(path).map_err(named)? },
        _ => Kind::Packed(name.and_then(|name| name.parse().ok()).ok_or_else(|| {
            Error::Invalid(format!(
                "{}: cannot infer the format from the file name; set `input_format` to one of `text`, `pgn`, \
                 `bullet`, `marlin`, `viri`, `bin`, `binpack`, `plain`, `lc0`, `parquet`, `arrow`, `csv`, `jsonl`",
                path.display()
            ))
        })?),
    };
    let is_compressed =
        is_compressed || kind == Kind::Packed(Format::Lc0) && tar::is_archive(&head);
    let largest = match kind {
        Kind::Text { .. } | Kind::Table | Kind::Packed(Format::Plain) => BYTES,
        Kind::Packed(Format::Lc0) => 16 * BYTES,
        Kind::Games => RECORDS * 8,
        Kind::Packed(format) if format.record_size().is_some() => RECORDS,
        Kind::Packed(_) => RECORDS * 4,
    };
    let size = match kind {
        Kind::Packed(format) => format.record_size().unwrap_or(1) as u64,
        _ => 1,
    };
    let unpacked = if is_compressed { 4 * bytes } else { bytes };
    let unit = (unpacked / size / UNITS).clamp(largest / 32, largest);
    let even = || {
        let starts = (0..bytes).step_by((unit * size) as usize);
        let range = |start: u64| start..(start + unit * size).min(bytes);
        let place = |start| Place { range: range(start), first: start / size };
        Cut::Places { units: starts.map(place).collect(), spill: None }
    };
    let cut = match kind {
        Kind::Packed(Format::Binpack) if !is_compressed => {
            Cut::Places { units: blocks(path, stream, bytes)?, spill: None }
        }
        Kind::Text { .. } if !is_compressed => even(),
        Kind::Packed(format) if !is_compressed && format.record_size().is_some() => even(),
        _ => Cut::Stream { about: unpacked / (unit * size) + 1 },
    };
    let path = path.to_owned();
    Ok(LoaderFile { path, kind, cut, unit, bytes, is_compressed, table: None, zeros: None })
}

/// Returns a table.
pub(crate) fn look_at_table(table: &Arc<dyn Table>) -> Result<LoaderFile, Error> {
    let bytes = table.size()?;
    Ok(LoaderFile {
        path: table.path().to_owned(),
        kind: Kind::Table,
        cut: Cut::Stream { about: 4 * bytes / BYTES + 1 },
        unit: BYTES,
        bytes,
        is_compressed: false,
        table: Some(Arc::clone(table)),
        zeros: None,
    })
}

/// Reads the parts of tables separately if no part is a large share of all files, so that rows shuffle well.
pub(crate) fn cut_tables(files: &mut [LoaderFile]) -> Result<(), Error> {
    let all: u64 = files.iter().map(|file| file.bytes).sum();
    for file in files {
        let Some(table) = &file.table else { continue };
        let units = table.parts()?;
        // A stream has 0 parts.
        if units > 0 && file.bytes / units <= (all / UNITS).max(BYTES / 32) {
            file.cut = Cut::Parts { units };
        }
    }
    Ok(())
}

/// Returns whether the first position of a text is followed by something that looks like a score.
fn is_labelled(path: &Path) -> io::Result<bool> {
    let mut stream = LineFeeds::new(open::open(path)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        if stream.by_ref().take(1 << 16).read_until(b'\n', &mut line)? == 0 {
            return Ok(false);
        }
        let text = line.trim_ascii();
        if !text.is_empty() && !text.starts_with(b"#") {
            return Ok(split_labels(text).is_some_and(|(position, _)| Fen::parse(position).is_ok()));
        }
    }
}

/// Finds the games in the blocks of binpack, by the heads of the blocks.
fn blocks(path: &Path, mut file: impl Read + Seek, bytes: u64) -> Result<Vec<Place>, Error> {
    let named = |error| Error::reading(path, error);
    let (mut blocks, mut start) = (Vec::new(), 0);
    while start < bytes {
        file.seek(SeekFrom::Start(start)).map_err(named)?;
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head).map_err(named)?;
        let end = end_of_block(path, start, &head, bytes)?;
        blocks.push(Place { range: start + HEAD..end, first: start });
        start = end;
    }
    Ok(blocks)
}

/// The size of the head of a block of binpack.
pub(crate) const HEAD: u64 = 8;

/// Returns the end of the block of binpack with this head, in a file of `bytes` bytes.
pub(crate) fn end_of_block(path: &Path, start: u64, head: &[u8], bytes: u64) -> Result<u64, Error> {
    let wrong_at = |what| Error::Invalid(format!("{}: byte {start}: {what}", path.display()));
    let &[b'B', b'I', b'N', b'P', a, b, c, d, ..] = head else {
        return Err(wrong_at("expected \"BINP\" and a size where a block begins"));
    };
    let end = start + HEAD + u64::from(u32::from_le_bytes([a, b, c, d]));
    if end > bytes {
        return Err(wrong_at("the file ends within the block that begins here"));
    }
    Ok(end)
}

impl LoaderFile {
    /// Returns the number of units, which is approximate for a stream.
    pub(crate) const fn units(&self) -> u64 {
        match &self.cut {
            Cut::Parts { units } => *units,
            Cut::Places { units, .. } => units.len() as u64,
            Cut::Stream { about } => *about,
        }
    }

    /// Returns whether the units can only be shuffled if they are written to another file.
    pub(crate) const fn needs_spill(&self) -> bool {
        matches!(self.cut, Cut::Stream { .. }) && (self.is_compressed || self.table.is_some())
    }

    /// Reads a unit of a file that is not a table.
    pub(crate) fn read_unit(&self, unit: u64) -> Result<Unit, Error> {
        self.read_place(unit).map_err(|error| Error::reading(&self.path, error))
    }

    fn read_place(&self, unit: u64) -> io::Result<Unit> {
        let Cut::Places { units, spill } = &self.cut else {
            unreachable!("others are read in order")
        };
        let Place { range, first } = &units[unit as usize];
        let mut bytes = match spill {
            Some(spill) => zstd::decode_all(&spill.read(range.clone())?[..])?,
            None if matches!(self.kind, Kind::Text { .. }) => {
                return self.read_lines(range.clone());
            }
            None => read_range(&mut File::open(&self.path)?, range.clone())?,
        };
        if self.kind == Kind::Packed(Format::Binpack) {
            bytes = [b"BINP", &(bytes.len() as u32).to_le_bytes()[..], &bytes].concat();
        }
        Ok(Unit { contents: Contents::Bytes(bytes), first: *first })
    }

    /// Reads a part of a table.
    pub(crate) fn read_part(&self, unit: u64) -> Result<Unit, Error> {
        let Some(table) = &self.table else { unreachable!("only tables have parts") };
        let (first, rows) = table.part(unit)?;
        Ok(Unit { contents: Contents::Rows(rows), first })
    }

    /// Reads the lines that begin within a range of bytes of a text.
    fn read_lines(&self, range: Range<u64>) -> io::Result<Unit> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(&self.path)?);
        let mut first = range.start;
        file.seek(SeekFrom::Start(first.saturating_sub(1)))?;
        let mut file = LineFeeds::new(file);
        if first > 0 {
            // A line begins here only if the byte before is the end of another line.
            first += file.skip_until(b'\n')? as u64 - 1;
        }
        let bytes = lines(&mut file, range.end.saturating_sub(first))?;
        Ok(Unit { contents: Contents::Bytes(bytes), first })
    }

    /// Opens a stream.
    pub(crate) fn stream(&self) -> Result<UnitStream, Error> {
        if let Some(table) = &self.table {
            let (mut units, mut at) = (table.stream()?, 0);
            return Ok(Box::new(move || {
                let Some(rows) = units()? else { return Ok(None) };
                let first = at;
                at += rows.num_rows() as u64;
                Ok(Some((Unit { contents: Contents::Rows(rows), first }, at)))
            }));
        }
        let path = self.path.clone();
        let named = move |error| Error::reading(&path, error);
        let mut units = self.stream_of_bytes().map_err(&named)?;
        Ok(Box::new(move || units().map_err(&named)))
    }

    fn stream_of_bytes(&self) -> io::Result<ByteStream> {
        let mut at = 0;
        let mut unit_of = move |bytes: Vec<u8>, count| {
            at += count;
            (Unit { contents: Contents::Bytes(bytes), first: at - count }, at)
        };
        let (stream, unit) = (open::open(&self.path)?, self.unit);
        Ok(match self.kind {
            Kind::Games => {
                let mut splitter = Splitter::new(stream).chunk_bytes(unit as usize);
                Box::new(move || {
                    let mut chunk = Chunk::default();
                    let is_there = splitter.read_chunk(&mut chunk)?;
                    let contents = Contents::Bytes(chunk.bytes().to_vec());
                    let unit = Unit { contents, first: chunk.first_game() };
                    Ok(is_there.then(|| (unit, splitter.offset())))
                })
            }
            Kind::Packed(format) => {
                let size = format.record_size().unwrap_or(1);
                let mut cutter = Cutter::new(format, open::records(format, stream)?);
                Box::new(move || {
                    let bytes = cutter.next(unit as usize * size)?;
                    Ok(bytes.map(|bytes| {
                        let count = bytes.len().div_ceil(size) as u64;
                        unit_of(bytes, count)
                    }))
                })
            }
            _ => {
                let mut stream = LineFeeds::new(stream);
                Box::new(move || {
                    let bytes = lines(&mut stream, unit)?;
                    let count = bytes.len() as u64;
                    Ok((count > 0).then(|| unit_of(bytes, count)))
                })
            }
        })
    }

    /// Returns the rows of a unit as a part for the executor. `keeps` selects records or lines by their index in the
    /// unit, before they are decoded if they can be separated.
    pub(crate) fn part(
        &self,
        unit: Unit,
        keeps: Option<Box<dyn Fn(u64) -> bool + Send>>,
    ) -> Result<Option<Part<'static, Error>>, Error> {
        let path = self.path.display();
        let Unit { contents, first } = unit;
        let mut bytes = match contents {
            Contents::Bytes(bytes) => bytes,
            Contents::Rows(batch) => {
                let size = batch.get_array_memory_size();
                return Ok(Some(self.part_of_table([Ok(batch)], size, first, keeps)));
            }
        };
        match self.kind {
            Kind::Text { .. } => {
                if bytes.last().is_some_and(|last| *last != b'\n') {
                    bytes.push(b'\n');
                }
                let count = bytes.iter().filter(|&&byte| byte == b'\n').count();
                let from =
                    if first > 0 { format!(", from byte {first} on") } else { String::new() };
                let input = Arc::from(format!("{path}{from}"));
                let runs = vec![LineRun { input, first: 1, end: bytes.len() }];
                Ok(Some(wanted(Lines { text: bytes, runs, count }.into_part(), keeps)))
            }
            Kind::Table => {
                let size = bytes.len();
                let batches = StreamReader::try_new(Cursor::new(bytes), None);
                let batches = batches.map_err(setwise_table::Error::from)?;
                Ok(Some(self.part_of_table(batches, size, first, keeps)))
            }
            Kind::Games => {
                let before = format!("{path}: games from {first} on: ");
                let mut games = GameSource::new(Cursor::new(bytes), &before);
                Ok(Source::next(&mut games, usize::MAX, usize::MAX)?)
            }
            Kind::Packed(format) => {
                let before = match (format.record_size(), &keeps) {
                    (Some(_), None) => format!("{path}: records after {first}: "),
                    (Some(_), Some(_)) => format!("{path}: some of the records after {first}: "),
                    (None, _) => format!("{path}: games from byte {first} on: "),
                };
                if let (Some(size), Some(keeps)) = (format.record_size(), &keeps) {
                    let mut kept = Vec::with_capacity(bytes.len());
                    for (record, bytes) in bytes.chunks(size).enumerate() {
                        if keeps(record as u64) {
                            kept.extend_from_slice(bytes);
                        }
                    }
                    bytes = kept;
                }
                let source = RecordSource::new(format, Cursor::new(bytes), &before);
                let mut source = source.placeholder_zeros(self.zeros);
                match format.record_size() {
                    Some(_) => Source::next(&mut source, usize::MAX, usize::MAX),
                    None => Ok(Some(source.into_part_of_games())),
                }
            }
        }
    }

    /// Returns rows of a table as a part.
    fn part_of_table(
        &self,
        batches: impl IntoIterator<Item = Result<RecordBatch, ArrowError>, IntoIter: Send> + 'static,
        bytes: usize,
        first: u64,
        keeps: Option<Box<dyn Fn(u64) -> bool + Send>>,
    ) -> Part<'static, Error> {
        let (before, batches) = (format!("{}: ", self.path.display()), batches.into_iter());
        let read = move |rows: &mut Rows<'_>| {
            let names = RowNames { before: &before, first: 0 };
            let mut number = first + 1;
            for batch in batches {
                let batch = batch.map_err(setwise_table::Error::from)?;
                let batch = rows.plan().input().complete(batch)?;
                rows.push_batch(&batch, number, names)?;
                number += batch.num_rows() as u64;
            }
            Ok(())
        };
        wanted(Part { rows: RECORDS as usize, bytes, read: Box::new(read) }, keeps)
    }

    /// Adds the name of the file to an error about its labels.
    pub(crate) fn named(&self, error: Error) -> Error {
        use setwise_table::Error::Doubt;
        match error {
            Error::Rows(Doubt(doubt, option)) => {
                Doubt(format!("{}: {doubt}", self.path.display()), option).into()
            }
            other => other,
        }
    }

    /// Returns an error if the labels of the first unit of a table are ambiguous.
    pub(crate) fn check_labels(&self, plan: &Plan) -> Result<(), Error> {
        let Some((unit, _)) = self.stream()?()? else { return Ok(()) };
        let Some(part) = self.part(unit, None)? else { return Ok(()) };
        let read = plan.keep::<Error>(part, None, &mut |_, _| {});
        match read.and_then(|_| Ok(plan.check_labels()?)) {
            Err(error @ Error::Rows(setwise_table::Error::Doubt(..))) => Err(self.named(error)),
            _ => Ok(()),
        }
    }

    /// Returns whether rows are selected before they are decoded.
    pub(crate) fn chooses_first(&self) -> bool {
        match self.kind {
            Kind::Text { .. } | Kind::Table => true,
            Kind::Packed(format) => format.record_size().is_some(),
            Kind::Games => false,
        }
    }
}

type ByteStream = Box<dyn FnMut() -> io::Result<Option<(Unit, u64)>> + Send>;

/// Reads `bytes` bytes of a text, and the rest of the last line.
fn lines(stream: &mut impl BufRead, bytes: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    stream.by_ref().take(bytes).read_to_end(&mut text)?;
    if text.last().is_some_and(|last| *last != b'\n') {
        stream.read_until(b'\n', &mut text)?;
    }
    Ok(text)
}

/// Makes a part read only the selected rows.
fn wanted(
    part: Part<'static, Error>,
    keeps: Option<Box<dyn Fn(u64) -> bool + Send>>,
) -> Part<'static, Error> {
    let Some(keeps) = keeps else { return part };
    let read = move |rows: &mut Rows<'_>| {
        rows.want(keeps);
        (part.read)(rows)
    };
    Part { rows: part.rows, bytes: part.bytes, read: Box::new(read) }
}
