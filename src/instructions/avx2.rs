//! One position with AVX2: rays towards the higher bits in one vector, rays towards the lower bits in another.
//!
//! Engines that use vectors for this keep north, east, south and west of a set in one vector. So they need two shifts
//! and an `or` for every step, in which half of the lanes are zero. Here each vector shifts in one direction only, by a
//! count for each lane, and holds both sets:
//!
//! ```text
//!        lane   0          1         2           3
//! up            north 8    east 1    n-east 9    n-west 7     vpsllvq
//! down          south 8    west 1    s-west 9    s-east 7     vpsrlvq
//! sliders       orth.      orth.     diag.       diag.
//! ```
//!
//! This takes 32 operations and 13 more for the union of eight rays. The same lanes of both vectors hold opposite
//! directions, so pins are two fills and three operations without a shuffle.
//!
//! If a question has four orthogonal and four diagonal sets, the lanes hold sets: 16 operations for a direction, 5 of
//! them for the free squares, and no joining at the end. With GFNI all directions along ranks and files take 21
//! (`gfni.rs`). Attack maps are four such sets twice (a white and a black set of two roles), with leapers in separate
//! lanes.

use core::arch::x86_64::*;
use core::mem::transmute;

use super::gfni;
use super::king::KingRays;
use super::{Instructions, NOT_A, NOT_H, SliderAttacksByRole};
use crate::bitboard::{ByDirection, FILES};
use crate::boards::SliderAttacks;
use crate::eval::Attacks;
use crate::pieces::{ByColour, Pieces};

/// Only the dispatch names this type, if the processor has AVX2, and GFNI if that is true.
pub struct Avx2<const GFNI: bool>;

const NOT_AB: u64 = !(FILES[0] | FILES[1]);
const NOT_GH: u64 = !(FILES[6] | FILES[7]);

/// How far each lane steps.
const STEPS: [u64; 4] = [8, 1, 9, 7];

/// Where steps to the higher bits can end.
const UP_LANDING: [u64; 4] = [!0, NOT_A, NOT_A, NOT_H];

/// Where steps to the lower bits can end.
const DOWN_LANDING: [u64; 4] = [!0, NOT_H, NOT_H, NOT_A];

#[inline(always)]
fn vector(lanes: [u64; 4]) -> __m256i {
    // SAFETY: both are 32 bytes of plain bits.
    unsafe { transmute(lanes) }
}

#[inline(always)]
fn lanes(vector: __m256i) -> [u64; 4] {
    // SAFETY: both are 32 bytes of plain bits.
    unsafe { transmute(vector) }
}

/// All lanes shifted, each by its own number of bits.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn shift<const UP: bool>(set: __m256i, by: [u64; 4]) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe {
        let by = vector(by);
        if UP { _mm256_sllv_epi64(set, by) } else { _mm256_srlv_epi64(set, by) }
    }
}

/// The rays of a set in each lane, each in its own direction.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn rays<const UP: bool>(
    occupied: __m256i,
    sliders: __m256i,
    [a, b, c, d]: [u64; 4],
    landing: [u64; 4],
) -> __m256i {
    let (one, two) = ([a, b, c, d], [2 * a, 2 * b, 2 * c, 2 * d]);
    let four = [4 * a, 4 * b, 4 * c, 4 * d];
    // SAFETY: what the caller promises.
    unsafe {
        let landing = vector(landing);
        let free = _mm256_andnot_si256(occupied, landing);
        let seen = join(sliders, free, shift::<UP>(sliders, one));
        let free = _mm256_and_si256(free, shift::<UP>(free, one));
        let seen = join(seen, free, shift::<UP>(seen, two));
        let free = _mm256_and_si256(free, shift::<UP>(free, two));
        let seen = join(seen, free, shift::<UP>(seen, four));
        _mm256_and_si256(shift::<UP>(seen, one), landing)
    }
}

/// Adds to the attacked squares those squares of a step that are free.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn join(seen: __m256i, free: __m256i, stepped: __m256i) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe { _mm256_or_si256(seen, _mm256_and_si256(free, stepped)) }
}

