//! Castling rights: the files of the rooks, and the letters that name them.

use core::fmt::{self, Write};

use crate::pieces::{Colour, Pieces, Role};

/// The castling rights of both colours: the files of the rooks that may castle, as a set for each colour, from a = bit
/// 0 to h = bit 7.
///
/// In standard chess the initial rights are the files a and h for both colours. Rights are files rather than sides
/// because in Chess960 the rooks can start anywhere.
///
/// ```
/// use setwise::{fen::Castling, Fen};
/// let fen = Fen::parse("1rk2r2/8/8/8/8/8/8/1RK2R2 w KBf - 0 1")?;
/// assert_eq!(fen.castling, Castling { white: 0b0010_0010, black: 0b0010_0000 });
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Castling {
    /// The files of white's castling rooks.
    pub white: u8,
    /// The files of black's castling rooks.
    pub black: u8,
}

impl Castling {
    /// No castling rights.
    pub const NONE: Self = Self { white: 0, black: 0 };

    /// The files of a colour's castling rooks.
    #[inline]
    #[must_use]
    pub const fn of(self, colour: Colour) -> u8 {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    pub(super) fn of_mut(&mut self, colour: Colour) -> &mut u8 {
        match colour {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        }
    }
}

/// The file that K or Q means: that of the outermost rook on the back rank, on that side of the king, or else the
/// corner file.
pub(super) fn castling_file(pieces: &Pieces, colour: Colour, is_kingside: bool) -> u32 {
    let back_rank = |role| {
        let set = pieces.of(colour, role);
        match colour {
            Colour::White => set as u8,
            Colour::Black => (set >> 56) as u8,
        }
    };
    let (kings, rooks) = (back_rank(Role::King), back_rank(Role::Rook));
    match (is_kingside, rooks.trailing_zeros()) {
        (true, _) if kings != 0 && rooks > kings => rooks.ilog2(),
        (true, _) => 7,
        (false, first) if kings != 0 && first < kings.trailing_zeros() => first,
        (false, _) => 0,
    }
}

/// Writes castling rights as letters: `KQkq` if these mean the castling rooks, otherwise the letters of their files.
pub(super) fn write(
    castling: Castling,
    pieces: &Pieces,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if castling == Castling::NONE {
        return f.write_str("-");
    }
    // K and Q mean the outermost rooks, so they are used only if all castling rooks are outermost and in the corners.
    let corners = Colour::ALL.into_iter().all(|colour| {
        let files = castling.of(colour);
        let letter_means =
            |side, file| files >> file & 1 == 0 || castling_file(pieces, colour, side) == file;
        files & 0b0111_1110 == 0 && letter_means(true, 7) && letter_means(false, 0)
    });
    for colour in Colour::ALL {
        let letters = if corners { b"Q......K" } else { b"ABCDEFGH" };
        let files = castling.of(colour);
        for file in (0..8).rev().filter(|&file| files >> file & 1 == 1) {
            let letter: char = letters[file].into();
            f.write_char(match colour {
                Colour::White => letter,
                Colour::Black => letter.to_ascii_lowercase(),
            })?;
        }
    }
    Ok(())
}
