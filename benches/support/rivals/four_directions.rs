//! Four directions in one 256-bit vector: Kogge-Stone for one position, as the fastest engines do it today.
//!
//! One call for the orthogonal and one for the diagonal set. Under AVX2 each step is a shift to the left
//! and one to the right, by lanes, of which one gives nothing; under AVX-512VL it is one rotation, and the
//! squares on which a step around the board's edge would end are never free.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256,
    _mm256_rolv_epi64, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64,
};

use setwise::bitboard::{FILES, RANKS};

use super::{Question, Rival, answer};
use crate::support::columns::AlignedColumn;
use crate::support::inputs::Dataset;

/// How far each lane steps, to the higher bits if positive, and the squares on which no step can end.
struct Directions {
    steps: [i64; 4],
    never: [u64; 4],
}

/// North, east, south, west.
const ORTHOGONAL: Directions =
    Directions { steps: [8, 1, -8, -1], never: [RANKS[0], FILES[0], RANKS[7], FILES[7]] };

/// North-east, north-west, south-west, south-east.
const DIAGONAL: Directions = Directions {
    steps: [9, 7, -9, -7],
    never: [RANKS[0] | FILES[0], RANKS[0] | FILES[7], RANKS[7] | FILES[7], RANKS[7] | FILES[0]],
};

/// Shifts; exists only where the processor has AVX2.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

impl Rival for Avx2 {
    #[inline(always)]
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64 {
        // SAFETY: `detect` has seen that the processor has AVX2.
        unsafe { by_shifts(&ORTHOGONAL, occupied, sliders) }
    }

    #[inline(always)]
    fn diagonal(self, occupied: u64, sliders: u64) -> u64 {
        // SAFETY: as above.
        unsafe { by_shifts(&DIAGONAL, occupied, sliders) }
    }
}

/// Rotations; exists only where the processor has AVX-512F and VL.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx512 {
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl"))
        .then_some(Self(()))
    }
}

impl Rival for Avx512 {
    #[inline(always)]
    fn orthogonal(self, occupied: u64, sliders: u64) -> u64 {
        // SAFETY: `detect` has seen that the processor has AVX-512VL.
        unsafe { by_rotations(&ORTHOGONAL, occupied, sliders) }
    }

    #[inline(always)]
    fn diagonal(self, occupied: u64, sliders: u64) -> u64 {
        // SAFETY: as above.
        unsafe { by_rotations(&DIAGONAL, occupied, sliders) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn by_shifts(directions: &Directions, occupied: u64, sliders: u64) -> u64 {
    fill(directions, occupied, sliders, |set, times| {
        // A count above 63, as a negative one is too, leaves nothing of a lane.
        let [a, b, c, d] = directions.steps.map(|step| step * times);
        let left = _mm256_sllv_epi64(set, _mm256_setr_epi64x(a, b, c, d));
        let right = _mm256_srlv_epi64(set, _mm256_setr_epi64x(-a, -b, -c, -d));
        _mm256_or_si256(left, right)
    })
}

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn by_rotations(directions: &Directions, occupied: u64, sliders: u64) -> u64 {
    fill(directions, occupied, sliders, |set, times| {
        // Rotations count modulo 64.
        let [a, b, c, d] = directions.steps.map(|step| step * times);
        _mm256_rolv_epi64(set, _mm256_setr_epi64x(a, b, c, d))
    })
}

/// Kogge-Stone, given how to take one, two or four steps.
#[inline]
#[target_feature(enable = "avx2")]
fn fill(
    directions: &Directions,
    occupied: u64,
    sliders: u64,
    step: impl Fn(__m256i, i64) -> __m256i,
) -> u64 {
    let [a, b, c, d] = directions.never.map(u64::cast_signed);
    let never = _mm256_setr_epi64x(a, b, c, d);
    let occupied = _mm256_set1_epi64x(occupied.cast_signed());
    let mut sliders = _mm256_set1_epi64x(sliders.cast_signed());
    let all = _mm256_set1_epi64x(-1);
    let mut free = _mm256_andnot_si256(_mm256_or_si256(occupied, never), all);
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, step(sliders, 1)));
    free = _mm256_and_si256(free, step(free, 1));
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, step(sliders, 2)));
    free = _mm256_and_si256(free, step(free, 2));
    sliders = _mm256_or_si256(sliders, _mm256_and_si256(free, step(sliders, 4)));
    let rays = _mm256_andnot_si256(never, step(sliders, 1));
    let half = _mm_or_si128(_mm256_castsi256_si128(rays), _mm256_extracti128_si256::<1>(rays));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))).cast_unsigned()
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
pub fn avx2(rival: Avx2, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(rival, question, dataset, answers);
}

#[target_feature(enable = "avx2,avx512f,avx512vl,bmi1,bmi2")]
pub fn avx512(rival: Avx512, question: Question, dataset: &Dataset, answers: &mut [AlignedColumn]) {
    answer(rival, question, dataset, answers);
}
