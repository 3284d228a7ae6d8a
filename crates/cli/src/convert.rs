//! `setwise convert`: positions from one packed format to another, or from and to FEN, where nothing is
//! lost; and a note on what would be lost.

use std::io::Write as _;
use std::mem;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use clap::error::ErrorKind;
use indicatif::{HumanCount, ProgressBar};
use setwise_formats::pgn::{self, Chunk, OnError, Options, Replayer, Splitter};
use setwise_formats::{ErrorKind as Wrong, Field, Fields, Format, Preview, Records, Writer};
use setwise_table::{
    Draws, Error, InputColumn, Keep, OnInvalid, OnMissing, Plan, Query, SampledOut, Sampler,
    Sampling, Source as _,
};

use crate::args::{self, ConvertArguments, SamplingArguments};
use crate::import::{self, AnySource, InputFormat};
use crate::input;
use crate::maps::{self, progress};
use crate::output::Output;
use crate::target::Target;

/// The labels of positions, as fields of formats and as columns.
const LABELS: [(Field, InputColumn); 3] = [
    (Field::Score, InputColumn::Score),
    (Field::Result, InputColumn::Result),
    (Field::Move, InputColumn::Move),
];

pub(crate) fn run(arguments: &ConvertArguments) -> Result<()> {
    let wrong = |kind, message: &str| -> ! { args::wrong("convert", kind, message) };
    let Some(target) = arguments.format.or_else(|| Target::of(&arguments.output)) else {
        wrong(
            ErrorKind::ValueValidation,
            "the output's name does not end in .fen, .epd, .bullet, .marlin, .bin, .plain, .vf or .binpack: say --format",
        )
    };
    let files = input::files(&arguments.inputs)?;
    if files.iter().filter(|path| input::is_stdin(path)).count() > 1 {
        wrong(ErrorKind::ValueValidation, "standard input (-) can be read only once");
    }
    let read = &arguments.read;
    let inputs = read.formats("convert", &files)?;
    let first = inputs[0].1;
    if let Some((path, this)) = inputs.iter().find(|(_, format)| *format != first) {
        let names = [first, *this].map(|format| format.name());
        bail!("{} is {}, and the first input is {}", input::name(path), names[1], names[0]);
    }
    let of_pgn = first == InputFormat::Pgn;
    if arguments.on_invalid == OnInvalid::Keep && !of_pgn {
        wrong(ErrorKind::ArgumentConflict, "--on-invalid keep is for games");
    }
    let SamplingArguments { sampling: named, one_in, .. } = &arguments.sampling;
    let of_name = named.clone().unwrap_or_default();
    let sampling = Sampling::new(&of_name).map_err(anyhow::Error::msg)?;
    let default = if named.is_some() { OnMissing::Skip } else { OnMissing::Stop };
    let on_missing = read.labels.on_missing.unwrap_or(default);
    let mut conditions = read.conditions.clone();
    for condition in &of_name.conditions {
        conditions.push(condition.parse()?);
    }
    // Games are read as such where nothing has to be known of a single position.
    let is_whole = conditions.is_empty() && named.is_none() && *one_in == 1;
    if on_missing == OnMissing::Null {
        wrong(ErrorKind::ValueValidation, "records have no nulls: --on-missing takes a number");
    }
    let from = first.packed();
    let of_table = first.is_table();
    if !read.labels.named().is_empty() && !of_table {
        let name = first.name();
        let message =
            format!("--score-column and the like are for tables, and the input is {name}");
        wrong(ErrorKind::ArgumentConflict, &message)
    }
    let size = input::check(&files)?;
    let progress = progress(size, arguments.quiet);
    let cannot_read = || format!("cannot read {}", input::name(&files[0]));
    let keep = match &read.keep {
        _ if !of_table || arguments.lossy => Keep::None,
        Some(keep) => keep.clone(),
        None => Keep::All,
    };
    let mut options = read.options(keep, LABELS.map(|(_, label)| label).to_vec());
    options.conditions.clone_from(&conditions);
    options.zeros = of_name.zeros();
    let (input, source) = import::open(inputs, options, progress.clone())?;
    let of_games = input.has_games();
    let of_text = first == InputFormat::Text;
    let said = LABELS.into_iter().filter(|(_, label)| input.has(*label));
    let said: Vec<Field> = said.map(|(field, _)| field).collect();
    let known = match from {
        Some(format) => format.keeps(),
        None if of_games => Fields::ALL,
        None => Fields::FEN.union(Fields::of(&said)),
    };
    if let Some(format) = target.0
        && format.has_games()
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
    if of_pgn && !is_whole && target.has_games() {
        let message = format!(
            "{} keeps games, which are written whole: --where and sampling are for outputs of positions",
            target.name()
        );
        wrong(ErrorKind::ArgumentConflict, &message)
    }
    let decides = sampling.needs();
    if !decides.without(known).is_empty() {
        bail!("{} has no {}, by which --sampling decides", first.name(), decides.without(known));
    }
    // Spare bytes are those of one format, and looked at record by record. That records have no moves is no loss of games,
    // and where games stay games, the number of the move is counted.
    let mut lost = known.without(target.keeps()).without(Fields::of(&[Field::Extra]));
    if of_text {
        // Each line is looked at for these.
        lost = lost.without(Fields::of(&[Field::Score, Field::Result]));
    }
    if of_games {
        lost = lost.without(Fields::of(&[Field::Move, Field::Ply]));
    }
    if target.0 == Some(Format::Binpack) {
        lost = lost.without(Fields::of(&[Field::FullmoveNumber]));
    }
    let name = first.name();
    if let (Some(keep), false) = (&read.keep, of_table) {
        let is_kept = |field: &Field| match keep {
            Keep::All => true,
            Keep::None => false,
            Keep::Named(names) => names.iter().any(|name| name.starts_with(field.name())),
        };
        lost = Fields::of(&lost.iter().filter(is_kept).collect::<Vec<_>>());
    }
    if !lost.is_empty() && !arguments.lossy {
        bail!(
            "from {name} to {} this would be lost: {lost} (use --lossy to allow this)",
            target.name()
        );
    }

    let others = input.unread();
    if of_table && !others.is_empty() && !arguments.lossy {
        bail!(
            "from {name} to {} these columns would be lost: {} (use --lossy to allow this)",
            target.name(),
            others.join(", ")
        );
    }
    // The number of a move makes the ply.
    let mut made_up = target.keeps().without(known).without(Fields::of(&[Field::Extra]));
    if known.contains(Field::FullmoveNumber) {
        made_up = made_up.without(Fields::of(&[Field::Ply]));
    }
    let no_label = Fields::of(&[Field::Score, Field::Result]);
    let no_label = made_up.without(Fields::ALL.without(no_label));
    if !no_label.is_empty() && !matches!(on_missing, OnMissing::Value(_)) {
        bail!(
            "{name} has no {no_label}, and {} keeps that: a number to write is up to you \
             (--on-missing 0)",
            target.name()
        );
    }

    maps::say_labels(&input, arguments.quiet);
    // In both of these formats a score can be missing.
    let has_none =
        |format| matches!(format, Some(Format::PackedSfen | Format::Binpack | Format::Plain));
    let is_asked = |(field, label): &(Field, InputColumn)| {
        let is_kept = target.keeps().contains(*field) && !(has_none(from) && has_none(target.0));
        (is_kept || decides.contains(*field)) && input.has(*label)
    };
    let query = Query::default()
        .columns([])
        .labels(LABELS.into_iter().filter(is_asked).map(|(_, label)| label))
        .conditions(conditions)
        .on_missing(on_missing)
        .bare(!arguments.lossy)
        .on_invalid(arguments.on_invalid)
        .without_nulls(Some("records have no nulls"));
    let plan = query.plan(&input).map_err(import::explain).with_context(cannot_read)?;

    let output = Output::create(&arguments.output, &files, &[])?;
    let mut run = Run {
        arguments,
        target,
        on_missing,
        no_label,
        keep_extra: !arguments.lossy && from.is_some() && target.0 != from,
        name: output.name().to_owned(),
        to: match target.0 {
            None => To::Text(output),
            Some(format) => {
                To::Packed(Writer::new(format, output).expect("a format that can be written"))
            }
        },
        counts: Counts::default(),
        first: None,
    };
    let name = match &files[..] {
        [file] => input::name(file),
        _ => "the input".to_owned(),
    };
    let outcome = match of_pgn && is_whole {
        true => files.iter().try_for_each(|path| run.games(path, &progress)),
        false => {
            let asked = [LABELS[0], LABELS[1]].map(|label| is_asked(&label));
            run.rows(source, &plan, (&sampling, asked), &name).map_err(import::explained)
        }
    };
    progress.finish_and_clear();
    outcome?;
    let (counts, output) = run.finish()?;
    let is_stdout = output.is_stdout();
    Output::finish(vec![output])?;
    if arguments.quiet {
        return Ok(());
    }
    if !is_stdout {
        // The output is complete, whether anybody can be told or not.
        let many = if counts.rows == 1 { "" } else { "s" };
        let done = format!("{} position{many}\n", HumanCount(counts.rows));
        let _ = crate::console::print(done.as_bytes());
    }
    let mut notes = String::new();
    let mut note = |count: u64, what: &str, done: &str| {
        if count > 0 {
            let many = if count == 1 { "" } else { "s" };
            notes += &format!("{} {what}{many} {done}\n", HumanCount(count));
        }
    };
    match (of_pgn, arguments.on_invalid) {
        (false, _) => note(counts.invalid, "invalid position", "skipped"),
        (true, OnInvalid::Keep) => note(counts.invalid, "invalid game", "kept up to the error"),
        (true, _) => note(counts.invalid, "invalid game", "skipped"),
    }
    let by = if named.is_some() { "by conditions" } else { "by --where" };
    note(counts.left_out, "position", &format!("left out {by}"));
    note(counts.sampled_out, "position", "left out by sampling");
    let done = match on_missing {
        OnMissing::Value(value) => format!("without a label written with {value}"),
        _ => "without a label left out".to_owned(),
    };
    note(counts.missing, "position", &done);
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

/// A conversion whose output is open.
struct Run<'a> {
    arguments: &'a ConvertArguments,
    target: Target,
    on_missing: OnMissing,
    /// The labels that the output keeps and the input does not have.
    no_label: Fields,
    /// Whether spare bytes may not be lost: those of another format.
    keep_extra: bool,
    /// The name of the output, and where its rows go.
    name: String,
    to: To,
    counts: Counts,
    /// What was wrong first.
    first: Option<anyhow::Error>,
}

