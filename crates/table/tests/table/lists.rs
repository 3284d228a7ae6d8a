//! Compares list columns (threats and network inputs) with the library's results for single positions: from text,
//! boards, positions and records, over any number of chunks, with nulls, and with signed items.

use crate::common::{Ask, sample, text};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, UInt16Type, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch, UInt64Array};
use arrow_schema::DataType;
use setwise::{ByColour, Colour, Fen, Pieces};
use setwise_formats::{Format, Records};
use setwise_nnue::FeatureSet;
use setwise_nnue::position;
use setwise_table::{Column, FEATURE_SET, InputColumn, OnInvalid, Query};

/// Computes one position at a time, with code that the library does not use for columns.
fn expected(fen: &str) -> Vec<u32> {
    let fen = Fen::parse(fen).unwrap();
    position::threats(&fen.pieces).iter().map(|threat| threat.bits().into()).collect()
}

/// Computes the inputs of a set for one position; `None` unless each side has one king.
fn expected_inputs(fen: &str, set: &FeatureSet, side: Colour) -> Option<Vec<u32>> {
    let pieces = Fen::parse(fen).unwrap().pieces;
    let mut inputs = ByColour::new(|_| vec![0; set.buffer_len()]);
    let ByColour { white, black } = &mut inputs;
    let counts = position::inputs(set, &pieces, ByColour { white, black }).ok()?;
    inputs[side].truncate(counts[side]);
    Some(std::mem::take(&mut inputs[side]))
}

/// Returns the lists of a column; `None` for nulls.
fn lists(array: &ArrayRef) -> Vec<Option<Vec<u32>>> {
    let list = |list: ArrayRef| -> Vec<u32> {
        match list.data_type() {
            DataType::UInt16 => {
                list.as_primitive::<UInt16Type>().values().iter().map(|&item| item.into()).collect()
            }
            DataType::Int16 => {
                let items = list.as_primitive::<Int16Type>().values().iter();
                items.map(|&item| item.cast_unsigned().into()).collect()
            }
            DataType::UInt32 => list.as_primitive::<UInt32Type>().values().to_vec(),
            DataType::Int32 => {
                let items = list.as_primitive::<Int32Type>().values().iter();
                items.map(|&item| item.cast_unsigned()).collect()
            }
            other => panic!("{other}"),
        }
    };
    array.as_list::<i64>().iter().map(|row| row.map(list)).collect()
}

fn named(batch: &RecordBatch, name: &str) -> Vec<Option<Vec<u32>>> {
    lists(batch.column_by_name(name).expect("it was asked for"))
}

fn threats(batch: &RecordBatch) -> Vec<Option<Vec<u32>>> {
    named(batch, "threats")
}

fn maps() -> Query {
    let boards = InputColumn::BOARDS.iter().map(|&column| Column::from(column));
    Query::default()
        .columns(boards.chain(["threats".parse().unwrap(), "white_all".parse().unwrap()]))
}

#[test]
fn every_source_has_the_lists_of_the_library() {
    let sample = sample();
    let wanted: Vec<_> = sample.iter().map(|fen| Some(expected(fen))).collect();
    assert!(wanted.iter().flatten().map(Vec::len).sum::<usize>() > 10_000);
    let fens = text(0, &sample.iter().map(|fen| Some(*fen)).collect::<Vec<_>>());
    let parsed: Vec<Fen> = sample.iter().map(|fen| Fen::parse(fen).unwrap()).collect();
    let (pieces, turns): (Vec<Pieces>, Vec<Colour>) =
        parsed.iter().map(|fen| (fen.pieces, fen.turn)).unzip();
    let mut records = Records::new();
    parsed.iter().for_each(|fen| records.push_fen(fen));
    for (signed, chunk) in [(false, 2048), (true, 77), (false, 1)] {
        let maps = maps().signed(signed).chunk_rows(chunk);
        let of_text = maps.of_text(&fens).unwrap().batch;
        assert_eq!(threats(&of_text), wanted);
        let boards: [&dyn Array; 8] = std::array::from_fn(|i| &**of_text.column(i));
        assert_eq!(threats(&maps.of_boards(boards, None).unwrap()), wanted);
        assert_eq!(threats(&maps.of_pieces(&pieces, &turns).unwrap()), wanted);
        assert_eq!(threats(&maps.of_records(Format::PackedSfen, &records).unwrap()), wanted);
        let schema = of_text.schema();
        let field = schema.field_with_name("threats").unwrap();
        let DataType::LargeList(item) = field.data_type() else { panic!("{field}") };
        let data_type = if signed { DataType::Int16 } else { DataType::UInt16 };
        assert_eq!((item.data_type(), item.is_nullable()), (&data_type, false));
        assert_eq!(field.metadata()["description"], "threats".parse::<Column>().unwrap().meaning());
    }
}

#[test]
fn rows_without_a_position_are_null_and_lists_may_be_empty() {
    let (king, pair) = ("8/8/8/8/8/8/8/K7 w - -", "8/8/8/8/8/8/8/KR6 w - -");
    let rows = [Some(king), None, Some(pair), Some("no position"), Some(pair), Some(king)];
    let (alone, both) = (Some(vec![]), Some(expected(pair)));
    assert_eq!(both.as_ref().map(Vec::len), Some(2));
    for chunk in [1, 2, 4, 100] {
        let fens = text(0, &rows);
        let maps = maps().chunk_rows(chunk);
        let null = maps.clone().on_invalid(OnInvalid::Null).of_text(&fens).unwrap().batch;
        let wanted = [&alone, &None, &both, &None, &both, &alone].map(Clone::clone);
        assert_eq!(threats(&null), wanted);
        let drop = maps.on_invalid(OnInvalid::Skip).of_text(&fens).unwrap().batch;
        let wanted = [&alone, &None, &both, &both, &alone].map(Clone::clone);
        assert_eq!(threats(&drop), wanted);
    }
    let none = maps().of_text(&text(0, &[])).unwrap().batch;
    assert_eq!(threats(&none), []);
}

