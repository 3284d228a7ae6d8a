//! The interface of output formats.

use std::io;

use anyhow::Context as _;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use clap::ValueEnum;
use setwise_table::Encode;

use crate::output::Output;

/// A file that is written in some format.
pub(crate) trait Export: Sized {
    /// The properties of the format.
    const INFO: OutputFormatInfo;
    /// The data that threads need to encode batches.
    type Encoder: Encode<anyhow::Error>;

    /// Begins a file.
    fn begin(contents: &Contents, output: Output) -> io::Result<(Self::Encoder, Self)>;

    /// Writes the pieces of the next batch.
    fn write(&mut self, pieces: Vec<Encoded<Self>>) -> io::Result<()>;

    /// Writes all remaining data; the file then only has to be renamed.
    fn finish(self) -> io::Result<Output>;
}

/// A piece that a format encoded.
pub(crate) type Encoded<E> = <<E as Export>::Encoder as Encode<anyhow::Error>>::Encoded;

/// Encodes a batch as a whole.
pub(crate) struct Whole<T>(pub(super) fn(RecordBatch) -> io::Result<T>);

impl<T: Send + 'static> Encode<anyhow::Error> for Whole<T> {
    type Piece = RecordBatch;
    type Encoded = T;

    fn split(&self, batch: RecordBatch) -> anyhow::Result<Vec<RecordBatch>> {
        Ok(vec![batch])
    }

    fn encode(&self, batch: RecordBatch) -> anyhow::Result<T> {
        (self.0)(batch).context(NOT_ENCODED)
    }
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
