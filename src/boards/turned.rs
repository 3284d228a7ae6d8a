//! Hyperbola quintessence with the lines turned into ranks, for boards in 64-bit lanes. One bytewise subtraction
//! handles all lines of a direction, and the borrow cannot leave its line.
//!
//! # Turning
//!
//! For diagonals, file f moves down by f ranks, around the edge; for antidiagonals it moves up. This takes three
//! rotations of whole boards, each selected where the corresponding bit of the file number is set. Each rank is then a
//! wrapped diagonal, in the order of files. Ranks 1 and 8 are barriers: a ray that runs over the end of the first
//! diagonal hits the first square of the second and stops; that square is masked off.
//!
//! ```text
//! by 4 ranks  The same up as down, so diagonals and antidiagonals share it.
//! by 1        Odd files one way are even files the other way, but for a rotation of all, which only renames the
//!             lines: both pick from the same two boards, one what the other leaves.
//! by 2        Likewise, from a board each.
//! ```
//!
//! On the way back, both are joined at the first of these steps that they share. Files become ranks by a transpose of
//! 8 x 8 bits: three exchanges, or one operation with GFNI.
//!
//! # Both ways
//!
//! With `u = o | r`, the rays to the east are `u ^ ((u ^ r) - r)`, and those to the west are the same on the board
//! reversed rank by rank. Without a byte shuffle (`SHUFFLES`) a reversal takes 12 operations, so there the west is filled by
//! doubling. With one, files are faster line by line than transposed, and with GFNI transposed again.

use core::ops::{Shl, Shr};

use crate::bitboard::{Direction, FILES, RANKS};
use crate::boards::hyperbola::{Lanes, ray};
use crate::boards::{Boards, SliderAttacks};

/// The operations that turned boards need in addition: shifts, and a subtraction in each rank.
pub(super) trait Turned: Lanes + Shl<u32, Output = Self> + Shr<u32, Output = Self> {
    /// Subtraction modulo 2^8 in every byte.
    fn minus_by_ranks(self, other: Self) -> Self;

    /// Whether [`transposed`](Self::transposed) is one operation. Then it makes north west.
    const TRANSPOSES: bool = false;

    /// The board with files and ranks exchanged, about one of the long diagonals: its own inverse.
    #[inline(always)]
    fn transposed(self) -> Self {
        let step = |board: Self, mask: u64, by: u32| {
            let differences = (board ^ (board >> by)) & mask;
            board ^ differences ^ (differences << by)
        };
        let board = step(self, 0x00aa_00aa_00aa_00aa, 7);
        let board = step(board, 0x0000_cccc_0000_cccc, 14);
        step(board, 0x0000_0000_f0f0_f0f0, 28)
    }
}

/// The files whose number has bit 1, 2 or 4 set.
const ODD: u64 = FILES[1] | FILES[3] | FILES[5] | FILES[7];
const SECOND: u64 = FILES[2] | FILES[3] | FILES[6] | FILES[7];
const UPPER: u64 = FILES[4] | FILES[5] | FILES[6] | FILES[7];

/// Rays towards the h-file and towards the a-file.
struct BothWays<L> {
    there: L,
    back: L,
}

/// Squares that the rays of a role and of queens hit along one axis, and squares hit by two of them.
struct AxisHits<L> {
    role: L,
    queen: L,
    twice: L,
}

#[inline(always)]
pub(super) fn slider_attacks<L: Turned, const SHUFFLES: bool>(
    orthogonal: L,
    diagonal: L,
    occupied: L,
) -> L {
    let blockers = Diagonals::new(occupied | diagonal | RANKS[0] | RANKS[7]);
    let union = |rays: BothWays<L>| rays.there | rays.back;
    let [along, across] = blockers.rays::<SHUFFLES>(Diagonals::new(diagonal)).map(union);
    let occupied = occupied | orthogonal;
    let files = if SHUFFLES && !L::TRANSPOSES {
        union(along_files(orthogonal, occupied))
    } else {
        let [occupied, orthogonal] = [occupied, orthogonal].map(L::transposed);
        union(along_ranks::<L, SHUFFLES>(orthogonal, occupied)).transposed()
    };
    let ranks = union(along_ranks::<L, SHUFFLES>(orthogonal, occupied));
    Diagonals([along, across]).turned_back() | files | ranks
}

