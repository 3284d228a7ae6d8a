//! The pairs of one position with AVX-512 BW, VBMI, VBMI2 and BITALG, and BMI2; and the inputs that they are.
//!
//! # Pairs
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
//! doubles each, and a subtraction makes the first of the two the pawn's. Knights and kings: eight pieces are
//! a vector of 64 squares that they may attack, tested by one `vpshufbitqmb` for a piece that stands there, after
//! a board of sixteen files has told which of them exist.
//!
//! All that is some 300 instructions without a branch that goes by the position, but for more than eight knights
//! and kings. Each list of pairs is written as a whole vector, and the next one over what it had too much.
//!
//! # Inputs
//!
//! For 32 pairs at a time: `vpermb` of a board of codes by the pairs' bytes says who attacks whom; what does
//! not depend on the side (the map of roles, what counts once) is done once for both. For a side the squares are
//! flipped by an exclusive or, `vpmaddubsw` makes `64 * from + to` of them, and a gather finds the place among
//! all pairs of that piece in a table of 57 KB; the rest of the formula is permutations of tables of sixteen.
//!
//! # Figures
//!
//! In one run with their rivals, 4,096 positions of play (25 pairs each) in columns, Zen 5: pairs 11 times as
//! fast as the loop over magics and twice as fast as a byteboard that is turned to each piece (27.6 ns, of which
//! 23 are the pairs and the rest columns that become rows). Both sides' inputs 9 times as fast as the loop made
//! for each side, and 5.8 times as fast as that loop made once for both (84 ns). One position by a kernel in
//! hand: pairs 4.8 times as fast as the loop; a list of 912 bytes on the stack is cleared first and handed
//! over, which takes as long as the pairs.
//!
//! What did not do: hits of the eight rays of the bulk kernel in place of `joined`: 4 ns for the rays and two
//! `vpshufbitqmb` an axis more. `vpcompressb` for `from` and for `to` in place of pairs that are made before they
//! are picked: two compressions a list in place of one. Columns made rows one at a time: 58 ns in place of 37
//! (sixteen at a time) and 28 (64), because a vector is read before its words have reached the cache. The inputs of a position right behind its
//! pairs: the same, so lists are made for a block of positions first.

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::axes::{ENDS, SQUARES, STARTS};
use super::extractor::Extractor;
use super::input_number::InputNumber;
use super::numbers::{self, ENEMIES_ONCE, FRIENDS_ONCE, NO_INPUT, Tables};
use super::pairs::{BUFFER, Sets, Threat, code_planes};
use super::pawn_pairs::{PawnList, PawnPairs};
use super::piece_square::PieceSquare;
use super::squares::SquareList;
use crate::bitboard::Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
use crate::pieces::Pieces;

/// Only the dispatch names this type, if the processor has AVX-512 with BMI2; and VBMI, VBMI2 and BITALG if `VBMI2` is
/// true. What this file has no code for is that of AVX2.
pub(crate) struct Avx512<const VBMI2: bool>;

impl<const VBMI2: bool> Extractor for Avx512<VBMI2> {
    #[inline(always)]
    fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
        if VBMI2 { pairs(sets, buffer) } else { Avx2::pairs(sets, buffer) }
    }

    const NEEDS_CODES: bool = !VBMI2;

    #[inline(always)]
    fn codes(pieces: &Pieces) -> [u8; 64] {
        Avx2::codes(pieces)
    }

    #[inline(always)]
    fn threats<N: InputNumber>(
        pieces: &Pieces,
        codes: &[u8; 64],
        pairs: &[Threat; BUFFER],
        count: usize,
        tables: &Tables,
        flips: [u8; 2],
        buffers: [&mut [N; BUFFER]; 2],
    ) -> [usize; 2] {
        if VBMI2 {
            inputs(pieces, pairs, count, tables, flips, buffers)
        } else {
            Avx2::threats(pieces, codes, pairs, count, tables, flips, buffers)
        }
    }

    #[inline(always)]
    fn list_pawns(block: &PawnPairs, pieces: &Pieces, flips: [u8; 2], list: &mut PawnList) {
        Avx2::list_pawns(block, pieces, flips, list);
    }

    #[inline(always)]
    fn pawn_pairs<N: InputNumber>(
        block: &PawnPairs,
        list: &PawnList,
        flips: [u8; 2],
        first: u32,
        lens: [usize; 2],
        buffers: [&mut [N]; 2],
    ) -> [usize; 2] {
        Avx2::pawn_pairs(block, list, flips, first, lens, buffers)
    }

    #[inline(always)]
    fn list_squares(squares: u64, list: &mut SquareList) {
        Avx2::list_squares(squares, list);
    }

    #[inline(always)]
    fn piece_square<N: InputNumber>(
        block: &PieceSquare,
        codes: &[u8; 64],
        list: &SquareList,
        firsts: [u32; 2],
        flips: [u8; 2],
        lens: [usize; 2],
        buffers: [&mut [N]; 2],
    ) -> [usize; 2] {
        Avx2::piece_square(block, codes, list, firsts, flips, lens, buffers)
    }
}

