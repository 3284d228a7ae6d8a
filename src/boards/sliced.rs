//! Sliders on boards sliced by ranks: 16, 32 or 64 boards at once, with one rank of all boards in a register.
//!
//! `docs/how-it-works.md` explains the idea with pictures, in step 4. In short:
//!
//! ```text
//! files         ray[k+1] = slider[k] | (ray[k] & !occupied[k])               k = 0 to 6 (and downwards)
//! diagonals     ray[k+1] = east(slider[k] | (ray[k] & !occupied[k]))         or west
//! rank, east    (o | r) ^ ((o & !r) - r)                                     in every byte
//! rank, west    the same with every byte's bits reversed, and the result reversed again
//! ```
//!
//! A sweep in one direction needs no more than three rays in registers. Borrows do not run to the west. With GFNI a
//! reversal of bits is one instruction (`gf2p8affineqb`), so the west takes three of them and a subtraction. Otherwise
//! it is a fill in three doubling steps.
//!
//! Columns are transposed on the way in and out. Let a board's number have the bits `i5 ... i0`, and its rank `k2 k1
//! k0`. A round unpacks the bytes of eight registers:
//!
//! ```text
//!                            register     place in 16 bytes; i2 i1 say which 16 of 64
//! in memory                  i5 i4 i3     i0 k2 k1 k0
//! unpack, four rounds        k1 k2 k0     i3 i4 i5 i0            32 unpacks
//! ```
//!
//! The bit of the board at the top of the place must be moved out of the way first. Hence there are four rounds in (32
//! unpacks) and three out (24). Smaller vectors do the same with fewer boards.
//!
//! # Cost
//!
//! Vector operations in the loop of `avx512-gfni` for 64 boards, the union of all eight rays, as compiled:
//!
//! ```text
//! transposes   120    unpacks: three columns of 32, one of 24
//! sweeps        64    36 vpternlogq, 14 vpaddb (east), 14 gf2p8affineqb (west)
//! ranks         64    8 ranks of 8: 3 gf2p8affineqb, 2 vpsubb, 3 of logic
//! union         24    vpternlogq takes three sets at once
//!              ---
//!              272    and 24 loads, 8 stores
//! ```
//!
//! An AMD Zen 5 core executes four 512-bit operations a cycle, including unpacks and `vshufps`, but only two of
//! `vpshufb`, `vpermt2b`, `gf2p8affineqb`, shifts and multiplications together; two aligned loads or one that crosses a
//! cache line; and one store.
//!
//! An Intel Sapphire Rapids core has two ports for them, and executes all shuffles on one. The transposes used to take
//! 96 operations there: three rounds in, the first by masked loads one byte off, the last by masked `vpshufb`, and as
//! many out. So 254 operations took at least 127 cycles, and 143 were measured on Emerald Rapids (0.62 ns a board). The
//! present 272 take at least 136, not measured. On Zen 5, transposing by unpacks alone makes the union take 0.92 of the
//! time, eight rays 0.79 and sixteen maps 0.86, and it needs no masks that must be hidden from the compiler.
//!
//! `avx512` has no GFNI. Its west is a fill, which takes 78 operations more. With boards that are sliced already
//! ([`Batch`](crate::Batch)), the 120 operations of the transposes are not needed.
//!
//! # Tried without success
//!
//! On that Intel core. "x" is the speed relative to `kogge-stone-scalar` for the union, and to `magic-loop` for all
//! sixteen attack maps, at 4,096 boards.
//!
//! - Masked shuffles (see above) with masks that the compiler knows. It turns them into the two-input permutations
//!   `vpermt2w` and `vpermt2b`, which hold the shuffle port for two cycles: 7.1 x instead of 9.2 x.
//! - Inline assembly for the masked operations, with masks as constants: 8.97 x. The compiler loads the masks again for
//!   each block, 16 `kmovq`, which also need the shuffle port.
//! - Transposing through memory, by stores of 16 bytes (`vextracti32x4`) into a buffer. It saves 8 operations a column,
//!   but stores to different cache lines run at 0.9 a cycle: 32 stores for each of 4 columns take 128 cycles, about as
//!   long as the whole block. Not built.
//! - A padded last block inside the loop. Calls on a cold path made the compiler load four mask registers again for
//!   every column: maps went from 8.4 x to 9.0 x when the padded block moved out of the loop. Now the last block
//!   overlaps.
//! - Sliders by role as operations on whole boards. Rank by rank, with the rays in registers: maps
//!   7.6 x to 7.9 x.
//! - Two blocks at a time: 0.92 ns instead of 0.83; even one block spills vectors to the stack.
//! - 32 boards a block with the same instructions, in vectors of 256 bits, which have three ports: 1.24 ns.
//! - Prefetching the block after the next: 0.89 ns; the hardware prefetcher does better.
//! - Stepping a rank's rays to the west last in the union, not first: nine more vectors on the stack with SSE2, 0.97 of
//!   the speed on Zen 5.
//! - Unrolling the loops over the ranks of the slider maps: maps 15 to 25 % slower.
//! - A nibble table for the reversal on AVX2: 20 operations a rank where the fill takes 16. Not built.
//!
//! On Zen 5, the time of the union relative to the code of then, which took 86 cycles a block where its 278 operations
//! took at least 70:
//!
//! - A round of `vpermt2b` in place of two of unpacks in, and of one out, 24 operations fewer: 1.02. It uses two ports
//!   only, and what crosses 16 bytes has a latency of five cycles, where all others have two or three.
//! - Exchanges of bytes, words and double words by masked shuffles, as many: 1.2. All of them use the same two ports.
//! - All west directions on mirrored boards, for a step of one addition: 1.11. They take 32 reversals and 14 additions,
//!   instead of 24 reversals and 14 shifts by `gf2p8affineqb`, and more registers.
//! - The step to the west by a word shift of boards without the a-file: 1.05.
//! - Both sweeps at once, from the edges to the middle: 1.03. The rays along some of the ranks in the sweep up, which
//!   has less to do: 0.99 to 1.0.
//! - 64 instructions more that do nothing: 1.0. So decoding is no limit.
//!
//! On Zen 4, relative to the present code, which takes 169 cycles a block. Its 272 operations take at least 136, and 164
//! if nothing runs beside the transposes: unpacks have three of the four pipes (0.67 cycles each). Of boards that are
//! sliced already, 152 operations take 91 cycles of at least 76.
//!
//! - The rays along all ranks in the sweep down: 1.03; in the sweep up: 1.09; along ranks 1 to 4 in the sweep up: 1.07.
//! - The sweeps as loops, which the compiler unrolls too, but later: 37 vectors on the stack and not 25, 1.08. With 16
//!   registers loops are better: 0.97, and 0.95 of boards that are sliced already.
//! - Diagonals first, lines after them, as with 16 registers: 1.07. Lines first: 1.04. All three sweeps both ways at
//!   once: 1.05.
//! - The same with an empty assembly block that keeps the transpose of the third set behind the union of the first two: 7
//!   vectors on the stack and not 25, but the union takes 13 operations more: 1.07.
//!
//! With 16 registers, one set after the other takes 0.96 of the time of all three together, and 0.67 with AVX2 where the
//! boards are sliced already (Zen 4); for `wide` 1.01.
//!
//! `maps.rs` lists what was tried for the sixteen attack maps.
//!
//! Beware of the clock of AMD Zen 5 cores: copies of the same program differ by a factor of up to 1.5 in single
//! backends, run after run. Compare several copies.
//!
//! # Other processors
//!
//! From published tables, not measured here: Intel desktop cores have AVX2 and GFNI without AVX-512, and three ports for
//! 256-bit operations, two of which execute unpacks. `avx2-gfni` is for these.

