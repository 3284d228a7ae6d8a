//! Compares the rows that conditions keep, for every source, with a plain evaluation of all rows.

use std::sync::Arc;

use crate::common::{cells, sample};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Int8Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Date32Array, Decimal128Array,
    DictionaryArray, Float32Array, Float64Array, Int8Array, Int64Array, ListArray, NullArray,
    PrimitiveArray, RecordBatch, StringArray, UInt64Array,
};
use proptest::prelude::*;
use setwise::{Fen, Pieces};
use setwise_formats::{Format, MoveKind, Reader, Records, Writer};
use setwise_table::{
    Collect, Column, Condition, Error, GameSource, Input, InputColumn, Keep, Labels, OnInvalid,
    Output, Part, Positions, Query, RecordSource, RowNames, Rows, Sets, Side, Source, TableOptions,
};

/// A condition that this file evaluates and formats as text.
#[derive(Clone, Debug)]
enum Tree {
    Compare(&'static str, &'static str, i64, bool),
    Columns(&'static str, &'static str, &'static str),
    Null(&'static str, bool),
    Not(Box<Tree>),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

const COLUMNS: [&str; 7] = [
    "piece_count",
    "turn",
    "checkers",
    "white_mobility_knight",
    "en_passant",
    "halfmove_clock",
    "legal_count",
];
const SIGNS: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

fn compare(a: i128, sign: &str, b: i128) -> bool {
    match sign {
        "=" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    }
}

impl Tree {
    fn text(&self) -> String {
        let joined = |all: &[Self], word: &str| {
            let all: Vec<_> = all.iter().map(Self::text).collect();
            format!("({})", all.join(word))
        };
        match self {
            Self::Compare(column, sign, value, true) => format!("{column} {sign} {value}"),
            Self::Compare(column, sign, value, false) => format!("{value} {sign} {column}"),
            Self::Columns(a, sign, b) => format!("{a}{sign}{b}"),
            Self::Null(column, true) => format!("{column} is null"),
            Self::Null(column, false) => format!("{column} is not null"),
            Self::Not(inner) => format!("not {}", inner.text()),
            Self::And(all) => joined(all, " and "),
            Self::Or(all) => joined(all, " or "),
        }
    }

    fn holds(&self, value: &dyn Fn(&str) -> Option<u64>) -> Option<bool> {
        match self {
            Self::Compare(column, sign, other, first) => value(column).map(|value| {
                let (value, other) = (i128::from(value), i128::from(*other));
                if *first { compare(value, sign, other) } else { compare(other, sign, value) }
            }),
            Self::Columns(a, sign, b) => Some(compare(value(a)?.into(), sign, value(b)?.into())),
            Self::Null(column, expected) => Some(value(column).is_none() == *expected),
            Self::Not(inner) => inner.holds(value).map(|truth| !truth),
            Self::And(all) => {
                let all: Vec<_> = all.iter().map(|one| one.holds(value)).collect();
                match () {
                    () if all.contains(&Some(false)) => Some(false),
                    () if all.contains(&None) => None,
                    () => Some(true),
                }
            }
            Self::Or(all) => {
                let all: Vec<_> = all.iter().map(|one| one.holds(value)).collect();
                match () {
                    () if all.contains(&Some(true)) => Some(true),
                    () if all.contains(&None) => None,
                    () => Some(false),
                }
            }
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let column = || prop::sample::select(&COLUMNS[..]);
    let sign = || prop::sample::select(&SIGNS[..]);
    let value = prop_oneof![0..40_i64, -2..3_i64, Just(i64::MAX), Just(i64::MIN)];
    let leaf = prop_oneof![
        4 => (column(), sign(), value, any::<bool>()).prop_map(|(a, b, c, d)| Tree::Compare(a, b, c, d)),
        1 => (column(), sign(), column()).prop_map(|(a, b, c)| Tree::Columns(a, b, c)),
        1 => (column(), any::<bool>()).prop_map(|(a, b)| Tree::Null(a, b)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Tree::Not(Box::new(inner))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Tree::And),
            prop::collection::vec(inner, 2..4).prop_map(Tree::Or),
        ]
    })
}

fn query(columns: &[&str]) -> Query {
    Query::default().columns(columns.iter().map(|name| name.parse().expect("a column")))
}

fn conditions(texts: &[&str]) -> Vec<Condition> {
    texts
        .iter()
        .map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}")))
        .collect()
}

/// The rows of a batch, each as text, so that all types can be compared.
fn rows(batch: &RecordBatch) -> Vec<String> {
    let cell = |row: usize| {
        let of_row = batch.columns().iter().map(|column| format!("{:?}", column.slice(row, 1)));
        of_row.collect::<Vec<_>>().join(" ")
    };
    (0..batch.num_rows()).map(cell).collect()
}

/// The rows for which conditions hold by this file's evaluation, and the numbers of the others.
fn expected(tree: &[Tree], all: &RecordBatch, shown: usize) -> (Vec<String>, Vec<u64>) {
    let of_column = |name: &str| cells(all.column_by_name(name).expect("it was computed"));
    let columns: Vec<_> = COLUMNS.iter().map(|name| (*name, of_column(name))).collect();
    let mut left_out = vec![0; tree.len()];
    let visible = all.project(&(0..shown).collect::<Vec<_>>()).expect("the first columns");
    let kept = rows(&visible).into_iter().enumerate().filter(|(row, _)| {
        let value = |name: &str| {
            columns.iter().find(|(other, _)| *other == name).and_then(|(_, cells)| cells[*row])
        };
        match tree.iter().position(|tree| tree.holds(&value) != Some(true)) {
            Some(first) => {
                left_out[first] += 1;
                false
            }
            None => true,
        }
    });
    (kept.map(|(_, row)| row).collect(), left_out)
}

/// Text with nulls and rows that are not positions.
fn text(rows: usize, seed: usize) -> StringArray {
    let sample = sample();
    let row = |row: usize| match (row * 7919 + seed) % 23 {
        3 => None,
        5 => Some("no position"),
        other => Some(sample[(row * 31 + other + seed) % sample.len()]),
    };
    (0..rows).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Text and tables in one batch and in columns of several parts.
    #[test]
    fn conditions_hold_for_text(
        trees in prop::collection::vec(tree(), 1..3),
        count in 0..300_usize,
        seed in 0..1000_usize,
        chunk_rows in 1..200_usize,
        skips in any::<bool>(),
    ) {
        const SHOWN: [&str; 6] = ["line", "fen", "white_all", "en_passant", "threats", "rest"];
        let on_invalid = if skips { OnInvalid::Skip } else { OnInvalid::Null };
        let fens = text(count, seed);
        let conditions: Vec<Condition> =
            trees.iter().map(|tree| tree.text().parse().expect("it is well-formed")).collect();
        let all: Vec<&str> = SHOWN.into_iter().chain(COLUMNS.into_iter().filter(|name| !SHOWN.contains(name))).collect();
        let whole = query(&all).on_invalid(on_invalid).chunk_rows(chunk_rows);
        let whole = whole.plan(&Input::column()).expect("a plan").text(&fens).expect("no errors");
        let (kept, left_out) = expected(&trees, &whole.batch, SHOWN.len());

        let filtered = query(&SHOWN).on_invalid(on_invalid).chunk_rows(chunk_rows);
        let filtered = filtered.conditions(conditions.clone());
        let output = filtered.plan(&Input::column()).expect("a plan").text(&fens).expect("no errors");
        prop_assert_eq!(&rows(&output.batch), &kept);
        prop_assert_eq!(&output.report.left_out, &left_out);
        prop_assert_eq!(output.report.invalid, whole.report.invalid);

        // A table whose columns are passed through, in parts.
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..count as i64));
        let table = RecordBatch::try_from_iter_with_nullable([
            ("id", ids, false),
            ("fen", Arc::new(fens.clone()) as ArrayRef, true),
        ]).expect("a table");
        let input = Input::table(&table.schema(), None, &Keep::All).expect("it has a column");
        let query = query(&["line", "white_all", "threats"]).on_invalid(on_invalid).conditions(conditions);
        let plan = query.threads(Some(2)).part_rows(Some(64)).plan(&input).expect("a plan");
        let collect = Collect { check: &mut || Ok::<(), Error>(()), advise: |_| {} };
        let collected = plan.collect(&[table.slice(0, count / 3), table.slice(count / 3, count - count / 3)], collect).expect("no errors");
        prop_assert_eq!(&collected.report.left_out, &left_out);
        prop_assert_eq!(collected.rows, kept.len());
        let batches = [table.slice(0, count / 3), table.slice(count / 3, count - count / 3)];
        let beside = collected.append_to(&plan, &batches).expect("the same batches");
        for (id, line) in beside.iter().flat_map(|batch| cells(batch.column(0)).into_iter().zip(cells(batch.column(2)))) {
            prop_assert_eq!(id.map(|id| id + 1), line);
        }
        let lines: Vec<_> = beside.iter().flat_map(|batch| cells(batch.column(2))).collect();
        let expected: Vec<_> = cells(output.batch.column(0));
        prop_assert_eq!(lines, expected);
    }
}

