//! Processes changed squares one after another, generic over the board type of an instruction set.

use core::mem::MaybeUninit;

use super::records::{ChangeError, SquareChange, ThreatChange, buffer_len};
use super::tables::{PairFilter, both_ends, lanes_to};

/// A list of records of the pairs that a filter keeps. Vectors are stored whole, so the buffer has a capacity of
/// [`buffer_len`] records.
pub(crate) struct List<'a> {
    pub(super) filter: &'a PairFilter,
    pub(super) buffer: &'a mut [MaybeUninit<ThreatChange>],
    pub(super) len: usize,
}

/// A board in the representation of an instruction set.
pub(crate) trait Board: Sized {
    /// The surroundings of a square.
    type Around;

    /// Loads the codes of the squares, from a1 to h8.
    fn load(codes: &[u8; 64]) -> Self;

    /// The squares with a code.
    fn holding(&self, code: u8) -> u64;

    /// Sets the code of a square.
    fn set(&mut self, square: u8, code: u8);

    /// Returns the nearest pieces around a square, which `occupied` must not contain.
    fn around(&self, square: u8, occupied: u64) -> Self::Around;

    /// Appends the pairs from and to a piece in the middle, except in dropped lanes (rays in bits 0 to 7, leaps in bits
    /// 8 to 15). The order is: pairs from it, pairs to it along rays, pairs to it from knights; each sorted by lane.
    fn ends(around: &Self::Around, code: u8, added: bool, dropped: u32, list: &mut List<'_>);

    /// Appends the pairs of sliders and their victims across the middle, except if the attacker is in a dropped lane.
    fn across(around: &Self::Around, added: bool, dropped: u32, list: &mut List<'_>);
}

/// A board whose squares are changed one after another, and the records of the changes.
struct Changing<'a, B> {
    board: B,
    occupied: u64,
    list: List<'a>,
}

impl<B: Board> Changing<'_, B> {
    /// Changes a square that held `old`, after the squares `earlier` and before the squares `later`. Drops pairs that
    /// one change adds and another removes.
    #[inline(always)]
    fn change(&mut self, to: SquareChange, old: u8, earlier: u64, later: u64) {
        let Self { board, occupied, list } = self;
        let SquareChange { square, code } = to;
        let bit = 1 << square;
        *occupied &= !bit;
        let around = board.around(square, *occupied);
        let dropped = lanes_to(square, earlier, *occupied);
        if old != 0 {
            B::ends(&around, old, false, dropped, list);
        } else {
            B::across(&around, false, both_ends(dropped), list);
        }
        let dropped = lanes_to(square, later, *occupied);
        if code != 0 {
            B::ends(&around, code, true, dropped, list);
            *occupied |= bit;
        } else {
            B::across(&around, true, both_ends(dropped), list);
        }
        if later != 0 {
            board.set(square, code);
        }
    }
}

/// Writes the changes to a buffer of at least [`buffer_len`] records, and returns the number of records, which are
/// initialized. No square may occur twice.
#[inline(always)]
pub(crate) fn write<B: Board>(
    codes: &[u8; 64],
    changes: &[SquareChange],
    filter: &PairFilter,
    buffer: &mut [MaybeUninit<ThreatChange>],
) -> usize {
    assert!(buffer.len() >= buffer_len(changes.len()));
    let board = B::load(codes);
    let occupied = !board.holding(0);
    let mut changing = Changing { board, occupied, list: List { filter, buffer, len: 0 } };
    let held = |square: u8| codes[usize::from(square & 63)];
    let bit_if_changed = |SquareChange { square, code }: SquareChange| {
        if held(square) == code { 0 } else { 1 << square }
    };
    // Nearly all moves change two squares, which take an eighth less time without loops over squares.
    if let &[first, second] = changes {
        let [earlier, later] = [bit_if_changed(first), bit_if_changed(second)];
        if earlier != 0 {
            changing.change(first, held(first.square), 0, later);
        }
        if later != 0 {
            changing.change(second, held(second.square), earlier, 0);
        }
        return changing.list.len;
    }
    let mut later = 0_u64;
    for &change in changes {
        later |= bit_if_changed(change);
    }
    let mut earlier = 0;
    for &change in changes {
        let bit = bit_if_changed(change);
        if bit != 0 {
            later &= !bit;
            changing.change(change, held(change.square), earlier, later);
            earlier |= bit;
        }
    }
    changing.list.len
}

/// Returns an error if a square occurs twice.
#[inline(always)]
pub(crate) fn check(changes: &[SquareChange]) -> Result<(), ChangeError> {
    if let &[first, second] = changes {
        // Nearly all moves change two squares, as in `write`.
        let square = second.square;
        return if first.square == square { Err(ChangeError::Twice(square)) } else { Ok(()) };
    }
    let mut seen = 0_u64;
    for change in changes {
        if seen >> change.square & 1 == 1 {
            return Err(ChangeError::Twice(change.square));
        }
        seen |= 1 << change.square;
    }
    Ok(())
}
