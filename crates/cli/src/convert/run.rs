//! Runs a planned conversion to an open output: reads rows and games and writes them.

use std::io::Write as _;
use std::mem;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use indicatif::ProgressBar;
use setwise::Fen;
use setwise_formats::pgn::{self, Chunk, Options, Replayer, Splitter};
use setwise_formats::{ErrorKind as Wrong, Field, Format, Preview, Records, Writer};
use setwise_table::{
    Draws, Error, OnInvalid, OnMissing, Plan as QueryPlan, Report, SampledOut, Sampler, Sampling,
    Source as _,
};

use super::plan::{CLOCKS, Plan};
use crate::args::{ConvertArguments, SamplingArguments};
use crate::console::{counted, not_written, on_bar};
use crate::import::AnySource;
use crate::output::Output;

/// A conversion to an open output.
pub(super) struct Run<'a> {
    arguments: &'a ConvertArguments,
    plan: &'a Plan,
    /// The name of the output, and its writer.
    name: String,
    is_stdout: bool,
    to: To,
    counts: Counts,
    /// The first error.
    first: Option<anyhow::Error>,
}

/// The number of rows that are converted together.
const BATCH_ROWS: usize = 4096;

impl<'a> Run<'a> {
    pub(super) fn new(arguments: &'a ConvertArguments, plan: &'a Plan, output: Output) -> Self {
        let (name, is_stdout) = (output.name().to_owned(), output.is_stdout());
        let to = match plan.target.packed() {
            None => To::Text(output),
            Some(format) => {
                To::Packed(Writer::new(format, output).expect("a format that can be written"))
            }
        };
        Self { arguments, plan, name, is_stdout, to, counts: Counts::default(), first: None }
    }

    /// Converts row by row.
    pub(super) fn rows(
        &mut self,
        mut source: AnySource,
        query: &QueryPlan,
        sampling: &Sampling,
        name: &str,
    ) -> Result<()> {
        let (required, on_missing) = (self.plan.required(), self.plan.on_missing);
        let SamplingArguments { one_in, seed, .. } = self.arguments.sampling;
        let mut steering = sampling.steering();
        let mut sampler = Sampler {
            sampling,
            draws: Draws::of_file(seed, 0, 0),
            one_in,
            prior_one_in: 1,
            required: [Field::Score, Field::Result].map(|label| required.contains(label)),
            on_missing,
            row: 0,
            out: SampledOut::default(),
        };
        let of_steering = Draws::of_steering(seed, 0, (0, 1));
        let (decides, steers) = (sampler.decides(), steering.is_some());
        while let Some(part) = source.next(BATCH_ROWS, 1 << 20)? {
            let mut row_filter = |preview: &Preview| sampler.accepts(preview, |_| {});
            let row_filter: Option<&mut dyn FnMut(&Preview) -> bool> =
                decides.then_some(&mut row_filter);
            let mut steer = |pieces| {
                let steered = steering.as_mut();
                let is_kept = steered.is_none_or(|steered| steered.accepts(of_steering, pieces));
                self.counts.sampled_out += u64::from(!is_kept);
                is_kept
            };
            let steer: Option<&mut dyn FnMut(usize) -> bool> = steers.then_some(&mut steer);
            let mut batches = Vec::new();
            let mut receiver = |batch: &mut Records, _: &[u64]| batches.push(mem::take(batch));
            let report = query.keep::<anyhow::Error>(part, row_filter, steer, &mut receiver)?;
            self.counts.report.add(report);
            if let Some(bad) = self.counts.report.bad_rows.drain(..).next() {
                self.first.get_or_insert_with(|| Error::Invalid(Box::new(bad)).into());
            }
            for mut batch in batches {
                let filled = on_missing.fill(&mut batch);
                if let OnMissing::Value(value) = on_missing {
                    if self.plan.no_label().contains(Field::Score) {
                        batch.score = vec![value; batch.len()];
                    }
                    if self.plan.no_label().contains(Field::Result) {
                        batch.result = vec![i8::try_from(value).unwrap_or(i8::MAX); batch.len()];
                    }
                }
                self.write(&mut batch, &filled, name)?;
            }
        }
        let SampledOut { missing, chance, outcome, ply } = sampler.out;
        self.counts.report.missing += missing;
        self.counts.sampled_out += chance + outcome + ply;
        Ok(query.check_labels()?)
    }

