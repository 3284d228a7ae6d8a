//! The pairs of one position with AVX-512 BW, VBMI, VBMI2 and BITALG, and BMI2.
//!
//! Number the squares of an axis line by line (`axes.rs`). Then a slider attacks the pieces next to it in that
//! order, if they are on its line. No rays are needed:
//!
//! ```text
//! occupied = bits of the board in the order of the axis       vpshufbitqmb with the table of squares
//! pieces   = table of squares, those occupied, close together vpcompressb: the pieces in order
//! joined   = bit i: pieces i - 1 and i are on one line        occupied and not its line's first, pext
//! sliders  = bit i: piece i slides along the axis             vpshufbitqmb, pext
//! pairs    = (i, i + 1) with sliders & joined >> 1, and       vpermb makes both pairs of each piece, vpcompressw picks
//!            (i, i - 1) with sliders & joined                 them by a mask that two pdep make
//! ```
//!
//! The first piece of each line is what a subtraction of the line's start clears, with the line's end as a
//! barrier: three operations for all lines. A list of 32 pieces is two vectors of pairs; crowded boards, which no
//! game has, take two more.
//!
//! Pawns: a shift and a mask for each of the four directions, `vpcompressb` lists the squares attacked, `vpermb`
//! doubles each, and a subtraction makes the first of the two the pawn's. Knights and kings are those of `avx2/pairs.rs`.
//!
//! Each list of pairs is written as a whole vector, and the next one over what it had too much; where there are no more
//! sliders and pawns than in a game, half a vector or a quarter is enough. On Zen 4 the number of instructions is what
//! counts, and stores of whole vectors, which take two to three cycles each.

use core::arch::x86_64::*;

use super::tables::{Bytes, ITSELF, close, in_order, squares};
use crate::avx2::pairs::{Writer, leaps};
use crate::axes::{ENDS, STARTS};
use crate::pairs::{BUFFER, Sets, Threat};
use setwise::bitboard::Direction::{NorthEast, NorthWest, SouthEast, SouthWest};

/// Of each piece of a list the pair with the next one and the pair with the one before: for sixteen pieces, and so on.
static NEIGHBOURS: [Bytes; 4] = {
    let mut quarters = [[0; 64]; 4];
    let mut i = 0;
    while i < 256 {
        // What the first and the last piece do not have is not chosen.
        quarters[i / 64][i % 64] = (i as u8 / 4).wrapping_add([0, 1, 0, 255][i % 4]) % 64;
        i += 1;
    }
    let [a, b, c, d] = quarters;
    [Bytes(a), Bytes(b), Bytes(c), Bytes(d)]
};

impl Writer<'_> {
    /// Appends the first `count` of 32 pairs.
    #[inline(always)]
    fn put(&mut self, pairs: __m512i, count: u32) {
        debug_assert!(self.len + 32 <= BUFFER);
        // SAFETY: `Sets` have no more than `MAX_THREATS` pairs, and there is room for 32 more.
        unsafe { _mm512_storeu_si512(self.buffer.as_mut_ptr().add(self.len).cast(), pairs) };
        self.len += count as usize;
    }

    /// Appends those of 32 pairs that a mask has; a half of the vector has space for all if the board is not crowded.
    #[inline(always)]
    fn compress<const CROWDED: bool>(&mut self, pairs: __m512i, chosen: u32) {
        debug_assert!(CROWDED || chosen.count_ones() <= 16);
        // SAFETY: `pairs` proves AVX-512; only the dispatch names this core, after it found VBMI2. There is space as in
        // `put`.
        unsafe {
            let pairs = _mm512_maskz_compress_epi16(chosen, pairs);
            if CROWDED {
                return self.put(pairs, chosen.count_ones());
            }
            let out = self.buffer.as_mut_ptr().add(self.len).cast();
            _mm256_storeu_si256(out, _mm512_castsi512_si256(pairs));
            self.len += chosen.count_ones() as usize;
        }
    }
}

/// The pairs of one position. Only the dispatch names this function, where the processor has AVX-512 F, BW,
/// VL, VBMI, VBMI2 and BITALG, and BMI2.
#[inline(always)]
pub(crate) fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    // Tests one by one, of which the compiler makes no vector.
    if sets.occupied.count_ones() <= 32
        && sets.orthogonal.count_ones() <= 8
        && sets.diagonal.count_ones() <= 8
        && sets.pawns[0].count_ones() <= 8
        && sets.pawns[1].count_ones() <= 8
    {
        some_pairs::<false>(sets, buffer)
    } else {
        some_pairs::<true>(sets, buffer)
    }
}

