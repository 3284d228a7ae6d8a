//! Every backend against the ray walk: one body for each test, one named test for each backend.

use proptest::prelude::*;
use setwise::bitboard::{ANTIDIAGONALS, DIAGONALS, Direction, FILES, RANKS};
use setwise::{Backend, Kernel, reference};

/// The kernel of a backend, or none with a word on it; `SETWISE_REQUIRE` (names, with commas between)
/// makes its absence a failure.
fn kernel(backend: Backend) -> Option<Kernel> {
    let kernel = Kernel::new(backend);
    if kernel.is_none() {
        let required = std::env::var("SETWISE_REQUIRE").unwrap_or_default();
        assert!(
            !required.split(',').any(|name| name == backend.name()),
            "SETWISE_REQUIRE names {backend}, which this processor or build does not have"
        );
        eprintln!("skipped: {backend} is not available here");
    }
    kernel
}

/// A module for every backend with a test for every body.
macro_rules! on_every_backend {
    ($($backend:ident $module:ident),*; $bodies:tt) => {
        $(on_every_backend!(@module $backend $module $bodies);)*

        #[test]
        fn every_backend_has_its_tests() {
            assert_eq!(Backend::ALL, [$(Backend::$backend),*]);
        }
    };
    (@module $backend:ident $module:ident { $($body:ident)* }) => {
        mod $module {
            $(
                #[test]
                fn $body() {
                    if let Some(kernel) = super::kernel(setwise::Backend::$backend) {
                        super::$body(kernel);
                    }
                }
            )*
        }
    };
}

on_every_backend! {
    Scalar scalar, Lanes lanes, Wide wide, Avx2 avx2, Avx2Gfni avx2_gfni, Avx512 avx512,
    Avx512Gfni avx512_gfni;
    {
        every_state_of_every_line
        random_boards
        every_length
    }
}

/// What the sliders of each row attack, by one call; the guard words around the output stay whole.
fn attacks(kernel: Kernel, [occupied, orthogonal, diagonal]: [&[u64]; 3]) -> Vec<u64> {
    const GUARD: u64 = 0x0123_4567_89ab_cdef;
    let mut out = vec![GUARD; occupied.len() + 2];
    let inner = 1..=occupied.len();
    kernel.slider_attacks(occupied, orthogonal, diagonal, &mut out[inner.clone()]);
    assert_eq!([out[0], out[occupied.len() + 1]], [GUARD; 2]);
    out[inner].to_vec()
}

/// The eight rays of the sliders of each row.
fn rays(kernel: Kernel, [occupied, orthogonal, diagonal]: [&[u64]; 3]) -> [Vec<u64>; 8] {
    const GUARD: u64 = 0xfedc_ba98_7654_3210;
    let mut out = [(); 8].map(|()| vec![GUARD; occupied.len() + 2]);
    let inner = 1..=occupied.len();
    kernel.slider_rays(
        occupied,
        orthogonal,
        diagonal,
        out.each_mut().map(|ray| &mut ray[inner.clone()]),
    );
    for ray in &out {
        assert_eq!([ray[0], ray[occupied.len() + 1]], [GUARD; 2]);
    }
    out.map(|ray| ray[inner.clone()].to_vec())
}

/// Compares union and rays of every row with the ray walk.
fn check(kernel: Kernel, columns: [&[u64]; 3]) {
    let union = attacks(kernel, columns);
    let rays = rays(kernel, columns);
    for row in 0..union.len() {
        let [occupied, orthogonal, diagonal] = columns.map(|column| column[row]);
        assert_eq!(
            union[row],
            reference::slider_attacks(occupied, orthogonal, diagonal),
            "row {row}: occupied {occupied:#x} orthogonal {orthogonal:#x} diagonal {diagonal:#x}"
        );
        for (i, direction) in Direction::ALL.into_iter().enumerate() {
            let sliders = if direction.is_orthogonal() { orthogonal } else { diagonal };
            assert_eq!(
                rays[i][row],
                reference::ray(sliders, direction, occupied),
                "row {row}, {direction:?}: occupied {occupied:#x} sliders {sliders:#x}"
            );
        }
    }
}

/// A small generator (SplitMix64), so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A board of some kind that finds mistakes: empty, full, one square, an edge, sparse, dense.
    fn board(&mut self) -> u64 {
        match self.next() % 12 {
            0 => 0,
            1 => !0,
            2 => 1 << (self.next() % 64),
            3 => !(1 << (self.next() % 64)),
            4 => FILES[self.next() as usize % 8],
            5 => RANKS[self.next() as usize % 8],
            6 => DIAGONALS[self.next() as usize % 15] | ANTIDIAGONALS[self.next() as usize % 15],
            7 => FILES[0] | FILES[7] | RANKS[0] | RANKS[7],
            8 => self.next(),
            9 => self.next() | self.next(),
            _ => self.next() & self.next() & self.next(),
        }
    }
}

/// All 3^n states (empty, blocker, slider) of every line, with noise on all other squares; the line's
/// rays must be those of the line alone.
fn every_state_of_every_line(kernel: Kernel) {
    let lines = FILES.iter().chain(&RANKS).chain(&DIAGONALS).chain(&ANTIDIAGONALS);
    let mut random = Random(1);
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
                    // A slider is the same inside and outside `occupied`.
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
    check(kernel, columns);
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
    let columns = random_columns(&mut Random(2), 20_000);
    check(kernel, columns.each_ref().map(Vec::as_slice));
}

/// Every length from nothing to three blocks and one more, each at another alignment.
fn every_length(kernel: Kernel) {
    let mut random = Random(3);
    for rows in 0..=3 * kernel.backend().boards() + 1 {
        let columns = random_columns(&mut random, rows + 7);
        check(kernel, [0, 3, 5].map(|i| &columns[i % 3][i..i + rows]));
    }
}

proptest! {
    #[test]
    fn all_backends_agree_with_the_ray_walk(seed: u64, rows in 1usize..200) {
        let columns = random_columns(&mut Random(seed), rows);
        for backend in Backend::available() {
            let kernel = Kernel::new(backend).expect("it is available");
            check(kernel, columns.each_ref().map(Vec::as_slice));
        }
    }
}

#[test]
#[should_panic(expected = "column `diagonal` has 3 rows, but column `occupied` has 4")]
fn a_column_of_another_length_is_named() {
    Kernel::detect().slider_attacks(&[0; 4], &[0; 4], &[0; 3], &mut [0; 4]);
}

#[test]
#[should_panic(expected = "column `south-west` has 5 rows, but column `occupied` has 4")]
fn a_ray_of_another_length_is_named() {
    let mut rays = [const { Vec::new() }; 8];
    for (i, ray) in rays.iter_mut().enumerate() {
        ray.resize(if i == 7 { 5 } else { 4 }, 0);
    }
    let rays = rays.each_mut().map(Vec::as_mut_slice);
    Kernel::detect().slider_rays(&[0; 4], &[0; 4], &[0; 4], rays);
}
