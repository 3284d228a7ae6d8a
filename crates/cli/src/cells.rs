//! Formats cells of every type that is not nested as text: numbers in decimal, bytes in hexadecimal, dates and times in
//! ISO 8601. A list of integers becomes numbers separated by spaces.

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::*;
use arrow_array::{
    Array, PrimitiveArray, downcast_dictionary_array, downcast_integer_array, downcast_run_array,
    downcast_temporal_array,
};
use arrow_schema::{ArrowError, DataType, IntervalUnit, TimeUnit};
use chrono::SecondsFormat;

/// Checks that cells of a type can be formatted.
///
/// # Errors
/// For nested types, except lists of integers; for unknown time zones.
pub(crate) fn check(data_type: &DataType) -> Result<(), ArrowError> {
    match data_type {
        DataType::Dictionary(_, values) => check(values),
        DataType::RunEndEncoded(_, values) => check(values.data_type()),
        DataType::LargeList(item) | DataType::FixedSizeList(item, _)
            if item.data_type().is_integer() =>
        {
            Ok(())
        }
        DataType::Timestamp(_, Some(zone)) => zone.parse::<Tz>().map(|_| ()),
        nested if nested.is_nested() => Err(nested_error(nested)),
        _ => Ok(()),
    }
}

fn nested_error(data_type: &DataType) -> ArrowError {
    ArrowError::NotYetImplemented(format!("a cell of type {data_type} is not one value"))
}

