//! Text to sixteen columns: through Arrow, and by a bare loop over the same text, which is what it is to
//! be measured by. Both give the same answers, which are compared first.

use std::hint::black_box;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use criterion::{Criterion, Throughput};
use setwise::{Fen, Kernel, Pieces};
use setwise_table::{Column, Given, Keep, Maps, Plan};

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
        let parts = columns.iter_mut().map(|column| &mut column[rows.clone()]);
        let mut maps: Vec<_> = setwise::Column::DEFAULT
            .iter()
            .zip(parts)
            .map(|(column, part)| column.to(part))
            .collect();
        kernel.fill(&pieces, &mut maps);
    }
    columns
}

fn text(criterion: &mut Criterion) {
    let (kernel, maps, fens) = (Kernel::detect(), Maps::default(), fens());
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
        check(&maps.of_text(array).expect("positions").batch);
        group.bench_function(*name, |bencher| bencher.iter(|| maps.of_text(black_box(array))));
    }
    let table =
        RecordBatch::try_from_iter([("id", arrays[0].1.clone()), ("fen", arrays[0].1.clone())])
            .expect("a table");
    let plan = Plan::new(maps.clone(), table.schema_ref(), None, &Keep::All).expect("a plan");
    check(&plan.maps(&table).expect("positions").batch);
    group.bench_function("table", |bencher| bencher.iter(|| plan.maps(black_box(&table))));

    let boards = Given::ALL[..8].iter().copied().map(Column::Given);
    let boards = maps.clone().columns(boards).of_text(&arrays[0].1).expect("positions").batch;
    let boards: [&dyn Array; 8] = std::array::from_fn(|i| &**boards.column(i));
    check(&maps.of_boards(boards, None).expect("boards"));
    group.bench_function("boards", |bencher| {
        bencher.iter(|| maps.of_boards(black_box(boards), None))
    });
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    text(&mut criterion);
    criterion.final_summary();
}
