//! The library for JavaScript: positions in bulk, one position, games, and the colours and outlines of pictures.
//!
//! These are low-level calls. `package/src/index.ts` wraps them in the interface of the npm package. Columns stay in
//! the memory of the module; JavaScript gets their addresses and reads them there.
#![forbid(unsafe_code)]

mod filled;
mod games;
mod look;
mod positions;

pub use games::Games;
pub use positions::Positions;
