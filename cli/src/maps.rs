//! `setwise maps`: text in, columns out, on all cores.
//!
//! One thread reads and cuts the text into batches, a pool parses, computes and encodes each of them, and
//! the main thread writes them in order.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use arrow::datatypes::SchemaRef;
use clap::error::ErrorKind;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use setwise::Kernel;

use crate::args::{self, MapsArguments};
use crate::columns::{self, Builder, Choice, Column};
use crate::console;
use crate::export::{About, Contents, Export, Format, Visit};
use crate::input::{self, Batch, Batches, Sizes};
use crate::lines::{self, BadLine, NoRows, OnBad};
use crate::output::Output;
use crate::pipeline::{self, Limits};

pub(crate) fn run(arguments: &MapsArguments) -> Result<()> {
    let choice = arguments.columns.clone().unwrap_or_default();
    let Choice::Columns(mut columns) = choice else {
        return console::print(columns::help().as_bytes());
    };
    if arguments.with_fen {
        columns.retain(|&column| column != Column::Fen);
        columns.insert(0, Column::Fen);
    }
    let (path, format) = check(arguments, &columns);

    let size = input::check(&arguments.inputs)?;
    let output = Output::create(path, &arguments.inputs, &[])?;
    let create = |path: &PathBuf| Output::create(path, &arguments.inputs, &[&output]);
    let rejects = arguments.rejects.as_ref().map(create).transpose()?;

    let start = Instant::now();
    let progress = progress(size, arguments.quiet);
    let mut total = Total::default();
    let run = Run {
        arguments,
        columns,
        about: format.about(),
        output,
        rejects,
        progress: progress.clone(),
        total: &mut total,
    };
    let outcome = format.visit(run);
    progress.finish_and_clear(); // before anything else is said
    outcome?;
    total.report(start.elapsed(), arguments, path);
    Ok(())
}

/// Where to and what: all that clap cannot check by itself.
fn check<'a>(arguments: &'a MapsArguments, columns: &[Column]) -> (&'a Path, Format) {
    let wrong = |kind, message: &str| args::wrong("maps", kind, message);
    if arguments.inputs.is_empty() {
        wrong(ErrorKind::MissingRequiredArgument, "no INPUT is given");
    }
    if arguments.inputs.iter().filter(|path| input::is_stdin(path)).count() > 1 {
        wrong(ErrorKind::ValueValidation, "standard input (-) can be read only once");
    }
    let Some(path) = &arguments.output else {
        wrong(ErrorKind::MissingRequiredArgument, "no --output is given")
    };
    let Some(format) = arguments.format.or_else(|| Format::of(path)) else {
        let known = Format::extensions();
        let message = format!("the output's name does not end in {known}: say --format");
        wrong(ErrorKind::ValueValidation, &message)
    };
    let About { name, compressions, text, .. } = format.about();
    if !text && columns.contains(&Column::Fen) {
        let message = format!("a .{name} file holds numbers: it cannot have the column 'fen'");
        wrong(ErrorKind::ArgumentConflict, &message);
    }
    if arguments.compression.is_some_and(|compression| !compressions.contains(&compression)) {
        let message = format!("--compression is not for .{name} files");
        wrong(ErrorKind::ArgumentConflict, &message);
    }
    (path, format)
}

/// A run whose outputs are open.
struct Run<'a> {
    arguments: &'a MapsArguments,
    columns: Vec<Column>,
    about: &'static About,
    output: Output,
    rejects: Option<Output>,
    progress: ProgressBar,
    total: &'a mut Total,
}

