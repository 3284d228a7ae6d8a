//! The attack maps of sliced boards, computed in memory, one loop after another.
//!
//! Sixteen maps do not fit into the registers of any processor, so the work is split into loops over eight ranks that
//! are not unrolled, with intermediate results in memory:
//!
//! ```text
//!                       operations for 64 boards and both sides, with AVX-512 and GFNI
//! leapers       720     pawns, knights and kings, and the squares hit once and twice: on whole boards, 45
//!                       per eight boards and side
//! sliders in    216     bishops, rooks, queens, white and black by ranks, 160 of these for the transposes
//! rays          952     up and down the board and along its ranks, 119 per two ranks and side
//! sliders out   288     four maps per side to whole boards, 192 of these for the transposes; adds the leapers
//!              ----
//!              2176     and 360 stores
//! ```
//!
//! Leapers on whole boards need no transpose, and a step costs the same as on sliced boards, because a rank is a byte
//! in both layouts. Sliders are computed rank by rank, as in `sliced.rs`. "Sliders in" waits for stores, so each
//! iteration of the first loop, which computes an eighth of the leapers, also splits one set. Rows are sorted first
//! instead, which takes 168 more operations and 24 more stores. `docs/notebook.md` records experiments.

use core::hint::black_box;

use crate::boards::block::{MapColumns, PositionBlock};
use crate::boards::bytes::{Bytes, eight, fill_west};
use crate::pieces::Pieces;

/// The indices of the sets, in the order of a position's fields.
const PAWNS: usize = 0;
const KNIGHTS: usize = 1;
const BISHOPS: usize = 2;
const ROOKS: usize = 3;
const QUEENS: usize = 4;
const KINGS: usize = 5;
const WHITE: usize = 6;
const BLACK: usize = 7;

/// The indices of a side's sliders and of their maps.
const BISHOP: usize = 0;
const ROOK: usize = 1;
const QUEEN: usize = 2;
const ALL: usize = 3;
const TWICE: usize = 4;

/// The columns of these maps, as indices of the fields of `Attacks`.
const COLUMNS: [usize; 5] = [2, 3, 4, 6, 7];

/// The sets of positions in rows that the sliders need, as [interleaved](Bytes::interleaved).
type SortedSets<V> = [[V; 8]; 8];

/// Scratch memory for a block of positions and their maps.
pub(crate) struct Scratch<V> {
    /// For positions in rows.
    sorted: Option<SortedSets<V>>,
    maps: Maps<V>,
}

/// A block's sliders and maps.
struct Maps<V> {
    /// The squares of both sides, by ranks; for positions in rows, these stay in registers.
    colours: [[V; 8]; 2],
    free: [V; 8],
    /// Each side's bishops, rooks and queens, by ranks.
    sliders: [[[V; 8]; 3]; 2],
    /// One side's maps of sliders, by ranks.
    of_sliders: [[V; 8]; 5],
    /// Squares that each side's leapers attack at least once and at least twice, on whole boards.
    leapers: [[[V; 8]; 2]; 2],
}

/// A set for each side. Operations on both sides alternate, so that neither side waits for its own results.
#[derive(Clone, Copy)]
struct BothColours<V> {
    white: V,
    black: V,
}

/// Generates operations that are the same for both sides.
macro_rules! for_both_colours {
    ($($name:ident $(<const $ranks:ident: u32>)? ($self:ident $(, $other:ident)*);)*) => {
        $(
            #[inline(always)]
            fn $name $(<const $ranks: u32>)? ($self $(, $other: Self)*) -> Self {
                Self {
                    white: V::$name $(::<$ranks>)? ($self.white $(, $other.white)*),
                    black: V::$name $(::<$ranks>)? ($self.black $(, $other.black)*),
                }
            }
        )*
    };
}

impl<V: Bytes> BothColours<V> {
    for_both_colours! {
        or(self, other);
        and(self, other);
        majority(self, b, c);
        east(self);
        west(self);
        two_east(self);
        two_west(self);
        north<const RANKS: u32>(self);
        south<const RANKS: u32>(self);
    }

