//! The changes with AVX2 and BMI2: eight directions in eight lanes.
//!
//! # The nearest pieces
//!
//! For each square, a table has the squares of its eight rays: eight bytes per ray, the nearest square first; the last
//! byte is off the board. One shuffle of the bytes of the occupied squares, an `and` and a comparison set the byte of
//! each square that stops a ray to ones. In each 64-bit lane, the lowest of these bytes is the nearest piece. `x & -x`
//! isolates its lowest bit, which is widened to the whole byte. `vpsadbw` sums the bytes of the table under this mask,
//! of which only one can be nonzero:
//!
//! ```text
//! stops   = (occupied[square / 8] & 1 << square % 8) == 1 << square % 8     3 operations for four rays
//! lowest  = stops & -stops                                                  2
//! nearest = sum of bytes (squares & (lowest << 8) - lowest)                 4
//! ```
//!
//! One shuffle joins two vectors of four rays into eight lanes of 32 bits. A ray without a piece stops off the board,
//! and the highest bit of its square is set. The lookup of codes, four `vpshufb` of sixteen squares each and three
//! blends, then returns 0, as for an empty square. The next bit is set if the square is adjacent to the middle.
//!
//! # The pairs
//!
//! A table indexed by code has one bit per way of attacking. A constant has the bits of the ways in which a piece in
//! each lane attacks the middle; a second constant is for pieces adjacent to the middle. Pairs without inputs in a
//! feature set are 0 in the table, so a filter costs nothing. For sliders that attack across the middle, a table
//! indexed by attacker has one bit per victim, and `vpsllvd` moves the victim's bit to the sign. One half of the vector
//! holds ranks and files, the other diagonals, so `vpshufb` uses a separate table for each.
//!
//! A record is an `or` of two or three vectors. `vpermd` compresses eight records. The vector is stored whole, and the
//! next store overwrites the excess. No loop runs over pairs, and no branch depends on them. `docs/notebook.md` has the
//! speeds.
//!
//! All `unsafe` functions here require AVX2.

#![expect(unsafe_op_in_unsafe_fn, reason = "each needs the same: the instructions")]

use core::arch::asm;
use core::arch::x86_64::*;

use super::records::ADDED;
use super::tables::{FAR, KNIGHT, KNIGHTS, NEAR, OFF_BOARD};
use super::write::{Board, List};
use crate::avx2::tables::{CHOSEN, load, on_squares};
use crate::axes::DIRECTIONS;

/// Marks a square adjacent to the middle.
const NEXT: u8 = 0x40;

/// The order of the rays in the table. The shuffle that joins them restores the order of the lanes.
const RAYS: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];

/// The rays of a square, eight bytes each.
#[repr(C, align(64))]
struct Rays {
    /// The squares, the first with [`NEXT`] set, or [`OFF_BOARD`].
    squares: [u8; 64],
    /// The index of the byte of a board that contains the square, and the bit in it; or [`OFF_BOARD`] and no bit.
    bytes: [u8; 64],
    bits: [u8; 64],
}

static SEEN: [Rays; 64] = {
    let mut seen =
        [const { Rays { squares: [OFF_BOARD; 64], bytes: [OFF_BOARD; 64], bits: [0; 64] } }; 64];
    let mut from = 0;
    while from < 64 {
        let mut ray = 0;
        while ray < 8 {
            let direction = DIRECTIONS[RAYS[ray]];
            let (mut next, mut at) = (direction.step(1 << from), 8 * ray);
            while next != 0 {
                let square = next.trailing_zeros() as u8;
                seen[from].squares[at] = square | if at == 8 * ray { NEXT } else { 0 };
                seen[from].bytes[at] = square / 8;
                seen[from].bits[at] = 1 << (square % 8);
                next = direction.step(next);
                at += 1;
            }
            ray += 1;
        }
        from += 1;
    }
    seen
};

/// A board with AVX2: the codes in four vectors, each with the same sixteen codes in both halves. Only the dispatch
/// uses this type, on processors with AVX2 and BMI2.
pub(crate) struct Lanes([__m256i; 4]);

/// The surroundings of a square.
pub(crate) struct Around {
    square: u32,
    rays: Pieces,
    leaps: Pieces,
    /// The ways in which the piece of each lane may attack the middle along a ray.
    ways: __m256i,
}

/// One piece per lane.
#[derive(Clone, Copy)]
struct Pieces {
    codes: __m256i,
    /// The square, and the code 16 bits above.
    both: __m256i,
}

