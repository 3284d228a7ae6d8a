//! The inputs of threats with AVX-512, 32 pairs at a time for both perspectives.
//!
//! ```text
//! index    who attacks whom, and where the places of the pairs are           vpermb, vpmaddubsw
//! look up  a load for the places of both perspectives                        scalar: gathers are slower on Zen 4
//! number   what the roles bring, the places, what the enemy's pieces add     vpermi2w, vpcompressw
//! ```
//!
//! The table of places and the marks of roles are those of AVX2 (`avx2/inputs.rs`); the majority of three is `vpternlogd`.
//!
//! The pairs of up to sixteen positions stand one behind the other, so that vectors are full. If nothing but threats is
//! wanted, they are numbered so as well, and their inputs go straight to the end of the lists. Where each list ends is counted
//! afterwards: the inputs before a vector, and the bits below the position's end in its mask.
//!
//! Of 45 ns a position (Zen 4, sets in columns): rows 3, pairs 23, index 6, look up 8, number 5.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::tables::{codes_of, store, table, words};
use crate::avx2::inputs::{LOWER, MISSING, PLACE, PLACES_OF_SIDES, ROLES};
use crate::numbers::{self, Tables};
use crate::pairs::{BUFFER, Threat};
use crate::slots::Place;
use setwise::Pieces;

/// How many pairs are numbered together.
pub(crate) const AT_ONCE: usize = 32;

/// Where an attacker's places begin, by its code, for kings on the same half and on different ones.
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

/// Every second one of 64 words: the low halves of 32 words of 32 bits, then the high halves.
static HALVES: [[u16; 32]; 2] = {
    let mut halves = [[0; 32]; 2];
    let mut i = 0;
    while i < 64 {
        halves[i % 2][i / 2] = i as u16;
        i += 1;
    }
    halves
};

/// What is known of the pairs of some positions, one behind the other.
#[repr(C, align(64))]
pub(crate) struct Known<const POSITIONS: usize> {
    /// What attacks in the low byte, what is attacked in the high one.
    both: [[MaybeUninit<u16>; BUFFER]; POSITIONS],
    /// Where the places are looked up.
    indices: [[MaybeUninit<u16>; BUFFER]; POSITIONS],
    places: [[MaybeUninit<u32>; BUFFER]; POSITIONS],
}

/// How many inputs white and black have before a vector of pairs, and which of the vector's pairs have one.
#[cfg_attr(not(feature = "bulk"), expect(dead_code, reason = "one position has one list"))]
#[derive(Clone, Copy, Default)]
pub(crate) struct Rank {
    before: [usize; 2],
    valid: [u32; 2],
}

#[cfg(feature = "bulk")]
impl Rank {
    /// How many inputs there are before a pair of the vector.
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

/// A bit for each of the first pairs of a vector.
#[inline(always)]
fn first(count: usize) -> u32 {
    // SAFETY: only the dispatch names this core, after it found BMI2.
    unsafe { _bzhi_u32(u32::MAX, count.min(AT_ONCE) as u32) }
}

// Only the dispatch names these functions, where the processor has AVX-512 BW, VL, VBMI and VBMI2, and BMI2. All positions
// leave space for a vector behind their pairs.
impl<const POSITIONS: usize> Known<POSITIONS> {
    pub(crate) const fn new() -> Self {
        Self {
            both: [[MaybeUninit::uninit(); BUFFER]; POSITIONS],
            indices: [[MaybeUninit::uninit(); BUFFER]; POSITIONS],
            places: [[MaybeUninit::uninit(); BUFFER]; POSITIONS],
        }
    }

    /// Says of the pairs of a position who attacks whom, and where their places are.
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
            // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI. There is space behind the pairs.
            unsafe {
                // Others are pairs too, of a1 and a1.
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

    /// Looks up the places of the first `len` pairs, and of up to seven more.
    #[inline(always)]
    pub(crate) fn look_up(&mut self, len: usize) {
        let eights = len.div_ceil(8);
        let (indices, _) = self.indices.as_flattened_mut().as_chunks_mut::<8>();
        let (places, _) = self.places.as_flattened_mut().as_chunks_mut::<8>();
        // Those behind the last pair.
        if let Some(last) = indices[..eights].last_mut() {
            last[(len + 7) % 8 + 1..].fill(MaybeUninit::new(0));
        }
        for (indices, places) in indices[..eights].iter().zip(&mut places[..eights]) {
            let mut i = 0;
            while i < 8 {
                // SAFETY: `index` has written so many indices, and squares are below 64 and kinds below 14, so all are in
                // the table. Volatile, or the compiler collects the places in a vector.
                unsafe {
                    let index = usize::from(indices[i].assume_init());
                    let place = *PLACES_OF_SIDES.0.get_unchecked(index);
                    (&raw mut places[i]).write_volatile(MaybeUninit::new(place));
                }
                i += 1;
            }
        }
    }

    /// Writes the inputs of some pairs, whose places have been looked up, to the fronts of two lists, and says how many there
    /// are. Calls with each vector.
    #[inline(always)]
    pub(crate) fn write<N: Place>(
        &self,
        [mut at, end]: [usize; 2],
        tables: &Tables,
        [white, black]: [&mut [N]; 2],
        mut each: impl FnMut(Rank),
    ) -> [usize; 2] {
        assert!(end <= POSITIONS * BUFFER && white.len().min(black.len()) + at >= end + AT_ONCE);
        let lists = [white.as_mut_ptr(), black.as_mut_ptr()];
        let (both, places) = (self.both.as_ptr().cast::<i16>(), self.places.as_ptr().cast::<i32>());
        let (own, enemy) = (halves(&tables.role_offsets[0]), halves(&tables.role_offsets[1]));
        let map = table(&tables.map);
        let mut before = [0; 2];
        while at < end {
            let there = first(end - at);
            let mut valid = [0; 2];
            // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI and VBMI2. Pairs that are there have
            // been looked up. Lists get no more inputs than there are pairs, and have space for 32 more.
            unsafe {
                let both = _mm512_maskz_loadu_epi16(there, both.add(at));
                let low = _mm512_maskz_loadu_epi32(there as u16, places.add(at));
                let high = _mm512_maskz_loadu_epi32((there >> 16) as u16, places.add(at + 16));

                // What the roles bring, and their mark in the high byte.
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
                    // The majority: `and` where the constant has no bit, `or` where it has one.
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

/// A table of 64 words.
#[inline(always)]
fn halves(words: &[u16; 64]) -> [__m512i; 2] {
    let (halves, _) = words.as_chunks::<32>();
    [table(&halves[0]), table(&halves[1])]
}