#[test]
fn empty_chunks_drop_no_rows() {
    let conditions = ["turn = 0", "piece_count = 2"].map(|text| text.parse().expect("a condition"));
    let plan = query(&["line"]).conditions(conditions).plan(&Input::column()).expect("a plan");
    let collect = Collect { check: &mut || Ok::<(), Error>(()), advise: |_| {} };
    let collected = plan.collect::<ArrayRef, Error>(&[], collect).expect("no errors");
    assert_eq!((collected.rows, collected.report.left_out), (0, vec![0, 0]));
}

/// Games with captures among the moves.
fn records() -> Records {
    let games = include_bytes!("../../../formats/tests/data/games.binpack");
    let mut records = Records::new();
    let _ = Reader::new(Format::Binpack, &games[..]).read(3000, &mut records);
    assert!(records.len() > 1000);
    records
}

#[test]
fn packed_records_have_captures_and_counts() {
    let games = &include_bytes!("../../../formats/tests/data/games.binpack")[..];
    let all = records();
    let captures = |row: usize| {
        all.moves[row].is_some_and(|one| {
            one.kind == MoveKind::EnPassant
                || one.kind != MoveKind::Castling && all.pieces[row].occupied() >> one.to & 1 == 1
        })
    };
    let input = Input::records(Format::Binpack, &Keep::None).expect("it is a format");
    let query =
        query(&["line", "move", "score", "piece_count", "capture"]).conditions(conditions(&[
            "capture = 0",
            "score > -100 and score < 100",
            "piece_count >= 20",
        ]));
    let plan = query.plan(&input).expect("a plan");
    let mut source = RecordSource::new(Format::Binpack, games, "");
    let (mut lines, mut left_out, mut read) = (Vec::new(), [0; 3], 0);
    while let Some(part) = Source::<Error>::next(&mut source, 500, 1 << 20).expect("it is readable")
    {
        read += part.rows;
        let output = plan.read(part).expect("it is readable");
        lines.extend(cells(output.batch.column(0)).into_iter().flatten());
        assert!(cells(output.batch.column(4)).iter().all(|cell| *cell == Some(0)));
        left_out.iter_mut().zip(output.report.left_out).for_each(|(all, part)| *all += part);
        if read >= all.len() {
            break;
        }
    }
    let (mut expected, mut counts) = (Vec::new(), [0; 3]);
    for row in 0..all.len().min(read) {
        let failed = [
            captures(row),
            all.score[row] <= -100 || all.score[row] >= 100,
            all.pieces[row].occupied().count_ones() < 20,
        ];
        match failed.iter().position(|failed| *failed) {
            Some(first) => counts[first] += 1,
            None => expected.push(row as u64 + 1),
        }
    }
    assert!(counts.iter().all(|count| *count > 10) && expected.len() > 10, "{counts:?}");
    assert_eq!((lines, left_out), (expected, counts));
}

