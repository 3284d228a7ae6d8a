//! Legal moves of one position or many: as planes, as sets of destinations, as a list, how many, and whether there is one.
//!
//! | | one position | many |
//! |---|---|---|
//! | 73 planes of origins, seen by the side to move | [`planes`] | [`Kernel::legal_planes`](crate::Kernel::legal_planes) |
//! | 64 sets of destinations, by origin | [`Legal::targets`](crate::position::Legal::targets) | [`Kernel::legal_targets`](crate::Kernel::legal_targets) |
//! | a list of [`Move`]s | [`Legal::moves`](crate::position::Legal::moves) | |
//! | how many | [`Legal::count`](crate::position::Legal::count) | [`Kernel::legal_count`](crate::Kernel::legal_count) |
//! | check, checkmate, stalemate | [`Legal::status`](crate::position::Legal::status) | [`Kernel::legal_status`](crate::Kernel::legal_status) |
//!
//! Chess and Chess960. Legal moves depend on the pieces and on a [`State`]: side to move, castling rights, en passant.
//! Repetition and the fifty-move rule are not considered.
//!
//! A position is *valid* if each side has exactly one king and the side not to move is not in check. Nothing is said of
//! others: sets are empty, and numbers are -1. Rights that the pieces do not allow are ignored: castling without
//! the rook or with the king off its back rank, and an en passant square that is taken, on the wrong rank or without an
//! enemy pawn before it. Of the rest nothing is checked; pawns may stand anywhere.
//!
//! [`planes`], [`count`] and [`status`] are generic over [`Boards`](crate::Boards) and work without a loop: the moves in a
//! direction to a distance are a set. [`position::legal`](fn@crate::position::legal) goes piece by piece, and is what an engine wants.

mod count;
mod mover;
mod moves;
mod planes;
mod state;

pub use count::{count, status};
pub use moves::{Move, MoveKind};
pub use planes::{DIRECTIONS, LEAPS, MAX_GROUP, PLANES, PlaneSink, planes};
pub use state::{State, Status};
