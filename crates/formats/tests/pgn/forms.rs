//! The notations in which people and programs write games.

use setwise_formats::pgn::{Options, Replayer, Rows, Score, movetext_of_list, movetext_of_text};
use setwise_formats::{Move, Records};

use crate::pgn::oracles;

/// The moves of the only game of a file.
#[track_caller]
fn moves(text: impl AsRef<[u8]>) -> String {
    let rows = oracles::read(text.as_ref(), oracles::all(), 1 << 20).expect("errors are kept");
    assert_eq!(rows.games.len(), 1);
    if let Some(reject) = rows.rejects.first() {
        panic!("{}", reject.error);
    }
    let uci = |played: &Option<Move>| played.map_or("-".into(), |m| m.to_string());
    let played: Vec<String> = rows.records.moves[..rows.len() - 1].iter().map(uci).collect();
    played.join(" ")
}

fn from(fen: &str, text: &str) -> String {
    moves(format!("[FEN \"{fen}\"]\n\n{text}"))
}

#[test]
fn numbers_stand_anywhere() {
    for text in [
        "1. e4 e5 2. Nf3",
        "1.e4 e5 2.Nf3",
        "1.e4 1...e5 2.Nf3 *",
        "1. e4 1. ... e5 2. Nf3",
        "e4 e5 Nf3",
        "1 e4 e5 2 Nf3",
        "1e4 e5 2Nf3",
        "7. e4 e5 3... Nf3",
        "1.\ne4\r\ne5\t2.Nf3",
        "1. e4 .. e5 . Nf3",
        "1. e4 e5 2. Nf3 3.",
        "1. e4 e5 2.\u{a0}Nf3",
        "1. e4 …e5 2. Nf3",
        "\u{feff}1. e4 e5 2. Nf3",
    ] {
        assert_eq!(moves(text), "e2e4 e7e5 g1f3", "{text}");
    }
}

#[test]
fn words_between_moves() {
    for text in [
        "1. e4! e5?? 2. Nf3!?",
        "1. e4 $1 $255 e5 2. Nf3 $",
        "1. e4 += e5 +/- 2. Nf3 -+ N D ± ∞ = ~",
        "1. e4+= e5+/- 2. Nf3-+",
        "1. e4-/+ e5!+- 2. Nf3=/+",
        "1. e4 RR e5 TN 2. Nf3 inf",
        "1. e4 /\\ e5 => 2. Nf3 ^ -> <= >> ^_",
        "1. e4 {a} {b} e5 {} 2. Nf3 {",
        "1. e4 ; e6 (\ne5 2. Nf3 ; {",
        "% e6\n1. e4\n% d4\ne5 2. Nf3\n%",
        "1. e4 (1. d4 (1. c4 {)} c5) d5 ;)\n) e5 2. Nf3",
        "1. e4 (((((((())))))))() e5 2. Nf3 (2. Nc3",
        "1. e4 {( } e5 {) ;} 2. Nf3",
        "1. e4 (1. d4\n% )\n) e5 2. Nf3",
        "1. e4 e5 2. Nf3 1-0 {resigns} ; so\n $5 (2. Nc3)",
        "1. e4 e5 2. Nf3 1-0 1-0 *",
        "1. e4 e5 2. Nf3 N",
        "1. e4 e5 2. Nf3 Nc", // cut off
    ] {
        assert_eq!(moves(text), "e2e4 e7e5 g1f3", "{text}");
    }
}

