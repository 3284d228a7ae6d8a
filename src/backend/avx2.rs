//! Vectors of 32 bytes with AVX2, optionally with GFNI, which shifts and reverses bytes in one instruction.

use core::arch::x86_64::*;

use crate::boards::Routine;
use crate::boards::bytes::{Bytes, Operations, operations};
use crate::pieces::Pieces;

/// 32 bytes with AVX2, and with GFNI if `GFNI` is true. A value proves that the processor has these instructions: only
/// the dispatch names this type, after detecting them.
#[derive(Clone, Copy)]
pub struct Avx2<const GFNI: bool>(__m256i);

/// Boards in order, to be streamed as consecutive whole cache lines.
#[repr(align(32))]
struct Sorted([u64; 32]);

/// The number of bits in each number from 0 to 15.
pub(super) const NIBBLE_COUNTS: __m128i = {
    let counts: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
    // SAFETY: any 16 bytes are a valid vector.
    unsafe { core::mem::transmute(counts) }
};

/// Defines the functions that enable a vector's instructions, without and with GFNI. `tie` makes both values depend on
/// each other.
macro_rules! entry_points {
    ($register:ty, $class:ident: $features:ident, $features_with_gfni:ident) => {
        crate::__features! {
            $features => enable

            #[inline(never)]
            fn without_gfni<R: Routine>(routine: R) -> R::Output {
                routine.run()
            }
        }

        crate::__features! {
            $features_with_gfni => enable

            #[inline(never)]
            fn with_gfni<R: Routine>(routine: R) -> R::Output {
                routine.run()
            }
        }

        crate::__features! {
            $features => enable

            #[inline]
            fn tie(a: &mut $register, b: &mut $register) {
                // SAFETY: there are no instructions.
                unsafe {
                    core::arch::asm!(
                        "/* {0} {1} */",
                        inout($class) *a,
                        inout($class) *b,
                        options(nomem, nostack, preserves_flags),
                    );
                }
            }
        }
    };
}
pub(super) use entry_points;

/// Defines the [`Operations`] that differ only in their instructions: a product with a matrix, and its operand.
macro_rules! shared_operations {
    ($times:ident $matrix:ident) => {
        const REVERSES: bool = GFNI;

        // Measured on Intel's cores without GFNI (`docs/notebook.md`). With GFNI there is less to overlap.
        const PIPELINES: bool = !GFNI;

        #[inline(always)]
        fn call<R: Routine>(routine: R) -> R::Output {
            // SAFETY: only the dispatch names this type, after detecting the instructions.
            unsafe { if GFNI { with_gfni(routine) } else { without_gfni(routine) } }
        }

        #[inline(always)]
        fn tie(a: &mut Self, b: &mut Self) {
            // SAFETY: `a` proves the instructions.
            unsafe { tie(&mut a.0, &mut b.0) }
        }

        #[inline(always)]
        fn times_matrix(self, matrix: i64) -> Option<Self> {
            if !GFNI {
                return None;
            }
            // SAFETY: `self` proves GFNI if `GFNI` is true.
            Some(Self(unsafe { $times::<0>(self.0, $matrix(matrix)) }))
        }
    };
}
pub(super) use shared_operations;

/// Defines the transposes of [`Bytes`], which differ only in the instructions that unpack words and boards.
macro_rules! shared_transposes {
    ($low_words:ident $high_words:ident, $low_boards:ident $high_boards:ident) => {
        #[inline(always)]
        fn boards([Self(even), Self(odd)]: [Self; 2]) -> [Self; 2] {
            // SAFETY: `even` proves the instructions.
            unsafe { [Self($low_boards(even, odd)), Self($high_boards(even, odd))] }
        }

        #[inline(always)]
        fn from_interleaved(v: [Self; 8]) -> [Self; 8] {
            let mut v = [v[0], v[4], v[2], v[6], v[1], v[5], v[3], v[7]];
            // Three rounds. Each moves one bit from the offset to the vector's index, and one from the index to the
            // offset.
            let mut round = 0;
            while round < 3 {
                let before = v;
                let mut i = 0;
                while i < 4 {
                    let (Self(a), Self(b)) = (before[i], before[i + 4]);
                    // SAFETY: `v` proves the instructions.
                    unsafe {
                        v[2 * i] = Self($low_words(a, b));
                        v[2 * i + 1] = Self($high_words(a, b));
                    }
                    i += 1;
                }
                round += 1;
            }
            v
        }
    };
}
pub(super) use shared_transposes;

entry_points!(__m256i, ymm_reg: avx2, avx2_gfni);

impl<const GFNI: bool> Operations for Avx2<GFNI> {
    const COUNT: usize = 32;

    shared_operations!(_mm256_gf2p8affine_epi64_epi8 _mm256_set1_epi64x);

