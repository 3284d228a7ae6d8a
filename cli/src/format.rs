//! The four kinds of files. Each is made in two steps: *encoding* a batch of rows, which any thread can do
//! for any batch, and *writing* what was encoded, in order.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::{SchemaRef, UInt16Type, UInt64Type};
use arrow::error::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowRowGroupWriterFactory, ArrowWriterOptions, compute_leaves,
};
use parquet::basic::{Compression as Codec, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;

use crate::args::{Compression, Format};
use crate::columns::Column;
use crate::output::Output;

impl Format {
    /// What a file of this name should be.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        <Self as clap::ValueEnum>::from_str(&extension, true).ok()
    }
}

/// The step that can run anywhere.
pub(crate) enum Encoder {
    Parquet(ArrowRowGroupWriterFactory),
    Arrow,
    Npy,
    Csv,
}

/// A batch, ready to be written.
pub(crate) enum Encoded {
    RowGroup(Vec<ArrowColumnChunk>),
    Batch(RecordBatch),
    Bytes(Vec<u8>),
}

/// The step that goes in order.
pub(crate) enum Writer {
    Parquet(SerializedFileWriter<Output>),
    Arrow(arrow::ipc::writer::FileWriter<Output>),
    Npy(Npy),
    Csv(Output),
}

/// Begins a file.
pub(crate) fn create(
    format: Format,
    compression: Compression,
    columns: &[Column],
    schema: &SchemaRef,
    mut output: Output,
) -> io::Result<(Encoder, Writer)> {
    Ok(match format {
        Format::Parquet => {
            let options =
                ArrowWriterOptions::new().with_properties(properties(columns, compression));
            let (writer, columns) =
                ArrowWriter::try_new_with_options(output, schema.clone(), options)
                    .and_then(ArrowWriter::into_serialized_writer)
                    .map_err(of_parquet)?;
            (Encoder::Parquet(columns), Writer::Parquet(writer))
        }
        Format::Arrow => {
            let writer = arrow::ipc::writer::FileWriter::try_new(output, schema);
            (Encoder::Arrow, Writer::Arrow(writer.map_err(of_arrow)?))
        }
        Format::Npy => (Encoder::Npy, Writer::Npy(Npy::create(schema.fields().len(), output)?)),
        Format::Csv => {
            let empty = RecordBatch::new_empty(schema.clone());
            output.write_all(&csv(&empty, true)?)?;
            (Encoder::Csv, Writer::Csv(output))
        }
    })
}

/// Bitboards are not ordered, so the least and greatest of a page would bring nothing. A dictionary makes
/// columns smaller, and is faster besides, where values repeat.
fn properties(columns: &[Column], compression: Compression) -> WriterProperties {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_compression(match compression {
            Compression::Zstd => Codec::ZSTD(ZstdLevel::try_new(1).expect("a level of zstd")),
            Compression::Lz4 => Codec::LZ4_RAW,
            Compression::Snappy => Codec::SNAPPY,
            Compression::None => Codec::UNCOMPRESSED,
        });
    let repeating = columns.iter().filter(|column| column.repeats());
    repeating
        .fold(properties, |all, column| {
            all.set_column_dictionary_enabled(column.name().into(), true)
        })
        .build()
}

impl Encoder {
    /// Encodes a batch. Also says how long it took, added up over the threads.
    pub(crate) fn encode(&self, batch: RecordBatch) -> io::Result<(Encoded, Duration)> {
        let start = Instant::now();
        let encoded = match self {
            Self::Parquet(columns) => return row_group(columns, &batch).map_err(of_parquet),
            Self::Arrow => Encoded::Batch(batch),
            Self::Npy => Encoded::Bytes(npy(&batch)),
            Self::Csv => Encoded::Bytes(csv(&batch, false)?),
        };
        Ok((encoded, start.elapsed()))
    }
}

fn row_group(
    columns: &ArrowRowGroupWriterFactory,
    batch: &RecordBatch,
) -> Result<(Encoded, Duration), ParquetError> {
    let schema = batch.schema();
    let work: Vec<_> = columns
        .create_column_writers(0)?
        .into_iter()
        .zip(schema.fields().iter().zip(batch.columns()))
        .collect();
    let encoded = work.into_par_iter().map(|(mut writer, (field, array))| {
        let start = Instant::now();
        for leaf in compute_leaves(field, array)? {
            writer.write(&leaf)?;
        }
        Ok((writer.close()?, start.elapsed()))
    });
    let (chunks, times): (Vec<_>, Vec<_>) =
        encoded.collect::<Result<Vec<_>, ParquetError>>()?.into_iter().unzip();
    Ok((Encoded::RowGroup(chunks), times.into_iter().sum()))
}

