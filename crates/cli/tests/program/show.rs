//! The interactive commands: `show`, `backends`, `completions`, and help.

use setwise::{Backend, Kernel};

use crate::answers;
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
    let shown = folder.succeed("show startpos --map white_all,black_twice");
    assert_eq!(String::from_utf8(shown).unwrap(), START);
    // A FEN need not be quoted.
    let words = "show rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 --map white_all -m black_twice";
    assert_eq!(String::from_utf8(folder.succeed(words)).unwrap(), START);
}

#[test]
fn negative_numbers_keep_their_sign() {
    let shown = Folder::new().succeed("show 4k3/8/8/8/8/8/8/q3K3 --map material,piece_count");
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.ends_with("\nmaterial     -9\npiece_count   3\n"), "{shown}");
}

#[test]
fn every_column_can_be_shown_and_fits_80_characters() {
    let folder = Folder::new();
    let shown = String::from_utf8(folder.succeed("show startpos --map all")).unwrap();
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut words = shown.split_whitespace();
    for name in answers::names() {
        assert!(words.clone().any(|word| word == name), "{name}");
        if answers::is_narrow(name) {
            let value = answers::columns(&[fen], &[name])[0][0];
            assert!(words.any(|word| word == name), "{name} stands after all boards");
            assert_eq!(words.next(), Some(value.to_string().as_str()), "{name}");
        }
    }
    let shown =
        String::from_utf8(folder.succeed("show startpos --map white_knight,black_knight")).unwrap();
    let titles: Vec<&str> = shown.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(titles, ["white_knight", "black_knight"]);
    let shown = folder.succeed("show startpos --map mat*"); // material, and not mate
    assert!(String::from_utf8(shown).unwrap().ends_with("\nmaterial   0\n"));
    for (map, expected) in [
        ("white-all", "did you mean `white_all`?"),
        ("fen", "`fen` cannot be shown"),
        ("eva*", "`eval` cannot be shown"),
        ("line", "`line` cannot be shown"),
    ] {
        let said = folder.fail(2, &format!("show startpos --map {map}"));
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_line_of_a_file_and_standard_input_can_be_shown() {
    let folder = Folder::new();
    let lines = "# x\n\n8/8/8/8/8/8/8/K7 w - -\nbad\n7k/8/8/8/8/8/8/8 b - -";
    folder.write("some.epd", lines);
    folder.write("some.bin", [0; 40]);
    folder.write("odd:name.epd", lines);
    for input in ["some.epd", "odd:name.epd"] {
        for (line, piece) in [(3, 'K'), (5, 'k')] {
            let shown = String::from_utf8(folder.succeed(&format!("show {input}:{line}"))).unwrap();
            assert!(shown.contains(piece), "{shown}");
        }
    }
    #[cfg(target_os = "linux")] // elsewhere, names of files are Unicode
    {
        use std::os::unix::ffi::OsStringExt as _;
        let [name, place] =
            [&b"\xff.epd"[..], b"\xff.epd:3"].map(|name| std::ffi::OsString::from_vec(name.into()));
        let other = Folder::new();
        std::fs::write(other.path("").join(name), lines).unwrap();
        let shown = other.command("show").arg(place).output().unwrap().stdout;
        assert_eq!(shown, folder.succeed("show some.epd:3"));
    }
    let shown = folder.succeed_with("show -", lines.as_bytes());
    assert_eq!(shown, folder.succeed("show some.epd:3"));
    for (position, expected) in [
        ("some.epd:4", "some.epd:4:2: "),
        ("some.epd:2", "some.epd:2:1: "),
        ("some.epd:6", "error: some.epd has no line 6: it ends with line 5\n"),
        ("none.epd:1", "error: cannot read none.epd: No such file"),
        ("some.epd:0", "error: some.epd has no line \"0\": its lines are numbered from 1\n"),
        ("some.epd:1x", "error: some.epd has no line \"1x\": its lines are numbered from 1\n"),
        ("some.epd", "error: some.epd is a file: name a line, as some.epd:1, or use --input "),
        ("-", "error: standard input has no position\n"),
        ("some.bin", "error: some.bin is a file: use --input to show all its positions\n"),
    ] {
        let said = folder.fail(1, &format!("show {position}"));
        assert!(said.starts_with(expected), "{position}: {said}");
    }
    for input in ["some.epd", "./some.epd"] {
        let said = folder.fail(1, &format!("show {input}:3 --svg some.epd"));
        assert_eq!(said, format!("error: {input} is both input and output\n"));
    }
    assert_eq!(folder.read("some.epd"), lines.as_bytes());
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
fn the_picture_has_every_piece_and_every_count() {
    let folder = Folder::new();
    folder.succeed("show startpos --svg start.svg");
    let svg = String::from_utf8(folder.read("start.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<use ").count(), 2 * 32);
    // Ranks 1 to 3 without the corners, and the same for the other side.
    let counted = |n: &str| svg.matches(&format!("text-anchor=\"end\">{n}</text>")).count();
    let labels = 2 * 8;
    assert_eq!((1..=8).map(|n| counted(&n.to_string())).sum::<usize>(), 2 * 22 + labels);
    for said in [
        "Attackers of every square",
        "white pieces that attack",
        "Attackers of every square, White to move",
        "KQkq - 0 1<",
        ">6+<",
    ] {
        assert!(svg.contains(said), "{said}");
    }
    // The dark squares, such as a1.
    assert_eq!(svg.matches("class=\"shade\"").count(), 2 * 32);
    assert!(svg.contains("<rect x=\"34\" y=\"498\" width=\"56\" height=\"56\" class=\"shade\"/>"));
    assert!(svg.contains("prefers-color-scheme: dark"));
    assert_eq!(svg, String::from_utf8(folder.succeed("show startpos --svg -")).unwrap());
    assert_eq!(folder.names(), ["start.svg"]);
}

#[test]
fn the_picture_shows_the_requested_maps() {
    let folder = Folder::new();
    let fen = "4k3/8/8/8/4r3/8/4N3/4K2R b K - 0 1";
    let names = ["white_rook", "white_pinned", "black_king"];
    let svg = folder.succeed(&format!("show {fen} --svg - --map {}", names.join(",")));
    let svg = String::from_utf8(svg).unwrap();
    let squares = answers::columns(&[fen], &names).concat();
    let count = squares.iter().map(|squares| squares.count_ones()).sum::<u32>() as usize;
    // The legend contains one more.
    assert_eq!(svg.matches("fill=\"#67b1e3\"").count(), count + 1);
    assert_eq!(svg.matches("<use ").count(), 3 * 5);
    for name in names {
        assert!(svg.contains(name) && svg.contains(answers::meaning(name)));
    }
    let svg = folder.succeed(&format!("show {fen} --svg - --map white_*p*"));
    let svg = String::from_utf8(svg).unwrap();
    assert!(svg.contains("white_pinned") && !svg.contains("white_mobility_pawn"));
    let said = folder.fail(2, "show startpos --svg - --map white_mobility_pawn");
    assert!(said.contains("`white_mobility_pawn` is a number"), "{said}");
    let said = folder.fail(2, "show startpos --svg board.png");
    assert!(
        said.contains("use --svg board.svg, then `rsvg-convert board.svg -o board.png`"),
        "{said}"
    );
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
        assert!(script.contains("on-invalid"), "{shell}");
        for hidden in ["batch-lines", "batch-bytes", "chunk-rows", "bytes-under-way"] {
            assert!(!script.contains(hidden), "{shell}: {hidden}");
        }
    }
    for command in ["maps", "convert", "successors", "show", "backends", "completions", "man"] {
        let mut help = folder.command(&format!("{command} --help"));
        let help = help.env("COLUMNS", "80").output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        let (_, examples) = help.split_once("\nExample").unwrap();
        // A command that is wrapped cannot be copied.
        for line in examples.lines().skip(1) {
            let is_command = line.starts_with("  mkdir -p ~/") || line.contains("setwise ");
            assert!(line.starts_with("  ") && is_command, "{line}");
        }
    }
}

/// Bash completes files if the script offers nothing.
#[cfg(unix)]
#[test]
fn bash_completes_options_after_a_hyphen_and_files_otherwise() {
    let folder = Folder::new();
    let script = r#"
        eval "$("$0" completions bash)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _setwise setwise "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[@]}""#;
    let words = |text: &str| {
        text.split_whitespace().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    let offered = |line: &str| {
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", script, env!("CARGO_BIN_EXE_setwise")]).args(line.split(' '));
        Some(words(&String::from_utf8(bash.output().ok()?.stdout).unwrap()))
    };
    if offered("setwise ").is_none() {
        return crate::run::skipped("bash is not installed");
    }
    for (line, expected) in [
        ("setwise ", "maps convert successors show backends completions man help"),
        ("setwise sh", "show"),
        ("setwise completions ", "bash elvish fish powershell zsh"),
        ("setwise maps ", ""),
        ("setwise maps games.epd ", ""),
        ("setwise show ", ""),
        ("setwise man ", ""),
        ("setwise maps games.epd --out", "--output"),
    ] {
        assert_eq!(offered(line), Some(words(expected)), "{line}");
    }
    // The options are those of the help.
    for command in ["maps", "convert", "successors", "show", "backends", "completions", "man"] {
        let help = String::from_utf8(folder.succeed(&format!("{command} --help"))).unwrap();
        let lines = help.lines().filter(|line| line.trim_start().starts_with('-'));
        let names =
            lines.filter_map(|line| line.split_whitespace().find(|it| it.starts_with("--")));
        let shown = names.map(str::to_owned).collect();
        assert_eq!(offered(&format!("setwise {command} --")), Some(shown), "{command}");
    }
}

#[test]
fn manual_pages_are_written() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("man1")).unwrap();
    folder.succeed("man man1");
    let pages = ["setwise.1", "setwise-maps.1", "setwise-show.1", "setwise-backends.1"];
    for page in pages {
        let text = String::from_utf8(folder.read(&format!("man1/{page}"))).unwrap();
        assert!(text.contains(".TH setwise"), "{page}: {text}");
    }
    // Pages replace older ones only together, when all are complete.
    let other = Folder::new();
    other.write("setwise-backends.1", "older");
    std::fs::create_dir(other.path("setwise.1")).unwrap();
    let said = other.fail(1, "man .");
    assert!(said.starts_with("error: cannot write ./setwise.1: it is a directory"), "{said}");
    assert_eq!(other.names(), ["setwise-backends.1", "setwise.1"]);
    assert_eq!(other.read("setwise-backends.1"), b"older");
    let said = folder.fail(1, "man nowhere");
    assert!(
        said.starts_with("error: cannot write manual pages into nowhere: No such file"),
        "{said}"
    );
}