    /// Converts games in PGN, game by game.
    pub(super) fn games(&mut self, path: &Path, progress: &ProgressBar) -> Result<()> {
        let name = setwise_files::name(path);
        let cannot_read = || format!("cannot read {name}");
        let input = setwise_files::unpack(path, &on_bar(progress)).and_then(setwise_files::text);
        let mut splitter = Splitter::new(input.with_context(cannot_read)?);
        let mut options = Options::default();
        options.on_error = self.arguments.on_invalid.into();
        let mut replayer = Replayer::new(options);
        let (mut chunk, mut games) = (Chunk::default(), pgn::Rows::default());
        while splitter.read_chunk(1 << 20, &mut chunk).with_context(cannot_read)? {
            games.clear();
            let outcome = replayer.chunk(&chunk, &mut games);
            self.counts.report.of_engines +=
                games.games.iter().map(|game| game.of_engines).sum::<u64>();
            for reject in games.rejects.drain(..) {
                self.counts.report.invalid += 1;
                self.first
                    .get_or_insert_with(|| anyhow!("{}", reject.error).context(cannot_read()));
            }
            for game in &games.games {
                if !game.has_clocks && self.plan.needs_clocks() && !self.arguments.lossy {
                    let (game, expected) =
                        (game.number, "expected a halfmove clock and a move number");
                    bail!("{name}: game {game}: in the start position: {expected}, and {CLOCKS}");
                }
                for rows in self.labelled(game, &games, &name)? {
                    let mut records = games.records.rows(rows);
                    let filled = self.plan.on_missing.fill(&mut records);
                    let place = || format!("{name}: game {}", game.number);
                    let (written, unfit) = self.write_game(&records).with_context(place)?;
                    self.counts.report.missing += count(&filled[..written]);
                    self.counts.report.without_clocks +=
                        if game.has_clocks { 0 } else { written as u64 };
                    if let Some(reason) = unfit {
                        let error = anyhow!(reason).context(format!("cannot write {}", self.name));
                        self.skip(error).with_context(place)?;
                        self.counts.unfit += 1;
                    }
                }
            }
            outcome.map_err(|error| anyhow!("{error}")).with_context(cannot_read)?;
        }
        Ok(())
    }

    /// Returns the rows of a game to write: ranges of consecutive rows that have the labels of the output.
    fn labelled(
        &mut self,
        game: &pgn::Game,
        games: &pgn::Rows,
        name: &str,
    ) -> Result<Vec<Range<usize>>> {
        let all = game.first_row..game.first_row + game.rows;
        // A game ends with the last row that has a move.
        let last = all.clone().rev().find(|&row| games.records.moves[row].is_some());
        let on_missing = self.plan.on_missing;
        let value = match on_missing {
            OnMissing::Value(value) => Some(value),
            _ => None,
        };
        let (mut ranges, mut start) = (Vec::new(), all.start);
        for row in all.start..last.map_or(all.start, |last| last + 1) {
            let (no_score, result) = (games.eval[row].is_none(), games.records.result[row]);
            let no_result = result == Records::NO_RESULT;
            let result = value.filter(|value| (-1..=1).contains(value));
            if !(no_score && value.is_none() || no_result && result.is_none()) {
                continue;
            }
            if on_missing != OnMissing::Skip {
                let what = match on_missing {
                    _ if no_score && value.is_none() => "score (`[%eval]`)".to_owned(),
                    OnMissing::Value(value) => format!("result, and {value} is not a result"),
                    _ => "result".to_owned(),
                };
                let (game, position) = (game.number, row - all.start + 1);
                bail!(
                    "{name}: game {game}, position {position}: no {what}; use --on-missing to skip or fill it"
                );
            }
            self.counts.report.missing += 1;
            ranges.push(start..row);
            start = row + 1;
        }
        ranges.push(start..all.end.max(start));
        ranges.retain(|rows| !rows.is_empty());
        Ok(ranges)
    }
}

