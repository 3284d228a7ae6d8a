//! Selects columns by names, patterns and presets, in the same way for every interface.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::catalogue::ATTACKS;
use super::column::Column;
use super::types::{Needs, Shape};
use crate::names;

/// A catalogue from which [`select`] chooses columns: the library's, or a larger one that contains it.
pub trait Catalogue: Copy + Eq + 'static {
    /// Every column, in the order in which programs show them.
    fn all() -> &'static [Self];

    /// The column's name.
    fn name(self) -> &'static str;

    /// Returns whether a pattern may select the column, if it matches.
    fn is_in_pattern(self, _pattern: &str) -> bool {
        true
    }

    /// Returns whether presets may contain the column. Lists, text and columns that need castling rights are selected
    /// by name or pattern only.
    fn is_in_presets(self) -> bool {
        true
    }

    /// The presets of this catalogue.
    #[must_use]
    fn presets() -> &'static [Preset] {
        PRESETS
    }
}

impl Catalogue for Column {
    fn all() -> &'static [Self] {
        Self::ALL
    }

    fn name(self) -> &'static str {
        self.name()
    }

    fn is_in_presets(self) -> bool {
        self.shape() == Shape::Value && self.needs() < Needs::State
    }
}

/// A named set of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The names and patterns of its columns.
    pub patterns: &'static [&'static str],
    /// A description of its columns in one line.
    pub meaning: &'static str,
}

impl Preset {
    /// Returns whether the preset contains a column of a catalogue.
    #[must_use]
    pub fn contains<C: Catalogue>(&self, column: C) -> bool {
        column.is_in_presets()
            && self.patterns.iter().any(|pattern| matches(pattern, column.name()))
    }
}

/// The presets of every interface.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "default",
        patterns: &{
            let mut names = [""; 2 * ATTACKS];
            let mut i = 0;
            while i < names.len() {
                names[i] = Column::DEFAULT[i].name();
                i += 1;
            }
            names
        },
        meaning: "the attack maps of both sides: by piece, all, twice",
    },
    Preset {
        name: "all",
        patterns: &["*"],
        meaning: "every column that is not a list or text and does not need castling rights",
    },
    Preset {
        name: "counts",
        patterns: &["*_count_*"],
        meaning: "the number of attackers of each square, as bit planes",
    },
    Preset {
        name: "mobility",
        patterns: &["*_mobility_*"],
        meaning: "attacked squares by piece, as numbers",
    },
    Preset {
        name: "rings",
        patterns: &["*_ring_*"],
        meaning: "attacks on the squares around the kings, as numbers",
    },
];

/// Selects columns of a catalogue by names, patterns and presets, in the order in which they are named.
///
/// In a pattern, `*` matches any text, including the empty one. Patterns and presets skip columns that are already
/// selected. Whitespace around a name is ignored.
///
/// # Errors
/// If a name is unknown (the error suggests the most similar name, if there is one), if a pattern matches no column, or
/// if a name selects a column that is already selected.
///
/// ```
/// use setwise::Column;
/// use setwise::columns::select;
/// let columns: Vec<Column> = select("white_all, *_mobility_king".split(','))?;
/// assert_eq!(columns.len(), 5);
/// let error = select::<Column>(["white_al"]).unwrap_err();
/// assert_eq!(error.to_string(), "no column is called `white_al`; did you mean `white_all`?");
/// # Ok::<(), setwise::columns::SelectionError>(())
/// ```
pub fn select<C: Catalogue>(
    names: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<Vec<C>, SelectionError> {
    let mut columns: Vec<C> = Vec::new();
    for name in names {
        let name = name.as_ref().trim();
        if let Some(column) = named(name) {
            if columns.contains(&column) {
                return Err(SelectionError::Twice { name: column.name() });
            }
            columns.push(column);
            continue;
        }
        let preset = C::presets().iter().find(|preset| preset.name == name);
        let chosen = |column: C| match preset {
            Some(preset) => preset.contains(column),
            None => column.is_in_pattern(name) && matches(name, column.name()),
        };
        let mut found = preset.is_some();
        for &column in C::all().iter().filter(|&&column| chosen(column)) {
            found = true;
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        if !found {
            return Err(if name.contains('*') {
                SelectionError::NoMatch { pattern: name.to_owned() }
            } else {
                unknown::<C>(name, C::presets())
            });
        }
    }
    Ok(columns)
}

/// The column with this name.
fn named<C: Catalogue>(name: &str) -> Option<C> {
    C::all().iter().copied().find(|column| column.name() == name)
}

/// Finds a column of a catalogue by its name.
///
/// # Errors
/// If no column has this name: presets and patterns are not columns.
#[doc(hidden)]
pub fn find<C: Catalogue>(name: &str) -> Result<C, SelectionError> {
    named(name).ok_or_else(|| unknown::<C>(name, &[]))
}

fn unknown<C: Catalogue>(name: &str, presets: &[Preset]) -> SelectionError {
    let columns = C::all().iter().map(|column| column.name());
    let names = columns.chain(presets.iter().map(|preset| preset.name));
    let nearest = names::nearest_name(name, names).filter(|_| !name.contains('*'));
    SelectionError::Unknown { name: name.to_owned(), nearest }
}

/// Returns whether a name matches a pattern, in which `*` matches any text, including the empty one.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    // Match each part at its first occurrence, which leaves the most text for the parts after it.
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

/// An error from [`select`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionError {
    /// A name that is neither a column nor a preset.
    Unknown {
        /// The name.
        name: String,
        /// The most similar name of a column or preset, if there is one.
        nearest: Option<&'static str>,
    },
    /// A pattern that no column matches.
    NoMatch {
        /// The pattern.
        pattern: String,
    },
    /// A column that is selected twice.
    Twice {
        /// Its name.
        name: &'static str,
    },
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest: Some(nearest) } => {
                write!(f, "no column is called `{name}`; did you mean `{nearest}`?")
            }
            Self::Unknown { name, nearest: None } => write!(f, "no column is called `{name}`"),
            Self::NoMatch { pattern } => write!(f, "no column matches `{pattern}`"),
            Self::Twice { name } => write!(f, "column `{name}` is chosen twice"),
        }
    }
}

impl core::error::Error for SelectionError {}
