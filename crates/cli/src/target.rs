//! The output formats of `setwise convert`.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use setwise_files::FileFormat;
use setwise_formats::{Fields, Format};

/// A packed format, or text: FEN with six fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Target(pub(crate) Option<Format>);

impl Target {
    pub(crate) fn keeps(self) -> Fields {
        self.0.map_or(Fields::FEN, Format::keeps)
    }

    pub(crate) fn name(self) -> &'static str {
        self.0.map_or("text", Format::name)
    }

    pub(crate) fn has_games(self) -> bool {
        self.0.is_some_and(Format::has_games)
    }

    /// Returns the format of a file by its extension, after .gz or .zst is removed.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        <Self as ValueEnum>::from_str(setwise_files::plain_extension(path)?, true).ok()
    }
}

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(None),
            Self(Some(Format::Bullet)),
            Self(Some(Format::Marlin)),
            Self(Some(Format::PackedSfen)),
            Self(Some(Format::Viri)),
            Self(Some(Format::Binpack)),
            Self(Some(Format::Plain)),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let same = format_value(self.0.map_or(FileFormat::Text, FileFormat::Packed));
        Some(if self.0.is_none() { same.help("one FEN per line") } else { same })
    }
}

/// A format with its other names and its line of help.
pub(crate) fn format_value(format: FileFormat) -> PossibleValue {
    let others = format.extensions().iter().filter(|other| **other != format.name());
    PossibleValue::new(format.name()).aliases(others).help(format.meaning())
}
