//! One side's attack maps of sliced boards, worked out in memory, rank after rank.
//!
//! Sixteen maps are more than any processor's registers hold, and a compiler that sees eight ranks at once mixes
//! them and keeps half of what it knows on the stack. So here the eight ranks are a loop that stays one: a rank's
//! sets come from memory, its rays go on in registers, its maps go to memory. A side takes three loops: leapers; rays
//! up the board; rays down the board, with those along the rank.
//!
//! ```text
//!              operations a rank and side, with AVX-512 and GFNI
//! leapers       41      pawns 6, knights 19, kings 12, what is hit at all and twice 4
//! up            25      the rays' next rank 10, pieces 4, the rank's maps 3, at all and twice 8
//! down          55      the same 10, 5 and 6, along the rank 16, at all and twice 18
//! ```
//!
//! With 640 operations in the transposes that is some 2,600 for 64 boards and both sides, and 432 stores. At four
//! operations and one store a cycle (Zen 5) it is 650 cycles at the least.
//!
//! Where three vectors go into one operation, a knight's or king's target takes its pieces from two ranks at a time:
//! what either has, and what both have. So nothing of a rank has to be kept for the next; that is 6 operations more
//! and 8 stores less. Elsewhere it would be 15 more, and each rank's steps are taken once.
//!
//! # Tried, and lost
//!
//! On an AMD core of the Zen 5 kind, time against what is here, 4,096 boards:
//!
//! - All of it in registers, set by set for whole boards, as it was: 1.45 times the time with AVX-512, 1.1 to 1.2
//!   with AVX2, 1.3 for `wide` on SSE2.
//! - Both sides in one loop over ranks, which share the occupied squares: 1.0 with AVX-512, 1.1 with AVX2, 1.08 for
//!   `wide`.
//! - Leapers in the loop of the rays up, which saves two stores a rank: 1.0, and 1.04 for `wide`.
//! - Each rank's steps once with AVX-512, in registers: 1.04; through memory: 1.12. Without AVX-512, through memory:
//!   1.04 with AVX2, 1.03 for `wide`.
//! - Both sides' maps stored at the end: 1.08. The leapers' three maps stored before the rays: 0.97 to 1.05.
//! - Positions in rows, sorted into columns and loaded in loops that stay loops: 1.1 with AVX-512, 0.95 for `wide`.
//! - The next block's columns prefetched: 0.98 to 1.01; the columns that are written, too: 1.05 to 1.1.

use core::hint::black_box;

use crate::boards::bytes::{Bytes, extend, rank_east};
use crate::pieces::Colour;

/// Places of the sets, in the order of a position's fields.
const PAWNS: usize = 0;
const KNIGHTS: usize = 1;
const BISHOPS: usize = 2;
const ROOKS: usize = 3;
const QUEENS: usize = 4;
const KINGS: usize = 5;
const WHITE: usize = 6;
const BLACK: usize = 7;

/// Places of the maps, in the order of the fields of `Attacks`.
const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
const KING: usize = 5;
const ALL: usize = 6;
const TWICE: usize = 7;

/// The ranks of a set, with two empty ones below and above, on which nothing stands.
type Padded<V> = [V; 12];

/// How many ranks stand before the first.
const BELOW: usize = 2;

/// A block of positions, and one side's maps.
pub(crate) struct Room<V> {
    sets: [Padded<V>; 8],
    pub(super) maps: [[V; 8]; 8],
}

/// The rays that go on to the next rank: those of rooks or bishops, and those of queens.
#[derive(Clone, Copy)]
struct Rays<V> {
    file: [V; 2],
    east: [V; 2],
    west: [V; 2],
}

impl<V: Bytes> Rays<V> {
    #[inline(always)]
    fn none() -> Self {
        let none = [V::splat(0); 2];
        Self { file: none, east: none, west: none }
    }

