//! Public data sets whose columns are Arrow lists.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt32Type};
use arrow_array::{ArrayRef, Int32Array, ListArray, RecordBatch, StringArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::Field;
use setwise_table::{DataSet, DataSetChoice, Input, InputColumn, Query, TableOptions};

fn list(items: ArrayRef, lengths: &[usize]) -> ArrayRef {
    let field = Arc::new(Field::new("item", items.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(lengths.iter().copied());
    Arc::new(ListArray::new(field, offsets, items, None))
}

fn structs(columns: &[(&str, ArrayRef)]) -> ArrayRef {
    let field = |(name, column): &(&str, ArrayRef)| {
        (Arc::new(Field::new(*name, column.data_type().clone(), true)), Arc::clone(column))
    };
    Arc::new(StructArray::from(columns.iter().map(field).collect::<Vec<_>>()))
}

#[test]
fn of_equal_depth_the_first_evaluation_counts() {
    // Evaluations of three positions: depth, and the scores of their variations.
    let depths = [9, 20, 20, 30, 30, 30, 7];
    let scores: ArrayRef = Arc::new(Int32Array::from_iter_values(0..2 * depths.len() as i32));
    let variations = list(structs(&[("cp", scores)]), &[2; 7]);
    let depths: ArrayRef = Arc::new(Int32Array::from(depths.to_vec()));
    let evals = list(structs(&[("depth", depths), ("pvs", variations)]), &[3, 3, 1]);
    let fens: ArrayRef = Arc::new(StringArray::from(vec!["4k3/8/8/8/8/8/8/4K3 w - -"; 3]));
    let batch = RecordBatch::try_from_iter([("fen", fens), ("evals", evals)]).expect("a table");
    let options = TableOptions { wanted: vec![InputColumn::Score], ..TableOptions::default() };
    let input = Input::of_table(&batch.schema(), &options).expect("a preset");
    let query = Query::default().columns([InputColumn::Score.into()]);
    let output = query.plan(&input).expect("a plan").chunk(&batch).expect("scores").batch;
    let scores = output.column_by_name("score").expect("scores").as_primitive::<Int32Type>();
    assert_eq!(scores.values()[..], [2, 6, 12]);
}

#[test]
fn clocks_do_not_wrap() {
    let fen = "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535";
    let columns = ["PuzzleId", "FEN", "Moves"].into_iter().zip(["a", fen, "e8e7 e1e2"]);
    let column = |(name, cell)| (name, Arc::new(StringArray::from(vec![cell])) as ArrayRef);
    let batch = RecordBatch::try_from_iter(columns.map(column)).expect("a table");
    for (fen, clock, number) in [(None, 65_536, 65_536), (Some("FEN"), 65_535, 65_535)] {
        let fen = fen.map(str::to_owned);
        let options = TableOptions { fen, ..TableOptions::default() };
        let input = Input::of_table(&batch.schema(), &options).expect("a table");
        let names = ["halfmove_clock", "fullmove_number"];
        let query = Query::default().columns(names.map(|name| name.parse().expect("a column")));
        let output = query.plan(&input).expect("a plan").chunk(&batch).expect("a position").batch;
        let found = names.map(|name| {
            let column = output.column_by_name(name).expect(name);
            column.as_primitive::<UInt32Type>().value(0)
        });
        assert_eq!(found, [clock, number]);
    }
}

#[test]
fn fingerprints_of_loaders_depend_on_the_name_alone() {
    let puzzles: DataSet = "lichess-puzzles".parse().unwrap();
    let text = format!("{:?}", DataSetChoice::Use(puzzles));
    assert_eq!(text, "Use(DataSet(\"lichess-puzzles\"))");
}
