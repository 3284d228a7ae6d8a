//! Parquet files. Any thread can read any part of a row group, unless its pages are large.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use ::parquet::column::page::PageReader as _;
use ::parquet::errors::ParquetError;
use ::parquet::file::serialized_reader::SerializedPageReader;
use anyhow::{Context as _, Result, bail};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::concat::concat_batches;
use same_file::Handle;

use super::interface::{Batch, TableReader, catch_panics, starts, unwrap_arrow};
use crate::open::Progress;

/// The number of bytes above which a page is large. A reader decodes a page from its start to reach a row, so a reader for
/// each part of a large page would take a time that grows with the square of the rows. Most writers end pages at 1 MB.
const LARGE: u128 = 4 << 20;

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
    /// True if the row group has large pages. One reader then decodes it from its start to its end.
    has_large_pages: bool,
    /// This reader, if it is open, and the number of rows that it decodes at a time.
    in_order: Option<(ParquetRecordBatchReader, usize)>,
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
    Ok(Box::new(Parquet {
        path: path.to_owned(),
        file,
        modified,
        metadata,
        columns,
        schema,
        group: 0,
        row: 0,
        has_large_pages: false,
        in_order: None,
        progress: progress.clone(),
    }))
}

impl Parquet {
    /// Opens the file again. Fails if it is another one now.
    fn reopen(&self) -> Result<File> {
        let file = File::open(&self.path)?;
        let is_changed = file.metadata()?.modified().ok() != self.modified;
        if is_changed || Handle::from_file(file.try_clone()?)? != self.file {
            bail!("it was changed or replaced while it was read");
        }
        Ok(file)
    }