    #[inline(always)]
    fn pieces(self, kind: V) -> Self {
        Self { white: self.white.and(kind), black: self.black.and(kind) }
    }
}

/// The rays that continue to the next rank: those of rooks or bishops, and those of queens.
#[derive(Clone, Copy)]
struct Wavefront<V> {
    file: [V; 2],
    east: [V; 2],
    west: [V; 2],
}

impl<V: Bytes> Wavefront<V> {
    #[inline(always)]
    fn none() -> Self {
        let none = [V::splat(0); 2];
        Self { file: none, east: none, west: none }
    }

    /// The squares that sliders hit from each of three directions. In any one direction, at most one of them hits a
    /// square.
    #[inline(always)]
    fn hits(&self) -> [V; 3] {
        let Self { file, east, west } = self;
        [file[0].or(file[1]), east[0].or(east[1]), west[0].or(west[1])]
    }

    #[inline(always)]
    fn go_on(&mut self, free: V, [b, r, q]: [V; 3]) {
        let Self { file, east, west } = *self;
        self.file = [V::extend_over(file[0], r, free), V::extend_over(file[1], q, free)];
        self.east =
            [V::extend_over(east[0], b, free).east(), V::extend_over(east[1], q, free).east()];
        self.west =
            [V::extend_over(west[0], b, free).west(), V::extend_over(west[1], q, free).west()];
    }
}

/// Both directions along a rank: a carry from each slider runs over free squares, which are also given in reverse, to
/// the first blocker. The bits that now differ from the free squares are attacked.
#[inline(always)]
fn along_rank<V: Bytes>(sliders: V, free: V, reversed: V) -> [V; 2] {
    let east = free.plus(sliders).plus(sliders);
    if V::REVERSES {
        let mirrored = sliders.reverse();
        let carry = reversed.or(mirrored).plus(mirrored);
        return [east, carry.reverse()];
    }
    [east, free.xor(fill_west(sliders, free.and(V::splat(0x7f))))]
}

/// Memory for sorted sets, cleared on first use, so that only calls that need it pay for it.
#[inline(always)]
fn scratch_in<V: Bytes>(sorted: &mut Option<SortedSets<V>>) -> &mut SortedSets<V> {
    if sorted.is_none() {
        *sorted = Some([[V::splat(0); 8]; 8]);
    }
    let Some(sorted) = sorted else { unreachable!("it was made just now") };
    sorted
}

/// Eighth `i` of the boards: pawns, knights, kings, white and black.
#[inline(always)]
fn eighth_of_columns<V: Bytes>(columns: &[&[u64]; 8], i: usize) -> [V; 5] {
    [
        V::load_vector(&columns[PAWNS][V::eighth(i)]),
        V::load_vector(&columns[KNIGHTS][V::eighth(i)]),
        V::load_vector(&columns[KINGS][V::eighth(i)]),
        V::load_vector(&columns[WHITE][V::eighth(i)]),
        V::load_vector(&columns[BLACK][V::eighth(i)]),
    ]
}

/// The same of rows. Also sorts the sets that the sliders need.
#[inline(always)]
fn sort_eighth<V: Bytes>(pieces: &[Pieces], sorted: &mut SortedSets<V>, i: usize) -> [V; 5] {
    let [ab, cd, ef, gh] = V::pairs(&pieces[V::eighth(i)]);
    [sorted[BISHOPS][i], sorted[ROOKS][i]] = V::interleaved(cd);
    [sorted[QUEENS][i], _] = V::interleaved(ef);
    [sorted[WHITE][i], sorted[BLACK][i]] = V::interleaved(gh);
    let [pawns, knights] = V::boards(ab);
    let [_, kings] = V::boards(ef);
    let [white, black] = V::boards(gh);
    [pawns, knights, kings, white, black]
}

impl<V: Bytes> Maps<V> {
    /// True if there are enough registers to compute the squares attacked by any slider as the union of the roles' maps
    /// on whole boards. Otherwise they are a fifth map by ranks.
    const DERIVES: bool = V::REGISTERS >= 32;

