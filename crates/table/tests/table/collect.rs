//! Contiguous columns: equal to those of a single call for any chunks, parts and threads; the caller's memory; skipped
//! rows; errors with their rows.

use std::sync::Arc;

use crate::common::{BAD, TYPES, cells, of_fen, sample, text};
use arrow_array::{Array, ArrayRef, Int32Array, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::concat::concat;
use setwise::{Fen, Pieces};
use setwise_formats::Records;
use setwise_nnue::FeatureSet;
use setwise_table::{
    Chunk, Collect, Collected, Column, Error, Input, InputColumn, Keep, OnInvalid, Place, Plan,
    Positions, Query, Sets,
};

fn query() -> Query {
    let others = [InputColumn::Fen, InputColumn::Line, InputColumn::Rest].map(Column::from);
    let lists = ["threats", "black_features"].map(|name| name.parse().unwrap());
    let columns = of_fen().into_iter().chain(others).chain(lists);
    Query::default()
        .columns(columns)
        .feature_set(Some(&FeatureSet::STOCKFISH_THREATS_2026_08))
        .report_all(true)
}

fn collect<C: Chunk>(plan: &Plan, chunks: &[C]) -> Result<Collected, Error> {
    plan.collect(chunks, Collect { check: &mut || Ok(()), advise: |_| {} })
}

/// The sample, with invalid rows and nulls in between.
fn rows() -> Vec<Option<&'static str>> {
    let rows = sample().into_iter().cycle().take(1500).enumerate();
    rows.map(|(row, fen)| match row % 19 {
        5 => None,
        7 | 8 => Some(BAD[row % BAD.len()]),
        _ => Some(fen),
    })
    .collect()
}

#[test]
fn parts_chunks_and_threads_do_not_change_columns() {
    let all = rows();
    for (which, on_invalid) in (0..TYPES).zip([OnInvalid::Skip, OnInvalid::Null].iter().cycle()) {
        let query = query().on_invalid(*on_invalid);
        for (rows, chunk, part, threads) in
            [(1500, 1500, 400, 3), (100, 1, 1, 1), (1500, 617, 2048, 2), (1500, 500, 64, 8)]
        {
            let rows = &all[..rows];
            let whole = text(which, rows);
            let expected = query.plan(&Input::column()).unwrap().text(&whole).unwrap();
            let chunks: Vec<ArrayRef> = (0..rows.len())
                .step_by(chunk)
                .map(|start| whole.slice(start, chunk.min(rows.len() - start)))
                .collect();
            let query = query.clone().part_rows(Some(part)).threads(Some(threads));
            let got = collect(&query.plan(&Input::column()).unwrap(), &chunks).unwrap();
            assert_eq!(got.rows, expected.batch.num_rows());
            for (got, expected) in got.columns.iter().zip(expected.batch.columns()) {
                assert_eq!(got, expected, "{on_invalid:?}, chunks of {chunk}, parts of {part}");
            }
            let invalid: Vec<u64> = got.report.bad_rows.iter().map(|bad| bad.row).collect();
            let bad = |(row, text): (usize, &Option<&str>)| {
                text.filter(|text| Fen::parse(text).is_err()).map(|_| row)
            };
            let wanted: Vec<usize> = rows.iter().enumerate().filter_map(bad).collect();
            assert!(invalid.iter().map(|&row| row as usize).eq(wanted.iter().copied()));
            let skips = *on_invalid == OnInvalid::Skip;
            assert_eq!(got.skipped, if skips { wanted } else { vec![] });
        }
    }
}

#[test]
fn the_first_invalid_row_is_named() {
    let mut rows: Vec<_> = sample().into_iter().cycle().take(30_000).map(Some).collect();
    (rows[20_011], rows[29_000]) = (Some("8/8"), Some("x"));
    let chunks = [text(0, &rows[..13_000]), text(2, &rows[13_000..])];
    for threads in [1, 2, 8, usize::MAX] {
        let plan = Query::default().threads(Some(threads)).plan(&Input::column()).unwrap();
        let error = collect(&plan, &chunks).unwrap_err().to_string();
        assert!(error.starts_with("row 20011, character 4: expected 8 ranks"), "{error}");
    }
}