/// The highest bit of every byte of a lane except the lowest: lookups return 0 for these bytes.
const ONLY_LOWEST: i32 = 0x8080_8000_u32.cast_signed();

/// Zero-extends eight bytes to eight lanes.
#[inline(always)]
unsafe fn eight(bytes: &[u8; 8]) -> __m256i {
    // SAFETY: the caller guarantees the instructions; the array has eight bytes.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes.as_ptr().cast())) }
}

/// Broadcasts a number to every lane.
#[inline(always)]
unsafe fn splat(word: u32) -> __m256i {
    _mm256_set1_epi32(word.cast_signed())
}

impl Pieces {
    /// The pieces on eight squares.
    #[inline(always)]
    unsafe fn on(board: [__m256i; 4], squares: __m256i) -> Self {
        let squares = _mm256_or_si256(squares, _mm256_set1_epi32(ONLY_LOWEST));
        let codes = on_squares(board, squares);
        let squares = _mm256_and_si256(squares, _mm256_set1_epi32(0x3f));
        Self { codes, both: _mm256_or_si256(squares, _mm256_slli_epi32::<16>(codes)) }
    }
}

/// The squares of the nearest pieces of four rays, starting with the ray `first`, in four lanes.
#[inline(always)]
unsafe fn nearest(rays: &Rays, first: usize, occupied: __m256i) -> __m256i {
    let load = |bytes: &[u8; 64]| _mm256_load_si256(bytes.as_ptr().add(8 * first).cast());
    let bits = load(&rays.bits);
    let held = _mm256_and_si256(_mm256_shuffle_epi8(occupied, load(&rays.bytes)), bits);
    let stops = _mm256_cmpeq_epi8(held, bits);
    let zero = _mm256_setzero_si256();
    let lowest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let byte = _mm256_sub_epi64(_mm256_slli_epi64::<8>(lowest), lowest);
    _mm256_sad_epu8(_mm256_and_si256(byte, load(&rays.squares)), zero)
}

impl List<'_> {
    /// Appends those of eight records that a mask selects, each with the bits of `all`. The buffer must have space for
    /// eight records. `all` is added last, because LLVM would permute it too.
    #[inline(always)]
    unsafe fn write(&mut self, records: __m256i, all: u32, chosen: u32) {
        debug_assert!(self.len + 8 <= self.buffer.len());
        let order = &CHOSEN[chosen as usize & 255];
        // SAFETY: the caller guarantees the instructions and the space.
        unsafe {
            let records = _mm256_permutevar8x32_epi32(records, eight(order));
            let records = _mm256_or_si256(records, splat(all));
            _mm256_storeu_si256(self.buffer.as_mut_ptr().add(self.len).cast(), records);
        }
        self.len += chosen.count_ones() as usize;
    }
}

/// The lanes in which two vectors have a common bit.
#[inline(always)]
unsafe fn meet(a: __m256i, b: __m256i) -> u32 {
    signs(_mm256_cmpgt_epi32(_mm256_and_si256(a, b), _mm256_setzero_si256()))
}

/// The highest bits of the lanes.
#[inline(always)]
unsafe fn signs(lanes: __m256i) -> u32 {
    _mm256_movemask_ps(_mm256_castsi256_ps(lanes)).cast_unsigned()
}

impl Board for Lanes {
    type Around = Around;

    #[inline(always)]
    fn load(codes: &[u8; 64]) -> Self {
        Self([load(codes, 0), load(codes, 1), load(codes, 2), load(codes, 3)])
    }

