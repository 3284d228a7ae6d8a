//! Finds the columns of conditions in an input and checks their types.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::sync::Arc;

use arrow_schema::{DataType, Schema};
use setwise::Shape;
use setwise::columns::nearest_name;

use crate::cells::is_number;
use crate::column::{Column, InputColumn};
use crate::condition::{Condition, ConditionError, Expression, Named, Operand, Operator, Term};
use crate::error::Error;
use crate::input::Input;
use crate::schema::{names, places};
use crate::tags::tag_field;
use crate::text::is_text;

/// The conditions of a query, resolved for an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// Each condition with the indices of its columns in `columns`.
    pub(crate) conditions: Vec<(Condition, Vec<usize>)>,
    /// The columns that the conditions read, without repetition.
    pub(crate) columns: Vec<Place>,
}

/// The source of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// The catalogue.
    Computed(Column),
    /// The table: an index into the columns that are read from each row.
    Passed(usize),
}

/// The type of an operand. Only operands of one type can be compared.
#[derive(Clone, Copy, PartialEq)]
enum Type {
    Number,
    Text,
    Bool,
}

/// The type of a column, or the reason why it can only be tested for nulls.
type ColumnType = Result<Type, String>;

impl Filter {
    /// Finds the columns of conditions in an input, which must have [all columns that they need](Input::needing), and
    /// checks that the conditions compare values of one type.
    pub(crate) fn new(conditions: &[Condition], input: &Input) -> Result<Self, Error> {
        let mut filter = Self::default();
        let mut passed = HashMap::new();
        for (place, field) in input.passed().chain(input.hidden()).enumerate() {
            passed.entry(&**field.name()).or_insert((place, field.data_type()));
        }
        let mut found = HashMap::new();
        for condition in conditions {
            let resolved = condition.columns.iter().map(|named| {
                if let Some(known) = found.get(&*named.name) {
                    return Ok(Clone::clone(known));
                }
                let (place, of) = find(named, input, &passed)?;
                filter.columns.push(place);
                let known = (filter.columns.len() - 1, of);
                found.insert(&*named.name, known.clone());
                Ok(known)
            });
            let checked = resolved.collect::<Result<(Vec<_>, Vec<_>), _>>().and_then(|resolved| {
                let (places, types) = resolved;
                Checker { columns: &condition.columns, types }.check(&condition.expression)?;
                Ok(places)
            });
            let places = checked.map_err(|error| Error::Condition(condition.to_string(), error))?;
            filter.conditions.push((condition.clone(), places));
        }
        Ok(filter)
    }

    /// Returns whether a condition reads a column of the table.
    pub(crate) fn reads_passed(&self) -> bool {
        self.columns.iter().any(|place| matches!(place, Place::Passed(_)))
    }
}

/// Finds a column by its name: in the catalogue if the input has it, otherwise in the table.
fn find(
    Named { name, character }: &Named,
    input: &Input,
    passed: &HashMap<&str, (usize, &DataType)>,
) -> Result<(Place, ColumnType), ConditionError> {
    let wrong = |reason: String| Err(ConditionError::new(*character, reason));
    if let Some(column) = input.catalogued(name) {
        if column.shape() != Shape::Value {
            return wrong(not_comparable(name, "lists"));
        }
        let of = if column.is_text() { Type::Text } else { Type::Number };
        return Ok((Place::Computed(column), Ok(of)));
    }
    if let Some(&(at, data_type)) = passed.get(&**name) {
        let of = match data_type {
            DataType::Boolean => Ok(Type::Bool),
            of if is_text(of) => Ok(Type::Text),
            of if is_number(of) => Ok(Type::Number),
            of => Err(not_comparable(name, of)),
        };
        return Ok((Place::Passed(at), of));
    }
    let exists = Column::all().iter().any(|column| column.name() == name);
    let own = names(&input.schema);
    let known = Column::all().iter().filter(|&&column| input.is_available(column));
    wrong(match nearest_name(name, known.map(|one| one.name()).chain(own)) {
        _ if exists => format!("column `{name}` is not in this input"),
        Some(near) => format!("no column is called `{name}`; did you mean `{near}`?"),
        None => format!("no column is called `{name}`"),
    })
}

fn not_comparable(name: &str, holds: impl Display) -> String {
    format!("`{name}` holds {holds}: conditions compare numbers, text, true and false")
}

/// Checks that a condition compares values of one type.
struct Checker<'a> {
    columns: &'a [Named],
    types: Vec<ColumnType>,
}

