//! Evaluates conditions on many rows. Truth has three values, so that a comparison with a null is neither true nor
//! false: *and* is the minimum, *or* the maximum.

use std::cmp::Ordering;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use crate::condition::Operator;
use crate::text::Text;

const FALSE: u8 = 0;
const UNKNOWN: u8 = 1;
pub(crate) const TRUE: u8 = 2;

/// An expression whose columns are numbered.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Or(Vec<Self>),
    And(Vec<Self>),
    Not(Box<Self>),
    Compare(Value, Operator, Value),
    IsNull(usize),
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Column(usize),
    Integer(i128),
    Float(f64),
    Text(Vec<u8>),
    Bool(bool),
    /// Values, and whether each is subtracted.
    Sum(Vec<(Self, bool)>),
    Product(Vec<Self>),
    Abs(Box<Self>),
}

/// The values of a column in some rows.
pub(crate) struct Operands<'a> {
    pub(crate) cells: Cells<'a>,
    /// Whether each row has one.
    pub(crate) valid: Option<Vec<bool>>,
}

pub(crate) enum Cells<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Bool(Vec<bool>),
    Text(Vec<Option<&'a [u8]>>),
}

impl<'a> Operands<'a> {
    pub(crate) fn of_array(array: &'a ArrayRef) -> Self {
        let rows = array.len();
        let mut valid =
            array.nulls().map(|nulls| (0..rows).map(|row| nulls.is_valid(row)).collect());
        macro_rules! cells {
            ($($data:ident $of:ident $cells:ident),*) => {
                match array.data_type() {
                    $(DataType::$data => Cells::$cells(array.as_primitive::<$of>().values()),)*
                    DataType::Boolean => {
                        Cells::Bool(array.as_boolean().values().iter().collect())
                    }
                    _ => {
                        let mut lines = Vec::with_capacity(rows);
                        if let Some(text) = Text::new(array) {
                            text.lines(0..rows, &mut lines);
                        }
                        valid = Some(lines.iter().map(Option::is_some).collect());
                        Cells::Text(lines)
                    }
                }
            };
        }
        let cells = cells!(
            UInt8 UInt8Type U8, UInt16 UInt16Type U16, UInt32 UInt32Type U32, UInt64 UInt64Type U64,
            Int8 Int8Type I8, Int16 Int16Type I16, Int32 Int32Type I32, Int64 Int64Type I64,
            Float32 Float32Type F32, Float64 Float64Type F64
        );
        Self { cells, valid }
    }

    fn is_valid(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|valid| valid[row])
    }

    /// Compares each value with an integer.
    fn compare_with(&self, operator: Operator, integer: i128, truth: &mut Vec<u8>) {
        /// For types whose values fit 64 bits with their sign.
        fn narrow<T: Copy + Into<i64>>(
            values: &[T],
            operator: Operator,
            integer: i128,
            truth: &mut Vec<u8>,
        ) {
            // Numbers beyond 64 bits compare as the largest and the smallest, which no value of these types is.
            let integer = integer.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            each(values, operator, truth, |value| value.into().cmp(&integer));
        }
        fn each<T: Copy>(
            values: &[T],
            operator: Operator,
            truth: &mut Vec<u8>,
            compare: impl Fn(T) -> Ordering,
        ) {
            let two = |is_true: bool| if is_true { TRUE } else { FALSE };
            truth.extend(values.iter().map(|&value| two(operator.holds(Some(compare(value))))));
        }
        match &self.cells {
            Cells::U8(values) => narrow(values, operator, integer, truth),
            Cells::U16(values) => narrow(values, operator, integer, truth),
            Cells::U32(values) => narrow(values, operator, integer, truth),
            Cells::I8(values) => narrow(values, operator, integer, truth),
            Cells::I16(values) => narrow(values, operator, integer, truth),
            Cells::I32(values) => narrow(values, operator, integer, truth),
            Cells::U64(values) => {
                each(values, operator, truth, |value| i128::from(value).cmp(&integer));
            }
            Cells::I64(values) => {
                each(values, operator, truth, |value| i128::from(value).cmp(&integer));
            }
            Cells::F32(_) | Cells::F64(_) | Cells::Bool(_) | Cells::Text(_) => {
                unreachable!("these are compared one by one")
            }
        }
    }
}

impl Operator {
    /// Whether the comparison holds for this order; none if one of the values is not a number.
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

    /// The comparison with its sides exchanged.
    const fn reversed(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            same => same,
        }
    }
}

/// One value.
#[derive(PartialEq)]
enum Scalar<'a> {
    Integer(i128),
    Float(f64),
    Text(&'a [u8]),
    Bool(bool),
}

impl Scalar<'_> {
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(b)),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(b),
            (Self::Integer(a), Self::Float(b)) => (*a as f64).partial_cmp(b),
            (Self::Float(a), Self::Integer(b)) => a.partial_cmp(&(*b as f64)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::Bool(a), Self::Bool(b)) => Some(a.cmp(b)),
            _ => None,
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

