//! Boards that differ at every pass, for datasets that stay in the cache.
//!
//! On the same 4,096 boards at every pass, a branch predictor learns when each loop over pieces ends, and loops
//! over squares run two or three times as fast as on boards it has not seen. So the dataset is refilled from a
//! larger one before every pass, off the clock.

use std::time::{Duration, Instant};

use crate::support::columns::AlignedColumn;
use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Input, Reads};

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
    pub fn new(input: Input, boards: usize) -> Self {
        let fresh = (1024..Self::SOURCE).contains(&boards);
        Self {
            dataset: Dataset::new(input.positions(boards)),
            source: fresh.then(|| (Dataset::new(input.positions(Self::SOURCE)), 0)),
        }
    }

    /// So many positions of games, with their states and boards.
    pub fn games(boards: usize) -> Self {
        let fresh = (1024..Self::SOURCE).contains(&boards);
        Self {
            dataset: Dataset::games(boards),
            source: fresh.then(|| (Dataset::games(Self::SOURCE), 0)),
        }
    }

    pub fn len(&self) -> usize {
        self.dataset.len()
    }

    /// How many pieces the boards have, in words.
    pub fn census(&self) -> String {
        self.all().census()
    }

    /// Compares all answers of a group on all boards with the reference.
    ///
    /// # Panics
    /// If one is wrong.
    pub fn check(&self, group: &Group) {
        group.check(self.all());
    }

    fn all(&self) -> &Dataset {
        self.source.as_ref().map_or(&self.dataset, |(source, _)| source)
    }

    /// How long `passes` passes take.
    pub fn time(
        &mut self,
        implementation: &Implementation,
        reads: Reads,
        passes: u64,
        answers: &mut [AlignedColumn],
    ) -> Duration {
        let Some((source, row)) = &mut self.source else {
            (implementation.prepare)(&self.dataset);
            let start = Instant::now();
            for _ in 0..passes {
                (implementation.run)(&self.dataset, answers);
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
            (implementation.prepare)(&self.dataset);
            let start = Instant::now();
            (implementation.run)(&self.dataset, answers);
            time += start.elapsed();
        }
        time
    }
}
