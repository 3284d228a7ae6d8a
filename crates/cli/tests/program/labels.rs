//! Packed records from text with scores and results, and from tables with columns of scores and results.

use crate::run::{Folder, sample};

fn rows(folder: &Folder, name: &str, keep: &str) -> Vec<String> {
    let arguments = format!("maps {name} -q -o - -f csv --keep {keep} --columns fen");
    let text = String::from_utf8(folder.succeed(&arguments)).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Positions that all formats can hold, each with a legal move: the first in alphabetical order.
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
    let (mut text, mut brackets, mut expected) = (String::new(), String::new(), Vec::new());
    let mut table = "fen,score,result,move\n".to_owned();
    let mut of_white = "position,cp,outcome,best\n".to_owned();
    for (row, (fen, played)) in positions.iter().enumerate() {
        let (score, result) = (row as i32 * 7 - 900, row as i32 % 3 - 1);
        let sign = if fen.turn == setwise::Colour::White { 1 } else { -1 };
        let points = ["0.0", "0.5", "1.0"][(result + 1) as usize];
        let words = ["0-1", "1/2-1/2", "1-0"][(result + 1) as usize];
        text += &format!("{fen} | {score} | {}\n", if row % 2 == 0 { points } else { words });
        brackets += &format!("{fen} [{points}] {}\n", sign * score);
        table += &format!("{fen},{},{},{played}\n", sign * score, sign * result);
        of_white += &format!("{fen},{score},{points},{played}\n");
        expected.push(format!("{played},{},{},{fen}", sign * score, sign * result));
    }
    folder.write("a.txt", &text);
    folder.write("brackets.txt", &brackets);
    folder.write("a.csv", &table);
    folder.write("b.csv", &of_white);
    let options = "--fen-column position --score-column cp --result-column outcome --move-column best \
                   --scores-of white --results-of white";
    let without_move: Vec<_> =
        expected.iter().map(|row| row.split_once(',').unwrap().1.to_owned()).collect();
    for (from, options) in [
        ("a.txt", ""),
        ("brackets.txt", ""),
        ("a.csv", "--lossy"),
        ("b.csv", &format!("--lossy {options}")),
    ] {
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
        // Fixed-size records become games of one position.
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
        folder.run(&format!("convert a.csv -o {name} -q --lossy --on-missing 0"));
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
        folder.succeed(&format!("convert a.csv -o a.marlin -q --on-missing 0 {option}"));
        let rows = rows(&folder, "a.marlin", "result");
        rows.iter().map(|row| row.split_once(',').unwrap().0.parse().unwrap()).collect()
    };
    write(&["1", "0", "-1", "1-0", "0-1", "1/2-1/2"]);
    assert_eq!(read(""), [1, 0, -1, 1, -1, 0]);
    assert_eq!(read("--loss-is -1"), [1, 0, -1, 1, -1, 0]);
    // A -1 in any row shows that 0 is a draw.
    for results in [["0", "-1"], ["-1", "0"]] {
        write(&results);
        let outcome = folder.run("convert a.csv -o a.marlin");
        assert!(!outcome.stderr.contains("taken as"), "{}", outcome.stderr);
    }
    write(&["1.0", "0.5", "0.0", "1", "1-0"]);
    assert_eq!(read(""), [1, 0, -1, 1, 1]);
    assert_eq!(read("--loss-is 0"), [1, 0, -1, 1, 1]);
    write(&["1", "0.5", "0", "0.0"]); // ambiguous
    assert_eq!(read("--loss-is 0"), [1, 0, -1, -1]);
    assert_eq!(read("--loss-is 0 --results-of white"), [1, 0, -1, -1]);
    let said = folder.fail(1, "convert a.csv -o b.marlin --on-missing 0");
    assert!(
        said.contains("mix whole numbers and points") && said.contains("(--loss-is)"),
        "{said}"
    );
    folder.fail(1, "convert a.csv -o b.marlin --on-invalid skip --on-missing 0");
    assert!(!folder.path("b.marlin").exists());
    write(&["1.0", "0.0", "-1.0"]);
    assert_eq!(read("--loss-is -1"), [1, 0, -1]);
    let said = folder.fail(1, "convert a.csv -o b.marlin --loss-is 0 --on-missing 0");
    assert!(said.contains("row 3, column `result`: expected 1, 0.5 or 0, or 1-0"), "{said}");
    for doubtful in [&["1", "0", "1", "0"][..], &["1.0", "0.0"], &["0"]] {
        write(doubtful);
        for command in
            ["convert a.csv -o b.marlin --on-missing 0", "maps a.csv -o b.csv --columns result"]
        {
            let said = folder.fail(1, command);
            assert!(said.contains("is a loss -1 or 0? (--loss-is)"), "{said}");
        }
    }
    write(&["1", "0", "0"]);
    assert_eq!(read("--loss-is -1"), [1, 0, 0]);
    assert_eq!(read("--loss-is 0"), [1, -1, -1]);
    let said = folder.fail(2, "convert a.csv -o b.marlin --loss-is 2");
    assert!(said.contains("[possible values: -1, 0]"), "{said}");
}

