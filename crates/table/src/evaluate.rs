//! Evaluates conditions on many rows, with three truth values: a comparison with a null is neither true nor false.

use std::cmp::Ordering;

use arrow_buffer::{BooleanBuffer, NullBuffer};

use crate::cells::{Cells, Operands};
use crate::condition::Operator;
use crate::filter::{Check, Comparison, Number, Place, Text};

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

/// A number. Integers stay exact unless they exceed 128 bits.
#[derive(Clone, Copy)]
enum Exact {
    Integer(i128),
    Float(f64),
}

impl Exact {
    fn float(self) -> f64 {
        match self {
            Self::Integer(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    #[inline(always)]
    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            _ => self.float().partial_cmp(&other.float()),
        }
    }

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

/// The columns of some rows: those that are computed for conditions, and those of the input.
pub(crate) struct Columns<'a> {
    pub(crate) computed: Vec<Operands<'a>>,
    pub(crate) passed: Vec<Operands<'a>>,
}

impl<'a> Columns<'a> {
    fn at(&self, place: Place) -> &Operands<'a> {
        match place {
            Place::Computed(at) => &self.computed[at],
            Place::Passed(at) => &self.passed[at],
        }
    }
}

impl Number {
    /// The number in a row. A null has any value.
    fn at(&self, columns: &Columns<'_>, row: usize) -> Exact {
        match self {
            Self::Column(place) => match &columns.at(*place).cells {
                Cells::Integers(values) => Exact::Integer(values[row]),
                Cells::Floats(values) => Exact::Float(values[row]),
                Cells::Bools(values) => Exact::Integer(values.value(row).into()),
                Cells::Texts(_) => unreachable!("columns of texts are not resolved as numbers"),
            },
            Self::Integer(number) => Exact::Integer(*number),
            Self::Float(number) => Exact::Float(*number),
            Self::Chain(first, others) => {
                others.iter().fold(first.at(columns, row), |so_far, (sign, number)| {
                    let number = number.at(columns, row);
                    match sign {
                        '+' => so_far.joined(number, i128::checked_add, |a, b| a + b),
                        '-' => so_far.joined(number, i128::checked_sub, |a, b| a - b),
                        _ => so_far.joined(number, i128::checked_mul, |a, b| a * b),
                    }
                })
            }
            Self::Abs(inner) => inner.at(columns, row).abs(),
        }
    }
}

impl Text {
    /// The text in a row. A null is empty.
    fn at<'a>(&'a self, columns: &Columns<'a>, row: usize) -> &'a str {
        match self {
            Self::Column(place) => match &columns.at(*place).cells {
                Cells::Texts(values) => values[row].unwrap_or_default(),
                _ => unreachable!("columns of numbers are not resolved as texts"),
            },
            Self::Literal(text) => text,
        }
    }
}

/// The rows in which a condition is true, and those in which it is false. In others, a compared value is null.
pub(crate) struct Truth {
    pub(crate) holds: BooleanBuffer,
    fails: BooleanBuffer,
}

impl Check {
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
            Self::IsNull(place) => {
                let nulls = columns.at(*place).nulls.as_ref();
                let fails =
                    nulls.map_or(BooleanBuffer::new_set(rows), |nulls| nulls.inner().clone());
                Truth { holds: !&fails, fails }
            }
            Self::Compare(comparison, places) => {
                let holds = comparison.evaluate(columns, rows);
                let fails = !&holds;
                let nulls = places.iter().fold(None, |nulls: Option<NullBuffer>, place| {
                    NullBuffer::union(nulls.as_ref(), columns.at(*place).nulls.as_ref())
                });
                match nulls {
                    Some(nulls) => {
                        Truth { holds: &holds & nulls.inner(), fails: &fails & nulls.inner() }
                    }
                    None => Truth { holds, fails },
                }
            }
        }
    }
}

impl Comparison {
    /// Returns the rows in which the comparison holds. Nulls have any value.
    fn evaluate(&self, columns: &Columns<'_>, rows: usize) -> BooleanBuffer {
        match self {
            Self::Numbers(Number::Column(place), operator, Number::Integer(number))
                if let Cells::Integers(values) = &columns.at(*place).cells =>
            {
                let holds = |row: usize| operator.holds(Some(values[row].cmp(number)));
                BooleanBuffer::collect_bool(rows, holds)
            }
            Self::Numbers(left, operator, right) => BooleanBuffer::collect_bool(rows, |row| {
                operator.holds(left.at(columns, row).compare(right.at(columns, row)))
            }),
            Self::Texts(left, operator, right) => BooleanBuffer::collect_bool(rows, |row| {
                operator.holds(Some(left.at(columns, row).cmp(right.at(columns, row))))
            }),
        }
    }
}
