//! Parquet files, with one row group per batch. The columns of a row group are encoded in parallel.

use std::io;
use std::sync::Arc;

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
use anyhow::{Context as _, Result, bail};
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field, FieldRef, Schema, TimeUnit};
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
        let unions = |field: &&Field| matches!(field.data_type(), DataType::Union(..));
        if let Some(field) = contents.schema.flattened_fields().into_iter().find(unions) {
            let (name, advice) = (field.name(), "write .arrow, or leave it out of --keep");
            let message =
                format!("column `{name}` is a union, which Parquet does not have: {advice}");
            return Err(io::Error::other(message));
        }
        let options = ArrowWriterOptions::new().with_properties(properties(contents));
        let fields: Vec<_> = contents.schema.fields().iter().map(stored).collect();
        let schema = Schema::new_with_metadata(fields, contents.schema.metadata().clone());
        let schema = Arc::new(schema);
        let (writer, writers) = ArrowWriter::try_new_with_options(output, schema.clone(), options)
            .and_then(ArrowWriter::into_serialized_writer)
            .map_err(of_parquet)?;
        // A nested column has several leaves, each with its own writer.
        let mut leaves = vec![0; schema.fields().len()];
        for leaf in 0..writer.schema_descr().num_columns() {
            leaves[writer.schema_descr().get_column_root_idx(leaf)] += 1;
        }
        let split = move |batch| columns(batch, &schema, &writers, &leaves);
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

/// Changes a field to a type that Parquet has. Without a type of Parquet, most programs would read numbers: Parquet has
/// no seconds, and one type of dates.
fn stored(field: &FieldRef) -> FieldRef {
    use DataType::{
        Binary, BinaryView, Date32, Date64, Dictionary, FixedSizeList, LargeList, LargeListView,
        List, ListView, Map, Struct, Time32, Timestamp, Utf8, Utf8View,
    };
    let data_type = match field.data_type() {
        Timestamp(TimeUnit::Second, zone) => Timestamp(TimeUnit::Millisecond, zone.clone()),
        Time32(TimeUnit::Second) => Time32(TimeUnit::Millisecond),
        Date64 => Date32,
        List(item) => List(stored(item)),
        LargeList(item) => LargeList(stored(item)),
        ListView(item) => ListView(stored(item)),
        LargeListView(item) => LargeListView(stored(item)),
        FixedSizeList(item, length) => FixedSizeList(stored(item), *length),
        Struct(fields) => Struct(fields.iter().map(stored).collect()),
        Map(entries, is_sorted) => Map(stored(entries), *is_sorted),
        Dictionary(keys, values) if **values == Utf8View => {
            Dictionary(keys.clone(), Box::new(Utf8))
        }
        Dictionary(keys, values) if **values == BinaryView => {
            Dictionary(keys.clone(), Box::new(Binary))
        }
        Dictionary(keys, values) => {
            let values = stored(&Arc::new(Field::new("", (**values).clone(), true)));
            Dictionary(keys.clone(), Box::new(values.data_type().clone()))
        }
        _ => return field.clone(),
    };
    Arc::new(Field::clone(field).with_data_type(data_type))
}

/// Converts a column to its [`stored`] type. Fails if values would change.
fn convert(field: &Field, array: ArrayRef) -> Result<ArrayRef> {
    let (from, to) = (array.data_type(), field.data_type());
    if from == to {
        return Ok(array);
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let converted = cast_with_options(&array, to, &options)?;
    if *cast_with_options(&converted, from, &options)? != *array {
        bail!(
            "column `{}` is {from} and has values that {to}, its type in Parquet, cannot hold: \
             write .arrow, or leave it out of --keep",
            field.name()
        );
    }
    Ok(converted)
}

/// Encodes the columns of a row group.
///
/// A leaf needs eight bytes per value. It is created just before it is encoded, and each column is freed as soon as it
/// is encoded, so a row group needs the memory of its columns only once.
fn columns(
    batch: RecordBatch,
    schema: &Schema,
    writers: &ArrowRowGroupWriterFactory,
    leaves: &[usize],
) -> Result<Vec<Piece<Vec<ArrowColumnChunk>, anyhow::Error>>> {
    let (_, arrays, _) = batch.into_parts();
    let writers = writers.create_column_writers(0).map_err(of_parquet);
    let mut writers = writers.context(NOT_ENCODED)?.into_iter();
    let mut pieces: Vec<Piece<_, _>> = Vec::with_capacity(arrays.len());
    for ((array, field), &leaves) in arrays.into_iter().zip(schema.fields()).zip(leaves) {
        let (field, writers) = (field.clone(), writers.by_ref().take(leaves).collect());
        pieces.push(Box::new(move || {
            let array = convert(&field, array).context(NOT_ENCODED)?;
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
