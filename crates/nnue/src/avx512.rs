//! Pairs and inputs with AVX-512 BW, VL, VBMI, VBMI2 and BITALG, GFNI and BMI2. `by_level!` selects this code only for
//! levels that enable these instructions.

pub(crate) mod inputs;
pub(crate) mod pairs;
pub(crate) mod tables;
