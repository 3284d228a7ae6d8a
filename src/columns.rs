//! Columns: named values that [`Kernel::fill`](crate::Kernel::fill) computes for each position.
//!
//! A [`Column`] is a row of one catalogue: a bitboard, a number or a list, with its name, type and meaning. The columns
//! and their names are the same in Rust, C, Python and the program. With feature `std`, [`select`] finds columns by
//! name, pattern (`white_*`) and [preset](Preset).

pub(crate) mod catalogue;
mod column;
mod selection;
mod types;

#[doc(hidden)]
pub use crate::names::nearest_name;
pub use catalogue::ColumnKind;
pub use column::Column;
#[doc(hidden)]
pub use selection::{Catalogue, find};
pub use selection::{PRESETS, Preset};
#[cfg(feature = "std")]
pub use selection::{SelectionError, select};
#[doc(hidden)]
pub use types::Description;
pub use types::{Needs, Shape, ValueType};
