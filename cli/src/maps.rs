//! `setwise maps`: text in, maps out, on all cores.
//!
//! One thread reads and cuts the text into batches, a pool parses, computes and encodes each of them, and
//! the main thread writes them in order. A bounded queue of batches that are under way holds the memory
//! flat however long the input is.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::error::ErrorKind;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use rayon::ThreadPoolBuilder;
use setwise::Kernel;

use crate::args::{Format, MapsArguments};
use crate::columns::{self, Builder, Choice, Column};
use crate::format::{self, Encoded, Encoder, Writer};
use crate::input::{self, Batch, Batches};
use crate::lines::{self, Bad, OnBad};
use crate::output::Output;

/// What the threads of the pool need to know.
struct Job {
    inputs: Vec<PathBuf>,
    columns: Vec<Column>,
    schema: arrow::datatypes::SchemaRef,
    kernel: Kernel,
    on_bad: OnBad,
    encoder: Encoder,
}

/// A batch that waits for its turn to be written.
struct Done {
    encoded: Option<Encoded>,
    rows: u64,
    bad: Bad,
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

pub(crate) fn run(arguments: &MapsArguments) -> Result<()> {
    let choice = arguments.columns.clone().unwrap_or_default();
    let Choice::Columns(mut columns) = choice else {
        return crate::print(columns::help().as_bytes());
    };
    if arguments.with_fen {
        columns.insert(0, Column::Fen);
    }
    let (path, format) = check(arguments, &columns);

    let size = input::check(&arguments.inputs)?;
    let output = Output::create(path, &arguments.inputs)?;
    let rejects = arguments.rejects.as_deref();
    let mut rejects = rejects.map(|path| Output::create(path, &arguments.inputs)).transpose()?;
    if rejects.as_ref().is_some_and(|rejects| rejects.collides(&output)) {
        bail!("{} is the file for both --output and --rejects", output.name());
    }

    let start = Instant::now();
    let progress = progress(size, arguments.quiet);
    let name = output.name().to_owned();
    let cannot_write = || format!("cannot write {name}");
    let schema = columns::schema(&columns);
    let (encoder, mut writer) =
        format::create(format, arguments.compression, &columns, &schema, output)
            .with_context(cannot_write)?;
    let job = Job {
        inputs: arguments.inputs.clone(),
        columns,
        schema,
        kernel: arguments.backend.unwrap_or_else(Kernel::detect),
        on_bad: match (arguments.skip_invalid, &rejects) {
            (false, _) => OnBad::Stop,
            (true, None) => OnBad::Skip,
            (true, Some(_)) => OnBad::Keep,
        },
        encoder,
    };

    let threads = arguments.threads.map_or(0, NonZeroUsize::get);
    let outcome = write(job, threads, &progress, &mut writer, &mut rejects, &name);
    progress.finish_and_clear(); // before anything else is said
    let mut total = outcome?;
    let writing = Instant::now();
    let output = writer.finish().with_context(cannot_write)?;
    // The maps get their name last, when nothing else can fail.
    if let Some(rejects) = rejects {
        let name = rejects.name().to_owned();
        rejects.finish().with_context(|| format!("cannot write {name}"))?;
    }
    output.finish().with_context(cannot_write)?;
    total.times.write += writing.elapsed();
    total.report(start.elapsed(), arguments, path);
    Ok(())
}

/// Does the job, and writes batch after batch.
fn write(
    job: Job,
    threads: usize,
    progress: &ProgressBar,
    writer: &mut Writer,
    rejects: &mut Option<Output>,
    name: &str,
) -> Result<Total> {
    let start = Instant::now();
    let stop = job.on_bad == OnBad::Stop;
    let mut total = Total::default();
    for batch in work(job, threads, progress)? {
        let mut done = batch.recv().expect("every batch is answered")?;
        if stop && let Some(bad) = done.bad.lines.pop() {
            return Err(bad.into());
        }
        let writing = Instant::now();
        if let Some(rejects) = rejects {
            lines::keep(&done.bad.lines, rejects)
                .with_context(|| format!("cannot write {}", rejects.name()))?;
        }
        if let Some(encoded) = done.encoded {
            writer.write(encoded).with_context(|| format!("cannot write {name}"))?;
        }
        done.times.write = writing.elapsed();
        total.add(done.rows, done.bad.count, &done.times);
        progress.set_message(total.rate(start.elapsed()));
    }
    Ok(total)
}

/// Where to and what: all that clap cannot check by itself.
fn check<'a>(arguments: &'a MapsArguments, columns: &[Column]) -> (&'a Path, Format) {
    let wrong = |kind, message: &str| crate::wrong_arguments("maps", kind, message);
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
        let known =
            "the output's name does not end in .parquet, .arrow, .npy or .csv: say --format";
        wrong(ErrorKind::ValueValidation, known)
    };
    if let Some((_, again)) = (1..columns.len())
        .map(|i| columns.split_at(i))
        .find(|(before, rest)| before.contains(&rest[0]))
    {
        let message = format!("column '{}' is asked for twice", again[0].name());
        wrong(ErrorKind::ValueValidation, &message);
    }
    if format == Format::Npy && columns.contains(&Column::Fen) {
        wrong(
            ErrorKind::ArgumentConflict,
            "a .npy file holds numbers: it cannot have the column 'fen'",
        );
    }
    (path, format)
}

