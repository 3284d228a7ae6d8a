//! Tables: finding the column of positions, passing other columns through bit for bit, and errors.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use crate::common::{Ask, BAD, TYPES, cells, columns, sample, text};
use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, BooleanArray, DictionaryArray, Float64Array, Int32Array,
    NullArray, RecordBatch, StringArray, StringViewArray, StructArray, new_null_array,
};
use arrow_schema::{DataType, Field, Schema};
use setwise_table::{
    Condition, Error, Input, InputColumn, Keep, OnInvalid, Plan, Query, TableOptions,
};

/// The number of rows of the tables here.
const ROWS: usize = 200;

/// Positions, with invalid text or null in some rows.
fn fens() -> Vec<Option<&'static str>> {
    let rows = sample().into_iter().take(ROWS).enumerate();
    rows.map(|(row, fen)| match row % 17 {
        3 => None,
        7 | 8 => Some(BAD[row % BAD.len()]),
        _ => Some(fen),
    })
    .collect()
}

/// Typical columns, of types with and without children. Some nulls have values.
fn others() -> Vec<(&'static str, ArrayRef)> {
    let row = || 0..ROWS as i32;
    let mut list = ListBuilder::new(Int32Builder::new());
    row().for_each(|row| match row % 5 {
        0 => list.append_null(),
        n => list.append_value((0..n).map(|i| (i != 2).then_some(i * row))),
    });
    let floats = row().map(|row| match row % 4 {
        0 => None,
        1 => Some(f64::NAN),
        2 => Some(-0.0),
        _ => Some(f64::from(row)),
    });
    let names = || row().map(|row| (row % 3 > 0).then(|| format!("a name of some length, {row}")));
    let openings: DictionaryArray<Int8Type> =
        row().map(|row| ["C50", "B20", "A00"].get(row as usize % 4).copied()).collect();
    let child = Arc::new(Field::new("x", DataType::Int32, true));
    let nested = StructArray::new(
        vec![child].into(),
        vec![Arc::new(row().map(|row| (row % 2 > 0).then_some(row)).collect::<Int32Array>())],
        Some(row().map(|row| row % 7 != 0).collect()),
    );
    let bytes = row().map(|row| (row % 6 > 0).then(|| vec![row as u8; row as usize % 40]));
    vec![
        ("Rating", Arc::new(row().collect::<Int32Array>())),
        ("cp", Arc::new(floats.collect::<Float64Array>())),
        ("Name", Arc::new(names().collect::<StringArray>())),
        ("view", Arc::new(names().collect::<StringViewArray>())),
        ("bytes", Arc::new(bytes.collect::<BinaryViewArray>())),
        (
            "won",
            Arc::new(row().map(|row| (row % 3 > 0).then_some(row > 9)).collect::<BooleanArray>()),
        ),
        ("opening", Arc::new(openings)),
        ("Themes", Arc::new(list.finish())),
        ("nested", Arc::new(nested)),
        ("nothing", Arc::new(NullArray::new(ROWS))),
    ]
}

fn table(which: usize) -> RecordBatch {
    let mut columns = others();
    columns.insert(2, ("FEN", text(which, &fens())));
    let fields: Vec<_> = columns
        .iter()
        .map(|(name, array)| {
            let metadata = HashMap::from([("of".to_owned(), (*name).to_owned())]);
            Field::new(*name, array.data_type().clone(), true).with_metadata(metadata)
        })
        .collect();
    let metadata = HashMap::from([("pandas".to_owned(), "{}".to_owned())]);
    let schema = Schema::new_with_metadata(fields, metadata);
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(schema), arrays).unwrap()
}

#[test]
fn other_columns_are_the_same_arrays() {
    for which in 0..TYPES {
        let table = table(which);
        let maps = Query::default().columns(columns()).on_invalid(OnInvalid::Null);
        let plan = maps.of_table(table.schema_ref(), None, &Keep::All).unwrap();
        for (start, rows) in [(0, ROWS), (13, 100), (199, 1), (50, 0)] {
            let slice = table.slice(start, rows);
            let output = plan.chunk(&slice).unwrap().batch;
            assert_eq!(output.schema_ref(), plan.schema());
            assert_eq!(output.schema_ref().metadata(), table.schema_ref().metadata());
            for (i, column) in slice.columns().iter().enumerate() {
                assert!(Arc::ptr_eq(column, output.column(i)), "{i}");
                assert_eq!(output.schema_ref().field(i), table.schema_ref().field(i));
            }
            let alone = plan_of_text_alone(slice.column_by_name("FEN").unwrap());
            for (i, column) in alone.columns().iter().enumerate() {
                assert_eq!(output.column(slice.num_columns() + i), column);
            }
        }
    }
}

