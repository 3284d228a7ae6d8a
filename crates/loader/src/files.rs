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
use setwise::Fen;
use setwise_files::{
    BYTE_ORDER_MARK, FileFormat, is_compressed, no_progress, records, text, unpack,
};
use setwise_formats::pgn::{Chunk, Splitter};
use setwise_formats::{Cutter, Format, LineFeeds, Records, tar};
use setwise_table::{
    Condition, Error as RowError, GameSource, Input, InputColumn, Keep, LineRun, Lines, Part,
    PlaceholderZeros, Plan, RecordSource, RowNames, Rows, Source as _, TableOptions, split_labels,
};

use crate::blocks::blocks;
use crate::error::Error;
use crate::hooks::Checker;
use crate::options::Options;
use crate::tables::{self, Source, TableFile, row_at};
use crate::units::{Contents, Place, Spill, UNITS, Unit, UnitStream, append_range, check_length};

/// Rows per unit; approximately for units that are measured in bytes.
pub(crate) const RECORDS: u64 = 4096;

/// Bytes per unit of text.
const BYTES: u64 = 1 << 18;

/// A file and its units.
pub(crate) struct LoaderFile {
    pub(crate) path: PathBuf,
    pub(crate) format: FileFormat,
    pub(crate) cut: Cut,
    /// The size of a unit: in records if they have a fixed size, otherwise in bytes.
    pub(crate) unit: u64,
    bytes: u64,
    pub(crate) is_compressed: bool,
    /// The table, or several consecutive ones that can share positions; none for other files.
    pub(crate) tables: Vec<Arc<TableFile>>,
    /// The plans of the tables, or the only plan: they read labels and evaluate conditions.
    pub(crate) plans: Vec<Plan>,
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

/// Returns the format of a file. `name` is that of the format of all files.
fn format_of(path: &Path, name: Option<&str>) -> Result<FileFormat, Error> {
    let format = match name {
        Some(name) => FileFormat::named(name),
        None => FileFormat::of(path).map_err(|error| Error::reading(path, error))?,
    };
    format.ok_or_else(|| {
        let names = FileFormat::ALL.iter().map(|format| format!("`{}`", format.name()));
        let (path, names) = (path.display(), names.collect::<Vec<_>>().join(", "));
        Error::Invalid(format!(
            "{path}: cannot infer the format from the file name; set `input_format` to one of {names}"
        ))
    })
}

/// Opens a file to determine its contents. Tables are described by `tables`, with the columns that the conditions need.
pub(crate) fn look(
    source: &Source,
    options: &Options,
    tables: &TableOptions,
    conditions: &[Condition],
) -> Result<(LoaderFile, Input), Error> {
    let (path, bytes) = (source.path(), source.bytes()?);
    let format = match source {
        Source::Path(path) => format_of(path, options.input_format.as_deref())?,
        Source::Table(_) => FileFormat::Arrow,
    };
    let mut file = LoaderFile {
        path: path.to_owned(),
        format,
        cut: Cut::Stream { about: 4 * bytes / BYTES + 1 },
        unit: BYTES,
        bytes,
        is_compressed: false,
        tables: Vec::new(),
        plans: Vec::new(),
        zeros: options.sampling.as_ref().and_then(|sampling| sampling.zeros()),
    };
    let input = match format {
        FileFormat::Pgn => Input::games(&Keep::None)?,
        FileFormat::Packed(format) => Input::records(format, &Keep::None)?,
        FileFormat::Text if is_labelled(path).map_err(|error| Error::reading(path, error))? => {
            Input::text()
        }
        FileFormat::Text => Input::text().without(InputColumn::Score).without(InputColumn::Result),
        _ => {
            let table = TableFile::open(source, format, tables, conditions)?;
            let input = table.input.clone();
            file.tables.push(Arc::new(table));
            return Ok((file, input));
        }
    };
    file.cut_bytes()?;
    Ok((file, input.hashed()))
}

/// Reads the parts of tables separately if no part is a large share of all files, so that rows shuffle well.
pub(crate) fn cut_tables(files: &mut [LoaderFile]) {
    let all: u64 = files.iter().map(|file| file.bytes).sum();
    for file in files {
        let Some(table) = file.table() else { continue };
        // A position is not cut.
        let starts = if table.has_groups() { &[] } else { &table.starts[..] };
        let units = starts.len().saturating_sub(1) as u64;
        // A stream has 0 parts.
        if units > 0 && file.bytes / units <= (all / UNITS).max(BYTES / 32) {
            file.cut = Cut::Parts { units };
        }
    }
}

/// Returns whether labels follow a position in the first part of a text: other lines, such as a header, may precede it.
fn is_labelled(path: &Path) -> io::Result<bool> {
    let mut stream = LineFeeds::new(text(unpack(path, &no_progress())?)?);
    let (mut line, mut left) = (Vec::new(), BYTES);
    while left > 0 && stream.by_ref().take(BYTES).read_until(b'\n', &mut line)? > 0 {
        let text = line.trim_ascii();
        if split_labels(text).is_some_and(|(position, _)| Fen::parse(position).is_ok()) {
            return Ok(true);
        }
        // Blank lines and comments do not count.
        if !text.is_empty() && !text.starts_with(b"#") {
            left = left.saturating_sub(line.len() as u64);
        }
        line.clear();
    }
    Ok(false)
}

impl LoaderFile {
    /// The number of bytes of a record, if all have the same.
    pub(crate) fn record_size(&self) -> Option<usize> {
        if let FileFormat::Packed(format) = self.format { format.record_size() } else { None }
    }

