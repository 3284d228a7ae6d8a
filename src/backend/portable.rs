//! Vectors of 16, 32 or 64 bytes through `wide`, depending on the target features of the build.

use wide::{
    bytemuck, i16x8, i16x16, i16x32, u8x16, u8x32, u8x64, u16x8, u16x16, u16x32, u64x2, u64x4,
    u64x8,
};
#[cfg(not(target_feature = "avx2"))]
pub(super) use wide::{u8x16 as Bytes, u64x2 as Lanes};
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
pub(super) use wide::{u8x32 as Bytes, u64x4 as Lanes};
#[cfg(target_feature = "avx512bw")]
pub(super) use wide::{u8x64 as Bytes, u64x8 as Lanes};

use crate::boards::bytes;
use crate::pieces::Pieces;

macro_rules! bytes {
    ($vector:ident, $words:ident, $numbers:ident, $boards:ident, $count:literal) => {
        impl bytes::Bytes for $vector {
            const COUNT: usize = $count;

            #[inline(always)]
            fn splat(byte: u8) -> Self {
                Self::splat(byte)
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                self & !other
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn splat_words(number: i16) -> Self {
                bytemuck::cast($numbers::splat(number))
            }

            #[inline(always)]
            fn plus_words(self, other: Self) -> Self {
                bytemuck::cast(
                    bytemuck::cast::<_, $numbers>(self) + bytemuck::cast::<_, $numbers>(other),
                )
            }

            #[inline(always)]
            fn minus_words(self, other: Self) -> Self {
                bytemuck::cast(
                    bytemuck::cast::<_, $numbers>(self) - bytemuck::cast::<_, $numbers>(other),
                )
            }

            #[inline(always)]
            fn times_words(self, other: Self) -> Self {
                bytemuck::cast(
                    bytemuck::cast::<_, $numbers>(self) * bytemuck::cast::<_, $numbers>(other),
                )
            }

            #[inline(always)]
            fn less_words(self, other: Self) -> Self {
                bytemuck::cast(
                    bytemuck::cast::<_, $numbers>(self)
                        .simd_lt(bytemuck::cast::<_, $numbers>(other)),
                )
            }

            #[inline(always)]
            fn east(self) -> Self {
                self + self
            }

            #[inline(always)]
            fn west(self) -> Self {
                self.shift_right::<1>() & Self::splat(0x7f)
            }

            #[inline(always)]
            fn shift_right<const BITS: u32>(self) -> Self {
                bytemuck::cast(bytemuck::cast::<_, $words>(self) >> BITS)
            }

            #[inline(always)]
            fn take(boards: &[u64]) -> Self {
                let mut taken = [0; $count / 8];
                taken.copy_from_slice(boards);
                bytemuck::cast(taken)
            }

            #[inline(always)]
            fn put(self, boards: &mut [u64]) {
                boards.copy_from_slice(&bytemuck::cast::<_, [u64; $count / 8]>(self));
            }

            #[inline(always)]
            fn north<const RANKS: u32>(self) -> Self {
                bytemuck::cast(bytemuck::cast::<_, $boards>(self) << (8 * RANKS))
            }

            #[inline(always)]
            fn south<const RANKS: u32>(self) -> Self {
                bytemuck::cast(bytemuck::cast::<_, $boards>(self) >> (8 * RANKS))
            }

            #[inline(always)]
            fn sort(pieces: &[Pieces]) -> [Self; 8] {
                let mut columns = [[0; $count / 8]; 8];
                let mut row = 0;
                while row < $count / 8 {
                    let sets = pieces[row].sets();
                    let mut set = 0;
                    while set < 8 {
                        columns[set][row] = sets[set];
                        set += 1;
                    }
                    row += 1;
                }
                bytemuck::cast(columns)
            }

            #[inline(always)]
            fn unpack_low(self, other: Self) -> Self {
                let (mut a, b): ([u8x16; $count / 16], [u8x16; $count / 16]) =
                    (bytemuck::cast(self), bytemuck::cast(other));
                let mut i = 0;
                while i < $count / 16 {
                    a[i] = u8x16::unpack_low(a[i], b[i]);
                    i += 1;
                }
                bytemuck::cast(a)
            }

            #[inline(always)]
            fn unpack_high(self, other: Self) -> Self {
                let (mut a, b): ([u8x16; $count / 16], [u8x16; $count / 16]) =
                    (bytemuck::cast(self), bytemuck::cast(other));
                let mut i = 0;
                while i < $count / 16 {
                    a[i] = u8x16::unpack_high(a[i], b[i]);
                    i += 1;
                }
                bytemuck::cast(a)
            }
        }
    };
}

bytes!(u8x16, u16x8, i16x8, u64x2, 16);
bytes!(u8x32, u16x16, i16x16, u64x4, 32);
bytes!(u8x64, u16x32, i16x32, u64x8, 64);
