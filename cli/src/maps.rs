//! `setwise maps`: positions in, columns out, on all cores.
//!
//! One thread reads and cuts the input into batches, a pool parses, computes and encodes each of them, and
//! the main thread writes them in order.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use clap::error::ErrorKind;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use setwise::{Colour, Kernel};
use setwise_table::{Keep, Maps};

use crate::args::{self, MapsArguments};
use crate::columns::{self, Builder, Choice, Column};
use crate::console;
use crate::export::{About, Contents, Export, Format, Visit};
use crate::import::{self, Wanted};
use crate::input::{self, Batch, Batches, Sizes};
use crate::lines::{self, BadLine, NoRows, OnBad};
use crate::output::Output;
use crate::pipeline::{self, Limits};
use crate::tables::{Asked, Tables};

pub(crate) fn run(arguments: &MapsArguments) -> Result<()> {
    let mut columns = match (&arguments.columns, arguments.features) {
        (Some(Choice::Help), _) => return console::print(columns::help().as_bytes()),
        (Some(Choice::Columns(columns)), _) => columns.clone(),
        (None, Some(_)) => Vec::new(),
        (None, None) => columns::default(),
    };
    if let Some(set) = arguments.features {
        columns.extend(Colour::ALL.map(|side| Column::Features(set, side)));
    }
    if arguments.with_fen {
        columns.retain(|&column| column != Column::Fen);
        columns.insert(0, Column::Fen);
    }
    let (path, format) = check(arguments, &columns);

    let size = input::check(&arguments.inputs)?;
    let inputs = formats(arguments)?;
    let output = Output::create(path, &arguments.inputs, &[])?;
    let create = |path: &PathBuf| Output::create(path, &arguments.inputs, &[&output]);
    let rejects = arguments.rejects.as_ref().map(create).transpose()?;

    let start = Instant::now();
    let progress = progress(size, arguments.quiet);
    let (feed, columns) = Feed::begin(arguments, inputs, columns, format.about(), &progress)?;
    let lines = matches!(feed, Feed::Lines);
    let mut total = Total { lines, ..Total::default() };
    let run = Run {
        arguments,
        columns,
        feed,
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
    let is_number = |column: &&Column| !column.is_text() && !column.is_list();
    if !text && let Some(column) = columns.iter().find(|column| !is_number(column)) {
        let column = column.name();
        let message = format!("a .{name} file holds numbers: it cannot have the column '{column}'");
        wrong(ErrorKind::ArgumentConflict, &message);
    }
    if !text && arguments.keep.as_ref().is_some_and(|keep| *keep != Keep::None) {
        let message = format!("a .{name} file holds numbers: --keep is for other formats");
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
    feed: Feed,
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
        let Self { arguments, columns, feed, about, output, mut rejects, progress, total } = self;
        let start = Instant::now();
        let (name, is_stdout) = (output.name().to_owned(), output.is_stdout());
        let not_written = |error| console::not_written(error, is_stdout, &name);

        let schema = match &feed {
            Feed::Lines => columns::schema(&columns, arguments.signed),
            Feed::Pieces(of) => of.1.schema().clone(),
        };
        let repeats = columns.iter().filter(|column| column.repeats());
        let mut repeating: Vec<_> = repeats.map(|column| column.name().to_owned()).collect();
        if let Feed::Pieces(of) = &feed {
            repeating.extend(of.1.kept());
        }
        let contents = Contents {
            schema: schema.clone(),
            repeating,
            compression: arguments.compression.or(about.compressions.first().copied()),
        };
        let (encoder, mut writer) = E::begin(&contents, output).map_err(not_written)?;

        let on_bad = on_bad(arguments);
        let row = Row::new(&columns, about);
        let sizes = Sizes {
            lines: arguments.sizes.batch_lines.unwrap_or_else(|| row.lines(about)),
            bytes: arguments.sizes.batch_bytes,
        };
        let (source, job): (Box<dyn Iterator<Item = Result<Item>> + Send>, _) = match feed {
            Feed::Lines => {
                let inputs = arguments.inputs.clone();
                let mut batches = Batches::new(inputs.clone(), sizes, progress.clone());
                let next = move || match batches.next() {
                    Ok(batch) if batch.is_empty() => None,
                    next => Some(next.map(Item::Lines)),
                };
                let job = Job::Lines(Lines {
                    inputs,
                    maps: columns::of_tables(&columns)
                        .kernel(arguments.backend.unwrap_or_else(Kernel::detect))
                        .chunk(arguments.sizes.chunk_rows)
                        .signed(arguments.signed),
                    columns,
                    schema,
                    on_bad,
                });
                (Box::new(std::iter::from_fn(next)), job)
            }
            Feed::Pieces(of) => {
                let (mut pieces, tables) = *of;
                pieces.set_sizes(sizes.lines, sizes.bytes);
                let next = move || pieces.next().map(|item| item.map(Item::Piece)).transpose();
                (Box::new(std::iter::from_fn(next)), Job::Tables(tables))
            }
        };
        let source = Timed(source);
        let limits = Limits {
            threads: arguments.threads.unwrap_or(0),
            bytes: arguments.sizes.bytes_under_way.unwrap_or_else(|| row.under_way(sizes.lines)),
        };
        let mut first_bad = None;
        pipeline::run(
            limits,
            source,
            move |(item, _)| row.weight(item),
            move |(item, read)| job.run::<E>(&encoder, item, read),
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
            return Err(nothing_but_bad(bad, total.bad, total.lines));
        }
        let writing = Instant::now();
        let output = writer.finish().map_err(not_written)?;
        // The maps get their name last, when nothing else can fail.
        Output::finish(rejects.into_iter().chain([output]).collect())?;
        total.times.write += writing.elapsed();
        Ok(())
    }
}

/// Where the rows come from.
enum Feed {
    /// Text, line by line.
    Lines,
    /// Anything else, piece by piece.
    Pieces(Box<(import::Pieces, Tables)>),
}

/// What is drawn from there.
enum Item {
    Lines(Batch),
    Piece(import::Item),
}

impl Feed {
    /// Opens what has to be opened to know the columns of the output, and says which of these are asked for.
    fn begin(
        arguments: &MapsArguments,
        inputs: Vec<(PathBuf, import::Format)>,
        mut columns: Vec<Column>,
        about: &About,
        progress: &ProgressBar,
    ) -> Result<(Self, Vec<Column>)> {
        let lines = |(_, format): &(PathBuf, import::Format)| *format == import::Format::Text;
        if inputs.iter().all(lines) {
            let refused = [
                ("--fen-column", arguments.fen_column.is_some()),
                ("--null-invalid", arguments.null_invalid),
            ];
            if let Some((option, _)) = refused.iter().find(|(_, given)| *given) {
                let message = format!("{option} is for tables, and the input is text");
                args::wrong("maps", ErrorKind::ArgumentConflict, message);
            }
            let mut kept = match &arguments.keep {
                None | Some(Keep::None) => Vec::new(),
                Some(Keep::All) => vec![Column::Fen],
                Some(Keep::Named(names)) => {
                    let of_lines = [Column::Fen, Column::Line, Column::Rest];
                    let find = |name: &String| {
                        of_lines.into_iter().find(|column| column.name() == name).with_context(
                            || {
                                format!(
                                    "text has no column '{name}': --keep takes fen, line and rest"
                                )
                            },
                        )
                    };
                    names.iter().map(find).collect::<Result<_>>()?
                }
            };
            columns.retain(|column| !kept.contains(column));
            kept.append(&mut columns);
            return Ok((Self::Lines, kept));
        }
        if let Some((text, _)) = inputs.iter().find(|input| lines(input)) {
            let other = inputs.iter().find(|input| !lines(input)).expect("not all are text");
            bail!(
                "{} is text and {} is {}: one run reads one kind of input (--input-format)",
                input::name(text),
                input::name(&other.0),
                other.1.about().name
            );
        }
        let keep = match &arguments.keep {
            Some(keep) => keep.clone(),
            None if about.text => Keep::All,
            None => Keep::None,
        };
        let fen = arguments.fen_column.clone();
        let wanted = Wanted { fen: fen.clone(), keep: keep.clone() };
        let pieces = import::Pieces::begin(inputs, wanted, progress.clone())?;
        let asked = Asked {
            columns: columns.clone(),
            keep,
            fen,
            kernel: arguments.backend.unwrap_or_else(Kernel::detect),
            chunk: arguments.sizes.chunk_rows,
            signed: arguments.signed,
            on_bad: on_bad(arguments),
            null: arguments.null_invalid,
            without_nulls: (!about.text).then_some(about.name),
        };
        let names: Vec<_> = arguments.inputs.iter().map(|path| input::name(path)).collect();
        let tables = Tables::new(names, pieces.kind(), &asked)
            .with_context(|| format!("cannot read {}", input::name(&arguments.inputs[0])))?;
        Ok((Self::Pieces(Box::new((pieces, tables))), columns))
    }
}

/// What each input is.
fn formats(arguments: &MapsArguments) -> Result<Vec<(PathBuf, import::Format)>> {
    let format = |path: &PathBuf| {
        let format = arguments.input_format.map_or_else(|| import::Format::of(path), Ok);
        Ok((path.clone(), format?))
    };
    arguments.inputs.iter().map(format).collect()
}

fn on_bad(arguments: &MapsArguments) -> OnBad {
    match (arguments.skip_invalid, &arguments.rejects) {
        (false, _) => OnBad::Stop,
        (true, None) => OnBad::Skip,
        (true, Some(_)) => OnBad::Keep,
    }
}

/// What is drawn, and how long that took.
struct Timed<I>(I);

impl<T, I: Iterator<Item = Result<T>>> Iterator for Timed<I> {
    type Item = Result<(T, Duration)>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = Instant::now();
        self.0.next().map(|item| item.map(|item| (item, start.elapsed())))
    }
}

