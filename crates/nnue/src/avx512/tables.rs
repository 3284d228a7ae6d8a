//! Code shared by the AVX-512 files: tables in registers, codes of squares, squares in the order of an axis.

use core::arch::x86_64::*;

use crate::axes::SQUARES;
use crate::numbers::Tables;
use setwise::Pieces;

/// 64 bytes for a vector.
#[repr(align(64))]
pub(super) struct Bytes(pub(super) [u8; 64]);

impl Bytes {
    #[inline(always)]
    pub(super) fn load(&self) -> __m512i {
        // SAFETY: the array has 64 aligned bytes; only the dispatch calls this code, after it found AVX-512.
        unsafe { _mm512_load_si512(self.0.as_ptr().cast()) }
    }
}

/// The squares of each axis, in order.
static PLACES: [Bytes; 4] =
    [Bytes(SQUARES[0]), Bytes(SQUARES[1]), Bytes(SQUARES[2]), Bytes(SQUARES[3])];

/// Shuffles that repeat each byte of a list: one for the first 32 bytes, one for the others.
pub(super) const fn twice() -> [Bytes; 2] {
    let mut halves = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        halves[i / 64][i % 64] = i as u8 / 2;
        i += 1;
    }
    let [low, high] = halves;
    [Bytes(low), Bytes(high)]
}

/// Pairs each square of a list with itself.
pub(super) static ITSELF: [Bytes; 2] = twice();

/// Lists the squares of a set that is in the order of an axis.
#[inline(always)]
pub(super) fn squares<const AXIS: usize>(set: u64) -> __m512i {
    // SAFETY: only the dispatch calls this code, after it found VBMI2.
    unsafe { _mm512_maskz_compress_epi8(set, PLACES[AXIS].load()) }
}

/// Converts a set to the order of an axis.
#[inline(always)]
pub(super) fn in_order<const AXIS: usize>(set: u64) -> u64 {
    if AXIS == 0 {
        return set;
    }
    // SAFETY: only the dispatch calls this code, after it found BITALG.
    unsafe { _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(set as i64), PLACES[AXIS].load()) }
}

/// Extracts the bits of a set that are selected by a mask (`pext`).
#[inline(always)]
pub(super) fn extract(set: u64, places: u64) -> u64 {
    // SAFETY: only the dispatch calls this code, after it found BMI2.
    unsafe { _pext_u64(set, places) }
}

/// Loads a table of 64 bytes.
#[inline(always)]
pub(super) fn table<T>(table: &T) -> __m512i {
    const { assert!(size_of::<T>() == 64) };
    // SAFETY: the table has 64 bytes; only the dispatch calls this code, after it found AVX-512.
    unsafe { _mm512_loadu_si512((&raw const *table).cast()) }
}

/// Broadcasts a number to all 32 words.
#[inline(always)]
pub(super) fn words(number: i16) -> __m512i {
    // SAFETY: only the dispatch calls this code, after it found AVX-512.
    unsafe { _mm512_set1_epi16(number) }
}

/// Transposes the bytes of eight words: the first ranks of eight sets, then the second ranks, and so on.
static RANKS: Bytes = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = (i % 8 * 8 + i / 8) as u8;
        i += 1;
    }
    Bytes(bytes)
};

/// For each bit of a code, from the highest: the sets of the pieces whose codes have this bit. Bit 7 is the first set.
const CODES: [u8; 8] = {
    let [pawns, knights, bishops, rooks, queens, kings, black] =
        [0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x01];
    let [fours, twos] = [rooks | queens | kings, knights | bishops | kings];
    [0, 0, 0, 0, black, fours, twos, pawns | bishops | queens]
};

/// Computes the code of each square by two products of matrices of 8 x 8 bits. The first converts the eight sets of a
/// rank to squares with one bit per set; the second converts these bits to codes. No square may hold two pieces.
#[inline(always)]
pub(super) fn codes_of(pieces: &Pieces) -> __m512i {
    const { assert!(size_of::<Pieces>() == 64) };
    // SAFETY: only the dispatch calls this code, after it found AVX-512 with VBMI and GFNI; `Pieces` are eight words.
    unsafe {
        let sets = _mm512_loadu_si512((&raw const *pieces).cast());
        let ranks = _mm512_permutexvar_epi8(RANKS.load(), sets);
        let diagonal = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        let squares = _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, ranks);
        let to_codes = _mm512_set1_epi64(i64::from_le_bytes(CODES));
        _mm512_gf2p8affine_epi64_epi8::<0>(squares, to_codes)
    }
}

/// Adds the offset of enemy attackers to 32 inputs, and writes those that a mask selects.
///
/// # Safety
/// The processor must have AVX-512 BW with VBMI2. `out` must have space for these numbers and 32 more.
#[inline(always)]
pub(super) unsafe fn store<N>(
    out: *mut N,
    inputs: __m512i,
    valid: u32,
    enemies: u32,
    tables: &Tables,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        // 16 bits suffice for all inputs of the block, or of the network.
        if size_of::<N>() == 2 || tables.half <= 1 << 15 {
            let half = words(tables.half as i16);
            let inputs = _mm512_mask_add_epi16(inputs, enemies, inputs, half);
            let inputs = _mm512_maskz_compress_epi16(valid, inputs);
            if size_of::<N>() == 2 {
                let first = words(tables.first as i16);
                _mm512_storeu_si512(out.cast(), _mm512_add_epi16(inputs, first));
                return;
            }
            let first = _mm512_set1_epi32(tables.first as i32);
            let low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(inputs));
            _mm512_storeu_si512(out.cast(), _mm512_add_epi32(low, first));
            let high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(inputs));
            _mm512_storeu_si512(out.add(16).cast(), _mm512_add_epi32(high, first));
            return;
        }
        let low = _mm512_castsi512_si256(inputs);
        store_wide(out, low, valid as u16, enemies as u16, tables);
        let high = _mm512_extracti64x4_epi64::<1>(inputs);
        let out = out.add((valid as u16).count_ones() as usize);
        store_wide(out, high, (valid >> 16) as u16, (enemies >> 16) as u16, tables);
    }
}

/// [`store`] for sixteen inputs in 32-bit arithmetic.
///
/// # Safety
/// Like [`store`].
#[inline(always)]
unsafe fn store_wide<N>(out: *mut N, inputs: __m256i, valid: u16, enemies: u16, tables: &Tables) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let first = _mm512_set1_epi32(tables.first as i32);
        let inputs = _mm512_add_epi32(_mm512_cvtepu16_epi32(inputs), first);
        let half = _mm512_set1_epi32(tables.half as i32);
        let inputs = _mm512_mask_add_epi32(inputs, enemies, inputs, half);
        _mm512_storeu_si512(out.cast(), _mm512_maskz_compress_epi32(valid, inputs));
    }
}

/// Writes the indices of the bits of a set to the start of a list. The rest of the list is unspecified.
#[inline(always)]
pub(crate) fn list<const N: usize>(set: u64, list: &mut [u8; N]) {
    const { assert!(N >= 64) };
    // SAFETY: only the dispatch calls this code, after it found AVX-512; the list has space for 64 indices.
    unsafe { _mm512_storeu_si512(list.as_mut_ptr().cast(), squares::<0>(set)) };
}
