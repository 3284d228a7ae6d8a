//! `setwise maps`: reads positions and writes columns, on all cores.
//!
//! The crate `setwise-table` computes the columns and divides the work among threads. This file handles the options,
//! the files and the final report.

use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use clap::error::ErrorKind;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use setwise::{Kernel, Shape};
use setwise_files::FileFormat;
use setwise_table::{
    BadRow, Column, Condition, Error, Input, InputColumn, Keep, OnInvalid, OnMissing, Plan, Query,
    Report, Sizes, Times,
};

use crate::args::{self, MapsArguments};
use crate::columns::{self, Choice};
use crate::console::{self, counted};
use crate::export::{Arrow, Contents, Csv, Export, Npy, OutputFormat, Parquet};
use crate::import::{self, AnySource};
use crate::input;
use crate::invalid;
use crate::output::{self, Output};

pub(crate) fn run(arguments: &MapsArguments) -> Result<()> {
    let (mut columns, optional) = match (&arguments.columns, arguments.features) {
        (Some(Choice::Help), _) => return console::print(columns::help().as_bytes()),
        (Some(Choice::Columns(columns, optional)), _) => (columns.clone(), &optional[..]),
        (None, Some(_)) => (Vec::new(), &[][..]),
        (None, None) => (columns::named(&["default"]), &[][..]),
    };
    if arguments.features.is_some() && !columns.iter().any(|column| column.needs_feature_set()) {
        columns.extend(columns::named(&["*_features"]));
    }
    let (path, format) = check(arguments, &mut columns, optional);
    let read = &arguments.read;

    let files = input::files(&arguments.inputs, read.input_format)?;
    let size = import::check(&files)?;
    let inputs = read.formats("maps", &files)?;
    if inputs.iter().all(|(_, format)| *format == FileFormat::Text)
        && !matches!(read.keep, None | Some(Keep::None))
    {
        let message = "--keep is for tables and packed records, and the input is text: \
                       ask for its columns, as --columns fen,rest,default";
        args::wrong("maps", ErrorKind::ArgumentConflict, message);
    }
    let output = Output::create(path, &files, &[])?;
    let create = |path: &PathBuf| Output::create(path, &files, &[&output]);
    let rejects = arguments.rejects.as_ref().map(create).transpose()?;

    let start = Instant::now();
    let progress = progress(size, arguments.quiet);
    // Labels of tables are read only if they are requested.
    let labels = [InputColumn::Score, InputColumn::Result, InputColumn::Move];
    let is_named = |label: &InputColumn| {
        let mut names = columns.iter().map(|column| column.name());
        read.labels.named().iter().any(|(_, named)| named == label)
            || names.any(|name| InputColumn::label_of(name) == Some(*label))
    };
    let keep = match &read.keep {
        Some(keep) => keep.clone(),
        None if format == OutputFormat::Npy => Keep::None,
        None => Keep::All,
    };
    let options = read.options(keep, labels.into_iter().filter(is_named).collect());
    let (input, source) = import::open(inputs, options, progress.clone())?;
    print_labels(&input, &read.conditions, arguments.quiet);
    let cannot_read = || format!("cannot read {}", setwise_files::name(&files[0]));
    let named = read.labels.named();
    if let Some((given, label)) = named.into_iter().find(|(_, label)| !input.has(*label)) {
        let (option, label) = (import::column_option(label), Column::Input(label));
        let wrong =
            anyhow!("it has no {label}: name its column with {option}, or leave out {given}");
        return Err(wrong).with_context(cannot_read);
    }
    let query = query(arguments, columns, format).optional(optional.iter().copied());
    let plan = query.plan(&input);
    let plan = plan.map_err(import::explain).with_context(cannot_read)?;
    let outputs = (output, rejects);
    let outcome = match format {
        OutputFormat::Parquet => write::<Parquet>(arguments, &plan, source, outputs, &progress),
        OutputFormat::Arrow => write::<Arrow>(arguments, &plan, source, outputs, &progress),
        OutputFormat::Npy => write::<Npy>(arguments, &plan, source, outputs, &progress),
        OutputFormat::Csv => write::<Csv>(arguments, &plan, source, outputs, &progress),
    };
    progress.finish_and_clear(); // before anything else is printed
    let total = outcome.map_err(import::explain_run)?;
    total.report(start.elapsed(), arguments, path);
    Ok(())
}