    /// Computes the maps of pawns, knights and kings of an eighth of the block, and the squares that each side's leapers
    /// attack at least once and twice, on whole boards, which need no transpose.
    #[inline(always)]
    fn leapers(
        &mut self,
        part: usize,
        [pawns, knights, kings, white, black]: [V; 5],
        out: &mut [[Option<&mut [u64]>; 3]; 2],
    ) {
        let own = BothColours { white, black };

        let pawns = own.pieces(pawns);
        let to = BothColours { white: pawns.white.north::<1>(), black: pawns.black.south::<1>() };
        let (east, west) = (to.east(), to.west());
        let (pawn, pawn_twice) = (east.or(west), east.and(west));

        let knights = own.pieces(knights);
        let (east, west) = (knights.east(), knights.west());
        let (near, near_twice) = (east.or(west), east.and(west));
        let (east, west) = (knights.two_east(), knights.two_west());
        let (far, far_twice) = (east.or(west), east.and(west));
        let (a, b) = (near.north::<2>(), near.south::<2>());
        let (c, d) = (far.north::<1>(), far.south::<1>());
        let three = a.or(b).or(c);
        let knight = three.or(d);
        let knight_twice = BothColours::majority(a, b, c).or(three.and(d));

        let kings = own.pieces(kings);
        let (east, west) = (kings.east(), kings.west());
        let (level, level_twice) = (east.or(west), east.and(west));
        let row = level.or(kings);
        let row_twice = level_twice.or(level.and(kings));
        let (above, below) = (row.north::<1>(), row.south::<1>());
        let king = level.or(above).or(below);
        let king_twice = BothColours::majority(level, above, below).or(level_twice);

        // Squares of another rank that the pieces of one rank hit twice.
        let next = far_twice.or(row_twice);
        let north = near_twice.north::<1>().or(next).north::<1>();
        let south = near_twice.south::<1>().or(next).south::<1>();

        let all = pawn.or(knight).or(king);
        let twice = (BothColours::majority(pawn, knight, king).or(pawn_twice))
            .or(knight_twice.or(king_twice))
            .or(north.or(south));
        let [white, black] = &mut self.leapers;
        (white[0][part], white[1][part]) = (all.white, twice.white);
        (black[0][part], black[1][part]) = (all.black, twice.black);
        let mut map = 0;
        while map < 3 {
            let of = [pawn, knight, king][map];
            if let Some(column) = &mut out[0][map] {
                of.white.store_vector(&mut column[V::eighth(part)]);
            }
            if let Some(column) = &mut out[1][map] {
                of.black.store_vector(&mut column[V::eighth(part)]);
            }
            map += 1;
        }
    }

    /// Splits one of the sets that sliders need into ranks: first the sides, then each role of both, then the empty
    /// squares.
    #[inline(always)]
    fn split_set(&mut self, columns: &[&[u64]; 8], i: usize) {
        if i < 2 {
            self.colours[i] = V::load(columns[WHITE + i]);
        } else if i < 5 {
            self.split_role(i - 2, V::load(columns[BISHOPS + i - 2]), self.colours);
        } else if i == 5 {
            self.split_free(self.colours);
        }
    }

    /// Splits all the sets that sliders need one after another, with the sides in registers.
    #[inline(always)]
    fn split_sets(&mut self, sorted: &SortedSets<V>) {
        let colours = [V::from_interleaved(sorted[WHITE]), V::from_interleaved(sorted[BLACK])];
        let (mut i, count) = (0, black_box(3));
        while i < count {
            let role = i.min(QUEEN);
            self.split_role(role, V::from_interleaved(sorted[BISHOPS + role]), colours);
            i += 1;
        }
        self.split_free(colours);
    }

    /// Computes each side's sliders of a role.
    #[inline(always)]
    fn split_role(&mut self, role: usize, ranks: [V; 8], [white, black]: [[V; 8]; 2]) {
        let mut k = 0;
        while k < 8 {
            self.sliders[0][role][k] = ranks[k].and(white[k]);
            self.sliders[1][role][k] = ranks[k].and(black[k]);
            k += 1;
        }
    }

