//! The arguments of a loader, which Python passes as a dictionary, as its options; and its sampling, as the fields of
//! `setwise.Sampling`.

use pyo3::prelude::*;
use setwise_formats::Field;
use setwise_loader::{Error, Hooks, Options, Perspectives, Source, Spill, Split, Table};
use setwise_table::{
    DataSetChoice, Labels, Loss, OnInvalid, OnMissing, SamplingOptions, Side, TableOptions, WinRate,
};

use crate::error::wrong;
use crate::feature_sets::SetArgument;
use crate::query::kernel_of;

/// The arguments, with the names that Python's documentation uses.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct Arguments<'py> {
    #[pyo3(from_py_with = sources_of)]
    paths: Vec<Source>,
    features: Option<SetArgument>,
    columns: Vec<String>,
    padded: Option<usize>,
    perspectives: String,
    batch_size: usize,
    shuffle: usize,
    seed: u64,
    epochs: Option<u64>,
    fixed: bool,
    batches: Option<u64>,
    #[pyo3(from_py_with = spill_of)]
    spill: Spill,
    shard: (i64, i64),
    #[pyo3(item("where"))]
    conditions: Vec<String>,
    split: Option<(String, f64)>,
    one_in: u64,
    #[pyo3(from_py_with = sampling_of)]
    sampling: Option<SamplingOptions>,
    report: bool,
    drop_last: bool,
    input_format: Option<String>,
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
    labels: Option<Vec<String>>,
    policy: Option<String>,
    on_missing: Bound<'py, PyAny>,
    errors: String,
    backend: Option<String>,
    threads: Option<i64>,
}

impl Arguments<'_> {
    pub(super) fn options(self) -> PyResult<Options> {
        let threads = |threads: i64| {
            usize::try_from(threads)
                .ok()
                .filter(|threads| *threads > 0)
                .ok_or_else(|| wrong(format!("`threads` must be at least 1, found {threads}")))
        };
        let labels = Labels {
            score: self.score_column,
            mate: self.mate_column,
            result: self.result_column,
            played: self.move_column,
            scores_of: side("scores_of", self.scores_of)?,
            results_of: side("results_of", self.results_of)?,
            loss_is: match self.loss_is {
                None => None,
                Some(0) => Some(Loss::Zero),
                Some(-1) => Some(Loss::MinusOne),
                Some(other) => return Err(wrong(format!("`loss_is` is -1 or 0, found {other}"))),
            },
        };
        let data_set = match self.preset.as_deref() {
            None => DataSetChoice::Find,
            Some("none") => DataSetChoice::Off,
            Some(name) => DataSetChoice::Use(name.parse().map_err(wrong::<String>)?),
        };
        let (fen, movetext) = (self.fen_column, self.movetext_column);
        Ok(Options {
            paths: self.paths,
            features: self.features.map(|set| set.find()).transpose()?,
            columns: self.columns,
            padded: self.padded,
            perspectives: perspectives_of(&self.perspectives)?,
            batch_size: self.batch_size,
            shuffle: self.shuffle,
            seed: self.seed,
            epochs: self.epochs,
            fixed: self.fixed,
            batches: self.batches,
            spill: self.spill,
            shard: shard_of(self.shard)?,
            conditions: self.conditions,
            split: self.split.map(split_of).transpose()?,
            one_in: self.one_in,
            sampling: self.sampling,
            report: Some(self.report),
            drop_last: self.drop_last,
            input_format: self.input_format,
            tables: TableOptions { fen, movetext, data_set, labels, ..TableOptions::default() },
            labels: self.labels.map(labels_of).transpose()?,
            moves: self.policy.is_some(),
            on_missing: on_missing_of(&self.on_missing)?,
            on_invalid: errors_of(&self.errors)?,
            kernel: kernel_of(self.backend.as_deref())?,
            threads: self.threads.map(threads).transpose()?,
            hooks: Hooks::default(),
        })
    }
}

fn labels_of(names: Vec<String>) -> PyResult<Vec<Field>> {
    let known = [Field::Score, Field::Result, Field::Move];
    let label = |name: String| {
        known.into_iter().find(|label| label.name() == name).ok_or_else(|| {
            wrong(format!("`labels` are `score`, `result` and `move`, found `{name}`"))
        })
    };
    names.into_iter().map(label).collect()
}

