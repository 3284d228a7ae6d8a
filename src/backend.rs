//! Which instructions do the work: the backends, what this processor can run, and the choice made once.

use core::fmt;
use core::str::FromStr;

use crate::boards::Boards;

/// A way to hold boards, and the instructions for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Backend {
    /// Hyperbola quintessence on one `u64` at a time.
    Scalar,
}

impl Backend {
    /// Every backend this crate knows, on any processor, from the simplest to the fastest.
    pub const ALL: &'static [Self] = &[Self::Scalar];

    /// The name by which it is chosen, as in `avx512-gfni`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
        }
    }

    /// Whether this processor (and this build) can run it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
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
        }
    }

    /// What it is, in a line.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Scalar => "hyperbola quintessence on one 64-bit word",
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
            Backend::Scalar => task.run::<u64>(),
        }
    }
}

/// Something to do on whatever boards a backend has.
///
/// `run` is `#[inline(always)]` in every implementor, so that it becomes part of the function that
/// enables the backend's instructions.
pub(crate) trait Task {
    type Output;

    fn run<B: Boards>(self) -> Self::Output;
}
