//! `--where`: conditions on rows of text, tables, games and packed records, and the report on dropped rows.

use crate::answers;
use crate::run::{Folder, sample};

fn lines(bytes: Vec<u8>) -> Vec<String> {
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn rows_of_text_for_which_the_condition_holds() {
    let folder = Folder::new();
    folder.write("games.epd", sample());
    let fens = sample();
    let fens: Vec<&str> = fens.lines().collect();
    let answers = answers::columns(&fens, &["checkers", "white_rook"]);
    let columns = "--columns line,white_rook -o - -f csv -q";
    for threads in ["1", "3 --batch-lines 100 --chunk-rows 7"] {
        for (condition, holds) in [
            ("checkers != 0", (|checkers, _| checkers != 0) as fn(u64, u64) -> bool),
            ("checkers = 0 and white_rook > 0x1000000000", |checkers, rook| {
                checkers == 0 && rook > 0x10_0000_0000
            }),
            ("not (checkers = 0 or white_rook = 0)", |checkers, rook| checkers != 0 && rook != 0),
            ("-1 < 0x1000000000 - white_rook", |_, rook| rook <= 0x10_0000_0000),
        ] {
            let arguments = format!("maps games.epd {columns} --threads {threads}");
            let mut command = folder.command(&arguments);
            let output = command.args(["--where", condition]).output().unwrap();
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
            let rows = answers[0].iter().zip(&answers[1]).enumerate();
            let kept = rows.filter(|(_, (checkers, rook))| holds(**checkers, **rook));
            let expected: Vec<_> =
                kept.map(|(row, (_, rook))| format!("{},{rook}", row + 1)).collect();
            assert!(expected.len() > 10 && expected.len() < fens.len(), "{condition}");
            assert_eq!(&lines(output.stdout)[1..], expected, "{condition}");
        }
    }
}

#[test]
fn dropped_rows_are_counted() {
    let folder = Folder::new();
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
    let rook = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n";
    folder.write("a.epd", format!("{kings}{rook}# no\n{kings}bad\n"));
    let skip = "--on-invalid skip --columns fen,line";
    let outcome =
        folder.run(&format!("maps a.epd -o a.csv {skip} --where piece_count>2 --where turn=0"));
    assert_eq!(outcome.status, Some(0));
    assert_eq!(outcome.stderr, "1 invalid row, 1 comment skipped\n2 rows left out by --where\n");
    assert!(String::from_utf8(outcome.stdout).unwrap().starts_with("1 position in "));
    assert_eq!(lines(folder.read("a.csv"))[1..], [format!("{},2", rook.trim_end())]);
    // It is not an error if no rows are left or if dropped rows would have nulls.
    let outcome = folder.run("maps a.epd -o a.npy --on-invalid skip --where piece_count>9");
    assert_eq!(
        (outcome.status, &*outcome.stderr),
        (Some(0), "1 invalid row, 1 comment skipped\n3 rows left out by --where\n")
    );
    let outcome = folder.run("maps a.epd -q -o a.csv --on-invalid skip --where piece_count>9");
    assert_eq!((outcome.status, &*outcome.stderr), (Some(0), ""));
}

#[test]
fn conditions_read_columns_that_are_not_written() {
    let folder = Folder::new();
    folder.write(
        "puzzles.csv",
        "fen,Rating,Theme\n4k3/8/8/8/8/8/8/4K3 w - -,1500,mate\n4k3/8/8/8/8/8/8/R3K3 w - -,900,pin\n",
    );
    let run = |condition: &str, more: &str| {
        let arguments = format!("maps puzzles.csv -q -o - -f csv --columns line {more}");
        let output = folder.command(&arguments).args(["--where", condition]).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{condition}");
        lines(output.stdout)
    };
    assert_eq!(run("Rating > 1000", "--types guess --keep none"), ["line", "1"]);
    assert_eq!(run("Theme = 'pin' and piece_count = 3", "--keep none"), ["line", "2"]);
    assert_eq!(run("Theme != 'pin'", "--keep Rating"), ["Rating,line", "1500,1"]);
    // The program writes NaN and infinities itself.
    let kings = "4k3/8/8/8/8/8/8/4K3 w - -";
    let rows = ["0.5", "NaN", "inf", "", "-inf"].map(|value| format!("{kings},{value},NaN\n"));
    folder.write("puzzles.csv", format!("fen,f,g\n{}", rows.concat()));
    assert_eq!(run("f > 0", "--types guess --keep f"), ["f,line", "0.5,1", "inf,3"]);
    assert_eq!(run("f < 0", "--types guess --keep f,g"), ["f,g,line", "-inf,NaN,5"]);
    folder.write(
        "games.pgn",
        "[White \"A\"]\n[WhiteElo \"2500\"]\n\n1. e4 e5 1-0\n\n[White \"B\"]\n[WhiteElo \"?\"]\n\n1. d4 1-0\n",
    );
    let games = folder
        .command("maps games.pgn -q -o - -f csv --keep game,ply --columns turn")
        .args(["--where", "WhiteElo >= 2000 and ply > 0"])
        .output()
        .unwrap();
    assert_eq!(lines(games.stdout), ["game,ply,turn", "1,1,1", "1,2,0"]);
}

#[test]
fn wrong_conditions_point_to_their_place() {
    let folder = Folder::new();
    folder.write("a.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    for (condition, status, expected) in [
        ("checkers = 0 ply > 3", 2, "character 14: expected `and`, `or` or the end, found `ply`"),
        ("checkers", 2, "character 9: expected a comparison"),
        ("checkrs = 0", 1, "character 1: no column is called `checkrs`; did you mean `checkers`?"),
        ("turn = 0 and ply = 1", 1, "character 14: column `ply` is not in this input (--where)"),
        ("fen = 3", 1, "character 7: expected text in quotes to compare with `fen`"),
        ("threats = 3", 1, "`threats` holds lists"),
        ("turn = 'x'", 1, "expected a number to compare with `turn` (--where)"),
        (
            "fen > 3",
            1,
            "character 1: `fen` is text, which only = and != can compare (--where; if a column of \
             CSV holds numbers, add --types guess)",
        ),
    ] {
        let said =
            folder.fail_with(status, &["maps", "a.epd", "-o", "a.csv", "--where", condition]);
        assert!(said.contains(expected), "{condition}: {said}");
    }
}

#[test]
fn conversions_write_the_rows_that_conditions_keep() {
    let folder = Folder::new();
    let convert = |arguments: &str, condition: &str| {
        let output = folder
            .command(&format!("convert {arguments}"))
            .args(["--where", condition])
            .output()
            .expect("the program");
        let said = String::from_utf8(output.stderr).expect("text");
        (output.status.code(), said)
    };
    let rows = |name: &str, columns: &str| {
        lines(
            folder.succeed(&format!("maps {name} -q -o - -f csv --keep none --columns {columns}")),
        )
    };
    folder.write(
        "few.txt",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 5 | 0.5\n4k3/8/8/8/8/8/8/R3K3 b - - 0 1 | 500 | 1.0\n\
         4k3/8/8/8/8/8/8/RR2K3 w - - 0 1 | 900 | 1.0\n",
    );
    let (status, said) =
        convert("few.txt -o few.marlin", "piece_count > 2 and abs(score) < 5 * 100 + 1");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("2 positions left out by --where"), "{said}");
    assert_eq!(rows("few.marlin", "material,score,turn"), ["material,score,turn", "5,-500,1"]);
    // A condition can drop rows without a label, which would otherwise stop the run.
    folder.write(
        "some.txt",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | | *\n4k3/8/8/8/8/8/8/R3K3 w - - 0 1 | 1 | 1.0\n",
    );
    assert_eq!(convert("some.txt -o some.marlin -q", "score is not null").0, Some(0));
    assert_eq!(rows("some.marlin", "score"), ["score", "1"]);
    // A table's own columns.
    folder.write(
        "rated.csv",
        "fen,Rating,score,result\n4k3/8/8/8/8/8/8/4K3 w - -,1500,1,1\n4k3/8/8/8/8/8/8/R3K3 w - -,900,2,-1\n",
    );
    assert_eq!(convert("rated.csv -o rated.marlin -q --lossy", "Rating < '1'").0, Some(1));
    assert_eq!(convert("rated.csv -o rated.marlin -q --lossy", "Rating = '900'").0, Some(0));
    assert_eq!(rows("rated.marlin", "score,result"), ["score,result", "2,-1"]);
    // From games with tags to positions.
    folder.write(
        "games.pgn",
        "[White \"A\"]\n[WhiteElo \"2500\"]\n\n1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 1-0\n\n\
         [White \"B\"]\n[WhiteElo \"1900\"]\n\n1. d4 { [%eval 0.1] } 0-1\n",
    );
    let all = "--on-missing skip --lossy -q";
    folder.succeed(&format!("convert games.pgn -o all.bin {all}"));
    assert_eq!(convert(&format!("games.pgn -o same.bin {all}"), "piece_count > 0").0, Some(0));
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("a file");
    assert_eq!(bytes("all.bin"), bytes("same.bin"));
    let strong = format!("games.pgn -o strong.bin {all}");
    assert_eq!(convert(&strong, "WhiteElo > 2000 and ply > 1"), (Some(0), String::new()));
    assert_eq!(rows("strong.bin", "ply,score,result"), ["ply,score,result", "2,20,1"]);
    let both = convert(&format!("{strong} --where ply>1"), "WhiteElo > 2000");
    assert_eq!(both, (Some(0), String::new()));
    assert_eq!(rows("strong.bin", "ply,score,result"), ["ply,score,result", "2,20,1"]);
    // The text columns of packed records.
    let status = convert("all.bin -o moved.bin -q", "move = 'e7e5' and fen != '' and ply > 0").0;
    assert_eq!(
        (status, &rows("moved.bin", "ply")[..]),
        (Some(0), &["ply", "1"].map(str::to_owned)[..])
    );
    let (status, said) = convert("games.pgn -o games.binpack -q", "ply > 1");
    assert!(status == Some(2) && said.contains("binpack stores whole games; --where"), "{said}");
    // Rows that are dropped are not invalid.
    folder.write("one.txt", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 5 | 0.5\nbad\n");
    let drops = "one.txt -o one.marlin --on-invalid skip";
    let (status, said) = convert(drops, "piece_count > 2");
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(said, "1 invalid position skipped\n1 position left out by --where\n");
    // From packed games to positions.
    let (status, said) = convert("rated.marlin -o none.fen --lossy", "material > 100");
    assert!(status == Some(0) && said.contains("1 position left out by --where"), "{said}");
}

/// In a table with a column `result`, only `--columns` decides whether it is a label.
#[test]
fn a_condition_on_an_unread_label_says_so() {
    let folder = Folder::new();
    let position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    folder.write("a.csv", format!("fen,result\n{position},1.0\n{position},0.5\n{position},0.0\n"));
    let note = "--where compares the table's `result` as it is; to read it as a label, name it in --columns\n";
    for (columns, expected, says) in
        [("line", "line\n3\n", true), ("line,result", "line,result\n2,0\n", false)]
    {
        let arguments = format!("maps a.csv -o - -f csv --types guess --keep none -c {columns}");
        let run = folder.run(&format!("{arguments} --where result=0"));
        assert_eq!(
            (run.status, String::from_utf8(run.stdout).unwrap()),
            (Some(0), expected.to_owned())
        );
        assert_eq!(run.stderr.contains(note), says, "{}", run.stderr);
    }
}
