//! Compares the counts of squares in sets with counts made square by square.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use setwise::Fen;
use setwise_formats::Records;
use setwise_table::{
    Column, Error, Heat, HeatByPly, HeatPlan, Input, InputColumn, Keep, OnInvalid, Query,
};

const SAMPLE: &str = include_str!("../../../../data/sample.epd");

fn columns() -> Vec<Column> {
    ["white_all", "pinned", "black_pawn", "white_twice"].map(|name| name.parse().unwrap()).into()
}

/// The sample with move numbers, some of them extreme.
fn fens() -> Vec<Fen> {
    let number = |row: u32| match row % 100 {
        0 => u32::MAX,
        1 => 0,
        _ => row % 40,
    };
    let fens = (0..).zip(SAMPLE.lines().map(|line| line.parse().unwrap()));
    fens.map(|(row, fen): (u32, Fen)| Fen { fullmove_number: number(row), ..fen }).collect()
}

/// The positions with their sets.
fn with_sets(fens: Vec<Fen>) -> Vec<(Fen, Vec<u64>)> {
    let sets = |fen: &Fen| columns().iter().map(|one| one.value(fen).unwrap() as u64).collect();
    fens.into_iter().map(|fen| (fen, sets(&fen))).collect()
}

fn expected(rows: &[(Fen, Vec<u64>)], plies: Option<u32>) -> HeatByPly {
    let mut all = BTreeMap::<u32, Heat>::new();
    for (fen, sets) in rows {
        let ply = 2 * u64::from(fen.fullmove_number.max(1) - 1) + fen.turn as u64;
        let ply = u32::try_from(ply).unwrap_or(u32::MAX);
        let heat = all.entry(plies.map_or(0, |plies| ply / plies * plies)).or_default();
        heat.rows += 1;
        heat.squares.resize(sets.len(), [0; 64]);
        for (squares, set) in heat.squares.iter_mut().zip(sets) {
            (0..64).for_each(|square| squares[square] += set >> square & 1);
        }
    }
    all
}

fn go_on() -> impl FnMut() -> Result<(), Error> {
    || Ok(())
}

#[test]
fn squares_of_text_are_counted() {
    let fens = with_sets(fens());
    // More rows than a byte can count, and more than a task has, with nulls and invalid rows.
    let valid: Vec<_> = fens.iter().chain(fens.iter().cycle().take(9000)).cloned().collect();
    let mut text: Vec<_> = valid.iter().map(|(fen, _)| Some(fen.to_string())).collect();
    text.insert(500, None);
    text.insert(9000, Some("no position".to_owned()));
    let chunk = |part: &[Option<String>]| Arc::new(StringArray::from(part.to_vec())) as ArrayRef;
    let chunks = [chunk(&text[..100]), chunk(&[]), chunk(&text[100..])];
    for plies in [None, Some(1), Some(10), Some(u32::MAX), Some(0)] {
        let expected = expected(&valid, plies.map(|plies| plies.max(1)));
        for (threads, on_invalid) in [(1, OnInvalid::Skip), (3, OnInvalid::Null)] {
            let query = Query::default().columns(columns()).signed(threads == 3);
            let query = query.threads(Some(threads)).on_invalid(on_invalid);
            let heat = HeatPlan::new(&query, &Input::column(), plies).unwrap();
            assert_eq!(heat.collect(&chunks, &mut go_on()).unwrap(), expected, "{plies:?}");
        }
    }
    let query = Query::default().columns(columns());
    // Numbers, lists and columns that the input lacks are left out if only a pattern selects them.
    let others = ["white_mobility_pawn", "threats", "result"].map(|name| name.parse().unwrap());
    let more = query.clone().columns(columns().into_iter().chain(others));
    let heat = HeatPlan::new(&more.clone().optional(others), &Input::column(), None).unwrap();
    assert_eq!(heat.columns(), columns());
    for query in [more, query.clone().columns(others).optional(others)] {
        let error = HeatPlan::new(&query, &Input::column(), None).err().unwrap().to_string();
        assert!(error.contains("`white_mobility_pawn` holds UInt16"), "{error}");
    }
    // A pattern may also select what the ply is computed from.
    let of_ply = ["fullmove_number".parse().unwrap()];
    let more = query.clone().columns(columns().into_iter().chain(of_ply)).optional(of_ply);
    let error = HeatPlan::new(&more, &Input::boards(&InputColumn::STATE[..1]), Some(10)).err();
    assert_eq!(error.unwrap().to_string(), "column `fullmove_number` is not in this input");
    let heat = HeatPlan::new(&query, &Input::column(), None).unwrap();
    let error = heat.collect(&chunks, &mut go_on()).unwrap_err().to_string();
    assert!(error.starts_with("row 9000, character 2: "), "{error}");
    assert_eq!(heat.collect::<ArrayRef, _>(&[], &mut go_on()).unwrap(), HeatByPly::new());

    // A position without a move number has no ply.
    let texts =
        ["- 0 2", "-", "- hmvc 3;", "- 3"].map(|end| format!("7k/8/8/8/8/8/8/K7 w - {end}"));
    for (plies, first, rows) in [(None, 0, 4), (Some(2), 2, 1)] {
        let heat = HeatPlan::new(&query, &Input::column(), plies).unwrap();
        let counted = heat.collect(&[chunk(&texts.clone().map(Some))], &mut go_on()).unwrap();
        assert_eq!((counted.len(), counted[&first].rows), (1, rows));
    }
}