/// Nothing was written, which is more than some bad lines: the input is something else.
fn nothing_but_bad(mut first: BadLine, count: u64, lines: bool) -> anyhow::Error {
    if count > 1 {
        let others = HumanCount(count - 1);
        let lines = if lines { "lines" } else { "rows" };
        first.message +=
            &format!(" (nor is any of {others} other {lines} a position: nothing is written)");
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
            texts: 1 + 2 * columns.iter().filter(|column| column.is_text()).count(),
        }
    }

    /// How many lines a batch should have.
    fn lines(&self, about: &About) -> usize {
        (about.batch / self.columns.max(1)).clamp(128, 128 * 1024)
    }

    /// Bytes that a batch takes on its way, more or less.
    fn weight(&self, item: &Item) -> usize {
        match item {
            Item::Lines(batch) => self.bytes(batch.count(), batch.bytes()),
            // As it is read, and as it is encoded.
            Item::Piece(item) => self.bytes(item.piece.rows, 0) + 2 * item.piece.bytes,
        }
    }

    fn bytes(&self, lines: usize, text: usize) -> usize {
        const ITSELF: usize = 4096;
        ITSELF + self.texts * text + lines * (self.columns + self.encoded)
    }

    /// Bytes that may be under way: small batches for many threads, or three large ones, whose columns are
    /// encoded in parallel. Writing is what many threads would wait for, so more would only lie there.
    fn under_way(&self, lines: usize) -> usize {
        const LINE: usize = 80;
        (8 << 20).max(3 * self.bytes(lines, LINE * lines))
    }
}

