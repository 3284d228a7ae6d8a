//! Criterion's benches: the groups of `ratios`, to compare a kernel with itself over time, and reading: lines of FEN,
//! packed records, games, tables.
//!
//! ```text
//! cargo bench --package setwise-benches                     # all, in some minutes
//! cargo bench --package setwise-benches -- sliders-bulk/
//! ```
//!
//! Groups that name no input take the sample's positions and variations of them. Ids are `KERNEL/BOARDS`: 64
//! boards fit into the L1 cache (and the branch predictor), 4,096 into L2, where they differ at every pass, and
//! 262,144 into the last cache or memory. Every answer is compared with the reference before the clock starts.
//! Criterion runs one kernel after another, so a drifting clock distorts the ratios; `ratios` runs them in turns.

#[allow(unreachable_pub, reason = "modules of a program")]
mod files;
#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod support;

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use setwise::{Fen, Pieces};
use support::fresh::Work;
use support::groups::{self, Group};
use support::inputs::{self, Input};
use support::{changes, threats};

/// Short, so that all groups together take some minutes: the median of 30 samples in 0.6 seconds. With
/// `--measurement-time 5` it measures longer.
fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(30)
        .nresamples(1000)
        .configure_from_args();
    for boards in [64, 4096, 262_144] {
        let mut work = Work::new(Input::Typical, boards);
        for group in [
            groups::sliders(),
            groups::rays(),
            groups::maps(),
            groups::sliced(),
            threats::pairs(),
            threats::features(),
            threats::blocks(),
        ] {
            measure(&mut criterion, group.name, &group, &mut work);
        }
    }
    // One position a call. In `position-latency` each call depends on the answer of the one before.
    let mut work = Work::new(Input::Typical, 4096);
    for group in [
        groups::position_latency(),
        groups::position_throughput(),
        groups::position_maps(),
        threats::position(),
        changes::group(),
    ] {
        measure(&mut criterion, group.name, &group, &mut work);
    }
    // Other boards, for the rivals whose time depends on them: loops over sliders.
    let group = groups::sliders();
    let mut work = Work::new(Input::Dense, 4096);
    measure(&mut criterion, "sliders-bulk-dense", &group, &mut work);
    fen(&mut criterion);
    files::records::records(&mut criterion);
    files::records::games(&mut criterion);
    files::pgn::games(&mut criterion);
    files::text::text(&mut criterion);
    files::text::games(&mut criterion);
    criterion.final_summary();
}

/// Checks the answers of a group's implementations, then measures each on the same boards.
fn measure(criterion: &mut Criterion, name: &str, group: &Group, work: &mut Work) {
    let boards = work.len();
    println!("{name}, {boards} boards: {}", work.census());
    work.check(group);
    let mut answers = group.answers(boards);
    let mut benches = criterion.benchmark_group(name);
    benches.sampling_mode(SamplingMode::Flat);
    benches.throughput(Throughput::Elements(boards as u64));
    for implementation in &group.implementations {
        benches.bench_function(BenchmarkId::new(&implementation.name, boards), |bencher| {
            bencher
                .iter_custom(|passes| work.time(implementation, group.reads, passes, &mut answers));
        });
    }
    benches.finish();
}

/// This crate's reader of FEN, and cozy-chess's, which also checks that the position is legal and hashes it.
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
