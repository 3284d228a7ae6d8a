//! The cells of Arrow columns of any type: numbers, truth values and texts.

use std::fmt;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Float16Type, Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, downcast_integer_array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;

use crate::text::{is_text, lines};

/// Returns whether the values of a type are numbers.
pub(crate) fn is_number(of: &DataType) -> bool {
    of.is_integer() || of.is_floating() || matches!(of, DataType::Decimal128(..))
}

/// The values of a column in some rows.
pub(crate) struct Operands<'a> {
    pub(crate) cells: Cells<'a>,
    pub(crate) nulls: Option<NullBuffer>,
}

pub(crate) enum Cells<'a> {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
    Bools(BooleanBuffer),
    Texts(Vec<Option<&'a str>>),
}

impl<'a> Operands<'a> {
    pub(crate) fn of_array(array: &'a ArrayRef) -> Self {
        let texts = || Cells::Texts(lines("", array).unwrap_or_else(|_| vec![None; array.len()]));
        let cells = match array.data_type() {
            DataType::Float16 => {
                let values = array.as_primitive::<Float16Type>().values();
                Cells::Floats(values.iter().map(|&value| value.into()).collect())
            }
            DataType::Float32 => {
                let values = array.as_primitive::<Float32Type>().values();
                Cells::Floats(values.iter().map(|&value| decimal(value)).collect())
            }
            DataType::Float64 => {
                Cells::Floats(array.as_primitive::<Float64Type>().values().to_vec())
            }
            DataType::Decimal128(_, 0) => {
                Cells::Integers(array.as_primitive::<Decimal128Type>().values().to_vec())
            }
            &DataType::Decimal128(_, scale) => {
                let one = 10f64.powi(scale.into());
                let float = |value: &i128| match value.unsigned_abs() {
                    // Both numbers are exact, so that only the quotient is rounded.
                    0..=0x20_0000_0000_0000 if (0..=22).contains(&scale) => *value as f64 / one,
                    _ => format!("{value}e{}", -i32::from(scale)).parse().expect("a number"),
                };
                let values = array.as_primitive::<Decimal128Type>().values();
                Cells::Floats(values.iter().map(float).collect())
            }
            DataType::Boolean => Cells::Bools(array.as_boolean().values().clone()),
            _ => downcast_integer_array!(
                array => Cells::Integers(array.values().iter().map(|&value| value.into()).collect()),
                _ => texts()
            ),
        };
        let nulls = match &cells {
            // The values of a dictionary can be null, too.
            Cells::Texts(texts) if is_text(array.data_type()) => {
                Some(texts.iter().map(Option::is_some).collect())
            }
            _ => array.logical_nulls(),
        };
        Self { cells, nulls }
    }

    /// The value in a row. Text is trimmed; truth values count as missing.
    pub(crate) fn cell(&self, row: usize) -> Option<Scalar<'a>> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        Some(match &self.cells {
            Cells::Integers(values) => Scalar::Integer(values[row]),
            Cells::Floats(values) => Scalar::Float(values[row]),
            Cells::Bools(_) => return None,
            Cells::Texts(values) => Scalar::Text(values[row]?.trim_ascii()),
        })
    }
}

/// The decimal number as which a 32-bit number is written: 0.1 instead of 0.10000000149011612, so that it equals the number
/// in a condition or in a text file.
fn decimal(value: f32) -> f64 {
    let exact = f64::from(value);
    let rounded = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6].map(|one| (exact * one).round() / one);
    rounded.into_iter().find(|&rounded| rounded as f32 == value).unwrap_or(exact)
}

/// Converts an integer, or a float without a fraction, to an integer. Any other value is returned as the error.
pub(crate) fn integer(found: Option<Scalar<'_>>) -> Result<Option<i32>, Scalar<'_>> {
    let Some(found) = found else { return Ok(None) };
    let integer = match found {
        Scalar::Text(text) if text.is_empty() || is_nan(text) => return Ok(None),
        Scalar::Float(value) if value.is_nan() => return Ok(None),
        Scalar::Integer(value) => i32::try_from(value).ok(),
        Scalar::Float(value) if value.fract() == 0.0 && value.abs() < f64::from(i32::MAX) => {
            Some(value as i32)
        }
        Scalar::Text(text) => {
            let whole =
                text.split_once('.').filter(|(_, rest)| rest.bytes().all(|byte| byte == b'0'));
            whole.map_or(text, |(whole, _)| whole).parse().ok()
        }
        Scalar::Float(_) => None,
    };
    integer.map(Some).ok_or(found)
}

/// Returns whether a text is a missing number, as Polars (`NaN`) and DuckDB (`nan`) write it.
pub(crate) fn is_nan(text: &str) -> bool {
    text.eq_ignore_ascii_case("nan")
}

/// A value in a column.
#[derive(Clone, Copy)]
pub(crate) enum Scalar<'a> {
    Integer(i128),
    Float(f64),
    Text(&'a str),
}

impl fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Text(text) => text.fmt(f),
        }
    }
}
