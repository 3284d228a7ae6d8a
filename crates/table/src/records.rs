//! Packed records as a source, read by `setwise-formats`.
//!
//! Fixed-size records are only split here; the thread that computes their columns decodes them. Games can only be
//! replayed from their start, so the thread that reads the source decodes them.

use std::io::BufRead;
use std::ops::Range;
use std::sync::Arc;

use setwise::Colour;
use setwise_formats::{Cutter, Error as FormatError, ErrorKind, Format, Reader, Records};

use crate::column::InputColumn;
use crate::error::{BadRow, Error};
use crate::hash;
use crate::rows::{Part, Rows};
use crate::sampling::PlaceholderZeros;
use crate::span::{Boards, Span, State};
use crate::stream::Source;
use crate::threads::CHUNK;

/// The records of a file or stream.
pub struct RecordSource<'a> {
    /// The text before the record in messages.
    before: Arc<str>,
    input: Input<'a>,
    zeros: Option<PlaceholderZeros>,
    at_end: bool,
}

enum Input<'a> {
    /// Fixed-size records, and the number of records read so far.
    Fixed {
        cutter: Cutter<Box<dyn BufRead + Send + 'a>>,
        format: Format,
        size: usize,
        records: u64,
    },
    Games(Reader<'a>),
}

impl<'a> RecordSource<'a> {
    /// Reads records of a format from the start of an input. `before` precedes the number of a record in messages.
    pub fn new(format: Format, input: impl BufRead + Send + 'a, before: &str) -> Self {
        let input = match format.record_size() {
            Some(size) => {
                let cutter = Cutter::new(format, Box::new(input) as _);
                Input::Fixed { cutter, format, size, records: 0 }
            }
            None => Input::Games(Reader::new(format, input)),
        };
        Self { before: before.into(), input, zeros: None, at_end: false }
    }

    /// Treats scores of 0 that are placeholders as missing. In fixed-size formats the scores of previous parts are not
    /// considered.
    #[must_use]
    pub fn placeholder_zeros(mut self, zeros: Option<PlaceholderZeros>) -> Self {
        self.zeros = zeros;
        self
    }

    /// Turns all games into one part. Reading the part reads the input. In binpack, only the kept rows are unpacked.
    ///
    /// # Panics
    /// If the format is a fixed-size format.
    #[must_use]
    pub fn into_part_of_games<E: From<Error> + 'a>(self) -> Part<'a, E> {
        let Self { before, input: Input::Games(mut reader), mut zeros, .. } = self else {
            panic!("records of one size are no games");
        };
        let read = move |rows: &mut Rows<'_>| {
            let origin = Origin { before: &before, records: 0, bytes: 0 };
            rows.name(&format!("{before}record "));
            let read = if rows.plan().reads(InputColumn::GameHash) {
                Batches::read(&mut reader, &mut zeros, usize::MAX).push(rows, &origin)
            } else {
                read_all(&mut reader, &mut zeros, rows, &origin)
            };
            Ok(read.map_err(|error| match error {
                Error::Records(error) if error.kind() != ErrorKind::Io => {
                    Error::Invalid(Box::new(origin.bad_record(&error)))
                }
                other => other,
            })?)
        };
        Part { rows: CHUNK, bytes: 0, read: Box::new(read) }
    }
}

