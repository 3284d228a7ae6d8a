//! `setwise convert`: positions from one packed format to another, or from and to FEN, where nothing is
//! lost; and a note on what would be lost.

use std::io::{BufRead, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::error::ErrorKind;
use indicatif::{HumanCount, ProgressBar};
use setwise_formats::pgn::{self, Chunk, OnError, Options, Replayer, Splitter};
use setwise_formats::{
    ErrorKind as Wrong, Field, Fields, Format, GameWriter, Reader, Records, Writer,
};
use setwise_table::{Error, Line, LineContent, OnInvalid, rest};

use crate::args::{self, ConvertArguments};
use crate::import::InputFormat;
use crate::input::{self, BatchSize, LineReader};
use crate::maps::progress;
use crate::output::Output;
use crate::target::Target;

pub(crate) fn run(arguments: &ConvertArguments) -> Result<()> {
    let wrong = |kind, message: &str| -> ! { args::wrong("convert", kind, message) };
    let Some(target) = arguments.format.or_else(|| Target::of(&arguments.output)) else {
        wrong(
            ErrorKind::ValueValidation,
            "the output's name does not end in .fen, .epd, .bullet, .marlin, .bin, .vf or .binpack: say --format",
        )
    };
    if arguments.inputs.iter().filter(|path| input::is_stdin(path)).count() > 1 {
        wrong(ErrorKind::ValueValidation, "standard input (-) can be read only once");
    }
    let format = |path: &PathBuf| arguments.input_format.map_or_else(|| InputFormat::of(path), Ok);
    let first = format(&arguments.inputs[0])?;
    for path in &arguments.inputs[1..] {
        let this = format(path)?;
        if this != first {
            let names = [first, this].map(|format| format.info().name);
            bail!("{} is {}, and the first input is {}", input::name(path), names[1], names[0]);
        }
    }
    let of_games = first == InputFormat::Pgn;
    if arguments.on_invalid == OnInvalid::Keep && !of_games {
        wrong(ErrorKind::ArgumentConflict, "--on-invalid keep is for games");
    }
    if let Target::Packed(format @ (Format::Viri | Format::Binpack)) = target
        && !of_games
    {
        let message =
            format!("{format} keeps games, and is written from games (pgn) only: say --format");
        wrong(ErrorKind::ValueValidation, &message)
    }
    let from = match first {
        InputFormat::Text | InputFormat::Pgn => None,
        first => match first.packed() {
            Some(format) => Some(format),
            None => bail!(
                "{} is {}: only text and packed formats are converted, and games (pgn)",
                input::name(&arguments.inputs[0]),
                first.info().name
            ),
        },
    };
    let known = match from {
        Some(format) => format.keeps(),
        None if of_games => Fields::ALL,
        None => Fields::FEN,
    };
    // Spare bytes are those of one format, and looked at record by record. That records have no moves is no loss of games,
    // and where games stay games, the number of the move is counted.
    let mut lost = known.without(target.keeps()).without(Fields::of(&[Field::Extra]));
    if of_games {
        lost = lost.without(Fields::of(&[Field::Move, Field::Ply]));
    }
    if target == Target::Packed(Format::Binpack) {
        lost = lost.without(Fields::of(&[Field::FullmoveNumber]));
    }
    let name = first.info().name;
    if !lost.is_empty() && !arguments.lossy {
        bail!(
            "from {name} to {} this would be lost: {lost} (use --lossy to allow this)",
            target.name()
        );
    }

    let size = input::check(&arguments.inputs)?;
    let output = Output::create(&arguments.output, &arguments.inputs, &[])?;
    let progress = progress(size, arguments.quiet);
    let mut sink = Sink::new(target, output, from, arguments.lossy);
    let mut run =
        Run { arguments, progress: progress.clone(), bad: 0, unknown: Default::default() };
    let outcome = match from {
        None if of_games => arguments.inputs.iter().try_for_each(|path| run.games(path, &mut sink)),
        None => run.text(&mut sink),
        Some(format) => {
            arguments.inputs.iter().try_for_each(|path| run.packed(format, path, &mut sink))
        }
    };
    progress.finish_and_clear();
    outcome?;
    let (rows, output) = sink.finish()?;
    let is_stdout = output.is_stdout();
    Output::finish(vec![output])?;
    if arguments.quiet {
        return Ok(());
    }
    let made_up = target.keeps().without(known).without(Fields::of(&[Field::Extra]));
    let mut said = format!("{} positions\n", HumanCount(rows));
    if is_stdout {
        said.clear();
    }
    crate::console::print(said.as_bytes())?;
    let mut notes = String::new();
    if run.bad > 0 {
        let what = if of_games { "game" } else { "position" };
        let (end, bad) = (if run.bad == 1 { "" } else { "s" }, HumanCount(run.bad));
        let kept = arguments.on_invalid == OnInvalid::Keep;
        let done = if kept { "kept up to the error" } else { "skipped" };
        notes += &format!("{bad} invalid {what}{end} {done}\n");
    }
    for (count, what) in run.unknown.into_iter().zip([
        "positions without an evaluation are written with score 0",
        "positions of games without a result are written as drawn",
    ]) {
        if count > 0 && target != Target::Text {
            notes += &format!("{} {what}\n", HumanCount(count));
        }
    }
    if !made_up.is_empty() && rows > 0 {
        notes += &format!("not in the input, and written as what says least: {made_up}\n");
    }
    let _ = anstream::stderr().write_all(notes.as_bytes());
    Ok(())
}

struct Run<'a> {
    arguments: &'a ConvertArguments,
    progress: ProgressBar,
    bad: u64,
    /// Positions of games without evaluation, and without result.
    unknown: [u64; 2],
}

