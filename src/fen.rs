//! FEN and EPD to [`Pieces`] and back, with errors that name the column.
//!
//! Files have many millions of positions, so lines in their usual forms take a shortcut: the placement in vectors
//! where the processor has AVX-512 with VBMI2 (`fen/avx512.rs`), else in cells (`fen/usual.rs`, which says how
//! both work and what was tried), the other fields as words of eight bytes. A shortcut gives an answer or
//! nothing. For whatever is left, rare or wrong, a reader goes a byte at a time, and only it knows what is wrong;
//! the tests hold every way against it.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod planes;
#[cfg(test)]
mod tests;
mod usual;

use core::fmt::{self, Write};
use core::str::FromStr;

use self::planes::Planes;
use crate::pieces::{Colour, Pieces, Role};

/// What a line of FEN or EPD says.
///
/// It displays as FEN with six fields, which reads back as the same value. Castling rights are written as
/// `KQkq` where all castling rooks are those in the corners, else all by their files (`HAha`), which more
/// programs read than a mixture.
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
    /// The side to move; white if the line does not say.
    pub turn: Colour,
    /// The castling rights; none if the line does not say.
    pub castling: Castling,
    /// The square behind the pawn that has just made a double step (0 = a1, 63 = h8), on rank 3 or 6.
    pub en_passant: Option<u8>,
    /// Half-moves since the last capture or pawn move; 0 if the line does not say.
    pub halfmove_clock: u32,
    /// The number of the move, which grows after black's; 1 if the line does not say.
    pub fullmove_number: u32,
}

/// Who may castle with which rooks: for each colour a set of files, a = bit 0 to h = bit 7.
///
/// The usual rights of the usual start are the files a and h for both. Files rather than sides serve
/// Chess960 too, where the rooks start anywhere.
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
    /// Nobody may castle.
    pub const NONE: Self = Self { white: 0, black: 0 };

    /// The files of a colour's castling rooks.
    ///
    /// ```
    /// use setwise::{Colour, Fen};
    /// assert_eq!(Fen::START.castling.of(Colour::Black), 0b1000_0001);
    /// ```
    #[inline]
    #[must_use]
    pub const fn of(self, colour: Colour) -> u8 {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    fn of_mut(&mut self, colour: Colour) -> &mut u8 {
        match colour {
            Colour::White => &mut self.white,
            Colour::Black => &mut self.black,
        }
    }
}

/// The two sides on which a king castles, as the letters K and Q name them.
#[derive(Clone, Copy)]
enum Wing {
    King,
    Queen,
}

/// The file that K or Q means: the outermost rook on the back rank, if it stands beyond the king on that
/// side, else the corner.
fn castling_file(pieces: &Pieces, colour: Colour, wing: Wing) -> u32 {
    let back_rank = |role| {
        let set = pieces.of(colour, role);
        match colour {
            Colour::White => set as u8,
            Colour::Black => (set >> 56) as u8,
        }
    };
    let (kings, rooks) = (back_rank(Role::King), back_rank(Role::Rook));
    match wing {
        Wing::King if kings != 0 && rooks > kings => rooks.ilog2(),
        Wing::King => 7,
        Wing::Queen if kings != 0 && rooks.trailing_zeros() < kings.trailing_zeros() => {
            rooks.trailing_zeros()
        }
        Wing::Queen => 0,
    }
}

