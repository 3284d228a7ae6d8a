//! Sliders on boards sliced by ranks: 16, 32 or 64 boards at once, with one rank of all boards in a register.
//!
//! `docs/how-it-works.md` explains the idea with pictures, in step 4; `docs/notebook.md` records experiments.
//!
//! ```text
//! files         ray[k+1] = slider[k] | (ray[k] & !occupied[k])               k = 0 to 6 (and downwards)
//! diagonals     ray[k+1] = east(slider[k] | (ray[k] & !occupied[k]))         or west
//! rank, east    (o | r) ^ ((o & !r) - r)                                     in every byte
//! rank, west    the same with every byte's bits reversed, and the result reversed again
//! ```
//!
//! Borrows do not run west. With GFNI a reversal of bits is one instruction; otherwise rays to the west are a fill in
//! three doubling steps. Columns are transposed when loaded and stored. Let a board's index have the bits `i5 ... i0`,
//! and a rank `k2 k1 k0`. A round unpacks the bytes of eight registers; a load takes four rounds, a store three:
//!
//! ```text
//!                            register     offset in 16 bytes; i2 i1 select the 16 of 64
//! in memory                  i5 i4 i3     i0 k2 k1 k0
//! unpack, four rounds        k1 k2 k0     i3 i4 i5 i0            32 unpacks
//! ```
//!
//! Vector operations of `avx512-gfni` for 64 boards, the union of all eight rays: 272, and 24 loads, 8 stores.
//!
//! ```text
//! transposes   120    unpacks: three columns of 32, one of 24
//! sweeps        64    36 vpternlogq, 14 vpaddb (east), 14 gf2p8affineqb (west)
//! ranks         64    8 ranks of 8: 3 gf2p8affineqb, 2 vpsubb, 3 of logic
//! union         24    vpternlogq takes three sets at once
//! ```

use core::ops::Not;

use crate::bitboard::Direction;
use crate::boards::block::Block;
use crate::boards::bytes::{Bytes, rank_east};
use crate::boards::word_numbers::WordNumbers;
use crate::boards::{Boards, Routine, Sealed, block, for_ranks, pipeline};
use crate::pieces::Pieces;

/// `V::COUNT` boards: rank `k` of all of them in `ranks[k]`, a board in each byte lane.
#[derive(Clone, Copy)]
pub struct Sliced<V> {
    pub(super) ranks: [V; 8],
}

/// Fills eight ranks without a loop: unrolling hundreds of loops in one function takes long to compile, closures are
/// not always inlined, and array expressions are copied.
macro_rules! ranks {
    ($k:ident => $rank:expr) => {
        ranks!($k => $rank; 0 1 2 3 4 5 6 7)
    };
    ($k:ident => $rank:expr; $($number:literal)*) => {
        {
            let mut ranks = [V::splat(0); 8];
            $({
                let $k = $number;
                ranks[$k] = $rank;
            })*
            Self { ranks }
        }
    };
}

impl<V: Bytes> Not for Sliced<V> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        ranks!(k => self.ranks[k].xor(V::splat(0xff)))
    }
}

operators! { sets: [V: Bytes] Sliced<V>; (self, other)
    ranks!(k => self.ranks[k].and(other.ranks[k])),
    ranks!(k => self.ranks[k].or(other.ranks[k])),
    ranks!(k => self.ranks[k].xor(other.ranks[k]))
}

impl<V: Bytes> Sliced<V> {
    /// Sweeps up or down the board: the rays that leave a rank move by `FILES` files (1, 0 or -1) and enter the next.
    #[inline(always)]
    fn sweep<const UP: bool, const FILES: i8>(self, occupied: Self) -> Self {
        let mut ranks = [V::splat(0); 8];
        let mut i = 0;
        while i < 7 {
            let (k, next) = if UP { (i, i + 1) } else { (7 - i, 6 - i) };
            let ray = V::extend(ranks[k], self.ranks[k], occupied.ranks[k]);
            ranks[next] = match FILES {
                1 => ray.east(),
                -1 => ray.west(),
                _ => ray,
            };
            i += 1;
        }
        Self { ranks }
    }

