//! BMI2: `pext` gathers a bit of all nibbles, `pdep` deals it out to the squares.
//!
//! Eight gathers and four deals a record. 
#![allow(unsafe_code, reason = "functions that enable instructions, and a token that says they are there")]

use core::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::bits::{Bits, Planes, Work};

/// Proof that the processor has BMI1, BMI2, LZCNT and POPCNT, and that its BMI2 is fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bmi2(());

impl Bmi2 {
    /// Asks the processor.
    ///
    /// The first two generations of AMD's Zen have `pext` and `pdep` in microcode that goes bit by bit, which
    /// takes longer than to do without them; so has Excavator.
    pub(crate) fn detect() -> Option<Self> {
        let there = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        (there && !in_microcode()).then_some(Self(()))
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists only where `detect` has found the four sets of instructions.
        unsafe { with_bmi2(work) }
    }
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn with_bmi2<W: Work>(work: W) -> W::Output {
    work.run::<Bmi2>()
}

/// Whether this is a processor of AMD (or Hygon) older than Zen 3.
fn in_microcode() -> bool {
    use core::arch::x86_64::__cpuid;
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
    fn planes(occupied: u64, nibbles: [u64; 2]) -> Planes {
        let gather = |bit: u32| {
            // SAFETY: only `with_bmi2` takes these functions, and it enables BMI2.
            let [low, high] = nibbles.map(|word| unsafe { _pext_u64(word, NIBBLES << bit) });
            low | high << 16
        };
        let gathered = [gather(0), gather(1), gather(2), gather(3)];
        let pieces = occupied.count_ones();
        let all = gathered[0] | gathered[1] | gathered[2] | gathered[3];
        Planes {
            // SAFETY: as above.
            bits: gathered.map(|bits| unsafe { _pdep_u64(bits, occupied) }),
            // With 64 pieces the shift does nothing, and there are too many anyway.
            miscounted: (pieces > 32) | (all.wrapping_shr(pieces) != 0),
        }
    }

    #[inline(always)]
    fn nth(set: u64, before: u32) -> u8 {
        // SAFETY: as above.
        let square = unsafe { _pdep_u64(1 << (before & 63), set) };
        (square.trailing_zeros() & 63) as u8
    }
}
