//! Opens files of chess positions: the files of folders, compression, formats, and tables as Arrow batches.
//!
//! ```
//! use setwise_files::{FileFormat, TextOptions, no_progress, open_table};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("some.csv");
//! std::fs::write(&path, "fen,score\n4k3/8/8/8/8/8/8/4K3 w - -,12\n")?;
//! let format = FileFormat::of(&path)?.expect("a known format");
//! let mut table = open_table(&path, format, &TextOptions::default(), &no_progress())?;
//! assert_eq!(table.schema().field(1).name(), "score");
//! table.select(vec![1]);
//! let rows = table.next(4096, 1 << 20)?.expect("rows").read()?;
//! assert_eq!((rows.num_rows(), rows.num_columns()), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Errors do not contain the name of the file; the caller adds it.
#![forbid(unsafe_code)]

mod folders;
mod format;
mod names;
mod open;
mod table;

pub use folders::list;
pub use format::FileFormat;
pub use names::{compression_of, is_stdin, name, plain_extension};
pub use open::{
    BYTE_ORDER_MARK, Progress, Stream, is_compressed, no_progress, records, text, unpack,
};
pub use table::{Batch, TableReader, TextOptions, compact, open_table};

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
