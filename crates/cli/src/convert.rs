//! `setwise convert`: converts positions between packed formats, FEN and games. If data would be lost, it fails and
//! names these data.
//!
//! It collects the facts in a [`Plan`], checks it, and then runs it.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::error::ErrorKind;
use setwise_files::FileFormat;
use setwise_formats::{Field, Fields, Format};
use setwise_table::{Condition, Error, Input, Keep, OnInvalid, OnMissing, Query, Report, Sampling};

use crate::args::{self, ConvertArguments};
use crate::console::{self, counted};
use crate::import;
use crate::input;
use crate::maps::{self, progress};
use crate::output::Output;

mod plan;
mod run;

use plan::{CLOCKS, LABELS, Plan, Way};
use run::{Counts, Run};

pub(crate) fn run(arguments: &ConvertArguments) -> Result<()> {
    let target = arguments.target();
    let files = input::files(&arguments.inputs, arguments.read.input_format)?;
    let inputs = arguments.read.formats("convert", &files)?;
    let source = common_format(&inputs)?;
    let of_name = arguments.sampling.sampling.clone().unwrap_or_default();
    let sampling = Sampling::new(&of_name).map_err(anyhow::Error::msg)?;
    let mut conditions = arguments.read.conditions.clone();
    for condition in &of_name.conditions {
        conditions.push(condition.parse()?);
    }
    let on_missing = on_missing(arguments);
    let progress = progress(import::check(&files)?, arguments.quiet || arguments.dry_run);
    let as_games = source == FileFormat::Pgn && target.packed().is_some_and(Format::has_games);
    let (input, rows) = match as_games {
        true => (Input::games(&Keep::None).map_err(import::explain)?, None), // a pipe opens only once
        false => {
            let mut options = options(arguments, source, &conditions);
            options.zeros = of_name.zeros();
            let (input, rows) = import::open(inputs, options, progress.clone())?;
            (input, Some(rows))
        }
    };
    let cannot_read = || format!("cannot read {}", setwise_files::name(&files[0]));
    let (others, kept) = kept(arguments, source, &input).with_context(cannot_read)?;
    let plan = Plan {
        source,
        target,
        of_games: input.has_games(),
        labels: LABELS
            .into_iter()
            .filter(|(_, label)| input.has(*label))
            .fold(Fields::NONE, |all, (field, _)| all.union(Fields::of(&[field]))),
        others,
        kept,
        selects: !conditions.is_empty()
            || arguments.sampling.sampling.is_some()
            || arguments.sampling.one_in != 1,
        decides: sampling.needs(),
        on_missing,
        handles_missing: arguments.read.labels.on_missing.is_some(),
        lossy: arguments.lossy,
    };
    if arguments.dry_run {
        console::print(plan.to_string().as_bytes())?;
    }
    if let Some((kind, message)) = plan.conflict() {
        args::wrong("convert", kind, message);
    }
    plan.check()?;
    let query = query(arguments, &plan, conditions).plan(&input);
    let query = query.map_err(|error| explain(error, arguments)).with_context(cannot_read)?;
    if arguments.dry_run {
        return Ok(());
    }
    maps::print_labels(&input, &[], arguments.quiet);
    let output = Output::create(&arguments.output, &files, &[])?;
    let mut run = Run::new(arguments, &plan, output);
    let name = match &files[..] {
        [file] => setwise_files::name(file),
        _ => "the input".to_owned(),
    };
    let outcome = match rows {
        None => files.iter().try_for_each(|path| run.games(path, &progress)),
        Some(rows) => run.rows(rows, &query, &sampling, &name).map_err(import::explain_run),
    };
    progress.finish_and_clear();
    outcome?;
    let (counts, output) = run.finish()?;
    let is_stdout = output.is_stdout();
    Output::finish(vec![output])?;
    if !arguments.quiet {
        report(arguments, &plan, &counts, is_stdout);
    }
    Ok(())
}

/// Adds suggested options to an error of the query, whose conditions may be those of `--sampling`.
fn explain(error: Error, arguments: &ConvertArguments) -> anyhow::Error {
    let is_given = |text: &String| {
        arguments.read.conditions.iter().any(|condition| condition.to_string() == *text)
    };
    match &error {
        Error::Condition(text, _) if !is_given(text) => anyhow!("{error} (--sampling)"),
        _ => import::explain(error),
    }
}

/// Returns the format of all inputs.
fn common_format(inputs: &[(PathBuf, FileFormat)]) -> Result<FileFormat> {
    let first = inputs[0].1;
    match inputs.iter().find(|(_, format)| *format != first) {
        Some((path, this)) => {
            let name = setwise_files::name(path);
            bail!("{name} is {}, and the first input is {}", this.name(), first.name())
        }
        None => Ok(first),
    }
}

fn on_missing(arguments: &ConvertArguments) -> OnMissing {
    let samples = arguments.sampling.sampling.is_some();
    let default = if samples { OnMissing::Skip } else { OnMissing::Stop };
    let on_missing = arguments.read.labels.on_missing.unwrap_or(default);
    if on_missing == OnMissing::Null {
        let message = "records have no nulls: --on-missing takes stop, skip or a number";
        args::wrong("convert", ErrorKind::ValueValidation, message);
    }
    on_missing
}