/// The rays up and down of an orthogonal and a diagonal set.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn eight_rays(orthogonal: u64, diagonal: u64, occupied: u64) -> [__m256i; 2] {
    // SAFETY: what the caller promises.
    unsafe {
        let occupied = splat(occupied);
        let sliders = by_kind(orthogonal, diagonal);
        [
            rays::<true>(occupied, sliders, STEPS, UP_LANDING),
            rays::<false>(occupied, sliders, STEPS, DOWN_LANDING),
        ]
    }
}

/// The same set in every lane.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn splat(set: u64) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe { _mm256_set1_epi64x(set.cast_signed()) }
}

/// The lanes of orthogonal and of diagonal sliders.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn by_kind(orthogonal: u64, diagonal: u64) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe { _mm256_blend_epi32::<0b1111_0000>(splat(orthogonal), splat(diagonal)) }
}

/// The union of all lanes.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn union(sets: __m256i) -> u64 {
    // SAFETY: what the caller promises.
    unsafe {
        union_of_two(_mm_or_si128(
            _mm256_castsi256_si128(sets),
            _mm256_extracti128_si256::<1>(sets),
        ))
    }
}

/// The union of both lanes.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn union_of_two(sets: __m128i) -> u64 {
    // SAFETY: what the caller promises.
    unsafe {
        let both = _mm_or_si128(sets, _mm_unpackhi_epi64(sets, sets));
        _mm_cvtsi128_si64(both).cast_unsigned()
    }
}

/// Two lanes, and two that are not used.
#[inline(always)]
fn half(lanes: [u64; 4], first: usize) -> [u64; 4] {
    [lanes[first], lanes[first + 1], 0, 0]
}

/// The union of four rays of one set: two to the higher bits, and the opposite two.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn four_rays(sliders: u64, first: usize, occupied: u64) -> u64 {
    // SAFETY: what the caller promises; the casts only mark two lanes as unused.
    unsafe {
        let (occupied, sliders) = (splat(occupied), splat(sliders));
        let up = rays::<true>(occupied, sliders, half(STEPS, first), half(UP_LANDING, first));
        let down = rays::<false>(occupied, sliders, half(STEPS, first), half(DOWN_LANDING, first));
        union_of_two(_mm256_castsi256_si128(_mm256_or_si256(up, down)))
    }
}

/// All lanes shifted: to the higher bits by a positive number.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn shift_all(set: __m256i, by: i32) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe {
        let count = _mm_cvtsi32_si128(by.abs());
        if by > 0 { _mm256_sll_epi64(set, count) } else { _mm256_srl_epi64(set, count) }
    }
}

/// The rays of four sets in one direction.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn ray_of_four(sliders: __m256i, by: i32, landing: u64, occupied: __m256i) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe {
        let landing = splat(landing);
        let free = _mm256_andnot_si256(occupied, landing);
        let seen = join(sliders, free, shift_all(sliders, by));
        let free = _mm256_and_si256(free, shift_all(free, by));
        let seen = join(seen, free, shift_all(seen, 2 * by));
        let free = _mm256_and_si256(free, shift_all(free, 2 * by));
        let seen = join(seen, free, shift_all(seen, 4 * by));
        _mm256_and_si256(shift_all(seen, by), landing)
    }
}

/// The rays of four orthogonal and four diagonal sets: four pairs of directions. All sliders stand in
/// `occupied`.
///
/// # Safety
/// The processor has AVX2, and GFNI if that is true.
#[inline(always)]
unsafe fn rays_of_eight<const GFNI: bool>(
    orthogonal: __m256i,
    diagonal: __m256i,
    occupied: u64,
) -> [[__m256i; 2]; 4] {
    // SAFETY: what the caller promises.
    unsafe {
        let occupied = splat(occupied);
        let [north, east, south, west] = if GFNI {
            gfni::rays(occupied, orthogonal)
        } else {
            [
                ray_of_four(orthogonal, 8, !0, occupied),
                ray_of_four(orthogonal, 1, NOT_A, occupied),
                ray_of_four(orthogonal, -8, !0, occupied),
                ray_of_four(orthogonal, -1, NOT_H, occupied),
            ]
        };
        [
            [north, ray_of_four(diagonal, 9, NOT_A, occupied)],
            [east, ray_of_four(diagonal, 7, NOT_H, occupied)],
            [south, ray_of_four(diagonal, -9, NOT_H, occupied)],
            [west, ray_of_four(diagonal, -7, NOT_A, occupied)],
        ]
    }
}

