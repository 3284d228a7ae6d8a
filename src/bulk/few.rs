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
//! With AVX2 and `wide` the two meet at half a block too. As many calls for one position take 2.2 and 26 for each. A call
//! for one map costs less in a block: on Zen 5 509 ns for 32 bishops' maps against 457 one by one, but 288 for 32 pawns'
//! against 437. So where no role of sliders is asked for, three eighths of a block are the limit. On Zen 4 with AVX-512, one
//! by one and in a block: 489 and 559 ns for 17 pawns' maps, 649 and 588 for 24, 828 and 620 for 32; 495 and 667 for both
//! sides' `all` of 17 rows, 656 and 699 of 24, 844 and 729 of 32. A quarter as the limit was worse with AVX2 and `wide` too,
//! and had `lanes` fill up a block for one row, in twice the time.

use super::positions::Positions;
use super::sides::AttackColumns;
use super::sliders::Sliders;
use crate::backend::Kernel;
use crate::eval::Attacks;
use crate::position::{Instructions, Question, answer_by};

impl Kernel {
    /// Whether so few rows take less time one by one.
    pub(super) fn are_few(self, rows: usize) -> bool {
        rows <= self.backend().boards_per_block() / 2
    }

    pub(super) fn few_slider_attacks(self, sliders: &Sliders<'_>, attacks: &mut [u64]) {
        answer_by::<Unions, (&Sliders<'_>, &mut [u64])>(self, (sliders, attacks));
    }

    pub(super) fn few_attacks(self, positions: &Positions<'_>, columns: &mut AttackColumns<'_>) {
        type Both<'a, 'b, 'c, 'd> = (&'a Positions<'b>, &'c mut AttackColumns<'d>);
        answer_by::<Maps, Both<'_, '_, '_, '_>>(self, (positions, columns));
    }
}

struct Unions;

impl<'a, 'b, 'c> Question<(&'a Sliders<'b>, &'c mut [u64])> for Unions {
    type Answer = ();

    #[inline(always)]
    fn run<I: Instructions>((sliders, attacks): (&'a Sliders<'b>, &'c mut [u64])) {
        let &Sliders { occupied, orthogonal, diagonal } = sliders;
        let sets = orthogonal.iter().zip(diagonal).zip(occupied);
        for (attacks, ((&orthogonal, &diagonal), &occupied)) in attacks.iter_mut().zip(sets) {
            *attacks = I::slider_attacks(orthogonal, diagonal, occupied);
        }
    }
}

struct Maps;

impl<'a, 'b, 'c, 'd> Question<(&'a Positions<'b>, &'c mut AttackColumns<'d>)> for Maps {
    type Answer = ();

    #[inline(always)]
    fn run<I: Instructions>((positions, columns): (&'a Positions<'b>, &'c mut AttackColumns<'d>)) {
        for row in 0..positions.len() {
            let maps = I::attacks(&positions.get(row));
            let (white, black) = (Attacks::into_array(maps.white), Attacks::into_array(maps.black));
            let (of_white, of_black) = columns.split_at_mut(white.len());
            for (columns, maps) in [(of_white, white), (of_black, black)] {
                for (column, map) in columns.iter_mut().zip(maps) {
                    if let Some(column) = column {
                        column[row] = map;
                    }
                }
            }
        }
    }
}
