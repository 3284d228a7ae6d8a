//! Backends: detection of those that this processor can run, and selection of one.
//!
//! The vectors of bulk calls are in `backend/`; `dispatch.rs` runs code on a backend.

#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use core::fmt;
use core::str::FromStr;

use crate::names::ShortName;
use crate::processor::Features;

#[cfg(all(feature = "bulk", target_arch = "x86_64"))]
pub(crate) mod avx2;
#[cfg(all(feature = "bulk", target_arch = "x86_64"))]
pub(crate) mod avx512;
#[cfg(all(
    feature = "bulk",
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod neon;
#[cfg(feature = "bulk")]
pub(crate) mod portable;
#[cfg(all(feature = "bulk", test))]
mod vector_tests;

/// A layout of boards, and the instructions that work on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Backend {
    /// `scalar`. Hyperbola quintessence on one `u64` at a time. Unions, attack maps and legal moves are computed row by row
    /// by the code for one position.
    Scalar,
    /// `lanes`. Hyperbola quintessence with a board in each 64-bit lane, through `wide`.
    /// Attack maps and legal moves are computed row by row by the code for one position.
    ///
    /// A direct vectorization of the arithmetic, as a second implementation to check the other backends against. It
    /// takes twice as many operations as Kogge-Stone; for speed, use the backend `wide`.
    ///
    /// The crate `wide` chooses its instructions at compile time, from the target features of the build.
    Lanes,
    /// `wide`. Boards sliced by ranks, through `wide`; on aarch64 with NEON vectors of this crate.
    ///
    /// The fastest backend where none is specific to the architecture, as on ARM and WebAssembly. It uses the
    /// instructions that the build enables: for WebAssembly, build with `-C target-feature=+simd128`.
    ///
    /// If the build enables no vectors (WebAssembly without `simd128`, RISC-V, s390x, 32-bit ARM), a block is one board:
    /// unions, attack maps and legal moves are computed row by row by the code for one position, and everything else as
    /// `scalar` does.
    Wide,
    /// `avx2`. Boards sliced by ranks, AVX2: 32 boards per block.
    ///
    #[doc = crate::__features!(avx2 => document)]
    Avx2,
    /// `avx2-gfni`. Boards sliced by ranks, AVX2 with GFNI: 32 boards per block; shifts and reverses bytes in one
    /// instruction.
    ///
    #[doc = crate::__features!(avx2_gfni => document)]
    Avx2Gfni,
    /// `avx512`. Boards sliced by ranks, AVX-512 F, BW, VL and DQ: 64 boards per block, with masked loads and
    /// three-input logic.
    ///
    #[doc = crate::__features!(avx512 => document)]
    Avx512,
    /// `avx512-gfni`. Boards sliced by ranks, AVX-512 with VBMI, VBMI2, BITALG and GFNI: 64 boards per block, on Ice
    /// Lake, Zen 4 and later.
    ///
    #[doc = crate::__features!(avx512_gfni => document)]
    Avx512Gfni,
}

impl Backend {
    /// Every backend of this crate, whether or not this processor can run it, from the simplest to the fastest.
    pub const ALL: &'static [Self] = &[
        Self::Scalar,
        Self::Lanes,
        Self::Wide,
        Self::Avx2,
        Self::Avx2Gfni,
        Self::Avx512,
        Self::Avx512Gfni,
    ];

    /// The name, the description and the features of each backend, in the order of [`ALL`](Self::ALL).
    const FACTS: [(&'static str, &'static str, Option<Features>); Self::ALL.len()] = [
        ("scalar", "Hyperbola quintessence on one `u64` at a time.", None),
        ("lanes", "Hyperbola quintessence with a board in each 64-bit lane, through `wide`.", None),
        ("wide", "Boards sliced by ranks, through `wide`.", None),
        ("avx2", "Boards sliced by ranks, AVX2.", Some(Features::Avx2)),
        ("avx2-gfni", "Boards sliced by ranks, AVX2 with GFNI.", Some(Features::Avx2Gfni)),
        ("avx512", "Boards sliced by ranks, AVX-512 F, BW, VL and DQ.", Some(Features::Avx512)),
        (
            "avx512-gfni",
            "Boards sliced by ranks, AVX-512 with VBMI, VBMI2, BITALG and GFNI.",
            Some(Features::Avx512Gfni),
        ),
    ];

    /// The name that selects it, such as `avx512-gfni`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::FACTS[self as usize].0
    }

    /// A description in one line.
    #[must_use]
    pub const fn description(self) -> &'static str {
        Self::FACTS[self as usize].1
    }

    /// The processor features that it needs in addition to those of the build; `None` if it needs none, and so is
    /// always available: `scalar`, `lanes` and `wide`.
    #[must_use]
    pub const fn features(self) -> Option<Features> {
        Self::FACTS[self as usize].2
    }

    /// Returns whether this processor and this build can run it.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        self.features().is_none_or(Features::is_available)
    }

    /// The fastest backend whose features the build itself enables, so that no detection is needed; `wide` if there is
    /// none.
    pub(crate) const BUILT_IN: Self = {
        let mut best = Self::Wide;
        let mut i = 0;
        while i < Self::ALL.len() {
            if let Some(features) = Self::ALL[i].features()
                && features.is_built_in()
            {
                best = Self::ALL[i];
            }
            i += 1;
        }
        best
    };

    /// The backends that this processor can run, from the simplest to the fastest.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|backend| backend.is_available())
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An error for a name that is not a [`Backend`]. The message quotes the name, and lists the backends that this
/// processor can run.
///
/// ```
/// let error = "avx1024".parse::<setwise::Backend>().unwrap_err();
/// assert!(error.to_string().starts_with("no backend is called `avx1024`; this processor can run `scalar`, `lanes`"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownBackend {
    name: ShortName,
}

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no backend is called {}; this processor can run ", self.name)?;
        list_available(f)
    }
}