/// The same for boards with no more than 32 pieces, and 8 sliders of an axis and 8 pawns a side; or with more.
#[inline(always)]
fn some_pairs<const CROWDED: bool>(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    let mut list = Writer { buffer, len: 0 };
    let Sets { occupied, orthogonal, diagonal, pawns, knights, kings, of_pawns } = sets;
    axis::<0, CROWDED>(&mut list, occupied, orthogonal);
    axis::<1, CROWDED>(&mut list, occupied, orthogonal);
    axis::<2, CROWDED>(&mut list, occupied, diagonal);
    axis::<3, CROWDED>(&mut list, occupied, diagonal);
    captures::<CROWDED>(&mut list, NorthWest.step(pawns[0]) & of_pawns, -7);
    captures::<CROWDED>(&mut list, NorthEast.step(pawns[0]) & of_pawns, -9);
    captures::<CROWDED>(&mut list, SouthWest.step(pawns[1]) & of_pawns, 9);
    captures::<CROWDED>(&mut list, SouthEast.step(pawns[1]) & of_pawns, 7);
    leaps::<0, 4>(&mut list, knights, occupied);
    leaps::<1, 2>(&mut list, kings, occupied);
    list.len
}

/// What the sliders of an axis attack.
#[inline(always)]
fn axis<const AXIS: usize, const CROWDED: bool>(
    list: &mut Writer<'_>,
    occupied: u64,
    sliders: u64,
) {
    let (occupied, sliders) = (in_order::<AXIS>(occupied), in_order::<AXIS>(sliders));
    // The borrow of each line's start clears its first piece.
    let not_first = occupied & (occupied | ENDS[AXIS]).wrapping_sub(STARTS[AXIS]);
    // Bit `i`: the pieces `i - 1` and `i` of the list are on the same line.
    let joined = close(not_first, occupied);
    let sliders = close(sliders, occupied);
    let (upwards, downwards) = (sliders & joined >> 1, sliders & joined);
    let pieces = squares::<AXIS>(occupied);
    neighbours::<CROWDED>(list, pieces, [&NEIGHBOURS[0], &NEIGHBOURS[1]], [upwards, downwards]);
    if CROWDED {
        let [upwards, downwards] = [upwards >> 32, downwards >> 32];
        neighbours::<CROWDED>(list, pieces, [&NEIGHBOURS[2], &NEIGHBOURS[3]], [upwards, downwards]);
    }
}

/// The pairs of 32 pieces with their neighbours above and below, as two sets say.
#[inline(always)]
fn neighbours<const CROWDED: bool>(
    list: &mut Writer<'_>,
    pieces: __m512i,
    orders: [&Bytes; 2],
    [upwards, downwards]: [u64; 2],
) {
    // SAFETY: `pieces` proves AVX-512; only the dispatch names this core, after it found VBMI and BMI2.
    unsafe {
        let chosen = _pdep_u64(upwards, u64::MAX / 3) | _pdep_u64(downwards, u64::MAX / 3 * 2);
        list.compress::<CROWDED>(_mm512_permutexvar_epi8(orders[0].load(), pieces), chosen as u32);
        list.compress::<CROWDED>(
            _mm512_permutexvar_epi8(orders[1].load(), pieces),
            (chosen >> 32) as u32,
        );
    }
}

/// What pawns attack in one direction.
#[inline(always)]
fn captures<const CROWDED: bool>(list: &mut Writer<'_>, attacked: u64, back: i8) {
    let squares = squares::<0>(attacked);
    let count = attacked.count_ones();
    // SAFETY: `squares` proves AVX-512; only the dispatch names this core, after it found VBMI. There is space as in `put`.
    unsafe {
        if !CROWDED {
            debug_assert!(count <= 8);
            let squares = _mm512_castsi512_si128(squares);
            let back = _mm_set1_epi16(i16::from(back) & 0xff);
            let pairs = _mm_add_epi8(_mm_unpacklo_epi8(squares, squares), back);
            _mm_storeu_si128(list.buffer.as_mut_ptr().add(list.len).cast(), pairs);
            list.len += count as usize;
            return;
        }
        let back = _mm512_set1_epi16(i16::from(back) & 0xff);
        let low = _mm512_permutexvar_epi8(ITSELF[0].load(), squares);
        list.put(_mm512_add_epi8(low, back), count.min(32));
        if count > 32 {
            let high = _mm512_permutexvar_epi8(ITSELF[1].load(), squares);
            list.put(_mm512_add_epi8(high, back), count - 32);
        }
    }
}
