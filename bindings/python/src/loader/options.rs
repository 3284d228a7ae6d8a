//! The arguments of a loader, which Python passes as a dictionary, as its options; and its sampling, as the fields of
//! `setwise.Sampling`.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use setwise_formats::Field;
use setwise_loader::{Hooks, Options, Perspectives, Source, Spill, Split, Table};
use setwise_table::{
    DataSetChoice, Labels, Loss, OnMissing, SamplingOptions, Side, TableOptions, WinRate,
};

use crate::error::wrong;
use crate::feature_sets::SetArgument;
use crate::query::{ON_INVALID, choice, kernel_of, threads_of};

/// Returns an argument.
fn argument<'py, T: FromPyObjectOwned<'py>>(
    arguments: &Bound<'py, PyDict>,
    name: &str,
) -> PyResult<T> {
    let found = arguments.as_any().get_item(name)?.extract().map_err(Into::into);
    found.map_err(|error: PyErr| {
        PyTypeError::new_err(format!("`{name}`: {}", error.value(arguments.py())))
    })
}

/// Returns an argument, or an error that describes its form.
fn of_form<'py, T: FromPyObjectOwned<'py>>(
    arguments: &Bound<'py, PyDict>,
    name: &str,
    form: &str,
) -> PyResult<T> {
    let found = arguments.as_any().get_item(name)?;
    found.extract().or_else(|_| {
        Err(PyTypeError::new_err(format!("`{name}` is {form}, found {}", found.repr()?)))
    })
}

/// Converts the arguments, which have the names that Python's documentation uses.
pub(super) fn options_of(arguments: &Bound<'_, PyDict>) -> PyResult<Options> {
    let of = arguments;
    let features: Option<SetArgument> = argument(of, "features")?;
    let backend: Option<String> = argument(of, "backend")?;
    let labels: Option<Vec<String>> = argument(of, "labels")?;
    let split: Option<(String, f64)> = of_form(of, "split", SPLIT)?;
    Ok(Options {
        paths: sources_of(&argument(of, "paths")?)?,
        features: features.map(|set| set.find()).transpose()?,
        columns: argument(of, "columns")?,
        padded: argument(of, "padded")?,
        perspectives: choice(
            "perspectives",
            &argument::<String>(of, "perspectives")?,
            "is `colours` or `mover`",
            &[("colours", Perspectives::Colours), ("mover", Perspectives::Mover)],
        )?,
        batch_size: argument(of, "batch_size")?,
        shuffle: argument(of, "shuffle")?,
        seed: argument(of, "seed")?,
        epochs: argument(of, "epochs")?,
        fixed: argument(of, "fixed")?,
        batches: argument(of, "batches")?,
        spill: spill_of(&argument(of, "spill")?)?,
        shard: shard_of(of_form(of, "shard", SHARD)?)?,
        conditions: argument(of, "where")?,
        split: split.map(split_of).transpose()?,
        one_in: argument(of, "one_in")?,
        sampling: argument::<Option<SamplingFields>>(of, "sampling")?.map(sampling_of),
        report: Some(argument(of, "report")?),
        drop_last: argument(of, "drop_last")?,
        input_format: argument(of, "input_format")?,
        tables: tables_of(of)?,
        labels: labels.map(labels_of).transpose()?,
        moves: !of.as_any().get_item("policy")?.is_none(),
        on_missing: on_missing_of(&argument(of, "on_missing")?)?,
        on_invalid: choice(
            "errors",
            &argument::<String>(of, "errors")?,
            "is `raise` or `skip`, and for games `keep`",
            &ON_INVALID[..3],
        )?,
        kernel: kernel_of(backend.as_deref())?,
        threads: threads_of(argument(of, "threads")?)?,
        hooks: Hooks::default(),
    })
}

fn tables_of(of: &Bound<'_, PyDict>) -> PyResult<TableOptions> {
    let side = |name: &str| {
        let sides = [("mover", Side::Mover), ("white", Side::White)];
        let of_name = argument::<Option<String>>(of, name)?;
        of_name.map(|side| choice(name, &side, "is `mover` or `white`", &sides)).transpose()
    };
    let labels = Labels {
        score: argument(of, "score_column")?,
        mate: argument(of, "mate_column")?,
        result: argument(of, "result_column")?,
        played: argument(of, "move_column")?,
        scores_of: side("scores_of")?,
        results_of: side("results_of")?,
        loss_is: match argument(of, "loss_is")? {
            None => None,
            Some(0) => Some(Loss::Zero),
            Some(-1) => Some(Loss::MinusOne),
            Some(other) => return Err(wrong(format!("`loss_is` is -1 or 0, found {other}"))),
        },
    };
    let data_set = match argument::<Option<String>>(of, "preset")?.as_deref() {
        None => DataSetChoice::Find,
        Some("none") => DataSetChoice::Off,
        Some(name) => DataSetChoice::Use(name.parse().map_err(wrong::<String>)?),
    };
    let (fen, movetext) = (argument(of, "fen_column")?, argument(of, "movetext_column")?);
    Ok(TableOptions { fen, movetext, data_set, labels, ..TableOptions::default() })
}

fn labels_of(names: Vec<String>) -> PyResult<Vec<Field>> {
    let known = [Field::Score, Field::Result, Field::Move].map(|label| (label.name(), label));
    let label =
        |name: String| choice("labels", &name, "are any of `score`, `result` and `move`", &known);
    names.into_iter().map(label).collect()
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

fn spill_of(spill: &Bound<'_, PyAny>) -> PyResult<Spill> {
    Ok(match spill.extract::<bool>() {
        Ok(true) => Spill::Temporary,
        Ok(false) => Spill::Off,
        Err(_) => Spill::Folder(spill.extract()?),
    })
}

const SHARD: &str = "(index, count) with an index below the count";
const SPLIT: &str = r#"("train", share) or ("test", share), with the share of `train`"#;

fn shard_of(both: (i64, i64)) -> PyResult<(u64, u64)> {
    match (both.0.try_into(), both.1.try_into()) {
        (Ok(index), Ok(count)) => Ok((index, count)),
        _ => Err(wrong(format!("`shard` is {SHARD}, found {both:?}"))),
    }
}

fn split_of((part, share): (String, f64)) -> PyResult<Split> {
    let parts = [("train", Split::Train(share)), ("test", Split::Test(share))];
    choice("split", &part, &format!("is {SPLIT}"), &parts)
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

/// The fields of a sampling and of its model, in order.
type SamplingFields = (Option<Model>, Points, Points, f64, Vec<String>, Option<u32>);
type Model = ([f64; 4], [f64; 4], u32, f64, f64, f64);
type Points = Option<Vec<(f64, f64)>>;

/// Converts the fields to a sampling.
fn sampling_of(fields: SamplingFields) -> SamplingOptions {
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
