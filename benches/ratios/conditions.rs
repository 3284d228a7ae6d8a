//! The conditions of a run that change its figures: the clock, and whether the processor predicts indirect calls. Both
//! change while a machine runs, by other programs, by wide registers, by the hypervisor.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// The number of steps in each of the timed loops.
const STEPS: u32 = 200_000;

/// What a run found.
pub(crate) struct Conditions {
    /// The clock in GHz, from a chain of additions and exclusive ors, one cycle each.
    clock: f64,
    /// Nanoseconds for a direct call, and for a call of the same function through a pointer.
    direct: f64,
    indirect: f64,
}

impl Conditions {
    /// Measures them, within a few milliseconds.
    pub(crate) fn now() -> Self {
        let (a, b) = black_box((0x9e37_79b9_u64, 0x7f4a_7c15_u64));
        let chain = best(|| (0..STEPS).fold(a, |x, _| x.wrapping_add(a) ^ b));
        let direct = best(|| (0..STEPS).fold(a, |x, _| step(x)));
        // Two functions in turns, as a program has several kernels; a constant order that is easy to predict.
        let functions = black_box([step as fn(u64) -> u64, other_step]);
        let indirect = best(|| (0..STEPS).fold(a, |x, i| functions[i as usize % 2](x)));
        Self { clock: 2.0 / chain, direct, indirect }
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clock, direct, indirect } = self;
        // A mispredicted jump costs 15 cycles or more, a predicted one at most a few.
        let predicted =
            if (indirect - direct) * clock < 10.0 { "predicted" } else { "not predicted" };
        write!(
            f,
            "clock {clock:.2} GHz; a call takes {direct:.1} ns, an indirect call {indirect:.1} ns ({predicted})"
        )
    }
}

/// The nanoseconds of a step of a loop: the fastest of some runs.
fn best(run: impl Fn() -> u64) -> f64 {
    let times = (0..9).map(|_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS)
    });
    times.fold(f64::INFINITY, f64::min)
}

#[inline(never)]
fn step(x: u64) -> u64 {
    black_box(x) + 1
}

#[inline(never)]
fn other_step(x: u64) -> u64 {
    black_box(x) + 2
}
