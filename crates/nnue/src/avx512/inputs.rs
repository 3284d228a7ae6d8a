//! The inputs of threats with AVX-512, 32 pairs at a time for both perspectives. (Bulk calls that want nothing but threats
//! number those of many positions together, see `stream.rs`.)
//!
//! The formula is that of `numbers.rs`, and what the perspectives share is computed once, as in `avx2/inputs.rs`: but
//! a table of 64 bytes or of 32 words is one permutation here. `vpermb` of a board of codes by the pairs' bytes says who
//! attacks whom; `vpmaddubsw` makes the numbers of squares and of roles; masks add what the enemy's pieces bring.
//!
//! The places come one by one, with a load each: gathers are slower on Zen 4.
//!
//! In one run with the loop over magics and tables that is made for each perspective (Zen 4, 4,096 positions in columns):
//! three blocks 8.9 times as fast. In ticks of a clock of 2.6 GHz, numbers of 16 bits, pairs included: 175.
//! What lost: two gathers (187; 190 from a table that goes by `from` first), and 45 more for four, two for each
//! perspective from a table of half the width; indices as words of 64 bits (the same). Closures in place of loops over the
//! perspectives are not always inlined into what enables the instructions: one in `pawn_pairs.rs` cost 40 ns a position.

use core::arch::x86_64::*;

use super::tables::{LOW_BYTES, put, table, words};
use crate::avx2::PLACES_OF_BOTH;
use crate::number::Number;
use crate::numbers::{self, ENEMIES_ONCE, FRIENDS_ONCE, NO_INPUT, Tables};
use crate::pairs::{BUFFER, Threat};

/// How many pairs are numbered together.
const AT_ONCE: usize = 32;

/// The weights of the two bytes of a pair: `from + 64 * (from ^ to)`, `to - from`; and of two roles, `8 * a + v`.
pub(super) const PLACE: i16 = 0x4001;
const DIFFERENCE: i16 = 0x01ff;
pub(super) const ROLES: i16 = 0x0108;

/// Where an attacker's places begin in [`PLACES_OF_BOTH`], by its code.
static KINDS: [u16; 32] = {
    let mut starts = [0; 32];
    let mut code = 0;
    while code < 16 {
        starts[code] = numbers::KINDS[code] << 12;
        code += 1;
    }
    starts
};

/// Every second one of 64 words: the low halves of 32 words of 32 bits, then the high halves.
pub(super) static HALVES: [[u16; 32]; 2] = {
    let mut halves = [[0; 32]; 2];
    let mut i = 0;
    while i < 64 {
        halves[i % 2][i / 2] = i as u16;
        i += 1;
    }
    halves
};

/// Which words have a bit.
#[inline(always)]
pub(super) fn has(numbers: __m512i, bit: i16) -> u32 {
    // SAFETY: `numbers` proves AVX-512.
    unsafe { _mm512_test_epi16_mask(numbers, words(bit)) }
}

