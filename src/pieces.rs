//! The pieces of a position: colours, roles, and sets of squares; and conversions from twelve sets, a mailbox, a list
//! of pieces or a board of cozy-chess.

mod codes;
#[cfg(feature = "cozy-chess")]
mod cozy;
mod from;
mod names;
mod sets;
mod text;

pub use self::codes::{CodeMap, piece_code};
pub use self::names::{ByColour, Colour, Role};
pub use self::sets::Pieces;
pub(crate) use self::text::LETTERS;
