//! Processes changed squares one after another, generic over the board type of an instruction set.

use core::mem::MaybeUninit;

use super::records::{ChangeError, SquareChange, ThreatChange, buffer_len};
use super::tables::{PairFilter, both_ends, lanes_between};

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
    /// Changes a square that held `old`. Drops pairs that one change adds and another removes: those in the lanes of
    /// squares that change `earlier` or `later`.
    #[inline(always)]
    fn change(&mut self, to: SquareChange, old: u8, earlier: u32, later: u32) {
        let Self { board, occupied, list } = self;
        let SquareChange { square, code } = to;
        let bit = 1 << square;
        *occupied &= !bit;
        let around = board.around(square, *occupied);
        if old != 0 {
            B::ends(&around, old, false, earlier, list);
        } else {
            B::across(&around, false, both_ends(earlier), list);
        }
        if code != 0 {
            B::ends(&around, code, true, later, list);
            *occupied |= bit;
        } else {
            B::across(&around, true, both_ends(later), list);
        }
        board.set(square, code);
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
    // Nearly all moves change two squares, which take an eighth less time without loops over squares.
    if let &[first, second] = changes {
        let [a, b] = [held(first.square), held(second.square)];
        let [later, earlier] = lanes_between(first.square, second.square, occupied);
        if a != first.code {
            changing.change(first, a, 0, if b != second.code { later } else { 0 });
        }
        if b != second.code {
            changing.change(second, b, if a != first.code { earlier } else { 0 }, 0);
        }
        return changing.list.len;
    }
    for (at, &change) in changes.iter().enumerate() {
        let mut dropped = [0; 2];
        for (other, &SquareChange { square, code }) in changes.iter().enumerate() {
            if other != at && held(square) != code {
                let [lanes, _] = lanes_between(change.square, square, changing.occupied);
                dropped[usize::from(other > at)] |= lanes;
            }
        }
        let old = held(change.square);
        if old != change.code {
            changing.change(change, old, dropped[0], dropped[1]);
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
