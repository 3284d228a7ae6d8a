//! The changes with AVX-512 VBMI: eight rays and eight leaps in sixteen lanes.
//!
//! For each square, a table has one 64-bit lane per direction: the squares of the ray, the nearest in the highest byte, and
//! in the lowest byte the square of a leap. A permutation replaces squares by their codes. The leading zeros of a lane then
//! tell the distance of the nearest piece, and two shifts move its square and its code to the top:
//!
//! ```text
//! codes   = board[squares], 0 off the board                        2 operations for eight rays and eight leaps
//! steps   = leading zeros of (codes without the lowest byte) & 56  3
//! nearest = squares << steps, codes << steps                       2
//! ```
//!
//! On a ray without pieces the code is 0. Rays and leaps are then moved to lanes of 32 bits, which contain the square twice
//! and the code twice, so that a record is one selection of bits, whichever end the piece is. The tests and the order of the
//! records are those of `changes/avx2.rs`, but a knight needs no case of its own.
//!
//! All `unsafe` functions here require the instructions of `avx512-gfni`.

#![expect(unsafe_op_in_unsafe_fn, reason = "each needs the same: the instructions")]

use core::arch::x86_64::*;

use super::records::ADDED;
use super::tables::{FAR, KNIGHT, KNIGHTS, NEAR, OFF_BOARD};
use super::write::{Board, List};
use crate::axes::DIRECTIONS;

/// Mark squares in the table: all of them, and those adjacent to the middle.
const ON_BOARD: u8 = 0x80;
const NEXT: u8 = 0x40;

#[repr(align(64))]
struct Seen([[u8; 64]; 64]);

/// The squares seen from each square.
static SEEN: Seen = {
    let mut seen = [[0; 64]; 64];
    let mut at = 0;
    while at < 64 * 8 {
        let (from, lane) = (at / 8, at % 8);
        let leap = KNIGHTS[from][lane];
        seen[from][8 * lane] = if leap == OFF_BOARD { 0 } else { ON_BOARD | leap };
        let (mut next, mut byte, mut marks) = (1 << from, 8 * lane + 7, ON_BOARD | NEXT);
        while DIRECTIONS[lane].step(next) != 0 {
            next = DIRECTIONS[lane].step(next);
            seen[from][byte] = marks | next.trailing_zeros() as u8;
            (byte, marks) = (byte - 1, ON_BOARD);
        }
        at += 1;
    }
    Seen(seen)
};

/// For each lane, the ways in which its piece may attack the middle, at any distance and if it is adjacent, where the code
/// is.
const WAYS: [[u32; 16]; 2] = {
    let (mut ways, mut lane) = ([[(KNIGHT as u32) << 16; 16]; 2], 0);
    while lane < 8 {
        ways[0][lane] = (FAR[lane] as u32) << 16;
        ways[1][lane] = ((FAR[lane] | NEAR[lane]) as u32) << 16;
        lane += 1;
    }
    ways
};

/// For each lane, the byte with its square or code: the lowest of 64 bits for a ray, the next for a leap.
const PLACES: [u32; 16] = {
    let (mut places, mut lane) = ([0; 16], 0);
    while lane < 16 {
        places[lane] = 0x0101_0101 * (8 * (lane as u32 % 8) + lane as u32 / 8);
        lane += 1;
    }
    places
};

/// The bits of a record that describe the victim, and the attacker.
const VICTIM: i32 = 0x0f00_3f00;
const ATTACKER: i32 = 0x000f_003f;

/// A board with AVX-512 VBMI: the codes in one vector. Only the dispatch uses this type.
pub(crate) struct Bytes(__m512i);

/// The surroundings of a square.
pub(crate) struct Around {
    square: u8,
    /// The piece in each lane: its square in the lower two bytes, with marks, and its code in the others.
    pieces: __m512i,
    /// The ways in which it may attack the middle.
    ways: __m512i,
}

/// The bits of `a` in a mask, the other bits of `b`.
#[inline(always)]
unsafe fn choose(mask: i32, a: __m512i, b: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0xca>(_mm512_set1_epi32(mask), a, b)
}

#[inline(always)]
unsafe fn load(lanes: &[u32; 16]) -> __m512i {
    _mm512_loadu_si512(lanes.as_ptr().cast())
}

/// Moves the nearest byte of each ray and the bytes of leaps to sixteen lanes. Not a closure, because closures were not
/// inlined into the function that enables the instructions, and a move's inputs took 1.7 times as long.
#[inline(always)]
unsafe fn in_lanes(bytes: __m512i, steps: __m512i) -> __m512i {
    let both = _mm512_shldi_epi64::<8>(bytes, _mm512_sllv_epi64(bytes, steps));
    _mm512_permutexvar_epi8(load(&PLACES), both)
}

/// Looks up the codes of all lanes.
#[inline(always)]
unsafe fn look_up(table: &[u8; 16], pieces: __m512i) -> __m512i {
    let table = _mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()));
    _mm512_shuffle_epi8(table, pieces)
}

