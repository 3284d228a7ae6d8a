//! Finds the starts of games, for any split of the file.

use setwise_formats::pgn::{Chunk, Splitter};

use crate::pgn::oracles;

/// The texts of games and their lines.
fn games(file: &[u8], chunk_bytes: usize) -> Vec<(u64, String)> {
    let mut splitter = Splitter::new(file);
    let mut chunk = Chunk::default();
    let mut games = Vec::new();
    while splitter.read_chunk(chunk_bytes, &mut chunk).expect("no errors") {
        assert_eq!(chunk.first_game(), games.len() as u64 + 1);
        for game in 0..chunk.games() {
            let text = String::from_utf8_lossy(&chunk.bytes()[chunk.range(game)]);
            games.push((chunk.line(game), text.trim().to_string()));
        }
    }
    assert_eq!(splitter.offset(), file.len() as u64);
    games
}

#[track_caller]
fn cut(file: &str, expected: &[(u64, &str)]) {
    for chunk_bytes in [1, 10, 1 << 20] {
        let games = games(file.as_bytes(), chunk_bytes);
        let games: Vec<(u64, &str)> = games.iter().map(|(l, text)| (*l, &text[..])).collect();
        assert_eq!(games, expected, "{file:?}");
    }
    let windows = file.replace('\n', "\r\n");
    let texts: Vec<String> = expected.iter().map(|game| game.1.replace('\n', "\r\n")).collect();
    let games = games(windows.as_bytes(), 1);
    assert_eq!(
        games.iter().map(|game| &game.1).collect::<Vec<_>>(),
        texts.iter().collect::<Vec<_>>()
    );
    oracles::any_bytes(file.as_bytes());
}

#[test]
fn comments_before_the_tags_belong_to_the_game() {
    for before in [
        "{a}\n",
        "{a\n[White \"x\"]\n}\n\n{b} ; c\n",
        "\n; a\n{b}\n% c\n{c}\n",
        // On the line of the tag.
        "{a} ",
        "{a}",
        "{a} {b}\t",
        "{a\n[White \"x\"]\nb} ",
        "; a\n{a\n\nb}",
    ] {
        let file = format!(
            "{before}[White \"y\"]\n[B \"c\"]\n\n1. e4 {{e}}\n{{f}} *\n\n{before}[White \"z\"]\n[B \"d\"]\n\n*\n"
        );
        for bytes in [1, 1 << 20] {
            let rows = oracles::read(file.as_bytes(), oracles::all(), bytes).expect("two games");
            assert_eq!((rows.rejects.len(), rows.games.len(), rows.len()), (0, 2, 3), "{before:?}");
            let names: Vec<_> = rows.tags[0].iter().collect();
            assert_eq!(names, [Some("y"), Some("z")], "{before:?}");
        }
        oracles::any_bytes(file.as_bytes());
    }
}

#[test]
fn carriage_returns_end_lines() {
    let file = "% skipped\n[Event \"x\"]\n; a comment\n\n1. e4 e5 ; good\n% (\n2. Nf3 (2. d4 ; )\n) Nc6 *\n\n[Event \"y]\n\n1. d4 *\n";
    for line_break in ["\n", "\r", "\r\n"] {
        for bytes in [1, 1 << 20] {
            let file = file.replace('\n', line_break);
            let rows = oracles::read(file.as_bytes(), oracles::all(), bytes).expect("two games");
            assert!(rows.rejects.is_empty());
            let games: Vec<_> = rows.games.iter().map(|game| (game.line, game.rows)).collect();
            assert_eq!(games, [(2, 5), (10, 2)], "{line_break:?}");
        }
    }
    let error = oracles::read(b"1. e4\r\r1... e5\rxyz e5 *", oracles::all(), 1)
        .expect("kept")
        .rejects
        .remove(0)
        .error;
    assert_eq!((error.line(), error.column()), (4, 1));
}

