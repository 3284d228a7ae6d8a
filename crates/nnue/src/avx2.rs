//! Pairs and inputs with AVX2 and BMI2. This code is called only for levels that enable these instructions, as selected
//! by `level.rs`.

pub(crate) mod inputs;
pub(crate) mod pairs;
pub(crate) mod pawn_pairs;
pub(crate) mod piece_square;
pub(crate) mod tables;
