//! Games in PGN: cut into chunks by one thread, replayed into columns by any number of others.
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
//! while splitter.read_chunk(&mut chunk)? {
//!     rows.clear();
//!     replayer.chunk(&chunk, &mut rows)?;
//!     assert_eq!(rows.len(), 6); // five moves
//!     assert_eq!(rows.moves[4].unwrap().to_string(), "h5e5");
//!     assert_eq!(rows.fen(5).to_string(), "rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQ - 0 3");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Splitter`] takes any [`BufRead`](std::io::BufRead) and gives a [`Chunk`] of whole games at a time, with their numbers and lines; it
//! reads no moves. A [`Replayer`] adds a row for each position of a chunk to [`Rows`]. Chunks can go to threads with
//! a replayer each; every chunk knows the number of its first game, so the rows are the same in any order.
//!
//! # What is read
//!
//! - Moves in standard algebraic notation in all its forms: `Nf3`, `Ng1-f3`, `N1xf3`, `e8=Q`, `e8Q`, `e8(Q)`,
//!   `exd6 e.p.`, `O-O`, `0-0`, `Kg1` for castling, figurines, with marks of check or without, right or wrong; and moves from
//!   square to square, `e2e4`, `e7e8q`, `e1g1`, in Chess960 `e1h1`. Letters of roles are English.
//! - Move numbers anywhere, right or wrong; `$1`, `!?`, `+=`, `N`. They are not kept.
//! - Comments in braces and behind `;`. `[%clk]`, `[%emt]` and `[%eval]` in braces are read; the first of each counts.
//! - Variations are skipped, however deep.
//! - Lines that begin with `%` are skipped.
//! - Tags, with `\"` and `\\`, also where quotes are missing. `FEN` sets the start with `SetUp` or without; `Variant` may be
//!   any name of standard chess or Chess960.
//! - Games with tags or without, with blank lines between them or without, with LF or CRLF, a byte order mark, UTF-8
//!   or Latin-1.
//! - Null moves (`--`, `Z0`), as studies have them: the turn goes to the other side, the halfmove clock grows, and
//!   the row has no move.
//! - A game that ends without a result or in the middle of a comment or a word, at the end of the input:
//!   [`Game::complete`] is false.
//!
//! A malformed tag refuses its game: a tag without its bracket, and a tag among the moves. So nothing in a tag's place is
//! skipped that may be moves. A game without a result is refused, too, if the next one begins with a tag on the line after
//! its moves, or has no tags although this one has. A game of another variant is refused by name. So is a game with a move that is illegal or ambiguous: [`Error`] says
//! where, what was expected, and in which position. [`OnError`] says what happens then. Castling rights in `FEN` without a
//! king and a rook in place are dropped.
//!
//! # What it costs
//!
//! Memory is a chunk (a mebibyte unless set), a game (at most 16 MiB unless set), and the rows. A game has at most
//! [`MAX_PLIES`] moves; whoever needs a bound for the rows has one from the bytes of a chunk.

mod board;
mod chunks;
mod comments;
mod error;
mod movetext;
mod options;
mod refusals;
mod replay;
mod rows;
mod san;
mod tags;

pub use chunks::{Chunk, Splitter};
pub use error::{Error, ErrorKind};
pub use movetext::MAX_PLIES;
pub use options::{OnError, Options};
pub use replay::Replayer;
pub use rows::{Game, Reject, Rows, Score, Texts};
