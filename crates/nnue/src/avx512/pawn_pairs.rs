//! Inputs of pawn pairs with AVX-512: 32 pairs of pawns at a time.
//!
//! The pawns file by file are a list of bytes. All pairs of its places, a higher one with a lower one, are a list of
//! constants; one permutation looks up the files of 32 pairs, a multiplication of bytes makes their differences, a
//! comparison says which are close enough, and `vpcompressw` brings these together. Nine pawns have 36 pairs, of which some
//! fifteen count, so mostly two vectors become one.
//!
//! The pairs that count are read by both perspectives, each with its own numbers of the pawns: one permutation makes
//! `own, other` of each pair, and `high * (high - 1) + 2 * low` is one multiplication of bytes.
//!
//! In ticks of a clock of 2.6 GHz (Zen 4), lists and inputs of the same 4,096 positions again and again: 50, and 90 by the
//! code for AVX2. What lost, lists of other positions each time, where this takes 34: a branch for each vector of pairs
//! (42), always four vectors (38).
//!
//! Games have sixteen pawns at most. Other boards take the portable code.

use core::arch::x86_64::*;

use super::tables::{Bytes, LOW_BYTES, close, in_order, put, squares, words};
use crate::number::Number;
use crate::pawn_pairs::{LINE, PawnList, PawnPairs};
use setwise::Pieces;

/// How many pawns are in a vector.
const MAX_PAWNS: usize = 16;

/// How many pairs are looked at together.
const AT_ONCE: usize = 32;

/// The places of a pawn and of one before it in the list: all pairs of sixteen, and then a place where none stands.
static PLACES: [Bytes; 4] = {
    let mut places = [[0; 64]; 4];
    let mut behind = MAX_PAWNS * (MAX_PAWNS - 1) / 2;
    while behind < 4 * AT_ONCE {
        places[behind / AT_ONCE][behind % AT_ONCE * 2] = MAX_PAWNS as u8;
        behind += 1;
    }
    let (mut pair, mut high) = (0, 1);
    while high < MAX_PAWNS {
        let mut low = 0;
        while low < high {
            places[pair / AT_ONCE][pair % AT_ONCE * 2] = high as u8;
            places[pair / AT_ONCE][pair % AT_ONCE * 2 + 1] = low as u8;
            pair += 1;
            low += 1;
        }
        high += 1;
    }
    let [a, b, c, d] = places;
    [Bytes(a), Bytes(b), Bytes(c), Bytes(d)]
};

/// The weights of the two bytes of a pair: their difference.
const DIFFERENCE: i16 = 0xff01_u16 as i16;

/// In place of files where no pawn is left: more than seven above all before them.
static FAR: Bytes = {
    let mut files = [0; 64];
    let mut place = 0;
    while place <= MAX_PAWNS {
        files[place] = 15 + 8 * place as u8;
        place += 1;
    }
    Bytes(files)
};

/// Lists the pairs of pawns of a position. No square holds two pieces.
#[inline(always)]
pub(super) fn list(block: &PawnPairs, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
    let pawns = block.pawns(pieces);
    let count = pawns.count_ones() as usize;
    if count > MAX_PAWNS {
        block.list(pieces, flips, list);
        return;
    }
    let by_file = in_order::<1>(pawns);
    list.count = count;
    list.blacks = close(in_order::<1>(pieces.black), by_file) as u16;
    let pairs = list.pairs_mut();
    const { assert!(2 * LINE >= MAX_PAWNS * (MAX_PAWNS - 1) / 2 + AT_ONCE) };
    let mut len = 0;
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI and VBMI2. Sixteen pawns have 120 pairs,
    // which are four vectors; the list has space for all of these, and the places for sixteen.
    unsafe {
        let squares = squares::<1>(by_file);
        let there = _bzhi_u64(u64::MAX, count as u32);
        let files = _mm512_and_si512(squares, _mm512_set1_epi8(7));
        let files = _mm512_mask_mov_epi8(FAR.load(), there, files);
        let most = words(block.files_apart().into());
        let mut part = 0;
        // Eleven pawns have 55 pairs. A branch for each vector would be foretold wrongly too often.
        let parts = if count <= 11 { 2 } else { PLACES.len() };
        while part < parts {
            let places = PLACES[part].load();
            let apart = _mm512_permutexvar_epi8(places, files);
            let apart = _mm512_maddubs_epi16(apart, words(DIFFERENCE));
            let chosen = _mm512_cmple_epi16_mask(apart, most);
            let places = _mm512_maskz_compress_epi16(chosen, places);
            _mm512_storeu_si512(pairs.as_mut_ptr().add(len).cast(), places);
            len += chosen.count_ones() as usize;
            part += 1;
        }
        list.pairs = len;
        _mm_storeu_si128(list.places.as_mut_ptr().cast(), _mm512_castsi512_si128(squares));
    }
}