#[test]
fn games_begin_where_they_should() {
    cut("", &[]);
    cut("\n \n\t\n", &[]);
    cut("% nothing\n; nothing\n", &[]);
    cut("1. e4", &[(1, "1. e4")]);
    cut("\n\n1. e4 *\n\n\n", &[(3, "1. e4 *")]);
    // No blank line between games, with and without tags.
    cut(
        "[A \"a\"]\n1. e4 *\n[A \"b\"]\n1. d4 *",
        &[(1, "[A \"a\"]\n1. e4 *"), (3, "[A \"b\"]\n1. d4 *")],
    );
    cut(
        "1. e4 1-0\n1. d4 1/2-1/2\n*\n1. c4",
        &[(1, "1. e4 1-0"), (2, "1. d4 1/2-1/2"), (3, "*"), (4, "1. c4")],
    );
    cut("1. e4 0-1 \n\n\n1. d4 {a}", &[(1, "1. e4 0-1"), (4, "1. d4 {a}")]);
    // No result.
    cut("1. e4 e5\n\n1. d4\n\n1... d5", &[(1, "1. e4 e5"), (3, "1. d4\n\n1... d5")]);
    cut("[A \"a\"]\n\n1. e4\n\n[A \"b\"]\n", &[(1, "[A \"a\"]\n\n1. e4"), (5, "[A \"b\"]")]);
    cut("[A \"a\"]\n\n{a}\n\n1. e4 *", &[(1, "[A \"a\"]\n\n{a}\n\n1. e4 *")]);
    // No moves: a second event begins a game.
    cut(
        "[Event \"a\"]\n[A \"b\"]\n\n[Event \"b\"]\n",
        &[(1, "[Event \"a\"]\n[A \"b\"]"), (4, "[Event \"b\"]")],
    );
    cut(
        "[A \"b\"]\n\n[Event \"b\"]\n; a\n[B \"c\"]\n*",
        &[(1, "[A \"b\"]\n\n[Event \"b\"]\n; a\n[B \"c\"]\n*")],
    );
    // Texts in comments, variations and words that look like the start of a game.
    for one in [
        "1. e4 {\n[A \"a\"]\n\n1. e4 } *",
        "1. e4 {}{ }{\n\n[A \"a\"]\n\n} *",
        "1. e4 ; }\n{\n[A \"a\"]\n} *",
        "1. e4 { 1-0\n1. d4 } *",
        "1. e4 ; 1-0\ne5 *",
        "1. e4 (1. d4 1-0\n) e5 *",
        "1. e4 (1. d4 ({ ( } 1-0)\n\n1. e4) e5 *",
        "1. e4 0-1\n{ resigns }\n; so\n% so\n$5",
        "1. e4 {\n\n1. d4 1-0\n\n} *",
        "[A \"{\"]\n[B \"{\"]\n\n1. e4 *",
        "[A \"a\"] 1. e4 {\n[B \"b\"]\n} *",
        "[A \"a\"] [B \"b\"] {\n[C \"c\"] }\n*",
        "1. e4 c5 2. Nf3 d6 3. Bb5+ Bd7 4. Bxd7+ Qxd7 5. O-O\n5... Nf6 11-0",
        "[A \"1-0\"]\n1. e4 1-01",
    ] {
        cut(one, &[(1, one)]);
    }
    // Texts that look like the start of a comment.
    for first in ["1. e4 ; {", "[A \"{\"]\n*", "% {\n*", "[A \"a {\n*", "1. e4 {;}"] {
        let lines = first.lines().count() as u64;
        let start = if first.starts_with('%') { 2 } else { 1 };
        let text = first.strip_prefix("% {\n").unwrap_or(first);
        cut(&format!("{first}\n[B \"b\"]\n"), &[(start, text), (lines + 1, "[B \"b\"]")]);
    }
    // An unclosed brace, and concatenated files.
    cut("1. e4 {\n\n[Event \"b\"]\n", &[(1, "1. e4 {"), (3, "[Event \"b\"]")]);
    cut("\u{feff}1. e4\n\u{feff}[A \"a\"]\n", &[(1, "\u{feff}1. e4"), (2, "\u{feff}[A \"a\"]")]);
}

/// Two games with text between them and at the end, which is not a game.
#[track_caller]
fn two_games(between: &[u8], end: &[u8]) {
    let (first, second) = (b"[White \"y\"]\n\n1. e4 *", b"[White \"z\"]\n\n1. d4 *");
    let file = [first, between, second, end].concat();
    for bytes in [1, 1 << 20] {
        let rows = oracles::read(&file, oracles::all(), bytes).expect("two games");
        let names: Vec<_> = rows.tags[0].iter().collect();
        let text = file.escape_ascii();
        assert_eq!(names, [Some("y"), Some("z")], "{text}");
        assert_eq!((rows.rejects.len(), rows.len()), (0, 4), "{text}");
    }
    oracles::any_bytes(&file);
}

#[test]
fn lines_of_white_space_are_blank() {
    let wide = ["\u{85}", "\u{a0}", "\u{3000}\u{a0} ", "\u{feff}\u{2003}"];
    // The last ones are Latin-1.
    let spaces: [&[u8]; 5] = [b"\x0b", b"\x0c", b" \x0c\t", b"\xa0", b"\x85 \xa0"];
    for space in spaces.into_iter().chain(wide.map(str::as_bytes)) {
        for line_break in [&b"\n"[..], b"\r\n", b"\r", b"\n\n"] {
            let lines = [line_break, space, line_break].concat();
            two_games(&lines, &lines);
            two_games(&lines, &[line_break, space].concat());
            // Before the tags, on their line.
            two_games(&[line_break, space].concat(), b"");
        }
    }
}

