//! Parses moves in standard algebraic notation. The standard form is parsed directly; other forms that people and
//! programs write are converted to it first.
//!
//! The standard form consists of a letter for the role (none for a pawn), the file or rank of the origin if needed, `x`
//! for a capture, the destination, the promotion role, and check marks.

use crate::board::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};

/// A move in the standard form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct San {
    pub(crate) role: usize,
    pub(crate) to: u8,
    /// The possible origins according to the text.
    pub(crate) origins: u64,
    /// The file of the origin, if the text contains it.
    pub(crate) from_file: Option<u8>,
    pub(crate) promotion: Option<usize>,
}

/// The meaning of a word that is not a move in the standard form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Move(San),
    /// From square to square, by any piece: `e2e4`, `g1f3`, `e7e8q`, `e2-e4`.
    Squares {
        from: u8,
        to: u8,
        promotion: Option<usize>,
    },
    Castling {
        kings_side: bool,
    },
    /// A null move, such as `--`.
    Null,
    /// A remark without a move, such as `e.p.`, `ch`, `N`.
    Annotation,
    /// None of these.
    Unknown,
}

/// The square of a file and a rank.
fn square(file: u8, rank: u8) -> Option<u8> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then(|| 8 * rank + file)
}

/// The bytes that can continue a word.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let is_sign =
            matches!(b, b'#' | b'&' | b'+' | b'-'..=b'/' | b':' | b'=' | b'@' | b'_' | b'~');
        word[byte] = b.is_ascii_alphanumeric() || b >= 0x80 || is_sign;
        byte += 1;
    }
    word
};

pub(crate) fn word_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&byte| !WORD[usize::from(byte)]).map_or(text.len(), |n| at + n)
}

/// Parses a move in the standard form. Also returns the offset of its end; `None` if it has another form.
#[inline(always)]
pub(crate) fn standard(text: &[u8], at: usize) -> Option<(San, usize)> {
    let end = word_end(text, at);
    match parse(&text[at..end]) {
        Some(Word::Move(san)) if san.role == PAWN || san.promotion.is_none() => Some((san, end)),
        _ => None,
    }
}

/// Parses a word in the standard form, or as a move from square to square.
#[inline(always)]
fn parse(word: &[u8]) -> Option<Word> {
    let (role, rest) = match *word {
        [b'N', ref rest @ ..] => (Some(KNIGHT), rest),
        [b'B', ref rest @ ..] => (Some(BISHOP), rest),
        [b'R', ref rest @ ..] => (Some(ROOK), rest),
        [b'Q', ref rest @ ..] => (Some(QUEEN), rest),
        [b'K', ref rest @ ..] => (Some(KING), rest),
        [b'P', ref rest @ ..] => (Some(PAWN), rest),
        ref rest => (None, rest),
    };
    let last = rest.iter().rposition(|byte| byte.is_ascii_digit())?;
    let (squares, tail) = rest.split_at(last + 1);
    let promotion = if tail.is_empty() { None } else { promotion(tail)? };
    let [before @ .., file, rank] = squares else { return None };
    let to = square(*file, *rank)?;
    let before = match before {
        [more @ .., b'x'] if role.is_some() || !more.is_empty() => more,
        all => all,
    };
    let piece = role.unwrap_or(PAWN);
    let (origins, from_file) = match *before {
        [] => (!0, None),
        [file @ b'a'..=b'h'] => (0x0101_0101_0101_0101 << (file - b'a'), Some(file - b'a')),
        [rank @ b'1'..=b'8'] if piece != PAWN => (0xff << (8 * (rank - b'1')), None),
        [file, rank] => {
            let from = square(file, rank)?;
            if role.is_none() {
                return Some(Word::Squares { from, to, promotion });
            }
            (1 << from, Some(from & 7))
        }
        _ => return None,
    };
    Some(Word::Move(San { role: piece, to, origins, from_file, promotion }))
}

