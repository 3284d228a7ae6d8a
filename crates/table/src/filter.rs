//! Resolves the columns of conditions in an input and checks their types.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_schema::{DataType, Schema};
use setwise::Shape;
use setwise::columns::nearest_name;

use crate::column::Column;
use crate::condition::{Condition, ConditionError, Expression, Named, Operand, Operator, Term};
use crate::error::Error;
use crate::input::Input;
use crate::schema::places;
use crate::tags::tag_field;
use crate::text::is_text;

#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) conditions: Vec<Check>,
    /// The columns that the conditions need, other than those that are passed through.
    pub(crate) columns: Vec<Column>,
    /// True if a condition reads a column that is passed through.
    pub(crate) reads_passed: bool,
}

/// A condition with the places of its columns. Its operands have the types that it needs.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    Or(Vec<Self>),
    And(Vec<Self>),
    Not(Box<Self>),
    IsNull(Place),
    /// A comparison, and the columns that it reads.
    Compare(Comparison, Vec<Place>),
}

#[derive(Clone, Debug)]
pub(crate) enum Comparison {
    Numbers(Number, Operator, Number),
    Texts(Text, Operator, Text),
}

#[derive(Clone, Debug)]
pub(crate) enum Number {
    Column(Place),
    Integer(i128),
    Float(f64),
    /// A sum or a product: its first number, and the signs before the others.
    Chain(Box<Self>, Vec<(char, Self)>),
    Abs(Box<Self>),
}

#[derive(Clone, Debug)]
pub(crate) enum Text {
    Column(Place),
    Literal(String),
}

/// An operand with its type. Only operands of one type can be compared.
enum Typed {
    Number(Number),
    Text(Text),
    /// 0 or 1.
    Bool(Number),
}

/// The source of the values of a column, with an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Computed(usize),
    Passed(usize),
}

/// The place of a column, and the type of its values.
type Found = (Place, fn(Place) -> Typed);

const NUMBER: fn(Place) -> Typed = |place| Typed::Number(Number::Column(place));
const TEXT: fn(Place) -> Typed = |place| Typed::Text(Text::Column(place));
const BOOL: fn(Place) -> Typed = |place| Typed::Bool(Number::Column(place));

impl Filter {
    /// Finds the columns of conditions in an input, which must have [all columns that they need](Input::needing).
    pub(crate) fn new(conditions: &[Condition], input: &Input) -> Result<Self, Error> {
        let mut filter = Self::default();
        let mut passed = HashMap::new();
        for (place, field) in input.passed().chain(input.hidden()).enumerate() {
            passed.entry(&**field.name()).or_insert((place, field.data_type()));
        }
        let mut found = HashMap::new();
        let mut find = |column: &Named| {
            if let Some(found) = found.get(&column.name) {
                return Ok(*found);
            }
            let one = filter.find(column, input, &passed)?;
            found.insert(column.name.clone(), one);
            Ok(one)
        };
        let mut resolve = |condition: &Condition| {
            let found: Vec<Found> =
                condition.columns.iter().map(&mut find).collect::<Result<_, _>>()?;
            Resolver { columns: &condition.columns, found: &found }.check(&condition.expression)
        };
        let resolved = conditions.iter().map(|condition| {
            resolve(condition).map_err(|error| Error::Condition(condition.to_string(), error))
        });
        let conditions = resolved.collect::<Result<_, _>>()?;
        let reads_passed = found.values().any(|(place, _)| matches!(place, Place::Passed(_)));
        Ok(Self { conditions, reads_passed, ..filter })
    }

    /// Finds a column by its name: in the catalogue if the input has it, otherwise in the table.
    fn find(
        &mut self,
        Named { name, character }: &Named,
        input: &Input,
        passed: &HashMap<&str, (usize, &DataType)>,
    ) -> Result<Found, ConditionError> {
        let wrong = |reason: String| Err(ConditionError::new(*character, reason));
        let single = |what: &str| {
            format!("`{name}` holds {what}: conditions take numbers, text, true and false")
        };
        if let Some(column) = input.catalogued(name) {
            if column.shape() != Shape::Value {
                return wrong(single("lists"));
            }
            let at = self.columns.iter().position(|other| *other == column);
            let at = at.unwrap_or_else(|| {
                self.columns.push(column);
                self.columns.len() - 1
            });
            return Ok((Place::Computed(at), if column.is_text() { TEXT } else { NUMBER }));
        }
        if let Some(&(at, data_type)) = passed.get(&**name) {
            let place = Place::Passed(at);
            return match data_type {
                DataType::Boolean => Ok((place, BOOL)),
                of if is_text(of) => Ok((place, TEXT)),
                DataType::Float16 => wrong(single("Float16")),
                of if of.is_integer() || of.is_floating() => Ok((place, NUMBER)),
                of => wrong(single(&of.to_string())),
            };
        }
        let exists = Column::all().iter().any(|column| column.name() == name);
        let own = input.schema.fields().iter().map(|field| field.name().as_str());
        let known = Column::all()
            .iter()
            .filter(|&&column| input.is_available(column))
            .map(|one| one.name());
        wrong(match nearest_name(name, known.chain(own)) {
            _ if exists => format!("column `{name}` is not in this input"),
            Some(near) => format!("no column is called `{name}`; did you mean `{near}`?"),
            None => format!("no column is called `{name}`"),
        })
    }
}

/// Resolves a condition, and checks that it compares values of one type.
struct Resolver<'a> {
    columns: &'a [Named],
    found: &'a [Found],
}

