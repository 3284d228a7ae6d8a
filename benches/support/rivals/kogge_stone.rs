//! Kogge-Stone: a set's rays in three doubling steps, seven shifts a direction, without tables.
//!
//! Over a batch it is a plain loop without branches, which the compiler turns into vector code by itself:
//! two boards in a vector on the x86-64 baseline, four with AVX2, eight with AVX-512. The loops stand here
//! once, inlined into one function for each instruction set. `scalar` is the loop as the build's own
//! target features have it, which is what one gets who writes it down and calls it a day: on the x86-64
//! baseline it is faster than `unvectorised`, the same loop held to general registers.
//!
//! The order of the directions is written out wherever they are joined: in a loop over them, the compiler
//! unrolls too late to see constant shifts, and all variants fall to 19 ns.

use setwise::bitboard::{Direction, FILES};

use crate::support::columns::{Column, slices};
use crate::support::inputs::Batch;

/// The rays of a set in one direction, up to and including the first man; `empty` holds no sliders.
#[inline(always)]
fn ray(direction: Direction, mut sliders: u64, empty: u64) -> u64 {
    let (not_a, not_h) = (!FILES[0], !FILES[7]);
    // How far a step goes (to the higher bits if positive), and the squares on which it can end.
    let (step, onto) = match direction {
        Direction::North => (8, !0),
        Direction::South => (-8, !0),
        Direction::East => (1, not_a),
        Direction::West => (-1, not_h),
        Direction::NorthEast => (9, not_a),
        Direction::NorthWest => (7, not_h),
        Direction::SouthEast => (-7, not_a),
        Direction::SouthWest => (-9, not_h),
    };
    let shift = |set: u64, by: i32| if by > 0 { set << by } else { set >> -by };
    let mut free = empty & onto;
    sliders |= free & shift(sliders, step);
    free &= shift(free, step);
    sliders |= free & shift(sliders, 2 * step);
    free &= shift(free, 2 * step);
    sliders |= free & shift(sliders, 4 * step);
    onto & shift(sliders, step)
}

/// The union of a position's eight rays.
#[inline(always)]
pub fn union(occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
    union_of(occupied, orthogonal, diagonal, |ray| ray)
}

#[inline(always)]
fn union_of(occupied: u64, orthogonal: u64, diagonal: u64, pass: impl Fn(u64) -> u64) -> u64 {
    let empty = !occupied;
    pass(ray(Direction::North, orthogonal, empty))
        | pass(ray(Direction::South, orthogonal, empty))
        | pass(ray(Direction::East, orthogonal, empty))
        | pass(ray(Direction::West, orthogonal, empty))
        | pass(ray(Direction::NorthEast, diagonal, empty))
        | pass(ray(Direction::NorthWest, diagonal, empty))
        | pass(ray(Direction::SouthEast, diagonal, empty))
        | pass(ray(Direction::SouthWest, diagonal, empty))
}

/// The same, in general registers whatever the compiler thinks.
#[inline(always)]
pub fn union_unvectorised(occupied: u64, orthogonal: u64, diagonal: u64) -> u64 {
    union_of(occupied, orthogonal, diagonal, in_a_register)
}