impl Fen {
    /// The usual start of a game.
    ///
    /// ```
    /// use setwise::Fen;
    /// assert_eq!(
    ///     Fen::START.to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    /// );
    /// ```
    pub const START: Self = Self {
        pieces: Pieces::START,
        turn: Colour::White,
        castling: Castling { white: 0b1000_0001, black: 0b1000_0001 },
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

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
        read(line.as_ref())
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(line: &str) -> Result<Self, FenError> {
        Self::parse(line)
    }
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
                let letter = PIECES[colour as usize][role as usize];
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
        self.write_castling(f)?;
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

impl Fen {
    fn write_castling(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.castling == Castling::NONE {
            return f.write_str("-");
        }
        // KQkq if these letters mean the corners, and only corners are asked for.
        let usual = Colour::ALL.into_iter().all(|colour| {
            let files = self.castling.of(colour);
            let letter_means = |wing, file| {
                files >> file & 1 == 0 || castling_file(&self.pieces, colour, wing) == file
            };
            files & 0b0111_1110 == 0 && letter_means(Wing::King, 7) && letter_means(Wing::Queen, 0)
        });
        for colour in Colour::ALL {
            let letters = if usual { b"Q......K" } else { b"ABCDEFGH" };
            let files = self.castling.of(colour);
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
}

/// Why a line is no FEN or EPD.
///
/// It displays as a sentence without the place, so that a program can write `file:line:column: message`;
/// the alternate form `{:#}` has the column before it.
///
/// ```
/// use setwise::Fen;
/// let error = Fen::parse("8/8/8/8/8/8/8/8 w - e4 0 1").unwrap_err();
/// assert_eq!(error.column(), 22);
/// assert_eq!(error.to_string(), "expected rank 3 or 6 for the en passant square, found '4'");
/// assert_eq!(format!("{error:#}"), format!("column 22: {error}"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FenError {
    column: usize,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Problem {
    /// What was expected, and what stands there.
    Expected(&'static str, Found),
    Files {
        rank: u8,
        files: usize,
    },
    Ranks(u8),
    /// A castling right for the second time.
    Repeated(Found),
    TooLarge(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Found {
    Character(char),
    /// A byte that begins no UTF-8 character.
    Byte(u8),
    End,
}

impl FenError {
    /// The column of the first character that is wrong, counting characters from 1; where something is
    /// missing, the column at which it should stand.
    ///
    /// A character of several bytes in UTF-8 is one column, and so is a tab.
    #[inline]
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "column {}: ", self.column)?;
        }
        match self.problem {
            Problem::Expected(what, found) => write!(f, "expected {what}, found {found}"),
            Problem::Files { rank, files: 1 } => write!(f, "rank {rank} has 1 file, expected 8"),
            Problem::Files { rank, files } => {
                write!(f, "rank {rank} has {files} files, expected 8")
            }
            Problem::Ranks(9) => f.write_str("expected 8 ranks, found a ninth"),
            Problem::Ranks(ranks) => write!(f, "expected 8 ranks, found {ranks}"),
            Problem::Repeated(found) => {
                write!(f, "expected each castling right once, found {found} again")
            }
            Problem::TooLarge(what) => write!(f, "expected {what} up to {}, found more", u32::MAX),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(character) => write!(f, "{character:?}"),
            Self::Byte(byte) => write!(f, "the byte 0x{byte:02x}"),
            Self::End => f.write_str("the end of the line"),
        }
    }
}

impl core::error::Error for FenError {}

/// The letters of the pieces, by colour and role.
const PIECES: [&[u8; 6]; 2] = [b"PNBRQK", b"pnbrqk"];

/// Reads a line with the best instructions.
fn read(line: &[u8]) -> Result<Fen, FenError> {
    #[cfg(target_arch = "x86_64")]
    if avx512::available() {
        // SAFETY: the processor has the instructions.
        return unsafe { read_avx512(line) };
    }
    read_by(line, usual::placement)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn read_avx512(line: &[u8]) -> Result<Fen, FenError> {
    read_by(line, |line, at| avx512::placement(line, at).or_else(|| long_placement(line, at)))
}

/// A usual placement of more bytes than a vector has.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn long_placement(line: &[u8], at: usize) -> Option<(Planes, usize)> {
    usual::placement(line, at)
}

/// Reads a line, its placement by `usual` unless that gives `None`.
#[inline(always)]
fn read_by(
    line: &[u8],
    usual: impl Fn(&[u8], usize) -> Option<(Planes, usize)>,
) -> Result<Fen, FenError> {
    let mut reader = Reader { line: without_line_end(line), at: 0 };
    reader.skip_blanks();
    match usual(reader.line, reader.at) {
        Some((planes, end)) => Reader { at: end, ..reader }.fields(planes),
        None => reader.any_line(),
    }
}

/// What a line says of which there is no more than the placement, but for the pieces.
const NOTHING_SAID: Fen = Fen {
    pieces: Pieces::EMPTY,
    turn: Colour::White,
    castling: Castling::NONE,
    en_passant: None,
    halfmove_clock: 0,
    fullmove_number: 1,
};

/// What may follow six fields.
const AFTER_CLOCKS: &str = "an operation or the end of the line";

fn without_line_end(mut line: &[u8]) -> &[u8] {
    while let [rest @ .., b'\r' | b'\n'] = line {
        line = rest;
    }
    line
}

/// What a byte puts on how many files; `None` if it is neither a piece nor a digit from 1 to 8.
fn piece_or_digit(byte: u8) -> Option<(Option<(Colour, Role)>, usize)> {
    if let b'1'..=b'8' = byte {
        return Some((None, usize::from(byte - b'0')));
    }
    let colour = if byte.is_ascii_uppercase() { Colour::White } else { Colour::Black };
    let role = PIECES[colour as usize].iter().position(|&letter| letter == byte)?;
    Some((Some((colour, Role::ALL[role])), 1))
}

/// A line, and the next byte to read.
///
/// Everything on the way of a line that is right is inlined, and errors take the reader by value: so it
/// lives in registers, which makes a line a tenth faster.
#[derive(Clone, Copy)]
struct Reader<'a> {
    line: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline(always)]
    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// Leaves a field; says whether there is another.
    #[inline(always)]
    fn next_field(&mut self) -> Result<bool, FenError> {
        match self.peek() {
            None => Ok(false),
            Some(b' ' | b'\t') => {
                self.skip_blanks();
                Ok(self.at < self.line.len())
            }
            Some(_) => Err(self.expected("a space or the end of the line")),
        }
    }

    fn at_operations(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b';')
    }

    /// What follows a usual placement.
    ///
    /// A position becomes a [`Pieces`] only where it goes: if it had a home before, it would be stored word by word
    /// and loaded again as a vector, which waits until the words have reached the cache.
    #[inline(always)]
    fn fields(mut self, planes: Planes) -> Result<Fen, FenError> {
        let Some(rights) = usual::rights(self.line, self.at, planes) else {
            return self.any_rights(planes.pieces());
        };
        self.at = rights.end;
        let [white, black] = rights.castling;
        self.clocks(move |halfmove_clock, fullmove_number| Fen {
            pieces: planes.pieces(),
            turn: rights.turn,
            castling: Castling { white, black },
            en_passant: rights.en_passant,
            halfmove_clock,
            fullmove_number,
        })
    }

    /// What follows the en passant square; `fen` makes what the line says of the clocks.
    #[inline(always)]
    fn clocks(mut self, fen: impl Fn(u32, u32) -> Fen) -> Result<Fen, FenError> {
        if !self.next_field()? || self.at_operations() {
            return Ok(fen(0, 1));
        }
        let Some(([halfmove_clock, fullmove_number], end)) = usual::numbers(self.line, self.at)
        else {
            return self.any_clocks(fen(0, 1));
        };
        self.at = end;
        if self.next_field()? && !self.at_operations() {
            return Err(self.expected(AFTER_CLOCKS));
        }
        Ok(fen(halfmove_clock, fullmove_number))
    }

    /// A line with whatever placement.
    #[cold]
    #[inline(never)]
    fn any_line(mut self) -> Result<Fen, FenError> {
        let pieces = self.any_placement()?;
        self.any_rights(pieces)
    }

    /// What follows the placement, with whatever rights.
    #[cold]
    #[inline(never)]
    fn any_rights(mut self, pieces: Pieces) -> Result<Fen, FenError> {
        let mut fen = Fen { pieces, ..NOTHING_SAID };
        if !self.each_right(&mut fen)? {
            return Ok(fen);
        }
        self.clocks(move |halfmove_clock, fullmove_number| Fen {
            halfmove_clock,
            fullmove_number,
            ..fen
        })
    }

    /// Side to move, castling rights and en passant square, a byte at a time; whether the line has them all.
    fn each_right(&mut self, fen: &mut Fen) -> Result<bool, FenError> {
        if !self.next_field()? {
            return Ok(false);
        }
        fen.turn = self.turn()?;
        if !self.next_field()? {
            return Ok(false);
        }
        fen.castling = self.castling(&fen.pieces)?;
        if !self.next_field()? {
            return Ok(false);
        }
        fen.en_passant = self.en_passant()?;
        Ok(true)
    }

    /// The clocks, a digit at a time, and what follows.
    #[cold]
    #[inline(never)]
    fn any_clocks(mut self, mut fen: Fen) -> Result<Fen, FenError> {
        fen.halfmove_clock = self.number("a halfmove clock")?;
        if !self.next_field()? {
            return Ok(fen);
        }
        fen.fullmove_number = self.number("a fullmove number")?;
        if self.next_field()? && !self.at_operations() {
            return Err(self.expected(AFTER_CLOCKS));
        }
        Ok(fen)
    }

    /// Any placement, a byte at a time, and what is wrong with it.
    fn any_placement(&mut self) -> Result<Pieces, FenError> {
        if self.at == self.line.len() {
            return Err(self.expected("a position"));
        }
        let mut pieces = Pieces::EMPTY;
        for rank in (1..=8).rev() {
            let mut files = 0;
            let mut first_too_many = None;
            while let Some((piece, width)) = self.peek().and_then(piece_or_digit) {
                if let Some((colour, role)) = piece
                    && files < 8
                {
                    pieces.put(colour, role, 8 * (rank - 1) + files as u8);
                }
                files += width;
                if files > 8 && first_too_many.is_none() {
                    first_too_many = Some(self.at);
                }
                self.at += 1;
            }
            if let Some(at) = first_too_many {
                self.at = at;
                return Err(self.error(Problem::Files { rank, files }));
            }
            match self.peek() {
                None | Some(b' ' | b'\t' | b'/') if files < 8 => {
                    return Err(self.error(Problem::Files { rank, files }));
                }
                None | Some(b' ' | b'\t') if rank == 1 => return Ok(pieces),
                None | Some(b' ' | b'\t') => return Err(self.error(Problem::Ranks(9 - rank))),
                Some(b'/') if rank == 1 => return Err(self.error(Problem::Ranks(9))),
                Some(b'/') => self.at += 1,
                Some(_) if rank == 1 && files == 8 => return Ok(pieces),
                Some(_) => break,
            }
        }
        Err(self.expected("a piece (PNBRQK or pnbrqk), a digit from 1 to 8 or '/'"))
    }

    #[inline(always)]
    fn turn(&mut self) -> Result<Colour, FenError> {
        let Some(letter @ (b'w' | b'b')) = self.peek() else {
            return Err(self.expected("'w' or 'b' for the side to move"));
        };
        self.at += 1;
        Ok(if letter == b'w' { Colour::White } else { Colour::Black })
    }

    #[inline(always)]
    fn castling(&mut self, pieces: &Pieces) -> Result<Castling, FenError> {
        let mut castling = Castling::NONE;
        if self.peek() == Some(b'-') {
            self.at += 1;
            return Ok(castling);
        }
        while let Some(byte) = self.peek() {
            let colour = if byte.is_ascii_uppercase() { Colour::White } else { Colour::Black };
            let file = match byte.to_ascii_lowercase() {
                b'k' => castling_file(pieces, colour, Wing::King),
                b'q' => castling_file(pieces, colour, Wing::Queen),
                letter @ b'a'..=b'h' => u32::from(letter - b'a'),
                b' ' | b'\t' => break,
                _ => {
                    return Err(self.expected("a castling right (KQkq, A to H or a to h) or '-'"));
                }
            };
            let files = castling.of_mut(colour);
            if *files >> file & 1 == 1 {
                return Err(self.error(Problem::Repeated(self.found())));
            }
            *files |= 1 << file;
            self.at += 1;
        }
        Ok(castling)
    }

    #[inline(always)]
    fn en_passant(&mut self) -> Result<Option<u8>, FenError> {
        let file = match self.peek() {
            Some(b'-') => {
                self.at += 1;
                return Ok(None);
            }
            Some(letter @ b'a'..=b'h') => letter - b'a',
            _ => return Err(self.expected("an en passant square or '-'")),
        };
        self.at += 1;
        let rank = match self.peek() {
            Some(b'3') => 2,
            Some(b'6') => 5,
            _ => return Err(self.expected("rank 3 or 6 for the en passant square")),
        };
        self.at += 1;
        Ok(Some(8 * rank + file))
    }

    #[inline(always)]
    fn number(&mut self, what: &'static str) -> Result<u32, FenError> {
        let start = self.at;
        let mut number = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let sum = number.checked_mul(10).and_then(|n| n.checked_add(u32::from(digit - b'0')));
            number = match sum {
                Some(sum) => sum,
                None => {
                    self.at = start;
                    return Err(self.error(Problem::TooLarge(what)));
                }
            };
            self.at += 1;
        }
        if self.at == start {
            return Err(self.expected(what));
        }
        Ok(number)
    }

    fn found(self) -> Found {
        let rest = &self.line[self.at..];
        let Some(&byte) = rest.first() else { return Found::End };
        // A character has at most four bytes.
        match rest[..rest.len().min(4)].utf8_chunks().next().and_then(|c| c.valid().chars().next())
        {
            Some(character) => Found::Character(character),
            None => Found::Byte(byte),
        }
    }

    #[cold]
    fn expected(self, what: &'static str) -> FenError {
        self.error(Problem::Expected(what, self.found()))
    }

    /// Something is wrong with the next byte. All before it is ASCII, so bytes are columns.
    #[cold]
    fn error(self, problem: Problem) -> FenError {
        FenError { column: self.at + 1, problem }
    }
}
