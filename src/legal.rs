//! Legal moves of one position or many: planes, sets of destinations, lists, counts, and the status.
//!
//! | | one position | many |
//! |---|---|---|
//! | 73 planes of origins, from the point of view of the side to move | [`Legal::planes`](crate::position::Legal::planes) | [`Column::LEGAL_PLANES`](crate::Column::LEGAL_PLANES) |
//! | 64 sets of destinations, by origin | [`Legal::targets`](crate::position::Legal::targets) | [`Column::LEGAL_TARGETS`](crate::Column::LEGAL_TARGETS) |
//! | a list of [`Move`]s | [`Legal::moves`](crate::position::Legal::moves) | [`Column::LEGAL_MOVES`](crate::Column::LEGAL_MOVES) |
//! | the number of moves | [`Legal::count`](crate::position::Legal::count) | [`Column::LEGAL_COUNT`](crate::Column::LEGAL_COUNT) |
//! | check, checkmate, stalemate | [`Legal::status`](crate::position::Legal::status) | [`Column::STATUS`](crate::Column::STATUS) |
//!
//! [`Kernel::fill`](crate::Kernel::fill) fills the columns:
//!
//! ```
//! use setwise::legal::{PLANES, State};
//! use setwise::{Column, Fen, Kernel, Positions};
//! let fen = Fen::START;
//! let (pieces, states) = ([fen.pieces; 3], [State::from(&fen); 3]);
//! let (mut planes, mut counts) = ([[0_u64; PLANES]; 3], [0_u16; 3]);
//! Kernel::detect().fill(
//!     Positions::from(&pieces).with_states(&states),
//!     &mut [
//!         Column::LEGAL_PLANES.to(planes.as_flattened_mut()),
//!         Column::LEGAL_COUNT.to(&mut counts),
//!     ],
//! );
//! assert_eq!(counts, [20; 3]);
//! assert_eq!(planes[0][0], 0xff00); // eight pawns go one square north,
//! assert_eq!(planes[0][1], 0xff00); // or two.
//! assert_eq!(planes[0][56], 1 << 1 | 1 << 6); // Both knights go two north and one east.
//! ```
//!
//! Chess960 is supported. Legal moves depend on the pieces and on a [`State`]: side to move, castling rights, en
//! passant square. Repetition and the fifty-move rule are not considered.
//!
//! A position is *valid* if each square is empty or has one role and one colour, each side has exactly one king, and
//! the side not to move is not in check. For invalid positions, sets are empty and numbers are 0, as
//! for positions without moves; [`Request::validity`](crate::Request::validity) tells them apart. Rights that contradict
//! the pieces are ignored: castling without the rook or with the king off its back rank, and an en passant square that is
//! occupied, on a wrong rank or not behind an enemy pawn. No other rule is checked.
//!
//! Columns are computed set by set, for as many positions as a vector has bytes: all moves in one direction over one
//! distance form one set, and there is no loop over pieces. [`position::legal`](fn@crate::position::legal) works piece by
//! piece, as engines do; so do lists, destinations, and all columns of the backends `scalar` and `lanes`.

mod moves;
mod planes;
mod state;

pub use moves::{Move, MoveKind};
pub(crate) use planes::plane;
pub use planes::{DIRECTIONS, LEAPS, PLANES};
pub(crate) use state::BLACK_MOVES;
pub use state::{State, Status};
