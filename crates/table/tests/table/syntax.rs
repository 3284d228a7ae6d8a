//! The errors of invalid conditions.

use setwise_table::Condition;

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
        (
            "a = 170141183460469231731687303715884105728",
            "character 5: expected a number such as 12, -0.5 or 0xff, found `170141183460469231731687303715884105728`",
        ),
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