fn side(name: &str, side: Option<String>) -> PyResult<Option<Side>> {
    Ok(match side.as_deref() {
        None => None,
        Some("mover") => Some(Side::Mover),
        Some("white") => Some(Side::White),
        Some(other) => {
            return Err(wrong(format!("`{name}` is `mover` or `white`, found `{other}`")));
        }
    })
}

fn sources_of(paths: &Bound<'_, PyAny>) -> PyResult<Vec<Source>> {
    let source = |path: PyResult<Bound<'_, PyAny>>| {
        let path = path?;
        let Ok(table) = path.getattr("table") else { return Ok(Source::Path(path.extract()?)) };
        let (name, token): (String, String) =
            (path.getattr("name")?.extract()?, path.getattr("token")?.extract()?);
        let (batches, schema) = crate::input::table(&table)?;
        Ok(Source::Table(Table::new(&name, &token, schema, batches)))
    };
    paths.try_iter()?.map(source).collect()
}

fn perspectives_of(name: &str) -> PyResult<Perspectives> {
    match name {
        "colours" => Ok(Perspectives::Colours),
        "mover" => Ok(Perspectives::Mover),
        other => Err(wrong(format!("`perspectives` is `colours` or `mover`, found `{other}`"))),
    }
}

fn errors_of(name: &str) -> PyResult<OnInvalid> {
    match name {
        "raise" => Ok(OnInvalid::Stop),
        "skip" => Ok(OnInvalid::Skip),
        "keep" => Ok(OnInvalid::Keep),
        other => Err(wrong(format!(
            "`errors` is `raise` or `skip`, and for games `keep`, found `{other}`"
        ))),
    }
}

fn spill_of(spill: &Bound<'_, PyAny>) -> PyResult<Spill> {
    Ok(match spill.extract::<bool>() {
        Ok(true) => Spill::Temporary,
        Ok(false) => Spill::Off,
        Err(_) => Spill::Folder(spill.extract()?),
    })
}

fn shard_of(both: (i64, i64)) -> PyResult<(u64, u64)> {
    match (both.0.try_into(), both.1.try_into()) {
        (Ok(index), Ok(count)) => Ok((index, count)),
        _ => Err(wrong(format!(
            "`shard` is an index and the number of shards above it, found {both:?}"
        ))),
    }
}

fn split_of((part, share): (String, f64)) -> PyResult<Split> {
    match part.as_str() {
        "train" => Ok(Split::Train(share)),
        "test" => Ok(Split::Test(share)),
        _ => Err(wrong(format!("`split` is `train` or `test` and a share, found `{part}`"))),
    }
}

fn on_missing_of(argument: &Bound<'_, PyAny>) -> PyResult<Option<OnMissing>> {
    if argument.is_none() {
        return Ok(None);
    }
    if let Ok(value) = argument.extract() {
        return Ok(Some(OnMissing::Value(value)));
    }
    match argument.extract() {
        Ok("raise") => Ok(Some(OnMissing::Stop)),
        Ok("skip") => Ok(Some(OnMissing::Skip)),
        _ => {
            let found = argument.repr()?;
            Err(wrong(format!("`on_missing` is `raise`, `skip` or a number, found {found}")))
        }
    }
}

/// Passes an exception on, to be raised again.
pub(super) fn of_python(error: PyErr) -> Error {
    Error::from(std::io::Error::other(error))
}

/// The fields of a sampling and of its model, in order.
type SamplingFields = (Option<Model>, Points, Points, f64, Vec<String>, Option<u32>);
type Model = ([f64; 4], [f64; 4], u32, f64, f64, f64);
type Points = Option<Vec<(f64, f64)>>;

/// Converts the fields to a sampling.
fn sampling_of(sampling: &Bound<'_, PyAny>) -> PyResult<Option<SamplingOptions>> {
    let fields: Option<SamplingFields> = sampling.extract()?;
    Ok(fields.map(|(outcome, ply, pieces, max_skipped, conditions, placeholder_zeros)| {
        let outcome = outcome.map(|(a, b, max_ply, ply_unit, score_scale, max_score)| WinRate {
            a,
            b,
            max_ply,
            ply_unit,
            score_scale,
            max_score,
        });
        SamplingOptions { outcome, ply, pieces, max_skipped, conditions, placeholder_zeros }
    }))
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
