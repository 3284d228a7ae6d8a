//! The pairs of one position with AVX-512 BW, VBMI, VBMI2 and BITALG, and BMI2.
//!
//! The squares of an axis are numbered line by line (`axes.rs`). A slider attacks the previous and the next piece in
//! this order if they are on its line. No rays are needed:
//!
//! ```text
//! occupied = bits of the board in the order of the axis       vpshufbitqmb with the table of squares
//! pieces   = table of squares, compressed to occupied ones    vpcompressb: the pieces in order
//! joined   = bit i: pieces i - 1 and i are on the same line   occupied and not the line's first piece, pext
//! sliders  = bit i: piece i slides along the axis             vpshufbitqmb, pext
//! pairs    = (i, i + 1) with sliders & joined >> 1, and       vpermb creates both pairs of each piece, vpcompressw
//!            (i, i - 1) with sliders & joined                 selects them by a mask from two pdep
//! ```
//!
//! Subtracting the start of each line clears the line's first piece; the end of the line stops the borrow. This takes
//! three operations for all lines. A list of 32 pieces yields two vectors of pairs; crowded boards, which do not occur
//! in games, need two more.
//!
//! Pawns: for each of the four directions, a shift and a mask compute the attacked squares, `vpcompressb` lists them,
//! `vpermb` doubles each, and a byte addition turns the first of the two into the pawn's square. Knights and kings: one
//! vector holds the 64 squares that eight pieces may attack. Arithmetic on a board of sixteen files excludes squares
//! off the board, and one `vpshufbitqmb` tests whether the squares are occupied.
//!
//! This takes some 330 instructions in total. The only branches test for rare cases, such as crowded boards and more
//! than eight knights and kings. Each list of pairs is stored as a whole vector; the next store overwrites the excess.
//! On boards that are not crowded, half or a quarter of a vector suffices.
//!
//! Knights and kings have the longest latency, so they are started first and written last. On Zen 4, the time depends
//! on the number of instructions and of stores of whole vectors, which take two to three cycles each.

use core::arch::x86_64::*;

use super::tables::{Bytes, ITSELF, extract, in_order, squares, twice};
use crate::axes::{ENDS, STARTS};
use crate::pairs::{BUFFER, Sets, Threat, Writer};
use setwise::bitboard::Direction::{NorthEast, NorthWest, SouthEast, SouthWest};

/// For each piece of a list, selects the pair with the next piece and the pair with the previous piece. Each table
/// serves sixteen pieces.
static NEIGHBOURS: [Bytes; 4] = {
    let mut quarters = [[0; 64]; 4];
    let mut i = 0;
    while i < 256 {
        // The missing neighbours of the first and the last piece are never selected.
        quarters[i / 64][i % 64] = (i as u8 / 4).wrapping_add([0, 1, 0, 255][i % 4]) % 64;
        i += 1;
    }
    let [a, b, c, d] = quarters;
    [Bytes(a), Bytes(b), Bytes(c), Bytes(d)]
};

/// Interleaves the bytes of two lists: the first 32 bytes, or the other 32.
static ONE_EACH: [Bytes; 2] = {
    let [mut low, mut high] = twice();
    let mut i = 1;
    while i < 64 {
        low.0[i] += 64;
        high.0[i] += 64;
        i += 2;
    }
    [low, high]
};

/// Repeats each of the first eight bytes eight times.
static EIGHT_EACH: Bytes = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = i as u8 / 8;
        i += 1;
    }
    Bytes(bytes)
};

/// A knight's leaps or a king's steps, the lowest first: as offsets of squares, and as offsets on a board of sixteen
/// files, on which squares off the board have bit 3 or bit 7 set.
const fn leaps(offsets: [(i8, i8); 8]) -> [Bytes; 2] {
    let [mut squares, mut wide] = [[0; 64]; 2];
    let mut i = 0;
    while i < 64 {
        let (files, ranks) = offsets[i % 8];
        squares[i] = (8 * ranks + files) as u8;
        wide[i] = (16 * ranks + files) as u8;
        i += 1;
    }
    [Bytes(squares), Bytes(wide)]
}

static KNIGHT: [Bytes; 2] =
    leaps([(-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2)]);