impl Visit for Run<'_> {
    type Output = Result<()>;

    /// Reads, computes and writes everything, in one of the formats.
    fn visit<E: Export>(self) -> Result<()> {
        let Self { arguments, columns, about, output, mut rejects, progress, total } = self;
        let start = Instant::now();
        let (name, is_stdout) = (output.name().to_owned(), output.is_stdout());
        let not_written = |error| console::not_written(error, is_stdout, &name);

        let schema = columns::schema(&columns, arguments.signed);
        let repeating = columns.iter().filter(|column| column.repeats());
        let contents = Contents {
            schema: schema.clone(),
            repeating: repeating.map(|column| column.name()).collect(),
            compression: arguments.compression.or(about.compressions.first().copied()),
        };
        let (encoder, mut writer) = E::begin(&contents, output).map_err(not_written)?;

        let on_bad = match (arguments.skip_invalid, &rejects) {
            (false, _) => OnBad::Stop,
            (true, None) => OnBad::Skip,
            (true, Some(_)) => OnBad::Keep,
        };
        let row = Row::new(&columns, about);
        let sizes = Sizes {
            lines: arguments.sizes.batch_lines.unwrap_or_else(|| row.lines(about)),
            bytes: arguments.sizes.batch_bytes,
        };
        let mut batches = Batches::new(arguments.inputs.clone(), sizes, progress.clone());
        let source = std::iter::from_fn(move || {
            let start = Instant::now();
            match batches.next() {
                Ok(batch) if batch.is_empty() => None,
                next => Some(next.map(|batch| (batch, start.elapsed()))),
            }
        });
        let job = Job {
            inputs: arguments.inputs.clone(),
            columns,
            schema,
            kernel: arguments.backend.unwrap_or_else(Kernel::detect),
            chunk: arguments.sizes.chunk_rows,
            on_bad,
        };
        let limits = Limits {
            threads: arguments.threads.unwrap_or(0),
            bytes: arguments.sizes.bytes_under_way.unwrap_or_else(|| row.under_way(sizes.lines)),
        };
        let mut first_bad = None;
        pipeline::run(
            limits,
            source,
            move |(batch, _)| row.weight(batch),
            move |(batch, read)| job.run::<E>(&encoder, batch, read),
            |mut done: Done<E::Encoded>| {
                if on_bad == OnBad::Stop && done.rest.bad > 0 {
                    return Err(done.rest.shown.remove(0).into());
                }
                let writing = Instant::now();
                if let Some(rejects) = &mut rejects {
                    lines::keep(&done.rest.shown, rejects)
                        .map_err(|error| rejects.not_written(error))?;
                }
                if let Some(encoded) = done.encoded {
                    writer.write(encoded).map_err(not_written)?;
                }
                done.times.write = writing.elapsed();
                total.add(done.rows, &done.rest, &done.times);
                if first_bad.is_none() && !done.rest.shown.is_empty() {
                    first_bad = Some(done.rest.shown.remove(0));
                }
                progress.set_message(total.rate(start.elapsed()));
                Ok(())
            },
        )?;
        if total.rows == 0
            && let Some(bad) = first_bad
        {
            return Err(nothing_but_bad(bad, total.bad));
        }
        let writing = Instant::now();
        let output = writer.finish().map_err(not_written)?;
        // The maps get their name last, when nothing else can fail.
        Output::finish(rejects.into_iter().chain([output]).collect())?;
        total.times.write += writing.elapsed();
        Ok(())
    }
}

/// Nothing was written, which is more than some bad lines: the input is something else.
fn nothing_but_bad(mut first: BadLine, count: u64) -> anyhow::Error {
    if count > 1 {
        let others = HumanCount(count - 1);
        first.message +=
            &format!(" (nor is any of {others} other lines a position: nothing is written)");
    }
    first.into()
}

/// What a row weighs.
#[derive(Clone, Copy)]
struct Row {
    /// Bytes of its numbers as columns.
    columns: usize,
    /// Bytes of its numbers when they are encoded.
    encoded: usize,
    /// How often its text is in memory.
    texts: usize,
}

impl Row {
    fn new(columns: &[Column], about: &About) -> Self {
        let encoded = |column: &Column| (about.encoded)(&column.data_type());
        Self {
            columns: columns.iter().map(|column| column.width()).sum(),
            encoded: columns.iter().map(encoded).sum(),
            texts: if columns.contains(&Column::Fen) { 3 } else { 1 },
        }
    }

    /// How many lines a batch should have.
    fn lines(&self, about: &About) -> usize {
        (about.batch / self.columns.max(1)).clamp(256, 128 * 1024)
    }

    /// Bytes that a batch takes on its way, more or less.
    fn weight(&self, batch: &Batch) -> usize {
        self.bytes(batch.count(), batch.bytes())
    }

    fn bytes(&self, lines: usize, text: usize) -> usize {
        const ITSELF: usize = 4096;
        ITSELF + self.texts * text + lines * (self.columns + self.encoded)
    }

    /// Bytes that may be under way: small batches for many threads, or three large ones, whose columns are
    /// encoded in parallel.
    fn under_way(&self, lines: usize) -> usize {
        const LINE: usize = 80;
        (32 << 20).max(3 * self.bytes(lines, LINE * lines))
    }
}

/// What the threads of the pool need to know.
struct Job {
    inputs: Vec<PathBuf>,
    columns: Vec<Column>,
    schema: SchemaRef,
    kernel: Kernel,
    chunk: usize,
    on_bad: OnBad,
}

