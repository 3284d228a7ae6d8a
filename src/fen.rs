//! FEN and EPD to [`Pieces`](crate::Pieces) and back, with errors that name the column.
//!
//! Files have many millions of positions, so lines in their usual forms take a shortcut: the placement in one vector
//! where there is AVX-512 with VBMI2 (`fen/avx512.rs`), else in cells (`fen/usual.rs`, which says how both work and
//! what was tried), the other fields as words of eight bytes. A shortcut gives an answer or nothing. For whatever is
//! left, rare or wrong, a reader goes a byte at a time (`fen/reader.rs`), and only it knows what is wrong; the tests
//! hold every way against it.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod castling;
mod error;
mod line;
mod planes;
mod reader;
#[cfg(test)]
mod tests;
mod usual;

use core::str::FromStr;

use self::reader::Way;
use crate::backend::Kernel;

pub use self::castling::Castling;
pub use self::error::FenError;
pub use self::line::Fen;

impl Fen {
    /// Reads a line of text. Allocates nothing, and takes less than a hundred nanoseconds.
    ///
    /// A line has, in this order:
    ///
    /// 1. The placement: eight ranks from 8 to 1 with `/` between them, in each the files from a to h as
    ///    `PNBRQK` for white pieces, `pnbrqk` for black pieces and a digit from 1 to 8 for as many empty
    ///    squares. Digits may follow each other (`11` is `2`).
    /// 2. The side to move, `w` or `b`.
    /// 3. The castling rights: `-`, or each right once, in any order. `K` and `Q` (`k` and `q` for
    ///    black) mean the outermost rook on the back rank on that side of the king, and the corner
    ///    file if there is none; `A` to `H` (`a` to `h`) mean the rook of that file.
    /// 4. The en passant square: `-`, or a square on rank 3 or 6.
    /// 5. The halfmove clock and
    /// 6. the fullmove number, both from 0 to 4294967295.
    ///
    /// Fields may be missing from the end; the placement alone is enough. After the fourth (EPD) or the
    /// sixth, whatever starts with a letter or `;` is operations, which are not looked at, not even for
    /// characters outside ASCII: clocks as operations (`hmvc`, `fmvn`) do not count either. Any number
    /// of spaces and tabs stands between fields, and may stand at both ends. A line end (LF, CR or both)
    /// may follow.
    ///
    /// That is all: no rule of the game is checked. No kings or 61 queens, pawns on rank 1, an en passant
    /// square without a pawn and castling rights without a rook are fine, for attack maps do not care.
    ///
    /// # Errors
    /// If the line is anything else; see [`FenError`].
    ///
    /// ```
    /// use setwise::Fen;
    /// let fen = Fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\r\n")?;
    /// assert_eq!(fen, Fen::START);
    /// let error = Fen::parse("8/8/ppppppppp/8/8/8/8/8").unwrap_err();
    /// assert_eq!(format!("{error:#}"), "column 13: rank 6 has 9 files, expected 8");
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[inline]
    pub fn parse(line: impl AsRef<[u8]>) -> Result<Self, FenError> {
        reader::read(Way::detect(), line.as_ref())
    }

    /// [`parse`](Self::parse), with a kernel's instructions. The scalar backend reads without vectors.
    ///
    /// The kernel costs a branch, always the same way; `parse` makes it on what the processor has.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    ///
    /// ```
    /// use setwise::{Fen, Kernel};
    /// for kernel in Kernel::available() {
    ///     assert_eq!(Fen::parse_with(kernel, Fen::START.to_string()), Ok(Fen::START));
    /// }
    /// ```
    #[inline]
    pub fn parse_with(kernel: Kernel, line: impl AsRef<[u8]>) -> Result<Self, FenError> {
        reader::read(Way::of(kernel), line.as_ref())
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(line: &str) -> Result<Self, FenError> {
        Self::parse(line)
    }
}
