//! Many positions, in whichever layout the caller has: rows, columns, or boards that stay sliced.

use core::fmt::Display;
use core::ops::Range;

#[cfg(feature = "std")]
use super::batch::{Batch, Chunk};
use super::state::States;
use crate::backend::Kernel;
use crate::boards::block::{Block, MAX_BOARDS, PositionBlock};
use crate::boards::called;
use crate::dispatch::Level;
use crate::instructions::Instructions;
use crate::legal::State;
use crate::pieces::{Colour, Pieces};

mod from;

/// Many positions, borrowed: the input of every bulk call.
///
/// Rows (slices, arrays and vectors of [`Pieces`]), columns (a [`Pieces`] of slices, arrays or vectors of `u64`, one
/// row per position) and sliced boards (a [`Pieces`] of [`Batch`]) all convert into `Positions`, so bulk calls accept
/// any of them directly. The `with_...` methods add the state of the positions; they panic unless there is one value
/// per position.
///
/// ```
/// use setwise::{Pieces, Positions};
/// let rows = vec![Pieces::START; 3];
/// let columns: Pieces<Vec<u64>> = Pieces::START.map(|set| vec![set; 3]);
/// assert_eq!(Positions::from(&rows).len(), Positions::from(&columns).len());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Positions<'a> {
    source: Source<'a>,
    state: States<'a>,
}

/// The memory layout of the positions.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    Rows(&'a [Pieces]),
    Columns(Pieces<&'a [u64]>),
    #[cfg(feature = "std")]
    Sliced(Sliced<'a>),
}

/// Eight batches, and the range of their rows to use.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
struct Sliced<'a> {
    batches: Pieces<&'a Batch>,
    first: usize,
    rows: usize,
}

impl<'a> Positions<'a> {
    /// Sets the side to move of each position, for columns that [need](crate::Column::needs) it and no more.
    ///
    /// ```
    /// use setwise::{Colour, Column, Fen, Kernel, Positions};
    /// let fen = Fen::parse("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")?;
    /// let mut checkers = [0_u64];
    /// Kernel::detect().fill(
    ///     Positions::from(&[fen.pieces]).with_turns(&[fen.turn]),
    ///     &mut [Column::CHECKERS.to(&mut checkers)],
    /// );
    /// assert_eq!(checkers, [1 << 12]);
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_turns(mut self, turns: &'a [Colour]) -> Self {
        same_length("turns", turns.len(), "positions", self.len());
        self.state.turns = Some(turns);
        self
    }

    /// Sets the side to move, the castling rights and the en passant square of each position, for columns that
    /// [need](crate::Column::needs) all three, or the side to move. [`State::new`] makes a state of its parts.
    #[must_use]
    #[track_caller]
    pub fn with_states(mut self, states: &'a [State]) -> Self {
        same_length("states", states.len(), "positions", self.len());
        self.state.states = Some(states);
        self
    }

    /// Sets the halfmove clock of each position, for [successors](Kernel::write_successors).
    #[must_use]
    #[track_caller]
    pub fn with_halfmoves(mut self, halfmoves: &'a [u32]) -> Self {
        same_length("halfmoves", halfmoves.len(), "positions", self.len());
        self.state.halfmoves = Some(halfmoves);
        self
    }

    /// Promises that all positions are [valid](mod@crate::legal), as successors of valid positions are. Columns may
    /// then skip validation, which takes a quarter of the time of [`LEGAL_COUNT`](crate::Column::LEGAL_COUNT). Results
    /// for invalid positions become unspecified, and their [successors](Kernel::write_successors) may cause a panic.
    #[must_use]
    pub fn known_valid(mut self) -> Self {
        self.state.valid = true;
        self
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.source {
            Source::Rows(rows) => rows.len(),
            Source::Columns(columns) => columns.black.len(),
            #[cfg(feature = "std")]
            Source::Sliced(sliced) => sliced.rows,
        }
    }

