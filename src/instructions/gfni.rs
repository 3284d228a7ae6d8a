//! Rays along ranks and files of one position with GFNI: bytewise subtractions instead of fills.
//!
//! A rank is a byte, so the attacks of its sliders to the east are `o ^ (o - 2r)` in every byte, without a fill, and no
//! borrow leaves the rank. `gf2p8affineqb` multiplies 8 × 8 bit matrices, and a board is such a matrix:
//!
//! - With a constant on one side, it applies the same map to every byte. So reversing the bits, even combined with
//!   doubling, is one operation. This yields the rays to the west.
//! - With a constant on the other side, it swaps rows and columns, so a file becomes a byte. This yields the rays to
//!   the north and south, which differ only in the order of the ranks: one shuffle of bytes.
//!
//! For files, the board is mirrored along the diagonal from a8 to h1. Mirroring again restores it:
//!
//! ```text
//!                byte i, bit j of it       bits towards h are steps
//! mirrored       rank 8-j of file 8-i      to the south
//! upside down    rank j+1 of file 8-i      to the north
//! ```
//!
//! A fill takes 16 operations per direction with AVX2 and 13 with AVX-512; this takes 5 on average. The sliders must be
//! in `occupied`, as those of a position are.
//!
//! The `unsafe` function here needs AVX2 and GFNI.

#![expect(unsafe_op_in_unsafe_fn, reason = "it needs the instructions")]

use core::arch::x86_64::*;
use core::mem::transmute;

/// Operands of `gf2p8affineqb`. As a matrix, byte `7 - i` selects the source of bit `i` of every byte. As the other
/// operand, byte `i` selects the column of the matrix, from h to a, that becomes byte `i`.
const SAME: u64 = 0x0102_0408_1020_4080;
const REVERSED: u64 = SAME.swap_bytes();

/// As a matrix: reverses a rank and doubles it.
const REVERSED_DOUBLED: u64 = REVERSED >> 8;

/// As the other operand: `MIRROR` mirrors a board and restores a mirrored one; `MIRROR_BACK` restores a board that was
/// flipped before it was mirrored.
const MIRROR: u64 = SAME;
const MIRROR_BACK: u64 = REVERSED;

/// Reverses the order of the ranks in each half of 16 bytes.
const FLIP: [u8; 16] = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8];
/// Reverses them too and moves them down by one, which doubles a mirrored board.
const FLIP_DOWN: [u8; 16] = [6, 5, 4, 3, 2, 1, 0, 255, 14, 13, 12, 11, 10, 9, 8, 255];

/// The rays of four sets of rooks to the north, east, south and west.
#[inline(always)]
pub(super) unsafe fn rays(occupied: __m256i, sliders: __m256i) -> [__m256i; 4] {
    let turn = |set, by: u64| {
        _mm256_gf2p8affine_epi64_epi8::<0>(set, _mm256_set1_epi64x(by.cast_signed()))
    };
    let mirror = |by: u64, set| {
        _mm256_gf2p8affine_epi64_epi8::<0>(_mm256_set1_epi64x(by.cast_signed()), set)
    };
    let order =
        |bytes: [u8; 16]| _mm256_broadcastsi128_si256(transmute::<[u8; 16], __m128i>(bytes));

    let flipped = _mm256_shuffle_epi8(occupied, order(FLIP));
    let north = _mm256_sub_epi8(
        mirror(MIRROR, flipped),
        mirror(MIRROR, _mm256_shuffle_epi8(sliders, order(FLIP_DOWN))),
    );
    let south =
        _mm256_sub_epi8(mirror(MIRROR, occupied), mirror(MIRROR, _mm256_srli_epi64::<8>(sliders)));
    let east = _mm256_sub_epi8(occupied, _mm256_add_epi8(sliders, sliders));
    let west = _mm256_sub_epi8(turn(occupied, REVERSED), turn(sliders, REVERSED_DOUBLED));
    [
        _mm256_xor_si256(occupied, mirror(MIRROR_BACK, north)),
        _mm256_xor_si256(occupied, east),
        _mm256_xor_si256(occupied, mirror(MIRROR, south)),
        _mm256_xor_si256(occupied, turn(west, REVERSED)),
    ]
}
