//! Training batches from files of chess positions: shuffled, filtered, sampled, split, sharded and resumable.
//!
//! ```
//! use setwise_loader::{Loader, Options, Split};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("some.txt");
//! # let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 20 | 0.5\n";
//! # std::fs::write(&path, line.repeat(1000))?;
//! let mut options = Options::new([&path]);
//! options.features = Some("stockfish-threats-2026-08".parse()?);
//! options.padded = Some(128);
//! options.batch_size = 100;
//! options.shuffle = 500;
//! options.conditions = vec!["checkers = 0".to_owned()];
//! let mut loader = Loader::open(options.clone())?;
//! let first = loader.next_batch()?.expect("there are ten batches");
//! assert_eq!((first.rows.len(), first.rows[0].score, first.rows[0].result), (100, 20, 0));
//!
//! // Later, or in another process: the remaining batches.
//! let state = serde_json::to_string(&loader.state())?;
//! let mut resumed = Loader::open(options)?;
//! resumed.resume(&serde_json::from_str(&state)?)?;
//! assert_eq!(resumed.count(), 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An epoch is a sequence of units (`order.rs`), of which a shard reads every n-th. A unit is some thousand records, a
//! piece of text or a chunk of games (`files.rs`). Units are read in a random order; some files are read once in
//! advance to find them (`find.rs`). The executor of `setwise-table` decodes a unit and drops rows by labels, sampling
//! and conditions (`decode.rs`). Sampling by the number of pieces comes last, in the order of the units. The remaining
//! rows fill a buffer, which is shuffled and cut into batches (`epoch.rs`). The state of a loader is therefore a few
//! numbers: the first unit of the filling, the row in this unit, and the batch.
#![forbid(unsafe_code)]

mod blocks;
mod counts;
mod decode;
mod epoch;
mod error;
mod files;
mod find;
mod hooks;
mod inputs;
mod loader;
mod options;
mod order;
mod pool;
mod rows;
mod sources;
mod tables;
mod units;

pub use counts::Counts;
pub use epoch::Loader;
pub use error::Error;
pub use hooks::Hooks;
pub use inputs::Inputs;
pub use loader::{Batch, Place, State};
pub use options::{Fingerprint, Options, Perspectives, Spill, Split, check_fingerprint, files};
pub use pool::PaddedRows;
pub use rows::Row;
pub use tables::{Source, Table};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
