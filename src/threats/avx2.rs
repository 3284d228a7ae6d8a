//! The pairs of one position with AVX2 and BMI2, and the inputs that they are.
//!
//! The idea is that of `portable.rs`: on each axis, numbered line by line, bits are popped, and the other
//! square of a pair is the highest piece below. What costs there is not the pairs but the ends of sixteen
//! short loops, which no processor foretells: a position has some 25 pairs, one or two of a kind. So
//!
//! - pairs are written three at a time (of pawns two), whether there are as many or not, and the next ones
//!   are written over what was too much: 8 axes and directions of 1.6 pairs on average, and no loop turns a
//!   second time as a rule;
//! - what a knight or a king attacks is one vector: its eight pairs stand in a table, `pext` of the occupied
//!   squares by its attacks is a byte that says which of them are there, and a shuffle brings these
//!   together (4 KB for the shuffles). So a leaper is some ten operations, and one loop does for all of them;
//! - the sets in the order of the axes are two transpositions for six boards, a board in each lane; the
//!   lanes of diagonals turn their ranks one way, those of antidiagonals the other.
//!
//! 3.6 times as fast as the loop over magics in one run, 4,096 positions; portable code is at 2.0. Alone, by rows:
//! 64 ns, where the portable code compiled with AVX2, BMI2 and LZCNT takes 150, and 84 with the loops changed
//! but without the table of leapers and the transposition in lanes. Two at a time take 66 ns and four 70. On
//! processors with a slow `pext` (Zen 1 and 2) nobody has measured.
//!
//! Inputs are made eight pairs at a time: who attacks whom, what the two pieces bring and the place of the pair are gathers,
//! and a permutation brings the inputs that there are together. Pairs and inputs of both sides take 0.78 of the time with
//! the formula of `portable.rs` (350 ns, 4,096 positions in columns, Zen 3).

use core::arch::x86_64::*;

use super::axes::{ENDS, SQUARES, STARTS};
use super::input_number::InputNumber;
use super::numbers::{self, NO_PLACE, NONE, Tables};
use super::pairs::{BUFFER, Sets, Threat};
use crate::bitboard::Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS};

/// How many pairs of an axis and a direction are written together, and how many of pawns.
const AT_ONCE: usize = 3;
const PAWNS_AT_ONCE: usize = 2;

/// What a knight attacks, and what a king attacks.
static ATTACKS: [[u64; 64]; 2] = [KNIGHT_ATTACKS, KING_ATTACKS];

/// The pairs of a knight and of a king on each square, by the square attacked.
static LEAPS: [[[Threat; 8]; 64]; 2] = {
    let mut leaps = [[[Threat(0); 8]; 64]; 2];
    let mut from = 0;
    while from < 128 {
        let (role, square) = (from / 64, from % 64);
        let (mut attacked, mut i) = (ATTACKS[role][square], 0);
        while attacked != 0 {
            leaps[role][square][i] = Threat::of(square as u8, attacked.trailing_zeros() as u8);
            attacked &= attacked - 1;
            i += 1;
        }
        from += 1;
    }
    leaps
};

/// The shuffle that brings the chosen ones of eight pairs together.
static TOGETHER: [[u8; 16]; 256] = {
    let mut shuffles = [[0; 16]; 256];
    let mut chosen = 0;
    while chosen < 256 {
        let (mut pair, mut to) = (0, 0);
        while pair < 8 {
            if chosen >> pair & 1 == 1 {
                shuffles[chosen][to] = 2 * pair as u8;
                shuffles[chosen][to + 1] = 2 * pair as u8 + 1;
                to += 2;
            }
            pair += 1;
        }
        chosen += 1;
    }
    shuffles
};

/// A list while it is written; what is written behind its end does not count.
struct Writer<'a> {
    buffer: &'a mut [Threat; BUFFER],
    len: usize,
}

impl Writer<'_> {
    /// Writes a pair some places behind the end.
    #[inline(always)]
    fn put(&mut self, behind: usize, from: u8, to: u8) {
        debug_assert!(self.len + behind < BUFFER);
        // SAFETY: `Sets` have no more than `MAX_THREATS` pairs, and no more than `AT_ONCE` are written too much; there
        // is room for 32 more.
        unsafe { *self.buffer.as_mut_ptr().add(self.len + behind) = Threat::of(from, to) };
    }
}