impl Resolver<'_> {
    fn check(&self, expression: &Expression) -> Result<Check, ConditionError> {
        let all = |inner: &[Expression]| -> Result<Vec<Check>, ConditionError> {
            inner.iter().map(|inner| self.check(inner)).collect()
        };
        let (left, operator, right, columns) = match expression {
            Expression::Or(inner) => return Ok(Check::Or(all(inner)?)),
            Expression::And(inner) => return Ok(Check::And(all(inner)?)),
            Expression::Not(inner) => return Ok(Check::Not(Box::new(self.check(inner)?))),
            Expression::IsNull(at) => return Ok(Check::IsNull(self.found[*at].0)),
            Expression::Compare(left, operator, right, columns) => {
                (left, *operator, right, &self.found[columns.clone()])
            }
        };
        let wrong = |term: &Term, reason: String| Err(ConditionError::new(term.character, reason));
        let is_ordered = !matches!(operator, Operator::Equal | Operator::NotEqual);
        let comparison = match (self.operand(left)?, self.operand(right)?) {
            (Typed::Number(a), Typed::Number(b)) => Comparison::Numbers(a, operator, b),
            (Typed::Text(_), Typed::Text(_)) | (Typed::Bool(_), Typed::Bool(_)) if is_ordered => {
                return wrong(left, format!("{} is compared by = and != only", self.shown(left)));
            }
            (Typed::Text(a), Typed::Text(b)) => Comparison::Texts(a, operator, b),
            (Typed::Bool(a), Typed::Bool(b)) => Comparison::Numbers(a, operator, b),
            (left_type, right_type) => {
                // Blame the literal, not the column.
                let (of, other, expected) = match right.operand {
                    Operand::Column(_) => (left, right, right_type),
                    _ => (right, left, left_type),
                };
                let expected = match expected {
                    Typed::Number(_) => "a number",
                    Typed::Text(_) => "text, in quotes",
                    Typed::Bool(_) => "`true` or `false`",
                };
                let other = self.shown(other);
                return wrong(of, format!("expected {expected}, as {other} is compared with it"));
            }
        };
        Ok(Check::Compare(comparison, columns.iter().map(|(place, _)| *place).collect()))
    }

    fn operand(&self, term: &Term) -> Result<Typed, ConditionError> {
        Ok(Typed::Number(match &term.operand {
            Operand::Column(at) => {
                let (place, of) = self.found[*at];
                return Ok(of(place));
            }
            Operand::Text(text) => return Ok(Typed::Text(Text::Literal(text.clone()))),
            Operand::Bool(value) => return Ok(Typed::Bool(Number::Integer((*value).into()))),
            Operand::Integer(number) => Number::Integer(*number),
            Operand::Float(number) => Number::Float(*number),
            Operand::Chain(first, others) => {
                let first = Box::new(self.number(first)?);
                let others = others.iter().map(|(sign, term)| Ok((*sign, self.number(term)?)));
                Number::Chain(first, others.collect::<Result<_, _>>()?)
            }
            Operand::Abs(term) => Number::Abs(Box::new(self.number(term)?)),
        }))
    }

    /// Fails unless a term is a number.
    fn number(&self, term: &Term) -> Result<Number, ConditionError> {
        if let Typed::Number(number) = self.operand(term)? {
            return Ok(number);
        }
        let reason = format!("expected a number to count with, found {}", self.shown(term));
        Err(ConditionError::new(term.character, reason))
    }

    fn shown(&self, term: &Term) -> String {
        match &term.operand {
            Operand::Column(at) => format!("`{}`", self.columns[*at].name),
            Operand::Integer(number) => number.to_string(),
            Operand::Float(number) => number.to_string(),
            Operand::Text(text) => format!("'{text}'"),
            Operand::Bool(value) => value.to_string(),
            Operand::Chain(first, others) => {
                let others =
                    others.iter().map(|(sign, term)| format!(" {sign} {}", self.shown(term)));
                self.shown(first) + &others.collect::<String>()
            }
            Operand::Abs(term) => format!("abs({})", self.shown(term)),
        }
    }
}

impl Input {
    /// The column of the catalogue with this name, if the input has it. A column of the table with this name takes
    /// precedence, unless it is the source of a label.
    fn catalogued(&self, name: &str) -> Option<Column> {
        let column = Column::all().iter().copied().find(|column| column.name() == name)?;
        let is_label = self.labels.as_ref().is_some_and(|labels| {
            labels.found().iter().any(|label| Column::Input(*label) == column)
        });
        let is_own = || self.schema.column_with_name(name).is_some();
        (self.is_available(column) && (is_label || !is_own())).then_some(column)
    }

    /// Adds the columns of a table and the tags of games that conditions need, without passing them through.
    #[must_use]
    pub fn needing(mut self, conditions: &[Condition]) -> Self {
        let schema = Arc::clone(&self.schema);
        let places = places(&schema);
        let mut known: HashSet<String> =
            self.passed().chain(self.hidden()).map(|field| field.name().clone()).collect();
        let mut fields = schema.fields().to_vec();
        for name in conditions.iter().flat_map(Condition::names) {
            if known.contains(name) {
                continue;
            }
            known.insert(name.to_owned());
            if self.catalogued(name).is_some() {
                continue;
            }
            if self.has_tag(name) {
                self.hidden.push(fields.len());
                fields.push(Arc::new(tag_field(name)));
            } else {
                self.hidden.extend(places.get(name).copied().flatten());
            }
        }
        if fields.len() > schema.fields().len() {
            self.schema = Arc::new(Schema::new(fields));
        }
        self
    }
}
