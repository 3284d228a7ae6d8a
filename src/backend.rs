//! The table of backends, the detection of those that this processor can run, and the choice of one.
//!
//! Each row of the table describes one backend completely. Everything that has to name all backends is generated from
//! it: the enum, names, detection, the dispatch of bulk calls below, the dispatch of one-position calls in
//! `position.rs`, and the tests of every backend by name. To add a backend, add a row here and the file of its vectors.

use core::fmt;
use core::str::FromStr;

#[cfg(feature = "bulk")]
use crate::boards::block::Block;
#[cfg(feature = "bulk")]
use crate::boards::sliced::Sliced;
use crate::names::ShortName;
use crate::processor::Features;

#[cfg(all(feature = "bulk", target_arch = "x86_64"))]
mod avx2;
#[cfg(all(feature = "bulk", target_arch = "x86_64"))]
mod avx512;
#[cfg(feature = "bulk")]
mod portable;
#[cfg(all(feature = "bulk", test))]
mod vector_tests;

/// Passes the table to a macro, after other arguments: the backends from the simplest to the fastest.
///
/// Each row has the variant, a name for modules, the name that users type, and the documentation, whose first line is
/// the description. Then come the type that holds the boards of a bulk call, and the type in `position/` that answers
/// questions about one position. The x86-64 backends are chosen at run time, by the feature set (`processor.rs`) that
/// they name: its variant, and its name for macros.
#[doc(hidden)]
#[macro_export]
macro_rules! __backends {
    ({ $($then:tt)+ } $($arguments:tt)*) => {
        $($then)+! {
            $($arguments)*
            portable {
                Scalar scalar "scalar" {
                    "Hyperbola quintessence on one `u64` at a time."
                }
                boards: u64;
                position: scalar::Scalar;

                Lanes lanes "lanes" {
                    "Hyperbola quintessence with a board in each 64-bit lane, through `wide`."
                    "The arithmetic as written, in vectors: a second implementation to check the other backends against."
                    "Even with lines turned into ranks it takes up to twice the operations of Kogge-Stone, and has half the"
                    "speed; only in a build that enables AVX-512 with GFNI is it a little faster. For speed use the backend"
                    "`wide`."
                    "The crate `wide` chooses its instructions at compile time, by the target features of the build."
                }
                boards: portable::Lanes;
                position: BuiltIn;

                Wide wide "wide" {
                    "Boards sliced by ranks, through `wide`."
                    "The fastest backend on processors that have none of their own, such as NEON and WebAssembly,"
                    "with the instructions that the build enables."
                }
                boards: Sliced<portable::Bytes>;
                position: BuiltIn;
            }
            x86_64 {
                Avx2 avx2 "avx2" {
                    "Boards sliced by ranks, AVX2."
                    "32 boards a block."
                }
                features: Avx2 avx2;
                boards: Sliced<avx2::Avx2<false>>;
                position: avx2::Avx2<false>;

                Avx2Gfni avx2_gfni "avx2-gfni" {
                    "Boards sliced by ranks, AVX2 with GFNI."
                    "32 boards a block; shifts and reverses bytes in one instruction."
                }
                features: Avx2Gfni avx2_gfni;
                boards: Sliced<avx2::Avx2<true>>;
                position: avx2::Avx2<true>;

                Avx512 avx512 "avx512" {
                    "Boards sliced by ranks, AVX-512 F, BW, VL and DQ."
                    "64 boards a block, with masked loads and logic of three inputs."
                }
                features: Avx512 avx512;
                boards: Sliced<avx512::Avx512<false>>;
                position: avx512::Avx512<false>;

                Avx512Gfni avx512_gfni "avx512-gfni" {
                    "Boards sliced by ranks, AVX-512 with VBMI, VBMI2, BITALG and GFNI."
                    "64 boards a block, on Ice Lake, Zen 4 and later."
                }
                features: Avx512Gfni avx512_gfni;
                boards: Sliced<avx512::Avx512<true>>;
                position: avx512::Avx512<true>;
            }
        }
    };
}

