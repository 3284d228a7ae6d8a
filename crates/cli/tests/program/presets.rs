//! Public data sets, recognised by their columns: files in each of their schemas, written from games that python-chess
//! has replayed.

use std::io::Read as _;

use crate::run::Folder;

/// A position of a game, with its move: game, FEN, move in UCI, SAN.
struct Row([String; 4]);

impl Row {
    fn fen(&self) -> &str {
        &self.0[1]
    }

    fn played(&self) -> &str {
        &self.0[2]
    }

    /// The move as the program writes it. python-chess writes castling as the king's move to its rook; the program does
    /// so only if the king is not on the e-file or the rook is not in a corner.
    fn shown(&self) -> String {
        let (from, to) = self.played().split_at(2);
        match (self.0[3].starts_with("O-O"), from.starts_with('e'), &to[..1]) {
            (true, true, "h") => format!("{from}g{}", &to[1..]),
            (true, true, "a") => format!("{from}c{}", &to[1..]),
            _ => self.played().to_owned(),
        }
    }

    /// Converts a value for white to the point of view of the side to move.
    fn of_mover(&self, score: i32) -> i32 {
        if self.fen().contains(" w ") { score } else { -score }
    }

    /// The FEN without counters.
    fn epd(&self) -> String {
        self.fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
    }
}

/// The positions with a move, in the order of their games.
fn games() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/data/games.pgn.tsv.gz");
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let rows = text.lines().take(4000).map(|line| {
        let mut cells = line.split('\t').map(str::to_owned);
        Row(std::array::from_fn(|_| cells.next().unwrap_or_default()))
    });
    rows.filter(|row| !row.played().is_empty()).collect()
}

/// A score for white: the values of `cp` and `mate`, and the score in Stockfish's convention.
fn score(n: usize) -> (String, String, i32) {
    let value = (n * 37 % 1201) as i32 - 600;
    match n % 5 {
        0 if value > 0 => (String::new(), (1 + n % 9).to_string(), 32_000 - (1 + n % 9) as i32),
        0 => (String::new(), format!("-{}", 1 + n % 9), -32_000 + (1 + n % 9) as i32),
        _ => (value.to_string(), String::new(), value),
    }
}

/// Reads `columns`. Returns the rows and the messages.
fn read(folder: &Folder, arguments: &str, columns: &str) -> (Vec<String>, String) {
    let outcome =
        folder.run(&format!("maps {arguments} -o - -f csv --keep none --columns {columns}"));
    assert_eq!(outcome.status, Some(0), "{arguments}: {}", outcome.stderr);
    let text = String::from_utf8(outcome.stdout).unwrap();
    (text.lines().skip(1).map(str::to_owned).collect(), outcome.stderr)
}

#[track_caller]
fn check(folder: &Folder, arguments: &str, columns: &str, expected: &[String], said: &str) {
    for sizes in ["", "--batch-lines 7 --threads 3"] {
        let (rows, stderr) = read(folder, &format!("{arguments} {sizes}"), columns);
        assert_eq!(stderr, said, "{arguments}");
        assert_eq!(rows.len(), expected.len(), "{arguments} {sizes}");
        for (row, expected) in rows.iter().zip(expected) {
            assert_eq!(row, expected, "{arguments} {sizes}");
        }
    }
}

/// Evaluations of a position: depth, and the variations of each.
type Evaluations = Vec<(usize, Vec<(String, String, String)>)>;

/// Evaluations, with the score and the move of the first variation of the first of the deepest evaluations.
fn evaluations(n: usize, row: &Row) -> (Evaluations, i32) {
    let count = n % 4 + 1;
    let depth = |at: usize| 20 + (n / 3 + 7 * at) % 3;
    let deepest = (0..count).rev().max_by_key(|at| depth(*at)).unwrap();
    let mut best = 0;
    let all = (0..count).map(|at| {
        let variations = (0..=(n + at) % 3).map(|line| {
            let (cp, mate, value) = score(n + 100 * at + 1000 * line);
            let is_best = at == deepest && line == 0;
            if is_best {
                best = value;
            }
            // Reading any other move would be an error.
            let moves = if is_best { row.played() } else { "0000" };
            (cp, mate, format!("{moves} a1a1 h8h8"))
        });
        (depth(at), variations.collect())
    });
    (all.collect(), best)
}

