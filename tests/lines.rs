//! No line hears its neighbours, on any backend: what stands elsewhere changes no bit of a line's rays.
//! `backends.rs` goes through every state of every line; that lines are independent makes those states all
//! there is to know of a board.

mod common;

use common::{guarded, on_every_backend};
use setwise::Kernel;
use setwise::bitboard::{ANTIDIAGONALS, DIAGONALS, Direction, FILES, RANKS};

on_every_backend! {
    no_line_hears_its_neighbours
}

/// The directions along each of the four kinds of lines, and the lines.
const KINDS: [([Direction; 2], &[u64]); 4] = [
    ([Direction::North, Direction::South], &FILES),
    ([Direction::East, Direction::West], &RANKS),
    ([Direction::NorthEast, Direction::SouthWest], &DIAGONALS),
    ([Direction::NorthWest, Direction::SouthEast], &ANTIDIAGONALS),
];

/// One line's squares at a time in some state (empty, blocker, slider), alone on the board; then the same
/// with each other square in turn turned into a blocker, a slider and both, and with all of them at once.
fn no_line_hears_its_neighbours(kernel: Kernel) {
    for (directions, lines) in KINDS {
        for &line in lines {
            let mut columns = [const { Vec::new() }; 2];
            let states = states(line);
            for &(occupied, sliders) in &states {
                for others in others(line) {
                    columns[0].extend([occupied | others, occupied, occupied | others]);
                    columns[1].extend([sliders, sliders | others, sliders | others]);
                }
            }
            let [occupied, sliders] = &columns;
            let rays: [_; 8] = guarded(occupied.len(), |rays| {
                kernel.slider_rays(occupied, sliders, sliders, rays);
            });
            let each = occupied.len() / states.len();
            for direction in directions {
                let rays = &rays[direction as usize];
                for (rays, state) in rays.chunks(each).zip(&states) {
                    for (row, ray) in rays.iter().enumerate() {
                        // The first row of a state has nothing on the other squares.
                        assert_eq!(
                            ray & line,
                            rays[0] & line,
                            "{direction:?} on {line:#x}, row {row} of state {state:x?}"
                        );
                    }
                }
            }
        }
    }
}

/// Blockers and sliders in a line: all states of lines up to five squares, of others a share.
fn states(line: u64) -> Vec<(u64, u64)> {
    let squares: Vec<u32> = (0..64).filter(|square| line >> square & 1 == 1).collect();
    let count = 3usize.pow(squares.len() as u32);
    // The stride has no factor 3, so that every square goes through all its states.
    let stride = if count > 3usize.pow(5) { count / 200 / 3 * 3 + 1 } else { 1 };
    let states = (0..count).step_by(stride).map(|mut state| {
        let (mut occupied, mut sliders) = (0, 0);
        for &square in &squares {
            match state % 3 {
                0 => {}
                1 => occupied |= 1 << square,
                _ => sliders |= 1 << square,
            }
            state /= 3;
        }
        (occupied, sliders)
    });
    states.collect()
}

/// What may stand outside a line: nothing, one man on any square, or men on all.
fn others(line: u64) -> impl Iterator<Item = u64> {
    let one = (0..64).map(|square| 1 << square).filter(move |square| square & line == 0);
    [0].into_iter().chain(one).chain([!line])
}
