//! Reads a line: the placement in one pass without a branch on the kind of byte, then field by field.
//!
//! Every byte of a placement adds the current square to the set of its kind, then advances by the files that it covers
//! (none for a slash). The placement is valid if it has 64 squares and seven slashes, each of them after a full rank.
//! Otherwise a second pass finds the error.

use super::castling::{Castling, castling_file};
use super::error::{FenError, Found, Problem};
use super::line::Fen;
use crate::pieces::{Colour, LETTERS, Pieces, Role, piece_code};

/// Reads a line. Also returns whether it has a halfmove clock and a fullmove number.
pub(super) fn read(line: &[u8]) -> Result<(Fen, [bool; 2]), FenError> {
    let mut reader = Reader { line: without_line_end(line), at: 0 };
    reader.skip_blanks();
    let mut fen = Fen { pieces: reader.placement()?, castling: Castling::NONE, ..Fen::START };
    if !reader.next_field()? {
        return Ok((fen, [false; 2]));
    }
    fen.turn = reader.turn()?;
    if !reader.next_field()? {
        return Ok((fen, [false; 2]));
    }
    fen.castling = reader.castling(&fen.pieces)?;
    if !reader.next_field()? {
        return Ok((fen, [false; 2]));
    }
    fen.en_passant = reader.en_passant()?;
    if !reader.next_field()? {
        return Ok((fen, [false; 2]));
    }
    if reader.at_operations() {
        return reader.operations(fen);
    }
    fen.halfmove_clock = reader.number(CLOCK)?;
    if !reader.next_field()? {
        return Ok((fen, [true, false]));
    }
    fen.fullmove_number = reader.number(NUMBER)?;
    if reader.next_field()? && !reader.at_operations() {
        return Err(reader.expected("an operation or the end of the line"));
    }
    Ok((fen, [true; 2]))
}

/// What the fields and operations of clocks have.
const CLOCK: &str = "a halfmove clock";
const NUMBER: &str = "a fullmove number";

fn without_line_end(mut line: &[u8]) -> &[u8] {
    while let [rest @ .., b'\r' | b'\n'] = line {
        line = rest;
    }
    line
}

/// The meaning of each byte of a placement: the [code](piece_code) of a piece, 0 for empty squares, or one of the codes
/// below; and the number of files that it covers. Slashes cover none, and are counted in the upper byte.
static MEANINGS: [(u8, u16); 256] = {
    let mut meanings = [(END, 0); 256];
    meanings[b'/' as usize] = (SLASH, 0x100);
    let mut i = 0;
    while i < 8 {
        meanings[b'1' as usize + i] = (0, i as u16 + 1);
        i += 1;
    }
    i = 0;
    while i < 12 {
        let (colour, role) = (Colour::ALL[i / 6], Role::ALL[i % 6]);
        meanings[LETTERS[i / 6][i % 6] as usize] = (piece_code(colour, role), 1);
        i += 1;
    }
    meanings
};

/// Codes that no piece has.
const SLASH: u8 = 7;
const END: u8 = 15;

/// A line, and the next byte to read.
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

    /// Moves on to the next field; returns whether there is one.
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

    #[inline(always)]
    fn at_operations(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b';')
    }

    /// Reads the clocks among the operations of EPD, which end at semicolons outside of quotes.
    #[inline(never)]
    fn operations(mut self, mut fen: Fen) -> Result<(Fen, [bool; 2]), FenError> {
        let mut found = [false; 2];
        while self.at < self.line.len() {
            let start = self.at;
            while self.peek().is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b';')) {
                self.at += 1;
            }
            let (what, known, value) = match &self.line[start..self.at] {
                b"hmvc" => (CLOCK, &mut found[0], &mut fen.halfmove_clock),
                b"fmvn" => (NUMBER, &mut found[1], &mut fen.fullmove_number),
                _ => {
                    self.at = start;
                    self.skip_operation();
                    continue;
                }
            };
            if core::mem::replace(known, true) {
                return Err(Self { at: start, ..self }.expected("each of hmvc and fmvn once"));
            }
            self.skip_blanks();
            *value = self.number(what)?;
            self.skip_blanks();
            if self.peek().is_some_and(|byte| byte != b';') {
                return Err(self.expected("';' after the number"));
            }
            self.skip_operation();
        }
        Ok((fen, found))
    }

    /// Moves on to the next operation.
    fn skip_operation(&mut self) {
        let mut quoted = false;
        while let Some(byte) = self.peek()
            && (quoted || byte != b';')
        {
            quoted ^= byte == b'"';
            self.at += 1;
        }
        while let Some(b' ' | b'\t' | b';') = self.peek() {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn placement(&mut self) -> Result<Pieces, FenError> {
        // Indexed by code. Squares are in the order of the text: a8 is bit 0.
        let mut sets = [0_u64; 16];
        let (mut squares, mut end) = (0_u32, self.at);
        // No valid placement has more than 71 bytes.
        for &byte in self.line[self.at..].iter().take(72) {
            let (code, files) = MEANINGS[usize::from(byte)];
            if code == END {
                break;
            }
            sets[usize::from(code & 15)] |= 1 << (squares & 63);
            squares += u32::from(files);
            end += 1;
        }
        let [_, white @ .., slashes, _, p, n, b, r, q, k, _] = sets;
        if squares != 0x740 || slashes != 0x0101_0101_0101_0100 {
            return Err(self.wrong_placement());
        }
        self.at = end;
        Ok(Pieces::from_bitboards([white, [p, n, b, r, q, k]]).map(u64::swap_bytes))
    }

    /// Finds the error in a placement.
    #[cold]
    #[inline(never)]
    fn wrong_placement(mut self) -> FenError {
        if self.at == self.line.len() {
            return self.expected("a position");
        }
        for rank in (1..=8).rev() {
            let mut files = 0;
            let mut first_too_many = None;
            while let Some(byte) = self.peek()
                && let (_, width @ 1..=8) = MEANINGS[usize::from(byte)]
            {
                files += usize::from(width);
                if files > 8 && first_too_many.is_none() {
                    first_too_many = Some(self.at);
                }
                self.at += 1;
            }
            if let Some(at) = first_too_many {
                return Self { at, ..self }.error(Problem::Files { rank, files });
            }
            match self.peek() {
                None | Some(b' ' | b'\t' | b'/') if files < 8 => {
                    return self.error(Problem::Files { rank, files });
                }
                None | Some(b' ' | b'\t') => return self.error(Problem::Ranks(9 - rank)),
                Some(b'/') if rank == 1 => return self.error(Problem::Ranks(9)),
                Some(b'/') => self.at += 1,
                Some(_) => break,
            }
        }
        self.expected("a piece (PNBRQK or pnbrqk), a digit from 1 to 8 or '/'")
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
            let too_large = Self { at: start, ..*self };
            number = sum.ok_or_else(|| too_large.error(Problem::TooLarge(what)))?;
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

    /// An error at the next byte. Only operations may have characters of several bytes before it.
    #[cold]
    fn error(self, problem: Problem) -> FenError {
        let characters = self.line[..self.at].iter().filter(|byte| **byte & 0xc0 != 0x80);
        FenError { column: characters.count() + 1, problem }
    }
}
