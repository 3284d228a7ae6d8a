//! Games: compares every position, move, clock and evaluation with python-chess, for all sizes and numbers of threads;
//! invalid games; tags; and tables with one game per row.

use std::io::Read;
use std::sync::Arc;

use crate::common::{TYPES, expected, text};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float64Type, Int8Type, Int32Type, Time32MillisecondType, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, Int32Array, LargeListArray, LargeListViewArray, ListArray,
    ListViewArray, RecordBatch, StringArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::Field;
use arrow_select::concat::concat_batches;
use setwise_table::{
    Column, Error, GameSource, Input, Keep, MAX_LINE, OnInvalid, Output, Piece, Plan, Query,
    Report, RowNames, Sizes, Source,
};

fn unpacked(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/data/");
    let file = std::fs::File::open(format!("{folder}{name}")).expect("the file is there");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

fn columns(names: &[&str]) -> Vec<Column> {
    names.iter().map(|name| name.parse().expect("a column")).collect()
}

fn named(names: &[&str]) -> Keep {
    Keep::Named(names.iter().map(|name| (*name).to_owned()).collect())
}

/// Computes the complete output for a text, in batches of about this many bytes of columns.
fn stream(plan: &Plan, text: &str, batch: usize) -> Result<(RecordBatch, Report, usize), Error> {
    let source = GameSource::new(std::io::Cursor::new(text.as_bytes().to_vec()), "games.pgn: ");
    let sizes = Sizes { batch, encoded: |_| 0, part: 1 << 24, under_way: None };
    let (mut batches, mut report) = (Vec::new(), Report::default());
    let whole = |batch| -> Result<_, Error> {
        let piece: Piece<RecordBatch, Error> = Box::new(|| Ok(batch));
        Ok(vec![piece])
    };
    plan.stream(source, whole, &sizes, |done| {
        assert_eq!(done.rows, done.encoded.iter().map(RecordBatch::num_rows).sum::<usize>());
        batches.extend(done.encoded);
        report.add(done.report);
        Ok(())
    })?;
    Ok((concat_batches(plan.schema(), &batches)?, report, batches.len()))
}

fn texts<'a>(batch: &'a RecordBatch, name: &str) -> Vec<Option<&'a str>> {
    batch.column_by_name(name).expect(name).as_string::<i32>().iter().collect()
}

