//! Positions without clocks: conversions to formats that store clocks or plies say what they would invent.

use crate::run::Folder;

const BARE: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

const LEFT_OUT: &str = "1 position left out by --where\n";

/// The clocks that `.fen` and `.bin` hold of an output.
fn back(folder: &Folder, name: &str) -> String {
    folder.succeed(&format!("convert {name} -o back.fen -q --lossy"));
    String::from_utf8(folder.read("back.fen")).unwrap()
}

#[test]
fn clocks_are_not_invented_without_lossy() {
    let folder = Folder::new();
    folder.write("a.epd", format!("{BARE} 3 9\n{BARE}\n"));
    folder.write("a.txt", format!("{BARE} 3 9 | 12 | 1.0\n{BARE} 7 | 12 | 0.5\n"));
    folder.write("a.csv", format!("fen,score,move\n{BARE} 3 9,12,e1e2\n{BARE},5,e1e2\n"));
    let rows =
        [format!("{BARE} 3 9"), BARE.to_owned()].map(|fen| format!("{{\"fen\":\"{fen}\"}}\n"));
    folder.write("a.jsonl", rows.concat());
    folder.succeed("maps a.csv -o a.parquet -q -c legal_count --keep all");
    let reason = "expected a halfmove clock and a move number, and the output stores them; use \
                  --lossy to write 0 and 1";
    for (input, place) in [
        ("a.epd", "a.epd:2:27"),
        ("a.txt", "a.txt:2:27"),
        ("a.csv", "a.csv: row 2, character 27"),
        ("a.jsonl", "a.jsonl: row 2, character 27"),
        ("a.parquet --keep none", "a.parquet: row 2, character 27"),
    ] {
        for output in ["bin", "marlin", "plain", "binpack"] {
            let moves = input.starts_with("a.csv") || input.starts_with("a.parquet");
            // marlinformat would lose the moves, and binpack needs them.
            if moves && output == "marlin" || !moves && output == "binpack" {
                continue;
            }
            let command = format!("convert {input} -o a.{output} --on-missing 0");
            let said = folder.fail(1, &command);
            assert!(said.contains(&format!("{place}: {reason}\n")), "{command}: {said}");
            let run = folder.run(&format!("{command} --lossy"));
            assert_eq!(run.status, Some(0), "{command}: {}", run.stderr);
            let note =
                "1 position without clocks, written with halfmove clock 0 and move number 1\n";
            assert!(run.stderr.contains(note), "{command}: {}", run.stderr);
            let clock = if input == "a.txt" { 7 } else { 0 };
            let expected = format!("{BARE} 3 9\n{BARE} {clock} 1\n");
            assert_eq!(back(&folder, &format!("a.{output}")), expected, "{command}");
            std::fs::remove_file(folder.path(&format!("a.{output}"))).unwrap();
        }
    }
    // These say nothing: bulletformat has no clocks, and all rows have them.
    folder.write("b.epd", format!("{BARE} 3 9\n{BARE} 0 1\n{BARE} hmvc 0; fmvn 1;\n"));
    folder.succeed("convert a.epd -o a.bullet --on-missing 0 -q --lossy");
    let run = folder.run("convert b.epd -o b.bin --on-missing 0 --lossy");
    assert!(!run.stderr.contains("without clocks"), "{}", run.stderr);
    // Labels may follow the position, and rows that are left out need no clocks.
    folder.write("c.txt", format!("{BARE} 1 1 | 12 | 1.0\n{BARE} 0 1 [0.5] 30\n"));
    let run = folder.run("convert c.txt -o c.fen --lossy");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let run =
        folder.run("convert a.csv -o a.marlin --keep fen --on-missing 0 --where score>9 --lossy");
    assert!(run.stderr.contains(LEFT_OUT) && !run.stderr.contains("clocks"), "{}", run.stderr);
    let run = folder.run("convert a.epd -o a.fen --where halfmove_clock>0");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), LEFT_OUT));
    // Text has six fields, so that the two are always written; the note says so.
    let run = folder.run("convert a.epd -o a.fen");
    let note = "1 position without clocks, written with halfmove clock 0 and move number 1\n";
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), note));
    // A condition on the position does not hide the row that lacks clocks.
    let said = folder.fail(1, "convert a.epd -o a.bin --on-missing 0 --on-invalid skip");
    assert!(said.starts_with("a.epd:2:27: expected a halfmove clock"), "{said}");
}

