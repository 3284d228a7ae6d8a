//! Converts games from PGN to the formats of games, and reads them with the readers, which other tests run on other
//! programs' files.

use setwise::Fen;
use setwise_formats::pgn::{Options, Rows, Score};
use setwise_formats::{Format, Reader, Records, Writer};

use crate::pgn::games::unpacked;
use crate::pgn::oracles;

fn read(format: Format, file: &[u8]) -> Records {
    let mut records = Records::new();
    Reader::new(format, file).read(usize::MAX, &mut records).expect("a right file");
    records
}

/// The score of a row, computed independently from the documentation.
fn score(rows: &Rows, row: usize) -> i32 {
    let sign = 1 - 2 * rows.records.turn[row] as i32;
    match rows.eval[row] {
        Some(Score::Centipawns(pawns)) => sign * pawns.clamp(-31_000, 31_000),
        Some(Score::Mate(moves)) if moves > 0 => sign * (32_000 - moves.min(1000)),
        Some(Score::Mate(moves)) if moves < 0 => sign * (-32_000 - moves.max(-1000)),
        Some(Score::Mate(_)) => -32_000,
        None => Records::NO_SCORE,
    }
}

#[test]
fn games_come_back_as_they_were() {
    let pgn = unpacked("games.pgn.gz");
    let rows = oracles::read(pgn.as_bytes(), Options::default(), 1 << 16).expect("right games");
    for format in [Format::Viri, Format::Binpack] {
        let mut writer = Writer::new(format, Vec::new()).expect("it can be written");
        let mut written = Vec::new();
        for game in &rows.games {
            let of_game = game.first_row..game.first_row + game.rows;
            match writer.write(&drawn(rows.records.rows(of_game.clone()))) {
                Ok(()) => written.extend(of_game.start..of_game.end - 1),
                Err(error) => {
                    assert!(format == Format::Binpack && game.chess960, "{error}");
                    let expected = "expected castling from the e-file with rooks from the corners";
                    assert!(error.to_string().contains(expected), "{error}");
                }
            }
        }
        assert_eq!(writer.records(), written.len() as u64);
        assert!(written.len() > 10_000);
        let records = read(format, &writer.finish().expect("written to memory"));
        assert_eq!(records.len(), written.len(), "{format}");
        for (at, &row) in written.iter().enumerate() {
            let (found, expected) = (records.fen(at), rows.records.fen(row));
            assert_eq!(found.pieces, expected.pieces, "{format}, {expected}");
            assert_eq!(
                (found.turn, found.castling, found.halfmove_clock, found.fullmove_number),
                (
                    expected.turn,
                    expected.castling,
                    expected.halfmove_clock,
                    expected.fullmove_number
                ),
                "{format}, {expected}"
            );
            // These formats store the square only if a pawn can capture there.
            assert!(found.en_passant.is_none() || found.en_passant == expected.en_passant);
            assert_eq!(records.moves[at], rows.records.moves[row], "{format}, {expected}");
            assert_eq!(records.score[at], score(&rows, row), "{format}, {expected}");
            let result = Some(rows.records.result[row]).filter(|&one| one != Records::NO_RESULT);
            assert_eq!(records.result[at], result.unwrap_or(0), "{format}, {expected}");
        }
    }
}

/// Replaces unknown results with draws, so that the records can be written.
fn drawn(mut records: Records) -> Records {
    let unknown = |result: &&mut i8| **result == Records::NO_RESULT;
    records.result.iter_mut().filter(unknown).for_each(|result| *result = 0);
    records
}

#[test]
fn unknown_results_are_refused() {
    let game = b"1. e4 { [%eval 0.3] } e5 *";
    let mut rows = Rows::default();
    let mut replayer = setwise_formats::pgn::Replayer::new(Options::default());
    replayer.game(game, 1, 1, &mut rows).expect("a right game");
    let records = rows.records.clone();
    assert_eq!(records.score, [Records::NO_SCORE, -30, Records::NO_SCORE]);
    assert!(records.score.iter().map(|&score| Records::is_score(score)).eq([false, true, false]));
    assert_eq!(records.result, [Records::NO_RESULT; 3]);
    for format in [Format::Viri, Format::Binpack] {
        let mut writer = Writer::new(format, Vec::new()).expect("it can be written");
        let error = writer.write(&records).expect_err("no result").to_string();
        assert!(error.contains("expected a result of -1, 0 or 1"), "{format}: {error}");
        assert_eq!(
            writer.write(&drawn(records.clone())).map_err(|error| error.to_string()),
            Ok(())
        );
    }
}

/// Writes and reads a game that starts from a position.
fn written(format: Format, fen: &str, moves: &str) -> Result<Records, String> {
    let rows = replayed(fen, moves)?;
    let mut writer = Writer::new(format, Vec::new()).map_err(|error| error.to_string())?;
    writer.write(&rows).map_err(|error| error.to_string())?;
    let file = writer.finish().map_err(|error| error.to_string())?;
    Ok(read(format, &file))
}

