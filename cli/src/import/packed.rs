//! The packed formats of trainers, as `setwise-formats` reads them.
//!
//! Records of one size are only cut here, and decoded by the thread that computes their columns. Games can
//! only be replayed from their start, so the reader does that.

use std::collections::VecDeque;
use std::io::{BufRead, Read};

use anyhow::{Result, anyhow};
use setwise_formats::{Error, ErrorKind, Format, Reader, Records};

use super::interface::{About, Kind, Opened, Piece, Read as Reading, Source, Taker};

const fn about(format: Format, meaning: &'static str, open: super::interface::Open) -> About {
    About { name: format.name(), aliases: format.extensions(), meaning, magic: b"", open }
}

macro_rules! packed {
    ($($name:ident = $format:ident $meaning:literal;)*) => {
        $(pub(super) const $name: About =
            about(Format::$format, $meaning, |opened, _| open(Format::$format, opened));)*
    };
}

packed! {
    BULLET = Bullet "bulletformat: 32 bytes a position, as the side to move sees it";
    MARLIN = Marlin "marlinformat: 32 bytes a position";
    VIRI = Viri "viriformat: games from marlinformat positions";
    BIN = PackedSfen "PackedSfenValue, the .bin of Stockfish's tools: 40 bytes a position";
    BINPACK = Binpack "Stockfish's .binpack: games in blocks";
}

fn open(format: Format, opened: Opened) -> Result<Box<dyn Source>> {
    let input = opened.input;
    Ok(match format.record_size() {
        Some(size) => Box::new(Fixed { input, format, size, records: 0, over: false }),
        None => Box::new(Games { reader: Reader::new(format, input), over: false }),
    })
}

/// Records of one size.
struct Fixed {
    input: Box<dyn BufRead + Send>,
    format: Format,
    size: usize,
    records: u64,
    over: bool,
}

/// Records that are decoded together: few enough to be in the cache when their columns are computed.
const TOGETHER: usize = 2048;

impl Source for Fixed {
    fn kind(&self) -> Kind {
        Kind::Records(self.format)
    }

    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Piece>> {
        let (format, size, before) = (self.format, self.size, self.records);
        let rows = rows.min(bytes / size).max(1);
        let mut records = Vec::new();
        if !self.over {
            self.input.by_ref().take((rows * size) as u64).read_to_end(&mut records)?;
        }
        if records.is_empty() {
            return Ok(None);
        }
        self.over = records.len() < rows * size;
        let rows = records.len().div_ceil(size);
        self.records += rows as u64;
        let bytes = records.len();
        let read = move |to: &mut Taker<'_>| {
            let mut reader = Reader::new(format, &records[..]);
            let mut batch = Records::new();
            loop {
                let first = before + reader.records();
                let outcome = reader.read(TOGETHER, &mut batch);
                (to.take)(&batch, first)?;
                match outcome {
                    Ok(0) => return Ok(()),
                    Ok(_) => {}
                    Err(error) => {
                        (to.bad)(place(&error, before, before * size as u64))?;
                    }
                }
            }
        };
        Ok(Some(Piece { rows, bytes, progress: 0, read: Reading::Records(Box::new(read)) }))
    }
}

/// Games.
struct Games<R> {
    reader: Reader<R>,
    over: bool,
}

impl<R: Read + Send> Source for Games<R> {
    fn kind(&self) -> Kind {
        Kind::Records(self.reader.format())
    }

    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Piece>> {
        /// What a row takes, more or less.
        const ROW: usize = 128;
        let rows = rows.min(bytes / ROW).max(1);
        let mut batches = VecDeque::new();
        let (mut count, mut error) = (0, None);
        while count < rows && !self.over {
            let mut batch = Records::new();
            let before = self.reader.records();
            let outcome = self.reader.read(TOGETHER.min(rows - count), &mut batch);
            count += batch.len();
            self.over = !matches!(outcome, Ok(1..));
            error = outcome.err();
            batches.push_back((batch, before));
        }
        if count == 0 && error.is_none() {
            return Ok(None);
        }
        let read = move |to: &mut Taker<'_>| {
            for (batch, first) in batches {
                (to.take)(&batch, first)?;
            }
            // What follows a bad move of a game cannot be told: nothing is skipped here.
            match error {
                Some(error) => Err(anyhow!("{error}")),
                None => Ok(()),
            }
        };
        let read = Reading::Records(Box::new(read));
        Ok(Some(Piece { rows: count, bytes: count * ROW, progress: 0, read }))
    }
}

/// The message about a record, with its place in the whole input; or the error, if reading itself failed.
fn place(error: &Error, records: u64, bytes: u64) -> String {
    debug_assert_ne!(error.kind(), ErrorKind::Io, "the bytes are in memory");
    let said = error.to_string();
    let (record, byte) = (error.record(), error.offset());
    let reason = said.strip_prefix(&format!("record {record}, byte {byte}: ")).unwrap_or(&said);
    format!("record {}, byte {}: {reason}", records + record, bytes + byte)
}