impl<E: From<Error> + Send + 'static> Source<E> for RecordSource<'_> {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, E>>, E> {
        let before = Arc::clone(&self.before);
        match &mut self.input {
            Input::Fixed { cutter, format, size, records } => {
                let (format, size, first) = (*format, *size, *records);
                let part = cutter.next(bytes.min(rows.saturating_mul(size)));
                let Some(bytes) = part.map_err(Error::Io)? else { return Ok(None) };
                let rows = bytes.len().div_ceil(size);
                *records += rows as u64;
                let mut zeros = self.zeros;
                let count = bytes.len();
                let read = move |rows: &mut Rows<'_>| {
                    rows.name(&format!("{before}record "));
                    let (before, skipped) = (&*before, first * size as u64);
                    let origin = Origin { before, records: first, bytes: skipped };
                    let mut reader = Reader::new(format, &bytes[..]);
                    Ok(read_all(&mut reader, &mut zeros, rows, &origin)?)
                };
                Ok(Some(Part { rows, bytes: count, read: Box::new(read) }))
            }
            Input::Games(reader) => {
                /// The approximate size of a row in bytes.
                const ROW: usize = 128;
                if self.at_end {
                    return Ok(None);
                }
                let batches = Batches::read(reader, &mut self.zeros, rows.min(bytes / ROW).max(1));
                self.at_end = batches.at_end;
                let count = batches.count;
                if batches.is_empty() {
                    return Ok(None);
                }
                let read = move |rows: &mut Rows<'_>| {
                    rows.name(&format!("{before}record "));
                    let origin = Origin { before: &before, records: 0, bytes: 0 };
                    Ok(batches.push(rows, &origin)?)
                };
                Ok(Some(Part { rows: count, bytes: count * ROW, read: Box::new(read) }))
            }
        }
    }
}

/// Returns the number of half-moves before a move with this number, which starts at 1.
pub(crate) fn ply(fullmove_number: u32, turn: u8) -> u32 {
    fullmove_number.saturating_sub(1).saturating_mul(2).saturating_add(turn.into())
}

impl Rows<'_> {
    /// Appends a range of packed records. `number` is the number of the first one in the source.
    pub fn push_records(&mut self, records: &Records, range: Range<usize>, number: u64) {
        let start = range.start;
        self.push_numbered(records, range, &[], &|row| number + (row - start) as u64);
    }

    /// Appends a range of packed records. `hashes` contains the hash of each record's game, or is empty. `number`
    /// returns the number of a record.
    fn push_numbered(
        &mut self,
        records: &Records,
        range: Range<usize>,
        hashes: &[u64],
        number: &dyn Fn(usize) -> u64,
    ) {
        // Boards without a side to move are flipped so that white is to move.
        let white =
            vec![Colour::White; if records.turn.is_empty() { CHUNK.min(range.len()) } else { 0 }];
        let plan = self.plan();
        let all = State { game_hash: hashes, ..State::of(records) };
        for rows in plan.chunks(range) {
            let line: Vec<u64> = rows.clone().map(number).collect();
            let mut state = State { line: &line, ..all.rows(&rows) };
            if records.turn.is_empty() {
                state.turn = &white[..rows.len()];
            }
            // The ply follows from the move number.
            let of_turns = state.fullmove_number.iter().zip(state.turn);
            let plies: Vec<u32> = match state.ply.is_empty() {
                true => of_turns.map(|(&number, &turn)| ply(number, turn as u8)).collect(),
                false => Vec::new(),
            };
            if state.ply.is_empty() {
                state.ply = &plies;
            }
            let boards = Boards::Rows(&records.pieces[rows.clone()]);
            let span = Span { format: records.format, ..Span::new(boards, state) };
            self.push_span(span, &|row| (line[row], None));
        }
    }
}

/// The place of some records in their input.
struct Origin<'a> {
    /// The text before a record in messages.
    before: &'a str,
    /// The numbers of records and bytes before them.
    records: u64,
    bytes: u64,
}

impl Origin<'_> {
    /// Appends an invalid row for a record after which the reader continues. Elsewhere, as after an invalid move of a game,
    /// the rest is unknown, so it cannot be skipped.
    fn push_error(&self, error: FormatError, rows: &mut Rows<'_>) -> Result<(), Error> {
        if !error.resumes() {
            return Err(Error::Records(error));
        }
        rows.push_invalid(None, self.records + error.record(), || self.bad_record(&error))
    }

    /// Describes an invalid record, with its place in the input.
    fn bad_record(&self, error: &FormatError) -> BadRow {
        let message = error.to_string();
        let (record, byte) = (error.record(), error.offset());
        let reason =
            message.strip_prefix(&format!("record {record}, byte {byte}: ")).unwrap_or(&message);
        let (row, byte) = (self.records + record, self.bytes + byte);
        let place = format!("{}record {row}, byte {byte}", self.before);
        BadRow { row, place, character: 1, reason: reason.to_owned(), text: Vec::new() }
    }
}

