//! Compares games written by python-chess with the positions that python-chess reads from them.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use setwise_formats::Records;
use setwise_formats::pgn::{Options, Rows, Score};

use crate::pgn::oracles;

/// The contents of a gzip file of the tests.
pub(crate) fn unpacked(name: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    unpacked_at(&data.join(name))
}

fn unpacked_at(path: &Path) -> String {
    let file = std::fs::File::open(path).expect("the file is there");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

/// Formats a row as in the expected table; castling is the king's move to its rook.
fn answer(rows: &Rows, game: usize, row: usize) -> String {
    let time = |time: Option<u32>| time.map(|ms| ms.to_string()).unwrap_or_default();
    let fen = rows.records.fen(row).to_string();
    let uci = rows.records.moves[row].map(|played| format!("{played:#}"));
    let eval = match rows.eval[row] {
        Some(Score::Centipawns(value)) => value.to_string(),
        Some(Score::Mate(moves)) => format!("#{moves}"),
        None => String::new(),
    };
    let result = match rows.games[game].result {
        Some(1) => "1-0",
        Some(0) => "1/2-1/2",
        Some(_) => "0-1",
        None => "*",
    };
    [
        &rows.games[game].number.to_string()[..],
        &fen,
        &uci.unwrap_or_default(),
        rows.san.get(row).unwrap_or_default(),
        &time(rows.clock[row]),
        &time(rows.elapsed[row]),
        &eval,
        result,
        rows.tags[0].get(game).unwrap_or_default(),
    ]
    .join("\t")
}

/// Writes the FEN of an expected row like ours: in Chess960 games, castling rights are file letters.
fn as_written(line: &str, chess960: bool) -> String {
    if !chess960 {
        return line.to_string();
    }
    let mut fields: Vec<String> = line.split('\t').map(String::from).collect();
    fields[1] = fields[1].parse::<setwise::Fen>().expect("a position").to_string();
    fields.join("\t")
}

fn compare(pgn: &str, answers: &str) {
    let mut options = Options::default();
    options.san = true;
    options.tags = vec!["White".into()];
    let rows = oracles::read(pgn.as_bytes(), options, 1 << 16).expect("right games");
    let mut answers = answers.lines();
    let mut compared = 0;
    for (game, about) in rows.games.iter().enumerate() {
        assert!(about.complete);
        for row in about.first_row..about.first_row + about.rows {
            let expected = as_written(answers.next().expect("an answer"), about.chess960);
            assert_eq!(answer(&rows, game, row), expected, "row {row}");
            let white = about.result;
            let of_mover =
                if rows.records.turn[row] as usize == 0 { white } else { white.map(|r| -r) };
            assert_eq!(rows.records.result[row], of_mover.unwrap_or(Records::NO_RESULT));
            assert_eq!(rows.records.ply[row] as usize, row - about.first_row);
            assert_eq!(rows.game[row], about.number);
            compared += 1;
        }
    }
    assert_eq!(answers.next(), None);
    assert_eq!(compared, rows.len());
}

#[test]
fn every_position_is_that_of_python_chess() {
    compare(&unpacked("games.pgn.gz"), &unpacked("games.pgn.tsv.gz"));
}

/// `tests/data/games.py 1500 28 60 large.pgn large.tsv`, packed, in the folder of `SETWISE_GAMES`.
#[test]
#[ignore = "takes minutes, and needs a folder of games"]
fn every_position_of_long_games_is_that_of_python_chess() {
    let Ok(folder) = std::env::var("SETWISE_GAMES") else {
        return eprintln!("SKIPPED: long games of python-chess's: no SETWISE_GAMES");
    };
    let pgn = unpacked_at(&Path::new(&folder).join("large.pgn.gz"));
    compare(&pgn, &unpacked_at(&Path::new(&folder).join("large.tsv.gz")));
}

/// The capture of a rook in its corner removes its castling right, whatever piece captures it.
#[test]
fn captured_rooks_do_not_castle() {
    for (fen, text) in [
        ("r3k3/1P6/8/8/8/8/8/4K3 w q - 0 1", "bxa8=Q+"),
        ("r3k3/8/8/8/4B3/8/8/4K3 w q - 0 1", "Bxa8"),
        ("4k3/8/8/8/8/8/6p1/4K2R b K - 0 1", "gxh1=N"),
        ("4k3/8/8/8/8/6n1/8/4K2R b K - 0 1", "Nxh1"),
    ] {
        let game = format!("[FEN \"{fen}\"]\n\n{text} *\n");
        let rows = oracles::read(game.as_bytes(), Options::default(), 1 << 16).expect("legal");
        let files =
            |row: usize| [rows.records.castling[row].white, rows.records.castling[row].black];
        assert_ne!(files(0), [0, 0], "{fen}");
        assert_eq!(files(1), [0, 0], "{fen}");
    }
}
