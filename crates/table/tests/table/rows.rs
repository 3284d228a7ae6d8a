//! Compares text of every type, with invalid and null rows, with a reference that works row by row.

use crate::common::{Ask, BAD, NAMES, TYPES, cells, columns, expected, of_fen, sample, text};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, new_empty_array};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use proptest::prelude::*;
use setwise::{Fen, Shape, ValueType};
use setwise_table::{Column, Error, Input, OnInvalid, Output, Query};

/// The expected results of the three policies for some rows, determined one row at a time.
struct Reference {
    cells: Vec<[Option<u64>; NAMES.len()]>,
    bad: Vec<usize>,
}

impl Reference {
    fn new(rows: &[Option<&str>], on_invalid: OnInvalid) -> Self {
        let mut reference = Self { cells: Vec::new(), bad: Vec::new() };
        for (row, text) in rows.iter().enumerate() {
            match text.map(Fen::parse) {
                None => reference.cells.push([None; NAMES.len()]),
                Some(Ok(fen)) => reference.cells.push(expected(&fen)),
                Some(Err(_)) => {
                    reference.bad.push(row);
                    if on_invalid != OnInvalid::Skip {
                        reference.cells.push([None; NAMES.len()]);
                    }
                }
            }
        }
        reference
    }

    fn check(&self, rows: &[Option<&str>], output: &Output) {
        assert_eq!(output.batch.num_rows(), self.cells.len());
        for (column, name) in NAMES.iter().enumerate() {
            let got = cells(output.batch.column_by_name(name).expect("it was asked for"));
            let expected: Vec<_> = self.cells.iter().map(|row| row[column]).collect();
            assert_eq!(got, expected, "{name}");
        }
        let bad: Vec<_> = output.report.bad_rows.iter().map(|bad| bad.row as usize).collect();
        assert_eq!(bad, self.bad);
        for bad in &output.report.bad_rows {
            let text = rows[bad.row as usize].expect("a null is not bad");
            assert_eq!(bad.text, text.as_bytes());
            let error = Fen::parse(text).unwrap_err();
            assert_eq!((bad.character, &bad.reason), (error.column(), &error.to_string()));
        }
    }
}

/// Checks all policies on these rows, a slice of an array with other rows before and after them.
fn check(which: usize, rows: &[Option<&str>], before: usize, chunk: usize, signed: bool) {
    let around = [Some("not of the slice"), None].into_iter().cycle();
    let all: Vec<_> =
        around.clone().take(before).chain(rows.iter().copied()).chain(around.take(3)).collect();
    let array = text(which, &all).slice(before, rows.len());
    let maps = Query::default().columns(columns()).chunk_rows(chunk).signed(signed);
    for on_invalid in [OnInvalid::Stop, OnInvalid::Null, OnInvalid::Skip] {
        let reference = Reference::new(rows, on_invalid);
        let outcome = maps.clone().on_invalid(on_invalid).of_text(&array);
        match reference.bad.first() {
            Some(&first) if on_invalid == OnInvalid::Stop => match outcome {
                Err(Error::Invalid(bad)) => {
                    assert_eq!(
                        (bad.row as usize, Some(&bad.text[..])),
                        (first, rows[first].map(str::as_bytes))
                    );
                }
                other => panic!("row {first} is bad, but: {other:?}"),
            },
            _ => reference.check(rows, &outcome.expect("nothing to stop at")),
        }
    }
}

proptest! {
    #[test]
    fn every_policy_agrees_with_the_row_by_row_reference(
        kinds in proptest::collection::vec((0..10u8, any::<usize>()), 0..150),
        which in 0..TYPES,
        before in 0..70usize,
        chunk in 1..80usize,
        signed: bool,
    ) {
        let sample = sample();
        let rows: Vec<Option<&str>> = kinds
            .into_iter()
            .map(|(kind, of)| match kind {
                0 => None,
                1 => Some(BAD[of % BAD.len()]),
                _ => Some(sample[of % sample.len()]),
            })
            .collect();
        check(which, &rows, before, chunk, signed);
    }
}

#[test]
fn every_type_of_text_is_read() {
    let rows: Vec<_> = sample().into_iter().take(300).map(Some).collect();
    for which in 0..TYPES {
        check(which, &rows, 0, 64, false);
        check(which, &rows, 5, 2048, true);
    }
}

