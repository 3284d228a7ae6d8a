//! Positions as text, for debugging.

use core::fmt;

use super::names::Colour;
use super::sets::Pieces;

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
        for rank in (0..8).rev() {
            write!(f, "{} ", rank + 1)?;
            for file in 0..8 {
                let letter = self.at(8 * rank + file).map_or(".", |(colour, role)| match colour {
                    Colour::White => ["P", "N", "B", "R", "Q", "K"][role as usize],
                    Colour::Black => ["p", "n", "b", "r", "q", "k"][role as usize],
                });
                write!(f, " {letter}")?;
            }
            f.write_str("\n")?;
        }
        f.write_str("\n   a b c d e f g h")
    }
}