/// The start position of a game may lack clocks, too.
#[test]
fn clocks_of_games_are_not_invented_without_lossy() {
    let folder = Folder::new();
    let game = |clocks: &str| {
        format!(
            "[FEN \"{BARE}{clocks}\"]\n\n{{ [%eval 0.1] }} 1. Ke2 {{ [%eval 0.2] }} Ke7 {{ [%eval 0.3] }} 1-0\n\n"
        )
    };
    folder.write("a.pgn", game(" 3 9") + &game(" hmvc 3; fmvn 9;") + &game(""));
    folder.write(
        "b.csv",
        format!(
            "movetext,FEN,Result\n1. Ke2 {{ [%eval 0.2] }} Ke7,{BARE} 3 9,1-0\nKe2,{BARE},1-0\n"
        ),
    );
    let reason = "in the start position: expected a halfmove clock and a move number, and the \
                  output stores them; use --lossy to write 0 and 1";
    let note = |positions| {
        format!("{positions} without clocks, written with halfmove clock 0 and move number 1\n")
    };
    let outputs = ["bin", "marlin", "plain", "binpack", "vf"];
    // The last position has no move, which formats of games need.
    for (input, place, positions, with_moves) in [
        ("a.pgn", "a.pgn: game 3: ", "3 positions", "2 positions"),
        (
            "b.csv --movetext-column movetext --keep none",
            "b.csv: row 2: ",
            "2 positions",
            "1 position",
        ),
    ] {
        for output in &outputs {
            let command = format!("convert {input} -o a.{output} --on-missing 0");
            let said = folder.fail(1, &command);
            assert!(said.contains(&format!("{place}{reason}")), "{command}: {said}");
            let run = folder.run(&format!("{command} --lossy"));
            assert_eq!(run.status, Some(0), "{command}: {}", run.stderr);
            let positions = if ["binpack", "vf"].contains(output) { with_moves } else { positions };
            assert!(run.stderr.contains(&note(positions)), "{command}: {}", run.stderr);
        }
        let run = folder.run(&format!("convert {input} -o a.fen --lossy"));
        assert!(run.status == Some(0) && run.stderr.contains(&note(positions)), "{}", run.stderr);
    }
    let fens = folder.read("a.fen");
    let fens: Vec<&str> = str::from_utf8(&fens).unwrap().lines().collect();
    assert_eq!(fens[0], format!("{BARE} 3 9"));
    assert_eq!(fens[3], format!("{BARE} 0 1"));
}

/// Operations of EPD behind a position are lost in every format, whatever they stand in; the clocks are read.
#[test]
fn operations_are_not_lost_without_lossy() {
    let folder = Folder::new();
    let lost = "what follows the position would be lost";
    let clocks = "hmvc 41; fmvn 77;";
    for (operations, character) in [
        ("bm e1e2;", Some(28)),
        ("hmvc 41; bm e1e2; fmvn 77;", Some(37)),
        ("3 9 bm e1e2;", Some(32)),
        ("c0 \"hmvc 41; fmvn 77;\";", Some(28)),
        (clocks, None),
    ] {
        let text = format!("{BARE} {operations}");
        folder.write("a.epd", format!("{text}\n"));
        let quoted = text.replace('"', "\"\"");
        folder.write("a.csv", format!("fen\n\"{quoted}\"\n"));
        folder.write("a.jsonl", format!("{{\"fen\":\"{}\"}}\n", text.replace('"', "\\\"")));
        folder.succeed("maps a.jsonl -o a.parquet -q --keep all -c legal_count");
        for (input, place) in [
            ("a.epd", "a.epd:1:"),
            ("a.csv", "a.csv: row 1, character "),
            ("a.jsonl", "a.jsonl: row 1, character "),
            ("a.parquet --keep fen", "a.parquet: row 1, character "),
        ] {
            for output in ["fen", "bin", "bullet"] {
                let command = format!("convert {input} -o out.{output} --on-missing 0 -q");
                let lossy = if output == "bullet" { " --lossy" } else { "" };
                if let (Some(character), "") = (character, lossy) {
                    let said = folder.fail(1, &command);
                    assert!(
                        said.contains(&format!("{place}{character}: {lost}")),
                        "{command}: {said}"
                    );
                    folder.succeed(&format!("{command} --lossy"));
                } else {
                    folder.succeed(&format!("{command}{lossy}"));
                }
            }
        }
    }
    assert_eq!(back(&folder, "a.epd"), format!("{BARE} 41 77\n"));
    assert_eq!(back(&folder, "out.bin"), format!("{BARE} 41 77\n"));
}