#[test]
fn forms_of_a_move() {
    let fen = "r3k2r/1P4P1/8/2pP4/4N3/8/4P3/R3K2R w KQkq c6 0 1";
    for (text, expected) in [
        ("Nf2", "e4f2"),
        ("Nf2+", "e4f2"),
        ("Nf2#", "e4f2"),
        ("Nf2++", "e4f2"),
        ("Nf2 ch.", "e4f2"),
        ("Nf2ch", "e4f2"),
        ("Nf2†", "e4f2"),
        ("Ne4f2", "e4f2"),
        ("Ne4-f2", "e4f2"),
        ("Nef2", "e4f2"),
        ("N4f2", "e4f2"),
        ("N4-f2", "e4f2"),
        ("♘f2", "e4f2"),
        ("♞e4–f2", "e4f2"),
        ("e4f2", "e4f2"),
        ("e4-f2", "e4f2"),
        ("Nxc5", "e4c5"),
        ("Nc5", "e4c5"),
        ("N:c5", "e4c5"),
        ("Ne4xc5", "e4c5"),
        ("N4×c5", "e4c5"),
        ("e3", "e2e3"),
        ("Pe3", "e2e3"),
        ("e2e3", "e2e3"),
        ("e2-e3", "e2e3"),
        ("Pe2-e3", "e2e3"),
        ("♙e3", "e2e3"),
        ("ee3", "e2e3"),
        ("dxc6", "d5c6"),
        ("dc6", "d5c6"),
        ("d5xc6", "d5c6"),
        ("d5c6", "d5c6"),
        ("d:c6", "d5c6"),
        ("dxc6e.p.", "d5c6"),
        ("dxc6 e.p.", "d5c6"),
        ("dxc6ep", "d5c6"),
        ("dxc6e.p.+", "d5c6"),
        ("dxc6+ep.!", "d5c6"),
        ("dxc6 e.p.+-", "d5c6"),
        ("b8=Q+", "b7b8q"),
        ("b8Q", "b7b8q"),
        ("b8=Q", "b7b8q"),
        ("b8(Q)", "b7b8q"),
        ("b8/Q", "b7b8q"),
        ("b7-b8=Q", "b7b8q"),
        ("b7b8q", "b7b8q"),
        ("b7b8Q+", "b7b8q"),
        ("b8=n", "b7b8n"),
        ("bxa8=B", "b7a8b"),
        ("bxa8R", "b7a8r"),
        ("bxa8b+", "b7a8b"),
        ("gxh8=N#", "g7h8n"),
        ("O-O", "e1g1"),
        ("O-O+", "e1g1"),
        ("O-O+-", "e1g1"),
        ("0-0", "e1g1"),
        ("0-0+!", "e1g1"),
        ("o-o", "e1g1"),
        ("OO", "e1g1"),
        ("Kg1", "e1g1"),
        ("Kc1", "e1c1"),
        ("e1g1", "e1g1"),
        ("e1h1", "e1g1"),
        ("e1a1", "e1c1"),
        ("Ke1-g1", "e1g1"),
        ("O-O-O", "e1c1"),
        ("O-O-O#", "e1c1"),
        ("0-0-0-/+", "e1c1"),
        ("0-0-0", "e1c1"),
        ("Kf1", "e1f1"),
        ("Ke1d2", "e1d2"),
        ("--", "-"),
        ("Z0", "-"),
        ("0000", "-"),
        ("@@@@", "-"),
    ] {
        assert_eq!(from(fen, text), expected, "{text}");
        assert_eq!(from(fen, &format!("1.{text}$1 {{}} (e4) *")), expected, "{text}");
    }
}

#[test]
fn pinned_pieces_do_not_make_a_move_ambiguous() {
    // The knight on e2 is pinned, so Nc3 is a move of the other knight.
    let fen = "4r1k1/8/8/8/8/8/4N3/1N2K3 w - - 0 1";
    assert_eq!(from(fen, "Nc3"), "b1c3");
}

#[test]
fn chess_960() {
    let game = |text: &str| {
        let fen = "rk2r3/4p3/8/8/8/8/4P3/RK2R3 w EAea - 0 1";
        format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n{text}")
    };
    let mut rows = Rows::default();
    for (text, white, black) in [
        ("O-O O-O-O", "b1e1", "b8a8"),
        ("b1e1 b8a8", "b1e1", "b8a8"),
        ("Kxe1 Kxa8", "b1e1", "b8a8"),
        ("b1g1 b8a8", "b1e1", "b8a8"),
    ] {
        rows.clear();
        let game = game(text);
        Replayer::new(Options::default()).game(game.as_bytes(), 1, 1, &mut rows).expect(text);
        assert!(rows.games[0].chess960);
        assert_eq!(format!("{:#}", rows.records.moves[0].expect("a move")), white);
        assert_eq!(format!("{:#}", rows.records.moves[1].expect("a move")), black);
    }
    assert_eq!(rows.records.fen(2).to_string(), "2krr3/4p3/8/8/8/8/4P3/R4RK1 w - - 2 2");
}

