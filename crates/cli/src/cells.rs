//! Formats cells of every type that is not nested as text: numbers in decimal, bytes in hexadecimal, dates and times in
//! ISO 8601. A list of integers becomes numbers separated by spaces.
//!
//! Integers, which are most of the cells, are written here. Arrow's formatter writes everything else; optimizing its
//! crate would take a quarter of a first build, so it is not optimized (`Cargo.toml`).

use std::fmt::{Display, Write as _};
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::{Array, ArrowPrimitiveType, downcast_integer};
use arrow_buffer::NullBuffer;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType};

/// Checks that cells of a type can be formatted.
///
/// # Errors
/// For nested types, except lists of integers; for unknown time zones.
pub(crate) fn check(data_type: &DataType) -> Result<(), ArrowError> {
    match data_type {
        DataType::Dictionary(_, values) => check(values),
        DataType::RunEndEncoded(_, values) => check(values.data_type()),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _)
            if item.data_type().is_integer() =>
        {
            Ok(())
        }
        DataType::Timestamp(_, Some(zone)) => zone.parse::<Tz>().map(|_| ()),
        nested if nested.is_nested() => Err(ArrowError::NotYetImplemented(format!(
            "expected one value per row, found {nested}"
        ))),
        _ => Ok(()),
    }
}

/// Appends the text of the cell in a row; nothing for a null. Fails for dates outside the calendar, and for lists with
/// nulls.
pub(crate) type Write<'a> = Box<dyn Fn(usize, &mut String) -> Result<(), ArrowError> + 'a>;

/// Returns a function that writes the cells of a column whose type can be formatted.
///
/// Everything that depends on the type is found here and not for each cell, because Arrow's crates are not optimized.
pub(crate) fn writer(array: &dyn Array) -> Result<Write<'_>, ArrowError> {
    const OPTIONS: FormatOptions<'_> = FormatOptions::new();
    macro_rules! integers {
        ($integer:ty) => {
            Ok(integers::<$integer>(array))
        };
    }
    downcast_integer! {
        array.data_type() => (integers),
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let ends = list.value_offsets();
            lists(array, list.values(), |row| ends[row] as usize..ends[row + 1] as usize)
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            let ends = list.value_offsets();
            lists(array, list.values(), |row| ends[row] as usize..ends[row + 1] as usize)
        }
        DataType::FixedSizeList(_, size) => {
            // A slice of such lists has a slice of the items.
            let (list, size) = (array.as_fixed_size_list(), *size as usize);
            lists(array, list.values(), move |row| row * size..(row + 1) * size)
        }
        _ => {
            let formatter = ArrayFormatter::try_new(array, &OPTIONS)?;
            Ok(Box::new(move |row, text| formatter.value(row).write(text)))
        }
    }
}

/// Writes the items of each list, which `range` returns for a row, separated by spaces.
fn lists<'a>(
    array: &'a dyn Array,
    items: &'a dyn Array,
    range: impl Fn(usize) -> Range<usize> + 'a,
) -> Result<Write<'a>, ArrowError> {
    let is_null = |nulls: Option<&NullBuffer>, at| nulls.is_some_and(|nulls| nulls.is_null(at));
    let (write, nulls, nulls_of_items) = (writer(items)?, array.nulls(), items.nulls());
    Ok(Box::new(move |row, text| {
        let range = if is_null(nulls, row) { 0..0 } else { range(row) };
        for item in range.clone() {
            if is_null(nulls_of_items, item) {
                let expected = "expected lists of integers, found a list with a null";
                return Err(ArrowError::NotYetImplemented(expected.to_owned()));
            }
            if item > range.start {
                text.push(' ');
            }
            write(item, text)?;
        }
        Ok(())
    }))
}

