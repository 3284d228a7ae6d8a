//! Checks that no line affects another, on any backend: pieces elsewhere on the board do not change any bit of a line's
//! rays. So a test of all states of all lines covers all boards. `backends.rs` tests all states with noise elsewhere;
//! this test makes every single change elsewhere. The union of the rays is compared with the rays on the same boards.

use crate::common::on_every_backend;
use setwise::bitboard::{ANTIDIAGONALS, DIAGONALS, Direction, FILES, RANKS};
use setwise::{Kernel, reference};

on_every_backend! {
    no_line_affects_another
}

/// The four kinds of lines: their two directions, and the lines.
const KINDS: [([Direction; 2], &[u64]); 4] = [
    ([Direction::North, Direction::South], &FILES),
    ([Direction::East, Direction::West], &RANKS),
    ([Direction::NorthEast, Direction::SouthWest], &DIAGONALS),
    ([Direction::NorthWest, Direction::SouthEast], &ANTIDIAGONALS),
];

/// Tests every state of every line, with queens as sliders and nothing else on the board, then with each other bit of
/// the input changed separately. The rays along the line must stay those of a walk along the line alone, and the union
/// must equal the eight rays together.
///
/// Of lines longer than five squares, it tests every tenth state.
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

/// Blockers and sliders in a line: all 3^n states of empty squares, blockers and sliders. (In steps of ten, every
/// square still takes its three states, because ten is not divisible by three.)
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

/// The changes that may not affect a line, to `occupied`, to the set that slides along it and to the other set: none,
/// each bit separately, or all of them. All bits of the other set count, even on the line, because a bishop blocks a
/// rook only if it is in `occupied`.
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