#[test]
fn material_is_whites_minus_blacks() {
    let all = records();
    let material = |row: usize| {
        let fen = all.fen(row).to_string();
        let board = fen.split(' ').next().expect("a board").chars();
        let value = |piece: char| match piece.to_ascii_lowercase() {
            'p' => 1,
            'n' | 'b' => 3,
            'r' => 5,
            'q' => 9,
            _ => 0,
        };
        board.map(|piece| if piece.is_lowercase() { -value(piece) } else { value(piece) }).sum()
    };
    let expected: Vec<i32> = (0..all.len()).map(material).collect();
    let rows = query(&["material", "line"]);
    let found = |batch: &RecordBatch| batch.column(0).as_primitive::<Int32Type>().values().to_vec();
    let input = Input::records(Format::Binpack, &Keep::None).expect("it is a format");
    let plan = rows.plan(&input).expect("a plan");
    assert_eq!(found(&plan.chunk(&all).expect("rows").batch), expected);
    let columns = Input::boards(&[]);
    let sets = std::array::from_fn(|set| {
        all.pieces.iter().map(|pieces| pieces.sets()[set]).collect::<Vec<u64>>()
    });
    let sets: &[Vec<u64>; 8] = &sets;
    let boards = Sets::Columns(Pieces::from_sets(std::array::from_fn(|set| &sets[set][..])));
    let positions = Positions { boards, state: None, nulls: None };
    let plan = rows.plan(&columns).expect("a plan");
    assert_eq!(found(&plan.chunk(&positions).expect("rows").batch), expected);
    let plan = rows.conditions(conditions(&["abs(material) > 2"])).plan(&input).expect("a plan");
    let kept: Vec<i32> = expected.iter().copied().filter(|material| material.abs() > 2).collect();
    assert!(kept.len() > 100 && kept.len() < expected.len());
    assert_eq!(found(&plan.chunk(&all).expect("rows").batch), kept);
}

