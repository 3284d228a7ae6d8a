//! The conditions of a plan: finds their columns in an input, checks types, and evaluates conditions in order.
//!
//! A condition on numbers is evaluated before anything else is made of the rows ([`Filter::early`]); one on text or on
//! columns of a table when a part is complete.

use arrow_array::{ArrayRef, BooleanArray};
use arrow_buffer::BooleanBufferBuilder;
use arrow_schema::DataType;
use setwise::Shape;
use setwise::columns::nearest_name;

use crate::column::{Column, Element, InputColumn};
use crate::condition::{Condition, ConditionError, Expression, Named, Operand, Operator, Term};
use crate::error::Error;
use crate::evaluate::{Operands, TRUE};
use crate::input::Input;
use crate::text::is_text;

#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    conditions: Vec<Resolved>,
    pub(crate) early: Vec<Column>,
    /// The columns that the late conditions need besides those that are passed through.
    pub(crate) late: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Resolved {
    is_early: bool,
    expression: Expression,
    /// Which columns those of the condition are: the index among the early ones, or the place of [`Filter::number`].
    columns: Vec<usize>,
}

/// What can be compared with what.
#[derive(Clone, Copy, PartialEq)]
enum Type {
    Number,
    Text,
    Bool,
}

/// Where the values of a column come from.
#[derive(Clone, Copy)]
enum Found {
    Column(Column, Type),
    /// The index among the columns that are passed through.
    Passed(usize, Type),
}

impl Filter {
    /// Finds the columns of conditions in an input, which has [all that they need](Input::needing).
    pub(crate) fn new(conditions: &[Condition], input: &Input) -> Result<Self, Error> {
        let mut filter = Self::default();
        for condition in conditions {
            let found = condition.columns.iter().map(|column| find(column, input));
            let typed = found.collect::<Result<Vec<_>, _>>().and_then(|found| {
                Typed { columns: &condition.columns, found: &found }
                    .check(&condition.expression)?;
                Ok(found)
            });
            let found = typed.map_err(|error| Error::Condition(condition.to_string(), error))?;
            let is_early = found.iter().all(
                |found| matches!(found, Found::Column(column, Type::Number) if !is_pushed(*column)),
            );
            let columns = found.into_iter().map(|found| filter.number(found, is_early)).collect();
            let expression = condition.expression.clone();
            filter.conditions.push(Resolved { is_early, expression, columns });
        }
        Ok(filter)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.conditions.len()
    }

    pub(crate) fn has_late(&self) -> bool {
        self.first_late().is_some()
    }

    /// The index of the first condition that is evaluated late.
    pub(crate) fn first_late(&self) -> Option<usize> {
        self.conditions.iter().position(|condition| !condition.is_early)
    }

    /// The number of a column: among the early ones, or among those passed through with the other late ones behind.
    fn number(&mut self, found: Found, is_early: bool) -> usize {
        let (columns, column) = match found {
            Found::Passed(at, _) => return 2 * at,
            Found::Column(column, _) if is_early => (&mut self.early, column),
            Found::Column(column, _) => (&mut self.late, column),
        };
        let at = columns.iter().position(|other| *other == column).unwrap_or_else(|| {
            columns.push(column);
            columns.len() - 1
        });
        // Even numbers of late conditions are columns that are passed through.
        if is_early { at } else { 2 * at + 1 }
    }

    /// Evaluates the early conditions in order. Rows that one of them leaves out get false in `kept`, and are counted.
    pub(crate) fn evaluate_early<'a>(
        &'a self,
        columns: &'a [Operands<'a>],
        kept: &mut [bool],
        left_out: &mut [u64],
    ) {
        self.evaluate(true, &|at| &columns[at], kept, left_out);
    }

    /// Evaluates the late conditions on the columns that are passed through and the other late ones.
    pub(crate) fn evaluate_late(
        &self,
        passed: &[ArrayRef],
        others: &[ArrayRef],
        kept: &mut [bool],
        left_out: &mut [u64],
    ) {
        let passed: Vec<_> = passed.iter().map(Operands::of_array).collect();
        let others: Vec<_> = others.iter().map(Operands::of_array).collect();
        let column =
            |at: usize| if at.is_multiple_of(2) { &passed[at / 2] } else { &others[at / 2] };
        self.evaluate(false, &column, kept, left_out);
    }

    fn evaluate<'a>(
        &'a self,
        is_early: bool,
        columns: &impl Fn(usize) -> &'a Operands<'a>,
        kept: &mut [bool],
        left_out: &mut [u64],
    ) {
        let conditions = self.conditions.iter().zip(left_out);
        for (condition, left_out) in conditions.filter(|(one, _)| one.is_early == is_early) {
            let columns = |at: usize| columns(condition.columns[at]);
            let truth = condition.expression.truth(&columns, kept.len());
            for (kept, truth) in kept.iter_mut().zip(truth) {
                let is_out = *kept && truth != TRUE;
                *left_out += u64::from(is_out);
                *kept &= !is_out;
            }
        }
    }
}