/// The inputs of both perspectives, 32 pairs at a time; `buffer` has any pairs behind the first `count`. Only
/// the dispatch names this function, where the processor has AVX-512 F, BW, VL, VBMI and VBMI2.
#[inline(always)]
pub(super) fn inputs<N: Number>(
    codes: &[u8; 64],
    buffer: &[Threat; BUFFER],
    count: usize,
    tables: &Tables,
    flips: [u8; 2],
    [white, black]: [&mut [N; BUFFER]; 2],
) -> [usize; 2] {
    debug_assert_eq!((flips[0] ^ flips[1]) & 56, 56);
    // Both perspectives turn the board; what they see is mirrored as well if only one of them mirrors.
    let mirrored = usize::from((flips[0] ^ flips[1]) & 7 == 0);
    let mut counts = [0; 2];
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI and VBMI2. Reads of pairs end
    // with the pairs. Squares are below 64 and kinds below 7, so all places are in their table. Each list gets no more
    // inputs than there are pairs, and has room for 32 more.
    unsafe {
        let codes = table(codes);
        let flips = [_mm512_set1_epi8(flips[0] as i8), _mm512_set1_epi8(flips[1] as i8)];
        let mut done = 0;
        while done < count {
            let there = _bzhi_u32(u32::MAX, (count - done).min(AT_ONCE) as u32);
            let pairs = _mm512_maskz_loadu_epi16(there, buffer.as_ptr().add(done).cast());
            // Attackers in the low bytes, victims in the high ones.
            let both = _mm512_permutexvar_epi8(pairs, codes);

            // One look-up for the places of both perspectives.
            let seen = [_mm512_xor_si512(pairs, flips[0]), _mm512_xor_si512(pairs, flips[1])];
            let differ = _mm512_xor_si512(seen[0], _mm512_slli_epi16::<8>(seen[0]));
            let index = _mm512_maddubs_epi16(differ, words(PLACE));
            let index = _mm512_or_si512(index, _mm512_permutexvar_epi16(both, table(&KINDS)));
            let mut indices = [0_u16; AT_ONCE];
            _mm512_storeu_si512(indices.as_mut_ptr().cast(), index);
            let (low, high) = (sixteen::<0>(&indices), sixteen::<1>(&indices));
            let of_white = _mm512_permutex2var_epi16(low, table(&HALVES[0]), high);
            let of_black = _mm512_permutex2var_epi16(low, table(&HALVES[mirrored]), high);

            // What the perspectives share.
            let roles = _mm512_and_si512(both, words(0x0707));
            let two = _mm512_maddubs_epi16(roles, words(ROLES));
            let two = _mm512_maskz_permutexvar_epi8(LOW_BYTES, two, table(&tables.map));
            let kind = _mm512_and_si512(two, words(0x0f));
            let moves = _mm512_permutexvar_epi16(roles, table(&tables.moves));
            let kind = _mm512_mullo_epi16(kind, moves);
            let base = _mm512_permutexvar_epi16(roles, table(&tables.bases));
            let shared = _mm512_add_epi16(base, kind);
            let enemies = _mm512_permutexvar_epi16(roles, table(&tables.enemies));
            let (attackers, victims) = (has(both, 0x0008), has(both, 0x0800));
            let is_enemy = attackers ^ victims;
            let once = (has(two, ENEMIES_ONCE.into()) & is_enemy)
                | (has(two, FRIENDS_ONCE.into()) & !is_enemy);
            let no_place = _mm512_cmpeq_epi16_mask(of_white, words(-1));
            let known = there & !has(two, NO_INPUT.into()) & !no_place;
            // Turned and mirrored, the last pair is the first.
            let of_black = _mm512_sub_epi16(_mm512_add_epi16(moves, words(-1)), of_black);
            let places = [of_white, of_black];

            let mut side = 0;
            while side < 2 {
                let (attackers, victims) =
                    if side == 0 { (attackers, victims) } else { (!attackers, !victims) };
                let input = _mm512_add_epi16(shared, places[side]);
                let input = _mm512_mask_add_epi16(input, victims, input, enemies);
                let difference = _mm512_maddubs_epi16(seen[side], words(DIFFERENCE));
                let zero = _mm512_setzero_si512();
                let kept = known & !_mm512_mask_cmpgt_epi16_mask(once, difference, zero);
                let out = if side == 0 { &mut *white } else { &mut *black };
                let out = out.as_mut_ptr().add(counts[side]);
                write(out, input, attackers, kept, tables);
                counts[side] += kept.count_ones() as usize;
                side += 1;
            }
            done += AT_ONCE;
        }
    }
    counts
}

/// The places of sixteen pairs, for both perspectives.
///
/// # Safety
/// The processor has AVX-512, and the indices are below 28,672.
#[inline(always)]
unsafe fn sixteen<const HALF: usize>(indices: &[u16; AT_ONCE]) -> __m512i {
    let mut sixteen = [0; 16];
    let mut i = 0;
    while i < 16 {
        let index = usize::from(indices[16 * HALF + i]);
        // SAFETY: as the caller says.
        sixteen[i] = unsafe { *PLACES_OF_BOTH.0.get_unchecked(index) } as i32;
        i += 1;
    }
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = sixteen;
    // SAFETY: as the caller says.
    unsafe { _mm512_setr_epi32(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) }
}

/// Writes those of 32 inputs that a mask has; the enemy's attackers are yet to be added.
///
/// # Safety
/// The processor has AVX-512 with VBMI2. There is space for so many numbers and 32 more.
#[inline(always)]
unsafe fn write<N: Number>(out: *mut N, inputs: __m512i, enemies: u32, kept: u32, tables: &Tables) {
    // SAFETY: as the caller says.
    unsafe {
        // Numbers of 16 bits hold all inputs of the block, or those of the network.
        if size_of::<N>() == 2 || tables.half <= 1 << 15 {
            let half = words(tables.half as i16);
            let inputs = _mm512_mask_add_epi16(inputs, enemies, inputs, half);
            put(out, _mm512_maskz_compress_epi16(kept, inputs), tables.first);
            return;
        }
        let mut out = out;
        let mut part = 0;
        while part < 2 {
            let (inputs, enemies, kept) = if part == 0 {
                (_mm512_castsi512_si256(inputs), enemies as u16, kept as u16)
            } else {
                let inputs = _mm512_extracti64x4_epi64::<1>(inputs);
                (inputs, (enemies >> 16) as u16, (kept >> 16) as u16)
            };
            let inputs = _mm512_cvtepu16_epi32(inputs);
            let first = _mm512_set1_epi32(tables.first as i32);
            let inputs = _mm512_add_epi32(inputs, first);
            let half = _mm512_set1_epi32(tables.half as i32);
            let inputs = _mm512_mask_add_epi32(inputs, enemies, inputs, half);
            _mm512_storeu_si512(out.cast(), _mm512_maskz_compress_epi32(kept, inputs));
            out = out.add(kept.count_ones() as usize);
            part += 1;
        }
    }
}
