//! `setwise show --input`: computes the share of a file's positions in which each square is in a map, and shows it as
//! numbers or as a picture.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use indicatif::{HumanCount, ProgressBar};
use setwise_draw::{HeatBoard, heat_picture, heat_text};
use setwise_files::is_stdin;
use setwise_table::{
    Column, Condition, Error, Heat, HeatByPly, HeatPlan, Keep, Piece, Query, Sizes, add_heat,
};

use crate::args::{ReadArguments, ShowArguments};
use crate::console::{self, counted};
use crate::import;
use crate::input;
use crate::output::Output;

pub(crate) fn run(path: &Path, maps: &[Column], arguments: &ShowArguments) -> Result<()> {
    let files = input::files(&[path.to_owned()], None)?;
    import::check(&files)?;
    let name = setwise_files::name(path);
    let (counts, boards) = match &arguments.compare[..] {
        [one, other] => {
            let is_readable_once = |file: &&PathBuf| is_stdin(file) || !file.is_file();
            if let Some(file) = files.iter().find(is_readable_once) {
                bail!(
                    "--compare reads its input twice, and {} can be read only once: save it as a file",
                    setwise_files::name(file)
                );
            }
            let groups = [one, other].map(|condition| {
                let (mut heat, _) = collect(&files, &name, maps, arguments, Some(condition))?;
                let heat = heat.remove(&0).filter(|heat| heat.rows > 0);
                heat.with_context(|| format!("{name} has no position with {condition}"))
            });
            let [one_heat, other_heat] = groups;
            let heats = [one_heat?, other_heat?];
            (heats.iter().map(|heat| heat.rows).collect(), compared(maps, [one, other], &heats))
        }
        _ => {
            let plies = arguments.by_ply;
            let (all, without_ply) = collect(&files, &name, maps, arguments, None)?;
            if all.is_empty() && without_ply > 0 {
                bail!(
                    "{name} has no position with a move number, so none has a ply: leave out --by-ply"
                );
            }
            let notes = [(without_ply, "position", "without a move number left out")];
            let _ = anstream::stderr().write_all(console::notes(&notes).as_bytes());
            (vec![all.values().map(|heat| heat.rows).sum()], grouped(maps, plies, &all))
        }
    };
    if counts == [0] {
        bail!("{name} has no position");
    }
    let counts: Vec<_> = counts.into_iter().map(|rows| counted(rows, "position")).collect();
    let note = format!("{} of {name}", counts.join(" and "));
    let Some(svg) = &arguments.svg else {
        return console::print(heat_text(&note, &boards).as_bytes());
    };
    let mut output = Output::create(svg, &files, &[])?;
    let picture = heat_picture("How often each square is in a map", &note, maps.len(), &boards);
    output.write_all(picture.as_bytes()).map_err(|error| output.not_written(error))?;
    Output::finish(vec![output])
}

/// Counts the squares of the files' positions, or of those for which a condition holds. Returns also the number of
/// positions without a ply.
fn collect(
    files: &[PathBuf],
    name: &str,
    maps: &[Column],
    arguments: &ShowArguments,
    condition: Option<&Condition>,
) -> Result<(HeatByPly, u64)> {
    let plies = arguments.by_ply;
    let read = ReadArguments { guess: arguments.guess, ..ReadArguments::default() };
    let inputs = read.formats("show", files)?;
    let mut options = read.options(Keep::None, Vec::new());
    options.conditions.extend(condition.cloned());
    let query = Query::default().columns(maps.iter().copied()).conditions(condition.cloned());
    let (input, source) = import::open(inputs, options, ProgressBar::hidden())?;
    let heat = HeatPlan::new(&query, &input, plies);
    let heat = heat.map_err(explain).with_context(|| format!("cannot read {name}"))?;
    let sizes = Sizes { batch: 1 << 20, encoded: |_| 0, part: 16 << 20, under_way: None };
    let (mut all, mut without_ply) = (HeatByPly::new(), 0);
    let count = |batch| {
        let heat = heat.count(&batch);
        let piece: Piece<HeatByPly, anyhow::Error> = Box::new(|| Ok(heat));
        Ok(vec![piece])
    };
    heat.plan().stream(source, count, &sizes, |done| {
        done.encoded.into_iter().for_each(|part| add_heat(&mut all, part));
        without_ply += if plies.is_some() { done.report.without_clocks } else { 0 };
        Ok(())
    })?;
    Ok((all, without_ply))
}

/// Names the options of `show` that help against an error.
fn explain(error: Error) -> anyhow::Error {
    match error {
        Error::Condition(_, ref inner) if inner.is_of_text => {
            anyhow!("{error} (--compare; if a column of CSV holds numbers, add --types guess)")
        }
        Error::Condition(..) => anyhow!("{error} (--compare)"),
        Error::NotInInput(_) => {
            anyhow!("it has neither plies nor move numbers: leave out --by-ply")
        }
        other => import::explain(other),
    }
}

/// The board of a map in some positions.
fn board(title: String, map: Column, heat: &Heat, at: usize) -> HeatBoard {
    let shares = heat.squares[at].map(|count| count as f64 / heat.rows as f64);
    HeatBoard { title, meaning: map.meaning(), shares, is_difference: false }
}

/// The boards of each group of plies.
fn grouped(maps: &[Column], plies: Option<u32>, all: &HeatByPly) -> Vec<HeatBoard> {
    let mut boards = Vec::new();
    for (first, heat) in all {
        let last = plies.map(|plies| first.saturating_add(plies - 1));
        let rows = HumanCount(heat.rows);
        let when =
            last.map_or_else(String::new, |last| format!(", ply {first} to {last}, n = {rows}"));
        let maps = maps.iter().enumerate();
        boards.extend(maps.map(|(at, &map)| board(format!("{map}{when}"), map, heat, at)));
    }
    boards
}

/// The boards of two conditions and their difference, for each map.
fn compared(maps: &[Column], conditions: [&Condition; 2], heats: &[Heat; 2]) -> Vec<HeatBoard> {
    let mut boards = Vec::new();
    for (at, &map) in maps.iter().enumerate() {
        let both = [0, 1].map(|i| {
            let title = format!("{map}, {}, n = {}", conditions[i], HumanCount(heats[i].rows));
            board(title, map, &heats[i], at)
        });
        let difference = |square| both[0].shares[square] - both[1].shares[square];
        let difference = HeatBoard {
            title: format!("{map}, the first minus the second"),
            meaning: "percentage points",
            shares: std::array::from_fn(difference),
            is_difference: true,
        };
        boards.extend(both.into_iter().chain([difference]));
    }
    boards
}
