//! The contents of a line of FEN, and the code that writes it.

use core::fmt::{self, Write};

use super::castling::{self, Castling};
use crate::pieces::{Colour, LETTERS, Pieces};

/// The contents of a line of FEN or EPD.
///
/// It displays as FEN with six fields, which parses back to the same value. Castling rights are written as `KQkq` if
/// all castling rooks are in the corners, otherwise all as files (`HAha`), which more programs can read than a mixture.
///
/// ```
/// use setwise::{Colour, Fen};
/// let fen: Fen = "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 31".parse()?;
/// assert_eq!(fen.pieces.rooks, 1);
/// assert_eq!(fen.turn, Colour::White);
/// assert_eq!(fen.castling.white, 0b0000_0001); // the rook of the a-file
/// assert_eq!(fen.en_passant, Some(43));
/// assert_eq!(fen.to_string(), "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 31");
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// The pieces.
    pub pieces: Pieces,
    /// The side to move; white if the line omits it.
    pub turn: Colour,
    /// The castling rights; none if the line omits them.
    pub castling: Castling,
    /// The square behind the pawn that has just made a double step (0 = a1, 63 = h8), on rank 3 or 6.
    pub en_passant: Option<u8>,
    /// Half-moves since the last capture or pawn move; 0 if the line has neither field nor operation for them.
    pub halfmove_clock: u32,
    /// The move number, which increases after black's move; 1 if the line has neither field nor operation for it.
    pub fullmove_number: u32,
}

impl Fen {
    /// The initial position.
    pub const START: Self = Self {
        pieces: Pieces::START,
        turn: Colour::White,
        castling: Castling { white: 0b1000_0001, black: 0b1000_0001 },
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let Some((colour, role)) = self.pieces.at(8 * rank + file) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                let letter = LETTERS[colour as usize][role as usize];
                f.write_char(letter.into())?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        f.write_str(match self.turn {
            Colour::White => "w ",
            Colour::Black => "b ",
        })?;
        castling::write(self.castling, &self.pieces, f)?;
        match self.en_passant {
            Some(square) => {
                let (file, rank) = (square % 8, square / 8);
                write!(f, " {}{}", char::from(b'a' + file), rank + 1)?;
            }
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }
}