#[test]
fn kept_records_satisfy_the_conditions() {
    let all = records();
    let mut file = Vec::new();
    let mut writer = Writer::new(Format::PackedSfen, &mut file).expect("a format");
    writer.write(&all).expect("it fits");
    drop(writer);
    let input = Input::records(Format::PackedSfen, &Keep::None).expect("a format");
    let query = query(&[]).conditions(conditions(&["checkers = 0", "ply >= 20"]));
    let plan = query.plan(&input).expect("a plan");
    let mut source = RecordSource::new(Format::PackedSfen, &file[..], "");
    let part = Source::<Error>::next(&mut source, usize::MAX, usize::MAX)
        .expect("readable")
        .expect("there");
    let mut kept = Records::new();
    let mut takes = |records: &mut Records, _: &[u64]| {
        kept.pieces.append(&mut records.pieces);
        kept.turn.append(&mut records.turn);
        kept.moves.append(&mut records.moves);
        kept.score.append(&mut records.score);
        kept.result.append(&mut records.result);
    };
    let report = plan.keep(part, None, None, &mut takes).expect("readable");
    let is_check = |row: usize| {
        let fen: Fen = all.fen(row);
        Column::value("checkers".parse().expect("a column"), &fen) != Some(0)
    };
    let rows: Vec<usize> =
        (0..all.len()).filter(|&row| !is_check(row) && all.ply[row] >= 20).collect();
    assert_eq!(report.left_out.iter().sum::<u64>() as usize, all.len() - rows.len());
    assert!(!rows.is_empty() && rows.len() < all.len());
    assert!(rows.iter().map(|&row| all.pieces[row]).eq(kept.pieces.iter().copied()));
    assert!(rows.iter().map(|&row| all.moves[row]).eq(kept.moves.iter().copied()));
    assert!(
        rows.iter()
            .map(|&row| (all.score[row], all.result[row], all.turn[row]))
            .eq((0..kept.len()).map(|row| (kept.score[row], kept.result[row], kept.turn[row])))
    );
}

