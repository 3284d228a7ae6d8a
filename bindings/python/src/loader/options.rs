//! The arguments of a loader, which Python passes as one dictionary, and its sampling, as the fields of
//! `setwise.Sampling`.

use std::path::PathBuf;
use std::sync::OnceLock;

use pyo3::prelude::*;
use setwise_table::{
    InputColumn, Keep, Labels, Loss, OnMissing, Presets, SamplingOptions, Side, TableOptions,
    WinRate,
};

use super::find::Spills;
use crate::error::wrong;
use crate::query::threads_or_all;

/// The arguments, with the names that Python's documentation uses.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Options {
    pub(super) paths: Vec<PathBuf>,
    /// For each path, the table that Python reads, if it is a table.
    pub(super) tables: Vec<Option<Py<PyAny>>>,
    #[pyo3(from_py_with = spills_of)]
    pub(super) spills: Option<Spills>,
    pub(super) input_format: Option<String>,
    pub(super) batch_size: usize,
    pub(super) shuffle: usize,
    pub(super) seed: u64,
    pub(super) epochs: Option<u64>,
    pub(super) shard: (u64, u64),
    pub(super) one_in: u64,
    #[pyo3(from_py_with = sampling_of)]
    pub(super) sampling: SamplingOptions,
    /// True if rows are counted by ply, pieces and result.
    pub(super) report: bool,
    /// The labels of batches; `*` for scores and results if the files have them.
    pub(super) labels: Vec<String>,
    #[pyo3(from_py_with = on_missing_of)]
    pub(super) on_missing: OnMissing,
    #[pyo3(from_py_with = threads_of)]
    pub(super) threads: usize,
    pub(super) padded: Option<usize>,
    pub(super) policy: Option<String>,
    pub(super) perspectives: String,
    pub(super) drop_last: bool,
    /// True if all epochs have the same order and the same rows.
    pub(super) fixed: bool,
}

impl Options {
    /// Returns the seed of the order, if it is random.
    pub(super) fn seed_of_order(&self) -> Option<u64> {
        (self.shuffle > 0).then_some(self.seed)
    }
}

fn spills_of(spills: &Bound<'_, PyAny>) -> PyResult<Option<Spills>> {
    let spills: Option<(Vec<PathBuf>, bool)> = spills.extract()?;
    Ok(spills.map(|(paths, stay)| Spills { paths, stay, shared: OnceLock::new() }))
}

fn threads_of(threads: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(threads_or_all(threads.extract()?))
}

fn on_missing_of(argument: &Bound<'_, PyAny>) -> PyResult<OnMissing> {
    Ok(match argument.extract() {
        Ok(value) => OnMissing::Value(value),
        Err(_) if argument.eq("skip")? => OnMissing::Skip,
        Err(_) => OnMissing::Stop,
    })
}

/// The arguments that describe the columns of tables.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct ColumnsOfTables {
    preset: Option<String>,
    fen_column: Option<String>,
    movetext_column: Option<String>,
    score_column: Option<String>,
    mate_column: Option<String>,
    result_column: Option<String>,
    move_column: Option<String>,
    scores_of: Option<String>,
    results_of: Option<String>,
    loss_is: Option<i32>,
}

impl ColumnsOfTables {
    /// Returns the options for reading tables.
    pub(super) fn options(self) -> Result<TableOptions, String> {
        let side = |side: String| if side == "white" { Side::White } else { Side::Mover };
        Ok(TableOptions {
            fen: self.fen_column,
            movetext: self.movetext_column,
            preset: match self.preset.as_deref() {
                None => Presets::Find,
                Some("none") => Presets::Off,
                Some(name) => Presets::Use(name.parse()?),
            },
            folders: Vec::new(),
            keep: Keep::None,
            labels: Labels {
                score: self.score_column,
                mate: self.mate_column,
                result: self.result_column,
                played: self.move_column,
                scores_of: self.scores_of.map(side),
                results_of: self.results_of.map(side),
                loss_is: self.loss_is.map(|loss| match loss {
                    0 => Loss::Zero,
                    _ => Loss::MinusOne,
                }),
            },
            wanted: vec![InputColumn::Score, InputColumn::Result, InputColumn::Move],
        })
    }
}

/// The fields of a sampling and of its model, in order.
type SamplingFields = (Option<Model>, Points, Points, f64, Vec<String>, Option<u32>);
type Model = ([f64; 4], [f64; 4], u32, f64, f64, f64);
type Points = Option<Vec<(f64, f64)>>;

/// Converts the fields to a sampling, or `None` to one that keeps all rows.
fn sampling_of(sampling: &Bound<'_, PyAny>) -> PyResult<SamplingOptions> {
    let fields: Option<SamplingFields> = sampling.extract()?;
    let Some((outcome, ply, pieces, max_skipped, conditions, placeholder_zeros)) = fields else {
        return Ok(SamplingOptions::default());
    };
    let outcome = outcome.map(|(a, b, max_ply, ply_unit, score_scale, max_score)| WinRate {
        a,
        b,
        max_ply,
        ply_unit,
        score_scale,
        max_score,
    });
    Ok(SamplingOptions { outcome, ply, pieces, max_skipped, conditions, placeholder_zeros })
}

/// Returns the fields of the sampling of a trainer.
#[pyfunction]
pub(crate) fn named_sampling(name: &str) -> PyResult<SamplingFields> {
    let SamplingOptions { outcome, ply, pieces, max_skipped, conditions, placeholder_zeros } =
        SamplingOptions::named(name).map_err(wrong)?;
    let outcome = outcome.map(|of| {
        let WinRate { a, b, max_ply, ply_unit, score_scale, max_score } = of;
        (a, b, max_ply, ply_unit, score_scale, max_score)
    });
    Ok((outcome, ply, pieces, max_skipped, conditions, placeholder_zeros))
}
