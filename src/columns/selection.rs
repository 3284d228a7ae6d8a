//! Finds columns by name, and selects them by names, patterns and presets, in the same way for every interface.

#[cfg(feature = "std")]
use alloc::{borrow::ToOwned, string::String, vec::Vec};
#[cfg(feature = "std")]
use core::fmt;

use super::types::{Description, Needs, Shape, ValueType};
use crate::names::{UnknownName, nearest_name};

/// A catalogue from which [`select`] chooses columns: the library's, or a larger one that contains it.
pub trait Catalogue: Copy + Eq + 'static {
    /// The presets of this catalogue in addition to [`PRESETS`].
    const OWN_PRESETS: &'static [Preset] = &[];

    /// Every column, in the order in which programs show them.
    fn all() -> &'static [Self];

    /// The column's name, type, meaning and so on.
    fn description(self) -> &'static Description;

    /// Returns whether a name or pattern may select the column, if it matches.
    fn is_in_pattern(self, _pattern: &str) -> bool {
        true
    }

    /// Returns whether presets may contain the column. Lists, text and columns that need castling rights are selected
    /// by name or pattern only.
    fn is_in_presets(self) -> bool {
        let Description { value_type, shape, needs, .. } = *self.description();
        value_type != ValueType::Text && shape == Shape::Value && needs < Needs::State
    }

    /// The presets of this catalogue.
    fn presets() -> impl Iterator<Item = &'static Preset> + Clone {
        PRESETS.iter().chain(Self::OWN_PRESETS)
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
            && self.patterns.iter().any(|pattern| matches(pattern, column.description().name))
    }
}

/// The presets of every interface.
#[rustfmt::skip]
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "default",
        patterns: &[
            "white_pawn", "white_knight", "white_bishop", "white_rook", "white_queen", "white_king",
            "white_all", "white_twice",
            "black_pawn", "black_knight", "black_bishop", "black_rook", "black_queen", "black_king",
            "black_all", "black_twice",
        ],
        meaning: "the attack maps of both sides: by piece, all, twice",
    },
    Preset { name: "all", patterns: &["*"],
        meaning: "every column about attacks with one value per position that does not need castling rights" },
    Preset { name: "counts", patterns: &["*_count_*"],
        meaning: "the number of attackers of each square, as bit planes" },
    Preset { name: "mobility", patterns: &["*_mobility_*"],
        meaning: "attacked squares by piece, as numbers" },
    Preset { name: "rings", patterns: &["*_ring_*"],
        meaning: "attacks on the squares around the kings, as numbers" },
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
#[cfg(feature = "std")]
pub fn select<C: Catalogue>(
    names: impl IntoIterator<Item = impl AsRef<str>>,
) -> Result<Vec<C>, SelectionError> {
    let mut columns: Vec<C> = Vec::new();
    for name in names {
        let name = name.as_ref().trim();
        let preset = C::presets().find(|preset| preset.name == name);
        let is_pattern = name.contains('*');
        let is_chosen = |column: &C| match preset {
            Some(preset) => preset.contains(*column),
            None => column.is_in_pattern(name) && matches(name, column.description().name),
        };
        let chosen: Vec<C> = C::all().iter().copied().filter(is_chosen).collect();
        if chosen.is_empty() && preset.is_none() {
            let name = name.to_owned();
            if is_pattern {
                return Err(SelectionError::NoMatch { pattern: name });
            }
            let presets = C::presets().map(|preset| preset.name);
            let nearest = nearest_name(&name, names_of::<C>().chain(presets));
            return Err(SelectionError::Unknown { name, nearest });
        }
        for column in chosen {
            if !columns.contains(&column) {
                columns.push(column);
            } else if preset.is_none() && !is_pattern {
                return Err(SelectionError::Twice { name: column.description().name });
            }
        }
    }
    Ok(columns)
}

/// Finds a column of a catalogue by its name. Presets and patterns are not columns.
#[doc(hidden)]
pub fn find<C: Catalogue>(name: &str) -> Result<C, UnknownName> {
    let found = C::all().iter().copied().find(|column| column.description().name == name);
    found.ok_or_else(|| {
        let nearest = nearest_name(name, names_of::<C>()).filter(|_| !name.contains('*'));
        UnknownName::new("column", name, &[]).with_nearest(nearest)
    })
}

fn names_of<C: Catalogue>() -> impl Iterator<Item = &'static str> + Clone {
    C::all().iter().map(|column| column.description().name)
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
#[cfg(feature = "std")]
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

#[cfg(feature = "std")]
impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest: Some(nearest) } => {
                write!(f, "no column is called `{name}`; did you mean `{nearest}`?")
            }
            Self::Unknown { name, .. } if name.is_empty() => {
                f.write_str("the name of a column is empty")
            }
            Self::Unknown { name, nearest: None } => write!(f, "no column is called `{name}`"),
            Self::NoMatch { pattern } => write!(f, "no column matches `{pattern}`"),
            Self::Twice { name } => write!(f, "column `{name}` is chosen twice"),
        }
    }
}

#[cfg(feature = "std")]
impl core::error::Error for SelectionError {}
