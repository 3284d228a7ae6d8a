//! The column types of CSV and JSON Lines: guessed from the first rows and enforced for all others.

use std::error::Error;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Result, ensure};
use arrow_array::builder::StringBuilder;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchOptions,
    StringArray,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

/// The number of rows that determine the types.
pub(super) const SAMPLE: usize = 4096;

/// The kind of the cells of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// No cells so far.
    #[default]
    Nothing,
    Integer,
    Float,
    /// NaN and infinities: floats beside numbers, and text otherwise.
    NotFinite,
    Boolean,
    Text,
}

impl Kind {
    /// Classifies a cell, or a JSON value other than a string. A number that a conversion would change is text: 007,
    /// 1e400, and integers of more than 64 bits.
    pub(super) fn of(cell: &str) -> Self {
        let digits = cell.strip_prefix('-').unwrap_or(cell);
        match digits.as_bytes() {
            [] if cell.is_empty() => Self::Nothing,
            b"true" | b"false" if digits == cell => Self::Boolean,
            [b'0', b'0'..=b'9', ..] => Self::Text,
            all if all.iter().all(u8::is_ascii_digit) && cell != "-0" => {
                if cell.parse::<i64>().is_ok() { Self::Integer } else { Self::Text }
            }
            [b'0'..=b'9', ..] if cell.parse().is_ok_and(f64::is_finite) => Self::Float,
            _ if is_not_finite(cell) => Self::NotFinite,
            _ => Self::Text,
        }
    }

    pub(super) const fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, kind) | (kind, Self::Nothing) => kind,
            (Self::Integer, Self::Integer) => Self::Integer,
            (Self::Boolean, Self::Boolean) => Self::Boolean,
            (Self::NotFinite, Self::NotFinite) => Self::NotFinite,
            (
                Self::Integer | Self::Float | Self::NotFinite,
                Self::Integer | Self::Float | Self::NotFinite,
            ) => Self::Float,
            _ => Self::Text,
        }
    }

    const fn data_type(self) -> DataType {
        match self {
            Self::Integer => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Boolean => DataType::Boolean,
            Self::Nothing | Self::NotFinite | Self::Text => DataType::Utf8,
        }
    }
}

/// Returns whether a cell is NaN, inf or infinity, in upper or lower case, with or without a sign.
fn is_not_finite(cell: &str) -> bool {
    let name = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.parse::<f64>().is_ok()
}

pub(super) fn schema(columns: &[(String, Kind)]) -> SchemaRef {
    let field = |(name, kind): &(String, Kind)| Field::new(name, kind.data_type(), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Fails if a cell does not have the type of its column.
pub(super) fn check(
    field: &Field,
    kind: impl Fn() -> Kind,
    cell: &str,
    advice: &str,
) -> Result<()> {
    let (kind_of_column, expected) = match field.data_type() {
        DataType::Int64 => (Kind::Integer, "an integer"),
        DataType::Float64 => (Kind::Float, "a number"),
        DataType::Boolean => (Kind::Boolean, "true or false"),
        _ => return Ok(()),
    };
    let (name, fits) = (field.name(), kind_of_column.join(kind()) == kind_of_column);
    ensure!(
        fits,
        "column `{name}`: expected {expected}, as in the first rows, found {cell}{advice}"
    );
    Ok(())
}

/// Converts columns of text, whose cells have been checked, to the types of the schema.
pub(super) fn batch(
    schema: &SchemaRef,
    columns: Vec<StringBuilder>,
    rows: usize,
) -> Result<RecordBatch> {
    let typed = |(mut column, field): (StringBuilder, &Arc<Field>)| -> Result<ArrayRef> {
        let text = column.finish();
        Ok(match field.data_type() {
            DataType::Int64 => Arc::new(numbers::<Int64Type>(&text)?),
            DataType::Float64 => Arc::new(numbers::<Float64Type>(&text)?),
            DataType::Boolean => {
                let cells = text.iter().map(|cell| cell.map(|cell| cell == "true"));
                Arc::new(cells.collect::<BooleanArray>())
            }
            _ => Arc::new(text),
        })
    };
    let columns = columns.into_iter().zip(schema.fields()).map(typed).collect::<Result<_>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(schema.clone(), columns, &options)?)
}

fn numbers<T>(text: &StringArray) -> Result<PrimitiveArray<T>>
where
    T: ArrowPrimitiveType<Native: FromStr<Err: Error + Send + Sync + 'static>>,
{
    Ok(text.iter().map(|cell| cell.map(str::parse).transpose()).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn types_preserve_cells() {
        for (cells, kind) in [
            (&[""][..], Kind::Nothing),
            (&["0", "-1", "9223372036854775807", "-9223372036854775808"], Kind::Integer),
            (&["0.5", "-0", "-0.0", "1e3", "2E-7", "10.25"], Kind::Float),
            (&["true", "false"], Kind::Boolean),
            (
                &["007", "-01", "00", "01.5", "1e400", "9223372036854775808", "+1", "-", "-true"],
                Kind::Text,
            ),
            (&["NaN", "nan", "-NaN", "inf", "-inf", "+Inf", "Infinity"], Kind::NotFinite),
            (
                &[
                    "True", ".5", " 1", "1 ", "0x10", "1_0", "x", "[]", "+-inf", "nano", " NaN",
                    "+1e400", "infinite",
                ],
                Kind::Text,
            ),
        ] {
            for cell in cells {
                assert_eq!(Kind::of(cell), kind, "{cell:?}");
            }
        }
    }

    #[test]
    fn mixed_kinds_are_text_unless_all_are_numbers() {
        const ALL: [Kind; 6] =
            [Kind::Nothing, Kind::Integer, Kind::Float, Kind::NotFinite, Kind::Boolean, Kind::Text];
        for a in ALL {
            assert_eq!((a.join(a), a.join(Kind::Nothing), a.join(Kind::Text)).1, a);
            for b in ALL {
                assert_eq!(a.join(b), b.join(a));
                let numbers = [Kind::Integer, Kind::Float, Kind::NotFinite];
                let expected = match (a, b) {
                    (a, b) if a == b || b == Kind::Nothing => a,
                    (Kind::Nothing, b) => b,
                    (a, b) if numbers.contains(&a) && numbers.contains(&b) => Kind::Float,
                    _ => Kind::Text,
                };
                assert_eq!(a.join(b), expected, "{a:?} {b:?}");
            }
        }
    }
}
