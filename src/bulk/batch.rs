//! Boards that stay sliced: transposed once, used many times.
//!
//! A transpose takes 24 to 32 operations per column and block. The union of sliders on `avx512-gfni` takes 272
//! operations, of which transposes are 120 (`boards/sliced.rs`).

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::backend::Kernel;
use crate::bitboard::Direction;
use crate::boards::Boards;
use crate::boards::block::{Block, MAX_BOARDS};
use crate::dispatch::{Level, Task};
use crate::pieces::Pieces;

/// A column of boards in the kernels' own layout, so that calls need no transpose.
///
/// It pays off when the same boards are used more than once, for example in a training set that stays in memory. For a
/// single pass over columns, the calls of [`Kernel`] do the same work without a second copy.
///
/// Eight batches, one for each set of pieces, hold positions ([`positions`](Self::positions)); all bulk calls accept
/// them. A batch uses 8 bytes per board, in chunks of 64 boards aligned to 64 bytes; boards past the end are empty. A
/// call panics unless all of its batches have the same length and were made for the same backend.
///
/// ```
/// use setwise::{Batch, Kernel};
/// let kernel = Kernel::detect();
/// let rooks = Batch::from_column(kernel, &[1; 100]);
/// let empty = Batch::new(kernel, 100);
/// let mut attacks = Batch::new(kernel, 100);
/// attacks.slider_attacks(&rooks, &empty, &empty);
/// assert_eq!(attacks.get(99), 0x0101_0101_0101_01fe);
/// ```
#[derive(Clone)]
pub struct Batch {
    kernel: Kernel,
    rows: usize,
    chunks: Vec<Chunk>,
}

/// 64 boards: one or more blocks of the kernel.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Chunk([u64; MAX_BOARDS]);

impl Chunk {
    /// The words of a block: `boards` rows, starting at `row`.
    #[inline(always)]
    pub(crate) fn block(chunks: &[Self], row: usize, boards: usize) -> &[u64] {
        &chunks[row / MAX_BOARDS].0[row % MAX_BOARDS..][..boards]
    }
}

impl Batch {
    /// Creates a batch of empty boards.
    #[must_use]
    pub fn new(kernel: Kernel, rows: usize) -> Self {
        let chunks = vec![Chunk([0; MAX_BOARDS]); rows.div_ceil(MAX_BOARDS)];
        Self { kernel, rows, chunks }
    }

    /// Creates a batch from a column of boards, a1 = bit 0.
    #[must_use]
    pub fn from_column(kernel: Kernel, column: &[u64]) -> Self {
        let mut batch = Self::new(kernel, column.len());
        for (chunk, rows) in batch.chunks.iter_mut().zip(column.chunks(MAX_BOARDS)) {
            chunk.0[..rows.len()].copy_from_slice(rows);
        }
        kernel.run_without_gfni(Slice { chunks: &mut batch.chunks });
        batch
    }

