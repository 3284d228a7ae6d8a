//! The pairs of one position with AVX2 and BMI2.
//!
//! A slider attacks at most two pieces on a line: the next one above it and the next one below. `pext` extracts the
//! occupied squares among the other squares of the line as a 7-bit index. A table has both pairs for it, as 32 bits,
//! and their number. One table of 1,024 entries serves all lines of an axis, because the first square of the line is
//! added to all four bytes. So a slider takes a dozen instructions per axis, without branches on its victims:
//!
//! ```text
//! place   = lowest bit of the sliders, which are in the order of the axis      tzcnt, blsr
//! entry   = row by index on the line + pext(occupied, others on the line)      two tables by place
//! pairs   = HITS[entry] + first square of the line, in each byte               one store
//! length += the number of pairs, 0 to 2                                        one byte of a table
//! ```
//!
//! - One transposition puts the sliders of three boards, one in each lane, into the order of their axes. Before it, one
//!   lane rotates its ranks one way for diagonals, another lane the other way for antidiagonals.
//! - The loop runs once per slider. The count is known before the sliders are in order, so a mispredicted branch costs
//!   little. Files and antidiagonals have the same counts as ranks and diagonals.
//! - Pawns are processed three at a time in each direction, each by a load from a table of pairs and a store. The next
//!   stores overwrite any excess.
//! - The pairs of a knight or a king are one vector: a table has its eight possible pairs, `pext` of the occupied
//!   squares by its attacks is a byte that selects the existing pairs, and a shuffle compresses them (4 KB of
//!   shuffles). Two pieces are processed at a time; if only one is left, the other attacks nothing.
//!
//! `docs/notebook.md` has times.

use core::arch::x86_64::*;

use super::tables::COMPRESS;
use crate::axes::{SQUARES, rays};
use crate::pairs::{BUFFER, Sets, Threat, Writer};
use setwise::bitboard::Direction::{self, NorthEast, NorthWest, SouthEast, SouthWest};
use setwise::leaper::{KING_ATTACKS, KNIGHT_ATTACKS};

/// The number of pawns per step, in each direction.
const PAWNS_AT_ONCE: usize = 3;

/// The number of knights, or kings, per step.
const LEAPERS_AT_ONCE: usize = 2;

/// The attacks of a knight and of a king on each square. The last entry, for a missing piece, is empty.
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

/// The pairs of a knight and of a king on each square, sorted by the attacked square.
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

/// The lines of an axis, by the index of a slider's square on the axis.
struct Lines {
    /// The other squares of the line.
    others: [u64; 64],
    /// The start of the entries in [`HITS`] for the slider's index on the line.
    rows: [u64; 64],
    /// The first square of the line, in each byte.
    starts: [u32; 64],
}

static LINES: [Lines; 4] = {
    let mut lines = [const { Lines { others: [0; 64], rows: [0; 64], starts: [0; 64] } }; 4];
    let mut at = 0;
    while at < 4 * 64 {
        let (axis, place) = (at / 64, at % 64);
        let square = SQUARES[axis][place];
        let [above, below] = rays(axis, square);
        lines[axis].others[place] = above | below;
        lines[axis].rows[place] = (128 * below.count_ones()) as u64;
        lines[axis].starts[place] = 0x0101_0101 * (below | 1 << square).trailing_zeros();
        at += 1;
    }
    lines
};

/// The pairs of a slider on a line that starts at a1, by the slider's index on the line and the set of other occupied
/// squares.
struct Hits {
    /// The pair upwards in the low half, the pair downwards in the high half. A single pair is in the low half.
    pairs: [[u32; 8 * 128]; 4],
    /// The number of pairs.
    counts: [u8; 8 * 128],
}

static HITS: Hits = {
    let mut hits = Hits { pairs: [[0; 8 * 128]; 4], counts: [0; 8 * 128] };
    let mut at = 0;
    while at < 4 * 8 * 128 {
        let (axis, entry) = (at / 1024, at % 1024);
        let (place, others) = (entry / 128, entry as u32 % 128);
        let step = [1, 8, 9, 7][axis];
        let from = step * place as u32;
        // `others` omits the slider's own square.
        let (above, below) = (others >> place, others & ((1 << place) - 1));
        let (mut pairs, mut count) = (0, 0);
        if below != 0 {
            pairs = from | (step * below.ilog2()) << 8;
            count += 1;
        }
        if above != 0 {
            let to = from + step * (1 + above.trailing_zeros());
            pairs = pairs << 16 | to << 8 | from;
            count += 1;
        }
        hits.pairs[axis][entry] = pairs;
        hits.counts[entry] = count;
        at += 1;
    }
    hits
};

