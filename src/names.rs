//! Names that users type, and errors for unknown names.

use core::fmt;

/// The part of a name that an error message quotes, stored without an allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortName {
    bytes: [u8; Self::MAX],
    length: u8,
    complete: bool,
}

impl ShortName {
    const MAX: usize = 40;

    pub(crate) fn new(name: &str) -> Self {
        let mut end = name.len().min(Self::MAX);
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        let mut bytes = [0; Self::MAX];
        bytes[..end].copy_from_slice(&name.as_bytes()[..end]);
        Self { bytes, length: end as u8, complete: end == name.len() }
    }
}

impl fmt::Display for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = core::str::from_utf8(&self.bytes[..usize::from(self.length)]);
        write!(f, "`{}{}`", name.unwrap_or_default(), if self.complete { "" } else { "…" })
    }
}

impl fmt::Debug for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error for an unknown name. The message quotes it, and lists the known names, or suggests the most similar one if
/// there are many.
///
/// ```
/// let error = "bishops".parse::<setwise::Role>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no role is called `bishops`; there are `pawn`, `knight`, `bishop`, `rook`, `queen` and `king`"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    kind: &'static str,
    name: ShortName,
    /// The known names, if there are few.
    names: &'static [&'static str],
    nearest: Option<&'static str>,
}

impl UnknownName {
    /// Creates an error for a name that is not among the `names` of a `kind`, such as `role`.
    #[doc(hidden)]
    #[must_use]
    pub fn new(kind: &'static str, name: &str, names: &'static [&'static str]) -> Self {
        Self { kind, name: ShortName::new(name), names, nearest: None }
    }

    #[cfg(feature = "bulk")]
    pub(crate) fn with_nearest(self, nearest: Option<&'static str>) -> Self {
        Self { nearest, ..self }
    }

    /// The most similar name that is known, if there are many names and one is similar enough.
    #[must_use]
    pub const fn nearest(&self) -> Option<&'static str> {
        self.nearest
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} is called {}", self.kind, self.name)?;
        if let Some(nearest) = self.nearest {
            write!(f, "; did you mean `{nearest}`?")?;
        }
        f.write_str(if self.names.is_empty() { "" } else { "; there are " })?;
        for (i, name) in self.names.iter().enumerate() {
            let last = i + 1 == self.names.len();
            f.write_str(match i {
                0 => "",
                _ if last => " and ",
                _ => ", ",
            })?;
            write!(f, "`{name}`")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownName {}

/// Names the variants of an enum, in the order of its `ALL`: implements `name`, `Display` and `FromStr`.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $kind:literal: $($name:literal)*) => {
        impl $type {
            const NAMES: [&'static str; Self::ALL.len()] = [$($name),*];

            $(#[$doc])*
            #[inline]
            #[must_use]
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl core::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                let found = Self::ALL.into_iter().find(|value| value.name() == name);
                found.ok_or_else(|| $crate::names::UnknownName::new($kind, name, &Self::NAMES))
            }
        }
    };
}
pub(crate) use named;

/// Finds the name that is the fewest edits away, the first of several, for messages that ask *did you mean*. Case does
/// not count. If all names differ in more than a quarter of the letters plus one, also tries our words in place of
/// those of other libraries, such as *attackers*. Returns `None` if no name is near.
///
/// ```
/// use setwise::columns::nearest_name;
/// assert_eq!(nearest_name("WhiteELO", ["White", "WhiteElo"]), Some("WhiteElo"));
/// assert_eq!(nearest_name("rating", ["White", "WhiteElo"]), None);
/// assert_eq!(nearest_name("white_atacks", ["white_pawn", "white_all"]), Some("white_all"));
/// ```
#[cfg(feature = "bulk")]
#[must_use]
pub fn nearest_name<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<&'a str> {
    /// Words for attack maps and their counts, and the ends of our names for these.
    const WORDS: [(&str, &str); 4] = [
        ("attacks", "all"),
        ("attacked", "all"),
        ("attackers", "counts"),
        ("attackers", "count_0"),
    ];
    let edits = |word: &str, other: &'a str| (distance(word.as_bytes(), other.as_bytes()), other);
    let is_near = |word: &str, edits: usize| edits <= 1 + word.len() / 4;
    let names = names.into_iter();
    let nearest = names.clone().map(|other| edits(name, other)).min_by_key(|&(edits, _)| edits);
    if let Some((_, nearest)) = nearest.filter(|&(edits, _)| is_near(name, edits)) {
        return Some(nearest);
    }
    let (side, word) = name.split_at(name.rfind('_').map_or(0, |at| at + 1));
    let of_words = WORDS.into_iter().filter_map(|(theirs, ours)| {
        let mut names = names.clone();
        let of_side = |start: &str| side.is_empty() || start.eq_ignore_ascii_case(side);
        let found = names.find(|other| other.strip_suffix(ours).is_some_and(of_side))?;
        Some((edits(word, theirs).0, found)).filter(|&(edits, _)| is_near(word, edits))
    });
    of_words.min_by_key(|&(edits, _)| edits).map(|(_, found)| found)
}

/// The number of letters to insert, delete or replace. Of long names, only the beginning counts.
#[cfg(feature = "bulk")]
fn distance(a: &[u8], b: &[u8]) -> usize {
    const MAX: usize = 64;
    let (a, b) = (&a[..a.len().min(MAX)], &b[..b.len().min(MAX)]);
    let mut row = [0; MAX + 1];
    for (i, cell) in row.iter_mut().enumerate() {
        *cell = i;
    }
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let same = x.eq_ignore_ascii_case(y) || (*x == b'-' && *y == b'_');
            let cell = (diagonal + usize::from(!same)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = cell;
        }
    }
    row[b.len()]
}