/// Parses the text after a destination: a promotion role, if any, and check marks; `None` if it is anything else.
fn promotion(tail: &[u8]) -> Option<Option<usize>> {
    let (promotion, marks) = match tail {
        [b'=' | b'/' | b'-', letter, marks @ ..] | [letter, marks @ ..]
            if promotion_role(*letter).is_some() =>
        {
            (promotion_role(*letter), marks)
        }
        marks => (None, marks),
    };
    let marks = after_signs(marks);
    let words: [&[u8]; 4] = [b"e.p", b"ep", b"ch", b"mate"];
    let rest = words.iter().find_map(|word| marks.strip_prefix(*word)).unwrap_or(marks);
    after_signs(rest).is_empty().then_some(promotion)
}

/// Skips signs for checks and evaluations, such as `++` and `-/+`. `--` would be a null move.
fn after_signs(mut text: &[u8]) -> &[u8] {
    while let [sign, rest @ ..] = text
        && b"+#=!?./-".contains(sign)
        && !text.starts_with(b"--")
    {
        text = rest;
    }
    text
}

/// The promotion role with a letter.
#[inline(always)]
pub(crate) const fn promotion_role(letter: u8) -> Option<usize> {
    match letter {
        b'Q' | b'q' => Some(QUEEN),
        b'N' | b'n' => Some(KNIGHT),
        b'R' | b'r' => Some(ROOK),
        b'B' | b'b' => Some(BISHOP),
        _ => None,
    }
}

/// Parses a word in any form.
#[cold]
#[inline(never)]
pub(crate) fn any_form(word: &[u8]) -> Word {
    match word {
        b"dis" | b"dis." | b"dbl" | b"dbl." | b"N" | b"D" | b"RR" | b"TN" | b"inf" | b"inf."
        | b"zz" | b"ZZ" => return Word::Annotation,
        b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" => return Word::Null,
        [_, ..] if promotion(word) == Some(None) => return Word::Annotation,
        _ => {}
    }
    if let Some(castling) = castling(word) {
        return castling;
    }
    let (letters, used) = letters(word);
    parse(&letters[..used]).unwrap_or(Word::Unknown)
}

/// Removes the signs between squares and replaces figurines by letters. The result has at most 16 bytes.
fn letters(word: &[u8]) -> ([u8; 16], usize) {
    let mut letters = [0; 16];
    let mut used = 0;
    let mut at = 0;
    while at < word.len() {
        let (byte, length) = match word[at..] {
            // U+2654 to U+265F: white's and black's king, queen, rook, bishop, knight, pawn.
            [0xe2, 0x99, last @ 0x94..=0x9f, ..] => (b"KQRBNP"[usize::from(last - 0x94) % 6], 3),
            // A dash, and the sign of multiplication.
            [0xe2, 0x80, 0x90..=0x94, ..] => (b'-', 3),
            [0xc3, 0x97, ..] => (b'x', 2),
            // Daggers for checks.
            [0xe2, 0x80, 0xa0 | 0xa1, ..] => (b'+', 3),
            [byte, ..] => (byte, 1),
            [] => break,
        };
        let before = &word[..at];
        // Drop a dash before the destination, but not before a promotion role.
        let sign = matches!(byte, b'x' | b':' | b'X')
            || byte == b'-' && matches!(word.get(at + length), Some(b'a'..=b'h')) && at > 0;
        at += length;
        if sign && !before.is_empty() {
            continue;
        }
        if used == letters.len() {
            // Too long for a move: return a text that is not parsed as one.
            return ([0; 16], 1);
        }
        letters[used] = byte;
        used += 1;
    }
    (letters, used)
}

/// Parses castling with the letter O or o or the digit 0, followed by check marks.
fn castling(word: &[u8]) -> Option<Word> {
    let (mut rest, mut count) = (word, 0);
    while let [b'O' | b'o' | b'0', after @ ..] = rest.strip_prefix(b"-").unwrap_or(rest)
        && count < 3
    {
        rest = after;
        count += 1;
    }
    let is_castling = count > 1 && word[0] != b'-' && promotion(rest) == Some(None);
    is_castling.then_some(Word::Castling { kings_side: count == 2 })
}