use core::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

use crate::bitboard::Direction;
use crate::boards::block::{Block, FromNumber};
use crate::boards::bytes::{Bytes, rank_east};
use crate::boards::maps::Scratch;
use crate::boards::{Boards, Numbers, Sealed, SliderAttacks};
use crate::pieces::Pieces;

/// `V::COUNT` boards: rank `k` of all of them in `ranks[k]`, a board in each byte lane.
#[derive(Clone, Copy)]
pub struct Sliced<V> {
    ranks: [V; 8],
}

/// Repeats a step for each rank, without a loop. (What the compiler makes of a loop has half as many vectors again on
/// the stack.)
macro_rules! for_ranks {
    ($k:ident in $($number:literal)* => $step:block) => {
        $(
            #[allow(unused_assignments, reason = "the last rank hands nothing on")]
            {
                let $k = $number;
                $step
            }
        )*
    };
}

/// Fills eight ranks, without a loop. (Combinators of the standard library over vectors are not always inlined, and
/// then each costs a call. A loop is unrolled, but hundreds of loops in one function take long to compile: 61 s instead
/// of 44 for the crate. As an array expression it takes 37 s, but the maps are 14 % slower: the compiler copies the
/// arrays, and they spill registers to the stack.)
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

impl<V: Bytes> BitAnd for Sliced<V> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        ranks!(k => self.ranks[k].and(other.ranks[k]))
    }
}

