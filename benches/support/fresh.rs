//! Boards that differ at every pass, for datasets that stay in the cache.
//!
//! On the same 4,096 boards at every pass, a branch predictor learns when each loop over pieces ends, and loops
//! over squares run two or three times as fast as on boards it has not seen. So the dataset is refilled from a
//! larger one before every pass, off the clock.

use std::time::{Duration, Instant};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Input, Reads};

/// Boards that no cache holds.
const IN_MEMORY: usize = 1 << 19;

/// The boards of all groups, made when the first group needs them.
pub struct Boards {
    input: Input,
    boards: usize,
    /// In the cache, of games, and in memory.
    works: [Option<Work>; 3],
}

impl Boards {
    /// `boards` boards for each group, except those that measure memory.
    pub fn new(input: Input, boards: usize) -> Self {
        Self { input, boards, works: [None, None, None] }
    }

    /// Those of a group, with the name of the input.
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

/// A dataset to work on.
pub struct Work {
    dataset: Dataset,
    /// Where other boards come from, and the row at which they come next.
    source: Option<(Dataset, usize)>,
}

impl Work {
    /// Enough rows for the branch predictor to forget the first of them.
    const SOURCE: usize = 65_536;

    /// `boards` boards. Datasets too small for the clock, and those as large as the source, are the same at every
    /// pass.
    fn new(boards: usize, dataset: impl Fn(usize) -> Dataset) -> Self {
        let fresh = (1024..Self::SOURCE).contains(&boards);
        Self { dataset: dataset(boards), source: fresh.then(|| (dataset(Self::SOURCE), 0)) }
    }

    pub fn len(&self) -> usize {
        self.dataset.len()
    }

    /// How many pieces the boards have, in words.
    pub fn census(&self) -> String {
        self.all().census()
    }

    /// Compares all answers of a group on all boards.
    ///
    /// # Panics
    /// If they differ.
    pub fn check(&self, group: &mut Group) {
        group.check(self.all());
    }

    fn all(&self) -> &Dataset {
        self.source.as_ref().map_or(&self.dataset, |(source, _)| source)
    }

    /// How long `passes` passes take.
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
