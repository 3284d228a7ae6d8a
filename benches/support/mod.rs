//! What the benches and the programs beside them share: inputs, rivals, and who competes in which group.
//!
//! Not a bench of its own. Whoever includes this module takes what it needs of it.

pub mod columns;
pub mod contenders;
pub mod fresh;
pub mod inputs;
#[cfg(not(target_arch = "wasm32"))]
pub mod measure;
pub mod random;
pub mod rivals;
pub mod single;
