//! The interface of output formats.

use std::io;

use anyhow::Context as _;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use clap::ValueEnum;
use setwise_table::Piece;

use crate::output::Output;

/// A writer of one format.
pub(crate) trait Export: Sized {
    /// The best size of a batch in bytes of columns.
    const BATCH: usize;
    /// An encoded piece of a batch.
    type Encoded: Send + 'static;

    /// The maximum number of bytes of an encoded cell, by its type; 0 if encoding needs no memory besides the columns.
    fn encoded(_: &DataType) -> usize {
        0
    }

    /// Begins a file.
    fn begin(contents: &Contents, output: Output) -> io::Result<(Split<Self::Encoded>, Self)>;

    /// Writes the pieces of the next batch.
    fn write(&mut self, pieces: Vec<Self::Encoded>) -> io::Result<()>;

    /// Writes the remaining data. The caller must then [finish](Output::finish) the output.
    fn finish(self) -> io::Result<Output>;
}

/// Divides the encoding of a batch into pieces.
pub(crate) type Split<T> =
    Box<dyn Fn(RecordBatch) -> anyhow::Result<Vec<Piece<T, anyhow::Error>>> + Sync>;

/// Encodes a batch in one piece.
pub(super) fn single_piece<T: 'static>(encode: fn(RecordBatch) -> io::Result<T>) -> Split<T> {
    Box::new(move |batch| Ok(vec![Box::new(move || encode(batch).context(NOT_ENCODED))]))
}

/// The context of an encoding error.
pub(super) const NOT_ENCODED: &str = "cannot encode the columns";

pub(crate) struct Contents {
    pub(crate) schema: SchemaRef,
    /// The columns with few distinct values.
    pub(crate) repeating: Vec<String>,
    /// The compression of Parquet files.
    pub(crate) compression: Compression,
}

/// The compression methods of Parquet files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compression {
    /// Zstandard, level 1
    #[default]
    Zstd,
    /// LZ4
    Lz4,
    /// Snappy
    Snappy,
    /// No compression
    None,
}

/// Unwraps an error of Arrow.
pub(super) fn unwrap_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
