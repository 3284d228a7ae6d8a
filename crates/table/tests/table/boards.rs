//! Boards in columns: results equal to those of text, nulls in any column, and errors.

use std::sync::Arc;

use crate::common::{Ask, cells, of_fen, sample, text};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, UInt8Array, UInt64Array};
use setwise::{Colour, Fen, Pieces};
use setwise_table::{Column, Input, InputColumn, OnInvalid, Query};

/// All columns that can be computed from boards and the side to move.
fn told() -> Vec<Column> {
    of_fen()
        .into_iter()
        .filter(|column| Input::boards(&[InputColumn::Turn]).is_available(*column))
        .collect()
}

fn boards_and_turn(batch: &RecordBatch) -> ([&dyn Array; 8], &dyn Array) {
    let column = |given: &InputColumn| -> &dyn Array {
        batch.column_by_name(Column::from(*given).name()).expect("it was asked for")
    };
    (std::array::from_fn(|i| column(&InputColumn::BOARDS[i])), column(&InputColumn::Turn))
}

#[test]
fn boards_have_the_columns_of_their_text() {
    let fens = text(0, &sample().into_iter().map(Some).collect::<Vec<_>>());
    for signed in [false, true] {
        let maps = Query::default().columns(told()).signed(signed);
        let of_text = maps.of_text(&fens).unwrap().batch;
        for (start, rows, chunk) in
            [(0, 1000, 2048), (0, 1000, 64), (1, 700, 63), (7, 1, 1), (9, 0, 5)]
        {
            let part = of_text.slice(start, rows);
            let (boards, turn) = boards_and_turn(&part);
            let of_boards = maps.clone().chunk_rows(chunk).of_boards(boards, Some(turn)).unwrap();
            assert_eq!(
                of_boards.columns(),
                part.columns(),
                "{rows} rows from {start} on, {chunk} at a time"
            );
        }
        let fens = sample().into_iter().map(|fen| Fen::parse(fen).unwrap());
        let (pieces, turns): (Vec<Pieces>, Vec<Colour>) =
            fens.map(|fen| (fen.pieces, fen.turn)).unzip();
        let of_pieces = maps.clone().chunk_rows(100).of_pieces(&pieces, &turns).unwrap();
        assert_eq!(of_pieces.columns(), of_text.columns());
    }
}

#[test]
fn a_row_is_null_if_one_board_is() {
    const ROWS: usize = 100;
    let rows: Vec<_> = sample().into_iter().take(ROWS).map(Some).collect();
    let maps = Query::default().columns(told()).chunk_rows(16);
    let whole = maps.of_text(&text(0, &rows)).unwrap().batch;
    let (boards, turn) = boards_and_turn(&whole);
    for which in 0..9 {
        let null = |row: usize| row % 9 == which;
        let holed = |array: &dyn Array| -> ArrayRef {
            let cells = cells(array).into_iter().enumerate();
            let cells = cells.map(|(row, cell)| cell.filter(|_| !null(row)));
            if which == 8 {
                // The value of a null turn is arbitrary.
                let nulls = (0..ROWS).map(|row| !null(row)).collect();
                let turns = cells.map(|turn| turn.map_or(77, |turn| turn as u8)).collect();
                Arc::new(UInt8Array::new(turns, Some(nulls)))
            } else {
                Arc::new(cells.collect::<UInt64Array>())
            }
        };
        let mut boards = boards;
        let (mut turn, one) = (turn, holed(if which == 8 { turn } else { boards[which] }));
        if which == 8 {
            turn = &one
        } else {
            boards[which] = &one
        }
        let got = maps.of_boards(boards, Some(turn)).unwrap();
        for (i, column) in got.columns().iter().enumerate() {
            let expected = cells(whole.column(i)).into_iter().enumerate();
            let expected: Vec<_> =
                expected.map(|(row, cell)| cell.filter(|_| !null(row))).collect();
            assert_eq!(cells(column), expected, "{}", got.schema().field(i));
        }
    }
}

#[test]
fn columns_that_boards_lack_are_errors() {
    let board = UInt64Array::from(vec![0, 1, 2]);
    let boards: [&dyn Array; 8] = [&board; 8];
    let (turn, short) = (UInt8Array::from(vec![0, 1, 0]), UInt64Array::from(vec![0, 1]));
    let maps = |name: &str| Query::default().columns([name.parse().unwrap()]);
    let error = |name: &str, boards, turn: Option<&dyn Array>| {
        maps(name).of_boards(boards, turn).unwrap_err().to_string()
    };
    for name in ["checkers", "pinned", "turn"] {
        let expected = format!("column `{name}` is not in this input");
        assert_eq!(error(name, boards, None), expected);
        assert!(maps(name).of_boards(boards, Some(&turn)).is_ok());
    }
    for name in
        ["castling_white", "castling_black", "en_passant", "halfmove_clock", "fullmove_number"]
    {
        let expected = format!("column `{name}` is not in this input");
        assert_eq!(error(name, boards, Some(&turn)), expected);
        assert_eq!(maps(name).of_pieces(&[], &[]).unwrap_err().to_string(), expected);
    }
    let mut other = boards;
    other[3] = &short;
    assert_eq!(error("pawns", other, None), "column `rooks` has 2 rows, expected 3");
    other[3] = &turn;
    assert_eq!(
        error("pawns", other, None),
        "column `rooks` holds UInt8, expected boards (UInt64 or Int64)"
    );
    assert_eq!(error("pawns", boards, Some(&short)), "column `turn` has 2 rows, expected 3");
    assert_eq!(
        error("pawns", boards, Some(&board)),
        "column `turn` holds UInt64, expected turns (UInt8 or Int8)"
    );
    let odd = UInt8Array::from(vec![0, 1, 2]);
    assert_eq!(
        error("pawns", boards, Some(&odd)),
        "column `turn`, row 2: expected 0 (white) or 1 (black), found 2"
    );
}

#[test]
fn signed_boards_are_boards() {
    let board = |row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let unsigned = UInt64Array::from_iter_values((0..100).map(board));
    let signed = Int64Array::from_iter_values((0..100).map(|row| board(row) as i64));
    let [of_unsigned, of_signed] = [&unsigned as &dyn Array, &signed].map(|array| {
        let part = array.slice(3, 90);
        Query::default().on_invalid(OnInvalid::Skip).of_boards([&part; 8], None).unwrap()
    });
    assert_eq!(of_unsigned, of_signed);
}

#[test]
#[should_panic = "there are 2 turns, but 1 positions"]
fn turns_without_positions() {
    let _ = Query::default().of_pieces(&[Pieces::START], &[Colour::White; 2]);
}
