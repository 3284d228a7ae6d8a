//! One position a call: how long until the answer is there, and how many answers a second.
//!
//! ```text
//! cargo bench --bench position
//! ```
//!
//! Ids are `KERNEL/BOARDS` as elsewhere, though the boards are asked about one by one. In
//! `position-latency` each question needs the answer before it.

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod support;

use criterion::Criterion;
use support::contenders;
use support::fresh::Work;
use support::inputs::Input;
use support::measure::{config, measure};

fn main() {
    let mut criterion = config().configure_from_args();
    position(&mut criterion);
    criterion.final_summary();
}

fn position(criterion: &mut Criterion) {
    let mut work = Work::new(Input::Typical, 4096);
    for group in [
        contenders::position_latency(),
        contenders::position_throughput(),
        contenders::position_sets(),
        contenders::position_maps(),
    ] {
        measure(criterion, group.name, &group, &mut work);
    }
}