/// The error for a position that an output cannot hold.
fn unfit(reason: String, name: &str, position: Fen) -> anyhow::Error {
    let position = position.to_string();
    let place = match reason.contains(&position) {
        true => String::new(),
        false => format!("; the position is {position}"),
    };
    anyhow!("{reason}{place}").context(format!("cannot write {name}"))
}

/// The advice for values that a format cannot hold.
const NEAREST: &str = " (use --lossy to write the nearest that fits)";

/// The nearest game that a format can hold; `None` if it is the same, or if a move needs a right that the format cannot
/// store.
fn nearest(game: &Records, format: Format) -> Option<Records> {
    let mut nearest = game.clone();
    (0..game.len()).for_each(|row| nearest.limit(row, format));
    (nearest.moves == game.moves && nearest != *game).then_some(nearest)
}

/// Returns whether binpack gives a game other move numbers: it stores only the ply of the first position.
fn is_renumbered(game: &Records) -> bool {
    let number = game.fen(0).fullmove_number;
    let mut first = game.row(0);
    if first.format.is_none() || first.ply.is_empty() {
        return number == 0;
    }
    first.fullmove_number.clear();
    first.fen(0).fullmove_number != number
}

/// The numbers of rows by outcome.
#[derive(Default)]
pub(super) struct Counts {
    /// Rows that were written, with or without changes.
    pub(super) rows: u64,
    /// Rows that were written with changes.
    pub(super) limited: u64,
    /// Rows whose move number the output computes from the ply, with another result.
    pub(super) renumbered: u64,
    /// Rows or games that were not written, because the output cannot hold them or because sampling dropped them.
    pub(super) unfit: u64,
    pub(super) sampled_out: u64,
    /// The other rows, without the descriptions of invalid ones. A missing label was filled in, or the row was skipped.
    pub(super) report: Report,
}

impl Counts {
    /// Counts a row that the output cannot hold, and in which a missing label may have been filled in.
    fn leave_out(&mut self, was_filled: bool) {
        self.unfit += 1;
        self.report.missing -= u64::from(was_filled);
    }
}

enum To {
    Text(Output),
    Packed(Writer<Output>),
}

/// The number of rows that are marked.
fn count(rows: &[bool]) -> u64 {
    rows.iter().filter(|row| **row).count() as u64
}

