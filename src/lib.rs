//! Squares attacked by whole sets of chess pieces, for one position or for a billion.
//!
//! Attack sets are computed for all pieces of a set at once, by bit arithmetic and without lookup tables.
//!
//! - Bulk calls slice boards by ranks: a vector register holds the same rank of up to 64 boards. Rays along ranks are
//!   subtractions within each byte; rays along files and diagonals propagate from rank to rank.
//! - Calls for one position use Kogge-Stone fills, with one direction per vector lane.
//! - The backends [`Backend::Scalar`] and [`Backend::Lanes`] use generalized set-wise hyperbola quintessence
//!   ([`Hyperbola`]), with overflow barriers and reversals. They run everywhere and serve to check the other backends.
//!
//! | task | one position | many positions |
//! |---|---|---|
//! | Squares that sliders attack | [`position::slider_attacks`] | [`Kernel::slider_attacks`] |
//! | The same in each of the eight directions | [`position::slider_rays`] | [`Kernel::slider_rays`] |
//! | Squares that each role attacks | [`position::attacks`], [`position::attacks_by`] | [`Kernel::fill`] |
//! | Checkers and pinned pieces | [`position::checkers`], [`position::pinned`] | [`Kernel::fill`] |
//! | Hanging pieces, attack counts, mobility | [`eval`], or faster by other means (see there) | [`Kernel::fill`] |
//! | Legal moves | [`position::legal`](fn@position::legal) | [`Column::LEGAL_MOVES`], [`Column::LEGAL_PLANES`] |
//! | Your own code with a kernel's instructions | [`functions!`] | [`Kernel::run`] |
//! | Your own evaluation term | [`Term::one`] (feature `bulk`) | [`Kernel::eval`] |
//! | Several results for the same boards | | [`Batch`] |
//! | A single rook, bishop or queen; the squares between two squares | [`line`](mod@line) | |
//! | Pawns, knights, kings | [`leaper`] | |
//! | Reading FEN | [`Fen::parse`] | |
//! | Backends that this processor can run | [`Backend::available`] | |
//! | A simple implementation to test your own code against | [`reference`](mod@reference) | |
//!
//! ```
//! use setwise::{Colour, Column, Fen, Kernel, ColumnKind, position};
//!
//! // One position.
//! let pieces = Fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")?.pieces;
//! let attacks = position::attacks(&pieces);
//! assert_eq!(attacks[Colour::White].rook & 0xff, 0b0111_1110); // b1 to g1: both rooks see the king
//!
//! // Many positions: a column for each question, in one call.
//! let positions = vec![pieces; 1000];
//! let mut attacked = vec![0_u64; 1000];
//! let kernel = Kernel::detect();
//! kernel.fill(&positions, &mut [Column::white(ColumnKind::All).to(&mut attacked)]);
//! assert_eq!(attacked[999], attacks[Colour::White].all);
//! # Ok::<(), setwise::fen::FenError>(())
//! ```
//!
//! # The board
//!
//! A board is a `u64`: a1 is bit 0, h1 is bit 7, a8 is bit 56, h8 is bit 63. A square is a `u8` from 0 to 63. If your
//! boards start at a8, flip them with [`bitboard::flip_vertical`] (one `swap_bytes`). Without flipping, sliders,
//! knights and kings are still correct in your numbering; only pawns attack like those of the other colour.
//!
//! *Orthogonal* sliders are rooks and queens, *diagonal* sliders are bishops and queens. An attack set contains the
//! squares where a piece could capture an enemy piece. It includes the squares of friendly pieces, which are thereby
//! defended. Pins are ignored. Pawns attack the squares that they capture on, not those that they move to. All pieces
//! block. A position may have any number of kings, including none.
//!
//! Arguments have the same order everywhere: colour, role, square; sets of sliders before the occupied squares.
//!
//! # Facts about sets
//!
//! - Lines are independent: pieces on one rank, file or diagonal do not affect any other line.
//! - The sliders of a set block each other, whether or not `occupied` contains them. Their union is the same either
//!   way: where one slider blocks a ray, its own ray continues. This holds within one set only: a bishop blocks a rook
//!   only if `occupied` contains the bishop.
//! - Opposite rays of *one* slider never meet, so textbooks combine them with xor. Opposite rays of a *set* do meet,
//!   between two rooks that face each other, and must be combined with or.
//! - In any one direction, at most one slider of a set attacks a given square. So the eight rays carry more information
//!   than their union: a square in two rays is attacked twice, and the population counts of the rays add up to the
//!   number of attacks.
//!
//! # Backends and kernels
//!
//! A [`Backend`] is a layout of boards and the instructions that work on it; a [`Kernel`] is a backend that this
//! processor can run. [`Kernel::detect`] chooses the fastest. Create a kernel once and keep it. A bulk call dispatches
//! once, regardless of the number of rows.
//!
//! The x86-64 backends are chosen at run time, so a plain build contains all of them. `scalar`, `lanes` and `wide` run
//! everywhere; the speed of the latter two depends on the target features of the build (`-C target-cpu=...`). On
//! processors other than x86-64, `wide` is the fastest. It needs no flag for NEON on ARM. For WebAssembly, build with
//! `-C target-feature=+simd128`; without vectors, it computes one row at a time.
//!
//! The functions of [`position`] are inlined into your code with the instructions that your build enables.
//! [`Kernel::position`] offers the same functions with the instructions of the processor, at the cost of a few comparisons
//! and a call. Code that is generic over [`Boards`] also accepts a single `u64`, and then compiles to scalar Kogge-Stone fills.
//!
//! # Cost
//!
//! Bulk calls work on whole blocks of [`Backend::boards_per_block`] rows. The last block may overlap the one before it,
//! so remaining rows need no separate loop. Unions of at most half a block, and attack maps of at most a quarter to half
//! a block, are computed row by row. Any other call with fewer rows than a block is padded, which takes up to 1.5 times
//! as long as a full block. Calls with fixed-size results do not allocate. They access nothing outside the slices, and
//! their time does not depend on the pieces. A few thousand rows per call is a good size: all columns then stay in the
//! cache between your own steps and these calls. If you allocate sixteen columns or more in one piece, do not place
//! them whole pages apart: they compete for the same sets of the first cache, and attack maps of 4,096 rows took 1.08
//! times as long as those of 3,904 (Cascade Lake).
//!
//! The library starts no threads; split the slices yourself. With rayon:
//!
//! ```
//! # #[cfg(not(target_arch = "wasm32"))] {
//! use rayon::prelude::*;
//! use setwise::Kernel;
//!
//! let kernel = Kernel::detect();
//! # let (occupied, rooks, bishops) = (vec![1 << 7; 10_000], vec![1; 10_000], vec![0; 10_000]);
//! # let mut attacks = vec![0; 10_000];
//! (attacks.par_chunks_mut(4096), occupied.par_chunks(4096), rooks.par_chunks(4096), bishops.par_chunks(4096))
//!     .into_par_iter()
//!     .for_each(|(attacks, occupied, rooks, bishops)| kernel.slider_attacks(rooks, bishops, occupied, attacks));
//! # assert_eq!(attacks[9_999], 0x0101_0101_0101_01fe);
//! # }
//! ```
//!
//! # Features
//!
//! - `bulk` (default): bulk calls, columns and terms. It adds the dependency `wide`. Without it, the crate handles one
//!   position at a time and compiles in seconds.
//! - `legal-blocks` (default): planes, counts and status of legal moves for whole blocks of positions. Without it, bulk
//!   calls compute them one position at a time, and the binary is smaller.
//! - `std` (default): run-time detection of the processor, [`Batch`], lists, and the selection of columns by pattern.
//!   Without it, the crate is `no_std`, allocates nothing and cannot detect the processor. Instead of
//!   [`Kernel::detect`], use [`Kernel::built_in`], the fastest backend that the build enables.
//! - `cozy-chess`: conversions from `cozy_chess::Board` to [`Pieces`], and of roles and colours both ways.
//!
//! The minimum supported Rust version is 1.89, the first with stable AVX-512.
#![no_std]
// On docs.rs, each item names the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Many links point to bulk calls.
#![cfg_attr(not(feature = "bulk"), allow(rustdoc::broken_intra_doc_links))]
// Without vectors, no backend uses the code for sliced boards.
#![cfg_attr(
    not(any(target_feature = "sse2", target_feature = "simd128", target_feature = "neon")),
    allow(dead_code, unreachable_pub)
)]
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(all(feature = "bulk", feature = "std"))]
extern crate alloc;