    /// Transposes positions once, into one batch for each of the eight sets.
    ///
    /// ```
    /// use setwise::{Batch, Column, Kernel, ColumnKind, Pieces};
    /// let kernel = Kernel::detect();
    /// let positions = Batch::positions(kernel, &[Pieces::START; 100]);
    /// let mut attacked = [0_u64; 100];
    /// kernel.fill(&positions, &mut [Column::white(ColumnKind::All).to(&mut attacked)]);
    /// assert_eq!(attacked[99], 0x0000_0000_00ff_ff7e);
    /// ```
    #[must_use]
    pub fn positions(kernel: Kernel, positions: &[Pieces]) -> Pieces<Self> {
        let mut column = vec![0; positions.len()];
        Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7]).map(|set: usize| {
            for (board, pieces) in column.iter_mut().zip(positions) {
                *board = pieces.sets()[set];
            }
            Self::from_column(kernel, &column)
        })
    }

    /// The chunks that hold the boards.
    pub(crate) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The number of boards.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns whether the batch is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The kernel the batch was made for.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Returns one board; panics if `row` is out of bounds. This transposes the 64 boards of a chunk, so use
    /// [`copy_to`](Self::copy_to) to read all boards.
    #[must_use]
    #[track_caller]
    pub fn get(&self, row: usize) -> u64 {
        assert!(row < self.rows, "row {row} is out of range for {} boards", self.rows);
        self.chunk(row / MAX_BOARDS)[row % MAX_BOARDS]
    }

    /// Replaces one board; panics if `row` is out of bounds.
    #[track_caller]
    pub fn set(&mut self, row: usize, board: u64) {
        assert!(row < self.rows, "row {row} is out of range for {} boards", self.rows);
        let mut boards = self.chunk(row / MAX_BOARDS);
        boards[row % MAX_BOARDS] = board;
        let chunk = &mut self.chunks[row / MAX_BOARDS];
        *chunk = Chunk(boards);
        self.kernel.run_without_gfni(Slice { chunks: core::slice::from_mut(chunk) });
    }

    /// Transposes a chunk back to boards.
    pub(super) fn chunk(&self, chunk: usize) -> [u64; MAX_BOARDS] {
        let mut boards = [0; MAX_BOARDS];
        let chunks = core::slice::from_ref(&self.chunks[chunk]);
        self.kernel.run_without_gfni(CopyTo { chunks, column: &mut boards });
        boards
    }

    /// Copies the boards back to a column.
    ///
    /// # Panics
    /// If the lengths of `column` and the batch differ.
    #[track_caller]
    pub fn copy_to(&self, column: &mut [u64]) {
        assert!(
            column.len() == self.rows,
            "the column has {} rows, but the batch has {}",
            column.len(),
            self.rows
        );
        self.kernel.run_without_gfni(CopyTo { chunks: &self.chunks, column });
    }

    /// Sets the batch to the squares that sliders attack: the union of all eight rays, as in
    /// [`Kernel::slider_attacks`], but without a transpose.
    #[track_caller]
    pub fn slider_attacks(&mut self, orthogonal: &Self, diagonal: &Self, occupied: &Self) {
        self.same_shape("occupied", occupied);
        self.same_shape("orthogonal", orthogonal);
        self.same_shape("diagonal", diagonal);
        self.kernel.run(SliderAttacks {
            inputs: [&occupied.chunks, &orthogonal.chunks, &diagonal.chunks],
            attacks: &mut self.chunks,
        });
    }

    /// Sets the batch to the rays of sliders in one direction.
    #[track_caller]
    pub fn ray(&mut self, direction: Direction, sliders: &Self, occupied: &Self) {
        self.same_shape("sliders", sliders);
        self.same_shape("occupied", occupied);
        self.kernel.run(Ray {
            direction,
            sliders: &sliders.chunks,
            occupied: &occupied.chunks,
            rays: &mut self.chunks,
        });
    }

    #[track_caller]
    fn same_shape(&self, name: &str, other: &Self) {
        assert!(
            other.rows == self.rows,
            "batch `{name}` has {} rows, but the result has {}",
            other.rows,
            self.rows
        );
        assert!(
            other.kernel == self.kernel,
            "batch `{name}` was made for {}, but the result for {}",
            other.kernel.backend(),
            self.kernel.backend()
        );
    }
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch")
            .field("kernel", &self.kernel)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

struct Slice<'a> {
    chunks: &'a mut [Chunk],
}

impl Task for Slice<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        for block in self.chunks {
            for boards in block.0.chunks_exact_mut(L::BOARDS) {
                L::Boards::load(boards).store_sliced(boards);
            }
        }
    }
}

struct CopyTo<'a> {
    chunks: &'a [Chunk],
    column: &'a mut [u64],
}

impl Task for CopyTo<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        for (block, column) in self.chunks.iter().zip(self.column.chunks_mut(MAX_BOARDS)) {
            let mut boards = [0; MAX_BOARDS];
            let is_full = column.len() == MAX_BOARDS;
            let to = if is_full { &mut *column } else { &mut boards[..] };
            for (from, to) in block.0.chunks_exact(L::BOARDS).zip(to.chunks_exact_mut(L::BOARDS)) {
                L::Boards::load_sliced(from).store(to);
            }
            if !is_full {
                column.copy_from_slice(&boards[..column.len()]);
            }
        }
    }
}

struct SliderAttacks<'a> {
    inputs: [&'a [Chunk]; 3],
    attacks: &'a mut [Chunk],
}

impl Task for SliderAttacks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let [occupied, orthogonal, diagonal] = self.inputs;
        let inputs = occupied.iter().zip(orthogonal).zip(diagonal);
        for (((occupied, orthogonal), diagonal), attacks) in inputs.zip(self.attacks) {
            let mut at = 0;
            while at < MAX_BOARDS {
                let rows = at..at + L::BOARDS;
                L::Boards::slider_attacks(
                    L::Boards::load_sliced(&orthogonal.0[rows.clone()]),
                    L::Boards::load_sliced(&diagonal.0[rows.clone()]),
                    L::Boards::load_sliced(&occupied.0[rows.clone()]),
                )
                .store_sliced(&mut attacks.0[rows]);
                at += L::BOARDS;
            }
        }
    }
}

struct Ray<'a> {
    direction: Direction,
    sliders: &'a [Chunk],
    occupied: &'a [Chunk],
    rays: &'a mut [Chunk],
}

impl Task for Ray<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        for ((sliders, occupied), rays) in self.sliders.iter().zip(self.occupied).zip(self.rays) {
            let mut at = 0;
            while at < MAX_BOARDS {
                let sliders = L::Boards::load_sliced(&sliders.0[at..at + L::BOARDS]);
                let occupied = L::Boards::load_sliced(&occupied.0[at..at + L::BOARDS]);
                sliders.ray(self.direction, occupied).store_sliced(&mut rays.0[at..at + L::BOARDS]);
                at += L::BOARDS;
            }
        }
    }
}
