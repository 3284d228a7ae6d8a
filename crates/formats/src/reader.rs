//! The reader for all formats: decodes a stream into batches of rows.

use std::io::Read;
use std::marker::PhantomData;
use std::mem;

use setwise::Kernel;

use crate::binpack::{self, Replay};
use crate::bits::{Bits, Work};
use crate::bullet::Bullet;
use crate::error::{Error, ErrorKind, Fault};
use crate::fixed::Fixed;
use crate::instructions::{Decoding, decoder};
use crate::marlin::Marlin;
use crate::packed_sfen::PackedSfen;
use crate::source::{Source, WINDOW};
use crate::{Format, Lc0Record, Preview, Records, lc0, lines, plain, viri};

/// The number of records that are decoded together, column by column. It is small enough that they stay in the
/// first-level cache until the last column.
const RUN: usize = 256;

/// Reads positions of any [`Format`] from any [`Read`]: a file, a pipe, a decompressor, a slice of bytes.
///
/// It reads blocks of 64 KiB, so a [`BufReader`](std::io::BufReader) does not help. It allocates no more than that,
/// whatever sizes the file claims. To read with several threads, give each thread a part of the file. A file of
/// fixed-size records can be split at any multiple of [`Format::record_size`], others by a [`Cutter`](crate::Cutter).
///
/// ```
/// use setwise_formats::{Records, Format, Reader};
/// # let file = {
/// #     let mut batch = Records::new();
/// #     (0..1000).for_each(|_| batch.push_fen(&setwise::Fen::START));
/// #     let mut file = Vec::new();
/// #     setwise_formats::Writer::new(Format::Marlin, &mut file)?.write(&batch)?;
/// #     file
/// # };
/// let mut reader = Reader::new(Format::Marlin, &file[..]);
/// let mut batch = Records::new();
/// let mut pawns = 0;
/// while reader.read(256, &mut batch)? > 0 {
///     pawns += batch.pieces.iter().map(|pieces| pieces.pawns.count_ones()).sum::<u32>();
/// }
/// assert_eq!(pawns, 16_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    format: Format,
    source: Source<'a>,
    /// The decoder's kernel.
    kernel: Kernel,
    /// The records at which the games of the latest batch begin.
    starts: Vec<u64>,
    state: State,
    /// In [`Format::Plain`], the number of lines before the next record.
    lines: u64,
    /// In [`Format::Lc0`], the board of the previous record.
    board: Box<Option<lc0::Board>>,
    /// The size of an invalid record after which reading can continue.
    invalid: usize,
}

#[derive(Debug)]
enum State {
    /// Between records, games or blocks.
    Between,
    Viri(Box<viri::Game>),
    /// Within a block: the current game, and the number of unread bytes of the block.
    Binpack(Option<Box<binpack::Game>>, u64),
    /// At the end of the input, or after an error from which reading cannot continue.
    Ended,
}

impl<'a> Reader<'a> {
    /// Creates a reader that uses the fastest instructions of this processor. `input` must start at a record or game.
    pub fn new(format: Format, input: impl Read + Send + 'a) -> Self {
        Self::with_kernel(Kernel::detect(), format, input)
    }

    /// Creates a reader that uses a kernel's instructions. The scalar backend decodes bit by bit, without vectors.
    /// `input` must start at a record or game.
    ///
    /// ```
    /// use setwise::{Backend, Kernel};
    /// use setwise_formats::{Format, Reader};
    /// let reader = Reader::with_kernel(Kernel::new(Backend::Scalar)?, Format::Marlin, &[0; 32][..]);
    /// assert_eq!(reader.format(), Format::Marlin);
    /// # Ok::<(), setwise::backend::UnavailableBackend>(())
    /// ```
    pub fn with_kernel(kernel: Kernel, format: Format, input: impl Read + Send + 'a) -> Self {
        Self::with_window(kernel, format, input, WINDOW)
    }