impl Run<'_> {
    /// Writes a game to a format that stores games. Returns the number of its positions that were written, and why the
    /// format cannot hold it, if so.
    fn write_game(&mut self, game: &Records) -> Result<(usize, Option<String>)> {
        let To::Packed(writer) = &mut self.to else { unreachable!("text has no games") };
        let (before, lossy) = (writer.records(), self.arguments.lossy);
        let is_unfit = |error: &setwise_formats::Error| error.kind() == Wrong::Invalid;
        let mut outcome = writer.write(game);
        let mut limited = None;
        if outcome.as_ref().is_err_and(is_unfit) {
            limited = nearest(game, writer.format());
        }
        if let Some(limited) = limited.as_ref().filter(|_| lossy) {
            outcome = writer.write(limited);
        }
        if let Err(error) = outcome {
            if !is_unfit(&error) {
                return Err(not_written(&error, self.is_stdout, &self.name));
            }
            let advice = if limited.is_some() && !lossy { NEAREST } else { "" };
            return Ok((0, Some(format!("{error}{advice}"))));
        }
        let written = writer.records() - before;
        let stored = limited.as_ref().unwrap_or(game);
        if limited.is_some() {
            let is_changed = |row: &usize| game.row(*row) != stored.row(*row);
            self.counts.limited += (0..written as usize).filter(is_changed).count() as u64;
        }
        if writer.format() == Format::Binpack && is_renumbered(stored) {
            self.counts.renumbered += written;
        }
        self.counts.rows += written;
        Ok((written as usize, None))
    }

    /// Skips a row or game that the output cannot hold, or fails.
    fn skip(&mut self, error: anyhow::Error) -> Result<()> {
        if self.arguments.on_invalid != OnInvalid::Skip {
            return Err(error);
        }
        self.first.get_or_insert(error);
        Ok(())
    }

    /// Writes rows. `filled` is true for those in which a missing label was filled in.
    fn write(&mut self, batch: &mut Records, filled: &[bool], from: &str) -> Result<()> {
        if self.plan.source.packed().is_some()
            && self.plan.source != self.plan.target
            && !self.arguments.lossy
            && let Some(row) = batch.extra.iter().position(|&extra| extra != 0)
        {
            let lost = "spare bytes of a record would be lost (use --lossy to allow this)";
            bail!("{from}: {lost}; its position is {}", batch.fen(row));
        }
        if self.plan.of_games {
            // They count from the start of the game; those that formats store follow from the move number.
            batch.ply.clear();
        }
        if !matches!(self.to, To::Text(_)) {
            self.counts.report.missing += count(filled);
        }
        match &mut self.to {
            To::Text(output) => {
                for row in 0..batch.len() {
                    let written = writeln!(output, "{}", batch.fen(row));
                    written.map_err(|error| output.not_written(error))?;
                }
                self.counts.rows += batch.len() as u64;
            }
            // Each single position becomes a game.
            To::Packed(writer) if writer.format().has_games() => {
                for (row, &was_filled) in filled.iter().enumerate() {
                    let one = batch.row(row);
                    let reason = match one.moves.iter().flatten().next() {
                        Some(_) => self.write_game(&one)?.1,
                        None => Some(
                            "expected a move, found none (use --on-invalid skip to leave out such positions)"
                                .to_owned(),
                        ),
                    };
                    if let Some(reason) = reason {
                        self.skip(unfit(reason, &self.name, one.fen(0)))?;
                        self.counts.leave_out(was_filled);
                    }
                }
            }
            To::Packed(writer) => {
                let (mut row, mut limited) = (0, None);
                loop {
                    let before = writer.records();
                    let outcome = writer.write_rows(batch, row..batch.len());
                    let written = writer.records() - before;
                    self.counts.rows += written;
                    row += written as usize;
                    let Err(error) = outcome else { break };
                    if error.kind() != Wrong::Invalid {
                        return Err(not_written(&error, self.is_stdout, &self.name));
                    }
                    if self.arguments.lossy && limited != Some(row) {
                        batch.limit(row, writer.format());
                        limited = Some(row);
                        self.counts.limited += 1;
                        continue;
                    }
                    let mut nearest = batch.row(row);
                    nearest.limit(0, writer.format());
                    let advice = if nearest == batch.row(row) { "" } else { NEAREST };
                    let error = unfit(format!("{error}{advice}"), &self.name, batch.fen(row));
                    if self.arguments.on_invalid != OnInvalid::Skip {
                        return Err(error);
                    }
                    self.first.get_or_insert(error);
                    self.counts.limited -= u64::from(limited == Some(row));
                    self.counts.leave_out(filled[row]);
                    row += 1;
                }
            }
        }
        Ok(())
    }

    /// Fails if there were rows but none could be written or was dropped on request: the input is probably in another
    /// format.
    pub(super) fn finish(self) -> Result<(Counts, Output)> {
        let Counts { rows, unfit, sampled_out, report, .. } = &self.counts;
        let missing = self.plan.on_missing == OnMissing::Skip && report.missing > 0;
        if rows + report.all_left_out() + sampled_out == 0
            && !missing
            && let Some(first) = self.first
        {
            let count = counted(report.invalid + unfit, "row");
            bail!(
                "nothing is written, because no row could be converted ({count}); the first: {first:#}"
            );
        }
        let output = match self.to {
            To::Text(output) => output,
            To::Packed(writer) => {
                writer.finish().map_err(|error| not_written(&error, self.is_stdout, &self.name))?
            }
        };
        Ok((self.counts, output))
    }
}
