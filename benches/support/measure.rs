//! Criterion's part: how long to measure, and a group of contenders as a group of benches.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

use crate::support::contenders::Group;
use crate::support::fresh::Work;

/// Short, so that all groups take some minutes together: the median of 30 samples in 0.6 seconds.
/// `cargo bench -- --measurement-time 5` takes its time.
pub fn config() -> Criterion {
    Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(30)
        .nresamples(1000)
}

/// Measures everybody in a group on the same boards, after their answers have been checked.
pub fn measure(criterion: &mut Criterion, name: &str, group: &Group, work: &mut Work) {
    let boards = work.len();
    println!("{name}, {boards} boards: {}", work.census());
    work.check(group);
    let mut answers = group.answers(boards);
    let mut benches = criterion.benchmark_group(name);
    benches.sampling_mode(SamplingMode::Flat);
    benches.throughput(Throughput::Elements(boards as u64));
    for contender in &group.contenders {
        benches.bench_function(BenchmarkId::new(contender.name, boards), |bencher| {
            bencher.iter_custom(|passes| work.time(contender, group.reads, passes, &mut answers));
        });
    }
    benches.finish();
}
