//! Boards that stay sliced: asked several questions, transposed once.
//!
//! The kernels behind `avx2`, `avx512` and their like want rank `k` of many boards in one register, and a
//! column of `u64` has to be transposed into that form and back. That takes 24 to 32 operations a column
//! for each block: for the union of sliders on `avx512-gfni`, 96 operations of 254 (see `sliced.rs`).
//!
//! A [`Batch`] keeps boards in the sliced form and pays for the way in once. It is worth having from the second
//! question on the same boards, or for boards that are asked about again and again, as in a training set
//! that stays in memory. For a single pass over columns the calls of [`Kernel`] do the same work and need
//! no second copy.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::backend::{Kernel, Task};
use crate::bitboard::Direction;
use crate::boards::Boards;
use crate::bulk::MOST_BOARDS;

/// A column of boards in the form that a kernel works on.
///
/// The memory is aligned to 64 bytes and holds 8 bytes a board, in whole blocks of 64 boards; boards past
/// the end are empty. Batches that meet in a call must have been made for the same backend.
///
/// ```
/// use setwise::{Batch, Kernel};
/// let kernel = Kernel::detect();
/// let rooks = Batch::from_column(kernel, &[1; 100]);
/// let empty = Batch::new(kernel, 100);
/// let mut attacks = Batch::new(kernel, 100);
/// attacks.slider_attacks(&empty, &rooks, &empty);
/// assert_eq!(attacks.get(99), 0x0101_0101_0101_01fe);
/// ```
#[derive(Clone)]
pub struct Batch {
    kernel: Kernel,
    rows: usize,
    blocks: Vec<Block>,
}

/// 64 boards, in one or more blocks of the kernel's.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Block([u64; MOST_BOARDS]);

impl Batch {
    /// Empty boards.
    #[must_use]
    pub fn new(kernel: Kernel, rows: usize) -> Self {
        let blocks = vec![Block([0; MOST_BOARDS]); rows.div_ceil(MOST_BOARDS)];
        Self { kernel, rows, blocks }
    }

    /// The boards of a column, a1 = bit 0.
    #[must_use]
    pub fn from_column(kernel: Kernel, column: &[u64]) -> Self {
        let mut batch = Self::new(kernel, column.len());
        for (block, rows) in batch.blocks.iter_mut().zip(column.chunks(MOST_BOARDS)) {
            block.0[..rows.len()].copy_from_slice(rows);
        }
        kernel.run(Slice { blocks: &mut batch.blocks });
        batch
    }

    /// How many boards there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The kernel the batch was made for.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// One of the boards. Eight bytes from eight places: for filling and looking, not for loops over all.
    ///
    /// # Panics
    /// If `row` is not below [`len`](Self::len).
    #[must_use]
    pub fn get(&self, row: usize) -> u64 {
        assert!(row < self.rows, "row {row} of a batch of {} boards", self.rows);
        let block = &self.blocks[row / MOST_BOARDS].0;
        self.kernel.run(Get { block, row: row % MOST_BOARDS })
    }

    /// Replaces one of the boards.
    ///
    /// # Panics
    /// If `row` is not below [`len`](Self::len).
    ///
    /// ```
    /// use setwise::{Batch, Kernel};
    /// let mut batch = Batch::new(Kernel::detect(), 70);
    /// batch.set(69, 0x8100_0000_0000_0081);
    /// assert_eq!(batch.get(69), 0x8100_0000_0000_0081);
    /// assert_eq!(batch.get(68), 0);
    /// ```
    pub fn set(&mut self, row: usize, board: u64) {
        assert!(row < self.rows, "row {row} of a batch of {} boards", self.rows);
        let block = &mut self.blocks[row / MOST_BOARDS].0;
        self.kernel.run(Set { block, row: row % MOST_BOARDS, board });
    }

    /// Gives the boards back as a column.
    ///
    /// # Panics
    /// If `column` has another length than the batch.
    ///
    /// ```
    /// use setwise::{Batch, Kernel};
    /// let boards: Vec<u64> = (0..1000).collect();
    /// let batch = Batch::from_column(Kernel::detect(), &boards);
    /// let mut back = vec![0; 1000];
    /// batch.copy_to(&mut back);
    /// assert_eq!(back, boards);
    /// ```
    pub fn copy_to(&self, column: &mut [u64]) {
        assert!(
            column.len() == self.rows,
            "the column has {} rows, but the batch has {}",
            column.len(),
            self.rows
        );
        self.kernel.run(CopyTo { blocks: &self.blocks, column });
    }