/// The directions in which pawns attack: white's, then black's.
const CAPTURING: [Direction; 4] = [NorthWest, NorthEast, SouthWest, SouthEast];

/// The pair of a pawn that attacks in a direction, by the attacked square.
static CAPTURES: [[Threat; 65]; 4] = {
    let mut captures = [[Threat(0); 65]; 4];
    let mut at = 0;
    while at < 4 * 64 {
        let (direction, to) = (at / 64, at % 64);
        let from = CAPTURING[direction].opposite().step(1 << to).trailing_zeros();
        captures[direction][to] = Threat::of(from as u8, to as u8);
        at += 1;
    }
    captures
};

/// Writes the pairs of one position and returns their number. Called only after the dispatch found AVX2 and BMI2.
#[inline(always)]
pub(crate) fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    let mut list = Writer { buffer, len: 0 };
    let Sets { occupied, orthogonal, diagonal, pawns, knights, kings, pawn_victims } = sets;
    let [files, diagonals, antidiagonals] = in_order(orthogonal, diagonal);
    let (rooks, bishops) = (orthogonal.count_ones(), diagonal.count_ones());
    axis::<0>(&mut list, occupied, orthogonal, rooks);
    axis::<1>(&mut list, occupied, files, rooks);
    axis::<2>(&mut list, occupied, diagonals, bishops);
    axis::<3>(&mut list, occupied, antidiagonals, bishops);
    captures::<0>(&mut list, CAPTURING[0].step(pawns[0]) & pawn_victims);
    captures::<1>(&mut list, CAPTURING[1].step(pawns[0]) & pawn_victims);
    captures::<2>(&mut list, CAPTURING[2].step(pawns[1]) & pawn_victims);
    captures::<3>(&mut list, CAPTURING[3].step(pawns[1]) & pawn_victims);
    leaps::<0>(&mut list, knights, occupied);
    leaps::<1>(&mut list, kings, occupied);
    list.len
}

/// Converts sliders to the order of files, diagonals and antidiagonals.
#[inline(always)]
fn in_order(orthogonal: u64, diagonal: u64) -> [u64; 3] {
    let [orthogonal, diagonal] = [orthogonal, diagonal].map(|set| set as i64);
    // SAFETY: only the dispatch calls this code, after it found AVX2.
    unsafe {
        let sets = _mm256_set_epi64x(diagonal, diagonal, 0, orthogonal);
        let sets = turn::<1>(sets, 0x7f7f_7f7f_7f7f_7f7f, 0x0101_0101_0101_0101);
        let sets = turn::<2>(sets, 0x3f3f_3f3f_3f3f_3f3f, 0x0303_0303_0303_0303);
        let sets = turn::<4>(sets, 0x0f0f_0f0f_0f0f_0f0f, 0x0f0f_0f0f_0f0f_0f0f);
        let sets = transpose(sets);
        let diagonals = _mm256_extracti128_si256::<1>(sets);
        [
            _mm_cvtsi128_si64(_mm256_castsi256_si128(sets)) as u64,
            _mm_cvtsi128_si64(diagonals) as u64,
            _mm_extract_epi64::<1>(diagonals) as u64,
        ]
    }
}

/// Rotates the ranks whose index has the bit `BY` by `BY` files: in the third lane towards the a-file, in the fourth
/// towards the h-file. The masks select the bits of a right shift that do not wrap around, for the third and the fourth
/// lane.
#[inline(always)]
fn turn<const BY: i64>(sets: __m256i, down: i64, up: i64) -> __m256i {
    const ODD: i64 = 0xff00_ff00_ff00_ff00_u64 as i64;
    const TWO: i64 = 0xffff_0000_ffff_0000_u64 as i64;
    const FOUR: i64 = 0xffff_ffff_0000_0000_u64 as i64;
    // SAFETY: `sets` proves AVX2.
    unsafe {
        let right = _mm256_set_epi64x(8 - BY, BY, 0, 0);
        let left = _mm256_set_epi64x(BY, 8 - BY, 0, 0);
        let unwrapped = _mm256_set_epi64x(up, down, -1, -1);
        let right = _mm256_and_si256(_mm256_srlv_epi64(sets, right), unwrapped);
        let left = _mm256_andnot_si256(unwrapped, _mm256_sllv_epi64(sets, left));
        let turned = _mm256_or_si256(right, left);
        let ranks = _mm256_set1_epi64x(match BY {
            1 => ODD,
            2 => TWO,
            _ => FOUR,
        });
        _mm256_blendv_epi8(sets, turned, ranks)
    }
}

