//! Moves as text: standard algebraic notation in its usual form from eight bytes at once, and every other form that
//! people and programs write a byte at a time.
//!
//! The usual form is a letter for the role or none, then a run of files (a to h), ranks (1 to 8) and `x`. The run ends
//! with the destination; before that may stand an `x`, and before that what tells the origin. All bytes are put into
//! these classes in one word, so the length of the run is a count of zeros, and whether there is an `x` is a shift.

use crate::board::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};

/// A move in the usual form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct San {
    pub(crate) role: usize,
    pub(crate) to: u8,
    /// The squares that the text allows as origin.
    pub(crate) origins: u64,
    /// The file of the origin, if the text says it.
    pub(crate) from_file: Option<u8>,
    pub(crate) promotion: Option<usize>,
}

/// What a word that is no move in the usual form says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Move(San),
    /// From square to square: `e2e4`, `g1f3`, `e7e8q`, `e2-e4`; the piece is what stands there.
    Squares {
        from: u8,
        to: u8,
        promotion: Option<usize>,
    },
    Castling {
        kings_side: bool,
    },
    /// `--` and the like.
    Null,
    /// `e.p.`, `ch`, `N`: nothing to play.
    Annotation,
    /// None of these.
    Unknown,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0xf0 * ONES;
const LOW: u64 = 0x7f * ONES;

const NO_ROLE: u8 = 7;

/// The role that the first byte of a move in the usual form says.
const ROLES: [u8; 256] = {
    let mut roles = [NO_ROLE; 256];
    let mut file = b'a';
    while file <= b'h' {
        roles[file as usize] = PAWN as u8;
        file += 1;
    }
    roles[b'N' as usize] = KNIGHT as u8;
    roles[b'B' as usize] = BISHOP as u8;
    roles[b'R' as usize] = ROOK as u8;
    roles[b'Q' as usize] = QUEEN as u8;
    roles[b'K' as usize] = KING as u8;
    roles
};

/// Bytes that go on with a word.
const WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        word[byte] = b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'+' | b'-' | b'=' | b'#' | b':' | b'/' | b'.' | b'@' | b'_' | b'&' | b'~'
            )
            || b >= 0x80;
        byte += 1;
    }
    word
};

pub(crate) fn word_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&byte| !WORD[usize::from(byte)]).map_or(text.len(), |n| at + n)
}

/// A move in the usual form and where it ends; none if it has another form.
#[inline(always)]
pub(crate) fn usual(text: &[u8], at: usize) -> Option<(San, usize)> {
    let word = u64::from_le_bytes(*text.get(at..)?.first_chunk()?);
    let role = ROLES[usize::from(word as u8)];
    if role == NO_ROLE {
        return None;
    }
    // Low halves from 1 to 8 get a bit 3 when 7 is added; those above 8 a bit 4 and no bit 3.
    let one_to_eight = ((word & !HIGH) + 7 * ONES) >> 3;
    // Whether the high half of a byte is not 6, not 3; whether a byte is not x.
    let not = |high: u64| ((((word ^ high) >> 4) & !HIGH) + 0x0f * ONES) >> 4;
    let files = one_to_eight & !not(0x60 * ONES) & ONES;
    let ranks = one_to_eight & !not(0x30 * ONES) & ONES;
    let other = word ^ (0x78 * ONES);
    let captures = !(((other & LOW) + LOW) | other) >> 7 & ONES;

    let letter = u32::from(role != PAWN as u8);
    let rest = !((files | ranks | captures) >> (8 * letter)) & ONES;
    let run = rest.trailing_zeros() / 8;
    if !(2..=5).contains(&run) {
        return None;
    }
    let end = letter + run;
    let byte = |index: u32| (word >> (8 * index)) as u8;
    let is = |class: u64, index: u32| class >> (8 * index) & 1 == 1;
    if !is(files, end - 2) || !is(ranks, end - 1) {
        return None;
    }
    let to = (byte(end - 1).wrapping_sub(1) & 7) << 3 | byte(end - 2).wrapping_sub(1) & 7;
    let mut origins = !0;
    let mut from_file = None;
    if run > 2 {
        let between = run - 2 - u32::from(is(captures, end - 3));
        match between {
            0 if letter == 1 => {}
            1 if is(files, letter) => {
                let file = byte(letter).wrapping_sub(1) & 7;
                origins = 0x0101_0101_0101_0101 << file;
                from_file = Some(file);
            }
            1 if is(ranks, letter) => {
                origins = 0xff << (8 * (byte(letter).wrapping_sub(1) & 7));
            }
            2 if letter == 1 && is(files, 1) && is(ranks, 2) => {
                let file = byte(1).wrapping_sub(1) & 7;
                origins = 1 << ((byte(2).wrapping_sub(1) & 7) << 3 | file);
            }
            _ => return None,
        }
    }
    let mut promotion = None;
    let mut at = at + end as usize;
    if letter == 0 && to.wrapping_sub(8) >= 48 {
        let equals = usize::from(text.get(at) == Some(&b'='));
        if let Some(role) = text.get(at + equals).and_then(|&letter| promotion_role(letter)) {
            promotion = Some(role);
            at += equals + 1;
        }
    }
    at += usize::from(matches!(text.get(at), Some(b'+' | b'#')));
    match text.get(at) {
        Some(&next) if WORD[usize::from(next)] => None,
        _ => Some((San { role: role.into(), to, origins, from_file, promotion }, at)),
    }
}

