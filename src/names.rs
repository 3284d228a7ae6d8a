//! Names that users type: an unknown one is answered with itself and the nearest that exists.

use core::fmt;

/// As much of a name as an error message repeats, without an allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortName {
    bytes: [u8; Self::MOST],
    length: u8,
    whole: bool,
}

impl ShortName {
    const MOST: usize = 40;

    pub(crate) fn new(name: &str) -> Self {
        let mut end = name.len().min(Self::MOST);
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        let mut bytes = [0; Self::MOST];
        bytes[..end].copy_from_slice(&name.as_bytes()[..end]);
        Self { bytes, length: end as u8, whole: end == name.len() }
    }
}

impl fmt::Display for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = core::str::from_utf8(&self.bytes[..usize::from(self.length)]);
        write!(f, "`{}{}`", name.unwrap_or_default(), if self.whole { "" } else { "…" })
    }
}

impl fmt::Debug for ShortName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Of some things with names, the one whose name is the fewest edits away, the first of several; none if all names
/// differ in more than a quarter of the letters and one more.
#[cfg(feature = "bulk")]
pub(crate) fn nearest<T: Copy>(
    name: &str,
    things: impl IntoIterator<Item = T>,
    name_of: impl Fn(T) -> &'static str,
) -> Option<T> {
    let edits = |thing: T| (distance(name.as_bytes(), name_of(thing).as_bytes()), thing);
    let nearest = things.into_iter().map(edits).min_by_key(|&(edits, _)| edits);
    nearest.filter(|&(edits, _)| edits <= 1 + name.len() / 4).map(|(_, thing)| thing)
}

/// Letters to insert, to delete or to replace; of a long name only the beginning counts.
#[cfg(feature = "bulk")]
fn distance(a: &[u8], b: &[u8]) -> usize {
    const MOST: usize = 64;
    let (a, b) = (&a[..a.len().min(MOST)], &b[..b.len().min(MOST)]);
    let mut row = [0; MOST + 1];
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

#[cfg(all(test, feature = "bulk"))]
mod tests {
    use std::string::ToString;

    use super::{ShortName, distance, nearest};

    #[test]
    fn distances_count_edits() {
        for (a, b, edits) in [
            ("", "", 0),
            ("", "rook", 4),
            ("rook", "", 4),
            ("rok", "rook", 1),
            ("White-All", "white_all", 0),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), edits, "{a} {b}");
        }
        let names = ["scalar", "avx2", "avx512"];
        assert_eq!(nearest("avx", names, |name| name), Some("avx2"));
        assert_eq!(nearest("sse", names, |name| name), None);
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(ShortName::new("rok").to_string(), "`rok`");
        let long = "x".repeat(39) + "éé";
        assert_eq!(ShortName::new(&long).to_string(), std::format!("`{}…`", "x".repeat(39)));
    }
}
