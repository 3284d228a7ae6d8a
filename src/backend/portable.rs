//! Bytes through `wide`: 16, 32 or 64 of them, whatever the build's target features make fast.

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

use crate::boards::bytes::{self, pick_bits};
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
            fn from_boards(boards: [Self; 8]) -> [Self; 8] {
                let parts: [[u8x16; 8]; $count / 16] = bytemuck::cast(boards);
                let mut ranks = [[u8x16::ZERO; $count / 16]; 8];
                let mut part = 0;
                while part < $count / 16 {
                    let v = unpack::<1>(unpack::<4>(unpack::<2>(unpack::<1>(parts[part]))));
                    let mut k = 0;
                    while k < 8 {
                        ranks[rank(k)][part] = v[[0, 1, 4, 5, 2, 3, 6, 7][k]];
                        k += 1;
                    }
                    part += 1;
                }
                bytemuck::cast(ranks)
            }

            #[inline(always)]
            fn to_boards(ranks: [Self; 8]) -> [Self; 8] {
                let ranks: [[u8x16; $count / 16]; 8] = bytemuck::cast(ranks);
                let mut parts = [[u8x16::ZERO; 8]; $count / 16];
                let mut part = 0;
                while part < $count / 16 {
                    let mut v = [u8x16::ZERO; 8];
                    let mut k = 0;
                    while k < 8 {
                        v[k] = ranks[rank(k)][part];
                        k += 1;
                    }
                    let v = unpack::<1>(unpack::<2>(unpack::<4>(v)));
                    let mut i = 0;
                    while i < 8 {
                        parts[part][i] = v[[0, 4, 2, 6, 1, 5, 3, 7][i]];
                        i += 1;
                    }
                    part += 1;
                }
                bytemuck::cast(parts)
            }

            #[inline(always)]
            fn lane_of(board: usize) -> usize {
                board / 16 * 16 + pick_bits(board % 16, [1, 2, 3, 0])
            }
        }
    };
}

bytes!(u8x16, u16x8, i16x8, u64x2, 16);
bytes!(u8x32, u16x16, i16x16, u64x4, 32);
bytes!(u8x64, u16x32, i16x32, u64x8, 64);

/// The number of the rank that is byte `k` of a board in memory.
const fn rank(k: usize) -> usize {
    if cfg!(target_endian = "big") { 7 - k } else { k }
}

/// Unpacks the bytes of vectors `i` and `i + STEP`: the top bit of a byte's place becomes the `STEP` bit
/// of the vector's number, and what that was becomes the lowest bit of the place.
#[inline(always)]
fn unpack<const STEP: usize>(v: [u8x16; 8]) -> [u8x16; 8] {
    let mut out = v;
    let mut i = 0;
    while i < 8 {
        if i & STEP == 0 {
            out[i] = u8x16::unpack_low(v[i], v[i + STEP]);
            out[i + STEP] = u8x16::unpack_high(v[i], v[i + STEP]);
        }
        i += 1;
    }
    out
}
