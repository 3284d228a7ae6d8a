//! Parquet files. Any thread can read any part of a row group.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use ::parquet::errors::ParquetError;
use anyhow::{Context as _, Result, bail};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use same_file::Handle;

use super::interface::{Batch, TableReader, catch_panics, starts, unwrap_arrow};
use crate::open::Progress;

struct Parquet {
    /// The path. Each part opens the file again, because threads that share an open file also share its position.
    path: PathBuf,
    file: Handle,
    modified: Option<SystemTime>,
    metadata: ArrowReaderMetadata,
    columns: ProjectionMask,
    schema: SchemaRef,
    /// The next row group, and the next row in it.
    group: usize,
    row: usize,
    progress: Progress,
}

pub(super) fn open(path: &Path, progress: &Progress) -> Result<Box<dyn TableReader>> {
    if !path.is_file() {
        bail!("a Parquet file is read from its end, so it cannot come through a pipe");
    }
    let file = Handle::from_path(path)?;
    let mut head = Vec::new();
    file.as_file().take(4).read_to_end(&mut head)?;
    if head == b"PARE" {
        bail!("it is encrypted, which is not supported");
    }
    if head.is_empty() {
        bail!("it is empty, not a Parquet file");
    }
    if head != b"PAR1" {
        bail!(
            "expected a Parquet file, found something else (which begins with {:?})",
            String::from_utf8_lossy(&head)
        );
    }
    let of_file = file.as_file().metadata()?;
    let (length, modified) = (of_file.len(), of_file.modified().ok());
    let metadata = catch_panics(|| {
        let metadata = ArrowReaderMetadata::load(file.as_file(), ArrowReaderOptions::new());
        let metadata = metadata.map_err(of_parquet)?;
        // Check this first, because the reader allocates memory before it reads.
        let mut columns = metadata.metadata().row_groups().iter().flat_map(|group| group.columns());
        let is_within = |(start, bytes): (u64, u64)| start <= length && bytes <= length - start;
        if !columns.all(|column| is_within(column.byte_range())) {
            bail!("a column lies beyond its end");
        }
        Ok(metadata)
    })?;
    let (columns, schema) = (ProjectionMask::all(), metadata.schema().clone());
    let (path, progress, group, row) = (path.to_owned(), progress.clone(), 0, 0);
    Ok(Box::new(Parquet { path, file, modified, metadata, columns, schema, group, row, progress }))
}

impl TableReader for Parquet {
    fn schema(&self) -> &SchemaRef {
        self.metadata.schema()
    }

    fn select(&mut self, places: Vec<usize>) {
        let schema = self.schema().project(&places).expect("places of its columns");
        self.schema = Arc::new(schema);
        self.columns = ProjectionMask::roots(self.metadata.parquet_schema(), places);
    }

    fn parts(&mut self) -> Result<Vec<u64>> {
        let groups = self.metadata.metadata().row_groups().iter();
        let rows = groups.map(|group| u64::try_from(group.num_rows()));
        let rows = rows.collect::<Result<_, _>>().context("a row group has a negative size")?;
        Ok(starts(rows))
    }

    fn seek(&mut self, part: usize) -> Result<()> {
        (self.group, self.row) = (part, 0);
        Ok(())
    }

    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Batch>> {
        let groups = self.metadata.metadata().row_groups();
        let Some(group) = groups.get(self.group) else { return Ok(None) };
        let (Ok(group_rows), Ok(size)) =
            (usize::try_from(group.num_rows()), u64::try_from(group.total_byte_size()))
        else {
            bail!("row group {} has a negative size", self.group);
        };
        // With 32 bits, a row group may be larger than memory.
        let each = usize::try_from(size / group_rows.max(1) as u64).unwrap_or(usize::MAX);
        let take = rows.min(bytes / each.max(1)).max(1).min(group_rows - self.row);
        let file = File::open(&self.path)?;
        let is_changed = file.metadata()?.modified().ok() != self.modified;
        if is_changed || Handle::from_file(file.try_clone()?)? != self.file {
            bail!("it was changed or replaced while it was read");
        }
        let part = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_projection(self.columns.clone())
            .with_row_groups(vec![self.group])
            .with_offset(self.row)
            .with_limit(take)
            .with_batch_size(take.max(1));
        let schema = self.schema.clone();
        let read = move || {
            catch_panics(|| {
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
        // The part's share of the file, for the progress bar.
        let compressed = usize::try_from(group.compressed_size()).unwrap_or(0);
        (self.progress)((compressed as u128 * take as u128 / group_rows.max(1) as u128) as u64);
        if self.row >= group_rows {
            self.group += 1;
            self.row = 0;
        }
        Ok(Some(Batch { rows: take, bytes: take * each, decode: Box::new(read) }))
    }
}

/// Explains an error in the pages of a column. Encrypted pages look damaged.
fn of_pages(error: ArrowError) -> anyhow::Error {
    match unwrap_arrow(error) {
        error if error.to_string().contains("Required field") => {
            anyhow::anyhow!("it is damaged, or columns are encrypted, which is not supported")
        }
        error if error.to_string().contains("CRC checksum mismatch") => {
            anyhow::anyhow!("it is damaged: the checksum of a page is wrong")
        }
        error => error,
    }
}

/// Explains an error of Parquet to users.
fn of_parquet(error: ParquetError) -> anyhow::Error {
    match error {
        ParquetError::External(inner) => anyhow::Error::from_boxed(inner),
        ParquetError::General(text) | ParquetError::EOF(text) => anyhow::anyhow!("{text}"),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use ::parquet::arrow::ArrowWriter;
    use arrow_array::{ArrayRef, StringArray};

    use super::*;

    #[test]
    fn a_file_that_is_changed_replaced_or_removed_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.parquet");
        let fens: ArrayRef = Arc::new(StringArray::from(vec!["4k3/8/8/8/8/8/8/4K3 w - -"; 4]));
        let batch = RecordBatch::try_from_iter([("fen", fens)]).expect("a table");
        let write = |path: &Path| {
            let file = File::create(path).expect("a file");
            let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
            writer.write(&batch).expect("rows");
            writer.close().expect("a whole file");
        };
        write(&path);
        let begin = || {
            let mut source = open(&path, &crate::no_progress()).expect("a Parquet file");
            assert_eq!(source.next(1, 1 << 20).expect("no error").expect("rows").rows, 1);
            source
        };
        let mut source = begin();
        write(&path); // the same rows in the same file
        let file = File::options().write(true).open(&path).expect("a file");
        file.set_modified(SystemTime::UNIX_EPOCH).expect("a time");
        let error = source.next(1, 1 << 20).map(drop).expect_err("a changed file");
        assert!(error.to_string().contains("changed or replaced"), "{error}");
        let mut source = begin();
        let other = folder.path().join("other.parquet");
        write(&other);
        std::fs::rename(&other, &path).expect("renamed");
        let error = source.next(1, 1 << 20).map(drop).expect_err("another file");
        assert!(error.to_string().contains("changed or replaced"), "{error}");
        std::fs::remove_file(&path).expect("removed");
        assert!(source.next(1, 1 << 20).is_err());
    }
}
