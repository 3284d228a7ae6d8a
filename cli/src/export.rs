//! The formats that columns are written in: what a format has to say and do, and the table of them.
//!
//! A file is made in two steps. *Encoding* a batch of rows is work that any thread can do for any batch;
//! *writing* what was encoded goes in order. Both belong to one [`Export`], so what one format encodes
//! cannot reach the writer of another.
//!
//! To add a format, write its file in `export/` and give it a `mod` line and a row in the table.

use std::io;
use std::path::Path;
use std::time::Duration;

use ::arrow::array::RecordBatch;
use ::arrow::datatypes::{DataType, SchemaRef};
use ::arrow::error::ArrowError;
use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::output::Output;

mod arrow;
mod csv;
mod npy;
mod parquet;

/// A file that is being written in some format.
pub(crate) trait Export: Sized {
    /// What users and the command know of the format.
    const ABOUT: About;
    /// What threads need to encode batches.
    type Encoder: Send + Sync + 'static;
    /// An encoded batch.
    type Encoded: Send + 'static;

    /// Begins a file.
    fn begin(contents: &Contents, output: Output) -> io::Result<(Self::Encoder, Self)>;

    /// Encodes a batch that has rows. Also returns how long it took, added up over the threads.
    fn encode(encoder: &Self::Encoder, batch: RecordBatch)
    -> io::Result<(Self::Encoded, Duration)>;

    /// Writes the next batch.
    fn write(&mut self, encoded: Self::Encoded) -> io::Result<()>;

    /// Writes all that is left; what remains to be done is to give the file its name.
    fn finish(self) -> io::Result<Output>;
}

/// What there is to know of a format before a file is begun.
pub(crate) struct About {
    /// Its name, which is an extension of file names too.
    pub(crate) name: &'static str,
    /// Other extensions.
    pub(crate) aliases: &'static [&'static str],
    /// A line of the help.
    pub(crate) meaning: &'static str,
    /// The compressions that it offers, the default first.
    pub(crate) compressions: &'static [Compression],
    /// Whether it can hold text.
    pub(crate) text: bool,
    /// How many bytes of columns make a good batch.
    pub(crate) batch: usize,
    /// Bytes that a cell of some type takes when it is encoded, at most.
    pub(crate) encoded: fn(&DataType) -> usize,
}

/// What the file will hold.
pub(crate) struct Contents {
    pub(crate) schema: SchemaRef,
    /// The columns in which few values come again and again.
    pub(crate) repeating: Vec<&'static str>,
    /// One of those that the format offers, if it offers any.
    pub(crate) compression: Option<Compression>,
}

/// How the bytes of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compression {
    /// Zstandard, level 1
    Zstd,
    /// LZ4
    Lz4,
    /// Snappy
    Snappy,
    /// None
    None,
}

/// Something to do for a format, whichever it is.
pub(crate) trait Visit {
    type Output;
    fn visit<E: Export>(self) -> Self::Output;
}

/// Makes the enum of formats from the rows of the table.
macro_rules! formats {
    ($($name:ident = $export:ty),+ $(,)?) => {
        /// The formats, a variant for each row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Format {
            $($name),+
        }

        impl Format {
            pub(crate) const ALL: &[Self] = &[$(Self::$name),+];

            pub(crate) fn about(self) -> &'static About {
                match self {
                    $(Self::$name => &<$export as Export>::ABOUT),+
                }
            }

            pub(crate) fn visit<V: Visit>(self, visitor: V) -> V::Output {
                match self {
                    $(Self::$name => visitor.visit::<$export>()),+
                }
            }
        }
    };
}
// The table: a row for each format.
formats! {
    Parquet = parquet::Parquet,
    Arrow = arrow::Arrow,
    Npy = npy::Npy,
    Csv = csv::Csv,
}

impl Format {
    /// What a file of this name should be.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        <Self as ValueEnum>::from_str(extension, true).ok()
    }

    /// The extensions of all formats, as a sentence has them: ".parquet, .arrow or .csv".
    pub(crate) fn extensions() -> String {
        let names: Vec<_> = Self::ALL.iter().map(|f| format!(".{}", f.about().name)).collect();
        let (last, rest) = names.split_last().expect("there are formats");
        format!("{} or {last}", rest.join(", "))
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let About { name, aliases, meaning, .. } = *self.about();
        Some(PossibleValue::new(name).aliases(aliases).help(meaning))
    }
}

/// What went wrong, without the wrapping.
fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