    #[inline(always)]
    fn holding(&self, code: u8) -> u64 {
        // SAFETY: only the dispatch uses this type, on processors with AVX2; the assembly is empty.
        unsafe {
            let code = _mm256_set1_epi8(code.cast_signed());
            let half = |low, high| {
                let both = _mm256_blend_epi32::<0b1111_0000>(low, high);
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(both, code)).cast_unsigned()
            };
            let [a, b, c, d] = self.0;
            let (low, mut high) = (half(a, b), half(c, d));
            // With AVX-512, LLVM would join the halves in a 512-bit register, for which some processors lower their clock:
            // on Cascade Lake the whole program then takes 1.12 times as long. So it must not see that they belong together.
            asm!("/* {0:e} */", inout(reg) high, options(pure, nomem, nostack, preserves_flags));
            u64::from(low) | u64::from(high) << 32
        }
    }

    #[inline(always)]
    fn set(&mut self, square: u8, code: u8) {
        // SAFETY: only the dispatch uses this type, on processors with AVX2.
        unsafe {
            let first = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            ));
            let code = _mm256_set1_epi8(code.cast_signed());
            let mut row = 0;
            while row < 4 {
                let at = square.wrapping_sub(16 * row as u8).cast_signed();
                let there = _mm256_cmpeq_epi8(first, _mm256_set1_epi8(at));
                self.0[row] = _mm256_blendv_epi8(self.0[row], code, there);
                row += 1;
            }
        }
    }

    #[inline(always)]
    fn around(&self, square: u8, occupied: u64) -> Around {
        let at = usize::from(square & 63);
        // SAFETY: only the dispatch uses this type, on processors with AVX2; the leaps are eight bytes.
        unsafe {
            let occupied = _mm256_set1_epi64x(occupied.cast_signed());
            let (a, b) = (nearest(&SEEN[at], 0, occupied), nearest(&SEEN[at], 4, occupied));
            let squares = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(
                _mm256_castsi256_ps(a),
                _mm256_castsi256_ps(b),
            ));
            // Copies bit 6 (`NEXT`) to all bits of the lane.
            let next = _mm256_srai_epi32::<31>(_mm256_slli_epi32::<25>(squares));
            let near = _mm256_and_si256(next, eight(&NEAR));
            let leaps = eight(&KNIGHTS[at]);
            Around {
                square: square.into(),
                rays: Pieces::on(self.0, squares),
                leaps: Pieces::on(self.0, leaps),
                ways: _mm256_or_si256(near, eight(&FAR)),
            }
        }
    }

    #[inline(always)]
    fn ends(around: &Around, code: u8, added: bool, dropped: u32, list: &mut List<'_>) {
        let &Around { square, rays, leaps, ways } = around;
        let at = usize::from(code & 15);
        let sign = if added { ADDED } else { 0 };
        let code = u32::from(code);
        let is_knight = code & 7 == 2;
        // SAFETY: only the dispatch uses this type, on processors with AVX2; `write` requires a buffer with space for
        // eight more records than there are pairs.
        unsafe {
            let knight = splat(u32::from(is_knight).wrapping_neg());
            let leap = splat(KNIGHT.into());
            let victims = _mm256_blendv_epi8(rays.codes, leaps.codes, knight);
            let both = _mm256_blendv_epi8(rays.both, leaps.both, knight);
            let from_ways = _mm256_blendv_epi8(ways, leap, knight);
            let attacked = _mm256_shuffle_epi8(load(&list.filter.from[at], 0), victims);
            let pairs = _mm256_slli_epi32::<8>(both);
            let here = square | code << 16 | sign;
            let from_dropped = if is_knight { dropped >> 8 } else { dropped };
            list.write(pairs, here, meet(attacked, from_ways) & !from_dropped);

            let attack = load(&list.filter.to[at], 0);
            let here = square << 8 | code << 24 | sign;
            let attackers = _mm256_shuffle_epi8(attack, rays.codes);
            list.write(rays.both, here, meet(attackers, ways) & !dropped);
            let attackers = _mm256_shuffle_epi8(attack, leaps.codes);
            let chosen = meet(attackers, leap) & !(dropped >> 8);
            list.write(leaps.both, here, chosen);
        }
    }

    #[inline(always)]
    fn across(around: &Around, added: bool, dropped: u32, list: &mut List<'_>) {
        let rays = around.rays;
        let sign = if added { ADDED } else { 0 };
        // SAFETY: only the dispatch uses this type, on processors with AVX2; `write` requires a buffer with space for
        // eight more records than there are pairs.
        unsafe {
            let [low, high] = &list.filter.across;
            let low = _mm256_shuffle_epi8(_mm256_loadu_si256(low.as_ptr().cast()), rays.codes);
            let high = _mm256_shuffle_epi8(_mm256_loadu_si256(high.as_ptr().cast()), rays.codes);
            let victims = _mm256_or_si256(low, _mm256_slli_epi32::<8>(high));
            // Each attacker's victim is in the adjacent lane.
            let places = _mm256_sub_epi32(_mm256_set1_epi32(31), rays.codes);
            let places = _mm256_shuffle_epi32::<0b10_11_00_01>(places);
            let chosen = signs(_mm256_sllv_epi32(victims, places));
            let opposite = _mm256_shuffle_epi32::<0b10_11_00_01>(rays.both);
            let pairs = _mm256_or_si256(rays.both, _mm256_slli_epi32::<8>(opposite));
            list.write(pairs, sign, chosen & !dropped);
        }
    }
}