/// Replays a game that starts from a position.
fn replayed(fen: &str, moves: &str) -> Result<Records, String> {
    let game = format!("[FEN \"{fen}\"]\n\n{moves}");
    let mut rows = Rows::default();
    let mut replayer = setwise_formats::pgn::Replayer::new(Options::default());
    replayer.game(game.as_bytes(), 1, 1, &mut rows).map_err(|error| error.to_string())?;
    Ok(drawn(rows.records))
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let start = Fen::START.to_string();
    let write = |format, fen: &str, moves| written(format, fen, moves).map(|rows| rows.len());
    for format in [Format::Viri, Format::Binpack] {
        assert_eq!(write(format, &start, "1. e4 e5"), Ok(2));
        assert_eq!(write(format, &start, "*"), Ok(0));
        let null = write(format, &start, "1. e4 -- 2. d4").unwrap_err();
        assert!(null.ends_with("expected a move, found none"), "{null}");
        let clock = write(format, "4k3/8/8/8/8/8/8/4K3 w - - 70000 1", "1. Kd2").unwrap_err();
        assert!(clock.contains("expected a halfmove clock"), "{clock}");
        assert_eq!(write(format, "4k3/8/8/8/8/8/8/4K3 b - - 12 31", "31... Kd7 32. Kd2"), Ok(2));
    }
    let late = write(Format::Binpack, "4k3/8/8/8/8/8/8/4K3 w - - 0 8193", "Kd2").unwrap_err();
    assert!(late.ends_with("expected a ply below 16384, found 16384"), "{late}");
    // Score differences of more than 16 bits wrap around, as the format defines.
    let far = "1. e4 {[%eval -320]} e5 {[%eval 320]} 2. d4 {[%eval #-1]} d5 {[%eval #1]} 3. c4";
    assert_eq!(write(Format::Binpack, &start, far), Ok(5));
}

/// A game that is rejected half-way adds nothing to the file, whether it is the first game or a later one.
#[test]
fn a_refused_game_leaves_nothing_in_the_file() {
    let start = Fen::START.to_string();
    let right = replayed(&start, "1. e4 e5 2. Nf3 1-0").expect("legal moves");
    let wrong = replayed(&start, "1. d4 d5 2. c4 -- 3. Nc3").expect("a null move is read");
    for format in [Format::Viri, Format::Binpack] {
        let file = |games: &[&Records]| {
            let mut writer = Writer::new(format, Vec::new()).expect("it can be written");
            for &game in games {
                assert_eq!(writer.write(game).is_ok(), std::ptr::eq(game, &raw const right));
            }
            writer.finish().expect("written to memory")
        };
        let expected = file(&[&right, &right]);
        assert_eq!(file(&[&wrong, &right, &wrong, &right, &wrong]), expected, "{format}");
        let records = read(format, &expected);
        assert_eq!(records.moves, [&right.moves[..3], &right.moves[..3]].concat());
    }
}

/// A game without one of its positions would have other positions than the batch.
#[test]
fn a_game_with_a_gap_is_refused() {
    let mut game = replayed(&Fen::START.to_string(), "1. Nf3 Nf6 2. Nc3 Nc6 3. e4").expect("legal");
    game.retain(&[true, true, false, false, true, true]);
    for format in [Format::Viri, Format::Binpack] {
        let mut writer = Writer::new(format, Vec::new()).expect("it can be written");
        let error = writer.write(&game).expect_err("a gap").to_string();
        let expected = format!(
            "expected the position after the move of the row before, found {}",
            game.fen(2)
        );
        assert!(error.ends_with(&expected), "{error}");
    }
}

/// Binpack has a code for a pawn that can be captured en passant. If no pawn can be captured, the square is omitted.
#[test]
fn the_first_position_keeps_a_square_where_a_pawn_can_capture() {
    for (fen, square, played) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Some(43), "exd6"),
        ("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1", Some(43), "Ke2"),
        ("4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1", Some(17), "axb3"),
        ("4k3/8/8/3p4/8/8/4P3/4K3 w - d6 0 1", None, "e4"),
        ("4k3/8/8/p6P/8/8/8/4K3 w - a6 0 1", None, "h6"),
        ("4k3/8/8/8/P6p/8/8/4K3 b - a3 0 1", None, "h3"),
        ("4k3/8/8/3pp3/8/8/8/4K3 w - d6 0 1", None, "Ke2"),
    ] {
        let stated = Fen::parse(fen).expect("a position").en_passant;
        for (format, expected) in [(Format::Viri, stated), (Format::Binpack, square)] {
            let records = written(format, fen, played).expect("a legal move");
            assert_eq!(records.en_passant, [expected], "{format}, {fen}");
            assert_eq!(records.pieces, [Fen::parse(fen).expect("a position").pieces]);
        }
    }
}
