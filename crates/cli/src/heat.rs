//! `setwise show --input`: computes the share of a file's positions in which each square is in a map, and shows it as
//! numbers or as a picture.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use indicatif::{HumanCount, ProgressBar};
use setwise_draw::{Panel, heat_picture};
use setwise_table::{Column, HeatByPly, HeatPlan, Keep, Piece, Query, Sizes, add_heat};

use crate::console::{self, counted};
use crate::import::{self, InputFormat, ReadOptions};
use crate::input;
use crate::output::Output;

pub(crate) fn run(
    path: &Path,
    maps: &[Column],
    plies: Option<u32>,
    svg: Option<&Path>,
) -> Result<()> {
    let files = input::files(&[path.to_owned()], false)?;
    input::check(&files)?;
    let inputs = files.iter().map(|file| Ok((file.clone(), InputFormat::of(file)?)));
    let inputs = inputs.collect::<Result<Vec<_>>>()?;
    let mut options = ReadOptions::default();
    options.table.keep = Keep::None;
    let (input, source) = import::open(inputs, options, ProgressBar::hidden())?;
    let name = input::name(path);
    let heat = HeatPlan::new(&Query::default().columns(maps.iter().copied()), &input, plies);
    let heat = heat.map_err(import::explain).with_context(|| format!("cannot read {name}"))?;
    let sizes = Sizes { batch: 1 << 20, encoded: |_| 0, part: 16 << 20, under_way: None };
    let mut all = HeatByPly::new();
    let count = |batch| {
        let heat = heat.count(&batch);
        let piece: Piece<HeatByPly, anyhow::Error> = Box::new(|| Ok(heat));
        Ok(vec![piece])
    };
    heat.plan().stream(source, count, &sizes, |done| {
        done.encoded.into_iter().for_each(|part| add_heat(&mut all, part));
        Ok(())
    })?;
    let rows: u64 = all.values().map(|heat| heat.rows).sum();
    if rows == 0 {
        bail!("{name} has no position");
    }
    let mut titles = Vec::new();
    let mut shares = Vec::new();
    for (first, heat) in &all {
        let last = plies.map(|plies| first.saturating_add(plies - 1));
        let rows = HumanCount(heat.rows);
        let when =
            last.map_or_else(String::new, |last| format!(", ply {first} to {last}, n = {rows}"));
        for (map, squares) in maps.iter().zip(&heat.squares) {
            titles.push((format!("{}{when}", map.name()), map.meaning()));
            shares.push(squares.map(|count| count as f64 / heat.rows as f64));
        }
    }
    let note = format!("{} of {name}", counted(rows, "position"));
    let Some(svg) = svg else {
        let mut text = format!("{note}: percents of them\n");
        titles.iter().zip(&shares).for_each(|((title, _), shares)| board(&mut text, title, shares));
        return console::print(text.as_bytes());
    };
    let panels: Vec<_> = titles
        .iter()
        .zip(&shares)
        .map(|((name, meaning), shares)| Panel::Heat { name, meaning, shares })
        .collect();
    let mut output = Output::create(svg, &files, &[])?;
    let picture =
        heat_picture("How often each square is in a map", &escaped(&note), maps.len(), &panels);
    output.write_all(picture.as_bytes()).map_err(|error| output.not_written(error))?;
    Output::finish(vec![output])
}

/// Draws a board with a number on each square.
fn board(text: &mut String, title: &str, shares: &[f64; 64]) {
    let _ = writeln!(text, "\n{title}");
    for rank in (0..8).rev() {
        let _ = write!(text, "{} ", rank + 1);
        for share in &shares[8 * rank..8 * rank + 8] {
            let _ = write!(text, "{:6.1}", 100.0 * share);
        }
        text.push('\n');
    }
    let files: String = ('a'..='h').map(|file| format!("{file:>6}")).collect();
    let _ = writeln!(text, "  {files}");
}

/// Escapes a name for XML.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;")
}
