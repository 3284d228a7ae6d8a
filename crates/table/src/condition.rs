//! Conditions on columns, as users type them: `checkers = 0 and piece_count > 6 and ply >= 16`. This file parses them;
//! `filter.rs` finds their columns and evaluates them.
//!
//! ```text
//! condition  = conjunction ("or" conjunction)*
//! conjunction = negation ("and" negation)*
//! negation   = "not" negation | "(" condition ")" | comparison
//! comparison = operand ("=" | "!=" | "<" | "<=" | ">" | ">=") operand | column "is" ["not"] "null"
//! operand    = column | number | text | "true" | "false"
//! ```

use std::fmt;
use std::str::FromStr;

/// How deep parentheses and negations nest at most.
const MAX_DEPTH: usize = 50;

/// A condition on the columns of a row.
///
/// It consists of comparisons (`=`, `!=`, `<`, `<=`, `>`, `>=`) and `column is null`, joined by `and`, `or`, `not` and
/// parentheses. Operands are columns, integers (`-300`, `0xff`), other numbers (`0.5`), text in quotes (`'1-0'`), `true`
/// and `false`. A name with other characters than letters, digits and `_` stands between backticks. Bitboards are unsigned
/// numbers, 0 if they are empty. Keywords can be upper or lower case; names of columns cannot.
///
/// A comparison with a null is neither true nor false, as in SQL; a row is kept if the whole condition is true.
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
    pub(crate) expression: Expression,
}

/// What is wrong with a condition, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// The first wrong character, counted from 1.
    pub character: usize,
    /// What was expected and what was found.
    pub reason: String,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.character, self.reason)
    }
}

impl std::error::Error for ConditionError {}

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
    Compare(Term, Operator, Term),
    IsNull(Term),
}

/// An operand, and the character where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) character: usize,
    pub(crate) operand: Operand,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Column(String),
    Integer(i128),
    Float(f64),
    Text(String),
    Bool(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    const ALL: [(&'static str, Self); 8] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<>", Self::NotEqual),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];
}

impl Condition {
    /// The names of its columns, as they are written.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        fn add<'a>(expression: &'a Expression, names: &mut Vec<&'a str>) {
            let mut of_term = |term: &'a Term| {
                if let Operand::Column(name) = &term.operand {
                    names.push(name);
                }
            };
            match expression {
                Expression::Compare(left, _, right) => [left, right].into_iter().for_each(of_term),
                Expression::IsNull(term) => of_term(term),
                Expression::Not(inner) => add(inner, names),
                Expression::Or(all) | Expression::And(all) => {
                    all.iter().for_each(|inner| add(inner, names));
                }
            }
        }
        let mut names = Vec::new();
        add(&self.expression, &mut names);
        names
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, depth: 0 };
        let expression = parser.any()?;
        if parser.tokens[0].token != Token::End {
            return Err(parser.expected("`and`, `or` or the end"));
        }
        Ok(Self { text: text.trim().to_owned(), expression })
    }
}

/// A word, sign or literal, and the character where it begins.
#[derive(Clone, Debug)]
struct Placed {
    character: usize,
    token: Token,
    /// As it is written, for messages.
    text: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Operand(Operand),
    Operator(Operator),
    And,
    Or,
    Not,
    Is,
    Null,
    Open,
    Close,
    End,
}

fn tokens(text: &str) -> Result<Vec<Placed>, ConditionError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let character = text[..text.len() - rest.len()].chars().count() + 1;
        let wrong = |reason: String| ConditionError { character, reason };
        let Some(first) = rest.chars().next() else {
            tokens.push(Placed { character, token: Token::End, text: String::new() });
            return Ok(tokens);
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let (token, length) = if first.is_ascii_digit() || matches!(first, '-' | '+' | '.') {
            let sign = usize::from(matches!(first, '-' | '+'));
            let is_number = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
            let length = sign + until(&rest[sign..], |c| !is_number(c));
            let operand = number(&rest[..length]).ok_or_else(|| {
                wrong(format!(
                    "expected a number such as 12, -0.5 or 0xff, found `{}`",
                    &rest[..length]
                ))
            })?;
            (Token::Operand(operand), length)
        } else if is_name(first) {
            let length = until(rest, |c| !is_name(c));
            (word(&rest[..length]), length)
        } else if matches!(first, '\'' | '"' | '`') {
            let (value, length) = quoted(rest, first)
                .ok_or_else(|| wrong(format!("expected a second {first} after the text")))?;
            let operand = if first == '`' { Operand::Column(value) } else { Operand::Text(value) };
            (Token::Operand(operand), length)
        } else if let Some((sign, operator)) =
            Operator::ALL.iter().find(|(sign, _)| rest.starts_with(sign))
        {
            (Token::Operator(*operator), sign.len())
        } else {
            let token = match first {
                '(' => Token::Open,
                ')' => Token::Close,
                '&' => return Err(wrong("expected `and`, found `&`".to_owned())),
                '|' => return Err(wrong("expected `or`, found `|`".to_owned())),
                '!' => return Err(wrong("expected `not` or `!=`, found `!`".to_owned())),
                other => {
                    let reason =
                        format!("expected a column, a value or a comparison, found `{other}`");
                    return Err(wrong(reason));
                }
            };
            (token, 1)
        };
        tokens.push(Placed { character, token, text: rest[..length].to_owned() });
        rest = &rest[length..];
    }
}