static KING: [Bytes; 2] =
    leaps([(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);

impl Writer<'_> {
    /// Appends the first `count` of 32 pairs.
    #[inline(always)]
    fn append(&mut self, pairs: __m512i, count: u32) {
        debug_assert!(self.len + 32 <= BUFFER);
        // SAFETY: `Sets` have at most `MAX_THREATS` pairs, and the buffer has space for 32 more.
        unsafe { _mm512_storeu_si512(self.buffer.as_mut_ptr().add(self.len).cast(), pairs) };
        self.len += count as usize;
    }

    /// Appends those of 32 pairs that a mask selects. They fit into half a vector if the board is not crowded.
    #[inline(always)]
    fn compress<const CROWDED: bool>(&mut self, pairs: __m512i, chosen: u32) {
        debug_assert!(CROWDED || chosen.count_ones() <= 16);
        // SAFETY: `pairs` proves AVX-512; only the dispatch calls this code, after it found VBMI2. The space suffices
        // for the same reason as in `append`.
        unsafe {
            let pairs = _mm512_maskz_compress_epi16(chosen, pairs);
            if CROWDED {
                return self.append(pairs, chosen.count_ones());
            }
            let out = self.buffer.as_mut_ptr().add(self.len).cast();
            _mm256_storeu_si256(out, _mm512_castsi512_si256(pairs));
            self.len += chosen.count_ones() as usize;
        }
    }
}

/// Writes the pairs of one position and returns their number. Only the dispatch calls this function, on processors with
/// AVX-512 F, BW, VL, VBMI, VBMI2 and BITALG, and BMI2.
#[inline(always)]
pub(crate) fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    // Separate tests, so that the compiler does not vectorize them.
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

/// [`pairs`] for boards with at most 32 pieces, 8 sliders per axis and 8 pawns per side, or for crowded boards.
#[inline(always)]
fn some_pairs<const CROWDED: bool>(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    let mut list = Writer { buffer, len: 0 };
    let Sets { occupied, orthogonal, diagonal, pawns, knights, kings, pawn_victims } = sets;
    // Started first and written last, because their latency is the longest.
    let leapers = Leapers::new(knights, kings, occupied);
    let leaps = leapers.eight(0);
    axis::<0, CROWDED>(&mut list, occupied, orthogonal);
    axis::<1, CROWDED>(&mut list, occupied, orthogonal);
    axis::<2, CROWDED>(&mut list, occupied, diagonal);
    axis::<3, CROWDED>(&mut list, occupied, diagonal);
    captures::<CROWDED>(&mut list, NorthWest.step(pawns[0]) & pawn_victims, -7);
    captures::<CROWDED>(&mut list, NorthEast.step(pawns[0]) & pawn_victims, -9);
    captures::<CROWDED>(&mut list, SouthWest.step(pawns[1]) & pawn_victims, 9);
    captures::<CROWDED>(&mut list, SouthEast.step(pawns[1]) & pawn_victims, 7);
    leaps.write(&mut list);
    let mut done = 8;
    while done < leapers.all {
        leapers.eight(done).write(&mut list);
        done += 8;
    }
    list.len
}

/// Appends the pairs of the sliders of an axis.
#[inline(always)]
fn axis<const AXIS: usize, const CROWDED: bool>(
    list: &mut Writer<'_>,
    occupied: u64,
    sliders: u64,
) {
    let (occupied, sliders) = (in_order::<AXIS>(occupied), in_order::<AXIS>(sliders));
    // The borrow from the line's start clears the first piece of each line.
    let not_first = occupied & (occupied | ENDS[AXIS]).wrapping_sub(STARTS[AXIS]);
    // Bit `i`: the pieces `i - 1` and `i` of the list are on the same line.
    let joined = extract(not_first, occupied);
    let sliders = extract(sliders, occupied);
    let (upwards, downwards) = (sliders & joined >> 1, sliders & joined);
    let pieces = squares::<AXIS>(occupied);
    neighbours::<CROWDED>(list, pieces, [&NEIGHBOURS[0], &NEIGHBOURS[1]], [upwards, downwards]);
    if CROWDED {
        let [upwards, downwards] = [upwards >> 32, downwards >> 32];
        neighbours::<CROWDED>(list, pieces, [&NEIGHBOURS[2], &NEIGHBOURS[3]], [upwards, downwards]);
    }
}

/// Appends the pairs of 32 pieces with their neighbours above and below, as selected by two sets.
#[inline(always)]
fn neighbours<const CROWDED: bool>(
    list: &mut Writer<'_>,
    pieces: __m512i,
    orders: [&Bytes; 2],
    [upwards, downwards]: [u64; 2],
) {
    // SAFETY: `pieces` proves AVX-512; only the dispatch calls this code, after it found VBMI and BMI2.
    unsafe {
        let chosen = _pdep_u64(upwards, u64::MAX / 3) | _pdep_u64(downwards, u64::MAX / 3 * 2);
        list.compress::<CROWDED>(_mm512_permutexvar_epi8(orders[0].load(), pieces), chosen as u32);
        list.compress::<CROWDED>(
            _mm512_permutexvar_epi8(orders[1].load(), pieces),
            (chosen >> 32) as u32,
        );
    }
}

/// Appends the pairs of pawns that attack in one direction.
#[inline(always)]
fn captures<const CROWDED: bool>(list: &mut Writer<'_>, attacked: u64, back: i8) {
    let squares = squares::<0>(attacked);
    let count = attacked.count_ones();
    // SAFETY: `squares` proves AVX-512; only the dispatch calls this code, after it found VBMI. The space suffices for
    // the same reason as in `append`.
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
        list.append(_mm512_add_epi8(low, back), count.min(32));
        if count > 32 {
            let high = _mm512_permutexvar_epi8(ITSELF[1].load(), squares);
            list.append(_mm512_add_epi8(high, back), count - 32);
        }
    }
}

