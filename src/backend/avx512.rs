//! 64 bytes with AVX-512; and with VBMI, BITALG and GFNI, which count, shift and reverse
//! bytes in one instruction.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;
use core::slice;

use crate::boards::bytes::{
    BESIDE, Bytes, REVERSE, TWO_BESIDE, TWO_WEST, WEST, eight_times, pick_bits,
    reverse_by_exchanges,
};
use crate::pieces::Pieces;

/// 64 bytes with AVX-512 F, BW, VL and DQ, and with VBMI, BITALG and GFNI where that is true. A value
/// proves that the processor has them: only the dispatch names this type, after it found the instructions.
#[derive(Clone, Copy)]
pub(super) struct Avx512<const GFNI: bool>(__m512i);

/// Unpacks the bytes of vectors `i` and `i + STEP`: within 16-byte lanes the top bit of a byte's place
/// becomes the `STEP` bit of the vector's number, and what that was becomes the lowest bit of the place.
///
/// # Safety
/// The processor has AVX-512BW.
#[inline(always)]
unsafe fn unpack<const STEP: usize>(v: [__m512i; 8]) -> [__m512i; 8] {
    let mut out = v;
    let mut i = 0;
    while i < 8 {
        if i & STEP == 0 {
            // SAFETY: what the caller promises.
            unsafe {
                out[i] = _mm512_unpacklo_epi8(v[i], v[i + STEP]);
                out[i + STEP] = _mm512_unpackhi_epi8(v[i], v[i + STEP]);
            }
        }
        i += 1;
    }
    out
}

/// A byte transpose: 64 boards from memory to eight vectors, one for each rank. The place of a byte in its
/// 16-byte lane has the bits (board, k2, k1, k0) for rank k = 4 k2 + 2 k1 + k0. Four rounds move them, from
/// the top, to the vector's number.
///
/// # Safety
/// The processor has AVX-512BW, and `boards` points to 64 of them.
#[inline(always)]
unsafe fn load(boards: *const u64) -> [__m512i; 8] {
    // SAFETY: what the caller promises; 8 vectors of 8 boards are the 64.
    unsafe {
        let mut v = [_mm512_setzero_si512(); 8];
        let mut i = 0;
        while i < 8 {
            v[i] = _mm512_loadu_si512(boards.add(8 * i).cast());
            i += 1;
        }
        unpack::<1>(unpack::<4>(unpack::<2>(unpack::<1>(v))))
    }
}

/// The way back. Three rounds bring the rank's bits into the place again, k2 first; the board that `load`
/// moved out first is at the top of the place, the others have taken the number's bits.
///
/// # Safety
/// The processor has AVX-512BW, and `boards` points to room for 64 of them, aligned to 64 bytes if the
/// stores go past the caches.
#[inline(always)]
unsafe fn store<const STREAM: bool>(ranks: [__m512i; 8], boards: *mut u64) {
    // SAFETY: what the caller promises.
    unsafe {
        let v = unpack::<1>(unpack::<2>(unpack::<4>(ranks)));
        let mut i = 0;
        while i < 8 {
            let to = boards.add(8 * [0, 4, 2, 6, 1, 5, 3, 7][i]).cast::<__m512i>();
            if STREAM {
                _mm512_stream_si512(to, v[i]);
            } else {
                _mm512_storeu_si512(to, v[i]);
            }
            i += 1;
        }
    }
}