impl Value {
    fn scalar<'a>(
        &'a self,
        columns: &impl Fn(usize) -> &'a Operands<'a>,
        row: usize,
    ) -> Option<Scalar<'a>> {
        Some(match self {
            Self::Integer(number) => Scalar::Integer(*number),
            Self::Float(number) => Scalar::Float(*number),
            Self::Text(text) => Scalar::Text(text),
            Self::Bool(value) => Scalar::Bool(*value),
            Self::Sum(terms) => {
                let mut terms = terms.iter().map(|(term, minus)| (term, *minus));
                let first = terms.next()?.0.scalar(columns, row);
                return terms.try_fold(first?, |sum, (term, minus)| {
                    let term = term.scalar(columns, row)?;
                    match minus {
                        true => sum.joined(&term, i128::checked_sub, |a, b| a - b),
                        false => sum.joined(&term, i128::checked_add, |a, b| a + b),
                    }
                });
            }
            Self::Product(factors) => {
                return factors.iter().try_fold(Scalar::Integer(1), |product, factor| {
                    let factor = factor.scalar(columns, row)?;
                    product.joined(&factor, i128::checked_mul, |a, b| a * b)
                });
            }
            Self::Abs(inner) => match inner.scalar(columns, row)? {
                Scalar::Integer(number) => match number.checked_abs() {
                    Some(number) => Scalar::Integer(number),
                    None => Scalar::Float((number as f64).abs()),
                },
                Scalar::Float(number) => Scalar::Float(number.abs()),
                Scalar::Text(_) | Scalar::Bool(_) => return None,
            },
            Self::Column(at) => {
                let column = columns(*at);
                if !column.is_valid(row) {
                    return None;
                }
                match &column.cells {
                    Cells::U8(values) => Scalar::Integer(values[row].into()),
                    Cells::U16(values) => Scalar::Integer(values[row].into()),
                    Cells::U32(values) => Scalar::Integer(values[row].into()),
                    Cells::U64(values) => Scalar::Integer(values[row].into()),
                    Cells::I8(values) => Scalar::Integer(values[row].into()),
                    Cells::I16(values) => Scalar::Integer(values[row].into()),
                    Cells::I32(values) => Scalar::Integer(values[row].into()),
                    Cells::I64(values) => Scalar::Integer(values[row].into()),
                    Cells::F32(values) => Scalar::Float(values[row].into()),
                    Cells::F64(values) => Scalar::Float(values[row]),
                    Cells::Bool(values) => Scalar::Bool(values[row]),
                    Cells::Text(values) => Scalar::Text(values[row]?),
                }
            }
        })
    }
}

impl Node {
    /// The truth of each row.
    pub(crate) fn truth<'a>(
        &'a self,
        columns: &impl Fn(usize) -> &'a Operands<'a>,
        rows: usize,
    ) -> Vec<u8> {
        let joined = |all: &'a [Self], join: fn(u8, u8) -> u8| {
            let mut truths = all.iter().map(|node| node.truth(columns, rows));
            let mut joined = truths.next().unwrap_or_default();
            for other in truths {
                joined.iter_mut().zip(other).for_each(|(own, other)| *own = join(*own, other));
            }
            joined
        };
        match self {
            Self::Or(all) => joined(all, u8::max),
            Self::And(all) => joined(all, u8::min),
            Self::Not(inner) => {
                let mut truth = inner.truth(columns, rows);
                truth.iter_mut().for_each(|truth| *truth = TRUE - *truth);
                truth
            }
            Self::IsNull(at) => {
                let column = columns(*at);
                (0..rows).map(|row| if column.is_valid(row) { FALSE } else { TRUE }).collect()
            }
            Self::Compare(left, operator, right) => {
                let with_integer = match (left, right) {
                    (Value::Column(at), Value::Integer(value)) => {
                        Some((columns(*at), *operator, *value))
                    }
                    (Value::Integer(value), Value::Column(at)) => {
                        Some((columns(*at), operator.reversed(), *value))
                    }
                    _ => None,
                };
                let is_float =
                    |column: &Operands<'_>| matches!(column.cells, Cells::F32(_) | Cells::F64(_));
                let Some((column, operator, value)) =
                    with_integer.filter(|(column, ..)| !is_float(column))
                else {
                    return compare_scalars(left, *operator, right, columns, rows);
                };
                let mut truth = Vec::with_capacity(rows);
                column.compare_with(operator, value, &mut truth);
                if let Some(valid) = &column.valid {
                    let null = |(truth, valid): (&mut u8, &bool)| {
                        if !valid {
                            *truth = UNKNOWN;
                        }
                    };
                    truth.iter_mut().zip(valid).for_each(null);
                }
                truth
            }
        }
    }
}

fn compare_scalars<'a>(
    left: &'a Value,
    operator: Operator,
    right: &'a Value,
    columns: &impl Fn(usize) -> &'a Operands<'a>,
    rows: usize,
) -> Vec<u8> {
    let truth = |row| match (left.scalar(columns, row), right.scalar(columns, row)) {
        (Some(left), Some(right)) if operator.holds(left.compare(&right)) => TRUE,
        (Some(_), Some(_)) => FALSE,
        _ => UNKNOWN,
    };
    (0..rows).map(truth).collect()
}
