//! Reads a placement in one vector of 64 bytes, with AVX-512 and its byte permutations (VBMI, VBMI2).
//!
//! A lookup gives the class and width (number of files) of every byte of the text. A permutation moves the eight ranks
//! into the eight 64-bit lanes, rank 1 first, up to eight bytes each. In a lane, the prefix sum of the widths at a byte
//! is its file, and the bits of these files add up to the rank's byte of a set.

use core::arch::x86_64::*;
use core::mem::transmute;

use super::planes::Planes;
use super::shortcut::{END, NO_PIECE, SLASH, mark};

/// The width of bytes that end a rank: with it no sum is a file of the board.
const STOP: u8 = 15;

/// The class of bytes that no placement contains.
const OTHER: u8 = NO_PIECE | 0x10 | STOP;

/// For each ASCII byte, the bits of its role and colour, and in the lower four bits its width.
static CLASSES: [u8; 128] = {
    let mut classes = [OTHER; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = match mark(byte) {
            0 => byte - b'0',
            SLASH => NO_PIECE | STOP,
            END | NO_PIECE => OTHER,
            piece => piece | 1,
        };
        byte += 1;
    }
    classes
};

/// The bytes 0 to 63.
const INDICES: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = i as u8;
        i += 1;
    }
    bytes
};

/// For each byte of lane j, the number of the rank in the text, 7 - j; and the number of the byte in the lane.
const RANKS: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 7 - i as u8 / 8;
        i += 1;
    }
    bytes
};
const IN_RANK: u64 = 0x0706_0504_0302_0100;

/// The bit of a file, counted from 1.
const BIT: [u8; 16] = [0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0];

crate::__features! {
    avx512_gfni => enable

    /// The sets of a placement of up to 63 bytes that ends with a space or with the line, and where it ends.
    #[inline]
    pub(super) fn placement(line: &[u8], start: usize) -> Option<(Planes, usize)> {
        let text = &line[start..];
        let there = _bzhi_u64(u64::MAX, text.len().min(64) as u32);
        // SAFETY: only bytes of the text are read; arrays of bytes are plain bits.
        let (bytes, low, high, indices, ranks, bit) = unsafe {
            let classes = CLASSES.as_ptr().cast::<i8>();
            (
                _mm512_mask_loadu_epi8(_mm512_set1_epi8(b' ' as i8), there, text.as_ptr().cast()),
                _mm512_loadu_epi8(classes),
                _mm512_loadu_epi8(classes.add(64)),
                transmute::<[u8; 64], __m512i>(INDICES),
                transmute::<[u8; 64], __m512i>(RANKS),
                _mm512_broadcast_i32x4(transmute::<[u8; 16], __m128i>(BIT)),
            )
        };
        let spaces = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b' ' as i8));
        let before = !spaces & spaces.wrapping_sub(1);
        let classes = _mm512_permutex2var_epi8(low, bytes, high);
        let is = |class: u8| _mm512_cmpeq_epi8_mask(classes, _mm512_set1_epi8(class as i8));
        let other = is(OTHER) | _mm512_movepi8_mask(bytes);
        let slashes = is(NO_PIECE | STOP) & before;
        // The start of each rank, rank 8 first; then of each lane's rank; then the index of each byte.
        let starts = _mm512_maskz_compress_epi8(slashes << 1 | 1, indices);
        let starts = _mm512_permutexvar_epi8(ranks, starts);
        let places = _mm512_add_epi8(starts, _mm512_set1_epi64(IN_RANK as i64));
        let classes = _mm512_permutexvar_epi8(places, classes);
        let files = _mm512_and_si512(classes, _mm512_set1_epi8(0x0f));
        let files = _mm512_add_epi8(files, _mm512_slli_epi64::<8>(files));
        let files = _mm512_add_epi8(files, _mm512_slli_epi64::<16>(files));
        let files = _mm512_add_epi8(files, _mm512_slli_epi64::<32>(files));
        let eight = _mm512_set1_epi8(8);
        let on_board = _mm512_cmple_epu8_mask(files, eight);
        let full = _mm512_cmpeq_epi8_mask(files, eight);
        // Every rank has eight files, and no byte of the text is missing from the lanes.
        if other & before != 0
            || slashes.count_ones() != 7
            || full.count_ones() != 8
            || before.count_ones() != on_board.count_ones() + 7
            || spaces == 0
        {
            return None;
        }
        let bits = _mm512_maskz_shuffle_epi8(on_board, bit, files);
        let plane = |mask: u8| {
            let with = _mm512_test_epi8_mask(classes, _mm512_set1_epi8(mask as i8));
            let ranks = _mm512_sad_epu8(_mm512_maskz_mov_epi8(with, bits), _mm512_setzero_si512());
            _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(ranks)) as u64
        };
        let planes = Planes([plane(0x80), plane(0x40), plane(0x20), plane(0x10)]);
        Some((planes, start + before.count_ones() as usize))
    }
}
