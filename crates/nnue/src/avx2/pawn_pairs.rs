//! Inputs of pawn pairs with AVX2. One vector holds all pawns from both perspectives, if there are at most sixteen.
//!
//! The numbers of the pawns are a list of bytes, file by file: white's perspective in one half of a vector, black's in
//! the other. The partners of a pawn are contiguous in this list (`pawn_pairs.rs` explains why). So one shuffle moves
//! eight of them to the front, another repeats the pawn's own number, and six operations compute eight inputs for each
//! perspective. No vector load directly follows word stores to the same memory.
//!
//! Positions from games have at most sixteen pawns. Other boards use the portable code.

use core::arch::x86_64::*;

use super::tables;
use crate::pawn_pairs::{PawnList, PawnPairs};
use crate::portable::transpose;
use crate::slots::{Number, Output};
use setwise::Pieces;

/// The number of pawns in a vector.
const MAX_PAWNS: u32 = 16;

/// The number of pairs per store.
const AT_ONCE: usize = 8;

/// The shuffle control that zero-extends one byte of a list to a word.
const fn word(byte: usize) -> u16 {
    0x8000 | byte as u16
}

/// Shuffle controls that zero-extend the bytes of a list to words, in order. If the load of the controls starts at
/// index `i`, the shuffle moves byte `i` to the front.
static IN_ORDER: [u16; 24] = {
    let mut words = [0; 24];
    let mut i = 0;
    while i < 24 {
        words[i] = word(i);
        i += 1;
    }
    words
};

