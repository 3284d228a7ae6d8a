//! The sampling of a loader, as Python gives it and as it has its name.

use pyo3::prelude::*;
use setwise_table::WinRate;

use crate::query::wrong;

/// `setwise.Sampling`, without its conditions.
#[derive(FromPyObject, IntoPyObject)]
pub(crate) struct SamplingOptions {
    outcome: Option<WinRateOptions>,
    ply: Option<Vec<(f64, f64)>>,
    pieces: Option<Vec<(f64, f64)>>,
    max_skipped: f64,
    placeholder_zeros: Option<u32>,
}

/// `setwise.WinRate`.
#[derive(FromPyObject, IntoPyObject)]
struct WinRateOptions {
    a: [f64; 4],
    b: [f64; 4],
    max_ply: u32,
    ply_unit: f64,
    score_scale: f64,
    max_score: f64,
}

impl SamplingOptions {
    pub(super) fn options(self) -> setwise_table::SamplingOptions {
        let Self { outcome, ply, pieces, max_skipped, placeholder_zeros } = self;
        let outcome = outcome.map(|model| {
            let WinRateOptions { a, b, max_ply, ply_unit, score_scale, max_score } = model;
            WinRate { a, b, max_ply, ply_unit, score_scale, max_score }
        });
        let conditions = Vec::new();
        setwise_table::SamplingOptions {
            outcome,
            ply,
            pieces,
            max_skipped,
            conditions,
            placeholder_zeros,
        }
    }
}

/// The fields of the sampling of a trainer, and its conditions.
#[pyfunction]
pub(crate) fn named_sampling(name: &str) -> PyResult<(SamplingOptions, Vec<String>)> {
    let named = setwise_table::SamplingOptions::named(name).map_err(wrong)?;
    let outcome = named.outcome.map(|model| {
        let WinRate { a, b, max_ply, ply_unit, score_scale, max_score } = model;
        WinRateOptions { a, b, max_ply, ply_unit, score_scale, max_score }
    });
    let setwise_table::SamplingOptions { ply, pieces, max_skipped, placeholder_zeros, .. } = named;
    Ok((SamplingOptions { outcome, ply, pieces, max_skipped, placeholder_zeros }, named.conditions))
}
