//! The inputs of threats with AVX2: sixteen pairs at a time, for both perspectives.
//!
//! `numbers.rs` has the formula. A gather of eight words costs some forty operations on many processors, so most tables
//! are in registers: four byte shuffles look up a table of 64 bytes (the piece on a square, the entry of two roles),
//! and one looks up a table of eight words by role, stored as low bytes, then high bytes. Terms that the perspectives
//! share are computed once: the roles are the same for both sides, and the colours are exchanged.
//!
//! ```text
//! input = term of the two roles                               shared by the perspectives
//!       + terms of enemy victims and of enemy attackers       masks; the other perspective uses the complement
//!       + index of the pair                                   one load of 32 bits for both perspectives
//! ```
//!
//! Only the index of the pair is loaded from memory: squares and kind of attacker select an entry of two 16-bit
//! numbers, white's index and black's. The table has two halves, for kings on the same half of the board and for kings
//! on different halves, with 28,672 entries (114 KB) each. Lookups touch only a third of a half, because the difference
//! between the squares is the high part of the position in the table.
//!
//! Entries also contain two bits that depend only on the squares: `from` is below `to`, and no such pair exists. In
//! these two bits, a bitwise majority of the entry, the mark of the roles and a constant tells whether a pair is
//! dropped: the first bit is an `and` (only one of two pairs counts, and this is the other one), the second an `or`
//! (no inputs for the roles, or no such pair).
//!
//! A shuffle compresses the remaining inputs, eight at a time. The next store overwrites the rest of the vector.
//!
//! Sixteen pairs take 170 to 180 instructions for both perspectives. Pawn pairs and pieces on squares add 47 % to the
//! time of threats. `docs/notebook.md` has more figures.

use core::arch::x86_64::*;

use super::tables::{CHOSEN, COMPRESS, load, on_squares};
use crate::numbers::{self, MOVES, NO_PLACE, NOTHING, ONCE, PLACES, Tables};
use crate::pairs::{BUFFER, Threat};
use crate::slots::{Number, Output};

/// The number of pairs per step.
const AT_ONCE: usize = 16;

/// The start of an attacker's entries in units of 256, by its code: for kings on the same half and on different halves.
static KINDS: [[u8; 16]; 2] = {
    let mut kinds = [[0; 16]; 2];
    let mut code = 0;
    while code < 16 {
        kinds[0][code] = (numbers::KINDS[code] as u8) << 4;
        kinds[1][code] = (7 + numbers::KINDS[code] as u8) << 4;
        code += 1;
    }
    kinds
};

/// The weights of the two bytes of a pair, `from + 64 * (from ^ to)`, and of two roles, `8 * a + v`.
pub(crate) const PLACE: i16 = 0x4001;
pub(crate) const ROLES: i16 = 0x0108;

/// The index of each pair ([`PLACES`]) for white, and in the high half for black: by kind of attacker, then by
/// `64 * (from ^ to) + from`. The first half of the table is for kings on the same half of the board: black sees pairs
/// flipped vertically. The second is for kings on different halves: black sees them mirrored too.
pub(crate) static PLACES_OF_SIDES: [u32; 2 * 7 * 4096] = {
    let mut sides = [0; 2 * 7 * 4096];
    let mut at = 0;
    while at < sides.len() {
        let (kind, from, to) = (at / 4096 % 7, at % 64, (at % 64) ^ (at / 64 % 64));
        let place = PLACES[4096 * kind + 64 * from + to];
        let mirrored = PLACES[4096 * kind + 64 * (from ^ 7) + (to ^ 7)];
        let (turn, of_black) = if at < 7 * 4096 { (56, mirrored) } else { (63, place) };
        sides[at] = if place == NO_PLACE {
            (MISSING as u32) << 16 | MISSING as u32
        } else {
            // A rotation by 180 degrees reverses the order of the pairs.
            let of_black = MOVES[kind % 6] - 1 - of_black;
            let lower = [from < to, from ^ turn < to ^ turn];
            let white = place | if lower[0] { LOWER } else { 0 };
            let black = of_black | if lower[1] { LOWER } else { 0 };
            (black as u32) << 16 | white as u32
        };
        at += 1;
    }
    sides
};

