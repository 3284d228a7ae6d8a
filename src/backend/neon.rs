//! Vectors of 16 bytes with NEON, which is part of every aarch64 build.
//!
//! `rbit` reverses the bits of every byte, so rays to the west are a subtraction, as with GFNI. Bytes shift right
//! without a mask, and `bsl` continues a ray in one instruction. `uzp` reverses `zip`, so three rounds split boards into
//! ranks, not four, and lane `i` holds board `i`: numbers need two more zips and no transpose.

use core::arch::aarch64::*;
use core::arch::aarch64::{vreinterpretq_u8_u16 as bytes, vreinterpretq_u16_u8 as words};
use core::arch::aarch64::{vreinterpretq_u8_u64 as from_boards, vreinterpretq_u64_u8 as boards};

use crate::boards::Routine;
use crate::boards::bytes::{Bytes, Operations, operations, round};
use crate::pieces::Pieces;

/// 16 bytes. The build enables the instructions.
#[derive(Clone, Copy)]
pub struct Neon(uint8x16_t);

/// Moves the lowest bit of a byte's offset into the `STEP` bit of the vector's index, which becomes the top bit of the
/// offset.
#[inline(always)]
fn split<const STEP: usize>(v: [Neon; 8]) -> [Neon; 8] {
    let mut out = v;
    let mut i = 0;
    while i < 8 {
        if i & STEP == 0 {
            // SAFETY: the build enables NEON.
            unsafe {
                out[i] = Neon(vuzp1q_u8(v[i].0, v[i + STEP].0));
                out[i + STEP] = Neon(vuzp2q_u8(v[i].0, v[i + STEP].0));
            }
        }
        i += 1;
    }
    out
}

impl Operations for Neon {
    const COUNT: usize = 16;
    const REGISTERS: usize = 32;
    const REVERSES: bool = true;

    #[inline(never)]
    fn call<R: Routine>(routine: R) -> R::Output {
        routine.run()
    }

    operations! { ours:
        splat(byte: u8) = vdupq_n_u8(byte);
        splat16(number: i16) = vreinterpretq_u8_s16(vdupq_n_s16(number));
        and(self, other) = vandq_u8(self.0, other.0);
        or(self, other) = vorrq_u8(self.0, other.0);
        xor(self, other) = veorq_u8(self.0, other.0);
        and_not(self, other) = vbicq_u8(self.0, other.0);
        select(self, a, b) = vbslq_u8(self.0, a.0, b.0);
        minus(self, other) = vsubq_u8(self.0, other.0);
        plus(self, other) = vaddq_u8(self.0, other.0);
        north<RANKS>(self) = from_boards(vshlq_u64(boards(self.0), vdupq_n_s64(8 * i64::from(RANKS))));
        south<RANKS>(self) = from_boards(vshlq_u64(boards(self.0), vdupq_n_s64(-8 * i64::from(RANKS))));
        shift_right<BITS>(self) = bytes(vshlq_u16(words(self.0), vdupq_n_s16(-(BITS as i16))));
        east(self) = vaddq_u8(self.0, self.0);
        west(self) = vshrq_n_u8::<1>(self.0);
        two_east(self) = vshlq_n_u8::<2>(self.0);
        two_west(self) = vshrq_n_u8::<2>(self.0);
        nonzero(self) = vtstq_u8(self.0, self.0);
        count_ones(self) = vcntq_u8(self.0);
        reverse(self) = vrbitq_u8(self.0);
        unpack_low(self, other) = vzip1q_u8(self.0, other.0);
        unpack_high(self, other) = vzip2q_u8(self.0, other.0);
        plus16(self, other) = bytes(vaddq_u16(words(self.0), words(other.0)));
        minus16(self, other) = bytes(vsubq_u16(words(self.0), words(other.0)));
        times16(self, other) = bytes(vmulq_u16(words(self.0), words(other.0)));
        less16(self, other) = bytes(vcltq_s16(vreinterpretq_s16_u8(self.0), vreinterpretq_s16_u8(other.0)));
    }

    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        a.xor(b).select(c, a)
    }

    // `occupied.or(sliders)` is the same for every direction, so each ray takes a single `bsl`.
    #[inline(always)]
    fn extend(ray: Self, sliders: Self, occupied: Self) -> Self {
        occupied.or(sliders).select(sliders, ray)
    }

    #[inline(always)]
    fn extend_over(ray: Self, sliders: Self, free: Self) -> Self {
        free.select(ray, sliders)
    }
}