#[test]
fn results_are_of_the_mover_or_of_white() {
    let folder = Folder::new();
    let kings = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"];
    for (text, number, is_of_white) in
        [("1", 1, false), ("-1", -1, false), ("0.5", 0, false), ("0-1", -1, true)]
    {
        folder.write("a.csv", format!("fen,result\n{},{text}\n{},{text}\n", kings[0], kings[1]));
        for (option, turns) in [("", is_of_white), ("--results-of white", true)] {
            folder.succeed(&format!("convert a.csv -o a.marlin -q --on-missing 0 {option}"));
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
    let said = folder.fail(1, "convert a.csv -o a.marlin --lossy");
    assert!(
        said.ends_with(
            "a.csv: row 1: column `score`: no score; use --on-missing to skip or fill it\n"
        ),
        "{said}"
    );
    let outcome = folder.run("convert a.csv -o a.marlin --lossy --on-missing 0");
    assert!(
        outcome.stderr.contains("2 positions without a label written with 0"),
        "{}",
        outcome.stderr
    );
    assert_eq!(
        rows(&folder, "a.marlin", "score,result"),
        [format!("0,1,{kings}"), format!("5,0,{kings}")]
    );
    let outcome = folder.run("convert a.csv -o b.marlin --lossy --on-missing skip");
    assert!(outcome.stderr.contains("2 positions without a label left out"), "{}", outcome.stderr);
    for (columns, note) in [
        ("score,result", "2 rows without a label written with the number of --on-missing\n"),
        ("score", "1 row without a label written with the number of --on-missing\n"),
        ("turn", ""),
    ] {
        let arguments = format!("maps a.csv -o b.csv --columns {columns} --on-missing 0");
        let said = folder.run(&arguments).stderr;
        assert!(
            said.contains(note) && said.contains("without a label") != note.is_empty(),
            "{said}"
        );
    }
    for (table, options, expected) in [
        (
            "fen,score\nX,1.5",
            "--on-missing 0",
            "row 1, column `score`: expected an integer as the score, found `1.5`",
        ),
        ("fen,result\nX,2", "--on-missing 0", "expected 1, 0 or -1, or 1.0, 0.5 or 0.0"),
        (
            "fen,score,result,move\nX,1,1,e1e8",
            "--lossy -f bin",
            "expected a legal move in UCI notation, found `e1e8`",
        ),
        (
            "fen,cp\nX,3",
            "--score-column score",
            "no column is called `score`; there are `fen`, `cp` (--score-column)",
        ),
        ("fen,cp\nX,3", "--lossy --keep elo", "no column is called `elo`; there are `fen`, `cp`"),
        ("fen,cp,id\nX,3,4", "", "these columns would be lost: id (use --lossy to allow this)"),
        ("fen,score\n8/8,3", "--on-missing 0", "expected 8 ranks, found 2"),
    ] {
        folder.write("b.csv", table.replace('X', kings));
        let said = folder.fail(1, &format!("convert b.csv -o b.marlin {options}"));
        assert!(said.contains(expected), "{table}: {said}");
    }
    folder.write("b.csv", format!("fen,score\n{kings},x\n{kings},4\n"));
    // The error is not in the FEN, so no caret points into it.
    let said = folder.fail(1, "convert b.csv -o b.marlin --on-missing 0");
    assert!(said.ends_with(&format!("found `x`\n  {kings}\n")), "{said}");
    let outcome = folder.run("convert b.csv -o b.marlin --on-invalid skip --on-missing 0");
    assert!(outcome.stderr.contains("1 invalid position skipped"), "{}", outcome.stderr);
    assert_eq!(rows(&folder, "b.marlin", "score"), [format!("4,{kings}")]);
    folder.write("n.csv", format!("fen,score,result\n{kings},NaN,-1\n{kings},4.0,nan\n"));
    folder.succeed("convert n.csv -q -o n.marlin --on-missing 0");
    assert_eq!(rows(&folder, "n.marlin", "result"), [format!("-1,{kings}"), format!("0,{kings}")]);
    assert_eq!(rows(&folder, "n.marlin", "score"), [format!("0,{kings}"), format!("4,{kings}")]);
    let to_text = "convert b.csv -o b.epd --on-invalid skip";
    assert!(folder.fail(1, to_text).contains("from csv to text this would be lost: score"));
    folder.succeed(&format!("{to_text} -q --keep none"));
    let said = folder.fail(2, "convert b.csv -o b.binpack");
    assert!(said.contains("name its column with --move-column"), "{said}");
    folder.write("c.txt", format!("{kings} | 3 | 1.0\n{kings}\n"));
    let said = folder.fail(1, "convert c.txt -o c.marlin");
    assert_eq!(said, "error: c.txt:2: no score; use --on-missing to skip or fill it\n");
    let said = folder.fail(1, "convert c.txt -o c.fen --on-invalid skip");
    assert!(said.contains("would be lost; use --lossy to allow this"), "{said}");
    let said = folder.fail(1, "maps b.csv -o b.parquet --results-of white");
    let expected =
        "it has no result: name its column with --result-column, or leave out --results-of";
    assert!(said.contains(expected), "{said}");
    let said = folder.fail(1, "maps b.csv -o b.parquet --columns capture,result");
    assert!(
        said.contains(
            "`capture` is not in this input; in a table, name its column with --move-column"
        ),
        "{said}"
    );
    let said = folder.fail(1, "maps b.csv -o b.parquet --columns result");
    let expected =
        "in a table, name its column with --result-column; otherwise leave it out of --columns\n";
    assert!(said.ends_with(expected), "{said}");
    let said = folder.fail(2, "convert c.txt -o c.marlin --score-column cp");
    assert!(said.contains("for tables, and the input is text"), "{said}");
}

const WHITE: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
const BLACK: &str = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1";

/// Returns the columns of a file as the program writes them to CSV. Nulls are empty cells. Applies a condition.
fn columns(folder: &Folder, name: &str, columns: &str, condition: &str) -> Vec<String> {
    let arguments = format!("maps {name} -q -o - -f csv --keep none --columns {columns}");
    let mut command = folder.command(&arguments);
    if !condition.is_empty() {
        command.args(["--where", condition]);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &*said), (Some(0), ""), "{arguments}");
    String::from_utf8(output.stdout).unwrap().lines().skip(1).map(str::to_owned).collect()
}

/// `Lichess/fishnet-evals`: exactly one of `cp` and `mate`, for white.
#[test]
fn mates_are_scores_in_the_schema_of_fishnet() {
    let folder = Folder::new();
    let rows = [
        (WHITE, "35", "null", "35"),
        (BLACK, "35", "null", "-35"),
        (BLACK, "null", "3", "-31997"),
        (WHITE, "null", "-2", "-31998"),
        (WHITE, "null", "null", ""),
        (BLACK, "null", "-2", "31998"),
        (BLACK, "32002", "null", ""),
        (WHITE, "-7", "null", "-7"),
    ];
    let row = |(fen, cp, mate, _): (&str, &str, &str, &str)| {
        format!("{{\"fen\": \"{fen}\", \"cp\": {cp}, \"mate\": {mate}, \"depth\": 9}}\n")
    };
    folder.write("a.jsonl", rows.map(row).concat());
    folder.succeed("maps a.jsonl -q -o a.parquet --columns turn");
    let all: Vec<&str> = rows.iter().map(|row| row.3).collect();
    let there: Vec<String> =
        all.iter().filter(|score| !score.is_empty()).map(|score| (*score).to_owned()).collect();
    for name in ["a.jsonl", "a.parquet"] {
        let scores = columns(&folder, name, "score", "");
        // A line of CSV with a single empty cell has quotes.
        assert!(
            scores.iter().map(|score| score.trim_matches('"')).eq(all.iter().copied()),
            "{scores:?}"
        );
        assert_eq!(columns(&folder, name, "score", "score is not null"), there);
        assert_eq!(columns(&folder, name, "score", "score is null").len(), 2);
        assert_eq!(columns(&folder, name, "turn", "cp is null and mate is not null").len(), 3);
        assert_eq!(columns(&folder, name, "line", "score < 0"), ["2", "3", "4", "8"]);
        let said = folder.fail(1, &format!("convert {name} -o a.marlin --lossy --on-missing skip"));
        assert!(
            said.contains("has no result, which marlin stores; name its column with --result-column, or write 0 by --on-missing 0"),
            "{said}"
        );
        let said = folder.fail(1, &format!("maps {name} -o a.npy --columns score"));
        let missing = format!(
            "{name}: row 5: column `cp` and `mate`: no score; use --on-missing to skip or fill it\n"
        );
        assert!(
            said.starts_with("scores: `cp` and `mate`, for white\n") && said.ends_with(&missing),
            "{said}"
        );
    }
    // Adds results. Each label is null in some row.
    let results = ["1-0", "0-1", "1/2-1/2", "*", "1-0", "0-1", "1-0", "1-0"];
    let of_mover = ["1", "1", "0", "", "", "1", "", "1"];
    let rows_of_csv = rows.iter().zip(results).map(|((fen, cp, mate, _), result)| {
        format!("{fen},{cp},{mate},{result}\n").replace("null", "")
    });
    folder.write("b.csv", format!("fen,cp,mate,Result\n{}", rows_of_csv.collect::<String>()));
    let kept: Vec<String> = rows
        .iter()
        .zip(of_mover)
        .filter(|(row, result)| !row.3.is_empty() && !result.is_empty())
        .map(|(row, result)| format!("{},{result},{}", row.3, row.0))
        .collect();
    // The column `Result` is text; `result` is the label.
    let wins = columns(&folder, "b.csv", "line", "result = 1 and score is not null");
    assert_eq!(wins, ["1", "2", "6", "8"]);
    assert_eq!(columns(&folder, "b.csv", "line", "Result = '*'"), ["4"]);
    let outcome = folder.run("convert b.csv -o b.marlin --on-missing skip");
    assert_eq!(
        outcome.stderr,
        "scores: `cp` and `mate`, for white; results: `Result`, words for white, numbers for the side to move\n\
         3 positions without a label left out\n"
    );
    assert_eq!(rows_of(&folder, "b.marlin"), kept);
    folder.succeed("convert b.csv -o c.marlin --on-missing 0 -q");
    let zeros = rows.iter().zip(results).map(|((fen, .., score), result)| {
        let result = match (result, *fen) {
            ("1-0", WHITE) | ("0-1", BLACK) => 1,
            ("1/2-1/2" | "*", _) => 0,
            _ => -1,
        };
        format!("{},{result},{fen}", if score.is_empty() { "0" } else { score })
    });
    assert!(zeros.eq(rows_of(&folder, "c.marlin")));
    let said = folder.run("convert b.csv -o d.marlin -q").stderr;
    assert_eq!(
        said,
        "error: b.csv: row 4: column `Result`: no result; use --on-missing to skip or fill it\n"
    );
    assert!(!folder.path("d.marlin").exists());
}

fn rows_of(folder: &Folder, name: &str) -> Vec<String> {
    rows(folder, name, "score,result")
}

/// `Lichess/chess-position-evaluations`: a column `line`, and no counters in the FEN.
#[test]
fn columns_of_a_table_take_precedence() {
    let folder = Folder::new();
    let fen = "4k3/8/8/8/8/8/8/R3K3 b - -";
    folder.write(
        "a.csv",
        format!("fen,line,depth,knodes,cp,mate\n{fen},e8e7 a1a7,30,1,35,\n{fen},e8d7,20,1,,4\n"),
    );
    assert_eq!(columns(&folder, "a.csv --dataset none", "score", "line = 'e8d7'"), ["-31996"]);
    assert_eq!(columns(&folder, "a.csv --dataset none", "score", "line != 'e8d7'"), ["-35"]);
    let outcome = folder.run("convert a.csv -o a.fen --lossy -q --dataset none");
    assert_eq!((outcome.status, &*outcome.stderr), (Some(0), ""));
    assert_eq!(String::from_utf8(folder.read("a.fen")).unwrap().lines().count(), 2);
    folder.write("b.csv", format!("fen,line,score,result\n{fen},x,3,1\n{fen},y,4,-1\n"));
    folder.succeed("convert b.csv -o b.marlin --lossy -q");
    let moved = fen.to_owned() + " 0 1";
    assert_eq!(rows_of(&folder, "b.marlin"), [format!("3,1,{moved}"), format!("4,-1,{moved}")]);
    // Several columns could be the score.
    folder.write("c.csv", format!("fen,score,cp\n{fen},3,4\n"));
    let said = folder.fail(1, "maps c.csv -o out.csv --columns score");
    assert!(said.contains("`score` or `cp`: which one is the score? (--score-column)"), "{said}");
    folder.write("d.csv", format!("fen,mine,wdl\n{fen},3,1\n{fen},3,-1\n"));
    let said = folder.fail(1, "maps d.csv -o out.csv --columns score --score-column mine");
    assert!(said.contains("white's or the side to move's? (--scores-of)"), "{said}");
    let said = folder.fail(1, "maps d.csv -o out.csv --columns result");
    assert!(said.contains("white's or the side to move's? (--results-of)"), "{said}");
    let options = "--columns score,result --score-column mine --scores-of white --results-of white";
    let out = folder.succeed(&format!("maps d.csv -o - -f csv -q --keep none {options}"));
    assert_eq!(out, b"score,result\n-3,-1\n-3,1\n");
}

#[test]
fn text_with_labels_is_read_by_maps() {
    let folder = Folder::new();
    folder.write(
        "a.txt",
        format!(
            "{WHITE} | 35 | 1.0\n# no position\n{BLACK} | 35 | 1-0\n{BLACK}\n{WHITE} | 32002 | *\n"
        ),
    );
    let read = columns(&folder, "a.txt", "fen,score,result,rest", "");
    assert_eq!(
        read,
        [
            format!("{WHITE},35,1,| 35 | 1.0"),
            format!("{BLACK},-35,-1,| 35 | 1-0"),
            format!("{BLACK},,,"),
            format!("{WHITE},,,| 32002 | *"),
        ]
    );
    assert_eq!(columns(&folder, "a.txt", "score", "score is not null"), ["35", "-35"]);
    // Such values are allowed if labels are not requested.
    assert_eq!(columns(&folder, "a.txt", "turn", ""), ["0", "1", "1", "0"]);
    let said = folder.fail(1, "convert a.txt -o a.bin");
    assert_eq!(said, "error: a.txt:4: no score; use --on-missing to skip or fill it\n");
    folder.write("b.txt", format!("{WHITE} | 3.5 | 1.0\n"));
    let said = folder.fail(1, "maps b.txt -o out.csv --columns score");
    assert!(said.starts_with("b.txt:1:31: expected an integer from -2147483647 "), "{said}");
}

/// PGN with evaluations on some moves, and the same games in the schema of `Lichess/standard-chess-games`.
#[test]
fn games_with_evaluations_have_scores() {
    let folder = Folder::new();
    let moves = "1. e4 { [%eval 0.25] [%clk 0:03:00] } e5 2. Qh5 { [%eval -0.5] } Ke7 { [%eval #1] } 3. Qxe5#";
    folder.write(
        "a.pgn",
        format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n[Event \"b\"]\n[Result \"*\"]\n\n1. d4 {{ [%eval 0.1] }} *\n"),
    );
    folder.write(
        "a.csv",
        format!("Event,Result,movetext\na,1-0,{moves}\nb,*,1. d4 {{ [%eval 0.1] }} *\n"),
    );
    let expected = [",1", "-25,-1", ",1", "50,-1", "31999,1", ",-1", ",", "-10,"];
    let there: Vec<&str> = expected.iter().copied().filter(|row| !row.starts_with(',')).collect();
    for name in ["a.pgn", "a.csv"] {
        assert_eq!(columns(&folder, name, "score,result", ""), expected, "{name}");
        assert_eq!(columns(&folder, name, "score,result", "score is not null"), there, "{name}");
        assert_eq!(columns(&folder, name, "score,result", "score > 0"), ["50,-1", "31999,1"]);
        folder.succeed(&format!("convert {name} -o a.marlin -q --lossy --on-missing skip"));
        let written = rows_of(&folder, "a.marlin");
        let labels = written.iter().map(|row| row.rsplit_once(',').unwrap().0);
        assert!(labels.eq(["-25,-1", "50,-1", "31999,1"]), "{name}: {written:?}");
    }
    let said = folder.fail(1, "convert a.csv -o b.marlin --lossy");
    assert!(
        said.ends_with(
            "a.csv: row 1, position 1: no score (`[%eval]`); use --on-missing to skip or fill it\n"
        ),
        "{said}"
    );
    // Games are cut where a label is missing.
    folder.succeed("convert a.pgn -o a.binpack -q --lossy --on-missing skip");
    let written = rows(&folder, "a.binpack", "move,score,result");
    let labels: Vec<_> = written.iter().map(|row| row.rsplit_once(',').unwrap().0).collect();
    assert_eq!(labels, ["e7e5,-25,-1", "e8e7,50,-1", "h5e5,31999,1"]);
}

/// 32002 is Stockfish's value for a missing score.
#[test]
fn packed_scores_of_32002_are_missing() {
    let folder = Folder::new();
    let rows =
        [(WHITE, "e1e2", "5"), (BLACK, "e8e7", ""), (WHITE, "e1d1", ""), (BLACK, "e8d7", "-6")];
    let table = rows.iter().map(|(fen, played, score)| format!("{fen},{played},{score},1\n"));
    folder.write("a.csv", format!("fen,move,score,result\n{}", table.collect::<String>()));
    let scores: Vec<&str> = rows.iter().map(|row| row.2).collect();
    for name in ["a.bullet", "a.marlin", "a.bin", "a.vf", "a.binpack"] {
        let to = format!("convert a.csv -o {name} -q --lossy --loss-is -1 --on-missing 32002");
        folder.succeed(&to);
        let read = columns(&folder, name, "score,result", "");
        let read: Vec<_> = read.iter().map(|row| row.split(',').next().unwrap()).collect();
        assert_eq!(read, scores, "{name}");
        assert_eq!(columns(&folder, name, "score,result", "score is null").len(), 2, "{name}");
        assert_eq!(columns(&folder, name, "score,result", "score > 30000").len(), 0, "{name}");
        let said = folder.fail(1, &format!("convert {name} -o b.marlin --lossy"));
        assert_eq!(
            said,
            format!("error: {name}: record 2: no score; use --on-missing to skip or fill it\n")
        );
        folder.succeed(&format!("convert {name} -o b.bullet -q --lossy --on-missing skip"));
        let read = columns(&folder, "b.bullet", "score,result", "");
        assert_eq!(read, ["5,1", "-6,1"], "{name}");
        std::fs::remove_file(folder.path("b.bullet")).unwrap();
    }
    // Both formats can store a missing score, so it is preserved.
    folder.succeed("convert a.binpack -o b.bin -q --lossy");
    assert_eq!(folder.read("b.bin")[32..34], 5i16.to_le_bytes());
    assert_eq!(folder.read("b.bin")[72..74], 32002i16.to_le_bytes());
}

#[test]
fn the_ply_of_a_binpack_is_not_invented() {
    let folder = Folder::new();
    folder.write("a.csv", format!("fen,move,score,result\n{WHITE},e1e2,3,1\n{BLACK},e8e7,3,-1\n"));
    let outcome = folder.run("convert a.csv -o a.binpack --lossy");
    assert_eq!(outcome.status, Some(0));
    assert!(!outcome.stderr.contains("neutral"), "{}", outcome.stderr);
}

#[test]
fn captures_and_exchanges_of_moves() {
    let folder = Folder::new();
    let fens = [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "1,1,100"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 2", "e4d5", "1,0,100"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 2", "e4e5", "0,0,0"),
        ("4k3/8/3p4/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", "1,0,-300"),
        ("7k/8/3p4/8/8/8/4Q3/K7 w - - 0 1", "e2e5", "0,0,-900"),
        ("3qk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "0,0,-100"),
        ("1q2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "1,0,1700"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "0,0,0"),
    ];
    let table: String =
        fens.iter().map(|(fen, played, _)| format!("{fen},{played},1,1\n")).collect();
    folder.write("a.csv", format!("fen,move,score,result\n{table}"));
    folder.succeed("convert a.csv -o a.bin -q --loss-is -1");
    let expected: Vec<&str> = fens.iter().map(|row| row.2).collect();
    for name in ["a.csv", "a.bin"] {
        assert_eq!(columns(&folder, name, "capture,en_passant_capture,see", ""), expected);
        let kept = columns(&folder, name, "turn", "capture = 0 or en_passant_capture = 1");
        assert_eq!(kept.len(), 5, "{name}");
        assert_eq!(columns(&folder, name, "turn", "see < 0").len(), 3, "{name}");
    }
}

#[test]
fn folders_are_converted() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("all/deep")).unwrap();
    folder.write("all/b.txt", format!("{BLACK} | 1 | 1.0\n"));
    folder.write("all/deep/c.txt", format!("{WHITE} | 2 | 0.0\n"));
    folder.write("all/a.txt", format!("{WHITE} | 3 | 0.5\n"));
    folder.write("all/_meta.txt", "no position\n");
    folder.succeed("convert all -o a.marlin -q --input-format text");
    let expected = [format!("3,0,{WHITE}"), format!("-1,-1,{BLACK}"), format!("2,-1,{WHITE}")];
    assert_eq!(rows_of(&folder, "a.marlin"), expected);
}