impl<V: Bytes> BitOr for Sliced<V> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        ranks!(k => self.ranks[k].or(other.ranks[k]))
    }
}

impl<V: Bytes> BitXor for Sliced<V> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        ranks!(k => self.ranks[k].xor(other.ranks[k]))
    }
}

impl<V: Bytes> Not for Sliced<V> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        ranks!(k => self.ranks[k].xor(V::splat(0xff)))
    }
}

derived_operators!(sets: [V: Bytes] Sliced<V>);

impl<V: Bytes> Sliced<V> {
    /// A sweep up the board: what leaves a rank is stepped sideways and enters the next.
    #[inline(always)]
    fn sweep_up<const FILES: i8>(self, occupied: Self) -> Self {
        let mut ranks = [V::splat(0); 8];
        let mut k = 0;
        while k < 7 {
            ranks[k + 1] = sideways::<V, FILES>(extend(ranks[k], self.ranks[k], occupied.ranks[k]));
            k += 1;
        }
        Self { ranks }
    }

    /// A sweep down the board.
    #[inline(always)]
    fn sweep_down<const FILES: i8>(self, occupied: Self) -> Self {
        let mut ranks = [V::splat(0); 8];
        let mut k = 7;
        while k > 0 {
            ranks[k - 1] = sideways::<V, FILES>(extend(ranks[k], self.ranks[k], occupied.ranks[k]));
            k -= 1;
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
            west = extend(west, d, o).west();
            east = extend(east, d, o).east();
            k += 1;
        }
        let [mut east, mut west] = [V::splat(0); 2];
        while k > 0 {
            k -= 1;
            let (o, d) = (occupied.ranks[k], self.ranks[k]);
            union[k] = union[k].or(east).or(west);
            west = extend(west, d, o).west();
            east = extend(east, d, o).east();
        }
        Self { ranks: union }
    }

    /// These squares, and the four rays of orthogonal sliders.
    #[inline(always)]
    fn or_along_lines(self, orthogonal: Self, occupied: Self) -> Self {
        let mut union = self.ranks;
        let mut file = V::splat(0);
        let mut k = 0;
        while k < 8 {
            let (o, r) = (occupied.ranks[k], orthogonal.ranks[k]);
            union[k] = union[k].or(file).or(V::rank(r, o));
            file = extend(file, r, o);
            k += 1;
        }
        let mut file = V::splat(0);
        while k > 0 {
            k -= 1;
            let (o, r) = (occupied.ranks[k], orthogonal.ranks[k]);
            union[k] = union[k].or(file);
            file = extend(file, r, o);
        }
        Self { ranks: union }
    }
}

/// The rays that leave a rank: those of its own sliders, and those that came in and met no piece.
#[inline(always)]
fn extend<V: Bytes>(ray: V, sliders: V, occupied: V) -> V {
    sliders.or(ray.and_not(occupied))
}

