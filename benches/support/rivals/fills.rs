//! Kogge-Stone fills: the rays of a set, computed by shifts in doubling steps, without tables.
//!
//! The dataset is processed by plain loops without branches, which the compiler vectorises: two boards per vector on
//! the x86-64 baseline, four with AVX2, eight with AVX-512. `scalar` is the loop with the target features of the build,
//! as in most programs; on the x86-64 baseline it is faster than a loop in general-purpose registers.
//!
//! The eight directions are eight separate calls. The compiler would unroll a loop over them too late to use constant
//! shifts, and all variants would take 19 ns per board.

use setwise::bitboard::{Direction, FILES};

use super::{Question, Rival, answer, in_a_register};
use crate::support::columns::{AlignedColumn, slices};
use crate::support::inputs::Dataset;

/// Kogge-Stone: three doubling steps, seven shifts per direction; in vectors or in general-purpose registers.
#[derive(Clone, Copy)]
struct KoggeStone<const IN_REGISTERS: bool>;

impl<const IN_REGISTERS: bool> KoggeStone<IN_REGISTERS> {
    /// The rays up to and including the first piece. `empty` does not contain the sliders.
    #[inline(always)]
    fn ray(self, direction: Direction, mut sliders: u64, empty: u64) -> u64 {
        let (not_a, not_h) = (!FILES[0], !FILES[7]);
        // The step size (positive towards higher bits), and the squares where a step can end.
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
        let ray = onto & shift(sliders, step);
        if IN_REGISTERS { in_a_register(ray) } else { ray }
    }
}

impl<const IN_REGISTERS: bool> Rival for KoggeStone<IN_REGISTERS> {
    #[inline(always)]
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64 {
        (self.ray(Direction::North, sliders, !occupied)
            | self.ray(Direction::South, sliders, !occupied))
            | (self.ray(Direction::East, sliders, !occupied)
                | self.ray(Direction::West, sliders, !occupied))
    }

    #[inline(always)]
    fn diagonal(self, occupied: u64, sliders: u64) -> u64 {
        (self.ray(Direction::NorthEast, sliders, !occupied)
            | self.ray(Direction::NorthWest, sliders, !occupied))
            | (self.ray(Direction::SouthEast, sliders, !occupied)
                | self.ray(Direction::SouthWest, sliders, !occupied))
    }

    #[inline(always)]
    fn columns(self, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
        if question == Question::Rays {
            rays(self, dataset, answers);
        } else {
            maps(self, dataset, answers);
        }
    }
}

/// The rays of many boards, one column per direction.
///
/// Computes one direction after another for a block that stays in the first-level cache. With all columns in one
/// loop, the compiler could not prove that they do not overlap.
#[inline(always)]
fn rays<const R: bool>(fill: KoggeStone<R>, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    const BLOCK: usize = 64;
    let [north, south, east, west, north_east, north_west, south_east, south_west] =
        slices(answers);
    for start in (0..dataset.len()).step_by(BLOCK) {
        let block = start..dataset.len().min(start + BLOCK);
        let occupied = &dataset.occupied[block.clone()];
        let orthogonal = &dataset.orthogonal[block.clone()];
        let diagonal = &dataset.diagonal[block.clone()];
        rays_to(fill, Direction::North, occupied, orthogonal, &mut north[block.clone()]);
        rays_to(fill, Direction::South, occupied, orthogonal, &mut south[block.clone()]);
        rays_to(fill, Direction::East, occupied, orthogonal, &mut east[block.clone()]);
        rays_to(fill, Direction::West, occupied, orthogonal, &mut west[block.clone()]);
        rays_to(fill, Direction::NorthEast, occupied, diagonal, &mut north_east[block.clone()]);
        rays_to(fill, Direction::NorthWest, occupied, diagonal, &mut north_west[block.clone()]);
        rays_to(fill, Direction::SouthEast, occupied, diagonal, &mut south_east[block.clone()]);
        rays_to(fill, Direction::SouthWest, occupied, diagonal, &mut south_west[block]);
    }
}

#[inline(always)]
fn rays_to<const R: bool>(
    fill: KoggeStone<R>,
    direction: Direction,
    occupied: &[u64],
    sliders: &[u64],
    rays: &mut [u64],
) {
    for ((rays, &occupied), &sliders) in rays.iter_mut().zip(occupied).zip(sliders) {
        *rays = fill.ray(direction, sliders, !occupied);
    }
}

/// The attack maps of many positions.
///
/// The arrays have the length of the widest vector. They tell the compiler that nothing overlaps, and stay in
/// registers.
#[inline(always)]
fn maps<const R: bool>(fill: KoggeStone<R>, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    const BLOCK: usize = 8;
    assert!(dataset.len().is_multiple_of(BLOCK), "whole blocks only");
    let columns = dataset.columns();
    let mut pieces = [[0; BLOCK]; 8];
    let mut maps = [[0; BLOCK]; 16];
    for start in (0..dataset.len()).step_by(BLOCK) {
        for (pieces, column) in pieces.iter_mut().zip(columns) {
            pieces.copy_from_slice(&column[start..start + BLOCK]);
        }
        for i in 0..BLOCK {
            let [pawns, knights, bishops, rooks] =
                [pieces[0][i], pieces[1][i], pieces[2][i], pieces[3][i]];
            let [queens, kings, white, black] =
                [pieces[4][i], pieces[5][i], pieces[6][i], pieces[7][i]];
            let empty = !(white | black);
            let by_white = side(
                fill,
                [(white & pawns & !FILES[0]) << 7, (white & pawns & !FILES[7]) << 9],
                [white & knights, white & bishops, white & rooks, white & queens, white & kings],
                empty,
            );
            let by_black = side(
                fill,
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

/// The squares that are attacked, and those that are attacked at least twice.
#[derive(Clone, Copy, Default)]
struct Hits {
    once: u64,
    twice: u64,
}

impl Hits {
    /// Adds squares that are attacked once each.
    #[inline(always)]
    fn add(&mut self, squares: u64) -> u64 {
        self.twice |= self.once & squares;
        self.once |= squares;
        squares
    }
}

/// The eight maps of one side.
#[inline(always)]
fn side<const R: bool>(
    fill: KoggeStone<R>,
    pawn: [u64; 2],
    pieces: [u64; 5],
    empty: u64,
) -> [u64; 8] {
    let [knights, bishops, rooks, queens, kings] = pieces;
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
        // In one direction, a square is attacked by at most one slider of a set.
        let (by_queen, by_other) =
            (fill.ray(direction, queens, empty), fill.ray(direction, others, empty));
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

/// Kogge-Stone with the build's target features.
pub fn scalar(question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(KoggeStone::<false>, question, dataset, answers);
}

/// Kogge-Stone in general-purpose registers.
pub fn unvectorised(question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(KoggeStone::<true>, question, dataset, answers);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub fn avx2(question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(KoggeStone::<false>, question, dataset, answers);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2")]
pub fn avx512(question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(KoggeStone::<false>, question, dataset, answers);
}