impl core::error::Error for UnknownBackend {}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        let found = Self::ALL.iter().copied().find(|backend| backend.name() == name);
        found.ok_or_else(|| UnknownBackend { name: ShortName::new(name) })
    }
}

/// An error for a backend that this processor or this build cannot run. The message lists those that it can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnavailableBackend {
    backend: Backend,
}

impl UnavailableBackend {
    /// The requested backend.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }
}

impl fmt::Display for UnavailableBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this processor cannot run the backend `{}`; it can run ", self.backend)?;
        list_available(f)
    }
}

impl core::error::Error for UnavailableBackend {}

/// Writes the names of the backends that this processor can run.
fn list_available(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, backend) in Backend::available().enumerate() {
        f.write_str(if i == 0 { "" } else { ", " })?;
        write!(f, "`{backend}`")?;
    }
    Ok(())
}

/// A backend that this processor can run. The type is the proof: a `Kernel` exists only if the processor has the
/// instructions.
///
/// ```
/// use setwise::{Backend, Kernel};
/// let kernel = Kernel::detect();
/// assert!(kernel.backend().is_available());
/// assert_eq!(Kernel::new(Backend::Scalar)?.backend(), Backend::Scalar);
/// # Ok::<(), setwise::backend::UnavailableBackend>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    backend: Backend,
}

impl Kernel {
    /// The fastest backend that this processor can run.
    ///
    /// Needs the feature `std`, which detects the processor. Without it, use [`built_in`](Self::built_in).
    #[cfg(feature = "std")]
    #[must_use]
    pub fn detect() -> Self {
        Backend::available().last().map_or_else(Self::built_in, |backend| Self { backend })
    }

    /// The fastest backend that the build itself enables (`-C target-cpu=...`), without detection.
    ///
    /// In a plain build that is [`Backend::Wide`].
    #[must_use]
    pub const fn built_in() -> Self {
        Self { backend: Backend::BUILT_IN }
    }

    /// A kernel for a given backend.
    ///
    /// # Errors
    /// Returns an error if this processor or this build cannot run it.
    pub fn new(backend: Backend) -> Result<Self, UnavailableBackend> {
        if backend.is_available() {
            Ok(Self { backend })
        } else {
            Err(UnavailableBackend { backend })
        }
    }

    /// Returns whether the backend includes all features of a set, so that functions that enable them may be called.
    #[inline]
    #[must_use]
    pub fn enables(self, features: Features) -> bool {
        self.backend.features().is_some_and(|set| set.includes(features))
    }

    /// A kernel for every backend that this processor can run, from the simplest to the fastest.
    pub fn available() -> impl Iterator<Item = Self> {
        Backend::available().map(|backend| Self { backend })
    }

    /// The kernel of an available backend.
    #[inline]
    pub(crate) const fn of(backend: Backend) -> Self {
        Self { backend }
    }

    /// The backend of this kernel.
    #[inline]
    #[must_use]
    pub fn backend(self) -> Backend {
        self.backend
    }
}