/// A rank moved by a number of files: 1, 0 or -1.
#[inline(always)]
fn sideways<V: Bytes, const FILES: i8>(rank: V) -> V {
    match FILES {
        1 => rank.east(),
        -1 => rank.west(),
        _ => rank,
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
        // Two squares stand on one file, or on two files of the union.
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
            // One set after the other: three sets and a union are more than there are registers.
            return diagonal.along_diagonals(occupied).or_along_lines(orthogonal, occupied);
        }
        let mut union = [V::splat(0); 8];
        // Rank by rank, with the continuing rays in registers; the rays along half of the ranks each time, so that both
        // loops have work that waits for nothing.
        let [mut file, mut east, mut west] = [V::splat(0); 3];
        for_ranks!(k in 0 1 2 3 4 5 6 7 => {
            let (o, r, d) = (occupied.ranks[k], orthogonal.ranks[k], diagonal.ranks[k]);
            let more = if k < 4 { west } else { west.or(V::rank(r, o)) };
            union[k] = file.or(east).or(more);
            west = extend(west, d, o).west();
            east = extend(east, d, o).east();
            file = extend(file, r, o);
        });
        let [mut file, mut east, mut west] = [V::splat(0); 3];
        for_ranks!(k in 7 6 5 4 3 2 1 0 => {
            let (o, r, d) = (occupied.ranks[k], orthogonal.ranks[k], diagonal.ranks[k]);
            let more = if k < 4 { west.or(V::rank(r, o)) } else { west };
            union[k] = union[k].or(file).or(east).or(more);
            west = extend(west, d, o).west();
            east = extend(east, d, o).east();
            file = extend(file, r, o);
        });
        Self { ranks: union }
    }

    #[inline(always)]
    fn ray(self, direction: Direction, occupied: Self) -> Self {
        match direction {
            Direction::North => self.sweep_up::<0>(occupied),
            Direction::South => self.sweep_down::<0>(occupied),
            Direction::East => ranks!(k => rank_east(self.ranks[k], occupied.ranks[k])),
            Direction::West => ranks!(k => V::rank_west(self.ranks[k], occupied.ranks[k])),
            Direction::NorthEast => self.sweep_up::<1>(occupied),
            Direction::NorthWest => self.sweep_up::<-1>(occupied),
            Direction::SouthEast => self.sweep_down::<1>(occupied),
            Direction::SouthWest => self.sweep_down::<-1>(occupied),
        }
    }

    #[inline(always)]
    fn attacks_of_roles(
        bishops: Self,
        rooks: Self,
        queens: Self,
        occupied: Self,
    ) -> SliderAttacks<Self> {
        // Rank by rank, with the continuing rays in registers: up, then down together with the rays along the ranks.
        let empty = Self::empty();
        let mut maps =
            SliderAttacks { bishop: empty, rook: empty, queen: empty, once: empty, twice: empty };
        let [mut file, mut east, mut west] = [[V::splat(0); 2]; 3];
        let mut k = 0;
        while k < 8 {
            let (o, b, r, q) =
                (occupied.ranks[k], bishops.ranks[k], rooks.ranks[k], queens.ranks[k]);
            let hit = [file[0].or(file[1]), east[0].or(east[1]), west[0].or(west[1])];
            maps.rook.ranks[k] = file[0];
            maps.bishop.ranks[k] = east[0].or(west[0]);
            maps.queen.ranks[k] = file[1].or(east[1]).or(west[1]);
            maps.once.ranks[k] = hit[0].or(hit[1]).or(hit[2]);
            maps.twice.ranks[k] = V::majority(hit[0], hit[1], hit[2]);
            file = [extend(file[0], r, o), extend(file[1], q, o)];
            east = [extend(east[0], b, o).east(), extend(east[1], q, o).east()];
            west = [extend(west[0], b, o).west(), extend(west[1], q, o).west()];
            k += 1;
        }
        let [mut file, mut east, mut west] = [[V::splat(0); 2]; 3];
        while k > 0 {
            k -= 1;
            let (o, b, r, q) =
                (occupied.ranks[k], bishops.ranks[k], rooks.ranks[k], queens.ranks[k]);
            let right = [rank_east(r, o), rank_east(q, o)];
            let left = [V::rank_west(r, o), V::rank_west(q, o)];
            maps.rook.ranks[k] = maps.rook.ranks[k].or(file[0]).or(right[0].or(left[0]));
            maps.bishop.ranks[k] = maps.bishop.ranks[k].or(east[0]).or(west[0]);
            maps.queen.ranks[k] =
                maps.queen.ranks[k].or(file[1].or(east[1]).or(west[1])).or(right[1].or(left[1]));
            let hit = [file[0].or(file[1]), east[0].or(east[1]), west[0].or(west[1])];
            let (right, left) = (right[0].or(right[1]), left[0].or(left[1]));
            let (down, again) = (hit[0].or(hit[1]).or(hit[2]), V::majority(hit[0], hit[1], hit[2]));
            let up = maps.once.ranks[k];
            let once = up.or(down).or(right);
            maps.twice.ranks[k] =
                maps.twice.ranks[k].or(again).or(V::majority(up, down, right)).or(once.and(left));
            maps.once.ranks[k] = once.or(left);
            file = [extend(file[0], r, o), extend(file[1], q, o)];
            east = [extend(east[0], b, o).east(), extend(east[1], q, o).east()];
            west = [extend(west[0], b, o).west(), extend(west[1], q, o).west()];
        }
        maps
    }
}