    /// Becomes the squares that sliders attack: the union of all eight rays, as
    /// [`Kernel::slider_attacks`] gives it, without a transposition.
    ///
    /// # Panics
    /// If the batches differ in length or were made for different backends.
    pub fn slider_attacks(&mut self, occupied: &Self, orthogonal: &Self, diagonal: &Self) {
        self.same_shape("occupied", occupied);
        self.same_shape("orthogonal", orthogonal);
        self.same_shape("diagonal", diagonal);
        self.kernel.run(SliderAttacks {
            inputs: [&occupied.blocks, &orthogonal.blocks, &diagonal.blocks],
            attacks: &mut self.blocks,
        });
    }

    /// Becomes the rays of sliders in one direction.
    ///
    /// # Panics
    /// If the batches differ in length or were made for different backends.
    ///
    /// ```
    /// use setwise::{bitboard::Direction, Batch, Kernel};
    /// let kernel = Kernel::detect();
    /// let rooks = Batch::from_column(kernel, &[1; 3]);
    /// let mut rays = Batch::new(kernel, 3);
    /// rays.ray(Direction::East, &rooks, &rooks);
    /// assert_eq!(rays.get(2), 0xfe);
    /// ```
    pub fn ray(&mut self, direction: Direction, sliders: &Self, occupied: &Self) {
        self.same_shape("sliders", sliders);
        self.same_shape("occupied", occupied);
        self.kernel.run(Ray {
            direction,
            sliders: &sliders.blocks,
            occupied: &occupied.blocks,
            rays: &mut self.blocks,
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
    blocks: &'a mut [Block],
}

impl Task for Slice<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        for block in self.blocks {
            for boards in block.0.chunks_exact_mut(B::COUNT) {
                B::load(boards).store_sliced(boards);
            }
        }
    }
}

struct CopyTo<'a> {
    blocks: &'a [Block],
    column: &'a mut [u64],
}

impl Task for CopyTo<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        for (block, column) in self.blocks.iter().zip(self.column.chunks_mut(MOST_BOARDS)) {
            let mut boards = [0; MOST_BOARDS];
            let whole = column.len() == MOST_BOARDS;
            let to = if whole { &mut *column } else { &mut boards[..] };
            for (from, to) in block.0.chunks_exact(B::COUNT).zip(to.chunks_exact_mut(B::COUNT)) {
                B::load_sliced(from).store(to);
            }
            if !whole {
                column.copy_from_slice(&boards[..column.len()]);
            }
        }
    }
}

struct Get<'a> {
    block: &'a [u64; MOST_BOARDS],
    row: usize,
}

impl Task for Get<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<B: Boards>(self) -> u64 {
        B::get(&self.block[self.row / B::COUNT * B::COUNT..][..B::COUNT], self.row % B::COUNT)
    }
}

struct Set<'a> {
    block: &'a mut [u64; MOST_BOARDS],
    row: usize,
    board: u64,
}

impl Task for Set<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        let boards = &mut self.block[self.row / B::COUNT * B::COUNT..][..B::COUNT];
        B::set(boards, self.row % B::COUNT, self.board);
    }
}

struct SliderAttacks<'a> {
    inputs: [&'a [Block]; 3],
    attacks: &'a mut [Block],
}

impl Task for SliderAttacks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        let [occupied, orthogonal, diagonal] = self.inputs;
        let inputs = occupied.iter().zip(orthogonal).zip(diagonal);
        for (((occupied, orthogonal), diagonal), attacks) in inputs.zip(self.attacks) {
            let mut at = 0;
            while at < MOST_BOARDS {
                let rows = at..at + B::COUNT;
                B::slider_attacks(
                    B::load_sliced(&occupied.0[rows.clone()]),
                    B::load_sliced(&orthogonal.0[rows.clone()]),
                    B::load_sliced(&diagonal.0[rows.clone()]),
                )
                .store_sliced(&mut attacks.0[rows]);
                at += B::COUNT;
            }
        }
    }
}

struct Ray<'a> {
    direction: Direction,
    sliders: &'a [Block],
    occupied: &'a [Block],
    rays: &'a mut [Block],
}

impl Task for Ray<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        for ((sliders, occupied), rays) in self.sliders.iter().zip(self.occupied).zip(self.rays) {
            let mut at = 0;
            while at < MOST_BOARDS {
                let sliders = B::load_sliced(&sliders.0[at..at + B::COUNT]);
                let occupied = B::load_sliced(&occupied.0[at..at + B::COUNT]);
                sliders.ray(self.direction, occupied).store_sliced(&mut rays.0[at..at + B::COUNT]);
                at += B::COUNT;
            }
        }
    }
}
