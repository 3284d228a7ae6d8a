//! Compares every backend with the ray walk: one body for each test, one named test for each backend.

use crate::common::{Random, on_every_backend, oracles};
use proptest::prelude::*;
use setwise::bitboard::{ANTIDIAGONALS, DIAGONALS, FILES, RANKS};
use setwise::{Kernel, reference};

on_every_backend! {
    every_state_of_every_line
    random_boards
    every_length
    past_the_caches
}

/// All 3^n states (empty, blocker, slider) of every line, with noise on all other squares. The line's rays must be
/// those of the line alone.
fn every_state_of_every_line(kernel: Kernel) {
    let lines = FILES.iter().chain(&RANKS).chain(&DIAGONALS).chain(&ANTIDIAGONALS);
    let mut random = Random::new(1);
    let mut columns = [const { Vec::new() }; 3];
    for &line in lines {
        let squares: Vec<u32> = (0..64).filter(|square| line >> square & 1 == 1).collect();
        for state in 0..3u32.pow(squares.len() as u32) {
            let (mut occupied, mut sliders) = (random.board() & !line, random.board() & !line);
            let mut rest = state;
            for &square in &squares {
                match rest % 3 {
                    0 => {}
                    1 => occupied |= 1 << square,
                    // A slider may be inside or outside `occupied`.
                    _ => {
                        sliders |= 1 << square;
                        occupied |= (random.next() & 1) << square;
                    }
                }
                rest /= 3;
            }
            columns[0].push(occupied);
            columns[1].push(sliders);
            columns[2].push(sliders);
        }
    }
    let columns = columns.each_ref().map(Vec::as_slice);
    assert_eq!(columns[0].len(), 131_214);
    oracles::slider_rays(kernel, columns);
}

fn random_columns(random: &mut Random, rows: usize) -> [Vec<u64>; 3] {
    let mut columns = [const { Vec::new() }; 3];
    for _ in 0..rows {
        for column in &mut columns {
            column.push(random.board());
        }
    }
    columns
}

fn random_boards(kernel: Kernel) {
    let columns = random_columns(&mut Random::new(2), 20_000);
    oracles::slider_rays(kernel, columns.each_ref().map(Vec::as_slice));
}

/// Every length from zero to three blocks and one more, each at another alignment.
fn every_length(kernel: Kernel) {
    let mut random = Random::new(3);
    for rows in 0..=3 * kernel.backend().boards_per_block() + 1 {
        let columns = random_columns(&mut random, rows + 7);
        oracles::slider_rays(kernel, [0, 3, 5].map(|i| &columns[i % 3][i..i + rows]));
    }
}

/// Enough rows that the stores bypass the caches: starting at a cache line and off a cache line, with a tail shorter
/// than a block.
fn past_the_caches(kernel: Kernel) {
    const GUARD: u64 = 0x0123_4567_89ab_cdef;
    let few = random_columns(&mut Random::new(6), 999);
    let answer = |row: usize| reference::slider_attacks(few[1][row], few[2][row], few[0][row]);
    let answers: Vec<u64> = (0..999).map(answer).collect();
    let rows = (1 << 20) + 13;
    let repeat = |column: &Vec<u64>| column.iter().copied().cycle().take(rows).collect::<Vec<_>>();
    let [occupied, orthogonal, diagonal] = few.each_ref().map(repeat);
    let expected = repeat(&answers);
    let mut column = vec![GUARD; rows + 18];
    let aligned = 8 + column.as_ptr().wrapping_add(8).align_offset(64);
    for start in [aligned, aligned + 1, aligned - 1] {
        column.fill(GUARD);
        let attacks = &mut column[start..start + rows];
        kernel.slider_attacks(&orthogonal, &diagonal, &occupied, attacks);
        let wrong = attacks.iter().zip(&expected).position(|(got, expected)| got != expected);
        assert_eq!(wrong, None, "the first wrong row");
        assert_eq!([column[start - 1], column[start + rows]], [GUARD; 2], "written outside");
    }
}

proptest! {
    #[test]
    fn all_backends_agree_with_the_ray_walk(seed: u64, rows in 1usize..200) {
        let columns = random_columns(&mut Random::new(seed), rows);
        oracles::sliders(columns.each_ref().map(Vec::as_slice));
    }
}
