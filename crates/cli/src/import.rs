//! Reads several inputs, one after another.
//!
//! A source reads an input in order and produces parts, which any thread can decode later. Plain text has its own
//! reader (`input.rs`), which joins short inputs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use anyhow::{Context, Result, anyhow, bail};
use indicatif::ProgressBar;
use setwise_files::{FileFormat, is_stdin, name, open_table, records, text, unpack};
use setwise_table::{GameSource, Input, Part, RecordSource, Rows, Source};

use crate::console::on_bar;
use crate::input::LineReader;
use crate::output;
use crate::signals;

mod explain;
mod table;

pub(crate) use explain::{column_option, explain, explain_run};
pub(crate) use table::{AnySource, ReadOptions};
use table::{Table, part_of};

/// Checks that all inputs can be read before the work begins. Returns their total size in bytes, if it is known.
pub(crate) fn check(paths: &[PathBuf]) -> Result<Option<u64>> {
    let mut size = Some(0);
    for path in paths {
        let wrong = || format!("cannot read {}", name(path));
        if signals::stdin_was_closed()
            && (is_stdin(path) || output::descriptor(path).is_some_and(|number| number == "0"))
        {
            bail!("cannot read {}: it is closed", name(path));
        }
        if is_stdin(path) {
            size = None;
            continue;
        }
        let metadata = fs::metadata(path).with_context(wrong)?;
        if metadata.is_dir() {
            bail!("cannot read {}: it is a directory", name(path));
        }
        if metadata.is_file() {
            File::open(path).with_context(wrong)?;
            size = size.map(|size| size + metadata.len());
        } else {
            size = None; // a pipe: opening it here would use it up
        }
    }
    Ok(size)
}

/// Opens inputs of one format and describes their rows.
pub(crate) fn open(
    inputs: Vec<(PathBuf, FileFormat)>,
    options: ReadOptions,
    progress: ProgressBar,
) -> Result<(Input, AnySource)> {
    let is_text = |(_, format): &&(PathBuf, FileFormat)| *format == FileFormat::Text;
    let other = inputs.iter().find(|input| !is_text(input));
    match (inputs.iter().find(is_text), other) {
        (Some((text, _)), Some((other, format))) => bail!(
            "{} is text and {} is {}: one run reads one kind of input (--input-format)",
            name(text),
            name(other),
            format.name()
        ),
        (Some(_), None) => {
            let paths: Vec<PathBuf> = inputs.into_iter().map(|(path, _)| path).collect();
            Ok((Input::text(), Box::new(LineReader::new(&paths, on_bar(&progress)))))
        }
        (None, _) => {
            let (path, format) = inputs.first().context("there are no inputs")?;
            let (input, source) = open_one(path, *format, &options, &progress)?;
            let (kind, source) = (input.clone(), Some(source));
            Ok((input, Box::new(Inputs { inputs, options, progress, kind, at: 0, source })))
        }
    }
}

/// The parts of several inputs, read one after another.
struct Inputs {
    inputs: Vec<(PathBuf, FileFormat)>,
    options: ReadOptions,
    progress: ProgressBar,
    kind: Input,
    at: usize,
    source: Option<AnySource>,
}

type AnyPart = Part<'static, anyhow::Error>;

impl Inputs {
    /// Returns the next part of an input.
    fn part(&mut self, rows: usize, bytes: usize) -> Result<Option<AnyPart>> {
        while let Some((path, format)) = self.inputs.get(self.at) {
            let cannot_read = || format!("cannot read {}", name(path));
            let source = match &mut self.source {
                Some(source) => source,
                closed => {
                    let (kind, source) = open_one(path, *format, &self.options, &self.progress)?;
                    let same =
                        self.kind.check_same(&kind).map_err(|difference| anyhow!(difference));
                    same.with_context(cannot_read)?;
                    closed.insert(source)
                }
            };
            // A row of a table can be a game.
            let positions = self.kind.positions_of_row();
            if let Some(Part { rows, bytes, read }) =
                source.next(rows.div_ceil(positions), bytes).with_context(cannot_read)?
            {
                let rows = rows.saturating_mul(positions);
                let cannot_read = cannot_read();
                let read = move |rows: &mut Rows<'_>| read(rows).context(cannot_read);
                return Ok(Some(Part { rows, bytes, read: Box::new(read) }));
            }
            self.source = None;
            self.at += 1;
        }
        let mut runs = self.options.runs.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(runs.finish().map(part_of))
    }
}

impl Source<anyhow::Error> for Inputs {
    /// Joins parts until they have half the size, so that short batches and files do not make as many row groups.
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<AnyPart>> {
        let Some(first) = self.part(rows, bytes)? else { return Ok(None) };
        let mut all = Part { read: Box::new(|_| Ok(())), ..first };
        let mut reads = vec![first.read];
        while self.kind.can_join() && all.rows < rows / 2 && all.bytes < bytes / 2 {
            match self.part(rows - all.rows, bytes - all.bytes) {
                Ok(Some(part)) => {
                    (all.rows, all.bytes) = (all.rows + part.rows, all.bytes + part.bytes);
                    reads.push(part.read);
                }
                Ok(None) => break,
                // An earlier row may have an error, too.
                Err(error) => {
                    reads.push(Box::new(|_| Err(error)));
                    break;
                }
            }
        }
        all.read = Box::new(|rows| reads.into_iter().try_for_each(|read| read(rows)));
        Ok(Some(all))
    }
}

fn open_one(
    path: &Path,
    format: FileFormat,
    options: &ReadOptions,
    progress: &ProgressBar,
) -> Result<(Input, AnySource)> {
    let (before, progress) = (format!("{}: ", name(path)), on_bar(progress));
    let keep = &options.table.keep;
    let open = || -> Result<(Input, AnySource)> {
        Ok(match format {
            FileFormat::Text => bail!("text is read line by line"),
            FileFormat::Packed(format) => {
                let input = Input::records(format, keep).map_err(explain)?;
                let bytes = records(format, unpack(path, &progress)?)?;
                let source = RecordSource::new(format, bytes, &before);
                (input, Box::new(source.placeholder_zeros(options.zeros)))
            }
            FileFormat::Pgn => {
                let input = Input::games(keep).map_err(explain)?.needing(&options.conditions);
                (input, Box::new(GameSource::new(text(unpack(path, &progress)?)?, &before)))
            }
            _ => {
                let batches = open_table(path, format, &options.text, &progress)?;
                Table::source(path, batches, options)?
            }
        })
    };
    open().with_context(|| format!("cannot read {}", name(path)))
}
