//! Measures the gain from more threads: the union of eight rays, in each core's own cache and from memory.
//!
//! ```text
//! cargo run --release --example threads
//! ```
//!
//! The library starts no threads. Here each thread has its part of the columns and calls the kernel on it. The figures
//! are medians over rounds in which all numbers of threads alternate.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use setwise::Kernel;

const ROUNDS: usize = 7;

/// A measurement: its name, the number of boards for each of a number of threads, and the number of passes over them.
type Work = (&'static str, fn(usize) -> usize, usize);

const WORK: [Work; 2] = [
    ("4,096 boards a thread, in its core's cache", |_| 4_096, 20_000),
    ("8,388,608 boards in all, from memory", |threads| 8_388_608 / threads, 8),
];

fn main() {
    let kernel = Kernel::detect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("{}, {cores} cores", kernel.backend());
    for (name, boards, passes) in WORK {
        println!("\n{name}\nthreads   million boards a second   times one thread");
        let mut speeds = vec![Vec::new(); cores];
        for _ in 0..ROUNDS {
            for (threads, speeds) in (1..).zip(&mut speeds) {
                speeds.push(speed(kernel, threads, boards(threads), passes));
            }
        }
        let medians: Vec<f64> = speeds.into_iter().map(median).collect();
        for (threads, speed) in (1..).zip(&medians) {
            println!("{threads:>7}{speed:>26.0}{:>19.2}", speed / medians[0]);
        }
    }
}

/// Millions of boards per second, all threads together.
fn speed(kernel: Kernel, threads: usize, boards: usize, passes: usize) -> f64 {
    let start = Barrier::new(threads);
    let seconds = thread::scope(|scope| {
        let work = |_| scope.spawn(|| time(kernel, boards, passes, &start));
        let running: Vec<_> = (0..threads).map(work).collect();
        running.into_iter().map(|thread| thread.join().expect("no panic")).fold(0.0, f64::max)
    });
    (threads * boards * passes) as f64 / seconds / 1e6
}

/// The time in seconds that one thread takes.
fn time(kernel: Kernel, boards: usize, passes: usize, start: &Barrier) -> f64 {
    let column = |multiplier: u64| -> Vec<u64> {
        (1..=boards as u64).map(|i| i.wrapping_mul(multiplier)).collect()
    };
    let occupied = column(0x9e37_79b9_7f4a_7c15);
    let (orthogonal, diagonal) = (column(0x0100_0000_0000_0401), column(0x0004_0001_0000_0201));
    let mut attacks = vec![0; boards];
    kernel.slider_attacks(&orthogonal, &diagonal, &occupied, &mut attacks);
    start.wait();
    let began = Instant::now();
    for _ in 0..passes {
        kernel.slider_attacks(&orthogonal, &diagonal, &occupied, &mut attacks);
        black_box(&mut attacks);
    }
    began.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
