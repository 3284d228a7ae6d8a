//! The formats that positions are read from: the table of them, and the pieces of several inputs.
//!
//! An input is read in two steps. A [`Source`] goes through it in order and hands out [`Piece`]s; what is
//! in a piece is decoded later, by any thread. Plain text has a reader of its own (`input.rs`), for there
//! lines can be blank, comments or too long.
//!
//! To add a format, write its file in `import/` and give it a row in the table.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use indicatif::ProgressBar;

use crate::input;

mod arrow;
mod csv;
mod cut;
mod interface;
mod json;
mod packed;
mod parquet;

pub(crate) use interface::{
    About, Kind, Opened, Piece, Read, ReadRecords, Source, Taker, Wanted, explain,
};

/// Makes the enum of formats from the rows of the table.
macro_rules! formats {
    ($($name:ident = $about:expr),+ $(,)?) => {
        /// The formats, a variant for each row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Format {
            $($name),+
        }

        impl Format {
            pub(crate) const ALL: &[Self] = &[$(Self::$name),+];

            pub(crate) fn about(self) -> &'static About {
                match self {
                    $(Self::$name => const { &$about }),+
                }
            }
        }
    };
}
// The table: a row for each format.
formats! {
    Text = TEXT,
    Parquet = parquet::ABOUT,
    Arrow = arrow::ABOUT,
    Csv = csv::ABOUT,
    Jsonl = json::ABOUT,
    Bullet = packed::BULLET,
    Marlin = packed::MARLIN,
    Viri = packed::VIRI,
    Bin = packed::BIN,
    Binpack = packed::BINPACK,
}

/// A FEN or EPD a line: what an input is that nothing tells from others.
const TEXT: About = About {
    name: "text",
    aliases: &["epd", "fen", "txt"],
    meaning: "a FEN or EPD a line",
    magic: b"",
    open: |_, _| bail!("text is read line by line"),
};

impl Format {
    /// What the name of an input tells.
    fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "gz" | "zst" => Self::of_name(Path::new(path.file_stem()?)),
            extension => <Self as ValueEnum>::from_str(extension, true).ok(),
        }
    }

    /// The packed format that it is, if it is one.
    pub(crate) fn packed(self) -> Option<setwise_formats::Format> {
        let name = self.about().name;
        setwise_formats::Format::ALL.iter().copied().find(|format| format.name() == name)
    }

    pub(crate) fn of_packed(format: setwise_formats::Format) -> Self {
        let same = Self::ALL.iter().copied().find(|own| own.packed() == Some(format));
        same.expect("there is a row for each packed format")
    }

    /// What an input is: by its name, else by how it begins, else text.
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
            let magic = format.about().magic;
            !magic.is_empty() && head.starts_with(magic)
        };
        Ok(Self::ALL.iter().find(begins).copied().unwrap_or(Self::Text))
    }
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let About { name, aliases, meaning, .. } = *self.about();
        Some(PossibleValue::new(name).aliases(aliases.iter().filter(|a| **a != name)).help(meaning))
    }
}

/// The pieces of all inputs, one input after the other.
pub(crate) struct Pieces {
    inputs: Vec<(PathBuf, Format)>,
    wanted: Wanted,
    progress: ProgressBar,
    rows: usize,
    bytes: usize,
    kind: Kind,
    input: usize,
    source: Option<Box<dyn Source>>,
    /// Rows of this input that are handed out.
    row: u64,
}

/// A piece, and where it stands.
pub(crate) struct Item {
    pub(crate) input: usize,
    /// Rows of the input before it.
    pub(crate) row: u64,
    pub(crate) piece: Piece,
}

impl Pieces {
    /// Opens the first input, which says what all have to be.
    pub(crate) fn begin(
        inputs: Vec<(PathBuf, Format)>,
        wanted: Wanted,
        progress: ProgressBar,
    ) -> Result<Self> {
        let (path, format) = inputs.first().context("there are no inputs")?;
        let source = open(path, *format, &wanted, &progress)?;
        let kind = source.kind();
        let source = Some(source);
        Ok(Self { inputs, wanted, progress, rows: 1, bytes: 1, kind, input: 0, source, row: 0 })
    }

    /// What the pieces are.
    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// How many rows a piece has, or bytes if it has fewer rows.
    pub(crate) fn set_sizes(&mut self, rows: usize, bytes: usize) {
        (self.rows, self.bytes) = (rows, bytes);
    }

    pub(crate) fn next(&mut self) -> Result<Option<Item>> {
        while let Some((path, format)) = self.inputs.get(self.input) {
            let source = match &mut self.source {
                Some(source) => source,
                closed => {
                    let source = open(path, *format, &self.wanted, &self.progress)?;
                    check_same(&self.kind, &source.kind())
                        .with_context(|| format!("cannot read {}", input::name(path)))?;
                    closed.insert(source)
                }
            };
            let next = source.next(self.rows, self.bytes);
            match next.with_context(|| format!("cannot read {}", input::name(path)))? {
                Some(piece) => {
                    self.progress.inc(piece.progress);
                    let item = Item { input: self.input, row: self.row, piece };
                    self.row += item.piece.rows as u64;
                    return Ok(Some(item));
                }
                None => {
                    self.source = None;
                    self.input += 1;
                    self.row = 0;
                }
            }
        }
        Ok(None)
    }
}

/// Fails if an input is made of something else than the first one.
fn check_same(first: &Kind, this: &Kind) -> Result<()> {
    match (first, this) {
        (Kind::Table(first), Kind::Table(this)) => {
            if first.fields().len() != this.fields().len() {
                let (found, expected) = (this.fields().len(), first.fields().len());
                bail!("it has {found} columns that are read, and the first input has {expected}");
            }
            for (first, this) in first.fields().iter().zip(this.fields()) {
                let same = first.name() == this.name() && first.data_type() == this.data_type();
                if !same || (this.is_nullable() && !first.is_nullable()) {
                    let (found, expected) = (this.name(), first.name());
                    bail!(
                        "its column '{found}' ({}{}) stands where the first input has '{expected}' ({}{})",
                        this.data_type(),
                        if this.is_nullable() { "" } else { ", not null" },
                        first.data_type(),
                        if first.is_nullable() { "" } else { ", not null" },
                    );
                }
            }
        }
        (Kind::Records(first), Kind::Records(this)) if first == this => {}
        (Kind::Records(first), Kind::Records(this)) => {
            bail!("it is {this}, and the first input is {first}");
        }
        (Kind::Table(_), Kind::Records(this)) => {
            bail!("it is {this}, and the first input is a table");
        }
        (Kind::Records(first), Kind::Table(_)) => {
            bail!("it is a table, and the first input is {first}");
        }
    }
    Ok(())
}

fn open(
    path: &Path,
    format: Format,
    wanted: &Wanted,
    progress: &ProgressBar,
) -> Result<Box<dyn Source>> {
    let open = || {
        // Opened twice, for whoever reads from the front and whoever does not.
        let file = if path.is_file() { Some(File::open(path)?) } else { None };
        (format.about().open)(Opened { input: input::unpack(path, progress)?, file }, wanted)
    };
    open().with_context(|| format!("cannot read {}", input::name(path)))
}