    /// Returns whether a selected column of the row group has large pages, by the shares of its dictionary and of its
    /// first page of data.
    fn has_large_pages(&self, file: File) -> Result<bool> {
        let (file, group) = (Arc::new(file), self.metadata.metadata().row_group(self.group));
        for (leaf, column) in group.columns().iter().enumerate() {
            let bytes = u128::try_from(column.uncompressed_size()).unwrap_or(0);
            if bytes <= LARGE || !self.columns.leaf_included(leaf) {
                continue;
            }
            let mut pages = SerializedPageReader::new(file.clone(), column, 0, None)?;
            if pages.peek_next_page()?.is_some_and(|page| page.is_dict) {
                pages.skip_next_page()?;
            }
            let values = pages.peek_next_page()?.and_then(|page| page.num_levels).unwrap_or(0);
            // A reader also decodes the whole dictionary.
            let data = column.data_page_offset();
            let dictionary = data.saturating_sub(column.dictionary_page_offset().unwrap_or(data));
            let is_large = |part: i64, all: i64| {
                let [part, all] = [part, all].map(|count| u128::try_from(count).unwrap_or(0));
                bytes * part / all.max(1) > LARGE
            };
            if is_large(values as i64, column.num_values())
                || is_large(dictionary, column.compressed_size())
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
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
        // A dictionary's repeated texts take few bytes until they are decoded.
        let columns = group.columns().iter().enumerate();
        let texts = columns.filter(|(leaf, _)| self.columns.leaf_included(*leaf));
        let texts = texts.filter_map(|(_, column)| column.unencoded_byte_array_data_bytes());
        let size = texts.fold(group.total_byte_size(), i64::max);
        let (Ok(group_rows), Ok(size)) = (usize::try_from(group.num_rows()), u64::try_from(size))
        else {
            bail!("row group {} has a negative size", self.group);
        };
        // With 32 bits, a row group may be larger than memory.
        let each = usize::try_from(size / group_rows.max(1) as u64).unwrap_or(usize::MAX);
        let most = rows.min(bytes / each.max(1)).max(1).min(group_rows);
        let take = most.min(group_rows - self.row);
        let file = self.reopen()?;
        if self.row == 0 {
            self.in_order = None;
            // Decoding the pages reports their errors.
            self.has_large_pages = take < group_rows
                && catch_panics(|| self.has_large_pages(file.try_clone()?)).unwrap_or(false);
        }
        let reader = |rows: usize| {
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
                .with_projection(self.columns.clone())
                .with_row_groups(vec![self.group])
                .with_offset(self.row)
                .with_limit(rows)
                .with_batch_size(most.max(1))
        };
        let schema = self.schema.clone();
        let decode: Box<dyn FnOnce() -> Result<RecordBatch> + Send> = if self.has_large_pages {
            let mut reader = match self.in_order.take() {
                Some((reader, size)) if size == most => reader,
                _ => catch_panics(|| reader(group_rows - self.row).build().map_err(of_parquet))?,
            };
            let batch = catch_panics(|| read(&mut reader, take, &schema))?;
            self.in_order = (self.row + take < group_rows).then_some((reader, most));
            Box::new(move || Ok(batch))
        } else {
            let part = reader(take);
            Box::new(move || {
                catch_panics(|| read(&mut part.build().map_err(of_parquet)?, take, &schema))
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
        Ok(Some(Batch { rows: take, bytes: take * each, decode }))
    }
}

/// Decodes the next rows.
fn read(
    reader: &mut ParquetRecordBatchReader,
    rows: usize,
    schema: &SchemaRef,
) -> Result<RecordBatch> {
    let (mut batches, mut found) = (Vec::new(), 0);
    while found < rows
        && let Some(batch) = reader.next().transpose().map_err(of_pages)?
    {
        found += batch.num_rows();
        batches.push(batch);
    }
    if found != rows {
        bail!("a row group has {found} rows where {rows} were announced");
    }
    match &batches[..] {
        [batch] => Ok(batch.clone()),
        batches => Ok(concat_batches(schema, batches)?),
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
    use std::time::{Duration, Instant};

    use ::parquet::arrow::ArrowWriter;
    use ::parquet::file::properties::WriterProperties;
    use arrow_array::cast::AsArray as _;
    use arrow_array::{Array as _, ArrayRef, StringArray};

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

    /// Writes row groups of one page each, or with a dictionary. `kinds` is the number of different texts.
    fn large_groups(path: &Path, rows: usize, groups: usize, kinds: usize) {
        let texts = (0..rows * groups).map(|row| Some(format!("{:064}", row % kinds)));
        let texts: ArrayRef = Arc::new(texts.collect::<StringArray>());
        let batch = RecordBatch::try_from_iter([("fen", texts)]).expect("a table");
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(kinds < rows)
            .set_dictionary_page_size_limit(usize::MAX)
            .set_data_page_size_limit(usize::MAX)
            .set_data_page_row_count_limit(if kinds < rows { 1000 } else { usize::MAX })
            .set_max_row_group_row_count(Some(rows));
        let file = File::create(path).expect("a file");
        let writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build()));
        let mut writer = writer.expect("a writer");
        writer.write(&batch).expect("rows");
        writer.close().expect("a whole file");
    }

    #[test]
    fn repeated_texts_count_with_their_length() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.parquet");
        large_groups(&path, 10_000, 1, 8);
        let mut source = open(&path, &crate::no_progress()).expect("a Parquet file");
        let batch = source.next(10_000, 64 * 1000).expect("no error").expect("rows");
        assert_eq!(batch.read().expect("no error").num_rows(), 1000);
    }

    #[test]
    fn large_pages_are_decoded_once() {
        const ROWS: usize = 80_000;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.parquet");
        for kinds in [2 * ROWS, ROWS - 1] {
            large_groups(&path, ROWS, 2, kinds);
            let open = || open(&path, &crate::no_progress()).expect("a Parquet file");
            // The time to read the first row group in parts of this size.
            let time = |rows: usize| {
                let mut source = open();
                let start = Instant::now();
                for _ in 0..ROWS / rows {
                    let batch = source.next(rows, usize::MAX).expect("no error").expect("rows");
                    assert_eq!(batch.read().expect("no error").num_rows(), rows);
                }
                start.elapsed()
            };
            let least = |rows| (0..3).map(|_| time(rows)).min().unwrap_or(Duration::MAX);
            let (whole, parts) = (least(ROWS), least(ROWS / 100));
            assert!(parts < 10 * whole, "{kinds}: {parts:?} in parts, {whole:?} as a whole");

            let mut source = open();
            let check = |source: &mut dyn TableReader, rows: usize, first: usize| {
                let batch = source.next(rows, usize::MAX).expect("no error").expect("rows");
                let batch = batch.read().expect("no error");
                let texts = batch.column(0).as_string::<i32>();
                for (at, text) in texts.iter().enumerate() {
                    assert_eq!(text, Some(format!("{:064}", (first + at) % kinds).as_str()));
                }
                first + texts.len()
            };
            // Parts of other sizes, and parts that are cut at the end of their row group.
            let mut next = 0;
            for rows in [1, 30_000, 30_000, 30_000, 1, ROWS - 2, 1] {
                next = check(&mut *source, rows, next);
            }
            assert_eq!(next, 2 * ROWS);
            assert!(source.next(1, usize::MAX).expect("no error").is_none());
            for (part, rows) in [(0, 7), (1, 7), (0, 7)] {
                source.seek(part).expect("a part");
                let next = check(&mut *source, rows, part * ROWS);
                check(&mut *source, rows, next);
            }
        }
    }
}
