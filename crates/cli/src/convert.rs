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
use setwise_table::{
    Error, InputColumn, Keep, Line, LineContent, OnInvalid, Plan, Query, Source as _, labels, rest,
    split_labels,
};

use crate::args::{self, ConvertArguments};
use crate::import::{self, AnySource, InputFormat, ReadOptions};
use crate::input::{self, BatchSize, LineReader};
use crate::labels::Labels;
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
    let from = first.packed();
    let of_table = from.is_none() && !matches!(first, InputFormat::Text | InputFormat::Pgn);
    let has_option = arguments.fen_column.is_some()
        || arguments.score_column.is_some()
        || arguments.result_column.is_some()
        || arguments.move_column.is_some()
        || arguments.loss_is.is_some();
    if has_option && !of_table {
        let message = format!(
            "--fen-column and the like are for tables, and the input is {}",
            first.info().name
        );
        wrong(ErrorKind::ArgumentConflict, &message)
    }
    let size = input::check(&arguments.inputs)?;
    let progress = progress(size, arguments.quiet);
    let mut table = of_table.then(|| Table::open(arguments, first, &progress)).transpose()?;
    let known = match (from, &table) {
        (Some(format), _) => format.keeps(),
        (None, Some(table)) => table.labels.fields(),
        (None, None) if of_games => Fields::ALL,
        (None, None) => Fields::FEN,
    };
    if let Target::Packed(format @ (Format::Viri | Format::Binpack)) = target
        && !of_games
        && !(matches!(from, None | Some(Format::PackedSfen)) && known.contains(Field::Move))
    {
        let message = match of_table {
            true => {
                format!("{format} has a move for each position: say which column (--move-column)")
            }
            false => {
                format!("{format} keeps games, and is written from games (pgn) only: say --format")
            }
        };
        wrong(ErrorKind::ValueValidation, &message)
    }
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

    if let Some(table) = &table
        && !table.labels.others.is_empty()
        && !arguments.lossy
    {
        let others = table.labels.others.join(", ");
        bail!(
            "from {name} to {} these columns would be lost: {others} (use --lossy to allow this)",
            target.name()
        );
    }

    let output = Output::create(&arguments.output, &arguments.inputs, &[])?;
    let mut sink = Sink::new(arguments, target, output, from);
    let unknown = Default::default();
    let mut run = Run { arguments, progress: progress.clone(), target, unknown, labelled: None };
    let outcome = match from {
        None if of_table => run.table(table.as_mut().expect("it is open"), &mut sink),
        None if of_games => arguments.inputs.iter().try_for_each(|path| run.games(path, &mut sink)),
        None => run.text(&mut sink),
        Some(format) => {
            arguments.inputs.iter().try_for_each(|path| run.packed(format, path, &mut sink))
        }
    };
    progress.finish_and_clear();
    outcome?;
    let (counts, output) = sink.finish()?;
    let is_stdout = output.is_stdout();
    Output::finish(vec![output])?;
    if arguments.quiet {
        return Ok(());
    }
    let labels = Fields::of(&[Field::Score, Field::Result]);
    let known = if run.labelled == Some(true) { known.union(labels) } else { known };
    let made_up = target.keeps().without(known).without(Fields::of(&[Field::Extra]));
    if !is_stdout {
        // The output is complete, whether anybody can be told or not.
        let _ =
            crate::console::print(format!("{} positions\n", HumanCount(counts.rows)).as_bytes());
    }
    let mut notes = String::new();
    let mut note = |count: u64, what: &str, done: &str| {
        if count > 0 {
            let many = if count == 1 { "" } else { "s" };
            notes += &format!("{} {what}{many} {done}\n", HumanCount(count));
        }
    };
    match (of_games, arguments.on_invalid) {
        (false, _) => note(counts.invalid, "invalid position", "skipped"),
        (true, OnInvalid::Keep) => note(counts.invalid, "invalid game", "kept up to the error"),
        (true, _) => note(counts.invalid, "invalid game", "skipped"),
    }
    if target != Target::Text {
        let [unevaluated, unfinished] = run.unknown;
        note(unevaluated, "position", "without an evaluation written with score 0");
        note(unfinished, "position", "without a result written as drawn");
        let zeros = table.as_ref().map_or(0, |table| table.labels.doubtful_zeros());
        note(
            zeros,
            "result",
            "of 0 taken as a draw, and none is -1: say --loss-is 0 if these are losses",
        );
    }
    let name = target.name();
    note(counts.unfit, "position", &format!("that {name} cannot hold skipped"));
    let what = format!("changed to what {name} can hold (castling, clocks, scores)");
    note(counts.limited, "position", &what);
    if !made_up.is_empty() && counts.rows > 0 {
        notes += &format!("missing in the input, written with a neutral value: {made_up}\n");
    }
    let _ = anstream::stderr().write_all(notes.as_bytes());
    Ok(())
}

/// Tables of positions, and where the rest of a record is in these.
struct Table {
    source: AnySource,
    plan: Plan,
    labels: Labels,
}