/// `--dry-run` prints the plan, also of a conversion that is refused, and writes nothing.
#[test]
fn dry_runs_print_the_plan() {
    let folder = Folder::new();
    folder.write("a.csv", format!("fen,score,Site\n{BARE} 3 9,12,x\n"));
    folder.write("a.fen", format!("{BARE} 3 9\n"));
    folder.write("a.pgn", "[White \"A\"]\n\n1. e4 1-0\n");
    folder.write("b.csv", "movetext\n1. e4 1-0\n");
    for (arguments, plan, refusal) in [
        (
            "a.csv -o a.bin",
            "csv to bin, position by position\nlost: Site\nwritten with a neutral value: result, \
             move\npositions without score: the run stops (see --on-missing)\n",
            "from csv to bin these columns would be lost: Site (use --lossy",
        ),
        (
            "a.csv -o a.bin --lossy",
            "csv to bin, position by position\nlost: Site\nwritten with a neutral value: result, \
             move\npositions without score: the run stops (see --on-missing)\n",
            "csv has no result, which bin stores; name its column with --result-column, or write 0",
        ),
        (
            "a.csv -o a.bin --lossy --on-missing -1",
            "csv to bin, position by position\nlost: Site\nwritten with a neutral value: move\n\
             positions without score or result: written with -1\n",
            "",
        ),
        (
            "a.csv -o a.bin --lossy --on-missing 300",
            "csv to bin, position by position\nlost: Site\nwritten with a neutral value: move\n\
             positions without score or result: written with 300\n",
            "csv has no result, and --on-missing 300 is not a result (-1, 0 or 1)",
        ),
        (
            "a.fen -o a.marlin --on-missing 0",
            "text to marlin, position by position\nlost: text after a position other than its score \
             and result, if a line has any\nwritten with a neutral value: nothing\npositions \
             without score or result: written with 0\n",
            "",
        ),
        (
            "a.fen -o b.fen",
            "text to text, position by position\nlost: scores, results and other text after a \
             position, if a line has any\nwritten with a neutral value: nothing\n",
            "",
        ),
        (
            "a.pgn -o a.binpack --on-missing skip",
            "pgn to binpack, game by game\nlost: the last position of each game, which has no \
             move\nwritten with a neutral value: nothing\npositions without score or result: \
             skipped\n",
            "",
        ),
        (
            "b.csv -o b.binpack --on-missing skip",
            "csv to binpack, each position with its move as a game\nlost: the last position of each \
             game, which has no move\nwritten with a neutral value: nothing\npositions without \
             score or result: skipped\n",
            "",
        ),
    ] {
        let run = folder.run(&format!("convert {arguments} --dry-run"));
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(said, plan, "{arguments}");
        assert_eq!(run.status, Some(i32::from(!refusal.is_empty())), "{arguments}");
        assert!(run.stderr.contains(refusal), "{arguments}: {}", run.stderr);
    }
    assert_eq!(folder.names(), ["a.csv", "a.fen", "a.pgn", "b.csv"]);
}

