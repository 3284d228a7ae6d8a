//! Calls for less than half a block: one position after the other, with the kernel's instructions.
//!
//! A block takes as long for one row as for all of its rows, and filling it up with empty boards takes as long again. On
//! Zen 5 with AVX-512, in nanoseconds for each row of a call:
//!
//! ```text
//! rows of a call           1     2     4     8    16    24    32    48    64
//! union, a block          49    24    12   6.2   3.1   2.2   1.7   1.2   0.7
//! union, one by one      5.9   3.4   2.1   1.9   1.9   1.9   1.9   1.9
//! maps, a block          534   266   134    67    34    23    18    13   6.4
//! maps, one by one        52    33    23    18    16    15    14    14
//! ```
//!
//! With AVX2 and `wide` the two meet at half a block too. As many calls for one position take 2.2 and 26 for each.
//!
//! A block without roles of sliders takes less, so its limit is three eighths. On Zen 4, one by one and in a block, in
//! nanoseconds for both sides' `all`: 495 and 667 for 17 rows, 656 and 699 for 24, 844 and 729 for 32. A quarter as the limit
//! was worse with AVX2 and `wide` too, and had `lanes` fill up a block for one row, in twice the time.
//!
//! A call for one row should not cost much more than the question. The difference is checks and moves; and a load of what
//! has just been stored in smaller pieces, such as a slice moved as one word of 16 bytes or a position moved by halves,
//! waits until the stores have reached the cache: a slice that goes over the stack cost 9 ns. So columns are lent and not
//! moved, rows are read where they are, messages are put together only where they are needed, and the lengths of slices
//! are compared in the caller's code. On Zen 4 with AVX-512, in nanoseconds for each row of a loop over calls, with the
//! time before all that in brackets:
//!
//! ```text
//! rows of a call                    1               8        as many calls for one position
//! union                      5.4 (10)             3.9        4.0
//! maps, Kernel::attacks       48 (83)         20 (33)         28
//! maps, Kernel::fill        185 (289)         37 (56)         28
//! ```
//!
//! For the union that is about 76 instructions in place of 45: three lengths compared, a table that says what is few, six
//! words of slices stored and loaded, and the lengths compared again where the loop begins. `Kernel::fill` takes some 30
//! cycles for each requested column, to find its type, its section and its place.

use super::positions::Positions;
use super::sides::AttackColumns;
use super::sliders::Sliders;
use crate::backend::Kernel;
use crate::eval::Attacks;
use crate::instructions::Instructions;
use crate::pieces::Pieces;

impl Kernel {
    /// Whether so few rows take less time one by one.
    #[inline(always)]
    pub(super) fn are_few(self, rows: usize) -> bool {
        rows <= self.backend().boards_per_block() / 2
    }

    pub(super) fn few_slider_attacks(self, sliders: &Sliders<'_>, attacks: &mut [u64]) {
        Rows::of(self).unions(sliders, attacks);
    }

    pub(super) fn few_attacks(self, positions: &Positions<'_>, columns: &mut AttackColumns<'_>) {
        if let Some(rows) = positions.in_rows() {
            return self.attacks_of_rows(rows, 0, columns);
        }
        for row in 0..positions.len() {
            self.attacks_of_rows(&[positions.get(row)], row, columns);
        }
    }

    /// The maps of rows, in the rows of the columns from `at` on.
    fn attacks_of_rows(self, rows: &[Pieces], at: usize, columns: &mut AttackColumns<'_>) {
        Rows::of(self).maps(rows, at, columns);
    }
}

crate::functions! {
    struct Rows {
        fn unions<L: Level>(_level: L, sliders: &Sliders<'_>, attacks: &mut [u64]) {
            let &Sliders { occupied, orthogonal, diagonal } = sliders;
            let sets = orthogonal.iter().zip(diagonal).zip(occupied);
            for (attacks, ((&orthogonal, &diagonal), &occupied)) in attacks.iter_mut().zip(sets) {
                *attacks = L::Position::slider_attacks(orthogonal, diagonal, occupied);
            }
        }

        fn maps<L: Level>(_level: L, rows: &[Pieces], at: usize, columns: &mut AttackColumns<'_>) {
            for (row, pieces) in rows.iter().enumerate() {
                let maps = L::Position::attacks(pieces);
                let (white, black) = (Attacks::into_array(maps.white), Attacks::into_array(maps.black));
                let (of_white, of_black) = columns.split_at_mut(white.len());
                for (columns, maps) in [(of_white, white), (of_black, black)] {
                    for (column, map) in columns.iter_mut().zip(maps) {
                        if let Some(column) = column {
                            column[at + row] = map;
                        }
                    }
                }
            }
        }
    }
}