/// Writes the inputs of both perspectives behind `lens` others, and says how many there are then.
#[inline(always)]
pub(super) fn write<N: Number>(
    block: &PawnPairs,
    list: &PawnList,
    flips: [u8; 2],
    first: u32,
    lens: [usize; 2],
    buffers: [&mut [N]; 2],
) -> [usize; 2] {
    if list.count > MAX_PAWNS {
        return block.write(list, first, lens, buffers);
    }
    let written = list.pairs.next_multiple_of(AT_ONCE);
    let [white, black] = buffers;
    let white = &mut white[lens[0]..][..written];
    let black = &mut black[lens[1]..][..written];
    let pairs = &list.pairs()[..written];
    let [squares_that_count, below] = block.squares();
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI and VBMI2. The slices end where the last
    // vectors do, and the list of places has sixteen.
    unsafe {
        let squares = _mm_loadu_si128(list.places.as_ptr().cast());
        // Not a closure for both sides: it would not be inlined.
        let more = _mm_set1_epi8(squares_that_count as i8);
        let below = _mm_set1_epi8(below as i8);
        let white_numbers = _mm_xor_si128(squares, _mm_set1_epi8(flips[0] as i8));
        let white_numbers = _mm_sub_epi8(white_numbers, below);
        let white_numbers = _mm_mask_add_epi8(white_numbers, list.blacks, white_numbers, more);
        let white_numbers = _mm512_castsi128_si512(white_numbers);
        let black_numbers = _mm_xor_si128(squares, _mm_set1_epi8(flips[1] as i8));
        let black_numbers = _mm_sub_epi8(black_numbers, below);
        let black_numbers = _mm_mask_add_epi8(black_numbers, !list.blacks, black_numbers, more);
        let black_numbers = _mm512_castsi128_si512(black_numbers);
        let mut done = 0;
        while done < written {
            let pairs = _mm512_loadu_si512(pairs.as_ptr().add(done).cast());
            put(white.as_mut_ptr().add(done), number(white_numbers, pairs), first);
            put(black.as_mut_ptr().add(done), number(black_numbers, pairs), first);
            done += AT_ONCE;
        }
    }
    [lens[0] + list.pairs, lens[1] + list.pairs]
}

/// The inputs of 32 pairs, by the numbers of the pawns at their places.
///
/// # Safety
/// The processor has AVX-512 with VBMI and VBMI2.
#[inline(always)]
unsafe fn number(numbers: __m512i, places: __m512i) -> __m512i {
    // SAFETY: as the caller says.
    unsafe {
        let pairs = _mm512_permutexvar_epi8(places, numbers);
        let turned = _mm512_shldi_epi16::<8>(pairs, pairs);
        let high = _mm512_max_epu8(pairs, turned);
        let factors = _mm512_mask_min_epu8(high, !LOW_BYTES, pairs, turned);
        let others =
            _mm512_mask_sub_epi8(_mm512_set1_epi8(2), LOW_BYTES, high, _mm512_set1_epi8(1));
        _mm512_srli_epi16::<1>(_mm512_maddubs_epi16(factors, others))
    }
}