impl Checker<'_> {
    fn check(&self, expression: &Expression) -> Result<(), ConditionError> {
        let (left, operator, right) = match expression {
            Expression::Or(inner) | Expression::And(inner) => {
                return inner.iter().try_for_each(|inner| self.check(inner));
            }
            Expression::Not(inner) => return self.check(inner),
            Expression::IsNull(_) => return Ok(()),
            Expression::Compare(left, operator, right, _) => (left, operator, right),
        };
        let is_ordered = !matches!(operator, Operator::Equal | Operator::NotEqual);
        let (left_type, right_type) = (self.type_of(left)?, self.type_of(right)?);
        let text = [left, right].into_iter().find(|term| self.is_text_column(term));
        let wrong = |term: &Term, reason: String| {
            let error = ConditionError::new(term.character, reason);
            Err(ConditionError { is_of_text: text.is_some(), ..error })
        };
        if let (true, Some(text)) = (is_ordered, text) {
            let reason = format!("{} is text, which only = and != can compare", self.shown(text));
            return wrong(text, reason);
        }
        if left_type != right_type {
            // Blame the literal, not the column.
            let (of, other, expected) = match right.operand {
                Operand::Column(_) => (left, right, right_type),
                _ => (right, left, left_type),
            };
            let expected = match expected {
                Type::Number => "a number",
                Type::Text => "text in quotes",
                Type::Bool => "`true` or `false`",
            };
            let other = self.shown(other);
            return wrong(of, format!("expected {expected} to compare with {other}"));
        }
        if is_ordered && left_type != Type::Number {
            return wrong(left, format!("only = and != can compare {}", self.shown(left)));
        }
        Ok(())
    }

    fn type_of(&self, term: &Term) -> Result<Type, ConditionError> {
        Ok(match &term.operand {
            Operand::Column(at) => self.types[*at]
                .clone()
                .map_err(|reason| ConditionError::new(term.character, reason))?,
            Operand::Text(_) => Type::Text,
            Operand::Bool(_) => Type::Bool,
            Operand::Integer(_) | Operand::Float(_) => Type::Number,
            Operand::Chain(first, others) => {
                let first = self.number(first)?;
                others.iter().try_fold(first, |_, (_, term)| self.number(term))?
            }
            Operand::Abs(term) => self.number(term)?,
        })
    }

    fn is_text_column(&self, term: &Term) -> bool {
        matches!(term.operand, Operand::Column(at) if self.types[at] == Ok(Type::Text))
    }

    /// Fails unless a term is a number.
    fn number(&self, term: &Term) -> Result<Type, ConditionError> {
        if self.type_of(term)? == Type::Number {
            return Ok(Type::Number);
        }
        let reason = format!("expected a number to calculate with, found {}", self.shown(term));
        let is_of_text = self.is_text_column(term);
        Err(ConditionError { is_of_text, ..ConditionError::new(term.character, reason) })
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
        let is_label = match (&self.labels, column) {
            (Some(labels), Column::Input(column)) => labels.has(column),
            _ => false,
        };
        let is_own = || self.schema.column_with_name(name).is_some();
        (self.is_available(column) && (is_label || !is_own())).then_some(column)
    }

    /// The columns called `score`, `result` or `move` that conditions compare as they are in the table, because they are not
    /// read as labels.
    #[must_use]
    pub fn unread_labels(&self, conditions: &[Condition]) -> Vec<&'static str> {
        let labels = [InputColumn::Score, InputColumn::Result, InputColumn::Move];
        let unread = labels.into_iter().filter(|label| !self.has(*label));
        let names = unread.map(|label| Column::Input(label).name());
        let is_compared = |name: &&str| conditions.iter().any(|one| one.names().contains(name));
        names
            .filter(|name| self.schema.column_with_name(name).is_some())
            .filter(is_compared)
            .collect()
    }

    /// Adds the columns of a table and the tags of games that conditions need, without passing them through.
    #[must_use]
    pub fn needing(mut self, conditions: &[Condition]) -> Self {
        let schema = Arc::clone(&self.schema);
        let places = places(&names(&schema));
        let mut known: HashSet<String> =
            self.passed().chain(self.hidden()).map(|field| field.name().clone()).collect();
        let mut fields = schema.fields().to_vec();
        for name in conditions.iter().flat_map(Condition::names) {
            if !known.insert(name.to_owned()) || self.catalogued(name).is_some() {
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
