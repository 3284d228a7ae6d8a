//! Splits the text of a condition into words, signs and literals.

use std::fmt;

/// An error in a condition, with the character at which it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// The first wrong character, counted from 1.
    pub character: usize,
    /// The expected and the actual token.
    pub reason: String,
    /// True if a column of text is used like one of numbers.
    pub is_of_text: bool,
}

impl ConditionError {
    pub(crate) fn new(character: usize, reason: impl Into<String>) -> Self {
        Self { character, reason: reason.into(), is_of_text: false }
    }
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.character, self.reason)
    }
}

impl std::error::Error for ConditionError {}

/// An operand, and the character at which it begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) character: usize,
    pub(crate) operand: Operand,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    /// An index into the columns of the condition.
    Column(usize),
    Integer(i128),
    Float(f64),
    Text(String),
    Bool(bool),
    /// A sum or a product: its first term, and the signs before the others.
    Chain(Box<Term>, Vec<(char, Term)>),
    Abs(Box<Term>),
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
    pub(super) const ALL: [(&'static str, Self); 8] = [
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

/// A word, sign or literal, and the character at which it begins.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) character: usize,
    pub(super) token: Token,
    /// The token as written, for messages.
    pub(super) text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Column(String),
    Operand(Operand),
    Operator(Operator),
    Keyword(&'static str),
    Sign(char),
    End,
}

const KEYWORDS: [&str; 5] = ["and", "or", "not", "is", "null"];

pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, ConditionError> {
    let mut tokens: Vec<Placed> = Vec::new();
    let (mut rest, mut character, mut counted) = (text, 1, 0);
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        character += text[counted..start].chars().count();
        counted = start;
        let wrong = |reason: String| ConditionError::new(character, reason);
        let Some(first) = rest.chars().next() else {
            tokens.push(Placed { character, token: Token::End, text: String::new() });
            return Ok(tokens);
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        // After an operand, a sign is not part of a number.
        let follows = tokens.last().is_some_and(|last| {
            matches!(last.token, Token::Column(_) | Token::Operand(_) | Token::Sign(')'))
        });
        let (token, length) = if follows && matches!(first, '-' | '+') {
            (Token::Sign(first), 1)
        } else if first.is_ascii_digit() || matches!(first, '-' | '+' | '.') {
            let sign = usize::from(matches!(first, '-' | '+'));
            let is_number = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
            let mut length = sign + until(&rest[sign..], |c| !is_number(c));
            // The sign of an exponent, as in 1e-3.
            let is_open =
                rest[..length].ends_with(['e', 'E']) && !rest[..length].contains(['x', 'X']);
            if is_open && rest[length..].starts_with(['-', '+']) {
                length += 1 + until(&rest[length + 1..], |c| !is_number(c));
            }
            let operand = number(&rest[..length]).ok_or_else(|| {
                wrong(format!(
                    "expected a number such as 12, -0.5 or 0xff, found `{}`",
                    &rest[..length]
                ))
            })?;
            (Token::Operand(operand), length)
        } else if is_name(first) {
            let length = until(rest, |c| !is_name(c));
            (classify_word(&rest[..length]), length)
        } else if matches!(first, '\'' | '"' | '`') {
            let (value, length) = quoted(rest, first)
                .ok_or_else(|| wrong(format!("expected a second {first} after the text")))?;
            let text = |value| Token::Operand(Operand::Text(value));
            (if first == '`' { Token::Column(value) } else { text(value) }, length)
        } else if let Some((sign, operator)) =
            Operator::ALL.iter().find(|(sign, _)| rest.starts_with(sign))
        {
            (Token::Operator(*operator), sign.len())
        } else {
            let token = match first {
                '(' | ')' | '*' => Token::Sign(first),
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

/// Classifies a word as a keyword or the name of a column.
fn classify_word(word: &str) -> Token {
    if let Some(keyword) = KEYWORDS.iter().find(|keyword| word.eq_ignore_ascii_case(keyword)) {
        return Token::Keyword(keyword);
    }
    let is = |value: &str| word.eq_ignore_ascii_case(value);
    match is("true") || is("false") {
        true => Token::Operand(Operand::Bool(is("true"))),
        false => Token::Column(word.to_owned()),
    }
}

fn number(text: &str) -> Option<Operand> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let integer = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => digits.parse::<i128>().ok(),
    };
    if let Some(integer) = integer {
        return Some(Operand::Integer(sign * integer));
    }
    // An integer of more digits would not be exact.
    let is_decimal = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.contains(|c: char| !c.is_ascii_digit());
    let float: f64 = digits.parse().ok().filter(|_| is_decimal)?;
    Some(Operand::Float(sign as f64 * float))
}

/// Returns the text between quotes, in which a doubled quote is one quote, and the length with the quotes.
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
