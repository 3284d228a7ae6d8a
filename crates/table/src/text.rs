//! A common view of every Arrow type for text: three layouts, and dictionaries of each.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayAccessor};
use arrow_schema::DataType;

use crate::error::Error;

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

pub(crate) fn is_text(data_type: &DataType) -> bool {
    let plain = |data_type: &DataType| {
        matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
    };
    match data_type {
        DataType::Dictionary(_, values) => plain(values),
        other => plain(other),
    }
}

/// The text of each row of a column; none for nulls.
///
/// # Errors
/// If the column is not text.
pub(crate) fn lines<'a>(name: &str, array: &'a dyn Array) -> Result<Vec<Option<&'a str>>, Error> {
    fn texts(
        array: &dyn Array,
        rows: impl Iterator<Item = Option<usize>>,
    ) -> Option<Vec<Option<&str>>> {
        fn of<'a>(
            array: impl ArrayAccessor<Item = &'a str>,
            rows: impl Iterator<Item = Option<usize>>,
        ) -> Vec<Option<&'a str>> {
            rows.map(|row| row.map(|row| array.value(row))).collect()
        }
        match array.data_type() {
            DataType::Utf8 => Some(of(array.as_string::<i32>(), rows)),
            DataType::LargeUtf8 => Some(of(array.as_string::<i64>(), rows)),
            DataType::Utf8View => Some(of(array.as_string_view(), rows)),
            _ => None,
        }
    }
    let lines = match array.as_any_dictionary_opt() {
        // Without values all keys are null, and cannot be normalized.
        Some(dictionary) if dictionary.values().is_empty() => {
            is_text(array.data_type()).then(|| vec![None; array.len()])
        }
        Some(dictionary) => {
            let (keys, values) = (dictionary.keys(), dictionary.values());
            let places = dictionary.normalized_keys().into_iter().enumerate();
            let is_valid = |&(row, at): &(usize, usize)| keys.is_valid(row) && values.is_valid(at);
            texts(values, places.map(|place| is_valid(&place).then_some(place.1)))
        }
        None => texts(array, (0..array.len()).map(|row| array.is_valid(row).then_some(row))),
    };
    lines.ok_or_else(|| Error::Type(name.to_owned(), array.data_type().clone(), TEXT))
}
