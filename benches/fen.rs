//! Lines of FEN a second: this crate's reader, and cozy-chess's, which also checks that the position is
//! legal and hashes it.
//!
//! ```text
//! cargo bench --bench fen
//! ```

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod measure;
#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod support;

use criterion::{BenchmarkId, Criterion, Throughput};
use measure::config;
use setwise::{Fen, Pieces};
use support::inputs;

fn main() {
    let mut criterion = config().configure_from_args();
    fen(&mut criterion);
    criterion.final_summary();
}

fn fen(criterion: &mut Criterion) {
    let lines = inputs::lines(4096);
    let of_ours = |line: &str| Fen::parse(line).expect("a position").pieces;
    let of_cozy = |line: &str| inputs::from_cozy(&line.parse().expect("a position"));
    let fold = |pieces: Pieces| pieces.white ^ pieces.pawns;
    for line in &lines {
        assert_eq!(of_ours(line), of_cozy(line), "{line}");
    }

    let mut benches = criterion.benchmark_group("fen");
    benches.throughput(Throughput::Elements(lines.len() as u64));
    benches.bench_function(BenchmarkId::new("setwise", lines.len()), |bencher| {
        bencher.iter(|| lines.iter().fold(0, |all, line| all ^ fold(of_ours(line))));
    });
    benches.bench_function(BenchmarkId::new("cozy-chess", lines.len()), |bencher| {
        bencher.iter(|| lines.iter().fold(0, |all, line| all ^ fold(of_cozy(line))));
    });
    benches.finish();
}
