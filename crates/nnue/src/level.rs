//! Selects the fastest code for a kernel. This is the only place that says which instructions answer which question:
//!
//! | kernel | threats and inputs | changes |
//! |---|---|---|
//! | `avx512-gfni` | AVX-512 with VBMI2 and GFNI | AVX-512 with VBMI2 |
//! | `avx512` | those of `avx2` | AVX2 |
//! | `avx2`, `avx2-gfni` | AVX2 and BMI2 | AVX2 |
//! | `wide`, `lanes` | the best that the build enables | the best that the build enables |
//! | `scalar` | portable code | portable code |
//!
//! Without VBMI2, which compresses bytes, lists gain nothing from AVX-512, and processors that lack it lower their clock
//! when 512-bit registers are used: on Cascade Lake, lists of threats took 1.16 times as long as with AVX2, although the
//! source was the same.

use crate::pairs::{BUFFER, Sets, Threat};
use crate::portable;
#[cfg(target_arch = "x86_64")]
use crate::{avx2, avx512};
use setwise::by_level;
use setwise::dispatch::Level;

/// True if the pairs of several positions are contiguous, as the code for AVX-512 and GFNI needs them.
pub(crate) const fn joins_positions<L: Level>() -> bool {
    by_level!(L; avx512_gfni => true, avx512 | avx2 => false, portable => false)
}

/// Writes the pairs to the start of `buffer` and returns their number. The rest of `buffer` is unspecified.
#[inline(always)]
pub(crate) fn pairs<L: Level>(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    by_level!(
        L;
        avx512_gfni => avx512::pairs::pairs(sets, buffer),
        avx512 | avx2 => {
            #[cfg(feature = "std")]
            if !setwise::processor::has_fast_pext() {
                return portable_pairs(sets, buffer);
            }
            avx2::pairs::pairs(sets, buffer)
        },
        portable => portable::pairs(sets, buffer)
    )
}

/// Used on processors with microcoded `pext`, where some twenty `pext` would take longer than everything else.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[cold]
#[inline(never)]
fn portable_pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    portable::pairs(sets, buffer)
}
