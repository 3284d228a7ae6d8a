//! One position with AVX2: rays towards the higher bits in one vector, rays towards the lower bits in another.
//!
//! Engines that vectorize this keep north, east, south and west of a set in one vector. So they need two shifts and an
//! `or` per step, with half of the lanes zero. Here each vector shifts in one direction only, by a separate count per
//! lane, and holds both sets:
//!
//! ```text
//!        lane   0          1         2           3
//! up            north 8    east 1    n-east 9    n-west 7     vpsllvq
//! down          south 8    west 1    s-west 9    s-east 7     vpsrlvq
//! sliders       orth.      orth.     diag.       diag.
//! ```
//!
//! This takes 32 operations, and 13 more for the union of eight rays. The same lanes of both vectors hold opposite
//! directions, so pins are two fills and three operations without a shuffle.
//!
//! For four orthogonal and four diagonal sets, the lanes hold sets: 16 operations per direction, 5 of them for the free
//! squares, and no joining at the end. With GFNI, all directions along ranks and files together take 21 (`gfni.rs`).
//! Attack maps use four such sets twice (a white and a black set of two roles), with leapers in separate lanes.

use core::arch::x86_64::*;
use core::mem::transmute;

use super::king::KingRays;
use super::{Instructions, SliderAttacksByRole};
use crate::bitboard::ByDirection;
use crate::boards::SliderAttacks;
use crate::eval::Attacks;
use crate::pieces::{ByColour, CodeMap, Pieces};

mod maps;
mod rays;

use maps::{HitLanes, attack_maps, other, slider_rays};
use rays::{
    DOWN_LANDING, NOT_A, NOT_H, STEPS, UP_LANDING, by_kind, eight_rays, four_rays, lanes, rays,
    splat, union, union_of_two, unions, vector,
};

/// Only the dispatch names this type, where the processor has AVX2, and GFNI if `GFNI` is true.
pub struct Avx2<const GFNI: bool>;

impl<const GFNI: bool> Instructions for Avx2<GFNI> {
    #[inline(always)]
    fn codes(map: &CodeMap, mailbox: &[u8; 64]) -> [u8; 64] {
        let (halves, _) = mailbox.as_chunks::<32>();
        // SAFETY: only the dispatch names this type, after detecting AVX2; a map has 16 bytes, half a mailbox 32.
        unsafe {
            let map = _mm256_broadcastsi128_si256(_mm_loadu_si128(map.codes.as_ptr().cast()));
            let half = |half: usize| {
                _mm256_shuffle_epi8(map, _mm256_loadu_si256(halves[half].as_ptr().cast()))
            };
            transmute([half(0), half(1)])
        }
    }

    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn rows(columns: Pieces<&[u64; 8]>) -> [Pieces; 8] {
        let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = columns;
        let four = [[pawns, knights, bishops, rooks], [queens, kings, white, black]];
        // SAFETY: only the dispatch names this type, after detecting AVX2; a column has eight words, and eight words
        // are the sets of a position, in the order of the fields.
        unsafe {
            let mut rows = [[_mm256_setzero_si256(); 2]; 8];
            let mut part = 0;
            while part < 4 {
                let (half, first) = (part % 2, part / 2 * 4);
                let [a, b, c, d] = four[half];
                let a = _mm256_loadu_si256(a.as_ptr().add(first).cast());
                let b = _mm256_loadu_si256(b.as_ptr().add(first).cast());
                let c = _mm256_loadu_si256(c.as_ptr().add(first).cast());
                let d = _mm256_loadu_si256(d.as_ptr().add(first).cast());
                let (low, high) = (_mm256_unpacklo_epi64(a, b), _mm256_unpacklo_epi64(c, d));
                rows[first][half] = _mm256_permute2x128_si256::<0x20>(low, high);
                rows[first + 2][half] = _mm256_permute2x128_si256::<0x31>(low, high);
                let (low, high) = (_mm256_unpackhi_epi64(a, b), _mm256_unpackhi_epi64(c, d));
                rows[first + 1][half] = _mm256_permute2x128_si256::<0x20>(low, high);
                rows[first + 3][half] = _mm256_permute2x128_si256::<0x31>(low, high);
                part += 1;
            }
            transmute::<[[__m256i; 2]; 8], [Pieces; 8]>(rows)
        }
    }

