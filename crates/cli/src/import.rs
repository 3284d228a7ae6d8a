//! The table of input formats, and the reading of several inputs.
//!
//! A source reads an input in order and produces parts, which any thread can decode later. Plain text has its own
//! reader (`input.rs`), which joins short inputs.
//!
//! To add a format, write its file in `import/` and add a variant here.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use setwise_formats::{Format, tar};
use setwise_table::{GameSource, Input, Part, RecordSource, Rows, Source};

use crate::input::{self, LineReader};

mod arrow;
mod csv;
mod cut;
mod interface;
mod json;
mod parquet;
mod types;

use interface::Held;
pub(crate) use interface::{AnySource, Opened, ReadOptions, explain, explain_run};
pub(crate) use types::Types;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputFormat {
    Text,
    Parquet,
    Arrow,
    Csv,
    Jsonl,
    Packed(Format),
    Pgn,
}

impl InputFormat {
    const ALL: &[Self] = &[
        Self::Text,
        Self::Parquet,
        Self::Arrow,
        Self::Csv,
        Self::Jsonl,
        Self::Packed(Format::Bullet),
        Self::Packed(Format::Marlin),
        Self::Packed(Format::Viri),
        Self::Packed(Format::PackedSfen),
        Self::Packed(Format::Binpack),
        Self::Packed(Format::Plain),
        Self::Packed(Format::Lc0),
        Self::Pgn,
    ];

    /// The name, which is also a file extension; other extensions; the line of the help; and the first bytes of files,
    /// if they identify the format.
    fn info(self) -> (&'static str, &'static [&'static str], &'static str, &'static [u8]) {
        match self {
            Self::Text => ("text", &["epd", "fen", "txt"], "one FEN or EPD per line", b""),
            Self::Parquet => ("parquet", &[], "Apache Parquet, with a column of FENs", b"PAR1"),
            Self::Arrow => {
                let meaning = "Arrow IPC file (Feather 2) or stream, with a column of FENs";
                ("arrow", &["feather", "arrows", "ipc"], meaning, arrow::MAGIC)
            }
            Self::Csv => {
                ("csv", &[], "comma-separated values with a header and a column of FENs", b"")
            }
            Self::Jsonl => {
                ("jsonl", &["ndjson"], "JSON Lines: objects with a FEN and any other keys", b"")
            }
            Self::Packed(format) => {
                let meaning = match format {
                    Format::Bullet => {
                        "bulletformat: 32 bytes per position, the side to move as white"
                    }
                    Format::Marlin => "marlinformat: 32 bytes per position",
                    Format::Viri => "viriformat: games that start from marlinformat positions",
                    Format::PackedSfen => {
                        "PackedSfenValue, the .bin of Stockfish's tools: 40 bytes per position"
                    }
                    Format::Binpack => "Stockfish's .binpack: games in blocks",
                    Format::Plain => "Stockfish's .plain: six lines of text per position",
                    _ => {
                        "training chunks of lc0, also in a .tar: 8,356 or 8,396 bytes per position"
                    }
                };
                (format.name(), format.extensions(), meaning, b"")
            }
            Self::Pgn => ("pgn", &[], "games in PGN, one row per position", b"[Event \""),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.info().0
    }

    fn of_name(path: &Path) -> Option<Self> {
        match input::packed_by_name(path) {
            Some(_) => Self::of_name(Path::new(path.file_stem()?)),
            None => <Self as ValueEnum>::from_str(path.extension()?.to_str()?, true).ok(),
        }
    }

    /// Returns whether the format has named columns.
    pub(crate) fn is_table(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Csv | Self::Jsonl)
    }

    pub(crate) fn packed(self) -> Option<Format> {
        if let Self::Packed(format) = self { Some(format) } else { None }
    }

    /// Returns the format of an input: by its extension, otherwise by its first bytes, otherwise text.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        if input::is_stdin(path) {
            return Ok(Self::Text);
        }
        if let Some(format) = Self::of_name(path) {
            return Ok(format);
        }
        if !path.is_file() {
            return Ok(Self::Text); // a pipe can be read only once
        }
        let mut head = Vec::new();
        let file = File::open(path);
        let read = file.and_then(|file| file.take(8).read_to_end(&mut head));
        read.with_context(|| format!("cannot read {}", input::name(path)))?;
        let begins = |format: &&Self| {
            let magic = format.info().3;
            !magic.is_empty() && head.starts_with(magic)
        };
        Ok(Self::ALL.iter().find(begins).copied().unwrap_or(Self::Text))
    }
}

