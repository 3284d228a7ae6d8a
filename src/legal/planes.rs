//! The 73 planes of AlphaZero: which of them a move has.

use super::moves::{Move, MoveKind};
use crate::bitboard::Direction;
use crate::pieces::{Colour, Role};

/// The number of planes.
pub const PLANES: usize = 73;

/// The directions of the first 56 planes, clockwise from north, seven distances each.
pub const DIRECTIONS: [Direction; 8] = [
    Direction::North,
    Direction::NorthEast,
    Direction::East,
    Direction::SouthEast,
    Direction::South,
    Direction::SouthWest,
    Direction::West,
    Direction::NorthWest,
];

/// The leaps of the next eight planes, clockwise from north: files to the east and ranks to the north.
pub const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The plane of a legal move and its origin there, as the side to move sees the board.
pub(crate) fn plane(played: Move, turn: Colour) -> (usize, u8) {
    let seen = |square: u8| if turn == Colour::Black { square ^ 56 } else { square };
    let (from, to) = (seen(played.from()), seen(played.to()));
    let east = (to % 8) as i8 - (from % 8) as i8;
    let north = (to / 8) as i8 - (from / 8) as i8;
    if let MoveKind::Promotion(role @ (Role::Knight | Role::Bishop | Role::Rook)) = played.kind() {
        return (61 + 3 * role as usize + (east + 1) as usize, from);
    }
    if let Some(leap) = LEAPS.iter().position(|&leap| leap == (east, north)) {
        return (56 + leap, from);
    }
    // Clockwise from north, by the signs of both differences.
    let direction = match (east.signum(), north.signum()) {
        (0, 1) => 0,
        (1, 1) => 1,
        (1, 0) => 2,
        (1, _) => 3,
        (0, _) => 4,
        (_, -1) => 5,
        (_, 0) => 6,
        _ => 7,
    };
    (7 * direction + usize::from(east.unsigned_abs().max(north.unsigned_abs())) - 1, from)
}
