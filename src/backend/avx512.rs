//! Vectors of 64 bytes with AVX-512, optionally with VBMI, BITALG and GFNI, which count, shift and reverse bytes in one
//! instruction.

use core::arch::x86_64::*;

use super::avx2::{NIBBLE_COUNTS, entry_points, shared_operations, shared_transposes};
use crate::boards::Routine;
use crate::boards::bytes::{Bytes, Operations, operations};
use crate::pieces::Pieces;

/// 64 bytes with AVX-512 F, BW, VL and DQ, and with VBMI, BITALG and GFNI if `GFNI` is true. A value proves that the
/// processor has these instructions: only the dispatch names this type, after detecting them.
#[derive(Clone, Copy)]
pub struct Avx512<const GFNI: bool>(__m512i);

entry_points!(__m512i, zmm_reg: avx512, avx512_gfni);

impl<const GFNI: bool> Operations for Avx512<GFNI> {
    const COUNT: usize = 64;
    const REGISTERS: usize = 32;

    shared_operations!(_mm512_gf2p8affine_epi64_epi8 _mm512_set1_epi64);

    operations! { ours:
        splat(byte: u8) = _mm512_set1_epi8(byte as i8);
        splat16(number: i16) = _mm512_set1_epi16(number);
        and(self, other) = _mm512_and_si512(self.0, other.0);
        or(self, other) = _mm512_or_si512(self.0, other.0);
        xor(self, other) = _mm512_xor_si512(self.0, other.0);
        and_not(self, other) = _mm512_andnot_si512(other.0, self.0);
        majority(a, b, c) = _mm512_ternarylogic_epi64::<0xe8>(a.0, b.0, c.0);
        differs(self, a, b) = _mm512_ternarylogic_epi64::<0x7e>(self.0, a.0, b.0);
        extend(ray, sliders, occupied) = _mm512_ternarylogic_epi64::<0xf2>(sliders.0, occupied.0, ray.0);
        extend_over(ray, sliders, free) = _mm512_ternarylogic_epi64::<0xf8>(sliders.0, free.0, ray.0);
        minus(self, other) = _mm512_sub_epi8(self.0, other.0);
        plus(self, other) = _mm512_add_epi8(self.0, other.0);
        nonzero(self) = _mm512_movm_epi8(_mm512_test_epi8_mask(self.0, self.0));
        count_ones(self) = if GFNI {
            _mm512_popcnt_epi8(self.0)
        } else {
            let counts = _mm512_broadcast_i32x4(NIBBLE_COUNTS);
            let nibble = _mm512_set1_epi8(0x0f);
            let high = _mm512_and_si512(self.shift_right::<4>().0, nibble);
            let low = _mm512_and_si512(self.0, nibble);
            _mm512_add_epi8(_mm512_shuffle_epi8(counts, low), _mm512_shuffle_epi8(counts, high))
        };
        east(self) = _mm512_add_epi8(self.0, self.0);
        north<RANKS>(self) = _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(8 * RANKS as i32));
        south<RANKS>(self) = _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(8 * RANKS as i32));
        shift_right<BITS>(self) = _mm512_srli_epi16::<BITS>(self.0);
        plus16(self, other) = _mm512_add_epi16(self.0, other.0);
        minus16(self, other) = _mm512_sub_epi16(self.0, other.0);
        times16(self, other) = _mm512_mullo_epi16(self.0, other.0);
        less16(self, other) = _mm512_movm_epi16(_mm512_cmplt_epi16_mask(self.0, other.0));
        unpack_low(self, other) = _mm512_unpacklo_epi8(self.0, other.0);
        unpack_high(self, other) = _mm512_unpackhi_epi8(self.0, other.0);
    }
}

impl<const GFNI: bool> Bytes for Avx512<GFNI> {
    shared_transposes!(
        _mm512_unpacklo_epi16 _mm512_unpackhi_epi16,
        _mm512_unpacklo_epi64 _mm512_unpackhi_epi64
    );

    #[inline(always)]
    fn store_vector_pairs(self, words: &mut [u64], at: usize, step: usize) {
        let words = &mut words[at..];
        assert!(words.len() >= 3 * step + 2, "four pairs");
        let first = words.as_mut_ptr();
        // SAFETY: `self` proves AVX-512; `words` has two words at all four offsets.
        unsafe {
            _mm_storeu_si128(first.cast(), _mm512_castsi512_si128(self.0));
            _mm_storeu_si128(first.add(step).cast(), _mm512_extracti32x4_epi32::<1>(self.0));
            _mm_storeu_si128(first.add(2 * step).cast(), _mm512_extracti32x4_epi32::<2>(self.0));
            _mm_storeu_si128(first.add(3 * step).cast(), _mm512_extracti32x4_epi32::<3>(self.0));
        }
    }

    #[inline(always)]
    fn stream(ranks: [Self; 8], boards: &mut [u64]) {
        if !boards.as_ptr().cast::<__m512i>().is_aligned() {
            return Self::store(ranks, boards);
        }
        assert!(boards.len() == 64, "as many boards as lanes");
        let (back, to) = (Self::to_boards(ranks), boards.as_mut_ptr().cast::<__m512i>());
        let mut i = 0;
        while i < 8 {
            // SAFETY: `ranks` proves AVX-512; 8 vectors of 8 boards fill the slice's 64, which are aligned.
            unsafe { _mm512_stream_si512(to.add(i), back[i].0) };
            i += 1;
        }
    }

    #[inline(always)]
    fn pairs(pieces: &[Pieces]) -> [[Self; 2]; 4] {
        assert!(pieces.len() == 8, "an eighth of the lanes");
        let from = pieces.as_ptr().cast::<__m512i>();
        let mut pairs = [[Self::splat(0); 2]; 4];
        let mut odd = 0;
        while odd < 2 {
            // Two rounds. Each exchanges a bit of the position's index with a bit of the pair's.
            // SAFETY: only the dispatch calls this, after detecting AVX-512; there are eight positions of 64 bytes.
            unsafe {
                let a = _mm512_loadu_si512(from.add(odd));
                let b = _mm512_loadu_si512(from.add(odd + 2));
                let c = _mm512_loadu_si512(from.add(odd + 4));
                let d = _mm512_loadu_si512(from.add(odd + 6));
                let (e, f) =
                    (_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0x88>(c, d));
                let (g, h) =
                    (_mm512_shuffle_i64x2::<0xdd>(a, b), _mm512_shuffle_i64x2::<0xdd>(c, d));
                pairs[0][odd] = Self(_mm512_shuffle_i64x2::<0x88>(e, f));
                pairs[1][odd] = Self(_mm512_shuffle_i64x2::<0x88>(g, h));
                pairs[2][odd] = Self(_mm512_shuffle_i64x2::<0xdd>(e, f));
                pairs[3][odd] = Self(_mm512_shuffle_i64x2::<0xdd>(g, h));
            }
            odd += 1;
        }
        pairs
    }
}
