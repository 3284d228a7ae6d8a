//! Many boards a call: the union of rays, the rays, the attack maps, and boards from memory.
//!
//! ```text
//! cargo bench                            # all, in some minutes; then: cargo run --example report
//! cargo bench --bench bulk -- sliders-bulk/
//! ```
//!
//! Groups with no word on the input take the sample's positions and changes of them. Ids are `KERNEL/BOARDS`: 64 boards lie in the
//! nearest cache (and in the processor's memory of branches), 4,096 in the second, where they differ at
//! every pass, 262,144 in the last or in memory. Every answer is compared with the reference before the
//! clock starts. Criterion runs one kernel after another, so a machine whose
//! clock drifts shows in the ratios; `examples/ratios.rs` takes turns.

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod support;

use criterion::Criterion;
use support::contenders;
use support::fresh::Work;
use support::inputs::{Batch, Input};
use support::measure::{config, measure};

fn main() {
    let mut criterion = config().configure_from_args();
    bulk(&mut criterion);
    inputs(&mut criterion);
    memory(&mut criterion);
    criterion.final_summary();
}

fn bulk(criterion: &mut Criterion) {
    for boards in [64, 4096, 262_144] {
        let mut work = Work::new(Input::Typical, boards);
        for group in
            [contenders::sliders(), contenders::rays(), contenders::maps(), contenders::sliced()]
        {
            measure(criterion, group.name, &group, &mut work);
        }
    }
}

/// What depends on the boards does so here: loops over sliders.
fn inputs(criterion: &mut Criterion) {
    let group = contenders::sliders();
    for input in [Input::Sparse, Input::Midgame, Input::Dense, Input::Random] {
        let mut work = Work::new(input, 4096);
        measure(criterion, &format!("{}-{}", group.name, input.name()), &group, &mut work);
    }
}

/// Boards that no cache holds: 192 MiB in, 64 MiB out.
fn memory(criterion: &mut Criterion) {
    let some = Input::Typical.positions(262_144);
    let mut work = Work::fixed(Batch::sliders_only(&some, 8_388_608));
    let group = contenders::memory();
    measure(criterion, group.name, &group, &mut work);
}