fn until(text: &str, ends: impl Fn(char) -> bool) -> usize {
    text.find(ends).unwrap_or(text.len())
}

/// A keyword, or else the name of a column.
fn word(word: &str) -> Token {
    match &*word.to_ascii_lowercase() {
        "and" => Token::And,
        "or" => Token::Or,
        "not" => Token::Not,
        "is" => Token::Is,
        "null" => Token::Null,
        "true" => Token::Operand(Operand::Bool(true)),
        "false" => Token::Operand(Operand::Bool(false)),
        _ => Token::Operand(Operand::Column(word.to_owned())),
    }
}

fn number(text: &str) -> Option<Operand> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let integer = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    };
    if let Some(integer) = integer {
        return Some(Operand::Integer(sign * i128::from(integer)));
    }
    let is_decimal = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let float: f64 = digits.parse().ok().filter(|_| is_decimal)?;
    Some(Operand::Float(sign as f64 * float))
}

/// What stands between quotes, of which two stand for one; and the length with the quotes.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character == quote && characters.next_if(|(_, next)| *next == quote).is_none() {
            return Some((value, at + 1));
        }
        value.push(character);
    }
    None
}

struct Parser<'a> {
    /// What is left; [`Token::End`] is the last.
    tokens: &'a [Placed],
    depth: usize,
}

