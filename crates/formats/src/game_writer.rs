//! A writer for the formats that keep games as games.

use std::io::{self, Write};

use crate::error::Error;
use crate::{Format, NotWritable, Records, binpack, viri};

/// Bytes of a block of binpack, and of games that are collected before they are written.
const BLOCK: usize = 1 << 20;

/// Writes games as [`Format::Viri`] or [`Format::Binpack`].
///
/// A position is a record if a move follows it: the last one of a game is not. What the rows have no column for is
/// written with a neutral value: score 0, a draw.
///
/// ```
/// use setwise_formats::pgn::{Options, Replayer, Rows};
/// use setwise_formats::{Format, GameWriter, Reader, Records};
/// let mut rows = Rows::default();
/// let game = b"1. e4 { [%eval 0.3] } e5 { [%eval 0.25] } 1-0";
/// Replayer::new(Options::default()).game(game, 1, 1, &mut rows)?;
/// for (format, bytes) in [(Format::Viri, 44), (Format::Binpack, 46)] {
///     let mut writer = GameWriter::new(format, Vec::new())?;
///     writer.write(&rows.records(0..rows.len()))?;
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
pub struct GameWriter<W> {
    format: Format,
    output: W,
    buffer: Vec<u8>,
    records: u64,
    offset: u64,
}

impl<W: Write> GameWriter<W> {
    /// A writer of a format.
    ///
    /// # Errors
    /// If the format has no games.
    pub fn new(format: Format, output: W) -> Result<Self, NotWritable> {
        match format {
            Format::Viri | Format::Binpack => {
                Ok(Self { format, output, buffer: Vec::new(), records: 0, offset: 0 })
            }
            _ => Err(NotWritable(format)),
        }
    }

    /// Writes a game: its rows to the last one that has a move. A game without moves is left out.
    ///
    /// # Errors
    /// If writing fails; or if the format cannot hold the game, of which nothing is written then, and the next one can
    /// be.
    ///
    /// # Panics
    /// If a column that the format keeps has neither no rows nor as many as there are.
    #[track_caller]
    pub fn write(&mut self, game: &Records) -> Result<(), Error> {
        game.check_columns();
        let rows = game.moves.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        if rows == 0 {
            return Ok(());
        }
        let start = self.buffer.len();
        let written = match self.format {
            Format::Viri => viri::write(game, rows, &mut self.buffer),
            _ => binpack::write(game, rows, &mut self.buffer),
        };
        if let Err(fault) = written {
            self.buffer.truncate(start);
            let offset = self.offset + start as u64;
            return Err(Error::invalid(self.records + 1, offset, fault.of_the_record()));
        }
        self.records += rows as u64;
        if self.buffer.len() >= BLOCK { self.write_buffer() } else { Ok(()) }
    }

    /// The number of records written so far.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// Writes what is left, and gives the output back.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(mut self) -> Result<W, Error> {
        self.write_buffer()?;
        Ok(self.output)
    }

    fn write_buffer(&mut self) -> Result<(), Error> {
        let mut written: io::Result<()> = Ok(());
        if self.format == Format::Binpack && !self.buffer.is_empty() {
            let mut head = [0; 8];
            head[..4].copy_from_slice(&binpack::MAGIC);
            head[4..].copy_from_slice(&(self.buffer.len() as u32).to_le_bytes());
            self.offset += 8;
            written = self.output.write_all(&head);
        }
        let written = written.and_then(|()| self.output.write_all(&self.buffer));
        self.offset += self.buffer.len() as u64;
        self.buffer.clear();
        written.map_err(|error| Error::io(self.records, self.offset, error))
    }
}