    /// Determines the units of a file that is not a table.
    fn cut_bytes(&mut self) -> Result<(), Error> {
        let (format, of_record, bytes) = (self.format, self.record_size(), self.bytes);
        let named = |error| Error::reading(&self.path, error);
        let mut stream = BufReader::new(File::open(&self.path).map_err(named)?);
        let head = stream.fill_buf().map_err(named)?;
        let is_archive = format == FileFormat::Packed(Format::Lc0) && tar::is_archive(head);
        self.is_compressed = is_compressed(head) || is_archive;
        // The size of a record, and the size of the largest unit.
        let (size, largest) = match (format, of_record) {
            (_, Some(size)) => (size as u64, RECORDS),
            (FileFormat::Packed(Format::Lc0), _) => (1, 16 * BYTES),
            (FileFormat::Text | FileFormat::Packed(Format::Plain), _) => (1, BYTES),
            (FileFormat::Pgn, _) => (1, RECORDS * 8),
            _ => (1, RECORDS * 4),
        };
        let unpacked = if self.is_compressed { 4 * bytes } else { bytes };
        self.unit = (unpacked / size / UNITS).clamp(largest / 32, largest);
        let step = self.unit * size;
        let is_even = of_record.is_some() || format == FileFormat::Text;
        self.cut = match format {
            FileFormat::Packed(Format::Binpack) if !self.is_compressed => {
                Cut::Places { units: blocks(&self.path, stream, bytes)?, spill: None }
            }
            _ if is_even && !self.is_compressed => {
                let starts = (0..bytes).step_by(step as usize);
                let range = |start: u64| start..(start + step).min(bytes);
                let place = |start| Place { range: range(start), first: start / size };
                Cut::Places { units: starts.map(place).collect(), spill: None }
            }
            _ => Cut::Stream { about: unpacked / step + 1 },
        };
        Ok(())
    }

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
        matches!(self.cut, Cut::Stream { .. }) && (self.is_compressed || self.format.is_table())
    }

    /// Reads a unit of a file that is not a table.
    pub(crate) fn read_unit(&self, unit: u64) -> Result<Unit, Error> {
        let read = self.read_place(unit);
        if let Cut::Places { spill: None, .. } = self.cut {
            check_length(&self.path, self.bytes)?;
        }
        read.map_err(|error| Error::reading(&self.path, error))
    }

    fn read_place(&self, unit: u64) -> io::Result<Unit> {
        let Cut::Places { units, spill } = &self.cut else {
            unreachable!("others are read in order")
        };
        let Place { range, first } = &units[unit as usize];
        // A block of its own, whose header is read into the same memory: pages are not allocated twice.
        let is_block = self.format == FileFormat::Packed(Format::Binpack);
        let mut bytes = if is_block { b"BINP\0\0\0\0".to_vec() } else { Vec::new() };
        let header = bytes.len();
        match spill {
            Some(spill) => spill.read(range.clone(), &mut bytes)?,
            None if self.format == FileFormat::Text => {
                return self.read_lines(range.clone());
            }
            None => append_range(&mut bytes, &mut File::open(&self.path)?, range.clone())?,
        }
        if is_block {
            let length = (bytes.len() - header) as u32;
            bytes[4..header].copy_from_slice(&length.to_le_bytes());
        }
        Ok(Unit { contents: Contents::Bytes(bytes), first: *first })
    }