fn csv(batch: &RecordBatch, header: bool) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = arrow::csv::WriterBuilder::new().with_header(header).build(&mut bytes);
    writer.write(batch).map_err(of_arrow)?;
    drop(writer);
    Ok(bytes)
}

/// Row by row, each number as eight bytes; NumPy has one type for a whole array.
fn npy(batch: &RecordBatch) -> Vec<u8> {
    let columns = batch.columns();
    let mut rows = vec![[0; 8]; batch.num_rows() * columns.len()];
    for (i, column) in columns.iter().enumerate() {
        let cells = rows.iter_mut().skip(i).step_by(columns.len());
        if let Some(numbers) = column.as_primitive_opt::<UInt64Type>() {
            cells.zip(numbers.values()).for_each(|(cell, number)| *cell = number.to_le_bytes());
        } else {
            let numbers = column.as_primitive::<UInt16Type>();
            let wide = numbers.values().iter().map(|&number| u64::from(number));
            cells.zip(wide).for_each(|(cell, number)| *cell = number.to_le_bytes());
        }
    }
    rows.into_flattened()
}

impl Writer {
    pub(crate) fn write(&mut self, encoded: Encoded) -> io::Result<()> {
        match (self, encoded) {
            (Self::Parquet(writer), Encoded::RowGroup(chunks)) => {
                let mut row_group = writer.next_row_group().map_err(of_parquet)?;
                for chunk in chunks {
                    chunk.append_to_row_group(&mut row_group).map_err(of_parquet)?;
                }
                row_group.close().map_err(of_parquet)?;
                Ok(())
            }
            (Self::Arrow(writer), Encoded::Batch(batch)) => writer.write(&batch).map_err(of_arrow),
            (Self::Npy(npy), Encoded::Bytes(bytes)) => npy.write(&bytes),
            (Self::Csv(output), Encoded::Bytes(bytes)) => output.write_all(&bytes),
            _ => unreachable!("the encoder and the writer were made together"),
        }
    }

    /// Writes all that is left; what remains is to give the file its name.
    pub(crate) fn finish(self) -> io::Result<Output> {
        let mut output = match self {
            Self::Parquet(writer) => writer.into_inner().map_err(of_parquet)?,
            Self::Arrow(mut writer) => {
                writer.finish().map_err(of_arrow)?;
                writer.into_inner().map_err(of_arrow)?
            }
            Self::Npy(npy) => npy.finish()?,
            Self::Csv(output) => output,
        };
        output.flush()?;
        Ok(output)
    }
}

/// A NumPy array. Its header comes first and holds the number of rows, which is known last: so the header
/// is overwritten at the end, or everything waits in a temporary file where the output has no way back.
pub(crate) struct Npy {
    output: Output,
    waiting: Option<File>,
    columns: usize,
    bytes: usize,
}

impl Npy {
    fn create(columns: usize, mut output: Output) -> io::Result<Self> {
        let waiting = if output.can_rewrite() {
            output.write_all(&Self::header(0, columns))?;
            None
        } else {
            Some(tempfile::tempfile()?)
        };
        Ok(Self { output, waiting, columns, bytes: 0 })
    }

    /// 128 bytes, whatever the number of rows.
    fn header(rows: usize, columns: usize) -> Vec<u8> {
        let words =
            format!("{{'descr': '<u8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
        let mut header = b"\x93NUMPY\x01\x00\x76\x00".to_vec(); // version 1.0; 0x76 bytes follow
        header.extend_from_slice(format!("{words:<117}\n").as_bytes());
        header
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len();
        match &mut self.waiting {
            Some(file) => file.write_all(bytes),
            None => self.output.write_all(bytes),
        }
    }

    fn finish(mut self) -> io::Result<Output> {
        let header = Self::header(self.bytes / (8 * self.columns), self.columns);
        match self.waiting {
            Some(mut file) => {
                self.output.write_all(&header)?;
                file.rewind()?;
                io::copy(&mut file, &mut self.output)?;
            }
            None => self.output.rewrite(&header)?,
        }
        Ok(self.output)
    }
}

/// What went wrong, without the wrapping.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