/// The pairs of one position. Only the dispatch names this function, where the processor has AVX2 and BMI2.
#[inline(always)]
pub(crate) fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    let mut list = Writer { buffer, len: 0 };
    let Sets { occupied, orthogonal, diagonal, pawns, knights, kings } = sets;
    let [files, diagonals, antidiagonals] = in_order(occupied, orthogonal, diagonal);
    axis::<0>(&mut list, [occupied, orthogonal]);
    axis::<1>(&mut list, files);
    axis::<2>(&mut list, diagonals);
    axis::<3>(&mut list, antidiagonals);
    captures(&mut list, NorthWest.step(pawns[0]) & occupied, -7);
    captures(&mut list, NorthEast.step(pawns[0]) & occupied, -9);
    captures(&mut list, SouthWest.step(pawns[1]) & occupied, 9);
    captures(&mut list, SouthEast.step(pawns[1]) & occupied, 7);
    leaps(&mut list, knights, kings, occupied);
    list.len
}

/// Occupied squares and sliders in the order of files, diagonals and antidiagonals.
#[inline(always)]
fn in_order(occupied: u64, orthogonal: u64, diagonal: u64) -> [[u64; 2]; 3] {
    let [occupied, orthogonal, diagonal] = [occupied, orthogonal, diagonal].map(|set| set as i64);
    // SAFETY: only the dispatch names this core, after it found AVX2.
    unsafe {
        let files = transpose(_mm256_set_epi64x(0, 0, orthogonal, occupied));
        let lines = _mm256_set_epi64x(diagonal, occupied, diagonal, occupied);
        let lines = turn::<1>(lines, 0x7f7f_7f7f_7f7f_7f7f, 0x0101_0101_0101_0101);
        let lines = turn::<2>(lines, 0x3f3f_3f3f_3f3f_3f3f, 0x0303_0303_0303_0303);
        let lines = turn::<4>(lines, 0x0f0f_0f0f_0f0f_0f0f, 0x0f0f_0f0f_0f0f_0f0f);
        let lines = transpose(lines);
        [
            both(_mm256_castsi256_si128(files)),
            both(_mm256_castsi256_si128(lines)),
            both(_mm256_extracti128_si256::<1>(lines)),
        ]
    }
}

/// The words of a vector.
#[inline(always)]
fn both(words: __m128i) -> [u64; 2] {
    // SAFETY: only the dispatch names this core, after it found AVX2.
    unsafe { [_mm_cvtsi128_si64(words) as u64, _mm_extract_epi64::<1>(words) as u64] }
}

/// The ranks whose number has the bit `BY` turned by as many files: in the lower two lanes towards the a-file,
/// in the upper ones towards the h-file. The masks are of the files that stay on the rank when it is moved
/// down, in either pair of lanes.
#[inline(always)]
fn turn<const BY: i64>(sets: __m256i, down: i64, up: i64) -> __m256i {
    const ODD: i64 = 0xff00_ff00_ff00_ff00_u64 as i64;
    const TWO: i64 = 0xffff_0000_ffff_0000_u64 as i64;
    const FOUR: i64 = 0xffff_ffff_0000_0000_u64 as i64;
    // SAFETY: `sets` proves AVX2.
    unsafe {
        let right = _mm256_set_epi64x(8 - BY, 8 - BY, BY, BY);
        let left = _mm256_set_epi64x(BY, BY, 8 - BY, 8 - BY);
        let stay = _mm256_set_epi64x(up, up, down, down);
        let right = _mm256_and_si256(_mm256_srlv_epi64(sets, right), stay);
        let left = _mm256_andnot_si256(stay, _mm256_sllv_epi64(sets, left));
        let turned = _mm256_or_si256(right, left);
        let ranks = _mm256_set1_epi64x(match BY {
            1 => ODD,
            2 => TWO,
            _ => FOUR,
        });
        _mm256_blendv_epi8(sets, turned, ranks)
    }
}

/// Files become ranks in every lane.
#[inline(always)]
fn transpose(sets: __m256i) -> __m256i {
    let sets = exchange::<7>(sets, 0x00aa_00aa_00aa_00aa);
    let sets = exchange::<14>(sets, 0x0000_cccc_0000_cccc);
    exchange::<28>(sets, 0x0000_0000_f0f0_f0f0)
}

/// Exchanges the bits of a mask with those some places above.
#[inline(always)]
fn exchange<const BY: i32>(sets: __m256i, mask: i64) -> __m256i {
    // SAFETY: `sets` proves AVX2.
    unsafe {
        let differ = _mm256_xor_si256(sets, _mm256_srli_epi64::<BY>(sets));
        let change = _mm256_and_si256(differ, _mm256_set1_epi64x(mask));
        let back = _mm256_slli_epi64::<BY>(change);
        _mm256_xor_si256(sets, _mm256_xor_si256(change, back))
    }
}

