//! Reads every kind of file with other readers: names, types, meanings, and the effects of options.

use std::fs::File;
use std::io::Cursor;

use arrow_ipc::reader::FileReader;
use arrow_schema::{DataType, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use setwise::{Shape, ValueType};

use crate::answers;
use crate::read::{FORMATS, npy, read};
use crate::run::{Folder, maps, sample};

fn check_schema(schema: &Schema, names: &[&str]) {
    assert_eq!(schema.fields().len(), names.len());
    for (field, &name) in schema.fields().iter().zip(names) {
        let data_type = if answers::is_narrow(name) { DataType::UInt16 } else { DataType::UInt64 };
        assert_eq!(field.name(), name);
        assert_eq!((field.data_type(), field.is_nullable()), (&data_type, false));
        assert_eq!(field.metadata()["description"], answers::meaning(name));
    }
    assert_eq!(schema.metadata()["setwise.version"], env!("CARGO_PKG_VERSION"));
    assert!(schema.metadata()["setwise.squares"].contains("a1 is bit 0"));
}

#[test]
fn every_format_has_the_columns_of_the_library() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let expected = maps(&sample());
    assert_eq!(expected[0].len(), 1000);
    for format in FORMATS.into_iter().chain(["feather"]) {
        let said = folder.succeed(&format!("maps sample.epd -o maps.{format}"));
        assert!(said.starts_with(b"1,000 positions in "), "{}", String::from_utf8_lossy(&said));
        let format = if format == "feather" { "arrow" } else { format };
        let (table, _) = read(format, folder.read(&format!("maps.{format}")));
        assert!(table.numbers == expected, "{format}");
        if format != "npy" {
            assert_eq!(table.names, answers::default_names());
        }
    }
    assert_eq!(npy(&folder.read("maps.npy")).0, "<u8 1000, 16");
    assert_eq!(folder.read("maps.feather"), folder.read("maps.arrow"));
}

#[test]
fn files_describe_their_columns() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let names = ["white_all", "black_lesser", "pinned", "white_mobility_rook"];
    for format in ["parquet", "arrow"] {
        folder.succeed(&format!("maps sample.epd -o maps.{format} -c {}", names.join(",")));
    }
    let file = File::open(folder.path("maps.parquet")).unwrap();
    let parquet = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    check_schema(parquet.schema(), &names);
    // Readers that ignore Arrow's schema find the metadata here too.
    let metadata = parquet.metadata().file_metadata();
    let pairs = metadata.key_value_metadata().unwrap();
    let version = pairs.iter().find(|pair| pair.key == "setwise.version").unwrap();
    assert_eq!(version.value.as_deref(), Some(env!("CARGO_PKG_VERSION")));
    let arrow = FileReader::try_new(File::open(folder.path("maps.arrow")).unwrap(), None).unwrap();
    check_schema(&arrow.schema(), &names);
}

#[test]
fn standard_output_gets_the_same_bytes() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    // Arrow uses another format for pipes.
    for format in FORMATS.into_iter().filter(|format| *format != "arrow") {
        folder.succeed(&format!("maps sample.epd -o maps.{format}"));
        let piped = folder.succeed(&format!("maps sample.epd -o - --format {format}"));
        assert!(piped == folder.read(&format!("maps.{format}")), "{format}");
    }
}

#[test]
fn without_positions_the_file_has_no_rows() {
    let folder = Folder::new();
    folder.write("none.epd", "# nothing\n\n   \r\n");
    for format in FORMATS {
        let outcome = folder.run(&format!("maps none.epd -o maps.{format}"));
        assert_eq!(outcome.status, Some(0));
        assert_eq!(outcome.stderr, "2 blank lines, 1 comment skipped\n");
        let (table, parts) = read(format, folder.read(&format!("maps.{format}")));
        assert_eq!(table.numbers, vec![Vec::<u64>::new(); 16], "{format}");
        assert!(parts.is_empty());
    }
    let arrow = FileReader::try_new(Cursor::new(folder.read("maps.arrow")), None).unwrap();
    assert_eq!(arrow.num_batches(), 0);
    assert_eq!(npy(&folder.read("maps.npy")).0, "<u8 0, 16");
}

