//! The reader of a line: shortcuts where they give an answer, a byte-by-byte reader otherwise, which also finds out
//! what is wrong with a line that is not FEN.

#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::castling::{Castling, castling_file};
use super::error::{FenError, Found, Problem};
use super::line::{Fen, LETTERS};
use super::planes::Planes;
use super::shortcut;
use crate::pieces::{Colour, Pieces, Role};

/// Reads a line; with AVX-512 and its byte permutations if `vector` says that the processor has them.
#[inline(always)]
pub(super) fn read(vector: bool, line: &[u8]) -> Result<Fen, FenError> {
    #[cfg(target_arch = "x86_64")]
    if vector {
        // SAFETY: the callers in `fen.rs` have asked for the features that the function enables.
        return unsafe { read_avx512(line) };
    }
    let _ = vector;
    read_cells(line)
}

fn read_cells(line: &[u8]) -> Result<Fen, FenError> {
    read_by(line, shortcut::placement)
}

#[cfg(target_arch = "x86_64")]
crate::__features! {
    avx512_gfni => enable

    fn read_avx512(line: &[u8]) -> Result<Fen, FenError> {
        read_by(line, |line, at| avx512::placement(line, at).or_else(|| long_placement(line, at)))
    }
}

/// A placement with more bytes than a vector, in cells.
#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn long_placement(line: &[u8], at: usize) -> Option<(Planes, usize)> {
    shortcut::placement(line, at)
}

/// Reads a line. `placement` reads the placement unless it returns `None`.
#[inline(always)]
pub(super) fn read_by(
    line: &[u8],
    placement: impl Fn(&[u8], usize) -> Option<(Planes, usize)>,
) -> Result<Fen, FenError> {
    let mut reader = Reader { line: without_line_end(line), at: 0 };
    reader.skip_blanks();
    match placement(reader.line, reader.at) {
        Some((planes, end)) => Reader { at: end, ..reader }.fields(planes),
        None => reader.any_line(),
    }
}

/// The state of a line that contains only a placement, without the pieces.
pub(super) const NOTHING_SAID: Fen = Fen {
    pieces: Pieces::EMPTY,
    turn: Colour::White,
    castling: Castling::NONE,
    en_passant: None,
    halfmove_clock: 0,
    fullmove_number: 1,
};

/// The expected text after six fields.
const AFTER_CLOCKS: &str = "an operation or the end of the line";

pub(super) fn without_line_end(mut line: &[u8]) -> &[u8] {
    while let [rest @ .., b'\r' | b'\n'] = line {
        line = rest;
    }
    line
}

/// The piece of a byte, and how many files it takes; `None` if it is neither a piece nor a digit from 1 to 8.
fn piece_or_digit(byte: u8) -> Option<(Option<(Colour, Role)>, usize)> {
    if let b'1'..=b'8' = byte {
        return Some((None, usize::from(byte - b'0')));
    }
    let colour = if byte.is_ascii_uppercase() { Colour::White } else { Colour::Black };
    let role = LETTERS[colour as usize].iter().position(|&letter| letter == byte)?;
    Some((Some((colour, Role::ALL[role])), 1))
}

/// A line, and the next byte to read.
///
/// Everything on the path of a valid line is inlined, and errors take the reader by value. So it stays in registers,
/// which makes a line a tenth faster.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) line: &'a [u8],
    pub(super) at: usize,
}

impl Reader<'_> {
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline(always)]
    pub(super) fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// Leaves a field; returns whether there is another.
    #[inline(always)]
    pub(super) fn next_field(&mut self) -> Result<bool, FenError> {
        match self.peek() {
            None => Ok(false),
            Some(b' ' | b'\t') => {
                self.skip_blanks();
                Ok(self.at < self.line.len())
            }
            Some(_) => Err(self.expected("a space or the end of the line")),
        }
    }

    pub(super) fn at_operations(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b';')
    }

    /// Reads the fields after a placement that took a shortcut.
    ///
    /// A position becomes a [`Pieces`] only at its destination. In a variable it would be stored word by word and
    /// loaded again as a vector, which waits until the words have reached the cache.
    #[inline(always)]
    fn fields(mut self, planes: Planes) -> Result<Fen, FenError> {
        let Some(rights) = shortcut::rights(self.line, self.at, planes) else {
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

    /// Reads the rest after the en passant square; `fen` makes the result from the clocks.
    #[inline(always)]
    fn clocks(mut self, fen: impl Fn(u32, u32) -> Fen) -> Result<Fen, FenError> {
        if !self.next_field()? || self.at_operations() {
            return Ok(fen(0, 1));
        }
        let Some(([halfmove_clock, fullmove_number], end)) = shortcut::numbers(self.line, self.at)
        else {
            return self.any_clocks(fen(0, 1));
        };
        self.at = end;
        if self.next_field()? && !self.at_operations() {
            return Err(self.expected(AFTER_CLOCKS));
        }
        Ok(fen(halfmove_clock, fullmove_number))
    }

    /// Reads a line with any placement.
    #[cold]
    #[inline(never)]
    fn any_line(mut self) -> Result<Fen, FenError> {
        let pieces = self.any_placement()?;
        self.any_rights(pieces)
    }

    /// Reads the fields after the placement, in any form.
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

    /// Reads side to move, castling rights and en passant square byte by byte; returns whether the line has all of
    /// them.
    pub(super) fn each_right(&mut self, fen: &mut Fen) -> Result<bool, FenError> {
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

    /// Reads the clocks digit by digit, and what follows.
    #[cold]
    #[inline(never)]
    pub(super) fn any_clocks(mut self, mut fen: Fen) -> Result<Fen, FenError> {
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

    /// Reads any placement byte by byte, and finds out what is wrong with it.
    pub(super) fn any_placement(&mut self) -> Result<Pieces, FenError> {
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
                b'k' => castling_file(pieces, colour, true),
                b'q' => castling_file(pieces, colour, false),
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

    /// An error at the next byte. All bytes before it are ASCII, so bytes are columns.
    #[cold]
    fn error(self, problem: Problem) -> FenError {
        FenError { column: self.at + 1, problem }
    }
}
