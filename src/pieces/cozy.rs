//! Conversions from and to cozy-chess (feature `cozy-chess`): boards, colours and roles. Both crates number the squares
//! in the same way, so a set is `BitBoard(set)` in one direction and `bitboard.0` in the other.

use cozy_chess::{Board, Color, Piece};

use super::names::{Colour, Role};
use super::sets::Pieces;

/// The pieces of a board: eight loads. Needs the feature `cozy-chess`.
///
/// ```
/// use cozy_chess::{BitBoard, Board};
/// use setwise::{position, Pieces};
/// let pieces = Pieces::from(&Board::default());
/// assert_eq!(pieces, Pieces::START);
/// let attacks = position::attacks(&pieces);
/// assert_eq!(BitBoard(attacks.white.pawn).len(), 8);
/// ```
impl From<&Board> for Pieces {
    #[inline]
    fn from(board: &Board) -> Self {
        Self {
            pawns: board.pieces(Piece::Pawn).0,
            knights: board.pieces(Piece::Knight).0,
            bishops: board.pieces(Piece::Bishop).0,
            rooks: board.pieces(Piece::Rook).0,
            queens: board.pieces(Piece::Queen).0,
            kings: board.pieces(Piece::King).0,
            white: board.colors(Color::White).0,
            black: board.colors(Color::Black).0,
        }
    }
}

/// The same colour. Needs the feature `cozy-chess`.
impl From<Color> for Colour {
    #[inline]
    fn from(color: Color) -> Self {
        Self::ALL[color as usize]
    }
}

/// The same colour. Needs the feature `cozy-chess`.
impl From<Colour> for Color {
    #[inline]
    fn from(colour: Colour) -> Self {
        Self::ALL[colour as usize]
    }
}

/// The same role. Needs the feature `cozy-chess`.
impl From<Piece> for Role {
    #[inline]
    fn from(piece: Piece) -> Self {
        Self::ALL[piece as usize]
    }
}

/// The same role. Needs the feature `cozy-chess`.
impl From<Role> for Piece {
    #[inline]
    fn from(role: Role) -> Self {
        Self::ALL[role as usize]
    }
}
