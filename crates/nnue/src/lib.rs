//! Threats and the inputs of neural networks (NNUE), for one position or for many. The inputs of a network are the
//! indices by which it identifies threats, pairs of pawns, and pieces on squares.
//!
//! A *threat* is a pair of squares: a piece on `from` attacks the occupied square `to`. Attacker and victim may be of
//! either side; if both belong to the same side, the victim is defended. Rays end at the first piece: x-ray attacks
//! are not threats. Pins are ignored. Pawns attack the squares on which they capture.
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
//! The crate computes:
//!
//! - *Threats.* [`position::threats`] lists the pairs of one position, [`Kernel::threats`](crate::KernelExt::threats)
//!   the pairs of many, one list for each position.
//! - *Changes of threats.* Given the squares that a move changes, [`position::threat_changes`] lists the pairs that it
//!   adds and removes, with their pieces. [`position::threats_changed`] compares two positions.
//! - *Inputs*, also called features. A [`FeatureSet`] defines the inputs of a network and their indices from the
//!   perspective of either side. It consists of blocks: threats, pairs of pawns, pieces on squares.
//!   [`position::inputs`] computes the inputs of one position, [`position::input_changes`] those that a move changes;
//!   [`Kernel::features`](crate::KernelExt::features) and [`Kernel::feature_rows`](crate::KernelExt::feature_rows)
//!   compute the inputs of many positions.
//!
//! # The order of a list
//!
//! The order of a list is the same on every backend. It is the order in which the fastest code computes the pairs:
//!
//! 1. The pairs of sliders, axis by axis: ranks, files, diagonals (north-east), antidiagonals (north-west). On each
//!    axis, slider by slider; for each slider the pair upwards (east, or any direction with a step north), then the
//!    pair downwards. Sliders are sorted by the index of their square on the axis. Squares are numbered line by line:
//!    ranks from a1 to h1, then from a2; files from a1 to a8, then from b1. On a diagonal axis, each group of eight
//!    squares is two lines, which together have one square on every rank. Groups are ordered by file minus rank
//!    (diagonals) or file plus rank (antidiagonals), modulo 8; the squares of a group are ordered by rank. So b1 c2 d3
//!    e4 f5 g6 h7 are followed by a8, and b1 a2 by h3.
//! 2. The pairs of pawns: white's to the north-west, white's to the north-east, black's to the south-west, black's to
//!    the south-east; each group sorted by the attacked square.
//! 3. The pairs of knights, knight by knight, each sorted by the attacked square. Then the pairs of kings.
//!
//! # Inconsistent boards
//!
//! The piece on a square is the one that [`Pieces::at`](setwise::Pieces::at) returns: white if the square is in the
//! sets of both colours, and the first of its roles in the order of [`Role::ALL`](setwise::Role::ALL). So a square
//! holds at most one piece, and no board has more than [`MAX_THREATS`] pairs. A square with a role but without a colour
//! is empty. A square with a colour but without a role is occupied: it can be attacked, but nothing attacks from it,
//! and pairs with it have no inputs. A board may have any number of kings; only the inputs of a perspective require
//! exactly one king of that side.
//!
//! # Public interfaces used
//!
//! This crate uses only the public interface of [`setwise`]: [`setwise::dispatch`] runs its code with a kernel's
//! instructions. The functions whose names end in `_at` have a [level](setwise::dispatch::Level) as a parameter; call
//! them from code that you dispatch in this way.
//!
//! # Features
//!
//! - `bulk` (default): calls for many positions, and [columns].
//! - `std` (default): detection of the processor's instructions and of slow `pext`. Without either feature, the crate
//!   is `no_std` and allocates nothing.
#![no_std]
// On docs.rs, each item names the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Many links point to bulk calls.
#![cfg_attr(not(feature = "bulk"), allow(rustdoc::broken_intra_doc_links))]
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(feature = "bulk")]
extern crate alloc;

#[cfg(feature = "bulk")]
mod attackers;
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
pub use bulk::{FeatureLists, KernelExt, Sides, ThreatLists};
pub use changes::{ChangeError, PairFilter, SquareChange, ThreatChange, ThreatChanges, buffer_len};
#[cfg(feature = "bulk")]
pub use columns::{Column, Request};
pub use features::{FeatureError, FeatureSet};
pub use inputs::{InputBuffers, InputChanges};
pub use pairs::{MAX_THREATS, Threat, ThreatList};
pub use perspective::Perspective;
pub use position::NnueKernel;
pub use slots::{InputNumber, Slot};

/// Runs the examples of `docs/threats.md`.
#[cfg(all(doctest, feature = "bulk"))]
#[doc = include_str!("../../../docs/threats.md")]
struct Pages;
