//! Tables as input: every format, columns that are passed through, invalid rows, and damaged files.

use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Date64Array, DictionaryArray, Float64Array,
    Int32Array, LargeStringArray, ListArray, ListViewArray, RecordBatch, StringArray,
    StringViewArray, StructArray, Time32MillisecondArray, Time32SecondArray,
    TimestampMillisecondArray, TimestampSecondArray, UnionArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema, TimeUnit, UnionFields};
use arrow_select::concat::concat_batches;
use arrow_select::take::take;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::properties::WriterProperties;

use crate::run::{Folder, maps, sample};

/// The first rows of the sample, as a table with columns of many types, some with nulls.
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
        .try_with_compression(Some(arrow_ipc::CompressionType::LZ4_FRAME))
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

/// Writes columns of a table as CSV.
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

/// The program's output as one batch.
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
        // Dictionaries can differ although their rows are equal.
        let plain = |array: &ArrayRef| match array.data_type() {
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                take(dictionary.values(), dictionary.keys(), None).unwrap()
            }
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
fn other_columns_are_unchanged() {
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
    // Each row group has a dictionary.
    let said = folder.fail(1, "maps in.parquet -q -o out.arrow");
    assert!(said.starts_with("error: cannot write out.arrow: a column has a dictionary"), "{said}");
    // The first bytes decide the format, not the name.
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
    // A pipe, and several inputs.
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
fn values_of_json_are_unchanged() {
    let folder = Folder::new();
    let fen = "8/8/8/8/8/8/8/8";
    let lines = [
        format!(
            r#"{{"fen": "{fen}", "n": 1e400, "s": "a\u00e9\n\"", "l": [1, {{"b" : null}}], "t": true}}"#
        ),
        format!(r#"{{"t": null, "fen": "{fen}", "s": ""}}"#),
    ];
    folder.write("a.jsonl", lines.join("\n"));
    folder.succeed("maps a.jsonl -q -o out.arrow --columns turn --types text");
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
fn requested_columns_are_kept() {
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
    // A format for numbers cannot hold the other columns of a table.
    folder.succeed("maps in.parquet -q -o out.npy");
    let said = folder.fail(2, "maps in.parquet -o other.npy --keep Rating");
    assert!(said.contains("a .npy file holds numbers"), "{said}");
    for (name, expected) in [
        (
            "nested",
            "other.csv: column `nested`: expected one value per row, found Struct(\"x\": Int32)",
        ),
        ("list", "column `list`: expected lists of integers, found a list with a null"),
    ] {
        let said = folder.fail(1, &format!("maps in.parquet -o other.csv --keep {name}"));
        let advice = "; name the columns to write with --keep, or write .parquet or .arrow\n";
        assert!(said.ends_with(&format!("{expected}{advice}")), "{said}");
    }
    // Rows are numbered from 1, across batches.
    folder.succeed("maps in.parquet -q -o out.parquet --keep none --columns line --batch-lines 3");
    let out = read(&folder, "out.parquet");
    assert!(out.column(0).as_primitive::<UInt64Type>().values().iter().copied().eq(1..=50));
}

#[test]
fn the_rest_of_a_line_is_kept_if_requested() {
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

/// A rejected cell of several lines, or one that begins like a comment, remains one row when the rejects are read.
#[test]
fn rejected_cells_are_one_line() {
    let folder = Folder::new();
    let good = "4k3/8/8/8/8/8/8/4K3 w - -";
    let cells =
        ["bad", "bad\n{good}", "\n{good}\r\nx", "#{good}", "# bad", "{good}\n{good}x", "b\n"];
    let cells = cells.map(|cell| cell.replace("{good}", good));
    let rows: String = cells.iter().map(|cell| format!("\"{cell}\"\n")).collect();
    folder.write("in.csv", format!("fen\n{good}\n{rows}"));
    let run = folder.run("maps in.csv -o out.csv --on-invalid skip --rejects bad.txt -c line");
    assert_eq!((run.status, &*run.stderr), (Some(0), "7 invalid rows skipped\n"));
    let rejects = String::from_utf8(folder.read("bad.txt")).unwrap();
    let lines: Vec<_> = rejects.lines().skip(1).step_by(2).collect();
    let escaped = [
        "bad",
        &format!("bad\\n{good}"),
        &format!("\\n{good}\\r\\nx"),
        &format!(" #{good}"),
        " # bad",
        &format!("{good}\\n{good}x"),
        "b",
    ];
    assert_eq!(lines, escaped);
    folder.write("good.epd", good);
    let run = folder.run("maps bad.txt good.epd -o out.csv --on-invalid skip");
    assert_eq!((run.status, &*run.stderr), (Some(0), "7 invalid rows, 7 comments skipped\n"));
}

/// A table whose rows 4, 5 and 9 (counted from 1) are invalid, and whose row 7 is null.
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
            let ids = out.column(0).as_primitive::<Int32Type>().values();
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

            // For a format without nulls, a row without text is also invalid.
            let skip = "-o x.npy --columns line --on-invalid skip --rejects bad.txt";
            let outcome = folder.run(&format!("maps {input} {skip} {sizes}"));
            assert_eq!((outcome.status, &*outcome.stderr), (Some(0), "4 invalid rows skipped\n"));
            let lines = crate::read::npy(&folder.read("x.npy")).1.numbers;
            assert_eq!(lines, [[1, 2, 3, 6, 8, 10, 11, 12]]);
            let rejects = String::from_utf8(folder.read("bad.txt")).unwrap();
            assert_eq!(
                rejects.lines().nth(4),
                Some(&*format!("# {input}: row 7: it has no position"))
            );
        }
    }
    let nulls = RecordBatch::try_from_iter([("fen", spoilt().column(1).slice(5, 3))]).unwrap();
    folder.write("nulls.arrow", arrow_file(&nulls, 3));
    let said = folder.fail(1, "maps nulls.arrow -o x.npy");
    let message = "row 2 has no position, and a .npy file has no nulls";
    assert_eq!(said, format!("error: cannot read nulls.arrow: {message}\n"));
    let said = folder.fail(2, "maps in.parquet -o x.parquet --on-invalid null --on-invalid skip");
    assert!(said.contains("cannot be used multiple times"), "{said}");
}

/// Short batches and files are joined, but not those whose dictionaries may differ.
#[test]
fn short_batches_do_not_make_as_many_row_groups() {
    let folder = Folder::new();
    let groups = |file: &str| {
        let bytes = bytes::Bytes::from(folder.read(file));
        let metadata = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().metadata().clone();
        metadata.row_groups().iter().map(|group| group.num_rows()).collect::<Vec<_>>()
    };
    let table = table(100);
    let plain = table.project(&[0, 1, 8, 9]).unwrap();
    folder.write("one.arrow", arrow_file(&plain, 100));
    folder.write("short.arrow", arrow_file(&plain, 3));
    folder.write("kinds.arrow", arrow_file(&table.project(&[1, 7]).unwrap(), 30));
    folder.succeed("maps one.arrow one.arrow -q -o one.parquet");
    for (inputs, sizes, expected) in [
        ("short.arrow short.arrow", "", vec![200]),
        ("short.arrow one.arrow", "--batch-lines 100", vec![51, 100, 49]),
        (
            "short.arrow short.arrow",
            "--batch-lines 5",
            [vec![3; 33], vec![4], vec![3; 32], vec![1]].concat(),
        ),
        ("kinds.arrow", "", vec![30, 30, 30, 10]),
    ] {
        folder.succeed(&format!("maps {inputs} {sizes} -q -o maps.parquet"));
        assert_eq!(groups("maps.parquet"), expected, "{inputs} {sizes}");
        if inputs != "kinds.arrow" {
            assert!(read(&folder, "maps.parquet") == read(&folder, "one.parquet"), "{sizes}");
        }
    }
    // The first of two errors is named.
    let mut fens = plain.column(1).as_string::<i32>().iter().collect::<Vec<_>>();
    fens[50] = Some("8/8");
    let bad = RecordBatch::try_from_iter([("FEN", Arc::new(StringArray::from(fens)) as ArrayRef)]);
    let mut bytes = arrow_stream(&bad.unwrap(), 3);
    bytes.truncate(bytes.len() - 200);
    folder.write("bad.arrows", bytes);
    let said = folder.fail(1, "maps bad.arrows -o x.parquet --input-format arrow");
    assert!(said.starts_with("bad.arrows: row 51, "), "{said}");
    let said =
        folder.fail(1, "maps bad.arrows -o x.parquet --input-format arrow --on-invalid skip");
    assert_eq!(said, "error: cannot read bad.arrows: it ends too soon: within its data\n");
}

#[test]
fn inputs_must_be_compatible() {
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

/// Files that cannot be read, each with a part of the expected error.
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
    add("empty.parquet", b"", "it is empty, not a Parquet file");
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
    add("old.feather", b"FEA1\0\0\0\0\x01\0\0\0", "it is Feather of version 1");
    add("magic.arrow", &[b"ARROW2", &file[6..]].concat(), "");
    add("type.arrow", &arrow_file(&numbers, 20), "column `fen` holds Int32, expected text");
    let stream = arrow_stream(&fens, 20);
    for cut in [7, 60, stream.len() / 2] {
        add("cut.arrows", &stream[..cut], "");
    }
    add("more.arrows", &[&stream[..], b"more"].concat(), "something follows the end");
    // A byte of text that is not UTF-8.
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
    let crlf = format!("id,fen\r\n1,{fen}\r\n\r\n2,{fen}\r\n\r\n3\r\n");
    add("crlf.csv", crlf.as_bytes(), "line 6: expected 2 fields, found 1");
    let mac = format!("\rid,fen\r1,{fen}\n2,{fen}\r3,{fen}\r4\n");
    add("mac.csv", mac.as_bytes(), "line 6: expected 2 fields, found 1");
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
        "line 3: field 1 is not UTF-8",
    );
    add("binary.csv", b"id,fen\n\0\0\0", "it is binary");
    add("cut.csv.gz", &gzip(format!("fen\n{fen}\n").repeat(50).as_bytes())[..30], "");

    add("array.jsonl", b"[1, 2]\n", "it is a JSON array");
    add("cut.jsonl", format!("{{\"fen\": \"{fen}\"}}\n{{\"fen\": \"8/8").as_bytes(), "line 2");
    add("two.jsonl", b"{\"fen\": \"8\"} {}\n", "line 1, byte 14: trailing characters");
    add("key.jsonl", b"{\"fin\": \"8\"}\n", "no column is called `fen`");
    // The offset is relative to the line, not to the string.
    add("surrogate.jsonl", br#"{"id": 1, "fen": "8/8\ud800x"}"#, "line 1, byte 28: ");
    add(
        "fens.csv",
        format!("fen,fen\n{fen},{fen}\n").as_bytes(),
        "several columns are called `fen`",
    );
    add("twice.jsonl", b"{\"fen\": \"8\", \"fen\": \"8\"}\n", "the key `fen` comes twice");
    add("utf8.jsonl", b"{\"fen\": \"\xff\"}\n", "line 1: it is not UTF-8");
    add("empty.jsonl", b"", "it is empty: expected a JSON object on each line");
    add("blank.jsonl", b"\n \n", "it is empty: expected a JSON object on each line");
    files
}

#[test]
fn rows_of_csv_are_counted_without_blank_lines() {
    let (folder, fen) = (Folder::new(), "8/8/8/8/8/8/8/8 w - -");
    folder.write("a.csv", format!("fen\r\n{fen}\r\r\n\r\r\n\n{fen}\r\n\r\n{fen}"));
    for lines in ["", "--batch-lines 1", "--batch-lines 2 --types guess"] {
        let rows =
            folder.succeed(&format!("maps a.csv -q -o - -f csv --keep none -c line {lines}"));
        assert_eq!(String::from_utf8_lossy(&rows), "line\n1\n2\n3\n", "{lines}");
    }
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
    // Damage is reported in one line, or is not detected if the format has no checks.
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
fn schemas_describe_columns() {
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

#[test]
fn duplicate_columns_are_errors_for_every_keep() {
    let folder = Folder::new();
    let fens = table(3).column(1).clone();
    let field = |name| Field::new(name, DataType::Utf8, true);
    let schema = Arc::new(Schema::new(vec![field("fen"), field("fen"), field("x"), field("x")]));
    let twice = RecordBatch::try_new(schema, vec![fens; 4]).unwrap();
    folder.write("twice.arrow", arrow_stream(&twice, 3));
    for (options, name) in [
        ("--keep none", "fen"),
        ("--keep none --fen-column fen", "fen"),
        ("--keep none --fen-column x", "x"),
    ] {
        let said = folder.fail(1, &format!("maps twice.arrow -o out.csv {options}"));
        let expected = format!("cannot read twice.arrow: several columns are called `{name}`\n");
        assert_eq!(said, format!("error: {expected}"), "{options}");
    }
}

#[test]
fn a_table_may_have_ten_thousand_columns() {
    let folder = Folder::new();
    let line = |keys: usize| {
        let keys: String = (1..keys).map(|key| format!(", \"key{key}\": {key}")).collect();
        format!("{{\"fen\": \"8/8/8/8/8/8/8/8\"{keys}}}\n")
    };
    folder.write("wide.jsonl", line(10_000).repeat(3));
    folder.succeed("maps wide.jsonl -q -o out.arrow --columns turn");
    let out = read(&folder, "out.arrow");
    assert_eq!((out.num_rows(), out.num_columns()), (3, 10_001));
    folder.write("wider.jsonl", line(163_840));
    let said = folder.fail(1, "maps wider.jsonl -o wider.arrow --columns turn");
    let message = "it has 163840 columns, and at most 10000 are passed along: name those to pass";
    assert!(said.contains(message) && said.lines().count() == 1, "{said}");
    folder.succeed("maps wider.jsonl -q -o wider.arrow --columns turn --keep key163839");
    assert_eq!(folder.names(), ["out.arrow", "wide.jsonl", "wider.arrow", "wider.jsonl"]);
}

#[test]
fn times_with_a_zone_are_written_to_csv() {
    let folder = Folder::new();
    let times = TimestampSecondArray::from(vec![Some(1_700_000_000), None]);
    let times = times.with_timezone("Europe/Berlin");
    let fens = StringArray::from(vec!["8/8/8/8/8/8/8/8"; 2]);
    let columns: [(&str, ArrayRef); 2] = [("fen", Arc::new(fens)), ("at", Arc::new(times))];
    folder.write("in.arrow", arrow_file(&RecordBatch::try_from_iter(columns).unwrap(), 2));
    let csv = folder.succeed("maps in.arrow -q -o - -f csv --columns turn --keep at");
    assert_eq!(String::from_utf8(csv).unwrap(), "at,turn\n2023-11-14T23:13:20+01:00,0\n,0\n");
}

#[test]
fn arrow_in_a_pipe_is_a_stream() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let piped = folder.succeed("maps sample.epd -o - -f arrow -q --batch-lines 300");
    let reader = StreamReader::try_new(&piped[..], None).unwrap();
    let schema = reader.schema();
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    assert_eq!(batches.len(), 4);
    folder.succeed("maps sample.epd -o file.arrow -q");
    assert_eq!(concat_batches(&schema, &batches).unwrap(), read(&folder, "file.arrow"));
    // Both files can be read again.
    folder.write("piped", piped);
    folder.succeed("maps sample.epd -o fens.arrow --columns fen -q");
    let again = folder.run("maps fens.arrow -o - -f arrow -q").stdout;
    let outcome = folder.run_with(
        "maps - --input-format arrow -o - -f csv --columns white_rook --keep none",
        &again,
    );
    assert_eq!(outcome.stderr, "");
    let expected = folder.succeed("maps sample.epd -o - -f csv --columns white_rook -q");
    assert_eq!(String::from_utf8(outcome.stdout), String::from_utf8(expected));
}

#[test]
fn batches_of_arrow_have_no_text_of_other_rows() {
    let folder = Folder::new();
    let fens = StringArray::from(sample().lines().take(1000).collect::<Vec<_>>());
    let text = fens.iter().map(|fen| fen.map(|fen| fen.repeat(5)));
    let columns: [(&str, ArrayRef); 2] =
        [("fen", Arc::new(fens.clone())), ("text", Arc::new(text.collect::<StringViewArray>()))];
    let table = RecordBatch::try_from_iter(columns).unwrap();
    folder.write("in.arrow", arrow_stream(&table, 1000));
    let options = "--columns turn --batch-lines 50 -q";
    let limit = 2 * table.get_array_memory_size();
    let piped = folder.succeed(&format!("maps in.arrow -o - -f arrow {options}"));
    assert!(piped.len() < limit, "{} bytes, {limit}", piped.len());
    folder.succeed(&format!("maps in.arrow -o out.arrow {options}"));
    let file = read(&folder, "out.arrow");
    assert!(folder.path("out.arrow").metadata().unwrap().len() < limit as u64);
    assert_eq!(file.columns()[..2], *table.columns());
}

#[test]
fn errors_guess_the_format_of_a_line() {
    let folder = Folder::new();
    let fen = "8/8/8/8/8/8/8/8";
    let pgn = "[Event \"Casual game\"]\n[Site \"?\"]\n\n1. e4 e5 *\n";
    let json = format!("{{\"fen\": \"{fen}\"}}\n");
    for (bytes, hint) in [
        (pgn, " (it looks like PGN; use --input-format pgn)\n"),
        (&json, " (it looks like JSON Lines; use --input-format jsonl)\n"),
        (&format!("id,FEN\n1,{fen}\n"), " (it looks like CSV; use --input-format csv)\n"),
        (&format!("\"fen\"\n{fen}\n"), " (it looks like CSV; use --input-format csv)\n"),
        (&format!("{fen} w\n8/8,x\n"), " or '/', found ','\n"),
    ] {
        for command in ["maps - -o out.csv", "convert - -o out.fen"] {
            let outcome = folder.run_with(command, bytes.as_bytes());
            let first = outcome.stderr.split_inclusive('\n').next().unwrap();
            assert_eq!(outcome.status, Some(1));
            assert!(first.ends_with(hint), "{command}: {first}");
        }
    }
    // Commands without the option name one that makes text.
    for command in ["successors - -o out.csv", "show -"] {
        let said = folder.run_with(command, pgn.as_bytes()).stderr;
        let hint = " (it looks like PGN; `setwise convert --input-format pgn` makes text of it)\n";
        assert!(said.contains(hint), "{command}: {said}");
    }
    // The rows of a table are not lines.
    folder.write("in.csv", "fen\n{}\n");
    let said = folder.fail(1, "maps in.csv -o out.csv");
    assert!(said.contains("row 1, character 1: ") && !said.contains("looks like"), "{said}");
    let game = b"1. e4\n{ a comment } e9 *";
    let outcome = folder.run_with("maps - --input-format pgn -o out.csv", game);
    let message = "expected a move or a result, found 'e9'\n  { a comment } e9 *\n";
    assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
}

#[test]
fn folders_are_read_recursively() {
    let folder = Folder::new();
    let table = table(60).project(&[0, 1]).unwrap();
    std::fs::create_dir_all(folder.path("data/year=2025/month=02")).unwrap();
    std::fs::create_dir_all(folder.path("data/year=2026")).unwrap();
    std::fs::create_dir_all(folder.path("empty/_temporary")).unwrap();
    let part = |from: usize, rows: usize| parquet(&table.slice(from, rows), 7);
    folder.write("data/part-00.parquet", part(0, 20));
    folder.write("data/year=2025/month=02/part-00.parquet", part(20, 20));
    folder.write("data/year=2026/part-00.parquet", part(40, 20));
    for other in ["_SUCCESS", "._part.crc", "year=2026/_metadata", "year=2026/.hidden.parquet"] {
        folder.write(&format!("data/{other}"), "x");
    }
    let text: String = sample().lines().take(60).map(|line| format!("{line}\n")).collect();
    folder.succeed("maps data -q -o out.parquet");
    check(&read(&folder, "out.parquet"), &table, &text);
    folder.write("empty/_SUCCESS", "");
    for name in ["empty", "empty data"] {
        let said = folder.fail(1, &format!("maps {name} -o out.parquet"));
        assert_eq!(said, "error: cannot read empty: the folder has no files\n");
    }
}

#[test]
fn other_delimiters_are_supported() {
    let folder = Folder::new();
    let fen = "8/8/8/8/8/8/8/8";
    let expected = "id,name,turn\n1,\"a,b\",0\n2,\"c\nd\",1\n";
    for (character, options) in
        [(";", "--delimiter ;"), ("|", "--delimiter |"), ("\t", "--delimiter tab"), ("\t", "")]
    {
        let rows =
            ["id:fen:name".to_owned(), format!("1:{fen}:\"a,b\""), format!("2:{fen} b:\"c\nd\"")];
        folder.write("a.csv", rows.join("\n").replace(':', character));
        let csv = format!("maps a.csv -q -o - -f csv --keep id,name --columns turn {options}");
        assert_eq!(String::from_utf8(folder.succeed(&csv)).unwrap(), expected, "{options}");
        if character != "\t" {
            let said = folder.fail(1, "maps a.csv -o b.csv");
            let advice = "name the character between them with --delimiter\n";
            assert!(said.ends_with(advice), "{said}");
        }
    }
    for character in ["", "ab", "\"", "é"] {
        let arguments = ["maps", "a.csv", "-o", "b.csv", "--delimiter", character];
        let said = folder.fail_with(2, &arguments);
        assert!(
            said.contains("expected one ASCII character") || said.contains("a value is required"),
            "{said}"
        );
    }
}

#[test]
fn columns_of_text_can_have_types() {
    let folder = Folder::new();
    let fen = "8/8/8/8/8/8/8/8";
    let rows = [
        format!(
            r#"{{"fen": "{fen}", "i": 1, "f": 1, "b": true, "s": "1", "m": 1, "big": 18446744073709551615, "n": [1]}}"#
        ),
        format!(
            r#"{{"fen": "{fen}", "i": -9223372036854775808, "f": 0.5, "b": null, "s": "x", "m": "1", "big": 1, "n": {{"a": 2}}}}"#
        ),
    ];
    folder.write("a.jsonl", rows.join("\n"));
    folder.write(
        "a.csv",
        format!("fen,i,f,b,s,m\n{fen},1,1,true,01,1\n{fen},-9223372036854775808,0.5,,x,x\n"),
    );
    let types = |name: &str, options: &str| -> Vec<(String, DataType)> {
        folder.succeed(&format!("maps {name} -q -o out.arrow --columns turn {options}"));
        let schema = read(&folder, "out.arrow").schema();
        let fields =
            schema.fields().iter().filter(|field| !["fen", "turn"].contains(&&**field.name()));
        fields.map(|field| (field.name().clone(), field.data_type().clone())).collect()
    };
    let typed = |names: &[(&str, DataType)]| -> Vec<(String, DataType)> {
        names.iter().map(|(name, data_type)| ((*name).to_owned(), data_type.clone())).collect()
    };
    use DataType::{Boolean, Float64, Int64, Utf8};
    let guessed = [("i", Int64), ("f", Float64), ("b", Boolean), ("s", Utf8), ("m", Utf8)];
    let of_json = [&guessed[..], &[("big", Utf8), ("n", Utf8)]].concat();
    for sizes in ["", "--batch-lines 1 --threads 2"] {
        assert_eq!(types("a.jsonl", sizes), typed(&of_json));
        let out = read(&folder, "out.arrow");
        let column = |name: &str| out.column_by_name(name).unwrap();
        assert_eq!(column("i").as_primitive::<Int64Type>().values()[..], [1, i64::MIN]);
        assert_eq!(column("f").as_primitive::<Float64Type>().values()[..], [1.0, 0.5]);
        assert_eq!(column("b").as_boolean(), &BooleanArray::from(vec![Some(true), None]));
        assert_eq!(column("big").as_string::<i32>().value(0), "18446744073709551615");
        assert_eq!(column("n").as_string::<i32>().value(1), r#"{"a": 2}"#);
        assert_eq!(types("a.csv", &format!("--types guess {sizes}")), typed(&guessed));
    }
    assert!(
        types("a.csv", "")
            .iter()
            .chain(&types("a.jsonl", "--types text"))
            .all(|(_, of)| *of == Utf8)
    );

    // Rows after those that determine the types must fit, or the run stops.
    let many = |last: &str| {
        (0..5000).map(|n| format!("{{\"fen\": \"{fen}\", \"n\": {n}}}\n")).collect::<String>()
            + last
    };
    folder.write("b.jsonl", many(&format!("{{\"fen\": \"{fen}\", \"n\": 1.5}}\n")));
    let said = folder.fail(1, "maps b.jsonl -o b.arrow --columns turn");
    let message = "line 5001, byte 36: column `n`: expected an integer, as in the first rows, found 1.5 (--types text)";
    assert_eq!(said, format!("error: cannot read b.jsonl: {message}\n"));
    folder.write("b.jsonl", many(&format!("{{\"fen\": \"{fen}\", \"n\": \"7\"}}\n")));
    assert!(folder.fail(1, "maps b.jsonl -o b.arrow --columns turn").contains("found \"7\""));
    folder.succeed("maps b.jsonl -q -o b.arrow --columns turn --types text");
    let csv = (0..5000).map(|n| format!("{fen},{n}\n")).collect::<String>();
    folder.write("b.csv", format!("fen,n\n{csv}{fen},x\n"));
    let said = folder.fail(1, "maps b.csv -o b.arrow --columns turn --types guess");
    assert!(
        said.contains("line 5002: column `n`: expected an integer, as in the first rows, found x"),
        "{said}"
    );
}

/// A row group that claims more rows than its pages have.
#[test]
fn row_groups_have_the_stated_number_of_rows() {
    use parquet::file::metadata::{ParquetMetaDataReader, ParquetMetaDataWriter};
    let folder = Folder::new();
    let mut file = parquet(&table(60).project(&[0, 1]).unwrap(), 20);
    let metadata = ParquetMetaDataReader::new();
    let metadata = metadata.parse_and_finish(&bytes::Bytes::from(file.clone())).unwrap();
    let groups = metadata.row_groups().iter().enumerate().map(|(i, group)| {
        let rows = if i == 1 { 21 } else { 20 };
        group.clone().into_builder().set_num_rows(rows).build().unwrap()
    });
    let changed = metadata.clone().into_builder().set_row_groups(groups.collect()).build();
    ParquetMetaDataWriter::new(&mut file, &changed).finish().unwrap();
    folder.write("short.parquet", file);
    let said = folder.fail(1, "maps short.parquet -o out.csv");
    // Parquet's reader detects it first.
    let parts = ["error: cannot read short.parquet: ", "expected 21, got 20"];
    assert!(parts.iter().all(|part| said.contains(part)) && said.lines().count() == 1, "{said}");
}

/// A file that pyarrow wrote with checksums of pages: without them a changed number would be read like any other.
#[test]
fn checksums_of_pages_are_compared() {
    let folder = Folder::new();
    let file = include_bytes!("../data/checksums.parquet");
    folder.write("a.parquet", file);
    folder.succeed("maps a.parquet -o a.csv --columns turn --keep score");
    assert_eq!(folder.read("a.csv"), b"score,turn\n11111,0\n22222,0\n33333,0\n");
    // A bit of a number, and one of a position in the dictionary.
    for text in [&22222_i32.to_le_bytes()[..], b"4k3"] {
        let at = file.windows(text.len()).position(|bytes| bytes == text).expect("the text");
        let mut damaged = file.to_vec();
        damaged[at] ^= 1;
        folder.write("b.parquet", damaged);
        let said = folder.fail(1, "maps b.parquet -o b.csv --columns turn");
        let message = "it is damaged: the checksum of a page is wrong";
        assert_eq!(said, format!("error: cannot read b.parquet: {message}\n"));
        assert!(!folder.path("b.csv").exists());
    }
}

/// Files that pyarrow encrypted: one column, or all columns.
#[test]
fn encrypted_files_are_reported() {
    let folder = Folder::new();
    folder.write("column.parquet", include_bytes!("../data/encrypted-column.parquet"));
    folder.write("all.parquet", include_bytes!("../data/encrypted.parquet"));
    for (name, message) in [
        ("column", "it is damaged, or columns are encrypted, which is not supported"),
        ("all", "it is encrypted, which is not supported"),
    ] {
        let said = folder.fail(1, &format!("maps {name}.parquet -o out.csv"));
        assert_eq!(said, format!("error: cannot read {name}.parquet: {message}\n"));
    }
}

#[test]
fn tags_have_types_of_parquet() {
    let folder = Folder::new();
    let tags = "[UTCDate \"2024.02.29\"]\n[UTCTime \"12:00:01\"]\n[PlyCount \"1\"]";
    folder.write("a.pgn", format!("{tags}\n\n1. e4 *\n"));
    folder.succeed("maps a.pgn -q -o a.parquet --keep UTCDate,UTCTime,PlyCount,ply --columns turn");
    // Most programs do not read the schema of Arrow in the metadata.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let bytes = bytes::Bytes::from(folder.read("a.parquet"));
    let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(bytes, options).unwrap();
    let fields = reader.schema().fields()[..3].iter();
    let types: Vec<_> = fields.map(|field| field.data_type().clone()).collect();
    let time = DataType::Time32(TimeUnit::Millisecond);
    assert_eq!(types, [DataType::Date32, time, DataType::Int32]);
}

/// Parquet has no seconds, and one type of dates.
#[test]
fn times_of_arrow_have_types_of_parquet() {
    let folder = Folder::new();
    let write = |day: i64| {
        let times: ArrayRef = Arc::new(TimestampSecondArray::from(vec![Some(1_700_000_000), None]));
        let child = Arc::new(Field::new("x", times.data_type().clone(), true));
        let item = Arc::new(Field::new("item", times.data_type().clone(), true));
        let list = ListArray::new(item, OffsetBuffer::from_lengths([1, 1]), times.clone(), None);
        let columns: [(&str, ArrayRef); 6] = [
            ("fen", Arc::new(StringArray::from(vec!["8/8/8/8/8/8/8/8"; 2]))),
            ("at", times.clone()),
            ("day", Arc::new(Date64Array::from(vec![Some(day), None]))),
            ("time", Arc::new(Time32SecondArray::from(vec![Some(3), None]))),
            ("nested", Arc::new(StructArray::new(vec![child].into(), vec![times], None))),
            ("list", Arc::new(ListViewArray::from(list))),
        ];
        folder.write("in.arrow", arrow_file(&RecordBatch::try_from_iter(columns).unwrap(), 2));
    };
    write(-86_400_000);
    folder.succeed("maps in.arrow -q -o out.parquet --columns turn");
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let bytes = bytes::Bytes::from(folder.read("out.parquet"));
    let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(bytes, options).unwrap();
    let table = reader.build().unwrap().next().unwrap().unwrap();
    let times: ArrayRef =
        Arc::new(TimestampMillisecondArray::from(vec![Some(1_700_000_000_000), None]));
    assert_eq!((&table["at"], table["nested"].as_struct().column(0)), (&times, &times));
    assert_eq!(table["list"].as_list::<i32>().values(), &times);
    let days: ArrayRef = Arc::new(Date32Array::from(vec![Some(-1), None]));
    let time: ArrayRef = Arc::new(Time32MillisecondArray::from(vec![Some(3000), None]));
    assert_eq!((&table["day"], &table["time"]), (&days, &time));
    // The schema of Arrow in the metadata says the same.
    let typed = read(&folder, "out.parquet");
    assert_eq!(table.columns()[..5], typed.columns()[..5]);
    assert_eq!(typed["list"].as_list_view::<i32>().values(), &times);

    write(86_400_001);
    let said = folder.fail(1, "maps in.arrow -o out.parquet --columns turn");
    let expected = "column `day` is Date64 and has values that Date32, its type in Parquet, cannot hold: \
                    write .arrow, or leave it out of --keep\n";
    assert!(said.ends_with(expected), "{said}");
    folder.succeed("maps in.arrow -q -o out.arrow --columns turn");

    let fens: ArrayRef = Arc::new(StringArray::from(vec!["8/8/8/8/8/8/8/8"]));
    let union: UnionFields =
        [(0, Arc::new(Field::new("text", DataType::Utf8, false)))].into_iter().collect();
    let union = UnionArray::try_new(union, vec![0].into(), None, vec![fens.clone()]).unwrap();
    let columns: [(&str, ArrayRef); 2] = [("fen", fens), ("either", Arc::new(union))];
    folder.write("union.arrow", arrow_file(&RecordBatch::try_from_iter(columns).unwrap(), 1));
    let said = folder.fail(1, "maps union.arrow -o union.parquet --columns turn");
    assert!(said.contains("column `either` is a union, which Parquet does not have"), "{said}");
    assert!(!folder.path("union.parquet").exists());
}

#[test]
fn csv_of_excel_and_json_arrays() {
    let folder = Folder::new();
    for (delimiter, end) in [(';', "\n"), (',', "\r\n"), ('\t', "\r\n"), ('|', "\n")] {
        let rows = format!("id{delimiter}fen{end}7{delimiter}4k3/8/8/8/8/8/8/4K3 w - -{end}");
        folder.write("a.csv", format!("sep={delimiter}{end}{rows}"));
        let found = folder.succeed("maps a.csv -q --columns line -f csv -o -");
        assert_eq!(found, b"id,fen,line\n7,4k3/8/8/8/8/8/8/4K3 w - -,1\n", "{delimiter:?}");
    }
    // The option counts more than the line. Extensions may be in capital letters.
    folder.write("A.CSV", "sep=;\nid,fen\n7,4k3/8/8/8/8/8/8/4K3 w - -\n");
    let found = folder.succeed("maps A.CSV -q --delimiter , --columns line -f csv -o -");
    assert_eq!(found, b"id,fen,line\n7,4k3/8/8/8/8/8/8/4K3 w - -,1\n");
    folder.write("b.csv", "sep=;\n");
    let said = folder.fail(1, "maps b.csv -o out.csv");
    assert!(said.contains("it is empty: expected a header"), "{said}");
    for array in ["[{\"fen\": \"4k3/8/8/8/8/8/8/4K3 w - -\"}]", "\n [\n{\"fen\": \"8\"},\n"] {
        folder.write("a.jsonl", array);
        let said = folder.fail(1, "maps a.jsonl -o out.csv");
        let expected =
            "cannot read a.jsonl: it is a JSON array; expected JSON Lines, one object per line";
        assert!(said.contains(expected), "{said}");
    }
}
