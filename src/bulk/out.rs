//! Where the values of a block of positions go, for columns of a fixed size.

use crate::boards::Numbers;
use crate::boards::block::{Block, FromNumber, MAX_BOARDS};

/// The destination of a block's values.
pub(super) struct Out<'a, T> {
    /// The values of the block's positions.
    pub(super) values: &'a mut [T],
    pub(super) validity: Option<&'a mut [bool]>,
    /// How many a position has.
    pub(super) count: usize,
}

impl<T> Out<'_, T> {
    /// Marks the positions that have a value: those whose number is not 0. The column itself writes the zeros.
    #[inline(always)]
    pub(super) fn valid<B: Block>(&mut self, numbers: B::Numbers) {
        let Some(validity) = &mut self.validity else { return };
        let mut valid = [0_i16; MAX_BOARDS];
        B::store_numbers(numbers, &mut valid[..B::COUNT]);
        for (row, valid) in validity.iter_mut().zip(valid) {
            *row = valid != 0;
        }
    }
}

impl Out<'_, u64> {
    /// Stores one bitboard of each position at a place among its values.
    #[cfg(test)]
    #[inline(always)]
    pub(super) fn boards<B: Block>(&mut self, place: usize, boards: B) {
        let mut column = [0; MAX_BOARDS];
        boards.store(&mut column[..B::COUNT]);
        for (values, board) in self.values.chunks_exact_mut(self.count).zip(column) {
            values[place] = board;
        }
    }
}

impl<T: FromNumber + Default> Out<'_, T> {
    /// Stores the one number of each position; a negative one says that there is no answer, and becomes 0.
    #[inline(always)]
    pub(super) fn answers<B: Block>(&mut self, numbers: B::Numbers) {
        let (none, one) = (B::Numbers::splat(0), B::Numbers::splat(1));
        self.numbers::<B>(0, numbers.max(none));
        self.valid::<B>(numbers.if_less(none, none, one));
    }

    /// Stores one number of each position at a place among its values.
    #[inline(always)]
    pub(super) fn numbers<B: Block>(&mut self, place: usize, numbers: B::Numbers) {
        let mut column = [T::default(); MAX_BOARDS];
        B::store_numbers(numbers, &mut column[..B::COUNT]);
        for (values, number) in self.values.chunks_exact_mut(self.count).zip(column) {
            values[place] = number;
        }
    }
}