#[test]
fn conditions_read_columns_of_tables() {
    let fens = ["4k3/8/8/8/8/8/8/4K3 w - -"; 6];
    let table = RecordBatch::try_from_iter([
        ("fen", Arc::new(StringArray::from(fens.to_vec())) as ArrayRef),
        (
            "Rating",
            Arc::new(Int64Array::from(vec![Some(1), Some(2), None, Some(4), Some(5), Some(6)])),
        ),
        ("share", Arc::new(Float64Array::from(vec![0.5, 1.5, f64::NAN, 0.25, 0.75, 2.0]))),
        ("good", Arc::new(BooleanArray::from(vec![true, false, true, true, false, true]))),
        ("kind", Arc::new(StringArray::from(vec!["a", "b", "a", "it's", "b", "a"]))),
    ])
    .expect("a table");
    let ratings = |condition: &str, keep: &Keep| {
        let input = Input::table(&table.schema(), None, keep)?;
        let plan =
            query(&["white_all", "line"]).conditions(conditions(&[condition])).plan(&input)?;
        let batch = plan.chunk(&table)?.batch;
        assert_eq!(batch.num_columns(), if *keep == Keep::None { 2 } else { 7 });
        Ok::<_, Error>(
            cells(batch.column_by_name("line").expect("asked for"))
                .into_iter()
                .flatten()
                .collect::<Vec<_>>(),
        )
    };
    for keep in [Keep::All, Keep::None] {
        for (condition, lines) in [
            ("Rating > 2", &[4, 5, 6][..]),
            ("not Rating > 2", &[1, 2]),
            ("Rating is null", &[3]),
            ("share < 1", &[1, 4, 5]),
            ("share >= Rating", &[]),
            ("0.5 = share or share = 2", &[1, 6]),
            ("share != 2", &[1, 2, 3, 4, 5]),
            ("good = true and Rating >= 4", &[4, 6]),
            ("kind = 'a'", &[1, 3, 6]),
            ("kind != 'a' and kind != 'b'", &[4]),
            ("kind = 'it''s' or piece_count > 2", &[4]),
            ("piece_count = 2 and `Rating` = 5", &[5]),
            ("Rating * 2 - 1 > 6", &[4, 5, 6]),
            ("Rating + share > 4 and Rating - share < 4", &[4]),
            ("abs(Rating - 3) <= 1", &[2, 4]),
            ("abs(2 * share - 1) = 0 or 3 * Rating * Rating = line * 36", &[1]),
            ("Rating - line = 0 and piece_count + material > 0", &[1, 2, 4, 5, 6]),
            ("white * white * white * white > Rating", &[1, 2, 4, 5, 6]),
            ("Rating - 9223372036854775808 - 9223372036854775808 < share", &[1, 2, 4, 5, 6]),
        ] {
            assert_eq!(ratings(condition, &keep).expect(condition), lines, "{condition}");
        }
        for (condition, expected) in [
            ("Ratng > 2", "character 1: no column is called `Ratng`; did you mean `Rating`?"),
            (
                "piece_coun > 2",
                "character 1: no column is called `piece_coun`; did you mean `piece_count`?",
            ),
            ("zzz = 1", "character 1: no column is called `zzz`"),
            ("score = 1", "character 1: column `score` is not in this input"),
            (
                "threats = 1",
                "character 1: `threats` holds lists: conditions compare numbers, text, true and false",
            ),
            ("kind = 3", "character 8: expected text in quotes to compare with `kind`"),
            ("'x' = Rating", "character 1: expected a number to compare with `Rating`"),
            ("good = 1", "character 8: expected `true` or `false` to compare with `good`"),
            ("kind < 'b'", "character 1: `kind` is text, which only = and != can compare"),
            ("3 > kind", "character 5: `kind` is text, which only = and != can compare"),
            ("good < true", "character 1: only = and != can compare `good`"),
            ("1 + kind = 2", "character 5: expected a number to calculate with, found `kind`"),
            ("2 * abs(good) = 2", "character 9: expected a number to calculate with, found `good`"),
            (
                "Rating - 2 * line + 1 = 'x'",
                "character 25: expected a number to compare with `Rating` - 2 * `line` + 1",
            ),
        ] {
            let error = ratings(condition, &keep).expect_err(condition).to_string();
            assert_eq!(error, format!("condition `{condition}`, {expected}"));
        }
    }
}

