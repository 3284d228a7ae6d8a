//! Processor features: the only module that names, detects and enables them.
//!
//! Code chooses instructions by [feature sets](Features): a [backend](crate::Backend::features) has one, and code with
//! versions for particular processors checks its [`Level`](crate::dispatch::Level) for one.
//!
//! With the feature `std` the processor is queried once, at run time. Without it, a feature set is available if the
//! build enables all of it (`-C target-feature=...`). Features of the build that only affect portable code, such as
//! SSE2, are not listed here.

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use core::sync::atomic::{AtomicU8, Ordering};

/// The features of each set, expanded for one of several uses.
#[doc(hidden)]
#[macro_export]
macro_rules! __features {
    (avx2 => $($then:tt)+) => {
        $crate::__features! { @["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"] $($then)+ }
    };
    (avx2_gfni => $($then:tt)+) => {
        $crate::__features! { @["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "gfni"] $($then)+ }
    };
    (avx512 => $($then:tt)+) => {
        $crate::__features! {
            @["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512vl" "avx512dq"]
            $($then)+
        }
    };
    (avx512_gfni => $($then:tt)+) => {
        $crate::__features! {
            @["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512vl" "avx512dq"
              "avx512cd" "avx512vbmi" "avx512vbmi2" "avx512bitalg" "gfni"]
            $($then)+
        }
    };
    // The set of a value.
    ($set:expr => $what:ident) => {
        match $set {
            $crate::processor::Features::Avx2 => $crate::__features!(avx2 => $what),
            $crate::processor::Features::Avx2Gfni => $crate::__features!(avx2_gfni => $what),
            $crate::processor::Features::Avx512 => $crate::__features!(avx512 => $what),
            $crate::processor::Features::Avx512Gfni => $crate::__features!(avx512_gfni => $what),
        }
    };
    // Enables the features in a function of x86-64; those of the build are enabled in any case.
    (portable => enable $($function:tt)*) => { $($function)* };
    (@[$($feature:tt)*] enable $($function:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        $(#[target_feature(enable = $feature)])*
        $($function)*
    };
    // An item of builds for x86-64 that enable the features everywhere, or of all others.
    (@[$($feature:tt)*] if_built_in $($item:tt)*) => {
        #[cfg(all(target_arch = "x86_64", $(target_feature = $feature),*))]
        $($item)*
    };
    (@[$($feature:tt)*] unless_built_in $($item:tt)*) => {
        #[cfg(not(all(target_arch = "x86_64", $(target_feature = $feature),*)))]
        $($item)*
    };
    // Their names, for documentation.
    (@[$($feature:tt)*] document) => { concat!("Needs", $(" `", $feature, "`",)* ".") };
    // Their names.
    (@[$($feature:tt)*] names) => { &[$($feature),*] };
    // True if the build is for x86-64 and enables them everywhere.
    (@[$($feature:tt)*] built_in) => { cfg!(all(target_arch = "x86_64", $(target_feature = $feature),*)) };
    // True if the processor has them.
    (@[$($feature:tt)*] detected) => { true $(&& std::is_x86_feature_detected!($feature))* };
}

/// A set of processor features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Features {
    /// AVX2 and the bit instructions that came with it.
    #[doc = crate::__features!(avx2 => document)]
    Avx2,
    /// The features of [`Avx2`](Self::Avx2), and GFNI.
    #[doc = crate::__features!(avx2_gfni => document)]
    Avx2Gfni,
    /// AVX-512 F, BW, VL and DQ, as in servers since 2017.
    #[doc = crate::__features!(avx512 => document)]
    Avx512,
    /// AVX-512 with byte permutations (VBMI, VBMI2), BITALG and GFNI, as in Ice Lake and Zen 4.
    #[doc = crate::__features!(avx512_gfni => document)]
    Avx512Gfni,
}

impl Features {
    /// All feature sets.
    pub const ALL: &'static [Self] = &[Self::Avx2, Self::Avx2Gfni, Self::Avx512, Self::Avx512Gfni];

    /// The names of the features, as the compiler spells them.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        crate::__features!(self => names)
    }

    /// Returns whether the build enables the feature set everywhere, so that it needs no detection.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        crate::__features!(self => built_in)
    }

    /// Returns whether the processor has the feature set.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    fn is_detected(self) -> bool {
        crate::__features!(self => detected)
    }

    /// Returns whether this processor can run code that enables the feature set: detected at run time with feature
    /// `std`, otherwise known from the build.
    #[inline]
    #[must_use]
    pub fn is_available(self) -> bool {
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            self.is_built_in() || detected() & self.bit() != 0
        }
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        {
            self.is_built_in()
        }
    }

    /// Returns whether this set includes all features of another.
    #[inline]
    #[must_use]
    pub const fn includes(self, other: Self) -> bool {
        match other {
            Self::Avx2 => true,
            Self::Avx2Gfni => matches!(self, Self::Avx2Gfni | Self::Avx512Gfni),
            Self::Avx512 => matches!(self, Self::Avx512 | Self::Avx512Gfni),
            Self::Avx512Gfni => matches!(self, Self::Avx512Gfni),
        }
    }

    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The feature sets of the processor, as bits. The processor is queried once; later calls are one load.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[inline]
fn detected() -> u8 {
    /// A bit that belongs to no set: the processor has been queried.
    const KNOWN: u8 = 0x80;
    static SETS: AtomicU8 = AtomicU8::new(0);

    #[cold]
    fn detect() -> u8 {
        let sets = Features::ALL.iter().filter(|set| set.is_detected());
        let sets = sets.fold(KNOWN, |sets, set| sets | set.bit());
        SETS.store(sets, Ordering::Relaxed);
        sets
    }

    match SETS.load(Ordering::Relaxed) {
        0 => detect(),
        sets => sets,
    }
}

/// Returns whether `pext` and `pdep` take only a few cycles. The first two generations of AMD's Zen, and Excavator
/// before them, run them in microcode, bit by bit, which is slower than not using them.
///
/// The query takes a microsecond in a virtual machine, so it is made only once.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[doc(hidden)]
#[must_use]
pub fn has_fast_pext() -> bool {
    /// 0 until it is known, then 1 for no and 2 for yes. (Not a lock, which could be held while the process forks.)
    static FAST: AtomicU8 = AtomicU8::new(0);

    #[cold]
    fn is_fast() -> bool {
        use core::arch::x86_64::__cpuid;

        #[allow(unused_unsafe, reason = "newer compilers know that it is safe")]
        // SAFETY: every x86-64 processor has the instruction and its leaves 0 and 1.
        let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
        let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
        let amd = matches!(vendor.as_flattened(), b"AuthenticAMD" | b"HygonGenuine");
        let family = (version.eax >> 8 & 15) + (version.eax >> 20 & 255);
        !amd || family >= 0x19
    }

    if FAST.load(Ordering::Relaxed) == 0 {
        FAST.store(1 + u8::from(is_fast()), Ordering::Relaxed);
    }
    FAST.load(Ordering::Relaxed) == 2
}
