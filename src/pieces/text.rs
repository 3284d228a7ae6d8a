//! Positions as text, for debugging.

use core::fmt;

use super::sets::Pieces;
use crate::bitboard::draw;

/// The letters of the pieces, by colour and role.
pub(crate) const LETTERS: [&[u8; 6]; 2] = [b"PNBRQK", b"pnbrqk"];

/// Lists the sets by name, in hexadecimal.
impl<T: fmt::Debug> fmt::Debug for Pieces<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Pieces");
        for (name, set) in Pieces::NAMES.into_iter().zip(self.each_ref().sets()) {
            text.field(name, &format_args!("{set:#018x?}"));
        }
        text.finish()
    }
}

/// The board as text: rank 8 on top, `PNBRQK` for white pieces, `pnbrqk` for black pieces, `.` for empty squares.
///
/// ```
/// use setwise::Pieces;
/// let board = Pieces::START.to_string();
/// assert!(board.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n6  . . . ."));
/// ```
impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, |square| {
            let letter = |(colour, role)| LETTERS[colour as usize][role as usize].into();
            self.at(square).map_or('.', letter)
        })
    }
}