impl Parser<'_> {
    fn expected(&self, what: &str) -> ConditionError {
        let Placed { character, token, text } = &self.tokens[0];
        let found = match token {
            Token::End => "the end".to_owned(),
            _ => format!("`{text}`"),
        };
        ConditionError { character: *character, reason: format!("expected {what}, found {found}") }
    }

    /// Takes the next token if it is this one.
    fn takes(&mut self, token: &Token) -> bool {
        let is_next = self.tokens[0].token == *token;
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    fn any(&mut self) -> Result<Expression, ConditionError> {
        let mut all = vec![self.all()?];
        while self.takes(&Token::Or) {
            all.push(self.all()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expression::Or(all) })
    }

    fn all(&mut self) -> Result<Expression, ConditionError> {
        let mut all = vec![self.one()?];
        while self.takes(&Token::And) {
            all.push(self.one()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expression::And(all) })
    }

    fn one(&mut self) -> Result<Expression, ConditionError> {
        let character = self.tokens[0].character;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let reason = format!("expected at most {MAX_DEPTH} levels of parentheses and `not`");
            return Err(ConditionError { character, reason });
        }
        let expression = if self.takes(&Token::Not) {
            Expression::Not(Box::new(self.one()?))
        } else if self.takes(&Token::Open) {
            let inner = self.any()?;
            if !self.takes(&Token::Close) {
                return Err(self.expected("`and`, `or` or `)`"));
            }
            inner
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(expression)
    }

    fn comparison(&mut self) -> Result<Expression, ConditionError> {
        let left = self.term("a column, a value, `not` or `(`")?;
        if self.takes(&Token::Is) {
            let negated = self.takes(&Token::Not);
            if !matches!(left.operand, Operand::Column(_)) {
                let (character, reason) =
                    (left.character, "expected a column before `is`".to_owned());
                return Err(ConditionError { character, reason });
            }
            if !self.takes(&Token::Null) {
                return Err(self.expected(if negated { "`null`" } else { "`null` or `not null`" }));
            }
            let is_null = Expression::IsNull(left);
            return Ok(if negated { Expression::Not(Box::new(is_null)) } else { is_null });
        }
        let Token::Operator(operator) = self.tokens[0].token else {
            return Err(self.expected("a comparison (=, !=, <, <=, >, >=) or `is null`"));
        };
        self.tokens = &self.tokens[1..];
        if self.tokens[0].token == Token::Null {
            return Err(self.expected("a column or a value (nulls are found by `is null`)"));
        }
        let right = self.term("a column or a value")?;
        let has_column =
            [&left, &right].iter().any(|term| matches!(term.operand, Operand::Column(_)));
        if !has_column {
            let (character, reason) =
                (left.character, "expected a column on one side of the comparison".to_owned());
            return Err(ConditionError { character, reason });
        }
        Ok(Expression::Compare(left, operator, right))
    }

    fn term(&mut self, expected: &str) -> Result<Term, ConditionError> {
        let Placed { character, token, .. } = &self.tokens[0];
        let Token::Operand(operand) = token else { return Err(self.expected(expected)) };
        let term = Term { character: *character, operand: operand.clone() };
        self.tokens = &self.tokens[1..];
        Ok(term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A condition with all parentheses.
    fn shown(expression: &Expression) -> String {
        let joined = |all: &[Expression], word: &str| {
            let all: Vec<_> = all.iter().map(shown).collect();
            format!("({})", all.join(word))
        };
        let term = |term: &Term| match &term.operand {
            Operand::Column(name) => name.clone(),
            Operand::Integer(number) => number.to_string(),
            Operand::Float(number) => format!("{number:?}"),
            Operand::Text(text) => format!("{text:?}"),
            Operand::Bool(value) => value.to_string(),
        };
        match expression {
            Expression::Or(all) => joined(all, " | "),
            Expression::And(all) => joined(all, " & "),
            Expression::Not(inner) => format!("!{}", shown(inner)),
            Expression::IsNull(of) => format!("{}?", term(of)),
            Expression::Compare(a, operator, b) => {
                let sign = Operator::ALL.iter().rfind(|(_, other)| other == operator);
                format!("{}{}{}", term(a), sign.map_or("", |(sign, _)| sign), term(b))
            }
        }
    }

    #[test]
    fn conditions_are_parsed() {
        for (text, expected) in [
            ("a = 1", "a=1"),
            ("a==1", "a=1"),
            ("a <> 1", "a<>1"),
            ("1 <= a", "1<=a"),
            ("a>=-3", "a>=-3"),
            ("a > 0xFF", "a>255"),
            ("a = 0xffffffffffffffff", "a=18446744073709551615"),
            ("a = .5 or a = 1e3", "(a=0.5 | a=1000.0)"),
            ("a = 1 or b = 2 and c = 3", "(a=1 | (b=2 & c=3))"),
            ("(a = 1 or b = 2) and c = 3", "((a=1 | b=2) & c=3)"),
            ("not a = 1 and b = 2", "(!a=1 & b=2)"),
            ("NOT (a = 1 AND b = 2)", "!(a=1 & b=2)"),
            ("not not a = 1", "!!a=1"),
            ("a is null or b IS NOT NULL", "(a? | !b?)"),
            ("a < b", "a<b"),
            ("a = 'it''s' and b != \"x\"", "(a=\"it's\" & b<>\"x\")"),
            ("`White Elo` > 2000", "White Elo>2000"),
            ("rated = true", "rated=true"),
            ("größe = 1", "größe=1"),
            ("and_ = 1", "and_=1"),
        ] {
            let condition: Condition =
                text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(shown(&condition.expression), expected, "{text}");
            assert_eq!(condition.to_string(), text);
        }
    }

    #[test]
    fn errors_point_to_their_place() {
        for (text, expected) in [
            ("", "character 1: expected a column, a value, `not` or `(`, found the end"),
            (
                "a",
                "character 2: expected a comparison (=, !=, <, <=, >, >=) or `is null`, found the end",
            ),
            (
                "a and b",
                "character 3: expected a comparison (=, !=, <, <=, >, >=) or `is null`, found `and`",
            ),
            ("a = ", "character 5: expected a column or a value, found the end"),
            ("a = 1 b", "character 7: expected `and`, `or` or the end, found `b`"),
            ("0 < a < 5", "character 7: expected `and`, `or` or the end, found `<`"),
            ("(a = 1", "character 7: expected `and`, `or` or `)`, found the end"),
            ("a = 1)", "character 6: expected `and`, `or` or the end, found `)`"),
            (
                "a = null",
                "character 5: expected a column or a value (nulls are found by `is null`), found `null`",
            ),
            ("a is 3", "character 6: expected `null` or `not null`, found `3`"),
            ("a is not", "character 9: expected `null`, found the end"),
            ("3 is null", "character 1: expected a column before `is`"),
            ("1 = 1", "character 1: expected a column on one side of the comparison"),
            ("a = 12x", "character 5: expected a number such as 12, -0.5 or 0xff, found `12x`"),
            ("a = 0x+ff", "character 5: expected a number such as 12, -0.5 or 0xff, found `0x`"),
            ("a = -0x-1", "character 5: expected a number such as 12, -0.5 or 0xff, found `-0x`"),
            ("a = -", "character 5: expected a number such as 12, -0.5 or 0xff, found `-`"),
            ("a = -inf", "character 5: expected a number such as 12, -0.5 or 0xff, found `-inf`"),
            ("größe = 'x", "character 9: expected a second ' after the text"),
            ("a = 1 && b = 2", "character 7: expected `and`, found `&`"),
            ("a = 1 | b = 2", "character 7: expected `or`, found `|`"),
            ("!a", "character 1: expected `not` or `!=`, found `!`"),
            ("a % 2", "character 3: expected a column, a value or a comparison, found `%`"),
        ] {
            let error = text.parse::<Condition>().expect_err(text);
            assert_eq!(error.to_string(), expected, "{text}");
        }
        for deep in ["(".repeat(100_000), "not ".repeat(100_000)] {
            assert!(deep.parse::<Condition>().unwrap_err().reason.contains("at most 50 levels"));
        }
        let nested = format!("{}a = 1{}", "(".repeat(49), ")".repeat(49));
        assert!(nested.parse::<Condition>().is_ok());
        // Levels that are closed do not count.
        let many = vec!["not (a = 1)"; 100].join(" and ");
        assert!(many.parse::<Condition>().is_ok());
    }
}
