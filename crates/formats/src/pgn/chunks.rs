//! Splits a stream of games into chunks of whole games, which can be replayed on any thread and in any order.

use std::io::{self, BufRead};
use std::ops::Range;

use super::scan::{STORED, Scan, Span};

/// The number of bytes read from the input at a time.
const READ_SIZE: usize = 1 << 16;

/// Splits a stream of PGN into chunks of whole games.
///
/// It does not parse moves. It needs memory for one chunk and one game, regardless of the input. Wrap compressed files
/// in a decompressor.
///
/// ```
/// use setwise_formats::pgn::{Chunk, Splitter};
/// let file = b"[Event \"a\"]\n\n1. e4 { [ } e5 *\n\n[Event \"b\"]\n\n1. d4 *\n";
/// let mut splitter = Splitter::new(&file[..]);
/// let mut chunk = Chunk::default();
/// assert!(splitter.read_chunk(1, &mut chunk)?);
/// assert_eq!(chunk.bytes(), b"[Event \"a\"]\n\n1. e4 { [ } e5 *\n\n");
/// assert!(splitter.read_chunk(1, &mut chunk)?);
/// assert_eq!((chunk.games(), chunk.first_game(), chunk.line(0)), (1, 2, 5));
/// assert!(!splitter.read_chunk(1, &mut chunk)?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Splitter<R> {
    input: R,
    max_game_bytes: usize,
    /// The number of bytes read from the input.
    consumed: u64,
    ended: bool,
    /// The number of games in the chunks so far.
    games: u64,
    /// The text that is not yet in a chunk; it begins with a game.
    text: Vec<u8>,
    scan: Scan,
}

/// Whole games in one allocation.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    bytes: Vec<u8>,
    pub(super) games: Vec<Span>,
    first_game: u64,
    last: bool,
}

impl Chunk {
    /// The unchanged text of all games. Games that are too long are cut to their first 64 KiB.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of games.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of the first game, counted from 1 in the whole input.
    #[must_use]
    pub const fn first_game(&self) -> u64 {
        self.first_game
    }

    /// Returns whether the input ends after this chunk.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        self.last
    }

    /// The range of a game's text in [`bytes`](Self::bytes). Games are counted from 0.
    ///
    /// # Panics
    /// If `game` is out of range.
    #[must_use]
    #[track_caller]
    pub fn range(&self, game: usize) -> Range<usize> {
        self.games[game].range.clone()
    }

    /// The line on which a game begins, counted from 1 in the whole input. Games are counted from 0.
    ///
    /// # Panics
    /// If `game` is out of range.
    #[must_use]
    #[track_caller]
    pub fn line(&self, game: usize) -> u64 {
        self.games[game].line
    }
}

impl<R: BufRead> Splitter<R> {
    /// Creates a splitter with games of at most 16 MiB. `input` is at the start of a file.
    pub fn new(input: R) -> Self {
        Self {
            input,
            max_game_bytes: 1 << 24,
            consumed: 0,
            ended: false,
            games: 0,
            text: Vec::new(),
            scan: Scan::default(),
        }
    }

    /// Sets the maximum size of a game, at least 64 KiB. A longer game is rejected when it is replayed; only the first
    /// 64 KiB of its text are stored.
    #[must_use]
    pub fn max_game_bytes(self, bytes: usize) -> Self {
        Self { max_game_bytes: bytes.max(STORED), ..self }
    }

    /// The number of input bytes in the chunks so far, for a progress bar.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.consumed - self.text.len() as u64
    }

    /// The number of games in the chunks so far.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Replaces a chunk with the next whole games, until they have at least this number of bytes, and reuses its
    /// allocation. Returns false at the end of the input.
    ///
    /// # Errors
    /// If reading fails. The next call retries.
    pub fn read_chunk(&mut self, bytes: usize, chunk: &mut Chunk) -> io::Result<bool> {
        chunk.games.clear();
        chunk.bytes.clear();
        while !self.scan.lines(&self.text, bytes) && !self.ended {
            self.scan.limit(&mut self.text, self.max_game_bytes);
            let input = match self.input.fill_buf() {
                Ok(input) => &input[..input.len().min(READ_SIZE)],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let read = input.len();
            if read == 0 {
                self.ended = true;
                self.scan.end(&self.text);
            }
            self.text.extend_from_slice(input);
            self.input.consume(read);
            self.consumed += read as u64;
        }
        // The text after the last complete game begins the next chunk.
        let end = self.scan.games.last().map_or(0, |game| game.range.end);
        std::mem::swap(&mut chunk.bytes, &mut self.text);
        std::mem::swap(&mut chunk.games, &mut self.scan.games);
        if !self.ended {
            self.text.extend_from_slice(&chunk.bytes[end..]);
        }
        chunk.bytes.truncate(end);
        self.scan.rebase(if self.ended { usize::MAX } else { end });
        chunk.first_game = self.games + 1;
        self.games += chunk.games.len() as u64;
        chunk.last = self.ended;
        Ok(!chunk.games.is_empty())
    }
}
