//! Which instructions do the work: the backends, what this processor can run, and the choice made once.

use core::fmt;
use core::str::FromStr;

use crate::boards::Boards;
use crate::simd::one::{Arguments, Question, Scalar};
#[cfg(target_arch = "x86_64")]
use crate::simd::{
    avx2::{Avx2, Avx2Gfni},
    avx512::{Avx512, Avx512Gfni},
    one::{avx2::Avx2 as Avx2One, avx512::Avx512 as Avx512One},
};
use crate::sliced::Sliced;

/// Writes, for each set of instructions that is chosen at run time, how it is detected and the function
/// that enables it. The list of features stands here once and serves both.
macro_rules! instructions {
    ($($(#[$doc:meta])* $module:ident: [$($feature:tt)*];)*) => {
        $(
            $(#[$doc])*
            #[cfg(target_arch = "x86_64")]
            mod $module {
                use super::Task;
                use crate::boards::Boards;
                use crate::simd::one::{Arguments, One, Question};

                /// Whether the build enables them everywhere.
                pub(super) const BUILT_IN: bool = true $(&& cfg!(target_feature = $feature))*;

                /// Whether the processor has them: asked at run time with feature `std`, else known
                /// from the build.
                #[inline]
                pub(super) fn available() -> bool {
                    #[cfg(feature = "std")]
                    {
                        BUILT_IN || (true $(&& std::is_x86_feature_detected!($feature))*)
                    }
                    #[cfg(not(feature = "std"))]
                    {
                        BUILT_IN
                    }
                }

                /// Runs a task with the instructions enabled, so that all of it that is inlined here
                /// uses them.
                #[inline]
                $(#[target_feature(enable = $feature)])*
                pub(super) fn run<B: Boards, T: Task>(task: T) -> T::Output {
                    task.run::<B>()
                }

                /// Answers a question about one position, with the instructions enabled.
                #[inline]
                $(#[target_feature(enable = $feature)])*
                pub(super) fn answer<O: One, Q: Question<A>, A: Arguments>(
                    first: A::First,
                    second: A::Second,
                    third: A::Third,
                ) -> Q::Answer {
                    Q::run::<O>(A::together(first, second, third))
                }
            }
        )*
    };
}

instructions! {
    avx2: ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"];
    avx2_gfni: ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "gfni"];
    avx512: ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512vl" "avx512dq"];
    avx512_gfni: ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "avx512f" "avx512bw" "avx512vl" "avx512dq"
        "avx512vbmi" "avx512bitalg" "gfni"];
}

/// A way to hold boards, and the instructions for it.
///
/// `wide` chooses its instructions when it is compiled, so `Lanes` and `Wide` are as fast as the build's
/// target features allow, on any processor; the others bring their own and are chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Backend {
    /// `scalar`: hyperbola quintessence on one `u64` at a time.
    Scalar,
    /// `lanes`: hyperbola quintessence with a board in each 64-bit lane, through `wide`.
    Lanes,
    /// `wide`: boards sliced by ranks, through `wide`.
    Wide,
    /// `avx2`: 32 boards sliced by ranks.
    Avx2,
    /// `avx2-gfni`: the same, with bit reversal in one instruction.
    Avx2Gfni,
    /// `avx512`: 64 boards sliced by ranks, with AVX-512 F, BW, VL and DQ.
    Avx512,
    /// `avx512-gfni`: the same, with VBMI, BITALG and GFNI besides (Ice Lake, Zen 4 and later).
    Avx512Gfni,
}

/// The vectors of `lanes` and `wide`: as wide as the build's target features make fast.
mod portable {
    #[cfg(not(target_feature = "avx2"))]
    pub(super) use wide::{u8x16 as Bytes, u64x2 as Lanes};
    #[cfg(all(target_feature = "avx2", not(target_feature = "avx512bw")))]
    pub(super) use wide::{u8x32 as Bytes, u64x4 as Lanes};
    #[cfg(target_feature = "avx512bw")]
    pub(super) use wide::{u8x64 as Bytes, u64x8 as Lanes};
}

impl Backend {
    /// Every backend this crate knows, on any processor, from the simplest to the fastest.
    pub const ALL: &'static [Self] = &[
        Self::Scalar,
        Self::Lanes,
        Self::Wide,
        Self::Avx2,
        Self::Avx2Gfni,
        Self::Avx512,
        Self::Avx512Gfni,
    ];

    /// The name by which it is chosen, as in `avx512-gfni`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Lanes => "lanes",
            Self::Wide => "wide",
            Self::Avx2 => "avx2",
            Self::Avx2Gfni => "avx2-gfni",
            Self::Avx512 => "avx512",
            Self::Avx512Gfni => "avx512-gfni",
        }
    }

    /// Whether this processor (and this build) can run it.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar | Self::Lanes | Self::Wide => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni => avx2_gfni::available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Gfni => avx512_gfni::available(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The backends that this processor can run, from the simplest to the fastest.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|backend| backend.is_available())
    }

    /// How many boards it works on together.
    #[must_use]
    pub const fn boards(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Lanes => portable::Lanes::COUNT,
            Self::Wide => Sliced::<portable::Bytes>::COUNT,
            Self::Avx2 | Self::Avx2Gfni => 32,
            Self::Avx512 | Self::Avx512Gfni => 64,
        }
    }

    /// What it is, in a line.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Scalar => "hyperbola quintessence on one 64-bit word",
            Self::Lanes => "hyperbola quintessence, a board per 64-bit lane, through `wide`",
            Self::Wide => "boards sliced by ranks, through `wide`",
            Self::Avx2 => "boards sliced by ranks, AVX2",
            Self::Avx2Gfni => "boards sliced by ranks, AVX2 with GFNI",
            Self::Avx512 => "boards sliced by ranks, AVX-512 F, BW, VL, DQ",
            Self::Avx512Gfni => "boards sliced by ranks, AVX-512 with VBMI, BITALG and GFNI",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no [`Backend`] has. Its message lists those that this processor can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownBackend;

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no backend has this name; available here:")?;
        for (i, backend) in Backend::available().enumerate() {
            f.write_str(if i == 0 { " " } else { ", " })?;
            f.write_str(backend.name())?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownBackend {}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        Self::ALL.iter().copied().find(|backend| backend.name() == name).ok_or(UnknownBackend)
    }
}