/// The squares that eight sets attack.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn unions(rays: [[__m256i; 2]; 4]) -> [__m256i; 2] {
    let [a, b, c, d] = rays;
    // SAFETY: what the caller promises.
    unsafe {
        [
            _mm256_or_si256(_mm256_or_si256(a[0], b[0]), _mm256_or_si256(c[0], d[0])),
            _mm256_or_si256(_mm256_or_si256(a[1], b[1]), _mm256_or_si256(c[1], d[1])),
        ]
    }
}

/// Squares that are hit, and squares that are hit more than once.
#[derive(Clone, Copy)]
struct Hits {
    once: __m256i,
    twice: __m256i,
}

impl Hits {
    /// Four sets whose squares are hit once each.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn of_four([a, b, c, d]: [__m256i; 4]) -> Self {
        // SAFETY: what the caller promises.
        unsafe {
            let (ab, cd) = (_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            let inside = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, d));
            Self {
                once: _mm256_or_si256(ab, cd),
                twice: _mm256_or_si256(inside, _mm256_and_si256(ab, cd)),
            }
        }
    }

    /// Adds up two groups of hits.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn join(self, other: Self) -> Self {
        // SAFETY: what the caller promises.
        unsafe {
            let twice = _mm256_or_si256(self.twice, other.twice);
            Self {
                once: _mm256_or_si256(self.once, other.once),
                twice: _mm256_or_si256(twice, _mm256_and_si256(self.once, other.once)),
            }
        }
    }
}

/// The squares that sliders attack, for [`attack_maps`].
struct SliderMaps {
    /// By white's rooks and queens, then black's.
    orthogonal: __m256i,
    /// By white's bishops and queens, then black's.
    diagonal: __m256i,
    /// All hits of white in lanes 0 and 1, of black in lanes 2 and 3.
    hits: Hits,
}

/// The pieces of two roles: white's in lanes 0 and 1, then black's.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn two_roles(pieces: &Pieces, even: u64, odd: u64) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe {
        let colours = _mm256_blend_epi32::<0b1111_0000>(splat(pieces.white), splat(pieces.black));
        let roles = _mm256_blend_epi32::<0b1100_1100>(splat(even), splat(odd));
        _mm256_and_si256(colours, roles)
    }
}

/// The rays of each side's rooks, bishops and queens.
///
/// # Safety
/// The processor has AVX2, and GFNI if that is true.
#[inline(always)]
unsafe fn slider_rays<const GFNI: bool>(pieces: &Pieces) -> [[__m256i; 2]; 4] {
    // SAFETY: what the caller promises.
    unsafe {
        let orthogonal = two_roles(pieces, pieces.rooks, pieces.queens);
        let diagonal = two_roles(pieces, pieces.bishops, pieces.queens);
        rays_of_eight::<GFNI>(orthogonal, diagonal, pieces.occupied())
    }
}

/// The hits of knights in the even lanes and kings in the odd ones.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn leapers(sets: __m256i) -> Hits {
    // SAFETY: what the caller promises.
    unsafe {
        macro_rules! leaps {
            ($up:literal: $($knight:literal $knight_landing:expr, $king:literal $king_landing:expr;)*) => {
                Hits::of_four([$(
                    _mm256_and_si256(
                        shift::<$up>(sets, [$knight, $king, $knight, $king]),
                        vector([$knight_landing, $king_landing, $knight_landing, $king_landing]),
                    )
                ),*])
            };
        }
        let up = leaps!(true:
            17 NOT_A, 9 NOT_A; 15 NOT_H, 7 NOT_H; 10 NOT_AB, 1 NOT_A; 6 NOT_GH, 8 !0;);
        let down = leaps!(false:
            17 NOT_H, 9 NOT_H; 15 NOT_A, 7 NOT_A; 10 NOT_GH, 1 NOT_H; 6 NOT_AB, 8 !0;);
        up.join(down)
    }
}

/// Swaps the lanes of each side.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn other(set: __m256i) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe { _mm256_shuffle_epi32::<0b01_00_11_10>(set) }
}

/// The hits of two roles of each side, for orthogonal and diagonal sliders: in any one direction two roles never hit
/// the same square.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn merge([orthogonal, diagonal]: [__m256i; 2]) -> __m256i {
    // SAFETY: what the caller promises.
    unsafe {
        _mm256_or_si256(
            _mm256_unpacklo_epi64(orthogonal, diagonal),
            _mm256_unpackhi_epi64(orthogonal, diagonal),
        )
    }
}

