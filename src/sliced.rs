//! Sliders for boards sliced by ranks.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::bitboard::Direction;
use crate::boards::{Block, Boards, SliderMaps};
use crate::numbers::Words;
use crate::position::{Pieces, Position};
use crate::simd::{Bytes, Columns};

/// `V::COUNT` boards: rank `k` of all of them in `ranks[k]`, a board in each byte lane.
#[derive(Clone, Copy)]
pub(crate) struct Sliced<V> {
    ranks: [V; 8],
}

/// Fills eight ranks one by one. (Combinators of the standard library over vectors are not always
/// inlined, and then each costs a call.)
macro_rules! ranks {
    ($k:ident => $rank:expr) => {{
        let mut ranks = [V::splat(0); 8];
        let mut $k = 0;
        while $k < 8 {
            ranks[$k] = $rank;
            $k += 1;
        }
        Self { ranks }
    }};
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

impl<V: Bytes> Sliced<V> {
    /// A sweep up the board: what leaves a rank is stepped sideways and enters the next.
    #[inline(always)]
    fn sweep_up<const FILES: i8>(self, occupied: Self) -> Self {
        let mut ranks = [V::splat(0); 8];
        let mut k = 0;
        while k < 7 {
            ranks[k + 1] = sideways::<V, FILES>(pass(ranks[k], self.ranks[k], occupied.ranks[k]));
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
            ranks[k - 1] = sideways::<V, FILES>(pass(ranks[k], self.ranks[k], occupied.ranks[k]));
            k -= 1;
        }
        Self { ranks }
    }
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

/// What goes on from a rank: the rays of its own sliders, and those that came in and met nobody.
#[inline(always)]
fn pass<V: Bytes>(ray: V, sliders: V, occupied: V) -> V {
    sliders.or(ray.and_not(occupied))
}

/// The rays to the east within every rank: the borrow of a byte-wise subtraction, which needs no barrier.
#[inline(always)]
fn rank_east<V: Bytes>(sliders: V, occupied: V) -> V {
    let blockers = occupied.and_not(sliders);
    occupied.or(sliders).xor(blockers.minus(sliders))
}

impl<V: Bytes> Boards for Sliced<V> {
    const COUNT: usize = V::COUNT;

    type Numbers = Words<V>;

    #[inline(always)]
    fn count(self) -> Words<V> {
        let mut sum = self.ranks[0].count_ones();
        let mut k = 1;
        while k < 8 {
            sum = sum.plus(self.ranks[k].count_ones());
            k += 1;
        }
        Words::widen(sum)
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
    fn north(self) -> Self {
        ranks!(k => if k == 0 { V::splat(0) } else { self.ranks[k - 1] })
    }

    #[inline(always)]
    fn south(self) -> Self {
        ranks!(k => if k == 7 { V::splat(0) } else { self.ranks[k + 1] })
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
    fn slider_attacks(occupied: Self, orthogonal: Self, diagonal: Self) -> Self {
        let mut union = [V::splat(0); 8];
        // Rank by rank, with the rays that go on in registers.
        let [mut file, mut east, mut west] = [V::splat(0); 3];
        let mut k = 0;
        while k < 8 {
            let (o, r, d) = (occupied.ranks[k], orthogonal.ranks[k], diagonal.ranks[k]);
            union[k] = file.or(east).or(west);
            file = pass(file, r, o);
            east = pass(east, d, o).east();
            west = pass(west, d, o).west();
            k += 1;
        }
        let [mut file, mut east, mut west] = [V::splat(0); 3];
        while k > 0 {
            k -= 1;
            let (o, r, d) = (occupied.ranks[k], orthogonal.ranks[k], diagonal.ranks[k]);
            let (right, left) = (rank_east(r, o), V::rank_west(r, o));
            union[k] = union[k].or(file).or(east).or(west.or(right).or(left));
            file = pass(file, r, o);
            east = pass(east, d, o).east();
            west = pass(west, d, o).west();
        }
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
            let place = k * V::COUNT + V::place(board);
            *rank = words[place / 8].to_ne_bytes()[place % 8];
        }
        u64::from_le_bytes(ranks)
    }

    #[inline(always)]
    fn set(words: &mut [u64], board: usize, value: u64) {
        for (k, rank) in value.to_le_bytes().into_iter().enumerate() {
            let place = k * V::COUNT + V::place(board);
            let mut bytes = words[place / 8].to_ne_bytes();
            bytes[place % 8] = rank;
            words[place / 8] = u64::from_ne_bytes(bytes);
        }
    }

    #[inline(always)]
    fn slider_maps(occupied: Self, bishops: Self, rooks: Self, queens: Self) -> SliderMaps<Self> {
        // Rank by rank, with the rays that go on in registers: up, then down with the ranks' own rays.
        let empty = Self::empty();
        let mut maps =
            SliderMaps { bishop: empty, rook: empty, queen: empty, once: empty, twice: empty };
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
            file = [pass(file[0], r, o), pass(file[1], q, o)];
            east = [pass(east[0], b, o).east(), pass(east[1], q, o).east()];
            west = [pass(west[0], b, o).west(), pass(west[1], q, o).west()];
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
            file = [pass(file[0], r, o), pass(file[1], q, o)];
            east = [pass(east[0], b, o).east(), pass(east[1], q, o).east()];
            west = [pass(west[0], b, o).west(), pass(west[1], q, o).west()];
        }
        maps
    }

    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> Position<Self> {
        let mut columns = Columns([[0; 64]; 8]);
        V::columns(pieces, &mut columns);
        let mut sets = [Self::empty(); 8];
        let mut i = 0;
        while i < 8 {
            sets[i] = Self::load(&columns.0[i][..V::COUNT]);
            i += 1;
        }
        Position::from_sets(sets)
    }
}