#[test]
fn columns_are_selected_by_name_preset_and_pattern() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let names = |columns: &str| {
        folder.succeed(&format!("maps sample.epd -o maps.parquet --columns {columns}"));
        read("parquet", folder.read("maps.parquet")).0.names
    };
    assert_eq!(names("black_all,white_knight"), ["black_all", "white_knight"]);
    assert_eq!(names("default"), answers::default_names());
    // A column that is already selected keeps its place.
    assert_eq!(
        names("pinned,white_king*,*pinned"),
        ["pinned", "white_king", "white_king_danger", "white_pinned", "black_pinned"]
    );
    let counts: Vec<_> = ["white", "black"]
        .iter()
        .flat_map(|side| (0..5).map(move |plane| format!("{side}_count_{plane}")))
        .collect();
    assert_eq!(names("counts"), counts);
    let all = names("all");
    assert_eq!(all.len(), answers::names().len() + 9);
    assert!(answers::names().iter().all(|name| all.iter().any(|other| other == name)));
    assert_eq!(
        names("board"),
        ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black", "turn"]
    );

    // A pattern selects only what the input has.
    let some = folder.succeed("maps sample.epd -q -o - -f csv --columns e*,white_all,mat*");
    assert!(some.starts_with(b"en_passant,white_all,material\n"));
    folder.succeed("maps sample.epd -q -o some.npy --columns m*");
    folder.succeed("maps sample.epd -q -o same.npy --columns material");
    assert!(folder.read("some.npy") == folder.read("same.npy"));
    for (columns, expected) in [
        ("mate,e*", "column `mate` is not in this input; leave it out of --columns"),
        ("pl*", "column `ply` is not in this input; leave it out of --columns"),
    ] {
        let said = folder.fail(1, &format!("maps sample.epd -o none.parquet --columns {columns}"));
        assert!(said.contains(expected), "{columns}: {said}");
    }

    for (columns, expected) in [
        ("white-all", "no column is called `white-all`; did you mean `white_all`?"),
        ("white_al,x", "did you mean `white_all`?"),
        ("count", "did you mean `counts`?"),
        ("White_Pawn", "did you mean `white_pawn`?"),
        ("nonsense", "no column is called `nonsense`; `setwise maps --columns help` lists them"),
        ("default,cp", "and `--keep cp` passes on a column of the input"),
        ("green_*", "no column matches `green_*`"),
        ("white_all,white_all", "column `white_all` is chosen twice"),
        ("", "for '--columns <COLUMNS>': the name of a column is empty\n"),
        ("fen,,white_all", "the name of a column is empty\n"),
    ] {
        let said =
            folder.fail_with(2, &["maps", "sample.epd", "-o", "a.csv", "--columns", columns]);
        assert!(said.contains(expected), "{columns}: {said}");
    }
}

#[test]
fn the_help_lists_every_column_with_its_type_and_meaning() {
    let help = String::from_utf8(Folder::new().succeed("maps --columns help")).unwrap();
    let (columns, presets) = help.split_once("\n\n").unwrap();
    // Each line is a name, a type and a meaning.
    let listed: Vec<(&str, &str, &str)> = columns
        .lines()
        .map(|line| {
            let (name, rest) = line.split_once(' ').unwrap();
            let (data_type, meaning) = rest.trim_start().split_once(' ').unwrap();
            (name, data_type, meaning.trim_start())
        })
        .collect();
    let of_library = setwise_nnue::Column::ALL.iter().map(|column| {
        let data_type = match (column.shape(), column.value_type()) {
            (Shape::Value, ValueType::U8) => "UInt8",
            (Shape::Value, ValueType::U16) => "UInt16",
            (Shape::Value, ValueType::U32) => "UInt32",
            (Shape::Value, ValueType::U64) => "UInt64",
            (Shape::List, _) => "list",
            _ => "array",
        };
        (column.name(), data_type, column.meaning())
    });
    for (name, data_type, meaning) in of_library {
        let line = listed.iter().find(|(listed, ..)| *listed == name);
        let (_, listed_type, listed_meaning) = line.unwrap_or_else(|| panic!("no `{name}`"));
        assert!(listed_type.starts_with(data_type), "{name}: {listed_type}");
        assert_eq!(*listed_meaning, meaning, "{name}");
    }
    let names: Vec<_> = listed.iter().map(|(name, ..)| *name).collect();
    let all = setwise_table::Column::all().iter().map(|column| column.name());
    // Hashes of games need complete games, and one line stands for the numbers of squares.
    let is_listed = |name: &&str| *name != "game_hash" && !name.ends_with("_squares");
    assert_eq!(names, all.filter(is_listed).collect::<Vec<_>>());
    assert!(presets.contains("white_all_squares"), "{presets}");
    for preset in setwise::columns::PRESETS {
        let line = presets.lines().find(|line| line.split(' ').next() == Some(preset.name));
        assert!(line.is_some_and(|line| line.ends_with(preset.meaning)), "{}", preset.name);
    }
}