/// 64 bytes for a vector.
#[repr(align(64))]
struct Bytes([u8; 64]);

impl Bytes {
    #[inline(always)]
    fn load(&self) -> __m512i {
        // SAFETY: the bytes are 64 and aligned; only the dispatch's cores load, where AVX-512 was found.
        unsafe { _mm512_load_si512(self.0.as_ptr().cast()) }
    }
}

/// The squares of each axis.
static PLACES: [Bytes; 4] =
    [Bytes(SQUARES[0]), Bytes(SQUARES[1]), Bytes(SQUARES[2]), Bytes(SQUARES[3])];

/// Each number twice: of a list of bytes, what makes it a list of pairs.
const fn twice() -> [Bytes; 2] {
    let mut halves = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        halves[i / 64][i % 64] = i as u8 / 2;
        i += 1;
    }
    let [low, high] = halves;
    [Bytes(low), Bytes(high)]
}

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

/// A square and itself.
static ITSELF: [Bytes; 2] = twice();

/// The first byte of one list and the first of another, and so on; then for the other 32.
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

/// Eight times the first byte, eight times the second, and so on.
static EIGHT_EACH: Bytes = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = i as u8 / 8;
        i += 1;
    }
    Bytes(bytes)
};

/// The knight's leaps or the king's steps, the lowest first: the change of the square, and the change of its
/// number in a board of sixteen files, where what leaves the board has bit 3 or bit 7.
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

/// A list while it is written: whole vectors, the next one over what the last had too much.
struct Writer<'a> {
    buffer: &'a mut [Threat; BUFFER],
    len: usize,
}

impl Writer<'_> {
    /// Appends the first `count` of 32 pairs.
    #[inline(always)]
    fn put(&mut self, pairs: __m512i, count: u32) {
        debug_assert!(self.len + 32 <= BUFFER);
        // SAFETY: `Sets` have no more than `MAX_THREATS` pairs, and there is room for 32 more.
        unsafe { _mm512_storeu_si512(self.buffer.as_mut_ptr().add(self.len).cast(), pairs) };
        self.len += count as usize;
    }

    /// Appends those of 32 pairs that a mask has.
    #[inline(always)]
    fn compress(&mut self, pairs: __m512i, chosen: u32) {
        // SAFETY: `pairs` proves AVX-512; only the dispatch names this core, after it found VBMI2.
        let pairs = unsafe { _mm512_maskz_compress_epi16(chosen, pairs) };
        self.put(pairs, chosen.count_ones());
    }
}

/// The pairs of one position. Only the dispatch names this function, where the processor has AVX-512 F, BW,
/// VL, VBMI, VBMI2 and BITALG, and BMI2.
#[inline(always)]
pub(crate) fn pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    if sets.occupied.count_ones() <= 32 {
        some_pairs::<false>(sets, buffer)
    } else {
        some_pairs::<true>(sets, buffer)
    }
}

/// The same for boards with 32 pieces at most, or with more.
#[inline(always)]
fn some_pairs<const CROWDED: bool>(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    let mut list = Writer { buffer, len: 0 };
    let Sets { occupied, orthogonal, diagonal, pawns, knights, kings } = sets;
    axis::<0, CROWDED>(&mut list, occupied, orthogonal);
    axis::<1, CROWDED>(&mut list, occupied, orthogonal);
    axis::<2, CROWDED>(&mut list, occupied, diagonal);
    axis::<3, CROWDED>(&mut list, occupied, diagonal);
    captures::<CROWDED>(&mut list, NorthWest.step(pawns[0]) & occupied, -7);
    captures::<CROWDED>(&mut list, NorthEast.step(pawns[0]) & occupied, -9);
    captures::<CROWDED>(&mut list, SouthWest.step(pawns[1]) & occupied, 9);
    captures::<CROWDED>(&mut list, SouthEast.step(pawns[1]) & occupied, 7);
    leapers(&mut list, knights, kings, occupied);
    list.len
}