impl ValueEnum for InputFormat {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, aliases, meaning, _) = self.info();
        Some(PossibleValue::new(name).aliases(aliases.iter().filter(|a| **a != name)).help(meaning))
    }
}

/// Opens inputs of one format and describes their rows.
pub(crate) fn open(
    inputs: Vec<(PathBuf, InputFormat)>,
    options: ReadOptions,
    progress: ProgressBar,
) -> Result<(Input, AnySource)> {
    let is_text = |(_, format): &&(PathBuf, InputFormat)| *format == InputFormat::Text;
    let other = inputs.iter().find(|input| !is_text(input));
    match (inputs.iter().find(is_text), other) {
        (Some((text, _)), Some((other, format))) => bail!(
            "{} is text and {} is {}: one run reads one kind of input (--input-format)",
            input::name(text),
            input::name(other),
            format.name()
        ),
        (Some(_), None) => {
            let paths: Vec<PathBuf> = inputs.into_iter().map(|(path, _)| path).collect();
            Ok((Input::text(), Box::new(LineReader::new(&paths, progress))))
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
    inputs: Vec<(PathBuf, InputFormat)>,
    options: ReadOptions,
    progress: ProgressBar,
    kind: Input,
    at: usize,
    source: Option<AnySource>,
}

impl Source<anyhow::Error> for Inputs {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, anyhow::Error>>> {
        while let Some((path, format)) = self.inputs.get(self.at) {
            let cannot_read = || format!("cannot read {}", input::name(path));
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
        let held = self.options.held.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(held.map(Held::part))
    }
}

fn open_one(
    path: &Path,
    format: InputFormat,
    options: &ReadOptions,
    progress: &ProgressBar,
) -> Result<(Input, AnySource)> {
    let open = || {
        let opened =
            Opened { path, input: input::unpack(path, progress)?, progress: progress.clone() };
        match format {
            InputFormat::Text => bail!("text is read line by line"),
            InputFormat::Parquet => parquet::open(opened, options),
            InputFormat::Arrow => arrow::open(opened, options),
            InputFormat::Csv => csv::open(opened, options),
            InputFormat::Jsonl => json::open(opened, options),
            InputFormat::Packed(format) => open_packed(format, opened, options),
            InputFormat::Pgn => open_games(opened, options),
        }
    };
    open().with_context(|| format!("cannot read {}", input::name(path)))
}

fn open_packed(
    format: Format,
    opened: Opened<'_>,
    options: &ReadOptions,
) -> Result<(Input, AnySource)> {
    let input = Input::records(format, &options.table.keep).map_err(explain)?;
    let before = format!("{}: ", input::name(opened.path));
    let bytes = match format {
        Format::Lc0 => tar::files(opened.input, |bytes| Box::new(MultiGzDecoder::new(bytes)))?,
        _ => opened.input,
    };
    let source = RecordSource::new(format, bytes, &before).placeholder_zeros(options.zeros);
    Ok((input, Box::new(source)))
}

fn open_games(opened: Opened<'_>, options: &ReadOptions) -> Result<(Input, AnySource)> {
    let input = Input::games(&options.table.keep).map_err(explain)?.needing(&options.conditions);
    let before = format!("{}: ", input::name(opened.path));
    Ok((input, Box::new(GameSource::new(input::text(opened.input)?, &before))))
}
