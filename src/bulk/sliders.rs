//! Slider attacks without positions: the union of the rays, or each ray separately.

use super::blocks::padded;
use super::positions::{load, same_length};
use crate::backend::Kernel;
use crate::bitboard::{ByDirection, Direction};
use crate::boards::Boards;
use crate::boards::block::{Block, MAX_BOARDS, next};
use crate::boards::bytes::fence;
use crate::dispatch::{Level, Task};

impl Kernel {
    /// Computes the squares that the sliders of every row attack: the union of all eight rays.
    ///
    /// `orthogonal` holds the sliders along ranks and files, `diagonal` those along diagonals; queens are in both. The
    /// sliders of a set always block each other, whether or not `occupied` contains them. But a bishop blocks a rook
    /// only if `occupied` contains the bishop.
    ///
    /// # Panics
    /// If the slices differ in length; the message names the column.
    ///
    /// ```
    /// use setwise::Kernel;
    /// let rook_on_a1 = [1; 100];
    /// let mut attacks = [0; 100];
    /// Kernel::detect().slider_attacks(&rook_on_a1, &[0; 100], &[0; 100], &mut attacks);
    /// assert_eq!(attacks, [0x0101_0101_0101_01fe; 100]);
    /// ```
    #[inline]
    #[track_caller]
    pub fn slider_attacks(
        self,
        orthogonal: &[u64],
        diagonal: &[u64],
        occupied: &[u64],
        attacks: &mut [u64],
    ) {
        same_length("attacks", attacks.len(), "occupied", occupied.len());
        let sliders = Sliders::new(occupied, orthogonal, diagonal);
        if self.is_small_call(attacks.len()) {
            self.small_slider_attacks(&sliders, attacks);
        } else {
            self.many_slider_attacks(sliders, attacks);
        }
    }

    /// [`slider_attacks`](Self::slider_attacks) in blocks. Not inlined, so that a small call need not save the
    /// registers that this one uses.
    #[inline(never)]
    fn many_slider_attacks(self, sliders: Sliders<'_>, attacks: &mut [u64]) {
        let is_large = attacks.len() >= STREAM_FROM;
        self.in_blocks(sliders, [attacks], |sliders, [attacks]| {
            if is_large {
                self.run(SliderAttacks::<true> { sliders, attacks });
            } else {
                self.run(SliderAttacks::<false> { sliders, attacks });
            }
        });
    }

    /// Computes the rays of every row's sliders, with one column for each direction ([`ByDirection`], or an array in
    /// the order of [`Direction::ALL`]). [`slider_attacks`](Self::slider_attacks) computes their union.
    ///
    /// # Panics
    /// If the slices differ in length; the message names the column.
    ///
    /// ```
    /// use setwise::Kernel;
    /// let bishop_on_a1 = [1; 5];
    /// let mut rays = [[0; 5]; 8];
    /// let columns = rays.each_mut().map(|ray| &mut ray[..]);
    /// Kernel::detect().slider_rays(&[0; 5], &bishop_on_a1, &[0; 5], columns);
    /// let [.., north_east, _, _, _] = rays;
    /// assert_eq!(north_east, [0x8040_2010_0804_0200; 5]);
    /// ```
    #[track_caller]
    pub fn slider_rays<'a>(
        self,
        orthogonal: &[u64],
        diagonal: &[u64],
        occupied: &[u64],
        rays: impl Into<ByDirection<&'a mut [u64]>>,
    ) {
        let ByDirection(rays) = rays.into();
        for (direction, ray) in Direction::ALL.iter().zip(&rays) {
            same_length(direction.name(), ray.len(), "occupied", occupied.len());
        }
        self.rays(Sliders::new(occupied, orthogonal, diagonal), rays);
    }

    /// The non-generic part of [`slider_rays`](Self::slider_rays), so that the kernels are compiled once, in this
    /// crate, and not again in every crate that calls them.
    fn rays(self, sliders: Sliders<'_>, rays: [&mut [u64]; 8]) {
        self.in_blocks(sliders, rays, |sliders, rays| self.run(SliderRays { sliders, rays }));
    }

    /// Calls `run` with at least a block of rows: the given columns, or padded copies.
    #[inline(always)]
    fn in_blocks<const COUNT: usize>(
        self,
        sliders: Sliders<'_>,
        columns: [&mut [u64]; COUNT],
        run: impl FnOnce(Sliders<'_>, [&mut [u64]; COUNT]),
    ) {
        let block = self.backend().boards_per_block();
        if sliders.occupied.len() >= block {
            return run(sliders, columns);
        }
        let mut inputs = [[0; MAX_BOARDS]; 3];
        let sliders = sliders.padded(&mut inputs, block);
        padded(&mut columns.map(Some), block, |columns| {
            run(sliders, columns.map(Option::unwrap_or_default))
        });
    }
}