/// Lists the pawns of a position. No square may hold two pieces.
#[inline(always)]
pub(crate) fn list(block: &PawnPairs, pieces: &Pieces, list: &mut PawnList) {
    block.list(pieces, list);
    if list.pawns.count_ones() > MAX_PAWNS {
        return;
    }
    let by_file = transpose(list.pawns);
    tables::list(by_file, &mut list.places);
    // The number of pawns on each file, then on all earlier files.
    let twos = by_file - (by_file >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    let counts = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let before = counts.wrapping_mul(0x0101_0101_0101_0101) << 8;
    list.starts[8..].copy_from_slice(&before.to_le_bytes());
    // SAFETY: only the dispatch calls this code, after it found BMI2.
    list.blacks = unsafe { _pext_u64(transpose(pieces.black), by_file) } as u16;
}

/// Appends the inputs of both perspectives.
#[inline(always)]
pub(crate) fn write<N: Number>(block: &PawnPairs, list: &PawnList, out: &mut Output<'_, N>) {
    let count = list.pawns.count_ones() as usize;
    if count > MAX_PAWNS as usize {
        return block.write(list, out);
    }
    let (mut len, [white_flip, black_flip], first) = (0, out.flips, out.firsts[0]);
    // SAFETY: only the dispatch calls this code, after it found AVX2. `PawnList` has more than sixteen squares, and
    // sixteen bytes for the files. Pawns and first partners are below 16; eight words of `IN_ORDER` are read from the
    // first partner, and eight more only if they start before the pawn. The slices have space for all pairs of the
    // pawns and for eight more numbers.
    unsafe {
        let places = _mm_loadu_si128(list.places.as_ptr().cast());
        let files = _mm_and_si128(_mm_srli_epi16::<3>(places), _mm_set1_epi8(7));
        let ranks = _mm_slli_epi16::<3>(_mm_and_si128(places, _mm_set1_epi8(7)));
        let squares = _mm256_broadcastsi128_si256(_mm_or_si128(files, ranks));
        // The first partner of each pawn, by its file.
        let starts = list.starts.as_ptr().add(8 - usize::from(block.files_apart));
        let partners = _mm_shuffle_epi8(_mm_loadl_epi64(starts.cast()), files);
        let mut firsts = [0_u8; MAX_PAWNS as usize];
        _mm_storeu_si128(firsts.as_mut_ptr().cast(), partners);
        // The number of partners of each pawn: from its first partner up to the pawn itself.
        let pawns = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let there = _mm_cmpgt_epi8(_mm_set1_epi8(count as i8), pawns);
        let pairs = _mm_and_si128(_mm_subs_epu8(pawns, partners), there);
        let mut counts = [0_u8; MAX_PAWNS as usize];
        _mm_storeu_si128(counts.as_mut_ptr().cast(), pairs);
        let pairs = _mm_sad_epu8(pairs, _mm_setzero_si128());
        let pairs = _mm_cvtsi128_si32(pairs) + _mm_extract_epi16::<4>(pairs);
        let [white, black] =
            out.next(pairs as usize + AT_ONCE).map(|side| side.as_mut_ptr().cast::<N>());
        // All ones in the bytes of black's pawns.
        let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let bytes = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
        let blacks = _mm_shuffle_epi8(_mm_set1_epi16(list.blacks as i16), bytes);
        let blacks = _mm_cmpeq_epi8(_mm_and_si128(blacks, bits), bits);
        let whites = _mm_cmpeq_epi8(blacks, _mm_setzero_si128());
        let enemies = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(blacks), whites);
        let enemies = _mm256_and_si256(enemies, _mm256_set1_epi8(block.squares as i8));
        let white_flip = _mm256_set1_epi8(white_flip as i8);
        let flips = _mm256_inserti128_si256::<1>(white_flip, _mm_set1_epi8(black_flip as i8));
        let numbers = _mm256_xor_si256(squares, flips);
        let numbers = _mm256_sub_epi8(numbers, _mm256_set1_epi8(block.below as i8));
        let numbers = _mm256_add_epi8(numbers, enemies);

        let order = IN_ORDER.as_ptr();
        for pawn in 1..count {
            let own = _mm_set1_epi16(word(pawn) as i16);
            let (first_partner, pairs) = (usize::from(firsts[pawn]), usize::from(counts[pawn]));
            let mut done = 0;
            loop {
                let others = _mm_loadu_si128(order.add(first_partner + done).cast());
                let inputs = number(numbers, own, others);
                store(white.add(len + done), _mm256_castsi256_si128(inputs), first);
                store(black.add(len + done), _mm256_extracti128_si256::<1>(inputs), first);
                done += AT_ONCE;
                // A second step is rare: more than eight partners.
                if done >= pairs {
                    break;
                }
            }
            len += pairs;
        }
    }
    out.advance([len; 2]);
}

/// Computes the inputs of eight pairs for both perspectives. `own` and `others` are shuffle controls for the pawns'
/// numbers in both halves.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn number(numbers: __m256i, own: __m128i, others: __m128i) -> __m256i {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let own = _mm256_shuffle_epi8(numbers, _mm256_broadcastsi128_si256(own));
        let others = _mm256_shuffle_epi8(numbers, _mm256_broadcastsi128_si256(others));
        let high = _mm256_max_epu16(own, others);
        let pairs = _mm256_mullo_epi16(high, _mm256_add_epi16(high, _mm256_set1_epi16(-1)));
        _mm256_add_epi16(_mm256_srli_epi16::<1>(pairs), _mm256_min_epu16(own, others))
    }
}

/// Writes eight inputs.
///
/// # Safety
/// The processor must have AVX2, and `out` must have space for eight numbers.
#[inline(always)]
unsafe fn store<N: Number>(out: *mut N, pairs: __m128i, first: u32) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if size_of::<N>() == 2 {
            _mm_storeu_si128(out.cast(), _mm_add_epi16(pairs, _mm_set1_epi16(first as i16)));
        } else {
            let pairs = _mm256_cvtepu16_epi32(pairs);
            _mm256_storeu_si256(
                out.cast(),
                _mm256_add_epi32(pairs, _mm256_set1_epi32(first as i32)),
            );
        }
    }
}