#[test]
fn every_row_agrees_with_python_chess() {
    let (pgn, answers) = (unpacked("games.pgn.gz"), unpacked("games.pgn.tsv.gz"));
    let names = ["fen", "turn", "checkers", "white_rook", "black_all", "knights", "line"];
    let plan = |threads| {
        let query = Query::default().columns(columns(&names)).threads(Some(threads));
        query.plan(&Input::games(&named(&["White", "Variant", "Result"])).expect("tags"))
    };
    let plan_of_one = plan(1).expect("a plan");
    let (batch, report, _) = stream(&plan_of_one, &pgn, 1 << 20).expect("right games");
    assert_eq!((report.games, report.invalid), (2000, 0));
    assert_eq!(batch.num_rows(), answers.lines().count());
    for threads in [2, 5] {
        let (other, report, batches) =
            stream(&plan(threads).expect("a plan"), &pgn, 1 << 12).expect("right games");
        assert!(batches > 20, "{batches}");
        assert_eq!(other, batch, "{threads} threads");
        assert_eq!(report.games, 2000);
    }

    let [fens, moves, sans, white, variant, results] =
        ["fen", "move", "san", "White", "Variant", "Result"].map(|name| texts(&batch, name));
    let numbers = |name: &str| crate::common::cells(batch.column_by_name(name).expect(name));
    let [game, ply, result] = ["game", "ply", "result"].map(numbers);
    let of_pieces =
        [("turn", 6), ("checkers", 2), ("white_rook", 0), ("black_all", 1), ("knights", 4)];
    let of_pieces = of_pieces.map(|(name, at)| (numbers(name), at));
    let line = batch.column_by_name("line").expect("line").as_primitive::<UInt64Type>().values();
    let seconds = |name: &str, row: usize| {
        let column = batch.column_by_name(name).expect(name).as_primitive::<Float64Type>();
        column.is_valid(row).then(|| (column.value(row) * 1000.0).round().to_string())
    };
    let score = |name: &str, row: usize| {
        let column = batch.column_by_name(name).expect(name).as_primitive::<Int32Type>();
        column.is_valid(row).then(|| column.value(row).to_string())
    };
    let lines: Vec<&str> = pgn.lines().collect();
    let mut last = 0;
    for (row, answer) in answers.lines().enumerate() {
        let fields: Vec<&str> = answer.split('\t').collect();
        let [number, fen, uci, san, clock, elapsed, eval, ended, name] = fields[..] else {
            panic!("{answer}")
        };
        assert_eq!(game[row], number.parse().ok(), "{answer}");
        let fen: setwise::Fen = fen.parse().expect("FEN");
        assert_eq!(fens[row], Some(&*fen.to_string()), "{answer}");
        let given = |text| Some(text).filter(|text: &&str| !text.is_empty());
        // The answers write castling as the king's move to its rook.
        let castles = san.starts_with("O-O") && variant[row].is_none();
        let to = if san.starts_with("O-O-O") { 'c' } else { 'g' };
        let uci = match castles {
            true => format!("{}{to}{}", &uci[..2], &uci[3..]),
            false => uci.to_owned(),
        };
        assert_eq!(moves[row], given(&uci), "{answer}");
        assert_eq!(sans[row], given(san), "{answer}");
        assert_eq!(seconds("clock", row).as_deref(), given(clock), "{answer}");
        assert_eq!(seconds("elapsed", row).as_deref(), given(elapsed), "{answer}");
        let mate = score("mate", row).map(|moves| format!("#{moves}"));
        assert_eq!(score("eval", row).or(mate).as_deref(), given(eval), "{answer}");
        assert_eq!((white[row], results[row]), (Some(name), Some(ended)), "{answer}");
        let of_white = [("1-0", 1), ("0-1", -1), ("1/2-1/2", 0)];
        let of_white = of_white.iter().find(|(text, _)| *text == ended).map(|(_, result)| *result);
        let of_mover = of_white.map(|one: i8| if fen.turn as u8 == 0 { one } else { -one });
        assert_eq!(result[row], of_mover.map(|one| u64::from(one as u8)), "{answer}");
        let is_first = row == 0 || game[row] != game[row - 1];
        last = if is_first { 0 } else { last + 1 };
        assert_eq!(ply[row], Some(last), "{answer}");
        if is_first {
            assert!(lines[line[row] as usize - 1].starts_with("[Event "));
        }
        for (column, at) in &of_pieces {
            assert_eq!(column[row], expected(&fen)[*at], "{answer}");
        }
    }
}

