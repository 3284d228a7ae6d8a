//! Datasets in the cache whose boards differ in every pass.
//!
//! With the same 4,096 boards in every pass, branch predictors learn the end of each loop over pieces, and loops over
//! squares run two or three times as fast as on new boards. So the dataset is refilled from a larger one before every
//! pass, outside the timing.

use std::time::{Duration, Instant};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Input, Reads};

/// A number of boards that exceeds every cache.
const IN_MEMORY: usize = 1 << 19;

/// The boards of all groups, created on first use.
pub struct Boards {
    input: Input,
    boards: usize,
    /// The dataset in the cache, that of games, and that in memory.
    works: [Option<Work>; 3],
}

impl Boards {
    /// Uses `boards` boards for each group, except for groups that measure memory.
    pub fn new(input: Input, boards: usize) -> Self {
        Self { input, boards, works: [None, None, None] }
    }

    /// The boards of a group, and the name of the input.
    pub fn of(&mut self, group: &Group) -> (&mut Work, &'static str) {
        let Self { input, boards, works: [cached, games, large] } = self;
        let typical = |boards| Work::new(boards, |boards| Dataset::new(input.positions(boards)));
        if group.name.starts_with("memory") {
            (large.get_or_insert_with(|| typical(IN_MEMORY)), input.name())
        } else if group.reads == Reads::Legal {
            (games.get_or_insert_with(|| Work::new(*boards, Dataset::games)), "games")
        } else {
            (cached.get_or_insert_with(|| typical(*boards)), input.name())
        }
    }
}

/// A dataset to measure implementations on.
pub struct Work {
    dataset: Dataset,
    /// The larger dataset, and the index of its next row to copy.
    source: Option<(Dataset, usize)>,
}

impl Work {
    /// The number of rows of the larger dataset, so large that a branch predictor forgets the first rows.
    const SOURCE: usize = 65_536;

    /// Creates a dataset of `boards` boards. Small datasets, and those as large as the source, do not change between
    /// passes.
    fn new(boards: usize, dataset: impl Fn(usize) -> Dataset) -> Self {
        let fresh = (1024..Self::SOURCE).contains(&boards);
        Self { dataset: dataset(boards), source: fresh.then(|| (dataset(Self::SOURCE), 0)) }
    }

    pub fn len(&self) -> usize {
        self.dataset.len()
    }

    /// Formats the mean numbers of pieces.
    pub fn census(&self) -> String {
        self.all().census()
    }

    /// Compares all results of a group on all boards.
    ///
    /// # Panics
    /// If they differ.
    pub fn check(&self, group: &mut Group) {
        group.check(self.all());
    }

    fn all(&self) -> &Dataset {
        self.source.as_ref().map_or(&self.dataset, |(source, _)| source)
    }

    /// Measures the time of `passes` passes.
    pub fn time(
        &mut self,
        implementation: &mut Implementation,
        reads: Reads,
        passes: u64,
        answers: &mut [AlignedColumn],
    ) -> Duration {
        let Some((source, row)) = &mut self.source else {
            implementation.steps.prepare(&self.dataset);
            let start = Instant::now();
            for _ in 0..passes {
                implementation.steps.run(&self.dataset, answers);
            }
            return start.elapsed();
        };
        let mut time = Duration::ZERO;
        for _ in 0..passes {
            if *row + self.dataset.len() > source.len() {
                *row = 0;
            }
            self.dataset.refill(reads, source, *row);
            *row += self.dataset.len();
            implementation.steps.prepare(&self.dataset);
            let start = Instant::now();
            implementation.steps.run(&self.dataset, answers);
            time += start.elapsed();
        }
        time
    }
}
