//! The writer for all formats that can be written.

use std::io::Write;
use std::ops::Range;

use crate::bullet::Bullet;
use crate::error::{Error, Fault};
use crate::fixed::Fixed;
use crate::marlin::Marlin;
use crate::packed_sfen::PackedSfen;
use crate::{Format, NotWritable, Records, binpack, plain, viri};

/// The sizes in bytes at which the buffer is written, for records and for games (in binpack, as a block).
const RECORDS: usize = 1 << 16;
const GAMES: usize = 1 << 20;

/// Writes positions or games in any [`Format`] except lc0's.
///
/// Columns that are missing from the batch are written with neutral values: score 0, a draw, no move, white to move, no
/// castling rights, no en passant square, clock 0, move 1; the ply is computed from the move number. Columns that the
/// format does not store ([`Format::keeps`]) are omitted. A value that does not fit the format is an error; values are
/// never changed silently.
///
/// Writing a record reproduces the bytes from which it was read.
///
/// ```
/// use setwise_formats::{Records, Format, Reader, Writer};
/// let mut batch = Records::new();
/// batch.push_fen(&"8/8/8/8/8/k7/8/K1q5 w - - 5 80".parse()?);
/// let mut file = Vec::new();
/// let mut writer = Writer::new(Format::PackedSfen, &mut file)?;
/// writer.write(&batch)?;
/// assert_eq!(file.len(), 40);
///
/// // A halfmove clock of 130 does not fit.
/// batch.push_fen(&"8/8/8/8/8/k7/8/K1q5 w - - 130 180".parse()?);
/// let error = Writer::new(Format::PackedSfen, io::sink())?.write(&batch).unwrap_err();
/// assert_eq!(error.to_string(), "record 2, byte 40: expected a halfmove clock up to 127, found 130");
/// # use std::io;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In a format [of games](Format::has_games), a batch is a game, in which each position follows from the one before. Only
/// positions with a move are stored, so the final position of a game is not.
///
/// ```
/// use setwise_formats::pgn::{Options, Replayer, Rows};
/// use setwise_formats::{Format, Reader, Records, Writer};
/// let mut rows = Rows::default();
/// let game = b"1. e4 { [%eval 0.3] } e5 { [%eval 0.25] } 1-0";
/// Replayer::new(Options::default()).game(game, 1, 1, &mut rows)?;
/// for (format, bytes) in [(Format::Viri, 44), (Format::Binpack, 46)] {
///     let mut writer = Writer::new(format, Vec::new())?;
///     writer.write(&rows.records)?;
///     let file = writer.finish()?;
///     assert_eq!(file.len(), bytes);
///     let mut records = Records::new();
///     Reader::new(format, &file[..]).read(100, &mut records)?;
///     assert_eq!(records.moves[1].unwrap().to_string(), "e7e5");
///     assert_eq!((&records.score[..], &records.result[..]), (&[Records::NO_SCORE, -30][..], &[1, -1][..]));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    format: Format,
    output: W,
    buffer: Vec<u8>,
    records: u64,
    /// The number of bytes that have been passed to the output.
    offset: u64,
}

/// Appends a row to a buffer.
type Encode = fn(&Records, usize, &mut Vec<u8>) -> Result<(), Fault>;

fn fixed<F: Fixed<SIZE>, const SIZE: usize>(
    batch: &Records,
    row: usize,
    into: &mut Vec<u8>,
) -> Result<(), Fault> {
    let mut record = [0; SIZE];
    F::encode(batch, row, &mut record)?;
    into.extend_from_slice(&record);
    Ok(())
}

impl<W: Write> Writer<W> {
    /// Creates a writer for a format.
    ///
    /// # Errors
    /// If the format can only be read.
    pub fn new(format: Format, output: W) -> Result<Self, NotWritable> {
        match format {
            Format::Lc0 => Err(NotWritable(format)),
            _ => Ok(Self { format, output, buffer: Vec::new(), records: 0, offset: 0 }),
        }
    }

    /// Writes all rows of a batch, 64 KiB at a time and the rest at the end. In a format of games, it writes the rows
    /// up to the last one with a move, or nothing if no row has one. Games are buffered; [`finish`](Self::finish)
    /// writes the rest.
    ///
    /// # Errors
    /// If writing fails, or if the format cannot hold a row. The rows before that row are written, except in a format
    /// of games, where the whole game is omitted.
    ///
    /// # Panics
    /// If a column of the batch that the format stores is neither empty nor complete.
    #[track_caller]
    pub fn write(&mut self, batch: &Records) -> Result<(), Error> {
        if !self.format.has_games() {
            return self.write_rows(batch, 0..batch.len());
        }
        batch.check_columns();
        let rows = batch.moves.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let write = if self.format == Format::Viri { viri::write } else { binpack::write::write };
        if rows > 0 {
            self.add(rows, |into| write(batch, rows, into))?;
        }
        if self.buffer.len() >= GAMES { self.write_buffer() } else { Ok(()) }
    }

    /// Writes some rows of a batch in a format without games. After an error for a row that the format cannot hold,
    /// [`records`](Self::records) returns the number of rows written before it.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    ///
    /// # Panics
    /// As [`write`](Self::write), and if `rows` are out of range, or if the format has games.
    #[track_caller]
    pub fn write_rows(&mut self, batch: &Records, mut rows: Range<usize>) -> Result<(), Error> {
        batch.check_columns();
        let encode: Encode = match self.format {
            Format::Bullet => fixed::<Bullet, 32>,
            Format::Marlin => fixed::<Marlin, 32>,
            Format::PackedSfen => fixed::<PackedSfen, 40>,
            Format::Plain => plain::write,
            Format::Viri | Format::Binpack | Format::Lc0 => panic!("the format has games"),
        };
        let size = self.format.record_size().unwrap_or(0);
        let result = rows.try_for_each(|row| {
            self.add(1, |into| encode(batch, row, into))?;
            if self.buffer.len() + size > RECORDS { self.write_buffer() } else { Ok(()) }
        });
        self.write_buffer()?;
        result
    }

    /// The format of the output.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The number of records written so far.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Writes the rest of the buffer and returns the output.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(mut self) -> Result<W, Error> {
        self.write_buffer()?;
        Ok(self.output)
    }

    /// Appends some records to the buffer, or none if they cannot be encoded.
    fn add(
        &mut self,
        records: usize,
        encode: impl FnOnce(&mut Vec<u8>) -> Result<(), Fault>,
    ) -> Result<(), Error> {
        let start = self.buffer.len();
        encode(&mut self.buffer).map_err(|fault| {
            self.buffer.truncate(start);
            let offset = self.offset + start as u64;
            Error::new(self.records + 1, offset, fault.without_offset())
        })?;
        self.records += records as u64;
        Ok(())
    }

    fn write_buffer(&mut self) -> Result<(), Error> {
        let mut head = Vec::new();
        if self.format == Format::Binpack && !self.buffer.is_empty() {
            head.extend(binpack::MAGIC);
            head.extend((self.buffer.len() as u32).to_le_bytes());
        }
        let written = self.output.write_all(&head);
        let written = written.and_then(|()| self.output.write_all(&self.buffer));
        self.offset += (head.len() + self.buffer.len()) as u64;
        self.buffer.clear();
        written.map_err(|error| Error::new(self.records, self.offset, error.into()))
    }
}
