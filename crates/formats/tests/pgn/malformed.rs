//! Rejected games and their error messages.

use setwise_formats::pgn::{ErrorKind, MAX_PLIES, OnError, Options, Replayer, Rows};

use crate::pgn::oracles;

#[track_caller]
fn says(text: impl AsRef<[u8]>, kind: ErrorKind, expected: &str) {
    let mut rows = Rows::default();
    // A second game follows, so that the first cannot be treated as truncated.
    let file = [text.as_ref(), b"\n\n[Event \"next\"]\n\n*\n"].concat();
    let error = oracles::read(&file, Options::default(), 1 << 20).expect_err("refused");
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.kind(), kind);
    let _ = Replayer::new(Options::default()).game(text.as_ref(), 1, 1, &mut rows);
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

/// Checks that a move is rejected in a position.
#[track_caller]
fn refused(fen: &str, text: &str, kind: ErrorKind, expected: &str) {
    let side = if fen.contains(" w ") { "white" } else { "black" };
    let word = text.split_whitespace().next().expect("a word");
    let expected = format!(
        "game 1, line 3, column 1: expected a legal move of {side}, found '{word}': {expected}; the position is {fen}"
    );
    says(format!("[FEN \"{fen}\"]\n\n{text}"), kind, &expected);
}

#[test]
fn illegal_moves() {
    let illegal = |fen, text, expected| refused(fen, text, ErrorKind::Illegal, expected);
    illegal(KINGS, "Nf6", "no white knight can go to f6");
    illegal(KINGS, "Ke3", "no white king can go to e3");
    illegal(KINGS, "e4", "no white pawn can go to e4");
    illegal(KINGS, "dxe5 e4", "no white pawn on the d-file can go to e5");
    illegal(KINGS, "R1a3", "no white rook on rank 1 can go to a3");
    illegal(KINGS, "Qa1a3", "no white queen on a1 can go to a3");
    illegal(KINGS, "e2e4", "no white piece stands on e2");
    illegal(KINGS, "e1e3", "the king on e1 cannot go to e3");
    illegal(KINGS, "e1g1", "the king on e1 cannot go to g1");
    illegal(KINGS, "e8e7", "no white piece stands on e8");
    illegal(KINGS, "O-O", "there is no right to castle on the king's side");
    illegal(
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "0-0-0",
        "there is no right to castle on the queen's side",
    );
    illegal("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "O-O-O", "a piece is in the way of king or rook");
    illegal("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "the king would be attacked on d1");
    illegal("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", "O-O-O", "the king would be attacked on e1");
    illegal("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", "e1c1", "the king would be attacked on e1");
    illegal("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3+", "it leaves the king in check");
    illegal("4r1k1/8/8/8/8/8/3P4/4K3 w - - 0 1", "d4", "it leaves the king in check");
    illegal("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2", "it leaves the king in check");
    illegal(
        "4r1k1/8/8/8/8/8/8/4K3 w - - 0 1",
        "--",
        "the king is in check, so the turn cannot be passed",
    );
    illegal("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "exd6", "it leaves the king in check");
    illegal("8/8/8/K2pP3/8/8/8/7k w - - 0 1", "exd6", "no white pawn on the e-file can go to d6");
    // An en passant square without a pawn that could be captured.
    for fen in [
        "8/8/8/K3P3/8/8/8/7k w - d6 0 1",
        "8/8/8/K2nP3/8/8/8/7k w - d6 0 1",
        "8/8/8/K2PP3/8/8/8/7k w - d6 0 1",
    ] {
        illegal(fen, "exd6", "no white pawn on the e-file can go to d6");
    }
    illegal(
        "8/4P3/8/8/8/8/8/K6k w - - 0 1",
        "e8",
        "a pawn on the last rank must become a piece, as in e8=Q",
    );
    illegal(
        "8/4P3/8/8/8/8/8/K6k w - - 0 1",
        "e7e8",
        "a pawn on the last rank must become a piece, as in e8=Q",
    );
    illegal(
        "8/8/4P3/8/8/8/8/K6k w - - 0 1",
        "e7Q",
        "only a pawn on the last rank becomes another piece",
    );
    illegal(
        "8/8/4P3/8/8/8/8/K6k w - - 0 1",
        "Kb1=Q",
        "only a pawn on the last rank becomes another piece",
    );
    illegal(
        "8/8/4P3/8/8/8/8/K6k w - - 0 1",
        "a1b1q",
        "only a pawn on the last rank becomes another piece",
    );
    illegal("8/8/8/8/4p3/4P3/8/K6k w - - 0 1", "e4", "no white pawn can go to e4");
    illegal("8/8/8/8/8/4p3/4P3/K6k w - - 0 1", "e4", "no white pawn can go to e4");
    illegal("8/8/8/8/8/4P3/8/K6k w - - 0 1", "e5", "no white pawn can go to e5");
    illegal("8/8/8/8/8/8/4P3/K6k b - - 0 1", "e5", "no black pawn can go to e5");
    illegal("8/8/8/8/8/8/8/KR4k1 w - - 0 1", "Rxg1", "no white rook can go to g1");
    illegal("8/8/8/8/8/8/8/KR4k1 w - - 0 1", "Rxa1", "no white rook can go to a1");
    illegal("8/8/8/8/8/8/5P2/K5k1 w - - 0 1", "fxg1=Q", "no white pawn on the f-file can go to g1");
    illegal("8/8/8/8/8/8/8/K5k1 b - - 7 19", "Kg3 Ka2", "no black king can go to g3");
}

#[test]
fn ambiguous_moves() {
    let ambiguous = |fen, text, expected| refused(fen, text, ErrorKind::Ambiguous, expected);
    ambiguous("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", "the rooks on a1 and h1 can make it");
    ambiguous("4k3/8/8/8/1N6/8/4K3/1N3N2 w - - 0 1", "Nd2", "the knights on b1 and f1 can make it");
    ambiguous("4k3/Q7/8/8/8/8/4K3/Q1Q5 w - - 0 1", "Qaa3", "the queens on a1 and a7 can make it");
}

#[test]
fn text_that_is_not_pgn() {
    let syntax = |text, expected| says(text, ErrorKind::Syntax, expected);
    syntax(
        "1. e4 e5 2. Sf3 Nc6",
        "game 1, line 1, column 13: expected a move or a result, found 'Sf3'",
    );
    syntax(
        "1. e4\r\n\tNä9 e5",
        "game 1, line 2, column 2: expected a move or a result, found 'Nä9'",
    );
    syntax("1. e4 {é} nf6", "game 1, line 1, column 11: expected a move or a result, found 'nf6'");
    syntax(
        "1. e4 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz e5",
        "game 1, line 1, column 7: expected a move or a result, found 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...'",
    );
    syntax("1. e4 ) e5", "game 1, line 1, column 7: expected '(' before this sign, found ')'");
    syntax("1. e4 } e5", "game 1, line 1, column 7: expected '{' before this sign, found '}'");
    syntax("1. e4 < e5", "game 1, line 1, column 7: expected a move or a result, found '<'");
    syntax("1. e4 \0 e5", "game 1, line 1, column 7: expected a move or a result, found '\\u{0}'");
    syntax(
        "1. e4 [White \"a\"] e5",
        "game 1, line 1, column 7: expected a move or a result, found '['",
    );
    syntax(
        "e4\n(1. d4",
        "game 1, line 2, column 1: expected ')' for this variation within the game, found '('",
    );
    // An unclosed brace does not affect the other games.
    syntax(
        "e4\n  {1. d4",
        "game 1, line 2, column 3: expected '}' for this comment within the game, found '{'",
    );
    syntax(
        "1. e4 1-0 e5",
        "game 1, line 1, column 11: expected the end of the game after its result, found 'e5'",
    );
    syntax(
        "1. e4 * O-O",
        "game 1, line 1, column 9: expected the end of the game after its result, found 'O-O'",
    );
    syntax(
        "1. e4 * hello",
        "game 1, line 1, column 9: expected the end of the game after its result, found 'hello'",
    );
}

#[test]
fn lists_are_not_games_without_moves() {
    let tag = "expected a tag with a value in quotes and ']', found";
    let around = "expected moves without brackets around them, found";
    let spaces = "expected a space between moves, found";
    for (text, column, expected) in [
        (r#"["e2e4","e7e5"]"#, 1, format!(r#"{tag} '["e2e4","e7e5"]'"#)),
        ("['e4', 'e5']", 1, format!("{tag} '['e4', 'e5']'")),
        ("[e2e4 e7e5]", 1, format!("{tag} '[e2e4 e7e5]'")),
        ("[Nf3 Nf6]", 1, format!("{tag} '[Nf3 Nf6]'")),
        ("[\"e4\", null]", 1, format!("{tag} '[\"e4\", null]'")),
        ("(1. e4 e5)", 1, format!("{around} '(1. e4 e5)'")),
        ("(1. e4 (1. d4) e5) *", 1, format!("{around} '(1. e4 (1. d4) e5) *'")),
        ("{e4,e5,Nf3}", 1, format!("{around} '{{e4,e5,Nf3}}'")),
        ("e4;e5;Nf3", 3, format!("{spaces} ';'")),
        ("e4,e5,Nf3", 3, "expected a move or a result, found ','".into()),
    ] {
        // A comment belongs to the tags that follow.
        if !text.starts_with('{') {
            says(text, ErrorKind::Syntax, &format!("game 1, line 1, column {column}: {expected}"));
        }
        // Also after tags, and as the only game.
        let tagged = format!("[White \"a\"]\n\n{text}\n");
        let expected = format!("game 1, line 3, column {column}: {expected}");
        says(&tagged, ErrorKind::Syntax, &expected);
        let error =
            Replayer::new(Options::default()).game(tagged.as_bytes(), 1, 1, &mut Rows::default());
        assert_eq!(error.expect_err(text).to_string(), expected);
    }
    // The next game is read.
    let mut options = Options::default();
    options.on_error = OnError::Skip;
    let file = b"[\"e2e4\",\"e7e5\"]\n\n[Event \"x\"]\n\n1. e4 *\n";
    let rows = oracles::read(file, options, 1 << 20).expect("skips");
    assert_eq!((rows.rejects.len(), rows.game), (1, vec![2, 2]));
}

/// A line of JSON would be a comment in braces, and its moves lost.
#[test]
fn objects_are_not_comments() {
    let expected = "expected a game in PGN; the line is a JSON object, which JSON Lines has, found";
    for object in [
        r#"{"moves":["e2e4","e7e5"]}"#,
        r#"{ "moves" : "1. e4 e5", "id": 7 }"#,
        r#"{"id":-7,"moves":"e4"}"#,
        r#"{"a":{"b":null}}"#,
        r#"{"a":null}"#,
    ] {
        for (text, line) in [
            (format!("{object}\n"), 1),
            (format!("[White \"a\"]\n\n{object}\n"), 3),
            (format!("{object}\n[White \"a\"]\n\n1. e4 *\n"), 1),
            (format!("1. e4 e5\r\n{object}\r\n2. Nf3 *\n"), 2),
        ] {
            let place = format!("game 1, line {line}, column 1: {expected}");
            let error =
                Replayer::new(Options::default()).game(text.as_bytes(), 1, 1, &mut Rows::default());
            let said = error.expect_err(object).to_string();
            assert!(said.starts_with(&place), "{text:?}: {said}");
            assert!(oracles::read(text.as_bytes(), Options::default(), 1).is_err(), "{text:?}");
        }
    }
    // These are comments.
    for comment in [
        r#"{"a quotation"}"#,
        r#"{"Best by test": Fischer}"#,
        r#"{"a": 1, and more} e5"#,
        r#"{a: "b"}"#,
        r#"{"a"#,
        "{\"\n\":1}",
    ] {
        let text = format!("1. e4\n{comment}\n");
        oracles::read(text.as_bytes(), Options::default(), 1).expect(comment);
    }
}

#[test]
fn tags_that_may_hide_moves() {
    let syntax = |text: &str, expected: &str| says(text, ErrorKind::Syntax, expected);
    let tag = "expected a tag with a value in quotes and ']', found";
    // The bracket is missing, so it is unknown where the moves begin.
    syntax(
        "[Event \"x\"]\n [Elo \"?\" 3. Ne2 Nf6 0-1\n",
        &format!("game 1, line 2, column 2: {tag} '[Elo \"?\" 3. Ne2 Nf6 0-1'"),
    );
    for text in ["[White Anna] 1. e4", "[White \"Anna 1. e4", "[White \"A\" [Black \"B\"]"] {
        let expected = format!("game 1, line 1, column 1: {tag} '{text}'");
        syntax(&format!("{text}\n\n1. e4"), &expected);
    }
    // A tag among the moves ends the unfinished game before it.
    let unfinished = "expected the result of this game before the next one";
    syntax("1. e4 e5\n[Elo \"?\"]\n2. Nf3", &format!("game 1, line 2, column 1: {unfinished}"));
    syntax("[Event \"x\"]e4\n[Elo \"?\"]", &format!("game 1, line 2, column 1: {unfinished}"));
    syntax("[A \"b\"]e4\n\n1. d4 *", &format!("game 1, line 3, column 1: {unfinished}"));
    // After a blank line or a result, a tag begins another game. Games without tags require neither.
    for (text, games) in [
        ("1. e4 e5\n\n[Elo \"?\"]\n1. d4 *\n", 2),
        ("1. e4 1-0 {so}\n[Elo \"?\"]\n1. d4 *\n", 2),
        ("[A \"b\"]\n1. e4 1-0\n\n1. d4 *\n[A \"b\"]", 3),
        ("1. e4\n\n1. d4\n\n1. c4\n", 3),
        // The input may be truncated anywhere.
        ("1. e4 *\n[White \"An", 2),
    ] {
        let rows = oracles::read(text.as_bytes(), Options::default(), 1 << 20).expect(text);
        assert_eq!(rows.games.len(), games, "{text}");
    }
    // The last word of a file is part of a move or a result, or it is wrong; a comment and a variation may be cut off.
    // A text that is not a file is complete.
    for (text, moves, wrong) in [
        ("1. e4 N", 1, None),
        ("1. e4 e5 2. Nbx", 2, Some((13, "a move or a result, found 'Nbx'"))),
        ("1. e4 e5 1/2-", 2, None),
        ("1. e4 O-", 1, Some((7, "a move or a result, found 'O-'"))),
        ("1. e4 {x e5", 1, Some((7, "'}' for this comment within the game, found '{'"))),
        ("1. e4 e5 (1... c5", 2, Some((10, "')' for this variation within the game, found '('"))),
    ] {
        let rows = oracles::read(text.as_bytes(), Options::default(), 1 << 20).expect(text);
        assert_eq!(rows.records.moves.iter().flatten().count(), moves, "{text}");
        let game = |text: &str| {
            let mut replayer = Replayer::new(Options::default());
            replayer.game(text.as_bytes(), 1, 1, &mut Rows::default()).err()
        };
        let said =
            |(column, expected)| format!("game 1, line 1, column {column}: expected {expected}");
        assert_eq!(game(text).map(|error| error.to_string()), wrong.map(said), "{text}");
        // The result shows that the file has not been cut off.
        for result in ["1-0", "*\n"] {
            let text = format!("{text} {result}");
            let read = oracles::read(text.as_bytes(), Options::default(), 1 << 20);
            assert_eq!(read.err(), game(&text), "{text}");
            assert_eq!(game(&text).is_some(), wrong.is_some(), "{text}");
        }
    }
    let error = oracles::read(b"1. e4 e5 xyz", Options::default(), 1 << 20).expect_err("no move");
    let expected = "game 1, line 1, column 10: expected a move or a result, found 'xyz'";
    assert_eq!(error.to_string(), expected);
    // Skipped games are counted, and so are games that are kept up to the error.
    let file = b"1. e4 *\n\n1. e4 e5\n[Elo \"?\" 2. Nf3 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    for (on_error, games) in
        [(OnError::Skip, vec![1, 1, 4, 4]), (OnError::Keep, vec![1, 1, 2, 2, 2, 4, 4])]
    {
        let mut options = Options::default();
        options.on_error = on_error;
        let rows = oracles::read(file, options, 1 << 20).expect("goes on");
        assert_eq!(rows.game, games);
        let rejected: Vec<u64> = rows.rejects.iter().map(|reject| reject.error.game()).collect();
        assert_eq!(rejected, [2, 3]);
    }
}

#[test]
fn starts() {
    says(
        "[Event \"x\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 *",
        ErrorKind::Variant,
        "game 1, line 2, column 11: expected standard chess or Chess960, found the variant 'Crazyhouse'",
    );
    let position = |text, expected| says(text, ErrorKind::Position, expected);
    position(
        "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
        "game 1, line 1, column 7: in the tag FEN: expected one white king, found 0",
    );
    position(
        "[FEN \"kk6/8/8/8/8/8/8/K7 w - - 0 1\"]",
        "game 1, line 1, column 7: in the tag FEN: expected one black king, found 2",
    );
    position(
        "[FEN \"k6P/8/8/8/8/8/8/K7 w - - 0 1\"]",
        "game 1, line 1, column 7: in the tag FEN: expected pawns on ranks 2 to 7, found one on h8",
    );
    position(
        "[FEN \"k7/8/8/8/9/8/8/K7 w - - 0 1\"]",
        "game 1, line 1, column 16: in the tag FEN: expected a piece (PNBRQK or pnbrqk), a digit from 1 to 8 or '/', found '9'",
    );
}

#[test]
fn games_without_end() {
    // Knights move back and forth.
    let moves = "Nf3 Nf6 Ng1 Ng8 ";
    let game = moves.repeat(MAX_PLIES / 4 + 1);
    let mut rows = Rows::default();
    let mut replayer = Replayer::new(oracles::all());
    replayer.game(game.as_bytes(), 1, 1, &mut rows).expect("kept");
    assert_eq!(rows.len(), MAX_PLIES + 1);
    assert_eq!(
        rows.rejects[0].error.to_string(),
        "game 1, line 1, column 262141: expected at most 65535 half-moves, found more"
    );
    // The tests' splitter allows games of 128 KiB.
    let comment = format!("[White \"a\"]\n\n1. e4 {{{}}} e5 *\n\n1. d4 *\n", "x\n".repeat(1 << 18));
    let rows = oracles::read(comment.as_bytes(), oracles::all(), 1 << 10).expect("kept");
    assert_eq!(
        rows.rejects[0].error.to_string(),
        "game 1, line 1, column 1: expected a game of fewer bytes: it has more than are allowed"
    );
    assert_eq!(rows.rejects.len(), 1);
    assert_eq!((rows.games.len(), rows.games[0].number, rows.games[0].line), (1, 2, (1 << 18) + 5));
}

#[test]
fn what_happens_to_bad_games() {
    let file = b"1. e4 e5 1-0\n\n[White \"a\"]\n\n1. e4 d5 2. exd5 Nd4 *\n\n1. d4 *\n";
    let read = |on_error| {
        let mut options = Options::default();
        options.on_error = on_error;
        oracles::read(file, options, 1 << 10)
    };
    let text = "game 2, line 5, column 18: expected a legal move of black, found 'Nd4': no black knight can go to d4; \
                the position is rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    assert_eq!(read(OnError::Stop).expect_err("stops").to_string(), text);
    let rows = read(OnError::Skip).expect("skips");
    assert_eq!(rows.game, [1, 1, 1, 3, 3]);
    assert_eq!(rows.rejects[0].error.to_string(), text);
    assert_eq!(&file[rows.rejects[0].text.clone()], b"[White \"a\"]\n\n1. e4 d5 2. exd5 Nd4 *\n\n");
    let rows = read(OnError::Keep).expect("keeps");
    assert_eq!(rows.game, [1, 1, 1, 2, 2, 2, 2, 3, 3]);
    assert_eq!(rows.rejects.len(), 1);
    assert!(!rows.games[1].complete);
    assert_eq!(Some(&rows.records.fen(6)), rows.rejects[0].error.position());

    // If it stops, the rows contain the games before the error.
    let mut rows = Rows::default();
    let mut replayer = Replayer::new(Options::default());
    replayer.game(b"1. e4", 1, 1, &mut rows).expect("a game");
    replayer.game(b"1. e4 e4", 2, 2, &mut rows).expect_err("refused");
    assert_eq!(
        (rows.len(), rows.clock.len(), rows.records.moves.len(), rows.games.len()),
        (2, 2, 2, 1)
    );
}