    operations! { ours:
        splat(byte: u8) = _mm256_set1_epi8(byte as i8);
        splat16(number: i16) = _mm256_set1_epi16(number);
        and(self, other) = _mm256_and_si256(self.0, other.0);
        or(self, other) = _mm256_or_si256(self.0, other.0);
        xor(self, other) = _mm256_xor_si256(self.0, other.0);
        and_not(self, other) = _mm256_andnot_si256(other.0, self.0);
        select(self, a, b) = _mm256_blendv_epi8(b.0, a.0, self.0);
        minus(self, other) = _mm256_sub_epi8(self.0, other.0);
        plus(self, other) = _mm256_add_epi8(self.0, other.0);
        nonzero(self) = _mm256_xor_si256(_mm256_cmpeq_epi8(self.0, _mm256_setzero_si256()), _mm256_set1_epi8(-1));
        count_ones(self) = {
            let counts = _mm256_broadcastsi128_si256(NIBBLE_COUNTS);
            let nibble = _mm256_set1_epi8(0x0f);
            let high = _mm256_and_si256(self.shift_right::<4>().0, nibble);
            let low = _mm256_and_si256(self.0, nibble);
            _mm256_add_epi8(_mm256_shuffle_epi8(counts, low), _mm256_shuffle_epi8(counts, high))
        };
        east(self) = _mm256_add_epi8(self.0, self.0);
        north<RANKS>(self) = _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(8 * RANKS as i32));
        south<RANKS>(self) = _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(8 * RANKS as i32));
        shift_right<BITS>(self) = _mm256_srl_epi16(self.0, _mm_cvtsi32_si128(BITS as i32));
        plus16(self, other) = _mm256_add_epi16(self.0, other.0);
        minus16(self, other) = _mm256_sub_epi16(self.0, other.0);
        times16(self, other) = _mm256_mullo_epi16(self.0, other.0);
        less16(self, other) = _mm256_cmpgt_epi16(other.0, self.0);
        unpack_low(self, other) = _mm256_unpacklo_epi8(self.0, other.0);
        unpack_high(self, other) = _mm256_unpackhi_epi8(self.0, other.0);
    }
}

impl<const GFNI: bool> Bytes for Avx2<GFNI> {
    shared_transposes!(
        _mm256_unpacklo_epi16 _mm256_unpackhi_epi16,
        _mm256_unpacklo_epi64 _mm256_unpackhi_epi64
    );

    #[inline(always)]
    fn store_vector_pairs(self, words: &mut [u64], at: usize, step: usize) {
        let (low, high) = (&mut words[at..], step);
        assert!(low.len() >= high + 2, "two pairs");
        let low = low.as_mut_ptr();
        // SAFETY: `self` proves AVX2; `low` has two words at both offsets.
        unsafe {
            _mm_storeu_si128(low.cast(), _mm256_castsi256_si128(self.0));
            _mm_storeu_si128(low.add(high).cast(), _mm256_extracti128_si256::<1>(self.0));
        }
    }

    #[inline(always)]
    fn pairs(pieces: &[Pieces]) -> [[Self; 2]; 4] {
        assert!(pieces.len() == 4, "an eighth of the lanes");
        let from = pieces.as_ptr().cast::<__m256i>();
        let mut pairs = [[Self::splat(0); 2]; 4];
        let mut i = 0;
        while i < 4 {
            let (half, odd) = (i / 2, i % 2);
            // One round, which exchanges a bit of the position's index with a bit of the pair's.
            // SAFETY: only the dispatch calls this, after detecting AVX2; four positions are eight halves.
            unsafe {
                let a = _mm256_loadu_si256(from.add(2 * odd + half));
                let b = _mm256_loadu_si256(from.add(2 * odd + 4 + half));
                pairs[2 * half][odd] = Self(_mm256_permute2x128_si256::<0x20>(a, b));
                pairs[2 * half + 1][odd] = Self(_mm256_permute2x128_si256::<0x31>(a, b));
            }
            i += 1;
        }
        pairs
    }

    #[inline(always)]
    fn stream(ranks: [Self; 8], boards: &mut [u64]) {
        if !boards.as_ptr().cast::<__m256i>().is_aligned() {
            return Self::store(ranks, boards);
        }
        assert!(boards.len() == 32, "as many boards as lanes");
        let mut sorted = Sorted([0; 32]);
        Self::store(ranks, &mut sorted.0);
        let (from, to) = (sorted.0.as_ptr(), boards.as_mut_ptr());
        let mut i = 0;
        while i < 32 {
            // SAFETY: `ranks` proves AVX2; both buffers have 32 words and are aligned.
            unsafe {
                _mm256_stream_si256(to.add(i).cast(), _mm256_load_si256(from.add(i).cast()));
            }
            i += 4;
        }
    }
}
