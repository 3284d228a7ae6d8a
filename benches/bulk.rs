//! Many boards a call: the union of rays, the rays, the attack maps, and boards from memory.
//!
//! ```text
//! cargo bench                            # all, in some minutes; then: cargo run --example report
//! cargo bench --bench bulk -- sliders-bulk/
//! ```
//!
//! Groups with no word on the input take real positions. Ids are `KERNEL/BOARDS`: 64 boards lie in the
//! nearest cache, 4,096 in the second, 262,144 in the last or in memory. Every answer is compared with
//! the reference before the clock starts. Criterion runs one kernel after another, so a machine whose
//! clock drifts shows in the ratios; `examples/ratios.rs` takes turns.

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use support::contenders;
use support::inputs::{Batch, Input};
use support::measure::{config, measure};

fn bulk(criterion: &mut Criterion) {
    for boards in [64, 4096, 262_144] {
        let batch = Batch::new(Input::Typical.positions(boards));
        for group in
            [contenders::sliders(), contenders::rays(), contenders::maps(), contenders::sliced()]
        {
            measure(criterion, group.name, &group, &batch);
        }
    }
}

/// What depends on the boards does so here: loops over sliders.
fn inputs(criterion: &mut Criterion) {
    let group = contenders::sliders();
    for input in [Input::Sparse, Input::Midgame, Input::Dense, Input::Random] {
        let batch = Batch::new(input.positions(4096));
        measure(criterion, &format!("{}-{}", group.name, input.name()), &group, &batch);
    }
}

/// Boards that no cache holds: 192 MiB in, 64 MiB out.
fn memory(criterion: &mut Criterion) {
    let batch = Batch::sliders_only(&Input::Typical.positions(262_144), 8_388_608);
    let group = contenders::memory();
    measure(criterion, group.name, &group, &batch);
}

criterion_group! { name = benches; config = config(); targets = bulk, inputs, memory }
criterion_main!(benches);