#[inline(always)]
pub(super) fn attacks_of_roles<L: Turned, const SHUFFLES: bool>(
    bishops: L,
    rooks: L,
    queens: L,
    occupied: L,
) -> SliderAttacks<L> {
    let blockers = Diagonals::new(occupied | RANKS[0] | RANKS[7]);
    let [along, across] = blockers.rays::<SHUFFLES>(Diagonals::new(bishops));
    let [queens_along, queens_across] = blockers.rays::<SHUFFLES>(Diagonals::new(queens));
    let (along, across) = (hits(along, queens_along), hits(across, queens_across));
    // One by one: `crossing` needs the diagonals and the antidiagonals apart.
    let [by_bishops, by_queens] = [[along.role, across.role], [along.queen, across.queen]]
        .map(|[along, across]| [turned_back::<L, true>(along), turned_back::<L, false>(across)]);
    let crossing = (by_bishops[0] | by_queens[0]) & (by_bishops[1] | by_queens[1]);
    let diagonals = AxisHits {
        role: by_bishops[0] | by_bishops[1],
        queen: by_queens[0] | by_queens[1],
        twice: Diagonals([along.twice, across.twice]).turned_back() | crossing,
    };
    let ranks = |occupied, rooks, queens| {
        hits(
            along_ranks::<L, SHUFFLES>(rooks, occupied),
            along_ranks::<L, SHUFFLES>(queens, occupied),
        )
    };
    let files = if SHUFFLES && !L::TRANSPOSES {
        hits(along_files(rooks, occupied), along_files(queens, occupied))
    } else {
        let turned = ranks(occupied.transposed(), rooks.transposed(), queens.transposed());
        AxisHits {
            role: turned.role.transposed(),
            queen: turned.queen.transposed(),
            twice: turned.twice.transposed(),
        }
    };
    let ranks = ranks(occupied, rooks, queens);
    let [d, f, r] = [&diagonals, &files, &ranks].map(|axis| axis.role | axis.queen);
    SliderAttacks {
        bishop: diagonals.role,
        rook: files.role | ranks.role,
        queen: diagonals.queen | files.queen | ranks.queen,
        once: d | f | r,
        twice: diagonals.twice | files.twice | ranks.twice | L::majority(d, f, r),
    }
}

/// From one direction at most one slider hits a square.
#[inline(always)]
fn hits<L: Boards>(role: BothWays<L>, queens: BothWays<L>) -> AxisHits<L> {
    AxisHits {
        role: role.there | role.back,
        queen: queens.there | queens.back,
        twice: (role.there | queens.there) & (role.back | queens.back),
    }
}

/// The rays along files, line by line.
#[inline(always)]
fn along_files<L: Turned>(sliders: L, occupied: L) -> BothWays<L> {
    BothWays {
        there: ray(sliders, Direction::North, occupied),
        back: ray(sliders, Direction::South, occupied),
    }
}

/// The rays along ranks. `occupied` must contain the sliders.
#[inline(always)]
fn along_ranks<L: Turned, const SHUFFLES: bool>(sliders: L, occupied: L) -> BothWays<L> {
    let there = occupied ^ borrows(sliders, occupied);
    BothWays { there, back: west::<L, SHUFFLES>(occupied, sliders) }
}

/// The rays to the west. `occupied` must contain the sliders.
#[inline(always)]
pub(super) fn west<L: Turned, const SHUFFLES: bool>(occupied: L, sliders: L) -> L {
    if SHUFFLES {
        let mirrored = borrows(sliders.reverse_ranks(), occupied.reverse_ranks());
        return occupied ^ mirrored.reverse_ranks();
    }
    let onto = !FILES[7];
    let free = !occupied & onto;
    let (two, free_two) = (sliders | (free & (sliders >> 1)), free & (free >> 1));
    let (four, free_four) = (two | (free_two & (two >> 2)), free_two & (free_two >> 2));
    ((four | (free_four & (four >> 4))) >> 1) & onto
}

/// The subtraction that finds the rays to the east: the result differs from `occupied` on their squares.
#[inline(always)]
fn borrows<L: Turned>(sliders: L, occupied: L) -> L {
    (occupied ^ sliders).minus_by_ranks(sliders)
}

/// A board turned so that diagonals are ranks, and one turned so that antidiagonals are.
#[derive(Clone, Copy)]
struct Diagonals<L>([L; 2]);

impl<L: Turned> Diagonals<L> {
    #[inline(always)]
    fn new(board: L) -> Self {
        let board = select(UPPER, down::<L, 4>(board), board);
        let moved = down::<L, 1>(board);
        let [along, across] = exchanged(ODD, board, moved);
        Self([
            select(SECOND, down::<L, 2>(along), along),
            select(!SECOND, down::<L, 2>(across), across),
        ])
    }

    /// Turns both back and joins them.
    #[inline(always)]
    fn turned_back(self) -> L {
        let Self([along, across]) = self;
        let along = select(SECOND, down::<L, 6>(along), along);
        let across = select(!SECOND, down::<L, 6>(across), across);
        let [left, moved] = exchanged(ODD, along, across);
        let board = down::<L, 7>(moved) | left;
        select(UPPER, down::<L, 4>(board), board)
    }

