//! Tables in files, as Arrow batches of the selected columns.

use std::path::Path;

use anyhow::{Result, bail};

use crate::format::FileFormat;
use crate::open::{Progress, unpack};

mod arrow;
mod compact;
mod csv;
mod cut;
mod interface;
mod json;
mod parquet;
mod types;

pub use compact::compact;
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
    let input = unpack(path, progress)?;
    match format {
        FileFormat::Parquet => parquet::open(path, progress),
        FileFormat::Arrow => arrow::open(path, input),
        FileFormat::Csv => csv::open(input, options),
        FileFormat::Jsonl => json::open(input, options),
        other => bail!("{} is no table", other.name()),
    }
}
