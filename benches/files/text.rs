//! Text to sixteen columns: through Arrow, and by a bare loop over the same text, which is what it is to
//! be measured by. Both give the same answers, which are compared first.
//!
//! And games to sixteen columns, beside the same positions from text. `SETWISE_GAMES` names a PGN file to take in place of
//! the games of the tests, whose comments and variations are longer than the moves.

use std::hint::black_box;
use std::io::{Cursor, Read};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use criterion::{Criterion, Throughput};
use setwise::{Fen, Kernel, Pieces};
use setwise_table::{
    BoardArrays, Column, Error, GameSource, Input, InputColumn, Keep, LineRun, Lines, Part, Plan,
    Query, Source,
};

/// Rows of a batch, as the program has them.
const ROWS: usize = 128 * 1024;

/// Positions that the loop holds at a time, as the crate does.
const CHUNK: usize = 2048;

/// The sample again and again.
fn fens() -> Vec<&'static str> {
    include_str!("../../data/sample.epd").lines().cycle().take(ROWS).collect()
}

/// What somebody writes who has lines of text and the library.
fn bare(kernel: Kernel, fens: &[&str]) -> Vec<Vec<u64>> {
    let mut columns = vec![vec![0; fens.len()]; setwise::Column::DEFAULT.len()];
    let mut pieces: Vec<Pieces> = Vec::with_capacity(CHUNK);
    for (chunk, fens) in fens.chunks(CHUNK).enumerate() {
        pieces.clear();
        pieces.extend(fens.iter().map(|fen| Fen::parse(fen).expect("a position").pieces));
        let rows = chunk * CHUNK..chunk * CHUNK + fens.len();
        let maps = setwise::Column::DEFAULT.iter().zip(&mut columns);
        let mut maps: Vec<_> =
            maps.map(|(column, values)| column.to(&mut values[rows.clone()])).collect();
        kernel.fill(&pieces, &mut maps);
    }
    columns
}

pub fn text(criterion: &mut Criterion) {
    let (kernel, query, fens) = (Kernel::detect(), Query::default(), fens());
    let maps = query.plan(&Input::column()).expect("a plan");
    let dictionary: DictionaryArray<Int32Type> = fens.iter().copied().collect();
    let arrays: [(&str, ArrayRef); 4] = [
        ("utf8", Arc::new(StringArray::from(fens.clone()))),
        ("large_utf8", Arc::new(LargeStringArray::from(fens.clone()))),
        ("utf8_view", Arc::new(StringViewArray::from(fens.clone()))),
        ("dictionary", Arc::new(dictionary)),
    ];
    let answers = bare(kernel, &fens);
    let check = |batch: &RecordBatch| {
        for (array, answers) in batch.columns().iter().rev().zip(answers.iter().rev()) {
            assert_eq!(array.as_primitive::<UInt64Type>().values()[..], answers[..]);
        }
    };

    let mut group = criterion.benchmark_group("sixteen_columns");
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("loop", |bencher| bencher.iter(|| bare(kernel, black_box(&fens))));
    for (name, array) in &arrays {
        check(&maps.text(array).expect("positions").batch);
        group.bench_function(*name, |bencher| bencher.iter(|| maps.text(black_box(array))));
    }
    let table =
        RecordBatch::try_from_iter([("id", arrays[0].1.clone()), ("fen", arrays[0].1.clone())])
            .expect("a table");
    let input = Input::table(table.schema_ref(), None, &Keep::All).expect("a table");
    let plan = query.plan(&input).expect("a plan");
    check(&plan.chunk(&table).expect("positions").batch);
    group.bench_function("table", |bencher| bencher.iter(|| plan.chunk(black_box(&table))));

    let boards = query.clone().columns(InputColumn::BOARDS.map(Column::Input));
    let boards = boards.plan(&Input::column()).expect("a plan").text(&arrays[0].1);
    let boards = boards.expect("positions").batch;
    let boards: [&dyn Array; 8] = std::array::from_fn(|i| &**boards.column(i));
    let of_boards = query.plan(&Input::boards(false)).expect("a plan");
    let chunk = || BoardArrays::new(boards, None).expect("boards");
    check(&of_boards.chunk(&chunk().positions()).expect("boards").batch);
    group.bench_function("boards", |bencher| {
        bencher.iter(|| of_boards.chunk(&black_box(chunk()).positions()))
    });
    group.finish();
}

/// The columns of all parts, one part after the other.
fn read(plan: &Plan, mut next: impl FnMut() -> Option<Part<'static>>) -> Vec<RecordBatch> {
    std::iter::from_fn(|| next().map(|part| plan.read(part).expect("positions").batch)).collect()
}

pub fn games(criterion: &mut Criterion) {
    let mut pgn = Vec::new();
    match std::env::var("SETWISE_GAMES") {
        Ok(path) => pgn = std::fs::read(path).expect("a file"),
        Err(_) => {
            let games = &include_bytes!("../../crates/formats/tests/data/games.pgn.gz")[..];
            flate2::read::GzDecoder::new(games).read_to_end(&mut pgn).expect("gzip");
        }
    }
    let of_games = |columns: &[Column], keep| {
        let query = Query::default().columns(columns.iter().copied());
        query.plan(&Input::games(keep).expect("a plan")).expect("a plan")
    };
    let read_games = |plan: &Plan, pgn: &Vec<u8>| {
        let mut source = GameSource::new(Cursor::new(pgn), "");
        // As many rows as the program takes for Parquet.
        read(plan, || Source::<Error>::next(&mut source, 8192, 1 << 24).expect("games"))
    };
    let fens = read_games(&of_games(&[InputColumn::Fen.into()], &Keep::None), &pgn);
    let parts: Vec<(String, usize)> = fens
        .iter()
        .map(|batch| {
            let fens = batch.column(0).as_string::<i32>();
            (fens.iter().flatten().map(|fen| format!("{fen}\n")).collect(), fens.len())
        })
        .collect();
    let positions = parts.iter().map(|(_, rows)| *rows as u64).sum();
    let of_text = Query::default().plan(&Input::text()).expect("a plan");
    let read_text = |parts: &Vec<(String, usize)>| {
        let mut parts = parts.iter();
        read(&of_text, || {
            parts.next().map(|(text, count)| {
                let runs = vec![LineRun { input: "".into(), first: 1, end: text.len() }];
                Lines { text: text.clone().into_bytes(), runs, count: *count }.into_part()
            })
        })
    };
    let maps: Vec<Column> = setwise::Column::DEFAULT.iter().map(|&column| column.into()).collect();
    let plan = of_games(&maps, &Keep::None);
    let (of_lines, of_pgn) = (read_text(&parts), read_games(&plan, &pgn));
    assert!(of_lines.iter().map(|b| b.columns()).eq(of_pgn.iter().map(|b| b.columns())));

    let mut group = criterion.benchmark_group("games");
    group.throughput(Throughput::Elements(positions));
    group.bench_function("fen", |bencher| bencher.iter(|| read_text(black_box(&parts))));
    group.bench_function("pgn", |bencher| bencher.iter(|| read_games(&plan, black_box(&pgn))));
    let plan = of_games(&maps, &Keep::All);
    group.bench_function("pgn and its columns", |bencher| {
        bencher.iter(|| read_games(&plan, black_box(&pgn)))
    });
    group.finish();
}