#[test]
fn columns_of_any_type_can_be_tested_for_nulls() {
    let some = [Some(7), None, Some(9)];
    let keys = Int8Array::from(vec![Some(0), Some(1), Some(2)]);
    let values = Arc::new(Int64Array::from(some.to_vec()));
    let lists = some.map(|number| number.map(|number| [Some(number)]));
    let columns: [(&str, ArrayRef); 5] = [
        ("date", Arc::new(Date32Array::from(vec![Some(1), None, Some(2)]))),
        ("decimal", Arc::new(Decimal128Array::from(vec![Some(1), None, Some(2)]))),
        ("list", Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(lists))),
        ("dictionary", Arc::new(DictionaryArray::new(keys, values))),
        ("null", Arc::new(NullArray::new(3))),
    ];
    let fens = Arc::new(StringArray::from(vec!["4k3/8/8/8/8/8/8/4K3 w - -"; 3])) as ArrayRef;
    let all = columns.iter().cloned().chain([("fen", fens)]);
    let table =
        RecordBatch::try_from_iter_with_nullable(all.map(|(name, array)| (name, array, true)));
    let table = table.expect("a table");
    let input = Input::table(&table.schema(), None, &Keep::None).expect("a table");
    let plan = |condition: &str| query(&["line"]).conditions(conditions(&[condition])).plan(&input);
    for (name, _) in &columns {
        let lines = |condition: &str| {
            let batch = plan(condition).expect(condition).chunk(&table).expect("right rows").batch;
            cells(batch.column(0)).into_iter().flatten().collect::<Vec<_>>()
        };
        let nulls: &[u64] = if *name == "null" { &[1, 2, 3] } else { &[2] };
        assert_eq!(lines(&format!("`{name}` is null")), nulls, "{name}");
        assert_eq!(lines(&format!("`{name}` is not null")).len(), 3 - nulls.len(), "{name}");
    }
    let error = plan("date > 3").unwrap_err().to_string();
    let expected = "`date` holds Date32: conditions compare numbers, text, true and false";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn decimals_and_floats_of_any_size_are_numbers() {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    let halves = [Half::from_f32(1.0), Half::from_f32(0.5), Half::from_f32(0.0)];
    let decimals = Decimal128Array::from(vec![10, 5, 0]).with_precision_and_scale(2, 1);
    let large = 1 << 53;
    let whole = Decimal128Array::from(vec![large, large + 1, -1]).with_precision_and_scale(38, 0);
    // Its nearest number is not that of the quotient of two rounded numbers.
    let long = 12_345_678_901_234_567_891;
    let long = Decimal128Array::from(vec![long, long + 1000, 0]).with_precision_and_scale(20, 2);
    let columns: [(&str, ArrayRef); 7] = [
        ("fen", Arc::new(StringArray::from(vec!["4k3/8/8/8/8/8/8/4K3 w - -"; 3]))),
        ("single", Arc::new(Float32Array::from(vec![0.1, -12.34, f32::NAN]))),
        ("long", Arc::new(long.expect("a scale"))),
        ("unsigned", Arc::new(UInt64Array::from(vec![u64::MAX, 1 << 63, 0]))),
        ("whole", Arc::new(whole.expect("a scale"))),
        ("half", Arc::new(PrimitiveArray::<Float16Type>::from_iter_values(halves))),
        ("decimal", Arc::new(decimals.expect("a scale"))),
    ];
    let table = RecordBatch::try_from_iter(columns).expect("a table");
    let input = Input::table(&table.schema(), None, &Keep::None).expect("a table");
    for text in [
        format!("whole = {large}"),
        format!("{large} = whole"),
        format!("whole + 1 = {}", large + 1),
        "long = 123456789012345678.91".to_owned(),
        "single <= 0.1 and single > 0.09".to_owned(),
        "single = -12.34".to_owned(),
        "unsigned = 18446744073709551615 and unsigned < 18446744073709551616".to_owned(),
        "unsigned + 0x10000000000000000 = 36893488147419103231".to_owned(),
        format!("unsigned - {} < 1 - {0} and unsigned = 0", i128::MAX),
    ] {
        let plan = query(&["turn"]).conditions(conditions(&[&text])).plan(&input).expect("a plan");
        assert_eq!(plan.chunk(&table).expect("right rows").batch.num_rows(), 1, "{text}");
    }
    for name in ["half", "decimal"] {
        let options = TableOptions {
            labels: Labels {
                result: Some(name.to_owned()),
                results_of: Some(Side::Mover),
                ..Labels::default()
            },
            wanted: vec![InputColumn::Result],
            ..TableOptions::default()
        };
        let input = Input::of_table(&table.schema(), &options).expect("a table");
        let condition = conditions(&[&format!("2 * {name} < 2 and {name} <= 0.5")]);
        let plan = query(&["result"]).conditions(condition).plan(&input).expect(name);
        let batch = plan.chunk(&table).expect("right rows").batch;
        assert_eq!(batch["result"].as_primitive::<Int8Type>().values()[..], [0, -1], "{name}");
    }
}