    #[inline(always)]
    fn slider_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> ByDirection<u64> {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        let [up, down] = unsafe { eight_rays(orthogonal, diagonal, occupied) };
        let ([n, e, ne, nw], [s, w, sw, se]) = (lanes(up), lanes(down));
        ByDirection([n, s, e, w, ne, nw, se, sw])
    }

    #[inline(always)]
    fn slider_attacks(orthogonal: u64, diagonal: u64, occupied: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let [up, down] = eight_rays(orthogonal, diagonal, occupied);
            union(_mm256_or_si256(up, down))
        }
    }

    #[inline(always)]
    fn orthogonal_attacks(sliders: u64, occupied: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe { four_rays(sliders, 0, occupied) }
    }

    #[inline(always)]
    fn diagonal_attacks(sliders: u64, occupied: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe { four_rays(sliders, 2, occupied) }
    }

    #[inline(always)]
    fn slider_attacks_by_role(pieces: &Pieces) -> SliderAttacksByRole {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let [orthogonal, diagonal] = unions(slider_rays::<GFNI>(pieces));
            transmute::<[__m256i; 2], SliderAttacksByRole>([orthogonal, diagonal])
        }
    }

    #[inline(always)]
    fn slider_attackers(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let [up, down] = eight_rays(targets, targets, occupied);
            union(_mm256_and_si256(_mm256_or_si256(up, down), by_kind(orthogonal, diagonal)))
        }
    }

    #[inline(always)]
    fn king_rays(occupied: u64, king: u64, own: u64, [orthogonal, diagonal]: [u64; 2]) -> KingRays {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let to = eight_rays(king, king, occupied);
            let by = eight_rays(orthogonal, diagonal, occupied & !king);
            let (up, down) = (_mm256_and_si256(to[0], by[1]), _mm256_and_si256(to[1], by[0]));
            let (own, occupied) = (splat(own), splat(occupied));
            let behind = _mm256_or_si256(
                rays::<true>(occupied, _mm256_and_si256(up, own), STEPS, UP_LANDING),
                rays::<false>(occupied, _mm256_and_si256(down, own), STEPS, DOWN_LANDING),
            );
            let (to, by) = (_mm256_or_si256(to[0], to[1]), _mm256_or_si256(by[0], by[1]));
            KingRays {
                rook: union_of_two(_mm256_castsi256_si128(to)),
                bishop: union_of_two(_mm256_extracti128_si256::<1>(to)),
                between: union(_mm256_or_si256(up, down)),
                pinners: union(_mm256_and_si256(behind, by_kind(orthogonal, diagonal))),
                seen: union(by),
            }
        }
    }

    #[inline(always)]
    fn one_side(bishops: u64, rooks: u64, queens: u64, occupied: u64) -> SliderAttacks<u64> {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let occupied = splat(occupied);
            // Orthogonal directions in the lower two lanes, diagonal ones in the upper two.
            let sliders = vector([rooks, queens, bishops, queens]);
            let (ranks, files) = ([1, 1, 7, 7], [8, 8, 9, 9]);
            let rays = [
                rays::<true>(occupied, sliders, files, [!0, !0, NOT_A, NOT_A]),
                rays::<true>(occupied, sliders, ranks, [NOT_A, NOT_A, NOT_H, NOT_H]),
                rays::<false>(occupied, sliders, files, [!0, !0, NOT_H, NOT_H]),
                rays::<false>(occupied, sliders, ranks, [NOT_H, NOT_H, NOT_A, NOT_A]),
            ];
            let [a, b, c, d] = rays;
            let maps = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            let [rook, queen, bishop, diagonal_queen] = lanes(maps);
            // In any one direction, two roles never attack the same square.
            let both = |rays| _mm256_or_si256(rays, other(rays));
            let hits = HitLanes::of_four([both(a), both(b), both(c), both(d)]);
            let swap = |set| _mm256_permute4x64_epi64::<0b01_00_11_10>(set);
            let hits = hits.join(HitLanes { once: swap(hits.once), twice: swap(hits.twice) });
            let (once, twice) = (lanes(hits.once)[0], lanes(hits.twice)[0]);
            SliderAttacks { bishop, rook, queen: queen | diagonal_queen, once, twice }
        }
    }

    #[inline(always)]
    fn attacks(pieces: &Pieces) -> ByColour<Attacks<u64>> {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe { attack_maps::<GFNI>(pieces) }
    }
}