/// Bits of an entry: `from` is below `to`; no such pair exists. They are [`ONCE`] and [`NOTHING`] in the high byte.
pub(crate) const LOWER: u16 = 0x8000;
pub(crate) const MISSING: u16 = 0x4000;
const BITS: i16 = (LOWER | MISSING) as i16;
const _: () = assert!(LOWER == (ONCE as u16) << 8 && MISSING == (NOTHING as u16) << 8);

/// Broadcasts a number to all sixteen words.
#[inline(always)]
fn words(number: i16) -> __m256i {
    // SAFETY: only the dispatch calls this code, after it found AVX2.
    unsafe { _mm256_set1_epi16(number) }
}

/// Copies the bit `15 - LEFT` of each word to all bits of the word.
#[inline(always)]
fn has<const LEFT: i32>(numbers: __m256i) -> __m256i {
    // SAFETY: `numbers` proves AVX2.
    unsafe { _mm256_srai_epi16::<15>(_mm256_slli_epi16::<LEFT>(numbers)) }
}

/// Appends the inputs of both perspectives, sixteen pairs at a time. Only the first `count` pairs of `buffer` are used.
/// Only the dispatch calls this function, on processors with AVX2 and BMI2.
#[inline(always)]
pub(crate) fn inputs<N: Number>(
    codes: &[u8; 64],
    buffer: &[Threat; BUFFER],
    count: usize,
    tables: &Tables,
    out: &mut Output<'_, N>,
) {
    // 16 bits may not suffice for all inputs of a block, so the offset of enemy attackers is added in 32 bits.
    let is_wide = const { size_of::<N>() > 2 };
    let flips = out.flips;
    // The two perspectives always differ by a vertical flip, and by mirroring if only one of them is mirrored.
    let kinds = &KINDS[usize::from((flips[0] ^ flips[1]) & 7 != 0)];
    let mut counts = [0; 2];
    let [white, black] = out.next(BUFFER).map(|side| side.as_mut_ptr().cast::<N>());
    // Up to fifteen elements after the last pair may be read: a list has space for 32 more.
    debug_assert!(count + AT_ONCE <= BUFFER && (flips[0] ^ flips[1]) & 56 == 56);
    // SAFETY: only the dispatch calls this code, after it found AVX2. Squares are masked to be below 64 and kinds are
    // below 14, so all indices are in bounds. A list receives at most one input per pair. Stores exceed its end by up
    // to eight numbers, and it has space for 32 more.
    unsafe {
        let lanes = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let board = [load(codes, 0), load(codes, 1), load(codes, 2), load(codes, 3)];
        let map = &tables.map;
        let map = [load(map, 0), load(map, 1), load(map, 2), load(map, 3)];
        let by_role = &tables.by_role;
        let by_role = [load(by_role, 0), load(by_role, 1), load(by_role, 2)];
        let kinds = load(kinds, 0);
        let flip = _mm256_set1_epi8(flips[0] as i8);
        let half = words(if is_wide { 0 } else { tables.half as i16 });
        let first = words(if is_wide { 0 } else { tables.first as i16 });
        let mut done = 0;
        while done < count {
            let pairs = _mm256_loadu_si256(buffer.as_ptr().add(done).cast());
            let pairs = _mm256_and_si256(pairs, words(0x3f3f));
            let there = _mm256_cmpgt_epi16(words((count - done) as i16), lanes);
            // Attackers are in the low bytes, victims in the high bytes.
            let both = on_squares(board, pairs);

            let places = places(_mm256_xor_si256(pairs, flip), both, kinds);

            let (two, shared, enemies) = of_roles(both, map, by_role, first);
            let (attackers, victims) = (has::<12>(both), has::<4>(both));
            let is_enemy = _mm256_xor_si256(attackers, victims);
            let friends = _mm256_slli_epi16::<8>(two);
            let mark = _mm256_blendv_epi8(friends, _mm256_slli_epi16::<10>(two), is_enemy);

            let mut inputs = [shared; 2];
            let mut valid = [there; 2];
            let mut side = 0;
            while side < 2 {
                let (enemy_attackers, enemy_victims) = if side == 0 {
                    (_mm256_and_si256(attackers, half), _mm256_and_si256(victims, enemies))
                } else {
                    (_mm256_andnot_si256(attackers, half), _mm256_andnot_si256(victims, enemies))
                };
                let offset = _mm256_add_epi16(enemy_attackers, enemy_victims);
                let place = _mm256_andnot_si256(words(BITS), places[side]);
                inputs[side] = _mm256_add_epi16(_mm256_add_epi16(shared, offset), place);
                valid[side] = _mm256_and_si256(there, has_input(mark, places[side]));
                side += 1;
            }
            // The order is: white's low eight bits, black's low eight, white's high eight, black's high eight.
            let valid = _mm256_movemask_epi8(_mm256_packs_epi16(valid[0], valid[1])) as usize;
            let [low, high] = [valid & 0xffff, valid >> 16 & 0xffff];
            let out = white.add(counts[0]);
            let masks = [low & 0xff, high & 0xff];
            counts[0] += write::<N>(out, inputs[0], attackers, masks, tables);
            let out = black.add(counts[1]);
            let masks = [low >> 8, high >> 8];
            counts[1] +=
                write::<N>(out, inputs[1], _mm256_xor_si256(attackers, words(-1)), masks, tables);
            done += AT_ONCE;
        }
    }
    out.advance(counts);
}

