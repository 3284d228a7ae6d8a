//! Reads FEN and EPD into [`Pieces`](crate::Pieces) and writes FEN. Errors name the column.
//!
//! `fen/reader.rs` reads a line, `fen/line.rs` writes one. `docs/notebook.md` describes earlier readers.

mod castling;
mod error;
mod line;
mod reader;

use core::str::FromStr;

pub use self::castling::Castling;
pub use self::error::FenError;
pub use self::line::Fen;

impl Fen {
    /// Parses a line of text. It allocates nothing, and takes less than a hundred nanoseconds.
    ///
    /// A line has, in this order:
    ///
    /// 1. The placement: eight ranks from 8 to 1 with `/` between them. A rank lists the files from a to h: `PNBRQK`
    ///    for white pieces, `pnbrqk` for black pieces, and a digit from 1 to 8 for that many empty squares. Digits may
    ///    follow each other (`11` means `2`).
    /// 2. The side to move, `w` or `b`.
    /// 3. The castling rights: `-`, or each right once, in any order. `K` and `Q` (`k` and `q` for black) mean the
    ///    outermost rook on the back rank on that side of the king, and the corner file if there is none. `A` to `H`
    ///    (`a` to `h`) mean the rook on that file.
    /// 4. The en passant square: `-`, or a square on rank 3 or 6.
    /// 5. The halfmove clock and
    /// 6. the fullmove number, both from 0 to 4294967295.
    ///
    /// Fields at the end may be missing; the placement alone is enough. After the fourth field (EPD) or the sixth,
    /// anything that starts with a letter or `;` is an operation. After the fourth field, `hmvc` and `fmvn` give the
    /// halfmove clock and the fullmove number, as in `hmvc 41; fmvn 77;`. All other operations are ignored, and may have
    /// characters outside ASCII. There may be any number of spaces and tabs between fields and at both ends, and a line
    /// end (LF, CR or both).
    ///
    /// The rules of the game are not checked, because attack maps do not need them: no kings or 61 queens, pawns on
    /// rank 1, an en passant square without a pawn, and castling rights without a rook are all accepted.
    ///
    /// # Errors
    /// If the line has any other form; see [`FenError`].
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
        reader::read(line.as_ref()).map(|(fen, _)| fen)
    }

    /// Parses a line like [`parse`](Self::parse), and returns whether it has a halfmove clock and a fullmove number. If
    /// not, their values are the defaults 0 and 1, which the position need not have.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    ///
    /// ```
    /// use setwise::Fen;
    /// let (fen, clocks) = Fen::parse_with_clocks("4k3/8/8/8/8/8/8/4K3 w - - hmvc 41;")?;
    /// assert_eq!((fen.halfmove_clock, fen.fullmove_number), (41, 1));
    /// assert_eq!(clocks, [true, false]);
    /// # Ok::<(), setwise::fen::FenError>(())
    /// ```
    #[inline]
    pub fn parse_with_clocks(line: impl AsRef<[u8]>) -> Result<(Self, [bool; 2]), FenError> {
        reader::read(line.as_ref())
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(line: &str) -> Result<Self, FenError> {
        Self::parse(line)
    }
}
