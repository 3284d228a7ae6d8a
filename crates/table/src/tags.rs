//! The tags of games as columns. Tags to which the standard assigns a type have this type; all others are text.

use std::sync::Arc;

use arrow_array::types::Date32Type;
use arrow_array::{ArrayRef, Date32Array, Int32Array, StringArray, Time32MillisecondArray};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use chrono::{NaiveDate, NaiveTime, Timelike};
use setwise_formats::pgn;

pub(crate) fn tag_field(name: &str) -> Field {
    let data_type = match name {
        "WhiteElo" | "BlackElo" | "PlyCount" | "SetUp" | "Board" => DataType::Int32,
        "Date" | "UTCDate" | "EventDate" => DataType::Date32,
        "Time" | "UTCTime" => DataType::Time32(TimeUnit::Millisecond),
        _ => DataType::Utf8,
    };
    Field::new(name, data_type, true)
}

/// The columns of tags, with a row for each game.
pub(crate) fn columns_of(games: &pgn::Rows, schema: &Schema) -> Vec<ArrayRef> {
    let column = |(field, values): (&Arc<Field>, &pgn::Texts)| -> ArrayRef {
        let numbers =
            |read: fn(&str) -> Option<i32>| values.iter().map(move |tag| tag.and_then(read));
        match field.data_type() {
            DataType::Int32 => {
                Arc::new(numbers(|tag| tag.trim().parse().ok()).collect::<Int32Array>())
            }
            DataType::Date32 => Arc::new(numbers(days).collect::<Date32Array>()),
            DataType::Time32(_) => {
                Arc::new(numbers(milliseconds).collect::<Time32MillisecondArray>())
            }
            _ => Arc::new(values.iter().collect::<StringArray>()),
        }
    };
    schema.fields().iter().zip(&games.tags).map(column).collect()
}

/// Parses `2024.02.29` as days since 1970; `None` if a part is unknown or the date does not exist.
fn days(text: &str) -> Option<i32> {
    NaiveDate::parse_from_str(text.trim(), "%Y.%m.%d").ok().map(Date32Type::from_naive_date)
}

/// Parses `13:45:10` as milliseconds since midnight: Parquet has no times in seconds.
fn milliseconds(text: &str) -> Option<i32> {
    let time = NaiveTime::parse_from_str(text.trim(), "%H:%M:%S").ok();
    let time = time.filter(|time| time.nanosecond() == 0)?; // no leap second
    Some(1000 * time.num_seconds_from_midnight() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        for (text, expected) in [
            ("1970.01.01", Some(0)),
            ("1969.12.31", Some(-1)),
            ("2000.02.29", Some(11_016)),
            ("2000.03.01", Some(11_017)),
            ("2026.11.22", Some(20_779)),
            ("1851.06.21", Some(-43_293)),
            ("1900.02.29", None),
            ("2026.13.01", None),
            ("2026.04.31", None),
            ("2026.??.??", None),
            ("????.??.??", None),
            ("2026-11-22", None),
            ("", None),
            ("2026.11.22.1", None),
            ("99999999999.1.1", None),
        ] {
            assert_eq!(days(text), expected, "{text}");
        }
        for (text, expected) in [
            ("00:00:00", Some(0)),
            ("23:59:59", Some(86_399_000)),
            ("24:00:00", None),
            ("12:60:00", None),
            ("12:00", None),
            ("?", None),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
