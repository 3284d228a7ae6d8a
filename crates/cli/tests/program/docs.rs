//! Runs the examples of `docs/inputs.md` and compares their output.

use crate::run::Folder;

#[test]
fn the_page_of_inputs_shows_the_real_output() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let page = std::fs::read_to_string(format!("{root}/docs/inputs.md")).unwrap();
    let folder = Folder::new();
    std::fs::create_dir(folder.path("data")).unwrap();
    for name in ["data/puzzles.csv", "data/evaluations.jsonl", "data/games.pgn"] {
        folder.write(name, std::fs::read(format!("{root}/{name}")).unwrap());
    }
    let text = std::fs::read_to_string(format!("{root}/data/sample.epd")).unwrap();
    let three: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    folder.write("positions.fen", three);
    let mut commands = 0;
    for block in page.split("```text\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for command in block.split("$ setwise ").skip(1) {
            let (arguments, expected) = command.split_once('\n').unwrap();
            let outcome = folder.run(arguments);
            let stdout = String::from_utf8(outcome.stdout).unwrap();
            match expected.strip_prefix("error: ") {
                Some(_) => assert_eq!(outcome.stderr, expected, "{arguments}"),
                None if expected.is_empty() => assert_eq!(outcome.status, Some(0), "{arguments}"),
                None => assert_eq!(stdout, expected, "{arguments}"),
            }
            commands += 1;
        }
    }
    assert_eq!(commands, 5);
}
