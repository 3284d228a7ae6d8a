//! Selects the fastest code for a kernel. This is the only place that says which instructions answer which question:
//!
//! | kernel | threats and inputs | changes |
//! |---|---|---|
//! | `avx512-gfni` | AVX-512 with VBMI2 and GFNI | AVX2, compressed by AVX-512 |
//! | `avx512` | those of `avx2` ([`of_lists`]) | AVX2 |
//! | `avx2`, `avx2-gfni` | AVX2 and BMI2 | AVX2 |
//! | `wide`, `lanes` | the best that the build enables | the best that the build enables, AVX-512 without GFNI too |
//! | `scalar` | portable code | portable code |
//!
//! Without VBMI2, which compresses bytes, lists gain nothing from AVX-512, and processors that lack it lower their clock
//! when 512-bit registers are used: on Cascade Lake, lists of threats took 1.16 times as long as with AVX2, although the
//! source was the same. Changes use no 512-bit registers: with `vpcompressd`, a move takes 0.95 of the time in a build
//! for that processor.

use crate::pairs::{BUFFER, Sets, Threat};
use crate::portable;
#[cfg(target_arch = "x86_64")]
use crate::{avx2, avx512};
use setwise::dispatch::Level;
#[cfg(target_arch = "x86_64")]
use setwise::processor::Features;
use setwise::{Backend, Kernel};

/// The kernel with which to list threats and inputs.
#[inline]
pub(crate) fn of_lists(kernel: Kernel) -> Kernel {
    if kernel.backend() == Backend::Avx512 {
        return Kernel::new(Backend::Avx2).expect("AVX-512 includes AVX2");
    }
    kernel
}

/// Selects the first expression whose instructions a level enables: AVX-512 with GFNI or any AVX-512 (one or neither of
/// them), AVX2, or portable.
#[cfg(target_arch = "x86_64")]
macro_rules! by_level {
    (
        $level:ty, $(avx512_gfni: $gfni:expr,)? $(avx512: $avx512:expr,)? avx2: $avx2:expr, portable: $portable:expr
    ) => {
        $(if const { $crate::level::has_avx512_gfni::<$level>() } { $gfni } else)?
        $(if const { $crate::level::has_avx512::<$level>() } { $avx512 } else)?
        if const { $crate::level::has_avx2::<$level>() } { $avx2 } else { $portable }
    };
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! by_level {
    (
        $level:ty, $(avx512_gfni: $gfni:expr,)? $(avx512: $avx512:expr,)? avx2: $avx2:expr, portable: $portable:expr
    ) => {
        $portable
    };
}
pub(crate) use by_level;

/// Returns whether a level enables AVX-512 and GFNI.
pub(crate) const fn has_avx512_gfni<L: Level>() -> bool {
    #[cfg(target_arch = "x86_64")]
    return enables::<L>(Features::Avx512Gfni);
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Returns whether a level enables AVX-512, with GFNI or without.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn has_avx512<L: Level>() -> bool {
    enables::<L>(Features::Avx512)
}

/// Returns whether a level enables AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn has_avx2<L: Level>() -> bool {
    enables::<L>(Features::Avx2)
}

#[cfg(target_arch = "x86_64")]
const fn enables<L: Level>(features: Features) -> bool {
    match L::FEATURES {
        Some(set) => set.includes(features),
        None => false,
    }
}

/// Writes the pairs to the start of `buffer` and returns their number. The rest of `buffer` is unspecified.
#[inline(always)]
pub(crate) fn pairs<L: Level>(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    by_level!(
        L,
        avx512_gfni: avx512::pairs::pairs(sets, buffer),
        avx2: {
            #[cfg(feature = "std")]
            if !setwise::processor::has_fast_pext() {
                return portable_pairs(sets, buffer);
            }
            avx2::pairs::pairs(sets, buffer)
        },
        portable: portable::pairs(sets, buffer)
    )
}

/// Used on processors with microcoded `pext`, where some twenty `pext` would take longer than everything else.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[cold]
#[inline(never)]
fn portable_pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    portable::pairs(sets, buffer)
}
