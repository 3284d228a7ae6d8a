//! The text of a cell, for every type of column that is not nested: numbers in decimal, bytes in hexadecimal, dates and
//! times by ISO 8601. A list of integers is its numbers, separated by spaces.

use std::fmt::{Display, Write as _};
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::*;
use arrow_array::{
    Array, PrimitiveArray, RunArray, downcast_integer_array, downcast_temporal_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, IntervalUnit, TimeUnit};
use chrono::SecondsFormat;

pub(crate) struct Cells<'a> {
    nulls: Option<&'a NullBuffer>,
    write: Write<'a>,
}

/// Appends the text of a valid cell.
type Write<'a> = Box<dyn Fn(usize, &mut String) -> Result<(), ArrowError> + 'a>;

impl<'a> Cells<'a> {
    /// # Errors
    /// For nested types, except lists of integers without nulls.
    pub(crate) fn of(array: &'a dyn Array) -> Result<Self, ArrowError> {
        Ok(Self { nulls: array.nulls(), write: writer(array)? })
    }

    /// Appends the text of a cell; nothing for a null.
    ///
    /// # Errors
    /// For dates outside of the calendar.
    pub(crate) fn write(&self, row: usize, text: &mut String) -> Result<(), ArrowError> {
        match self.nulls {
            Some(nulls) if nulls.is_null(row) => Ok(()),
            _ => (self.write)(row, text),
        }
    }
}

fn writer(array: &dyn Array) -> Result<Write<'_>, ArrowError> {
    Ok(match array.data_type() {
        DataType::Null => Box::new(|_, _| Ok(())),
        DataType::Boolean => displayed(|row| array.as_boolean().value(row)),
        integer if integer.is_integer() => {
            downcast_integer_array!(array => integers(array), _ => unreachable!("an integer"))
        }
        DataType::Float16 => displayed(|row| array.as_primitive::<Float16Type>().value(row)),
        DataType::Float32 => floats(array.as_primitive::<Float32Type>()),
        DataType::Float64 => floats(array.as_primitive::<Float64Type>()),
        DataType::Decimal32(..) => decimals::<Decimal32Type>(array),
        DataType::Decimal64(..) => decimals::<Decimal64Type>(array),
        DataType::Decimal128(..) => decimals::<Decimal128Type>(array),
        DataType::Decimal256(..) => decimals::<Decimal256Type>(array),
        DataType::Duration(TimeUnit::Second) => durations::<DurationSecondType>(array),
        DataType::Duration(TimeUnit::Millisecond) => durations::<DurationMillisecondType>(array),
        DataType::Duration(TimeUnit::Microsecond) => durations::<DurationMicrosecondType>(array),
        DataType::Duration(TimeUnit::Nanosecond) => durations::<DurationNanosecondType>(array),
        DataType::Interval(unit) => intervals(array, *unit),
        time if time.is_temporal() => {
            downcast_temporal_array!(array => times(array)?, _ => unreachable!("a time"))
        }
        DataType::Utf8 => displayed(|row| array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => displayed(|row| array.as_string::<i64>().value(row)),
        DataType::Utf8View => displayed(|row| array.as_string_view().value(row)),
        DataType::Binary => bytes(|row| array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => bytes(|row| array.as_binary::<i64>().value(row)),
        DataType::BinaryView => bytes(|row| array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => bytes(|row| array.as_fixed_size_binary().value(row)),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = Cells::of(dictionary.values())?;
            // Without values all keys are null, and cannot be normalized.
            let is_empty = dictionary.values().is_empty();
            let keys = if is_empty { Vec::new() } else { dictionary.normalized_keys() };
            Box::new(move |row, text| values.write(keys[row], text))
        }
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => runs::<Int16Type>(array)?,
            DataType::Int32 => runs::<Int32Type>(array)?,
            _ => runs::<Int64Type>(array)?,
        },
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            let ends = lists.offsets();
            joined(array, lists.values(), |row| ends[row] as usize..ends[row + 1] as usize)?
        }
        DataType::FixedSizeList(_, length) => {
            let length = *length as usize;
            let items = array.as_fixed_size_list().values();
            joined(array, items, move |row| row * length..(row + 1) * length)?
        }
        _ => return Err(nested(array)),
    })
}

fn nested(array: &dyn Array) -> ArrowError {
    ArrowError::NotYetImplemented(format!("a cell of type {} is not one value", array.data_type()))
}

fn displayed<'a, T: Display>(value: impl Fn(usize) -> T + 'a) -> Write<'a> {
    Box::new(move |row, text| {
        let _ = write!(text, "{}", value(row)); // writing to memory does not fail
        Ok(())
    })
}

fn integers<T: ArrowPrimitiveType<Native: itoa::Integer>>(array: &PrimitiveArray<T>) -> Write<'_> {
    let values = array.values();
    Box::new(move |row, text| {
        text.push_str(itoa::Buffer::new().format(values[row]));
        Ok(())
    })
}

fn floats<T: ArrowPrimitiveType<Native: ryu::Float>>(array: &PrimitiveArray<T>) -> Write<'_> {
    Box::new(move |row, text| {
        text.push_str(ryu::Buffer::new().format(array.value(row)));
        Ok(())
    })
}