/// The squares of a set, in the order of an axis; the set is in that order too.
#[inline(always)]
fn squares<const AXIS: usize>(set: u64) -> __m512i {
    // SAFETY: only the dispatch names this core, after it found VBMI2.
    unsafe { _mm512_maskz_compress_epi8(set, PLACES[AXIS].load()) }
}

/// A set in the order of an axis.
#[inline(always)]
fn in_order<const AXIS: usize>(set: u64) -> u64 {
    if AXIS == 0 {
        return set;
    }
    // SAFETY: only the dispatch names this core, after it found BITALG.
    unsafe { _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(set as i64), PLACES[AXIS].load()) }
}

/// The bits of one set at the places of another, close together.
#[inline(always)]
fn close(set: u64, places: u64) -> u64 {
    // SAFETY: only the dispatch names this core, after it found BMI2.
    unsafe { _pext_u64(set, places) }
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
    neighbours(list, pieces, [&NEIGHBOURS[0], &NEIGHBOURS[1]], [upwards, downwards]);
    if CROWDED {
        let [upwards, downwards] = [upwards >> 32, downwards >> 32];
        neighbours(list, pieces, [&NEIGHBOURS[2], &NEIGHBOURS[3]], [upwards, downwards]);
    }
}

/// The pairs of 32 pieces with their neighbours above and below, as two sets say.
#[inline(always)]
fn neighbours(
    list: &mut Writer<'_>,
    pieces: __m512i,
    orders: [&Bytes; 2],
    [upwards, downwards]: [u64; 2],
) {
    // SAFETY: `pieces` proves AVX-512; only the dispatch names this core, after it found VBMI and BMI2.
    unsafe {
        let chosen = _pdep_u64(upwards, u64::MAX / 3) | _pdep_u64(downwards, u64::MAX / 3 * 2);
        let [low, high] = orders.map(|order| _mm512_permutexvar_epi8(order.load(), pieces));
        list.compress(low, chosen as u32);
        list.compress(high, (chosen >> 32) as u32);
    }
}

/// What pawns attack in one direction.
#[inline(always)]
fn captures<const CROWDED: bool>(list: &mut Writer<'_>, attacked: u64, back: i8) {
    let squares = squares::<0>(attacked);
    let count = attacked.count_ones();
    // SAFETY: `squares` proves AVX-512; only the dispatch names this core, after it found VBMI.
    unsafe {
        let back = _mm512_set1_epi16(i16::from(back) & 0xff);
        let low = _mm512_permutexvar_epi8(ITSELF[0].load(), squares);
        list.put(_mm512_add_epi8(low, back), count.min(32));
        if CROWDED && count > 32 {
            let high = _mm512_permutexvar_epi8(ITSELF[1].load(), squares);
            list.put(_mm512_add_epi8(high, back), count - 32);
        }
    }
}

