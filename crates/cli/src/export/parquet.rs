//! Parquet files, with one row group per batch. The columns of a row group are encoded in parallel.

use std::io;

use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions,
    compute_leaves,
};
use ::parquet::basic::{Compression as Codec, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::file::writer::SerializedFileWriter;
use anyhow::Context as _;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::FieldRef;
use setwise_table::Piece;

use super::interface::{Compression, Contents, Export, NOT_ENCODED, Split};
use crate::output::Output;

pub(crate) struct Parquet(SerializedFileWriter<Output>);

impl Export for Parquet {
    const BATCH: usize = 16 << 20;
    type Encoded = Vec<ArrowColumnChunk>;

    fn begin(contents: &Contents, output: Output) -> io::Result<(Split<Self::Encoded>, Self)> {
        if output.is_compressed() {
            let message = "Parquet is compressed inside; name the file .parquet";
            return Err(io::Error::other(message));
        }
        let options = ArrowWriterOptions::new().with_properties(properties(contents));
        let (writer, writers) =
            ArrowWriter::try_new_with_options(output, contents.schema.clone(), options)
                .and_then(ArrowWriter::into_serialized_writer)
                .map_err(of_parquet)?;
        // A nested column has several leaves, each with its own writer.
        let mut leaves = vec![0; contents.schema.fields().len()];
        for leaf in 0..writer.schema_descr().num_columns() {
            leaves[writer.schema_descr().get_column_root_idx(leaf)] += 1;
        }
        let split = move |batch| columns(batch, &writers, &leaves);
        Ok((Box::new(split), Self(writer)))
    }

    fn write(&mut self, columns: Vec<Vec<ArrowColumnChunk>>) -> io::Result<()> {
        if columns.is_empty() {
            return Ok(());
        }
        let mut row_group = self.0.next_row_group().map_err(of_parquet)?;
        for chunk in columns.into_iter().flatten() {
            chunk.append_to_row_group(&mut row_group).map_err(of_parquet)?;
        }
        row_group.close().map_err(of_parquet)?;
        Ok(())
    }

    fn finish(self) -> io::Result<Output> {
        self.0.into_inner().map_err(of_parquet)
    }
}

/// Disables page statistics, which are useless because bitboards have no meaningful order. Enables dictionaries for
/// columns with repeated values, which become smaller and faster.
fn properties(contents: &Contents) -> WriterProperties {
    let metadata = contents.schema.metadata().iter();
    let mut metadata: Vec<_> =
        metadata.map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
    metadata.sort_by(|a, b| a.key.cmp(&b.key));
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(metadata))
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_compression(match contents.compression {
            Compression::Zstd => Codec::ZSTD(ZstdLevel::try_new(1).expect("a level of zstd")),
            Compression::Lz4 => Codec::LZ4_RAW,
            Compression::Snappy => Codec::SNAPPY,
            Compression::None => Codec::UNCOMPRESSED,
        });
    contents
        .repeating
        .iter()
        .fold(properties, |all, name| all.set_column_dictionary_enabled(name.as_str().into(), true))
        .build()
}

/// Encodes the columns of a row group.
///
/// A leaf needs eight bytes per value. It is created just before it is encoded, and each column is freed as soon as it
/// is encoded, so a row group needs the memory of its columns only once.
fn columns(
    batch: RecordBatch,
    writers: &ArrowRowGroupWriterFactory,
    leaves: &[usize],
) -> anyhow::Result<Vec<Piece<Vec<ArrowColumnChunk>, anyhow::Error>>> {
    let (schema, arrays, _) = batch.into_parts();
    let writers = writers.create_column_writers(0).map_err(of_parquet);
    let mut writers = writers.context(NOT_ENCODED)?.into_iter();
    let mut pieces: Vec<Piece<_, _>> = Vec::with_capacity(arrays.len());
    for ((array, field), &leaves) in arrays.into_iter().zip(schema.fields()).zip(leaves) {
        let (field, writers) = (field.clone(), writers.by_ref().take(leaves).collect());
        pieces.push(Box::new(move || {
            encode(&field, array, writers).map_err(of_parquet).context(NOT_ENCODED)
        }));
    }
    Ok(pieces)
}

fn encode(
    field: &FieldRef,
    array: ArrayRef,
    writers: Vec<ArrowColumnWriter>,
) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
    let leaves = compute_leaves(field, &array)?;
    drop(array);
    let chunks = writers.into_iter().zip(leaves).map(|(mut writer, leaf)| {
        writer.write(&leaf)?;
        drop(leaf);
        writer.close()
    });
    chunks.collect()
}

/// Unwraps an error of Parquet.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
