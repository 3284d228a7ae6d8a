//! Packed records from text with scores and results, and from tables with columns for them.

use crate::run::{Folder, sample};

fn rows(folder: &Folder, name: &str, keep: &str) -> Vec<String> {
    let arguments = format!("maps {name} -q -o - -f csv --keep {keep} --columns fen");
    let text = String::from_utf8(folder.succeed(&arguments)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Positions that all formats can hold, with a legal move each: the first by its text.
fn positions() -> Vec<(setwise::Fen, String)> {
    let sample = sample();
    let fens = sample.lines().map(|line| setwise::Fen::parse(line).unwrap());
    let fits = |fen: &setwise::Fen| {
        let [white, black] = [fen.pieces.white, fen.pieces.black];
        (white | black).count_ones() <= 32
            && [white, black].iter().all(|side| (side & fen.pieces.kings).count_ones() == 1)
            && fen.castling == setwise::fen::Castling::NONE
            && fen.en_passant.is_none()
            && fen.halfmove_clock < 100
            && fen.fullmove_number < 1000
    };
    let with_move = fens.filter(fits).filter_map(|fen| {
        let legal = setwise::position::legal(&fen.pieces, (&fen).into())?;
        let played = legal.moves().next()?.to_string();
        Some((fen, played))
    });
    with_move.collect()
}

#[test]
fn scores_and_results_of_text_and_tables() {
    let folder = Folder::new();
    let positions = positions();
    assert!(positions.len() > 200);
    let (mut text, mut expected) = (String::new(), Vec::new());
    let mut table = "fen,score,result,move\n".to_owned();
    let mut of_white = "position,cp,outcome,best\n".to_owned();
    for (row, (fen, played)) in positions.iter().enumerate() {
        let (score, result) = (row as i32 * 7 - 900, row as i32 % 3 - 1);
        let sign = if fen.turn == setwise::Colour::White { 1 } else { -1 };
        let points = ["0.0", "0.5", "1.0"][(result + 1) as usize];
        let words = ["0-1", "1/2-1/2", "1-0"][(result + 1) as usize];
        text += &format!("{fen} | {score} | {}\n", if row % 2 == 0 { points } else { words });
        table += &format!("{fen},{},{},{played}\n", sign * score, sign * result);
        of_white += &format!("{fen},{score},{points},{played}\n");
        expected.push(format!("{played},{},{},{fen}", sign * score, sign * result));
    }
    folder.write("a.txt", &text);
    folder.write("a.csv", &table);
    folder.write("b.csv", &of_white);
    let options = "--fen-column position --score-column cp --result-column outcome --move-column best \
                   --scores-of white --results-of white";
    let without_move: Vec<_> =
        expected.iter().map(|row| row.split_once(',').unwrap().1.to_owned()).collect();
    for (from, options) in
        [("a.txt", ""), ("a.csv", "--lossy"), ("b.csv", &format!("--lossy {options}"))]
    {
        folder.run(&format!("convert {from} -o out.marlin -q {options}"));
        assert_eq!(rows(&folder, "out.marlin", "score,result"), without_move, "{from}");
        folder.run(&format!("convert {from} -o out.bullet -q --lossy {options}"));
        let bullet = rows(&folder, "out.bullet", "score,result");
        let labels = |rows: &[String]| -> Vec<String> {
            rows.iter().map(|row| row.rsplit_once(',').unwrap().0.to_owned()).collect()
        };
        assert_eq!(labels(&bullet), labels(&without_move), "{from}");
    }
    for (from, options) in [("a.csv", ""), ("b.csv", options)] {
        for name in ["out.bin", "out.vf", "out.binpack"] {
            let outcome = folder.run(&format!("convert {from} -o {name} -q --lossy {options}"));
            assert_eq!((outcome.status, &*outcome.stderr), (Some(0), ""), "{from} {name}");
            let found = rows(&folder, name, "move,score,result");
            assert_eq!(found.len(), expected.len(), "{from} {name}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "{from} {name}");
            }
        }
        // And from records of one size to games of one position.
        folder.run(&format!("convert {from} -o out.bin -q --lossy {options}"));
        folder.run("convert out.bin -o out.vf -q --lossy");
        assert_eq!(rows(&folder, "out.vf", "move,score,result"), expected, "{from}");
    }
}

#[test]
fn castling_en_passant_and_promotions_are_moves() {
    let folder = Folder::new();
    let moves = [
        ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", "e1c1", "e1c1"),
        ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", "e1a1", "e1c1"),
        ("4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1", "e8g8", "e8g8"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "e5d6"),
        ("3k4/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a7a8n"),
    ];
    let mut table = "fen,move\n".to_owned();
    moves.iter().for_each(|(fen, played, _)| table += &format!("{fen},{played}\n"));
    folder.write("a.csv", table);
    for name in ["a.bin", "a.vf", "a.binpack"] {
        folder.run(&format!("convert a.csv -o {name} -q --lossy"));
        let found = rows(&folder, name, "move");
        let expected: Vec<_> =
            moves.iter().map(|(fen, _, played)| format!("{played},{fen}")).collect();
        let same = |row: &String| row.split_once(',').unwrap().0.to_owned();
        assert!(found.iter().map(same).eq(expected.iter().map(same)), "{name}: {found:?}");
    }
}

#[test]
fn a_zero_is_a_draw_or_a_loss() {
    let folder = Folder::new();
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let write = |results: &[&str]| {
        let rows: String = results.iter().map(|result| format!("{kings},{result}\n")).collect();
        folder.write("a.csv", format!("fen,result\n{rows}"));
    };
    let read = |option: &str| -> Vec<i8> {
        folder.succeed(&format!("convert a.csv -o a.marlin -q {option}"));
        let rows = rows(&folder, "a.marlin", "result");
        rows.iter().map(|row| row.split_once(',').unwrap().0.parse().unwrap()).collect()
    };
    write(&["1", "0", "-1", "1-0", "0-1", "1/2-1/2"]);
    assert_eq!(read(""), [1, 0, -1, 1, -1, 0]);
    assert_eq!(read("--loss-is -1"), [1, 0, -1, 1, -1, 0]);
    // A -1 shows that 0 is a draw, wherever it stands.
    for results in [["0", "-1"], ["-1", "0"]] {
        write(&results);
        let outcome = folder.run("convert a.csv -o a.marlin");
        assert!(!outcome.stderr.contains("taken as"), "{}", outcome.stderr);
    }
    write(&["1.0", "0.5", "0.0", "1", "1-0"]);
    assert_eq!(read(""), [1, 0, -1, 1, 1]);
    assert_eq!(read("--loss-is 0"), [1, 0, -1, 1, 1]);
    write(&["1", "0.5", "0", "0.0"]);
    assert_eq!(read("--loss-is 0"), [1, 0, -1, -1]);
    assert_eq!(read("--loss-is 0 --results-of white"), [1, 0, -1, -1]);
    let said = folder.fail(1, "convert a.csv -o b.marlin");
    assert!(
        said.contains("row 3, \"4k3") && said.contains("both `0` and numbers with a point"),
        "{said}"
    );
    folder.fail(1, "convert a.csv -o b.marlin --on-invalid skip");
    assert!(!folder.path("b.marlin").exists());
    write(&["1.0", "0.0", "-1.0"]);
    assert_eq!(read("--loss-is -1"), [1, 0, -1]);
    let said = folder.fail(1, "convert a.csv -o b.marlin --loss-is 0");
    assert!(
        said.contains("row 3, \"4k3") && said.contains("expected 1, 0.5 or 0, or 1-0"),
        "{said}"
    );
    write(&["1", "0", "0"]);
    let outcome = folder.run("convert a.csv -o a.marlin");
    assert!(
        outcome.stderr.contains("2 results of 0 taken as a draw, and none is -1"),
        "{}",
        outcome.stderr
    );
    assert!(folder.run("convert a.csv -o a.marlin --loss-is -1").stderr.find("taken as").is_none());
    let said = folder.fail(2, "convert a.csv -o b.marlin --loss-is 2");
    assert!(said.contains("[possible values: -1, 0]"), "{said}");
}

#[test]
fn results_are_of_the_mover_or_of_white() {
    let folder = Folder::new();
    let kings = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"];
    for (text, number, is_of_white) in [
        ("1", 1, false),
        ("-1", -1, false),
        ("1.0", 1, false),
        ("0.0", -1, false),
        ("0-1", -1, true),
    ] {
        folder.write("a.csv", format!("fen,result\n{},{text}\n{},{text}\n", kings[0], kings[1]));
        for (option, turns) in [("", is_of_white), ("--results-of white", true)] {
            folder.succeed(&format!("convert a.csv -o a.marlin -q {option}"));
            let of_black = if turns { -number } else { number };
            let expected = [format!("{number},{}", kings[0]), format!("{of_black},{}", kings[1])];
            assert_eq!(rows(&folder, "a.marlin", "result"), expected, "{text} {option}");
        }
    }
}

#[test]
fn rows_without_labels_are_counted_and_wrong_ones_named() {
    let folder = Folder::new();
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    folder.write("a.csv", format!("fen,score,result,move\n{kings},,1,e1e2\n{kings},5,,e1d1\n"));
    let outcome = folder.run("convert a.csv -o a.marlin --lossy");
    assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("1 position without an evaluation written with score 0"),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stderr.contains("1 position without a result written as drawn"),
        "{}",
        outcome.stderr
    );
    for (table, options, expected) in [
        ("fen,score\nX,1.5", "", "expected an integer as the score, found `1.5`"),
        ("fen,result\nX,2", "", "expected 1, 0 or -1, or 1.0, 0.5 or 0.0"),
        ("fen,move\nX,e1e8", "--lossy", "expected a legal move in UCI notation, found `e1e8`"),
        (
            "fen,cp\nX,3",
            "--score-column score",
            "no column is called `score` (--score-column); there are `cp`, `fen`",
        ),
        ("fen,cp,id\nX,3,4", "", "these columns would be lost: cp, id (use --lossy to allow this)"),
        ("fen,score\n8/8,3", "", "expected 8 ranks, found 2"),
    ] {
        folder.write("b.csv", table.replace('X', kings));
        let said = folder.fail(1, &format!("convert b.csv -o b.marlin {options}"));
        assert!(said.contains(expected), "{table}: {said}");
    }
    folder.write("b.csv", format!("fen,score\n{kings},x\n{kings},4\n"));
    let outcome = folder.run("convert b.csv -o b.marlin --on-invalid skip");
    assert!(outcome.stderr.contains("1 invalid position skipped"), "{}", outcome.stderr);
    assert_eq!(rows(&folder, "b.marlin", "score"), [format!("4,{kings}")]);
    let said = folder.fail(2, "convert b.csv -o b.binpack");
    assert!(said.contains("say which column (--move-column)"), "{said}");
    folder.write("c.txt", format!("{kings} | 3 | 1.0\n{kings}\n"));
    let said = folder.fail(1, "convert c.txt -o c.marlin");
    assert!(
        said.contains("c.txt:2:30: expected `| score | result`, as behind the first position"),
        "{said}"
    );
    let said = folder.fail(1, "convert c.txt -o c.fen --on-invalid skip");
    assert!(said.contains("what follows the position would be lost"), "{said}");
    let said = folder.fail(2, "convert c.txt -o c.marlin --score-column cp");
    assert!(said.contains("for tables, and the input is text"), "{said}");
}