/// A choice of backend, made once: a `Kernel` in hand proves that the processor has the instructions.
///
/// ```
/// use setwise::{Backend, Kernel};
/// let kernel = Kernel::detect();
/// assert!(kernel.backend().is_available());
/// assert!(Kernel::new(Backend::Scalar).is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kernel {
    backend: Backend,
}

impl Kernel {
    /// The fastest backend that this processor can run.
    #[must_use]
    pub fn detect() -> Self {
        Backend::available().last().and_then(Self::new).unwrap_or(Self { backend: Backend::Scalar })
    }

    /// The backend asked for, if this processor can run it.
    #[must_use]
    pub fn new(backend: Backend) -> Option<Self> {
        backend.is_available().then_some(Self { backend })
    }

    /// What was chosen.
    #[must_use]
    pub fn backend(self) -> Backend {
        self.backend
    }

    /// Runs a task on the boards of the chosen backend, with its instructions enabled.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self.backend {
            Backend::Scalar => plain::<u64, T>(task),
            Backend::Lanes => plain::<portable::Lanes, T>(task),
            Backend::Wide => plain::<Sliced<portable::Bytes>, T>(task),
            // SAFETY, for the four below: there is no `Kernel` for a backend that was not found to be
            // available, and `available` asks for the very features that `run` enables.
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Backend::Avx2 => unsafe { avx2::run::<Sliced<Avx2>, T>(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Backend::Avx2Gfni => unsafe { avx2_gfni::run::<Sliced<Avx2Gfni>, T>(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Backend::Avx512 => unsafe { avx512::run::<Sliced<Avx512>, T>(task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Backend::Avx512Gfni => unsafe { avx512_gfni::run::<Sliced<Avx512Gfni>, T>(task) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("no kernel is made for a backend that is not available"),
        }
    }
}

/// Runs a task with the instructions of the build. A function of its own, so that a task is compiled once
/// however often it is called.
#[inline(never)]
fn plain<B: Boards, T: Task>(task: T) -> T::Output {
    task.run::<B>()
}

impl Kernel {
    /// Answers a question about one position, with the backend's instructions enabled. The portable backends
    /// do what the build's own target features allow.
    #[inline]
    pub(crate) fn answer<Q: Question<A>, A: Arguments>(
        self,
        a: A::First,
        b: A::Second,
        c: A::Third,
    ) -> Q::Answer {
        match self.backend {
            Backend::Scalar => Q::run::<Scalar>(A::together(a, b, c)),
            Backend::Lanes | Backend::Wide => answer::<Q, A>(A::together(a, b, c)),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as in `run`.
            Backend::Avx2 => unsafe { avx2::answer::<Avx2One<false>, Q, A>(a, b, c) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as in `run`.
            Backend::Avx2Gfni => unsafe { avx2_gfni::answer::<Avx2One<true>, Q, A>(a, b, c) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as in `run`.
            Backend::Avx512 => unsafe { avx512::answer::<Avx512One<false>, Q, A>(a, b, c) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as in `run`.
            Backend::Avx512Gfni => unsafe { avx512_gfni::answer::<Avx512One<true>, Q, A>(a, b, c) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("no kernel is made for a backend that is not available"),
        }
    }
}

/// Answers a question about one position with what the build's target features allow, chosen when it is
/// compiled.
#[inline(always)]
pub(crate) fn answer<Q: Question<A>, A: Arguments>(arguments: A) -> Q::Answer {
    #[cfg(target_arch = "x86_64")]
    {
        // The whole build has the instructions, so nothing needs to enable them.
        if avx512_gfni::BUILT_IN {
            return Q::run::<Avx512One<true>>(arguments);
        }
        if avx512::BUILT_IN {
            return Q::run::<Avx512One<false>>(arguments);
        }
        if avx2_gfni::BUILT_IN {
            return Q::run::<Avx2One<true>>(arguments);
        }
        if avx2::BUILT_IN {
            return Q::run::<Avx2One<false>>(arguments);
        }
    }
    Q::run::<Scalar>(arguments)
}

/// Something to do on whatever boards a backend has.
///
/// `run` is `#[inline(always)]` in every implementor, so that it becomes part of the function that
/// enables the backend's instructions.
pub(crate) trait Task {
    /// What it gives back.
    type Output;

    /// Does it.
    fn run<B: Boards>(self) -> Self::Output;
}
