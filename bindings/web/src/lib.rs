//! The library for JavaScript: positions in bulk, one position, games, and the look of the pictures.
//!
//! These are the bare calls. `package/index.ts` wraps them in the interface that the npm package shows. Columns stay in
//! the memory of the module, where JavaScript looks at them: it is told the address.
#![forbid(unsafe_code)]

mod filled;
mod games;
mod look;
mod positions;

pub use games::Games;
pub use positions::Positions;