/// The pairs of an axis, upwards and then downwards; the sets are in its order. Which pieces are attacked, see
/// `portable.rs`.
#[inline(always)]
fn axis<const AXIS: usize>(list: &mut Writer<'_>, [occupied, sliders]: [u64; 2]) {
    let stops = occupied | ENDS[AXIS];
    let going_up = sliders & !ENDS[AXIS];
    let rays = stops ^ (stops & !going_up).wrapping_sub(going_up);
    let first = occupied & !stops.wrapping_sub(STARTS[AXIS]);
    towards::<AXIS, true>(list, occupied, rays & occupied);
    towards::<AXIS, false>(list, occupied, sliders & !first);
}

/// The pairs of the chosen pieces, each with the piece below it, which attacks it or is attacked.
#[inline(always)]
fn towards<const AXIS: usize, const UP: bool>(
    list: &mut Writer<'_>,
    occupied: u64,
    mut chosen: u64,
) {
    let count = chosen.count_ones() as usize;
    let mut done = 0;
    loop {
        let mut i = 0;
        while i < AT_ONCE {
            // If none is left, any square.
            let place = chosen.trailing_zeros() as usize & 63;
            let below = occupied & ((1 << place) - 1);
            let below = 63 ^ below.leading_zeros() as usize & 63;
            let [low, high] = [below, place].map(|place| SQUARES[AXIS][place]);
            let (from, to) = if UP { (low, high) } else { (high, low) };
            list.put(done + i, from, to);
            chosen &= chosen.wrapping_sub(1);
            i += 1;
        }
        done += AT_ONCE;
        if done >= count {
            break;
        }
    }
    list.len += count;
}

/// The pairs of pawns, by the squares that they attack.
#[inline(always)]
fn captures(list: &mut Writer<'_>, mut attacked: u64, back: i8) {
    let count = attacked.count_ones() as usize;
    let mut done = 0;
    loop {
        let mut i = 0;
        while i < PAWNS_AT_ONCE {
            let to = attacked.trailing_zeros() as u8;
            list.put(done + i, to.wrapping_add_signed(back), to);
            attacked &= attacked.wrapping_sub(1);
            i += 1;
        }
        done += PAWNS_AT_ONCE;
        if done >= count {
            break;
        }
    }
    list.len += count;
}

/// The pairs of knights, then those of kings.
#[inline(always)]
fn leaps(list: &mut Writer<'_>, mut knights: u64, mut kings: u64, occupied: u64) {
    while knights | kings != 0 {
        let role = usize::from(knights == 0);
        let from = if knights == 0 { kings } else { knights }.trailing_zeros() as usize;
        kings &= if knights == 0 { kings.wrapping_sub(1) } else { u64::MAX };
        knights &= knights.wrapping_sub(1);
        debug_assert!(list.len + 8 <= BUFFER);
        // SAFETY: only the dispatch names this core, after it found AVX2 and BMI2. A leaper attacks eight squares
        // at most, so there is a shuffle for what it hits; and `Sets` have no more than `MAX_THREATS` pairs, behind
        // which there is room for 32 more.
        unsafe {
            let hits = _pext_u64(occupied, ATTACKS[role][from]);
            let shuffle = _mm_loadu_si128(TOGETHER.as_ptr().add(hits as usize).cast());
            let pairs = _mm_loadu_si128(LEAPS[role][from].as_ptr().cast());
            let to = list.buffer.as_mut_ptr().add(list.len);
            _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(pairs, shuffle));
            list.len += hits.count_ones() as usize;
        }
    }
}