/// Knights, then kings.
#[derive(Clone, Copy)]
struct Leapers {
    /// Their squares.
    squares: __m512i,
    /// The numbers of knights and of all leapers.
    knights: u32,
    all: u32,
    /// The occupied squares.
    occupied: u64,
}

/// The pairs of eight leapers.
struct Leaps {
    from: __m512i,
    to: __m512i,
    count: u32,
}

impl Leapers {
    #[inline(always)]
    fn new(knights: u64, kings: u64, occupied: u64) -> Self {
        let count = knights.count_ones();
        // SAFETY: only the dispatch calls this code, after it found VBMI2.
        let squares = unsafe {
            // The kings' squares follow those of the knights.
            let behind = u64::MAX.unbounded_shl(count);
            _mm512_mask_expand_epi8(squares::<0>(knights), behind, squares::<0>(kings))
        };
        Self { squares, knights: count, all: count + kings.count_ones(), occupied }
    }

    /// Computes the pairs of eight leapers, with eight possible victims each, after the first `done` leapers.
    #[inline(always)]
    fn eight(self, done: u32) -> Leaps {
        let Self { squares, knights, all, occupied } = self;
        // SAFETY: only the dispatch calls this code, after it found AVX-512 with VBMI, VBMI2 and BITALG, and BMI2.
        unsafe {
            let order = _mm512_add_epi8(EIGHT_EACH.load(), _mm512_set1_epi8(done as i8));
            let from = _mm512_permutexvar_epi8(order, squares);
            let kings = u64::MAX.unbounded_shl(8 * knights.saturating_sub(done));
            let step = _mm512_mask_blend_epi8(kings, KNIGHT[0].load(), KING[0].load());
            let wide_step = _mm512_mask_blend_epi8(kings, KNIGHT[1].load(), KING[1].load());
            let to = _mm512_add_epi8(from, step);
            // The square on a board of sixteen files: the rank bits are added once more.
            let rank = _mm512_and_si512(from, _mm512_set1_epi8(0x38));
            let wide = _mm512_add_epi8(_mm512_add_epi8(from, rank), wide_step);
            let on_board = _mm512_testn_epi8_mask(wide, _mm512_set1_epi8(0x88_u8 as i8));
            let there = _bzhi_u64(u64::MAX, (8 * (all - done)).min(64));
            let boards = _mm512_set1_epi64(occupied as i64);
            let hits = there & on_board & _mm512_bitshuffle_epi64_mask(boards, to);
            let from = _mm512_maskz_compress_epi8(hits, from);
            let to = _mm512_maskz_compress_epi8(hits, to);
            Leaps { from, to, count: hits.count_ones() }
        }
    }
}

impl Leaps {
    /// Appends the pairs.
    #[inline(always)]
    fn write(self, list: &mut Writer<'_>) {
        let Self { from, to, count } = self;
        // SAFETY: the vectors prove AVX-512; only the dispatch calls this code, after it found VBMI.
        unsafe {
            list.append(_mm512_permutex2var_epi8(from, ONE_EACH[0].load(), to), count.min(32));
            if count > 32 {
                list.append(_mm512_permutex2var_epi8(from, ONE_EACH[1].load(), to), count - 32);
            }
        }
    }
}