#[test]
fn evaluations_in_json_lines() {
    let (folder, mut text, mut expected) = (Folder::new(), String::new(), Vec::new());
    for (n, row) in games().iter().enumerate() {
        let (all, best) = evaluations(n, row);
        let all = all.iter().map(|(depth, variations)| {
            let variations = variations.iter().map(|(cp, mate, line)| match mate.as_str() {
                "" => format!(r#"{{"cp":{cp},"line":"{line}"}}"#),
                mate => format!(r#"{{"line":"{line}","mate":{mate}}}"#),
            });
            let variations = variations.collect::<Vec<_>>().join(",");
            format!(r#"{{"pvs":[{variations}],"knodes":{n},"depth":{depth}}}"#)
        });
        let all = all.collect::<Vec<_>>().join(",");
        text += &format!("{{\"fen\":\"{}\",\"evals\":[{all}]}}\n", row.epd());
        expected.push(format!("{},{},{}", row.epd(), row.of_mover(best), row.shown()));
    }
    folder.write("evals.jsonl", &text);
    let said = "data set lichess-evals: scores and moves: the first variation of the deepest of \
                `evals`, scores for white\n";
    check(&folder, "evals.jsonl", "fen,score,move", &expected, said);
    // Without labels, evaluations are not read.
    assert_eq!(read(&folder, "evals.jsonl", "turn").1, "");
    folder.write("bad.jsonl", text.lines().next().unwrap().replace("\"depth\"", "\"deep\""));
    let said = folder.fail(1, "maps bad.jsonl -q -o out.csv --columns score");
    assert!(said.contains("row 1, column `evals`: expected evaluations, found missing"), "{said}");
    let said = folder.fail(1, "maps bad.jsonl -q -o out.csv --preset none --columns score");
    assert!(said.contains("`score` is not in this input"), "{said}");
    // Without depth, evaluations are missing labels.
    folder.write("none.jsonl", "{\"fen\":\"8/8/8/8/8/8/8/K1k5 w - -\",\"evals\":[]}\n");
    let said = folder.fail(1, "convert none.jsonl -q -o out.bin --lossy");
    assert!(said.contains("has no result"), "{said}");
    assert_eq!(read(&folder, "none.jsonl -q", "score,turn").0, [",0"]);
}

#[test]
fn variations_as_rows() {
    let folder = Folder::new();
    let mut text = "fen,line,depth,knodes,cp,mate\n".to_owned();
    let (mut expected, mut last) = (Vec::new(), String::new());
    for (n, row) in games().iter().enumerate().filter(|(n, _)| n % 3 > 0) {
        let (all, best) = evaluations(n, row);
        // Consecutive rows of one position count as one, so no position may be repeated.
        if std::mem::replace(&mut last, row.epd()) == row.epd() {
            continue;
        }
        for (depth, variations) in all {
            for (cp, mate, line) in variations {
                text += &format!("{},{line},{depth},{n},{cp},{mate}\n", row.epd());
            }
        }
        expected.push(format!("{},{},{}", row.epd(), row.of_mover(best), row.shown()));
    }
    folder.write("a.csv", &text);
    let said = "data set lichess-position-evaluations: positions: the first row with the largest `depth` \
                for each `fen`; scores: `cp` and `mate`, for white; moves: the first of `line`\n";
    check(&folder, "a.csv", "fen,score,move", &expected, said);
    folder.succeed(
        "maps a.csv -q -o b.parquet --columns turn --keep all --dataset none --types guess",
    );
    check(&folder, "b.parquet", "fen,score,move", &expected, said);
    folder.succeed("maps a.csv -q -o b.arrow --columns turn --dataset none --types guess");
    check(&folder, "b.arrow", "fen,score,move", &expected, said);
    // Errors number rows as in the table.
    let (first, rest) = text.split_at(text.rfind("\n8/").or(text.rfind('\n')).unwrap());
    let fen = "8/8/8/8/8/8/8/K1k5 b - -";
    folder.write("bad.csv", format!("{first}\n{fen},c1e5,1,1,3,\n{fen},c1d1,,1,3,\n{rest}"));
    let row = first.lines().count();
    let said = folder.fail(1, "maps bad.csv -q -o out.csv --columns move");
    assert!(said.contains(&format!("row {row}, column `line`: expected a legal move")), "{said}");
    folder.write("bad.csv", text.replace(",20,", ",deep,"));
    let row = text.lines().position(|line| line.contains(",20,")).unwrap();
    let said = folder.fail(1, "maps bad.csv -q -o out.csv --columns turn --batch-lines 2");
    assert!(said.contains(&format!("column `depth`, row {row}: expected an integer, f")), "{said}");
}

#[test]
fn a_table_with_other_columns_is_not_fishnet_evals() {
    let folder = Folder::new();
    folder.write("a.csv", "id,fen,move,cp,mate\n1,8/8/8/8/8/8/8/K1k5 b - -,c1d1,3,\n");
    let said = "scores: `cp` and `mate`, for white\n".to_owned();
    assert_eq!(read(&folder, "a.csv", "score"), (vec!["-3".to_owned()], said));
    let (rows, said) = read(&folder, "a.csv --dataset fishnet-evals", "score,move");
    assert_eq!(rows, ["-3,c1d1"]);
    assert!(said.starts_with("data set fishnet-evals: "), "{said}");
}

#[test]
fn two_scores_of_an_evaluation_are_an_error() {
    let folder = Folder::new();
    let pvs = r#"[{"depth":1,"pvs":[{"cp":3,"mate":4}]}]"#;
    folder.write("a.jsonl", format!("{{\"fen\":\"8/8/8/8/8/8/8/K1k5 w - -\",\"evals\":{pvs}}}\n"));
    let said = folder.fail(1, "maps a.jsonl -q -o out.csv --columns score");
    let expected = "row 1, column `evals`: expected a score or a mate, found both: 3 and 4";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_position_can_span_files() {
    let folder = Folder::new();
    let fens = ["8/8/8/8/8/8/8/K1k5 w - -", "8/8/8/8/8/8/8/K2k4 w - -", "8/8/8/8/8/8/8/K3k3 w - -"];
    // Each row: which position, depth, score.
    for (files, expected) in [
        (&[&[(0, 1, 1), (1, 5, 2)][..], &[(1, 7, 3), (2, 1, 4)]][..], "0,1,1|1,3,1|2,4,2"),
        (&[&[(0, 1, 1), (1, 7, 2)], &[(1, 5, 3), (1, 6, 9), (2, 1, 4)]], "0,1,1|1,2,2|2,4,3"),
        // Of equal depth the first.
        (&[&[(0, 1, 1), (1, 7, 2)], &[(1, 7, 3)]], "0,1,1|1,2,2"),
        (&[&[(0, 3, 1)], &[(0, 5, 2)], &[(0, 4, 3), (0, 4, 4)], &[(1, 1, 5)]], "0,2,1|1,5,1"),
        (&[&[(0, 3, 1)], &[(0, 2, 2), (1, 2, 3)], &[], &[(1, 9, 4)]], "0,1,1|1,4,1"),
        (&[&[(0, 3, 1)], &[(1, 2, 2)], &[(0, 2, 3)]], "0,1,1|1,2,1|0,3,1"),
    ] {
        let mut arguments = String::new();
        for (at, rows) in files.iter().enumerate() {
            let mut text = "fen,line,depth,knodes,cp,mate\n".to_owned();
            for (fen, depth, score) in *rows {
                text += &format!("{},a1a2,{depth},1,{score},\n", fens[*fen]);
            }
            folder.write(&format!("{at}.csv"), text);
            arguments += &format!("{at}.csv ");
        }
        for sizes in ["", "--batch-lines 1"] {
            let (found, _) = read(&folder, &format!("{arguments} {sizes}"), "fen,score,line");
            let row =
                |row: &str| format!("{},{}", fens[row[..1].parse::<usize>().unwrap()], &row[2..]);
            assert!(found.into_iter().eq(expected.split('|').map(row)), "{files:?} {sizes}");
        }
    }
}

#[test]
fn evaluations_of_one_move() {
    let (folder, mut text) = (Folder::new(), "fen,move,cp,mate\n".to_owned());
    let (mut expected, mut castled) = (Vec::new(), 0);
    for (n, row) in games().iter().enumerate() {
        let (cp, mate, value) = score(n);
        castled += usize::from(row.shown() != row.played());
        text += &format!("{},{},{cp},{mate}\n", row.fen(), row.played());
        expected.push(format!("{},{},{}", row.fen(), row.of_mover(value), row.shown()));
    }
    assert!(castled > 20);
    folder.write("a.csv", &text);
    let said = "data set fishnet-evals: scores: `cp` and `mate`, for white; moves: `move`\n";
    check(&folder, "a.csv", "fen,score,move", &expected, said);
    folder.write("b.csv", "fen,move,cp,mate\n8/8/8/8/8/8/8/K1k5 b - -,c1d1,3,4\n");
    let said = folder.fail(1, "maps b.csv -q -o out.csv --columns score");
    assert!(said.contains("expected a score or a mate, found both: 3 and 4"), "{said}");
}

#[test]
fn puzzles_begin_after_the_first_move() {
    let (folder, mut text) = (Folder::new(), "PuzzleId,FEN,Moves,Rating\n".to_owned());
    let (mut expected, rows) = (Vec::new(), games());
    for (n, pair) in rows.windows(2).enumerate().filter(|(_, pair)| pair[0].0[0] == pair[1].0[0]) {
        let (first, second) = (&pair[0], &pair[1]);
        text +=
            &format!("{n:05},{},{} {} a1a1,{n}\n", first.fen(), first.played(), second.played());
        let after: setwise::Fen = second.fen().parse().unwrap();
        expected.push(format!("{after},{}", second.shown()));
    }
    assert!(expected.len() > 2000);
    folder.write("a.csv", &text);
    let said = "data set lichess-puzzles: positions: `FEN` after the first of `Moves`";
    check(
        &folder,
        "a.csv",
        "fen,move",
        &expected,
        &format!("{said}; moves: the second of `Moves`\n"),
    );
    folder.succeed("maps a.csv -q -o b.parquet --columns turn --keep all --dataset none");
    check(
        &folder,
        "b.parquet",
        "fen,move",
        &expected,
        &format!("{said}; moves: the second of `Moves`\n"),
    );
    assert_eq!(read(&folder, "a.csv", "turn").1, format!("{said}\n"));
    let before = read(&folder, "a.csv --dataset none", "fen").0;
    assert_eq!(before[0], rows[0].fen());
    // A conversion to records drops all other data.
    folder.succeed("convert a.csv -q -o a.vf --keep none --on-missing 0");
    let (found, _) = read(&folder, "a.vf", "fen,move");
    assert_eq!(found.len(), expected.len());
    folder.write("bad.csv", "PuzzleId,FEN,Moves\n1,8/8/8/8/8/8/8/K1k5 b - -,c1c3 a1a2\n");
    let said = folder.fail(1, "maps bad.csv -q -o out.csv --columns turn");
    let message = "row 1, column `Moves`: expected a legal move in UCI notation, found `c1c3`";
    assert!(said.contains(message), "{said}");
}

#[test]
fn numbers_in_folder_names_have_64_bits() {
    let folder = Folder::new();
    for year in ["1", "-9999999999", "9999999999"] {
        let path = format!("data/y={year}/month=02");
        std::fs::create_dir_all(folder.path(&path)).unwrap();
        folder.write(&format!("{path}/part.csv"), "Event,Result,movetext\ne,*,1. e4 *\n");
    }
    let keep = "--keep y,month,ply --columns turn";
    let outcome = folder.run(&format!("maps data -o - -f csv --where ply=1 {keep}"));
    let rows = "y,month,ply,turn\n-9999999999,2,1,1\n1,2,1,1\n9999999999,2,1,1\n";
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), rows, "{}", outcome.stderr);
    assert_eq!(read(&folder, "data --where y>1", "turn").0, ["0", "1"]);
}

#[test]
fn games_of_folders() {
    let folder = Folder::new();
    let rows = games();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut expected = Vec::new();
    let mut texts = ["Event,Result,movetext\n".to_owned(), "Event,Result,movetext\n".to_owned()];
    let mut begin = 0;
    for (month, count) in [(1, 40), (12, 30)] {
        let mut made = 0;
        while made < count {
            let game: Vec<&Row> =
                rows[begin..].iter().take_while(|row| row.0[0] == rows[begin].0[0]).collect();
            begin += game.len();
            if game[0].fen() != start {
                continue;
            }
            made += 1;
            let mut moves = String::new();
            for (n, row) in game.iter().enumerate() {
                moves += &format!("{} {{ [%eval 0.{:02}] }} ", row.0[3], n % 90);
                // An evaluation belongs to the position after the move.
                let eval = n.checked_sub(1).map(|n| row.of_mover((n % 90) as i32).to_string());
                let eval = eval.unwrap_or_default();
                expected.push(format!("{},{eval},{},2025,{month}", row.fen(), row.shown()));
            }
            expected.push("end".to_owned());
            texts[usize::from(month > 1)] += &format!("e,*,{moves}*\n");
        }
    }
    for (path, text) in ["01", "12"].iter().zip(&texts) {
        let path = format!("data/year=2025/month={path}");
        std::fs::create_dir_all(folder.path(&path)).unwrap();
        folder.write(&format!("{path}/part.csv"), text);
    }
    let arguments =
        "maps data -o - -f csv --keep move,year,month --columns fen,score,move,year,month";
    let outcome = folder.run(&arguments.replace(",move,year,month", ",move"));
    assert_eq!(outcome.stderr, "data set lichess-games: games: `movetext`\n");
    let text = String::from_utf8(outcome.stdout).unwrap();
    let found: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected).filter(|(_, row)| *row != "end") {
        let cells: Vec<&str> = expected.split(',').collect();
        let [fen, score, played, year, month] = cells[..] else { panic!("five cells") };
        assert_eq!(*found, format!("{year},{month},{fen},{score},{played}"));
    }
    let january = read(&folder, "data --where month=1", "fen").0;
    let rows_of_january = expected.iter().filter(|row| row.ends_with(",2025,1")).count();
    assert_eq!(january.len(), rows_of_january + 40);
    let said = folder.fail(1, "maps data -q -o out.csv --dataset none --where month=1");
    assert!(said.contains("month"), "{said}");
    let said = folder.fail(1, "maps data -q -o out.csv --dataset lichess-puzzles");
    assert!(said.contains("no column is called `PuzzleId`; there are "), "{said}");
    assert!(said.ends_with("; lichess-puzzles needs `PuzzleId` (--dataset)\n"), "{said}");
}