impl<V: Bytes> Block for Sliced<V> {
    type Scratch = Scratch<V>;

    #[inline(always)]
    fn load(boards: &[u64]) -> Self {
        Self { ranks: V::load(boards) }
    }

    #[inline(always)]
    fn slider_attacks_at(
        orthogonal: &[u64],
        diagonal: &[u64],
        occupied: &[u64],
        at: usize,
    ) -> Self {
        // The bounds of a column are checked where it is needed: no transpose moves up across a check, and so fewer ranks
        // are alive at once.
        let occupied = Self::load(&occupied[at..at + V::COUNT]);
        if V::REGISTERS < 32 {
            let union = Self::load(&diagonal[at..at + V::COUNT]).along_diagonals(occupied);
            return union.or_along_lines(Self::load(&orthogonal[at..at + V::COUNT]), occupied);
        }
        let orthogonal = Self::load(&orthogonal[at..at + V::COUNT]);
        let diagonal = Self::load(&diagonal[at..at + V::COUNT]);
        Self::slider_attacks(orthogonal, diagonal, occupied)
    }

    #[inline(always)]
    fn store(self, boards: &mut [u64]) {
        V::store(self.ranks, boards);
    }

    #[inline(always)]
    fn store_rows(blocks: &[Self], rows: &mut [u64], first: usize) {
        let width = rows.len() / V::COUNT;
        let mut at = 0;
        while at < blocks.len() {
            // Of an odd number the last but one goes twice.
            let pair = at.min(blocks.len() - 2);
            let ranks = [blocks[pair].ranks, blocks[pair + 1].ranks];
            V::store_pairs(ranks, rows, first + pair, width);
            at += 2;
        }
    }

    #[inline(always)]
    fn stream(self, boards: &mut [u64]) {
        V::stream(self.ranks, boards);
    }

    #[inline(always)]
    fn fence() {
        V::fence();
    }

    #[inline(always)]
    fn load_sliced(words: &[u64]) -> Self {
        Self { ranks: V::read(words) }
    }

    #[inline(always)]
    fn store_sliced(self, words: &mut [u64]) {
        V::write(self.ranks, words);
    }

    #[inline(always)]
    fn get(words: &[u64], board: usize) -> u64 {
        let mut ranks = [0; 8];
        for (k, rank) in ranks.iter_mut().enumerate() {
            let place = k * V::COUNT + V::lane_of(board);
            *rank = words[place / 8].to_ne_bytes()[place % 8];
        }
        u64::from_le_bytes(ranks)
    }