impl Table {
    fn open(
        arguments: &ConvertArguments,
        format: InputFormat,
        progress: &ProgressBar,
    ) -> Result<Self> {
        let cannot_read = || format!("cannot read {}", input::name(&arguments.inputs[0]));
        let options = ReadOptions {
            fen_column: arguments.fen_column.clone(),
            movetext_column: None,
            keep: Keep::All,
            conditions: Vec::new(),
            delimiter: None,
            types: None,
        };
        let inputs = arguments.inputs.iter().map(|path| (path.clone(), format)).collect();
        let (input, source) = import::open(inputs, options, progress.clone())?;
        if input.has_games() {
            bail!("{}: a table of games is not converted, only one of positions", cannot_read());
        }
        let query = Query::default()
            .columns([InputColumn::Fen, InputColumn::Line].map(Into::into))
            .on_invalid(arguments.on_invalid)
            .without_nulls(Some("records have no nulls"));
        let plan = query.plan(&input).map_err(import::explain).with_context(cannot_read)?;
        let position = plan.fen().unwrap_or("fen").to_owned();
        let labels = Labels::new(arguments, plan.schema(), &position).with_context(cannot_read)?;
        Ok(Self { source, plan, labels })
    }
}

struct Run<'a> {
    arguments: &'a ConvertArguments,
    progress: ProgressBar,
    target: Target,
    /// Whether text has a score and a result behind each position, once that is known.
    labelled: Option<bool>,
    /// Positions of games without evaluation, and without result.
    unknown: [u64; 2],
}

/// Rows that are converted together.
const TOGETHER: usize = 4096;

