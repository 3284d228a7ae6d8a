//! The commands for people: `show`, `backends`, `completions`, help.

use setwise::{Backend, Kernel};

use crate::run::Folder;

const START: &str = "                      white_all             black_twice
8  r n b q k b n r    8  . . . . . . . .    8  . . . . . . . .
7  p p p p p p p p    7  . . . . . . . .    7  . . . x x . . .
6  . . . . . . . .    6  . . . . . . . .    6  x x x x x x x x
5  . . . . . . . .    5  . . . . . . . .    5  . . . . . . . .
4  . . . . . . . .    4  . . . . . . . .    4  . . . . . . . .
3  . . . . . . . .    3  x x x x x x x x    3  . . . . . . . .
2  P P P P P P P P    2  x x x x x x x x    2  . . . . . . . .
1  R N B Q K B N R    1  . x x x x x x .    1  . . . . . . . .

   a b c d e f g h       a b c d e f g h       a b c d e f g h
white to move         0x0000000000ffff7e    0x0018ff0000000000
";

#[test]
fn board_and_maps_stand_side_by_side() {
    let folder = Folder::new();
    let shown = folder.succeed("show startpos --map white-all,black_twice");
    assert_eq!(String::from_utf8(shown).unwrap(), START);
    // A FEN without quotes is one too.
    let words = "show rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 --map white-all -m black-twice";
    assert_eq!(String::from_utf8(folder.succeed(words)).unwrap(), START);
}

#[test]
fn colour_is_for_terminals_that_want_it() {
    let folder = Folder::new();
    let plain = folder.succeed("show startpos");
    assert!(!plain.contains(&0x1b));
    let mut command = folder.command("show startpos");
    let forced = command.env("CLICOLOR_FORCE", "1").output().unwrap().stdout;
    assert!(forced.contains(&0x1b));
    let refused =
        command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1").output().unwrap().stdout;
    assert_eq!(refused, plain);
}

#[test]
fn a_bad_position_is_shown() {
    let said = Folder::new().fail(1, "show 8/8/8/8/8/8/8/K6x w - -");
    assert!(said.starts_with("column 17: "), "{said}");
    assert!(said.ends_with(&format!("\n  8/8/8/8/8/8/8/K6x w - -\n  {:16}^\n", "")), "{said}");
}

#[test]
fn the_picture_has_every_man_and_every_count() {
    let folder = Folder::new();
    folder.succeed("show startpos --svg start.svg");
    let svg = String::from_utf8(folder.read("start.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<use ").count(), 2 * 32);
    // Ranks 1 to 3 without the corners, for each side; two ranks of labels and the legend come on top.
    let counted = |n: &str| svg.matches(&format!("text-anchor=\"end\">{n}</text>")).count();
    assert_eq!((1..=8).map(|n| counted(&n.to_string())).sum::<usize>(), 2 * (22 + 8));
    assert_eq!(svg, String::from_utf8(folder.succeed("show startpos --svg -")).unwrap());
    assert_eq!(folder.names(), ["start.svg"]);
}

#[test]
fn backends_are_listed_and_one_is_chosen() {
    let said = String::from_utf8(Folder::new().succeed("backends")).unwrap();
    for backend in Backend::ALL {
        assert!(said.contains(backend.name()) && said.contains(backend.description()), "{said}");
    }
    let chosen = said.lines().find(|line| line.starts_with(" *")).unwrap();
    assert_eq!(chosen.split_whitespace().nth(1), Some(Kernel::detect().backend().name()));
}

#[test]
fn completions_and_help() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = String::from_utf8(folder.succeed(&format!("completions {shell}"))).unwrap();
        assert!(script.contains("skip-invalid"), "{shell}");
    }
    for command in ["maps", "show", "backends", "completions"] {
        let help = String::from_utf8(folder.succeed(&format!("{command} --help"))).unwrap();
        assert!(help.contains("Example"), "{help}");
    }
}

#[test]
fn the_readme_lists_all_columns() {
    let help = String::from_utf8(Folder::new().succeed("maps --columns help")).unwrap();
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    assert!(readme.contains(&format!("\n```text\n{help}```\n")), "it should have:\n{help}");
    let count = format!("`setwise maps --columns help` lists {} columns", help.lines().count());
    assert!(readme.contains(&count), "it should say: {count}");
}