/// Rows that are converted together.
const TOGETHER: usize = 4096;

impl Run<'_> {
    /// Everything but PGN, row by row.
    fn rows(
        &mut self,
        mut source: AnySource,
        plan: &Plan,
        (sampling, asked): (&Sampling, [bool; 2]),
        name: &str,
    ) -> Result<()> {
        let SamplingArguments { one_in, seed, .. } = self.arguments.sampling;
        let mut steering = sampling.steering();
        let mut sampler = Sampler {
            sampling,
            draws: Draws::of_file(seed, 0, 0),
            one_in,
            comes: 1,
            asked,
            on_missing: self.on_missing,
            row: 0,
            out: SampledOut::default(),
        };
        let of_steering = Draws::of_steering(seed, 0, (0, 1));
        let decides = sampler.decides();
        while let Some(part) = source.next(TOGETHER, 1 << 20)? {
            let mut keeps = |preview: &Preview| sampler.keeps(preview, |_| {});
            let keeps: Option<&mut dyn FnMut(&Preview) -> bool> = decides.then_some(&mut keeps);
            let mut batches = Vec::new();
            let mut takes = |batch: &mut Records, _: &[u64]| batches.push(mem::take(batch));
            let report = plan.keep::<anyhow::Error>(part, keeps, &mut takes)?;
            self.counts.invalid += report.invalid;
            self.counts.missing += report.missing;
            self.counts.left_out += report.left_out.iter().sum::<u64>();
            if let Some(bad) = report.bad_rows.into_iter().next() {
                self.first.get_or_insert_with(|| Error::Invalid(Box::new(bad)).into());
            }
            for mut batch in batches {
                self.counts.missing += self.on_missing.fill(&mut batch);
                if let Some(steering) = &mut steering {
                    let pieces = batch.pieces.iter().map(|pieces| pieces.occupied().count_ones());
                    let stay = pieces.map(|pieces| steering.keeps(of_steering, pieces as usize));
                    let stay: Vec<bool> = stay.collect();
                    self.counts.sampled_out +=
                        stay.iter().map(|stays| u64::from(!stays)).sum::<u64>();
                    batch.retain(&stay);
                }
                if let OnMissing::Value(value) = self.on_missing {
                    if self.no_label.contains(Field::Score) {
                        batch.score = vec![value; batch.len()];
                    }
                    if self.no_label.contains(Field::Result) {
                        batch.result = vec![i8::try_from(value).unwrap_or(i8::MAX); batch.len()];
                    }
                }
                self.write(&mut batch, name)?;
            }
        }
        let SampledOut { missing, chance, outcome, ply } = sampler.out;
        self.counts.missing += missing;
        self.counts.sampled_out += chance + outcome + ply;
        Ok(plan.check_labels()?)
    }

    fn games(&mut self, path: &Path, progress: &ProgressBar) -> Result<()> {
        let name = input::name(path);
        let cannot_read = || format!("cannot read {name}");
        let input = input::unpack(path, progress).and_then(input::text);
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
                self.counts.invalid += 1;
                self.first
                    .get_or_insert_with(|| anyhow!("{}", reject.error).context(cannot_read()));
            }
            for game in &games.games {
                for rows in self.labelled(game, &games, &name)? {
                    let mut records = games.records(rows);
                    self.on_missing.fill(&mut records);
                    let written = self.write_game(records, &name);
                    written.with_context(|| format!("game {}", game.number))?;
                }
            }
            outcome.map_err(|error| anyhow!("{error}")).with_context(cannot_read)?;
        }
        Ok(())
    }

    /// The rows of a game that are written: stretches of those that have the labels which the output keeps.
    fn labelled(
        &mut self,
        game: &pgn::Game,
        games: &pgn::Rows,
        name: &str,
    ) -> Result<Vec<Range<usize>>> {
        let all = game.first_row..game.first_row + game.rows;
        let keeps = self.target.keeps();
        // Games are written to the last row that has a move.
        let end = match self.target.has_games() {
            true => all.clone().rev().find(|&row| games.moves[row].is_some()),
            false => all.end.checked_sub(1),
        };
        let value = match self.on_missing {
            OnMissing::Value(value) => Some(value),
            _ => None,
        };
        let (mut stretches, mut start) = (Vec::new(), all.start);
        for row in all.start..end.map_or(all.start, |end| end + 1) {
            let no_score = keeps.contains(Field::Score) && games.eval[row].is_none();
            let no_result = keeps.contains(Field::Result) && games.result[row].is_none();
            let result = value.filter(|value| (-1..=1).contains(value));
            self.counts.missing += u64::from(no_score || no_result);
            if !(no_score && value.is_none() || no_result && result.is_none()) {
                continue;
            }
            if self.on_missing != OnMissing::Skip {
                let what = if no_score { "score (`[%eval]`)" } else { "result" };
                let (game, position) = (game.number, row - all.start + 1);
                bail!("{name}: game {game}, position {position}: no {what} (--on-missing)");
            }
            stretches.push(start..row);
            start = row + 1;
        }
        stretches.push(start..all.end.max(start));
        stretches.retain(|rows| !rows.is_empty());
        Ok(stretches)
    }
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
    /// Left out by conditions, and by chance.
    left_out: u64,
    sampled_out: u64,
    /// Left out or completed, because a label is missing.
    missing: u64,
}