/// Both sides' inputs of a set, after the boards and with a map in between.
fn with_features(set: &'static FeatureSet) -> Query {
    let [white, black] = ["white_features", "black_features"].map(|name| name.parse().unwrap());
    let boards = InputColumn::BOARDS.iter().map(|&column| Column::from(column));
    let columns = boards.chain([black, "white_all".parse().unwrap(), white]);
    Query::default().columns(columns).feature_set(Some(set))
}

#[test]
fn inputs_agree_with_the_library() {
    // Positions without kings or with several kings are among the others and give nulls.
    let mut rows = sample();
    rows.truncate(300);
    for (at, fen) in [
        (0, "8/8/8/8/8/8/8/KR6 w - -"),
        (7, "kr6/8/8/8/8/8/8/8 w - -"),
        (8, "kr6/8/8/8/8/8/8/KK6 w - -"),
        (100, "krk5/8/8/8/8/8/8/KR6 w - -"),
        (200, "8/8/8/8/8/8/8/8 w - -"),
        (300, "k7/8/8/8/8/8/8/7K w - -"),
        (306, "8/8/8/8/8/8/8/QR6 w - -"),
    ] {
        rows.insert(at, fen);
    }
    let fens = text(0, &rows.iter().map(|fen| Some(*fen)).collect::<Vec<_>>());
    let parsed: Vec<Fen> = rows.iter().map(|fen| Fen::parse(fen).unwrap()).collect();
    let (pieces, turns): (Vec<Pieces>, Vec<Colour>) =
        parsed.iter().map(|fen| (fen.pieces, fen.turn)).unzip();
    let mut records = Records::new();
    parsed.iter().for_each(|fen| records.push_fen(fen));
    for set in FeatureSet::ALL.iter().copied() {
        let wanted = Colour::ALL
            .map(|side| rows.iter().map(|fen| expected_inputs(fen, set, side)).collect::<Vec<_>>());
        let nulls = wanted[0].iter().filter(|list| list.is_none()).count();
        assert_eq!((rows.len(), nulls), (307, 6));
        if set.name().starts_with("stockfish-threats") {
            assert_eq!(wanted[0][300], Some(vec![]));
        }
        let sides = |batch: &RecordBatch| {
            ["white", "black"].map(|side| named(batch, &format!("{side}_features")))
        };
        for (signed, chunk) in [(false, 2048), (true, 77), (false, 1), (true, 8)] {
            let maps = with_features(set).signed(signed).chunk_rows(chunk);
            let of_text = maps.of_text(&fens).unwrap().batch;
            assert!(sides(&of_text) == wanted);
            let boards: [&dyn Array; 8] = std::array::from_fn(|i| &**of_text.column(i));
            assert!(sides(&maps.of_boards(boards, None).unwrap()) == wanted);
            assert!(sides(&maps.of_pieces(&pieces, &turns).unwrap()) == wanted);
            assert!(sides(&maps.of_records(Format::PackedSfen, &records).unwrap()) == wanted);
            let schema = of_text.schema();
            let field = schema.field_with_name("black_features").unwrap();
            let DataType::LargeList(item) = field.data_type() else { panic!("{field}") };
            let data_type = if signed { DataType::Int32 } else { DataType::UInt32 };
            assert_eq!((item.data_type(), item.is_nullable()), (&data_type, false));
            assert!(field.is_nullable() && field.metadata()[FEATURE_SET] == set.name());
        }
    }
}

#[test]
fn null_rows_have_no_inputs() {
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let position = "k7/8/8/8/8/8/1p6/KR6 w - -";
    let pair = Some(position);
    let [white, black] = Colour::ALL.map(|side| expected_inputs(position, set, side));
    assert!(white.is_some() && white != black);
    let fens = text(0, &[pair, None, Some("no position"), pair]);
    for chunk in [1, 2, 3, 100] {
        let maps = with_features(set).chunk_rows(chunk);
        let null = maps.clone().on_invalid(OnInvalid::Null).of_text(&fens).unwrap().batch;
        assert_eq!(
            named(&null, "white_features"),
            [&white, &None, &None, &white].map(Clone::clone)
        );
        let drop = maps.clone().on_invalid(OnInvalid::Skip).of_text(&fens).unwrap().batch;
        assert_eq!(named(&drop, "black_features"), [&black, &None, &black].map(Clone::clone));
        // The boards of a null are arbitrary. They may even be a position.
        let boards = maps.of_text(&text(0, &[pair; 4])).unwrap().batch;
        let pawns = UInt64Array::from(vec![Some(1 << 9), None, Some(1 << 9), Some(1 << 9)]);
        let boards: [&dyn Array; 8] =
            std::array::from_fn(|i| if i == 0 { &pawns } else { &**boards.column(i) });
        let batch = maps.of_boards(boards, None).unwrap();
        assert_eq!(
            named(&batch, "white_features"),
            [&white, &None, &white, &white].map(Clone::clone)
        );
    }
}

#[test]
fn inputs_need_a_set() {
    let column: Column = "white_features".parse().unwrap();
    let error = Query::default().columns([column]).of_text(&text(0, &[])).unwrap_err();
    assert_eq!(error.to_string(), "column `white_features` needs the name of a feature set");
}