#[test]
fn tags_have_the_types_of_the_standard() {
    let pgn = r#"[Event "a"]
[WhiteElo "2851"]
[BlackElo "?"]
[Date "1851.06.21"]
[UTCDate "2026.??.??"]
[UTCTime "23:59:58"]
[Round "1.2"]
[White "O'Neill \"x\" \\"]

1. e4 *

[Event "b"]

*
"#;
    let tags = ["WhiteElo", "BlackElo", "Date", "UTCDate", "UTCTime", "Round", "White", "ply"];
    let query = Query::default().columns([]);
    let plan = query.plan(&Input::games(&named(&tags)).expect("tags")).expect("a plan");
    let (batch, ..) = stream(&plan, pgn, 1 << 20).expect("two games");
    assert_eq!(batch.num_rows(), 3);
    let names: Vec<_> = plan.schema().fields().iter().map(|field| field.name()).collect();
    assert_eq!(names, tags);
    let column = |name: &str| batch.column_by_name(name).expect(name);
    let numbers =
        |name: &str| -> Vec<_> { column(name).as_primitive::<Int32Type>().iter().collect() };
    assert_eq!(numbers("WhiteElo"), [Some(2851), Some(2851), None]);
    assert_eq!(numbers("BlackElo"), [None; 3]);
    let days =
        |name: &str| -> Vec<_> { column(name).as_primitive::<Date32Type>().iter().collect() };
    assert_eq!(days("Date"), [Some(-43_293), Some(-43_293), None]);
    assert_eq!(days("UTCDate"), [None; 3]);
    let time = column("UTCTime").as_primitive::<Time32MillisecondType>().iter().collect::<Vec<_>>();
    assert_eq!(time, [Some(86_398_000), Some(86_398_000), None]);
    assert_eq!(texts(&batch, "Round"), [Some("1.2"), Some("1.2"), None]);
    assert_eq!(texts(&batch, "White")[0], Some(r#"O'Neill "x" \"#));

    // If only tags are named, the data of each position are kept too.
    let plan = query.plan(&Input::games(&named(&["White"])).expect("a tag")).expect("a plan");
    let names: Vec<_> = plan.schema().fields().iter().map(|field| &field.name()[..]).collect();
    let all = ["game", "ply", "move", "san", "clock", "elapsed", "eval", "mate", "result"];
    assert_eq!(names, [&["White"], &all[..]].concat());
    let plan = query.plan(&Input::games(&Keep::None).expect("none")).expect("a plan");
    assert_eq!(plan.schema().fields().len(), 0);
    let error = Input::games(&named(&["White Elo"])).unwrap_err().to_string();
    assert!(error.starts_with("no column is called `White Elo`; there are `game`, "), "{error}");
}

const BAD: &str = "1. e4 e5 1-0

[Event \"bad\"]
[White \"a\"]

1. e4 d5
2. exd5 Nd4 *

1. d4 0-1
";

#[test]
fn bad_games_stop_or_are_skipped_or_cut_short() {
    let input = Input::games(&named(&["game", "ply", "White"])).expect("tags");
    let plan = |on_invalid| Query::default().columns([]).on_invalid(on_invalid).plan(&input);
    let rows = |batch: &RecordBatch| -> Vec<(u64, u32)> {
        let game = batch.column_by_name("game").expect("game").as_primitive::<UInt64Type>();
        let ply = batch.column_by_name("ply").expect("ply").as_primitive::<UInt32Type>();
        game.values().iter().copied().zip(ply.values().iter().copied()).collect()
    };
    for size in [1, 1 << 20] {
        let stopped = stream(&plan(OnInvalid::Stop).expect("a plan"), BAD, size).unwrap_err();
        let reason = "expected a legal move of black, found 'Nd4': no black knight can go to d4; the position is \
                      rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
        let place = "games.pgn: game 2, line 7, column 9";
        assert_eq!(stopped.to_string(), format!("{place}: {reason}: \"2. exd5 Nd4 *\""));
        let Error::Invalid(bad) = stopped else { panic!("{stopped}") };
        assert_eq!((bad.row, bad.character), (2, 9));

        let skip = plan(OnInvalid::Skip).expect("a plan");
        let (batch, report, _) = stream(&skip, BAD, size).expect("skipped");
        assert_eq!(rows(&batch), [(1, 0), (1, 1), (1, 2), (3, 0), (3, 1)]);
        assert_eq!((report.invalid, report.games), (1, 2));
        let bad = &report.bad_rows[0];
        assert_eq!((&*bad.place, &*bad.reason), (place, reason));
        let text = "[Event \"bad\"]\n[White \"a\"]\n\n1. e4 d5\n2. exd5 Nd4 *";
        assert_eq!(String::from_utf8_lossy(&bad.text), text);
        assert_eq!(text.chars().skip(bad.character - 1).collect::<String>(), "Nd4 *");

        let keep = plan(OnInvalid::Keep).expect("a plan");
        let (batch, report, _) = stream(&keep, BAD, size).expect("kept");
        let kept = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1)];
        assert_eq!(rows(&batch), kept);
        assert_eq!((report.invalid, report.games), (1, 3));
        assert_eq!(texts(&batch, "White")[4], Some("a"));
    }
    let refused = plan(OnInvalid::Null).unwrap_err().to_string();
    assert!(refused.starts_with("`null` is for rows, and the input has games"), "{refused}");
    let refused = Query::default().on_invalid(OnInvalid::Keep).plan(&Input::text()).unwrap_err();
    assert!(refused.to_string().starts_with("`keep` is for games"), "{refused}");
    let result = Query::default().columns(columns(&["result"])).without_nulls(Some("reasons"));
    let refused = result.plan(&Input::games(&Keep::None).expect("none")).unwrap_err();
    assert_eq!(refused.to_string(), "column `result` has nulls in this input, and reasons");
}

#[test]
fn a_row_of_a_table_can_be_a_game() {
    let mut pgn = unpacked("games.pgn.gz");
    pgn.truncate(pgn.match_indices("\n[Event ").nth(200).expect("200 games").0 + 1);
    let wanted =
        ["game", "ply", "move", "san", "clock", "eval", "result", "FEN", "White", "Variant"];
    let plan = Query::default().columns(columns(&["fen", "white_all"]));
    let plan = plan.plan(&Input::games(&named(&wanted)).expect("tags")).expect("a plan");
    let (of_text, ..) = stream(&plan, &pgn, 1 << 20).expect("right games");

    // The same games as a table, without Chess960: a table does not name variants.
    let games: Vec<&str> =
        pgn.split("[Event ").skip(1).filter(|g| !g.contains("Chess960")).collect();
    let tag = |game: &str, name: &str| {
        let start = game.find(&format!("[{name} \""))? + name.len() + 3;
        Some(game[start..start + game[start..].find("\"]")?].replace("\\\\", "\\"))
    };
    let of_tag = |name| games.iter().map(|game| tag(game, name)).collect::<Vec<_>>();
    let movetext: Vec<Option<&str>> =
        games.iter().map(|game| Some(&game[game.find("\n\n").expect("moves")..])).collect();
    let [fen, white] = ["FEN", "White"].map(of_tag);
    let games_of_text = arrow_array::BooleanArray::from_iter(
        texts(&of_text, "Variant").iter().map(|variant| Some(variant.is_none())),
    );
    let of_text =
        arrow_select::filter::filter_record_batch(&of_text, &games_of_text).expect("rows");
    assert!(of_text.num_rows() > 500);
    for which in 0..TYPES {
        let elos: ArrayRef = Arc::new((0..games.len() as i32).collect::<Int32Array>());
        let batch = RecordBatch::try_from_iter([
            ("Elo", elos),
            ("FEN", Arc::new(fen.iter().map(Option::as_deref).collect::<StringArray>())),
            ("moves", text(which, &movetext)),
            ("White", Arc::new(white.iter().map(Option::as_deref).collect::<StringArray>())),
        ])
        .expect("columns of one length");
        let input = Input::table_of_games(&batch.schema(), "moves", &Keep::All).expect("a table");
        let plan = Query::default().columns(columns(&["fen", "white_all"]));
        let error = plan.plan(&input).err().map(|error| error.to_string());
        assert_eq!(error, None);
        let plan = plan.plan(&input).expect("a plan");
        let table = plan.chunk(&batch).expect("right games").batch;
        let names: Vec<_> =
            table.schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names[..5], ["Elo", "FEN", "White", "game", "ply"]);
        for name in
            ["ply", "move", "san", "clock", "eval", "result", "FEN", "White", "fen", "white_all"]
        {
            let (found, expected) = (table.column_by_name(name), of_text.column_by_name(name));
            assert_eq!(found.expect(name), expected.expect(name), "{name}");
        }
        let game = table.column_by_name("game").expect("game").as_primitive::<UInt64Type>();
        let elo = table.column_by_name("Elo").expect("Elo").as_primitive::<Int32Type>();
        assert!(game.values().iter().zip(elo.values()).all(|(game, elo)| *game == *elo as u64 + 1));
    }
}

#[test]
fn bad_and_missing_games_of_tables() {
    let moves = [Some("1. e4 e5 1-0"), None, Some("1. e4\nKe3"), Some("")];
    let batch = RecordBatch::try_from_iter([
        ("id", Arc::new(StringArray::from(vec!["a", "b", "c", "d"])) as ArrayRef),
        ("movetext", Arc::new(StringArray::from(moves.to_vec()))),
    ])
    .expect("two columns");
    let input = |keep| Input::table_of_games(&batch.schema(), "movetext", &keep);
    let input = input(named(&["id", "ply"])).expect("a table");
    let plan = |on_invalid| Query::default().columns([]).on_invalid(on_invalid).plan(&input);
    let read = |on_invalid| {
        let plan = plan(on_invalid).expect("a plan");
        let names = RowNames { before: "t: ", first: 1 };
        let part = setwise_table::Part {
            rows: 4,
            bytes: 0,
            read: Box::new(|rows: &mut setwise_table::Rows<'_>| rows.push_batch(&batch, 1, names)),
        };
        plan.read::<Error>(part)
    };
    let error = read(OnInvalid::Stop).unwrap_err().to_string();
    let place = "t: row 3, line 2, column 1: expected a legal move of black, found 'Ke3'";
    assert!(error.starts_with(place), "{error}");
    for (on_invalid, ids) in [
        (OnInvalid::Skip, &["a", "a", "a", "d"][..]),
        (OnInvalid::Keep, &["a", "a", "a", "c", "c", "d"]),
    ] {
        let output = read(on_invalid).expect("not stopped");
        assert!(texts(&output.batch, "id").into_iter().flatten().eq(ids.iter().copied()));
        assert_eq!(output.report.invalid, 1);
        assert_eq!(output.report.bad_rows[0].text, b"1. e4\nKe3");
    }
    let numbers =
        RecordBatch::try_from_iter([("movetext", Arc::new(Int32Array::from(vec![1])) as ArrayRef)]);
    let schema = numbers.expect("a column").schema();
    let error = Input::table_of_games(&schema, "movetext", &Keep::All).unwrap_err().to_string();
    assert!(error.starts_with("column `movetext` holds Int32, expected text"), "{error}");
    assert!(Input::table_of_games(&schema, "moves", &Keep::All).is_err());
}

/// Reads a table with a start position and a game in its first row, and another game in its second row.
fn row_of_game(fen: Option<&str>, moves: &str, on_invalid: OnInvalid) -> Result<Output, Error> {
    let batch = RecordBatch::try_from_iter([
        ("fen", Arc::new(StringArray::from(vec![fen, None])) as ArrayRef),
        ("movetext", Arc::new(StringArray::from(vec![moves, "1. d4 d5"]))),
    ]);
    let batch = batch.expect("columns of one length");
    let keep = named(&["move", "result"]);
    let input = Input::table_of_games(&batch.schema(), "movetext", &keep).expect("a table");
    let query = Query::default().columns(columns(&["halfmove_clock"])).on_invalid(on_invalid);
    query.plan(&input).expect("a plan").chunk(&batch)
}

#[test]
fn games_of_a_table_are_not_cut_off() {
    for (moves, column, expected, kept) in [
        ("1. e4 (1. d4 d5 2. Nf3 1-0", 7, "')' for this variation within the game, found '('", 2),
        ("1. e4 {x e5 2. Nf3 1-0", 7, "'}' for this comment within the game, found '{'", 2),
        ("1. e4 e5 2. Nxx", 13, "a move or a result, found 'Nxx'", 3),
        ("1. e4 e5 2. Nf3 (", 17, "')' for this variation within the game, found '('", 4),
    ] {
        let error = row_of_game(None, moves, OnInvalid::Stop).unwrap_err().to_string();
        let expected = format!("row 0, column {column}: expected {expected}");
        assert_eq!(error, format!("{expected}: {moves:?}"));
        for (on_invalid, rows) in [(OnInvalid::Skip, 3), (OnInvalid::Keep, kept + 3)] {
            let output = row_of_game(None, moves, on_invalid).expect("not stopped");
            assert_eq!((output.batch.num_rows(), output.report.invalid), (rows, 1), "{moves}");
        }
    }
}

#[test]
fn start_positions_of_a_table_are_only_positions() {
    let kings = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let end = "expected a space or the end of the line, found";
    for (fen, character, expected) in [
        (format!("{kings} 0 1\"]\n[Result \"1-0"), 32, end),
        (format!("{kings} 0 1\\"), 32, end),
        (format!(" {kings} 0 1 \"a"), 33, "expected an operation or the end of the line, found"),
        ("8/8/8/8/8/8/4P3/4K3 w - -".to_owned(), 1, "expected one black king, found 0"),
    ] {
        let error = row_of_game(Some(&fen), "1. e4 Kd7", OnInvalid::Stop).unwrap_err();
        let Error::Invalid(bad) = error else { panic!("{error}") };
        assert_eq!(bad.place, format!("row 0, column `fen`, character {character}"));
        assert!(bad.reason.starts_with(expected), "{bad}");
        assert_eq!((bad.row, bad.character), (0, character + 6));
        assert!(bad.text.starts_with(b"[FEN \"") && !bad.text.contains(&b'\n'));
        let output = row_of_game(Some(&fen), "1. e4 Kd7", OnInvalid::Keep).expect("not stopped");
        assert_eq!((output.batch.num_rows(), output.report.invalid), (3, 1), "{fen}");
        assert!(output.report.bad_rows[0].text.ends_with(b"\"]\n1. e4 Kd7"), "{fen}");
    }
    // Skipped games keep their start position, so that they can be corrected and read again.
    let output = row_of_game(Some(kings), "1. e4 Ke9", OnInvalid::Skip).expect("not stopped");
    let [bad] = &output.report.bad_rows[..] else { panic!("one bad row") };
    assert_eq!(str::from_utf8(&bad.text), Ok(&*format!("[FEN \"{kings}\"]\n1. e4 Ke9")));
    assert_eq!((&*bad.place, bad.character), ("row 0, column 7", kings.len() + 9 + 7));
    // The operations of EPD may have quotes and line ends, which do not end the position.
    let fen = format!("{kings} hmvc 41; id \"a\"]\n[Result \"1-0\\\";");
    let output = row_of_game(Some(&fen), "1. e4 Kd7", OnInvalid::Stop).expect("right games");
    assert_eq!(output.batch["result"].null_count(), 6);
    let clock = output.batch["halfmove_clock"].as_primitive::<UInt32Type>();
    assert_eq!(clock.values()[..3], [41, 0, 1]);
}

/// Makes a column of lists in each of Arrow's layouts.
fn lists(layout: usize, items: ArrayRef, lengths: &[usize], valid: &[bool]) -> ArrayRef {
    let field = Arc::new(Field::new("item", items.data_type().clone(), true));
    let offsets = || OffsetBuffer::<i32>::from_lengths(lengths.iter().copied());
    let large = || OffsetBuffer::<i64>::from_lengths(lengths.iter().copied());
    let nulls = Some(NullBuffer::from(valid));
    match layout {
        0 => Arc::new(ListArray::new(field, offsets(), items, nulls)),
        1 => Arc::new(LargeListArray::new(field, large(), items, nulls)),
        2 => Arc::new(ListViewArray::from(ListArray::new(field, offsets(), items, nulls))),
        3 => Arc::new(LargeListViewArray::from(LargeListArray::new(field, large(), items, nulls))),
        _ => Arc::new(FixedSizeListArray::new(field, lengths[0] as i32, items, nulls)),
    }
}

#[test]
fn a_cell_can_be_a_list_of_moves() {
    let moves = [["e4", "e5", "Nf3"], ["d2d4", "d7d5", "c2c4"], ["e4", "e5", "Nf3"]];
    let moves: Vec<_> = moves.as_flattened().iter().copied().map(Some).collect();
    for layout in 0..5 {
        for which in 0..TYPES {
            let column = lists(layout, text(which, &moves), &[3; 3], &[true, true, false]);
            let batch = RecordBatch::try_from_iter([("moves", column)]).expect("a column");
            // A slice has offsets.
            for (batch, expected) in [
                (batch.clone(), &["e2e4", "e7e5", "g1f3", "", "d2d4", "d7d5", "c2c4", ""][..]),
                (batch.slice(1, 2), &["d2d4", "d7d5", "c2c4", ""]),
            ] {
                let input = Input::table_of_games(&batch.schema(), "moves", &named(&["move"]));
                let plan = Query::default().columns([]).plan(&input.expect("lists"));
                let output = plan.expect("a plan").chunk(&batch).expect("right games");
                let found = texts(&output.batch, "move");
                let found: Vec<_> = found.into_iter().map(Option::unwrap_or_default).collect();
                assert_eq!(found, expected, "layout {layout}, text {which}");
            }
        }
    }
}

#[test]
fn an_item_that_is_not_a_move_is_an_error() {
    let bad = [Some("e4"), None, Some("{ e5 }"), Some("e4 (e5"), Some(""), Some("zzz")];
    for item in &bad[1..] {
        let items: ArrayRef = Arc::new(StringArray::from(vec![Some("e4"), *item, Some("d4")]));
        let column = lists(0, items, &[2, 1], &[true; 2]);
        let batch = RecordBatch::try_from_iter([("moves", column)]).expect("a column");
        let input = Input::table_of_games(&batch.schema(), "moves", &named(&["move"]));
        let input = input.expect("lists");
        let read = |on_invalid| {
            let plan = Query::default().columns([]).on_invalid(on_invalid).plan(&input);
            plan.expect("a plan").chunk(&batch)
        };
        let error = read(OnInvalid::Stop).unwrap_err().to_string();
        let expected = "row 0, column `moves`: item 2: expected a move, found ";
        assert!(error.starts_with(expected), "{item:?}: {error}");
        for (on_invalid, rows) in [(OnInvalid::Skip, 2), (OnInvalid::Keep, 4)] {
            let output = read(on_invalid).expect("not stopped");
            assert_eq!((output.batch.num_rows(), output.report.invalid), (rows, 1), "{item:?}");
        }
    }
}

#[test]
fn sources_hold_one_part_at_a_time() {
    // An endless comment, an endless line, and endless games: the parts stay small.
    for line in ["{ endless ", "x", "1. e4 e5 *\n", "(", "[A \"a\"]\n"] {
        let bytes = std::io::repeat(0).take(2 << 20);
        let mut at = 0;
        struct Lines<R>(R, &'static str, usize);
        impl<R: Read> Read for Lines<R> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let count = self.0.read(buffer)?;
                for byte in &mut buffer[..count] {
                    *byte = self.1.as_bytes()[self.2 % self.1.len()];
                    self.2 += 1;
                }
                Ok(count)
            }
        }
        let reader = std::io::BufReader::new(Lines(bytes, line, 0));
        let mut source = GameSource::new(reader, "");
        let plan = Query::default().on_invalid(OnInvalid::Skip);
        let plan = plan.plan(&Input::games(&Keep::None).expect("none")).expect("a plan");
        while let Some(part) = Source::<Error>::next(&mut source, 1000, 1 << 16).expect("no errors")
        {
            assert!(part.bytes <= 17 << 20 && part.rows <= 3 << 20, "{line}: {}", part.bytes);
            at += part.bytes;
            plan.read(part).expect("skipped");
        }
        assert!(at > 0);
    }
}

#[test]
fn positions_are_at_most_as_long_as_lines() {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ".to_owned();
    let cell = |length: usize| fen.clone() + &"x".repeat(length - fen.len());
    let cells: ArrayRef = Arc::new(StringArray::from(vec![cell(MAX_LINE), cell(MAX_LINE + 1)]));
    let batch = RecordBatch::try_from_iter([("fen", cells)]).expect("a table");
    let input = Input::table(&batch.schema(), None, &Keep::None).expect("a table");
    let query = Query::default().columns(["fen".parse().expect("a column")]);
    let error = query.plan(&input).expect("a plan").chunk(&batch).map(drop).unwrap_err();
    let expected = "column `fen`, row 1, character 65537: the text is longer than 65536 bytes";
    assert!(error.to_string().starts_with(expected), "{error}");
    let plan = query.on_invalid(OnInvalid::Skip).plan(&input).expect("a plan");
    assert_eq!(*plan.chunk(&batch).expect("a row").batch["fen"], *batch["fen"].slice(0, 1));
}

#[test]
fn text_that_is_too_long_to_repeat_is_an_error_of_its_column() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(160);
    let batch = RecordBatch::try_from_iter([
        ("movetext", Arc::new(StringArray::from(vec![moves])) as ArrayRef),
        ("note", Arc::new(StringArray::from(vec!["x".repeat(4 << 20)]))),
    ]);
    let batch = batch.expect("columns of one length");
    let input = Input::table_of_games(&batch.schema(), "movetext", &named(&["note"]));
    let plan = Query::default().columns([]).plan(&input.expect("a table")).expect("a plan");
    let error = plan.chunk(&batch).map(drop).expect_err("641 times 4 MiB").to_string();
    assert!(error.starts_with("column `note` has more than 2 GiB of text"), "{error}");
}

#[test]
fn results_are_those_of_the_side_to_move() {
    let plan = Query::default().columns(columns(&["turn"]));
    let plan = plan.plan(&Input::games(&named(&["result"])).expect("result")).expect("a plan");
    let (batch, ..) = stream(&plan, "1. e4 e5 1-0\n1. d4 *\n", 1 << 20).expect("two games");
    let result = batch.column_by_name("result").expect("result").as_primitive::<Int8Type>();
    assert_eq!(result.iter().collect::<Vec<_>>(), [Some(1), Some(-1), Some(1), None, None]);
}
