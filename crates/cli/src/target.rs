//! The output formats of `setwise convert`.

use std::path::Path;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use setwise_formats::{Fields, Format};

use crate::import::InputFormat;

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// FEN with six fields.
    Text,
    Packed(Format),
}

impl Target {
    pub(crate) fn keeps(self) -> Fields {
        match self {
            Self::Text => Fields::FEN,
            Self::Packed(format) => format.keeps(),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Packed(format) => format.name(),
        }
    }

    /// The format of a file, by its name.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        <Self as ValueEnum>::from_str(extension, true).ok()
    }
}

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Text,
            Self::Packed(Format::Bullet),
            Self::Packed(Format::Marlin),
            Self::Packed(Format::PackedSfen),
            Self::Packed(Format::Viri),
            Self::Packed(Format::Binpack),
            Self::Packed(Format::Plain),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Text => {
                PossibleValue::new("text").aliases(["fen", "epd", "txt"]).help("one FEN per line")
            }
            Self::Packed(format) => {
                let info = InputFormat::of_packed(*format).info();
                let others = info.aliases.iter().filter(|alias| **alias != info.name);
                PossibleValue::new(info.name).aliases(others).help(info.meaning)
            }
        })
    }
}
