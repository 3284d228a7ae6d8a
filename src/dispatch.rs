//! Dispatch: runs generic code with the instructions of a [`Kernel`].
//!
//! A [`Level`] is a token that proves that the processor has the instructions of its backend. The library obtains
//! levels in three ways. So can your code:
//!
//! - [`Kernel::run`] runs a [`Task`], for work on many positions. It is a `match` on the backend. Each arm calls a
//!   function that enables the backend's instructions, and the task is inlined into it.
//! - [`functions!`](crate::functions) defines methods that compare the backend and call its function directly, for short
//!   calls about one position with arguments in registers.
//! - [`built_in`] returns the level of the instructions that the build enables, for code that is inlined into its
//!   caller.
//!
//! The level of a call, by the kernel's backend. A backend with faster instructions does not use them where they gain
//! nothing, because the code is compiled once less, and because the clock of some processors falls when 64-byte registers
//! are in use:
//!
//! | call | `scalar` | `lanes` | `wide` | `avx2` | `avx2-gfni` | `avx512` | `avx512-gfni` |
//! |---|---|---|---|---|---|---|---|
//! | [`Kernel::run`]: unions, rays, numbers, terms | `scalar`, unions by rows | `lanes` | `wide` | `avx2` | `avx2-gfni` | `avx512` | `avx512-gfni` |
//! | attack maps, counts and status of legal moves | by rows | by rows | `wide` | `avx2` | `avx2-gfni` | `avx512` | `avx512-gfni` |
//! | planes of legal moves | by rows | by rows | `wide` | `avx2` | `avx2` | `avx512` | `avx512` |
//! | slicing, other bitboards | `scalar` | `lanes` | `wide` | `avx2` | `avx2` | `avx512` | `avx512` |
//! | by rows: other legal moves, successors, checks and pins of the side to move or in few columns; less than a block of legal moves | `scalar` | `wide` | `wide` | `avx2` | `avx2` | `avx2` | `avx2` |
//! | [`Kernel::run_nearest`]: lists of threats and inputs, packed records | `scalar` | `wide` | `wide` | `avx2` | `avx2` | `avx2` | `avx512-gfni` |
//! | [`functions!`](crate::functions): one position, attack maps by rows, unions and maps of few rows, in `scalar` all unions | `scalar` | `wide` | `wide` | `avx2` | `avx2-gfni` | `avx2` | `avx512-gfni` |
//!
//! ```
//! use setwise::{Boards, Kernel, dispatch::{Level, Task}};
//!
//! /// Counts the squares that the knights of all boards attack.
//! struct KnightMoves<'a>(&'a [u64]);
//!
//! impl Task for KnightMoves<'_> {
//!     type Output = u64;
//!
//!     #[inline(always)]
//!     fn run<L: Level>(self, level: L) -> u64 {
//!         let mut moves = 0;
//!         for block in self.0.chunks(L::BOARDS) {
//!             // Pad a partial block with empty boards.
//!             let mut boards = [0; setwise::dispatch::MAX_BOARDS];
//!             boards[..block.len()].copy_from_slice(block);
//!             let knights = level.load(&boards[..L::BOARDS]);
//!             level.store(setwise::leaper::knights(knights), &mut boards[..L::BOARDS]);
//!             for board in &boards[..block.len()] {
//!                 moves += u64::from(board.count_ones());
//!             }
//!         }
//!         moves
//!     }
//! }
//!
//! for kernel in Kernel::available() {
//!     assert_eq!(kernel.run(KnightMoves(&[1, 1 << 27, 0])), 2 + 8);
//! }
//! ```

#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use crate::backend::{Backend, Kernel};
use crate::boards::Sealed;
#[cfg(feature = "bulk")]
pub use crate::boards::block::MAX_BOARDS;
use crate::instructions::{self, Instructions};
use crate::processor::Features;
#[cfg(feature = "bulk")]
use crate::{
    backend::portable,
    boards::{Boards, block::Block, bytes::Bytes, hyperbola::Hyperbola},
    pieces::Pieces,
};
#[cfg(all(feature = "bulk", target_arch = "x86_64"))]
use crate::{
    backend::{avx2, avx512},
    boards::sliced::Sliced,
};

use self::__level as level;

mod functions;

