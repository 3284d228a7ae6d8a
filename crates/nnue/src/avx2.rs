//! Pairs and inputs with AVX2 and BMI2. Only the dispatch in `level.rs` calls this code, for levels that enable these
//! instructions.

pub(crate) mod inputs;
pub(crate) mod pairs;
pub(crate) mod pawn_pairs;
pub(crate) mod piece_square;
pub(crate) mod tables;