#[test]
fn conditions_read_tags_and_positions_of_games() {
    let text = b"[White \"A\"]\n[WhiteElo \"2500\"]\n[Result \"1-0\"]\n\n1. e4 { [%eval 0.3] } e5 2. Qh5 Nc6 1-0\n\n\
                 [White \"B\"]\n[WhiteElo \"?\"]\n\n1. d4 d5 *\n\n[White \"C\"]\n[WhiteElo \"1500\"]\n\n1. c4 0-1\n";
    let lines = |texts: &[&str], keep: &Keep| {
        let input = Input::games(keep).expect("names of columns");
        let plan = query(&["white_all"]).conditions(conditions(texts)).plan(&input)?;
        let mut source = GameSource::new(&text[..], "");
        let part = Source::<Error>::next(&mut source, 1000, 1 << 20)?.expect("there are games");
        let Output { batch, report, .. } = plan.read(part)?;
        let found =
            ["game", "ply"].map(|name| cells(batch.column_by_name(name).expect("it is kept")));
        let found: Vec<_> =
            found[0].iter().zip(&found[1]).map(|(a, b)| (a.unwrap(), b.unwrap())).collect();
        Ok::<_, Error>((found, report.left_out, batch.num_columns()))
    };
    // A row counts for the first condition that drops it.
    let (rows, left_out, columns) = lines(&["WhiteElo >= 2000", "ply > 1"], &Keep::All).unwrap();
    assert_eq!((rows, left_out, columns), (vec![(1, 2), (1, 3), (1, 4)], vec![5, 2], 10));
    let keep = Keep::Named(vec!["game".into(), "ply".into(), "White".into()]);
    let (rows, left_out, columns) = lines(&["White != 'A' and ply = 1"], &keep).unwrap();
    assert_eq!((rows, left_out, columns), (vec![(2, 1), (3, 1)], vec![8], 4));
    let (rows, ..) = lines(&["san = 'Qh5' or move = 'd7d5'"], &keep).unwrap();
    assert_eq!(rows, [(1, 2), (2, 1)]);
    let (rows, ..) = lines(&["eval is not null or result = 1 and turn = 0"], &keep).unwrap();
    assert_eq!(rows, [(1, 0), (1, 1), (1, 2), (1, 4)]);
    let error = lines(&["plyy = 1"], &keep).unwrap_err();
    assert_eq!(
        error.to_string(),
        "condition `plyy = 1`, character 1: no column is called `plyy`; did you mean `ply`?"
    );
}