impl List<'_> {
    /// Appends the chosen of sixteen records, with the bits of `rest` outside `mask`. The buffer must have space for eight
    /// more records than are chosen.
    #[inline(always)]
    unsafe fn write_of(&mut self, records: __m512i, chosen: u16, mask: i32, rest: u32) {
        debug_assert!(self.len + chosen.count_ones() as usize + 8 <= self.buffer.len());
        let rest = _mm512_set1_epi32(rest.cast_signed());
        let records = choose(mask, _mm512_maskz_compress_epi32(chosen, records), rest);
        let to: *mut __m256i = self.buffer.as_mut_ptr().add(self.len).cast();
        _mm256_storeu_si256(to, _mm512_castsi512_si256(records));
        // A piece attacks eight at most, but sixteen may attack it.
        if mask == ATTACKER && chosen.count_ones() > 8 {
            _mm256_storeu_si256(to.add(1), _mm512_extracti64x4_epi64::<1>(records));
        }
        self.len += chosen.count_ones() as usize;
    }
}

impl Board for Bytes {
    type Around = Around;

    #[inline(always)]
    fn load(codes: &[u8; 64]) -> Self {
        // SAFETY: only the dispatch uses this type; there are 64 codes.
        unsafe { Self(_mm512_loadu_si512(codes.as_ptr().cast())) }
    }

    #[inline(always)]
    fn holding(&self, code: u8) -> u64 {
        // SAFETY: only the dispatch uses this type.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(code.cast_signed())) }
    }

    #[inline(always)]
    fn set(&mut self, square: u8, code: u8) {
        // SAFETY: only the dispatch uses this type.
        unsafe { self.0 = _mm512_mask_set1_epi8(self.0, 1 << square, code.cast_signed()) }
    }

    #[inline(always)]
    fn around(&self, square: u8, _occupied: u64) -> Around {
        // SAFETY: only the dispatch uses this type; all loads are 64 bytes.
        unsafe {
            let seen = &SEEN.0[usize::from(square & 63)];
            let squares = _mm512_load_si512(seen.as_ptr().cast());
            let on_board = _mm512_movepi8_mask(squares);
            let codes = _mm512_maskz_permutexvar_epi8(on_board, squares, self.0);
            let rays = _mm512_and_si512(codes, _mm512_set1_epi64(!0xff));
            let steps = _mm512_and_si512(_mm512_lzcnt_epi64(rays), _mm512_set1_epi64(56));
            let pieces = choose(0xffff, in_lanes(squares, steps), in_lanes(codes, steps));
            let is_next = _mm512_test_epi32_mask(pieces, _mm512_set1_epi32(NEXT.into()));
            let ways = _mm512_mask_mov_epi32(load(&WAYS[0]), is_next, load(&WAYS[1]));
            Around { square, pieces, ways }
        }
    }

    #[inline(always)]
    fn ends(around: &Around, code: u8, added: bool, dropped: u32, list: &mut List<'_>) {
        let &Around { square, pieces, ways } = around;
        let at = usize::from(code & 15);
        let sign = if added { ADDED } else { 0 };
        let here = 0x101 * u32::from(square) + 0x0101_0000 * u32::from(code) + sign;
        let kept = !dropped as u16;
        // SAFETY: only the dispatch uses this type; `write` requires a buffer with space for eight more records than there
        // are pairs.
        unsafe {
            let attacked = look_up(&list.filter.from[at], pieces);
            let victims = _mm512_mask_test_epi32_mask(kept, attacked, ways);
            list.write_of(pieces, victims, VICTIM, here);
            let attack = look_up(&list.filter.to[at], pieces);
            let attackers = _mm512_mask_test_epi32_mask(kept, attack, ways);
            list.write_of(pieces, attackers, ATTACKER, here);
        }
    }

    #[inline(always)]
    fn across(around: &Around, added: bool, dropped: u32, list: &mut List<'_>) {
        let sign = if added { ADDED } else { 0 };
        // SAFETY: as in `ends`; half of `across` is 32 bytes.
        unsafe {
            // Each attacker's victim is in the adjacent lane.
            let opposite = _mm512_shuffle_epi32::<0b10_11_00_01>(around.pieces);
            let pairs = choose(VICTIM, opposite, around.pieces);
            let pieces = _mm512_castsi512_si256(around.pieces);
            let [low, high] = &list.filter.across;
            let low = _mm256_shuffle_epi8(_mm256_loadu_si256(low.as_ptr().cast()), pieces);
            let high = _mm256_shuffle_epi8(_mm256_loadu_si256(high.as_ptr().cast()), pieces);
            // Rotates the bit of the victim to the lowest bit of the upper half.
            let upper = _mm256_set1_epi32(0xff << 24);
            let victims = _mm256_ternarylogic_epi32::<0xca>(upper, high, low);
            let code = _mm256_srli_epi32::<24>(_mm512_castsi512_si256(opposite));
            let bits = _mm256_rorv_epi32(victims, code);
            let lowest = _mm256_set1_epi32(1 << 16);
            let chosen = _mm256_mask_test_epi32_mask(!dropped as u8, bits, lowest);
            list.write_of(pairs, chosen.into(), VICTIM | ATTACKER, sign);
        }
    }
}
