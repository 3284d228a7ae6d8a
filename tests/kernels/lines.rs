//! No line affects another, on any backend: what is elsewhere on the board changes no bit of a line's rays. So the
//! states of the lines are all there is to test of a board. `backends.rs` goes through all of them with noise
//! elsewhere; here they have every single change elsewhere. The union of the rays is compared with the rays on the same
//! boards.

use crate::common::on_every_backend;
use setwise::bitboard::{ANTIDIAGONALS, DIAGONALS, Direction, FILES, RANKS};
use setwise::{Kernel, reference};

on_every_backend! {
    no_line_affects_another
}

/// The directions along each of the four kinds of lines, and the lines.
const KINDS: [([Direction; 2], &[u64]); 4] = [
    ([Direction::North, Direction::South], &FILES),
    ([Direction::East, Direction::West], &RANKS),
    ([Direction::NorthEast, Direction::SouthWest], &DIAGONALS),
    ([Direction::NorthWest, Direction::SouthEast], &ANTIDIAGONALS),
];

/// Every state of every line, with queens for sliders and nothing else on the board; then the same with each
/// other bit of the input changed by itself. The rays along the line stay those that a walk along the line
/// alone sees, and the union is the eight rays together.
///
/// Of lines longer than five squares it takes every tenth state.
fn no_line_affects_another(kernel: Kernel) {
    let mut count = 0;
    for (directions, lines) in KINDS {
        for &line in lines {
            let changes = changes(line);
            let rows = changes.len();
            let mut columns = [(); 3].map(|()| vec![0; rows]);
            let mut rays = [(); 8].map(|()| vec![0; rows]);
            let mut union = vec![0; rows];
            let step = if line.count_ones() > 5 { 10 } else { 1 };
            for (blockers, sliders) in states(line).step_by(step) {
                count += 1;
                let [occupied, along, across] = &mut columns;
                for (row, change) in changes.iter().enumerate() {
                    occupied[row] = blockers ^ change[0];
                    along[row] = sliders ^ change[1];
                    across[row] = sliders ^ change[2];
                }
                let [orthogonal, diagonal] =
                    if directions[0].is_orthogonal() { [along, across] } else { [across, along] };
                kernel.slider_rays(
                    orthogonal,
                    diagonal,
                    occupied,
                    rays.each_mut().map(|ray| &mut ray[..]),
                );
                kernel.slider_attacks(orthogonal, diagonal, occupied, &mut union);

                for direction in directions {
                    let expected = reference::ray(sliders, direction, blockers) & line;
                    for (ray, change) in rays[direction as usize].iter().zip(&changes) {
                        assert_eq!(
                            ray & line,
                            expected,
                            "{direction:?} on {line:#x}, blockers {blockers:#x}, sliders {sliders:#x}, \
                             changed by {change:x?}"
                        );
                    }
                }
                for (row, union) in union.iter().enumerate() {
                    assert_eq!(
                        rays.iter().fold(0, |all, ray| all | ray[row]),
                        *union,
                        "{line:#x}, blockers {blockers:#x}, sliders {sliders:#x}, changed by {:x?}",
                        changes[row]
                    );
                }
            }
        }
    }
    assert_eq!(count, 14_446);
}

/// Blockers and sliders in a line: all 3^n states, each square empty, with a blocker or with a slider. (Ten
/// steps at a time, every square still goes through its three states, for ten has no factor of three.)
fn states(line: u64) -> impl Iterator<Item = (u64, u64)> {
    let squares: Vec<u32> = (0..64).filter(|square| line >> square & 1 == 1).collect();
    (0..3u32.pow(squares.len() as u32)).map(move |mut state| {
        let (mut blockers, mut sliders) = (0, 0);
        for &square in &squares {
            match state % 3 {
                0 => {}
                1 => blockers |= 1 << square,
                _ => sliders |= 1 << square,
            }
            state /= 3;
        }
        (blockers, sliders)
    })
}

/// The changes that are allowed outside a line, in `occupied`, in the set that slides along it and in the other set:
/// nothing, each bit by itself, or all of them. The other set's bits on the line are outside too, for a
/// bishop stops no rook unless it stands in `occupied`.
fn changes(line: u64) -> Vec<[u64; 3]> {
    let outside = [!line, !line, !0];
    let mut changes = vec![[0; 3], outside];
    for (column, bits) in outside.into_iter().enumerate() {
        let mut change = [0; 3];
        change[column] = bits;
        changes.push(change);
        for square in (0..64).filter(|square| bits >> square & 1 == 1) {
            change[column] = 1 << square;
            changes.push(change);
        }
    }
    changes
}