    /// Returns whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state that the caller has set.
    pub(super) fn state(&self) -> &States<'a> {
        &self.state
    }

    /// Panics if the positions are batches that were made for another backend.
    #[track_caller]
    pub(crate) fn check(&self, kernel: Kernel) {
        #[cfg(feature = "std")]
        if let Source::Sliced(sliced) = &self.source {
            let made_for = sliced.batches.black.kernel();
            assert!(
                made_for == kernel,
                "the batches were made for {}, but the kernel is {}",
                made_for.backend(),
                kernel.backend()
            );
        }
        let _ = kernel;
    }

    /// A range of the positions.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Self {
        let source = match &self.source {
            Source::Rows(pieces) => Source::Rows(&pieces[rows.clone()]),
            Source::Columns(columns) => {
                Source::Columns((*columns).map(|column| &column[rows.clone()]))
            }
            #[cfg(feature = "std")]
            Source::Sliced(sliced) => {
                assert!(
                    rows.start <= rows.end && rows.end <= sliced.rows,
                    "rows {rows:?} are out of range for {} positions",
                    sliced.rows
                );
                let first = sliced.first + rows.start;
                Source::Sliced(Sliced { first, rows: rows.len(), ..*sliced })
            }
        };
        Self { source, state: self.state.rows(rows) }
    }

    /// The positions, if they are stored as rows.
    pub(super) fn in_rows(&self) -> Option<&'a [Pieces]> {
        match self.source {
            Source::Rows(rows) => Some(rows),
            _ => None,
        }
    }

    /// Copies the positions to `rows`, which must have the same length.
    pub(crate) fn copy_to_rows(&self, rows: &mut [Pieces]) {
        match &self.source {
            Source::Rows(from) => rows.copy_from_slice(from),
            Source::Columns(columns) => {
                // One length, so that nothing is checked for each row.
                let columns = (*columns).map(|column| &column[..rows.len()]);
                for (row, pieces) in rows.iter_mut().enumerate() {
                    *pieces = columns.map(|column| column[row]);
                }
            }
            #[cfg(feature = "std")]
            Source::Sliced(sliced) => {
                let mut columns = Pieces::from_sets([[0; MAX_BOARDS]; 8]);
                for (row, pieces) in (sliced.first..).zip(&mut *rows) {
                    if row == sliced.first || row % MAX_BOARDS == 0 {
                        columns = sliced.batches.map(|batch| batch.chunk(row / MAX_BOARDS));
                    }
                    *pieces = columns.each_ref().map(|column| column[row % MAX_BOARDS]);
                }
            }
        }
    }

    /// The side to move in each position, if [set](Self::with_turns).
    #[must_use]
    pub fn turns(&self) -> Option<&'a [Colour]> {
        self.state.turns
    }

    /// A range of at most [`MAX_BOARDS`] positions as rows, for code that works on one position at a time: borrowed if
    /// they are rows already, otherwise copied to `scratch`, which is `None` until it is needed. Batches are copied fastest
    /// if the range starts at a multiple of `MAX_BOARDS`.
    ///
    /// # Panics
    /// If the range is longer than `MAX_BOARDS`, or ends past the last position.
    #[inline(always)]
    pub fn as_rows<'b, L: Level>(
        &'b self,
        _level: L,
        rows: Range<usize>,
        scratch: &'b mut Option<[Pieces; MAX_BOARDS]>,
    ) -> &'b [Pieces] {
        if let Some(pieces) = self.in_rows() {
            return &pieces[rows];
        }
        let scratch = scratch.get_or_insert_with(|| [Pieces::EMPTY; MAX_BOARDS]);
        let scratch = &mut scratch[..rows.len()];
        match &self.source {
            Source::Columns(columns) => {
                let (eights, rest) = scratch.as_chunks_mut();
                let mut at = rows.start;
                for eight in eights {
                    let columns =
                        (*columns).map(|column| column[at..].first_chunk().expect("eight rows"));
                    *eight = L::Position::rows(columns);
                    at += 8;
                }
                for pieces in rest {
                    *pieces = (*columns).map(|column| column[at]);
                    at += 1;
                }
            }
            _ => self.rows(rows).copy_to_rows(scratch),
        }
        scratch
    }

    /// The number of rows that a kernel can load in blocks of `boards`. A block of rows or columns may start anywhere,
    /// so all of them can be loaded if there are enough for one block. Batches are loaded in whole blocks only.
    pub(crate) fn in_blocks(&self, boards: usize) -> usize {
        match &self.source {
            #[cfg(feature = "std")]
            Source::Sliced(sliced) => sliced.rows / boards * boards,
            _ if self.len() < boards => 0,
            _ => self.len(),
        }
    }

    /// Pads the positions to a whole block with the empty ones in `scratch`.
    pub(crate) fn padded<'b>(
        &self,
        scratch: &'b mut [Pieces; MAX_BOARDS],
        boards: usize,
    ) -> Positions<'b> {
        self.copy_to_rows(&mut scratch[..self.len()]);
        Positions { source: Source::Rows(&scratch[..boards]), state: States::default() }
    }

    /// Loads the block of positions that starts at row `at`.
    #[inline(always)]
    pub(crate) fn load<B: Block>(&self, at: usize) -> Pieces<B> {
        load_block(self, at)
    }
}