#[test]
fn squares_of_tables_and_records_are_counted() {
    let fens = fens();
    let rows = with_sets(fens.clone());
    let by_ply = expected(&rows, Some(10));
    let text: Vec<String> = fens.iter().map(Fen::to_string).collect();
    let numbers: ArrayRef = Arc::new(arrow_array::Int32Array::from_iter_values(0..1000));
    let fen: ArrayRef = Arc::new(StringArray::from(text));
    let table = RecordBatch::try_from_iter([("n", numbers), ("fen", fen)]).unwrap();
    let query = Query::default().columns(columns());
    for keep in [Keep::All, Keep::None] {
        let input = Input::table(&table.schema(), None, &keep).unwrap();
        let heat = HeatPlan::new(&query, &input, Some(10)).unwrap();
        assert_eq!(heat.collect(std::slice::from_ref(&table), &mut go_on()).unwrap(), by_ply);
        let batch = heat.plan().chunk(&table).unwrap().batch;
        assert_eq!(heat.count(&batch), by_ply);
    }

    // The ply of a record takes precedence.
    let mut records = Records::new();
    fens.iter().for_each(|fen| records.push_fen(fen));
    let format = setwise_formats::Format::PackedSfen;
    records.format = Some(format);
    records.ply = (0..1000).map(|row| row % 50).collect();
    (records.score, records.result) = (vec![0; 1000], vec![0; 1000]);
    (records.moves, records.extra) = (vec![None; 1000], vec![0; 1000]);
    let input = Input::records(format, &Keep::All).unwrap();
    let heat = HeatPlan::new(&query, &input, Some(20)).unwrap();
    let counted = heat.collect(&[records], &mut go_on()).unwrap();
    assert_eq!(counted.keys().copied().collect::<Vec<_>>(), [0, 20, 40]);
    let all = counted.values().fold([0; 64], |sum, heat| {
        std::array::from_fn(|square| sum[square] + heat.squares[0][square])
    });
    assert_eq!(all, expected(&rows, None)[&0].squares[0]);
    assert_eq!(counted[&40].rows, 200);
}

#[test]
fn squares_that_are_in_every_set_are_counted() {
    let boards = vec![setwise::Pieces::START; 10_000];
    let positions = setwise_table::Positions {
        boards: setwise_table::Sets::Pieces(&boards),
        state: None,
        nulls: None,
    };
    let query = Query::default().columns(["white_all".parse().unwrap()]);
    let heat = HeatPlan::new(&query, &Input::boards(&[]), None).unwrap();
    let counted = heat.collect(&[positions], &mut go_on()).unwrap();
    let expected = |square: u64| 10_000 * (0xffff7e >> square & 1);
    assert_eq!(counted[&0].squares[0], std::array::from_fn(|square| expected(square as u64)));
}

#[test]
fn columns_without_squares_are_errors() {
    let heat = |column: Column, input: &Input, plies| {
        HeatPlan::new(&Query::default().columns([column]), input, plies).err().unwrap().to_string()
    };
    let counted = "white_mobility_queen".parse().unwrap();
    let error = heat(counted, &Input::text(), None);
    assert_eq!(error, "column `white_mobility_queen` holds UInt16, expected sets of squares");
    assert!(
        heat(InputColumn::Line.into(), &Input::text(), None).contains("expected sets of squares")
    );
    let board = "white_all".parse().unwrap();
    let error = heat(board, &Input::boards(&[InputColumn::Turn]), Some(10));
    assert_eq!(error, "column `fullmove_number` is not in this input");
}