/// What knights attack, then what kings attack: eight pieces at a time, each with its eight squares.
#[inline(always)]
fn leapers(list: &mut Writer<'_>, knights: u64, kings: u64, occupied: u64) {
    let count = knights.count_ones();
    let all = count + kings.count_ones();
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI, VBMI2 and BITALG, and BMI2.
    unsafe {
        // The kings' squares behind those of the knights.
        let behind = u64::MAX.unbounded_shl(count);
        let pieces = _mm512_mask_expand_epi8(squares::<0>(knights), behind, squares::<0>(kings));
        let boards = _mm512_set1_epi64(occupied as i64);
        let mut done = 0;
        while done < all {
            let order = _mm512_add_epi8(EIGHT_EACH.load(), _mm512_set1_epi8(done as i8));
            let from = _mm512_permutexvar_epi8(order, pieces);
            let kings = u64::MAX.unbounded_shl(8 * count.saturating_sub(done));
            let step = _mm512_mask_blend_epi8(kings, KNIGHT[0].load(), KING[0].load());
            let wide_step = _mm512_mask_blend_epi8(kings, KNIGHT[1].load(), KING[1].load());
            let to = _mm512_add_epi8(from, step);
            // Sixteen files: the square and its rank once more.
            let rank = _mm512_and_si512(from, _mm512_set1_epi8(0x38));
            let wide = _mm512_add_epi8(_mm512_add_epi8(from, rank), wide_step);
            let on_board = _mm512_testn_epi8_mask(wide, _mm512_set1_epi8(0x88_u8 as i8));
            let there = _bzhi_u64(u64::MAX, (8 * (all - done)).min(64));
            let hits = there & on_board & _mm512_bitshuffle_epi64_mask(boards, to);
            let from = _mm512_maskz_compress_epi8(hits, from);
            let to = _mm512_maskz_compress_epi8(hits, to);
            let hits = hits.count_ones();
            list.put(_mm512_permutex2var_epi8(from, ONE_EACH[0].load(), to), hits.min(32));
            if hits > 32 {
                list.put(_mm512_permutex2var_epi8(from, ONE_EACH[1].load(), to), hits - 32);
            }
            done += 8;
        }
    }
}

/// The weights of the two bytes of a pair: `64 * from + to`, `to - from`; and of two roles, `8 * a + v`.
const PLACE: i16 = 0x0140;
const DIFFERENCE: i16 = 0x01ff;
const ROLES: i16 = 0x0108;

/// Where an attacker's table begins in [`PLACES`](numbers::PLACES), by its code.
static KINDS: [u16; 32] = {
    let mut starts = [0; 32];
    let mut code = 0;
    while code < 16 {
        starts[code] = numbers::KINDS[code] << 12;
        code += 1;
    }
    starts
};

/// The low halves of 32 words of two vectors.
static LOW_HALVES: [u16; 32] = {
    let mut indices = [0; 32];
    let mut i = 0;
    while i < 32 {
        indices[i] = 2 * i as u16;
        i += 1;
    }
    indices
};

/// A table of 64 bytes.
#[inline(always)]
fn table<T>(table: &T) -> __m512i {
    const { assert!(size_of::<T>() == 64) };
    // SAFETY: the table has 64 bytes; only the dispatch names this core, after it found AVX-512.
    unsafe { _mm512_loadu_si512((&raw const *table).cast()) }
}

/// Which words have a bit.
#[inline(always)]
fn has(words: __m512i, bit: u8) -> u32 {
    // SAFETY: `words` proves AVX-512.
    unsafe { _mm512_test_epi16_mask(words, _mm512_set1_epi16(bit.into())) }
}

/// What sixteen attackers bring.
#[inline(always)]
fn base_of(base: __m512i, attackers: __m256i) -> __m512i {
    // SAFETY: `base` proves AVX-512.
    unsafe { _mm512_permutexvar_epi32(_mm512_cvtepu16_epi32(attackers), base) }
}

