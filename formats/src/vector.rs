//! Codes dealt to squares with BMI2 and with AVX-512.
//!
//! BMI2: `pext` gathers a bit of all nibbles, twice for each of the four, and `pdep` deals it out to the
//! squares; codes are sorted by logic. AVX-512: nibbles become bytes, `vpexpandb` deals all of them out at once,
//! and a comparison with each code gives its squares.
#![allow(
    unsafe_code,
    reason = "functions that enable instructions, and a token that says they are there"
)]

use core::arch::x86_64::*;
use std::sync::OnceLock;

use crate::bits::{Bits, Codes, Work};

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT, and that its BMI2 is fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bmi2(());

impl Bmi2 {
    /// Asks the processor.
    ///
    /// The first two generations of AMD's Zen have `pext` and `pdep` in microcode that goes bit by bit, which
    /// takes longer than to do without them; so has Excavator.
    pub(crate) fn detect() -> Option<Self> {
        static QUICK: OnceLock<bool> = OnceLock::new();
        let there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        // Asking takes a microsecond where the machine is a virtual one.
        (there && *QUICK.get_or_init(|| !in_microcode())).then_some(Self(()))
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists only where `detect` has found the five sets of instructions.
        unsafe { with_bmi2(work) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_bmi2<W: Work>(work: W) -> W::Output {
    work.run::<Bmi2>()
}

/// Whether this is a processor of AMD (or Hygon) older than Zen 3.
fn in_microcode() -> bool {
    #[allow(unused_unsafe, reason = "newer compilers know that it is safe")]
    // SAFETY: every x86-64 processor has the instruction and its leaves 0 and 1.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let amd = matches!(
        [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes),
        [[b'A', b'u', b't', b'h'], [b'e', b'n', b't', b'i'], [b'c', b'A', b'M', b'D']]
            | [[b'H', b'y', b'g', b'o'], [b'n', b'G', b'e', b'n'], [b'u', b'i', b'n', b'e']]
    );
    let family = (version.eax >> 8 & 15) + (version.eax >> 20 & 255);
    amd && family < 0x19
}

/// A bit of every nibble.
const NIBBLES: u64 = 0x1111_1111_1111_1111;

impl Bits for Bmi2 {
    #[inline(always)]
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes {
        let nibbles = u128::from_le_bytes(*nibbles);
        let nibbles = [nibbles as u64, (nibbles >> 64) as u64];
        let gather = |bit: u32| {
            // SAFETY: only `with_bmi2` takes these functions, and it enables BMI2.
            let [low, high] = nibbles.map(|word| unsafe { _pext_u64(word, NIBBLES << bit) });
            low | high << 16
        };
        let gathered = [gather(0), gather(1), gather(2), gather(3)];
        let pieces = occupied.count_ones();
        let all = gathered[0] | gathered[1] | gathered[2] | gathered[3];
        // SAFETY: as above.
        let dealt = gathered.map(|bits| unsafe { _pdep_u64(bits, occupied) });
        // With 64 pieces the shift does nothing, and there are too many anyway.
        Codes::new(occupied, dealt, (pieces > 32) | (all.wrapping_shr(pieces) != 0))
    }

    #[inline(always)]
    fn nth(set: u64, before: u32) -> u8 {
        // SAFETY: as above.
        let square = unsafe { _pdep_u64(1 << (before & 63), set) };
        (square.trailing_zeros() & 63) as u8
    }
}

/// Proof that the processor has what [`Bmi2`] proves, and AVX-512 with BW, VL and VBMI2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Asks the processor.
    pub(crate) fn detect() -> Option<Self> {
        let there = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi2");
        (Bmi2::detect().is_some() && there).then_some(Self(()))
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists only where `detect` has found all these sets of instructions.
        unsafe { with_avx512(work) }
    }
}

#[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx512<W: Work>(work: W) -> W::Output {
    work.run::<Avx512>()
}

impl Bits for Avx512 {
    #[inline(always)]
    fn codes(occupied: u64, nibbles: &[u8; 16]) -> Codes {
        // SAFETY: only `with_avx512` takes these functions, and it enables what they need. The load takes the
        // 16 bytes of the array.
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