    fn with_window(
        kernel: Kernel,
        format: Format,
        input: impl Read + Send + 'a,
        window: usize,
    ) -> Self {
        Self {
            format,
            source: Source::new(input, window),
            kernel: decoder(kernel),
            starts: Vec::new(),
            state: State::Between,
            lines: 0,
            board: Box::default(),
            invalid: 0,
        }
    }

    /// The format of the input.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The number of records read so far.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.source.records
    }

    /// The number of bytes read so far, without those of unfinished records, for a progress bar.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.source.offset
    }

    /// Returns whether the next row begins a game. In formats with fixed-size records this is always true.
    #[must_use]
    pub const fn is_between_games(&self) -> bool {
        !matches!(self.state, State::Viri(_) | State::Binpack(Some(_), _))
    }

    /// In formats of games, the record numbers at which games of the latest batch begin. The last may be that of the
    /// record after the batch.
    #[must_use]
    pub fn game_starts(&self) -> &[u64] {
        &self.starts
    }

    /// Replaces the rows of a batch with the next `rows` rows, or with the remaining ones if fewer are left. Returns
    /// their number: 0 at the end of the file.
    ///
    /// Read a few thousand rows at a time. A row takes 64 bytes for the pieces and about 30 for other fields, so such a
    /// batch stays in the cache for later steps.
    ///
    /// # Errors
    /// If reading fails, or if a record is invalid. The batch then contains the rows before the error, so nothing is
    /// lost. If the end of the invalid record is known ([`Error::resumes`]), the next call continues after it. Otherwise
    /// the next call returns 0. After a failed read, it retries.
    ///
    /// A valid record has one king per side, at most 32 pieces, codes and numbers that the format defines, and zeros
    /// after the code of the last piece. In games, the pieces must be able to make the moves. The reader does not check
    /// whether a move leaves a king in check, whether pawns are on the first rank (except in games), or whether
    /// castling rights are plausible.
    pub fn read(&mut self, rows: usize, batch: &mut Records) -> Result<usize, Error> {
        self.read_if(rows, batch, |_| true)
    }

    /// Works like [`read`](Self::read), but skips records of [`Format::Binpack`] for which `keeps` returns false.
    /// `keeps` is called for every record in order; skipped records are not unpacked. Other formats ignore `keeps`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_if(
        &mut self,
        rows: usize,
        batch: &mut Records,
        mut keeps: impl FnMut(&Preview) -> bool,
    ) -> Result<usize, Error> {
        batch.clear();
        batch.format = Some(self.format);
        self.starts.retain(|start| *start > self.source.records);
        while batch.len() < rows && !matches!(self.state, State::Ended) {
            let step = self.step(rows, batch, &mut keeps);
            step.map_err(|fault| self.stop(fault))?;
        }
        Ok(batch.len())
    }

    /// Reads the next part of the input: some records, the head of a game or of a block, or moves.
    fn step(
        &mut self,
        rows: usize,
        batch: &mut Records,
        keeps: &mut impl FnMut(&Preview) -> bool,
    ) -> Result<(), Fault> {
        if matches!(self.state, State::Between) && self.source.fill(1)?.is_empty() {
            self.state = State::Ended;
            return Ok(());
        }
        match self.format {
            Format::Bullet => self.fixed::<Bullet, 32>(rows, batch),
            Format::Marlin => self.fixed::<Marlin, 32>(rows, batch),
            Format::PackedSfen => self.fixed::<PackedSfen, 40>(rows, batch),
            Format::Viri => self.viri(rows, batch),
            Format::Binpack => self.binpack(rows, batch, keeps),
            Format::Plain => self.plain(batch),
            Format::Lc0 => self.lc0(batch),
        }
    }

    /// Locates a fault, and skips the invalid record. Reading ends if it cannot continue after that, but not after a
    /// failed read.
    #[cold]
    fn stop(&mut self, fault: Fault) -> Error {
        let error = Error::new(self.source.records + 1, self.source.offset, fault)
            .resuming(self.invalid > 0);
        if error.resumes() {
            self.source.records += 1;
            self.source.advance(mem::take(&mut self.invalid));
        } else if error.kind() != ErrorKind::Io {
            self.state = State::Ended;
        }
        error
    }

    /// One step in a format of fixed-size records: reads up to [`RUN`] records.
    fn fixed<F: Fixed<SIZE>, const SIZE: usize>(
        &mut self,
        rows: usize,
        batch: &mut Records,
    ) -> Result<(), Fault> {
        let (records, rest) = self.source.fill(SIZE)?.as_chunks::<SIZE>();
        if records.is_empty() {
            self.invalid = rest.len();
            return Err(Fault::truncated(&format!("{SIZE} bytes"), self.invalid));
        }
        let records = &records[..records.len().min(RUN).min(rows - batch.len())];
        let (start, kernel) = (batch.len(), self.kernel);
        let decode = |records, batch: &mut Records| {
            kernel.run_nearest(Decoding(Decode::<F, SIZE>(records, batch, PhantomData)))
        };
        if decode(records, batch) {
            let rows = records.len();
            self.source.records += rows as u64;
            self.source.advance(SIZE * rows);
            return Ok(());
        }
        // Add the rows before the invalid record, then return the error.
        batch.truncate(start);
        let fault = |(row, record)| Some((row, F::check(record).err()?));
        let unknown = || (0, Fault::new(0, format_args!("a {} record", self.format), "another"));
        let (bad, fault) = records.iter().enumerate().find_map(fault).unwrap_or_else(unknown);
        decode(&records[..bad], batch);
        self.source.records += bad as u64;
        self.source.advance(SIZE * bad);
        self.invalid = SIZE;
        Err(fault)
    }

    /// One step in viriformat: reads the head of a game, or moves.
    fn viri(&mut self, rows: usize, batch: &mut Records) -> Result<(), Fault> {
        let State::Viri(game) = &mut self.state else {
            let record = self.source.chunk("32 bytes of a game's first position")?;
            self.state = State::Viri(Box::new(viri::Game::new(&record)?));
            self.source.advance(record.len());
            self.starts.push(self.source.records + 1);
            return Ok(());
        };
        let (moves, rest) = self.source.fill(4)?.as_chunks::<4>();
        if moves.is_empty() {
            let (expected, found) = ("4 bytes of a move or of the end of a game", rest.len());
            return Err(Fault::truncated(expected, found));
        }
        let (mut used, mut more) = (0, Ok(true));
        while batch.len() < rows && used < moves.len() && matches!(more, Ok(true)) {
            more = game.read(moves[used], batch);
            used += usize::from(more.is_ok());
        }
        let ended = matches!(more, Ok(false));
        self.source.records += (used - usize::from(ended)) as u64;
        self.source.advance(4 * used);
        if ended {
            self.state = State::Between;
        }
        more.map(|_| ())
    }

    /// One step in `.plain`: skips blanks or a byte order mark, or reads a record.
    fn plain(&mut self, batch: &mut Records) -> Result<(), Fault> {
        let shown = self.source.fill(plain::LONGEST)?;
        let blank = match shown {
            [0xef, 0xbb, 0xbf, ..] => 3,
            _ => shown.iter().take_while(|byte| byte.is_ascii_whitespace()).count(),
        };
        if blank > 0 {
            self.lines += lines::count(shown, blank);
            self.source.advance(blank);
            return Ok(());
        }
        let longest = &shown[..shown.len().min(plain::LONGEST)];
        let line = self.lines + 1;
        let Some(length) = plain::length(longest) else {
            let expected = format!("the line `e` after the record that begins on line {line}");
            return Err(match longest.len() {
                plain::LONGEST => {
                    Fault::new(0, expected, format_args!("{} bytes without it", plain::LONGEST))
                }
                length => {
                    self.invalid = length;
                    Fault::truncated(&expected, 0)
                }
            });
        };
        let record = &longest[..length];
        self.lines += lines::count(record, length);
        plain::read(record, line, batch).inspect_err(|_| self.invalid = length)?;
        self.source.advance(length);
        self.source.records += 1;
        self.starts.push(self.source.records);
        Ok(())
    }

    /// One step in a chunk of lc0: reads a record.
    fn lc0(&mut self, batch: &mut Records) -> Result<(), Fault> {
        let version = self.source.chunk("4 bytes of a version")?;
        let Some(size) = lc0::size(version) else {
            let found = u32::from_le_bytes(version);
            return Err(Fault::new(0, "a record of version 6 or 7", found));
        };
        let number = self.source.records + 1;
        let shown = self.source.fill(size)?;
        let Some(found) = Lc0Record::new(shown) else {
            self.invalid = shown.len();
            return Err(Fault::truncated(&format!("{size} bytes"), self.invalid));
        };
        if self.board.replace(found.board(0)).is_none_or(|before| !found.contains(&before)) {
            self.starts.push(number);
        }
        found.read(batch).inspect_err(|_| self.invalid = size)?;
        self.source.advance(size);
        self.source.records += 1;
        Ok(())
    }

    /// One step in binpack: reads the head of a block, the head of a game, or the rest of a game.
    fn binpack(
        &mut self,
        rows: usize,
        batch: &mut Records,
        keeps: &mut impl FnMut(&Preview) -> bool,
    ) -> Result<(), Fault> {
        let State::Binpack(game, block) = &mut self.state else {
            let head = self.source.chunk::<8>("8 bytes of a block's head")?;
            let [magic @ .., a, b, c, d] = head;
            if magic != binpack::MAGIC {
                let found = format!("\"{}\"", magic.escape_ascii());
                return Err(Fault::new(0, "\"BINP\" where a block begins", found));
            }
            self.source.advance(head.len());
            self.state = State::Binpack(None, u32::from_le_bytes([a, b, c, d]).into());
            return Ok(());
        };
        let Some(playing) = game else {
            if *block == 0 {
                self.state = State::Between;
                return Ok(());
            }
            let expected = "34 bytes of a game's first position";
            if *block < binpack::STEM as u64 {
                let found = format_args!("{block} and the end of the block");
                return Err(Fault::new(0, expected, found));
            }
            let stem = self.source.chunk(expected)?;
            let start = binpack::Start { stem: &stem, batch, keeps };
            let first = self.kernel.run_nearest(Decoding(start))?;
            self.source.advance(binpack::STEM);
            self.source.records += 1;
            self.starts.push(self.source.records);
            *game = first.filter(|game| game.left > 0).map(Box::new);
            *block -= binpack::STEM as u64;
            return Ok(());
        };

        let wanted = (*block).min(binpack::AHEAD as u64) as usize;
        let (shown, mut read) = (self.source.fill(wanted)?, 0);
        if shown.len() < wanted {
            let (expected, found) = (format!("{block} bytes to the end of the block"), shown.len());
            return Err(Fault::truncated(&expected, found));
        }
        let ends = shown.len() as u64 >= *block;
        let bytes = if ends { &shown[..*block as usize] } else { shown };
        let replay = Replay { game: playing, bytes, ends, rows, batch, keeps, read: &mut read };
        let result = self.kernel.run_nearest(Decoding(replay));
        self.source.records += read;
        result?;
        let over = playing.left == 0;
        let used = if over { playing.bit.div_ceil(8) } else { playing.bit / 8 };
        playing.bit %= 8;
        self.source.advance(used);
        *block -= used as u64;
        if over {
            *game = None;
        }
        Ok(())
    }
}

/// Adds a row for each record; returns false if one is invalid.
struct Decode<'a, F, const SIZE: usize>(&'a [[u8; SIZE]], &'a mut Records, PhantomData<F>);

impl<F: Fixed<SIZE>, const SIZE: usize> Work for Decode<'_, F, SIZE> {
    type Output = bool;

    #[inline(always)]
    fn run<B: Bits>(self) -> bool {
        F::decode::<B>(self.0, self.1)
    }
}

#[cfg(test)]
mod tests;
