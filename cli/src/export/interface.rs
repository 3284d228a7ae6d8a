//! What a format has to say and do.

use std::io;

use ::arrow::array::RecordBatch;
use ::arrow::datatypes::{DataType, SchemaRef};
use ::arrow::error::ArrowError;
use anyhow::Context as _;
use clap::ValueEnum;
use setwise_table::Encode;

use crate::output::Output;

/// A file that is being written in some format.
pub(crate) trait Export: Sized {
    /// What users and the command know of the format.
    const INFO: OutputFormatInfo;
    /// What threads need to encode batches.
    type Encoder: Encode<anyhow::Error>;

    /// Begins a file.
    fn begin(contents: &Contents, output: Output) -> io::Result<(Self::Encoder, Self)>;

    /// Writes the pieces of the next batch.
    fn write(&mut self, pieces: Vec<Encoded<Self>>) -> io::Result<()>;

    /// Writes all that is left; what remains to be done is to give the file its name.
    fn finish(self) -> io::Result<Output>;
}

/// A piece that a format has encoded.
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

/// What cannot be done if encoding fails.
pub(super) const NOT_ENCODED: &str = "cannot encode the columns";

/// What there is to know of a format before a file is begun.
pub(crate) struct OutputFormatInfo {
    /// Its name, which is an extension of file names too.
    pub(crate) name: &'static str,
    /// Other extensions.
    pub(crate) aliases: &'static [&'static str],
    /// A line of the help.
    pub(crate) meaning: &'static str,
    /// The compressions that it offers, the default first.
    pub(crate) compressions: &'static [Compression],
    /// Whether it holds numbers and nothing else: no text, no lists, no nulls.
    pub(crate) only_numbers: bool,
    /// How many bytes of columns make a good batch.
    pub(crate) batch: usize,
    /// Bytes that a cell of some type takes when it is encoded, at most.
    pub(crate) encoded: fn(&DataType) -> usize,
}

/// What the file will hold.
pub(crate) struct Contents {
    pub(crate) schema: SchemaRef,
    /// The columns in which few values come again and again.
    pub(crate) repeating: Vec<String>,
    /// One of those that the format offers, if it offers any.
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

/// What went wrong, without the wrapping.
pub(super) fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
