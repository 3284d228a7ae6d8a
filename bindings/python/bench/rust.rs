//! What the Python package is measured by: the library called from Rust on the same text and the same boards.
//! `bench.py` starts it and asks for rounds, in turns with its own: a line `maps` or `attacks` in, nanoseconds
//! of the processor out.

use std::hint::black_box;
use std::io::{BufRead, Write};

use setwise::{Column, Fen, Kernel, Pieces};

/// Positions that are parsed before their columns are computed, as the crate `table` does.
const CHUNK: usize = 2048;

fn maps(kernel: Kernel, fens: &[&str]) -> Vec<Vec<u64>> {
    let mut columns = vec![vec![0; fens.len()]; Column::DEFAULT.len()];
    let mut pieces: Vec<Pieces> = Vec::with_capacity(CHUNK);
    for (chunk, fens) in fens.chunks(CHUNK).enumerate() {
        pieces.clear();
        pieces.extend(fens.iter().map(|fen| Fen::parse(fen).expect("a position").pieces));
        let rows = chunk * CHUNK..chunk * CHUNK + fens.len();
        attacks(kernel, &pieces, columns.iter_mut().map(|column| &mut column[rows.clone()]));
    }
    columns
}

fn attacks<'a>(kernel: Kernel, pieces: &[Pieces], columns: impl Iterator<Item = &'a mut [u64]>) {
    let mut maps: Vec<_> =
        Column::DEFAULT.iter().zip(columns).map(|(column, values)| column.to(values)).collect();
    kernel.fill(pieces, &mut maps);
}

/// Nanoseconds that this thread has had of a processor.
fn on_processor() -> u64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let first = statistics.split_whitespace().next().expect("three numbers");
    first.parse().expect("a number")
}

fn main() {
    let path = std::env::args().nth(1).expect("a file of positions");
    let text = std::fs::read_to_string(path).expect("a file of positions");
    let fens: Vec<&str> = text.lines().collect();
    let pieces: Vec<Pieces> =
        fens.iter().map(|fen| Fen::parse(fen).expect("a position").pieces).collect();
    let kernel = Kernel::detect();
    let mut columns = vec![vec![0_u64; pieces.len()]; Column::DEFAULT.len()];
    for line in std::io::stdin().lock().lines() {
        let start = on_processor();
        match line.expect("a line").as_str() {
            "maps" => {
                black_box(maps(kernel, black_box(&fens)));
            }
            "attacks" => {
                let columns = columns.iter_mut().map(|column| &mut column[..]);
                attacks(kernel, black_box(&pieces), columns);
            }
            other => panic!("{other}?"),
        }
        println!("{}", on_processor() - start);
        std::io::stdout().flush().expect("a reader");
    }
}