fn integers<'a, T: ArrowPrimitiveType<Native: Display>>(values: &'a dyn Array) -> Write<'a> {
    let numbers = values.as_primitive::<T>();
    Box::new(|row, text| {
        if numbers.is_valid(row) {
            write!(text, "{}", numbers.value(row)).expect("a string has room");
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::{Int16Builder, LargeListBuilder};
    use arrow_array::types::{Int8Type, Int32Type, UInt64Type};
    use arrow_array::*;
    use arrow_schema::Field;

    use super::*;

    /// Types whose texts other programs read again.
    #[test]
    fn cells_are_numbers_iso_dates_and_hexadecimal() {
        let mut lists = LargeListBuilder::new(Int16Builder::new());
        lists.append_value([Some(1), Some(-2)]);
        lists.append_null();
        lists.append_value([]);
        let pairs = [Some([7_u64, u64::MAX]), Some([0, 1]), None];
        let pairs = pairs.map(|pair| pair.map(|pair| pair.map(Some)));
        let dictionary: DictionaryArray<Int8Type> =
            vec![Some("b"), None, Some("a"), Some("b")].into_iter().collect();
        let runs: RunArray<Int32Type> = vec!["x", "x", "y"].into_iter().collect();
        let timestamp = TimestampMicrosecondArray::from(vec![1_700_000_000_000_001, -1]);
        let pairs_of_list = ListArray::from_iter_primitive::<UInt64Type, _, _>(pairs);
        let known: [(ArrayRef, &[&str]); 16] = [
            (Arc::new(NullArray::new(2)), &["", ""]),
            (Arc::new(BooleanArray::from(vec![Some(true), None])), &["true", ""]),
            (Arc::new(UInt64Array::from(vec![u64::MAX])), &["18446744073709551615"]),
            (
                Arc::new(Float32Array::from(vec![0.1, 1e10, f32::NAN])),
                &["0.1", "10000000000.0", "NaN"],
            ),
            (Arc::new(Float64Array::from(vec![-0.0, 1e300, 1e-7])), &["-0.0", "1e300", "1e-7"]),
            (Arc::new(Date32Array::from(vec![19_675, -1])), &["2023-11-14", "1969-12-31"]),
            (Arc::new(Time32SecondArray::from(vec![3661])), &["01:01:01"]),
            (
                Arc::new(timestamp.clone()),
                &["2023-11-14T22:13:20.000001", "1969-12-31T23:59:59.999999"],
            ),
            (
                Arc::new(timestamp.with_timezone("+02:00")),
                &["2023-11-15T00:13:20.000001+02:00", "1970-01-01T01:59:59.999999+02:00"],
            ),
            (Arc::new(LargeStringArray::from(vec![Some("a,b"), None])), &["a,b", ""]),
            (Arc::new(BinaryArray::from(vec![&[0, 255, 16][..], &[]])), &["00ff10", ""]),
            (Arc::new(dictionary.slice(1, 3)), &["", "a", "b"]),
            (Arc::new(runs.slice(1, 2)), &["x", "y"]),
            (Arc::new(lists.finish()), &["1 -2", "", ""]),
            (
                Arc::new(
                    FixedSizeListArray::from_iter_primitive::<UInt64Type, _, _>(pairs, 2)
                        .slice(1, 2),
                ),
                &["0 1", ""],
            ),
            (Arc::new(pairs_of_list.slice(1, 2)), &["0 1", ""]),
        ];
        for (array, expected) in known {
            check(array.data_type()).unwrap();
            let write = writer(&array).unwrap();
            let text = |row| {
                let mut text = String::new();
                write(row, &mut text).unwrap();
                text
            };
            let texts: Vec<_> = (0..array.len()).map(text).collect();
            assert_eq!(texts, expected, "{}", array.data_type());
        }
    }

    #[test]
    fn types_without_text() {
        let field = Arc::new(Field::new("a", DataType::Int8, true));
        let of_struct = DataType::Struct(vec![field].into());
        let of_text = Arc::new(Field::new("a", DataType::Utf8, true));
        for data_type in [&of_struct, &DataType::List(of_text)] {
            let error = check(data_type).unwrap_err().to_string();
            assert!(error.contains("expected one value per row, found"), "{error}");
        }
        let mut nulls = LargeListBuilder::new(Int16Builder::new());
        nulls.append_value([None]);
        let nulls = nulls.finish();
        let error = writer(&nulls).unwrap()(0, &mut String::new()).unwrap_err();
        assert!(error.to_string().contains("found a list with a null"), "{error}");
        let late = Date64Array::from(vec![i64::MAX]);
        assert!(writer(&late).unwrap()(0, &mut String::new()).is_err());
    }
}
