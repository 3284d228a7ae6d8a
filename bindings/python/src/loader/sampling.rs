//! The sampling of a loader, as the fields of `setwise.Sampling`.

use pyo3::prelude::*;
use setwise_table::{SamplingOptions, WinRate};

use crate::error::wrong;

/// The fields of a sampling, and of its model, in their order.
pub(super) type Fields = (Option<Model>, Points, Points, f64, Vec<String>, Option<u32>);
type Model = ([f64; 4], [f64; 4], u32, f64, f64, f64);
type Points = Option<Vec<(f64, f64)>>;

/// The sampling with these fields.
pub(super) fn options(fields: Fields) -> SamplingOptions {
    let (outcome, ply, pieces, max_skipped, conditions, placeholder_zeros) = fields;
    let outcome = outcome.map(|(a, b, max_ply, ply_unit, score_scale, max_score)| WinRate {
        a,
        b,
        max_ply,
        ply_unit,
        score_scale,
        max_score,
    });
    SamplingOptions { outcome, ply, pieces, max_skipped, conditions, placeholder_zeros }
}

/// The fields of the sampling of a trainer.
#[pyfunction]
pub(crate) fn named_sampling(name: &str) -> PyResult<Fields> {
    let SamplingOptions { outcome, ply, pieces, max_skipped, conditions, placeholder_zeros } =
        SamplingOptions::named(name).map_err(wrong)?;
    let outcome = outcome.map(|of| {
        let WinRate { a, b, max_ply, ply_unit, score_scale, max_score } = of;
        (a, b, max_ply, ply_unit, score_scale, max_score)
    });
    Ok((outcome, ply, pieces, max_skipped, conditions, placeholder_zeros))
}