    /// Computes the empty squares.
    #[inline(always)]
    fn split_free(&mut self, [white, black]: [[V; 8]; 2]) {
        let mut k = 0;
        while k < 8 {
            self.free[k] = V::splat(0xff).and_not(white[k].or(black[k]));
            k += 1;
        }
    }

    /// The free squares of a rank, and the side's bishops, rooks and queens there.
    #[inline(always)]
    fn sliders(&self, side: usize, k: usize) -> (V, [V; 3]) {
        let [bishops, rooks, queens] = &self.sliders[side];
        (self.free[k], [bishops[k], rooks[k], queens[k]])
    }

    /// Computes the maps of a side's sliders, from the rays up the board, down the board and along the ranks.
    #[inline(always)]
    fn rays(&mut self, side: usize) {
        let (mut up, mut down, none) = (Wavefront::none(), Wavefront::none(), [V::splat(0); 5]);
        if V::REGISTERS < 32 {
            let (mut k, count) = (0, eight());
            while k < count {
                self.rays_up(side, k & 7, none, &mut up);
                k += 1;
            }
            while k > 0 {
                k -= 1;
                self.rays_down(side, k & 7, self.so_far(k & 7), &mut down);
            }
            return;
        }
        // Both at once, rank by rank: to the middle, and then on, adding to the results of the other direction.
        let (mut k, count) = (0, black_box(4));
        while k < count {
            self.rays_up(side, k & 7, none, &mut up);
            self.rays_down(side, 7 - (k & 7), none, &mut down);
            k += 1;
        }
        let count = black_box(8);
        while k < count {
            self.rays_up(side, k & 7, self.so_far(k & 7), &mut up);
            self.rays_down(side, 7 - (k & 7), self.so_far(7 - (k & 7)), &mut down);
            k += 1;
        }
    }

    /// A rank's slider maps so far.
    #[inline(always)]
    fn so_far(&self, k: usize) -> [V; 5] {
        let [bishop, rook, queen, all, twice] = &self.of_sliders;
        let all = if Self::DERIVES { bishop[k].or(rook[k]).or(queen[k]) } else { all[k] };
        [bishop[k], rook[k], queen[k], all, twice[k]]
    }

    /// Adds the squares of a rank that rays up the board hit to its slider maps so far.
    #[inline(always)]
    fn rays_up(&mut self, side: usize, k: usize, so_far: [V; 5], rays: &mut Wavefront<V>) {
        let (free, sliders) = self.sliders(side, k);
        let [bishop, rook, queen, all, twice] = so_far;
        let [file, east, west] = rays.hits();
        let hit = file.or(east).or(west);
        let maps = &mut self.of_sliders;
        maps[ROOK][k] = rook.or(rays.file[0]);
        maps[BISHOP][k] = bishop.or(rays.east[0]).or(rays.west[0]);
        maps[QUEEN][k] = queen.or(rays.file[1]).or(rays.east[1].or(rays.west[1]));
        if !Self::DERIVES {
            maps[ALL][k] = all.or(hit);
        }
        maps[TWICE][k] = twice.or(V::majority(file, east, west)).or(all.and(hit));
        rays.go_on(free, sliders);
    }

    /// Adds the squares of a rank that rays down the board and along the rank hit to its slider maps so far.
    #[inline(always)]
    fn rays_down(&mut self, side: usize, k: usize, so_far: [V; 5], rays: &mut Wavefront<V>) {
        let (free, sliders) = self.sliders(side, k);
        let [bishop, rook, queen, all, twice] = so_far;
        let reversed = if V::REVERSES { free.reverse() } else { free };
        let [_, rooks, queens] = sliders;
        let [rook_right, rook_left] = along_rank(rooks, free, reversed);
        let [queen_right, queen_left] = along_rank(queens, free, reversed);
        let right = free.differs(rook_right, queen_right);
        let left = free.differs(rook_left, queen_left);
        let [file, east, west] = rays.hits();
        let hit = file.or(east).or(west);
        let maps = &mut self.of_sliders;
        maps[ROOK][k] = rook.or(rays.file[0]).or(free.differs(rook_right, rook_left));
        maps[BISHOP][k] = bishop.or(rays.east[0]).or(rays.west[0]);
        maps[QUEEN][k] = (queen.or(rays.file[1]).or(rays.east[1]))
            .or(rays.west[1].or(free.differs(queen_right, queen_left)));
        let more = all.or(hit).or(right);
        maps[TWICE][k] = (twice.or(V::majority(file, east, west)))
            .or(V::majority(all, hit, right))
            .or(more.and(left));
        if !Self::DERIVES {
            maps[ALL][k] = more.or(left);
        }
        rays.go_on(free, sliders);
    }