/// Checks arguments that clap cannot check, and leaves out optional columns that the output cannot hold, unless it can hold
/// none. Returns the output and its format.
fn check<'a>(
    arguments: &'a MapsArguments,
    columns: &mut Vec<Column>,
    optional: &[Column],
) -> (&'a Path, OutputFormat) {
    let wrong = |kind, message: &str| args::wrong("maps", kind, message);
    if arguments.inputs.is_empty() {
        wrong(ErrorKind::MissingRequiredArgument, "no INPUT is given");
    }
    let Some(path) = &arguments.output else {
        wrong(ErrorKind::MissingRequiredArgument, "no --output is given")
    };
    let format =
        args::output_format("maps", arguments.format, path, ".parquet, .arrow, .npy or .csv");
    let only_numbers = format == OutputFormat::Npy;
    let reason = |column: &Column| match column.shape() {
        Shape::Value if !column.data_type(false).is_integer() => Some("holds integers"),
        Shape::Value => column.is_nullable().then_some("has no nulls"),
        _ => Some("has no lists"),
    };
    if only_numbers && columns.iter().any(|column| reason(column).is_none()) {
        columns.retain(|column| reason(column).is_none() || !optional.contains(column));
    }
    let unfit = columns.iter().find_map(|column| Some((column, reason(column)?)));
    if only_numbers && let Some((column, reason)) = unfit {
        let message = format!("a .npy file {reason}: it cannot have the column `{column}`");
        wrong(ErrorKind::ArgumentConflict, &message);
    }
    if only_numbers && arguments.read.keep.as_ref().is_some_and(|keep| *keep != Keep::None) {
        let message = "a .npy file holds numbers: --keep is for other formats";
        wrong(ErrorKind::ArgumentConflict, message);
    }
    if only_numbers && arguments.on_invalid == OnInvalid::Null {
        let message = "a .npy file has no nulls: --on-invalid takes stop or skip";
        wrong(ErrorKind::ArgumentConflict, message);
    }
    if arguments.features.is_none()
        && let Some(column) = columns.iter().find(|column| column.needs_feature_set())
    {
        let message = format!("column `{column}` needs --features, which names the feature set");
        wrong(ErrorKind::MissingRequiredArgument, &message);
    }
    let leaves_out = matches!(arguments.on_invalid, OnInvalid::Skip | OnInvalid::Keep);
    if arguments.rejects.is_some() && !leaves_out {
        wrong(ErrorKind::ArgumentConflict, "--rejects needs --on-invalid skip, or keep for games");
    }
    if arguments.compression.is_some() && format != OutputFormat::Parquet {
        let message = format!(
            "--compression is for Parquet; to compress a .{} file, add .gz or .zst to its name",
            format.name()
        );
        wrong(ErrorKind::ArgumentConflict, &message);
    }
    (path, format)
}

