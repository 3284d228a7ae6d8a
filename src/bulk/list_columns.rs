//! Columns that are lists, computed one position at a time.

use super::lists::{Lists, ThreatLists};
use super::positions::Positions;
use super::request::Buffer;
use super::state::RowState;
use crate::backend::Kernel;
use crate::boards::block::MAX_BOARDS;
use crate::columns::Kind;
use crate::dispatch::{Level, Task};
use crate::instructions::Instructions;
use crate::pieces::Pieces;
use crate::threats::extractor::Extractor;
use crate::threats::features::FeatureError;
use crate::threats::pairs::{BUFFER, Sets, Threat};

impl Kernel {
    /// Writes the threats of every position: the pairs of a piece and an occupied square that it attacks, one list for
    /// each position. The previous contents of `lists` are replaced. The module [`threats`](crate::threats) defines the
    /// order of a list.
    ///
    /// The lists grow as needed and keep their allocation between calls.
    ///
    /// # Panics
    /// If the positions are batches that were made for another backend.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces, ThreatLists};
    /// let positions = vec![Pieces::START; 1000];
    /// let mut lists = ThreatLists::new();
    /// Kernel::detect().threats(&positions, &mut lists);
    /// let offsets = lists.offsets();
    /// let last = &lists.items()[offsets[999]..offsets[1000]];
    /// assert!(last.iter().any(|threat| (threat.from(), threat.to()) == (1, 11))); // b1 defends d2
    /// ```
    #[track_caller]
    pub fn threats<'a>(self, positions: impl Into<Positions<'a>>, lists: &mut ThreatLists) {
        let positions = positions.into();
        positions.check(self);
        self.lists::<Threats>(positions, lists, None);
    }

    /// One column of lists.
    fn lists<L: PositionList>(
        self,
        positions: Positions<'_>,
        lists: &mut Lists<L::Item>,
        validity: Option<&mut [bool]>,
    ) {
        lists.start(positions.len());
        let to = BulkLists::<L> { positions, lists, validity };
        let _no_error = self.run(OnBlocks(positions, to));
    }
}

/// What to do with each block of positions.
///
/// A trait and not a closure: its one method can be `#[inline(always)]`, and so becomes part of the function that
/// enables the backend's instructions. (A closure was not inlined: 343 ns a position instead of 20.)
pub(super) trait Each {
    /// Processes the positions that start at a row.
    fn block<I: Instructions>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError>;
}

/// How many rows are processed together. A step should not read at once what the previous step has just written to
/// memory.
pub(super) const BLOCK: usize = 16;

/// Each block of many positions, until an error.
pub(super) struct OnBlocks<'a, E>(pub(super) Positions<'a>, pub(super) E);

impl<E: Each> Task for OnBlocks<'_, E> {
    type Output = Result<(), FeatureError>;

    #[inline(always)]
    fn run<L: Level>(self, _level: L) -> Result<(), FeatureError> {
        each::<L::Position>(self.0, self.1)
    }
}

/// Runs `each` on all positions, until an error.
///
/// Columns and batches are converted to rows 64 at a time. If they were converted one row at a time, vectors would read
/// them right after words were written, and would wait until the words have reached the cache.
#[inline(always)]
fn each<I: Instructions>(
    positions: Positions<'_>,
    mut each: impl Each,
) -> Result<(), FeatureError> {
    let rows = positions.len();
    let mut scratch = [Pieces::EMPTY; MAX_BOARDS];
    let mut at = 0;
    while at < rows {
        let end = rows.min(at + MAX_BOARDS);
        for block in positions.as_rows::<I>(at..end, &mut scratch).chunks(BLOCK) {
            each.block::<I>(at, block)?;
            at += block.len();
        }
    }
    Ok(())
}

/// A column of lists that is computed one position at a time.
trait PositionList {
    /// The type of the items.
    type Item: Copy + Default;

    /// Writes a position's list to the front of a buffer and returns its length; none if the position has no value.
    fn list<I: Instructions>(
        pieces: &Pieces,
        state: RowState<'_>,
        buffer: &mut [Self::Item; BUFFER],
    ) -> Option<usize>;
}

struct Threats;

impl PositionList for Threats {
    type Item = Threat;

    #[inline(always)]
    fn list<I: Instructions>(
        pieces: &Pieces,
        _: RowState<'_>,
        buffer: &mut [Threat; BUFFER],
    ) -> Option<usize> {
        Some(I::Extractor::pairs(Sets::of(pieces), buffer))
    }
}

struct LegalMoves;

impl PositionList for LegalMoves {
    type Item = u16;

    #[inline(always)]
    fn list<I: Instructions>(
        pieces: &Pieces,
        state: RowState<'_>,
        buffer: &mut [u16; BUFFER],
    ) -> Option<usize> {
        I::legal(pieces, state.get()).map(|legal| legal.write_moves(buffer))
    }
}

/// Fills a column of lists, whose buffer has been checked.
pub(super) fn fill(
    kernel: Kernel,
    positions: Positions<'_>,
    kind: Kind,
    buffer: &mut Buffer<'_>,
    validity: Option<&mut [bool]>,
) {
    let Buffer::ListU16(lists) = buffer else { unreachable!("the type was checked") };
    if kind == Kind::LegalMoves {
        return kernel.lists::<LegalMoves>(positions, lists, validity);
    }
    // The same items in another form: they change their type in place and back.
    let mut threats = core::mem::take(*lists).map(|bits| {
        let [from, to] = bits.to_le_bytes();
        Threat::of(from, to)
    });
    kernel.lists::<Threats>(positions, &mut threats, validity);
    **lists = threats.map(Threat::bits);
}

/// Computes a list for each of many positions.
struct BulkLists<'a, L: PositionList> {
    positions: Positions<'a>,
    lists: &'a mut Lists<L::Item>,
    validity: Option<&'a mut [bool]>,
}

impl<L: PositionList> Each for BulkLists<'_, L> {
    #[inline(always)]
    fn block<I: Instructions>(&mut self, row: usize, block: &[Pieces]) -> Result<(), FeatureError> {
        let Self { positions, lists, validity } = self;
        for (at, pieces) in block.iter().enumerate() {
            let row = row + at;
            let length =
                L::list::<I>(pieces, RowState { states: positions.state(), row }, lists.buffer());
            lists.push(length.unwrap_or(0));
            if let Some(validity) = validity {
                validity[row] = length.is_some();
            }
        }
        Ok(())
    }
}