    /// Stores the maps of a side's bishops, rooks and queens in their columns. Returns the squares that they attack.
    #[inline(always)]
    fn store_roles(&self, side: usize, out: &mut MapColumns<'_, '_>) -> [V; 8] {
        let mut all = [V::splat(0); 8];
        let mut role = BISHOP;
        while role <= QUEEN {
            let column = out.map(side, COLUMNS[role], V::COUNT);
            if Self::DERIVES || column.is_some() {
                let boards = V::to_boards(self.of_sliders[role]);
                let mut i = 0;
                while i < 8 {
                    all[i] = all[i].or(boards[i]);
                    i += 1;
                }
                if let Some(column) = column {
                    V::store_vectors(boards, column);
                }
            }
            role += 1;
        }
        if Self::DERIVES { all } else { V::to_boards(self.of_sliders[ALL]) }
    }

    /// Stores the squares that a side's leapers and sliders attack at least once and twice.
    #[inline(always)]
    fn store_all(&self, side: usize, all: [V; 8], out: &mut MapColumns<'_, '_>) {
        let [once, twice] = &self.leapers[side];
        if let Some(column) = out.map(side, COLUMNS[ALL], V::COUNT) {
            let mut i = 0;
            while i < 8 {
                all[i].or(once[i]).store_vector(&mut column[V::eighth(i)]);
                i += 1;
            }
        }
        if let Some(column) = out.map(side, COLUMNS[TWICE], V::COUNT) {
            let of_sliders = V::to_boards(self.of_sliders[TWICE]);
            let mut i = 0;
            while i < 8 {
                let both = all[i].and(once[i]);
                of_sliders[i].or(twice[i]).or(both).store_vector(&mut column[V::eighth(i)]);
                i += 1;
            }
        }
    }
}

impl<V: Bytes> Default for Scratch<V> {
    #[inline(always)]
    fn default() -> Self {
        let none = [V::splat(0); 8];
        let maps = Maps {
            colours: [none; 2],
            free: none,
            sliders: [[none; 3]; 2],
            of_sliders: [none; 5],
            leapers: [[none; 2]; 2],
        };
        Self { sorted: None, maps }
    }
}

impl<V: Bytes> Scratch<V> {
    /// Fills the requested attack maps of a block of positions.
    #[inline(always)]
    pub(crate) fn fill(&mut self, block: &PositionBlock<'_>, out: &mut MapColumns<'_, '_>) {
        let Self { sorted, maps } = self;
        let mut of_leapers = out.of_leapers(V::COUNT);
        let (mut i, count) = (0, eight());
        match block {
            PositionBlock::Columns(columns) => {
                while i < count {
                    let part = i & 7;
                    maps.split_set(columns, part);
                    maps.leapers(part, eighth_of_columns(columns, part), &mut of_leapers);
                    i += 1;
                }
            }
            PositionBlock::Rows(pieces) => {
                let sorted = scratch_in(sorted);
                while i < count {
                    let part = i & 7;
                    maps.leapers(part, sort_eighth(pieces, sorted, part), &mut of_leapers);
                    i += 1;
                }
                maps.split_sets(sorted);
            }
        }
        let mut side = 0;
        while side < 2 {
            if COLUMNS.iter().any(|&map| out.wants(side, map)) {
                maps.rays(side);
                let all = maps.store_roles(side, out);
                maps.store_all(side, all, out);
            }
            side += 1;
        }
    }
}
