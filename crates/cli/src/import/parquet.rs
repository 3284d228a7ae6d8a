//! Parquet files: row groups, or parts of them, each read by a thread of its own.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{ChunkReader, Length};
use anyhow::{Result, bail};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use bytes::Bytes;
use indicatif::ProgressBar;
use setwise_table::Input;

use super::interface::{AnySource, Batch, Batches, Opened, ReadOptions, Table, caught, of_arrow};

struct Parquet {
    file: Shared,
    metadata: ArrowReaderMetadata,
    columns: ProjectionMask,
    schema: SchemaRef,
    /// The row group to read next, and the row of it.
    group: usize,
    row: usize,
    progress: ProgressBar,
}

pub(super) fn open(opened: Opened, options: &ReadOptions) -> Result<(Input, AnySource)> {
    let Some(file) = opened.file else {
        bail!("a Parquet file is read from its end, so it cannot come through a pipe");
    };
    let file = Shared::new(file)?;
    let mut head = [0; 4];
    let read = file.read_at(&mut head, 0)?;
    if head == *b"PARE" {
        bail!("it is encrypted, which is not supported");
    }
    if head[..read] != *b"PAR1" {
        bail!(
            "expected a Parquet file, found something else (which begins with {:?})",
            String::from_utf8_lossy(&head[..read])
        );
    }
    let metadata =
        caught(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(of_parquet))?;
    let table = Table::new(&opened.name, &opened.folders, metadata.schema(), options)?;
    let columns = ProjectionMask::roots(metadata.parquet_schema(), table.places.iter().copied());
    let schema = Arc::new(metadata.schema().project(&table.places)?);
    let progress = opened.progress;
    Ok(table.source(Parquet { file, metadata, columns, schema, group: 0, row: 0, progress }))
}

impl Batches for Parquet {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Batch>> {
        let groups = self.metadata.metadata().row_groups();
        let Some(group) = groups.get(self.group) else { return Ok(None) };
        let (Ok(of_group), Ok(size)) =
            (usize::try_from(group.num_rows()), usize::try_from(group.total_byte_size()))
        else {
            bail!("row group {} has a negative size", self.group);
        };
        let each = size / of_group.max(1);
        let take = rows.min(bytes / each.max(1)).max(1).min(of_group - self.row);
        let part = ParquetRecordBatchReaderBuilder::new_with_metadata(
            self.file.clone(),
            self.metadata.clone(),
        )
        .with_projection(self.columns.clone())
        .with_row_groups(vec![self.group])
        .with_offset(self.row)
        .with_limit(take)
        .with_batch_size(take.max(1));
        let schema = self.schema.clone();
        let read = move || {
            caught(|| {
                let batches = part.build().map_err(of_parquet)?.collect::<Result<Vec<_>, _>>();
                let batches = batches.map_err(of_pages)?;
                let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
                if rows != take {
                    bail!("a row group has {rows} rows where {take} were announced");
                }
                match &batches[..] {
                    [batch] => Ok(batch.clone()),
                    batches => Ok(concat_batches(&schema, batches)?),
                }
            })
        };
        self.row += take;
        // A share of the file for the progress bar.
        let compressed = usize::try_from(group.compressed_size()).unwrap_or(0);
        self.progress.inc((compressed as u128 * take as u128 / of_group.max(1) as u128) as u64);
        if self.row >= of_group {
            self.group += 1;
            self.row = 0;
        }
        Ok(Some(Batch { rows: take, bytes: take * each, read: Box::new(read) }))
    }
}

/// A file that threads read at different places at once, which `File` itself does not allow.
#[derive(Clone)]
struct Shared {
    file: Arc<File>,
    length: u64,
}

impl Shared {
    fn new(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), length })
    }

    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&*self.file, into, at);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&*self.file, into, at);
    }
}

impl Length for Shared {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Shared {
    type T = io::BufReader<Part>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(io::BufReader::new(Part { file: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            let message =
                format!("{length} bytes at {start} are beyond its end at {}", self.length);
            return Err(ParquetError::EOF(message));
        }
        let mut bytes = vec![0; length];
        Part { file: self.clone(), at: start }.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A reader that begins somewhere in the file.
struct Part {
    file: Shared,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(into, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// What is wrong with the pages of a column. Those that are encrypted look damaged.
fn of_pages(error: ArrowError) -> anyhow::Error {
    match of_arrow(error) {
        error if error.to_string().contains("Required field") => {
            anyhow::anyhow!("it is damaged, or columns are encrypted, which is not supported")
        }
        error => error,
    }
}

/// What went wrong, in words for users.
fn of_parquet(error: ParquetError) -> anyhow::Error {
    match error {
        ParquetError::External(inner) => anyhow::Error::from_boxed(inner),
        ParquetError::General(text) | ParquetError::EOF(text) => anyhow::anyhow!("{text}"),
        other => other.into(),
    }
}