impl Bytes for Neon {
    #[inline(always)]
    fn store_vector_pairs(self, words: &mut [u64], at: usize, _step: usize) {
        self.store_vector(&mut words[at..at + 2]);
    }

    #[inline(always)]
    fn first_board(half: usize, i: usize) -> usize {
        8 * half + i
    }

    #[inline(always)]
    fn pairs(pieces: &[Pieces]) -> [[Self; 2]; 4] {
        assert!(pieces.len() == 2, "an eighth of the lanes");
        let from = pieces.as_ptr().cast::<u64>();
        let mut pairs = [[Self::splat(0); 2]; 4];
        let mut pair = 0;
        while pair < 4 {
            // SAFETY: the build enables NEON; two positions are eight pairs of sets.
            unsafe {
                pairs[pair][0] = Self(from_boards(vld1q_u64(from.add(2 * pair))));
                pairs[pair][1] = Self(from_boards(vld1q_u64(from.add(8 + 2 * pair))));
            }
            pair += 1;
        }
        pairs
    }

    #[inline(always)]
    fn boards([even, odd]: [Self; 2]) -> [Self; 2] {
        // SAFETY: the build enables NEON.
        unsafe {
            let (a, b) = (boards(even.0), boards(odd.0));
            [Self(from_boards(vzip1q_u64(a, b))), Self(from_boards(vzip2q_u64(a, b)))]
        }
    }

    // Three rounds split whole boards, so interleaving saves nothing.
    #[inline(always)]
    fn interleaved(pair: [Self; 2]) -> [Self; 2] {
        Self::boards(pair)
    }

    #[inline(always)]
    fn from_interleaved(boards: [Self; 8]) -> [Self; 8] {
        Self::from_boards(boards)
    }

    /// A byte's offset has the bits (i0, k2, k1, k0) and the vector's index (i3, i2, i1), for board i and rank k.
    #[inline(always)]
    fn from_boards(boards: [Self; 8]) -> [Self; 8] {
        split::<4>(split::<2>(split::<1>(boards)))
    }

    #[inline(always)]
    fn to_boards(ranks: [Self; 8]) -> [Self; 8] {
        round::<Self, 1>(round::<Self, 2>(round::<Self, 4>(ranks)))
    }

    #[inline(always)]
    fn load_numbers(numbers: &[i16]) -> [Self; 2] {
        assert!(numbers.len() == 16, "as many numbers as lanes");
        // SAFETY: the build enables NEON; 16 words are two vectors.
        unsafe {
            let (a, b) = (vld1q_s16(numbers.as_ptr()), vld1q_s16(numbers.as_ptr().add(8)));
            [
                Self(vreinterpretq_u8_s16(vuzp1q_s16(a, b))),
                Self(vreinterpretq_u8_s16(vuzp2q_s16(a, b))),
            ]
        }
    }

    #[inline(always)]
    fn store_numbers([low, high]: [Self; 2], numbers: &mut [i16]) {
        assert!(numbers.len() == 16, "as many numbers as lanes");
        // SAFETY: the build enables NEON; 16 words are two vectors.
        unsafe {
            let (low, high) = (vreinterpretq_s16_u8(low.0), vreinterpretq_s16_u8(high.0));
            vst1q_s16(numbers.as_mut_ptr(), vzip1q_s16(low, high));
            vst1q_s16(numbers.as_mut_ptr().add(8), vzip2q_s16(low, high));
        }
    }
}