    /// The union of the four rays of diagonal sliders.
    #[inline(always)]
    fn along_diagonals(self, occupied: Self) -> Self {
        let mut union = [V::splat(0); 8];
        let [mut east, mut west] = [V::splat(0); 2];
        let mut k = 0;
        while k < 8 {
            let (o, d) = (occupied.ranks[k], self.ranks[k]);
            union[k] = east.or(west);
            west = V::extend(west, d, o).west();
            east = V::extend(east, d, o).east();
            k += 1;
        }
        let [mut east, mut west] = [V::splat(0); 2];
        while k > 0 {
            k -= 1;
            let (o, d) = (occupied.ranks[k], self.ranks[k]);
            union[k] = union[k].or(east).or(west);
            west = V::extend(west, d, o).west();
            east = V::extend(east, d, o).east();
        }
        Self { ranks: union }
    }

    /// The union of these squares and the four rays of orthogonal sliders.
    #[inline(always)]
    fn or_along_lines(self, orthogonal: Self, occupied: Self) -> Self {
        let mut union = self.ranks;
        let mut file = V::splat(0);
        let mut k = 0;
        while k < 8 {
            let (o, r) = (occupied.ranks[k], orthogonal.ranks[k]);
            union[k] = union[k].or(file).or(V::rank(r, o));
            file = V::extend(file, r, o);
            k += 1;
        }
        let mut file = V::splat(0);
        while k > 0 {
            k -= 1;
            let (o, r) = (occupied.ranks[k], orthogonal.ranks[k]);
            union[k] = union[k].or(file);
            file = V::extend(file, r, o);
        }
        Self { ranks: union }
    }

    /// Stores the boards of two or more blocks in rows: row `b` of `rows` receives board `b` of each block, starting at
    /// its word `first`. There is one row per board.
    #[inline(always)]
    pub(super) fn store_rows(blocks: &[Self], rows: &mut [u64], first: usize) {
        let width = rows.len() / V::COUNT;
        let mut at = 0;
        while at < blocks.len() {
            // If the number of blocks is odd, the last but one is stored twice.
            let pair = at.min(blocks.len() - 2);
            let ranks = [blocks[pair].ranks, blocks[pair + 1].ranks];
            V::store_pairs(ranks, rows, first + pair, width);
            at += 2;
        }
    }
}

impl<V: Bytes> Sealed for Sliced<V> {}

impl<V: Bytes> Boards for Sliced<V> {
    const COUNT: usize = V::COUNT;

    type Numbers = WordNumbers<V>;

    #[inline(always)]
    fn count(self) -> WordNumbers<V> {
        let mut sum = self.ranks[0].count_ones();
        let mut k = 1;
        while k < 8 {
            sum = sum.plus(self.ranks[k].count_ones());
            k += 1;
        }
        WordNumbers::widen(sum)
    }

    #[inline(always)]
    fn splat(board: u64) -> Self {
        let ranks = board.to_le_bytes();
        ranks!(k => V::splat(ranks[k]))
    }

    #[inline(always)]
    fn call<R: Routine>(routine: R) -> R::Output {
        V::call(routine)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        ranks!(k => self.ranks[k].and_not(other.ranks[k]))
    }

    #[inline(always)]
    fn any(self) -> Self {
        let [a, b, c, d, e, f, g, h] = self.ranks;
        let union = a.or(b).or(c.or(d)).or(e.or(f).or(g.or(h)));
        Self { ranks: [union.nonzero(); 8] }
    }

    #[inline(always)]
    fn many(self) -> Self {
        // Two squares are on the same file, or on two files of the union.
        let (mut union, mut twice) = (self.ranks[0], V::splat(0));
        let mut k = 1;
        while k < 8 {
            twice = twice.or(union.and(self.ranks[k]));
            union = union.or(self.ranks[k]);
            k += 1;
        }
        let twice = twice.or(union.and(union.minus(V::splat(1))));
        Self { ranks: [twice.nonzero(); 8] }
    }

    #[inline(always)]
    fn flip_vertical(self) -> Self {
        let [a, b, c, d, e, f, g, h] = self.ranks;
        Self { ranks: [h, g, f, e, d, c, b, a] }
    }

    #[inline(always)]
    fn north(self) -> Self {
        let [a, b, c, d, e, f, g, _] = self.ranks;
        Self { ranks: [V::splat(0), a, b, c, d, e, f, g] }
    }

    #[inline(always)]
    fn south(self) -> Self {
        let [_, b, c, d, e, f, g, h] = self.ranks;
        Self { ranks: [b, c, d, e, f, g, h, V::splat(0)] }
    }

    #[inline(always)]
    fn east(self) -> Self {
        ranks!(k => self.ranks[k].east())
    }

