//! What the benches and the programs beside them share: inputs, rivals, and who competes in which group.
//!
//! Not a bench of its own. Whoever includes this module takes what it needs of it.

pub mod columns;
pub mod contenders;
pub mod inputs;
pub mod random;
pub mod rivals;