#[test]
fn bad_rows_at_the_edges_of_chunks() {
    const CHUNK: usize = 8;
    let sample = sample();
    for row in 0..3 * CHUNK {
        for (i, what) in [None, Some(BAD[0]), Some(BAD[2])].into_iter().enumerate() {
            let mut rows: Vec<_> = sample[..3 * CHUNK].iter().copied().map(Some).collect();
            rows[row] = what;
            check((row + i) % TYPES, &rows, row % 3, CHUNK, false);
        }
    }
    for rows in 0..2 * CHUNK + 2 {
        check(rows % TYPES, &vec![Some(BAD[1]); rows], 1, CHUNK, false);
        check(rows % TYPES, &vec![None; rows], 1, CHUNK, false);
    }
}

#[test]
fn empty_inputs_give_empty_outputs() {
    for which in 0..TYPES {
        check(which, &[], 0, 1, false);
        check(which, &[], 7, 2048, true);
        let none = Query::default().columns([]);
        let batch = none.of_text(&text(which, &[sample().first().copied(); 5])).unwrap().batch;
        assert_eq!((batch.num_columns(), batch.num_rows()), (0, 5));
    }
    for data_type in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
        let dictionary = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(data_type));
        let output = Query::default().of_text(&new_empty_array(&dictionary)).unwrap();
        assert_eq!((output.batch.num_columns(), output.batch.num_rows()), (16, 0));
    }
}

#[test]
fn columns_without_values_are_all_null() {
    use arrow_array::{Int8Array, types::Int8Type};
    let keys = Int8Array::new_null(3);
    let values = std::sync::Arc::new(StringArray::new_null(0));
    let array = arrow_array::DictionaryArray::<Int8Type>::new(keys, values);
    let output = Query::default().of_text(&array).unwrap();
    assert!(output.batch.columns().iter().all(|column| column.null_count() == 3));
    let output = Query::default().of_text(&arrow_array::NullArray::new(3)).unwrap();
    assert!(output.batch.columns().iter().all(|column| column.null_count() == 3));
}

#[test]
fn nulls_contain_zeros() {
    // The value of a null must not be used, but it must be the same in every run.
    let rows = text(0, &[None, Some(BAD[1]), sample().first().copied()]);
    let all = Query::default().columns(of_fen()).on_invalid(OnInvalid::Null);
    let batch = all.of_text(&rows).unwrap().batch;
    let zeros = |array: &ArrayRef| {
        let data = array.to_data();
        let width = data.buffers()[0].len() / 3;
        data.buffers()[0][..2 * width].iter().all(|&byte| byte == 0)
    };
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        assert!(column.is_null(0) && column.is_null(1), "{field}");
        assert!(column.is_valid(2) || field.name() == "en_passant", "{field}");
        assert!(zeros(column), "{field}");
    }
}

/// Compares unsigned and signed columns.
fn both(rows: &ArrayRef) -> [RecordBatch; 2] {
    let all = Query::default().columns(of_fen());
    [false, true].map(|signed| all.clone().signed(signed).of_text(rows).unwrap().batch)
}

#[test]
fn signed_columns_have_the_same_bits() {
    let [unsigned, signed] = both(&text(0, &sample().into_iter().map(Some).collect::<Vec<_>>()));
    let mut negative = 0;
    for (unsigned, signed) in unsigned.columns().iter().zip(signed.columns()) {
        let same = match unsigned.data_type() {
            DataType::UInt8 => DataType::Int8,
            DataType::UInt16 => DataType::Int16,
            DataType::UInt32 => DataType::Int32,
            DataType::UInt64 => DataType::Int64,
            // `material` is always signed.
            DataType::Int32 => DataType::Int32,
            other => panic!("{other} is no type of ours"),
        };
        assert_eq!(*signed.data_type(), same);
        assert_eq!(cells(unsigned), cells(signed));
        negative += cells(signed).iter().flatten().filter(|cell| **cell >> 63 == 1).count();
    }
    assert!(negative > 1000, "only {negative} boards have a bit on h8");
}

