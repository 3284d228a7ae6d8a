//! Positions a second of `Kernel::fill`: the default columns, all bitboards, all numbers, and both together. The
//! best of many calls counts.
//!
//! ```text
//! cargo run --release --example columns
//! ```

use std::time::Instant;

use setwise::{Backend, Buffer, Column, Fen, Kernel, Pieces, ValueType};

/// Positions in a call: few enough for all columns to stay in the cache.
const ROWS: usize = 1024;

fn main() {
    let sample = include_str!("../data/sample.epd").lines().cycle().take(ROWS);
    let rows: Vec<Pieces> =
        sample.map(|line| Fen::parse(line).expect("the sample is well formed").pieces).collect();
    let mut set = 0..8;
    let positions: Pieces<Vec<u64>> = Pieces::EMPTY.map(|_| {
        let set = set.next().expect("eight sets");
        rows.iter().map(|pieces| pieces.sets()[set]).collect()
    });
    // Those of the side to move need to know whose turn it is; they are two more of the same.
    let about_sides = || Column::ALL.iter().copied().filter(|column| column.colour().is_some());
    let (boards, numbers): (Vec<Column>, Vec<Column>) =
        about_sides().partition(|column| column.value_type() == ValueType::U64);
    let all: Vec<Column> = about_sides().collect();
    let groups = [Column::DEFAULT, &boards, &numbers, &all];
    let kinds = ["default", "bitboards", "numbers", "all"];

    print!("{:<12}", "backend");
    for (kind, columns) in kinds.iter().zip(groups) {
        print!(" {:>16}", format!("{} {kind}/s", columns.len()));
    }
    println!();
    for backend in Backend::available() {
        let kernel = Kernel::new(backend).expect("it is available");
        print!("{backend:<12}");
        for columns in groups {
            print!(" {:>16.0}", rate(kernel, &positions, columns));
        }
        println!();
    }
}

/// Positions a second, the best of many calls.
fn rate(kernel: Kernel, positions: &Pieces<Vec<u64>>, columns: &[Column]) -> f64 {
    let mut boards = vec![[0_u64; ROWS]; columns.len()];
    let mut numbers = vec![[0_u16; ROWS]; columns.len()];
    let buffers = boards.iter_mut().zip(&mut numbers);
    let mut columns: Vec<(Column, Buffer<'_>)> = columns
        .iter()
        .zip(buffers)
        .map(|(&column, (boards, numbers))| match column.value_type() {
            ValueType::U64 => (column, boards.into()),
            _ => (column, numbers.into()),
        })
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..300 {
        let start = Instant::now();
        kernel.fill(positions, &mut columns);
        best = best.min(start.elapsed().as_secs_f64());
    }
    ROWS as f64 / best
}
