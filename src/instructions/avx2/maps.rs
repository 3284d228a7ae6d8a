//! The attack maps of one position: four sets of two roles, twice, and leapers in separate lanes.
//!
//! All `unsafe` functions here need AVX2, and GFNI if `GFNI` is true.

#![expect(unsafe_op_in_unsafe_fn, reason = "each needs the same: the instructions")]

use core::arch::x86_64::*;
use core::mem::transmute;

use super::rays::{NOT_A, NOT_AB, NOT_GH, NOT_H, rays_of_eight, shift, splat, unions, vector};
use crate::eval::Attacks;
use crate::pieces::{ByColour, Pieces};

/// Squares that are hit, and squares that are hit more than once.
#[derive(Clone, Copy)]
pub(super) struct HitLanes {
    pub(super) once: __m256i,
    pub(super) twice: __m256i,
}

impl HitLanes {
    /// Combines four sets of hits, none of which hits a square twice.
    #[inline(always)]
    pub(super) unsafe fn of_four([a, b, c, d]: [__m256i; 4]) -> Self {
        let (ab, cd) = (_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        let inside = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, d));
        Self {
            once: _mm256_or_si256(ab, cd),
            twice: _mm256_or_si256(inside, _mm256_and_si256(ab, cd)),
        }
    }

    /// Combines two groups of hits.
    #[inline(always)]
    pub(super) unsafe fn join(self, other: Self) -> Self {
        let twice = _mm256_or_si256(self.twice, other.twice);
        Self {
            once: _mm256_or_si256(self.once, other.once),
            twice: _mm256_or_si256(twice, _mm256_and_si256(self.once, other.once)),
        }
    }
}

/// The pieces of two roles: white's in lanes 0 and 1, then black's.
#[inline(always)]
unsafe fn two_roles(pieces: &Pieces, even: u64, odd: u64) -> __m256i {
    let colours = _mm256_blend_epi32::<0b1111_0000>(splat(pieces.white), splat(pieces.black));
    let roles = _mm256_blend_epi32::<0b1100_1100>(splat(even), splat(odd));
    _mm256_and_si256(colours, roles)
}

/// The rays of each side's rooks and queens, white's first, and of its bishops and queens.
#[inline(always)]
pub(super) unsafe fn slider_rays<const GFNI: bool>(pieces: &Pieces) -> [[__m256i; 2]; 4] {
    let orthogonal = two_roles(pieces, pieces.rooks, pieces.queens);
    let diagonal = two_roles(pieces, pieces.bishops, pieces.queens);
    rays_of_eight::<GFNI>(orthogonal, diagonal, pieces.occupied())
}

/// The hits of knights in the even lanes and kings in the odd ones.
#[inline(always)]
unsafe fn leapers(sets: __m256i) -> HitLanes {
    /// The leaps of knights and kings: by how many bits, and the squares on which they can end.
    #[inline(always)]
    unsafe fn leap<const UP: bool>(sets: __m256i, [a, b]: [u64; 2], landing: [u64; 2]) -> __m256i {
        let leaped = shift::<UP>(sets, [a, b, a, b]);
        _mm256_and_si256(leaped, vector([landing[0], landing[1], landing[0], landing[1]]))
    }
    let up = HitLanes::of_four([
        leap::<true>(sets, [17, 9], [NOT_A, NOT_A]),
        leap::<true>(sets, [15, 7], [NOT_H, NOT_H]),
        leap::<true>(sets, [10, 1], [NOT_AB, NOT_A]),
        leap::<true>(sets, [6, 8], [NOT_GH, !0]),
    ]);
    let down = HitLanes::of_four([
        leap::<false>(sets, [17, 9], [NOT_H, NOT_H]),
        leap::<false>(sets, [15, 7], [NOT_A, NOT_A]),
        leap::<false>(sets, [10, 1], [NOT_GH, NOT_H]),
        leap::<false>(sets, [6, 8], [NOT_AB, !0]),
    ]);
    up.join(down)
}

/// Swaps the two lanes of each side.
#[inline(always)]
pub(super) unsafe fn other(set: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b01_00_11_10>(set)
}

/// The hits of two roles of each side, for orthogonal and diagonal sliders: in any one direction two roles never hit
/// the same square.
#[inline(always)]
unsafe fn merge([orthogonal, diagonal]: [__m256i; 2]) -> __m256i {
    _mm256_or_si256(
        _mm256_unpacklo_epi64(orthogonal, diagonal),
        _mm256_unpackhi_epi64(orthogonal, diagonal),
    )
}

/// The maps of both sides.
#[inline(always)]
pub(super) unsafe fn attack_maps<const GFNI: bool>(pieces: &Pieces) -> ByColour<Attacks<u64>> {
    let rays = slider_rays::<GFNI>(pieces);
    let [orthogonal, diagonal] = unions(rays);
    let [a, b, c, d] = rays;
    // All hits of white in lanes 0 and 1, of black in lanes 2 and 3.
    let slider_hits = HitLanes::of_four([merge(a), merge(b), merge(c), merge(d)]);
    let leapers = leapers(two_roles(pieces, pieces.knights, pieces.kings));
    // A shift by 64 yields zero: white's pawns move up, black's down.
    let pawns = two_roles(pieces, pieces.pawns, pieces.pawns);
    let pawns = _mm256_or_si256(
        shift::<true>(pawns, [9, 7, 64, 64]),
        shift::<false>(pawns, [64, 64, 7, 9]),
    );
    let pawns = _mm256_and_si256(pawns, vector([NOT_A, NOT_H, NOT_A, NOT_H]));

    // Combines both lanes of a side.
    let no_square_twice = HitLanes { once: pawns, twice: _mm256_setzero_si256() };
    let hits = slider_hits.join(leapers).join(no_square_twice);
    let all = hits.join(HitLanes { once: other(hits.once), twice: other(hits.twice) });

    let pawns = _mm256_or_si256(pawns, other(pawns));
    let queens = _mm256_or_si256(orthogonal, diagonal);
    let maps = [
        _mm256_unpacklo_epi64(pawns, leapers.once),
        _mm256_unpacklo_epi64(diagonal, orthogonal),
        _mm256_unpackhi_epi64(queens, leapers.once),
        _mm256_unpacklo_epi64(all.once, all.twice),
    ];
    let mut sides = [[_mm_setzero_si128(); 4]; 2];
    let mut i = 0;
    while i < 4 {
        sides[0][i] = _mm256_castsi256_si128(maps[i]);
        sides[1][i] = _mm256_extracti128_si256::<1>(maps[i]);
        i += 1;
    }
    // In the order of the fields, which is the order in memory.
    transmute::<[[__m128i; 4]; 2], ByColour<Attacks<u64>>>(sides)
}
