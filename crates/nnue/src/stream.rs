//! The pairs of several positions, one list behind the other, with what is looked up for them: so they can be numbered in
//! full vectors, whatever the number of pairs of a position.

use super::numbers::Tables;
use super::pairs::{BUFFER, Threat};

/// How many positions a stream has space for.
pub(crate) const POSITIONS: usize = 16;

/// How many pairs are numbered together.
pub(super) const AT_ONCE: usize = 32;

/// Space for the pairs of usual positions; fewer positions than [`POSITIONS`], if they have more.
const SPACE: usize = 1536 + BUFFER;

/// The pairs of some positions, and what is known of each.
#[repr(C, align(64))]
pub(crate) struct Stream {
    pub(super) pairs: [Threat; SPACE],
    /// What attacks in the low byte, what is attacked in the high one.
    pub(super) both: [u16; SPACE],
    /// Where the places are looked up.
    pub(super) indices: [u16; SPACE],
    pub(super) places: [u32; SPACE],
    /// How many inputs each perspective has before each vector of pairs, and which of the vector's pairs have one.
    pub(super) ranks: [[Rank; 2]; SPACE / AT_ONCE + 1],
    /// Where the pairs of each position begin, and where the last ones end.
    pub(super) starts: [usize; POSITIONS + 1],
    positions: usize,
}

/// Inputs that are counted before a vector of pairs, and a mask of those in it.
#[derive(Clone, Copy)]
pub(super) struct Rank {
    pub(super) before: u32,
    pub(super) kept: u32,
}

impl Stream {
    pub(crate) const fn new() -> Self {
        Self {
            pairs: [Threat::of(0, 0); SPACE],
            both: [0; SPACE],
            indices: [0; SPACE],
            places: [0; SPACE],
            ranks: [[Rank { before: 0, kept: 0 }; 2]; SPACE / AT_ONCE + 1],
            starts: [0; POSITIONS + 1],
            positions: 0,
        }
    }

    /// Removes all pairs.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.positions = 0;
    }

    /// How many positions there are.
    #[inline(always)]
    pub(crate) fn positions(&self) -> usize {
        self.positions
    }

    /// How many pairs there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.starts[self.positions]
    }

    /// Whether there is space for another position.
    #[inline(always)]
    pub(crate) fn has_space(&self) -> bool {
        self.positions < POSITIONS && self.len() + BUFFER <= SPACE
    }

    /// The buffer for the pairs of another position, if there is space.
    #[inline(always)]
    pub(crate) fn buffer(&mut self) -> &mut [Threat; BUFFER] {
        let len = self.len();
        self.pairs[len..].first_chunk_mut().expect("there is space for a position")
    }

    /// Adds a position, whose pairs are the first ones in the buffer.
    #[inline(always)]
    pub(crate) fn push(&mut self, count: usize) {
        let len = self.len();
        self.positions += 1;
        self.starts[self.positions] = len + count;
    }

    /// How many inputs each perspective has of the positions up to one.
    #[inline(always)]
    pub(crate) fn end(&self, position: usize) -> [usize; 2] {
        let end = self.starts[position + 1];
        let below = (1 << (end % AT_ONCE)) - 1;
        let [white, black] = self.ranks[end / AT_ONCE];
        [white.below(below), black.below(below)]
    }
}

impl Rank {
    /// The inputs up to some of the vector's pairs.
    #[inline(always)]
    fn below(self, mask: u32) -> usize {
        (self.before + (self.kept & mask).count_ones()) as usize
    }
}

/// Whether numbers of 16 bits hold the inputs of a block.
#[inline(always)]
pub(crate) fn is_narrow(tables: &Tables) -> bool {
    tables.half <= 1 << 15
}