/// Generates code for each backend of the table: the enum and its methods, and the function that enables its features
/// for a bulk call.
macro_rules! backends {
    (
        portable {
            $($portable:ident $portable_module:ident $portable_name:literal {
                $portable_description:literal $($portable_more:literal)*
            }
            boards: $portable_boards:ty;
            position: $portable_position:ty;)*
        }
        x86_64 {
            $($native:ident $module:ident $native_name:literal {
                $native_description:literal $($native_more:literal)*
            }
            features: $set:ident $features:ident;
            boards: $native_boards:ty;
            position: $native_position:ty;)*
        }
    ) => {
        /// A layout of boards, and the instructions that work on it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Backend {
            $(
                #[doc = concat!("`", $portable_name, "`. ", $portable_description)]
                $(#[doc = $portable_more])*
                $portable,
            )*
            $(
                #[doc = concat!("`", $native_name, "`. ", $native_description)]
                $(#[doc = $native_more])*
                #[doc = crate::__features!($features => document)]
                $native,
            )*
        }

        impl Backend {
            /// Every backend of this crate, whether or not this processor can run it, from the simplest to the fastest.
            pub const ALL: &'static [Self] = &[$(Self::$portable,)* $(Self::$native,)*];

            /// The name that selects it, such as `avx512-gfni`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$portable => $portable_name,)*
                    $(Self::$native => $native_name,)*
                }
            }

            /// A description in one line.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$portable => $portable_description,)*
                    $(Self::$native => $native_description,)*
                }
            }

            /// Whether this processor and this build can run it.
            #[must_use]
            #[inline]
            pub fn is_available(self) -> bool {
                match self {
                    $(Self::$portable => true,)*
                    $(Self::$native => Features::$set.is_available(),)*
                }
            }

            /// The processor features that it needs; none for backends that run everywhere.
            pub(crate) const fn features(self) -> Option<Features> {
                match self {
                    $(Self::$portable => None,)*
                    $(Self::$native => Some(Features::$set),)*
                }
            }

            /// The number of boards that a bulk call processes together. A call with fewer rows costs as much.
            #[cfg(feature = "bulk")]
            #[must_use]
            pub const fn boards_per_block(self) -> usize {
                use crate::boards::Boards;
                match self {
                    $(Self::$portable => <$portable_boards>::COUNT,)*
                    $(
                        #[cfg(target_arch = "x86_64")]
                        Self::$native => <$native_boards>::COUNT,
                        #[cfg(not(target_arch = "x86_64"))]
                        Self::$native => 0,
                    )*
                }
            }

            /// The fastest backend that the build itself enables, so that it needs no detection.
            pub(crate) const BUILT_IN: Self = {
                let mut best = Self::Scalar;
                $(
                    if Features::$set.is_built_in() {
                        best = Self::$native;
                    }
                )*
                best
            };
        }

        #[cfg(feature = "bulk")]
        impl Kernel {
            /// Runs a task on the boards of this backend, with its instructions enabled.
            #[inline]
            pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
                match self.backend {
                    $(Backend::$portable => run::portable::<$portable_boards, T>(task),)*
                    $(
                        #[cfg(target_arch = "x86_64")]
                        // SAFETY: a `Kernel` for a backend exists only where the backend was found to be
                        // available, and that needs the features that this function enables.
                        Backend::$native => unsafe { run::$module::<$native_boards, T>(task) },
                        #[cfg(not(target_arch = "x86_64"))]
                        Backend::$native => unreachable!("no kernel has a backend that is not available"),
                    )*
                }
            }
        }

        /// The functions that enable a backend's instructions. The parts of a task that are inlined into one of them
        /// use these instructions.
        #[cfg(feature = "bulk")]
        mod run {
            use super::{Block, Task};

            /// Uses the instructions of the build. Not inlined, so that each task is compiled once, no matter how often
            /// it is called.
            #[inline(never)]
            pub(super) fn portable<B: Block, T: Task>(task: T) -> T::Output {
                task.run::<B>()
            }

            $(
                #[cfg(target_arch = "x86_64")]
                crate::__features! {
                    $features => enable

                    #[inline(never)]
                    pub(super) fn $module<B: Block, T: Task>(task: T) -> T::Output {
                        task.run::<B>()
                    }
                }
            )*
        }
    };
}

__backends!({ backends });
pub(crate) use crate::__backends;

impl Backend {
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
    ///
    /// ```
    /// use setwise::Kernel;
    /// assert!(Kernel::built_in().backend().is_available());
    /// ```
    #[must_use]
    pub const fn built_in() -> Self {
        match Backend::BUILT_IN {
            Backend::Scalar => Self { backend: Backend::Wide },
            backend => Self { backend },
        }
    }

    /// A kernel for a given backend.
    ///
    /// # Errors
    /// If this processor or this build cannot run it.
    pub fn new(backend: Backend) -> Result<Self, UnavailableBackend> {
        if backend.is_available() {
            Ok(Self { backend })
        } else {
            Err(UnavailableBackend { backend })
        }
    }

    /// Whether the backend has all features of a set, so that functions that enable them may be called.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn enables(self, features: Features) -> bool {
        self.backend.features().is_some_and(|set| set.includes(features))
    }

    /// A kernel for every backend that this processor can run, from the simplest to the fastest.
    pub fn available() -> impl Iterator<Item = Self> {
        Backend::available().map(|backend| Self { backend })
    }

    /// The backend of this kernel.
    #[must_use]
    pub fn backend(self) -> Backend {
        self.backend
    }
}

#[cfg(feature = "bulk")]
impl Kernel {
    /// [`run`](Self::run) for work that GFNI would hardly speed up: the backends with GFNI use the code of those without.
    #[inline]
    pub(crate) fn run_without_gfni<T: Task>(self, task: T) -> T::Output {
        match self.backend {
            Backend::Scalar => run::portable::<u64, T>(task),
            Backend::Lanes => run::portable::<portable::Lanes, T>(task),
            // SAFETY: a `Kernel` for a backend exists only where the backend was found to be available; it needs at
            // least the features that this function enables.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 | Backend::Avx2Gfni => unsafe {
                run::avx2::<Sliced<avx2::Avx2<false>>, T>(task)
            },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 | Backend::Avx512Gfni => unsafe {
                run::avx512::<Sliced<avx512::Avx512<false>>, T>(task)
            },
            _ => run::portable::<Sliced<portable::Bytes>, T>(task),
        }
    }
}

/// Work that can run on the boards of any backend.
///
/// `run` is `#[inline(always)]` in every implementor, so that it becomes part of the function that
/// enables the backend's instructions.
#[cfg(feature = "bulk")]
pub(crate) trait Task {
    /// The result.
    type Output;

    /// Does the work.
    fn run<B: Block>(self) -> Self::Output;
}
