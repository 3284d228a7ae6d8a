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
    /// The properties of the format.
    const INFO: OutputFormatInfo;
    /// An encoded piece of a batch.
    type Encoded: Send + 'static;

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

/// The properties of a format that are known before a file is begun.
pub(crate) struct OutputFormatInfo {
    /// The available compressions, the default first.
    pub(crate) compressions: &'static [Compression],
    /// True if the format holds only numbers: no text, lists or nulls.
    pub(crate) only_numbers: bool,
    /// The best size of a batch in bytes of columns.
    pub(crate) batch: usize,
    /// The maximum number of bytes of an encoded cell, by its type.
    pub(crate) encoded: fn(&DataType) -> usize,
}

pub(crate) struct Contents {
    pub(crate) schema: SchemaRef,
    /// The columns with few distinct values.
    pub(crate) repeating: Vec<String>,
    /// The compression, if the format has any.
    pub(crate) compression: Option<Compression>,
}

/// The compression methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compression {
    /// Zstandard, level 1
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
