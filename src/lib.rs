//! Which squares does a whole set of chess pieces attack?
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
mod convert;
pub mod fen;
mod hyperbola;
pub mod leaper;
pub mod line;
pub mod maps;
mod numbers;
pub mod position;
pub mod reference;
mod simd;
mod sliced;
mod term;
pub mod threats;

pub use backend::{Backend, Kernel};
#[cfg(feature = "std")]
pub use batch::Batch;
pub use boards::Boards;
pub use bulk::Positions;
pub use fen::Fen;
pub use maps::Map;
pub use numbers::{Cell, Numbers};
pub use position::{Colour, Pieces, Position, Role};
pub use term::{Term, Value};
