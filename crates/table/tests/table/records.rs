//! Packed records: columns equal to those of text, the other fields of records, and bulletformat's boards, which are
//! flipped for the side to move.

use crate::common::{Ask, NAMES, cells, expected, of_fen, sample, text};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type};
use arrow_select::concat::concat_batches;
use setwise::{Colour, Fen};
use setwise_formats::{Format, Move, MoveKind, Reader, Records, Writer};
use setwise_table::{
    Column, Error, Input, InputColumn, Keep, OnInvalid, Query, RecordSource, Source,
};

/// The sample, with values in all other fields.
fn records() -> Records {
    let mut batch = Records::new();
    for (row, fen) in (0u8..=255).cycle().zip(sample()) {
        batch.push_fen(&fen.parse().unwrap());
        batch.score.push(i32::from(row) * 257 - 32_768);
        batch.result.push((row % 3) as i8 - 1);
        let one = Move { from: row % 64, to: row / 4, kind: MoveKind::Normal };
        batch.moves.push((row % 5 > 0).then_some(one));
        batch.ply.push(u32::from(row));
        batch.extra.push(u32::from(row));
    }
    batch
}

#[test]
fn records_have_the_columns_of_their_text() {
    let records = records();
    let fens = text(0, &sample().into_iter().map(Some).collect::<Vec<_>>());
    for (signed, chunk) in [(false, 2048), (true, 77), (false, 1)] {
        let maps = Query::default().signed(signed).chunk_rows(chunk);
        let of_text = maps.clone().columns(of_fen()).of_text(&fens).unwrap().batch;
        let input = Input::records(Format::PackedSfen, &Keep::None).unwrap();
        let numbers = Column::all().iter().copied();
        let numbers =
            numbers.filter(|column| input.is_available(*column) && !column.needs_feature_set());
        let of_records =
            maps.clone().columns(numbers).of_records(Format::PackedSfen, &records).unwrap();
        for (column, name) in of_text.columns().iter().zip(of_fen()) {
            assert_eq!(of_records.column_by_name(name.name()), Some(column), "{name}");
        }
        let column = |column: InputColumn| -> &dyn Array {
            of_records.column_by_name(Column::from(column).name()).unwrap()
        };
        let score = column(InputColumn::Score).as_primitive::<Int32Type>();
        assert_eq!(score.values()[..], records.score[..]);
        let result = column(InputColumn::Result).as_primitive::<Int8Type>();
        assert_eq!(result.values()[..], records.result[..]);
        let moves = column(InputColumn::Move).as_string::<i32>().iter();
        let expected = records.moves.iter().map(|one| one.map(|one| one.to_string()));
        assert!(moves.map(|one| one.map(str::to_owned)).eq(expected));
        for (given, expected) in
            [(InputColumn::Ply, &records.ply), (InputColumn::Extra, &records.extra)]
        {
            let expected: Vec<_> = expected.iter().map(|&number| Some(u64::from(number))).collect();
            assert_eq!(cells(column(given)), expected);
        }
    }
}

#[test]
fn files_of_records_keep_all_fields_of_their_format() {
    for format in [Format::Bullet, Format::Marlin, Format::PackedSfen] {
        // The positions that the format can hold.
        let mut file = Vec::new();
        let mut fens = Vec::new();
        for fen in sample() {
            let mut one = Records::new();
            one.push_fen(&fen.parse().unwrap());
            one.score.push(-3);
            let mut bytes = Vec::new();
            if Writer::new(format, &mut bytes).unwrap().write(&one).is_ok() {
                file.extend(bytes);
                fens.push(fen);
            }
        }
        assert!(fens.len() > 100, "{format}");

        let computed = ["white_all", "black_twice", "checkers"].map(|name| name.parse().unwrap());
        let asked = [InputColumn::Line.into()].into_iter().chain(computed);
        let input = Input::records(format, &Keep::All).unwrap();
        let plan = Query::default().columns(asked).plan(&input).unwrap();
        let mut source = RecordSource::new(format, &file[..], "file: ");
        let mut batches = Vec::new();
        while let Some(part) = Source::<Error>::next(&mut source, 33, usize::MAX).unwrap() {
            assert!(part.rows <= 33);
            batches.push(plan.read(part).unwrap().batch);
        }
        let batch = concat_batches(plan.schema(), &batches).unwrap();
        assert_eq!(batch.num_rows(), fens.len());
        let lines: Vec<_> = (1..=fens.len() as u64).map(Some).collect();
        assert_eq!(cells(batch.column_by_name("line").unwrap()), lines);
        let column = |name: &str| {
            batch.column_by_name(name).unwrap_or_else(|| panic!("{format} has no {name}"))
        };
        assert!(
            column("score").as_primitive::<Int32Type>().values().iter().all(|&score| score == -3)
        );
        let fens: Vec<Option<&str>> = fens.into_iter().map(Some).collect();
        if format == Format::Bullet {
            continue; // its boards are turned: below
        }
        let same: Vec<Column> = ["turn", "castling_white", "en_passant", "halfmove_clock"]
            .map(|name| name.parse().unwrap())
            .into_iter()
            .chain(computed)
            .collect();
        let of_text =
            Query::default().columns(same.clone()).of_text(&text(0, &fens)).unwrap().batch;
        for (name, expected) in same.iter().zip(of_text.columns()) {
            assert_eq!(column(name.name()), expected, "{format}, {name}");
        }
    }
}

