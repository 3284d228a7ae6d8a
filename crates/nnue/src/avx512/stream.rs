//! The inputs of the threats of many positions with AVX-512: one list of pairs for up to sixteen of them.
//!
//! Positions have 0 to 70 pairs, so vectors of 32 are half empty if each position begins a new one, and nobody foretells
//! whether it needs one or two. In three passes over a stream, only the first goes position by position:
//!
//! ```text
//! index    position by position: who attacks whom, and where the places of the pairs are     vpermb, vpmaddubsw
//! look up  pair by pair: a load for the places of both perspectives                          scalar
//! number   32 pairs: what the roles bring, the places, what the enemy's pieces add           vpermi2w, vpcompressw
//! ```
//!
//! What is known of a pair's squares alone is in the table of places: whether `from` is below `to` for either perspective,
//! and black's place counted from the end, for kings on the same half of the board and on different ones. So a majority
//! of three (`vpternlogd`) of the place, the marks of the roles and a constant says in two bits whether a pair has no input:
//! `and` in the one (counts once, and is the lower one), `or` in the other (roles without inputs, squares without a place).
//!
//! The inputs of all positions go straight to the end of the lists. Where each list ends is counted afterwards: the inputs
//! before a vector, and the bits below the position's end in its mask.
//!
//! Over 4,096 positions of play, sets in columns, in ns a position (Zen 4, one run): rows 3, pairs 23.5, index 6, look up 8,
//! number 5, lists 3. Before, 32 pairs at a time of each position (`inputs.rs`) took 34 for the last four; a third of it
//! were 32 `vpextrw` and as many `vpinsrd`, which one port or two execute.
//!
//! What did not do:
//!
//! - The same passes position by position, each with vectors of its own: 68 ns in all, for 67 with `inputs.rs`, which has
//!   no passes. The stream is what pays: fewer vectors, and one end of a loop to be foretold in place of sixteen.
//! - Inputs into a buffer, and from there to the lists: 10 ns for 3. Each end of a list from the one before it, which has
//!   just been stored: 3.7 for 3.
//! - Two gathers in place of loads: the same on Zen 4 (17 cycles each; here all lanes are wanted), and slow on processors
//!   that guard against spying on gathers.
//! - A smaller table: with all look-ups in the first cache they would take 1 ns less.
//! - What the roles bring from four tables by role and a multiplication, as in `inputs.rs`, and a mask for each reason to
//!   drop a pair: 8 ns for 5.

use core::arch::x86_64::*;

use super::inputs::{HALVES, PLACE, ROLES, has};
use super::tables::{code_of_each, put, table, words};
use crate::number::Number;
use crate::numbers::{self, MOVES, NO_PLACE, NOTHING, ONCE, PLACES, Tables};
use crate::stream::{AT_ONCE, Rank, Stream, is_narrow};
use setwise::Pieces;

/// The place of each pair for white, and in the high half what black has in its stead: by kind of attacker, then by
/// `64 * (from ^ to) + from`. First for kings on the same half of the board, which sees black's pairs mirrored, then for
/// kings on different halves.
static PLACES_OF_SIDES: PlacesOfSides = PlacesOfSides({
    let mut sides = [0; 2 * 7 * 4096];
    let mut at = 0;
    while at < sides.len() {
        let (kind, from, to) = (at / 4096 % 7, at % 64, (at % 64) ^ (at / 64 % 64));
        let place = PLACES.0[4096 * kind + 64 * from + to];
        let mirrored = PLACES.0[4096 * kind + 64 * (from ^ 7) + (to ^ 7)];
        let (turn, of_black) = if at < 7 * 4096 { (56, mirrored) } else { (63, place) };
        sides[at] = if place == NO_PLACE {
            (MISSING as u32) << 16 | MISSING as u32
        } else {
            // Turned and mirrored, the last pair is the first.
            let of_black = MOVES[kind % 6] - 1 - of_black;
            let lower = [from < to, from ^ turn < to ^ turn];
            let white = place | if lower[0] { LOWER } else { 0 };
            let black = of_black | if lower[1] { LOWER } else { 0 };
            (black as u32) << 16 | white as u32
        };
        at += 1;
    }
    sides
});

#[repr(align(64))]
struct PlacesOfSides([u32; 2 * 7 * 4096]);

/// In a place: `from` is below `to`; there is none. [`ONCE`] and [`NOTHING`] are the same bits in the high byte.
const LOWER: u16 = 0x8000;
const MISSING: u16 = 0x4000;
const _: () = assert!(LOWER == (ONCE as u16) << 8 && MISSING == (NOTHING as u16) << 8);

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

/// Only the dispatch names this function, where the processor has AVX-512 F, BW, VL, VBMI and VBMI2, and GFNI.
#[inline(always)]
pub(super) fn index(stream: &mut Stream, position: usize, pieces: &Pieces, flips: [u8; 2]) {
    debug_assert!(position < stream.positions() && (flips[0] ^ flips[1]) & 56 == 56);
    let (mut at, end) = (stream.starts[position], stream.starts[position + 1]);
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI, VBMI2 and GFNI. The pairs of a stream
    // leave space for a vector behind them.
    unsafe {
        let codes = code_of_each(pieces);
        let flip = _mm512_set1_epi8(flips[0] as i8);
        let kinds = table(&KINDS[usize::from((flips[0] ^ flips[1]) & 7 != 0)]);
        while at < end {
            let there = _bzhi_u32(u32::MAX, (end - at).min(AT_ONCE) as u32);
            // Others are pairs too, of a1 and a1.
            let pairs = _mm512_maskz_loadu_epi16(there, stream.pairs.as_ptr().add(at).cast());
            let both = _mm512_permutexvar_epi8(pairs, codes);
            let seen = _mm512_xor_si512(pairs, flip);
            let differ = _mm512_xor_si512(seen, _mm512_slli_epi16::<8>(seen));
            let index = _mm512_maddubs_epi16(differ, words(PLACE));
            let index = _mm512_or_si512(index, _mm512_permutexvar_epi16(both, kinds));
            _mm512_storeu_si512(stream.both.as_mut_ptr().add(at).cast(), both);
            _mm512_storeu_si512(stream.indices.as_mut_ptr().add(at).cast(), index);
            at += AT_ONCE;
        }
    }
}