impl Run<'_> {
    fn text(&mut self, sink: &mut Sink) -> Result<()> {
        const LOST: &str = "what follows the position would be lost (use --lossy to allow this)";
        let keeps_labels = self.target.keeps().contains(Field::Score);
        let size = BatchSize { lines: TOGETHER, bytes: 1 << 20 };
        let mut reader = LineReader::new(&self.arguments.inputs, self.progress.clone());
        loop {
            let lines = reader.next(size)?;
            if lines.count == 0 {
                return Ok(());
            }
            let mut batch = Records::new();
            for line in lines.iter() {
                let split = split_labels(line.text).filter(|_| self.labelled != Some(false));
                let (position, of_line) = match split {
                    Some((text, labels)) => (Line { text, ..line }, Some(labels)),
                    None => (line, None),
                };
                match position.content() {
                    LineContent::Blank | LineContent::Comment => {}
                    LineContent::Position(_, text)
                        if of_line.is_some() && !keeps_labels && !self.arguments.lossy =>
                    {
                        return Err(invalid(&line, text.len() + 1, LOST.to_owned()));
                    }
                    LineContent::Position(fen, _) if of_line.is_some() && !keeps_labels => {
                        batch.push_fen(&fen);
                    }
                    LineContent::Position(fen, _) if let Some(of_line) = of_line => {
                        self.labelled = Some(true);
                        match labels(of_line, fen.turn) {
                            Ok(of_line) => {
                                let (score, result) = of_line.unwrap_or_default();
                                batch.push_fen(&fen);
                                batch.score.push(score);
                                batch.result.push(result);
                            }
                            Err(reason) => {
                                sink.skip(invalid(&line, position.text.len() + 1, reason))?;
                            }
                        }
                    }
                    LineContent::Position(_, text) if self.labelled == Some(true) => {
                        let reason = "expected `| score | result`, as behind the first position";
                        sink.skip(invalid(&line, text.len() + 1, reason.to_owned()))?;
                    }
                    LineContent::Position(_, text)
                        if !rest(text).is_empty() && !self.arguments.lossy =>
                    {
                        let column = text.len() - rest(text).len() + 1;
                        return Err(invalid(&line, column, LOST.to_owned()));
                    }
                    LineContent::Position(fen, _) => {
                        self.labelled = Some(false);
                        batch.push_fen(&fen);
                    }
                    LineContent::Invalid(column, reason) => {
                        sink.skip(invalid(&line, column, reason))?;
                    }
                }
            }
            sink.write(&mut batch, "the input")?;
        }
    }

    fn table(&mut self, table: &mut Table, sink: &mut Sink) -> Result<()> {
        let Table { source, plan, labels } = table;
        while let Some(part) = source.next(TOGETHER, 1 << 20)? {
            let output = plan.read(part)?;
            sink.counts.invalid += output.report.invalid;
            if let Some(bad) = output.report.bad_rows.into_iter().next() {
                sink.first.get_or_insert_with(|| Error::Invalid(Box::new(bad)).into());
            }
            let mut batch = labels.records(&output.batch, |error| sink.skip(error))?;
            sink.write(&mut batch, "the input")?;
        }
        self.unknown = labels.unknown;
        Ok(())
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
            for reject in games.rejects.drain(..) {
                sink.counts.invalid += 1;
                sink.first
                    .get_or_insert_with(|| anyhow!("{}", reject.error).context(cannot_read()));
            }
            for game in &games.games {
                let rows = game.first_row..game.first_row + game.rows;
                let evaluated = games.eval[rows.clone()].iter().flatten().count();
                let written = sink.write_game(games.records(rows), &name);
                if !written.with_context(|| format!("game {}", game.number))? {
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
            sink.write(&mut batch, &name)?;
            match outcome {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) => {
                    // The next record can be read on its own where all have one size.
                    let can_go_on =
                        error.kind() == Wrong::Invalid && format.record_size().is_some();
                    let error = anyhow!("{error}").context(cannot_read());
                    if can_go_on { sink.skip(error)? } else { return Err(error) }
                }
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
    /// Whether values may be changed to what the output can hold.
    lossy: bool,
    /// Whether what is wrong is left out.
    skips: bool,
    counts: Counts,
    /// What was wrong first.
    first: Option<anyhow::Error>,
}

/// What became of the rows.
#[derive(Default)]
struct Counts {
    /// Written, also in part.
    rows: u64,
    /// Written, but not as they were.
    limited: u64,
    /// Not written: no positions, or none that the output can hold.
    invalid: u64,
    unfit: u64,
}

enum To {
    Text(Output),
    Packed(Writer<Output>),
    Games(GameWriter<Output>),
}

impl Sink {
    fn new(
        arguments: &ConvertArguments,
        target: Target,
        output: Output,
        from: Option<Format>,
    ) -> Self {
        let name = output.name().to_owned();
        let (lossy, skips) = (arguments.lossy, arguments.on_invalid == OnInvalid::Skip);
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
        Self { to, name, keep_extra, lossy, skips, counts: Counts::default(), first: None }
    }

    /// Writes a game, as one where the format keeps games. False if it cannot hold this one, which is left out.
    fn write_game(&mut self, mut game: Records, from: &str) -> Result<bool> {
        let To::Games(writer) = &mut self.to else {
            return self.write(&mut game, from).map(|()| true);
        };
        let before = writer.records();
        let outcome = writer.write(&game);
        self.counts.rows += writer.records() - before;
        let Err(error) = outcome else { return Ok(true) };
        let unfit = error.kind() == Wrong::Invalid;
        let error = anyhow!("{error}").context(format!("cannot write {}", self.name));
        if !(unfit && self.skips) {
            return Err(error);
        }
        self.counts.invalid += 1;
        self.first.get_or_insert(error);
        Ok(false)
    }

    /// Leaves out something that is no position, or fails.
    fn skip(&mut self, error: anyhow::Error) -> Result<()> {
        if !self.skips {
            return Err(error);
        }
        self.counts.invalid += 1;
        self.first.get_or_insert(error);
        Ok(())
    }

    fn write(&mut self, batch: &mut Records, from: &str) -> Result<()> {
        if self.keep_extra
            && let Some(row) = batch.extra.iter().position(|&extra| extra != 0)
        {
            let record = self.counts.rows + row as u64 + 1;
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
                let (mut row, mut limited) = (0, None);
                loop {
                    let before = writer.records();
                    let outcome = writer.write_rows(batch, row..batch.len());
                    row += (writer.records() - before) as usize;
                    let Err(error) = outcome else { break };
                    let unfit = error.kind() == Wrong::Invalid;
                    if unfit && self.lossy && limited != Some(row) {
                        batch.limit(row, writer.format());
                        limited = Some(row);
                        self.counts.limited += 1;
                        continue;
                    }
                    let error = anyhow!("{error}").context(format!("cannot write {}", self.name));
                    if !(unfit && self.skips) {
                        return Err(error);
                    }
                    self.counts.limited -= u64::from(limited == Some(row));
                    self.counts.unfit += 1;
                    self.first.get_or_insert(error);
                    row += 1;
                }
            }
            // Positions alone: a game of each.
            To::Games(_) => {
                for row in 0..batch.len() {
                    let one = batch.row(row);
                    if one.moves.iter().flatten().next().is_none() {
                        self.skip(anyhow!("a position has no move, and {} needs one", self.name))?;
                        continue;
                    }
                    self.write_game(one, from)?;
                }
                return Ok(());
            }
        }
        self.counts.rows += batch.len() as u64;
        Ok(())
    }

    /// Fails if there were rows and none could be written: the input is something else.
    fn finish(mut self) -> Result<(Counts, Output)> {
        self.counts.rows -= self.counts.unfit;
        if self.counts.rows == 0
            && let Some(first) = self.first
        {
            let count = HumanCount(self.counts.invalid + self.counts.unfit);
            bail!("nothing is written: none of {count} rows could be converted ({first:#})");
        }
        let output = match self.to {
            To::Text(output) => output,
            To::Packed(writer) => writer.into_inner(),
            To::Games(writer) => {
                let finished = writer.finish().map_err(|error| anyhow!("{error}"));
                finished.with_context(|| format!("cannot write {}", self.name))?
            }
        };
        Ok((self.counts, output))
    }
}