    /// What sliders hit from each of three sides. From one side at most one of them does.
    #[inline(always)]
    fn hits(&self) -> [V; 3] {
        let Self { file, east, west } = self;
        [file[0].or(file[1]), east[0].or(east[1]), west[0].or(west[1])]
    }

    /// To the next rank.
    #[inline(always)]
    fn go_on(&mut self, occupied: V, [b, r, q]: [V; 3]) {
        let Self { file, east, west } = *self;
        self.file = [extend(file[0], r, occupied), extend(file[1], q, occupied)];
        self.east = [extend(east[0], b, occupied).east(), extend(east[1], q, occupied).east()];
        self.west = [extend(west[0], b, occupied).west(), extend(west[1], q, occupied).west()];
    }
}

/// How many ranks there are; the compiler does not know it, and so does not write out the loops over them.
#[inline(always)]
fn ranks() -> usize {
    black_box(8)
}

/// Does the same for every rank, written out.
macro_rules! each_rank {
    ($k:ident => $do:block) => {
        each_rank!($k => $do; 0 1 2 3 4 5 6 7)
    };
    ($k:ident => $do:block; $($number:literal)*) => {
        $({
            let $k: usize = $number;
            $do
        })*
    };
}

/// Both ways along a rank. The sliders are in `occupied`, whose bits are also given in reverse.
#[inline(always)]
fn along_rank<V: Bytes>(sliders: V, occupied: V, reversed: V) -> [V; 2] {
    let east = rank_east(sliders, occupied);
    if V::REVERSES {
        let mirrored = sliders.reverse();
        let borrow = reversed.xor(mirrored).minus(mirrored);
        return [east, occupied.xor(borrow.reverse())];
    }
    [east, V::rank_west(sliders, occupied)]
}

impl<V: Bytes> Room<V> {
    /// A side's pieces of one kind on a rank, counted with those below the first.
    #[inline(always)]
    fn at(&self, set: usize, own: usize, rank: usize) -> V {
        self.sets[set][rank].and(self.sets[own][rank])
    }

    /// The occupied squares of a rank, and the side's bishops, rooks and queens there.
    #[inline(always)]
    fn sliders(&self, own: usize, k: usize) -> (V, [V; 3]) {
        let k = k + BELOW;
        let occupied = self.sets[WHITE][k].or(self.sets[BLACK][k]);
        (occupied, [self.at(BISHOPS, own, k), self.at(ROOKS, own, k), self.at(QUEENS, own, k)])
    }

    /// The maps of pawns, knights and kings, and what they hit at all and twice. `behind` is where the pawns
    /// come from: the number of the rank before the target's, in a set with its empty ranks.
    #[inline(always)]
    fn leapers(&mut self, own: usize, behind: usize) {
        let (mut i, count) = (0, ranks());
        while i < count {
            let k = i & 7;
            let pawns = self.at(PAWNS, own, k + behind);
            let (east, west) = (pawns.east(), pawns.west());
            let (pawn, pawn_twice) = (east.or(west), east.and(west));

            let (below, above) = (self.at(KNIGHTS, own, k), self.at(KNIGHTS, own, k + 4));
            let (either, both) = (below.or(above), below.and(above));
            let (east, west) = (either.east(), either.west());
            // Where both neighbours are hit by two, `east & west` has it anyway.
            let (far, far_twice) = (east.or(west), east.and(west).or(both.beside()));
            let (below, above) = (self.at(KNIGHTS, own, k + 1), self.at(KNIGHTS, own, k + 3));
            let (either, both) = (below.or(above), below.and(above));
            let (east, west) = (either.two_east(), either.two_west());
            let (near, near_twice) = (east.or(west), east.and(west).or(both.two_beside()));
            let knight = far.or(near);
            let knight_twice = far_twice.or(near_twice).or(far.and(near));

            let (below, above) = (self.at(KINGS, own, k + 1), self.at(KINGS, own, k + 3));
            let (level, outer) = (self.at(KINGS, own, k + 2), below.or(above));
            let (either, both) = (outer.or(level), V::majority(below, above, level));
            let (east, west) = (either.east(), either.west());
            let king = east.or(west).or(outer);
            let king_twice = V::majority(east, west, outer).or(both.beside()).or(below.and(above));

            self.maps[PAWN][k] = pawn;
            self.maps[KNIGHT][k] = knight;
            self.maps[KING][k] = king;
            self.maps[ALL][k] = pawn.or(knight).or(king);
            self.maps[TWICE][k] =
                V::majority(pawn, knight, king).or(pawn_twice).or(knight_twice).or(king_twice);
            i += 1;
        }
    }