/// Polars writes the schema of a file without the eight bytes for its size. Polars 2.1 wrote these files.
#[test]
fn arrow_files_of_polars_are_read() {
    let folder = Folder::new();
    folder.write("a.csv", format!("fen,n\n{WHITE},1\n{BLACK},2\n"));
    let read = |name: &str| {
        folder.succeed(&format!("maps {name} -q -o - -f csv --columns white_all --keep fen,n"))
    };
    for file in ["polars.arrow", "polars-oldest.arrow"] {
        let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
        folder.write(file, std::fs::read(path).unwrap());
        assert_eq!(read(file), read("a.csv"));
    }
    // Its dictionary follows the batch, and has views, which Parquet does not have.
    let path = format!("{}/tests/data/polars-categorical.arrow", env!("CARGO_MANIFEST_DIR"));
    folder.write("c.arrow", std::fs::read(path).unwrap());
    folder.succeed("maps c.arrow -q -o c.parquet --columns turn");
    for name in ["c.arrow", "c.parquet"] {
        let read = folder.succeed(&format!("maps {name} -q -o - -f csv --columns turn --keep cat"));
        assert_eq!(read, b"cat,turn\na,0\nb,0\n,0\na,0\nb,0\n,0\n", "{name}");
    }
    folder.write("c.arrow.zst", zstd::encode_all(&folder.read("c.arrow")[..], 1).unwrap());
    let said = folder.fail(1, "maps c.arrow.zst -q -o - -f csv --columns turn");
    assert!(said.contains("its categories follow its rows"), "{said}");
    // A pipe is opened once.
    #[cfg(unix)]
    {
        let script = "mkfifo pipe && { cat polars.arrow > pipe & } && \"$0\" \"$@\"";
        let arguments = "maps pipe --input-format arrow -q -o - -f csv --columns white_all";
        let output = folder.shell(script, arguments).output().unwrap();
        assert_eq!(output.stdout, folder.succeed("maps a.csv -q -o - -f csv --columns white_all"));
    }
}
