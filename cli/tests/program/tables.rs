//! Tables in: every format of them, what is passed through, which rows are bad, and files that are damaged.

use std::io::Write;
use std::sync::Arc;

use arrow::array::builder::{Int32Builder, ListBuilder};
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, DictionaryArray, Float64Array, Int32Array,
    LargeStringArray, RecordBatch, StringArray, StringViewArray, StructArray,
};
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, Field, Int8Type, Schema, UInt64Type};
use arrow::ipc::reader::FileReader;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;

use crate::run::{Folder, maps, sample};

/// The first rows of the sample as a table with columns of many types, some with nulls.
fn table(rows: usize) -> RecordBatch {
    let sample = sample();
    let fens: Vec<&str> = sample.lines().take(rows).collect();
    let row = || 0..rows as i32;
    let some = |row: i32| row % 3 > 0;
    let mut list = ListBuilder::new(Int32Builder::new());
    row().for_each(|row| match row % 5 {
        0 => list.append_null(),
        n => list.append_value((0..n).map(|i| (i != 2).then_some(i * row))),
    });
    let names = || row().map(|row| some(row).then(|| format!("name \"{row}\", or\nso")));
    let openings: DictionaryArray<Int8Type> =
        row().map(|row| ["C50", "B20", "A00"].get(row as usize % 4).copied()).collect();
    let child = Arc::new(Field::new("x", DataType::Int32, true));
    let children = Arc::new(row().map(|row| some(row).then_some(row)).collect::<Int32Array>());
    let nulls = Some(row().map(|row| row % 7 != 0).collect());
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("Rating", Arc::new(row().collect::<Int32Array>())),
        ("FEN", Arc::new(StringArray::from(fens))),
        (
            "cp",
            Arc::new(
                row().map(|row| some(row).then(|| f64::from(row) / 7.)).collect::<Float64Array>(),
            ),
        ),
        ("name", Arc::new(names().collect::<StringArray>())),
        ("large", Arc::new(names().collect::<LargeStringArray>())),
        ("view", Arc::new(names().collect::<StringViewArray>())),
        ("won", Arc::new(row().map(|row| some(row).then_some(row > 9)).collect::<BooleanArray>())),
        ("opening", Arc::new(openings)),
        ("list", Arc::new(list.finish())),
        ("nested", Arc::new(StructArray::new(vec![child].into(), vec![children], nulls))),
    ];
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap()
}

fn parquet(table: &RecordBatch, rows: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows)).build();
    let mut writer = ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties)).unwrap();
    writer.write(table).unwrap();
    writer.close().unwrap();
    bytes
}

fn parts(table: &RecordBatch, rows: usize) -> impl Iterator<Item = RecordBatch> {
    let all = table.num_rows();
    (0..all).step_by(rows).map(move |start| table.slice(start, rows.min(all - start)))
}

fn arrow_file(table: &RecordBatch, rows: usize) -> Vec<u8> {
    let options = IpcWriteOptions::default()
        .try_with_compression(Some(arrow::ipc::CompressionType::LZ4_FRAME))
        .unwrap();
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &table.schema(), options).unwrap();
    parts(table, rows).for_each(|part| writer.write(&part).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn arrow_stream(table: &RecordBatch, rows: usize) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &table.schema()).unwrap();
    parts(table, rows).for_each(|part| writer.write(&part).unwrap());
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

/// The columns of text of a table, all of them as text.
fn csv(table: &RecordBatch, names: &[&str]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = names.join(",") + "\r\n";
    for row in 0..table.num_rows() {
        let cells: Vec<_> = names
            .iter()
            .map(|name| {
                let column = table.column_by_name(name).unwrap().as_string::<i32>();
                if column.is_null(row) { String::new() } else { quoted(column.value(row)) }
            })
            .collect();
        text += &(cells.join(",") + "\r\n");
    }
    text
}