    /// The same from each rank's steps, which are taken once: fewer operations and more in hand.
    #[inline(always)]
    fn leapers_by_role(&mut self, own: usize, behind: usize) {
        let (mut i, count) = (0, ranks());
        while i < count {
            let k = i & 7;
            let pawns = self.at(PAWNS, own, k + behind);
            let (east, west) = (pawns.east(), pawns.west());
            self.maps[PAWN][k] = east.or(west);
            self.maps[TWICE][k] = east.and(west);
            i += 1;
        }
        self.knights(own);
        self.kings(own);
    }

    #[inline(always)]
    fn knights(&mut self, own: usize) {
        // What a rank's knights hit beside it, a file off and two files off: at all, and twice. With two
        // empty ranks below and above.
        let [mut far, mut far_twice, mut near, mut near_twice] = [[V::splat(0); 12]; 4];
        macro_rules! steps_from {
            ($rank:expr) => {
                let knights = self.at(KNIGHTS, own, $rank);
                let (east, west) = (knights.east(), knights.west());
                (far[$rank], far_twice[$rank]) = (east.or(west), east.and(west));
                let (east, west) = (knights.two_east(), knights.two_west());
                (near[$rank], near_twice[$rank]) = (east.or(west), east.and(west));
            };
        }
        steps_from!(2);
        steps_from!(3);
        each_rank!(k => {
            if k < 6 {
                steps_from!(k + 4);
            }
            let (a, b, c, d) = (far[k], far[k + 4], near[k + 1], near[k + 3]);
            let three = a.or(b).or(c);
            let knight = three.or(d);
            let twice = (V::majority(a, b, c).or(three.and(d)))
                .or(far_twice[k].or(far_twice[k + 4]))
                .or(near_twice[k + 1].or(near_twice[k + 3]));
            self.maps[KNIGHT][k] = knight;
            self.maps[TWICE][k] =
                self.maps[TWICE][k].or(twice).or(self.maps[PAWN][k].and(knight));
        });
    }

    #[inline(always)]
    fn kings(&mut self, own: usize) {
        // What a rank's kings hit on it, and on the ranks beside it: at all, and twice.
        let [mut level, mut level_twice, mut beside, mut beside_twice] = [[V::splat(0); 12]; 4];
        macro_rules! steps_from {
            ($rank:expr) => {
                let kings = self.at(KINGS, own, $rank);
                let (east, west) = (kings.east(), kings.west());
                let (either, both) = (east.or(west), east.and(west));
                (level[$rank], level_twice[$rank]) = (either, both);
                (beside[$rank], beside_twice[$rank]) =
                    (either.or(kings), both.or(either.and(kings)));
            };
        }
        steps_from!(2);
        each_rank!(k => {
            if k < 7 {
                steps_from!(k + 3);
            }
            let (a, b, c) = (level[k + 2], beside[k + 1], beside[k + 3]);
            let king = a.or(b).or(c);
            let twice = (V::majority(a, b, c).or(level_twice[k + 2]))
                .or(beside_twice[k + 1].or(beside_twice[k + 3]));
            let others = self.maps[PAWN][k].or(self.maps[KNIGHT][k]);
            self.maps[KING][k] = king;
            self.maps[ALL][k] = others.or(king);
            self.maps[TWICE][k] = self.maps[TWICE][k].or(twice).or(others.and(king));
        });
    }