fn plan_of_text_alone(fens: &ArrayRef) -> RecordBatch {
    Query::default().columns(columns()).on_invalid(OnInvalid::Null).of_text(fens).unwrap().batch
}

#[test]
fn dropped_rows_are_dropped_from_all_columns() {
    for which in 0..TYPES {
        let table = table(which);
        let maps = Query::default().columns(columns()).on_invalid(OnInvalid::Skip).chunk_rows(16);
        let plan = maps.of_table(table.schema_ref(), None, &Keep::All).unwrap();
        let output = plan.chunk(&table).unwrap();
        let good: Vec<usize> = (0..ROWS)
            .filter(|row| !output.report.bad_rows.iter().any(|bad| bad.row == *row as u64))
            .collect();
        let is_bad = |row: &usize| matches!(row % 17, 7 | 8);
        assert_eq!(
            output.report.bad_rows.iter().map(|bad| bad.row as usize).collect::<Vec<_>>(),
            (0..ROWS).filter(is_bad).collect::<Vec<_>>()
        );
        assert_eq!(output.batch.num_rows(), good.len());
        for (to, from) in good.into_iter().enumerate() {
            for (i, column) in table.columns().iter().enumerate() {
                let (one, other) = (column.slice(from, 1), output.batch.column(i).slice(to, 1));
                assert_eq!(one.to_data(), other.to_data(), "column {i}, row {from}");
            }
        }
    }
}

#[test]
fn columns_are_kept_by_name_and_in_the_order_of_the_names() {
    let table = table(2);
    let maps = Query::default().columns(["checkers".parse().unwrap()]).on_invalid(OnInvalid::Skip);
    for (keep, expected) in [
        (Keep::None, &["checkers"][..]),
        (Keep::Named(vec![]), &["checkers"]),
        (Keep::Named(vec!["cp".into(), "Rating".into()]), &["cp", "Rating", "checkers"]),
        (Keep::Named(vec!["FEN".into()]), &["FEN", "checkers"]),
    ] {
        let plan = maps.clone().of_table(table.schema_ref(), None, &keep).unwrap();
        let batch = plan.chunk(&table).unwrap().batch;
        let schema = batch.schema();
        let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(names, expected);
        assert_eq!(
            batch.num_rows(),
            ROWS - fens().iter().filter(|fen| fen.is_some_and(|fen| BAD.contains(&fen))).count()
        );
    }
    let plan = maps.columns([]).of_table(table.schema_ref(), None, &Keep::None).unwrap();
    let output = plan.chunk(&table).unwrap();
    assert_eq!(
        (output.batch.num_columns(), output.batch.num_rows()),
        (0, ROWS - output.report.invalid as usize)
    );
}

/// A plan for a table with text columns of these names.
fn plan(names: &[&str], fen: Option<&str>, keep: &Keep) -> Result<Plan, Error> {
    let field = |name: &&str| Field::new(*name, DataType::Utf8, false);
    let schema = Schema::new(names.iter().map(field).collect::<Vec<_>>());
    Query::default().of_table(&Arc::new(schema), fen, keep)
}

#[test]
fn the_column_of_positions_is_found() {
    for (names, fen, expected) in [
        (&["id", "fen", "x"][..], None, "fen"),
        (&["id", "FEN"], None, "FEN"),
        (&["Fen", "id"], None, "Fen"),
        (&["FEN", "fen", "Fen"], None, "fen"),
        (&["FEN", "fen"], Some("FEN"), "FEN"),
        (&["fen", "before"], Some("before"), "before"),
    ] {
        assert_eq!(plan(names, fen, &Keep::All).unwrap().fen(), Some(expected));
    }
}

