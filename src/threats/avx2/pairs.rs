//! The pairs of one position with AVX2 and BMI2.
//!
//! The idea is that of `portable.rs`: on each axis, numbered line by line, bits are popped, and the other square of a pair
//! is the highest piece below. A position has some 25 pairs, one or two of a kind, so sixteen short loops whose ends no
//! processor foretells cost more than the pairs. Therefore
//!
//! - three pairs are written at a time (on ranks four, of pawns two), whether there are as many or not, and the next ones
//!   are written over what was too much: 8 axes and directions of 1.6 pairs on average, and few loops turn a second time;
//! - a pair is two loads from tables of its axis and direction, one by the trailing zeros of the upper piece and one by the
//!   leading zeros of the lower one, so it takes seven instructions: two counts, two loads, the bits below, the next bit,
//!   and a store;
//! - what a knight or a king attacks is one vector: its eight pairs stand in a table, `pext` of the occupied squares by its
//!   attacks is a byte that says which of them are there, and a shuffle brings these together (4 KB for the shuffles).
//!   Four knights and two kings are looked up without a branch; one that is not there attacks nothing;
//! - the sets in the order of the axes are two transpositions for six boards, a board in each lane; the lanes of diagonals
//!   turn their ranks one way, those of antidiagonals the other.
//!
//! A position takes 640 instructions and 72 ns on Zen 3 with 3 GHz; with a loop for all leapers, and squares in place of
//! halves of pairs, 880 and 90. In one run with the loop over magics, 4,096 positions: 3.05 to 3.2 times as fast as that,
//! and 2.5 before. Two at a time on diagonals, four on files and three of pawns change less than the noise (1 %); six, five,
//! four and four on the axes and three of pawns lost (79 ns for the pairs alone). Lists of the pieces on each
//! axis, compressed by tables of bytes, make a pair four instructions, but take 48 for each of the four lists, more than
//! they save (counted, not measured). On processors with a slow `pext` (Zen 1 and 2) nobody has measured.

use core::arch::x86_64::*;

use super::tables::TOGETHER;
use crate::bitboard::Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
use crate::leaper::{KING_ATTACKS, KNIGHT_ATTACKS};
use crate::threats::axes::{ENDS, SQUARES, STARTS};
use crate::threats::pairs::{BUFFER, Sets, Threat};

/// How many pairs of an axis and a direction are written together, and how many of pawns.
const AT_ONCE: [usize; 4] = [4, 3, 3, 3];
const PAWNS_AT_ONCE: usize = 2;

/// How many knights are looked up together, and how many kings.
const LEAPERS_AT_ONCE: [usize; 2] = [4, 2];

/// What a knight attacks, and what a king attacks; nothing where there is no more of them.
static ATTACKS: [[u64; 65]; 2] = {
    let mut attacks = [[0; 65]; 2];
    let mut square = 0;
    while square < 64 {
        attacks[0][square] = KNIGHT_ATTACKS[square];
        attacks[1][square] = KING_ATTACKS[square];
        square += 1;
    }
    attacks
};

/// The pairs of a knight and of a king on each square, by the square attacked.
static LEAPS: [[[Threat; 8]; 65]; 2] = {
    let mut leaps = [[[Threat(0); 8]; 65]; 2];
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

/// The halves of the pairs of an axis and a direction: what the upper square brings, by its place, and what the lower one
/// brings, by the places above it. What is not there brings anything.
static HALVES: [[[[u16; 65]; 2]; 2]; 4] = {
    let mut halves = [[[[0; 65]; 2]; 2]; 4];
    let mut place = 0;
    while place < 4 * 64 {
        let (axis, place_on_axis) = (place / 64, place % 64);
        let square = SQUARES[axis][place_on_axis] as u16;
        let (downwards, upwards) = (0, 1);
        halves[axis][upwards][0][place_on_axis] = square << 8;
        halves[axis][upwards][1][63 - place_on_axis] = square;
        halves[axis][downwards][0][place_on_axis] = square;
        halves[axis][downwards][1][63 - place_on_axis] = square << 8;
        place += 1;
    }
    halves
};

/// A list while it is written; what is written behind its end does not count.
struct Writer<'a> {
    buffer: &'a mut [Threat; BUFFER],
    len: usize,
}

impl Writer<'_> {
    /// Writes a pair some places behind the end.
    #[inline(always)]
    fn put(&mut self, behind: usize, pair: u16) {
        debug_assert!(self.len + behind < BUFFER);
        // SAFETY: `Sets` have no more than `MAX_THREATS` pairs, and no more than `AT_ONCE` are written too much; there
        // is room for 32 more.
        unsafe { *self.buffer.as_mut_ptr().add(self.len + behind) = Threat(pair) };
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
    leaps::<0>(&mut list, knights, occupied);
    leaps::<1>(&mut list, kings, occupied);
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
        while i < AT_ONCE[AXIS] {
            // If none is left, a pair of anything.
            let place = chosen.trailing_zeros();
            // SAFETY: only the dispatch names this core, after it found BMI2. Both counts are 64 at most.
            unsafe {
                let above = _bzhi_u64(occupied, place).leading_zeros();
                let [high, low] = &HALVES[AXIS][UP as usize];
                let high = high.get_unchecked(place as usize);
                list.put(done + i, high | low.get_unchecked(above as usize));
            }
            chosen &= chosen.wrapping_sub(1);
            i += 1;
        }
        done += AT_ONCE[AXIS];
        if done >= count {
            break;
        }
    }
    list.len += count;
}

/// The pairs of pawns, by the squares that they attack.
#[inline(always)]
fn captures(list: &mut Writer<'_>, mut attacked: u64, back: i16) {
    let count = attacked.count_ones() as usize;
    let mut done = 0;
    loop {
        let mut i = 0;
        while i < PAWNS_AT_ONCE {
            let to = attacked.trailing_zeros() as u16;
            list.put(done + i, (0x101 * to).wrapping_add_signed(back));
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

/// The pairs of knights or of kings, some pieces at a time.
#[inline(always)]
fn leaps<const ROLE: usize>(list: &mut Writer<'_>, mut leapers: u64, occupied: u64) {
    loop {
        let mut i = 0;
        while i < LEAPERS_AT_ONCE[ROLE] {
            // If none is left, one that attacks nothing.
            let from = leapers.trailing_zeros() as usize;
            leapers &= leapers.wrapping_sub(1);
            debug_assert!(list.len + 8 <= BUFFER);
            // SAFETY: only the dispatch names this core, after it found AVX2 and BMI2. The count is 64 at most. A leaper
            // attacks eight squares at most, so there is a shuffle for what it hits; and `Sets` have no more than
            // `MAX_THREATS` pairs, behind which there is space for 32 more.
            unsafe {
                let hits = _pext_u64(occupied, *ATTACKS[ROLE].get_unchecked(from));
                let shuffle = _mm_loadu_si128(TOGETHER.as_ptr().add(hits as usize).cast());
                let pairs = _mm_loadu_si128(LEAPS[ROLE].as_ptr().add(from).cast());
                let to = list.buffer.as_mut_ptr().add(list.len);
                _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(pairs, shuffle));
                list.len += hits.count_ones() as usize;
            }
            i += 1;
        }
        if leapers == 0 {
            break;
        }
    }
}
