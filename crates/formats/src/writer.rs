//! The writer for the formats without games.

use std::io::{self, Write};
use std::ops::Range;

use crate::bullet::Bullet;
use crate::error::{Error, Fault};
use crate::fixed::Fixed;
use crate::marlin::Marlin;
use crate::packed_sfen::PackedSfen;
use crate::{Format, NotWritable, Records, plain};

/// The number of bytes that are collected before they are written.
const BUFFER: usize = 1 << 16;

/// Writes positions as [`Format::Bullet`], [`Format::Marlin`], [`Format::PackedSfen`] or [`Format::Plain`].
///
/// Columns that are missing from the batch are written with neutral values: score 0, a draw, no move, white to move, no
/// castling rights, no en passant square, clock 0, move 1; the ply is computed from the move number. Columns that the
/// format does not store are left out. [`Format::keeps`] tells both in advance. Values that do not fit the format are
/// errors; they are never changed silently.
///
/// A record that was read is written as the same bytes.
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
/// // This one has 130 half-moves on its clock.
/// batch.push_fen(&"8/8/8/8/8/k7/8/K1q5 w - - 130 180".parse()?);
/// let error = Writer::new(Format::PackedSfen, io::sink())?.write(&batch).unwrap_err();
/// assert_eq!(error.to_string(), "record 2, byte 40: expected a halfmove clock up to 127, found 130");
/// # use std::io;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    format: Format,
    output: W,
    buffer: Vec<u8>,
    records: u64,
    offset: u64,
}

impl<W: Write> Writer<W> {
    /// Creates a writer for a format.
    ///
    /// # Errors
    /// If the format has games, or is only read.
    pub fn new(format: Format, output: W) -> Result<Self, NotWritable> {
        match format {
            Format::Viri | Format::Binpack | Format::Lc0 => Err(NotWritable(format)),
            _ => Ok(Self { format, output, buffer: Vec::new(), records: 0, offset: 0 }),
        }
    }

    /// Writes all rows of a batch, 64 KiB at a time and the rest at the end.
    ///
    /// # Errors
    /// If writing fails, or if the format cannot hold a row; the rows before it are written.
    ///
    /// # Panics
    /// If a column of the batch that the format stores is neither empty nor complete.
    #[track_caller]
    pub fn write(&mut self, batch: &Records) -> Result<(), Error> {
        self.write_rows(batch, 0..batch.len())
    }

    /// Writes some rows of a batch. After an error, [`records`](Self::records) tells how many were written; the row behind
    /// them is the one that the format cannot hold.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    ///
    /// # Panics
    /// As [`write`](Self::write), and if there are no such rows.
    #[track_caller]
    pub fn write_rows(&mut self, batch: &Records, rows: Range<usize>) -> Result<(), Error> {
        batch.check_columns();
        let result = match self.format {
            Format::Bullet => self.fixed::<Bullet, 32>(batch, rows),
            Format::Marlin => self.fixed::<Marlin, 32>(batch, rows),
            Format::PackedSfen => self.fixed::<PackedSfen, 40>(batch, rows),
            Format::Plain => self.plain(batch, rows),
            Format::Viri | Format::Binpack | Format::Lc0 => Ok(()),
        };
        self.write_buffer().map_err(|error| Error::io(self.records, self.offset, error))?;
        result
    }

    /// What is written.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The number of records written so far.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Returns the output. All rows have been passed to it.
    pub fn into_inner(self) -> W {
        self.output
    }

    fn fixed<F: Fixed<SIZE>, const SIZE: usize>(
        &mut self,
        batch: &Records,
        rows: Range<usize>,
    ) -> Result<(), Error> {
        for row in rows {
            let mut record = [0; SIZE];
            let encoded = F::encode(batch, row, &mut record);
            encoded.map_err(|fault: Fault| {
                Error::invalid(self.records + 1, self.offset, fault.of_the_record())
            })?;
            self.records += 1;
            self.offset += SIZE as u64;
            self.buffer.extend_from_slice(&record);
            if self.buffer.len() + SIZE > BUFFER {
                self.write_buffer().map_err(|error| Error::io(self.records, self.offset, error))?;
            }
        }
        Ok(())
    }

    fn plain(&mut self, batch: &Records, rows: Range<usize>) -> Result<(), Error> {
        for row in rows {
            let before = self.buffer.len();
            plain::write(batch, row, &mut self.buffer)
                .map_err(|fault| Error::invalid(self.records + 1, self.offset, fault))?;
            self.records += 1;
            self.offset += (self.buffer.len() - before) as u64;
            if self.buffer.len() > BUFFER {
                self.write_buffer().map_err(|error| Error::io(self.records, self.offset, error))?;
            }
        }
        Ok(())
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        let result = self.output.write_all(&self.buffer);
        self.buffer.clear();
        result
    }
}