/// The places of the chosen ones of eight numbers, then any.
static CHOSEN: [[u8; 8]; 256] = {
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

/// The kind of attacker by its code, a byte each. Code 0 is of kind 0, so that bytes that are no code stay 0.
static KINDS: [u8; 16] = {
    let mut kinds = [0; 16];
    let mut code = 0;
    while code < 16 {
        kinds[code] = numbers::KINDS[code] as u8;
        code += 1;
    }
    assert!(kinds[0] == 0);
    kinds
};

/// A number in all eight places.
#[inline(always)]
fn all(number: i32) -> __m256i {
    // SAFETY: only the dispatch names this core, after it found AVX2.
    unsafe { _mm256_set1_epi32(number) }
}

/// What stands on eight squares, as codes.
#[inline(always)]
fn codes_on(codes: &[u8; 64], squares: __m256i) -> __m256i {
    // SAFETY: `squares` proves AVX2. Squares are below 64, so that the words read are among the 16 of the board.
    unsafe {
        let words = _mm256_srli_epi32::<2>(squares);
        let words = _mm256_i32gather_epi32::<4>(codes.as_ptr().cast(), words);
        let bytes = _mm256_slli_epi32::<3>(_mm256_and_si256(squares, all(3)));
        _mm256_and_si256(_mm256_srlv_epi32(words, bytes), all(15))
    }
}

/// The inputs of both perspectives, eight pairs at a time: the formula of `numbers.rs`, with gathers for its tables. What
/// stands behind the first `count` pairs is any pairs. Only the dispatch names this function, where the processor has
/// AVX2 and BMI2.
#[inline(always)]
pub(crate) fn inputs<N: InputNumber>(
    codes: &[u8; 64],
    buffer: &[Threat; BUFFER],
    count: usize,
    tables: &Tables,
    flips: [u8; 2],
    [white, black]: [&mut [N; BUFFER]; 2],
) -> [usize; 2] {
    let mut counts = [0; 2];
    // Seven pairs more than there are can be read: a list has space for 32 more.
    debug_assert!(count + 8 <= BUFFER);
    // SAFETY: only the dispatch names this core, after it found AVX2. Squares are below 64, codes below 16 and kinds below
    // 7, so all gathers stay in their tables, the last one with the padding of `PLACES`. A list gets no more inputs than
    // there are pairs, and has space for 32 more.
    unsafe {
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let kinds = _mm256_broadcastsi128_si256(_mm_loadu_si128(KINDS.as_ptr().cast()));
        let mut done = 0;
        while done < count {
            let pairs = _mm_loadu_si128(buffer.as_ptr().add(done).cast());
            let pairs = _mm256_cvtepu16_epi32(pairs);
            let from = _mm256_and_si256(pairs, all(63));
            let to = _mm256_and_si256(_mm256_srli_epi32::<8>(pairs), all(63));
            let there = _mm256_cmpgt_epi32(all((count - done) as i32), lanes);
            let codes =
                _mm256_or_si256(_mm256_slli_epi32::<4>(codes_on(codes, from)), codes_on(codes, to));
            let mut side = 0;
            while side < 2 {
                let flip = all(flips[side].into());
                let (from, to) = (_mm256_xor_si256(from, flip), _mm256_xor_si256(to, flip));
                let codes = _mm256_xor_si256(codes, all(0x88 * side as i32));
                let row = _mm256_slli_epi32::<1>(codes);
                let row = _mm256_sub_epi32(row, _mm256_cmpgt_epi32(to, from));
                let pieces = _mm256_i32gather_epi32::<4>(tables.pieces.as_ptr().cast(), row);
                let kind = _mm256_shuffle_epi8(kinds, _mm256_srli_epi32::<4>(codes));
                let place = _mm256_or_si256(_mm256_slli_epi32::<12>(kind), to);
                let place = _mm256_or_si256(place, _mm256_slli_epi32::<6>(from));
                let place = _mm256_i32gather_epi32::<2>(numbers::PLACES.0.as_ptr().cast(), place);
                let place = _mm256_and_si256(place, all(0xffff));
                let no_pieces = _mm256_cmpeq_epi32(pieces, all(NONE as i32));
                let no_place = _mm256_cmpeq_epi32(place, all(NO_PLACE.into()));
                let kept = _mm256_andnot_si256(_mm256_or_si256(no_pieces, no_place), there);
                let kept = _mm256_movemask_ps(_mm256_castsi256_ps(kept)) as usize & 0xff;
                let chosen = _mm_loadl_epi64(CHOSEN[kept].as_ptr().cast());
                let input = _mm256_add_epi32(pieces, place);
                let input = _mm256_permutevar8x32_epi32(input, _mm256_cvtepu8_epi32(chosen));
                let out = if side == 0 { &mut *white } else { &mut *black };
                let out = out.as_mut_ptr().add(counts[side]);
                if size_of::<N>() == 2 {
                    let high = _mm256_extracti128_si256::<1>(input);
                    let input = _mm_packus_epi32(_mm256_castsi256_si128(input), high);
                    _mm_storeu_si128(out.cast(), input);
                } else {
                    _mm256_storeu_si256(out.cast(), input);
                }
                counts[side] += kept.count_ones() as usize;
                side += 1;
            }
            done += 8;
        }
    }
    counts
}
