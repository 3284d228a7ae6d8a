//! The codes of a board with AVX-512 BW, VL and VBMI: one vector, and one permutation to look eight of them up. All
//! else is as in `avx2.rs`.

use core::arch::x86_64::*;

use super::avx2::Codes;

/// The codes in one vector.
#[derive(Clone, Copy)]
pub(crate) struct VbmiCodes(__m512i);

/// The lowest byte of each lane of 32 bits.
const LOWEST: __mmask32 = 0x1111_1111;

// SAFETY: only the dispatch names this type, where the processor has AVX-512 F, BW, VL and VBMI.
unsafe impl Codes for VbmiCodes {
    #[inline(always)]
    fn load(codes: &[u8; 64]) -> Self {
        // SAFETY: the codes are 64 bytes; only the dispatch names this type, where AVX-512 was found.
        Self(unsafe { _mm512_loadu_si512(codes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn holding(self, code: u8) -> u64 {
        // SAFETY: only the dispatch names this type, where AVX-512 BW was found.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(code.cast_signed())) }
    }

    #[inline(always)]
    fn put(self, square: u8, code: u8) -> Self {
        // SAFETY: only the dispatch names this type, where AVX-512 BW was found.
        Self(unsafe { _mm512_mask_set1_epi8(self.0, 1 << (square & 63), code.cast_signed()) })
    }

    #[inline(always)]
    fn of(self, squares: __m256i) -> __m256i {
        // SAFETY: only the dispatch names this type, where AVX-512 BW, VL and VBMI were found.
        unsafe {
            // The permutation looks at the lowest six bits; what is off the board has the highest one.
            let on_board = !_mm256_movepi8_mask(squares) & LOWEST;
            let codes = _mm512_permutexvar_epi8(_mm512_castsi256_si512(squares), self.0);
            _mm256_maskz_mov_epi8(on_board, _mm512_castsi512_si256(codes))
        }
    }
}
