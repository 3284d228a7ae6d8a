//! One position with AVX-512: eight directions in one vector.
//!
//! For the union of eight rays, each lane rotates its set by its own number of bits. Squares that a step reaches by
//! wrapping around the edge are never free. This takes half the operations of the two vectors of AVX2: 23 on two ports,
//! or 11.5 cycles, with a latency of 26, of which moves into and out of vectors take 15.
//!
//! Operations with several fills use the code for AVX2, compiled with AVX-512: 256-bit vectors have three ports,
//! 512-bit vectors two, and `vpternlogq` fuses a third of the operations. `docs/notebook.md` has the figures.
//!
//! All `unsafe` functions here need AVX-512 F, BW, VL and DQ.

#![expect(unsafe_op_in_unsafe_fn, reason = "each needs the same: the instructions")]

use core::arch::x86_64::*;
use core::mem::transmute;

use super::avx2::Avx2;
use super::king::KingRays;
use super::{Instructions, NOT_A, NOT_H, SliderAttacksByRole};
use crate::bitboard::{ByDirection, RANKS};
use crate::boards::SliderAttacks;
use crate::eval::Attacks;
use crate::pieces::{ByColour, CodeMap, Pieces};

/// Only the dispatch names this type, where the processor has AVX-512 F, BW, VL and DQ, and GFNI if `GFNI` is true.
pub struct Avx512<const GFNI: bool>;

/// The number of bits by which each lane rotates: north, east, north-east, north-west, and their opposites.
const STEPS: [i64; 8] = [8, 1, 9, 7, -8, -1, -9, -7];

/// Squares where steps can end.
const LANDING: [u64; 8] = {
    let (up, down) = (!RANKS[0], !RANKS[7]);
    [up, NOT_A, up & NOT_A, up & NOT_H, down, NOT_H, down & NOT_H, down & NOT_A]
};

/// The lanes of diagonal directions.
const DIAGONAL: __mmask8 = 0b1100_1100;

#[inline(always)]
fn vector(lanes: [u64; 8]) -> __m512i {
    // SAFETY: both are 64 bytes of plain bits.
    unsafe { transmute(lanes) }
}

#[inline(always)]
fn lanes(vector: __m512i) -> [u64; 8] {
    // SAFETY: both are 64 bytes of plain bits.
    unsafe { transmute(vector) }
}

/// The same set in every lane.
#[inline(always)]
unsafe fn splat(set: u64) -> __m512i {
    _mm512_set1_epi64(set.cast_signed())
}

/// The lanes of orthogonal and of diagonal sliders.
#[inline(always)]
unsafe fn by_kind(orthogonal: u64, diagonal: u64) -> __m512i {
    _mm512_mask_blend_epi64(DIAGONAL, splat(orthogonal), splat(diagonal))
}

/// Adds the free squares of a step to the attacked squares.
#[inline(always)]
unsafe fn join(seen: __m512i, free: __m512i, stepped: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xf8>(seen, free, stepped)
}

/// Rotates all lanes by `TIMES` steps, each lane by its own number of bits.
#[inline(always)]
unsafe fn rotate<const TIMES: i64>(set: __m512i) -> __m512i {
    let by = const {
        let (mut by, mut lane) = ([0; 8], 0);
        while lane < 8 {
            by[lane] = (TIMES * STEPS[lane]).cast_unsigned();
            lane += 1;
        }
        by
    };
    _mm512_rolv_epi64(set, vector(by))
}

/// The rays of an orthogonal and a diagonal set, in the lanes of [`STEPS`].
#[inline(always)]
unsafe fn eight_rays(sliders: __m512i, occupied: u64) -> __m512i {
    let landing = vector(LANDING);
    let free = _mm512_andnot_si512(splat(occupied), landing);
    let seen = join(sliders, free, rotate::<1>(sliders));
    let free = _mm512_and_si512(free, rotate::<1>(free));
    let seen = join(seen, free, rotate::<2>(seen));
    let free = _mm512_and_si512(free, rotate::<2>(free));
    let seen = join(seen, free, rotate::<4>(seen));
    _mm512_and_si512(rotate::<1>(seen), landing)
}

/// The union of all lanes.
#[inline(always)]
unsafe fn union(sets: __m512i) -> u64 {
    let four = _mm256_or_si256(_mm512_castsi512_si256(sets), high(sets));
    let two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))).cast_unsigned()
}

/// The upper four lanes.
#[inline(always)]
unsafe fn high(sets: __m512i) -> __m256i {
    _mm512_extracti64x4_epi64::<1>(sets)
}

/// Defines methods that use the implementation for AVX2.
macro_rules! as_avx2 {
    ($($(#[$meta:meta])* $name:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        $(#[$meta])*
        #[inline(always)]
        fn $name($($argument: $type),*) -> $output {
            Avx2::<GFNI>::$name($($argument),*)
        }
    )*};
}

impl<const GFNI: bool> Instructions for Avx512<GFNI> {
    #[inline(always)]
    fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64> {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512.
        let rays = unsafe { eight_rays(by_kind(orthogonal, diagonal), occupied) };
        let [n, e, ne, nw, s, w, sw, se] = lanes(rays);
        ByDirection([n, s, e, w, ne, nw, se, sw])
    }

    #[inline(always)]
    fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512.
        unsafe { union(eight_rays(by_kind(orthogonal, diagonal), occupied)) }
    }

    #[inline(always)]
    fn slider_attackers(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512.
        unsafe {
            let seen = eight_rays(splat(targets), occupied);
            union(_mm512_and_si512(seen, by_kind(orthogonal, diagonal)))
        }
    }

    as_avx2! {
        orthogonal_attacks(sliders: u64, occupied: u64) -> u64;
        diagonal_attacks(sliders: u64, occupied: u64) -> u64;
        slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole;
        between(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64;
        behind(occupied: u64, targets: u64, between: u64, sliders: [u64; 2]) -> u64;
        king_rays(occupied: u64, king: u64, own: u64, sliders: [u64; 2]) -> KingRays;
        one_side(bishops: u64, rooks: u64, queens: u64, occupied: u64) -> SliderAttacks<u64>;
        attacks(pieces: &Pieces) -> ByColour<Attacks<u64>>;
        codes(map: &CodeMap, mailbox: &[u8; 64]) -> [u8; 64];
        #[cfg(feature = "bulk")]
        rows(columns: Pieces<&[u64; 8]>) -> [Pieces; 8];
    }
}
