//! One position with AVX-512: eight directions, or eight sets, in one vector.
//!
//! For the union of eight rays, each lane rotates its set by its own number of bits. The squares where a step would end
//! after wrapping around the edge are never free. This takes half the operations of AVX2's two vectors.
//!
//! If a question has eight sets, orthogonal in four lanes and diagonal in the other four, each half of a vector steps
//! in its own direction. Four vectors cover all directions: 13 operations each, and 2 to join them.
//!
//! The sets of a position are one vector, and two permutations make all eight.
//!
//! With GFNI, ranks and files need no fill (see `gfni.rs`). A vector then holds four sets twice, with half of the
//! directions in each half: one vector for the four sets of rooks and queens, and two fills for those of bishops and
//! queens.
//!
//! Attack maps use AVX2's code, compiled with AVX-512: 256-bit vectors have three ports, 512-bit vectors two.
//!
//! The union is bounded by 23 operations on two ports, 11.5 cycles, and has a latency of 26, of which 15 are the ways into
//! vectors and out of them. Eight sets take 45 operations with GFNI and 59 without. `docs/notebook.md` has the figures.
//!
//! All `unsafe` functions here need AVX-512 F, BW, VL and DQ.

#![expect(unsafe_op_in_unsafe_fn, reason = "each needs the same: the instructions")]

use core::arch::x86_64::*;
use core::mem::transmute;
use core::ptr;

use super::avx2::Avx2;
use super::gfni;
use super::king::KingRays;
use super::{Instructions, NOT_A, NOT_H, SliderAttacksByRole};
use crate::bitboard::{ByDirection, RANKS};
use crate::boards::SliderAttacks;
use crate::eval::Attacks;
use crate::pieces::{ByColour, CodeMap, Pieces};

/// Only the dispatch names this type, where the processor has AVX-512 F, BW, VL and DQ, and GFNI if that is true.
pub struct Avx512<const GFNI: bool>;

/// How far each lane rotates: north, east, north-east, north-west, and their opposites.
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

/// Adds to the attacked squares those squares of a step that are free.
#[inline(always)]
unsafe fn join(seen: __m512i, free: __m512i, stepped: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xf8>(seen, free, stepped)
}

/// All lanes rotated, each by its own number of bits for this many steps.
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

/// The first number in lanes 0 to 3, the second in lanes 4 to 7.
#[inline(always)]
fn halves((orthogonal, diagonal): (u64, u64)) -> __m512i {
    let (o, d) = (orthogonal, diagonal);
    vector([o, o, o, o, d, d, d, d])
}

/// All lanes shifted this many times, each half by its own number of bits.
#[inline(always)]
unsafe fn shift<const UP: bool>(set: __m512i, times: u64, by: (u64, u64)) -> __m512i {
    let by = halves((times * by.0, times * by.1));
    if UP { _mm512_sllv_epi64(set, by) } else { _mm512_srlv_epi64(set, by) }
}

/// The rays of four sets in lanes 0 to 3, in one direction, and of four in lanes 4 to 7, in another.
#[inline(always)]
unsafe fn ray_of_eight<const UP: bool>(
    occupied: __m512i,
    sliders: __m512i,
    by: (u64, u64),
    landing: (u64, u64),
) -> __m512i {
    let landing = halves(landing);
    let free = _mm512_andnot_si512(occupied, landing);
    let seen = join(sliders, free, shift::<UP>(sliders, 1, by));
    let free = _mm512_and_si512(free, shift::<UP>(free, 1, by));
    let seen = join(seen, free, shift::<UP>(seen, 2, by));
    let free = _mm512_and_si512(free, shift::<UP>(free, 2, by));
    let seen = join(seen, free, shift::<UP>(seen, 4, by));
    _mm512_and_si512(shift::<UP>(seen, 1, by), landing)
}

/// The rays of eight sets in four directions each.
#[inline(always)]
unsafe fn rays_of_eight(sliders: __m512i, occupied: u64) -> [__m512i; 4] {
    let occupied = splat(occupied);
    [
        ray_of_eight::<true>(occupied, sliders, (8, 9), (!0, NOT_A)),
        ray_of_eight::<true>(occupied, sliders, (1, 7), (NOT_A, NOT_H)),
        ray_of_eight::<false>(occupied, sliders, (8, 9), (!0, NOT_H)),
        ray_of_eight::<false>(occupied, sliders, (1, 7), (NOT_H, NOT_A)),
    ]
}

