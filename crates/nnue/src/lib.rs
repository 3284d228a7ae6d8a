//! Who attacks whom: the pairs of squares that a piece stands on and attacks, for one position or for many;
//! and the inputs of networks: the numbers under which they know these pairs, pairs of pawns, and pieces on squares.
//!
//! A *threat* is a pair: a piece on `from` attacks the occupied square `to`. Both sides' pieces attack, and
//! both sides' pieces are attacked: an own piece on `to` is defended. Rays end at the first piece, so there
//! are no x-rays; pins are ignored, and pawns count where they capture.
//!
//! ```
//! use setwise::Fen;
//! use setwise_nnue::position;
//! let fen = Fen::parse("4k3/8/8/3p4/4P3/8/8/4R1K1 w - - 0 1")?;
//! let mut threats: Vec<_> =
//!     position::threats(&fen.pieces).iter().map(|threat| (threat.from(), threat.to())).collect();
//! threats.sort_unstable();
//! let (e1, g1, e4, d5) = (4, 6, 28, 35);
//! assert_eq!(threats, [(e1, g1), (e1, e4), (e4, d5), (d5, e4)]);
//! # Ok::<(), setwise::fen::FenError>(())
//! ```
//!
//! Three questions are answered here:
//!
//! - [`position::threats`] lists the pairs of one position, and
//!   [`Kernel::threats`](crate::KernelExt::threats) those of many, one list after another.
//! - [`position::threat_changes`] says what a move adds and removes, with the
//!   pieces of each pair, for an engine that knows which squares its move changes;
//!   [`position::threats_changed`] compares two positions.
//! - A [`FeatureSet`] says which facts a network is told about a position (its *inputs* or *features*) and the number
//!   of each, from the view of either side: threats, pairs of pawns, pieces on squares, in blocks one behind the other.
//!   [`position::inputs`] gives those of one position,
//!   [`position::input_changes`] what a move changes of them;
//!   [`Kernel::features`](crate::KernelExt::features) and [`Kernel::feature_rows`](crate::KernelExt::feature_rows) those of
//!   many positions.
//!
//! # The order of a list
//!
//! Lists come in the order in which the fastest code makes them, the same on every backend:
//!
//! 1. What sliders attack, axis by axis: ranks, files, diagonals (north-east), antidiagonals (north-west).
//!    On each axis slider by slider, and for each the pair upwards (east, or with a step north), then the one
//!    downwards. Sliders come by their place on the axis, and places are numbered line by line: ranks from a1 to h1,
//!    then from a2; files from a1 to a8, then from b1. Eight places of a diagonal axis are two lines, which together
//!    have a square on every rank: diagonals are numbered by file less rank, antidiagonals by file and rank together,
//!    both modulo 8, and within the eight by rank. So b1 c2 d3 e4 f5 g6 h7 are followed by a8, and b1 a2 by h3.
//! 2. What pawns attack: white's to the north-west, white's to the north-east, black's to the south-west,
//!    black's to the south-east; by squares.
//! 3. What knights attack: knight by knight, and for each by the square attacked; then what kings attack.
//!
//! # Boards that are no chess
//!
//! What stands on a square is what [`Pieces::at`](setwise::Pieces::at) says: white if a square has both colours, and the first of
//! its roles in the order of [`Role::ALL`](setwise::Role::ALL). So a square holds one piece at most, and no board has more
//! than [`MAX_THREATS`] pairs. A square with a role but no colour is empty; one with a colour but no role is
//! occupied, so it can be attacked, but nothing attacks from it and no network has a number for it. Any
//! number of kings may stand on a board; only the inputs of a perspective need exactly one of its own.
//!
//! # The seam
//!
//! This crate uses only what [`setwise`] offers to everybody: [`setwise::dispatch`] runs its code with a kernel's
//! instructions. The functions whose names end in `_at` take a [level](setwise::dispatch::Level), for code of yours that
//! does the same.
//!
//! # Features
//!
//! - `bulk` (default): many positions at a time, and [columns].
//! - `std` (default): detection of the processor, and of slow `pext`. Without both the crate is `no_std` and allocates
//!   nothing.
#![no_std]
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(feature = "bulk")]
extern crate alloc;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod axes;
mod blocks;
#[cfg(feature = "bulk")]
mod bulk;
mod changes;
#[cfg(feature = "bulk")]
pub mod columns;
mod features;
mod inputs;
mod level;
mod named;
mod numbers;
mod pairs;
mod pawn_pairs;
mod perspective;
mod piece_square;
mod portable;
pub mod position;
mod prepared;
mod slots;

pub use blocks::{
    BlockInputs, FeatureBlock, Mirror, PawnPairInputs, PieceSquareInputs, SetError, ThreatInputs,
};
#[cfg(feature = "bulk")]
pub use bulk::{FeatureLists, KernelExt, ThreatLists};
pub use changes::{ChangeError, PairFilter, SquareChange, ThreatChange, ThreatChanges, buffer_len};
#[cfg(feature = "bulk")]
pub use columns::{Column, Request};
pub use features::{FeatureError, FeatureSet};
pub use inputs::{InputBuffers, InputChanges, InputError};
pub use pairs::{MAX_THREATS, NoSuchSquare, Threat, ThreatList};
pub use perspective::Perspective;
pub use position::NnueKernel;
pub use slots::{InputNumber, Slot};

/// Runs the examples of the page on threats.
#[cfg(all(doctest, feature = "bulk"))]
#[doc = include_str!("../../../docs/threats.md")]
struct Pages;