enum To {
    Text(Output),
    Packed(Writer<Output>),
}

impl Run<'_> {
    /// Writes a game, as one where the format keeps games; one that it cannot hold may be left out.
    fn write_game(&mut self, mut game: Records, from: &str) -> Result<()> {
        let writer = match &mut self.to {
            To::Packed(writer) if writer.format().has_games() => writer,
            _ => return self.write(&mut game, from),
        };
        let before = writer.records();
        let outcome = writer.write(&game);
        self.counts.rows += writer.records() - before;
        let Err(error) = outcome else { return Ok(()) };
        let unfit = error.kind() == Wrong::Invalid;
        let error = anyhow!("{error}").context(format!("cannot write {}", self.name));
        if unfit { self.skip(error) } else { Err(error) }
    }

    /// Leaves out something that is no position, or fails.
    fn skip(&mut self, error: anyhow::Error) -> Result<()> {
        if self.arguments.on_invalid != OnInvalid::Skip {
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
            // Positions alone: a game of each.
            To::Packed(writer) if writer.format().has_games() => {
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
            To::Packed(writer) => {
                let (mut row, mut limited) = (0, None);
                loop {
                    let before = writer.records();
                    let outcome = writer.write_rows(batch, row..batch.len());
                    row += (writer.records() - before) as usize;
                    let Err(error) = outcome else { break };
                    let unfit = error.kind() == Wrong::Invalid;
                    if unfit && self.arguments.lossy && limited != Some(row) {
                        batch.limit(row, writer.format());
                        limited = Some(row);
                        self.counts.limited += 1;
                        continue;
                    }
                    let error = anyhow!("{error}").context(format!("cannot write {}", self.name));
                    if !(unfit && self.arguments.on_invalid == OnInvalid::Skip) {
                        return Err(error);
                    }
                    self.counts.limited -= u64::from(limited == Some(row));
                    self.counts.unfit += 1;
                    self.first.get_or_insert(error);
                    row += 1;
                }
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
            To::Packed(writer) => {
                let finished = writer.finish().map_err(|error| anyhow!("{error}"));
                finished.with_context(|| format!("cannot write {}", self.name))?
            }
        };
        Ok((self.counts, output))
    }
}
