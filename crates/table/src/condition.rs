//! Conditions on columns, in the syntax that users type: `checkers = 0 and piece_count > 6 and ply >= 16`. This file
//! parses them, `filter.rs` resolves their columns, and `evaluate.rs` evaluates them.
//!
//! ```text
//! condition  = conjunction ("or" conjunction)*
//! conjunction = negation ("and" negation)*
//! negation   = "not" negation | "(" condition ")" | comparison
//! comparison = sum ("=" | "!=" | "<" | "<=" | ">" | ">=") sum | column "is" ["not"] "null"
//! sum        = product (("+" | "-") product)*
//! product    = operand ("*" operand)*
//! operand    = column | number | text | "true" | "false" | "(" sum ")" | "abs" "(" sum ")"
//! ```
//!
//! Parentheses contain a condition if there is a keyword or a comparison in them, and otherwise a sum.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

pub use tokens::ConditionError;
pub(crate) use tokens::{Operand, Operator, Term};
use tokens::{Placed, Token, tokens};

mod tokens;

/// The maximum nesting depth of parentheses and negations.
const MAX_DEPTH: usize = 50;

/// A condition on the columns of a row.
///
/// It consists of comparisons (`=`, `!=`, `<`, `<=`, `>`, `>=`) and `column is null`, combined with `and`, `or`, `not`
/// and parentheses. Operands are columns, integers (`-300`, `0xff`), other numbers (`0.5`), quoted text (`'1-0'`),
/// `true` and `false`, and arithmetic on numbers with `+`, `-`, `*` and `abs()`: `abs(score - 2 * eval) < 300`. Put a
/// name with characters other than letters, digits and `_` between backticks. Bitboards are unsigned numbers, 0 if they
/// are empty. Keywords are case-insensitive; names of columns are not.
///
/// A comparison with a null is neither true nor false, as in SQL. A row is kept if the condition is true.
///
/// ```
/// use arrow_array::StringArray;
/// use setwise_table::{Condition, Input, Query};
/// let condition: Condition = "piece_count > 2 and not checkers != 0".parse()?;
/// let query = Query::default().columns(["white_all".parse()?]).conditions([condition]);
/// let fens = ["4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/R3K3 w - -", "4k3/8/8/8/8/8/8/4R1K1 b - -"];
/// let output = query.plan(&Input::column())?.text(&StringArray::from(fens.to_vec()))?;
/// assert_eq!((output.batch.num_rows(), &output.report.left_out[..]), (1, &[2][..]));
///
/// let error = "checkers = 0 ply > 3".parse::<Condition>().unwrap_err();
/// assert_eq!(error.to_string(), "character 14: expected `and`, `or` or the end, found `ply`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    pub(crate) columns: Vec<Named>,
    pub(crate) expression: Expression,
}

/// The name of a column, and the character at which it begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) character: usize,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// A parsed condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Or(Vec<Self>),
    And(Vec<Self>),
    Not(Box<Self>),
    /// A comparison, with its range of the columns of the condition.
    Compare(Term, Operator, Term, Range<usize>),
    /// The index of a column of the condition.
    IsNull(usize),
}

impl Condition {
    /// The names of the condition's columns, as written.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, depth: 0, columns: Vec::new() };
        let expression = parser.any()?;
        if parser.tokens[0].token != Token::End {
            return Err(parser.expected("`and`, `or` or the end"));
        }
        Ok(Self { text: text.trim().to_owned(), columns: parser.columns, expression })
    }
}

struct Parser<'a> {
    /// The remaining tokens; the last is [`Token::End`].
    tokens: &'a [Placed],
    depth: usize,
    columns: Vec<Named>,
}

