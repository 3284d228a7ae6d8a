//! The interface of output formats.

use std::io;

use anyhow::Context as _;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use clap::ValueEnum;
use setwise_table::Piece;

use crate::output::Output;

/// A file that is written in some format.
pub(crate) trait Export: Sized {
    /// The properties of the format.
    const INFO: OutputFormatInfo;
    /// A piece of a batch that is encoded.
    type Encoded: Send + 'static;

    /// Begins a file.
    fn begin(contents: &Contents, output: Output) -> io::Result<(Split<Self::Encoded>, Self)>;

    /// Writes the pieces of the next batch.
    fn write(&mut self, pieces: Vec<Self::Encoded>) -> io::Result<()>;

    /// Writes what is left; the output then only has to be [finished](Output::finish).
    fn finish(self) -> io::Result<Output>;
}

/// Cuts the encoding of a batch into pieces.
pub(crate) type Split<T> =
    Box<dyn Fn(RecordBatch) -> anyhow::Result<Vec<Piece<T, anyhow::Error>>> + Sync>;

/// Encodes a batch as a whole.
pub(super) fn whole<T: 'static>(encode: fn(RecordBatch) -> io::Result<T>) -> Split<T> {
    Box::new(move |batch| Ok(vec![Box::new(move || encode(batch).context(NOT_ENCODED))]))
}

/// The context of an encoding error.
pub(super) const NOT_ENCODED: &str = "cannot encode the columns";

/// The properties of a format that are known before a file is begun.
pub(crate) struct OutputFormatInfo {
    /// The available compressions, the default first.
    pub(crate) compressions: &'static [Compression],
    /// Whether it holds only numbers: no text, no lists, no nulls.
    pub(crate) only_numbers: bool,
    /// The best size of a batch in bytes of columns.
    pub(crate) batch: usize,
    /// The maximum number of bytes that a cell of some type takes when it is encoded.
    pub(crate) encoded: fn(&DataType) -> usize,
}

pub(crate) struct Contents {
    pub(crate) schema: SchemaRef,
    /// The columns with few distinct values.
    pub(crate) repeating: Vec<String>,
    /// One of the compressions of the format, if it has any.
    pub(crate) compression: Option<Compression>,
}

/// How the bytes of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compression {
    /// Zstandard, level 1
    Zstd,
    /// LZ4
    Lz4,
    /// Snappy
    Snappy,
    /// None
    None,
}

/// The error without its wrapper.
pub(super) fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
