//! The inputs of threats with AVX-512: 32 pairs at a time, for both perspectives.
//!
//! ```text
//! index    codes of attacker and victim, position of the pair's entry        vpermb, vpmaddubsw
//! look up  one load of the entry for both perspectives                       scalar: gathers are slower on Zen 4
//! number   terms of the roles, index of the pair, enemy pieces               vpermi2w, vpcompressw
//! ```
//!
//! The table of entries and the marks of roles are shared with AVX2 (`avx2/inputs.rs`). The majority of three is one
//! `vpternlogq`.
//!
//! The pairs of up to sixteen positions are contiguous, so that vectors are full. If the set has only threats, vectors
//! of inputs span positions too, and are written directly to the end of the lists. The end of each list is computed
//! afterwards: the number of inputs before a vector, plus the bits below the position's end in the vector's mask.
//!
//! On Zen 4, a position in columns takes 45 ns: conversion to rows 3, pairs 23, index 6, look up 8, number 5.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::tables::{codes_of, store, table, words};
use crate::avx2::inputs::{LOWER, MISSING, PLACE, PLACES_OF_SIDES, ROLES};
use crate::numbers::{self, Tables};
use crate::pairs::{BUFFER, Threat};
use crate::slots::Number;
use setwise::Pieces;

/// The number of pairs per step.
pub(crate) const AT_ONCE: usize = 32;

/// The start of an attacker's entries, by its code: for kings on the same half and on different halves.
static KINDS: [[u16; 32]; 2] = {
    let mut starts = [[0; 32]; 2];
    let mut code = 0;
    while code < 16 {
        starts[0][code] = numbers::KINDS[code] << 12;
        starts[1][code] = (7 + numbers::KINDS[code]) << 12;
        code += 1;
    }
    starts
};

/// Selects every second of 64 words: the low halves of 32 words of 32 bits, or the high halves.
static HALVES: [[u16; 32]; 2] = {
    let mut halves = [[0; 32]; 2];
    let mut i = 0;
    while i < 64 {
        halves[i % 2][i / 2] = i as u16;
        i += 1;
    }
    halves
};

/// Intermediate results for the contiguous pairs of a few positions.
#[repr(C, align(64))]
pub(crate) struct Known<const POSITIONS: usize> {
    /// The codes of the attacker (low byte) and of the victim (high byte).
    both: [[MaybeUninit<u16>; BUFFER]; POSITIONS],
    /// The positions of the entries in [`PLACES_OF_SIDES`].
    indices: [[MaybeUninit<u16>; BUFFER]; POSITIONS],
    places: [[MaybeUninit<u32>; BUFFER]; POSITIONS],
}

/// The numbers of white's and black's inputs before a vector of pairs, and masks of its pairs that have inputs.
#[cfg_attr(not(feature = "bulk"), expect(dead_code, reason = "one position has one list"))]
#[derive(Clone, Copy, Default)]
pub(crate) struct Rank {
    before: [usize; 2],
    valid: [u32; 2],
}

#[cfg(feature = "bulk")]
impl Rank {
    /// The numbers of white's and black's inputs before a pair of the vector.
    #[inline(always)]
    pub(crate) fn before(&self, pair: usize) -> [usize; 2] {
        let below = (1 << pair) - 1;
        let [white, black] = self.valid;
        [
            self.before[0] + (white & below).count_ones() as usize,
            self.before[1] + (black & below).count_ones() as usize,
        ]
    }
}

/// Returns a mask of the first `count` pairs of a vector.
#[inline(always)]
fn first(count: usize) -> u32 {
    // SAFETY: only the dispatch calls this code, after it found BMI2.
    unsafe { _bzhi_u32(u32::MAX, count.min(AT_ONCE) as u32) }
}

// Only the dispatch calls these functions, on processors with AVX-512 BW, VL, VBMI and VBMI2, and BMI2. Arrays always
// have space for a vector after the pairs.
impl<const POSITIONS: usize> Known<POSITIONS> {
    pub(crate) const fn new() -> Self {
        Self {
            both: [[MaybeUninit::uninit(); BUFFER]; POSITIONS],
            indices: [[MaybeUninit::uninit(); BUFFER]; POSITIONS],
            places: [[MaybeUninit::uninit(); BUFFER]; POSITIONS],
        }
    }

    /// Computes the codes of attackers and victims, and the positions of the table entries, for the pairs of one board.
    #[inline(always)]
    pub(crate) fn index(
        &mut self,
        pairs: &[Threat],
        [mut at, end]: [usize; 2],
        pieces: &Pieces,
        flips: [u8; 2],
    ) {
        assert!(end <= pairs.len() && end + AT_ONCE <= POSITIONS * BUFFER);
        debug_assert_eq!((flips[0] ^ flips[1]) & 56, 56);
        let codes = codes_of(pieces);
        let kinds = table(&KINDS[usize::from((flips[0] ^ flips[1]) & 7 != 0)]);
        while at < end {
            // SAFETY: only the dispatch calls this code, after it found AVX-512 with VBMI. Arrays have space for a
            // vector after the pairs.
            unsafe {
                // Lanes after the end are zero, which is the pair of a1 and a1.
                let pairs = pairs.as_ptr().add(at).cast();
                let pairs = _mm512_maskz_loadu_epi16(first(end - at), pairs);
                let both = _mm512_permutexvar_epi8(pairs, codes);
                let seen = _mm512_xor_si512(pairs, _mm512_set1_epi8(flips[0] as i8));
                let differ = _mm512_xor_si512(seen, _mm512_slli_epi16::<8>(seen));
                let index = _mm512_maddubs_epi16(differ, words(PLACE));
                let index = _mm512_or_si512(index, _mm512_permutexvar_epi16(both, kinds));
                let to = self.both.as_flattened_mut().as_mut_ptr().add(at);
                _mm512_storeu_si512(to.cast(), both);
                let to = self.indices.as_flattened_mut().as_mut_ptr().add(at);
                _mm512_storeu_si512(to.cast(), index);
            }
            at += AT_ONCE;
        }
    }