/// Columns with at least this many rows are written with stores that bypass the caches. Smaller columns may still be in
/// the cache when they are read; larger ones would only evict other data. (For the call alone it pays off earlier: 3 %
/// slower for 32,768 boards, 17 % faster for 131,072, 10 % for a million, 2.7 times as fast for four million.)
const STREAM_FROM: usize = 1 << 20;

/// Stores boards in the rows of a column from `at` on.
#[inline(always)]
fn store<B: Block>(boards: B, column: &mut [u64], at: usize) {
    boards.store(&mut column[at..at + B::COUNT]);
}

/// The input columns.
#[derive(Clone, Copy)]
pub(super) struct Sliders<'a> {
    pub(super) occupied: &'a [u64],
    pub(super) orthogonal: &'a [u64],
    pub(super) diagonal: &'a [u64],
}

impl<'a> Sliders<'a> {
    #[inline(always)]
    #[track_caller]
    fn new(occupied: &'a [u64], orthogonal: &'a [u64], diagonal: &'a [u64]) -> Self {
        same_length("orthogonal", orthogonal.len(), "occupied", occupied.len());
        same_length("diagonal", diagonal.len(), "occupied", occupied.len());
        Self { occupied, orthogonal, diagonal }
    }

    /// The same sliders in columns of `block` rows, padded with empty boards.
    fn padded<'b>(&self, scratch: &'b mut [[u64; MAX_BOARDS]; 3], block: usize) -> Sliders<'b> {
        for (scratch, column) in
            scratch.iter_mut().zip([self.occupied, self.orthogonal, self.diagonal])
        {
            scratch[..column.len()].copy_from_slice(column);
        }
        let [occupied, orthogonal, diagonal] = scratch.each_ref().map(|column| &column[..block]);
        Sliders { occupied, orthogonal, diagonal }
    }
}

/// Computes at least one block of rows, with stores that bypass the caches if `STREAMS` is true. A loop with both kinds
/// of stores is a tenth slower.
struct SliderAttacks<'a, 'b, const STREAMS: bool> {
    sliders: Sliders<'a>,
    attacks: &'b mut [u64],
}

impl<const STREAMS: bool> Task for SliderAttacks<'_, '_, STREAMS> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let Self { sliders: Sliders { occupied, orthogonal, diagonal }, attacks: column } = self;
        if !STREAMS {
            return L::Boards::unions([occupied, orthogonal, diagonal], column);
        }
        // The number of rows before the first whole cache line.
        let line = column.as_ptr().align_offset(64);
        let mut block = Some(0);
        while let Some(at) = block {
            // Loaded in this order, one set after the other, to need fewer registers.
            let (occupied, diagonal): (L::Boards, L::Boards) =
                (load(occupied, at), load(diagonal, at));
            let attacks = L::Boards::slider_attacks(load(orthogonal, at), diagonal, occupied);
            attacks.stream(&mut column[at..at + L::BOARDS]);
            block = next(at, column.len(), L::BOARDS);
            if at == 0 && 0 < line && line < L::BOARDS {
                // From here on, write whole cache lines; a few rows are computed twice.
                block = Some(line);
            }
        }
        fence();
    }
}

/// Computes at least one block of rows.
struct SliderRays<'a, 'b> {
    sliders: Sliders<'a>,
    rays: [&'b mut [u64]; 8],
}

impl Task for SliderRays<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        let Sliders { occupied, orthogonal, diagonal } = self.sliders;
        let [north, south, east, west, north_east, north_west, south_east, south_west] = self.rays;
        let mut block = Some(0);
        while let Some(at) = block {
            let (blockers, o, d): (L::Boards, L::Boards, L::Boards) =
                (load(occupied, at), load(orthogonal, at), load(diagonal, at));
            store(o.ray(Direction::North, blockers), north, at);
            store(o.ray(Direction::South, blockers), south, at);
            store(o.ray(Direction::East, blockers), east, at);
            store(o.ray(Direction::West, blockers), west, at);
            store(d.ray(Direction::NorthEast, blockers), north_east, at);
            store(d.ray(Direction::NorthWest, blockers), north_west, at);
            store(d.ray(Direction::SouthEast, blockers), south_east, at);
            store(d.ray(Direction::SouthWest, blockers), south_west, at);
            block = next(at, occupied.len(), L::BOARDS);
        }
    }
}