/// The maps of both sides, given those of the sliders.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn attack_maps(pieces: &Pieces, sliders: SliderMaps) -> ByColour<Attacks<u64>> {
    // SAFETY: what the caller promises.
    unsafe {
        let leapers = leapers(two_roles(pieces, pieces.knights, pieces.kings));
        // A shift by 64 gives zero: white's pawns go up, black's down.
        let pawns = two_roles(pieces, pieces.pawns, pieces.pawns);
        let pawns = _mm256_or_si256(
            shift::<true>(pawns, [9, 7, 64, 64]),
            shift::<false>(pawns, [64, 64, 7, 9]),
        );
        let pawns = _mm256_and_si256(pawns, vector([NOT_A, NOT_H, NOT_A, NOT_H]));

        // Joins both lanes of a side.
        let no_square_twice = Hits { once: pawns, twice: _mm256_setzero_si256() };
        let hits = sliders.hits.join(leapers).join(no_square_twice);
        let all = hits.join(Hits { once: other(hits.once), twice: other(hits.twice) });

        let pawns = _mm256_or_si256(pawns, other(pawns));
        let queens = _mm256_or_si256(sliders.orthogonal, sliders.diagonal);
        let maps = [
            _mm256_unpacklo_epi64(pawns, leapers.once),
            _mm256_unpacklo_epi64(sliders.diagonal, sliders.orthogonal),
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
}

impl<const GFNI: bool> Instructions for Avx2<GFNI> {
    #[cfg(all(feature = "bulk", feature = "std"))]
    #[inline(always)]
    fn rows(columns: Pieces<&[u64; 8]>) -> [Pieces; 8] {
        let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = columns;
        let four = [[pawns, knights, bishops, rooks], [queens, kings, white, black]];
        // SAFETY: only the dispatch names this type, after it found AVX2; a column has eight words, and eight words are
        // the sets of a position, in the order of the fields.
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
    fn between(occupied: u64, targets: u64, orthogonal: u64, diagonal: u64) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let to = eight_rays(targets, targets, occupied);
            let by = eight_rays(orthogonal, diagonal, occupied);
            union(_mm256_or_si256(_mm256_and_si256(to[0], by[1]), _mm256_and_si256(to[1], by[0])))
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
    fn behind(occupied: u64, targets: u64, between: u64, [orthogonal, diagonal]: [u64; 2]) -> u64 {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let to = eight_rays(targets, targets, occupied);
            let by = eight_rays(orthogonal, diagonal, occupied);
            let (between, occupied) = (splat(between), splat(occupied));
            let up = _mm256_and_si256(_mm256_and_si256(to[0], by[1]), between);
            let down = _mm256_and_si256(_mm256_and_si256(to[1], by[0]), between);
            let seen = _mm256_or_si256(
                rays::<true>(occupied, up, STEPS, UP_LANDING),
                rays::<false>(occupied, down, STEPS, DOWN_LANDING),
            );
            union(_mm256_and_si256(seen, by_kind(orthogonal, diagonal)))
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
            // In one direction two roles never attack the same square.
            let both = |rays| _mm256_or_si256(rays, other(rays));
            let hits = Hits::of_four([both(a), both(b), both(c), both(d)]);
            let swap = |set| _mm256_permute4x64_epi64::<0b01_00_11_10>(set);
            let hits = hits.join(Hits { once: swap(hits.once), twice: swap(hits.twice) });
            let (once, twice) = (lanes(hits.once)[0], lanes(hits.twice)[0]);
            SliderAttacks { bishop, rook, queen: queen | diagonal_queen, once, twice }
        }
    }

    #[inline(always)]
    fn attacks(pieces: &Pieces) -> ByColour<Attacks<u64>> {
        // SAFETY: only the dispatch names this type, where the processor has AVX2.
        unsafe {
            let rays = slider_rays::<GFNI>(pieces);
            let [orthogonal, diagonal] = unions(rays);
            let [a, b, c, d] = rays;
            let hits = Hits::of_four([merge(a), merge(b), merge(c), merge(d)]);
            attack_maps(pieces, SliderMaps { orthogonal, diagonal, hits })
        }
    }
}
