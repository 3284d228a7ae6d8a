//! Boards that differ at every pass, for batches that stay in the cache.
//!
//! Over the same 4,096 boards again and again, a processor learns by heart when each loop over men ends,
//! and loops over squares run two or three times as fast as they ever would on boards it has not seen. So
//! the batch is refilled from a larger one before every pass, off the clock.

use std::time::{Duration, Instant};

use crate::support::columns::Column;
use crate::support::contenders::{Contender, Group};
use crate::support::inputs::{Batch, Input, Reads};

/// A batch to work on.
pub struct Work {
    batch: Batch,
    /// Where other boards come from, and the row at which they come next.
    source: Option<(Batch, usize)>,
}

impl Work {
    /// As many rows as it takes to forget the first of them.
    const SOURCE: usize = 65_536;

    /// So many boards. Batches too small for the clock and those that are as large as the source are
    /// the same at every pass.
    pub fn new(input: Input, boards: usize) -> Self {
        let fresh = (1024..Self::SOURCE).contains(&boards);
        Self {
            batch: Batch::new(input.positions(boards)),
            source: fresh.then(|| (Batch::new(input.positions(Self::SOURCE)), 0)),
        }
    }

    /// A batch that is the same at every pass.
    pub fn fixed(batch: Batch) -> Self {
        Self { batch, source: None }
    }

    pub fn len(&self) -> usize {
        self.batch.len()
    }

    /// How crowded the boards are, in words.
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

    fn all(&self) -> &Batch {
        self.source.as_ref().map_or(&self.batch, |(source, _)| source)
    }

    /// How long so many passes take.
    pub fn time(
        &mut self,
        contender: &Contender,
        reads: Reads,
        passes: u64,
        answers: &mut [Column],
    ) -> Duration {
        let Some((source, row)) = &mut self.source else {
            (contender.prepare)(&self.batch);
            let start = Instant::now();
            for _ in 0..passes {
                (contender.run)(&self.batch, answers);
            }
            return start.elapsed();
        };
        let mut time = Duration::ZERO;
        for _ in 0..passes {
            if *row + self.batch.len() > source.len() {
                *row = 0;
            }
            self.batch.refill(reads, source, *row);
            *row += self.batch.len();
            (contender.prepare)(&self.batch);
            let start = Instant::now();
            (contender.run)(&self.batch, answers);
            time += start.elapsed();
        }
        time
    }
}