/// A token that proves that the processor has a backend's instructions. Only the dispatch creates tokens and names their
/// types, because the boards of a type are created without a token.
///
/// Code that is generic over a level is compiled once for each backend. It must be inlined into the function that
/// enables the instructions, so mark every function that takes a level `#[inline(always)]`, and use plain loops instead
/// of closures. Code that is not inlined is still correct, but is compiled without the instructions.
///
/// Code that uses intrinsics selects them with [`by_level!`](crate::by_level) or checks [`enables`](Self::enables), which
/// is resolved at compile time. The methods that
/// load or store panic unless the slice has one element for each of the [boards in a block](Self::BOARDS).
pub trait Level: Sealed + Copy + Send + Sync + 'static {
    /// The backend.
    const BACKEND: Backend;

    /// The processor features that code with this level may use: none for `scalar`, those of the build for `lanes` and
    /// `wide`.
    const FEATURES: Option<Features> = match Self::BACKEND {
        Backend::Scalar => None,
        Backend::Lanes | Backend::Wide => Backend::BUILT_IN.features(),
        Backend::Avx2 | Backend::Avx2Gfni | Backend::Avx512 | Backend::Avx512Gfni => {
            Self::BACKEND.features()
        }
    };

    /// The number of boards in [`Boards`](Self::Boards).
    #[cfg(feature = "bulk")]
    const BOARDS: usize = Self::Boards::COUNT;

    /// The boards that the backend processes together.
    #[cfg(feature = "bulk")]
    type Boards: Boards + Block;

    /// The vectors of sliced boards: those of the block, or of the build if the block is not sliced.
    #[cfg(feature = "bulk")]
    #[doc(hidden)]
    type Vector: Bytes;

    /// The operations on one position.
    #[doc(hidden)]
    type Position: Instructions;

    /// Creates the token.
    ///
    /// # Safety
    /// The processor must have the instructions of the backend.
    #[doc(hidden)]
    unsafe fn assume() -> Self;

    /// The kernel of the backend.
    #[inline(always)]
    fn kernel(self) -> Kernel {
        Kernel::of(Self::BACKEND)
    }

    /// Returns whether code with this level may use a set of processor features.
    #[inline(always)]
    fn enables(self, features: Features) -> bool {
        enables::<Self>(features)
    }

    /// Loads a board from each element.
    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn load(self, boards: &[u64]) -> Self::Boards {
        assert!(boards.len() == Self::BOARDS, "a block of boards");
        Self::Boards::load(boards)
    }

    /// Stores a board in each element.
    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn store(self, boards: Self::Boards, to: &mut [u64]) {
        assert!(to.len() == Self::BOARDS, "a block of boards");
        boards.store(to);
    }

    /// Loads a position from each element.
    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn load_pieces(self, pieces: &[Pieces]) -> Pieces<Self::Boards> {
        assert!(pieces.len() == Self::BOARDS, "a block of positions");
        Self::Boards::load_pieces(pieces)
    }

    /// Stores a number in each element.
    #[cfg(feature = "bulk")]
    #[inline(always)]
    fn store_numbers(self, numbers: <Self::Boards as Boards>::Numbers, to: &mut [i16]) {
        assert!(to.len() == Self::BOARDS, "a block of numbers");
        Self::Boards::store_numbers(numbers, to);
    }
}

/// [`Level::enables`] for constants.
#[doc(hidden)]
#[must_use]
pub const fn enables<L: Level>(features: Features) -> bool {
    match L::FEATURES {
        Some(set) => set.includes(features),
        None => false,
    }
}

/// Selects code by the features that a [`Level`](crate::dispatch::Level) enables: the first arm with a [feature
/// set](crate::processor::Features) that it includes, or else the portable code. The choice is made at compile time. On
/// processors other than x86-64 only the portable code is compiled.
///
/// Every call names all sets, in this order. Sets with the same code are joined by `|`. Only `avx2-gfni` has no code of
/// its own.
///
/// ```
/// use setwise::by_level;
/// use setwise::dispatch::{Level, built_in};
///
/// fn name<L: Level>(_level: L) -> &'static str {
///     by_level!(L; avx512_gfni | avx512 => "AVX-512", avx2 => "AVX2", portable => "none of them")
/// }
///
/// assert!(["AVX-512", "AVX2", "none of them"].contains(&name(built_in())));
/// ```
#[macro_export]
macro_rules! by_level {
    (@$level:ty; $portable:expr; $([$set:ident $code:expr])*) => {{
        #[cfg(target_arch = "x86_64")]
        {
            $(
                if const {
                    $crate::dispatch::enables::<$level>($crate::processor::Features::$set)
                } { $code } else
            )* { $portable }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            $portable
        }
    }};
    ($level:ty; avx512_gfni => $gfni:expr, avx512 => $avx512:expr, avx2 => $avx2:expr, portable => $portable:expr $(,)?) => {
        $crate::by_level!(@$level; $portable; [Avx512Gfni $gfni] [Avx512 $avx512] [Avx2 $avx2])
    };
    ($level:ty; avx512_gfni => $gfni:expr, avx512 | avx2 => $avx2:expr, portable => $portable:expr $(,)?) => {
        $crate::by_level!(@$level; $portable; [Avx512Gfni $gfni] [Avx2 $avx2])
    };
    ($level:ty; avx512_gfni | avx512 => $avx512:expr, avx2 => $avx2:expr, portable => $portable:expr $(,)?) => {
        $crate::by_level!(@$level; $portable; [Avx512 $avx512] [Avx2 $avx2])
    };
    ($level:ty; avx512_gfni | avx512 | avx2 => $avx2:expr, portable => $portable:expr $(,)?) => {
        $crate::by_level!(@$level; $portable; [Avx2 $avx2])
    };
}