/// The terms that the perspectives share: the entries of both roles in `map`, the sum of the terms that depend on roles
/// alone, and the offsets of enemy victims.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn of_roles(
    both: __m256i,
    map: [__m256i; 4],
    [base, moves, enemies]: [__m256i; 3],
    first: __m256i,
) -> (__m256i, __m256i, __m256i) {
    // SAFETY: the caller guarantees AVX2.
    unsafe {
        let twice = _mm256_broadcastsi128_si256(_mm_setr_epi8(
            0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14,
        ));
        let roles = _mm256_and_si256(both, words(0x0707));
        let two = on_squares(map, _mm256_maddubs_epi16(roles, words(ROLES)));
        let role = _mm256_or_si256(_mm256_shuffle_epi8(roles, twice), words(0x0800));
        let kind = _mm256_and_si256(two, words(0x0f));
        let kind = _mm256_mullo_epi16(kind, _mm256_shuffle_epi8(moves, role));
        let base = _mm256_add_epi16(_mm256_shuffle_epi8(base, role), first);
        (two, _mm256_add_epi16(base, kind), _mm256_shuffle_epi8(enemies, role))
    }
}

/// The entries of sixteen pairs for each perspective, given the squares as white's perspective sees them, the codes of the
/// attackers in the low bytes of `both`, and the kinds of the codes.
///
/// # Safety
/// The processor must have AVX2. Squares must be below 64.
#[inline(always)]
unsafe fn places(seen: __m256i, both: __m256i, kinds: __m256i) -> [__m256i; 2] {
    // SAFETY: the caller guarantees AVX2. Squares are below 64 and kinds below 14, so all indices are in bounds.
    unsafe {
        let attackers = _mm256_or_si256(_mm256_slli_epi16::<8>(both), words(0x0080));
        let differ = _mm256_xor_si256(seen, _mm256_slli_epi16::<8>(seen));
        let index = _mm256_or_si256(
            _mm256_maddubs_epi16(differ, words(PLACE)),
            _mm256_shuffle_epi8(kinds, attackers),
        );
        let mut indices = [0_u16; AT_ONCE];
        _mm256_storeu_si256(indices.as_mut_ptr().cast(), index);
        // Each load reads the entry for both perspectives: first for even pairs, then for odd pairs.
        let (even, odd) = (eight::<0>(&indices), eight::<1>(&indices));
        [
            _mm256_blend_epi16::<0xaa>(even, _mm256_slli_epi32::<16>(odd)),
            _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(even), odd),
        ]
    }
}

