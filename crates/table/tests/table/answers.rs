//! Compares text and boards in Arrow with python-chess's answers.
//!
//! Each row of `answers.tsv.gz` and `stress-answers.tsv.gz` has a FEN, its boards and its maps. The library's
//! `tests/data` has excerpts; the folder that `SETWISE_DATA` names has all.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::common::{Ask, TYPES, cells, text};
use arrow_array::Array;
use flate2::read::GzDecoder;
use setwise_table::{Column, InputColumn, Query};

/// The columns that the answers contain too, with their names in the answers.
fn known() -> Vec<(Column, String)> {
    let kinds = "pawn knight bishop rook queen king all twice";
    let planes = ["count_0 c0", "count_1 c1", "count_2 c2", "count_3 c3"].map(|pair| {
        let (ours, theirs) = pair.split_once(' ').expect("two names");
        (ours.to_owned(), theirs.to_owned())
    });
    let of_a_side: Vec<(String, String)> =
        kinds.split(' ').map(|kind| (kind.to_owned(), kind.to_owned())).chain(planes).collect();
    let sides = [("white", "w"), ("black", "b")];
    let maps = sides.iter().flat_map(|(side, letter)| {
        of_a_side
            .iter()
            .map(move |(ours, theirs)| (format!("{side}_{ours}"), format!("{letter}_{theirs}")))
    });
    let to_move = [("checkers", "checkers"), ("pinned", "pinned_stm")]
        .map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()));
    let boards = BOARDS.map(|name| (name.to_owned(), name.to_owned()));
    let column = |(ours, theirs): (String, String)| (ours.parse().expect("a column"), theirs);
    maps.chain(to_move).chain(boards).map(column).collect()
}

const BOARDS: [&str; 8] =
    ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"];

struct Answers {
    fens: Vec<String>,
    columns: HashMap<String, Vec<u64>>,
}

fn read(path: &Path) -> Answers {
    let wrong = |error: std::io::Error| -> ! { panic!("{}: {error}", path.display()) };
    let file = std::fs::File::open(path).unwrap_or_else(|error| wrong(error));
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    let mut lines = lines.map(|line| line.unwrap_or_else(|error| wrong(error)));
    let header = lines.next().expect("a header row");
    let mut answers = Answers { fens: Vec::new(), columns: HashMap::new() };
    for line in lines {
        let mut cells = line.split('\t');
        answers.fens.push(cells.next().expect("a FEN").to_owned());
        for (name, cell) in header.split('\t').skip(1).zip(cells) {
            let board = u64::from_str_radix(cell, 16).expect("a hexadecimal number");
            answers.columns.entry(name.to_owned()).or_default().push(board);
        }
    }
    answers
}

#[test]
fn columns_agree_with_python_chess() {
    let folder = std::env::var_os("SETWISE_DATA").unwrap_or("../../tests/data".into());
    for (name, least) in [("answers.tsv.gz", 300), ("stress-answers.tsv.gz", 60)] {
        let answers = read(&Path::new(&folder).join(name));
        assert!(answers.fens.len() >= least, "{name} has {} rows", answers.fens.len());
        let known = known();
        let maps = Query::default().columns(known.iter().map(|(column, _)| *column));
        let fens: Vec<Option<&str>> = answers.fens.iter().map(|fen| Some(fen.as_str())).collect();
        for which in 0..TYPES {
            // One type of dictionary limits the number of keys.
            let fens = &fens[..fens.len().min(if which == 7 { 30_000 } else { usize::MAX })];
            let batch = maps.of_text(&text(which, fens)).unwrap().batch;
            for ((column, name), array) in known.iter().zip(batch.columns()) {
                let expected = answers.columns[name][..fens.len()].iter().copied().map(Some);
                assert!(cells(array).into_iter().eq(expected), "{name} ({column}), type {which}");
            }
            if which > 0 {
                continue;
            }
            // The boards from the answers.
            let board = |column: &InputColumn| batch.column_by_name(Column::from(*column).name());
            let boards: [&dyn Array; 8] = std::array::from_fn(|i| {
                &**board(&InputColumn::BOARDS[i]).expect("it was asked for")
            });
            let both = ["white_all", "black_twice"].map(|name| name.parse().expect("a column"));
            let of_boards = Query::default().columns(both).of_boards(boards, None).unwrap();
            for (array, name) in of_boards.columns().iter().zip(["w_all", "b_twice"]) {
                let expected = answers.columns[name].iter().copied().map(Some);
                assert!(cells(array).into_iter().eq(expected), "{name} of boards");
            }
        }
    }
}