    #[inline(always)]
    fn set(words: &mut [u64], board: usize, value: u64) {
        for (k, rank) in value.to_le_bytes().into_iter().enumerate() {
            let place = k * V::COUNT + V::lane_of(board);
            let mut bytes = words[place / 8].to_ne_bytes();
            bytes[place % 8] = rank;
            words[place / 8] = u64::from_ne_bytes(bytes);
        }
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
    fn store_numbers<T: FromNumber>(numbers: WordNumbers<V>, elements: &mut [T]) {
        numbers.store(elements);
    }

    #[inline(always)]
    fn load_numbers(elements: &[i16]) -> WordNumbers<V> {
        WordNumbers::load(elements)
    }
}

/// A number for each byte of `V`: those of the low bytes of words, and those of the high bytes.
#[derive(Clone, Copy)]
pub struct WordNumbers<V> {
    low: V,
    high: V,
}

impl<V: Bytes> WordNumbers<V> {
    /// Converts every byte to a number.
    #[inline(always)]
    fn widen(bytes: V) -> Self {
        Self { low: bytes.and(V::splat_words(0xff)), high: bytes.shift_right::<8>() }
    }
}

impl<V: Bytes> Add for WordNumbers<V> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { low: self.low.plus_words(other.low), high: self.high.plus_words(other.high) }
    }
}

impl<V: Bytes> Sub for WordNumbers<V> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { low: self.low.minus_words(other.low), high: self.high.minus_words(other.high) }
    }
}

impl<V: Bytes> Mul for WordNumbers<V> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { low: self.low.times_words(other.low), high: self.high.times_words(other.high) }
    }
}

derived_operators!(numbers: [V: Bytes] WordNumbers<V>);

impl<V: Bytes> Sealed for WordNumbers<V> {}

impl<V: Bytes> Numbers for WordNumbers<V> {
    #[inline(always)]
    fn splat(number: i16) -> Self {
        Self { low: V::splat_words(number), high: V::splat_words(number) }
    }

    #[inline(always)]
    fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        let low = self.low.less_words(other.low);
        let high = self.high.less_words(other.high);
        Self {
            low: then.low.and(low).or(otherwise.low.and_not(low)),
            high: then.high.and(high).or(otherwise.high.and_not(high)),
        }
    }
}

impl<V: Bytes> WordNumbers<V> {
    #[inline(always)]
    fn load(elements: &[i16]) -> Self {
        assert!(elements.len() == V::COUNT, "as many elements as boards");
        // The reverse of `store`.
        let mut boards = [0; 64];
        let mut i = 0;
        while i < V::COUNT {
            boards[i] = u64::from(elements[i].cast_unsigned());
            i += 1;
        }
        let [low, high, ..] = V::load(&boards[..V::COUNT]);
        let (low_byte, shift) = (V::splat_words(0xff), V::splat_words(0x100));
        Self {
            low: low.and(low_byte).or(high.times_words(shift)),
            high: low.shift_right::<8>().or(high.and_not(low_byte)),
        }
    }

    #[inline(always)]
    fn store<T: FromNumber>(self, elements: &mut [T]) {
        assert!(elements.len() == V::COUNT, "as many elements as boards");
        // The numbers' low and high bytes lie like two ranks of boards, and are transposed in the same way.
        let low_byte = V::splat_words(0xff);
        let shift = V::splat_words(0x100);
        let mut ranks = [V::splat(0); 8];
        ranks[0] = self.low.and(low_byte).or(self.high.times_words(shift));
        ranks[1] = self.low.shift_right::<8>().or(self.high.and_not(low_byte));
        let mut boards = [0; 64];
        V::store(ranks, &mut boards[..V::COUNT]);
        let mut i = 0;
        while i < V::COUNT {
            elements[i] = T::from_number(boards[i] as i16);
            i += 1;
        }
    }
}