/// Both the short and the long help.
#[test]
fn the_help_fits_80_characters() {
    let folder = Folder::new();
    for command in ["", "maps", "convert", "successors", "show", "backends", "completions", "man"] {
        for help in ["-h", "--help"] {
            let mut command = folder.command(&format!("{command} {help}"));
            let output = command.env("COLUMNS", "80").output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}

#[test]
fn squares_of_a_file_are_counted() {
    let folder = Folder::new();
    let text = crate::run::sample();
    let rows = text.lines().count() as f64;
    folder.write("games & co.epd", &text);
    folder.write("games.epd", &text);
    let expected =
        answers::columns(&text.lines().collect::<Vec<_>>(), &["white_all", "black_king"]);
    let shares = |sets: &[u64]| -> Vec<String> {
        let share =
            |square: u32| sets.iter().filter(|set| **set >> square & 1 == 1).count() as f64 / rows;
        let squares = (0..8).rev().flat_map(|rank| (0..8).map(move |file| 8 * rank + file));
        squares.map(|square| format!("{:.1}", 100.0 * share(square))).collect()
    };
    let shown = folder.succeed("show --input games.epd --map white_all,black_king");
    let shown = String::from_utf8(shown).unwrap();
    let boards: Vec<&str> = shown.split("\n\n").collect();
    assert_eq!(boards[0], "1,000 positions of games.epd: percents of them");
    for ((board, name), sets) in boards[1..].iter().zip(["white_all", "black_king"]).zip(&expected)
    {
        let lines: Vec<&str> = board.lines().collect();
        assert_eq!((lines.len(), lines[0]), (10, name));
        let numbers = lines[1..9].iter().flat_map(|line| line.split_whitespace().skip(1));
        assert!(numbers.eq(shares(sets).iter().map(String::as_str)), "{board}");
    }
    let counted = folder.succeed("show --input games.epd --map white_*k*");
    let counted = String::from_utf8(counted).unwrap();
    assert!(counted.contains("\nwhite_king\n") && !counted.contains("white_mobility_king"));
    // One board per group of plies, as a picture.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    folder.write("two.fen", format!("{start} w - - 0 1\n{start} b - - 0 10\n{start} w - - 0 11\n"));
    let shown = folder.succeed("show --input two.fen --by-ply 20 --map white_pawn");
    let shown = String::from_utf8(shown).unwrap();
    let titles: Vec<&str> = shown.lines().filter(|line| line.starts_with("white_pawn")).collect();
    assert_eq!(titles, ["white_pawn, ply 0 to 19, n = 2", "white_pawn, ply 20 to 39, n = 1"]);
    // Positions without a move number have no ply.
    let fens = ["- - 0 30", "- -", "- - hmvc 3;", "- - hmvc 3; fmvn 1;", "- - 7"];
    folder.write(
        "some.csv",
        format!("fen\n{}", fens.map(|end| format!("{start} w {end}\n")).concat()),
    );
    folder.write("some.epd", fens.map(|end| format!("{start} w {end}\n")).concat());
    for input in ["some.csv", "some.epd"] {
        let shown = folder.command(&format!("show --input {input} --by-ply 20 --map white_pawn"));
        let shown = { shown }.output().unwrap();
        let (text, said) =
            (String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&shown.stderr));
        assert!(text.starts_with(&format!("2 positions of {input}")), "{text}");
        assert!(
            text.contains("ply 0 to 19, n = 1") && text.contains("ply 40 to 59, n = 1"),
            "{text}"
        );
        assert_eq!(said, "3 positions without a move number left out\n");
    }
    let arguments = ["show", "--input", "games & co.epd", "--svg", "heat.svg"];
    assert_eq!(folder.command("").args(arguments).status().unwrap().code(), Some(0));
    let svg = String::from_utf8(folder.read("heat.svg")).unwrap();
    assert!(svg.contains(">1,000 positions of games &amp; co.epd<"), "{svg}");
    // The two maps differ in their largest shares, so each has its scale, in percents of positions.
    assert_eq!(svg.matches("class=\"number\"").count(), 2 * (64 + 7));
    assert!(!svg.contains("% of the largest"));
    let sets = answers::columns(&text.lines().collect::<Vec<_>>(), &["white_all", "black_all"]);
    for (name, sets) in ["white_all", "black_all"].iter().zip(&sets) {
        let largest =
            shares(sets).iter().map(|share| share.parse::<f64>().unwrap()).fold(0.0, f64::max);
        let (_, legend) = svg.split_once(&format!(">{name}, % of positions<")).unwrap();
        let numbers = legend.split("</text>").take(7);
        let last = numbers.last().and_then(|text| text.rsplit('>').next()).unwrap();
        assert_eq!(last, format!("{largest:.0}"), "{name}");
    }
    // Groups of plies form a grid.
    let fens: String = (0..17).map(|n| format!("{start} w - - 0 {}\n", 10 * n + 1)).collect();
    folder.write("long.fen", fens);
    for (maps, width, height) in [("white_pawn", 5, 4), ("white_pawn,black_pawn", 6, 6)] {
        folder.succeed(&format!("show --input long.fen --by-ply 20 --map {maps} --svg heat.svg"));
        let svg = String::from_utf8(folder.read("heat.svg")).unwrap();
        let size = format!("width=\"{}\" height=\"{}\"", 8 + 502 * width, 122 + 544 * height);
        assert!(svg.contains(&size), "{maps}: {}", &svg[..200]);
    }

    // Two groups side by side, and their difference.
    let kings = "4k3/8/8/8/8/8/8/4K3";
    let lines = [start, start, kings].map(|board| format!("{board} w - - 0 1\n"));
    folder.write("groups.fen", lines.concat());
    let arguments = |more: &[&str]| {
        let first = ["show", "--input", "groups.fen", "--map", "white_pawn"];
        let conditions = ["--compare", "piece_count > 2", "piece_count > 0"];
        let output = folder.command("").args(first).args(conditions).args(more).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = arguments(&[]);
    let boards: Vec<&str> = shown.split("\n\n").collect();
    assert_eq!(boards[0], "2 positions and 3 positions of groups.fen: percents of them");
    for (board, title, share) in [
        (1, "white_pawn, piece_count > 2, n = 2", " 100.0"),
        (2, "white_pawn, piece_count > 0, n = 3", "  66.7"),
        (3, "white_pawn, the first minus the second", " +33.3"),
    ] {
        let lines: Vec<&str> = boards[board].lines().collect();
        assert_eq!((lines[0], lines[6]), (title, &*format!("3 {}", share.repeat(8))));
    }
    let svg = arguments(&["--svg", "-"]);
    assert_eq!(svg.matches(">+33.3<").count(), 0);
    assert_eq!(svg.matches(">+33<").count(), 8 + 1); // squares, and the end of their scale
    assert_eq!(svg.matches("class=\"number\"").count(), 3 * 64 + 7 + 9);
    // The ends of the scales: squares with all pawns, and with the largest difference; each is in a legend, too.
    for (end, count) in [("#d884c8", 8 + 1), ("#ef9736", 8 + 1)] {
        assert_eq!(svg.matches(&format!("height=\"56\" fill=\"{end}\"")).count(), count - 1);
        assert_eq!(svg.matches(&format!("fill=\"{end}\"")).count(), count);
    }
    assert!(svg.contains(">white_pawn, piece_count > 2, n = 2<"), "{svg}");
    // Long conditions have two lines, shorter than the distance of two boards.
    let long = ["piece_count < 33"; 5].join(" and ");
    let arguments = ["show", "--input", "groups.fen", "--compare", &long, "turn = 0", "--svg", "-"];
    let svg = folder.command("").args(arguments).output().unwrap().stdout;
    let svg = String::from_utf8(svg).unwrap();
    let lines: Vec<&str> = svg.split("<text").filter(|text| text.contains("piece_count")).collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let (_, size) = line.split_once("font-size=\"").unwrap();
        let size: f64 = size.split('"').next().unwrap().parse().unwrap();
        let title = line.split(['>', '<']).nth(3).unwrap().replace("&lt;", "<");
        assert!(title.contains("< 33"), "{title}");
        assert!(size >= 10.0 && 0.66 * size * (title.len() as f64) < 502.0, "{size} {title}");
    }

    folder.write(
        "results.csv",
        "fen,Result\n4k3/8/8/8/8/8/8/4K3 w - -,1\n4k3/8/8/8/8/8/8/4K3 b - -,0\n",
    );
    for (arguments, status, expected) in [
        ("show startpos --compare turn=0 turn=1", 2, "--compare needs --input"),
        ("show --types guess", 2, "--types needs --input"),
        ("show --input results.csv --compare result=1 result=0", 1, "is a loss -1 or 0?"),
        (
            "show --input games.epd --compare turn=0 turn=7",
            1,
            "games.epd has no position with turn=7",
        ),
        ("show --input games.epd --compare turn=0 xyz=1", 1, "xyz"),
        ("show --input games.epd startpos", 2, "cannot be used with"),
        ("show startpos --by-ply 3", 2, "--by-ply needs --input"),
        (
            "show --input results.csv --by-ply 3",
            1,
            "results.csv has no position with a move number",
        ),
        ("show --input games.epd --map threats", 2, "`threats` is not a set of squares"),
        ("show --input games.epd --map white_count_0,turn", 2, "`turn` is not a set of squares"),
        ("show --input missing.epd", 1, "cannot read missing.epd"),
    ] {
        let said = folder.fail(status, arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
    // As in `maps`, CSV is text unless types are guessed.
    folder.write("scored.csv", format!("fen,value\n{kings} w - -,7\n{kings} b - -,-9\n"));
    let compared = ["show", "--input", "scored.csv", "--compare", "value > 0", "value <= 0"];
    let said = folder.fail_with(1, &compared);
    assert!(
        said.ends_with("(--compare; if a column of CSV holds numbers, add --types guess)\n"),
        "{said}"
    );
    let mut guesses = folder.command("");
    let output = guesses.args(compared).args(["--types", "guess", "--svg", "-"]).output().unwrap();
    let svg = String::from_utf8(output.stdout).unwrap();
    assert!(svg.contains("1 position and 1 position of scored.csv"), "{svg}");
    let signed = ["show", "--input", "scored.csv", "--compare", "-8 < value", "-8 > value"];
    let output = folder.command("").args(signed).args(["--types", "guess", "--svg", "-"]).output();
    let signed = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(signed.contains("1 position and 1 position of scored.csv"), "{signed}");
    // Numbers of a legend differ: there is one if nothing differs, and small ones have more decimals.
    let (_, legend) = svg.split_once(">difference, percentage points<").unwrap();
    assert_eq!(legend.matches("class=\"number\"").count(), 1);
    folder.fail(2, "show startpos --types guess");
    let said = folder.fail(2, "show --input games.epd --types guess");
    assert!(said.contains("--types is for CSV and JSON Lines, and the input is text"), "{said}");
    let rare = format!("{}{start} w - - 0 1\n", format!("{kings} w - - 0 1\n").repeat(199));
    folder.write("rare.fen", rare);
    let svg = folder.succeed("show --input rare.fen --map white_pawn --svg -");
    assert!(String::from_utf8(svg).unwrap().contains(">0.08<"));
    // Rounding decides the decimals and the sign: 9.96 is 10, and 0.04 has none.
    let of = |rows: usize, board: &str| format!("{board} w - - 0 1\n").repeat(rows);
    folder.write("near.fen", of(249, start) + &of(2251, kings));
    let svg = folder.succeed("show --input near.fen --map white_pawn --svg -");
    assert_eq!(String::from_utf8(svg).unwrap().matches(">10<").count(), 8 + 1);
    folder.write("near.fen", of(2499, start) + &of(1, kings));
    let compared = ["--compare", "piece_count > 2", "piece_count > 0", "--svg", "-"];
    let mut near = folder.command("show --input near.fen --map white_pawn");
    let svg = String::from_utf8(near.args(compared).output().unwrap().stdout).unwrap();
    assert_eq!(svg.matches(">0.0<").count(), 8);
    let compared = ["show", "--input", "-", "--compare", "turn = 0", "turn = 1"];
    let output = folder.command("").args(compared).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: --compare reads its input twice, and standard input can be read only once: save it as a file\n"
    );
    folder.write("none.epd", "# nothing\n");
    assert_eq!(folder.fail(1, "show --input none.epd"), "error: none.epd has no position\n");
}
