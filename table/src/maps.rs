//! Which columns to make, and how: what every way of making them looks at.

use std::collections::HashSet;

use setwise::Kernel;
use setwise_formats::{Field, Fields};

use crate::column::Column;
use crate::error::Error;

/// Which columns to make of positions, and how.
///
/// The default is the library's sixteen attack maps as unsigned integers, by the fastest backend, and to
/// fail at the first bad row. One thread does the work of a call; whoever has several calls with slices
/// of the array, which cost nothing to make:
///
/// ```
/// use arrow_array::{Array, StringArray};
/// use rayon::prelude::*;
/// use setwise_table::{Maps, OnBad};
///
/// let fens = StringArray::from(vec!["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"; 10_000]);
/// let maps = Maps::default().columns(["white_all".parse()?, "checkers".parse()?]);
/// let parts: Vec<_> = (0..fens.len())
///     .into_par_iter()
///     .step_by(4096)
///     .map(|start| maps.of_text(&fens.slice(start, 4096.min(fens.len() - start))))
///     .collect::<Result<_, _>>()?;
/// assert_eq!(parts.iter().map(|part| part.batch.num_rows()).sum::<usize>(), 10_000);
/// # Ok::<(), setwise_table::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Maps {
    pub(crate) kernel: Kernel,
    pub(crate) columns: Vec<Column>,
    pub(crate) signed: bool,
    pub(crate) on_bad: OnBad,
    pub(crate) chunk: usize,
}

/// Positions that are in flight: 128 KiB of them, so that a call of the kernel costs nothing beside its
/// work, and they are still in the cache when it reads them.
const CHUNK: usize = 2048;

impl Default for Maps {
    fn default() -> Self {
        let columns = setwise::Column::DEFAULT.iter().copied();
        Self {
            kernel: Kernel::detect(),
            columns: columns.map(Column::Computed).collect(),
            signed: false,
            on_bad: OnBad::default(),
            chunk: CHUNK,
        }
    }
}

impl Maps {
    /// Makes these columns, in this order.
    #[must_use]
    pub fn columns(mut self, columns: impl IntoIterator<Item = Column>) -> Self {
        self.columns = columns.into_iter().collect();
        self
    }

    /// Computes by this backend.
    #[must_use]
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// Makes the columns signed integers with the same bits, for programs that have no unsigned ones
    /// (Spark, Java): square h8 is then the sign.
    #[must_use]
    pub fn signed(mut self, signed: bool) -> Self {
        self.signed = signed;
        self
    }

    /// What to do with rows whose text is no position.
    #[must_use]
    pub fn on_bad(mut self, on_bad: OnBad) -> Self {
        self.on_bad = on_bad;
        self
    }

    /// How many positions are parsed before their columns are computed. The answers do not depend on it;
    /// the speed does: 2,048 by default, so that they stay in the cache.
    ///
    /// # Panics
    /// If it is 0.
    #[must_use]
    #[track_caller]
    pub fn chunk(mut self, positions: usize) -> Self {
        assert!(positions > 0, "a chunk has at least one position");
        self.chunk = positions;
        self
    }

    /// The fields of the columns, which say under [`DESCRIPTION`](crate::DESCRIPTION) what they mean. They are
    /// nullable if rows without a position may come, or bad rows become null.
    #[must_use]
    pub fn fields(&self, may_be_null: bool) -> arrow_schema::Fields {
        let nullable = may_be_null || self.on_bad == OnBad::Null;
        self.columns.iter().map(|column| column.field(self.signed, nullable)).collect()
    }

    /// Fails if a column is asked for twice, or if it needs more than the input tells besides the pieces.
    pub(crate) fn check(&self, told: Fields) -> Result<(), Error> {
        self.check_once()?;
        self.check_told(|column| column.needs().is_none_or(|field| told.contains(field)))
    }

    /// The same for records, whose boards are as the side to move sees them if they do not say which it is.
    pub(crate) fn check_told_by_records(&self, told: Fields) -> Result<(), Error> {
        self.check_told(|column| match (column, column.needs()) {
            (_, None) | (Column::Computed(_), Some(Field::Turn)) => true,
            (_, Some(field)) => told.contains(field),
        })
    }

    fn check_told(&self, is_told: impl Fn(&Column) -> bool) -> Result<(), Error> {
        match self.columns.iter().find(|column| !is_told(column)) {
            Some(&column) => Err(Error::NotInInput { column }),
            None => Ok(()),
        }
    }

    pub(crate) fn check_once(&self) -> Result<(), Error> {
        let mut names = self.columns.iter().map(|column| column.name());
        let mut seen = HashSet::new();
        match names.find(|name| !seen.insert(*name)) {
            Some(again) => Err(Error::Twice { name: again.to_owned() }),
            None => Ok(()),
        }
    }

    pub(crate) fn drops(&self) -> bool {
        self.on_bad == OnBad::Drop
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name() == name)
    }
}

/// What to do with a row whose text is no position. A row without text is not bad: it has nulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnBad {
    /// Fail at the first.
    #[default]
    Stop,
    /// Report it, and put nulls into its columns.
    Null,
    /// Report it, and leave the row out, with whatever else stands in it.
    Drop,
}
