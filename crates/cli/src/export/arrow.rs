//! Arrow IPC, with one record batch per batch. Files have a table of contents at the end (Feather 2). Pipes receive the
//! stream format, which can be read sequentially.

use std::io;

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::ArrowError;
use setwise_files::compact;

use super::interface::{Contents, Export, Split, single_piece, unwrap_arrow};
use crate::output::Output;

pub(crate) enum Arrow {
    File(FileWriter<Output>),
    Stream(StreamWriter<Output>),
}

impl Export for Arrow {
    const BATCH: usize = 1 << 20;
    type Encoded = RecordBatch;

    fn begin(contents: &Contents, output: Output) -> io::Result<(Split<RecordBatch>, Self)> {
        let writer = match output.can_rewrite() {
            true => FileWriter::try_new(output, &contents.schema).map(Self::File),
            false => StreamWriter::try_new(output, &contents.schema).map(Self::Stream),
        };
        let split = single_piece(|batch| compact(batch, false).map_err(unwrap_arrow));
        Ok((split, writer.map_err(unwrap_arrow)?))
    }

    fn write(&mut self, batches: Vec<RecordBatch>) -> io::Result<()> {
        let write = |batch: &RecordBatch| match self {
            Self::File(writer) => writer.write(batch),
            Self::Stream(writer) => writer.write(batch),
        };
        batches.iter().try_for_each(write).map_err(|error| match error {
            ArrowError::InvalidArgumentError(text)
                if text.starts_with("Dictionary replacement") =>
            {
                io::Error::other(
                    "a column has a dictionary in each batch, and an Arrow file holds one; \
                     write Parquet, or a stream (--output - --format arrow)",
                )
            }
            other => unwrap_arrow(other),
        })
    }

    fn finish(self) -> io::Result<Output> {
        // `into_inner` writes the end of the file.
        let output = match self {
            Self::File(writer) => writer.into_inner(),
            Self::Stream(writer) => writer.into_inner(),
        };
        output.map_err(unwrap_arrow)
    }
}