/// The inputs of both perspectives, 32 pairs at a time; `buffer` has any pairs behind the first `count`. Only
/// the dispatch names this function, where the processor has AVX-512 F, BW, VL, VBMI and VBMI2.
#[inline(always)]
pub(crate) fn inputs<N: InputNumber>(
    pieces: &Pieces,
    buffer: &[Threat; BUFFER],
    count: usize,
    tables: &Tables,
    flips: [u8; 2],
    [white, black]: [&mut [N; BUFFER]; 2],
) -> [usize; 2] {
    let [ones, twos, fours, blacks] = code_planes(pieces);
    let mut counts = [0; 2];
    // SAFETY: only the dispatch names this core, after it found AVX-512 with VBMI and VBMI2. Reads of pairs end
    // with the pairs. `PLACES` is read within its 7 * 4096 entries and the padding: kinds are below 7, and
    // squares below 64. Each list gets no more inputs than there are pairs, and has room for 32 more.
    unsafe {
        let codes = _mm512_maskz_set1_epi8(ones, 1);
        let codes = _mm512_mask_add_epi8(codes, twos, codes, _mm512_set1_epi8(2));
        let codes = _mm512_mask_add_epi8(codes, fours, codes, _mm512_set1_epi8(4));
        let codes = _mm512_mask_add_epi8(codes, blacks, codes, _mm512_set1_epi8(8));
        let mut done = 0;
        while done < count {
            let there = _bzhi_u32(u32::MAX, (count - done).min(32) as u32);
            let pairs = _mm512_maskz_loadu_epi16(there, buffer.as_ptr().add(done).cast());
            // Attackers in the low bytes, victims in the high ones.
            let both = _mm512_permutexvar_epi8(pairs, codes);
            let roles = _mm512_and_si512(both, _mm512_set1_epi8(7));
            let roles = _mm512_maddubs_epi16(roles, _mm512_set1_epi16(ROLES));
            let low_bytes = 0x5555_5555_5555_5555;
            let map = _mm512_maskz_permutexvar_epi8(low_bytes, roles, table(&tables.map));
            let kinds = _mm512_and_si512(map, _mm512_set1_epi16(0x0f));
            let moves = _mm512_permutexvar_epi16(both, table(&tables.moves));
            let kinds = _mm512_mullo_epi16(kinds, moves);
            let colours = _mm512_xor_si512(both, _mm512_srli_epi16::<8>(both));
            let enemies = _mm512_test_epi16_mask(colours, _mm512_set1_epi16(8));
            let once = (has(map, ENEMIES_ONCE) & enemies) | (has(map, FRIENDS_ONCE) & !enemies);
            let known = there & !has(map, NO_INPUT);
            let mut side = 0;
            while side < 2 {
                let (flip, swap) = (flips[side] as i8, 8 * side as i8);
                let pairs = _mm512_xor_si512(pairs, _mm512_set1_epi8(flip));
                let both = _mm512_xor_si512(both, _mm512_set1_epi8(swap));
                let place = _mm512_maddubs_epi16(pairs, _mm512_set1_epi16(PLACE));
                let place = _mm512_add_epi16(place, _mm512_permutexvar_epi16(both, table(&KINDS)));
                let low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(place));
                let high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(place));
                let places = numbers::PLACES.0.as_ptr().cast();
                let low = _mm512_i32gather_epi32::<2>(low, places);
                let high = _mm512_i32gather_epi32::<2>(high, places);
                let place = _mm512_permutex2var_epi16(low, table(&LOW_HALVES), high);
                let no_place = _mm512_cmpeq_epi16_mask(place, _mm512_set1_epi16(-1));
                let theirs = _mm512_test_epi16_mask(both, _mm512_set1_epi16(0x0800));
                let theirs = _mm512_maskz_permutexvar_epi16(theirs, both, table(&tables.enemies));
                let input = _mm512_add_epi16(_mm512_add_epi16(place, kinds), theirs);
                let difference = _mm512_maddubs_epi16(pairs, _mm512_set1_epi16(DIFFERENCE));
                let zero = _mm512_setzero_si512();
                let dropped = _mm512_mask_cmpgt_epi16_mask(once, difference, zero) | no_place;
                let kept = known & !dropped;
                let out = if side == 0 { &mut *white } else { &mut *black };
                let out = out.as_mut_ptr().add(counts[side]);
                if size_of::<N>() == 2 {
                    let base = _mm512_permutexvar_epi16(both, table(&tables.low_base));
                    let input = _mm512_add_epi16(input, base);
                    let kept_inputs = _mm512_maskz_compress_epi16(kept, input);
                    _mm512_storeu_si512(out.cast(), kept_inputs);
                } else {
                    let base = table(&tables.base);
                    let low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(input));
                    let low = _mm512_add_epi32(low, base_of(base, _mm512_castsi512_si256(both)));
                    let low_inputs = _mm512_maskz_compress_epi32(kept as u16, low);
                    _mm512_storeu_si512(out.cast(), low_inputs);
                    let high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(input));
                    let attackers = _mm512_extracti64x4_epi64::<1>(both);
                    let high = _mm512_add_epi32(high, base_of(base, attackers));
                    let high_inputs = _mm512_maskz_compress_epi32((kept >> 16) as u16, high);
                    let out = out.add((kept as u16).count_ones() as usize);
                    _mm512_storeu_si512(out.cast(), high_inputs);
                }
                counts[side] += kept.count_ones() as usize;
                side += 1;
            }
            done += 32;
        }
    }
    counts
}