/// Four sets in each half, white's first: two roles alternate in the lower half, and two in the upper half. The roles
/// are given by the indices of their fields.
#[inline(always)]
unsafe fn sets_of(pieces: &Pieces, [[a, b], [c, d]]: [[u64; 2]; 2]) -> __m512i {
    /// Selects a lane of black's pieces.
    const BLACK: u64 = 8;
    let places = [a, b, a | BLACK, b | BLACK, c, d, c | BLACK, d | BLACK];
    let sets = _mm512_load_si512(ptr::from_ref(pieces).cast());
    let white = _mm512_and_si512(sets, splat(pieces.white));
    let black = _mm512_and_si512(sets, splat(pieces.black));
    _mm512_permutex2var_epi64(white, vector(places), black)
}

/// The indices of roles among the fields of a position.
const BISHOPS: u64 = 2;
const ROOKS: u64 = 3;
const QUEENS: u64 = 4;

/// The squares that each side's rooks and queens attack along ranks and files, and its bishops and queens along
/// diagonals.
#[inline(always)]
unsafe fn eight_sets(pieces: &Pieces) -> __m512i {
    let sliders = sets_of(pieces, [[ROOKS, QUEENS], [BISHOPS, QUEENS]]);
    let [a, b, c, d] = rays_of_eight(sliders, pieces.occupied());
    _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))
}

/// The same, with half of the directions in each half of a vector until the end.
#[inline(always)]
unsafe fn eight_sets_by_gfni(pieces: &Pieces) -> __m512i {
    let occupied = splat(pieces.occupied());
    let rooks = sets_of(pieces, [[ROOKS, QUEENS]; 2]);
    let bishops = sets_of(pieces, [[BISHOPS, QUEENS]; 2]);
    let orthogonal = gfni::half_attacks(rooks, occupied);
    let diagonal = _mm512_or_si512(
        ray_of_eight::<true>(occupied, bishops, (9, 7), (NOT_A, NOT_H)),
        ray_of_eight::<false>(occupied, bishops, (9, 7), (NOT_H, NOT_A)),
    );
    _mm512_or_si512(
        _mm512_shuffle_i64x2::<0b01_00_01_00>(orthogonal, diagonal),
        _mm512_shuffle_i64x2::<0b11_10_11_10>(orthogonal, diagonal),
    )
}

/// The words of two columns in turn: of the even rows, and of the odd ones.
#[cfg(feature = "bulk")]
#[inline(always)]
fn pair(a: &[u64; 8], b: &[u64; 8]) -> [__m512i; 2] {
    // SAFETY: only the dispatch names this core, after it found AVX-512; a column has eight words.
    unsafe {
        let a = _mm512_loadu_si512(a.as_ptr().cast());
        let b = _mm512_loadu_si512(b.as_ptr().cast());
        [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)]
    }
}

