//! Reads packed chess positions, which engines use to train networks, into columns.
//!
//! | format | files | bytes per position | read | written |
//! |---|---|--:|---|---|
//! | [`Format::Bullet`] | `.bullet`, `.data` | 32 | yes | yes |
//! | [`Format::Marlin`] | `.marlin` | 32 | yes | yes |
//! | [`Format::Viri`] | `.vf` | 4, plus 36 per game | yes | yes |
//! | [`Format::PackedSfen`] | `.bin` | 40 | yes | yes |
//! | [`Format::Binpack`] | `.binpack` | 2 to 3 | yes | yes |
//! | [`Format::Plain`] | `.plain` | text | yes | yes |
//! | [`Format::Lc0`] | `.lc0`, `.tar` ([`tar`]) | 8,356 or 8,396 | yes | no |
//!
//! A [`Reader`] reads any of these formats from any stream into [`Records`], one batch of rows at a time: the
//! [`Pieces`](setwise::Pieces) of each position, ready for `setwise`, and one column for each other field of the
//! format. A [`Writer`] writes batches; in a format of games, each batch is one game. [`Format::keeps`] returns the
//! fields that a format stores; a conversion loses all others:
//!
//! | | bullet | marlin | viri | bin | binpack | plain | lc0 | FEN |
//! |---|---|---|---|---|---|---|---|---|
//! | pieces | as seen by the side to move | yes | yes | yes | yes | yes | yes | yes |
//! | turn | | yes | yes | yes | yes | yes | yes | yes |
//! | castling | | yes, Chess960 too | yes, Chess960 too | yes | yes | yes, Chess960 too | yes | yes, Chess960 too |
//! | en passant | | yes | yes | yes | yes | yes | from the previous position | yes |
//! | halfmove clock | | to 255 | to 255 at the start | to 127 | yes | yes | to 255 | yes |
//! | fullmove number | | to 65535 | yes | to 65535 | from the ply | yes | | yes |
//! | score, result | yes | yes | yes | yes | yes | yes | yes | |
//! | move | | | yes | yes | yes | yes | the best | |
//! | ply | | | | yes | yes | yes | | |
//! | spare bytes | 3 | 1 | | 1 | | | | |
//!
//! ```
//! use setwise_formats::{Records, Format, Reader, Writer};
//!
//! // A game in viriformat: the initial position, a win for white; 1. e4 (+30) e5 (+25).
//! # let mut game = vec![];
//! # let mut start = Records::new();
//! # start.push_fen(&setwise::Fen::START);
//! # start.result.push(1);
//! # Writer::new(Format::Marlin, &mut game)?.write(&start)?;
//! game.extend([0x0c, 0x07, 30, 0, 0x34, 0x09, 25, 0, 0, 0, 0, 0]);
//! let mut batch = Records::new();
//! Reader::new(Format::Viri, &game[..]).read(1000, &mut batch)?;
//! assert_eq!(batch.len(), 2);
//! assert_eq!(batch.moves[1].unwrap().to_string(), "e7e5");
//! assert_eq!(batch.score, [30, -25]); // of the side to move
//! assert_eq!(batch.result, [1, -1]);
//! assert_eq!(
//!     batch.fen(1).to_string(),
//!     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
//! );
//!
//! // To bulletformat, which does not store the side to move:
//! let mut file = Vec::new();
//! Writer::new(Format::Bullet, &mut file)?.write(&batch)?;
//! assert_eq!(file.len(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module [`pgn`] reads games in PGN.
//!
//! # Cost
//!
//! Records of 32 bytes are decoded with AVX-512, or with `pext` and `pdep` if these are fast (on AMD processors, since
//! Zen 3), else bit by bit. [`Reader::new`] uses the fastest instructions of the processor; [`Reader::with_kernel`]
//! selects others. A reader uses 64 KiB of memory in addition to the batch, regardless of the file's contents.
#![deny(unsafe_code)]

mod binpack;
mod bits;
mod board;
mod bullet;
mod cutter;
mod error;
mod fixed;
mod format;
mod instructions;
mod lc0;
pub mod lines;
mod marlin;
mod packed_move;
mod packed_sfen;
pub mod pgn;
mod plain;
mod reader;
mod records;
mod source;
pub mod tar;
#[cfg(target_arch = "x86_64")]
mod vector;
mod viri;
mod writer;

pub use cutter::Cutter;
pub use error::{Error, ErrorKind};
pub use format::{Field, Fields, Format, NotWritable};
pub use lc0::Lc0Record;
#[doc(no_inline)]
pub use lines::LineFeeds;
pub use reader::Reader;
pub use records::{Move, Preview, Records, legal_move};
pub use setwise::legal::MoveKind;
pub use writer::Writer;

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