#[test]
fn values_are_written_to_the_callers_memory() {
    let fens: Vec<Fen> = sample().into_iter().map(|fen| fen.parse().unwrap()).collect();
    let fens: Vec<Fen> = fens.iter().copied().cycle().take(20_000).collect();
    let pieces: Vec<Pieces> = fens.iter().map(|fen| fen.pieces).collect();
    let mut state = Records::new();
    state.turn = fens.iter().map(|fen| fen.turn).collect();
    let rows: Vec<[u64; 8]> = pieces.iter().map(|pieces| pieces.sets()).collect();
    let columns: [Vec<u64>; 8] = std::array::from_fn(|i| rows.iter().map(|row| row[i]).collect());
    let names = ["white_all", "checkers", "black_mobility_queen", "turn"];
    let names = names.map(|name| name.parse::<Column>().unwrap());
    let query = Query::default().columns(names);
    let whole = Positions { boards: Sets::Pieces(&pieces), state: Some(&state), nulls: None };
    let expected =
        query.plan(&Input::boards(&[InputColumn::Turn])).unwrap().chunk(&whole).unwrap().batch;
    let sets = std::array::from_fn(|i| &columns[i][..]);
    for boards in [whole.boards, Sets::Rows(&rows), Sets::Columns(Pieces::from_sets(sets))] {
        for threads in [1, 3] {
            let plan = query
                .clone()
                .threads(Some(threads))
                .plan(&Input::boards(&[InputColumn::Turn]))
                .unwrap();
            let (mut all, mut checkers) = (vec![7_u64; 20_000], vec![7_u64; 20_000]);
            let (mut mobility, mut turn) = (vec![7_u16; 20_000], vec![7_u8; 20_000]);
            let places = vec![
                Place::from(&mut all[..]),
                Place::from(&mut checkers[..]),
                Place::from(&mut mobility[..]),
                Place::from(&mut turn[..]),
            ];
            let chunks = [Positions { boards, state: Some(&state), nulls: None }];
            plan.collect_into(&chunks, places, &mut || Ok::<(), Error>(())).unwrap();
            let cells_of = |column: usize| cells(expected.column(column)).into_iter().flatten();
            assert!(all.into_iter().eq(cells_of(0)) && checkers.into_iter().eq(cells_of(1)));
            assert!(mobility.into_iter().map(u64::from).eq(cells_of(2)));
            assert!(turn.into_iter().map(u64::from).eq(cells_of(3)));
        }
    }
}

#[test]
fn columns_are_appended_to_each_batch_of_a_table() {
    let rows = rows();
    let batch = |range: std::ops::Range<usize>| {
        let ids = Int32Array::from_iter_values(range.clone().map(|row| row as i32));
        RecordBatch::try_from_iter_with_nullable([
            ("id", Arc::new(ids) as ArrayRef, false),
            ("fen", text(0, &rows[range]), true),
        ])
        .unwrap()
    };
    let batches = [batch(0..700), batch(700..700), batch(700..703), batch(703..1500)];
    for on_invalid in [OnInvalid::Null, OnInvalid::Skip] {
        let input = Input::table(batches[0].schema_ref(), None, &Keep::All).unwrap();
        let query = Query::default().on_invalid(on_invalid).part_rows(Some(512)).threads(Some(2));
        let plan = query.plan(&input).unwrap();
        let collected = collect(&plan, &batches).unwrap();
        let tables = collected.append_to(&plan, &batches).unwrap();
        assert_eq!(tables.len(), batches.len());
        let expected: Vec<RecordBatch> =
            batches.iter().map(|batch| plan.chunk(batch).unwrap().batch).collect();
        assert_eq!(tables, expected);
    }
}

#[test]
fn the_callback_can_stop_the_work() {
    let fens = text(0, &vec![sample().first().copied(); 500_000]);
    let plan =
        Query::default().threads(Some(2)).part_rows(Some(16)).plan(&Input::column()).unwrap();
    let stop = || Err(Error::Arrow(ArrowError::ComputeError("stopped".to_owned())));
    let asked = plan.collect(&[fens], Collect { check: &mut { stop }, advise: |_| {} });
    // `check` is not called if all rows take less than a twentieth of a second.
    assert!(asked.is_ok() || asked.is_err_and(|error| error.to_string().contains("stopped")));
}

#[test]
fn lists_of_no_rows_are_empty() {
    let plan = query().plan(&Input::column()).unwrap();
    let none = collect::<ArrayRef>(&plan, &[]).unwrap();
    assert_eq!((none.rows, none.columns.len()), (0, plan.columns().len()));
    let empty: Vec<&dyn Array> = none.columns.iter().map(|column| &**column).collect();
    assert!(empty.iter().all(|column| column.is_empty() && concat(&[*column]).is_ok()));
}