fn decimals<T: DecimalType>(array: &dyn Array) -> Write<'_> {
    displayed(|row| array.as_primitive::<T>().value_as_string(row))
}

fn bytes<'a>(value: impl Fn(usize) -> &'a [u8] + 'a) -> Write<'a> {
    Box::new(move |row, text| {
        for byte in value(row) {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(())
    })
}

/// Dates, times of day, and both.
fn times<T: ArrowTemporalType>(array: &PrimitiveArray<T>) -> Result<Write<'_>, ArrowError>
where
    i64: From<T::Native>,
{
    let zone = match array.data_type() {
        DataType::Timestamp(_, Some(zone)) => Some(zone.parse::<Tz>()?),
        _ => None,
    };
    let shown = move |row| match (array.data_type(), zone) {
        (DataType::Date32, _) => Some(format!("{:?}", array.value_as_date(row)?)),
        (DataType::Time32(_) | DataType::Time64(_), _) => {
            Some(format!("{:?}", array.value_as_time(row)?))
        }
        (_, Some(zone)) => {
            let time = array.value_as_datetime_with_tz(row, zone)?;
            Some(time.to_rfc3339_opts(SecondsFormat::AutoSi, true))
        }
        _ => Some(format!("{:?}", array.value_as_datetime(row)?)),
    };
    Ok(known(array, shown))
}

fn durations<T: ArrowTemporalType>(array: &dyn Array) -> Write<'_>
where
    i64: From<T::Native>,
{
    known(array, |row| Some(array.as_primitive::<T>().value_as_duration(row)?.to_string()))
}

/// Cells that have a text if they are in some range.
fn known<'a>(array: &'a dyn Array, shown: impl Fn(usize) -> Option<String> + 'a) -> Write<'a> {
    Box::new(move |row, text| match shown(row) {
        Some(shown) => {
            text.push_str(&shown);
            Ok(())
        }
        None => {
            let data_type = array.data_type();
            Err(ArrowError::CastError(format!("a value is out of the range of {data_type}")))
        }
    })
}

/// Spans of months, days and parts of a day, as in `2 mons 1 days 3 hours 0.500000000 secs`.
fn intervals(array: &dyn Array, unit: IntervalUnit) -> Write<'_> {
    match unit {
        IntervalUnit::YearMonth => displayed(|row| {
            let months = array.as_primitive::<IntervalYearMonthType>().value(row);
            format!("{} years {} mons", months.div_euclid(12), months.rem_euclid(12))
        }),
        IntervalUnit::DayTime => displayed(|row| {
            let value = array.as_primitive::<IntervalDayTimeType>().value(row);
            interval(0, value.days, value.milliseconds.into(), 3)
        }),
        IntervalUnit::MonthDayNano => displayed(|row| {
            let value = array.as_primitive::<IntervalMonthDayNanoType>().value(row);
            interval(value.months, value.days, value.nanoseconds, 9)
        }),
    }
}

/// A span, with its parts of a day in units of 10^-`digits` seconds.
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

fn runs<T: RunEndIndexType>(array: &dyn Array) -> Result<Write<'_>, ArrowError> {
    let runs: &RunArray<T> = array.as_run();
    let values = Cells::of(runs.values())?;
    Ok(Box::new(move |row, text| values.write(runs.get_physical_index(row), text)))
}

/// The items of lists in one cell.
fn joined<'a>(
    array: &dyn Array,
    items: &'a dyn Array,
    range: impl Fn(usize) -> Range<usize> + 'a,
) -> Result<Write<'a>, ArrowError> {
    if !items.data_type().is_integer() || items.null_count() > 0 {
        return Err(nested(array));
    }
    let items = Cells::of(items)?;
    Ok(Box::new(move |row, text| {
        for (i, item) in range(row).enumerate() {
            if i > 0 {
                text.push(' ');
            }
            items.write(item, text)?;
        }
        Ok(())
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::*;
    use arrow_array::*;
    use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano, i256};
    use arrow_schema::Field;

    use super::*;

    /// Every type, with the texts that arrow-cast 59 gives.
    fn arrays() -> Vec<(ArrayRef, &'static [&'static str])> {
        let timestamp = TimestampMicrosecondArray::from(vec![1_700_000_000_000_001, -1]);
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
        for (array, expected) in arrays() {
            let cells = Cells::of(&array).unwrap();
            let text = |row| {
                let mut text = String::new();
                cells.write(row, &mut text).unwrap();
                text
            };
            let texts: Vec<_> = (0..array.len()).map(text).collect();
            assert_eq!(texts, expected, "{}", array.data_type());
        }
    }

    #[test]
    fn what_has_no_text() {
        let field = Arc::new(Field::new("a", DataType::Int8, true));
        let mut nulls = LargeListBuilder::new(Int16Builder::new());
        nulls.append_value([None]);
        for array in [
            new_empty_array(&DataType::Struct(vec![field.clone()].into())),
            new_empty_array(&DataType::List(field)),
            Arc::new(nulls.finish()),
        ] {
            let error = Cells::of(&array).err().unwrap().to_string();
            assert!(error.contains("is not one value"), "{error}");
        }
        let late = Date64Array::from(vec![i64::MAX]);
        assert!(Cells::of(&late).unwrap().write(0, &mut String::new()).is_err());
    }
}
