//! What a position is: colours, roles, and the pieces of each as sets of squares; and how to make one from
//! twelve sets, a mailbox, a list of pieces or a board of cozy-chess.

mod codes;
#[cfg(feature = "cozy-chess")]
mod cozy;
mod from;
mod names;
mod sets;
mod text;

pub use self::codes::piece_code;
pub use self::names::{ByColour, Colour, Role};
pub use self::sets::Pieces;