    #[inline(always)]
    fn west(self) -> Self {
        ranks!(k => self.ranks[k].west())
    }

    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        ranks!(k => V::majority(a.ranks[k], b.ranks[k], c.ranks[k]))
    }

    #[inline(always)]
    fn slider_attacks(orthogonal: Self, diagonal: Self, occupied: Self) -> Self {
        if V::REGISTERS < 32 {
            // One set after the other: three sets and a union do not fit into the registers.
            return diagonal.along_diagonals(occupied).or_along_lines(orthogonal, occupied);
        }
        let mut union = [V::splat(0); 8];
        // Rank by rank, with the continuing rays in registers. Each loop also computes the rays along half of the
        // ranks, so that both have independent work.
        let [mut file, mut east, mut west] = [V::splat(0); 3];
        for_ranks!(k in 0 1 2 3 4 5 6 7 => {
            let (o, r, d) = (occupied.ranks[k], orthogonal.ranks[k], diagonal.ranks[k]);
            let more = if k < 4 { west } else { west.or(V::rank(r, o)) };
            union[k] = file.or(east).or(more);
            west = V::extend(west, d, o).west();
            east = V::extend(east, d, o).east();
            file = V::extend(file, r, o);
        });
        let [mut file, mut east, mut west] = [V::splat(0); 3];
        for_ranks!(k in 7 6 5 4 3 2 1 0 => {
            let (o, r, d) = (occupied.ranks[k], orthogonal.ranks[k], diagonal.ranks[k]);
            let more = if k < 4 { west.or(V::rank(r, o)) } else { west };
            union[k] = union[k].or(file).or(east).or(more);
            west = V::extend(west, d, o).west();
            east = V::extend(east, d, o).east();
            file = V::extend(file, r, o);
        });
        Self { ranks: union }
    }

    #[inline(always)]
    fn ray(self, direction: Direction, occupied: Self) -> Self {
        match direction {
            Direction::North => self.sweep::<true, 0>(occupied),
            Direction::South => self.sweep::<false, 0>(occupied),
            Direction::East => ranks!(k => rank_east(self.ranks[k], occupied.ranks[k])),
            Direction::West => ranks!(k => V::rank_west(self.ranks[k], occupied.ranks[k])),
            Direction::NorthEast => self.sweep::<true, 1>(occupied),
            Direction::NorthWest => self.sweep::<true, -1>(occupied),
            Direction::SouthEast => self.sweep::<false, 1>(occupied),
            Direction::SouthWest => self.sweep::<false, -1>(occupied),
        }
    }
}

impl<V: Bytes> Block for Sliced<V> {
    #[inline(always)]
    fn load(boards: &[u64]) -> Self {
        Self { ranks: V::load(boards) }
    }

    #[inline(always)]
    fn store(self, boards: &mut [u64]) {
        V::store(self.ranks, boards);
    }

    #[inline(always)]
    fn stream(self, boards: &mut [u64]) {
        V::stream(self.ranks, boards);
    }

    #[inline(always)]
    fn load_sliced(words: &[u64]) -> Self {
        Self { ranks: V::load_vectors(words) }
    }

    #[inline(always)]
    fn store_sliced(self, words: &mut [u64]) {
        V::store_vectors(self.ranks, words);
    }

    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> Pieces<Self> {
        let [pawns, knights, bishops, rooks, queens, kings, white, black] = V::load_pieces(pieces);
        Pieces {
            pawns: Self { ranks: pawns },
            knights: Self { ranks: knights },
            bishops: Self { ranks: bishops },
            rooks: Self { ranks: rooks },
            queens: Self { ranks: queens },
            kings: Self { ranks: kings },
            white: Self { ranks: white },
            black: Self { ranks: black },
        }
    }

    #[inline(always)]
    fn unions(columns: [&[u64]; 3], attacks: &mut [u64]) {
        if V::PIPELINES {
            return pipeline::unions::<V>(columns, attacks);
        }
        block::unions::<Self>(columns, attacks);
    }

    #[inline(always)]
    fn store_numbers(numbers: WordNumbers<V>, elements: &mut [i16]) {
        V::store_numbers([numbers.low, numbers.high], elements);
    }

    #[inline(always)]
    fn load_numbers(elements: &[i16]) -> WordNumbers<V> {
        let [low, high] = V::load_numbers(elements);
        WordNumbers { low, high }
    }
}