#[test]
fn bulletformat_is_turned_for_the_side_to_move() {
    let mut turned = Records::new();
    let mut file = Vec::new();
    Writer::new(Format::Bullet, &mut file).unwrap().write(&records()).unwrap();
    Reader::new(Format::Bullet, &file[..]).read(10_000, &mut turned).unwrap();
    assert_eq!(turned.len(), sample().len());
    // Columns that can be computed from the pieces alone, with white to move.
    let known = ["white_rook", "black_all", "checkers", "white_mobility_rook", "knights", "black"];
    let maps = Query::default().columns(known.map(|name| name.parse().unwrap())).chunk_rows(100);
    let table = maps.of_records(Format::Bullet, &turned).unwrap();
    for (row, pieces) in turned.pieces.iter().enumerate() {
        let original: Fen = sample()[row].parse().unwrap();
        let mover = original.pieces.colour(original.turn);
        let as_seen = if original.turn == Colour::White { mover } else { mover.swap_bytes() };
        assert_eq!(pieces.white, as_seen);
        let expected = expected(&Fen { pieces: *pieces, turn: Colour::White, ..Fen::START });
        for (name, column) in known.iter().zip(table.columns()) {
            let at = NAMES.iter().position(|known| known == name).unwrap();
            assert_eq!(cells(&column.slice(row, 1)), [expected[at]], "{name} of row {row}");
        }
    }
    for name in ["turn", "castling_black", "ply", "move"] {
        let maps = Query::default().columns([name.parse().unwrap()]);
        let expected = format!("column `{name}` is not in this input");
        assert_eq!(maps.of_records(Format::Bullet, &turned).unwrap_err().to_string(), expected);
    }
}

/// Damaged records are null in every column, for all other fields of the format, and the other records are unchanged.
/// They are gathered separately for the kernel, so chunks and conditions must not matter.
#[test]
fn damaged_records_are_null_in_every_column() {
    for format in [Format::Bullet, Format::Marlin, Format::PackedSfen] {
        let (size, all) = (format.record_size().unwrap(), records());
        let mut file = Vec::new();
        for row in 0..all.len() {
            // The positions that the format can hold.
            let _ = Writer::new(format, &mut file).unwrap().write(&all.row(row));
        }
        let mut seed = 1_u64;
        for record in file.chunks_mut(size).step_by(3) {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            record[(seed >> 33) as usize % size] ^= (seed >> 56) as u8 | 1;
        }
        let alone = |record| {
            let mut batch = Records::new();
            Reader::new(format, record).read(2, &mut batch).ok().map(|_| batch)
        };
        let records: Vec<Option<Records>> = file.chunks(size).map(alone).collect();
        let invalid = records.iter().filter(|one| one.is_none()).count();
        assert!(invalid > 10 && records.len() > 100 + invalid, "{format}: {invalid}");

        let input = Input::records(format, &Keep::None).unwrap();
        let told = Column::all().iter().copied();
        let told = told.filter(|column| input.is_available(*column) && !column.needs_feature_set());
        let null = Query::default().columns(told).on_invalid(OnInvalid::Null);
        let condition = "score is null or score > 0";
        for (chunk, condition) in [(2048, None), (7, None), (1, None), (7, Some(condition))] {
            let conditions = condition.into_iter().map(|text| text.parse().unwrap());
            let plan = null.clone().chunk_rows(chunk).conditions(conditions).plan(&input).unwrap();
            let mut source = RecordSource::new(format, &file[..], "");
            let part = Source::<Error>::next(&mut source, usize::MAX, usize::MAX).unwrap().unwrap();
            let batch = plan.read(part).unwrap().batch;
            let stays = |one: &&Option<Records>| {
                condition.is_none() || one.as_ref().is_none_or(|one| one.score[0] > 0)
            };
            let expected: Vec<&Option<Records>> = records.iter().filter(stays).collect();
            assert_eq!(batch.num_rows(), expected.len());
            for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                for (row, _) in expected.iter().enumerate().filter(|(_, one)| one.is_none()) {
                    assert_eq!(column.is_null(row), field.name() != "line", "{field}");
                }
            }
            let says = |name: &str, number: &dyn Fn(&Records) -> u64| {
                let numbers = expected.iter().map(|one| one.as_ref().map(number));
                let column = batch.column_by_name(name).unwrap();
                assert_eq!(cells(column), numbers.collect::<Vec<_>>(), "{format}, {name}");
            };
            says("score", &|one| one.score[0] as u32 as u64);
            says("result", &|one| one.result[0] as u8 as u64);
            says("queens", &|one| one.pieces[0].queens);
            if format != Format::Bullet {
                says("turn", &|one| one.turn[0] as u64);
            }
            if format == Format::PackedSfen {
                says("ply", &|one| one.ply[0].into());
                let moves = expected.iter().map(|one| one.as_ref()?.moves[0]);
                let moves: Vec<_> = moves.map(|one| one.map(|one| one.to_string())).collect();
                let column = batch.column_by_name("move").unwrap().as_string::<i32>();
                assert!(column.iter().eq(moves.iter().map(Option::as_deref)));
            }
        }
    }
}
