//! Criterion's benches: the groups of `ratios`, to compare a kernel with itself over time, and the readers of packed
//! records, FEN lines and games.
//!
//! ```text
//! cargo bench                     # all, in a few minutes
//! cargo bench -- sliders-bulk/
//! ```
//!
//! The groups use the boards of `ratios`. Ids are `KERNEL/BOARDS`. The results of kernels and rivals are compared
//! before they are timed. Criterion runs one kernel after another, so clock drift distorts the ratios; `ratios`
//! alternates between them.

#[allow(unreachable_pub, reason = "modules of a program")]
mod files;
#[allow(dead_code, unreachable_pub, reason = "each program uses a part of it")]
mod support;

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use support::fresh::{Boards, Work};
use support::groups::{self, Group};
use support::inputs::Input;

/// Each bench collects 30 samples in 0.6 seconds, so that all groups together take a few minutes. Use
/// `--measurement-time 5` to measure longer.
fn main() {
    let mut criterion = Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(30)
        .nresamples(1000)
        .configure_from_args();
    let mut boards = Boards::new(Input::Typical, 4096);
    for mut group in support::all() {
        let (work, _) = boards.of(&group);
        measure(&mut criterion, group.name, &mut group, work);
    }
    // Dense boards, for rivals whose time depends on the number of sliders, which they loop over.
    let (mut group, mut boards) = (groups::sliders(), Boards::new(Input::Dense, 4096));
    let (work, _) = boards.of(&group);
    measure(&mut criterion, "sliders-bulk-dense", &mut group, work);
    files::records(&mut criterion);
    files::binpack(&mut criterion);
    files::pgn(&mut criterion);
    criterion.final_summary();
}

/// Checks the results of a group's implementations, then measures each implementation on the same boards.
fn measure(criterion: &mut Criterion, name: &str, group: &mut Group, work: &mut Work) {
    let boards = work.len();
    println!("{name}, {boards} boards: {}", work.census());
    work.check(group);
    let mut answers = group.columns(boards);
    let mut benches = criterion.benchmark_group(name);
    benches.sampling_mode(SamplingMode::Flat);
    benches.throughput(Throughput::Elements(boards as u64));
    for implementation in &mut group.implementations {
        benches.bench_function(BenchmarkId::new(&implementation.name, boards), |bencher| {
            bencher
                .iter_custom(|passes| work.time(implementation, group.reads, passes, &mut answers));
        });
    }
    benches.finish();
}