#[test]
fn tags_say_where_a_game_begins() {
    assert_eq!(from("4k3/8/8/8/8/8/8/4K2R b K - 9 70", "70... Kd8 71. O-O"), "e8d8 e1g1");
    assert_eq!(moves("[SetUp \"0\"]\n[Fen \"4k3/8/8/8/8/8/8/4K2R b K -\"]\nKd8 *"), "e8d8");
    assert_eq!(moves("[Variant \"Standard\"]\n[Variant \"From Position\"]\ne4"), "e2e4");
    // All on one line.
    assert_eq!(moves("[White \"a\"] [FEN \"4k3/8/8/8/8/8/8/4K3 b - -\"] Kd8"), "e8d8");
    // Without king and rook in place, the right is dropped.
    let mut rows = Rows::default();
    let text = b"[FEN \"4k3/8/8/8/8/8/8/3K3R w KQkq - 0 1\"]";
    Replayer::new(Options::default()).game(text, 1, 1, &mut rows).expect("a game");
    assert_eq!(rows.records.fen(0).to_string(), "4k3/8/8/8/8/8/8/3K3R w K - 0 1");
}

#[test]
fn results() {
    for (text, result, complete) in [
        ("1. e4 1-0", Some(1), true),
        ("1. e4 0-1", Some(-1), true),
        ("1. e4 1/2-1/2", Some(0), true),
        ("1. e4 1/2", Some(0), true),
        ("1. e4 ½-½", Some(0), true),
        ("1. e4 *", None, true),
        ("1. e4", None, false),
        ("[Result \"1-0\"]\n1. e4", Some(1), false),
        ("[Result \"1-0\"]\n1. e4 *", Some(1), true),
        ("[Result \"0-1\"]\n1. e4 1-0", Some(-1), true),
        ("[Result \"*\"]\n1. e4 1-0", Some(1), true),
        ("[Result \"?\"]\n1. e4 e5 0-0 1-0", None, false),
    ] {
        let mut rows = Rows::default();
        Replayer::new(oracles::all()).game(text.as_bytes(), 1, 1, &mut rows).expect("kept");
        assert_eq!((rows.games[0].result, rows.games[0].complete), (result, complete), "{text}");
        let expected = result.map_or([Records::NO_RESULT; 2], |white| [white, -white]);
        assert_eq!(rows.records.result[..2], expected);
    }
}

#[test]
fn notes_stand_with_the_position_that_they_follow() {
    let text = "{[%eval 0.3]} 1. {[%eval 9]} e4 {[%clk 0:01:00]} $1 {[%eval -1.5]} (1. d4 {[%clk 0:09:09]}) \
                1... e5 2. d4 {[%emt 0:00:02] [%eval #-3]} *";
    let mut rows = Rows::default();
    Replayer::new(Options::default()).game(text.as_bytes(), 1, 1, &mut rows).expect("a game");
    let pawns = |value| Some(Score::Centipawns(value));
    assert_eq!(rows.eval, [pawns(30), pawns(-150), None, Some(Score::Mate(-3))]);
    assert_eq!(rows.clock, [None, Some(60_000), None, None]);
    assert_eq!(rows.elapsed, [None, None, None, Some(2_000)]);
}

