//! Which squares does a whole set of chess pieces attack?
//!
//! Attack sets are computed here for all pieces of a set at once, by bit arithmetic without tables: for one
//! board, or for 64 boards together in the bytes of vector registers.
//!
//! | question | one position | many positions |
//! |---|---|---|
//! | What do these sliders attack? | [`position::slider_attacks`] | [`Kernel::slider_attacks`] |
//! | Each of the eight directions apart? | [`position::slider_rays`] | [`Kernel::slider_rays`] |
//! | What do all men attack, by role? | [`position::attacks`] | [`Kernel::attack_maps`] |
//! | Who gives check, who is pinned? | [`position::checkers`], [`position::pinned`] | [`Kernel::attack_maps`] |
//! | What hangs, how many attackers, how mobile? | [`eval`] | [`Kernel::attack_maps`], [`Kernel::attack_counts`] |
//! | A term of my own? | [`Term::one`] | [`Kernel::term`] |
//! | Several questions about the same boards? | | [`Batch`] |
//! | One rook, bishop or queen; the squares between two? | [`line`](mod@line) | |
//! | Pawns, knights, kings? | [`leaper`] | |
//! | What position is this FEN? | [`Fen::parse`] | |
//! | What can this processor run? | [`Backend::available`] | |
//! | Is my own code right? | [`reference`](mod@reference) | |
//!
//! ```
//! use setwise::{Fen, Kernel, Map, Pieces, position};
//!
//! // One position.
//! let pieces = Fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")?.pieces;
//! let [white, _black] = position::attacks(&pieces);
//! assert_eq!(white.rook & 0xff, 0b0111_1110); // both rooks look along rank 1 as far as the king
//! assert_eq!(white.twice & 0xff, 0b0011_1000); // d1, e1 and f1: two of rooks and king
//!
//! // Many, as rows of `Pieces` or as columns of `u64`: a column comes back for each map asked for.
//! let positions = vec![pieces; 1000];
//! let mut attacked = vec![0; 1000];
//! let white_all: Map = "white_all".parse()?;
//! Kernel::detect().attack_maps(&positions[..], &mut [(white_all, &mut attacked[..])]);
//! assert_eq!(attacked[999], white.all);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The board
//!
//! A board is a `u64`: a1 is bit 0, h1 is bit 7, a8 is bit 56, h8 is bit 63. If your boards start at a8,
//! they are these upside down: turn them with [`bitboard::flip_vertical`] (one `swap_bytes`), or leave them
//! so. Sliders, knights and kings then give the right answers in your numbering; only pawns see the colours
//! exchanged.
//!
//! *Orthogonal* sliders are rooks and queens, *diagonal* ones bishops and queens. An attack set has the
//! squares on which a man could capture were an enemy there: own men's squares are in it (they are
//! defended), pins are ignored, pawns count where they capture and not where they move. All men block.
//! A position may have any number of kings, or none.
//!
//! # What is true of sets
//!
//! - Every line of the board stands alone. What happens on a rank, a file or a diagonal changes nothing on
//!   its neighbours, so each line can be tested for all its states: empty, blocker or slider on every square.
//! - Sliders of a set stop each other whether `occupied` has them or not. For the union it makes no
//!   difference at all: where a fellow slider stops a ray, its own ray goes on. But this holds within one
//!   set: a bishop stops a rook only if it stands in `occupied`.
//! - Opposite rays of *one* slider never meet, so textbooks join them by xor. Opposite rays of a *set* do
//!   meet, between two rooks that face each other. They must be joined by or.
//! - In one direction a square is hit by at most one slider of the set. So the eight rays say more than their
//!   union: a square in two of them is attacked twice, and their population counts add up to the squares
//!   that the sliders see, each slider counted for itself.
//!
//! # How the work is chosen
//!
//! A [`Backend`] is a way to hold boards and the instructions for it; a [`Kernel`] is a choice among those
//! that the processor has. [`Kernel::detect`] takes the fastest. Make one at the start and keep it: a bulk
//! call looks at it once, however many rows there are.
//!
//! `avx2`, `avx2-gfni`, `avx512` and `avx512-gfni` are written with `core::arch` and chosen while the
//! program runs, so a plain x86-64 build has them all. `scalar`, `lanes` and `wide` run everywhere. The last
//! two are written with the crate `wide`, which picks its instructions when it is compiled, and so are as
//! good as the build's target features (`-C target-cpu=...`). On other processors than x86-64, `wide` is the
//! one that is detected.
//!
//! The functions of [`position`] are inlined into your code with the instructions that your build enables;
//! [`Kernel::position`] has the same ones with a choice at run time, for a branch and a call each. What is
//! generic over [`Boards`] takes a `u64` for one board, and is then plain scalar code.
//!
//! # What it costs
//!
//! Bulk calls work on whole blocks of [`Backend::boards`] rows. The last block may overlap the one before
//! it, so no row is left over; a call with fewer rows than a block costs as much as a block. Nothing is
//! allocated, nothing is read or written outside the slices, and no time depends on what stands on the
//! boards. A few thousand rows a call, so that all columns stay in the cache between your steps and these,
//! is a good size.
//!
//! Threads are the caller's. With rayon:
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
//!     .for_each(|(attacks, occupied, rooks, bishops)| kernel.slider_attacks(occupied, rooks, bishops, attacks));
//! # assert_eq!(attacks[9_999], 0x0101_0101_0101_01fe);
//! # }
//! ```
//!
//! # Features
//!
//! `std` (default): asks the processor at run time what it has, and brings [`Batch`]. Without it the crate
//! is `no_std`, allocates nothing, and [`Kernel::detect`] takes the best that the build itself enables.
//!
//! `cozy-chess`: [`Pieces`] from a `cozy_chess::Board`, roles and colours from its pieces and colours and back.
//!
//! The oldest Rust that compiles it is 1.89, the first with stable AVX-512.
#![no_std]
#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(feature = "std")]
extern crate alloc;

pub mod backend;
#[cfg(feature = "std")]
mod batch;
pub mod bitboard;
mod boards;
mod bulk;
pub mod eval;
pub mod fen;
mod hyperbola;
pub mod leaper;
pub mod line;
pub mod maps;
mod numbers;
pub mod pieces;
pub mod position;
pub mod reference;
mod simd;
mod sliced;
mod term;

pub use backend::{Backend, Kernel};
#[cfg(feature = "std")]
pub use batch::Batch;
pub use boards::Boards;
pub use bulk::Positions;
pub use fen::Fen;
pub use maps::Map;
pub use numbers::{Cell, Numbers};
pub use pieces::{Colour, Pieces, Position, Role};
pub use term::{Term, Value};

/// Runs the examples of the README, one of which has threads.
#[cfg(all(doctest, not(target_arch = "wasm32")))]
#[doc = include_str!("../README.md")]
struct Readme;
