//! One position a call: latency and throughput.
//!
//! ```text
//! cargo bench --bench position
//! ```
//!
//! Ids are `KERNEL/BOARDS` as elsewhere, though each call takes one board. In `position-latency` each
//! call depends on the answer of the one before.

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod measure;
#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod support;

use criterion::Criterion;
use measure::{config, measure};
use support::fresh::Work;
use support::groups;
use support::inputs::Input;
use support::{changes, threats};

fn main() {
    let mut criterion = config().configure_from_args();
    position(&mut criterion);
    criterion.final_summary();
}

fn position(criterion: &mut Criterion) {
    let mut work = Work::new(Input::Typical, 4096);
    for group in [
        groups::position_latency(),
        groups::position_throughput(),
        groups::position_sets(),
        groups::position_maps(),
        threats::position(),
        changes::group(),
    ] {
        measure(criterion, group.name, &group, &mut work);
    }
}
