//! Scores and results after a position in text.

use setwise::Colour;
use setwise_formats::Records;
use setwise_table::{Error, Input, InputColumn, LineRun, Lines, Query};

/// The score and the result of a line, for the side to move, or the reason why it is invalid.
fn labels(turn: Colour, text: &str) -> Result<(i32, i8), String> {
    let side = if turn == Colour::White { 'w' } else { 'b' };
    let text = format!("4k3/8/8/8/8/8/8/R3K3 {side} - - 0 1 {text}\n").into_bytes();
    let runs = vec![LineRun { input: "a.fen".into(), first: 1, end: text.len() }];
    let query = Query::default().columns([]).labels([InputColumn::Score, InputColumn::Result]);
    let plan = query.plan(&Input::text()).expect("a plan");
    let mut found = Vec::new();
    let mut receiver = |records: &mut Records, _: &[u64]| {
        found.extend(records.score.iter().copied().zip(records.result.iter().copied()));
    };
    let part = Lines { text, runs, count: 1 }.into_part();
    match plan.keep::<Error>(part, None, None, &mut receiver) {
        Ok(_) => Ok(found[0]),
        Err(Error::Invalid(bad)) => Err(bad.reason),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn scores_and_results_are_for_white() {
    for (text, score, result) in [
        ("| 0 | 0.5", 0, 0),
        ("|+17|0", 17, -1),
        ("| -31000 | 1/2-1/2", -31_000, 0),
        ("| 3 | [1.0]", 3, 1),
        ("| 32 | 1.0", 32, 1),
    ] {
        assert_eq!(labels(Colour::White, text), Ok((score, result)), "{text}");
        assert_eq!(labels(Colour::Black, text), Ok((-score, -result)), "{text}");
    }
}

#[test]
fn scores_after_brackets_are_for_the_side_to_move() {
    for (text, score, result) in [
        ("[0.5] 30", 30, 0),
        ("[1.0] -7", -7, 1),
        ("[0-1]+2", 2, -1),
        ("[0.0]", Records::NO_SCORE, -1),
    ] {
        assert_eq!(labels(Colour::White, text), Ok((score, result)), "{text}");
        assert_eq!(labels(Colour::Black, text), Ok((score, -result)), "{text}");
    }
}

#[test]
fn labels_can_be_missing() {
    for text in ["", "| | *", "| 32002 | *", "|-32002|", "[*]", "[] 32002"] {
        for turn in Colour::ALL {
            assert_eq!(labels(turn, text), Ok((Records::NO_SCORE, Records::NO_RESULT)), "{text}");
        }
    }
}

#[test]
fn wrong_labels_are_errors() {
    let integer = "expected an integer from -2147483647 to 2147483647 as the score in";
    let of_white = format!("{integer} `| score | result` after the position, found");
    for (text, expected) in [
        ("| 3", "expected a second `|` in `| score | result`"),
        ("| x | 1", &*format!("{of_white} `x`")),
        ("| -2147483648 | 1", &*format!("{of_white} `-2147483648`")),
        ("| 1.0 | 32", &*format!("{of_white} `1.0`")),
        (
            "| 3 | 2",
            "expected 1.0, 0.5, 0.0, 1-0, 1/2-1/2, 0-1, white, draw or black as the result in `| score",
        ),
        (
            "| 3 | 1 | 1",
            "expected 1.0, 0.5, 0.0, 1-0, 1/2-1/2, 0-1, white, draw or black as the result in `| score",
        ),
        ("[0.5", "expected `]` in `[result] score` after the position, found `[0.5`"),
        (
            "[0.7] 3",
            "expected 1.0, 0.5, 0.0, 1-0, 1/2-1/2, 0-1, white, draw or black as the result in `[result] sco",
        ),
        ("[0.5] 3 4", &*format!("{integer} `[result] score` after the position, found `3 4`")),
    ] {
        let error = labels(Colour::White, text).expect_err(text);
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}
