//! Assigns codes to squares with BMI2 or AVX-512.
//!
//! BMI2: `pext` gathers one bit of all nibbles, twice for each of the four bits, and `pdep` deposits it on the squares;
//! logic then groups the squares by code. AVX-512: nibbles become bytes, `vpexpandb` assigns all of them at once, and a
//! comparison with each code selects its squares.
#![allow(unsafe_code, reason = "instructions that only some processors have")]

use core::arch::x86_64::*;

use crate::bits::{Bits, Codes};

/// The instructions of the backend `avx2`.
#[derive(Debug)]
pub(crate) struct Bmi2;

/// The lowest bit of every nibble.
const NIBBLES: u64 = 0x1111_1111_1111_1111;

impl Bits for Bmi2 {
    #[inline(always)]
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes {
        let nibbles = u128::from_le_bytes(*nibbles);
        let nibbles = [nibbles as u64, (nibbles >> 64) as u64];
        let gather = |bit: u32| {
            // SAFETY: only the dispatch names this type, where the processor has BMI2.
            let [low, high] = nibbles.map(|word| unsafe { _pext_u64(word, NIBBLES << bit) });
            low | high << 16
        };
        let gathered = [gather(0), gather(1), gather(2), gather(3)];
        let pieces = occupied.count_ones();
        let all = gathered[0] | gathered[1] | gathered[2] | gathered[3];
        // SAFETY: as above.
        let deposited = gathered.map(|bits| unsafe { _pdep_u64(bits, occupied) });
        // A shift by 64 wraps around, but more than 32 pieces are invalid anyway.
        Codes::new(occupied, deposited, (pieces > 32) | (all.wrapping_shr(pieces) != 0))
    }

    #[inline(always)]
    fn nth(set: u64, before: u32) -> u8 {
        // SAFETY: as above.
        let square = unsafe { _pdep_u64(1 << (before & 63), set) };
        (square.trailing_zeros() & 63) as u8
    }
}

/// The instructions of the backend `avx512-gfni`.
#[derive(Debug)]
pub(crate) struct Avx512;

impl Bits for Avx512 {
    #[inline(always)]
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes {
        // SAFETY: only the dispatch names this type, where the processor has the features. The load reads the 16 bytes
        // of the array.
        unsafe {
            let packed = _mm256_cvtepu8_epi16(_mm_loadu_si128(nibbles.as_ptr().cast()));
            let apart = _mm256_or_si256(packed, _mm256_slli_epi16::<4>(packed));
            let codes = _mm256_and_si256(apart, _mm256_set1_epi8(15));
            let pieces = occupied.count_ones();
            let used = u64::from(_mm256_test_epi8_mask(codes, codes));
            let squares = _mm512_maskz_expand_epi8(occupied, _mm512_castsi256_si512(codes));
            let low = _mm512_and_si512(squares, _mm512_set1_epi8(7));
            Codes {
                low: std::array::from_fn(|code| {
                    _mm512_mask_cmpeq_epi8_mask(occupied, low, _mm512_set1_epi8(code as i8))
                }),
                high: _mm512_test_epi8_mask(squares, _mm512_set1_epi8(8)),
                miscounted: (pieces > 32) | (used.wrapping_shr(pieces) != 0),
            }
        }
    }

    #[inline(always)]
    fn nth(set: u64, before: u32) -> u8 {
        Bmi2::nth(set, before)
    }
}