pub mod backend;
pub mod bitboard;
mod boards;
#[cfg(feature = "bulk")]
mod bulk;
#[cfg(feature = "bulk")]
pub mod columns;
pub mod dispatch;
pub mod eval;
pub mod fen;
mod instructions;
pub mod leaper;
pub mod legal;
pub mod line;
mod names;
mod pieces;
pub mod position;
pub mod processor;
pub mod reference;
#[cfg(feature = "bulk")]
mod term;

pub use backend::{Backend, Kernel};
pub use boards::hyperbola::Hyperbola;
pub use boards::{Boards, Numbers, SliderAttacks};
#[cfg(all(feature = "bulk", feature = "std"))]
pub use bulk::{
    batch::Batch,
    lists::Lists,
    successor_buffers::{SuccessorBuffers, SuccessorPieces, Written},
    successors::Successors,
};
#[cfg(feature = "bulk")]
pub use bulk::{
    positions::Positions,
    request::{Buffer, Request},
};
#[cfg(feature = "bulk")]
pub use columns::{Column, ColumnKind, Needs, Shape, ValueType};
pub use fen::Fen;
pub use names::UnknownName;
pub use pieces::{ByColour, CodeMap, Colour, Pieces, Role, piece_code};
#[cfg(feature = "bulk")]
pub use term::{Of, PieceSquareTable, Term, Value};

/// Runs the examples of the README, one of which uses threads, and of the article.
#[cfg(all(doctest, not(target_arch = "wasm32")))]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/how-it-works.md")]
struct Readme;

/// Runs the examples of other pages.
#[cfg(all(doctest, feature = "bulk", feature = "std"))]
#[doc = include_str!("../docs/embedding.md")]
#[doc = include_str!("../docs/legal.md")]
#[doc = include_str!("../docs/successors.md")]
#[doc = include_str!("../docs/terms.md")]
struct Pages;