    /// Looks up the entries of the first `len` pairs, and of up to seven more.
    #[inline(always)]
    pub(crate) fn look_up(&mut self, len: usize) {
        let eights = len.div_ceil(8);
        let (indices, _) = self.indices.as_flattened_mut().as_chunks_mut::<8>();
        let (places, _) = self.places.as_flattened_mut().as_chunks_mut::<8>();
        // Clears the indices after the last pair.
        if let Some(last) = indices[..eights].last_mut() {
            last[(len + 7) % 8 + 1..].fill(MaybeUninit::new(0));
        }
        for (indices, places) in indices[..eights].iter().zip(&mut places[..eights]) {
            let mut i = 0;
            while i < 8 {
                // SAFETY: `index` has written these indices. Squares are below 64 and kinds below 14, so all indices
                // are in bounds. The store is volatile, because otherwise the compiler assembles the entries in a
                // vector.
                unsafe {
                    let index = usize::from(indices[i].assume_init());
                    let place = *PLACES_OF_SIDES.get_unchecked(index);
                    (&raw mut places[i]).write_volatile(MaybeUninit::new(place));
                }
                i += 1;
            }
        }
    }

    /// Writes the inputs of a range of pairs, whose entries must have been looked up, to the starts of two lists, and
    /// returns their counts. Calls `each` for each vector and once at the end.
    #[inline(always)]
    pub(crate) fn write<N: Number>(
        &self,
        [mut at, end]: [usize; 2],
        tables: &Tables,
        [white, black]: [&mut [MaybeUninit<N>]; 2],
        mut each: impl FnMut(Rank),
    ) -> [usize; 2] {
        assert!(end <= POSITIONS * BUFFER && white.len().min(black.len()) + at >= end + AT_ONCE);
        let lists = [white, black].map(|side| side.as_mut_ptr().cast::<N>());
        let (both, places) = (self.both.as_ptr().cast::<i16>(), self.places.as_ptr().cast::<i32>());
        let (own, enemy) = (halves(&tables.role_offsets[0]), halves(&tables.role_offsets[1]));
        let map = table(&tables.map);
        let mut before = [0; 2];
        while at < end {
            let there = first(end - at);
            let mut valid = [0; 2];
            // SAFETY: only the dispatch calls this code, after it found AVX-512 with VBMI and VBMI2. The pairs in the
            // mask have been looked up. Lists receive at most one input per pair, and have space for 32 more.
            unsafe {
                let both = _mm512_maskz_loadu_epi16(there, both.add(at));
                let low = _mm512_maskz_loadu_epi32(there as u16, places.add(at));
                let high = _mm512_maskz_loadu_epi32((there >> 16) as u16, places.add(at + 16));

                // The terms of the roles, and the mark of the roles in the high byte.
                let roles = _mm512_and_si512(both, words(0x0707));
                let two = _mm512_maddubs_epi16(roles, words(ROLES));
                let own = _mm512_permutex2var_epi16(own[0], two, own[1]);
                let enemy = _mm512_permutex2var_epi16(enemy[0], two, enemy[1]);
                let colours = _mm512_xor_si512(both, _mm512_slli_epi16::<8>(both));
                let enemies = _mm512_test_epi16_mask(colours, words(0x0800));
                let mark = _mm512_permutexvar_epi8(_mm512_slli_epi16::<8>(two), map);
                let mark = _mm512_mask_slli_epi16::<2>(mark, enemies, mark);
                let attackers = _mm512_test_epi16_mask(both, words(0x0008));
                let victims = _mm512_test_epi16_mask(both, words(0x0800));
                let missing = words(MISSING as i16);
                let bits = words((LOWER | MISSING) as i16);
                let mut side = 0;
                while side < 2 {
                    let (attackers, victims) =
                        if side == 0 { (attackers, victims) } else { (!attackers, !victims) };
                    let places = _mm512_permutex2var_epi16(low, table(&HALVES[side]), high);
                    // The majority of three: `and` where the constant's bit is clear, `or` where it is set.
                    let dropped = _mm512_ternarylogic_epi64::<0xe8>(mark, places, missing);
                    valid[side] = _mm512_mask_testn_epi16_mask(there, dropped, bits);
                    let place = _mm512_andnot_si512(bits, places);
                    let offset = _mm512_mask_blend_epi16(victims, own, enemy);
                    let input = _mm512_add_epi16(place, offset);
                    store(lists[side].add(before[side]), input, valid[side], attackers, tables);
                    side += 1;
                }
            }
            each(Rank { before, valid });
            before[0] += valid[0].count_ones() as usize;
            before[1] += valid[1].count_ones() as usize;
            at += AT_ONCE;
        }
        each(Rank { before, valid: [0; 2] });
        before
    }
}

/// Loads a table of 64 words.
#[inline(always)]
fn halves(words: &[u16; 64]) -> [__m512i; 2] {
    let (halves, _) = words.as_chunks::<32>();
    [table(&halves[0]), table(&halves[1])]
}
