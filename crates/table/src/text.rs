//! A common view of every Arrow type for text: three layouts, and dictionaries of each.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, LargeStringArray, StringArray, StringViewArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// The allowed types of a column of positions.
pub(crate) const TEXT: &str = "text (Utf8, LargeUtf8, Utf8View or a dictionary of these)";

/// The text after the position on a line that has one: everything after its four or six fields.
#[must_use]
pub fn rest(line: &[u8]) -> &[u8] {
    let mut rest = line.trim_ascii();
    for field in 0..6 {
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        // The clocks are numbers, and may be missing.
        if field == 4 && !rest[..end].iter().all(u8::is_ascii_digit) {
            break;
        }
        rest = rest[end..].trim_ascii_start();
    }
    rest
}

pub(crate) enum Text<'a> {
    Plain(Plain<'a>),
    Dictionary {
        /// The index of each row's text among the values; any valid index if the row is null.
        keys: Vec<usize>,
        nulls: Option<&'a NullBuffer>,
        values: Plain<'a>,
    },
    /// A dictionary without values: every row is null.
    Nulls(usize),
}

/// Text that is not in a dictionary.
#[derive(Clone, Copy)]
pub(crate) enum Plain<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
}

/// Whether [`Text::new`] accepts such a column.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    let plain = |data_type: &DataType| {
        matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    };
    match data_type {
        DataType::Dictionary(_, values) => plain(values),
        other => plain(other),
    }
}

impl<'a> Text<'a> {
    /// None if the array is not text.
    pub(crate) fn new(array: &'a dyn Array) -> Option<Self> {
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            return Plain::new(array).map(Self::Plain);
        };
        let values = Plain::new(dictionary.values())?;
        if dictionary.values().is_empty() {
            return Some(Self::Nulls(array.len()));
        }
        let nulls = dictionary.keys().nulls();
        Some(Self::Dictionary { keys: dictionary.normalized_keys(), nulls, values })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Plain(plain) => plain.array().len(),
            Self::Dictionary { keys, .. } => keys.len(),
            Self::Nulls(rows) => *rows,
        }
    }

    /// Appends the text of some rows; none for null rows.
    pub(crate) fn lines(&self, rows: Range<usize>, into: &mut Vec<Option<&'a [u8]>>) {
        match self {
            Self::Plain(plain) => plain.lines(plain.array().nulls(), rows, |row| row, into),
            Self::Dictionary { keys, nulls, values } => {
                let of_values = values.array().nulls();
                let start = into.len();
                values.lines(None, rows.clone(), |row| keys[row], into);
                for (row, line) in rows.zip(&mut into[start..]) {
                    let null =
                        |nulls: &Option<&NullBuffer>, at| nulls.is_some_and(|n| n.is_null(at));
                    if null(nulls, row) || null(&of_values, keys[row]) {
                        *line = None;
                    }
                }
            }
            Self::Nulls(_) => into.extend(rows.map(|_| None)),
        }
    }
}

impl<'a> Plain<'a> {
    fn new(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Self::Utf8(array.as_string()),
            DataType::LargeUtf8 => Self::LargeUtf8(array.as_string()),
            DataType::Utf8View => Self::Utf8View(array.as_string_view()),
            _ => return None,
        })
    }

    fn array(&self) -> &'a dyn Array {
        match *self {
            Self::Utf8(array) => array,
            Self::LargeUtf8(array) => array,
            Self::Utf8View(array) => array,
        }
    }

    /// Appends the text at `place(row)` for each row that is not null in `nulls`.
    #[inline(always)]
    fn lines(
        &self,
        nulls: Option<&NullBuffer>,
        rows: Range<usize>,
        place: impl Fn(usize) -> usize,
        into: &mut Vec<Option<&'a [u8]>>,
    ) {
        let there = |row: &usize| nulls.is_none_or(|nulls| nulls.is_valid(*row));
        let rows = rows.map(|row| there(&row).then(|| place(row)));
        macro_rules! extend {
            ($array:expr) => {
                into.extend(rows.map(|row| row.map(|row| $array.value(row).as_bytes())))
            };
        }
        match *self {
            Self::Utf8(array) => extend!(array),
            Self::LargeUtf8(array) => extend!(array),
            Self::Utf8View(array) => extend!(array),
        }
    }
}
