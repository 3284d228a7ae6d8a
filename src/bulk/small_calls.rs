//! Calls for few rows, and all calls of backends without vectors, computed one position after the other with the
//! instructions of the kernel.
//!
//! A block takes as long for one row as for all of its rows, and is padded. (Without maps of single slider roles it takes
//! less time, so `fill_attacks` has lower thresholds.) A call for one row should cost little more than the computation, so
//! columns are passed by reference, rows are read in place, and the caller's code compares lengths (`docs/notebook.md`).

use super::blocks::rows_of;
use super::positions::Positions;
use super::side_columns::AttackColumns;
use super::sliders::Sliders;
use crate::backend::Kernel;
use crate::boards::block::MAX_BOARDS;
use crate::eval::Attacks;
use crate::instructions::Instructions;
use crate::pieces::Pieces;

impl Kernel {
    /// Returns whether a call for this number of rows is faster row by row: any number if the backend has no vectors.
    #[inline(always)]
    pub(super) fn is_small_call(self, rows: usize) -> bool {
        let block = self.backend().boards_per_block();
        block == 1 || rows <= block / 2
    }

    pub(super) fn small_slider_attacks(self, sliders: &Sliders<'_>, attacks: &mut [u64]) {
        Rows::of(self).unions(sliders, attacks);
    }

    pub(super) fn small_attacks(self, positions: &Positions<'_>, columns: &mut AttackColumns<'_>) {
        if let Some(rows) = positions.in_rows() {
            return Rows::of(self).maps(rows, columns);
        }
        let mut scratch = [Pieces::EMPTY; MAX_BOARDS];
        let mut at = 0;
        while at < positions.len() {
            let part = at..positions.len().min(at + MAX_BOARDS);
            let rows = &mut scratch[..part.len()];
            positions.rows(part.clone()).copy_to_rows(rows);
            at = part.end;
            Rows::of(self).maps(rows, &mut rows_of(columns, part));
        }
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

        fn maps<L: Level>(_level: L, rows: &[Pieces], columns: &mut AttackColumns<'_>) {
            for (row, pieces) in rows.iter().enumerate() {
                let maps = L::Position::attacks(pieces);
                let maps = [Attacks::into_array(maps.white), Attacks::into_array(maps.black)];
                let maps = maps.as_flattened();
                for (column, map) in columns.iter_mut().zip(maps) {
                    if let Some(column) = column {
                        column[row] = *map;
                    }
                }
            }
        }
    }
}