fn jsonl(table: &RecordBatch, names: &[&str]) -> String {
    let mut text = String::new();
    for row in 0..table.num_rows() {
        let cells: Vec<_> = names
            .iter()
            .map(|name| {
                let column = table.column_by_name(name).unwrap().as_string::<i32>();
                let cell = match column.is_null(row) {
                    true => "null".to_owned(),
                    false => format!("{:?}", column.value(row)),
                };
                format!("\"{name}\": {cell}")
            })
            .collect();
        text += &format!("{{{}}}\n", cells.join(", "));
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// What the program wrote, as one batch.
fn read(folder: &Folder, name: &str) -> RecordBatch {
    let bytes = bytes::Bytes::from(folder.read(name));
    let (schema, batches): (_, Vec<_>) = if name.ends_with("parquet") {
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
        (reader.schema().clone(), reader.build().unwrap().map(Result::unwrap).collect())
    } else {
        let reader = FileReader::try_new(std::io::Cursor::new(bytes), None).unwrap();
        (reader.schema(), reader.map(Result::unwrap).collect())
    };
    concat_batches(&schema, &batches).unwrap()
}

/// Checks that a table has these columns first, then the sixteen of its positions.
#[track_caller]
fn check(got: &RecordBatch, kept: &RecordBatch, text: &str) {
    for (i, field) in kept.schema().fields().iter().enumerate() {
        assert_eq!(got.schema().field(i).name(), field.name());
        assert_eq!(got.schema().field(i).data_type(), field.data_type());
        // A dictionary may be another one, with the same rows.
        let plain = |array: &ArrayRef| match array.data_type() {
            DataType::Dictionary(..) => arrow::compute::cast(array, &DataType::Utf8).unwrap(),
            _ => array.clone(),
        };
        assert_eq!(&plain(got.column(i)), &plain(kept.column(i)), "{}", field.name());
    }
    let expected = maps(text);
    assert_eq!(got.num_columns(), kept.num_columns() + expected.len());
    for (column, expected) in got.columns()[kept.num_columns()..].iter().zip(expected) {
        assert_eq!(column.null_count(), 0);
        assert_eq!(column.as_primitive::<UInt64Type>().values()[..], expected);
    }
}

#[test]
fn other_columns_come_through_as_they_are() {
    const ROWS: usize = 400;
    let (folder, table) = (Folder::new(), table(ROWS));
    let text: String = sample().lines().take(ROWS).map(|line| format!("{line}\n")).collect();
    folder.write("in.parquet", parquet(&table, 150));
    folder.write("in.arrow", arrow_file(&table, 130));
    folder.write("stream", arrow_stream(&table, 130));
    folder.write("in.feather.gz", gzip(&arrow_file(&table, 400)));
    for input in ["in.parquet", "in.arrow", "stream --input-format arrow", "in.feather.gz"] {
        for sizes in ["", "--batch-lines 37 --chunk-rows 10 --threads 3"] {
            folder.succeed(&format!("maps {input} -q -o out.parquet {sizes}"));
            check(&read(&folder, "out.parquet"), &table, &text);
        }
    }
    // Whatever the name, a file is what it begins like.
    folder.write("noname", parquet(&table, 400));
    folder.succeed("maps noname -q -o out.parquet");
    check(&read(&folder, "out.parquet"), &table, &text);
}

#[test]
fn text_tables_are_text() {
    const NAMES: [&str; 2] = ["name", "FEN"];
    const ROWS: usize = 300;
    let (folder, table) = (Folder::new(), table(ROWS));
    let kept = table.project(&[3, 1]).unwrap();
    let text: String = sample().lines().take(ROWS).map(|line| format!("{line}\n")).collect();
    let zstd = |text: &String| zstd::encode_all(text.as_bytes(), 1).unwrap();
    let (csv, jsonl) = (csv(&table, &NAMES), jsonl(&table, &NAMES));
    folder.write("a.csv", &csv);
    folder.write("a.csv.zst", zstd(&csv));
    folder.write("a.csv.gz", gzip(csv.as_bytes()));
    folder.write("bom.csv", [b"\xef\xbb\xbf", csv.as_bytes()].concat());
    folder.write("a.jsonl", &jsonl);
    folder.write("a.ndjson.gz", gzip(jsonl.as_bytes()));
    for input in ["a.csv", "a.csv.zst", "a.csv.gz", "bom.csv", "a.jsonl", "a.ndjson.gz"] {
        for sizes in ["", "--batch-lines 7 --threads 3", "--batch-bytes 100"] {
            folder.succeed(&format!("maps {input} -q -o out.arrow {sizes}"));
            check(&read(&folder, "out.arrow"), &kept, &text);
        }
    }
    // Through a pipe, and several at once.
    let both = concat_batches(&kept.schema(), [&kept, &kept]).unwrap();
    let twice = text.repeat(2);
    for (format, bytes, name) in [("csv", &csv, "a.csv"), ("jsonl", &jsonl, "a.jsonl")] {
        let arguments = format!("maps - {name} --input-format {format} -q -o out.parquet");
        folder.succeed_with(&arguments, bytes.as_bytes());
        check(&read(&folder, "out.parquet"), &both, &twice);
    }
    folder.succeed("maps a.csv a.jsonl -q -o out.parquet");
    check(&read(&folder, "out.parquet"), &both, &twice);
}

#[test]
fn values_of_json_are_kept_as_they_stand() {
    let folder = Folder::new();
    let fen = "8/8/8/8/8/8/8/8";
    let lines = [
        format!(
            r#"{{"fen": "{fen}", "n": 1e400, "s": "a\u00e9\n\"", "l": [1, {{"b" : null}}], "t": true}}"#
        ),
        format!(r#"{{"t": null, "fen": "{fen}", "s": ""}}"#),
    ];
    folder.write("a.jsonl", lines.join("\n"));
    folder.succeed("maps a.jsonl -q -o out.arrow --columns turn");
    let got = read(&folder, "out.arrow");
    let column = |name: &str| -> Vec<Option<String>> {
        let column = got.column_by_name(name).unwrap().as_string::<i32>();
        column.iter().map(|cell| cell.map(str::to_owned)).collect()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(column("n"), [some("1e400"), None]);
    assert_eq!(column("s"), [some("aé\n\""), some("")]);
    assert_eq!(column("l"), [some(r#"[1, {"b" : null}]"#), None]);
    assert_eq!(column("t"), [some("true"), None]);
}

#[test]
fn columns_are_kept_as_asked() {
    let folder = Folder::new();
    folder.write("in.parquet", parquet(&table(50), 20));
    let names = |options: &str| -> Vec<String> {
        folder.succeed(&format!("maps in.parquet -q -o out.parquet --columns {options}"));
        let schema = read(&folder, "out.parquet").schema();
        schema.fields().iter().map(|field| field.name().clone()).collect()
    };
    assert_eq!(names("white_all,turn --keep none"), ["white_all", "turn"]);
    assert_eq!(names("turn --keep cp,Rating"), ["cp", "Rating", "turn"]);
    assert_eq!(names("fen,turn --keep Rating"), ["Rating", "fen", "turn"]);
    assert_eq!(names("turn,line,white --keep none"), ["turn", "line", "white"]);
    assert_eq!(names("turn --keep all").len(), 11);
    assert_eq!(names("turn,fen").len(), 11);
    // Numbers alone have no room for others.
    folder.succeed("maps in.parquet -q -o out.npy");
    let said = folder.fail(2, "maps in.parquet -o other.npy --keep Rating");
    assert!(said.contains("a .npy file holds numbers"), "{said}");
    // The number of a row counts from 1, whatever batches there are.
    folder.succeed("maps in.parquet -q -o out.parquet --keep none --columns line --batch-lines 3");
    let out = read(&folder, "out.parquet");
    assert!(out.column(0).as_primitive::<UInt64Type>().values().iter().copied().eq(1..=50));
}

#[test]
fn the_rest_of_a_line_is_kept_where_asked() {
    let folder = Folder::new();
    let board = "8/8/8/8/8/8/8/8 w - -";
    folder.write("a.epd", format!("{board} bm e4; id \"x\";\n\n{board} 3 7\n{board}\n"));
    let out = folder.run("maps a.epd -o - -f csv --columns rest,line,turn").stdout;
    let expected = "rest,line,turn\n\"bm e4; id \"\"x\"\";\",1,0\n,3,0\n,4,0\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    for keep in ["Rating", "fen", "all"] {
        let said = folder.fail(2, &format!("maps a.epd -o a.csv --keep {keep}"));
        assert!(said.contains("--keep is for tables and packed records"), "{said}");
        assert!(said.contains("--columns fen,rest,default"), "{said}");
    }
}

/// A table whose rows 4, 5 and 9 (from 1) are bad, and whose row 7 is null.
fn spoilt() -> RecordBatch {
    let sample = sample();
    let mut fens: Vec<Option<&str>> = sample.lines().take(12).map(Some).collect();
    (fens[3], fens[4], fens[6], fens[8]) =
        (Some("8/8"), Some("x"), None, Some("8/8/8/8/8/8/8/8 x"));
    let ids = Int32Array::from_iter_values(1..=12);
    RecordBatch::try_from_iter([
        ("id", Arc::new(ids) as ArrayRef),
        ("fen", Arc::new(fens.into_iter().collect::<StringArray>())),
    ])
    .unwrap()
}

#[test]
fn bad_rows_stop_are_skipped_or_null() {
    let folder = Folder::new();
    folder.write("in.parquet", parquet(&spoilt(), 5));
    folder.write("in.arrow", arrow_file(&spoilt(), 5));
    for input in ["in.parquet", "in.arrow"] {
        for sizes in ["", "--batch-lines 1", "--batch-lines 2 --threads 3", "--chunk-rows 1"] {
            let said = folder.fail(1, &format!("maps {input} -o out.parquet {sizes}"));
            let message = "row 4, character 4: expected 8 ranks, found 2\n  8/8\n     ^\n";
            assert_eq!(said, format!("{input}: {message}"));

            let skip = "--on-invalid skip --rejects bad.txt --columns white_all,line";
            let outcome = folder.run(&format!("maps {input} -o out.parquet {skip} {sizes}"));
            assert_eq!((outcome.status, &*outcome.stderr), (Some(0), "3 invalid rows skipped\n"));
            let rejects = String::from_utf8(folder.read("bad.txt")).unwrap();
            let rejects: Vec<_> = rejects.lines().collect();
            assert_eq!(
                rejects[0],
                format!("# {input}: row 4, character 4: expected 8 ranks, found 2")
            );
            assert_eq!((rejects[1], rejects[3], rejects[5]), ("8/8", "x", "8/8/8/8/8/8/8/8 x"));
            let out = read(&folder, "out.parquet");
            let lines = out.column_by_name("line").unwrap().as_primitive::<UInt64Type>();
            assert_eq!(lines.values()[..], [1, 2, 3, 6, 7, 8, 10, 11, 12]);
            assert_eq!(out.column_by_name("white_all").unwrap().null_count(), 1);
            let ids = out.column(0).as_primitive::<arrow::datatypes::Int32Type>().values();
            assert!(ids.iter().map(|&id| id as u64).eq(lines.values().iter().copied()));

            let null = "--on-invalid null --columns white_all";
            let outcome = folder.run(&format!("maps {input} -o out.parquet {null} {sizes}"));
            assert_eq!(
                (outcome.status, &*outcome.stderr),
                (Some(0), "3 invalid rows with nulls\n")
            );
            let out = read(&folder, "out.parquet");
            let nulls: Vec<_> = (0..12).filter(|&row| out.column(2).is_null(row)).collect();
            assert_eq!((out.num_rows(), nulls), (12, vec![3, 4, 6, 8]));

            let said = folder.fail(1, &format!("maps {input} -o x.npy --on-invalid skip {sizes}"));
            let message = "row 7 has no position, and a .npy file has no nulls";
            assert_eq!(said, format!("error: cannot read {input}: {message}\n"));
        }
    }
    let said = folder.fail(2, "maps in.parquet -o x.parquet --on-invalid null --on-invalid skip");
    assert!(said.contains("cannot be used multiple times"), "{said}");
}

#[test]
fn inputs_have_to_go_together() {
    let folder = Folder::new();
    let table = table(10);
    folder.write("a.parquet", parquet(&table, 10));
    folder.write("b.parquet", parquet(&table.project(&[1, 0]).unwrap(), 10));
    folder.write("c.parquet", parquet(&table.project(&[0, 1]).unwrap(), 10));
    folder.write("d.epd", sample());
    for (inputs, message) in [
        (
            "a.parquet d.epd",
            "d.epd is text and a.parquet is parquet: one run reads one kind of input (--input-format)",
        ),
        (
            "c.parquet a.parquet",
            "cannot read a.parquet: it has 10 columns that are read, and the first input has 2",
        ),
        (
            "c.parquet b.parquet",
            "cannot read b.parquet: its column `FEN` (Utf8) stands where the first input has `Rating` (Int32)",
        ),
    ] {
        let said = folder.fail(1, &format!("maps {inputs} -o out.parquet"));
        assert_eq!(said, format!("error: {message}\n"));
    }
    folder.succeed("maps a.parquet b.parquet -q -o out.parquet --keep none");
    assert_eq!(read(&folder, "out.parquet").num_rows(), 20);
}

/// Files that cannot be read, each with a part of what is said about it.
fn malformed() -> Vec<(String, Vec<u8>, &'static str)> {
    let table = table(60);
    let fens = table.project(&[0, 1]).unwrap();
    let mut files: Vec<(String, Vec<u8>, &str)> = Vec::new();
    let mut add = |name: &str, bytes: &[u8], said| {
        files.push((format!("{}_{name}", files.len()), bytes.to_vec(), said));
    };
    let file = parquet(&fens, 20);
    for cut in [0, 3, 4, 7, 8, 100, file.len() / 2, file.len() - 9, file.len() - 1] {
        add("cut.parquet", &file[..cut], "");
    }
    add("magic.parquet", &[b"PAR2", &file[4..]].concat(), "expected a Parquet file");
    add("text.parquet", b"8/8/8/8/8/8/8/8 w - - 0 1", "expected a Parquet file");
    add("gzipped.parquet", &gzip(&file), "expected a Parquet file");
    let ids = parquet(&table.project(&[0]).unwrap(), 20);
    add("column.parquet", &ids, "no column is called `fen`");
    let numbers = RecordBatch::try_from_iter([("fen", table.column(0).clone())]).unwrap();
    add("type.parquet", &parquet(&numbers, 20), "column `fen` holds Int32, expected text");
    let twice = [("fen", table.column(1).clone()), ("white_all", table.column(0).clone())];
    let twice = RecordBatch::try_from_iter(twice).unwrap();
    add("taken.parquet", &parquet(&twice, 20), "`white_all` would stand in the output twice");
    let several = [("FEN", table.column(1).clone()), ("Fen", table.column(1).clone())];
    let several = RecordBatch::try_from_iter(several).unwrap();
    add(
        "several.parquet",
        &parquet(&several, 20),
        "several columns may hold the positions (`FEN`, `Fen`)",
    );

    let file = arrow_file(&fens, 20);
    for cut in [0, 5, 8, 30, 100, file.len() / 2, file.len() - 7, file.len() - 1] {
        add("cut.arrow", &file[..cut], "");
    }
    add("magic.arrow", &[b"ARROW2", &file[6..]].concat(), "");
    add("type.arrow", &arrow_file(&numbers, 20), "column `fen` holds Int32, expected text");
    let stream = arrow_stream(&fens, 20);
    for cut in [7, 60, stream.len() / 2] {
        add("cut.arrows", &stream[..cut], "");
    }
    add("more.arrows", &[&stream[..], b"more"].concat(), "something follows the end");
    // A byte of text that is no UTF-8.
    let mut spoilt = arrow_stream(&fens, 60);
    let at =
        spoilt.windows(4).rposition(|four| four.iter().all(u8::is_ascii_alphanumeric)).unwrap();
    spoilt[at] = 0xff;
    add("utf8.arrows", &spoilt, "");

    let fen = "8/8/8/8/8/8/8/8";
    add("empty.csv", b"", "it is empty: expected a header");
    add("header.csv", b"id,position\n1,2\n", "no column is called `fen`");
    add(
        "short.csv",
        format!("id,fen\n1,{fen}\n2\n").as_bytes(),
        "line 3: expected 2 fields, found 1",
    );
    add(
        "long.csv",
        format!("id,fen\n1,{fen},3\n").as_bytes(),
        "line 2: expected 2 fields, found 3",
    );
    add("quote.csv", format!("id,fen\n1,{fen}\n\"2,{fen}\n").as_bytes(), "line 3: a quote is open");
    add(
        "utf8.csv",
        format!("id,fen\n1,{fen}\n#,{fen}\n")
            .replace('#', "\u{1}")
            .into_bytes()
            .iter()
            .map(|&b| if b == 1 { 0xff } else { b })
            .collect::<Vec<_>>()
            .as_slice(),
        "line 3: field 1 is no UTF-8",
    );
    add("binary.csv", b"id,fen\n\0\0\0", "it is binary");
    add("cut.csv.gz", &gzip(format!("fen\n{fen}\n").repeat(50).as_bytes())[..30], "");

    add("array.jsonl", b"[1, 2]\n", "line 1");
    add("cut.jsonl", format!("{{\"fen\": \"{fen}\"}}\n{{\"fen\": \"8/8").as_bytes(), "line 2");
    add("two.jsonl", b"{\"fen\": \"8\"} {}\n", "line 1, byte 14: trailing characters");
    add("key.jsonl", b"{\"fin\": \"8\"}\n", "no column is called `fen`");
    add("twice.jsonl", b"{\"fen\": \"8\", \"fen\": \"8\"}\n", "the key `fen` comes twice");
    add("utf8.jsonl", b"{\"fen\": \"\xff\"}\n", "line 1: it is no UTF-8");
    add("empty.jsonl", b"", "no column is called `fen`");
    files
}

#[test]
fn damaged_files_give_one_clear_line_and_no_output() {
    let folder = Folder::new();
    let files = malformed();
    assert!(files.len() >= 40, "{}", files.len());
    for (name, bytes, part) in files {
        folder.write(&name, &bytes);
        for options in ["", "--on-invalid skip --threads 2 --batch-lines 7"] {
            let said = folder.fail(1, &format!("maps {name} -o out.parquet {options}"));
            let one = said.strip_suffix('\n').filter(|line| !line.contains('\n'));
            assert!(one.is_some_and(|line| line.len() < 400), "{name}: {said}");
            assert!(said.starts_with(&format!("error: cannot read {name}: ")), "{name}: {said}");
            assert!(said.contains(part), "{name}: {said}");
        }
    }
}

#[test]
fn flipped_bytes_never_crash() {
    // Whatever comes of it, it is said in one line, or goes unseen where nothing checks it.
    let folder = Folder::new();
    let table = table(20).project(&[0, 1, 3]).unwrap();
    for (name, bytes) in [
        ("f.parquet", parquet(&table, 10)),
        ("f.arrow", arrow_file(&table, 10)),
        ("f.arrows", arrow_stream(&table, 10)),
    ] {
        let step = bytes.len() / 60;
        for at in (0..bytes.len()).step_by(step) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x55;
            folder.write(name, &bytes);
            let outcome = folder.run(&format!("maps {name} -o out.csv -q --on-invalid skip"));
            let said = outcome.stderr;
            let fine = matches!(outcome.status, Some(0)) || outcome.status == Some(1);
            assert!(
                fine && said.lines().count() <= 3,
                "{name}, byte {at}: {:?} {said}",
                outcome.status
            );
            assert!(!said.contains("panicked"), "{name}, byte {at}: {said}");
        }
    }
}

#[test]
fn a_schema_says_what_columns_mean() {
    let folder = Folder::new();
    let table = table(5);
    let schema = Schema::clone(&table.schema())
        .with_metadata([("theirs".to_owned(), "kept".to_owned())].into());
    folder.write("in.parquet", parquet(&table.with_schema(Arc::new(schema)).unwrap(), 5));
    folder.succeed("maps in.parquet -q -o out.arrow --columns white_all,line");
    let schema = read(&folder, "out.arrow").schema();
    assert_eq!(schema.metadata()["theirs"], "kept");
    assert!(schema.metadata().contains_key("setwise.squares"));
    for name in ["white_all", "line"] {
        assert!(schema.field_with_name(name).unwrap().metadata().contains_key("description"));
    }
}