/// What the threads of the pool need to know.
enum Job {
    Lines(Lines),
    Tables(Tables),
}

struct Lines {
    inputs: Vec<PathBuf>,
    columns: Vec<Column>,
    maps: Maps,
    schema: SchemaRef,
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
        item: Item,
        read: Duration,
    ) -> Result<Done<E::Encoded>> {
        let start = Instant::now();
        let (table, rest, maps) = match (self, item) {
            (Self::Lines(lines), Item::Lines(batch)) => lines.run(batch),
            (Self::Tables(tables), Item::Piece(item)) => tables.run(item)?,
            _ => unreachable!("lines are drawn for lines, pieces for tables"),
        };
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

impl Lines {
    /// The rows of a batch, what became of the other lines, and how long the kernel took.
    fn run(&self, batch: Batch) -> (RecordBatch, NoRows, Duration) {
        let mut builder = Builder::new(&self.columns, &self.maps, batch.count());
        let rest = lines::parse(&batch, &self.inputs, self.on_bad, &mut builder);
        drop(batch);
        let (table, maps) = builder.finish(self.schema.clone());
        (table, rest, maps)
    }
}

/// What was done so far.
#[derive(Default)]
struct Total {
    rows: u64,
    blank: u64,
    comments: u64,
    bad: u64,
    nulls: u64,
    lines: bool,
    times: Times,
}

impl Total {
    fn add(&mut self, rows: u64, rest: &NoRows, times: &Times) {
        self.rows += rows;
        self.blank += rest.blank;
        self.comments += rest.comments;
        self.bad += rest.bad;
        self.nulls += rest.nulls;
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
            match self.lines {
                true => (self.bad, "bad line", "bad lines"),
                false => (self.bad, "bad row", "bad rows"),
            },
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
        if self.nulls > 0 && !arguments.quiet {
            let rows = if self.nulls == 1 { "bad row" } else { "bad rows" };
            let _ = writeln!(anstream::stderr(), "{} {rows} with nulls", HumanCount(self.nulls));
        }
    }
}

/// A bar where the size is known, a counter elsewhere, and nothing where standard error is no terminal.
pub(crate) fn progress(size: Option<u64>, quiet: bool) -> ProgressBar {
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
