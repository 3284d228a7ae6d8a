//! Code shared by the benches and `ratios`: inputs, rivals, and the groups of implementations to compare.

use groups::Group;

pub mod calls;
pub mod changes;
pub mod columns;
pub mod fresh;
pub mod groups;
pub mod inputs;
pub mod legal;
pub mod one_slider;
pub mod random;
pub mod rivals;
pub mod single;
pub mod threats;

/// All groups, in the order in which they run.
pub fn all() -> Vec<Group> {
    vec![
        groups::sliders(),
        groups::rays(),
        groups::maps(),
        groups::sliced(),
        groups::memory(),
        groups::memory_maps(),
        groups::position_latency(),
        groups::position_throughput(),
        groups::position_maps(),
        threats::pairs(),
        threats::features(),
        threats::blocks(),
        changes::group(),
    ]
    .into_iter()
    .chain(legal::groups())
    .chain(one_slider::groups())
    .chain(calls::groups())
    .collect()
}
