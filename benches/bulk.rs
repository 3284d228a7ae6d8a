//! Many boards a call: the union of rays, the rays, the attack maps, and boards from memory.
//!
//! ```text
//! cargo bench                            # all, in some minutes
//! cargo bench --bench bulk -- sliders-bulk/
//! ```
//!
//! Groups that name no input take the sample's positions and variations of them. Ids are `KERNEL/BOARDS`: 64
//! boards fit into the L1 cache (and the branch predictor), 4,096 into L2, where they differ at every pass, and
//! 262,144 into the last cache or memory. Every answer is compared with the reference before the
//! clock starts. Criterion runs one kernel after another, so a drifting clock distorts the ratios;
//! `benches/ratios` runs them in turns.

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod measure;
#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod support;

use criterion::Criterion;
use measure::{config, measure};
use support::fresh::Work;
use support::groups;
use support::inputs::{Dataset, Input};
use support::threats;

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
        for group in [
            groups::sliders(),
            groups::rays(),
            groups::maps(),
            groups::sliced(),
            threats::pairs(),
            threats::features(),
            threats::blocks(),
        ] {
            measure(criterion, group.name, &group, &mut work);
        }
    }
}

/// Other inputs, for the rivals whose time depends on the boards: loops over sliders.
fn inputs(criterion: &mut Criterion) {
    let group = groups::sliders();
    for input in [Input::Sparse, Input::Midgame, Input::Dense, Input::Random] {
        let mut work = Work::new(input, 4096);
        measure(criterion, &format!("{}-{}", group.name, input.name()), &group, &mut work);
    }
}

/// More boards than any cache holds: 192 MiB in, 64 MiB out.
fn memory(criterion: &mut Criterion) {
    let some = Input::Typical.positions(262_144);
    let mut work = Work::fixed(Dataset::sliders_only(&some, 8_388_608));
    let group = groups::memory();
    measure(criterion, group.name, &group, &mut work);
}
