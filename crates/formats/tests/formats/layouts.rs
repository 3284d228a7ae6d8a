//! Compares lc0's chunks and `.plain` text with positions that another library has replayed.

use std::time::Instant;

use setwise_formats::{Cutter, Fields, Format, Lc0Record, Move, MoveKind, Reader, Records, Writer};

use crate::chunks::{self, Position};
use crate::oracles;

fn read(format: Format, file: &[u8]) -> Records {
    let mut rows = Records::new();
    Reader::new(format, file).read(usize::MAX, &mut rows).expect("it is right");
    rows
}

/// Returns whether a move equals a move in text, where castling is the king's move to its rook or by two squares.
fn is_same(played: setwise_formats::Move, text: &str) -> bool {
    played.to_string() == text || format!("{played:#}") == text
}

#[test]
fn chunks_of_lc0_are_read() {
    let positions = chunks::positions();
    for (version, size) in [(6, 8356), (7, 8396)] {
        let file = chunks::file(&positions, version);
        assert_eq!(file.len(), size * positions.len());
        let rows = read(Format::Lc0, &file);
        assert_eq!(rows.len(), positions.len());
        let mut steps = 0;
        for (row, position) in positions.iter().enumerate() {
            let before = row.checked_sub(1).map(|row| &positions[row]);
            let step = before.filter(|before| before.ply + 1 == position.ply).and_then(double_step);
            steps += usize::from(step.is_some());
            let fields: Vec<&str> = position.fen.split(' ').collect();
            let en_passant = step.as_deref().unwrap_or("-");
            let expected = [&fields[..3], &[en_passant, fields[4], "1"]].concat().join(" ");
            assert_eq!(rows.fen(row).to_string(), expected);
            // The formula of lc0's score type `centipawn`.
            let value = f64::from(chunks::value(position));
            let score = (90.0 * (1.563_754_189_7 * value).tan()).round();
            assert_eq!(f64::from(rows.score[row]), score, "{row}");
            assert_eq!(i32::from(rows.result[row]), position.result, "{row}");
            assert!(is_same(rows.moves[row].unwrap(), &position.played), "{row}");
        }
        assert!(steps > 100);
        let record = Lc0Record::new(&file[size..]).unwrap();
        assert_eq!(record.best(), [chunks::value(&positions[1]), 0.25]);
        assert_eq!(record.result()[0], positions[1].result as f32);
        assert!(record.policy().eq((0..1858).map(|n| n as f32 / 1858.0)));
    }
}

/// Results of adjudicated games lie between the whole ones; the record has the move that was played, and the best one.
#[test]
fn results_of_lc0_are_rounded_and_its_move_is_the_best() {
    let positions = chunks::positions();
    let expected = read(Format::Lc0, &chunks::file(&positions[..2], 6));
    for (result, rounded) in [(0.6f32, 1), (0.4, 0), (-0.4, 0), (-0.6, -1), (1.0, 1), (-1.0, -1)] {
        let mut file = chunks::file(&positions[..2], 6);
        // The played move of the first position has the index of the second one's, which is not legal here.
        file.copy_within(8356 + 8346..8356 + 8348, 8344);
        assert_ne!(file[8344..8346], file[8346..8348]);
        file[8308..8312].copy_from_slice(&result.to_le_bytes());
        let rows = read(Format::Lc0, &file);
        assert_eq!((rows.result[0], rows.result[1]), (rounded, expected.result[1]), "{result}");
        assert_eq!(rows.moves, expected.moves);
    }
}