/// The words of pairs that have an input, given their marks by roles and their entries.
#[inline(always)]
fn has_input(mark: __m256i, places: __m256i) -> __m256i {
    // SAFETY: the vectors prove AVX2.
    unsafe {
        let either = _mm256_or_si256(mark, places);
        let dropped = _mm256_or_si256(
            _mm256_and_si256(mark, places),
            _mm256_and_si256(either, words(MISSING as i16)),
        );
        _mm256_cmpeq_epi16(_mm256_and_si256(dropped, words(BITS)), _mm256_setzero_si256())
    }
}

/// Writes those of sixteen inputs that two masks of eight bits select, and returns their number.
///
/// # Safety
/// The processor must have AVX2. `out` must have space for these numbers and eight more.
#[inline(always)]
unsafe fn write<N: Number>(
    mut out: *mut N,
    inputs: __m256i,
    enemy_attackers: __m256i,
    masks: [usize; 2],
    tables: &Tables,
) -> usize {
    let mut count = 0;
    // SAFETY: guaranteed by the caller; masks have eight bits.
    unsafe {
        let first = _mm256_set1_epi32(tables.first as i32);
        let mut half = 0;
        while half < 2 {
            let mask = masks[half];
            if size_of::<N>() > 2 {
                let enemies = _mm256_cvtepi16_epi32(part(enemy_attackers, half));
                let enemies = _mm256_and_si256(enemies, _mm256_set1_epi32(tables.half as i32));
                let inputs = _mm256_add_epi32(_mm256_cvtepu16_epi32(part(inputs, half)), first);
                let inputs = _mm256_add_epi32(inputs, enemies);
                let chosen = _mm_loadl_epi64(CHOSEN[mask].as_ptr().cast());
                let chosen = _mm256_cvtepu8_epi32(chosen);
                _mm256_storeu_si256(out.cast(), _mm256_permutevar8x32_epi32(inputs, chosen));
            } else {
                let shuffle = _mm_loadu_si128(COMPRESS[mask].as_ptr().cast());
                _mm_storeu_si128(out.cast(), _mm_shuffle_epi8(part(inputs, half), shuffle));
            }
            out = out.add(mask.count_ones() as usize);
            count += mask.count_ones() as usize;
            half += 1;
        }
    }
    count
}

/// The lower (0) or upper (1) half of sixteen words.
#[inline(always)]
fn part(words: __m256i, half: usize) -> __m128i {
    // SAFETY: `words` proves AVX2.
    unsafe {
        if half == 0 { _mm256_castsi256_si128(words) } else { _mm256_extracti128_si256::<1>(words) }
    }
}

/// Looks up the entries of the even pairs of sixteen, or of the odd pairs.
///
/// # Safety
/// The processor must have AVX2, and the indices must be below 57,344.
#[inline(always)]
unsafe fn eight<const ODD: usize>(indices: &[u16; AT_ONCE]) -> __m256i {
    let mut eight = [0; 8];
    let mut i = 0;
    while i < 8 {
        // SAFETY: guaranteed by the caller.
        let place = unsafe { *PLACES_OF_SIDES.get_unchecked(usize::from(indices[2 * i + ODD])) };
        eight[i] = place as i32;
        i += 1;
    }
    let [a, b, c, d, e, f, g, h] = eight;
    // SAFETY: guaranteed by the caller.
    unsafe { _mm256_setr_epi32(a, b, c, d, e, f, g, h) }
}
