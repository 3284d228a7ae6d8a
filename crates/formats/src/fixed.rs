//! Formats with fixed-size records: their trait, and the checks and encodings that they share.

use setwise::{Colour, Pieces, Role};

use crate::Records;
use crate::bits::Bits;
use crate::error::{Fault, Square};

/// A format with fixed-size records.
pub(crate) trait Fixed<const SIZE: usize> {
    /// Adds a row for each record, and returns whether all are valid. The row of an invalid record is unspecified.
    fn decode<B: Bits>(records: &[[u8; SIZE]], batch: &mut Records) -> bool;

    /// Finds the error in a record. This function defines validity; it is not performance-critical.
    fn check(record: &[u8; SIZE]) -> Result<(), Fault>;

    /// Writes a row into a record of zeros.
    fn encode(batch: &Records, row: usize, record: &mut [u8; SIZE]) -> Result<(), Fault>;
}

/// Adds rows to a column. This is a loop because functions called by `extend` may not be inlined into the function that
/// enables the instructions, and then run without them (24 ns per record instead of 5).
#[inline(always)]
pub(crate) fn fill<T: Copy, R>(
    column: &mut Vec<T>,
    blank: T,
    records: &[R],
    mut of: impl FnMut(&R) -> T,
) {
    let start = column.len();
    column.resize(start + records.len(), blank);
    for (row, record) in column[start..].iter_mut().zip(records) {
        *row = of(record);
    }
}

#[inline(always)]
pub(crate) fn word<const AT: usize, const SIZE: usize>(record: &[u8; SIZE]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| record[AT + i]))
}

#[inline(always)]
pub(crate) fn half<const AT: usize, const SIZE: usize>(record: &[u8; SIZE]) -> u16 {
    u16::from_le_bytes([record[AT], record[AT + 1]])
}

/// The 16 bytes of nibbles after the occupied squares.
#[inline(always)]
pub(crate) fn nibbles(record: &[u8; 32]) -> &[u8; 16] {
    record[8..24].try_into().expect("16 bytes")
}

/// Returns whether a set has exactly one square.
#[inline(always)]
pub(crate) const fn single(set: u64) -> bool {
    set != 0 && set & set.wrapping_sub(1) == 0
}

/// Pairs the occupied squares with their nibbles. Fails unless their numbers match.
pub(crate) fn coded(occupied: u64, packed: &[u8], at: usize) -> Result<Vec<(u8, u8)>, Fault> {
    let squares: Vec<u8> = (0..64).filter(|square| occupied >> square & 1 == 1).collect();
    let count = squares.len();
    if count > 32 {
        let found = format!("{count} occupied squares");
        return Err(Fault::new(at - 8, "at most 32 pieces", found));
    }
    let nibble = |i: usize| packed[i / 2] >> (4 * (i % 2)) & 15;
    if let Some(i) = (count..32).find(|&i| nibble(i) != 0) {
        let expected = format!("zeros after the codes of {count} pieces");
        return Err(Fault::new(at + i / 2, expected, format_args!("the code {}", nibble(i))));
    }
    Ok(squares.into_iter().enumerate().map(|(i, square)| (square, nibble(i))).collect())
}

pub(crate) fn kings(counts: [usize; 2], sides: [&str; 2], at: usize) -> Result<(), Fault> {
    for (count, side) in counts.into_iter().zip(sides) {
        if count != 1 {
            return Err(Fault::new(at, format_args!("1 king of {side}"), count));
        }
    }
    Ok(())
}

/// The error for an invalid piece code.
pub(crate) fn bad_code(at: usize, i: usize, square: u8, nibble: u8, expected: &str) -> Fault {
    Fault::new(at + i / 2, expected, format_args!("the code {nibble} on {}", Square(square)))
}

/// The pieces of a row, from a1 to h8. Fails unless a packed format can hold them: at most one piece per square, at
/// most 32 pieces, and one king per side.
pub(crate) fn pieces(pieces: &Pieces) -> Result<Vec<(u8, Colour, Role)>, Fault> {
    let mut roles = 0;
    for role in Role::ALL {
        let twice = roles & pieces.role(role);
        if twice != 0 {
            let square = Square(twice.trailing_zeros() as u8);
            return Err(Fault::new(0, "one piece a square", format_args!("two on {square}")));
        }
        roles |= pieces.role(role);
    }
    let odd = (roles ^ pieces.occupied()) | (pieces.white & pieces.black);
    if odd != 0 {
        let square = Square(odd.trailing_zeros() as u8);
        let found = format!("something else on {square}");
        return Err(Fault::new(0, "a role and a colour for every piece", found));
    }
    if roles.count_ones() > 32 {
        return Err(Fault::new(0, "at most 32 pieces", roles.count_ones()));
    }
    let counts =
        [pieces.white, pieces.black].map(|side| (side & pieces.kings).count_ones() as usize);
    kings(counts, ["white", "black"], 0)?;
    let mut list = Vec::with_capacity(32);
    while roles != 0 {
        let square = roles.trailing_zeros() as u8;
        list.extend(pieces.at(square).map(|(colour, role)| (square, colour, role)));
        roles &= roles - 1;
    }
    Ok(list)
}

/// Writes occupied squares and nibbles, little-endian, at the start of a record.
pub(crate) fn write_nibbles(record: &mut [u8], codes: impl Iterator<Item = (u8, u8)>) {
    let mut occupied = 0u64;
    for (i, (square, code)) in codes.enumerate() {
        occupied |= 1 << square;
        record[8 + i / 2] |= code << (4 * (i % 2));
    }
    record[..8].copy_from_slice(&occupied.to_le_bytes());
}

/// Converts a number to a narrower type; an error if it does not fit.
pub(crate) fn narrow<T: TryFrom<i64>>(at: usize, value: i64, name: &str) -> Result<T, Fault> {
    T::try_from(value).map_err(|_| {
        let bits = 8 * size_of::<T>();
        Fault::new(at, format_args!("{name} that fits {bits} bits"), value)
    })
}

/// The score of a row, from the point of view of a colour.
pub(crate) fn score(batch: &Records, row: usize, of: Colour, at: usize) -> Result<[u8; 2], Fault> {
    let score = i64::from(batch.score.get(row).copied().unwrap_or(0));
    let score = if batch.turn(row) == of { score } else { -score };
    narrow::<i16>(at, score, "a score").map(i16::to_le_bytes)
}

/// The result of a row in half points of the side to move.
pub(crate) fn result(batch: &Records, row: usize, at: usize) -> Result<u8, Fault> {
    match batch.result.get(row).copied().unwrap_or(0) {
        result @ -1..=1 => Ok((result + 1) as u8),
        other => Err(Fault::new(at, "a result of -1, 0 or 1", other)),
    }
}

pub(crate) fn en_passant(at: usize, square: u8) -> Result<u8, Fault> {
    match square {
        16..24 | 40..48 => Ok(square),
        0..64 => {
            let square = Square(square);
            let found = format!("{square} as the en passant square");
            Err(Fault::new(at, "a square on rank 3 or 6", found))
        }
        _ => Err(Fault::new(at, "an en passant square up to 63, or 64 for none", square)),
    }
}