/// The places of all pairs of a stream, and of up to seven more.
#[inline(always)]
fn look_up(stream: &mut Stream) {
    let eights = stream.len().div_ceil(8);
    let (indices, _) = stream.indices.as_chunks::<8>();
    let (places, _) = stream.places.as_chunks_mut::<8>();
    for (indices, places) in indices[..eights].iter().zip(&mut places[..eights]) {
        let mut i = 0;
        while i < 8 {
            // SAFETY: squares are below 64 and kinds below 14, so all indices are in the table; only `index` writes them.
            // Volatile, or the compiler collects them in a vector.
            unsafe {
                let place = *PLACES_OF_SIDES.0.get_unchecked(usize::from(indices[i]));
                (&raw mut places[i]).write_volatile(place);
            }
            i += 1;
        }
    }
}

/// Only the dispatch names this function, where the processor has AVX-512 F, BW, VL, VBMI and VBMI2.
#[inline(always)]
pub(super) fn number<N: Number>(
    stream: &mut Stream,
    tables: &Tables,
    [white, black]: [&mut [N]; 2],
) {
    look_up(stream);
    let len = stream.len();
    assert!(white.len().min(black.len()) >= len + AT_ONCE);
    debug_assert!(size_of::<N>() == 2 || is_narrow(tables));
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI and VBMI2. The pairs of a stream leave space
    // for a vector behind them; and there are no more inputs than pairs.
    unsafe {
        let [own, enemy] = &tables.brought;
        let [own, enemy] = [halves(own), halves(enemy)];
        let marks = [table(&tables.marks[0]), table(&tables.marks[1])];
        let half = words(tables.half as i16);
        let [white, black] = [white.as_mut_ptr(), black.as_mut_ptr()];
        let mut counts = [0_u32; 2];
        let (mut done, mut vector) = (0, 0);
        while done < len {
            let there = _bzhi_u32(u32::MAX, (len - done).min(AT_ONCE) as u32);
            let both = _mm512_loadu_si512(stream.both.as_ptr().add(done).cast());
            let low = _mm512_loadu_si512(stream.places.as_ptr().add(done).cast());
            let high = _mm512_loadu_si512(stream.places.as_ptr().add(done + 16).cast());
            let of_white = _mm512_permutex2var_epi16(low, table(&HALVES[0]), high);
            let of_black = _mm512_permutex2var_epi16(low, table(&HALVES[1]), high);

            // What the roles bring, and their mark in the high byte.
            let roles = _mm512_and_si512(both, words(0x0707));
            let two = _mm512_maddubs_epi16(roles, words(ROLES));
            let own = _mm512_permutex2var_epi16(own[0], two, own[1]);
            let enemy = _mm512_permutex2var_epi16(enemy[0], two, enemy[1]);
            let colours = _mm512_xor_si512(both, _mm512_slli_epi16::<8>(both));
            let enemies = _mm512_slli_epi16::<3>(_mm512_and_si512(colours, words(0x0800)));
            let mark = _mm512_or_si512(_mm512_slli_epi16::<8>(two), enemies);
            let mark = _mm512_permutex2var_epi8(marks[0], mark, marks[1]);

            let (attackers, victims) = (has(both, 0x0008), has(both, 0x0800));
            let missing = words(MISSING as i16);
            let bits = words((LOWER | MISSING) as i16);
            let mut side = 0;
            while side < 2 {
                let (places, attackers, victims, out) = if side == 0 {
                    (of_white, attackers, victims, white)
                } else {
                    (of_black, !attackers, !victims, black)
                };
                // The majority: `and` where the constant has no bit, `or` where it has one.
                let dropped = _mm512_ternarylogic_epi64::<0xe8>(mark, places, missing);
                let kept = _mm512_mask_testn_epi16_mask(there, dropped, bits);
                let place = _mm512_andnot_si512(bits, places);
                let input = _mm512_add_epi16(place, _mm512_mask_blend_epi16(victims, own, enemy));
                let input = _mm512_mask_add_epi16(input, attackers, input, half);
                let input = _mm512_maskz_compress_epi16(kept, input);
                put(out.add(counts[side] as usize), input, tables.first);
                stream.ranks[vector][side] = Rank { before: counts[side], kept };
                counts[side] += kept.count_ones();
                side += 1;
            }
            done += AT_ONCE;
            vector += 1;
        }
        let [white, black] = counts;
        stream.ranks[vector] = [Rank { before: white, kept: 0 }, Rank { before: black, kept: 0 }];
    }
}

/// A table of 64 words.
#[inline(always)]
fn halves(words: &[u16; 64]) -> [__m512i; 2] {
    let (halves, _) = words.as_chunks::<32>();
    [table(&halves[0]), table(&halves[1])]
}
