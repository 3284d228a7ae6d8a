//! The table of output formats.
//!
//! Writing takes two steps. Any thread can *encode* any batch of rows. The encoded pieces are then *written* in order.
//!
//! To add a format, write its file in `export/` and add a `mod` line and a variant here.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

mod arrow;
mod csv;
mod interface;
mod npy;
mod parquet;

pub(crate) use arrow::Arrow;
pub(crate) use csv::Csv;
pub(crate) use interface::{Compression, Contents, Export};
pub(crate) use npy::Npy;
pub(crate) use parquet::Parquet;

/// The formats. Names and comments appear in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Apache Parquet
    Parquet,
    /// Arrow IPC: a file (Feather 2), or a stream if the output is a pipe
    #[value(alias = "feather")]
    Arrow,
    /// NumPy array of 64-bit integers, one row per position
    Npy,
    /// Comma-separated decimal numbers with a header
    Csv,
}

impl OutputFormat {
    /// The name, which is also a file extension.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Creates a parser for the formats that hold text.
    pub(crate) fn of_text() -> impl TypedValueParser<Value = Self> {
        let formats = Self::value_variants().iter().filter(|format| **format != Self::Npy);
        let names = formats.filter_map(Self::to_possible_value);
        PossibleValuesParser::new(names)
            .map(|name| <Self as ValueEnum>::from_str(&name, false).expect("one of the names"))
    }

    /// Returns the format of a file by its extension, after .gz or .zst is removed.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        <Self as ValueEnum>::from_str(setwise_files::plain_extension(path)?, true).ok()
    }
}
