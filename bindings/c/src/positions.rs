//! Converts many positions from C to the library's types.

use std::ops::Range;

use setwise::legal::State;
use setwise::{Colour, Pieces, Positions};

use crate::buffers::{Checked, input_slice};
use crate::error::Failure;
use crate::legal::setwise_state;
use crate::pieces::{colour, setwise_pieces};

/// The number of rows per part, 128 KiB, if positions are passed on in parts.
pub(crate) const ROWS_OF_PART: usize = 2048;

/// Many positions, as rows or columns. Set unused fields to 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct setwise_positions {
    /// The number of positions.
    pub count: usize,
    /// `count` positions, or NULL if they are in columns. Rows that are aligned to 64 bytes are read in place; others
    /// are copied in parts.
    pub rows: *const setwise_pieces,
    /// `count` sets in each column, in the order of setwise_pieces: pawns, knights, bishops, rooks, queens, kings,
    /// white, black. Ignored if there are rows.
    pub columns: [*const u64; 8],
    /// `count` sides to move, or NULL. setwise_column_needs() returns whether a column needs them.
    pub turns: *const u8,
    /// `count` sets of the files of white's castling rooks, a = bit 0 to h = bit 7, or NULL.
    pub castling_white: *const u8,
    /// `count` sets of the files of black's castling rooks, or NULL.
    pub castling_black: *const u8,
    /// `count` squares behind a pawn that has just made a double step, or SETWISE_NO_SQUARE for none; or NULL.
    pub en_passant: *const u8,
}

impl setwise_positions {
    /// The state apart from the pieces, by name.
    pub(crate) fn state(&self) -> [(&'static str, *const u8); 4] {
        [
            ("turns", self.turns),
            ("castling_white", self.castling_white),
            ("castling_black", self.castling_black),
            ("en_passant", self.en_passant),
        ]
    }

    /// The first of the state's arrays, up to a number of them, that the positions need and lack.
    pub(crate) fn lacking(&self, needed: usize) -> Option<&'static str> {
        let (name, _) =
            self.state().into_iter().take(needed).find(|(_, values)| values.is_null())?;
        (self.count > 0).then_some(name)
    }

    /// Checks all arrays.
    ///
    /// # Safety
    /// The arrays are the caller's.
    pub(crate) unsafe fn check(&self, arrays: &mut Checked) -> Result<(), Failure> {
        const NAMES: [&str; 8] =
            ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"];
        // SAFETY: guaranteed by the caller.
        unsafe {
            if self.rows.is_null() {
                for (name, column) in NAMES.into_iter().zip(self.columns) {
                    arrays.read(name, column, self.count)?;
                }
            } else {
                arrays.read("rows", self.rows, self.count)?;
            }
            for (name, values) in self.state().into_iter().filter(|(_, at)| !at.is_null()) {
                arrays.read(name, values, self.count)?;
            }
        }
        Ok(())
    }

    /// Passes the positions to a closure, in parts of at most `most` rows, until it returns false. Parts are smaller if
    /// something must be copied: rows that are not aligned like `Pieces`, and the state.
    ///
    /// # Safety
    /// All arrays have been checked.
    pub(crate) unsafe fn in_parts(
        &self,
        most: usize,
        mut fill: impl FnMut(Range<usize>, Positions<'_>) -> bool,
    ) {
        let rows = self.rows.cast::<Pieces>();
        let copies_rows = !rows.is_aligned();
        let has_state = self.state().iter().any(|(_, values)| !values.is_null());
        let part = if copies_rows || has_state { most.min(ROWS_OF_PART) } else { most };
        let mut at = 0;
        while at < self.count {
            let range = at..at + part.min(self.count - at);
            let length = range.len();
            let copy: Vec<Pieces>;
            // SAFETY: rows and columns were checked to have `count` values each, `range` lies within, and rows are
            // aligned where they are read as `Pieces`, which have the same fields (`position.rs` checks them).
            let mut positions: Positions<'_> = unsafe {
                if self.rows.is_null() {
                    let column = |i: usize| input_slice(self.columns[i].add(at), length);
                    Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7].map(column)).into()
                } else if copies_rows {
                    let rows = input_slice(self.rows.add(at), length);
                    copy = rows.iter().map(|&row| Pieces::from(row)).collect();
                    Positions::from(&copy)
                } else {
                    input_slice(rows.add(at), length).into()
                }
            };
            // SAFETY: the state was checked to have `count` values, or is null.
            let [turns, white, black, en_passant] = self.state().map(|(_, values)| unsafe {
                if values.is_null() { &[] } else { input_slice(values.add(at), length) }
            });
            let states = turns.iter().zip(white).zip(black).zip(en_passant);
            let states: Vec<State> = states
                .map(|(((&turn, &castling_white), &castling_black), &en_passant)| {
                    setwise_state { turn, castling_white, castling_black, en_passant }.into()
                })
                .collect();
            let turns: Vec<Colour> = turns.iter().map(|&turn| colour(turn)).collect();
            if !turns.is_empty() {
                positions = positions.with_turns(&turns);
            }
            if !states.is_empty() {
                positions = positions.with_states(&states);
            }
            if !fill(range.clone(), positions) {
                return;
            }
            at = range.end;
        }
    }
}
