//! Rays of one or more sets, with a set or a direction in each lane.
//!
//! All `unsafe` functions here need AVX2, and GFNI if `GFNI` is true.

#![expect(unsafe_op_in_unsafe_fn, reason = "each needs the same: the instructions")]

use core::arch::x86_64::*;
use core::mem::transmute;

use super::super::gfni;
use crate::bitboard::FILES;

/// The squares on which steps to the east (`NOT_A`) and to the west (`NOT_H`) can end; and steps of two files.
pub(super) const NOT_A: u64 = !FILES[0];
pub(super) const NOT_H: u64 = !FILES[7];
pub(super) const NOT_AB: u64 = !(FILES[0] | FILES[1]);
pub(super) const NOT_GH: u64 = !(FILES[6] | FILES[7]);

/// The number of bits that each lane shifts in one step.
pub(super) const STEPS: [u64; 4] = [8, 1, 9, 7];

/// The squares on which steps to the higher bits can end.
pub(super) const UP_LANDING: [u64; 4] = [!0, NOT_A, NOT_A, NOT_H];

/// The squares on which steps to the lower bits can end.
pub(super) const DOWN_LANDING: [u64; 4] = [!0, NOT_H, NOT_H, NOT_A];

#[inline(always)]
pub(super) fn vector(lanes: [u64; 4]) -> __m256i {
    // SAFETY: both are 32 bytes of plain bits.
    unsafe { transmute(lanes) }
}

#[inline(always)]
pub(super) fn lanes(vector: __m256i) -> [u64; 4] {
    // SAFETY: both are 32 bytes of plain bits.
    unsafe { transmute(vector) }
}

/// Shifts all lanes, each by its own number of bits.
#[inline(always)]
pub(super) unsafe fn shift<const UP: bool>(set: __m256i, by: [u64; 4]) -> __m256i {
    let by = vector(by);
    if UP { _mm256_sllv_epi64(set, by) } else { _mm256_srlv_epi64(set, by) }
}

/// The rays of a set in each lane, each in its own direction.
#[inline(always)]
pub(super) unsafe fn rays<const UP: bool>(
    occupied: __m256i,
    sliders: __m256i,
    [a, b, c, d]: [u64; 4],
    landing: [u64; 4],
) -> __m256i {
    let (one, two) = ([a, b, c, d], [2 * a, 2 * b, 2 * c, 2 * d]);
    let four = [4 * a, 4 * b, 4 * c, 4 * d];
    let landing = vector(landing);
    let free = _mm256_andnot_si256(occupied, landing);
    let seen = join(sliders, free, shift::<UP>(sliders, one));
    let free = _mm256_and_si256(free, shift::<UP>(free, one));
    let seen = join(seen, free, shift::<UP>(seen, two));
    let free = _mm256_and_si256(free, shift::<UP>(free, two));
    let seen = join(seen, free, shift::<UP>(seen, four));
    _mm256_and_si256(shift::<UP>(seen, one), landing)
}

/// Adds the free squares of a step to the attacked squares.
#[inline(always)]
pub(super) unsafe fn join(seen: __m256i, free: __m256i, stepped: __m256i) -> __m256i {
    _mm256_or_si256(seen, _mm256_and_si256(free, stepped))
}

/// The rays up and down of an orthogonal and a diagonal set.
#[inline(always)]
pub(super) unsafe fn eight_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> [__m256i; 2] {
    let occupied = splat(occupied);
    let sliders = by_kind(orthogonal, diagonal);
    [
        rays::<true>(occupied, sliders, STEPS, UP_LANDING),
        rays::<false>(occupied, sliders, STEPS, DOWN_LANDING),
    ]
}

/// The same set in every lane.
#[inline(always)]
pub(super) unsafe fn splat(set: u64) -> __m256i {
    _mm256_set1_epi64x(set.cast_signed())
}

/// The lanes of orthogonal and of diagonal sliders.
#[inline(always)]
pub(super) unsafe fn by_kind(orthogonal: u64, diagonal: u64) -> __m256i {
    _mm256_blend_epi32::<0b1111_0000>(splat(orthogonal), splat(diagonal))
}

/// The union of all lanes.
#[inline(always)]
pub(super) unsafe fn union(sets: __m256i) -> u64 {
    union_of_two(_mm_or_si128(_mm256_castsi256_si128(sets), _mm256_extracti128_si256::<1>(sets)))
}

/// The union of both lanes.
#[inline(always)]
pub(super) unsafe fn union_of_two(sets: __m128i) -> u64 {
    let both = _mm_or_si128(sets, _mm_unpackhi_epi64(sets, sets));
    _mm_cvtsi128_si64(both).cast_unsigned()
}

/// Two lanes, followed by two unused ones.
#[inline(always)]
pub(super) fn half(lanes: [u64; 4], first: usize) -> [u64; 4] {
    [lanes[first], lanes[first + 1], 0, 0]
}

/// The union of four rays of one set: two to the higher bits, and the opposite two.
#[inline(always)]
pub(super) unsafe fn four_rays(sliders: u64, first: usize, occupied: u64) -> u64 {
    let (occupied, sliders) = (splat(occupied), splat(sliders));
    let up = rays::<true>(occupied, sliders, half(STEPS, first), half(UP_LANDING, first));
    let down = rays::<false>(occupied, sliders, half(STEPS, first), half(DOWN_LANDING, first));
    union_of_two(_mm256_castsi256_si128(_mm256_or_si256(up, down)))
}

/// The rays of four orthogonal and four diagonal sets: four pairs of directions. All sliders must be in `occupied`.
#[inline(always)]
pub(super) unsafe fn rays_of_eight<const GFNI: bool>(
    orthogonal: __m256i,
    diagonal: __m256i,
    occupied: u64,
) -> [[__m256i; 2]; 4] {
    let occupied = splat(occupied);
    let [north, east, south, west] = if GFNI {
        gfni::rays(occupied, orthogonal)
    } else {
        [
            rays::<true>(occupied, orthogonal, [8; 4], [!0; 4]),
            rays::<true>(occupied, orthogonal, [1; 4], [NOT_A; 4]),
            rays::<false>(occupied, orthogonal, [8; 4], [!0; 4]),
            rays::<false>(occupied, orthogonal, [1; 4], [NOT_H; 4]),
        ]
    };
    [
        [north, rays::<true>(occupied, diagonal, [9; 4], [NOT_A; 4])],
        [east, rays::<true>(occupied, diagonal, [7; 4], [NOT_H; 4])],
        [south, rays::<false>(occupied, diagonal, [9; 4], [NOT_H; 4])],
        [west, rays::<false>(occupied, diagonal, [7; 4], [NOT_A; 4])],
    ]
}

/// The squares that eight sets attack.
#[inline(always)]
pub(super) unsafe fn unions(rays: [[__m256i; 2]; 4]) -> [__m256i; 2] {
    let [a, b, c, d] = rays;
    [
        _mm256_or_si256(_mm256_or_si256(a[0], b[0]), _mm256_or_si256(c[0], d[0])),
        _mm256_or_si256(_mm256_or_si256(a[1], b[1]), _mm256_or_si256(c[1], d[1])),
    ]
}
