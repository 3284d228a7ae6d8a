//! The FEN reader: every position survives a round trip, and every malformed line is rejected with the right message
//! and column.

use proptest::prelude::*;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces, Role};

/// A position without rules: any pieces on any squares.
fn any_fen() -> impl Strategy<Value = Fen> {
    let board = proptest::collection::vec(0..20usize, 64);
    let clock = prop_oneof![0..200u32, any::<u32>()];
    let castling = (any::<u8>(), any::<u8>()).prop_map(|(white, black)| Castling { white, black });
    let en_passant = proptest::option::of((0..8u8, prop_oneof![Just(16u8), Just(40)]))
        .prop_map(|square| square.map(|(file, rank)| file + rank));
    (board, any::<bool>(), castling, en_passant, clock.clone(), clock).prop_map(
        |(board, white, castling, en_passant, halfmove_clock, fullmove_number)| {
            let mut pieces = Pieces::EMPTY;
            for (square, piece) in (0..).zip(board).filter(|&(_, piece)| piece < 12) {
                pieces.put(Colour::ALL[piece % 2], Role::ALL[piece / 2], square);
            }
            let turn = if white { Colour::White } else { Colour::Black };
            Fen { pieces, turn, castling, en_passant, halfmove_clock, fullmove_number }
        },
    )
}

/// Returns whether a text is eight ranks of eight files.
fn is_placement(text: &str) -> bool {
    let files = |letter: char| match letter {
        '1'..='8' => letter.to_digit(10),
        letter if "PNBRQKpnbrqk".contains(letter) => Some(1),
        _ => None,
    };
    let ranks: Vec<Option<u32>> =
        text.split('/').map(|rank| rank.chars().map(files).sum()).collect();
    ranks == [Some(8); 8]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(fen in any_fen()) {
        prop_assert_eq!(Fen::parse(fen.to_string()), Ok(fen));
    }

    #[test]
    fn pieces_stand_where_the_text_says(
        letters in proptest::collection::vec(proptest::sample::select(&b"1PNBRQKpnbrqk"[..]), 64)
    ) {
        let mut expected = Pieces::EMPTY;
        for (i, &letter) in (0..).zip(&letters) {
            let square = 8 * (7 - i / 8) + i % 8;
            let role = b"PNBRQK".iter().position(|role| letter.eq_ignore_ascii_case(role));
            let colour = Colour::ALL[usize::from(letter.is_ascii_lowercase())];
            if let Some(role) = role {
                expected.put(colour, Role::ALL[role], square);
            }
        }
        let ranks: Vec<&[u8]> = letters.chunks(8).collect();
        prop_assert_eq!(Fen::parse(ranks.join(&b'/')).map(|fen| fen.pieces), Ok(expected));
    }
}