/// Rows that are converted together.
const TOGETHER: usize = 4096;

impl Run<'_> {
    fn text(&mut self, sink: &mut Sink) -> Result<()> {
        let size = BatchSize { lines: TOGETHER, bytes: 1 << 20 };
        let mut reader = LineReader::new(&self.arguments.inputs, self.progress.clone());
        loop {
            let lines = reader.next(size)?;
            if lines.count == 0 {
                return Ok(());
            }
            let mut batch = Records::new();
            for line in lines.iter() {
                match line.content() {
                    LineContent::Blank | LineContent::Comment => {}
                    LineContent::Position(_, text)
                        if !rest(text).is_empty() && !self.arguments.lossy =>
                    {
                        let column = text.len() - rest(text).len() + 1;
                        let reason =
                            "what follows the position would be lost (use --lossy to allow this)";
                        return Err(invalid(&line, column, reason.to_owned()));
                    }
                    LineContent::Position(fen, _) => batch.push_fen(&fen),
                    LineContent::Invalid(..) if self.skips() => self.bad += 1,
                    LineContent::Invalid(column, reason) => {
                        return Err(invalid(&line, column, reason));
                    }
                }
            }
            sink.write(&batch, "the input")?;
        }
    }

    fn skips(&self) -> bool {
        self.arguments.on_invalid == OnInvalid::Skip
    }

    fn games(&mut self, path: &Path, sink: &mut Sink) -> Result<()> {
        let name = input::name(path);
        let cannot_read = || format!("cannot read {name}");
        let input = input::unpack(path, &self.progress).and_then(input::text);
        let mut splitter = Splitter::new(input.with_context(cannot_read)?);
        let mut options = Options::default();
        options.on_error = match self.arguments.on_invalid {
            OnInvalid::Stop => OnError::Stop,
            OnInvalid::Keep => OnError::Keep,
            OnInvalid::Skip | OnInvalid::Null => OnError::Skip,
        };
        let mut replayer = Replayer::new(options);
        let (mut chunk, mut games) = (Chunk::default(), pgn::Rows::default());
        while splitter.read_chunk(&mut chunk).with_context(cannot_read)? {
            games.clear();
            let outcome = replayer.chunk(&chunk, &mut games);
            self.bad += games.rejects.len() as u64;
            for game in &games.games {
                let rows = game.first_row..game.first_row + game.rows;
                let evaluated = games.eval[rows.clone()].iter().flatten().count();
                let written = sink.write_game(&games.records(rows), &name, self.skips());
                if !written.with_context(|| format!("game {}", game.number))? {
                    self.bad += 1;
                    continue;
                }
                self.unknown[0] += (game.rows - evaluated) as u64;
                self.unknown[1] += if game.result.is_none() { game.rows as u64 } else { 0 };
            }
            outcome.map_err(|error| anyhow!("{error}")).with_context(cannot_read)?;
        }
        Ok(())
    }

    fn packed(&mut self, format: Format, path: &Path, sink: &mut Sink) -> Result<()> {
        let name = input::name(path);
        let cannot_read = || format!("cannot read {name}");
        let input: Box<dyn BufRead + Send> =
            input::unpack(path, &self.progress).with_context(cannot_read)?;
        let mut reader = Reader::new(format, input);
        let mut batch = Records::new();
        loop {
            let outcome = reader.read(TOGETHER, &mut batch);
            sink.write(&batch, &name)?;
            match outcome {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                // The next record can be read on its own where all have one size.
                Err(error)
                    if self.skips()
                        && error.kind() == Wrong::Invalid
                        && format.record_size().is_some() =>
                {
                    self.bad += 1;
                }
                Err(error) => return Err(anyhow!("{error}")).with_context(cannot_read),
            }
        }
    }
}

