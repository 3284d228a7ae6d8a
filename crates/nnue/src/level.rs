//! The choice of an extractor: the fastest whose instructions a level has.

#[cfg(target_arch = "x86_64")]
use setwise::dispatch::Level;
#[cfg(target_arch = "x86_64")]
use setwise::processor::Features;

/// Evaluates an expression with the extractor of a level: `by_level!(L, E => function::<E>())`. The expression must be the
/// last of a function.
macro_rules! by_level {
    ($level:ty, $extractor:ident => $answer:expr) => {{
        #[cfg(target_arch = "x86_64")]
        if const { $crate::level::enables::<$level>(setwise::processor::Features::Avx512Gfni) } {
            type $extractor = $crate::avx512::Avx512;
            return $answer;
        }
        #[cfg(target_arch = "x86_64")]
        if const { $crate::level::enables::<$level>(setwise::processor::Features::Avx2) } {
            type $extractor = $crate::avx2::Avx2;
            return $answer;
        }
        type $extractor = $crate::extractor::Portable;
        $answer
    }};
}
pub(crate) use by_level;

/// Whether code with a level may use a set of processor features.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn enables<L: Level>(features: Features) -> bool {
    match L::FEATURES {
        Some(set) => set.includes(features),
        None => false,
    }
}