called! {
    fn load_block<'a, B: Block>(positions: &'a Positions<'a>, at: usize) -> Pieces<B> {
        match &positions.source {
            Source::Rows(pieces) => B::load_pieces(&pieces[at..at + B::COUNT]),
            Source::Columns(columns) => {
                let [a, b, c, d, e, f, g, h] = columns.sets();
                Pieces::from_sets([
                    load(a, at), load(b, at), load(c, at), load(d, at),
                    load(e, at), load(f, at), load(g, at), load(h, at),
                ])
            }
            #[cfg(feature = "std")]
            Source::Sliced(sliced) => {
                let ([a, b, c, d, e, f, g, h], at) = (sliced.batches.sets(), sliced.first + at);
                Pieces::from_sets([
                    load_sliced(a, at), load_sliced(b, at), load_sliced(c, at), load_sliced(d, at),
                    load_sliced(e, at), load_sliced(f, at), load_sliced(g, at), load_sliced(h, at),
                ])
            }
        }
    }
}

impl Positions<'_> {
    /// The block of positions that starts at row `at`, as rows or columns. Batches are copied to columns in `scratch`.
    #[inline(always)]
    pub(crate) fn block<'b, B: Block>(
        &'b self,
        at: usize,
        scratch: &'b mut [[u64; MAX_BOARDS]; 8],
    ) -> PositionBlock<'b> {
        let (mut sets, at) = match &self.source {
            Source::Rows(pieces) => return PositionBlock::Rows(&pieces[at..at + B::COUNT]),
            Source::Columns(columns) => (columns.sets(), at),
            #[cfg(feature = "std")]
            Source::Sliced(sliced) => {
                let row = sliced.first + at;
                *scratch = sliced.batches.sets().map(|batch| batch.chunk(row / MAX_BOARDS));
                (scratch.each_ref().map(|column| &column[..]), row % MAX_BOARDS)
            }
        };
        let _ = scratch;
        let mut set = 0;
        while set < 8 {
            sets[set] = &sets[set][at..at + B::COUNT];
            set += 1;
        }
        PositionBlock::Columns(sets)
    }
}

/// Loads the boards of a column that start at row `at`.
#[inline(always)]
pub(crate) fn load<B: Block>(column: &[u64], at: usize) -> B {
    B::load(&column[at..at + B::COUNT])
}

/// Loads the block of a batch that starts at row `at`.
#[cfg(feature = "std")]
#[inline(always)]
fn load_sliced<B: Block>(batch: &Batch, at: usize) -> B {
    B::load_sliced(Chunk::block(batch.chunks(), at, B::COUNT))
}

/// Panics if a column does not have the expected length.
#[inline(always)]
#[track_caller]
pub(crate) fn same_length(column: impl Display, length: usize, model: &str, expected: usize) {
    if length != expected {
        wrong_length(column, length, model, expected);
    }
}

/// Not inlined, so that callers do not set up the arguments of the message.
#[cold]
#[inline(never)]
#[track_caller]
fn wrong_length(column: impl Display, length: usize, model: &str, expected: usize) -> ! {
    panic!("column `{column}` has {length} rows, but column `{model}` has {expected}");
}