proptest! {
    #[test]
    fn only_eight_ranks_of_eight_files_are_a_placement(
        text in "(8|4p3|44|2K|7|8/8|/|9|x|6Q1)(/(8|pppppppp|p6P|35|12113)){6,7}(/8)?(8|1|k|/)?"
    ) {
        prop_assert_eq!(Fen::parse(&text).is_ok(), is_placement(&text), "{}", text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(line in proptest::collection::vec(any::<u8>(), 0..100)) {
        crate::common::oracles::fen(&line);
    }

    #[test]
    fn a_wrong_byte_anywhere_is_read_or_refused(fen in any_fen(), at in 0..100usize, byte: u8) {
        let mut line = fen.to_string().into_bytes();
        let at = at % line.len();
        line[at] = byte;
        crate::common::oracles::fen(&line);
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn read(fields: &str) -> Fen {
    Fen::parse(format!("{START}{fields}")).unwrap()
}

#[test]
fn fields_may_be_missing_from_the_end() {
    let placement =
        Fen { castling: Castling::NONE, turn: Colour::White, en_passant: None, ..Fen::START };
    assert_eq!(read(""), placement);
    assert_eq!(read(" b"), Fen { turn: Colour::Black, ..placement });
    assert_eq!(read(" w KQkq"), Fen::START);
    assert_eq!(read(" w KQkq e3"), Fen { en_passant: Some(20), ..Fen::START });
    assert_eq!(read(" w KQkq - 7"), Fen { halfmove_clock: 7, ..Fen::START });
    assert_eq!(
        read(" w KQkq h6 4294967295 0"),
        Fen { en_passant: Some(47), halfmove_clock: u32::MAX, fullmove_number: 0, ..Fen::START }
    );
}

#[test]
fn operations_are_not_looked_at() {
    for operations in [
        "bm e4; id \"x\";",
        "id \"Gr\u{fc}nfeld\";",
        "id \"; hmvc 5;\";",
        ";D1 20",
        "D1",
        "w - - 9",
    ] {
        assert_eq!(read(&format!(" w KQkq - {operations}")), Fen::START);
        assert_eq!(read(&format!(" w KQkq - 0 1 {operations}")), Fen::START);
    }
    let mut line = format!("{START} w KQkq - id ").into_bytes();
    line.extend([0xff, 0, b'\n', 0xc3]);
    assert_eq!(Fen::parse(line), Ok(Fen::START));
}

#[test]
fn operations_give_the_clocks() {
    for (operations, clock, number) in [
        ("hmvc 41; fmvn 77;", Some(41), Some(77)),
        ("fmvn 77; hmvc 41", Some(41), Some(77)),
        ("bm e4; fmvn 77; id \"Gr\u{fc}n; hmvc 1\"; hmvc\t41 ; c0 \"hmvc 2\";", Some(41), Some(77)),
        (";hmvc 0;;fmvn 4294967295", Some(0), Some(u32::MAX)),
        ("hmvcs 5; ahmvc 5; bm hmvc 5; fmvn 9;", None, Some(9)),
        ("id x;", None, None),
    ] {
        let (fen, known) =
            Fen::parse_with_clocks(format!("{START} w KQkq - {operations}\r\n")).unwrap();
        let expected = (clock.unwrap_or(0), number.unwrap_or(1));
        assert_eq!((fen.halfmove_clock, fen.fullmove_number), expected, "{operations}");
        assert_eq!(known, [clock.is_some(), number.is_some()], "{operations}");
        assert_eq!(read(&format!(" w KQkq - {operations}")), fen);
    }
    // The fields have precedence.
    let known = |fields: &str| Fen::parse_with_clocks(format!("{START} w KQkq -{fields}")).unwrap();
    assert_eq!(known(" 0 1 hmvc 5; fmvn 9;"), (Fen::START, [true, true]));
    assert_eq!(known(" 0"), (Fen::START, [true, false]));
    assert_eq!(known(""), (Fen::START, [false, false]));
    for (operations, column, expected) in [
        ("hmvc x;", 59, "expected a halfmove clock, found 'x'"),
        ("fmvn;", 58, "expected a fullmove number, found ';'"),
        ("hmvc", 58, "expected a halfmove clock, found the end of the line"),
        ("hmvc 5 6;", 61, "expected ';' after the number, found '6'"),
        ("hmvc 5.5;", 60, "expected ';' after the number, found '.'"),
        ("hmvc 5; hmvc 6;", 62, "expected each of hmvc and fmvn once, found 'h'"),
        (
            "id \"\u{fc}\"; hmvc 4294967296;",
            67,
            "expected a halfmove clock up to 4294967295, found more",
        ),
    ] {
        let error = Fen::parse(format!("{START} w KQkq - {operations}")).unwrap_err();
        assert_eq!(
            (error.column(), error.to_string()),
            (column, expected.to_owned()),
            "{operations}"
        );
    }
}

#[test]
fn blanks_and_line_ends_do_not_matter() {
    for line in [
        format!("{START} w KQkq - 0 1\n"),
        format!("{START} w KQkq - 0 1\r\n"),
        format!("{START} w KQkq - 0 1\r"),
        format!("{START} w KQkq -\r\n"),
        format!("{START} w KQkq - bm e4;\r\n"),
        format!("{START} w KQkq - 0 1  \t \r\n\n"),
        format!(" \t{START}\tw   KQkq\t\t- \t0 1"),
    ] {
        assert_eq!(Fen::parse(&line), Ok(Fen::START), "{line:?}");
    }
    assert_eq!(Fen::parse(format!("{START}\r\n")), Fen::parse(START));
}

#[test]
fn castling_letters_mean_files() {
    let rights = |placement: &str, letters: &str| {
        Fen::parse(format!("{placement} w {letters}")).map(|fen| fen.castling)
    };
    let files = |white: &str, black: &str| {
        let set = |files: &str| files.bytes().fold(0, |set, file| set | 1 << (file - b'a'));
        Ok(Castling { white: set(white), black: set(black) })
    };
    for (placement, letters, expected) in [
        (START, "-", files("", "")),
        (START, "KQkq", files("ah", "ah")),
        (START, "qKkQ", files("ah", "ah")),
        (START, "HAha", files("ah", "ah")),
        (START, "Hq", files("h", "a")),
        // The outermost of several rooks, and another one by its file.
        ("rr1k1rr1/8/8/8/8/8/8/1RRK1RR1", "KQkq", files("bg", "ag")),
        ("rr1k1rr1/8/8/8/8/8/8/1RRK1RR1", "KFCQbk", files("bcfg", "bg")),
        // No rook on that side, no king, or no king on the back rank: the corner.
        ("4k3/8/8/8/8/8/8/RR2K3", "KQkq", files("ah", "ah")),
        ("1r4r1/8/8/8/8/8/8/1R4R1", "KQkq", files("ah", "ah")),
        ("1r4r1/4k3/8/8/8/8/4K3/1R4R1", "KQkq", files("ah", "ah")),
        // Rooks of the other side are ignored.
        ("1R2k1R1/8/8/8/8/8/8/1r2K1r1", "KQkq", files("ah", "ah")),
        // The rook beyond all of several kings.
        ("8/8/8/8/8/8/8/1RKRKR2", "KQ", files("bf", "")),
        ("8/8/8/8/8/8/8/KRRRRRRK", "KQ", files("ah", "")),
        // Any right may be written as its file, with or without a rook.
        ("8/8/8/8/8/8/8/8", "ABCDEFGHabcdefgh", files("abcdefgh", "abcdefgh")),
    ] {
        assert_eq!(rights(placement, letters), expected, "{placement} {letters}");
    }
}

#[test]
fn castling_is_written_as_letters_that_mean_the_same() {
    for (line, written) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w AHah", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w q", "r3k2r/8/8/8/8/8/8/R3K2R w q - 0 1"),
        ("1rk2r2/8/8/8/8/8/8/1RK2R2 w KQkq", "1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3KR2 w HAha", "r3k2r/8/8/8/8/8/8/R3KR2 w HAha - 0 1"),
        ("rrk4r/8/8/8/8/8/8/RRK3RR w BGq", "rrk4r/8/8/8/8/8/8/RRK3RR w GBa - 0 1"),
    ] {
        assert_eq!(line.parse::<Fen>().unwrap().to_string(), written);
    }
}

#[test]
fn positions_that_no_game_reaches_are_read() {
    for placement in [
        "8/8/8/8/8/8/8/8",
        "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqq3",
        "PPPPPPPP/kkkkkkkk/KKKKKKKK/8/8/8/8/pppppppp",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ",
    ] {
        assert_eq!(placement.parse::<Fen>().unwrap().to_string(), format!("{placement} w - - 0 1"));
    }
    assert_eq!(
        Fen::parse("11111111/2222/44/71/8/8/8/8").unwrap().to_string(),
        "8/8/8/8/8/8/8/8 w - - 0 1"
    );
}

const PIECE: &str = "expected a piece (PNBRQK or pnbrqk), a digit from 1 to 8 or '/', found ";
const RIGHT: &str = "expected a castling right (KQkq, A to H or a to h) or '-', found ";
const SPACE: &str = "expected a space or the end of the line, found ";

#[test]
fn malformed_lines_say_what_is_wrong_and_where() {
    // Line, column, message. A message ends with the text that was found, after one of the constants above.
    let e = "8/8/8/8/8/8/8/8"; // 15 characters
    for (line, column, message) in [
        // Empty lines.
        ("", 1, "expected a position, found the end of the line".into()),
        ("\r\n", 1, "expected a position, found the end of the line".into()),
        (" \t \n", 4, "expected a position, found the end of the line".into()),
        // Ranks.
        ("8", 2, "expected 8 ranks, found 1".into()),
        ("8/8/8/8/8/8/8", 14, "expected 8 ranks, found 7".into()),
        ("8/8/8/8/8/8/8 w - - 0 1", 14, "expected 8 ranks, found 7".into()),
        ("8/8/8/8/8/8/8/8/8", 16, "expected 8 ranks, found a ninth".into()),
        ("8/8/8/8/8/8/8/8/ w", 16, "expected 8 ranks, found a ninth".into()),
        ("8/8/8/8/8/8/8/", 15, "rank 1 has 0 files, expected 8".into()),
        ("/8/8/8/8/8/8/8", 1, "rank 8 has 0 files, expected 8".into()),
        ("8/8//8/8/8/8/8", 5, "rank 6 has 0 files, expected 8".into()),
        ("8 /8/8/8/8/8/8/8", 2, "expected 8 ranks, found 1".into()),
        // Files.
        ("8/8/ppppppppp/8/8/8/8/8", 13, "rank 6 has 9 files, expected 8".into()),
        ("8/8/pppp7/8/8/8/8/8 w", 9, "rank 6 has 11 files, expected 8".into()),
        ("88/8/8/8/8/8/8/8", 2, "rank 8 has 16 files, expected 8".into()),
        ("8p/7/8/8/8/8/8/8", 2, "rank 8 has 9 files, expected 8".into()),
        (&"8".repeat(1000), 2, "rank 8 has 8000 files, expected 8".into()),
        (
            &format!("{}8/8/8/8/8/8/8", "1".repeat(256)),
            9,
            "rank 8 has 264 files, expected 8".into(),
        ),
        ("7//1/8/8/8/8/8/8", 2, "rank 8 has 7 files, expected 8".into()),
        ("8//8/8/8/8/8/8", 3, "rank 7 has 0 files, expected 8".into()),
        ("8///8/8/8/8/8/8/8", 3, "rank 7 has 0 files, expected 8".into()),
        ("8/7/8/8/8/8/8/8", 4, "rank 7 has 7 files, expected 8".into()),
        ("8/8/8/8/8/8/8/p", 16, "rank 1 has 1 file, expected 8".into()),
        ("8/8/8/8/8/8/8/6k w - -", 17, "rank 1 has 7 files, expected 8".into()),
        ("8/3 w - -", 4, "rank 7 has 3 files, expected 8".into()),
        // Letters.
        ("x", 1, format!("{PIECE}'x'")),
        ("# a remark", 1, format!("{PIECE}'#'")),
        ("8/8/4X3/8/8/8/8/8", 6, format!("{PIECE}'X'")),
        ("8/8/9/8/8/8/8/8", 5, format!("{PIECE}'9'")),
        ("8/0p7/8/8/8/8/8/8", 3, format!("{PIECE}'0'")),
        ("8/8/8/8/8/8/8/7\u{265a}", 16, format!("{PIECE}'\u{265a}'")),
        ("8/8/8/8/8/8/8/7\u{1f451}", 16, format!("{PIECE}'\u{1f451}'")),
        ("8/8/7\u{1f451}/8/8/8/8/8 w", 6, format!("{PIECE}'\u{1f451}'")),
        ("8\\8/8/8/8/8/8/8", 2, format!("{PIECE}'\\\\'")),
        ("8/ppppppppp\0/8/8/8/8/8/8", 11, "rank 7 has 9 files, expected 8".into()),
        ("8/pppp\0/8/8/8/8/8/8", 7, format!("{PIECE}'\\0'")),
        ("\u{feff}8/8/8/8/8/8/8/8", 1, format!("{PIECE}'\\u{{feff}}'")),
        (&format!("{e}k"), 16, "rank 1 has 9 files, expected 8".into()),
        (&format!("{e}~"), 16, format!("{SPACE}'~'")),
        (&format!("{e}_w - -"), 16, format!("{SPACE}'_'")),
        // The side to move.
        (&format!("{e} x"), 17, "expected 'w' or 'b' for the side to move, found 'x'".into()),
        (&format!("{e} W - -"), 17, "expected 'w' or 'b' for the side to move, found 'W'".into()),
        (&format!("{e}  - - -"), 18, "expected 'w' or 'b' for the side to move, found '-'".into()),
        (&format!("{e} white"), 18, format!("{SPACE}'h'")),
        (&format!("{e}\n{e}"), 16, format!("{SPACE}'\\n'")),
        // Castling.
        (&format!("{e} w x"), 19, format!("{RIGHT}'x'")),
        (&format!("{e} w KQkx -"), 22, format!("{RIGHT}'x'")),
        (&format!("{e} w K-"), 20, format!("{RIGHT}'-'")),
        (&format!("{e} w -K"), 20, format!("{SPACE}'K'")),
        (&format!("{e} w KQi - 0 1"), 21, format!("{RIGHT}'i'")),
        (&format!("{e} w \u{d0}"), 19, format!("{RIGHT}'\u{d0}'")),
        (&format!("{e} w KQK"), 21, "expected each castling right once, found 'K' again".into()),
        (
            &format!("{e} w kh - 0 1"),
            20,
            "expected each castling right once, found 'h' again".into(),
        ),
        // En passant.
        (&format!("{e} w - i3"), 21, "expected an en passant square or '-', found 'i'".into()),
        (&format!("{e} w - 0 1"), 21, "expected an en passant square or '-', found '0'".into()),
        (&format!("{e} w - E3"), 21, "expected an en passant square or '-', found 'E'".into()),
        (
            &format!("{e} w - e4 0 1"),
            22,
            "expected rank 3 or 6 for the en passant square, found '4'".into(),
        ),
        (
            &format!("{e} w - e"),
            22,
            "expected rank 3 or 6 for the en passant square, found the end of the line".into(),
        ),
        (
            &format!("{e} w - e 6"),
            22,
            "expected rank 3 or 6 for the en passant square, found ' '".into(),
        ),
        (&format!("{e} w - e33"), 23, format!("{SPACE}'3'")),
        (&format!("{e} w - -- 0 1"), 22, format!("{SPACE}'-'")),
        // Clocks.
        (&format!("{e} w - - - 1"), 23, "expected a halfmove clock, found '-'".into()),
        (&format!("{e} w - - -1 1"), 23, "expected a halfmove clock, found '-'".into()),
        (&format!("{e} w - - 1.5 1"), 24, format!("{SPACE}'.'")),
        (&format!("{e} w - - 0x 1"), 24, format!("{SPACE}'x'")),
        (&format!("{e} w - - 0 x"), 25, "expected a fullmove number, found 'x'".into()),
        (&format!("{e} w - - 0 -"), 25, "expected a fullmove number, found '-'".into()),
        (&format!("{e} w - - 0 \u{661}"), 25, "expected a fullmove number, found '\u{661}'".into()),
        (
            &format!("{e} w - - 0 \u{1d7d9}"),
            25,
            "expected a fullmove number, found '\u{1d7d9}'".into(),
        ),
        (
            &format!("{e} w - - 4294967296 1"),
            23,
            "expected a halfmove clock up to 4294967295, found more".into(),
        ),
        (
            &format!("{e} w - - 0 99999999999999999999"),
            25,
            "expected a fullmove number up to 4294967295, found more".into(),
        ),
        // After the sixth field.
        (
            &format!("{e} w - - 0 1 2"),
            27,
            "expected an operation or the end of the line, found '2'".into(),
        ),
        (
            &format!("{e} w - - 0 1 | 5"),
            27,
            "expected an operation or the end of the line, found '|'".into(),
        ),
        (&format!("{e} w - - 0 1;"), 26, format!("{SPACE}';'")),
    ] {
        let error = Fen::parse(line).expect_err(line);
        assert_eq!((error.column(), error.to_string()), (column, message), "{line:?}");
        assert_eq!(format!("{error:#}"), format!("column {column}: {error}"));
    }
}

/// 64 pieces and 7 slashes: no placement is longer.
#[test]
fn the_longest_placement() {
    let ranks = [
        "rnbqkbnr", "pppppppp", "nnnnnnnn", "bbbbbbbb", "QQQQQQQQ", "RRRRRRRR", "PPPPPPPP",
        "RNBQKBNR",
    ];
    let full = ranks.join("/");
    assert_eq!(full.len(), 71);
    for rest in ["", " ", " w", " b - - 0 1", "\r\n"] {
        let pieces = Fen::parse(format!("{full}{rest}")).expect("a position").pieces;
        assert_eq!([pieces.white, pieces.black], [u64::MAX >> 32, u64::MAX << 32], "{rest:?}");
        assert_eq!(pieces.rooks, 0x8100_0000_00ff_0081, "{rest:?}");
        assert_eq!(pieces.at(7), Some((Colour::White, Role::Rook)), "{rest:?}");
    }
    for (rest, message) in [
        ("K", "rank 1 has 9 files, expected 8".into()),
        ("1", "rank 1 has 9 files, expected 8".into()),
        ("8 w - -", "rank 1 has 16 files, expected 8".into()),
        ("/", "expected 8 ranks, found a ninth".into()),
        ("/8 w - -", "expected 8 ranks, found a ninth".into()),
        ("x", format!("{SPACE}'x'")),
        ("\u{1f451}", format!("{SPACE}'\u{1f451}'")),
    ] {
        let error = Fen::parse(format!("{full}{rest}")).expect_err(rest);
        assert_eq!((error.column(), error.to_string()), (72, message), "{rest:?}");
    }
    for cut in 1..8 {
        // The last rank is one piece short, or has another mistake at its end.
        let rest = &full[..71 - cut];
        let error = Fen::parse(rest).expect_err(rest);
        let files = 8 - cut;
        let noun = if files == 1 { "file" } else { "files" };
        let message = format!("rank 1 has {files} {noun}, expected 8");
        assert_eq!((error.column(), error.to_string()), (72 - cut, message));
        let error = Fen::parse(format!("{rest}x")).expect_err(rest);
        assert_eq!((error.column(), error.to_string()), (72 - cut, format!("{PIECE}'x'")));
    }
}

#[test]
fn bytes_that_are_no_text_are_named() {
    for (line, column, message) in [
        (&b"8/8/\xff"[..], 5, format!("{PIECE}the byte 0xff")),
        (b"8/8/\xe2\x99", 5, format!("{PIECE}the byte 0xe2")),
        (b"8/8/\xf0\x9f\x91", 5, format!("{PIECE}the byte 0xf0")),
        (b"8/8/\xf0\x9f\x91w", 5, format!("{PIECE}the byte 0xf0")),
        (b"8/8/8/8/8/8/8/8 w \x80", 19, format!("{RIGHT}the byte 0x80")),
    ] {
        let error = Fen::parse(line).unwrap_err();
        assert_eq!((error.column(), error.to_string()), (column, message));
    }
}

#[test]
fn errors_are_small() {
    assert!(size_of::<setwise::fen::FenError>() <= 48);
    assert_eq!(size_of::<Result<Fen, setwise::fen::FenError>>(), size_of::<Fen>());
}