/// Appends the text of a cell; nothing for a null.
///
/// # Errors
/// For dates outside the calendar, for lists with nulls, and as for [`check`].
pub(crate) fn write(array: &dyn Array, row: usize, text: &mut String) -> Result<(), ArrowError> {
    if array.is_null(row) {
        return Ok(());
    }
    let shown = match array.data_type() {
        DataType::Null => Some(String::new()),
        DataType::Boolean => Some(array.as_boolean().value(row).to_string()),
        integer if integer.is_integer() => {
            downcast_integer_array!(
                array => text.push_str(itoa::Buffer::new().format(array.value(row))),
                _ => unreachable!("an integer")
            );
            return Ok(());
        }
        DataType::Float16 => Some(array.as_primitive::<Float16Type>().value(row).to_string()),
        DataType::Float32 => {
            let value = array.as_primitive::<Float32Type>().value(row);
            Some(ryu::Buffer::new().format(value).to_owned())
        }
        DataType::Float64 => {
            let value = array.as_primitive::<Float64Type>().value(row);
            Some(ryu::Buffer::new().format(value).to_owned())
        }
        DataType::Decimal32(..) => Some(decimal::<Decimal32Type>(array, row)),
        DataType::Decimal64(..) => Some(decimal::<Decimal64Type>(array, row)),
        DataType::Decimal128(..) => Some(decimal::<Decimal128Type>(array, row)),
        DataType::Decimal256(..) => Some(decimal::<Decimal256Type>(array, row)),
        DataType::Duration(TimeUnit::Second) => duration::<DurationSecondType>(array, row),
        DataType::Duration(TimeUnit::Millisecond) => {
            duration::<DurationMillisecondType>(array, row)
        }
        DataType::Duration(TimeUnit::Microsecond) => {
            duration::<DurationMicrosecondType>(array, row)
        }
        DataType::Duration(TimeUnit::Nanosecond) => duration::<DurationNanosecondType>(array, row),
        DataType::Interval(unit) => Some(span(array, *unit, row)),
        DataType::Utf8 => return push(text, array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => return push(text, array.as_string::<i64>().value(row)),
        DataType::Utf8View => return push(text, array.as_string_view().value(row)),
        DataType::Binary => Some(hexadecimal(array.as_binary::<i32>().value(row))),
        DataType::LargeBinary => Some(hexadecimal(array.as_binary::<i64>().value(row))),
        DataType::BinaryView => Some(hexadecimal(array.as_binary_view().value(row))),
        DataType::FixedSizeBinary(_) => Some(hexadecimal(array.as_fixed_size_binary().value(row))),
        DataType::Dictionary(..) => {
            let key = downcast_dictionary_array!(
                array => array.key(row),
                _ => unreachable!("a dictionary")
            );
            let values = array.as_any_dictionary().values();
            return key.map_or(Ok(()), |key| write(values, key, text));
        }
        DataType::RunEndEncoded(..) => downcast_run_array!(
            array => return write(array.values(), array.get_physical_index(row), text),
            _ => unreachable!("runs")
        ),
        DataType::LargeList(_) => return items(array, &array.as_list::<i64>().value(row), text),
        DataType::FixedSizeList(..) => {
            return items(array, &array.as_fixed_size_list().value(row), text);
        }
        time if time.is_temporal() => {
            downcast_temporal_array!(array => time_of(array, row)?, _ => unreachable!("a time"))
        }
        nested => return Err(nested_error(nested)),
    };
    let out_of_range = || {
        let data_type = array.data_type();
        ArrowError::CastError(format!("a value is out of the range of {data_type}"))
    };
    push(text, &shown.ok_or_else(out_of_range)?)
}

fn push(text: &mut String, shown: &str) -> Result<(), ArrowError> {
    text.push_str(shown);
    Ok(())
}

fn decimal<T: DecimalType>(array: &dyn Array, row: usize) -> String {
    array.as_primitive::<T>().value_as_string(row)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Appends the items of a list.
fn items(list: &dyn Array, items: &dyn Array, text: &mut String) -> Result<(), ArrowError> {
    if items.null_count() > 0 {
        return Err(nested_error(list.data_type()));
    }
    for item in 0..items.len() {
        if item > 0 {
            text.push(' ');
        }
        write(items, item, text)?;
    }
    Ok(())
}

/// A date, a time of day, or both.
fn time_of<T: ArrowTemporalType>(
    array: &PrimitiveArray<T>,
    row: usize,
) -> Result<Option<String>, ArrowError>
where
    i64: From<T::Native>,
{
    Ok(match array.data_type() {
        DataType::Date32 => array.value_as_date(row).map(|date| format!("{date:?}")),
        DataType::Time32(_) | DataType::Time64(_) => {
            array.value_as_time(row).map(|time| format!("{time:?}"))
        }
        DataType::Timestamp(_, Some(zone)) => {
            let time = array.value_as_datetime_with_tz(row, zone.parse::<Tz>()?);
            time.map(|time| time.to_rfc3339_opts(SecondsFormat::AutoSi, true))
        }
        _ => array.value_as_datetime(row).map(|time| format!("{time:?}")),
    })
}

fn duration<T: ArrowTemporalType>(array: &dyn Array, row: usize) -> Option<String>
where
    i64: From<T::Native>,
{
    Some(array.as_primitive::<T>().value_as_duration(row)?.to_string())
}

/// Formats a span of months, days and parts of a day: `2 mons 1 days 3 hours 0.500000000 secs`.
fn span(array: &dyn Array, unit: IntervalUnit, row: usize) -> String {
    match unit {
        IntervalUnit::YearMonth => {
            let months = array.as_primitive::<IntervalYearMonthType>().value(row);
            format!("{} years {} mons", months.div_euclid(12), months.rem_euclid(12))
        }
        IntervalUnit::DayTime => {
            let value = array.as_primitive::<IntervalDayTimeType>().value(row);
            interval(0, value.days, value.milliseconds.into(), 3)
        }
        IntervalUnit::MonthDayNano => {
            let value = array.as_primitive::<IntervalMonthDayNanoType>().value(row);
            interval(value.months, value.days, value.nanoseconds, 9)
        }
    }
}

/// Formats a span. `time` is in units of 10^-`digits` seconds.
fn interval(months: i32, days: i32, time: i64, digits: usize) -> String {
    let second = 10_i64.pow(digits as u32);
    let (minutes, rest) = (time / (60 * second), time % (60 * second));
    let parts = [
        (months.into(), "mons"),
        (days.into(), "days"),
        (minutes / 60, "hours"),
        (minutes % 60, "mins"),
    ];
    let mut texts: Vec<_> = parts
        .iter()
        .filter(|(number, _)| *number != 0)
        .map(|(number, unit)| format!("{number} {unit}"))
        .collect();
    if rest != 0 {
        let (sign, rest) = (if rest < 0 { "-" } else { "" }, rest.abs());
        texts.push(format!("{sign}{}.{:0digits$} secs", rest / second, rest % second));
    }
    if texts.is_empty() { "0 secs".to_owned() } else { texts.join(" ") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::*;
    use arrow_array::*;
    use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano, i256};
    use arrow_schema::Field;

    use super::*;

    /// Arrays with the texts of arrow-cast 59.
    type Known = Vec<(ArrayRef, &'static [&'static str])>;

    fn numbers() -> Known {
        vec![
            (Arc::new(NullArray::new(2)), &["", ""]),
            (
                Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])),
                &["true", "false", ""],
            ),
            (Arc::new(Int8Array::from(vec![i8::MIN, 5])), &["-128", "5"]),
            (
                Arc::new(UInt64Array::from(vec![Some(u64::MAX), None])),
                &["18446744073709551615", ""],
            ),
            (Arc::new(Float16Array::from_iter_values([Float16Type::default_value()])), &["0"]),
            (
                Arc::new(Float32Array::from(vec![0.1, 1e10, f32::NAN])),
                &["0.1", "10000000000.0", "NaN"],
            ),
            (
                Arc::new(Float64Array::from(vec![1.0, -0.0, 1e300, 1e-7, f64::NEG_INFINITY])),
                &["1.0", "-0.0", "1e300", "1e-7", "-inf"],
            ),
            (
                Arc::new(Decimal32Array::from(vec![-5]).with_precision_and_scale(5, 3).unwrap()),
                &["-0.005"],
            ),
            (
                Arc::new(Decimal64Array::from(vec![12345]).with_precision_and_scale(9, 2).unwrap()),
                &["123.45"],
            ),
            (
                Arc::new(
                    Decimal128Array::from(vec![12345]).with_precision_and_scale(9, -2).unwrap(),
                ),
                &["1234500"],
            ),
            (
                Arc::new(
                    Decimal256Array::from(vec![i256::from(7)])
                        .with_precision_and_scale(9, 0)
                        .unwrap(),
                ),
                &["7"],
            ),
        ]
    }

    fn times() -> Known {
        let timestamp = TimestampMicrosecondArray::from(vec![1_700_000_000_000_001, -1]);
        vec![
            (Arc::new(Date32Array::from(vec![19_675, -1])), &["2023-11-14", "1969-12-31"]),
            (Arc::new(Date64Array::from(vec![86_400_000])), &["1970-01-02T00:00:00"]),
            (Arc::new(Time32SecondArray::from(vec![3661])), &["01:01:01"]),
            (Arc::new(Time32MillisecondArray::from(vec![1])), &["00:00:00.001"]),
            (Arc::new(Time64MicrosecondArray::from(vec![1])), &["00:00:00.000001"]),
            (Arc::new(Time64NanosecondArray::from(vec![60_000_000_000])), &["00:01:00"]),
            (
                Arc::new(timestamp.clone()),
                &["2023-11-14T22:13:20.000001", "1969-12-31T23:59:59.999999"],
            ),
            (
                Arc::new(timestamp.with_timezone("+02:00")),
                &["2023-11-15T00:13:20.000001+02:00", "1970-01-01T01:59:59.999999+02:00"],
            ),
            (
                Arc::new(TimestampSecondArray::from(vec![0]).with_timezone("UTC")),
                &["1970-01-01T00:00:00Z"],
            ),
            (Arc::new(DurationSecondArray::from(vec![90_061])), &["PT90061S"]),
            (Arc::new(DurationNanosecondArray::from(vec![-1])), &["-PT0.000000001S"]),
            (
                Arc::new(IntervalYearMonthArray::from(vec![-1, 25])),
                &["-1 years 11 mons", "2 years 1 mons"],
            ),
            (
                Arc::new(IntervalDayTimeArray::from(vec![
                    IntervalDayTime::new(2, -3_600_500),
                    IntervalDayTime::new(0, 0),
                ])),
                &["2 days -1 hours -0.500 secs", "0 secs"],
            ),
            (
                Arc::new(IntervalMonthDayNanoArray::from(vec![IntervalMonthDayNano::new(
                    1,
                    -2,
                    61_000_000_001,
                )])),
                &["1 mons -2 days 1 mins 1.000000001 secs"],
            ),
        ]
    }

    fn texts_and_lists() -> Known {
        let mut lists = LargeListBuilder::new(Int16Builder::new());
        lists.append_value([Some(1), Some(-2)]);
        lists.append_null();
        lists.append_value([]);
        let pairs = [[7_u64, u64::MAX], [0, 1]];
        let pairs = pairs.iter().map(|pair| Some(pair.map(Some)));
        let dictionary: DictionaryArray<Int8Type> =
            vec![Some("b"), None, Some("a"), Some("b")].into_iter().collect();
        let runs: RunArray<Int32Type> = vec!["x", "x", "y"].into_iter().collect();
        let binary: [&[u8]; 2] = [&[0, 255, 16], &[]];
        vec![
            (Arc::new(LargeStringArray::from(vec![Some("a,b"), None])), &["a,b", ""]),
            (Arc::new(StringViewArray::from(vec!["a \"quoted\" text"])), &["a \"quoted\" text"]),
            (Arc::new(BinaryArray::from(binary.to_vec())), &["00ff10", ""]),
            (Arc::new(BinaryViewArray::from(binary.to_vec())), &["00ff10", ""]),
            (
                Arc::new(FixedSizeBinaryArray::try_from_iter([[1_u8, 2]].into_iter()).unwrap()),
                &["0102"],
            ),
            (Arc::new(dictionary.slice(1, 3)), &["", "a", "b"]),
            (Arc::new(runs.slice(1, 2)), &["x", "y"]),
            (Arc::new(lists.finish()), &["1 -2", "", ""]),
            (
                Arc::new(FixedSizeListArray::from_iter_primitive::<UInt64Type, _, _>(pairs, 2)),
                &["7 18446744073709551615", "0 1"],
            ),
        ]
    }

    #[test]
    fn cells_of_every_type() {
        for (array, expected) in [numbers(), times(), texts_and_lists()].concat() {
            check(array.data_type()).unwrap();
            let text = |row| {
                let mut text = String::new();
                write(&array, row, &mut text).unwrap();
                text
            };
            let texts: Vec<_> = (0..array.len()).map(text).collect();
            assert_eq!(texts, expected, "{}", array.data_type());
        }
    }

    #[test]
    fn types_without_text() {
        let field = Arc::new(Field::new("a", DataType::Int8, true));
        let of_struct = DataType::Struct(vec![field.clone()].into());
        for data_type in [&of_struct, &DataType::List(field)] {
            let error = check(data_type).unwrap_err().to_string();
            assert!(error.contains("is not one value"), "{error}");
        }
        let mut nulls = LargeListBuilder::new(Int16Builder::new());
        nulls.append_value([None]);
        let error = write(&nulls.finish(), 0, &mut String::new()).unwrap_err().to_string();
        assert!(error.contains("is not one value"), "{error}");
        let late = Date64Array::from(vec![i64::MAX]);
        assert!(write(&late, 0, &mut String::new()).is_err());
    }
}