/// Games begin where the history lacks the position before: with an empty history, after an opening that is not
/// recorded, or with copies of the first position. A gap of six positions does not end a game.
#[test]
fn games_of_lc0_begin_in_any_history() {
    const SIZE: usize = 8356;
    let positions = chunks::positions();
    let file = chunks::file(&positions, 6);
    let records: Vec<&[u8]> = file.chunks(SIZE).collect();
    let continues = |one: &Position, next: &Position| one.ply + 1 == next.ply;
    let lengths: Vec<usize> = positions.chunk_by(continues).map(<[_]>::len).collect();
    assert!(lengths.len() > 20);
    for (omitted, is_filled, gap) in [(0, false, 0), (4, false, 0), (0, true, 0), (4, false, 6)] {
        let (mut file, mut starts, mut at) = (Vec::new(), Vec::new(), 0);
        for length in &lengths {
            let mut game = records[at..at + length].to_vec();
            at += length;
            game.drain(..omitted.min(length - 1));
            game.drain(1..1 + gap.min(game.len() - 1));
            starts.push(file.len());
            file.extend(game.concat());
            if is_filled {
                let first = &mut file[starts[starts.len() - 1]..][..SIZE];
                (1..8).for_each(|back| first.copy_within(7440..7544, 7440 + 104 * back));
            }
        }
        let mut reader = Reader::new(Format::Lc0, &file[..]);
        reader.read(usize::MAX, &mut Records::new()).expect("it is right");
        let found = reader.game_starts().iter().map(|start| (*start as usize - 1) * SIZE);
        assert!(found.eq(starts.iter().copied()), "{omitted} {is_filled} {gap}");
        let mut cutter = Cutter::new(Format::Lc0, &file[..]);
        let mut end = 0;
        for start in starts {
            assert_eq!(end, start, "{omitted} {is_filled} {gap}");
            end += cutter.next(1).expect("reads").expect("a game").len();
        }
        assert_eq!(end, file.len());
    }
}

/// lc0 upgrades records of versions 3 to 5, which have no moves, to version 6 without visits.
#[test]
fn a_record_of_lc0_without_visits_has_no_move() {
    let mut file = chunks::file(&chunks::positions()[..2], 6);
    let expected = read(Format::Lc0, &file);
    file[8340..8348].fill(0);
    let rows = read(Format::Lc0, &file);
    assert_eq!(rows.moves, [None, expected.moves[1]]);
    assert_eq!((rows.score, rows.pieces), (expected.score, expected.pieces));
}

/// The square behind a pawn that has just made a double step.
fn double_step(position: &Position) -> Option<String> {
    let fen: setwise::Fen = position.fen.parse().unwrap();
    let bytes = position.played.as_bytes();
    let from = bytes[0] - b'a' + 8 * (bytes[1] - b'1');
    let is_step = fen.pieces.pawns >> from & 1 == 1 && bytes[1].abs_diff(bytes[3]) == 2;
    is_step.then(|| format!("{}{}", char::from(bytes[0]), char::from((bytes[1] + bytes[3]) / 2)))
}

