//! Who attacks whom: the pairs of squares that a piece stands on and attacks, for one position or for many;
//! and the inputs of networks: the numbers under which they know these pairs, pairs of pawns, and pieces on squares.
//!
//! A *threat* is a pair: a piece on `from` attacks the occupied square `to`. Both sides' pieces attack, and
//! both sides' pieces are attacked: an own piece on `to` is defended. Rays end at the first piece, so there
//! are no x-rays; pins are ignored, and pawns count where they capture.
//!
//! ```
//! use setwise::{position, Fen};
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
//! - [`position::threats`](crate::position::threats) lists the pairs of one position, and
//!   [`Kernel::threats`](crate::Kernel::threats) those of many, one list after another.
//! - [`position::threat_changes`](crate::position::threat_changes) says what a move adds and removes, with the
//!   pieces of each pair, for an engine that knows which squares its move changes;
//!   [`position::threats_changed`](crate::position::threats_changed) compares two positions.
//! - A [`FeatureSet`] says which facts a network is told about a position (its *inputs* or *features*) and the number
//!   of each, from the view of either side: threats, pairs of pawns, pieces on squares, in blocks one behind the other.
//!   [`position::inputs`](crate::position::inputs) gives those of one position,
//!   [`position::input_changes`](crate::position::input_changes) what a move changes of them;
//!   [`Kernel::features`](crate::Kernel::features) and [`Kernel::feature_rows`](crate::Kernel::feature_rows) those of
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
//! What stands on a square is what [`Pieces::at`](crate::Pieces::at) says: white if a square has both colours, and the first of
//! its roles in the order of [`Role::ALL`](crate::Role::ALL). So a square holds one piece at most, and no board has more
//! than [`MAX_THREATS`] pairs. A square with a role but no colour is empty; one with a colour but no role is
//! occupied, so it can be attacked, but nothing attacks from it and no network has a number for it. Any
//! number of kings may stand on a board; only the inputs of a perspective need exactly one of its own.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod axes;
mod blocks;
pub(crate) mod changes;
pub(crate) mod extractor;
pub(crate) mod features;
pub(crate) mod input_number;
pub(crate) mod inputs;
mod named;
pub(crate) mod numbers;
pub(crate) mod pairs;
pub(crate) mod pawn_pairs;
mod perspective;
mod piece_square;
pub(crate) mod portable;
pub(crate) mod squares;
#[cfg(all(feature = "bulk", feature = "std"))]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 has streams"))]
pub(crate) mod stream;

pub use blocks::{
    BlockInputs, FeatureBlock, Mirror, PawnPairInputs, PieceSquareInputs, SetError, ThreatInputs,
};
pub use changes::{ChangeError, PairFilter, SquareChange, ThreatChange, ThreatChanges, buffer_len};
pub use features::{FeatureError, FeatureSet};

pub use inputs::{InputBuffers, InputChanges, InputError};
pub use pairs::{MAX_THREATS, NoSuchSquare, Threat, ThreatList};
pub use perspective::Perspective;
