//! Measures positions per second of `Kernel::fill`: the default columns, all bitboards, all numbers, both together, and
//! lists. It takes the best of many calls.
//!
//! ```text
//! cargo run --release --example columns
//! ```

use std::time::Instant;

use setwise::{Backend, Column, Fen, Kernel, Lists, Needs, Pieces, Request, Shape, ValueType};

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
    // Columns of the side to move need turns; they are two more of the same kind.
    let pieces_only = || Column::ALL.iter().copied().filter(|c| c.needs() == Needs::Pieces);
    let (all, lists): (Vec<Column>, Vec<Column>) =
        pieces_only().partition(|column| column.shape() == Shape::Value);
    let (boards, numbers): (Vec<Column>, Vec<Column>) =
        all.iter().partition(|column| column.value_type() == ValueType::U64);
    let groups = [Column::DEFAULT, &boards, &numbers, &all, &lists];
    let kinds = ["default", "bitboards", "numbers", "values", "lists"];

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

/// Positions per second, the best of many calls.
fn rate(kernel: Kernel, positions: &Pieces<Vec<u64>>, columns: &[Column]) -> f64 {
    let mut boards = vec![[0_u64; ROWS]; columns.len()];
    let mut numbers = vec![[0_u16; ROWS]; columns.len()];
    let mut lists = vec![Lists::<u16>::new(); columns.len()];
    let buffers = boards.iter_mut().zip(&mut numbers).zip(&mut lists);
    let mut requests: Vec<Request<'_>> = columns
        .iter()
        .zip(buffers)
        .map(|(&column, ((boards, numbers), lists))| match (column.value_type(), column.shape()) {
            (ValueType::U64, _) => column.to(boards),
            (ValueType::U16, Shape::Value) => column.to(numbers),
            _ => column.to(lists),
        })
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..300 {
        let start = Instant::now();
        kernel.fill(positions, &mut requests);
        best = best.min(start.elapsed().as_secs_f64());
    }
    ROWS as f64 / best
}
