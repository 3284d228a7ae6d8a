//! The portable vectors, of the instructions that the build enables: ours on aarch64, where NEON is part of every
//! build, and elsewhere those of `wide`, of 16, 32 or 64 bytes.

#[cfg(not(target_feature = "avx2"))]
use wide::u64x2 as Lanes;
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
use wide::u64x4 as Lanes;
#[cfg(target_feature = "avx512bw")]
use wide::u64x8 as Lanes;
use wide::{
    bytemuck::cast, i16x8, i16x16, i16x32, u8x16, u8x32, u8x64, u16x8, u16x16, u16x32, u64x2,
    u64x4, u64x8,
};

use crate::boards::{Routine, bytes};
use crate::pieces::Pieces;

/// The block of `lanes`.
pub(crate) type LaneBoards = crate::boards::hyperbola::Hyperbola<Lanes, { size_of::<Lanes>() / 8 }>;

/// The vector of `wide`.
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(crate) type Vector = super::neon::Neon;
#[cfg(not(any(
    target_feature = "avx2",
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
)))]
pub(crate) type Vector = u8x16;
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
pub(crate) type Vector = u8x32;
#[cfg(target_feature = "avx512bw")]
pub(crate) type Vector = u8x64;

/// The block of `wide`, if the build has vectors.
#[cfg(any(target_feature = "sse2", target_feature = "simd128", target_feature = "neon"))]
pub(crate) type Block = crate::boards::sliced::Sliced<Vector>;
/// Without vectors, single boards: a sliced block takes several times as long as its boards one by one.
#[cfg(not(any(target_feature = "sse2", target_feature = "simd128", target_feature = "neon")))]
pub(crate) type Block = crate::boards::hyperbola::Hyperbola<u64>;

/// Interleaves the lower or the upper halves of every 16 bytes.
#[inline(always)]
fn unpack<const COUNT: usize, const HIGH: bool>(
    mut a: [u8x16; COUNT],
    b: [u8x16; COUNT],
) -> [u8x16; COUNT] {
    let mut i = 0;
    while i < COUNT {
        a[i] = if HIGH { u8x16::unpack_high(a[i], b[i]) } else { u8x16::unpack_low(a[i], b[i]) };
        i += 1;
    }
    a
}

macro_rules! bytes {
    ($vector:ident, $words:ident, $numbers:ident, $boards:ident, $count:literal) => {
        impl bytes::Operations for $vector {
            const COUNT: usize = $count;

            #[inline(never)]
            fn call<R: Routine>(routine: R) -> R::Output {
                routine.run()
            }

            bytes::operations! { wide:
                splat(byte: u8) = Self::splat(byte);
                splat16(number: i16) = cast($numbers::splat(number));
                and(self, other) = self & other;
                or(self, other) = self | other;
                xor(self, other) = self ^ other;
                and_not(self, other) = self & !other;
                minus(self, other) = self - other;
                plus(self, other) = self + other;
                nonzero(self) = !self.simd_eq(Self::splat(0));
                east(self) = self + self;
                north<RANKS>(self) = cast(cast::<_, $boards>(self) << (8 * RANKS));
                south<RANKS>(self) = cast(cast::<_, $boards>(self) >> (8 * RANKS));
                shift_right<BITS>(self) = cast(cast::<_, $words>(self) >> BITS);
                plus16(self, other) = cast(cast::<_, $numbers>(self) + cast::<_, $numbers>(other));
                minus16(self, other) = cast(cast::<_, $numbers>(self) - cast::<_, $numbers>(other));
                times16(self, other) = cast(cast::<_, $numbers>(self) * cast::<_, $numbers>(other));
                unpack_low(self, other) = cast(unpack::<{ $count / 16 }, false>(cast(self), cast(other)));
                unpack_high(self, other) = cast(unpack::<{ $count / 16 }, true>(cast(self), cast(other)));
                less16(self, other) = cast(cast::<_, $numbers>(self).simd_lt(cast::<_, $numbers>(other)));
            }
        }

        impl bytes::Bytes for $vector {
            #[inline(always)]
            fn store_vector_pairs(self, words: &mut [u64], at: usize, step: usize) {
                let pairs: [[u64; 2]; $count / 16] = cast(self);
                let words = &mut words[at..];
                let mut i = 0;
                while i < $count / 16 {
                    words[i * step..i * step + 2].copy_from_slice(&pairs[i]);
                    i += 1;
                }
            }

            #[inline(always)]
            fn pairs(pieces: &[Pieces]) -> [[Self; 2]; 4] {
                let mut pairs = [[[u64x2::splat(0); $count / 16]; 2]; 4];
                let mut row = 0;
                while row < $count / 8 {
                    let sets = pieces[row].sets();
                    let mut pair = 0;
                    while pair < 4 {
                        let both = u64x2::new([sets[2 * pair], sets[2 * pair + 1]]);
                        pairs[pair][row % 2][row / 2] = both;
                        pair += 1;
                    }
                    row += 1;
                }
                cast(pairs)
            }

            #[inline(always)]
            fn boards(pair: [Self; 2]) -> [Self; 2] {
                let mut v: [[u64x2; $count / 16]; 2] = cast(pair);
                let mut i = 0;
                while i < $count / 16 {
                    [v[0][i], v[1][i]] = u64x2::transpose([v[0][i], v[1][i]]);
                    i += 1;
                }
                cast(v)
            }

            #[inline(always)]
            fn from_interleaved(vectors: [Self; 8]) -> [Self; 8] {
                let mut v: [[u16x8; $count / 16]; 8] = cast(vectors);
                let mut i = 0;
                while i < $count / 16 {
                    let turned = u16x8::transpose([
                        v[0][i], v[4][i], v[2][i], v[6][i], v[1][i], v[5][i], v[3][i], v[7][i],
                    ]);
                    let mut k = 0;
                    while k < 8 {
                        v[k][i] = turned[k];
                        k += 1;
                    }
                    i += 1;
                }
                bytes::in_memory_order(cast(v))
            }
        }
    };
}

bytes!(u8x16, u16x8, i16x8, u64x2, 16);
bytes!(u8x32, u16x16, i16x16, u64x4, 32);
bytes!(u8x64, u16x32, i16x32, u64x8, 64);