impl Parser<'_> {
    fn expected(&self, what: &str) -> ConditionError {
        let Placed { character, token, text } = &self.tokens[0];
        let found = match token {
            Token::End => "the end".to_owned(),
            _ => format!("`{text}`"),
        };
        ConditionError::new(*character, format!("expected {what}, found {found}"))
    }

    fn accept(&mut self, token: &Token) -> bool {
        let is_next = self.tokens[0].token == *token;
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    /// Returns whether a condition in parentheses is next.
    fn opens_condition(&self) -> bool {
        let mut depth = 0;
        for placed in self.tokens {
            match placed.token {
                Token::Sign('(') => depth += 1,
                Token::Sign(')') => depth -= 1,
                Token::Operator(_) | Token::Keyword(_) if depth > 0 => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        false
    }

    fn any(&mut self) -> Result<Expression, ConditionError> {
        let all = |parser: &mut Self| parser.joined("and", Self::one, Expression::And);
        self.joined("or", all, Expression::Or)
    }

    fn joined(
        &mut self,
        by: &'static str,
        part: fn(&mut Self) -> Result<Expression, ConditionError>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression, ConditionError> {
        let mut all = vec![part(self)?];
        while self.accept(&Token::Keyword(by)) {
            all.push(part(self)?);
        }
        Ok(if all.len() > 1 { join(all) } else { all.remove(0) })
    }

    fn one(&mut self) -> Result<Expression, ConditionError> {
        if self.opens_condition() {
            return self.parentheses(Self::any, "`and`, `or` or `)`");
        }
        if self.tokens[0].token != Token::Keyword("not") {
            return self.comparison();
        }
        self.nested(|parser| Ok(Expression::Not(Box::new(parser.one()?))))
    }

    /// Passes a token, and calls a parser one level deeper. Fails if the nesting is too deep.
    fn nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, ConditionError>,
    ) -> Result<T, ConditionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let reason = format!("expected at most {MAX_DEPTH} levels of parentheses and `not`");
            return Err(ConditionError::new(self.tokens[0].character, reason));
        }
        self.tokens = &self.tokens[1..];
        let parsed = parse(self)?;
        self.depth -= 1;
        Ok(parsed)
    }

    /// Parses what parentheses contain. `end` says what can follow it.
    fn parentheses<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, ConditionError>,
        end: &str,
    ) -> Result<T, ConditionError> {
        self.nested(|parser| {
            let inner = parse(parser)?;
            if parser.accept(&Token::Sign(')')) { Ok(inner) } else { Err(parser.expected(end)) }
        })
    }

    fn comparison(&mut self) -> Result<Expression, ConditionError> {
        let before = self.columns.len();
        let left = self.sum("a column, a value, `not` or `(`")?;
        if self.accept(&Token::Keyword("is")) {
            let negated = self.accept(&Token::Keyword("not"));
            let Operand::Column(column) = left.operand else {
                return Err(ConditionError::new(left.character, "expected a column before `is`"));
            };
            if !self.accept(&Token::Keyword("null")) {
                return Err(self.expected(if negated { "`null`" } else { "`null` or `not null`" }));
            }
            let is_null = Expression::IsNull(column);
            return Ok(if negated { Expression::Not(Box::new(is_null)) } else { is_null });
        }
        let Token::Operator(operator) = self.tokens[0].token else {
            return Err(self.expected("a comparison (=, !=, <, <=, >, >=) or `is null`"));
        };
        self.tokens = &self.tokens[1..];
        if self.tokens[0].token == Token::Keyword("null") {
            return Err(self.expected("a column or a value (nulls are found by `is null`)"));
        }
        let right = self.sum("a column or a value")?;
        if self.columns.len() == before {
            let reason = "expected a column on one side of the comparison";
            return Err(ConditionError::new(left.character, reason));
        }
        Ok(Expression::Compare(left, operator, right, before..self.columns.len()))
    }

    fn sum(&mut self, expected: &str) -> Result<Term, ConditionError> {
        let product =
            |parser: &mut Self, expected: &str| parser.chain(expected, &['*'], Self::operand);
        self.chain(expected, &['+', '-'], product)
    }

    /// Parses operands joined by these signs.
    fn chain(
        &mut self,
        expected: &str,
        signs: &[char],
        part: fn(&mut Self, &str) -> Result<Term, ConditionError>,
    ) -> Result<Term, ConditionError> {
        let first = part(self, expected)?;
        let mut others = Vec::new();
        while let Some(&sign) = signs.iter().find(|sign| self.accept(&Token::Sign(**sign))) {
            others.push((sign, part(self, "a column or a value")?));
        }
        if others.is_empty() {
            return Ok(first);
        }
        let character = first.character;
        Ok(Term { character, operand: Operand::Chain(Box::new(first), others) })
    }

    fn operand(&mut self, expected: &str) -> Result<Term, ConditionError> {
        let character = self.tokens[0].character;
        let is_open = |placed: &Placed| placed.token == Token::Sign('(');
        let is_abs = self.tokens[0].text.eq_ignore_ascii_case("abs")
            && self.tokens.get(1).is_some_and(is_open);
        if is_abs {
            self.tokens = &self.tokens[1..];
        }
        if is_open(&self.tokens[0]) {
            if self.opens_condition() {
                let reason = "expected a column or a value, found a condition";
                return Err(ConditionError::new(self.tokens[0].character, reason));
            }
            let end = "a comparison (=, !=, <, <=, >, >=), `is null` or `)`";
            let inner = self.parentheses(|parser| parser.sum(expected), end)?;
            let abs = |inner| Term { character, operand: Operand::Abs(Box::new(inner)) };
            return Ok(if is_abs { abs(inner) } else { inner });
        }
        let operand = match &self.tokens[0].token {
            Token::Column(name) => {
                self.columns.push(Named { name: name.clone(), character });
                Operand::Column(self.columns.len() - 1)
            }
            Token::Operand(operand) => operand.clone(),
            _ => return Err(self.expected(expected)),
        };
        self.tokens = &self.tokens[1..];
        Ok(Term { character, operand })
    }
}

#[cfg(test)]
mod tests;
