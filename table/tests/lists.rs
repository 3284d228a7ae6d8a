//! The list of threats as a column: what the library says of one position, from text, boards, positions and
//! records, over any number of chunks, with nulls, and with signed items.

mod common;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, UInt16Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use common::{sample, text};
use setwise::{Colour, Fen, Pieces, position};
use setwise_formats::Batch;
use setwise_table::{Column, Given, Maps, OnBad};

/// One position at a time, which is other code than the bulk of the library.
fn expected(fen: &str) -> Vec<u16> {
    let fen = Fen::parse(fen).unwrap();
    position::threats(&fen.pieces).iter().map(|threat| threat.bits()).collect()
}

/// The lists of a column, or none where it is null.
fn lists(array: &ArrayRef) -> Vec<Option<Vec<u16>>> {
    let list = |list: ArrayRef| match list.data_type() {
        DataType::UInt16 => list.as_primitive::<UInt16Type>().values().to_vec(),
        DataType::Int16 => {
            list.as_primitive::<Int16Type>().values().iter().map(|&item| item as u16).collect()
        }
        other => panic!("{other}"),
    };
    array.as_list::<i64>().iter().map(|row| row.map(list)).collect()
}

fn threats(batch: &RecordBatch) -> Vec<Option<Vec<u16>>> {
    lists(batch.column_by_name("threats").expect("it was asked for"))
}

fn maps() -> Maps {
    let boards = Given::ALL[..8].iter().map(|&given| Column::from(given));
    Maps::default().columns(boards.chain([Column::Threats, "white_all".parse().unwrap()]))
}

#[test]
fn every_way_gives_the_lists_of_the_library() {
    let sample = sample();
    let wanted: Vec<_> = sample.iter().map(|fen| Some(expected(fen))).collect();
    assert!(wanted.iter().flatten().map(Vec::len).sum::<usize>() > 10_000);
    let fens = text(0, &sample.iter().map(|fen| Some(*fen)).collect::<Vec<_>>());
    let parsed: Vec<Fen> = sample.iter().map(|fen| Fen::parse(fen).unwrap()).collect();
    let (pieces, turns): (Vec<Pieces>, Vec<Colour>) =
        parsed.iter().map(|fen| (fen.pieces, fen.turn)).unzip();
    let mut records = Batch::new();
    parsed.iter().for_each(|fen| records.push_fen(fen));
    for (signed, chunk) in [(false, 2048), (true, 77), (false, 1)] {
        let maps = maps().signed(signed).chunk(chunk);
        let of_text = maps.of_text(&fens).unwrap().batch;
        assert_eq!(threats(&of_text), wanted);
        let boards: [&dyn Array; 8] = std::array::from_fn(|i| &**of_text.column(i));
        assert_eq!(threats(&maps.of_boards(boards, None).unwrap()), wanted);
        assert_eq!(threats(&maps.of_pieces(&pieces, &turns).unwrap()), wanted);
        assert_eq!(threats(&maps.of_records(&records).unwrap()), wanted);
        let schema = of_text.schema();
        let field = schema.field_with_name("threats").unwrap();
        let DataType::LargeList(item) = field.data_type() else { panic!("{field}") };
        let data_type = if signed { DataType::Int16 } else { DataType::UInt16 };
        assert_eq!((item.data_type(), item.is_nullable()), (&data_type, false));
        assert_eq!(field.metadata()["description"], Column::Threats.meaning());
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
        let maps = maps().chunk(chunk);
        let null = maps.clone().on_bad(OnBad::Null).of_text(&fens).unwrap().batch;
        let wanted = [&alone, &None, &both, &None, &both, &alone].map(Clone::clone);
        assert_eq!(threats(&null), wanted);
        let drop = maps.on_bad(OnBad::Drop).of_text(&fens).unwrap().batch;
        let wanted = [&alone, &None, &both, &both, &alone].map(Clone::clone);
        assert_eq!(threats(&drop), wanted);
    }
    let none = maps().of_text(&text(0, &[])).unwrap().batch;
    assert_eq!(threats(&none), []);
}
