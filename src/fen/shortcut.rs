//! Reads the usual forms of a line, without branches on the kind of byte. For an unusual line the result is `None`, and
//! the reader in `reader.rs` takes over.
//!
//! # The placement
//!
//! Every byte is written to a cell: a piece to that of its square, a digit to the first or last of the cells that it
//! leaves empty, a slash to the cell between two ranks.
//!
//! ```text
//! r3k2r/pp1...     r . . . k . . r / p p . ...     8 squares and one more, eight times
//! ```
//!
//! So the placement is valid if seven slashes and the end are in the cells after the ranks, and nothing but pieces is
//! in the others: one comparison at the end and none before. The cells are bytes with three bits for the role and one for
//! white, which byte masks collect into four planes of 64 squares (`planes.rs`).
//!
//! A byte takes four instructions: load it, load its mark, store the mark, add its width. Two bytes share the store,
//! because the last cell of the first and the first cell of the second are neighbours.
//!
//! # The other fields
//!
//! Side to move and castling rights are one word of eight bytes; a multiplication finds the sixteen texts of standard chess
//! in a table. The en passant square is the next word, the two clocks are the third.

use super::planes::Planes;
use crate::pieces::Colour;

/// A cell for each square in the order of the text, and one after each rank for its separator.
const ROW: usize = 9;

/// The cell after the last rank, where the placement ends.
const LAST: usize = 8 * ROW - 1;

/// The mark of bytes that are not pieces: all three bits of the role.
pub(super) const NO_PIECE: u8 = 0xe0;
pub(super) const SLASH: u8 = NO_PIECE | 0x08;
pub(super) const END: u8 = NO_PIECE | 0x04;

/// The mark of a byte in its first cell: for a piece its role, counted from 1, in the upper three bits and white in the
/// fourth; for a digit nothing.
pub(super) const fn mark(byte: u8) -> u8 {
    let white = if byte.is_ascii_uppercase() { 0x10 } else { 0 };
    let role = match byte.to_ascii_lowercase() {
        b'p' => 1,
        b'n' => 2,
        b'b' => 3,
        b'r' => 4,
        b'q' => 5,
        b'k' => 6,
        b'1'..=b'8' => return 0,
        b'/' => return SLASH,
        b' ' => return END,
        _ => return NO_PIECE,
    };
    role << 5 | white
}

/// The mark of each byte; in the second table shifted up, for the second byte of a pair.
static MARKS: ([u8; 256], [u16; 256]) = {
    let (mut first, mut second) = ([0; 256], [0; 256]);
    let mut byte = 0;
    while byte < 256 {
        first[byte] = mark(byte as u8);
        second[byte] = (first[byte] as u16) << 8;
        byte += 1;
    }
    (first, second)
};

/// A number of cells. The compiler knows that no value is above eight and that no sum leaves the array of cells, so it
/// checks no index.
#[derive(Clone, Copy)]
#[repr(usize)]
enum Width {
    One = 1,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
}

/// The number of cells of each byte.
static WIDTHS: [Width; 256] = {
    use Width::{Eight, Five, Four, One, Seven, Six, Three, Two};
    let mut widths = [One; 256];
    let digits = [One, Two, Three, Four, Five, Six, Seven, Eight];
    let mut i = 0;
    while i < 8 {
        widths[b'1' as usize + i] = digits[i];
        i += 1;
    }
    widths
};

/// The sets of a placement that ends with a space or with the line, and where it ends.
#[inline(always)]
pub(super) fn placement(line: &[u8], start: usize) -> Option<(Planes, usize)> {
    // One before the first cell, and after the last as many as eight more bytes can take.
    let mut cells = [0; 1 + LAST + 8 * 8 + 1];
    let mut cell = 0;
    let (chunks, rest) = line[start..].as_chunks::<8>();
    let mut at = start;
    let mut last = None;
    for bytes in chunks {
        cell = put(bytes, &mut cells, cell);
        if cell > LAST {
            last = Some(u64::from_le_bytes(*bytes) ^ SPACES);
            break;
        }
        at += 8;
    }
    let last = match last {
        Some(last) => last,
        None => {
            let mut bytes = [b' '; 8];
            bytes[..rest.len()].copy_from_slice(rest);
            // The first condition never holds, but tells the compiler the range of the indices.
            if cell > LAST || put(&bytes, &mut cells, cell) <= LAST {
                return None;
            }
            u64::from_le_bytes(bytes) ^ SPACES
        }
    };
    let cells: &[u8; 8 * ROW] = cells[1..].first_chunk()?;
    let slashes = (1..8).fold(SLASH, |all, rank| all & cells[ROW * rank - 1]);
    let planes = Planes::of_cells(cells);
    if slashes != SLASH || cells[LAST] != END || planes.role_7() != 0 {
        return None;
    }
    Some((planes, at + first_zero(last) as usize / 8))
}

/// Writes the marks of eight bytes, the first at `cell`, and returns the cell after them.
#[inline(always)]
fn put(bytes: &[u8; 8], cells: &mut [u8; 1 + LAST + 65], mut cell: usize) -> usize {
    for &[first, second] in bytes.as_chunks().0 {
        let [first, second] = [first, second].map(usize::from);
        // The last cell of one and the first of the other: in between, digits leave nothing.
        let marks = u16::from(MARKS.0[first]) | MARKS.1[second];
        cell += WIDTHS[first] as usize;
        cells[cell..cell + 2].copy_from_slice(&marks.to_le_bytes());
        cell += WIDTHS[second] as usize;
    }
    cell
}