fn invalid(line: &Line<'_>, column: usize, reason: String) -> anyhow::Error {
    Error::Invalid(Box::new(line.bad(column, reason))).into()
}

/// Where the rows go.
struct Sink {
    to: To,
    name: String,
    /// Whether spare bytes may not be lost: those of another format.
    keep_extra: bool,
    rows: u64,
}

enum To {
    Text(Output),
    Packed(Writer<Output>),
    Games(GameWriter<Output>),
}

impl Sink {
    fn new(target: Target, output: Output, from: Option<Format>, lossy: bool) -> Self {
        let name = output.name().to_owned();
        let keep_extra = !lossy && from.is_some_and(|from| target != Target::Packed(from));
        let to = match target {
            Target::Text => To::Text(output),
            Target::Packed(format @ (Format::Viri | Format::Binpack)) => {
                To::Games(GameWriter::new(format, output).expect("a format with games"))
            }
            Target::Packed(format) => {
                To::Packed(Writer::new(format, output).expect("a format of records"))
            }
        };
        Self { to, name, keep_extra, rows: 0 }
    }

    /// Writes a game, as one where the format keeps games. False if it cannot hold this one, and that is no error.
    fn write_game(&mut self, game: &Records, from: &str, skip: bool) -> Result<bool> {
        let To::Games(writer) = &mut self.to else { return self.write(game, from).map(|()| true) };
        match writer.write(game) {
            Err(error) if skip && error.kind() == Wrong::Invalid => return Ok(false),
            outcome => outcome
                .map_err(|error| anyhow!("{error}"))
                .with_context(|| format!("cannot write {}", self.name))?,
        }
        self.rows = writer.records();
        Ok(true)
    }

    fn write(&mut self, batch: &Records, from: &str) -> Result<()> {
        if self.keep_extra
            && let Some(row) = batch.extra.iter().position(|&extra| extra != 0)
        {
            let record = self.rows + row as u64 + 1;
            bail!(
                "{from}: the spare bytes of record {record} would be lost (use --lossy to allow this)"
            );
        }
        match &mut self.to {
            To::Text(output) => {
                for row in 0..batch.len() {
                    let written = writeln!(output, "{}", batch.fen(row));
                    written.map_err(|error| output.not_written(error))?;
                }
            }
            To::Packed(writer) => {
                writer
                    .write(batch)
                    .map_err(|error| anyhow!("{error}"))
                    .with_context(|| format!("cannot write {}", self.name))?;
            }
            To::Games(_) => unreachable!("games are written one by one"),
        }
        self.rows += batch.len() as u64;
        Ok(())
    }

    fn finish(self) -> Result<(u64, Output)> {
        let output = match self.to {
            To::Text(output) => output,
            To::Packed(writer) => writer.into_inner(),
            To::Games(writer) => {
                let finished = writer.finish().map_err(|error| anyhow!("{error}"));
                finished.with_context(|| format!("cannot write {}", self.name))?
            }
        };
        Ok((self.rows, output))
    }
}
