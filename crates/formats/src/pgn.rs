//! Games in PGN: one thread splits a stream into chunks, and any number of threads replay the chunks into columns.
//!
//! ```
//! use setwise_formats::pgn::{Chunk, Options, Replayer, Rows, Splitter};
//!
//! let file = br#"[White "Greco"]
//! [Result "1-0"]
//!
//! 1. e4 { [%eval 0.3] [%clk 0:03:00] } e5 2. Qh5?! (2. Nf3 Nc6) Ke7 3. Qxe5# 1-0
//! "#;
//! let mut splitter = Splitter::new(&file[..]);
//! let mut replayer = Replayer::new(Options::default());
//! let (mut chunk, mut rows) = (Chunk::default(), Rows::default());
//! while splitter.read_chunk(1 << 20, &mut chunk)? {
//!     rows.clear();
//!     replayer.chunk(&chunk, &mut rows)?;
//!     assert_eq!(rows.len(), 6); // five moves
//!     assert_eq!(rows.records.moves[4].unwrap().to_string(), "h5e5");
//!     assert_eq!(rows.records.fen(5).to_string(), "rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQ - 0 3");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Splitter`] reads any [`BufRead`](std::io::BufRead) and returns one [`Chunk`] of whole games at a time, with
//! their numbers and lines; it does not parse moves. A [`Replayer`] adds a row for each position of a chunk to
//! [`Rows`]. Several threads, each with a replayer, can process the chunks; every chunk has the number of its first
//! game, so the rows do not depend on the order.
//!
//! # Accepted input
//!
//! - Moves in standard algebraic notation in all its forms: `Nf3`, `Ng1-f3`, `N1xf3`, `e8=Q`, `e8Q`, `e8(Q)`,
//!   `exd6 e.p.`, `O-O`, `0-0`, `Kg1` for castling, figurines. Check marks may be missing or wrong. Piece letters are
//!   English.
//! - Moves from square to square: `e2e4`, `e7e8q`, `e1g1`, in Chess960 `e1h1`.
//! - Move numbers anywhere, correct or not; `$1`, `!?`, `+=`, `N`. They are skipped.
//! - Comments in braces and after `;`. The first `[%clk]`, `[%emt]` and `[%eval]` per position in braces are read,
//!   and the evaluation, depth and time of engines' matches: `+0.31/12 1.2s`, of the side that has moved.
//! - Variations. They are skipped at any depth, or read to a depth of 200 ([`Options::variations`]).
//! - Lines that begin with `%`. They are skipped.
//! - Tags, with `\"` and `\\`, and with missing quotes. `FEN` sets the start, with or without `SetUp`; `Variant` may be
//!   any name of standard chess or Chess960.
//! - Games with or without tags, with or without blank lines between them, with LF, CRLF or CR, a byte order mark, in UTF-8
//!   or Latin-1.
//! - Null moves (`--`, `Z0`), as in studies: the turn passes to the other side, the halfmove clock increases, and the
//!   row has no move.
//! - A game at the end of the input without a result, also if it is truncated within a comment, a variation or a word:
//!   [`Game::complete`] is false.
//!
//! A game is rejected in these cases. [`Error`] contains the location, the expected input and the position; [`OnError`]
//! determines how to continue.
//!
//! - It has a syntax error, such as a word that is not a move.
//! - It has a malformed tag: a tag without its bracket, or a tag among the moves. Such text may be moves, so it is not
//!   skipped.
//! - One of its lines is a JSON object.
//! - Its moves are a list, such as `["e2e4","e7e5"]` or `(1. e4 e5)`. [`movetext_of_text`] and [`movetext_of_list`]
//!   convert the lists in tables.
//! - It has no result, and the next game begins with a tag on the line after its moves, or has no tags although this
//!   one has.
//! - It is of another variant, begins with an invalid `FEN`, or exceeds a limit.
//! - It has an illegal or ambiguous move.
//!
//! Castling rights in `FEN` are dropped unless king and rook are in place.
//!
//! # Cost
//!
//! The memory in use is a chunk, a game (by default at most 16 MiB), and the rows. A game has at
//! most [`MAX_PLIES`] moves; the size of a chunk bounds the number of its rows.

mod board;
mod chunks;
mod comments;
mod error;
mod lists;
mod movetext;
mod options;
mod refusals;
mod replay;
mod rows;
mod san;
mod scan;
mod tags;

pub use chunks::{Chunk, Splitter};
pub use error::{Error, ErrorKind};
pub use lists::{movetext_of_list, movetext_of_text};
pub use movetext::MAX_PLIES;
pub use options::{OnError, Options};
pub use replay::Replayer;
pub use rows::{Game, Reject, Rows, Score, Texts};