/// Side to move, castling rights and en passant square.
pub(super) struct Rights {
    pub(super) turn: Colour,
    /// The files of white's castling rooks, then of black's.
    pub(super) castling: [u8; 2],
    pub(super) en_passant: Option<u8>,
    /// Where they end.
    pub(super) end: usize,
}

/// The three fields after the placement, each after one space, with castling rights as some of `KQkq` in this order and
/// the rooks in the corners.
#[inline(always)]
pub(super) fn rights(line: &[u8], at: usize, planes: Planes) -> Option<Rights> {
    let first = word(line, at)?;
    // No branch on the letter: its lowest bit says which it has to be.
    let black = !(first as u32) >> 8 & 1;
    if first as u32 & 0x00ff_ffff != WHITE ^ (black * (WHITE ^ BLACK)) {
        return None;
    }
    let castling = first >> 24;
    let length = first_zero(castling);
    if length > 32 {
        return None;
    }
    let letters = (castling & !(u64::MAX << length)) as u32;
    let (known, castling) = CASTLING[castling_place(letters)];
    let corners = u64::from(castling[0]) | u64::from(castling[1]) << 56;
    let own = planes.white() ^ 0xff00_0000_0000_0000;
    if known != letters || corners & !(planes.rooks() & own) != 0 {
        return None;
    }
    let at = at + 4 + length as usize / 8;
    let square = word(line, at)?;
    let (en_passant, length) = if square as u16 == blanked(*b"-   ") as u16 {
        (None, 1)
    } else {
        let [file, rank, after, ..] = (square ^ SPACES).to_le_bytes();
        if !matches!(file, b'a'..=b'h') || !matches!(rank, b'3' | b'6') || after != b' ' {
            return None;
        }
        (Some(8 * (rank - b'1') + (file - b'a')), 2)
    };
    let turn = Colour::ALL[black as usize];
    Some(Rights { turn, castling, en_passant, end: at + length })
}

const WHITE: u32 = blanked(*b" w  ");
const BLACK: u32 = blanked(*b" b  ");

/// Letters in the form in which [`word`] returns them.
const fn blanked(letters: [u8; 4]) -> u32 {
    u32::from_le_bytes(letters) ^ SPACES as u32
}

/// Each text of castling rights in standard chess at its index, with the files of the rooks by colour.
static CASTLING: [(u32, [u8; 2]); 32] = {
    let mut table = [(0, [0; 2]); 32];
    let mut rights = 0;
    while rights < 16 {
        let (mut text, mut length, mut files) = ([b' '; 4], 0, [0; 2]);
        let mut i = 0;
        while i < 4 {
            if rights >> i & 1 == 1 {
                text[length] = b"KQkq"[i];
                length += 1;
                files[i / 2] |= [0x80, 0x01][i % 2];
            }
            i += 1;
        }
        if rights == 0 {
            text[0] = b'-';
        }
        let text = blanked(text);
        assert!(table[castling_place(text)].0 == 0, "two texts have the same place");
        table[castling_place(text)] = (text, files);
        rights += 1;
    }
    table
};

/// Found by trial: each of the sixteen texts has a different index.
const fn castling_place(text: u32) -> usize {
    (text.wrapping_mul(0xb8b3_33a9) >> 27) as usize
}

/// Two numbers of up to four digits, separated by a space and followed by a space or the end of the line; and the end
/// of the second.
#[inline(always)]
pub(super) fn numbers(line: &[u8], at: usize) -> Option<([u32; 2], usize)> {
    let word = word(line, at)?;
    let spaces = zeros(word);
    let first = spaces.trailing_zeros() & !7;
    let end = (spaces & spaces.wrapping_sub(1)).trailing_zeros() & !7;
    let second = end.wrapping_sub(first + 8);
    if first.wrapping_sub(8) > 24 || second.wrapping_sub(8) > 24 || end > 56 {
        return None;
    }
    // The values of the digits, each number at the end of its half: the first digit is the lowest byte.
    let values = word ^ ZEROS;
    let digits = values << (64 - first) >> 32 | values >> (first + 8) << (64 - second) >> 32 << 32;
    if (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & HIGH != 0 {
        return None;
    }
    let pairs = (10 * digits + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let numbers = 100 * pairs + (pairs >> 16);
    Some(([numbers & 0xffff, numbers >> 32 & 0xffff].map(|n| n as u32), at + end as usize / 8))
}

const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);
/// Zeros in the form in which [`word`] returns them.
const ZEROS: u64 = u64::from_ne_bytes([b'0' ^ b' '; 8]);
const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// Eight bytes as their differences from a space, the first byte lowest, with spaces after the end of the line; `None`
/// if the line has ended or is too short.
#[inline(always)]
fn word(line: &[u8], at: usize) -> Option<u64> {
    let from = at.min(line.len().checked_sub(8)?);
    let missing = at - from;
    let word = u64::from_le_bytes(*line[from..].first_chunk()?);
    (missing < 8).then(|| (word ^ SPACES) >> (8 * missing))
}

/// The high bit of each byte that is 0; above the first of them, possibly also of bytes that are 1.
#[inline(always)]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// Eight times the index of the first byte that is 0; 64 if there is none.
#[inline(always)]
fn first_zero(word: u64) -> u32 {
    zeros(word).trailing_zeros() & !7
}