/// Whether the values of a column are appended with the row, and not computed.
pub(crate) fn is_pushed(column: Column) -> bool {
    use InputColumn::{Fen, Line, Rest};
    matches!(column, Column::Input(Fen | Line | Rest))
}

/// A condition whose columns are known: checks that it compares equal types.
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
        let wrong = |term: &Term, reason| Err(ConditionError { character: term.character, reason });
        if left_type != right_type {
            // The literal is wrong, not the column.
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
            Operand::Column(at) => match self.found[*at] {
                Found::Column(_, of) | Found::Passed(_, of) => return Ok(of),
            },
            Operand::Text(_) => return Ok(Type::Text),
            Operand::Bool(_) => return Ok(Type::Bool),
            Operand::Integer(_) | Operand::Float(_) => {}
            Operand::Sum(terms) => terms.iter().try_for_each(|(term, _)| self.is_number(term))?,
            Operand::Product(terms) => terms.iter().try_for_each(|term| self.is_number(term))?,
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
        Err(ConditionError { character: term.character, reason })
    }

    fn shown(&self, term: &Term) -> String {
        match &term.operand {
            Operand::Column(at) => format!("`{}`", self.columns[*at].name),
            Operand::Integer(number) => number.to_string(),
            Operand::Float(number) => number.to_string(),
            Operand::Text(text) => format!("'{text}'"),
            Operand::Bool(value) => value.to_string(),
            Operand::Sum(terms) => {
                let mut text = String::new();
                for (at, (term, minus)) in terms.iter().enumerate() {
                    text += match (at, minus) {
                        (0, _) => "",
                        (_, true) => " - ",
                        (_, false) => " + ",
                    };
                    text += &self.shown(term);
                }
                text
            }
            Operand::Product(terms) => {
                terms.iter().map(|term| self.shown(term)).collect::<Vec<_>>().join(" * ")
            }
            Operand::Abs(term) => format!("abs({})", self.shown(term)),
        }
    }
}

/// Finds a column by its name: one of the catalogue if the input has it, else one of the table.
fn find(Named { name, character }: &Named, input: &Input) -> Result<Found, ConditionError> {
    let wrong = |reason| Err(ConditionError { character: *character, reason });
    let single = |what: &str| {
        format!("`{name}` holds {what}: conditions take numbers, text, true and false")
    };
    if let Some(column) = input.catalogued(name) {
        return match (column.shape(), column.element()) {
            (Shape::Value, Element::Text) => Ok(Found::Column(column, Type::Text)),
            (Shape::Value, _) => Ok(Found::Column(column, Type::Number)),
            _ => wrong(single("lists")),
        };
    }
    let mut passed = input.passed().chain(input.hidden());
    if let Some(at) = passed.position(|field| field.name() == name) {
        let field = input.passed().chain(input.hidden()).nth(at).expect("it has just been found");
        return match field.data_type() {
            DataType::Boolean => Ok(Found::Passed(at, Type::Bool)),
            of if is_text(of) => Ok(Found::Passed(at, Type::Text)),
            DataType::Float16 => wrong(single("Float16")),
            of if of.is_integer() || of.is_floating() => Ok(Found::Passed(at, Type::Number)),
            of => wrong(single(&of.to_string())),
        };
    }
    let exists = Column::all().iter().any(|column| column.name() == name);
    let own = input.schema.fields().iter().map(|field| field.name().as_str());
    let known = Column::all().iter().filter(|&&column| input.tells(column)).map(|one| one.name());
    wrong(match nearest_name(name, known.chain(own)) {
        _ if exists => format!("column `{name}` is not in this input"),
        Some(near) => format!("no column is called `{name}`; did you mean `{near}`?"),
        None => format!("no column is called `{name}`"),
    })
}

impl Input {
    /// The column of the catalogue with this name, if the input has it, unless a table has one of its own. Labels come
    /// before the columns that they are read from.
    fn catalogued(&self, name: &str) -> Option<Column> {
        let column = Column::all().iter().copied().find(|column| column.name() == name)?;
        let is_label = self.labels.as_ref().is_some_and(|labels| {
            labels.found().iter().any(|label| Column::Input(*label) == column)
        });
        let is_own = || self.schema.column_with_name(name).is_some();
        (self.tells(column) && (is_label || !is_own())).then_some(column)
    }

    /// Reads also what conditions need of a table or of the tags of games, without passing it through.
    #[must_use]
    pub fn needing(mut self, conditions: &[Condition]) -> Self {
        for name in conditions.iter().flat_map(Condition::names) {
            if self.catalogued(name).is_none()
                && !self.passed().chain(self.hidden()).any(|field| field.name() == name)
                && let Some(place) = self.place_of(name)
            {
                self.hidden.push(place);
            }
        }
        self
    }
}

/// Which rows stay, as Arrow's filters take it.
pub(crate) fn mask(kept: &[bool]) -> BooleanArray {
    let mut mask = BooleanBufferBuilder::new(kept.len());
    mask.append_slice(kept);
    BooleanArray::new(mask.finish(), None)
}