#[test]
fn comments_of_engine_matches() {
    let text = "1. e4 {+0.31/12 1.2s} e5 {-0.25/9 0.051s, book} 2. Nf3 {[%eval 0.2,18]} Nc6 {-M7/30 0.5s} \
                3. d4 {+M6/8 10s} exd4 {1/2 of M2147483647/1 1s} 4. Nxd4 {0.00/20 1.5s [%clk 0:00:09]} \
                f6 {[%eval 0.5]} {0.31/12 1.2s} *";
    let mut rows = Rows::default();
    Replayer::new(Options::default()).game(text.as_bytes(), 1, 1, &mut rows).expect("a game");
    let (pawns, mate) = (|n| Some(Score::Centipawns(n)), |n| Some(Score::Mate(n)));
    let evals =
        [None, pawns(31), pawns(25), pawns(20), mate(4), mate(3), None, pawns(0), pawns(50)];
    assert_eq!(rows.eval, evals); // white's view
    let depths = [None, Some(12), Some(9), Some(18), Some(30), Some(8), None, Some(20), None];
    assert_eq!(rows.depth, depths);
    let times =
        [None, Some(1200), Some(51), None, Some(500), Some(10_000), None, Some(1500), Some(1200)];
    assert_eq!(rows.elapsed, times);
    assert_eq!((rows.clock[7], rows.games[0].of_engines), (Some(9_000), 5));
}

#[test]
fn null_moves_pass_the_turn() {
    let mut rows = Rows::default();
    let mut options = Options::default();
    options.san = true;
    Replayer::new(options).game(b"1. e4 -- 2. d4 Z0", 1, 1, &mut rows).expect("a game");
    assert_eq!(
        rows.records.fen(2).to_string(),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"
    );
    assert_eq!(rows.san.get(1), Some("--"));
    assert_eq!((rows.len(), rows.records.moves[3]), (5, None));
}

/// Formats each row as variation, ply, move and evaluation.
#[track_caller]
fn lines(text: &str) -> String {
    let mut options = Options::default();
    options.variations = true;
    let rows = match oracles::read(text.as_bytes(), options, 1 << 20) {
        Ok(rows) => rows,
        Err(error) => return error.to_string(),
    };
    let row = |row: usize| {
        let played = rows.records.moves[row].map_or("-".into(), |played| played.to_string());
        let eval = match rows.eval[row] {
            Some(Score::Centipawns(eval)) => format!("={eval}"),
            _ => String::new(),
        };
        // The side to move and the move number follow from the ply.
        let ply = rows.records.ply[row];
        assert_eq!(rows.records.turn[row] as u32, ply % 2);
        assert_eq!(rows.records.fullmove_number[row], 1 + ply / 2);
        format!("{}.{ply}:{played}{eval}", rows.variation[row])
    };
    (0..rows.len()).map(row).collect::<Vec<_>>().join(" ")
}

#[test]
fn variations_on_request() {
    for (text, expected) in [
        ("1. e4 e5 *", "0.0:e2e4 0.1:e7e5 0.2:-"),
        ("1. e4 (1. d4 d5) e5 *", "0.0:e2e4 1.0:d2d4 1.1:d7d5 1.2:- 0.1:e7e5 0.2:-"),
        (
            "1. e4 e5 (1... c5 2. Nf3 (2. c3) d6) (1... e6) 2. f4",
            "0.0:e2e4 0.1:e7e5 1.1:c7c5 1.2:g1f3 2.2:c2c3 2.3:- 1.3:d7d6 1.4:- 3.1:e7e6 3.2:- 0.2:f2f4 0.3:-",
        ),
        // A comment belongs to the position after the move before it, in the same line.
        (
            "1. e4 {[%eval 0.3]} ({[%eval 0.1]} 1. d4 {[%eval 0.2]}) {[%clk 0:01:00]} e5 {[%eval 0.4]}",
            "0.0:e2e4 1.0:d2d4=10 1.1:-=20 0.1:e7e5=30 0.2:-=40",
        ),
        // A result that ends a variation is not that of the game; an empty variation has a single position.
        (
            "1. e4 (1. d4 1-0) e5 () 2. f4 1-0",
            "0.0:e2e4 1.0:d2d4 1.1:- 0.1:e7e5 2.1:- 0.2:f2f4 0.3:-",
        ),
        // Without a move before it, a variation is skipped.
        ("(1. d4) 1. e4", "0.0:e2e4 0.1:-"),
        ("() *", "0.0:-"),
        ("1. e4 ((1. d4)) e5", "0.0:e2e4 1.0:- 0.1:e7e5 0.2:-"),
        // The file may be truncated.
        ("1. e4 (1. d4 d5 (1... Nf6", "0.0:e2e4 1.0:d2d4 1.1:d7d5 2.1:g8f6 2.2:- 1.2:- 0.1:-"),
        (
            "1. e4 (1. d4 Ke7) e5",
            "game 1, line 1, column 14: expected a legal move of black, found 'Ke7': no black king can go to e7; the \
             position is rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1",
        ),
        ("1. e4 e5) 2. f4", "game 1, line 1, column 9: expected '(' before this sign, found ')'"),
    ] {
        assert_eq!(lines(text), expected, "{text}");
    }
}