#[test]
fn text_has_all_columns_of_a_fen() {
    let folder = Folder::new();
    folder.write("a.fen", "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQq d6 3 14\n4k3/8/8/8/8/8/8/4K3 b - -\n");
    let columns = "castling_white,castling_black,en_passant,halfmove_clock,fullmove_number,turn";
    let csv = folder.succeed(&format!("maps a.fen -q -o - -f csv -c {columns}"));
    let expected = format!("{columns}\n129,1,43,3,14,0\n0,0,,0,1,1\n");
    assert_eq!(String::from_utf8(csv).unwrap(), expected);
    let said = folder.fail(2, "maps a.fen -o a.npy -c en_passant");
    let expected = "a .npy file has no nulls: it cannot have the column `en_passant`";
    assert!(said.contains(expected), "{said}");
    let csv = folder.succeed("maps a.fen -q -o - -f csv -c turn,score");
    assert_eq!(String::from_utf8(csv).unwrap(), "turn,score\n0,\n1,\n");
}

#[test]
fn invalid_lines_can_have_nulls() {
    let folder = Folder::new();
    folder.write("a.fen", "8/8/8/8/8/8/8/K7 w - - x\n\nbad\n");
    let outcome =
        folder.run("maps a.fen -o - -f csv -c fen,rest,line,white_king --on-invalid null");
    let expected = "fen,rest,line,white_king\n8/8/8/8/8/8/8/K7 w - - x,x,1,770\nbad,,3,\n";
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), expected);
    assert_eq!(outcome.stderr, "1 blank line skipped\n1 invalid row with nulls\n");
    let said = folder.fail(2, "maps a.fen -o a.npy --on-invalid null");
    assert!(said.contains("a .npy file has no nulls"), "{said}");
}

#[test]
fn the_text_is_the_first_column_if_requested() {
    let folder = Folder::new();
    let text = "8/8/8/8/8/8/8/8 w - -\r\n8/8/8/8/8/8/8/K7 b - - id \"a, b\"; acd 3;\n";
    folder.write("two.epd", text);
    let lines = ["8/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/K7 b - - id \"a, b\"; acd 3;"];
    for columns in ["fen,default", " fen , default,*_all"] {
        let columns = columns.replace(' ', "");
        folder.succeed(&format!("maps two.epd -o maps.parquet -c {columns}"));
        let (table, _) = read("parquet", folder.read("maps.parquet"));
        assert_eq!(table.names[0], "fen");
        assert_eq!(table.names.len(), 17);
        assert_eq!(table.texts, lines);
    }

    let csv = folder.succeed("maps two.epd -o - -f csv -c fen,white_king");
    let expected = "fen,white_king\n8/8/8/8/8/8/8/8 w - -,0\n\
        \"8/8/8/8/8/8/8/K7 b - - id \"\"a, b\"\"; acd 3;\",770\n";
    assert_eq!(String::from_utf8(csv).unwrap(), expected);
    assert!(folder.fail(2, "maps two.epd -o maps.npy -c fen").contains(".npy"));
}

#[test]
fn every_compression_can_be_read_and_others_are_refused() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let expected = maps(&sample());
    let mut sizes = Vec::new();
    for compression in ["zstd", "lz4", "snappy", "none"] {
        folder.succeed(&format!("maps sample.epd -o maps.parquet --compression {compression}"));
        assert!(folder.parquet("maps.parquet") == expected, "{compression}");
        sizes.push(folder.read("maps.parquet").len());
    }
    assert!(sizes[..3].iter().all(|&size| size < sizes[3]), "{sizes:?}");
    folder.succeed("maps sample.epd -o maps.parquet");
    assert_eq!(folder.read("maps.parquet").len(), sizes[0], "zstd is the default");
    for format in ["arrow", "npy", "csv"] {
        for compression in ["zstd", "none"] {
            let arguments = format!("maps sample.epd -o a.{format} --compression {compression}");
            let said = folder.fail(2, &arguments);
            assert!(said.contains("--compression is for Parquet"), "{said}");
        }
    }
}

#[test]
fn the_size_of_row_groups_depends_on_the_columns() {
    let folder = Folder::new();
    folder.write("lines.epd", "8/8/8/8/8/8/8/8 w - -\n".repeat(140_000));
    for (columns, expected) in [
        ("default", vec![131_072, 8_928]),
        ("white_all", vec![131_072, 8_928]),
        ("default,counts,*_ring_*", vec![72_315, 67_685]),
    ] {
        folder.succeed(&format!("maps lines.epd -o maps.parquet -c {columns}"));
        assert_eq!(read("parquet", folder.read("maps.parquet")).1, expected, "{columns}");
    }
}
