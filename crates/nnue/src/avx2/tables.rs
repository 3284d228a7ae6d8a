//! Code shared by the AVX2 files: tables of shuffles, lookups in registers, codes of squares, lists of bits.

use core::arch::x86_64::*;

use setwise::Pieces;

/// The indices of the bits in a mask of eight bits, followed by zeros.
pub(crate) static CHOSEN: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut place, mut to) = (0, 0);
        while place < 8 {
            if chosen >> place & 1 == 1 {
                places[chosen][to] = place as u8;
                to += 1;
            }
            place += 1;
        }
        chosen += 1;
    }
    places
};

/// Shuffles that compress eight pairs, by the mask of pairs to keep.
pub(crate) static COMPRESS: [[u8; 16]; 256] = {
    let (mut shuffles, mut at) = ([[0; 16]; 256], 0);
    while at < 256 * 16 {
        let (chosen, byte) = (at / 16, at % 16);
        shuffles[chosen][byte] = 2 * CHOSEN[chosen][byte / 2] + byte as u8 % 2;
        at += 1;
    }
    shuffles
};

/// Loads sixteen bytes of a table into both halves of a vector.
#[inline(always)]
pub(crate) fn load<const N: usize>(table: &[u8; N], sixteen: usize) -> __m256i {
    let sixteen: &[u8; 16] = table[16 * sixteen..].first_chunk().expect("tables have sixteens");
    // SAFETY: only the dispatch calls this code, after it found AVX2; the array has sixteen bytes.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen.as_ptr().cast())) }
}

/// Looks up bytes below 64 in a table of 64 bytes: the low four bits select a byte of each quarter of the table, then
/// the high bits select one of the four results.
#[inline(always)]
pub(crate) fn on_squares(table: [__m256i; 4], squares: __m256i) -> __m256i {
    // SAFETY: `squares` proves AVX2.
    unsafe {
        let [a, b, c, d] = table;
        let (a, b) = (_mm256_shuffle_epi8(a, squares), _mm256_shuffle_epi8(b, squares));
        let (c, d) = (_mm256_shuffle_epi8(c, squares), _mm256_shuffle_epi8(d, squares));
        let odd = _mm256_slli_epi16::<3>(squares);
        let high = _mm256_slli_epi16::<2>(squares);
        _mm256_blendv_epi8(_mm256_blendv_epi8(a, b, odd), _mm256_blendv_epi8(c, d, odd), high)
    }
}

/// Computes the code of each square. For each bit of the codes, a comparison finds the squares on which it is set.
#[inline(always)]
pub(crate) fn codes(pieces: &Pieces) -> [u8; 64] {
    let &Pieces { pawns, knights, bishops, rooks, queens, kings, black, .. } = pieces;
    let planes =
        [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings, black];
    let mut codes = [0; 64];
    // SAFETY: only the dispatch calls this code, after it found AVX2; each half of the codes has 32 bytes.
    unsafe {
        let ranks = _mm256_setr_epi64x(
            0,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
        );
        let files = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let mut sums = [_mm256_setzero_si256(); 2];
        let mut bit = planes.len();
        while bit > 0 {
            bit -= 1;
            let plane = _mm256_set1_epi64x(planes[bit] as i64);
            let mut half = 0;
            while half < 2 {
                let ranks = _mm256_add_epi8(ranks, _mm256_set1_epi8(4 * half as i8));
                let squares = _mm256_and_si256(_mm256_shuffle_epi8(plane, ranks), files);
                // The comparison yields -1.
                let is_set = _mm256_cmpeq_epi8(squares, files);
                sums[half] = _mm256_sub_epi8(_mm256_add_epi8(sums[half], sums[half]), is_set);
                half += 1;
            }
        }
        _mm256_storeu_si256(codes.as_mut_ptr().cast(), sums[0]);
        _mm256_storeu_si256(codes.as_mut_ptr().add(32).cast(), sums[1]);
    }
    codes
}

/// Writes the indices of the bits of a set to the start of a list. Each store writes eight indices, so elements after
/// the last index are overwritten too.
#[inline(always)]
pub(crate) fn list<const N: usize>(set: u64, list: &mut [u8; N]) {
    const { assert!(N >= 64 + 8) };
    let mut count = 0;
    for (line, byte) in set.to_le_bytes().into_iter().enumerate() {
        let places = u64::from_le_bytes(CHOSEN[usize::from(byte)]);
        let places = places + 0x0808_0808_0808_0808 * line as u64;
        // SAFETY: each previous line has at most eight bits, so `count` is at most 56, and the list has space for eight
        // more.
        unsafe { list.as_mut_ptr().add(count).cast::<u64>().write_unaligned(places.to_le()) };
        count += byte.count_ones() as usize;
    }
}