/// Costs nothing, and keeps the compiler from working on several boards or rays in a vector.
#[inline(always)]
fn in_a_register(board: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let same;
        // SAFETY: there is no instruction in it.
        unsafe {
            core::arch::asm!(
                "/* {0} */",
                inlateout(reg) board => same,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        same
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    board
}

/// The unions of many boards.
#[inline(always)]
fn unions(batch: &Batch, answers: &mut [Column], union: impl Fn(u64, u64, u64) -> u64) {
    let boards = batch.occupied.iter().zip(&*batch.orthogonal).zip(&*batch.diagonal);
    for (attacks, ((&occupied, &orthogonal), &diagonal)) in answers[0].iter_mut().zip(boards) {
        *attacks = union(occupied, orthogonal, diagonal);
    }
}

/// The rays of many boards, a column for each direction.
///
/// Direction after direction over a block that stays in the nearest cache: in one loop, nine columns
/// would be too many for the compiler to see that they do not overlap.
#[inline(always)]
fn rays(batch: &Batch, answers: &mut [Column]) {
    const BLOCK: usize = 64;
    let [north, south, east, west, north_east, north_west, south_east, south_west] =
        slices(answers);
    for start in (0..batch.len()).step_by(BLOCK) {
        let block = start..batch.len().min(start + BLOCK);
        let occupied = &batch.occupied[block.clone()];
        let orthogonal = &batch.orthogonal[block.clone()];
        let diagonal = &batch.diagonal[block.clone()];
        rays_to(Direction::North, occupied, orthogonal, &mut north[block.clone()]);
        rays_to(Direction::South, occupied, orthogonal, &mut south[block.clone()]);
        rays_to(Direction::East, occupied, orthogonal, &mut east[block.clone()]);
        rays_to(Direction::West, occupied, orthogonal, &mut west[block.clone()]);
        rays_to(Direction::NorthEast, occupied, diagonal, &mut north_east[block.clone()]);
        rays_to(Direction::NorthWest, occupied, diagonal, &mut north_west[block.clone()]);
        rays_to(Direction::SouthEast, occupied, diagonal, &mut south_east[block.clone()]);
        rays_to(Direction::SouthWest, occupied, diagonal, &mut south_west[block]);
    }
}

#[inline(always)]
fn rays_to(direction: Direction, occupied: &[u64], sliders: &[u64], rays: &mut [u64]) {
    for ((rays, &occupied), &sliders) in rays.iter_mut().zip(occupied).zip(sliders) {
        *rays = ray(direction, sliders, !occupied);
    }
}

/// The attack maps of many positions.
///
/// As many boards as the widest vector holds are taken into arrays, so that the compiler knows that
/// nothing overlaps; the arrays end up in registers.
#[inline(always)]
fn maps(batch: &Batch, answers: &mut [Column]) {
    const BLOCK: usize = 8;
    assert!(batch.len().is_multiple_of(BLOCK), "whole blocks only");
    let columns = batch.columns();
    let mut men = [[0; BLOCK]; 8];
    let mut maps = [[0; BLOCK]; 16];
    for start in (0..batch.len()).step_by(BLOCK) {
        for (men, column) in men.iter_mut().zip(columns) {
            men.copy_from_slice(&column[start..start + BLOCK]);
        }
        for i in 0..BLOCK {
            let [pawns, knights, bishops, rooks] = [men[0][i], men[1][i], men[2][i], men[3][i]];
            let [queens, kings, white, black] = [men[4][i], men[5][i], men[6][i], men[7][i]];
            let empty = !(white | black);
            let by_white = side(
                [(white & pawns & !FILES[0]) << 7, (white & pawns & !FILES[7]) << 9],
                [white & knights, white & bishops, white & rooks, white & queens, white & kings],
                empty,
            );
            let by_black = side(
                [(black & pawns & !FILES[0]) >> 9, (black & pawns & !FILES[7]) >> 7],
                [black & knights, black & bishops, black & rooks, black & queens, black & kings],
                empty,
            );
            for at in 0..8 {
                maps[at][i] = by_white[at];
                maps[8 + at][i] = by_black[at];
            }
        }
        for (map, column) in maps.iter().zip(&mut *answers) {
            column[start..start + BLOCK].copy_from_slice(map);
        }
    }
}

/// Squares hit by anything, and squares hit at least twice.
#[derive(Clone, Copy, Default)]
struct Hits {
    once: u64,
    twice: u64,
}

impl Hits {
    /// Adds squares of which each is hit by one man.
    #[inline(always)]
    fn add(&mut self, squares: u64) -> u64 {
        self.twice |= self.once & squares;
        self.once |= squares;
        squares
    }
}

/// The eight maps of one side.
#[inline(always)]
fn side(pawn: [u64; 2], men: [u64; 5], empty: u64) -> [u64; 8] {
    let [knights, bishops, rooks, queens, kings] = men;
    let mut hits = Hits::default();
    let pawn = hits.add(pawn[0]) | hits.add(pawn[1]);

    let not_west = [!FILES[0], !(FILES[0] | FILES[1])];
    let not_east = [!FILES[7], !(FILES[7] | FILES[6])];
    let knight = hits.add((knights & not_east[0]) << 17)
        | hits.add((knights & not_west[0]) << 15)
        | hits.add((knights & not_east[1]) << 10)
        | hits.add((knights & not_west[1]) << 6)
        | hits.add((knights & not_west[0]) >> 17)
        | hits.add((knights & not_east[0]) >> 15)
        | hits.add((knights & not_west[1]) >> 10)
        | hits.add((knights & not_east[1]) >> 6);
    let king = hits.add(kings << 8)
        | hits.add(kings >> 8)
        | hits.add((kings & not_east[0]) << 1)
        | hits.add((kings & not_west[0]) >> 1)
        | hits.add((kings & not_east[0]) << 9)
        | hits.add((kings & not_west[0]) << 7)
        | hits.add((kings & not_east[0]) >> 7)
        | hits.add((kings & not_west[0]) >> 9);

    let (mut bishop, mut rook, mut queen) = (0, 0, 0);
    let mut both = |direction, others, other: &mut u64| {
        // Two sliders of a set never see the same square in one direction.
        let (by_queen, by_other) = (ray(direction, queens, empty), ray(direction, others, empty));
        queen |= by_queen;
        *other |= by_other;
        hits.add(by_queen | by_other);
    };
    both(Direction::North, rooks, &mut rook);
    both(Direction::South, rooks, &mut rook);
    both(Direction::East, rooks, &mut rook);
    both(Direction::West, rooks, &mut rook);
    both(Direction::NorthEast, bishops, &mut bishop);
    both(Direction::NorthWest, bishops, &mut bishop);
    both(Direction::SouthEast, bishops, &mut bishop);
    both(Direction::SouthWest, bishops, &mut bishop);
    [pawn, knight, bishop, rook, queen, king, hits.once, hits.twice]
}

/// The loops, compiled for a set of instructions.
macro_rules! compiled {
    ($name:ident $(, $arch:literal, $features:literal)?) => {
        $(#[cfg(target_arch = $arch)])?
        pub mod $name {
            use super::{Batch, Column, union};

            $(#[target_feature(enable = $features)])?
            pub fn unions(batch: &Batch, answers: &mut [Column]) {
                super::unions(batch, answers, union);
            }

            $(#[target_feature(enable = $features)])?
            pub fn rays(batch: &Batch, answers: &mut [Column]) {
                super::rays(batch, answers);
            }

            $(#[target_feature(enable = $features)])?
            pub fn maps(batch: &Batch, answers: &mut [Column]) {
                super::maps(batch, answers);
            }
        }
    };
}

compiled!(scalar);
compiled!(avx2, "x86_64", "avx2,bmi1,bmi2");
compiled!(avx512, "x86_64", "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2");

/// The loop in general registers.
pub mod unvectorised {
    use super::{Batch, Column, union_unvectorised};

    pub fn unions(batch: &Batch, answers: &mut [Column]) {
        super::unions(batch, answers, union_unvectorised);
    }
}
