//! Criterion's configuration, and a group of implementations as one of its groups.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

use crate::support::fresh::Work;
use crate::support::groups::Group;

/// Short, so that all groups together take some minutes: the median of 30 samples in 0.6 seconds. Use `cargo bench --
/// --measurement-time 5` for longer measurements.
pub fn config() -> Criterion {
    Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(30)
        .nresamples(1000)
}

/// Checks the answers of a group's implementations, then measures each on the same boards.
pub fn measure(criterion: &mut Criterion, name: &str, group: &Group, work: &mut Work) {
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
