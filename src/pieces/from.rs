//! Creates positions from twelve sets, a mailbox or a list of pieces.

use super::names::{Colour, Role};
use super::sets::Pieces;

impl Pieces<u64> {
    /// Creates a position from twelve sets: white's and black's, in the order of [`Role::ALL`] (pawns, knights,
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

    /// Creates a position from the piece, if any, on each square from a1 to h8. It checks each square and takes about
    /// fifty nanoseconds.
    #[must_use]
    pub const fn from_mailbox(mailbox: &[Option<(Colour, Role)>; 64]) -> Self {
        let mut pieces = Self::EMPTY;
        let mut square = 0;
        while square < 64 {
            if let Some((colour, role)) = mailbox[square as usize] {
                pieces.put(colour, role, square);
            }
            square += 1;
        }
        pieces
    }
}

/// Creates a position from pieces on squares (0 = a1, 63 = h8), in any order.
///
/// # Panics
/// If a square is above 63.
///
/// ```
/// use setwise::{Colour, Pieces, Role};
/// let pieces = [(Colour::White, Role::King, 4), (Colour::Black, Role::King, 60)];
/// let pieces: Pieces = pieces.into_iter().collect();
/// assert_eq!(pieces.kings, 1 << 4 | 1 << 60);
/// ```
impl FromIterator<(Colour, Role, u8)> for Pieces {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = (Colour, Role, u8)>>(list: I) -> Self {
        let mut pieces = Self::EMPTY;
        for (colour, role, square) in list {
            pieces.put(colour, role, square);
        }
        pieces
    }
}