fn options(
    arguments: &ConvertArguments,
    source: FileFormat,
    conditions: &[Condition],
) -> import::ReadOptions {
    let keep = match &arguments.read.keep {
        _ if !source.is_table() => Keep::None,
        Some(keep @ Keep::Named(_)) => keep.clone(),
        _ if arguments.lossy && !arguments.dry_run => Keep::None,
        Some(keep) => keep.clone(),
        None => Keep::All,
    };
    let mut options = arguments.read.options(keep, LABELS.map(|(_, label)| label).to_vec());
    options.conditions = conditions.to_vec();
    options
}

/// Returns the columns that become no field, and the fields to keep: none with `--keep none`, or those that `--keep` names
/// if the input is not a table.
fn kept(
    arguments: &ConvertArguments,
    source: FileFormat,
    input: &Input,
) -> Result<(Vec<String>, Option<Fields>)> {
    let keep = match &arguments.read.keep {
        Some(Keep::None) => return Ok((Vec::new(), Some(Fields::NONE))),
        Some(keep) if !source.is_table() => keep,
        _ => return Ok((input.unread(), None)),
    };
    let kept = match source {
        FileFormat::Packed(format) => Input::records(format, keep),
        FileFormat::Pgn => Input::games(keep),
        _ => {
            let message = "--keep is for tables, games and packed records, and the input is text";
            args::wrong("convert", ErrorKind::ArgumentConflict, message)
        }
    };
    let kept = kept.map_err(import::explain)?;
    let Keep::Named(names) = keep else { return Ok((kept.unread(), Some(Fields::ALL))) };
    // Evaluations become scores.
    let field = |name: &str| match name {
        "eval" | "mate" => Some(Field::Score),
        _ => Fields::ALL.iter().find(|field| name.starts_with(field.name())),
    };
    let fields: Vec<_> = names.iter().filter_map(|name| field(name)).collect();
    let others = names.iter().filter(|name| field(name).is_none()).cloned().collect();
    Ok((others, Some(Fields::of(&fields))))
}

fn query(arguments: &ConvertArguments, plan: &Plan, conditions: Vec<Condition>) -> Query {
    let is_required = |(field, _): &(Field, _)| plan.required().contains(*field);
    Query::default()
        .columns([])
        .labels(LABELS.into_iter().filter(is_required).map(|(_, label)| label))
        .conditions(conditions)
        .on_missing(plan.on_missing)
        .bare((!arguments.lossy).then_some("use --lossy to allow this"))
        .with_clocks((plan.needs_clocks() && !arguments.lossy).then_some(CLOCKS))
        .on_invalid(arguments.on_invalid)
        .moves_only(plan.of_games && plan.way() == Way::Moves)
        .without_nulls(Some("records have no nulls"))
}

/// Prints the number of positions on standard output, and the others on standard error.
fn report(arguments: &ConvertArguments, plan: &Plan, counts: &Counts, is_stdout: bool) {
    if !is_stdout {
        // The output is complete even if this line cannot be printed.
        let _ = console::print((counted(counts.rows, "position") + "\n").as_bytes());
    }
    let (name, report) = (plan.target.name(), &counts.report);
    let (what, done) = match plan.of_games {
        true if arguments.on_invalid == OnInvalid::Keep => ("invalid game", "kept up to the error"),
        true => ("invalid game", "skipped"),
        false => ("invalid position", "skipped"),
    };
    let unfit = if plan.way() == Way::Games { "game" } else { "position" };
    let missing = match plan.on_missing {
        OnMissing::Value(value) => format!("without a label written with {value}"),
        _ => "without a label left out".to_owned(),
    };
    let has_clocks = plan.needs_clocks() || plan.target == FileFormat::Text;
    let by = if arguments.sampling.sampling.is_some() { "conditions" } else { "--where" };
    let mut notes = console::notes(&[
        (report.invalid, what, done),
        (report.all_left_out(), "position", &format!("left out by {by}")),
        (counts.sampled_out, "position", "left out by sampling"),
        (report.missing, "position", &missing),
        // The last position of each game has none, either.
        (report.without_moves.saturating_sub(report.games), "null move", "left out"),
        (
            if has_clocks { report.without_clocks } else { 0 },
            "position",
            "without clocks, written with halfmove clock 0 and move number 1",
        ),
        (counts.unfit, unfit, &format!("that {name} cannot hold skipped")),
        (
            counts.limited,
            "position",
            &format!("changed to what {name} can hold (castling, clocks, scores)"),
        ),
        (counts.renumbered, "position", &format!("whose move number {name} computes from the ply")),
        (report.of_engines, "evaluation", Report::OF_ENGINES),
    ]) + &console::missing_tags(report);
    let neutral = plan.neutral();
    if !neutral.is_empty() && counts.rows > 0 {
        notes += &format!("missing in the input, written with a neutral value: {neutral}\n");
    }
    let _ = anstream::stderr().write_all(notes.as_bytes());
}