/// The role of a letter behind a pawn's move.
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

/// Reads a word of any form.
#[cold]
#[inline(never)]
pub(crate) fn any(word: &[u8]) -> Word {
    match word {
        b"e.p." | b"e.p" | b"ep." | b"ep" | b"ch" | b"ch." | b"mate" | b"dis" | b"dis."
        | b"dbl" | b"dbl." | b"N" | b"D" | b"+" | b"++" | b"#" => return Word::Annotation,
        b"--" | b"Z0" | b"0000" | b"@@@@" | b"null" => return Word::Null,
        _ => {}
    }
    if let Some(castling) = castling(word) {
        return castling;
    }
    let (letters, used) = letters(word);
    let letters = &letters[..used];
    let (role, rest) = match letters {
        [letter, rest @ ..] if b"PNBRQK".contains(letter) => {
            (b"PNBRQK".iter().position(|role| role == letter), rest)
        }
        rest => (None, rest),
    };
    // Marks of check, and the words for them.
    let marks = rest.iter().rposition(|byte| byte.is_ascii_digit()).map_or(0, |last| last + 1);
    let (squares, mut tail) = rest.split_at(marks);
    let mut promotion = None;
    match tail {
        [b'=' | b'/' | b'-', letter, more @ ..] | [letter, more @ ..]
            if promotion_role(*letter).is_some() =>
        {
            promotion = promotion_role(*letter);
            tail = more;
        }
        _ => {}
    }
    let marks = tail.iter().skip_while(|byte| b"+#=!?.".contains(byte));
    let marks: Vec<u8> = marks.copied().collect();
    if !matches!(&marks[..], b"" | b"ep" | b"ep." | b"e.p." | b"e.p" | b"ch" | b"ch." | b"mate") {
        return Word::Unknown;
    }
    let file = |byte: u8| matches!(byte, b'a'..=b'h').then(|| byte - b'a');
    let rank = |byte: u8| matches!(byte, b'1'..=b'8').then(|| byte - b'1');
    let square = |a: u8, b: u8| Some(8 * rank(b)? + file(a)?);
    let piece = role.unwrap_or(PAWN);
    let found = match *squares {
        [a, b] => square(a, b).map(|to| (to, !0, None)),
        [x, a, b] => square(a, b).and_then(|to| match (file(x), rank(x)) {
            (Some(file), _) => Some((to, 0x0101_0101_0101_0101 << file, Some(file))),
            (_, Some(rank)) if piece != PAWN => Some((to, 0xff << (8 * rank), None)),
            _ => None,
        }),
        [a, b, c, d] => match (square(a, b), square(c, d)) {
            (Some(from), Some(to)) if role.is_none() => {
                return Word::Squares { from, to, promotion };
            }
            (Some(from), Some(to)) => Some((to, 1 << from, Some(from & 7))),
            _ => None,
        },
        _ => None,
    };
    match found {
        Some((to, origins, from_file)) => {
            Word::Move(San { role: piece, to, origins, from_file, promotion })
        }
        None => Word::Unknown,
    }
}

/// The word without signs between squares, and with letters for figurines; at most 16 bytes.
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
        // A dash before the destination, not before a role to promote to.
        let sign = matches!(byte, b'x' | b':' | b'X')
            || byte == b'-' && matches!(word.get(at + length), Some(b'a'..=b'h')) && at > 0;
        at += length;
        if sign && !before.is_empty() {
            continue;
        }
        if used == letters.len() {
            // Too long for a move: nothing that reads as one.
            return ([0; 16], 1);
        }
        letters[used] = byte;
        used += 1;
    }
    (letters, used)
}

/// Castling with letters O or o or digits 0, and marks behind it.
fn castling(word: &[u8]) -> Option<Word> {
    let is_o = |byte: Option<&u8>| matches!(byte, Some(b'O' | b'o' | b'0'));
    if !is_o(word.first()) {
        return None;
    }
    let mut count = 1;
    let mut at = 1;
    loop {
        let dash = usize::from(word.get(at) == Some(&b'-'));
        if count == 3 || !is_o(word.get(at + dash)) {
            break;
        }
        count += 1;
        at += dash + 1;
    }
    let marks = &word[at..];
    let only_marks = marks.iter().all(|byte| b"+#.=".contains(byte));
    (count > 1 && (only_marks || matches!(marks, b"ch" | b"ch." | b"mate")))
        .then_some(Word::Castling { kings_side: count == 2 })
}
