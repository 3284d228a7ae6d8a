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
    pub(crate) conditions: Vec<Resolved>,
    /// The columns that the conditions need, other than those that are passed through.
    pub(crate) columns: Vec<Column>,
}

#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) expression: Expression,
    pub(crate) columns: Vec<Found>,
}

/// The type of an operand. Only operands of one type can be compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Type {
    Number,
    Text,
    Bool,
}

/// The source of the values of a column, with an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Computed(usize),
    Passed(usize),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) place: Place,
    of: Type,
}

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
        let mut resolved = Vec::new();
        for condition in conditions {
            let found = condition.columns.iter().map(&mut find);
            let found = found.collect::<Result<Vec<_>, _>>().and_then(|found| {
                Typed { columns: &condition.columns, found: &found }
                    .check(&condition.expression)?;
                Ok(found)
            });
            let columns = found.map_err(|error| Error::Condition(condition.to_string(), error))?;
            let expression = condition.expression.clone();
            resolved.push(Resolved { expression, columns });
        }
        filter.conditions = resolved;
        Ok(filter)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Returns whether any condition reads a column that is passed through.
    pub(crate) fn reads_passed(&self) -> bool {
        let mut all = self.conditions.iter().flat_map(|condition| &condition.columns);
        all.any(|found| matches!(found.place, Place::Passed(_)))
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
            let of = if column.is_text() { Type::Text } else { Type::Number };
            return Ok(Found { place: Place::Computed(at), of });
        }
        if let Some(&(at, data_type)) = passed.get(&**name) {
            let place = Place::Passed(at);
            return match data_type {
                DataType::Boolean => Ok(Found { place, of: Type::Bool }),
                of if is_text(of) => Ok(Found { place, of: Type::Text }),
                DataType::Float16 => wrong(single("Float16")),
                of if of.is_integer() || of.is_floating() => Ok(Found { place, of: Type::Number }),
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

/// A condition with resolved columns. Checks that it compares values of one type.
struct Typed<'a> {
    columns: &'a [Named],
    found: &'a [Found],
}

impl Typed<'_> {
    fn check(&self, expression: &Expression) -> Result<(), ConditionError> {
        let (left, operator, right) = match expression {
            Expression::Or(inner) | Expression::And(inner) => {
                return inner.iter().try_for_each(|inner| self.check(inner));
            }
            Expression::Not(inner) => return self.check(inner),
            Expression::IsNull(_) => return Ok(()),
            Expression::Compare(left, operator, right) => (left, operator, right),
        };
        let (left_type, right_type) = (self.type_of(left)?, self.type_of(right)?);
        let wrong = |term: &Term, reason: String| Err(ConditionError::new(term.character, reason));
        if left_type != right_type {
            // Blame the literal, not the column.
            let (of, other, expected) = match right.operand {
                Operand::Column(_) => (left, right, right_type),
                _ => (right, left, left_type),
            };
            let expected = match expected {
                Type::Number => "a number",
                Type::Text => "text, in quotes",
                Type::Bool => "`true` or `false`",
            };
            let other = self.shown(other);
            return wrong(of, format!("expected {expected}, as {other} is compared with it"));
        }
        if left_type != Type::Number && !matches!(operator, Operator::Equal | Operator::NotEqual) {
            return wrong(left, format!("{} is compared by = and != only", self.shown(left)));
        }
        Ok(())
    }

    fn type_of(&self, term: &Term) -> Result<Type, ConditionError> {
        match &term.operand {
            Operand::Column(at) => return Ok(self.found[*at].of),
            Operand::Text(_) => return Ok(Type::Text),
            Operand::Bool(_) => return Ok(Type::Bool),
            Operand::Integer(_) | Operand::Float(_) => {}
            Operand::Chain(first, others) => {
                self.is_number(first)?;
                others.iter().try_for_each(|(_, term)| self.is_number(term))?;
            }
            Operand::Abs(term) => self.is_number(term)?,
        }
        Ok(Type::Number)
    }

    /// Fails unless a term is a number.
    fn is_number(&self, term: &Term) -> Result<(), ConditionError> {
        if self.type_of(term)? == Type::Number {
            return Ok(());
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