/// The levels, one for each backend. They are not part of the interface: only [`functions!`](crate::functions) names them
/// in other crates. Whoever names one promises, as with [`Level::assume`], that the processor has its instructions, because
/// its associated types use them without a token.
#[doc(hidden)]
pub mod __level {
    use super::*;

    /// Defines the token of a backend, given its vectors, its block and its instructions for one position.
    macro_rules! level {
        ($backend:ident: $vector:ty, $block:ty, $position:ty) => {
            #[derive(Clone, Copy)]
            pub struct $backend(());

            impl Sealed for $backend {}

            impl Level for $backend {
                const BACKEND: Backend = Backend::$backend;
                #[cfg(feature = "bulk")]
                type Boards = $block;
                #[cfg(feature = "bulk")]
                type Vector = $vector;
                type Position = $position;

                #[inline(always)]
                unsafe fn assume() -> Self {
                    Self(())
                }
            }
        };
        ($backend:ident: $vector:ty, $position:ty) => {
            #[cfg(target_arch = "x86_64")]
            level!($backend: $vector, Sliced<$vector>, $position);
        };
    }

    level!(Scalar: portable::Vector, Hyperbola<u64>, instructions::Scalar);
    level!(Lanes: portable::Vector, portable::LaneBoards, BuiltIn);
    level!(Wide: portable::Vector, portable::Block, BuiltIn);
    level!(Avx2: avx2::Avx2<false>, instructions::avx2::Avx2<false>);
    level!(Avx2Gfni: avx2::Avx2<true>, instructions::avx2::Avx2<true>);
    level!(Avx512: avx512::Avx512<false>, instructions::avx2::Avx2<false>);
    level!(Avx512Gfni: avx512::Avx512<true>, instructions::avx2::Avx2<true>);
}

// The instructions for one position that the build enables.
crate::__features! { avx2 => unless_built_in pub(crate) use instructions::Scalar as BuiltIn; }
crate::__features! { avx2 => if_built_in
    pub(crate) type BuiltIn = instructions::avx2::Avx2<{ cfg!(target_feature = "gfni") }>;
}

/// Returns the level of the backend `wide`, which uses the instructions that the build enables (`-C target-cpu=...`).
#[inline(always)]
#[must_use]
pub fn built_in() -> impl Level {
    // SAFETY: the backend needs only the instructions that the build enables.
    unsafe { level::Wide::assume() }
}

/// Work that runs on any backend.
///
/// Mark `run` `#[inline(always)]`, so that it becomes part of the function that enables the backend's instructions; see
/// [`Level`].
pub trait Task {
    /// The result.
    type Output;

    /// Does the work.
    fn run<L: Level>(self, level: L) -> Self::Output;
}

