//! Where the values of a bulk call go: the columns that are requested, sorted by what fills them.

use super::blocks::Columns;
use crate::boards::block::Block;
use crate::columns::catalogue::{ATTACKS, NUMBERS, OTHERS, TO_MOVE};
use crate::columns::{Column, Kind};
use crate::pieces::Colour;

/// The attack maps.
pub(super) type AttackColumns<'a> = Columns<'a, u64, { 2 * ATTACKS }>;

/// The other bitboards.
pub(super) type OtherColumns<'a> = Columns<'a, u64, { 2 * OTHERS }>;

/// The numbers.
pub(super) type NumberColumns<'a> = Columns<'a, u16, { 2 * NUMBERS }>;

/// The columns of the side to move.
pub(super) type ToMoveColumns<'a> = [Option<&'a mut [u64]>; TO_MOVE.len()];

/// The bitboards and numbers that a call requests, sorted by what fills them.
pub(super) struct Sorted<'a> {
    pub(super) attacks: AttackColumns<'a>,
    pub(super) others: OtherColumns<'a>,
    pub(super) numbers: NumberColumns<'a>,
    pub(super) to_move: ToMoveColumns<'a>,
}

impl<'a> Sorted<'a> {
    pub(super) fn new() -> Self {
        Self {
            attacks: [const { None }; 2 * ATTACKS],
            others: [const { None }; 2 * OTHERS],
            numbers: [const { None }; 2 * NUMBERS],
            to_move: [const { None }; TO_MOVE.len()],
        }
    }

    pub(super) fn boards(&mut self, column: Column, values: &'a mut [u64]) {
        let kind = column.kind();
        let place = kind.place();
        let to = match column.colour() {
            None => {
                let place = TO_MOVE.iter().position(|&other| other == kind);
                &mut self.to_move[place.expect("a kind of the side to move")]
            }
            Some(side) if place < ATTACKS => &mut self.attacks[side as usize * ATTACKS + place],
            Some(side) => &mut self.others[side as usize * OTHERS + place - ATTACKS],
        };
        *to = Some(values);
    }

    pub(super) fn numbers(&mut self, column: Column, values: &'a mut [u16]) {
        let side = usize::from(column.colour() == Some(Colour::Black));
        self.numbers[side * NUMBERS + column.kind().place()] = Some(values);
    }
}

/// Where the bitboards of a block go: the columns that are requested, and where the block starts in them. `FIRST` is
/// the kind of the first column. It is made anew for each block, so that what does not change while columns
/// are written can stay in registers.
pub(super) struct BoardSlots<'a, 'b, const FIRST: usize, const COUNT: usize> {
    pub(super) wanted: [u32; 2],
    pub(super) at: usize,
    pub(super) columns: &'b mut Columns<'a, u64, COUNT>,
}

pub(super) type AttackSlots<'a, 'b> = BoardSlots<'a, 'b, 0, { 2 * ATTACKS }>;

pub(super) type OtherSlots<'a, 'b> = BoardSlots<'a, 'b, ATTACKS, { 2 * OTHERS }>;

impl<'a, 'b, const FIRST: usize, const COUNT: usize> BoardSlots<'a, 'b, FIRST, COUNT> {
    /// The kinds that are requested, of each side: bits by [`Kind::bit`].
    #[inline(always)]
    pub(super) fn wanted(columns: &Columns<'_, u64, COUNT>) -> [u32; 2] {
        let mut wanted = [0; 2];
        for (i, column) in columns.iter().enumerate() {
            if column.is_some() {
                wanted[i / (COUNT / 2)] |= 1 << (FIRST + i % (COUNT / 2));
            }
        }
        wanted
    }

    #[inline(always)]
    pub(super) fn new(
        wanted: [u32; 2],
        at: usize,
        columns: &'b mut Columns<'a, u64, COUNT>,
    ) -> Self {
        Self { wanted, at, columns }
    }

    /// Whether any of these kinds is requested, of one side.
    #[inline(always)]
    pub(super) fn wants(&self, side: Colour, kinds: u32) -> bool {
        self.wanted[side as usize] & kinds != 0
    }

    /// Puts a block into a column, if it is requested.
    #[inline(always)]
    pub(super) fn put<B: Block>(&mut self, side: Colour, kind: Kind, boards: B) {
        let place = side as usize * (COUNT / 2) + kind.place() - FIRST;
        if let Some(column) = &mut self.columns[place] {
            boards.store(&mut column[self.at..self.at + B::COUNT]);
        }
    }
}

/// Where the numbers of a block go.
pub(super) struct NumberSlots<'a, 'b> {
    pub(super) at: usize,
    pub(super) columns: &'b mut NumberColumns<'a>,
}

impl NumberSlots<'_, '_> {
    /// Whether a number is requested, of one side.
    #[inline(always)]
    pub(super) fn wants(&self, side: Colour, kind: Kind) -> bool {
        self.columns[side as usize * NUMBERS + kind.place()].is_some()
    }

    /// Puts a block of numbers into a column, if it is requested.
    #[inline(always)]
    pub(super) fn put<B: Block>(&mut self, side: Colour, kind: Kind, numbers: B::Numbers) {
        if let Some(column) = &mut self.columns[side as usize * NUMBERS + kind.place()] {
            B::store_numbers(numbers, &mut column[self.at..self.at + B::COUNT]);
        }
    }
}
