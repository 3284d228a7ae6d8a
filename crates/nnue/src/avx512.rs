//! Pairs and inputs with AVX-512 BW, VL, VBMI, VBMI2 and BITALG, GFNI and BMI2. This code is called only for levels
//! that enable these instructions, as selected by `level.rs`.

pub(crate) mod inputs;
pub(crate) mod pairs;
pub(crate) mod tables;
