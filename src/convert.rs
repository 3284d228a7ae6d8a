//! Positions from whatever a program has: twelve sets, a mailbox, a list of men, or a board of cozy-chess.

use crate::position::{Colour, Pieces, Role};

impl Pieces {
    /// A position from twelve sets: white's and black's, in the order of [`Role::ALL`] (pawns, knights,
    /// bishops, rooks, queens, kings). About 18 operations.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// let white = [0xff00, 0x42, 0x24, 0x81, 0x08, 0x10];
    /// let black = white.map(u64::swap_bytes);
    /// assert_eq!(Pieces::from_bitboards([white, black]), Pieces::START);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bitboards([white, black]: [[u64; 6]; 2]) -> Self {
        Self {
            pawns: white[0] | black[0],
            knights: white[1] | black[1],
            bishops: white[2] | black[2],
            rooks: white[3] | black[3],
            queens: white[4] | black[4],
            kings: white[5] | black[5],
            white: white[0] | white[1] | white[2] | white[3] | white[4] | white[5],
            black: black[0] | black[1] | black[2] | black[3] | black[4] | black[5],
        }
    }

    /// A position from the man, if any, on each square from a1 to h8. A look at each square, some fifty
    /// nanoseconds.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role};
    /// let mut mailbox = [None; 64];
    /// mailbox[4] = Some((Colour::White, Role::King));
    /// let pieces = Pieces::from_mailbox(&mailbox);
    /// assert_eq!(pieces.of(Colour::White, Role::King), 1 << 4);
    /// ```
    #[must_use]
    pub const fn from_mailbox(mailbox: &[Option<(Colour, Role)>; 64]) -> Self {
        let mut pieces = Self::EMPTY;
        let mut square = 0;
        while square < 64 {
            if let Some((colour, role)) = mailbox[square] {
                pieces.put(colour, role, square);
            }
            square += 1;
        }
        pieces
    }
}

/// A position from men on squares (0 = a1, 63 = h8), in any order.
///
/// # Panics
/// If a square is above 63.
///
/// ```
/// use setwise::{Colour, Pieces, Role};
/// let men = [(4, Colour::White, Role::King), (60, Colour::Black, Role::King)];
/// let pieces: Pieces = men.into_iter().collect();
/// assert_eq!(pieces.kings, 1 << 4 | 1 << 60);
/// ```
impl FromIterator<(usize, Colour, Role)> for Pieces {
    fn from_iter<I: IntoIterator<Item = (usize, Colour, Role)>>(men: I) -> Self {
        let mut pieces = Self::EMPTY;
        for (square, colour, role) in men {
            pieces.put(colour, role, square);
        }
        pieces
    }
}

/// With feature `cozy-chess`: boards, colours and roles of that crate. Its squares are numbered as ours, so
/// a set is `BitBoard(set)` one way and `bitboard.0` the other.
#[cfg(feature = "cozy-chess")]
mod cozy {
    use cozy_chess::{Board, Color, Piece};

    use crate::position::{Colour, Pieces, Role};

    /// The men of a board. Eight loads; with feature `cozy-chess`.
    ///
    /// ```
    /// use cozy_chess::{BitBoard, Board};
    /// use setwise::{position, Pieces};
    /// let pieces = Pieces::from(&Board::default());
    /// assert_eq!(pieces, Pieces::START);
    /// let [white, _] = position::attacks(&pieces);
    /// assert_eq!(BitBoard(white.pawn).len(), 8);
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

    /// The same colour; with feature `cozy-chess`.
    impl From<Color> for Colour {
        #[inline]
        fn from(color: Color) -> Self {
            match color {
                Color::White => Self::White,
                Color::Black => Self::Black,
            }
        }
    }

    /// The same colour; with feature `cozy-chess`.
    impl From<Colour> for Color {
        #[inline]
        fn from(colour: Colour) -> Self {
            match colour {
                Colour::White => Self::White,
                Colour::Black => Self::Black,
            }
        }
    }

    /// The same role; with feature `cozy-chess`.
    impl From<Piece> for Role {
        #[inline]
        fn from(piece: Piece) -> Self {
            Self::ALL[piece as usize]
        }
    }

    /// The same role; with feature `cozy-chess`.
    impl From<Role> for Piece {
        #[inline]
        fn from(role: Role) -> Self {
            Self::ALL[role as usize]
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn names_mean_the_same() {
            for (role, piece) in Role::ALL.into_iter().zip([
                Piece::Pawn,
                Piece::Knight,
                Piece::Bishop,
                Piece::Rook,
                Piece::Queen,
                Piece::King,
            ]) {
                assert_eq!((Piece::from(role), Role::from(piece)), (piece, role));
            }
            for colour in Colour::ALL {
                assert_eq!(Colour::from(Color::from(colour)), colour);
            }
            let board: Board = "4k3/8/8/8/8/8/1q6/4K3 b - - 0 1".parse().expect("a board");
            let pieces = Pieces::from(&board);
            assert_eq!(pieces.of(Color::Black.into(), Piece::Queen.into()), 1 << 9);
        }
    }
}
