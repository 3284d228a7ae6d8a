//! The table of input formats, and the parts of several inputs.
//!
//! A source reads an input in order and produces parts, which any thread can decode later. Plain text has its own
//! reader (`input.rs`), which joins short inputs.
//!
//! To add a format, write its file in `import/` and give it a row in the table.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use indicatif::ProgressBar;
use setwise_formats::Format;
use setwise_table::{Input, Part, Rows, Source, folders};

use crate::input::{self, LineReader};

mod arrow;
mod csv;
mod cut;
mod interface;
mod json;
mod packed;
mod parquet;
mod pgn;
mod types;

pub(crate) use interface::{AnySource, InputFormatInfo, Opened, ReadOptions, explain, explained};
pub(crate) use types::Types;

/// Generates the enum of formats from the rows of the table.
macro_rules! formats {
    ($($name:ident = $info:expr),+ $(,)?) => {
        /// The formats, a variant for each row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum InputFormat {
            $($name),+
        }

        impl InputFormat {
            pub(crate) const ALL: &[Self] = &[$(Self::$name),+];

            pub(crate) fn info(self) -> &'static InputFormatInfo {
                match self {
                    $(Self::$name => const { &$info }),+
                }
            }
        }
    };
}
// The table: a row for each format.
formats! {
    Text = TEXT,
    Parquet = parquet::INFO,
    Arrow = arrow::INFO,
    Csv = csv::INFO,
    Jsonl = json::INFO,
    Bullet = packed::BULLET,
    Marlin = packed::MARLIN,
    Viri = packed::VIRI,
    Bin = packed::BIN,
    Binpack = packed::BINPACK,
    Plain = packed::PLAIN,
    Lc0 = packed::LC0,
    Pgn = pgn::INFO,
}

/// One FEN or EPD per line: the format of an input unless its name or its first bytes say otherwise.
const TEXT: InputFormatInfo = InputFormatInfo {
    name: "text",
    aliases: &["epd", "fen", "txt"],
    meaning: "one FEN or EPD per line",
    magic: b"",
    open: |_, _| bail!("text is read line by line"),
};

impl InputFormat {
    fn of_name(path: &Path) -> Option<Self> {
        match input::packed_by_name(path) {
            Some(_) => Self::of_name(Path::new(path.file_stem()?)),
            None => <Self as ValueEnum>::from_str(path.extension()?.to_str()?, true).ok(),
        }
    }

    /// Whether it has columns that have to be found by their names.
    pub(crate) fn is_table(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Csv | Self::Jsonl)
    }

    pub(crate) fn packed(self) -> Option<Format> {
        let name = self.info().name;
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }

    pub(crate) fn of_packed(format: Format) -> Self {
        let same = Self::ALL.iter().copied().find(|own| own.packed() == Some(format));
        same.expect("there is a row for each packed format")
    }

    /// The format of an input: by its name, else by its first bytes, else text.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        if input::is_stdin(path) {
            return Ok(Self::Text);
        }
        if let Some(format) = Self::of_name(path) {
            return Ok(format);
        }
        if !path.is_file() {
            return Ok(Self::Text); // a pipe, which can be read only once
        }
        let mut head = Vec::new();
        let file = File::open(path);
        let read = file.and_then(|file| file.take(8).read_to_end(&mut head));
        read.with_context(|| format!("cannot read {}", input::name(path)))?;
        let begins = |format: &&Self| {
            let magic = format.info().magic;
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
        let InputFormatInfo { name, aliases, meaning, .. } = *self.info();
        Some(PossibleValue::new(name).aliases(aliases.iter().filter(|a| **a != name)).help(meaning))
    }
}

/// Opens inputs of one format, and describes their rows.
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
            format.info().name
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

/// The parts of all inputs, one input after another.
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
        Ok(None)
    }
}

fn open_one(
    path: &Path,
    format: InputFormat,
    options: &ReadOptions,
    progress: &ProgressBar,
) -> Result<(Input, AnySource)> {
    let open = || {
        // Opened twice: for reading from the front, and for random access.
        let file = if path.is_file() { Some(File::open(path)?) } else { None };
        let opened = Opened {
            input: input::unpack(path, progress)?,
            file,
            name: input::name(path),
            folders: folders(path),
            progress: progress.clone(),
        };
        (format.info().open)(opened, options)
    };
    open().with_context(|| format!("cannot read {}", input::name(path)))
}