impl Kernel {
    /// Runs a task with the instructions of this kernel.
    ///
    /// The module [`dispatch`](crate::dispatch) has an example.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: a `Kernel` exists only for a backend that was found to be available, which requires the features that
        // the function enables.
        unsafe {
            match self.backend() {
                Backend::Scalar => run::portable::<level::Scalar, _>(task),
                Backend::Lanes => run::portable::<level::Lanes, _>(task),
                Backend::Wide => run::portable::<level::Wide, _>(task),
                Backend::Avx2 => run::avx2(task),
                Backend::Avx2Gfni => run::avx2_gfni(task),
                Backend::Avx512 => run::avx512(task),
                Backend::Avx512Gfni => run::avx512_gfni(task),
            }
        }
    }

    /// Runs a task that has separate code for `avx2` and `avx512-gfni` alone. Other backends use the nearest level below
    /// theirs, so the task is compiled only for `scalar`, `wide` and these two.
    #[inline]
    pub fn run_nearest<T: Task>(self, task: T) -> T::Output {
        // SAFETY: as in `run`; a backend has at least the features that the function enables.
        unsafe {
            match self.backend() {
                Backend::Scalar => run::portable::<level::Scalar, _>(task),
                Backend::Lanes | Backend::Wide => run::portable::<level::Wide, _>(task),
                Backend::Avx2 | Backend::Avx2Gfni | Backend::Avx512 => run::avx2(task),
                Backend::Avx512Gfni => run::avx512_gfni(task),
            }
        }
    }

    /// Runs a task that would gain little from GFNI: backends with GFNI share the code of those without.
    #[cfg(feature = "bulk")]
    #[inline]
    pub(crate) fn run_without_gfni<T: Task>(self, task: T) -> T::Output {
        // SAFETY: as in `run`; a backend has at least the features that the function enables.
        unsafe {
            match self.backend() {
                Backend::Scalar => run::portable::<level::Scalar, _>(task),
                Backend::Lanes => run::portable::<level::Lanes, _>(task),
                Backend::Wide => run::portable::<level::Wide, _>(task),
                Backend::Avx2 | Backend::Avx2Gfni => run::avx2(task),
                Backend::Avx512 | Backend::Avx512Gfni => run::avx512(task),
            }
        }
    }

    /// Runs a task that computes rows with the instructions for one position. It gains nothing from AVX-512, but the
    /// clock of some processors falls when 64-byte registers are in use.
    #[cfg(feature = "bulk")]
    #[inline]
    pub(crate) fn run_by_rows<T: Task>(self, task: T) -> T::Output {
        // SAFETY: as in `run`; a backend has at least the features that the function enables.
        unsafe {
            match self.backend() {
                Backend::Scalar => run::portable::<level::Scalar, _>(task),
                Backend::Lanes | Backend::Wide => run::portable::<level::Wide, _>(task),
                Backend::Avx2 | Backend::Avx2Gfni | Backend::Avx512 | Backend::Avx512Gfni => {
                    run::avx2(task)
                }
            }
        }
    }
}

/// The functions that enable a backend's instructions. Code of a task that is inlined into one of them uses these
/// instructions.
mod run {
    use super::{Level, Task};

    /// Uses the instructions of the build. Not inlined, so that each task is compiled once, no matter how often it is
    /// called.
    #[inline(never)]
    pub(super) fn portable<L: Level, T: Task>(task: T) -> T::Output {
        // SAFETY: the portable backends need only the instructions that the build enables.
        task.run(unsafe { L::assume() })
    }

    macro_rules! enter {
        ($($name:ident $level:ident)*) => {$(
            crate::__features! {
                $name => enable

                #[inline]
                pub(super) fn $name<T: Task>(task: T) -> T::Output {
                    // SAFETY: this function enables the instructions.
                    task.run(unsafe { super::level::$level::assume() })
                }
            }

            #[cfg(not(target_arch = "x86_64"))]
            pub(super) unsafe fn $name<T: Task>(_: T) -> T::Output {
                unreachable!("no kernel has a backend that is not available")
            }
        )*};
    }

    enter!(avx2 Avx2 avx2_gfni Avx2Gfni avx512 Avx512 avx512_gfni Avx512Gfni);
}

#[cfg(feature = "bulk")]
impl Backend {
    /// Returns whether a block is sliced by ranks. Other backends compute rays, unions, numbers and terms in their blocks,
    /// attack maps and legal moves one position at a time.
    pub(crate) const fn is_sliced(self) -> bool {
        match self {
            Self::Scalar | Self::Lanes => false,
            Self::Wide => level::Wide::BOARDS > 1,
            Self::Avx2 | Self::Avx2Gfni | Self::Avx512 | Self::Avx512Gfni => true,
        }
    }

    /// The number of boards that a bulk call processes together. A call with fewer rows costs [up to 1.5 times as
    /// much](crate#cost) as a full block.
    #[must_use]
    pub const fn boards_per_block(self) -> usize {
        match self {
            Self::Scalar => level::Scalar::BOARDS,
            Self::Lanes => level::Lanes::BOARDS,
            Self::Wide => level::Wide::BOARDS,
            Self::Avx2 | Self::Avx2Gfni => 32,
            Self::Avx512 | Self::Avx512Gfni => 64,
        }
    }
}