impl<const GFNI: bool> Instructions for Avx512<GFNI> {
    #[inline(always)]
    fn codes(map: &CodeMap, mailbox: &[u8; 64]) -> [u8; 64] {
        // SAFETY: only the dispatch names this type, after it found AVX-512 BW; a map has 16 bytes, a mailbox 64.
        unsafe {
            let map = _mm512_broadcast_i32x4(_mm_loadu_si128(map.codes.as_ptr().cast()));
            transmute(_mm512_shuffle_epi8(map, _mm512_loadu_si512(mailbox.as_ptr().cast())))
        }
    }

    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn rows(columns: Pieces<&[u64; 8]>) -> [Pieces; 8] {
        let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = columns;
        let pairs =
            [pair(pawns, knights), pair(bishops, rooks), pair(queens, kings), pair(white, black)];
        // SAFETY: only the dispatch names this type, after it found AVX-512; eight words are the sets of a position, in the
        // order of the fields.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 8];
            let mut odd = 0;
            while odd < 2 {
                let [a, b, c, d] = [pairs[0][odd], pairs[1][odd], pairs[2][odd], pairs[3][odd]];
                let low = _mm512_shuffle_i64x2::<0x88>(a, b);
                let high = _mm512_shuffle_i64x2::<0x88>(c, d);
                rows[odd] = _mm512_shuffle_i64x2::<0x88>(low, high);
                rows[odd + 4] = _mm512_shuffle_i64x2::<0xdd>(low, high);
                let low = _mm512_shuffle_i64x2::<0xdd>(a, b);
                let high = _mm512_shuffle_i64x2::<0xdd>(c, d);
                rows[odd + 2] = _mm512_shuffle_i64x2::<0x88>(low, high);
                rows[odd + 6] = _mm512_shuffle_i64x2::<0xdd>(low, high);
                odd += 1;
            }
            transmute::<[__m512i; 8], [Pieces; 8]>(rows)
        }
    }

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
    fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64 {
        Avx2::<GFNI>::orthogonal_attacks(sliders, occupied)
    }

    #[inline(always)]
    fn diagonal_attacks(sliders: u64, occupied: u64) -> u64 {
        Avx2::<GFNI>::diagonal_attacks(sliders, occupied)
    }

    #[inline(always)]
    fn slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512, and GFNI if that is
        // true; four boards and four are 64 bytes of plain bits.
        unsafe {
            let sets = if GFNI { eight_sets_by_gfni(pieces) } else { eight_sets(pieces) };
            transmute::<__m512i, SliderAttacksByRole>(sets)
        }
    }

    #[inline(always)]
    fn slider_attackers(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512.
        unsafe {
            let seen = eight_rays(splat(targets), occupied);
            union(_mm512_and_si512(seen, by_kind(orthogonal, diagonal)))
        }
    }

    #[inline(always)]
    fn between(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512.
        unsafe {
            let to = eight_rays(splat(targets), occupied);
            let by = eight_rays(by_kind(orthogonal, diagonal), occupied);
            // The other half holds the opposite directions.
            union(_mm512_and_si512(to, _mm512_shuffle_i64x2::<0b01_00_11_10>(by, by)))
        }
    }

    #[inline(always)]
    fn king_rays(occupied: u64, king: u64, own: u64, [orthogonal, diagonal]: [u64; 2]) -> KingRays {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512.
        unsafe {
            let to = eight_rays(splat(king), occupied);
            let sliders = by_kind(orthogonal, diagonal);
            let by = eight_rays(sliders, occupied & !king);
            // The other half holds the opposite directions.
            let between = _mm512_and_si512(to, _mm512_shuffle_i64x2::<0b01_00_11_10>(by, by));
            let behind = eight_rays(_mm512_and_si512(between, splat(own)), occupied);
            KingRays {
                rook: union(_mm512_and_si512(to, by_kind(!0, 0))),
                bishop: union(_mm512_and_si512(to, by_kind(0, !0))),
                between: union(between),
                pinners: union(_mm512_and_si512(behind, sliders)),
                seen: union(by),
            }
        }
    }

    #[inline(always)]
    fn behind(occupied: u64, targets: u64, between: u64, [orthogonal, diagonal]: [u64; 2]) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX-512.
        unsafe {
            let sliders = by_kind(orthogonal, diagonal);
            let to = eight_rays(splat(targets), occupied);
            let by = eight_rays(sliders, occupied);
            // The other half holds the opposite directions.
            let by = _mm512_shuffle_i64x2::<0b01_00_11_10>(by, by);
            let first = _mm512_and_si512(_mm512_and_si512(to, by), splat(between));
            union(_mm512_and_si512(eight_rays(first, occupied), sliders))
        }
    }

    #[inline(always)]
    fn one_side(bishops: u64, rooks: u64, queens: u64, occupied: u64) -> SliderAttacks<u64> {
        Avx2::<GFNI>::one_side(bishops, rooks, queens, occupied)
    }

    #[inline(always)]
    fn attacks(pieces: &Pieces) -> ByColour<Attacks<u64>> {
        Avx2::<GFNI>::attacks(pieces)
    }
}
