//! Evaluates conditions on many rows, with three truth values: a comparison with a null is neither true nor false.
//! *And* is the minimum, *or* the maximum.

use std::cmp::Ordering;
use std::fmt;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, downcast_integer_array};
use arrow_schema::DataType;

use crate::condition::{Expression, Operand, Operator, Term};
use crate::text::lines;

const FALSE: u8 = 0;
const UNKNOWN: u8 = 1;
pub(crate) const TRUE: u8 = 2;

/// The values of a column in some rows.
pub(crate) struct Operands<'a> {
    cells: Cells<'a>,
    /// For each row, true if it has a value.
    valid: Option<Vec<bool>>,
}

enum Cells<'a> {
    Integers(Vec<i128>),
    Floats(Vec<f64>),
    Bools(Vec<bool>),
    Texts(Vec<Option<&'a str>>),
}

impl<'a> Operands<'a> {
    pub(crate) fn of_array(array: &'a ArrayRef) -> Self {
        let texts = || Cells::Texts(lines("", array).unwrap_or_else(|_| vec![None; array.len()]));
        let cells = match array.data_type() {
            DataType::Float32 => {
                let values = array.as_primitive::<Float32Type>().values();
                Cells::Floats(values.iter().map(|&value| value.into()).collect())
            }
            DataType::Float64 => {
                Cells::Floats(array.as_primitive::<Float64Type>().values().to_vec())
            }
            DataType::Boolean => Cells::Bools(array.as_boolean().values().iter().collect()),
            _ => downcast_integer_array!(
                array => Cells::Integers(array.values().iter().map(|&value| value.into()).collect()),
                _ => texts()
            ),
        };
        let valid = match &cells {
            Cells::Texts(texts) => Some(texts.iter().map(Option::is_some).collect()),
            _ => array.nulls().map(|nulls| nulls.iter().collect()),
        };
        Self { cells, valid }
    }

    pub(crate) fn scalar(&self, row: usize) -> Option<Scalar<'a>> {
        if self.valid.as_ref().is_some_and(|valid| !valid[row]) {
            return None;
        }
        Some(match &self.cells {
            Cells::Integers(values) => Scalar::Integer(values[row]),
            Cells::Floats(values) => Scalar::Float(values[row]),
            Cells::Bools(values) => Scalar::Bool(values[row]),
            Cells::Texts(values) => Scalar::Text(values[row]?),
        })
    }
}

/// Returns the value of a column in a row. Text is trimmed; booleans count as missing.
pub(crate) fn cell<'a>(column: Option<&Operands<'a>>, row: usize) -> Option<Scalar<'a>> {
    match column?.scalar(row)? {
        Scalar::Text(text) => Some(Scalar::Text(text.trim_ascii())),
        Scalar::Bool(_) => None,
        number => Some(number),
    }
}

/// Converts an integer, or a float without a fraction, to an integer. Any other value is returned as the error.
pub(crate) fn integer(found: Option<Scalar<'_>>) -> Result<Option<i32>, Scalar<'_>> {
    let Some(found) = found else { return Ok(None) };
    let integer = match found {
        Scalar::Text("") => return Ok(None),
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
        Scalar::Float(_) | Scalar::Bool(_) => None,
    };
    integer.map(Some).ok_or(found)
}

impl fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Text(text) => text.fmt(f),
            Self::Bool(value) => value.fmt(f),
        }
    }
}

impl Operator {
    /// Returns whether the comparison holds for this order. The order is `None` if one of the values is not a number.
    #[inline(always)]
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Self::Equal => order == Some(Ordering::Equal),
            Self::NotEqual => order != Some(Ordering::Equal),
            Self::Less => order == Some(Ordering::Less),
            Self::LessOrEqual => order.is_some_and(Ordering::is_le),
            Self::Greater => order == Some(Ordering::Greater),
            Self::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        }
    }
}

pub(crate) enum Scalar<'a> {
    Integer(i128),
    Float(f64),
    Text(&'a str),
    Bool(bool),
}

impl Scalar<'_> {
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(b)),
            _ => self.float()?.partial_cmp(&other.float()?),
        }
    }
}