#[test]
fn the_text_of_plain_is_read_and_written() {
    let positions = chunks::positions();
    let text = chunks::plain(&positions);
    let rows = read(Format::Plain, text.as_bytes());
    assert_eq!(rows.len(), positions.len());
    for (row, position) in positions.iter().enumerate() {
        assert_eq!(rows.fen(row).to_string(), position.fen);
        assert!(is_same(rows.moves[row].unwrap(), &position.played), "{row}");
        let found = (rows.score[row], rows.ply[row], i32::from(rows.result[row]));
        assert_eq!(found, (position.score, position.ply, position.result));
    }
    let mut written = Vec::new();
    Writer::new(Format::Plain, &mut written).unwrap().write(&rows).unwrap();
    let castling = |text: &str| -> String {
        let rook = [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e8h8", "e8g8"), ("e8a8", "e8c8")];
        rook.iter().fold(text.to_owned(), |text, (rook, king)| text.replace(rook, king))
    };
    assert_eq!(castling(std::str::from_utf8(&written).unwrap()), castling(&text));
    assert!(Format::Plain.keeps().without(Format::PackedSfen.keeps()) == Fields::NONE);
    // A byte order mark, other line ends, blank lines, missing keywords.
    let crlf = format!("\u{feff}\r\n{}\n\n", text.replace('\n', "\r\n"));
    assert_eq!(read(Format::Plain, crlf.as_bytes()), rows);
    let short = read(Format::Plain, b"fen 8/8/8/8/8/8/8/K1k5 b - - 3 20\ne");
    let labels = (short.score[0], short.result[0], short.moves[0], short.ply[0]);
    assert_eq!(labels, (Records::NO_SCORE, Records::NO_RESULT, None, 39));
    // In Chess960 castling may lead to the square next to the king.
    let moves = ["f1h1", "f1g1"].map(|played| {
        let file = format!("fen 4k3/8/8/8/8/8/8/5K1R w K - 0 1\nmove {played}\nresult 0\ne\n");
        let rows = read(Format::Plain, file.as_bytes());
        let mut again = Vec::new();
        Writer::new(Format::Plain, &mut again).unwrap().write(&rows).unwrap();
        assert_eq!(read(Format::Plain, &again), rows);
        rows.moves[0].unwrap()
    });
    assert_eq!(moves.map(|played| played.kind), [MoveKind::Castling, MoveKind::Normal]);
    // The largest move numbers.
    let write = |fen: &str| {
        let mut late = Records::new();
        late.push_fen(&fen.parse().unwrap());
        let mut file = Vec::new();
        let written = Writer::new(Format::Plain, &mut file).unwrap().write(&late);
        written.map(|()| read(Format::Plain, &file).ply[0]).map_err(|error| error.to_string())
    };
    assert_eq!(write("8/8/8/8/8/8/8/K1k5 b - - 3 2147483648"), Ok(u32::MAX));
    assert_eq!(
        write("8/8/8/8/8/8/8/K1k5 w - - 3 2147483649").unwrap_err(),
        "record 1, byte 0: expected a ply that fits 32 bits, found 4294967296"
    );
    // Only the score has a limit.
    let mut far = Records::new();
    far.push_fen(&"8/8/8/8/8/8/8/K1k5 w - - 300 70000".parse().unwrap());
    far.score.push(40_000);
    far.limit(0, Format::Plain);
    assert_eq!(far.fen(0).to_string(), "8/8/8/8/8/8/8/K1k5 w - - 300 70000");
    assert_eq!(far.score, [32_767]);
}

#[test]
fn a_castling_move_is_dropped_with_its_right() {
    let mut batch = Records::new();
    for (fen, to) in [
        ("1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1", 1),
        ("1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1", 7),
    ] {
        batch.push_fen(&fen.parse().unwrap());
        batch.moves.push(Some(Move { from: 4, to, kind: MoveKind::Castling }));
    }
    let before = batch.clone();
    (0..2).for_each(|row| batch.limit(row, Format::PackedSfen));
    assert_eq!(batch.fen(0).to_string(), "1r2k2r/8/8/8/8/8/8/1R2K2R w Kk - 0 1");
    assert_eq!(batch.moves, [None, before.moves[1]]);
    let mut same = before.clone();
    (0..2).for_each(|row| same.limit(row, Format::Marlin));
    assert_eq!(same, before);
}

#[test]
fn wrong_text_is_named_by_its_line() {
    let right = "fen 8/8/8/8/8/8/8/K1k5 b - - 3 20\nmove c1d1\nscore 7\nply 39\nresult 0\ne\n";
    for (from, to, message) in [
        (
            "c1d1",
            "c1c4",
            "record 2, byte 105: line 9: expected a legal move in UCI notation, found `move c1c4`",
        ),
        (
            "score 7",
            "score x",
            "record 2, byte 115: line 10: expected a score of 16 bits, found `score x`",
        ),
        (
            "score 7",
            "value 7",
            "expected `fen`, `move`, `score`, `ply`, `result` or `e`, found `value 7`",
        ),
        ("result 0", "result 2", "line 12: expected a result of 1, 0 or -1"),
        ("ply 39", "ply -1", "line 11: expected a number of half-moves"),
        ("K1k5 b", "K7 b", "line 8: expected 1 king of black, found 0"),
        ("K1k5 b", "K1k5 x", "line 8: expected a position"),
        ("fen 8", "\n8", "line 9: expected `fen`"),
        (
            "move c1d1",
            "fen 8/8/8/8/8/8/8/K1k5 b - -",
            "line 9: expected the line `e` before the next",
        ),
        (
            "e\n",
            "",
            "record 2, byte 71: expected the line `e` after the record that begins on line 8, found",
        ),
    ] {
        let text = format!("{right}\n{}", right.replacen(from, to, 1));
        let mut rows = Records::new();
        let error = Reader::new(Format::Plain, text.as_bytes()).read(9, &mut rows).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(rows.len(), 1);
    }
    let endless = "fen\n".repeat(5000);
    let mut reader = Reader::new(Format::Plain, endless.as_bytes());
    let error = reader.read(9, &mut Records::new()).unwrap_err();
    assert!(error.to_string().contains("found 4096 bytes without it"), "{error}");
    assert!(!error.resumes() && reader.read(9, &mut Records::new()).unwrap() == 0);
}

#[test]
fn wrong_chunks_are_refused() {
    let right = chunks::file(&chunks::positions()[..3], 6);
    let at_last = &read(Format::Lc0, &right).pieces[2..];
    for (at, byte, message) in [
        (0, 5, "byte 8356: expected a record of version 6 or 7, found 5"),
        (4, 3, "byte 8360: expected 1, the input format of 112 classical planes, found 3"),
        (8272, 2, "byte 16628: expected 0 or 1 as a castling right, found 2"),
        (8276, 2, "expected 0 or 1 as the side to move, found 2"),
        (7440, 0xff, "byte 15796: expected one piece a square, found two on"),
        (8347, 0xff, "expected the index of a legal move"),
        (8287, 0x7e, "expected a value of -1 to 1"),
        (8311, 0x7f, "expected a result of -1 to 1"),
    ] {
        let mut file = right.clone();
        file[8356 + at] = byte;
        let mut rows = Records::new();
        let mut reader = Reader::new(Format::Lc0, &file[..]);
        let error = reader.read(9, &mut rows).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(rows.len(), 1);
        // The end of a record is unknown without its version.
        assert_eq!(error.resumes(), at != 0);
        assert_eq!(reader.read(9, &mut rows).unwrap(), usize::from(at != 0));
        assert!(rows.pieces.iter().eq(at_last.iter().filter(|_| at != 0)), "{message}");
    }
}

/// Valid files with one byte changed are read or rejected, with the same result for any split.
#[test]
fn damaged_files_are_read_or_refused() {
    let positions = chunks::positions();
    let mut random = 1u64;
    let mut next = |bound: usize| {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (random >> 33) as usize % bound
    };
    for _ in 0..60 {
        let some = next(positions.len() - 3);
        let some = &positions[some..some + 3];
        let (mut chunk, mut text) = (chunks::file(some, 6), chunks::plain(some).into_bytes());
        for _ in 0..=next(3) {
            // Bytes outside the policy.
            chunk[8356 * next(3) + [0, 7440][next(2)] + next(8)] = next(256) as u8;
            let at = next(text.len());
            text[at] = b"e\n -18kK\xff"[next(9)];
        }
        oracles::any_bytes(Format::Lc0, &chunk);
        oracles::any_bytes(Format::Plain, &text);
    }
}

/// A game continues while the ply increases. Without plies, they follow from the move numbers.
#[test]
fn games_of_plain_are_not_cut() {
    let positions = chunks::positions();
    let games: Vec<_> = positions.chunk_by(|one, next| one.ply < next.ply).collect();
    assert!(games.len() > 20 && games.len() < positions.len() / 20);
    for (line_break, has_plies) in [("\n", true), ("\r", true), ("\r\n", false)] {
        let text = |positions: &[Position]| {
            let text = chunks::plain(positions);
            let lines = text.lines().filter(|line| has_plies || !line.starts_with("ply"));
            lines.map(|line| format!("{line}{line_break}")).collect::<String>()
        };
        let all = text(&positions);
        let mut cutter = Cutter::new(Format::Plain, all.as_bytes());
        for game in &games {
            let part = cutter.next(1).expect("reads").expect("a game");
            assert_eq!(String::from_utf8_lossy(&part), text(game));
        }
        assert_eq!(cutter.next(1).expect("reads"), None);
    }
}

#[test]
fn every_line_break_ends_a_line_of_plain() {
    let text = chunks::plain(&chunks::positions());
    let expected = read(Format::Plain, text.as_bytes());
    for line_break in ["\r", "\r\n"] {
        let text = text.replace('\n', line_break);
        assert_eq!(read(Format::Plain, text.as_bytes()), expected, "{line_break:?}");
    }
    let bad = b"fen 8/8/8/8/8/8/8/K1k5 w - -\rscore 0\re\r\rfen x\re\r";
    let mut reader = Reader::new(Format::Plain, &bad[..]);
    let error = reader.read(9, &mut Records::new()).expect_err("no position");
    assert!(error.to_string().contains("line 5: expected a position"), "{error}");
}

#[test]
fn time_is_linear_in_the_text() {
    let text = chunks::plain(&chunks::positions());
    let time = |text: &str| {
        let start = Instant::now();
        let rows = read(Format::Plain, text.as_bytes()).len();
        (rows, start.elapsed().as_secs_f64())
    };
    let long = text.repeat(8);
    // Other processes disturb some of the runs.
    let is_linear = (0..200).any(|_| {
        let ((one, least), (many, most)) = (time(&text), time(&long));
        assert_eq!(many, 8 * one);
        most < 40.0 * least
    });
    assert!(is_linear);
}