    /// The sliders' maps begin with the rays up the board.
    #[inline(always)]
    fn rays_up(&mut self, own: usize) {
        let mut rays = Rays::<V>::none();
        let (mut i, count) = (0, ranks());
        while i < count {
            let k = i & 7;
            let (occupied, sliders) = self.sliders(own, k);
            let [file, east, west] = rays.hits();
            let hit = file.or(east).or(west);
            let maps = &mut self.maps;
            maps[ROOK][k] = rays.file[0];
            maps[BISHOP][k] = rays.east[0].or(rays.west[0]);
            maps[QUEEN][k] = rays.file[1].or(rays.east[1]).or(rays.west[1]);
            maps[TWICE][k] =
                maps[TWICE][k].or(maps[ALL][k].and(hit)).or(V::majority(file, east, west));
            maps[ALL][k] = maps[ALL][k].or(hit);
            rays.go_on(occupied, sliders);
            i += 1;
        }
    }

    /// And end with those down the board and along its ranks.
    #[inline(always)]
    fn rays_down(&mut self, own: usize) {
        let mut rays = Rays::<V>::none();
        let mut i = ranks();
        while i > 0 {
            i -= 1;
            let k = i & 7;
            let (occupied, sliders) = self.sliders(own, k);
            let reversed = if V::REVERSES { occupied.reverse() } else { occupied };
            let [_, rooks, queens] = sliders;
            let [rook_right, rook_left] = along_rank(rooks, occupied, reversed);
            let [queen_right, queen_left] = along_rank(queens, occupied, reversed);
            let (right, left) = (rook_right.or(queen_right), rook_left.or(queen_left));
            let [file, east, west] = rays.hits();
            let hit = file.or(east).or(west);
            let maps = &mut self.maps;
            maps[ROOK][k] = maps[ROOK][k].or(rays.file[0]).or(rook_right.or(rook_left));
            maps[BISHOP][k] = maps[BISHOP][k].or(rays.east[0]).or(rays.west[0]);
            maps[QUEEN][k] = (maps[QUEEN][k].or(rays.file[1]).or(rays.east[1]))
                .or(rays.west[1].or(queen_right).or(queen_left));
            let all = maps[ALL][k];
            let more = all.or(hit).or(right);
            maps[TWICE][k] = (maps[TWICE][k].or(V::majority(file, east, west)))
                .or(V::majority(all, hit, right))
                .or(more.and(left));
            maps[ALL][k] = more.or(left);
            rays.go_on(occupied, sliders);
        }
    }

    /// Room, without pieces.
    #[inline(always)]
    pub(super) fn empty() -> Self {
        let none = V::splat(0);
        Self { sets: [[none; 12]; 8], maps: [[none; 8]; 8] }
    }

    /// Puts the ranks of a set.
    #[inline(always)]
    pub(super) fn put_ranks(&mut self, set: usize, ranks: [V; 8]) {
        let mut k = 0;
        while k < 8 {
            self.sets[set][k + BELOW] = ranks[k];
            k += 1;
        }
    }

    /// Puts the ranks of all sets.
    #[inline(always)]
    pub(super) fn put_all(&mut self, sets: [[V; 8]; 8]) {
        let mut set = 0;
        while set < 8 {
            self.put_ranks(set, sets[set]);
            set += 1;
        }
    }

    /// The ranks of a set.
    #[inline(always)]
    pub(super) fn ranks(&self, set: usize) -> [V; 8] {
        let [_, _, a, b, c, d, e, f, g, h, _, _] = self.sets[set];
        [a, b, c, d, e, f, g, h]
    }

    /// Works out a side's maps.
    #[inline(always)]
    pub(super) fn side(&mut self, colour: Colour) {
        // Pawns come from below for white, from above for black.
        let (own, behind) = [(WHITE, BELOW - 1), (BLACK, BELOW + 1)][colour as usize];
        if V::TERNARY {
            self.leapers(own, behind);
        } else {
            self.leapers_by_role(own, behind);
        }
        self.rays_up(own);
        self.rays_down(own);
    }
}