#[test]
fn promotions_in_brackets_are_no_variations() {
    let text = "[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]\n\n1. a8(Q) (1. a8=N Kg6) Kg6";
    assert_eq!(lines(text), "0.0:a7a8q 1.0:a7a8n 1.1:h7g6 1.2:- 0.1:h7g6 0.2:-");
}

#[test]
fn variations_have_a_deepest_level() {
    let nested = |depth: usize| format!("1. e4{}{} e5", " (1. d4".repeat(depth), ")".repeat(depth));
    assert!(lines(&nested(200)).starts_with("0.0:e2e4 1.0:d2d4 2.0:d2d4"));
    let column = 6 + 7 * 200 + 1;
    let expected =
        format!("game 1, line 1, column {column}: expected at most 200 variations in one another");
    assert_eq!(lines(&nested(201)), expected);
}

#[test]
fn lists_of_moves() {
    let expected = "e2e4 e7e5 g1f3";
    for text in [
        r#"["e2e4","e7e5","g1f3"]"#,
        "['e4', 'e5', 'Nf3']",
        "['e4' 'e5'\n 'Nf3']",
        "[e2e4 e7e5 g1f3]",
        "[e4, e5, Nf3]",
        "(1. e4 e5 2. Nf3)",
        "('e4', 'e5', 'Nf3')",
        "{e4,e5,Nf3}",
        "{1. e4 e5 2. Nf3}",
        "e4;e5;Nf3",
        "e4; e5; Nf3; 1-0",
        "e4,e5,Nf3",
        "e4, e5,\r\nNf3",
        " [ \"1. e4\", \"1... e5!?\", \"2.Nf3\" ]\n",
        r#""[\"e4\", \"e5\", \"Nf3\"]""#,
    ] {
        let movetext = movetext_of_text(text);
        assert_eq!(moves(&*movetext), expected, "{text}");
        assert_eq!(movetext.len(), text.len());
    }
    for text in [
        "",
        "[]",
        "1. e4 e5 2. Nf3",
        "1. e4 (1. d4) e5 {so, he plays}",
        "1. e4 ; e5\n e5",
        "(1. e4 (1. d4) e5)",
        "(1. e4) 1. d4",
        "{a comment}",
        "[White \"e4\"]",
        "[\"e4\", null]",
        "[\"e4\", \"xyz\"]",
    ] {
        assert_eq!(movetext_of_text(text), text);
    }
    let list = movetext_of_list([Some(" e4"), Some("1... e7e5"), Some("2.Nf3!"), Some("1-0")]);
    assert_eq!(moves(list.expect("a list")), expected);
    assert_eq!(movetext_of_list([]), Ok(String::new()));
    for (item, found) in [
        (Some("xyz"), "\"xyz\""),
        (Some(""), "\"\""),
        (Some("; e4"), "\"; e4\""),
        (Some("{e4}"), "\"{e4}\""),
        (Some("null"), "\"null\""),
        (None, "null"),
    ] {
        let expected = format!("item 2: expected a move, found {found}");
        assert_eq!(movetext_of_list([Some("e4"), item]), Err(expected));
    }
}