/// Spaces other than the blank and the tab, which python-chess skips too. The last ones are Latin-1.
const SPACES: [&[u8]; 8] = [
    b"\x0b",
    b"\x0c",
    "\u{85}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{feff}".as_bytes(),
    b"\xa0",
    b"\x85",
];

#[test]
fn any_spaces_separate_tags_and_moves() {
    // `_` is the space. The games start elsewhere, so that a lost tag changes all positions.
    let start = "4k3/4p3/8/8/8/8/4P3/4K2R w K - 0 1";
    let tags = format!("[Event \"a\"_]_\n[White_\"y\"]_[FEN \"{start}\"]_\n_\n");
    let movetext = "1._e4_e5_2.Kd2_{c\nd}_Kd7_$1_3._Ke3+_(3._Kd3)_Ke6_1-0_";
    let file =
        format!("{{a}}_{{b}}_{tags}{movetext}\n{{c}}_{tags}{movetext}{{e\nf}}_{tags}{movetext}\n");
    let plain = file.replace('_', " ");
    let expected = oracles::read(plain.as_bytes(), oracles::all(), 1 << 20).expect("three games");
    assert_eq!((expected.games.len(), expected.rejects.len()), (3, 0));
    assert_eq!(expected.len(), 3 * 7);
    for space in SPACES {
        let file: Vec<u8> = file.split('_').map(str::as_bytes).collect::<Vec<_>>().join(space);
        for bytes in [1, 1 << 20] {
            let rows = oracles::read(&file, oracles::all(), bytes);
            let rows = rows.unwrap_or_else(|error| panic!("{space:x?}: {error}"));
            assert_eq!(rows.records, expected.records, "{space:x?}");
            assert_eq!((&rows.tags, rows.rejects.len()), (&expected.tags, 0), "{space:x?}");
        }
        oracles::any_bytes(&file);
    }
}

#[test]
fn a_figurine_after_another_sign_is_read() {
    for signs in ["\u{a0}", "\u{2022}", "\u{2605}\u{3000}", "\u{e9}\u{2022}"] {
        let file = format!("1. {signs}\u{2658}f3 {signs}\u{265e}c6 *");
        let rows = oracles::read(file.as_bytes(), oracles::all(), 1).expect("one game");
        let moves: Vec<_> =
            rows.records.moves.iter().flatten().map(|one| one.to_string()).collect();
        assert_eq!(moves, ["g1f3", "b8c6"], "{signs}");
    }
}

#[test]
fn signs_after_a_result_belong_to_its_game() {
    for signs in ["\u{e9}\u{a0}\u{e9}", "...", "\u{2605}!", "?\x0c"] {
        two_games(format!("\n{signs}\n\n").as_bytes(), format!("\n{signs}").as_bytes());
    }
    two_games(b"\n\xe9\n\n", b"\n\xe9 \xe8\n");
    // After a blank line, another game begins, as in other programs; so it does at any word.
    cut("1. e4 *\n\n\u{e9}\n", &[(1, "1. e4 *"), (3, "\u{e9}")]);
    cut("1. e4 *\n\u{e9} d4 *\n", &[(1, "1. e4 *"), (2, "\u{e9} d4 *")]);
}

#[test]
fn memory_does_not_grow() {
    // Repeats a line, up to 4 MiB.
    struct Lines(&'static [u8], usize);
    impl std::io::Read for Lines {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let wanted = buffer.len().min((1 << 22) - self.1);
            for (byte, at) in buffer[..wanted].iter_mut().zip(self.1..) {
                *byte = self.0[at % self.0.len()];
            }
            self.1 += wanted;
            Ok(wanted)
        }
    }
    for line in [
        &b"x"[..],
        b" ",
        b"\n",
        b"{",
        b"(",
        b"% x\n",
        b"[A \"",
        b"[A \"a\"]\n",
        b"e4 {\n",
        b"{ 1-0\n",
        b"{\n[A\n",
        b"1. e4 e5 ",
    ] {
        let input = std::io::BufReader::new(Lines(line, 0));
        let mut splitter = Splitter::new(input).max_game_bytes(1 << 17);
        let mut chunk = Chunk::default();
        while splitter.read_chunk(1 << 20, &mut chunk).expect("no errors") {
            assert!(chunk.bytes().len() < 3 << 19, "{line:?}");
        }
        assert_eq!(splitter.offset(), 1 << 22);
    }
}