/// Consecutive records of games.
struct Batches {
    /// Each batch with the number of its first record, and with the error after its rows.
    batches: Vec<(Records, u64, Option<FormatError>)>,
    count: usize,
    /// The first row of each game.
    starts: Vec<usize>,
    at_end: bool,
}

impl Batches {
    fn read(reader: &mut Reader<'_>, zeros: &mut Option<PlaceholderZeros>, rows: usize) -> Self {
        let (mut batches, mut starts) = (Vec::new(), Vec::new());
        let (mut count, mut at_end) = (0_usize, false);
        // Errors count, too, so that a part of them is bounded.
        while count.saturating_add(batches.len()) < rows && !at_end {
            let mut batch = Records::new();
            let first = reader.records() + 1;
            let outcome = reader.read(CHUNK.min(rows - count), &mut batch);
            if let Some(zeros) = zeros {
                zeros.remove_all(&mut batch);
            }
            let begin = reader.game_starts().iter().filter(|start| **start >= first);
            starts.extend(begin.map(|start| count + (start - first) as usize));
            count += batch.len();
            at_end = match &outcome {
                Ok(rows) => *rows == 0,
                Err(error) => !error.resumes(),
            };
            batches.push((batch, first, outcome.err()));
        }
        Self { batches, count, starts, at_end }
    }

    fn is_empty(&self) -> bool {
        self.count == 0 && self.batches.iter().all(|(_, _, error)| error.is_none())
    }

    /// Appends the records, with the hashes of their games if these are needed.
    fn push(self, rows: &mut Rows<'_>, origin: &Origin<'_>) -> Result<(), Error> {
        let mut hashes = Vec::new();
        if rows.plan().reads(InputColumn::GameHash) {
            let positions = self.batches.iter().flat_map(|(batch, _, _)| {
                hash::of_positions(Boards::Rows(&batch.pieces), &batch.turn)
            });
            hashes = hash::of_games(positions, &self.starts);
        }
        let mut at = 0;
        for (batch, first, error) in self.batches {
            let hashes = hashes.get(at..at + batch.len()).unwrap_or(&[]);
            rows.push_numbered(&batch, 0..batch.len(), hashes, &|row| first + row as u64);
            at += batch.len();
            error.map_or(Ok(()), |error| origin.push_error(error, rows))?;
        }
        Ok(())
    }
}

/// Reads all records.
fn read_all(
    reader: &mut Reader<'_>,
    zeros: &mut Option<PlaceholderZeros>,
    rows: &mut Rows<'_>,
    origin: &Origin<'_>,
) -> Result<(), Error> {
    let (mut batch, mut selected) = (Records::new(), Vec::new());
    loop {
        let first = origin.records + reader.records() + 1;
        let outcome = match &mut rows.row_filter {
            // Unpack only the kept rows.
            Some(row_filter) if reader.format() == Format::Binpack => {
                selected.clear();
                let mut number = first - 1;
                let outcome = reader.read_if(CHUNK, &mut batch, |preview| {
                    let mut preview = *preview;
                    number += 1;
                    if let Some(zeros) = zeros {
                        zeros.remove(&mut preview);
                    }
                    let is_selected = row_filter(&preview);
                    if is_selected {
                        selected.push((number, preview.score));
                    }
                    is_selected
                });
                let scores = selected.iter().map(|(_, score)| *score);
                batch.score.iter_mut().zip(scores).for_each(|(to, from)| *to = from);
                let row_filter = rows.row_filter.take();
                rows.push_numbered(&batch, 0..batch.len(), &[], &|row| selected[row].0);
                rows.row_filter = row_filter;
                outcome
            }
            _ => {
                let outcome = reader.read(CHUNK, &mut batch);
                if let Some(zeros) = zeros {
                    zeros.remove_all(&mut batch);
                }
                rows.push_records(&batch, 0..batch.len(), first);
                outcome
            }
        };
        match outcome {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) => origin.push_error(error, rows)?,
        }
    }
}