/// Transposes every lane: files become ranks.
#[inline(always)]
fn transpose(sets: __m256i) -> __m256i {
    let sets = exchange::<7>(sets, 0x00aa_00aa_00aa_00aa);
    let sets = exchange::<14>(sets, 0x0000_cccc_0000_cccc);
    exchange::<28>(sets, 0x0000_0000_f0f0_f0f0)
}

/// Exchanges the bits of a mask with the bits `BY` higher.
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

/// Appends the pairs of an axis, slider by slider. The `count` sliders are in the order of the axis.
#[inline(always)]
fn axis<const AXIS: usize>(list: &mut Writer<'_>, occupied: u64, mut sliders: u64, count: u32) {
    debug_assert_eq!(sliders.count_ones(), count);
    let Lines { others, rows, starts } = &LINES[AXIS];
    for _ in 0..count {
        debug_assert!(list.len + 2 <= BUFFER);
        // SAFETY: only the dispatch calls this code, after it found BMI2. `sliders` is not empty here. A line has at
        // most 7 other squares, and there are 8 rows. `Sets` have at most `MAX_THREATS` pairs, and the buffer has space
        // for 32 more.
        unsafe {
            let place = sliders.trailing_zeros() as usize;
            let index = _pext_u64(occupied, *others.get_unchecked(place));
            let entry = (rows.get_unchecked(place) + index) as usize;
            let pairs = HITS.pairs[AXIS].get_unchecked(entry) + starts.get_unchecked(place);
            list.buffer.as_mut_ptr().add(list.len).cast::<u32>().write_unaligned(pairs);
            list.len += usize::from(*HITS.counts.get_unchecked(entry));
        }
        sliders &= sliders.wrapping_sub(1);
    }
}

/// Appends the pairs of pawns that attack in one direction, sorted by the attacked square.
#[inline(always)]
fn captures<const DIRECTION: usize>(list: &mut Writer<'_>, mut attacked: u64) {
    let count = attacked.count_ones() as usize;
    let mut done = 0;
    loop {
        let mut i = 0;
        while i < PAWNS_AT_ONCE {
            // If no pawn is left, `to` is 64 and the pair is not counted.
            let to = attacked.trailing_zeros() as usize;
            attacked &= attacked.wrapping_sub(1);
            // SAFETY: `to` is at most 64. `Sets` have at most `MAX_THREATS` pairs, at most `PAWNS_AT_ONCE` excess pairs
            // are written, and the buffer has space for 32 more.
            unsafe {
                let pair = *CAPTURES[DIRECTION].get_unchecked(to);
                *list.buffer.as_mut_ptr().add(list.len + done + i) = pair;
            }
            i += 1;
        }
        done += PAWNS_AT_ONCE;
        if done >= count {
            break;
        }
    }
    list.len += count;
}

/// Appends the pairs of knights or of kings, a few pieces at a time.
#[inline(always)]
fn leaps<const ROLE: usize>(list: &mut Writer<'_>, mut leapers: u64, occupied: u64) {
    loop {
        let mut i = 0;
        while i < LEAPERS_AT_ONCE {
            // If no leaper is left, `from` is 64, which attacks nothing.
            let from = leapers.trailing_zeros() as usize;
            leapers &= leapers.wrapping_sub(1);
            debug_assert!(list.len + 8 <= BUFFER);
            // SAFETY: only the dispatch calls this code, after it found AVX2 and BMI2. `from` is at most 64. A leaper
            // attacks at most eight squares, so `hits` is below 256. `Sets` have at most `MAX_THREATS` pairs, and the
            // buffer has space for 32 more.
            unsafe {
                let hits = _pext_u64(occupied, *ATTACKS[ROLE].get_unchecked(from));
                let shuffle = _mm_loadu_si128(COMPRESS.as_ptr().add(hits as usize).cast());
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
