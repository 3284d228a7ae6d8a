//! The meaning of conditions, shown with all parentheses, and the errors of invalid ones.

use super::*;

fn term(of: &Term, columns: &[Named]) -> String {
    let term = |of: &Term| term(of, columns);
    match &of.operand {
        Operand::Column(at) => columns[*at].name.clone(),
        Operand::Integer(number) => number.to_string(),
        Operand::Float(number) => format!("{number:?}"),
        Operand::Text(text) => format!("{text:?}"),
        Operand::Bool(value) => value.to_string(),
        Operand::Chain(first, others) => {
            let others = others.iter().map(|(sign, of)| format!("{sign}{}", term(of)));
            let plus = if others.clone().any(|other| other.starts_with('*')) { "" } else { "+" };
            format!("({plus}{}{})", term(first), others.collect::<String>())
        }
        Operand::Abs(of) => format!("|{}|", term(of)),
    }
}

/// Formats a condition with all parentheses.
fn shown(expression: &Expression, columns: &[Named]) -> String {
    let (term, shown) = (|of: &Term| term(of, columns), |of: &Expression| shown(of, columns));
    let joined = |all: &[Expression], word: &str| {
        let all: Vec<_> = all.iter().map(shown).collect();
        format!("({})", all.join(word))
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
        ("a<1e-3 and 1.5E+2-a > -2e-1", "(a<0.001 & (+150.0-a)>-0.2)"),
        ("a = 0xe-3", "a=(+14-3)"),
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
        ("a - 1 < b+2", "(+a-1)<(+b+2)"),
        ("a-1 = 3 - -2", "(+a-1)=(+3--2)"),
        ("a + b * 2 - 3 > 0", "(+a+(b*2)-3)>0"),
        ("(a + b) * 2 = 4", "((+a+b)*2)=4"),
        ("2 * (a) = 4", "(2*a)=4"),
        ("abs(a) < 3 and ABS ( a - b ) > 2", "(|a|<3 & |(+a-b)|>2)"),
        ("abs = 1 and abs + 1 = 2", "(abs=1 & (+abs+1)=2)"),
        ("((a) = 1)", "a=1"),
        ("(a) + 1 = (2)", "(+a+1)=2"),
        ("not (a = 1) and (b) is null", "(!a=1 & b?)"),
    ] {
        let condition: Condition = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(shown(&condition.expression, &condition.columns), expected, "{text}");
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
        (
            "(a",
            "character 3: expected a comparison (=, !=, <, <=, >, >=), `is null` or `)`, found the end",
        ),
        ("a = (b = 1)", "character 5: expected a column or a value, found a condition"),
        ("a + (b = 1) = 2", "character 5: expected a column or a value, found a condition"),
        ("(a = 1) = 2", "character 9: expected `and`, `or` or the end, found `=`"),
        ("(a = 1) + 2", "character 9: expected `and`, `or` or the end, found `+`"),
        ("a + = 2", "character 5: expected a column or a value, found `=`"),
        ("* a = 2", "character 1: expected a column, a value, `not` or `(`, found `*`"),
        ("a = - b", "character 5: expected a number such as 12, -0.5 or 0xff, found `-`"),
        ("abs(a = 1) = 2", "character 4: expected a column or a value, found a condition"),
        ("1 + 2 = 3", "character 1: expected a column on one side of the comparison"),
        ("a + 1 is null", "character 1: expected a column before `is`"),
        ("!a", "character 1: expected `not` or `!=`, found `!`"),
        ("a % 2", "character 3: expected a column, a value or a comparison, found `%`"),
    ] {
        let error = text.parse::<Condition>().expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
    for deep in ["(".repeat(100_000), "not ".repeat(100_000), "abs(".repeat(1000)] {
        assert!(deep.parse::<Condition>().unwrap_err().reason.contains("at most 50 levels"));
    }
    let nested = |levels| format!("{}a = 1{}", "(".repeat(levels), ")".repeat(levels));
    assert!(nested(50).parse::<Condition>().is_ok());
    assert!(nested(51).parse::<Condition>().is_err());
    let sum = format!("a{} = 1", " + a * 2".repeat(2000));
    assert!(sum.parse::<Condition>().is_ok());
    // The limit applies to the nesting depth, not to the number of parentheses.
    let many = vec!["not (a = 1)"; 100].join(" and ");
    assert!(many.parse::<Condition>().is_ok());
}