fn query(arguments: &MapsArguments, columns: Vec<Column>, format: OutputFormat) -> Query {
    let is_npy = format == OutputFormat::Npy;
    let on_missing = if is_npy { OnMissing::Stop } else { OnMissing::Null };
    Query::default()
        .columns(columns)
        .conditions(arguments.read.conditions.iter().cloned())
        .feature_set(arguments.features)
        .kernel(arguments.backend.unwrap_or_else(Kernel::detect))
        .signed(arguments.signed)
        .on_invalid(arguments.on_invalid)
        .on_missing(arguments.read.labels.on_missing.unwrap_or(on_missing))
        .report_all(arguments.rejects.is_some())
        .without_nulls(is_npy.then_some("a .npy file has no nulls"))
        .threads(arguments.threads)
        .part_rows(arguments.sizes.batch_lines)
        .chunk_rows(arguments.sizes.chunk_rows)
        .metadata([
            ("setwise.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("setwise.squares".to_owned(), "a1 is bit 0, h1 is bit 7, h8 is bit 63".to_owned()),
        ])
}

/// Reads, computes and writes all rows in one of the formats. `rejects` is the output for invalid rows.
fn write<E: Export>(
    arguments: &MapsArguments,
    plan: &Plan,
    source: AnySource,
    (output, mut rejects): (Output, Option<Output>),
    progress: &ProgressBar,
) -> Result<Total> {
    let start = Instant::now();
    let mut total = Total { of_games: plan.input().has_games(), ..Total::default() };
    let (name, is_stdout) = (output.name().to_owned(), output.is_stdout());
    let not_written = |error: io::Error| console::not_written(&error, is_stdout, &name);

    let passed = plan.schema().fields()[..plan.passed()].iter();
    let passed = passed.filter(|field| !field.data_type().is_nested());
    let computed = plan.columns().iter().filter(|column| column.has_few_values());
    let contents = Contents {
        schema: plan.schema().clone(),
        repeating: passed
            .map(|field| field.name().clone())
            .chain(computed.map(|column| column.name().to_owned()))
            .collect(),
        compression: arguments.compression.unwrap_or_default(),
    };
    let (split, mut writer) = E::begin(&contents, output).map_err(not_written)?;

    let sizes = Sizes {
        batch: E::BATCH,
        encoded: E::encoded,
        part: arguments.sizes.batch_bytes,
        under_way: arguments.sizes.bytes_under_way,
    };
    let mut first_bad = None;
    plan.stream(source, split, &sizes, |mut done| {
        let writing = Instant::now();
        if let Some(rejects) = &mut rejects {
            invalid::write_rejects(&done.report.bad_rows, total.of_games, rejects)
                .map_err(|error| rejects.not_written(error))?;
        }
        if done.rows > 0 {
            writer.write(done.encoded).map_err(not_written)?;
        }
        total.write += writing.elapsed();
        let bad_rows = mem::take(&mut done.report.bad_rows);
        first_bad = first_bad.take().or(bad_rows.into_iter().next());
        total.rows += done.rows as u64;
        total.report.add(done.report);
        total.times.add(&done.times);
        progress.set_message(total.rate(start.elapsed()));
        Ok(())
    })?;
    if total.rows == 0
        && total.report.all_left_out() + total.report.missing == 0
        && let Some(bad) = first_bad
    {
        return Err(all_rows_invalid(bad, &total));
    }
    let writing = Instant::now();
    let output = writer.finish().map_err(not_written)?;
    // Rename the maps last, when nothing else can fail.
    Output::finish(rejects.into_iter().chain([output]).collect())?;
    total.write += writing.elapsed();
    Ok(total)
}

/// Explains that nothing was written because no row is a position. The input is probably in another format.
fn all_rows_invalid(mut first: BadRow, total: &Total) -> anyhow::Error {
    first.cut_to_line();
    if total.report.invalid > 1 {
        let other = if total.of_games { "other invalid game" } else { "other invalid row" };
        let others = counted(total.report.invalid - 1, other);
        first.reason += &format!("; nothing is written, because no row is valid ({others})");
    }
    Error::Invalid(Box::new(first)).into()
}

#[derive(Default)]
struct Total {
    of_games: bool,
    rows: u64,
    /// The report of all parts, without the descriptions of invalid rows.
    report: Report,
    times: Times,
    write: Duration,
}

impl Total {
    fn rate(&self, time: Duration) -> String {
        let rate = self.rows as f64 / time.as_secs_f64();
        format!("{}, {} a second", self.done(), HumanCount(rate as u64))
    }

    fn done(&self) -> String {
        let positions = counted(self.rows, "position");
        match self.of_games {
            true => format!("{positions} of {}", counted(self.report.games, "game")),
            false => positions,
        }
    }

    /// Prints the [closing lines](console::close), and reports skipped rows.
    fn report(&self, time: Duration, arguments: &MapsArguments, path: &Path) {
        let mut text = String::new();
        let seconds = time.as_secs_f64();
        if !arguments.quiet {
            let rate = (self.rows as f64 / seconds) as u64;
            let (done, rate) = (self.done(), HumanCount(rate));
            let _ = writeln!(text, "{done} in {seconds:.2} s, {rate} a second");
        }
        if arguments.timings {
            let Times { read, parse, maps, encode } = self.times;
            for (stage, time) in [
                ("read", read),
                ("parse", parse),
                ("maps", maps),
                ("encode", encode),
                ("write", self.write),
            ] {
                let each = time.as_nanos() as f64 / self.rows.max(1) as f64;
                let seconds = time.as_secs_f64();
                let _ = writeln!(text, "{stage:>8} {seconds:8.3} s {each:8.1} ns a position");
            }
        }
        // Rejects may be written there, too.
        let mut written = arguments.rejects.iter().map(PathBuf::as_path).chain([path]);
        console::close(&text, written.any(output::is_stdout), arguments.timings);
        if arguments.quiet {
            return;
        }
        // Users who match rows with lines need these counts.
        let invalid = if self.of_games { "invalid game" } else { "invalid row" };
        let report = &self.report;
        let is_kept = matches!(arguments.on_invalid, OnInvalid::Null | OnInvalid::Keep);
        console::skipped(&[
            (if is_kept { 0 } else { report.invalid }, invalid),
            (report.blank, "blank line"),
            (report.comments, "comment"),
        ]);
        let outcome = if self.of_games { "kept up to the error" } else { "with nulls" };
        let notes = console::notes(&[
            (report.all_left_out(), "row", "left out by --where"),
            (report.missing, "row", "left out without a label"),
            (report.filled, "row", "without a label written with the number of --on-missing"),
            (if is_kept { report.invalid } else { 0 }, invalid, outcome),
            (report.of_engines, "evaluation", Report::OF_ENGINES),
        ]) + &console::missing_tags(report);
        let _ = anstream::stderr().write_all(notes.as_bytes());
    }
}

/// Prints the columns and the point of view of labels in tables, and which of their columns conditions do not read as labels.
pub(crate) fn print_labels(input: &Input, conditions: &[Condition], quiet: bool) {
    if quiet {
        return;
    }
    for name in input.unread_labels(conditions) {
        let note = format!(
            "--where compares the table's `{name}` as it is; to read it as a label, name it in --columns"
        );
        let _ = writeln!(anstream::stderr(), "{note}");
    }
    if let Some(note) = input.decided() {
        // Python calls the option `preset`; here, presets are groups of columns.
        let note = match note.strip_prefix("preset ") {
            Some(rest) => format!("data set {rest}"),
            None => note,
        };
        let _ = writeln!(anstream::stderr(), "{note}");
    }
}

/// Creates a progress bar if the size is known, otherwise a counter. Shows nothing if standard error is not a terminal.
pub(crate) fn progress(size: Option<u64>, quiet: bool) -> ProgressBar {
    let style = |template| ProgressStyle::with_template(template).expect("a template");
    let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // Earlier estimates are too unreliable.
        if state.elapsed() > Duration::from_secs(2) && state.fraction() > 0.01 {
            let _ = write!(text, ", {:#} left", HumanDuration(state.eta()));
        }
    };
    let progress = match size {
        _ if quiet => ProgressBar::hidden(),
        Some(size) => ProgressBar::new(size).with_style(
            style("{wide_bar} {percent:>3} % {msg}{left}")
                .with_key("left", left)
                .progress_chars("━╸ "),
        ),
        None => ProgressBar::new_spinner().with_style(style("{spinner} {msg}, {elapsed}")),
    };
    progress.with_message("0 positions")
}