/// Conditions on the number and the text of a line, together with conditions on numbers.
#[test]
fn conditions_read_lines_and_fens() {
    // Omit nulls, because they are kept.
    let fens = StringArray::from_iter_values(text(300, 5).iter().flatten());
    let rows_of = |texts: &[&str]| {
        let query = query(&["line", "fen", "piece_count"]).on_invalid(OnInvalid::Skip);
        let query = query.conditions(conditions(texts)).chunk_rows(50);
        query.plan(&Input::column()).expect("a plan").text(&fens).expect("no errors").batch
    };
    let all = rows_of(&[]);
    let [lines, counts] = [0, 2].map(|column| {
        let cells = cells(all.column(column)).into_iter();
        cells.map(|cell| cell.expect("there are no nulls")).collect::<Vec<_>>()
    });
    assert!((1..).zip(&lines).any(|(row, line)| row != *line), "some are skipped");
    let fen = all.column(1).slice(120, 1);
    let fen = arrow_array::cast::AsArray::as_string::<i32>(&fen).value(0).to_owned();
    let fens_of = rows(&all.project(&[1]).expect("a column"));
    let same: Vec<bool> = fens_of.iter().map(|row| row.contains(&fen)).collect();
    let is_fen = format!("fen = '{fen}'");
    type Holds = fn(u64, u64, bool) -> bool;
    let cases: [(&[&str], Holds); 5] = [
        (&["line >= 40 and line < 223"], |line, _, _| (40..223).contains(&line)),
        (&["line < 223", "piece_count > 20", "line >= 40"], |line, count, _| {
            (40..223).contains(&line) && count > 20
        }),
        (&["piece_count > 20 or line > 250"], |line, count, _| count > 20 || line > 250),
        (&[&is_fen], |_, _, same| same),
        (&["line > 7", &format!("not {is_fen} and piece_count > 20")], |line, count, same| {
            line > 7 && !same && count > 20
        }),
    ];
    for (texts, holds) in cases {
        let all_rows = rows(&all).into_iter().enumerate();
        let held = all_rows.filter(|(row, _)| holds(lines[*row], counts[*row], same[*row]));
        let expected: Vec<String> = held.map(|(_, row)| row).collect();
        assert!(!expected.is_empty() && expected.len() < all.num_rows(), "{texts:?}");
        assert_eq!(rows(&rows_of(texts)), expected, "{texts:?}");
    }
}

#[test]
fn boards_in_columns_are_gathered() {
    let pieces: Vec<Pieces> =
        sample().iter().map(|fen| Fen::parse(fen).expect("a position").pieces).collect();
    let columns: [Vec<u64>; 8] =
        std::array::from_fn(|i| pieces.iter().map(|one| one.sets()[i]).collect());
    let sets = std::array::from_fn(|i| &columns[i][..]);
    let boards = Sets::Columns(Pieces::from_sets(sets));
    let positions = Positions { boards, state: None, nulls: None };
    let query = query(&["white", "piece_count"]).conditions(conditions(&["piece_count > 20"]));
    let output = query.plan(&Input::boards(&[])).unwrap().chunk(&positions).unwrap();
    let expected: Vec<_> = pieces
        .iter()
        .filter(|one| one.occupied().count_ones() > 20)
        .map(|one| Some(one.white))
        .collect();
    assert!(!expected.is_empty() && expected.len() < pieces.len());
    assert_eq!(cells(output.batch.column(0)), expected);
    assert_eq!(output.report.left_out, [(pieces.len() - expected.len()) as u64]);
}

/// A part of several batches, in which the last rows of the first batch are skipped.
#[test]
fn batches_of_one_part_have_their_own_columns() {
    let batch = |fens: &[&str], ids: &[i64]| {
        RecordBatch::try_from_iter([
            ("fen", Arc::new(StringArray::from(fens.to_vec())) as ArrayRef),
            ("id", Arc::new(Int64Array::from(ids.to_vec()))),
        ])
        .expect("a batch")
    };
    let position = "4k3/8/8/8/8/8/8/R3K3 w - -";
    let first = batch(&[position, position, "no position"], &[1, 2, 3]);
    let second = batch(&[position, "no position", position], &[2, 2, 1]);
    let query = query(&["line"]).on_invalid(OnInvalid::Skip).conditions(conditions(&["id = 2"]));
    let plan = query.plan(&Input::table(&first.schema(), None, &Keep::All).expect("a table"));
    let plan = plan.expect("a plan");
    let names = RowNames { before: "", first: 0 };
    let read = |rows: &mut Rows<'_>| {
        rows.push_batch(&first, 1, names)?;
        rows.push_batch(&second, 4, names)
    };
    let output = plan.read::<Error>(Part { rows: 6, bytes: 0, read: Box::new(read) });
    let output = output.expect("two rows");
    let lines = output.batch.column_by_name("line").expect("it is there");
    assert_eq!(lines.as_primitive::<UInt64Type>().values()[..], [2, 4]);
    assert_eq!(output.batch.column_by_name("id").map(|ids| ids.len()), Some(2));
    assert_eq!((output.report.invalid, output.report.left_out), (2, vec![2]));
}