    /// Reads the lines that begin within a range of bytes of a text.
    fn read_lines(&self, range: Range<u64>) -> io::Result<Unit> {
        let mut file = BufReader::with_capacity(1 << 16, File::open(&self.path)?);
        let mut first = range.start;
        file.seek(SeekFrom::Start(first.saturating_sub(1)))?;
        let mut file = LineFeeds::new(file);
        if first > 0 {
            // A line begins here only if the byte before is the end of another line.
            first = first - 1 + file.skip_until(b'\n')? as u64;
        }
        let bytes = lines(&mut file, range.end.saturating_sub(first))?;
        Ok(Unit { contents: Contents::Bytes(bytes), first })
    }

    /// Opens a stream.
    pub(crate) fn stream(&self) -> Result<UnitStream, Error> {
        if self.format.is_table() {
            return Ok(tables::units(&self.tables));
        }
        let (path, bytes) = (self.path.clone(), self.bytes);
        let mut units = self.stream_of_bytes().map_err(|error| Error::reading(&path, error))?;
        Ok(Box::new(move || {
            let unit = units();
            if !matches!(unit, Ok(Some(_))) {
                check_length(&path, bytes)?;
            }
            unit.map_err(|error| Error::reading(&path, error))
        }))
    }

    fn stream_of_bytes(&self) -> io::Result<ByteStream> {
        let mut at = 0;
        let mut unit_of = move |bytes: Vec<u8>, count| {
            at += count;
            (Unit { contents: Contents::Bytes(bytes), first: at - count }, at)
        };
        let (stream, unit) = (unpack(&self.path, &no_progress())?, self.unit);
        Ok(match self.format {
            FileFormat::Pgn => {
                let mut splitter = Splitter::new(stream);
                Box::new(move || {
                    let mut chunk = Chunk::default();
                    let is_there = splitter.read_chunk(unit as usize, &mut chunk)?;
                    let contents = Contents::Bytes(chunk.bytes().to_vec());
                    let unit = Unit { contents, first: chunk.first_game() };
                    Ok(is_there.then(|| (unit, splitter.offset())))
                })
            }
            FileFormat::Packed(format) => {
                let size = format.record_size().unwrap_or(1);
                let mut cutter = Cutter::new(format, records(format, stream)?);
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
        mut keeps: Option<Box<dyn Fn(u64) -> bool + Send>>,
    ) -> Result<Option<Part<'static, Error>>, Error> {
        let path = self.path.display();
        let Unit { contents, first } = unit;
        let part = match (contents, self.format) {
            (Contents::Rows(batch), _) => {
                let table = &self.tables[row_at(first).0];
                let batch = batch.read().map_err(|error| table.source.named(error))?;
                Some(self.part_of_table(batch, first))
            }
            (Contents::Bytes(mut text), FileFormat::Text) => {
                if first == 0 && text.starts_with(BYTE_ORDER_MARK) {
                    text.drain(..BYTE_ORDER_MARK.len());
                }
                if text.last().is_some_and(|last| *last != b'\n') {
                    text.push(b'\n');
                }
                let count = text.iter().filter(|&&byte| byte == b'\n').count();
                let from =
                    if first > 0 { format!(", from byte {first} on") } else { String::new() };
                let input = Arc::from(format!("{path}{from}"));
                let runs = vec![LineRun { input, first: 1, end: text.len() }];
                Some(Lines { text, runs, count }.into_part())
            }
            (Contents::Bytes(bytes), FileFormat::Pgn) => {
                let before = format!("{path}: games from {first} on: ");
                GameSource::new(Cursor::new(bytes), &before).next(usize::MAX, usize::MAX)?
            }
            (Contents::Bytes(mut bytes), FileFormat::Packed(format)) => {
                let Some(size) = format.record_size() else {
                    let before = format!("{path}: games from byte {first} on: ");
                    let source = RecordSource::new(format, Cursor::new(bytes), &before);
                    return Ok(Some(source.placeholder_zeros(self.zeros).into_part_of_games()));
                };
                let mut some = "";
                if let Some(keeps) = keeps.take() {
                    let records = bytes.chunks(size).enumerate();
                    let kept = records.filter(|(record, _)| keeps(*record as u64));
                    bytes = kept.map(|(_, record)| record).collect::<Vec<_>>().concat();
                    some = "some of the ";
                }
                let before = format!("{path}: {some}records after {first}: ");
                let source = RecordSource::new(format, Cursor::new(bytes), &before);
                source.placeholder_zeros(self.zeros).next(usize::MAX, usize::MAX)?
            }
            (Contents::Bytes(bytes), _) => {
                let read = || StreamReader::try_new(Cursor::new(bytes), None)?.next().transpose();
                let batch = read().map_err(RowError::from)?;
                batch.map(|batch| self.part_of_table(batch, first))
            }
        };
        Ok(part.map(|Part { rows, bytes, read }| {
            let read = move |rows: &mut Rows<'_>| {
                if let Some(keeps) = keeps {
                    rows.want(keeps);
                }
                read(rows)
            };
            Part { rows, bytes, read: Box::new(read) }
        }))
    }

    /// Returns rows of a table as a part.
    fn part_of_table(&self, batch: RecordBatch, first: u64) -> Part<'static, Error> {
        let (table, first) = row_at(first);
        let before = format!("{}: ", self.tables[table].source.path().display());
        let bytes = batch.get_array_memory_size();
        let read = move |rows: &mut Rows<'_>| {
            let batch = rows.plan().input().complete(batch)?;
            rows.push_batch(&batch, first + 1, RowNames { before: &before, first: 0 })?;
            Ok(())
        };
        Part { rows: RECORDS as usize, bytes, read: Box::new(read) }
    }

    /// A text that differs for files with other contents.
    pub(crate) fn identity(&self) -> Result<String, Error> {
        if !self.format.is_table() {
            return Source::from(&self.path).identity();
        }
        let all = self.tables.iter().map(|table| table.source.identity());
        Ok(format!("{:?}", all.collect::<Result<Vec<_>, _>>()?))
    }

    /// The plan of a unit.
    pub(crate) fn plan(&self, unit: &Unit) -> &Plan {
        &self.plans[if self.format.is_table() { row_at(unit.first).0 } else { 0 }]
    }

    /// The first table.
    pub(crate) fn table(&self) -> Option<&TableFile> {
        self.tables.first().map(|table| &**table)
    }

    /// Appends the tables of the next file if they can continue the last position of this one. Returns whether they can.
    pub(crate) fn append(&mut self, next: &Self) -> bool {
        let has_groups = |file: &Self| file.table().is_some_and(TableFile::has_groups);
        let is_continued = has_groups(self) && has_groups(next);
        if is_continued {
            self.bytes += next.bytes;
            self.cut = Cut::Stream { about: self.units() + next.units() };
            self.tables.extend_from_slice(&next.tables);
            self.plans.extend_from_slice(&next.plans);
        }
        is_continued
    }

    /// Adds the name of the file to an error about its labels or about a column that a condition names.
    pub(crate) fn named(&self, error: Error) -> Error {
        use RowError::{Condition, Doubt};
        let path = self.path.display();
        match error {
            Error::Rows(Doubt(doubt, option)) => Doubt(format!("{path}: {doubt}"), option).into(),
            Error::Rows(error @ Condition(..)) => Error::Invalid(format!("{path}: {error}")),
            other => other,
        }
    }

    /// Reads units until it is known which numbers are losses and, if `finds_score` is true, a row has a score. Returns
    /// whether evaluations are from engines' comments; fails if labels are ambiguous. The plan skips invalid rows.
    pub(crate) fn look_at_labels(
        &self,
        plan: &Plan,
        finds_score: bool,
        checker: &mut Checker,
    ) -> Result<bool, Error> {
        let (mut next, mut of_engines, mut has_score) = (self.stream()?, false, !finds_score);
        while let Some((unit, _)) = next()? {
            let Some(part) = self.part(unit, None)? else { break };
            let mut see = |records: &mut Records, _: &[u64]| {
                has_score |= records.score.iter().any(|score| Records::is_score(*score));
            };
            match plan.keep::<Error>(part, None, None, &mut see) {
                Ok(report) => of_engines |= report.of_engines > 0,
                Err(error @ Error::Rows(RowError::Doubt(_, option))) if option != "loss_is" => {
                    return Err(self.named(error));
                }
                // It is reported when the unit is read again.
                Err(_) => {}
            }
            if has_score && plan.knows_losses() {
                break;
            }
            checker.check()?;
        }
        plan.decide_zeros();
        plan.check_labels().map_err(|error| self.named(error.into()))?;
        Ok(of_engines)
    }

    /// Returns whether rows are selected before they are decoded.
    pub(crate) fn chooses_first(&self) -> bool {
        self.record_size().is_some() || self.format == FileFormat::Text || self.format.is_table()
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
