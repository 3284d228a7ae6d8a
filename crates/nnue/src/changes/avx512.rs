//! The changes with AVX-512 BW, VL, VBMI and VBMI2: eight directions and eight leaps in sixteen lanes.
//!
//! The codes of the board are one vector. A permutation turns it to a square, eight bytes a ray, and a comparison makes a
//! mask of the pieces. In each byte of the mask the lowest bit is the nearest one, or the highest where a ray has none;
//! `vpcompressb` brings the eight squares together, and the eight codes. Knights' leaps follow in eight more lanes.
//!
//! How a piece attacks from each lane is a table as in `avx2.rs`: of knights it has a bit that only the lanes of leaps
//! have, so pairs from a piece are one look-up, one test and one `vpcompressd`, whatever piece it is, and pairs to it too.
//!
//! Which lanes see squares that change too is a mask as well: the set turned to the square, of which only what is not
//! behind the nearest piece counts.
//!
//! It takes 32 ns a move on Zen 4, 1.14 times as fast as the code for AVX2.

use core::arch::x86_64::*;

use super::avx2::{self, NEXT, Pieces};
use super::records::ADDED;
use super::tables::{FAR, KNIGHT, KNIGHTS, NEAR, OFF_BOARD, PairFilter};
use super::write::{Board, List};
use crate::axes::DIRECTIONS;
use setwise::leaper::KNIGHT_ATTACKS;

/// The rays of a square in the order of the lanes, eight bytes each.
#[repr(C, align(64))]
struct Rays {
    /// The squares, the nearest first, [`NEXT`] with that one; then [`OFF_BOARD`].
    squares: [u8; 64],
    /// Which bytes have a square.
    on_board: u64,
}

static SEEN: [Rays; 64] = {
    let mut seen = [const { Rays { squares: [OFF_BOARD; 64], on_board: 0 } }; 64];
    let mut from = 0;
    while from < 64 {
        let mut lane = 0;
        while lane < 8 {
            let mut next = DIRECTIONS[lane].step(1 << from);
            let mut at = 8 * lane;
            while next != 0 {
                let beside = if at == 8 * lane { NEXT } else { 0 };
                seen[from].squares[at] = next.trailing_zeros() as u8 | beside;
                seen[from].on_board |= 1 << at;
                next = DIRECTIONS[lane].step(next);
                at += 1;
            }
            lane += 1;
        }
        from += 1;
    }
    seen
};

/// The lowest bit of each byte, and the highest.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// How pieces of each lane attack the middle, and how else those of rays do that stand next to it.
static WAYS: [[u32; 16]; 2] = {
    let mut ways = [[0; 16]; 2];
    let mut lane = 0;
    while lane < 8 {
        ways[0][lane] = FAR[lane] as u32;
        ways[0][lane + 8] = KNIGHT as u32;
        ways[1][lane] = (FAR[lane] | NEAR[lane]) as u32;
        lane += 1;
    }
    ways
};

/// A board with AVX-512: the 64 codes. Only the dispatch names it, where the processor has AVX-512 F, BW, VL, VBMI,
/// VBMI2 and BITALG, and AVX2 and BMI2.
pub(crate) struct Vbmi(__m512i);

/// What is around a square: in each lane a piece, first those of rays, then those of leaps.
pub(crate) struct Around {
    square: u32,
    codes: __m512i,
    /// The squares, and the codes 16 bits above.
    both: __m512i,
    /// How pieces of each lane attack the middle.
    ways: __m512i,
    /// The squares of its rays, which of these bytes are squares, and which it sees: those up to the nearest piece.
    rays: __m512i,
    on_board: __mmask64,
    seen: u64,
}

/// A number in every lane.
#[inline(always)]
fn splat(word: u32) -> __m512i {
    // SAFETY: only the dispatch names this core, where AVX-512 was found.
    unsafe { _mm512_set1_epi32(word.cast_signed()) }
}

/// A table of 16 bytes in all quarters.
#[inline(always)]
fn table(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: only the dispatch names this core, where AVX-512 was found; the table has 16 bytes.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

impl List<'_> {
    /// Appends those of sixteen records that a mask has.
    ///
    /// # Safety
    /// The processor has AVX-512 F; the buffer has space for them, and for eight more.
    #[inline(always)]
    unsafe fn compress<const MORE: bool>(&mut self, records: __m512i, chosen: u32) {
        let count = chosen.count_ones() as usize;
        debug_assert!(self.len + count.next_multiple_of(8) <= self.buffer.len());
        debug_assert!(MORE || count <= 8);
        // SAFETY: what the caller promises.
        unsafe {
            let records = _mm512_maskz_compress_epi32(chosen as u16, records);
            let to = self.buffer.as_mut_ptr().add(self.len);
            _mm256_storeu_si256(to.cast(), _mm512_castsi512_si256(records));
            // More than eight are rare, and there may be no space for sixteen.
            if MORE && count > 8 {
                _mm256_storeu_si256(to.add(8).cast(), _mm512_extracti64x4_epi64::<1>(records));
            }
        }
        self.len += count;
    }
}

impl Board for Vbmi {
    type Around = Around;

