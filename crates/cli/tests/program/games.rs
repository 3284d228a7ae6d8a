//! Games in PGN: plain, compressed and through pipes; invalid games; tables of games; and games as packed records.

use std::io::{Read, Write};

use crate::run::Folder;

fn unpacked(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/data/");
    let file = std::fs::File::open(format!("{folder}{name}")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

const COLUMNS: &str = "--keep game,ply,san,Result --columns fen,white_rook,turn -o - -f csv";

/// The expected output for the games of the tests, from the answers of python-chess.
fn expected() -> (String, Vec<String>) {
    let answers = unpacked("games.pgn.tsv.gz");
    let fens: Vec<String> = answers
        .lines()
        .map(|line| line.split('\t').nth(1).unwrap().parse::<setwise::Fen>().unwrap().to_string())
        .collect();
    let lines: Vec<&str> = fens.iter().map(String::as_str).collect();
    let [rooks, turns] = ["white_rook", "turn"];
    let maps = crate::answers::columns(&lines, &[rooks, turns]);
    let mut table = "Result,game,ply,san,fen,white_rook,turn\n".to_owned();
    let (mut last, mut ply) = ("", 0);
    for (row, answer) in answers.lines().enumerate() {
        let fields: Vec<&str> = answer.split('\t').collect();
        ply = if fields[0] == last { ply + 1 } else { 0 };
        last = fields[0];
        let (game, san, ended) = (fields[0], fields[3], fields[7]);
        let (fen, rook, turn) = (&fens[row], maps[0][row], maps[1][row]);
        table += &format!("{ended},{game},{ply},{san},{fen},{rook},{turn}\n");
    }
    (table, fens)
}

/// Evaluations of cutechess and fastchess are the mover's, and their mates count half-moves.
#[test]
fn comments_of_engines() {
    let folder = Folder::new();
    folder.write(
        "match.pgn",
        "1. e4 {+0.31/12 1.2s} e5 {-0.25/9 0.051s} 2. Nf3 {book} Nc6 {-M7/30 0.5s} *\n",
    );
    let note = "3 evaluations from engines' comments such as +0.31/12 1.2s, for the side that moved, mates in \
                half-moves\n";
    let keep = "maps match.pgn --keep ply,depth,elapsed,eval,mate -o - -f csv --columns";
    let run = folder.run(&format!("{keep} score"));
    let rows = "ply,depth,elapsed,eval,mate,score\n0,,,,,\n1,12,1.2,31,,-31\n2,9,0.051,25,,25\n3,,,,,\n\
                4,30,0.5,,4,31996\n";
    assert_eq!(text(run.stdout), rows);
    assert!(run.stderr.ends_with(note), "{}", run.stderr);
    let deep = folder.succeed(&format!("{keep} turn -q --where depth>=12"));
    assert_eq!(text(deep), "ply,depth,elapsed,eval,mate,turn\n1,12,1.2,31,,1\n4,30,0.5,,4,0\n");
    let see = folder.succeed("maps match.pgn -q --keep ply,see -o - -f csv --columns turn");
    assert_eq!(text(see), "ply,see,turn\n0,0,0\n1,0,1\n2,0,0\n3,0,1\n4,,0\n");
    for name in ["out.marlin", "out.vf"] {
        let run = folder.run(&format!("convert match.pgn -o {name} --on-missing 0"));
        assert!(run.stderr.contains(note), "{name}: {}", run.stderr);
    }
}

#[test]
fn games_from_files_and_pipes() {
    let folder = Folder::new();
    let pgn = unpacked("games.pgn.gz");
    let (expected, _) = expected();
    folder.write("games.pgn", &pgn);
    folder.write("nameless", &pgn);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(pgn.as_bytes()).unwrap();
    folder.write("games.pgn.gz", gzip.finish().unwrap());
    folder.write("games.pgn.zst", zstd::encode_all(pgn.as_bytes(), 1).unwrap());
    for arguments in
        ["games.pgn", "nameless", "games.pgn.gz", "games.pgn.zst --threads 3 --batch-lines 700"]
    {
        let out = folder.succeed(&format!("maps {arguments} {COLUMNS}"));
        assert!(text(out) == expected, "{arguments}");
    }
    let arguments = format!("maps - --input-format pgn {COLUMNS}");
    assert!(text(folder.succeed_with(&arguments, pgn.as_bytes())) == expected);
    // Games are numbered from 1 in each of the two files.
    let twice = text(folder.succeed(&format!("maps games.pgn games.pgn.zst {COLUMNS}")));
    let rows = expected.split_once('\n').unwrap().1;
    assert!(twice == format!("{expected}{rows}"));
    let said = text(folder.succeed("maps games.pgn -o maps.parquet"));
    let rows = rows.lines().count();
    let rows = format!("{},{:03} positions of 2,000 games in ", rows / 1000, rows % 1000);
    assert!(said.starts_with(&rows), "{said}");
    let said = folder.fail(1, "maps games.pgn -o out.parquet --on-invalid null");
    assert!(said.contains("use `skip` or `keep` (--on-invalid)"), "{said}");
    folder.succeed("maps games.pgn -q -o maps.npy");
}

const BAD: &str = "1. e4 e5 1-0

[Event \"bad\"]
[White \"a\"]

1. e4 d5
2. exd5 Nd4 *

[Event \"odd\"]
[Variant \"Crazyhouse\"]

1. e4 *

1. d4 0-1
";

#[test]
fn bad_games() {
    let folder = Folder::new();
    folder.write("bad.pgn", BAD);
    let options = "--keep none --columns game,ply -o out.csv";
    let said = folder.fail(1, &format!("maps bad.pgn {options}"));
    let reason = "bad.pgn: game 2, line 7, column 9: expected a legal move of black, found 'Nd4': no black knight can go \
                  to d4; the position is rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    assert_eq!(said, format!("{reason}\n  2. exd5 Nd4 *\n          ^\n"));
    for (what, rows, kept) in [
        ("skip", "1,0 1,1 1,2 4,0 4,1", "2 invalid games skipped\n"),
        ("keep", "1,0 1,1 1,2 2,0 2,1 2,2 2,3 4,0 4,1", "2 invalid games kept up to the error\n"),
    ] {
        let run = format!("maps bad.pgn {options} --on-invalid {what} --rejects rejects.pgn");
        let outcome = folder.run(&run);
        assert_eq!((outcome.status, &*outcome.stderr), (Some(0), kept));
        let table = text(folder.read("out.csv"));
        assert_eq!(table.lines().skip(1).collect::<Vec<_>>().join(" "), rows, "{what}");
        let rejects = text(folder.read("rejects.pgn"));
        assert!(
            rejects.starts_with(&format!(
                "; {reason}\n\n[Event \"bad\"]\n[White \"a\"]\n\n1. e4 d5\n"
            ))
        );
        // The rejects can be read after correction.
        let corrected = rejects.replace("Nd4", "Qxd5").replace("Crazyhouse", "Chess960");
        folder.write("corrected.pgn", corrected);
        let out =
            text(folder.succeed("maps corrected.pgn --keep none --columns game,ply -o - -f csv"));
        assert_eq!(out.lines().count(), 1 + 5 + 2);
    }
    let said = folder.fail(1, "maps bad.pgn -o out.csv --columns turn --keep a-b");
    assert!(said.contains("no column is called `a-b`"), "{said}");
    for name in ["score", "fen", "line"] {
        let said = folder.fail(1, &format!("maps bad.pgn -o out.csv --columns turn --keep {name}"));
        assert!(
            said.contains(&format!("no column is called `{name}`; there are `game`, ")),
            "{said}"
        );
        assert!(
            said.ends_with(&format!(
                "; `setwise maps --columns {name}` writes it if the input has it\n"
            )),
            "{said}"
        );
    }
    let absent = "--keep White,Wihte --where Whiet=White --columns turn --on-invalid skip";
    let outcome = folder.run(&format!("maps bad.pgn -o out.csv {absent}"));
    assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
    let missing =
        "no game has the tag `Whiet`\nno game has the tag `White`\nno game has the tag `Wihte`\n";
    assert!(outcome.stderr.ends_with(missing), "{}", outcome.stderr);
    folder.write("all.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n");
    let said = folder.fail(1, "maps all.pgn -o out.csv --on-invalid skip");
    let message = "; nothing is written, because no row is valid (1 other invalid game)\n  [Variant \"Atomic\"]\n";
    assert!(said.contains(message), "{said}");
    folder.write("a.fen", "4k3/8/8/8/8/8/8/4K3 w - -");
    let said = folder.fail(1, "maps a.fen -o out.csv --on-invalid keep");
    assert!(said.contains("`keep` is for games"), "{said}");
    let said = folder.fail(1, "convert a.fen -o out.bin --on-invalid keep");
    assert!(said.contains("`keep` is for games"), "{said}");
    let said = folder.fail(2, "maps a.fen -o out.csv --movetext-column moves");
    assert!(said.contains("--movetext-column is for tables"), "{said}");
    for command in ["maps bad.pgn -o out.csv -c score", "convert bad.pgn -o out.bin"] {
        let said = folder.fail(2, &format!("{command} --scores-of white"));
        assert!(said.contains("error: --scores-of is for tables, and the input is pgn"), "{said}");
    }
}

#[test]
fn tables_of_games() {
    let folder = Folder::new();
    folder.write(
        "games.csv",
        "id,movetext,Opening\na,1. e4 e5 1-0,King's Pawn\nb,,Nothing\nc,\"1. d4 { [%eval 0.1], } *\",Queen's Pawn\n",
    );
    let expected = "id,Opening,ply,move,eval,turn
a,King's Pawn,0,e2e4,,0
a,King's Pawn,1,e7e5,,1
a,King's Pawn,2,,,0
c,Queen's Pawn,0,d2d4,,0
c,Queen's Pawn,1,,10,1
";
    let columns = "--keep id,Opening,ply,move,eval --columns turn -o - -f csv";
    assert_eq!(text(folder.succeed(&format!("maps games.csv -q {columns}"))), expected);
    // Parquet is read by row groups. A column of positions takes precedence.
    folder.write(
        "with.csv",
        text(folder.read("games.csv"))
            .replace("id,", "fen,id,")
            .replace("\na", "\n,a")
            .replace("\nb", "\n,b")
            .replace("\nc", "\n,c"),
    );
    let with_fen = "maps with.csv --keep id,movetext,Opening --columns turn -q -o games.parquet";
    folder.succeed(with_fen);
    assert_eq!(
        text(folder.succeed(&format!("maps games.parquet -q {columns}"))).replace(",turn", ""),
        expected.replace(",turn", "")
    );
    let named = "--movetext-column movetext --batch-lines 1";
    assert_eq!(text(folder.succeed(&format!("maps with.csv {named} {columns}"))), expected);
    folder.write("bad.csv", "movetext\n1. e4 e5 2. Ke3 *\n1. d4 *\n");
    let outcome = folder.run("convert bad.csv -o out.fen --lossy --on-invalid keep");
    let note = "data set lichess-games: games: `movetext`\n1 invalid game kept up to the error\n";
    assert_eq!((outcome.status, &*outcome.stderr), (Some(0), note));
    assert_eq!(text(folder.read("out.fen")).lines().count(), 5);
    let said = folder.fail(1, "maps games.csv --movetext-column moves -o out.csv");
    assert!(said.contains("no column is called `moves`"), "{said}");
}

/// The column of the result takes precedence over the end of the movetext, as the tag does in PGN.
#[test]
fn results_of_tables_of_games() {
    let folder = Folder::new();
    let games = |column: &str, results: [&str; 3]| {
        let [first, second, third] = results;
        folder.write(
            "a.csv",
            format!(
                "movetext,{column}\n1. e4 0-1,{first}\n1. d4 0-1,{second}\n1. c4 1-0,{third}\n"
            ),
        );
    };
    let results = |options: &str| {
        let run = format!("maps a.csv -q --keep result {options} --columns turn -o - -f csv");
        let table = text(folder.succeed(&run));
        let rows = table.lines().skip(1).filter_map(|line| line.strip_suffix(",0"));
        rows.map(|row| row.rsplit(',').next().unwrap()).collect::<Vec<_>>().join(" ")
    };
    let of_text = ["1-0", "*", " 1/2-1/2 "];
    games("Result", of_text);
    assert_eq!(results(""), "1 -1 0");
    games("result", of_text);
    assert_eq!(results(""), "1 -1 0");
    assert_eq!(results("--where result>=0"), "1 0");
    folder.succeed("maps a.csv -q -o all.csv"); // one column `result`, for the side to move
    assert!(text(folder.read("all.csv")).starts_with("game,ply,move,san,"));
    games("Res", of_text);
    assert_eq!(results(""), "-1 -1 1");
    assert_eq!(results("--result-column Res"), "1 -1 0");
    games("Result", ["1", "0.5", "0"]);
    assert_eq!(results("--loss-is 0"), "1 0 -1");
    assert_eq!(results("--types guess"), "1 0 -1");
    folder.succeed("convert a.csv -o a.bin -q --types guess --on-missing 0 --keep none");
    let read = "maps a.bin -q --keep none --columns result,turn -o - -f csv";
    assert_eq!(text(folder.succeed(read)), "result,turn\n1,0\n-1,1\n0,0\n0,1\n-1,0\n1,1\n");
    // The result is read, and so not lost; other columns are not read.
    folder.succeed("convert a.csv -o a.bin -q --types guess --on-missing 0");

    let fails = |options: &str, message: &str| {
        for run in ["maps a.csv -o b.csv", "convert a.csv -o b.bin --on-missing 0"] {
            let said = folder.fail(1, &format!("{run} {options}"));
            assert!(said.contains(message), "{options}: {said}");
        }
    };
    games("Result", ["1", "0", "1"]);
    fails(
        "",
        "the results in `Result` are 1 and 0, without -1 or 0.5: is a loss -1 or 0? (--loss-is)",
    );
    games("Result", ["1-0", "won", "*"]);
    let expected = "1, 0 or -1, or 1.0, 0.5 or 0.0, or 1-0, 1/2-1/2 or 0-1, or white, draw or black as the result";
    // Nobody named the column: other values are ignored, as in the tag.
    assert_eq!(results(""), "1 -1 1");
    let named = "--result-column Result";
    fails(named, &format!("a.csv: row 2, column `Result`: expected {expected}, found `won`"));
    assert_eq!(results(&format!("{named} --on-invalid skip")), "1 1");
    fails("--result-column Res", "no column is called `Res`");
    for (option, value, reason) in [
        ("score-column", "Result", "games have their scores in the movetext (`[%eval]`)"),
        ("mate-column", "Result", "games have their scores in the movetext (`[%eval]`)"),
        ("move-column", "Result", "games have their moves in the movetext"),
        ("scores-of", "mover", "the scores of games are for white"),
        ("results-of", "mover", "the results of games are for white"),
    ] {
        let message = format!("{reason}: leave out this option (--{option})");
        fails(&format!("--{option} {value}"), &message);
    }
}

#[test]
fn lists_of_moves_are_games() {
    let folder = Folder::new();
    folder.write(
        "a.jsonl",
        "{\"m\":[\"e2e4\",\"e7e5\"]}\n{\"m\":[\"d4\"]}\n{\"m\":[]}\n{\"m\":null}\n",
    );
    folder.write("b.csv", "m\n\"['e4', 'e5', 'Nf3']\"\n");
    folder
        .write("c.csv", "m\n[e2e4 e7e5]\n(1. e4 e5)\ne4;e5;Nf3\n\"[\"\"e2e4\"\",\"\"e7e5\"\"]\"\n");
    let arguments = "--movetext-column m --keep move --columns line -q -f csv -o -";
    for (name, expected) in [
        ("a.jsonl", "e2e4,1|e7e5,1|,1|d2d4,2|,2|,3"),
        ("b.csv", "e2e4,1|e7e5,1|g1f3,1|,1"),
        ("c.csv", "e2e4,1|e7e5,1|,1|e2e4,2|e7e5,2|,2|e2e4,3|e7e5,3|g1f3,3|,3|e2e4,4|e7e5,4|,4"),
    ] {
        let found = text(folder.succeed(&format!("maps {name} {arguments}")));
        assert_eq!(found, format!("move,line\n{}\n", expected.replace('|', "\n")), "{name}");
    }
    for bad in ["[e4 zzz]", "['e4', None]", "[null]", "[[e4] [e5]]", "e4;zzz"] {
        folder.write("d.csv", format!("m\n\"{bad}\"\n"));
        let said = folder.fail(1, "maps d.csv --movetext-column m --keep move -q -o out.csv");
        assert!(said.contains("row 1, ") && said.contains("list of moves"), "{bad}: {said}");
    }
}

#[test]
fn games_become_packed_records() {
    let folder = Folder::new();
    let pgn = unpacked("games.pgn.gz");
    folder.write("games.pgn", &pgn);
    let (_, fens) = expected();
    let outcome = folder.run("convert games.pgn -o out.fen --lossy");
    assert_eq!((outcome.status, &*outcome.stderr), (Some(0), ""));
    assert!(text(folder.read("out.fen")).lines().eq(fens.iter().map(String::as_str)));
    for name in ["out.marlin", "out.vf", "out.binpack"] {
        let outcome =
            folder.run(&format!("convert games.pgn -o {name} --on-invalid skip --on-missing 0"));
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
        let without = "positions without a label written with 0\n";
        assert!(outcome.stderr.contains(without), "{}", outcome.stderr);
        let piped = name.replace("out", "piped");
        let arguments = "--input-format pgn --on-invalid skip --on-missing 0";
        let outcome = folder.run_with(&format!("convert - {arguments} -o {piped}"), pgn.as_bytes());
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
        assert!(folder.read(&piped) == folder.read(name), "{name}");
        // Binpack cannot hold Chess960, so these games are skipped.
        let skipped = outcome.stderr.contains("games that binpack cannot hold skipped");
        assert_eq!(skipped, name == "out.binpack", "{}", outcome.stderr);
        let back =
            text(folder.succeed(&format!(
                "maps {name} --keep none --columns fen,score,result -o - -f csv"
            )));
        let (mut games, mut count) = (fens.iter(), 0);
        for line in back.lines().skip(1) {
            let fen = line.split(',').next().unwrap();
            // En passant squares are stored only if a pawn can capture.
            let placed = |fen: &str| fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
            assert!(games.any(|game| placed(game) == placed(fen)), "{name}: {line}");
            count += 1;
        }
        let least = if name == "out.binpack" { fens.len() / 2 } else { fens.len() - 2000 };
        assert!(count >= least && count <= fens.len(), "{name}: {count}");
    }
    // Stored plies follow from the move number, also of a game that starts later.
    let moves = "{ [%eval 0.1] } 11. Ke2 { [%eval 0.2] } Ke7 { [%eval 0.3] } 1-0";
    folder.write("late.pgn", format!("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 11\"]\n\n{moves}\n"));
    for format in ["bin", "plain", "binpack", "vf", "marlin"] {
        folder.succeed(&format!("convert late.pgn -o late.{format} -q --lossy"));
        let read = format!("maps late.{format} --keep none --columns ply -q -o - -f csv");
        assert!(text(folder.succeed(&read)).starts_with("ply\n20\n21\n"), "{format}");
    }
    // The last position of a game has no move, and needs no score.
    let moves = "{ [%eval 0.1] } 1. e4 { [%eval 0.2] } e5 1-0";
    folder.write("a.pgn", moves);
    folder.write("a.csv", format!("movetext\n{moves}\n{moves}\n"));
    for format in ["vf", "binpack"] {
        for (input, positions) in [("a.pgn", 2), ("a.csv", 4)] {
            let outcome = folder.run(&format!("convert {input} -o a.{format}"));
            assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
            assert_eq!(text(outcome.stdout), format!("{positions} positions\n"));
        }
    }
    // Sampling sees only positions that can be written.
    folder.write("many.csv", format!("movetext\n{}", format!("{moves}\n").repeat(100)));
    let outcome = folder.run("convert many.csv -o many.vf --one-in 2 --seed 1");
    let numbers = text(outcome.stdout) + &outcome.stderr;
    let words = numbers.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
    assert_eq!(words.sum::<u64>(), 200, "{numbers}");
    folder.write("null.csv", format!("movetext\n{moves}\n{}\n", moves.replace("e5", "--")));
    let outcome = folder.run("convert null.csv -o null.vf --on-missing 0");
    let note = "data set lichess-games: games: `movetext`\n1 null move left out\n";
    assert_eq!((&*text(outcome.stdout), &*outcome.stderr), ("3 positions\n", note));
    let said = folder.fail(1, "convert games.pgn -o out.bullet");
    assert!(said.contains("from pgn to bullet this would be lost: turn"), "{said}");
    let said = folder.fail(1, "convert games.pgn -o stopped.binpack --on-missing 0");
    assert!(said.starts_with("error: games.pgn: game "), "{said}");
    assert!(said.contains("expected castling from the e-file"), "{said}");
    folder.write("a.fen", "4k3/8/8/8/8/8/8/4K3 w - -");
    let said = folder.fail(1, "convert games.pgn -o stopped.binpack");
    assert!(
        said.contains("games.pgn: game 1, position 1: no score (`[%eval]`); use --on-missing to skip or fill it"),
        "{said}"
    );
    // A number may be a score, and no result.
    folder.write("open.pgn", "1. e4 e5 *");
    let said = folder.fail(1, "convert open.pgn -o out.bin --on-missing 5");
    assert!(
        said.contains(
            "open.pgn: game 1, position 1: no result, and 5 is not a result; use --on-missing to skip or fill it"
        ),
        "{said}"
    );
    let said = folder.fail(2, "convert a.fen -o out2.vf");
    assert!(
        said.contains("cannot write viri from text: viri is written only from pgn, tables or bin"),
        "{said}"
    );
    folder.write("bad.pgn", BAD);
    let outcome = folder.run("convert bad.pgn -o kept.fen --lossy --on-invalid keep");
    assert_eq!(outcome.stderr, "2 invalid games kept up to the error\n");
    assert_eq!(text(folder.read("kept.fen")).lines().count(), 9);
}