/// A batch that waits for its turn to be written.
struct Done<T> {
    encoded: Option<T>,
    rows: u64,
    rest: NoRows,
    times: Times,
}

/// How long the stages took.
#[derive(Default)]
struct Times {
    read: Duration,
    parse: Duration,
    maps: Duration,
    encode: Duration,
    write: Duration,
}

impl Job {
    fn run<E: Export>(
        &self,
        encoder: &E::Encoder,
        batch: Batch,
        read: Duration,
    ) -> Result<Done<E::Encoded>> {
        let start = Instant::now();
        let mut builder = Builder::new(&self.columns, self.kernel, batch.count(), self.chunk);
        let rest = lines::parse(&batch, &self.inputs, self.on_bad, &mut builder);
        drop(batch);
        let (table, maps) = builder.finish(self.schema.clone());
        let rows = table.num_rows();
        let parse = start.elapsed().saturating_sub(maps);
        let (encoded, encode) = match rows {
            0 => (None, Duration::ZERO),
            _ => {
                let (encoded, time) =
                    E::encode(encoder, table).context("cannot encode the columns")?;
                (Some(encoded), time)
            }
        };
        let times = Times { read, parse, maps, encode, write: Duration::ZERO };
        Ok(Done { encoded, rows: rows as u64, rest, times })
    }
}

/// What was done so far.
#[derive(Default)]
struct Total {
    rows: u64,
    blank: u64,
    comments: u64,
    bad: u64,
    times: Times,
}

impl Total {
    fn add(&mut self, rows: u64, rest: &NoRows, times: &Times) {
        self.rows += rows;
        self.blank += rest.blank;
        self.comments += rest.comments;
        self.bad += rest.bad;
        self.times.read += times.read;
        self.times.parse += times.parse;
        self.times.maps += times.maps;
        self.times.encode += times.encode;
        self.times.write += times.write;
    }

    fn rate(&self, time: Duration) -> String {
        let rate = self.rows as f64 / time.as_secs_f64();
        format!("{} positions, {} a second", HumanCount(self.rows), HumanCount(rate as u64))
    }

    /// The closing lines: on standard output, or where that is taken by the maps, on standard error if
    /// somebody looks at it. What was skipped is always said on standard error. That
    /// nothing can be written there does not undo the work, so it is no error.
    fn report(&self, time: Duration, arguments: &MapsArguments, path: &Path) {
        let mut text = String::new();
        let seconds = time.as_secs_f64();
        if !arguments.quiet {
            let rate = (self.rows as f64 / seconds) as u64;
            let (rows, rate) = (HumanCount(self.rows), HumanCount(rate));
            let _ = writeln!(text, "{rows} positions in {seconds:.2} s, {rate} a second");
        }
        if arguments.timings {
            let Times { read, parse, maps, encode, write } = self.times;
            for (stage, time) in [
                ("read", read),
                ("parse", parse),
                ("maps", maps),
                ("encode", encode),
                ("write", write),
            ] {
                let each = time.as_nanos() as f64 / self.rows.max(1) as f64;
                let seconds = time.as_secs_f64();
                let _ = writeln!(text, "{stage:>8} {seconds:8.3} s {each:8.1} ns a position");
            }
        }
        if path.as_os_str() != "-" {
            let _ = console::print(text.as_bytes());
        } else if io::stderr().is_terminal() || arguments.timings {
            let _ = anstream::stderr().write_all(text.as_bytes());
        }
        // Who matches rows with lines has to know.
        let skipped = [
            (self.bad, "bad line", "bad lines"),
            (self.blank, "blank line", "blank lines"),
            (self.comments, "comment", "comments"),
        ];
        let skipped = skipped.into_iter().filter(|&(count, ..)| count > 0);
        let skipped: Vec<_> = skipped
            .map(|(n, one, many)| format!("{} {}", HumanCount(n), if n == 1 { one } else { many }))
            .collect();
        if !skipped.is_empty() && !arguments.quiet {
            let _ = writeln!(anstream::stderr(), "{} skipped", skipped.join(", "));
        }
    }
}

/// A bar where the size is known, a counter elsewhere, and nothing where standard error is no terminal.
fn progress(size: Option<u64>, quiet: bool) -> ProgressBar {
    let style = |template| ProgressStyle::with_template(template).expect("a template");
    let left = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // After less than that the rate says nothing.
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