/// Arithmetic on numbers. Integers stay exact unless they exceed 128 bits.
impl Scalar<'_> {
    fn float(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Text(_) | Self::Bool(_) => None,
        }
    }

    fn joined(
        self,
        other: &Self,
        exact: fn(i128, i128) -> Option<i128>,
        float: fn(f64, f64) -> f64,
    ) -> Option<Self> {
        if let (Self::Integer(a), Self::Integer(b)) = (&self, other)
            && let Some(exact) = exact(*a, *b)
        {
            return Some(Self::Integer(exact));
        }
        Some(Self::Float(float(self.float()?, other.float()?)))
    }
}

impl Term {
    fn scalar<'a>(
        &'a self,
        columns: &impl Fn(usize) -> &'a Operands<'a>,
        row: usize,
    ) -> Option<Scalar<'a>> {
        Some(match &self.operand {
            Operand::Integer(number) => Scalar::Integer(*number),
            Operand::Float(number) => Scalar::Float(*number),
            Operand::Text(text) => Scalar::Text(text),
            Operand::Bool(value) => Scalar::Bool(*value),
            Operand::Chain(first, others) => {
                let first = first.scalar(columns, row)?;
                return others.iter().try_fold(first, |so_far, (sign, term)| {
                    let term = term.scalar(columns, row)?;
                    match sign {
                        '+' => so_far.joined(&term, i128::checked_add, |a, b| a + b),
                        '-' => so_far.joined(&term, i128::checked_sub, |a, b| a - b),
                        _ => so_far.joined(&term, i128::checked_mul, |a, b| a * b),
                    }
                });
            }
            Operand::Abs(inner) => match inner.scalar(columns, row)? {
                Scalar::Integer(number) => match number.checked_abs() {
                    Some(number) => Scalar::Integer(number),
                    None => Scalar::Float((number as f64).abs()),
                },
                Scalar::Float(number) => Scalar::Float(number.abs()),
                Scalar::Text(_) | Scalar::Bool(_) => return None,
            },
            Operand::Column(at) => return columns(*at).scalar(row),
        })
    }
}

impl Expression {
    /// Returns the truth value of the condition for each row.
    pub(crate) fn evaluate<'a>(
        &'a self,
        columns: &impl Fn(usize) -> &'a Operands<'a>,
        rows: usize,
    ) -> Vec<u8> {
        let joined = |all: &'a [Self], join: fn(u8, u8) -> u8| {
            let mut operands = all.iter().map(|node| node.evaluate(columns, rows));
            let mut joined = operands.next().unwrap_or_default();
            for other in operands {
                joined.iter_mut().zip(other).for_each(|(own, other)| *own = join(*own, other));
            }
            joined
        };
        match self {
            Self::Or(all) => joined(all, u8::max),
            Self::And(all) => joined(all, u8::min),
            Self::Not(inner) => {
                let mut values = inner.evaluate(columns, rows);
                values.iter_mut().for_each(|value| *value = TRUE - *value);
                values
            }
            Self::IsNull(term) => {
                let is_null = |row| if term.scalar(columns, row).is_none() { TRUE } else { FALSE };
                (0..rows).map(is_null).collect()
            }
            Self::Compare(left, operator, right) => {
                let (Operand::Column(at), Operand::Integer(number)) =
                    (&left.operand, &right.operand)
                else {
                    return compare(left, *operator, right, columns, rows);
                };
                let column = columns(*at);
                let Cells::Integers(integers) = &column.cells else {
                    return compare(left, *operator, right, columns, rows);
                };
                let is_true = |value: &i128| operator.holds(Some(value.cmp(number)));
                let compare = |value| if is_true(value) { TRUE } else { FALSE };
                let mut values: Vec<u8> = integers.iter().map(compare).collect();
                if let Some(valid) = &column.valid {
                    let pairs = values.iter_mut().zip(valid);
                    pairs.filter(|(_, valid)| !**valid).for_each(|(value, _)| *value = UNKNOWN);
                }
                values
            }
        }
    }
}

fn compare<'a>(
    left: &'a Term,
    operator: Operator,
    right: &'a Term,
    columns: &impl Fn(usize) -> &'a Operands<'a>,
    rows: usize,
) -> Vec<u8> {
    let compare = |row| match (left.scalar(columns, row), right.scalar(columns, row)) {
        (Some(left), Some(right)) if operator.holds(left.compare(&right)) => TRUE,
        (Some(_), Some(_)) => FALSE,
        _ => UNKNOWN,
    };
    (0..rows).map(compare).collect()
}
