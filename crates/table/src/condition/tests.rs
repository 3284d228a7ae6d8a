//! The meaning of conditions, shown with all parentheses.

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
        Expression::IsNull(of) => format!("{}?", columns[*of].name),
        Expression::Compare(a, operator, b, _) => {
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
        ("a > 0xFF and a < 0XfF", "(a>255 & a<255)"),
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
