//! `setwise convert`: converts positions between packed formats, FEN and games. If data would be lost, it fails and
//! names these data.

use std::io::Write as _;

use anyhow::{Context as _, Result, bail};
use clap::error::ErrorKind;
use setwise_formats::{Field, Fields, Format, Writer};
use setwise_table::{Input, InputColumn, Keep, OnInvalid, OnMissing, Query, Sampling};

use crate::args::{self, ConvertArguments, SamplingArguments};
use crate::console::{self, counted};
use crate::import::{self, InputFormat};
use crate::input;
use crate::maps::{self, progress};
use crate::output::Output;
use crate::target::Target;

mod run;

use run::{Counts, Run, To};

/// The labels of positions, as fields of formats and as columns.
const LABELS: [(Field, InputColumn); 3] = [
    (Field::Score, InputColumn::Score),
    (Field::Result, InputColumn::Result),
    (Field::Move, InputColumn::Move),
];

pub(crate) fn run(arguments: &ConvertArguments) -> Result<()> {
    let wrong = |kind, message: &str| -> ! { args::wrong("convert", kind, message) };
    let Some(target) = arguments.format.or_else(|| Target::of(&arguments.output)) else {
        let message = format!(
            "cannot infer the output format from the name {}; use .fen, .epd, .bullet, .marlin, .bin, .plain, .vf or \
             .binpack, or pass --format",
            input::name(&arguments.output)
        );
        wrong(ErrorKind::ValueValidation, &message)
    };
    let files = input::files(&arguments.inputs)?;
    let read = &arguments.read;
    let inputs = read.formats("convert", &files)?;
    let first = inputs[0].1;
    if let Some((path, this)) = inputs.iter().find(|(_, format)| *format != first) {
        let names = [first, *this].map(|format| format.name());
        bail!("{} is {}, and the first input is {}", input::name(path), names[1], names[0]);
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
    // Formats of games are written game by game.
    let as_games = first == InputFormat::Pgn && target.has_games();
    if on_missing == OnMissing::Null {
        wrong(ErrorKind::ValueValidation, "records have no nulls: --on-missing takes a number");
    }
    let from = first.packed();
    let of_table = first.is_table();
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
    let (input, source) = match as_games {
        true => (Input::games(&Keep::None).map_err(import::explain)?, None), // a pipe opens only once
        false => {
            let (input, source) = import::open(inputs, options, progress.clone())?;
            (input, Some(source))
        }
    };
    let of_games = input.has_games();
    let of_text = first == InputFormat::Text;
    let available = LABELS.into_iter().filter(|(_, label)| input.has(*label));
    let available: Vec<Field> = available.map(|(field, _)| field).collect();
    let known = match from {
        Some(format) => format.keeps(),
        None if of_games => Fields::ALL,
        None => Fields::FEN.union(Fields::of(&available)),
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
                format!(
                    "{format} keeps games, and is written from pgn, tables and bin: say --format"
                )
            }
        };
        wrong(ErrorKind::ValueValidation, &message)
    }
    if as_games && !(conditions.is_empty() && named.is_none() && *one_in == 1) {
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
    // Spare bytes belong to one format and are checked in each record. Moves and plies of games may be dropped. Binpack
    // derives the move number from the ply.
    let mut lost = known.without(target.keeps()).without(Fields::of(&[Field::Extra]));
    if of_text {
        // Scores and results are checked in each line.
        lost = lost.without(Fields::of(&[Field::Score, Field::Result]));
    }
    if of_games {
        lost = lost.without(Fields::of(&[Field::Move, Field::Ply]));
    }
    if target.0 == Some(Format::Binpack) {
        lost = lost.without(Fields::of(&[Field::FullmoveNumber]));
    }
    let (name, mut others) = (first.name(), input.unread());
    if let (Some(keep), false) = (&read.keep, of_table) {
        let kept = match first {
            InputFormat::Packed(format) => Input::records(format, keep),
            InputFormat::Pgn => Input::games(keep),
            _ => Ok(input.clone()),
        };
        others = kept.map_err(import::explain).with_context(cannot_read)?.unread();
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
    if !others.is_empty() && !arguments.lossy {
        bail!(
            "from {name} to {} these columns would be lost: {} (use --lossy to allow this)",
            target.name(),
            others.join(", ")
        );
    }
    // The ply can be computed from the move number.
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

    maps::print_labels(&input, arguments.quiet);
    // These formats can store a missing score.
    let has_none =
        |format| matches!(format, Some(Format::PackedSfen | Format::Binpack | Format::Plain));
    let is_required = |(field, label): &(Field, InputColumn)| {
        let stays = *field == Field::Score && has_none(from) && has_none(target.0);
        let is_kept = target.keeps().contains(*field) && !stays;
        (is_kept || decides.contains(*field)) && input.has(*label)
    };
    let query = Query::default()
        .columns([])
        .labels(LABELS.into_iter().filter(is_required).map(|(_, label)| label))
        .conditions(conditions)
        .on_missing(on_missing)
        .bare(!arguments.lossy)
        .on_invalid(arguments.on_invalid)
        .without_nulls(Some("records have no nulls"));
    let plan = query.plan(&input).map_err(import::explain).with_context(cannot_read)?;

    let output = Output::create(&arguments.output, &files, &[])?;
    let mut run = Run {
        arguments,
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
    let outcome = match source {
        None => files.iter().try_for_each(|path| run.games(path, &progress)),
        Some(source) => {
            let required = [LABELS[0], LABELS[1]].map(|label| is_required(&label));
            run.rows(source, &plan, (&sampling, required), &name).map_err(import::explain_run)
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
        // The output is complete even if this line cannot be printed.
        let done = counted(counts.rows, "position") + "\n";
        let _ = console::print(done.as_bytes());
    }
    let mut notes = String::new();
    let mut note = |count: u64, what: &str, done: &str| {
        if count > 0 {
            notes += &format!("{} {done}\n", counted(count, what));
        }
    };
    // Single positions of games that become games of their own are invalid one by one.
    match (of_games && as_games == target.has_games(), arguments.on_invalid) {
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
