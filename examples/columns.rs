//! How many positions a second the bulk calls answer: the default columns, all maps, all counts, and all
//! columns together. The best of several rounds counts.
//!
//! ```text
//! cargo run --release --example columns
//! ```

use std::time::Instant;

use setwise::maps::Count;
use setwise::{Backend, Fen, Kernel, Map, Pieces, Position};

/// Positions in a call: few enough for all columns to stay in the cache.
const ROWS: usize = 1024;

fn main() {
    let sample = include_str!("../data/sample.epd").lines().cycle().take(ROWS);
    let positions: Vec<Pieces> =
        sample.map(|line| Fen::parse(line).expect("the sample is well formed").pieces).collect();
    let sets: [Vec<u64>; 8] =
        [0, 1, 2, 3, 4, 5, 6, 7].map(|set| positions.iter().map(|p| p.sets()[set]).collect());
    let positions = Position::from_sets(sets.each_ref().map(Vec::as_slice));
    let mut maps: Vec<(Map, Vec<u64>)> = Map::ALL.iter().map(|&map| (map, vec![0; ROWS])).collect();
    let mut counts: Vec<(Count, Vec<u16>)> =
        Count::ALL.iter().map(|&count| (count, vec![0; ROWS])).collect();
    let mut all: Vec<(Map, &mut [u64])> =
        maps.iter_mut().map(|(map, column)| (*map, &mut column[..])).collect();
    let mut counts: Vec<(Count, &mut [u16])> =
        counts.iter_mut().map(|(count, column)| (*count, &mut column[..])).collect();

    let names = ["backend", "16 maps/s", "44 maps/s", "36 counts/s", "all 80/s"];
    println!(
        "{:<12} {:>14} {:>14} {:>14} {:>14}",
        names[0], names[1], names[2], names[3], names[4]
    );
    for backend in Backend::available() {
        let kernel = Kernel::new(backend).expect("it is available");
        let few = rate(|| {
            let mut chosen: Vec<(Map, &mut [u64])> = all
                .iter_mut()
                .filter(|(map, _)| Map::DEFAULT.contains(map))
                .map(|(map, column)| (*map, &mut column[..]))
                .collect();
            kernel.attack_maps(positions, &mut chosen);
        });
        let more = rate(|| kernel.attack_maps(positions, &mut all));
        let numbers = rate(|| kernel.attack_counts(positions, &mut counts));
        let together = rate(|| {
            kernel.attack_maps(positions, &mut all);
            kernel.attack_counts(positions, &mut counts);
        });
        println!("{backend:<12} {few:>14.0} {more:>14.0} {numbers:>14.0} {together:>14.0}");
    }
}

/// Positions a second, the best of many calls.
fn rate(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..300 {
        let start = Instant::now();
        call();
        best = best.min(start.elapsed().as_secs_f64());
    }
    ROWS as f64 / best
}
