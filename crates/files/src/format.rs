//! The formats of files, and their detection by name or by the first bytes.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use setwise_formats::Format;

use crate::names::{is_stdin, plain_extension};
use crate::open::{ARROW_STREAM, check_compression};

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Lines of text, each with a FEN or EPD.
    Text,
    /// A Parquet file.
    Parquet,
    /// An Arrow IPC file or stream.
    Arrow,
    /// Comma-separated values with a header.
    Csv,
    /// JSON Lines.
    Jsonl,
    /// Packed records.
    Packed(Format),
    /// Games.
    Pgn,
}

impl FileFormat {
    /// All formats.
    pub const ALL: &[Self] = &[
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

    /// The name, which is also a file extension; other extensions; a description; and first bytes of files that identify
    /// the format.
    const fn info(
        self,
    ) -> (&'static str, &'static [&'static str], &'static str, &'static [&'static [u8]]) {
        match self {
            Self::Text => ("text", &["epd", "fen", "txt"], "one FEN or EPD per line", &[]),
            Self::Parquet => ("parquet", &[], "Apache Parquet, with a column of FENs", &[b"PAR1"]),
            Self::Arrow => {
                let meaning = "Arrow IPC file (Feather 2) or stream, with a column of FENs";
                ("arrow", &["feather", "arrows", "ipc"], meaning, &[b"ARROW1", ARROW_STREAM])
            }
            Self::Csv => {
                ("csv", &[], "comma-separated values with a header and a column of FENs", &[])
            }
            Self::Jsonl => {
                ("jsonl", &["ndjson"], "JSON Lines: objects with a FEN and any other keys", &[])
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
                (format.name(), format.extensions(), meaning, &[])
            }
            Self::Pgn => ("pgn", &[], "games in PGN, one row per position", &[b"[Event \""]),
        }
    }

    /// The name, which is also a file extension.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.info().0
    }

    /// Other file extensions.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        self.info().1
    }

    /// A description, for lists of formats.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.info().2
    }

    /// Returns the format with this name or extension.
    ///
    /// ```
    /// use setwise_files::FileFormat;
    /// assert_eq!(FileFormat::named("ndjson"), Some(FileFormat::Jsonl));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |format: &&Self| {
            let (own, others, ..) = format.info();
            others.iter().chain([&own]).any(|other| other.eq_ignore_ascii_case(name))
        };
        Self::ALL.iter().find(is_named).copied()
    }

    /// Returns the format of a file by its extension, after that of its compression is removed.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        Self::named(plain_extension(path)?)
    }

    /// Returns the format of a file by its extension, otherwise by its first bytes.
    ///
    /// # Errors
    /// If the file cannot be read, or if its format is unknown and its compression is not supported.
    pub fn of(path: &Path) -> io::Result<Option<Self>> {
        // A pipe can be read only once.
        let named = Self::of_name(path);
        if is_stdin(path) || named.is_some() || !path.is_file() {
            return Ok(named.filter(|_| !is_stdin(path)));
        }
        let mut head = Vec::new();
        File::open(path)?.take(10).read_to_end(&mut head)?;
        check_compression(&head)?;
        let begins = |format: &&Self| format.info().3.iter().any(|start| head.starts_with(start));
        Ok(Self::ALL.iter().find(begins).copied())
    }

    /// Returns whether the format has named columns.
    #[must_use]
    pub const fn is_table(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow | Self::Csv | Self::Jsonl)
    }

    /// Returns the packed format.
    #[must_use]
    pub const fn packed(self) -> Option<Format> {
        if let Self::Packed(format) = self { Some(format) } else { None }
    }
}
