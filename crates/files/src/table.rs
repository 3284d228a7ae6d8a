//! Tables in files, as Arrow batches of the selected columns.

use std::path::Path;

use anyhow::{Result, bail};

use crate::format::FileFormat;
use crate::open::{Progress, unpack};

mod arrow;
mod csv;
mod cut;
mod interface;
mod json;
mod parquet;
mod types;

use interface::Opened;
pub use interface::{Batch, TableReader, TextOptions};

/// Opens a table.
///
/// # Errors
/// If the format is not one of a table, or if the file cannot be read or is damaged.
pub fn open_table(
    path: &Path,
    format: FileFormat,
    options: &TextOptions,
    progress: &Progress,
) -> Result<Box<dyn TableReader>> {
    let opened = Opened { path, input: unpack(path, progress)?, progress: progress.clone() };
    match format {
        FileFormat::Parquet => parquet::open(&opened),
        FileFormat::Arrow => arrow::open(opened),
        FileFormat::Csv => csv::open(opened.input, options),
        FileFormat::Jsonl => json::open(opened.input, options),
        other => bail!("{} is no table", other.name()),
    }
}
