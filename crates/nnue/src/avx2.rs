//! Pairs and inputs with AVX2 and BMI2. `by_level!` selects this code only for levels that enable these instructions.

pub(crate) mod inputs;
pub(crate) mod pairs;
pub(crate) mod pawn_pairs;
pub(crate) mod piece_square;
pub(crate) mod tables;