/// Games are changed like single positions. A move that needs a dropped right is not changed, so its game does not fit.
#[test]
fn games_hold_the_nearest_values_with_lossy() {
    let folder = Folder::new();
    let rows = [
        ("4k3/8/8/8/8/8/8/4K2R w K - 300 70", 10, "e1g1"),
        ("4k3/8/8/8/8/8/8/4K2R b K - 3 70000", 40_000, "e8e7"),
        ("1k6/8/8/8/8/8/8/2K1R3 w E - 3 7", 40_000, "c1b1"),
        ("1k6/8/8/8/8/8/8/2K1R3 w E - 3 7", 5, "c1e1"),
        (&format!("{BARE} 3 7"), 4, "e1g1"),
    ];
    let table: String =
        rows.iter().map(|(fen, score, played)| format!("{fen},{score},1,{played}\n")).collect();
    folder.write("a.csv", format!("fen,score,result,move\n{table}"));
    let changed = |count: u32, format: &str| {
        let positions = if count == 1 { "position" } else { "positions" };
        format!(
            "{count} {positions} changed to what {format} can hold (castling, clocks, scores)\n"
        )
    };
    for (format, written, said) in [
        ("vf", 5, changed(3, "viri")),
        (
            "binpack",
            4,
            format!("1 position that binpack cannot hold skipped\n{}", changed(2, "binpack")),
        ),
    ] {
        let command = format!("convert a.csv -o a.{format} --on-invalid skip");
        let run = folder.run(&format!("{command} --lossy"));
        assert!(run.stderr.ends_with(&said), "{}", run.stderr);
        assert_eq!(back(&folder, &format!("a.{format}")).lines().count(), written);
        let refused = folder.fail(1, &format!("convert a.csv -o b.{format}"));
        assert!(refused.contains("(use --lossy to write the nearest that fits)"), "{refused}");
    }
    let said = folder.fail(1, "convert a.csv -o b.binpack --lossy");
    assert!(said.contains("the castling rights of") && !said.contains("use --lossy"), "{said}");

    // Whole games.
    let games = ["w K - 300 70", "w K - 0 9000"].map(|fields| {
        let eval = "{[%eval 1.0]}";
        format!("[FEN \"4k3/8/8/8/8/8/8/4K2R {fields}\"]\n\n{eval} 1. Rh2 {eval} Kd8 1-0\n\n")
    });
    folder.write("a.pgn", games.concat());
    for (format, name, first) in [("vf", "viri", "255 70"), ("binpack", "binpack", "300 70")] {
        let run = folder.run(&format!("convert a.pgn -o a.{format} --lossy"));
        assert_eq!(run.stderr, changed(2, name));
        let fens = back(&folder, &format!("a.{format}"));
        assert!(fens.lines().next().unwrap().ends_with(first), "{fens}");
        assert_eq!(fens.lines().count(), 4);
        let run = folder.run(&format!("convert a.pgn -o a.{format} --on-invalid skip"));
        assert_eq!(run.stderr, format!("1 game that {name} cannot hold skipped\n"));
    }

    // The score for white of a position with black to move.
    folder.write("b.csv", "fen,score,result,move\n4k3/8/8/8/8/8/8/4K3 b - - 0 1,1,1,e8e7\n");
    folder.succeed("convert b.csv -o b.bin -q");
    let mut record = folder.read("b.bin");
    record[32..34].copy_from_slice(&i16::MIN.to_le_bytes());
    folder.write("b.bin", &record);
    let run = folder.run("convert b.bin -o b.vf --lossy");
    assert_eq!((run.status, run.stderr), (Some(0), changed(1, "viri")));
}

/// Binpack stores plies, from which move numbers are computed.
#[test]
fn binpack_has_no_other_move_numbers_in_silence() {
    let folder = Folder::new();
    let kings = "4k3/8/8/8/8/8/8/4K3 w - -";
    let rows = [55, 1, 0].map(|number| format!("{kings} 0 {number},1,1,e1e2\n"));
    folder.write("a.csv", format!("fen,score,result,move\n{}", rows.concat()));
    folder.succeed("convert a.csv -o a.bin -q");
    let mut records = folder.read("a.bin");
    records[36..38].copy_from_slice(&7u16.to_le_bytes());
    folder.write("a.bin", &records);
    let renumbered =
        |count: &str| format!("{count} whose move number binpack computes from the ply\n");
    for (input, count) in [("a.bin", "2 positions"), ("a.csv", "1 position")] {
        let run = folder.run(&format!("convert {input} -o a.binpack"));
        assert!(run.stderr.ends_with(&renumbered(count)), "{}", run.stderr);
    }
    folder.write("a.pgn", "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 0\"]\n\n{[%eval 0.1]} 0. Kd1 1-0\n");
    assert_eq!(folder.run("convert a.pgn -o a.binpack").stderr, renumbered("1 position"));
    // These move numbers follow from the plies.
    for output in ["b.bin", "b.marlin", "b.plain", "b.fen"] {
        let run = folder.run(&format!("convert a.binpack -o {output} --lossy"));
        assert_eq!((run.status, &*run.stderr), (Some(0), ""), "{output}");
    }
}