    #[inline(always)]
    fn load(codes: &[u8; 64]) -> Self {
        // SAFETY: the codes are 64 bytes; only the dispatch names this type, where AVX-512 was found.
        Self(unsafe { _mm512_loadu_si512(codes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn holding(&self, code: u8) -> u64 {
        // SAFETY: only the dispatch names this type, where AVX-512 BW was found.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(code.cast_signed())) }
    }

    #[inline(always)]
    fn put(&mut self, square: u8, code: u8) {
        // SAFETY: only the dispatch names this type, where AVX-512 BW was found.
        self.0 = unsafe { _mm512_mask_set1_epi8(self.0, 1 << (square & 63), code.cast_signed()) };
    }

    #[inline(always)]
    fn around(&self, square: u8, _occupied: u64) -> Around {
        let at = usize::from(square & 63);
        let Rays { squares, on_board } = &SEEN[at];
        // SAFETY: only the dispatch names this type, where AVX-512 BW, VL, VBMI and VBMI2 were found; a square has eight
        // leaps, and 64 squares on its rays, which are aligned.
        unsafe {
            let rays = _mm512_load_si512(squares.as_ptr().cast());
            let codes = _mm512_maskz_permutexvar_epi8(*on_board, rays, self.0);
            let pieces = _mm512_test_epi8_mask(codes, codes) | HIGH;
            let first = pieces & !(pieces - LOW);
            let seen = first | (first - LOW);
            let squares = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(first, rays));
            let codes = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(first, codes));
            let leaps = _mm_loadl_epi64(KNIGHTS[at].as_ptr().cast());
            // The upper half of these is looked up too, and then left out.
            let off_board = _mm_set1_epi8(OFF_BOARD.cast_signed());
            let there = u64::from(_mm_testn_epi8_mask(leaps, off_board));
            let leapers =
                _mm512_maskz_permutexvar_epi8(there, _mm512_castsi128_si512(leaps), self.0);
            let codes = _mm_unpacklo_epi64(codes, _mm512_castsi512_si128(leapers));
            let codes = _mm512_cvtepu8_epi32(codes);
            let squares = _mm512_cvtepu8_epi32(_mm_unpacklo_epi64(squares, leaps));
            let next = _mm512_test_epi32_mask(squares, splat(NEXT.into()));
            let [ways, near] = [&WAYS[0], &WAYS[1]];
            let ways = _mm512_loadu_si512(ways.as_ptr().cast());
            let ways = _mm512_mask_loadu_epi32(ways, next, near.as_ptr().cast());
            let squares = _mm512_and_si512(squares, splat(0x3f));
            let both = _mm512_or_si512(squares, _mm512_slli_epi32::<16>(codes));
            Around { square: square.into(), codes, both, ways, rays, on_board: *on_board, seen }
        }
    }

    #[inline(always)]
    fn lanes_to(around: &Around, square: u8, set: u64, _occupied: u64) -> u32 {
        if set == 0 {
            return 0;
        }
        // SAFETY: only the dispatch names this type, where AVX-512 BITALG and BMI2 were found.
        unsafe {
            let there = _mm512_set1_epi64(set.cast_signed());
            // No byte has its highest bit, so a byte that is not 0 gets it, and no other one changes.
            let seen = around.seen
                & _mm512_mask_bitshuffle_epi64_mask(around.on_board, there, around.rays);
            let rays = _pext_u64(seen + (HIGH - LOW), HIGH);
            // Leaps are in the order of the squares.
            let leaps = _pext_u64(set, KNIGHT_ATTACKS[usize::from(square & 63)]);
            (rays | leaps << 8) as u32
        }
    }

    #[inline(always)]
    fn ends(
        &Around { square, codes, both, ways, .. }: &Around,
        code: u8,
        filter: &PairFilter,
        added: bool,
        dropped: u32,
        list: &mut List<'_>,
    ) {
        let at = usize::from(code & 15);
        let sign = if added { ADDED } else { 0 };
        let code = u32::from(code);
        // SAFETY: only the dispatch names this type, where AVX-512 F and BW were found; `write` has taken a buffer that
        // has eight records more than there are pairs.
        unsafe {
            let attacked = _mm512_shuffle_epi8(table(&filter.from[at]), codes);
            let attacked = u32::from(_mm512_test_epi32_mask(attacked, ways)) & !dropped;
            let from = splat(square | code << 16 | sign);
            // A piece attacks along rays or by leaps.
            let pairs = _mm512_or_si512(_mm512_slli_epi32::<8>(both), from);
            list.compress::<false>(pairs, attacked);

            let attackers = _mm512_shuffle_epi8(table(&filter.to[at]), codes);
            let attackers = u32::from(_mm512_test_epi32_mask(attackers, ways)) & !dropped;
            let to = splat(square << 8 | code << 24 | sign);
            list.compress::<true>(_mm512_or_si512(both, to), attackers);
        }
    }

    #[inline(always)]
    fn across(
        Around { codes, both, .. }: &Around,
        filter: &PairFilter,
        added: bool,
        dropped: u32,
        list: &mut List<'_>,
    ) {
        // SAFETY: only the dispatch names this type, where AVX-512 and AVX2 were found; `write` has taken a buffer that
        // has eight records more than there are pairs.
        unsafe {
            let [codes, both] = [_mm512_castsi512_si256(*codes), _mm512_castsi512_si256(*both)];
            let (pairs, chosen) = avx2::across(&Pieces { codes, both }, filter, added);
            list.compress::<false>(_mm512_castsi256_si512(pairs), chosen & !dropped);
        }
    }
}