/// Begins to read, parse, compute and encode. The batches come in the order of the input.
fn work(
    job: Job,
    threads: usize,
    progress: &ProgressBar,
) -> Result<Receiver<Receiver<Result<Done>>>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    // Enough that nobody waits for the writer or the reader, and no more.
    let (batches, queue) = sync_channel(pool.current_num_threads() + 1);
    let progress = progress.clone();
    thread::spawn(move || {
        let job = Arc::new(job);
        let mut input = Batches::new(job.inputs.clone(), progress);
        loop {
            let start = Instant::now();
            let next = input.next();
            let read = start.elapsed();
            let (answer, done) = channel();
            // Nobody listens any more if the main thread has failed: then this one just ends.
            if !matches!(&next, Ok(batch) if batch.is_empty()) && batches.send(done).is_err() {
                return;
            }
            match next {
                Ok(batch) if batch.is_empty() => return,
                Ok(batch) => {
                    let job = job.clone();
                    pool.spawn(move || {
                        let _ = answer.send(job.run(batch, read));
                    });
                }
                Err(error) => {
                    let _ = answer.send(Err(error));
                    return;
                }
            }
        }
    });
    Ok(queue)
}

impl Job {
    fn run(&self, batch: Batch, read: Duration) -> Result<Done> {
        let start = Instant::now();
        let mut builder = Builder::new(&self.columns, self.kernel, batch.count());
        let bad = lines::parse(&batch, &self.inputs, self.on_bad, &mut builder);
        drop(batch);
        let table = builder.finish(&self.columns, self.schema.clone());
        let (maps, rows) = (builder.spent, table.num_rows());
        let parse = start.elapsed() - maps;
        let (encoded, encode) = match rows {
            0 => (None, Duration::ZERO),
            _ => self.encoder.encode(table).map(|(encoded, time)| (Some(encoded), time))?,
        };
        let times = Times { read, parse, maps, encode, write: Duration::ZERO };
        Ok(Done { encoded, rows: rows as u64, bad, times })
    }
}

/// What was done so far.
#[derive(Default)]
struct Total {
    rows: u64,
    bad: u64,
    times: Times,
}

impl Total {
    fn add(&mut self, rows: u64, bad: u64, times: &Times) {
        self.rows += rows;
        self.bad += bad;
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
    /// somebody looks at it. Skipped lines are a warning, which always goes to standard error. That
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
            let _ = crate::print(text.as_bytes());
        } else if io::stderr().is_terminal() || arguments.timings {
            let _ = anstream::stderr().write_all(text.as_bytes());
        }
        if self.bad > 0 && !arguments.quiet {
            let lines = if self.bad == 1 { "line" } else { "lines" };
            let _ = writeln!(anstream::stderr(), "{} bad {lines} skipped", HumanCount(self.bad));
        }
    }
}

/// A bar where the size is known, a counter elsewhere, and nothing where standard error is no terminal.
fn progress(size: Option<u64>, quiet: bool) -> ProgressBar {
    let style = |template| ProgressStyle::with_template(template).expect("a template");
    let progress = match size {
        _ if quiet => ProgressBar::hidden(),
        Some(size) => ProgressBar::new(size)
            .with_style(style("{wide_bar} {percent:>3} % {msg}, {eta} left").progress_chars("━╸ ")),
        None => ProgressBar::new_spinner().with_style(style("{spinner} {msg}, {elapsed}")),
    };
    progress.with_message("0 positions")
}