/// Eight columns of 64 positions.
#[repr(align(64))]
struct Columns(#[expect(dead_code, reason = "only its room is needed")] [[u64; 64]; 8]);

/// Sorts 64 positions, each eight sets of a word, into eight columns: 8 by 8 words at a time, in three
/// rounds. The first takes halves from memory, which needs no shuffle.
///
/// # Safety
/// The processor has AVX-512F, `pieces` points to 64 positions, and `columns` to room for [`Columns`].
#[inline(always)]
unsafe fn transpose(pieces: *const Pieces, columns: *mut u64) {
    // SAFETY: what the caller promises; a position is 64 bytes, and a column has 64 words.
    unsafe {
        let mut row = 0;
        while row < 64 {
            let mut half = 0;
            while half < 2 {
                // Four sets of a position, and the same of the second next.
                let from = pieces.add(row).cast::<__m256i>().add(half);
                let mut v = [_mm512_setzero_si512(); 4];
                let mut i = 0;
                while i < 4 {
                    let from = from.add(2 * [0, 1, 4, 5][i]);
                    let low = _mm512_castsi256_si512(_mm256_loadu_si256(from));
                    v[i] = _mm512_inserti64x4::<1>(low, _mm256_loadu_si256(from.add(4)));
                    i += 1;
                }
                let mut odd = 0;
                while odd < 2 {
                    // The same two sets of eight positions, each of two neighbours in a lane.
                    let [low, high] = if odd == 0 {
                        [_mm512_unpacklo_epi64(v[0], v[1]), _mm512_unpacklo_epi64(v[2], v[3])]
                    } else {
                        [_mm512_unpackhi_epi64(v[0], v[1]), _mm512_unpackhi_epi64(v[2], v[3])]
                    };
                    let to = columns.add(64 * (4 * half + odd) + row);
                    let next = to.add(2 * 64);
                    _mm512_store_si512(to.cast(), _mm512_shuffle_i64x2::<0x88>(low, high));
                    _mm512_store_si512(next.cast(), _mm512_shuffle_i64x2::<0xdd>(low, high));
                    odd += 1;
                }
                half += 1;
            }
            row += 8;
        }
    }
}

/// How many bits each nibble has.
const NIBBLE_COUNTS: __m128i = {
    let counts: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
    // SAFETY: any 16 bytes are a vector.
    unsafe { core::mem::transmute(counts) }
};

impl<const GFNI: bool> Bytes for Avx512<GFNI> {
    const COUNT: usize = 64;

    #[inline(always)]
    fn splat(byte: u8) -> Self {
        // SAFETY: only the dispatch names this type, after it found AVX-512.
        Self(unsafe { _mm512_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_andnot_si512(other.0, self.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_sub_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn splat_words(number: i16) -> Self {
        // SAFETY: only the dispatch names this type, after it found AVX-512.
        Self(unsafe { _mm512_set1_epi16(number) })
    }

    #[inline(always)]
    fn plus_words(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn minus_words(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_sub_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn times_words(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_mullo_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn less_words(self, other: Self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_movm_epi16(_mm512_cmplt_epi16_mask(self.0, other.0)) })
    }

    #[inline(always)]
    fn east(self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_add_epi8(self.0, self.0) })
    }

    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: `a` proves AVX-512.
        Self(unsafe { _mm512_ternarylogic_epi64::<0xe8>(a.0, b.0, c.0) })
    }

    #[inline(always)]
    fn shift_right<const BITS: u32>(self) -> Self {
        // SAFETY: `self` proves AVX-512.
        Self(unsafe { _mm512_srli_epi16::<BITS>(self.0) })
    }

    #[inline(always)]
    fn load(boards: &[u64]) -> [Self; 8] {
        assert!(boards.len() == 64, "as many boards as lanes");
        // SAFETY: only the dispatch calls this, after it found AVX-512; the slice has 64 boards.
        let v = unsafe { load(boards.as_ptr()) };
        [
            Self(v[0]),
            Self(v[1]),
            Self(v[4]),
            Self(v[5]),
            Self(v[2]),
            Self(v[3]),
            Self(v[6]),
            Self(v[7]),
        ]
    }

    #[inline(always)]
    fn lane_of(board: usize) -> usize {
        pick_bits(board, [2, 1, 3, 4, 5, 0])
    }

    #[inline(always)]
    fn store(ranks: [Self; 8], boards: &mut [u64]) {
        assert!(boards.len() == 64, "as many boards as lanes");
        let [r0, r1, r2, r3, r4, r5, r6, r7] = ranks;
        // SAFETY: `ranks` prove AVX-512; the slice has 64 boards.
        unsafe {
            let ranks = [r0.0, r1.0, r2.0, r3.0, r4.0, r5.0, r6.0, r7.0];
            store::<false>(ranks, boards.as_mut_ptr());
        }
    }

    #[inline(always)]
    fn stream(ranks: [Self; 8], boards: &mut [u64]) {
        if !boards.as_ptr().cast::<__m512i>().is_aligned() {
            return Self::store(ranks, boards);
        }
        assert!(boards.len() == 64, "as many boards as lanes");
        let [r0, r1, r2, r3, r4, r5, r6, r7] = ranks;
        // SAFETY: `ranks` prove AVX-512; the slice has 64 boards and is aligned.
        unsafe {
            let ranks = [r0.0, r1.0, r2.0, r3.0, r4.0, r5.0, r6.0, r7.0];
            store::<true>(ranks, boards.as_mut_ptr());
        }
    }

    #[inline(always)]
    fn fence() {
        // SAFETY: every x86-64 processor has it.
        unsafe { _mm_sfence() };
    }

    #[inline(always)]
    fn load_pieces(pieces: &[Pieces]) -> [[Self; 8]; 8] {
        assert!(pieces.len() == 64, "as many positions as lanes");
        // Not set to zero, which would be one store for each that follows.
        let mut columns = MaybeUninit::<Columns>::uninit();
        let columns = columns.as_mut_ptr().cast::<u64>();
        // SAFETY: only the dispatch calls this, after it found AVX-512; there are 64 positions, and room
        // for eight columns of 64 words.
        unsafe { transpose(pieces.as_ptr(), columns) };
        eight_times!(i => {
            // SAFETY: `transpose` has written all eight columns.
            Self::load(unsafe { slice::from_raw_parts(columns.add(64 * i), 64) })
        })
    }

    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: `self` proves AVX-512, and BITALG where GFNI is true.
        Self(unsafe {
            if GFNI {
                return Self(_mm512_popcnt_epi8(self.0));
            }
            let counts = _mm512_broadcast_i32x4(NIBBLE_COUNTS);
            let nibble = _mm512_set1_epi8(0x0f);
            let high = _mm512_and_si512(self.shift_right::<4>().0, nibble);
            let low = _mm512_and_si512(self.0, nibble);
            _mm512_add_epi8(_mm512_shuffle_epi8(counts, low), _mm512_shuffle_epi8(counts, high))
        })
    }

    #[inline(always)]
    fn west(self) -> Self {
        if GFNI {
            // SAFETY: `self` proves GFNI.
            Self(unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(WEST)) })
        } else {
            self.shift_right::<1>().and(Self::splat(0x7f))
        }
    }

    #[inline(always)]
    fn two_west(self) -> Self {
        if GFNI {
            // SAFETY: `self` proves GFNI.
            Self(unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(TWO_WEST)) })
        } else {
            self.shift_right::<2>().and(Self::splat(0x3f))
        }
    }

    #[inline(always)]
    fn beside(self) -> Self {
        if GFNI {
            // SAFETY: `self` proves GFNI.
            Self(unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(BESIDE)) })
        } else {
            self.east().or(self.west())
        }
    }

    #[inline(always)]
    fn two_beside(self) -> Self {
        if GFNI {
            // SAFETY: `self` proves GFNI.
            Self(unsafe {
                _mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(TWO_BESIDE))
            })
        } else {
            self.two_east().or(self.two_west())
        }
    }

    const TERNARY: bool = true;

    const REVERSES: bool = GFNI;

    #[inline(always)]
    fn reverse(self) -> Self {
        if GFNI {
            // SAFETY: `self` proves GFNI.
            Self(unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(REVERSE)) })
        } else {
            reverse_by_exchanges(self)
        }
    }
}
