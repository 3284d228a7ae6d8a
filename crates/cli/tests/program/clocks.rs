//! Positions without clocks: conversions to formats that store clocks or plies say what they would invent.

use crate::run::Folder;

const BARE: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

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
    // Text has six fields, so that the two are always written; the note says so.
    let run = folder.run("convert a.epd -o a.fen");
    let note = "1 position without clocks, written with halfmove clock 0 and move number 1\n";
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), note));
    // A condition on the position does not hide the row that lacks clocks.
    let said = folder.fail(1, "convert a.epd -o a.bin --on-missing 0 --on-invalid skip");
    assert!(said.starts_with("a.epd:2:27: expected a halfmove clock"), "{said}");
}

/// `--dry-run` prints the plan, also of a conversion that is refused, and writes nothing.
#[test]
fn dry_runs_print_the_plan() {
    let folder = Folder::new();
    folder.write("a.csv", format!("fen,score,Site\n{BARE} 3 9,12,x\n"));
    folder.write("a.fen", format!("{BARE} 3 9\n"));
    folder.write("a.pgn", "[White \"A\"]\n\n1. e4 1-0\n");
    for (arguments, plan, refusal) in [
        (
            "a.csv -o a.bin",
            "csv to bin, position by position\nlost: Site\nwritten with a neutral value: result, \
             move\npositions without score: the run stops\n",
            "from csv to bin these columns would be lost: Site (use --lossy",
        ),
        (
            "a.csv -o a.bin --lossy",
            "csv to bin, position by position\nlost: Site\nwritten with a neutral value: result, \
             move\npositions without score: the run stops\n",
            "csv has no result, which bin stores; pass --on-missing 0 to write 0",
        ),
        (
            "a.fen -o a.marlin --on-missing 0",
            "text to marlin, position by position\nlost: nothing\nwritten with a neutral value: \
             nothing\npositions without score, result: written with 0\n",
            "",
        ),
        (
            "a.pgn -o a.binpack --on-missing skip",
            "pgn to binpack, game by game\nlost: nothing\nwritten with a neutral value: nothing\n\
             positions without score, result: skipped\n",
            "",
        ),
    ] {
        let run = folder.run(&format!("convert {arguments} --dry-run"));
        let said = String::from_utf8(run.stdout).unwrap();
        assert_eq!(said, plan, "{arguments}");
        assert_eq!(run.status, Some(i32::from(!refusal.is_empty())), "{arguments}");
        assert!(run.stderr.contains(refusal), "{arguments}: {}", run.stderr);
    }
    assert_eq!(folder.names(), ["a.csv", "a.fen", "a.pgn"]);
}