    /// The rays of sliders along diagonals and along antidiagonals. The blockers must contain rank 1, rank 8 and the
    /// sliders.
    #[inline(always)]
    fn rays<const SHUFFLES: bool>(self, sliders: Self) -> [BothWays<L>; 2] {
        // Towards the h-file, diagonals go up and cannot hit rank 1; antidiagonals go down and cannot hit rank 8.
        let Self([diagonal_start, antidiagonal_end]) = Self::new(L::splat(!RANKS[0]));
        let Self([diagonal_end, antidiagonal_start]) = Self::new(L::splat(!RANKS[7]));
        let (Self([along, across]), Self([r, s])) = (self, sliders);
        let (along, across) =
            (along_ranks::<L, SHUFFLES>(r, along), along_ranks::<L, SHUFFLES>(s, across));
        [
            BothWays { there: along.there & diagonal_start, back: along.back & diagonal_end },
            BothWays {
                there: across.there & antidiagonal_start,
                back: across.back & antidiagonal_end,
            },
        ]
    }
}

/// Turns diagonals back, or antidiagonals.
#[inline(always)]
fn turned_back<L: Turned, const ALONG: bool>(board: L) -> L {
    let second = if ALONG { SECOND } else { !SECOND };
    let board = select(second, down::<L, 6>(board), board);
    let odd = if ALONG { ODD } else { !ODD };
    let board = select(odd, down::<L, 7>(board), board);
    select(UPPER, down::<L, 4>(board), board)
}

/// All ranks moved down by this many, around the edge.
#[inline(always)]
fn down<L: Turned, const RANKS: u32>(board: L) -> L {
    (board >> (8 * RANKS)) | (board << (64 - 8 * RANKS))
}

/// The first board under the mask, the second elsewhere.
#[inline(always)]
fn select<L: Boards>(mask: u64, first: L, second: L) -> L {
    (first & mask) | (second & !mask)
}

/// Both boards, with what is under the mask exchanged.
#[inline(always)]
fn exchanged<L: Boards>(mask: u64, first: L, second: L) -> [L; 2] {
    if cfg!(target_feature = "avx512f") {
        // A select is one operation there.
        return [select(mask, second, first), select(mask, first, second)];
    }
    let differences = (first ^ second) & mask;
    [first ^ differences, second ^ differences]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wide::{u64x2, u64x4, u64x8};

    use super::*;
    use crate::boards::block::Block;
    use crate::reference;

    /// The sets of one board: much occupied or little.
    fn sets() -> impl Strategy<Value = [u64; 4]> {
        let board = any::<[u64; 3]>();
        let board = (board, 0..4).prop_map(|([a, b, c], density)| match density {
            0 => a & b & c,
            1 => a & b,
            2 => a,
            _ => a | b,
        });
        [board.clone(), board.clone(), board.clone(), board]
    }

    fn check<L: Turned + Block, const SHUFFLES: bool>(boards: &[[u64; 4]]) {
        let boards = &boards[..L::COUNT];
        let load = |of: fn(&[u64; 4]) -> u64| {
            let set: std::vec::Vec<u64> = boards.iter().map(of).collect();
            L::load(&set)
        };
        let stored = |set: L| {
            let mut boards = [0; 8];
            set.store(&mut boards[..L::COUNT]);
            boards
        };
        let (o, a, b, c) = (load(|s| s[0]), load(|s| s[1]), load(|s| s[2]), load(|s| s[3]));
        let union = stored(slider_attacks::<L, SHUFFLES>(a, b, o));
        let roles = attacks_of_roles::<L, SHUFFLES>(a, b, c, o | a | b | c);
        let roles = [roles.bishop, roles.rook, roles.queen, roles.once, roles.twice].map(stored);
        for (i, &[o, a, b, c]) in boards.iter().enumerate() {
            assert_eq!(union[i], reference::slider_attacks(a, b, o), "board {i} of {}", L::COUNT);
            let mut expected = [0; 5];
            for direction in Direction::ALL {
                let (files, ranks) = direction.offset();
                let slider = if files != 0 && ranks != 0 { 0 } else { 1 };
                let (role, queens) = ([a, b][slider], c);
                let occupied = o | a | b | c;
                let rays = [role, queens].map(|set| reference::ray(set, direction, occupied));
                let hit = rays[0] | rays[1];
                expected[slider] |= rays[0];
                expected[2] |= rays[1];
                expected[4] |= expected[3] & hit;
                expected[3] |= hit;
            }
            assert_eq!(roles.map(|set| set[i]), expected, "board {i} of {}", L::COUNT);
        }
    }

    proptest! {
        #[test]
        fn turned_lines_are_walked(boards in proptest::collection::vec(sets(), 8)) {
            check::<u64x2, false>(&boards);
            check::<u64x2, true>(&boards);
            check::<u64x4, false>(&boards);
            check::<u64x4, true>(&boards);
            check::<u64x8, false>(&boards);
            check::<u64x8, true>(&boards);
        }
    }
}
