//! Errors in games: the game, the line and column, the expected text, and the position.

use std::{error, fmt};

use setwise::Fen;

use crate::lines;

/// An error in a game that could not be replayed.
///
/// It is displayed on one line: location, expected text, actual text, and the position before a rejected move.
///
/// ```
/// use setwise_formats::pgn::{ErrorKind, Options, Replayer, Rows};
/// let mut replayer = Replayer::new(Options::default());
/// let error = replayer.game(b"1. e4 e5\n2. Nd4", 7, 100, &mut Rows::default()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Illegal);
/// assert_eq!((error.game(), error.line(), error.column()), (7, 101, 4));
/// assert_eq!(
///     error.to_string(),
///     "game 7, line 101, column 4: expected a legal move of white, found 'Nd4': no white knight can go to d4; \
///      the position is rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    game: u64,
    line: u64,
    column: u64,
    problem: Box<Problem>,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Text that is not PGN.
    Syntax,
    /// A move that no piece can make, or that leaves its king in check.
    Illegal,
    /// A move that more than one piece can make.
    Ambiguous,
    /// A game of another variant than standard chess and Chess960.
    Variant,
    /// A `FEN` tag whose value is not a position that games can start from.
    Position,
    /// A game longer than the limits: [`MAX_PLIES`](super::MAX_PLIES), or the bytes that the splitter allows.
    TooLong,
}

impl Error {
    /// The number of the game, counted from 1 in the whole input.
    #[must_use]
    pub const fn game(&self) -> u64 {
        self.game
    }

    /// The line, counted from 1 in the whole input.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// The column in that line, in characters counted from 1 (in bytes if the line is not UTF-8).
    #[must_use]
    pub const fn column(&self) -> u64 {
        self.column
    }

    /// The kind of error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.problem.kind
    }

    /// The position before the rejected move; `None` if the error does not concern a move.
    #[must_use]
    pub const fn position(&self) -> Option<&Fen> {
        self.problem.position.as_ref()
    }

    /// Creates the error for a problem in a game whose text begins at the start of `line`.
    #[cold]
    pub(crate) fn new(game: u64, line: u64, text: &[u8], problem: Box<Problem>) -> Self {
        let before = &text[..problem.at.min(text.len())];
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
        let line = line + lines::count(text, before.len());
        let column = match std::str::from_utf8(&before[start..]) {
            Ok(text) => text.trim_start_matches('\u{feff}').chars().count(),
            Err(_) => before.len() - start,
        };
        Self { game, line, column: column as u64 + 1, problem }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, line, column, problem } = self;
        write!(f, "game {game}, line {line}, column {column}: {}", problem.text)?;
        match &problem.position {
            Some(position) => write!(f, "; the position is {position}"),
            None => Ok(()),
        }
    }
}

impl error::Error for Error {}

/// An error before its game and line are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) kind: ErrorKind,
    /// The offset in the game's text.
    pub(crate) at: usize,
    text: String,
    pub(crate) position: Option<Fen>,
}

impl Problem {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, at: usize, text: impl fmt::Display) -> Box<Self> {
        Box::new(Self { kind, at, text: text.to_string(), position: None })
    }
}

/// An excerpt of the text for a message: at most 40 characters, with control characters escaped.
pub(crate) struct Found<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the end of the game");
        }
        let text = String::from_utf8_lossy(&self.0[..self.0.len().min(160)]);
        f.write_str("'")?;
        for character in text.chars().take(40) {
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                write!(f, "{character}")?;
            }
        }
        f.write_str(if text.chars().nth(40).is_some() { "...'" } else { "'" })
    }
}