#[test]
fn columns_are_described() {
    let [unsigned, _] = both(&text(0, &[Some(sample()[0])]));
    for (column, field) in of_fen().into_iter().zip(unsigned.schema().fields()) {
        assert_eq!(field.name(), column.name());
        assert_eq!(field.metadata()["description"], column.meaning());
    }
    for &column in Column::all() {
        assert_eq!(column.name().parse::<Column>().unwrap(), column);
    }
    // All columns of the library are included, unchanged.
    for &column in setwise_nnue::Column::ALL {
        let of_table: Column = column.name().parse().unwrap();
        assert_eq!(of_table, Column::Computed(column));
        assert_eq!((of_table.name(), of_table.meaning()), (column.name(), column.meaning()));
        let element = match column.value_type() {
            ValueType::U8 => DataType::UInt8,
            ValueType::U16 => DataType::UInt16,
            ValueType::U32 => DataType::UInt32,
            ValueType::U64 => DataType::UInt64,
            other => panic!("{column} holds {other}"),
        };
        let found = match (column.shape(), of_table.data_type(false)) {
            (Shape::List, DataType::LargeList(item)) => item.data_type().clone(),
            (Shape::Array(length), DataType::FixedSizeList(item, found)) => {
                assert_eq!(found as usize, length);
                item.data_type().clone()
            }
            (Shape::Value, data_type) => data_type,
            (shape, found) => panic!("{column}: {shape:?} is not {found}"),
        };
        assert_eq!(found, element, "{column}");
        assert_eq!(of_table.needs_feature_set(), column.needs_feature_set());
        assert_eq!(of_table.is_nullable(), column.is_nullable());
    }
    let mut names: Vec<_> = Column::all().iter().map(|column| column.name()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "two columns have one name");
}

#[test]
fn columns_that_are_not_text_are_errors() {
    let numbers = arrow_array::Int64Array::from(vec![1, 2]);
    let error = Query::default().of_text(&numbers).unwrap_err();
    assert_eq!(
        error.to_string(),
        "column `fen` holds Int64, expected text (Utf8, LargeUtf8, Utf8View or a dictionary of these)"
    );
    let twice = Query::default().columns(["turn", "turn"].map(|name| name.parse().unwrap()));
    let error = twice.of_text(&text(0, &[])).unwrap_err();
    assert_eq!(error.to_string(), "column `turn` would stand in the output twice");
    for several in ["all", "white_*"] {
        let error = several.parse::<Column>().unwrap_err().to_string();
        assert_eq!(error, format!("no column is called `{several}`"));
    }
    let error = "white_al".parse::<Column>().unwrap_err();
    assert_eq!(error.to_string(), "no column is called `white_al`; did you mean `white_all`?");
}

#[test]
fn patterns_select_what_every_query_can_compute() {
    let names = |pattern: &str| -> Vec<&str> {
        let columns = setwise::columns::select::<Column>([pattern]).unwrap();
        columns.into_iter().map(Column::name).collect()
    };
    assert_eq!(names("*"), names("all"));
    assert_eq!(names("*_features"), ["white_features", "black_features"]);
    let of_white = names("white_*");
    assert!(of_white.contains(&"white_all") && of_white.contains(&"white_attackers"));
    assert!(!of_white.iter().any(|name| name.ends_with("_features") || name.ends_with("_squares")));
}

#[test]
fn messages_are_one_short_line() {
    let long = "x".repeat(100_000);
    for bad in [long.as_str(), "a\nb\tc", "\u{7}\u{1b}[31m♜"] {
        let array = StringArray::from(vec![bad]);
        let message = Query::default().of_text(&array).unwrap_err().to_string();
        assert!(message.len() < 300 && !message.contains(['\n', '\u{1b}', '\t']), "{message}");
        assert!(message.starts_with("row 0, character 1: expected "), "{message}");
    }
}

/// `checkers` needs no castling rights, which other columns do.
#[test]
fn checkers_preserves_the_nulls_of_other_columns() {
    let fens = StringArray::from(vec!["4k3/8/8/8/4P3/8/8/4K3 b - e3", "4k3/8/8/8/8/8/8/4K3 w - -"]);
    let columns = ["checkers", "en_passant"].map(|name| name.parse().expect("a column"));
    let plan = Query::default().columns(columns).plan(&Input::column()).expect("a plan");
    let batch = plan.text(&fens).expect("positions").batch;
    assert_eq!(batch.column(1).nulls().map(NullBuffer::null_count), Some(1));
}