#[test]
fn a_plan_lists_its_columns() {
    let table = table(0);
    let named = |names: &[&str]| Keep::Named(names.iter().map(|&name| name.into()).collect());
    for (keep, fen, expected) in [
        (Keep::All, None, (0..11).collect::<Vec<_>>()),
        (Keep::None, None, vec![2]),
        (named(&["won", "Rating"]), None, vec![0, 2, 6]),
        (named(&["FEN"]), Some("FEN"), vec![2]),
        (named(&["cp"]), Some("Name"), vec![1, 3]),
    ] {
        let places = Input::table(table.schema_ref(), fen, &keep).unwrap().select().0;
        assert_eq!(places, expected);
        // The plan for only these columns gives the same result as the plan for all columns.
        let maps = Query::default().on_invalid(OnInvalid::Null);
        let some = table.project(&places).unwrap();
        let [of_all, of_some] = [&table, &some].map(|table| {
            let plan = maps.clone().of_table(table.schema_ref(), fen, &keep).unwrap();
            plan.chunk(table).unwrap().batch
        });
        assert_eq!(of_all, of_some);
    }
}

#[test]
fn invalid_plans_are_errors() {
    let all = Keep::All;
    let named = |names: &[&str]| Keep::Named(names.iter().map(|&name| name.into()).collect());
    for (names, fen, keep, message) in [
        (
            &["id", "position"][..],
            None,
            &all,
            "no column is called `fen`: say which one holds the positions; there are `id`, `position`",
        ),
        (
            &[],
            None,
            &all,
            "no column is called `fen`: say which one holds the positions; there are no columns",
        ),
        (
            &["FEN", "x", "Fen"],
            None,
            &all,
            "several columns may hold the positions (`FEN`, `Fen`): say which",
        ),
        (&["fen"], Some("FEN"), &all, "no column is called `FEN`; the only column is `fen`"),
        (&["fen"], None, &named(&["x"]), "no column is called `x`; the only column is `fen`"),
        (&["fen"], None, &named(&["fen", "fen"]), "column `fen` would stand in the output twice"),
        (&["fen", "white_all"], None, &all, "column `white_all` would stand in the output twice"),
    ] {
        assert_eq!(plan(names, fen, keep).unwrap_err().to_string(), message);
    }
    // A column that is not passed through leaves its name free.
    assert!(plan(&["fen", "white_all"], None, &Keep::None).is_ok());

    let schema = Arc::new(Schema::new(vec![Field::new("fen", DataType::Int64, false)]));
    let error = Query::default().of_table(&schema, None, &all).unwrap_err();
    assert!(error.to_string().starts_with("column `fen` holds Int64, expected text ("), "{error}");
}

