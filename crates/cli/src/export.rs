//! The table of output formats.
//!
//! A file is made in two steps. *Encoding* a batch of rows is work that any thread can do for any batch. *Writing* the
//! encoded pieces happens in order. Both belong to one [`Export`], so data encoded for one format cannot reach the
//! writer of another.
//!
//! To add a format, write its file in `export/` and give it a `mod` line and a row in the table.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;

mod arrow;
mod csv;
mod interface;
mod npy;
mod parquet;

pub(crate) use interface::{Compression, Contents, Export, OutputFormatInfo};

/// Work that can be done for any format.
pub(crate) trait Visit {
    type Output;
    fn visit<E: Export>(self) -> Self::Output;
}

/// Generates the enum of formats from the rows of the table.
macro_rules! formats {
    ($($name:ident = $export:ty),+ $(,)?) => {
        /// The formats, a variant for each row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum OutputFormat {
            $($name),+
        }

        impl OutputFormat {
            pub(crate) const ALL: &[Self] = &[$(Self::$name),+];

            pub(crate) fn info(self) -> &'static OutputFormatInfo {
                match self {
                    $(Self::$name => &<$export as Export>::INFO),+
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

impl OutputFormat {
    /// The format of a file, by its name.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        <Self as ValueEnum>::from_str(extension, true).ok()
    }

    /// The extensions of all formats, for use in a sentence: ".parquet, .arrow or .csv".
    pub(crate) fn extensions() -> String {
        let names: Vec<_> = Self::ALL.iter().map(|f| format!(".{}", f.info().name)).collect();
        let (last, rest) = names.split_last().expect("there are formats");
        format!("{} or {last}", rest.join(", "))
    }
}

impl ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let OutputFormatInfo { name, aliases, meaning, .. } = *self.info();
        Some(PossibleValue::new(name).aliases(aliases).help(meaning))
    }
}
