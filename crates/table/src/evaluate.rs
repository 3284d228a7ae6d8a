//! Evaluates conditions on many rows, with three truth values: a comparison with a null is neither true nor false.

use std::cmp::Ordering;

use arrow_buffer::{BooleanBuffer, NullBuffer};

use crate::cells::{Cells, Operands, Scalar};
use crate::condition::{Expression, Operand, Operator, Term};

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

impl Scalar<'_> {
    /// The number. Texts are not numbers.
    fn float(self) -> f64 {
        match self {
            Self::Integer(number) => number as f64,
            Self::Float(number) => number,
            Self::Text(_) => f64::NAN,
        }
    }

    #[inline(always)]
    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            _ => self.float().partial_cmp(&other.float()),
        }
    }

    /// Joins two numbers. Integers stay exact unless they exceed 128 bits.
    fn joined(
        self,
        other: Self,
        exact: fn(i128, i128) -> Option<i128>,
        float: fn(f64, f64) -> f64,
    ) -> Self {
        if let (Self::Integer(a), Self::Integer(b)) = (self, other)
            && let Some(exact) = exact(a, b)
        {
            return Self::Integer(exact);
        }
        Self::Float(float(self.float(), other.float()))
    }

    fn abs(self) -> Self {
        match self {
            Self::Integer(number) if let Some(number) = number.checked_abs() => {
                Self::Integer(number)
            }
            number => Self::Float(number.float().abs()),
        }
    }
}

/// The columns of a condition, in some rows.
type Columns<'a> = [&'a Operands<'a>];

impl Term {
    /// The value in a row. A null has any value.
    fn value<'a>(&'a self, columns: &Columns<'a>, row: usize) -> Scalar<'a> {
        match &self.operand {
            Operand::Column(at) => match &columns[*at].cells {
                Cells::Integers(values) => Scalar::Integer(values[row]),
                Cells::Floats(values) => Scalar::Float(values[row]),
                Cells::Bools(values) => Scalar::Integer(values.value(row).into()),
                Cells::Texts(values) => Scalar::Text(values[row].unwrap_or_default()),
            },
            Operand::Integer(number) => Scalar::Integer(*number),
            Operand::Float(number) => Scalar::Float(*number),
            Operand::Bool(value) => Scalar::Integer((*value).into()),
            Operand::Text(text) => Scalar::Text(text),
            Operand::Chain(first, others) => {
                others.iter().fold(first.value(columns, row), |so_far, (sign, term)| {
                    let number = term.value(columns, row);
                    match sign {
                        '+' => so_far.joined(number, i128::checked_add, |a, b| a + b),
                        '-' => so_far.joined(number, i128::checked_sub, |a, b| a - b),
                        _ => so_far.joined(number, i128::checked_mul, |a, b| a * b),
                    }
                })
            }
            Operand::Abs(inner) => inner.value(columns, row).abs(),
        }
    }
}

/// The rows in which a condition is true, and those in which it is false. In others, a compared value is null.
pub(crate) struct Truth {
    pub(crate) holds: BooleanBuffer,
    fails: BooleanBuffer,
}

impl Expression {
    /// Evaluates the condition.
    pub(crate) fn evaluate(&self, columns: &Columns<'_>, rows: usize) -> Truth {
        let joined = |all: &[Self], join: fn(Truth, Truth) -> Truth| {
            let all = all.iter().map(|one| one.evaluate(columns, rows));
            all.reduce(join).expect("it joins several")
        };
        match self {
            Self::Or(all) => {
                joined(all, |a, b| Truth { holds: &a.holds | &b.holds, fails: &a.fails & &b.fails })
            }
            Self::And(all) => {
                joined(all, |a, b| Truth { holds: &a.holds & &b.holds, fails: &a.fails | &b.fails })
            }
            Self::Not(inner) => {
                let Truth { holds, fails } = inner.evaluate(columns, rows);
                Truth { holds: fails, fails: holds }
            }
            Self::IsNull(at) => {
                let nulls = columns[*at].nulls.as_ref();
                let fails =
                    nulls.map_or(BooleanBuffer::new_set(rows), |nulls| nulls.inner().clone());
                Truth { holds: !&fails, fails }
            }
            Self::Compare(left, operator, right, range) => {
                let holds = match (&left.operand, &right.operand) {
                    (Operand::Column(at), Operand::Integer(number))
                        if let Cells::Integers(values) = &columns[*at].cells =>
                    {
                        let holds = |row: usize| operator.holds(Some(values[row].cmp(number)));
                        BooleanBuffer::collect_bool(rows, holds)
                    }
                    _ => BooleanBuffer::collect_bool(rows, |row| {
                        let (left, right) = (left.value(columns, row), right.value(columns, row));
                        operator.holds(left.compare(right))
                    }),
                };
                let fails = !&holds;
                let nulls = columns[range.clone()].iter().map(|column| column.nulls.as_ref());
                match NullBuffer::union_many(nulls) {
                    Some(nulls) => {
                        Truth { holds: &holds & nulls.inner(), fails: &fails & nulls.inner() }
                    }
                    None => Truth { holds, fails },
                }
            }
        }
    }
}