#[test]
fn bad_rows_are_named_with_their_column() {
    let table = table(0);
    let plan = Query::default().of_table(table.schema_ref(), None, &Keep::All).unwrap();
    let error = plan.chunk(&table.slice(4, 100)).unwrap_err();
    let message = "column `FEN`, row 3, character 4: expected 8 ranks, found 2: \"8/8\"";
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_batch_of_another_schema_is_refused() {
    let fens: ArrayRef = Arc::new(StringArray::from(vec![sample()[0]; 3]));
    let other: ArrayRef = Arc::new(Int32Array::from(vec![1, 2, 3]));
    let batch = RecordBatch::try_from_iter([("fen", fens.clone()), ("x", other.clone())]).unwrap();
    let plan = Query::default().of_table(batch.schema_ref(), None, &Keep::All).unwrap();
    assert!(plan.chunk(&batch).is_ok());
    for (columns, difference) in [
        (vec![("fen", fens.clone())], "1 of them, expected 2"),
        (
            vec![("x", other.clone()), ("fen", fens.clone())],
            "`x` (Int32, not null), expected `fen` (Utf8, not null)",
        ),
        (
            vec![("fen", fens.clone()), ("x", new_null_array(&DataType::Int32, 3))],
            "`x` (Int32), expected `x` (Int32, not null)",
        ),
        (
            vec![("fen", fens.clone()), ("x", fens.clone())],
            "`x` (Utf8, not null), expected `x` (Int32, not null)",
        ),
    ] {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let error = plan.chunk(&batch).unwrap_err().to_string();
        let expected = format!("the batch has other columns than its source said: {difference}");
        assert_eq!(error, expected);
    }
}

#[test]
fn nullable_columns_are_known_in_advance() {
    for (nullable, on_invalid, expected) in [
        (false, OnInvalid::Stop, false),
        (false, OnInvalid::Skip, false),
        (false, OnInvalid::Null, true),
        (true, OnInvalid::Stop, true),
    ] {
        let schema = Arc::new(Schema::new(vec![Field::new("fen", DataType::Utf8, nullable)]));
        let maps = Query::default().on_invalid(on_invalid);
        let plan = maps.of_table(&schema, None, &Keep::None).unwrap();
        assert!(plan.schema().fields().iter().all(|field| field.is_nullable() == expected));
    }
    // A dictionary's field may exclude nulls only for its keys.
    let values = text(0, &[None, Some(sample()[0])]);
    let keys = arrow_array::Int8Array::from(vec![1, 0]);
    let fens = DictionaryArray::<Int8Type>::new(keys, values);
    let schema = Arc::new(Schema::new(vec![Field::new("fen", fens.data_type().clone(), false)]));
    let plan = Query::default().columns(columns()).of_table(&schema, None, &Keep::None).unwrap();
    let batch = RecordBatch::try_new(schema, vec![Arc::new(fens)]).unwrap();
    let batch = plan.chunk(&batch).unwrap().batch;
    assert!(cells(batch.column(0))[0].is_some());
    assert!(cells(batch.column(0))[1].is_none());
}

#[test]
fn evaluations_are_lists_with_a_depth_and_variations() {
    let list = |item| DataType::List(Arc::new(Field::new("item", item, true)));
    let of = |names: &[&str]| {
        let field = |name: &&str| Field::new(*name, DataType::Int32, true);
        list(DataType::Struct(names.iter().map(field).collect()))
    };
    let wanted = vec![InputColumn::Score];
    let options = TableOptions { wanted, ..TableOptions::default() };
    for (evals, fits) in [
        (of(&["knodes", "depth", "pvs"]), true),
        (list(DataType::Null), true),
        (DataType::Utf8, true),
        (of(&["depth", "cp"]), false),
        (list(DataType::Float32), false),
    ] {
        let fields = [("fen", DataType::Utf8), ("evals", evals)];
        let fields = fields.map(|(name, of)| Field::new(name, of, true));
        let input = Input::of_table(&Arc::new(Schema::new(fields.to_vec())), &options);
        let error = input.err().map(|error| error.to_string());
        assert_eq!(error.is_none(), fits, "{error:?}");
        assert!(error.is_none_or(|error| error.contains("expected lists of evaluations")));
    }
}

/// Asserts that a task takes time linear in its size: four times the size takes at most eight times the time.
fn assert_linear(what: &str, size: usize, mut task: impl FnMut(usize)) {
    let mut best = |size| {
        let time = |_| {
            let start = Instant::now();
            task(size);
            start.elapsed()
        };
        (0..2).map(time).min().expect("times")
    };
    // Other programs can disturb a measurement.
    let is_linear = |_| best(4 * size) < 8 * best(size);
    assert!((0..3).any(is_linear), "{what}");
}

#[test]
fn conditions_and_names_take_linear_time() {
    assert_linear("terms of one column", 8000, |terms| {
        let condition: Condition =
            vec!["turn = 1"; terms].join(" or ").parse().expect("a condition");
        let plan = Query::default().conditions([condition]).plan(&Input::column());
        assert!(plan.is_ok());
    });
    let table = |columns: usize| {
        let field = |at| Field::new(format!("c{at}"), DataType::Int32, true);
        let fen = Field::new("fen", DataType::Utf8, true);
        Arc::new(Schema::new([fen].into_iter().chain((0..columns).map(field)).collect::<Vec<_>>()))
    };
    assert_linear("named columns", 4000, |columns| {
        let keep = Keep::Named((0..columns).map(|at| format!("c{at}")).collect());
        let input = Input::table(&table(columns), None, &keep).expect("a table");
        let plan = Query::default().columns([]).plan(&input).expect("a plan");
        assert_eq!(plan.schema().fields().len(), columns);
    });
    assert_linear("columns of conditions", 4000, |columns| {
        let terms: Vec<_> = (0..columns).map(|at| format!("c{at} = 1")).collect();
        let condition: Condition = terms.join(" or ").parse().expect("a condition");
        let input = Input::table(&table(columns), None, &Keep::None).expect("a table");
        assert!(Query::default().columns([]).conditions([condition]).plan(&input).is_ok());
    });
    assert_linear("tags of conditions", 4000, |tags| {
        let terms: Vec<_> = (0..tags).map(|at| format!("T{at} = 'x'")).collect();
        let condition: Condition = terms.join(" or ").parse().expect("a condition");
        let input = Input::games(&Keep::None).expect("games");
        assert!(Query::default().columns([]).conditions([condition]).plan(&input).is_ok());
    });
}
