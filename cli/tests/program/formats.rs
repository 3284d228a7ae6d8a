//! Every kind of file is read back by somebody else and holds what the library says.

use std::fs::File;
use std::io::Cursor;

use arrow::array::AsArray;
use arrow::datatypes::{DataType, Schema};
use arrow::ipc::reader::FileReader;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use setwise::maps::{Count, Kind};
use setwise::{Backend, Colour, Fen, Kernel, Map, Pieces};

use crate::run::{Folder, maps, numbers, sample};

const FORMATS: [&str; 4] = ["parquet", "arrow", "npy", "csv"];

fn check_schema(schema: &Schema) {
    assert_eq!(schema.fields().len(), 16);
    for (field, map) in schema.fields().iter().zip(Map::DEFAULT) {
        assert_eq!(field.name(), map.name());
        assert_eq!((field.data_type(), field.is_nullable()), (&DataType::UInt64, false));
    }
}

/// Shape and columns of a NumPy file of version 1.0.
fn npy(bytes: &[u8]) -> (String, Vec<Vec<u64>>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(end % 64, 0);
    let header = std::str::from_utf8(&bytes[10..end]).unwrap();
    let shape = header
        .strip_prefix("{'descr': '<u8', 'fortran_order': False, 'shape': (")
        .and_then(|rest| {
            rest.trim_end_matches(' ').strip_suffix("\n")?.trim_end().strip_suffix("), }")
        })
        .unwrap_or_else(|| panic!("{header:?}"));
    let (_, columns) = shape.split_once(", ").unwrap();
    let mut read = vec![Vec::new(); columns.parse().unwrap()];
    for (i, cell) in bytes[end..].chunks_exact(8).enumerate() {
        let column = i % read.len();
        read[column].push(u64::from_le_bytes(cell.try_into().unwrap()));
    }
    (shape.to_owned(), read)
}

fn csv(text: &[u8]) -> (String, Vec<Vec<u64>>) {
    let mut lines = std::str::from_utf8(text).unwrap().lines();
    let header = lines.next().unwrap().to_owned();
    let mut read = vec![Vec::new(); header.split(',').count()];
    for line in lines {
        for (column, cell) in read.iter_mut().zip(line.split(',')) {
            column.push(cell.parse().unwrap());
        }
    }
    (header, read)
}

#[test]
fn every_format_holds_what_the_library_says() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let expected = maps(&sample(), Map::DEFAULT);
    let rows = expected[0].len();
    for format in FORMATS {
        let said = folder.succeed(&format!("maps sample.epd -o maps.{format}"));
        assert!(said.starts_with(b"1,000 positions in "), "{}", String::from_utf8_lossy(&said));
    }
    assert_eq!(rows, 1000);

    let file = File::open(folder.path("maps.parquet")).unwrap();
    check_schema(ParquetRecordBatchReaderBuilder::try_new(file).unwrap().schema());
    assert!(folder.parquet("maps.parquet") == expected);

    let reader = FileReader::try_new(File::open(folder.path("maps.arrow")).unwrap(), None).unwrap();
    check_schema(&reader.schema());
    assert!(numbers(&reader.map(Result::unwrap).collect::<Vec<_>>()) == expected);

    let (shape, columns) = npy(&folder.read("maps.npy"));
    assert_eq!(shape, "1000, 16");
    assert!(columns == expected);

    let (header, columns) = csv(&folder.read("maps.csv"));
    assert_eq!(header, Map::DEFAULT.iter().map(|map| map.name()).collect::<Vec<_>>().join(","));
    assert!(columns == expected);
}

#[test]
fn standard_output_gets_the_same_bytes() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    for format in FORMATS {
        folder.succeed(&format!("maps sample.epd -o maps.{format}"));
        let piped = folder.succeed(&format!("maps sample.epd -o - --format {format}"));
        assert!(piped == folder.read(&format!("maps.{format}")), "{format}");
    }
}

#[test]
fn no_positions_make_a_file_without_rows() {
    let folder = Folder::new();
    folder.write("none.epd", "# nothing\n\n   \r\n");
    for format in FORMATS {
        folder.succeed(&format!("maps none.epd -o maps.{format}"));
    }
    assert!(folder.parquet_batches("maps.parquet").is_empty());
    let reader = FileReader::try_new(Cursor::new(folder.read("maps.arrow")), None).unwrap();
    assert_eq!(reader.num_batches(), 0);
    assert_eq!(npy(&folder.read("maps.npy")).0, "0, 16");
    assert!(csv(&folder.read("maps.csv")).1.concat().is_empty());
}

#[test]
fn columns_are_picked_and_ordered() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    folder.succeed("maps sample.epd -o maps.parquet --columns black_all,white_knight");
    let picked = ["black_all", "white_knight"].map(|name| name.parse().unwrap());
    assert!(folder.parquet("maps.parquet") == maps(&sample(), &picked));

    let help = String::from_utf8(folder.succeed("maps --columns help")).unwrap();
    for map in Map::ALL {
        let listed = |line: &str| line.starts_with(map.name()) && line.ends_with(map.meaning());
        assert!(help.lines().any(listed), "{map}");
    }
}

#[test]
fn every_column_holds_what_the_library_says() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let text = String::from_utf8(folder.succeed("maps --columns help")).unwrap();
    let names: Vec<&str> = text
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .filter(|&name| name != "fen")
        .collect();
    assert_eq!(names.len(), Map::ALL.len() + 2 + Count::ALL.len());
    // In reverse order, so that no kind of column comes before another by itself.
    let columns: Vec<&str> = names.iter().rev().copied().collect();
    let columns = columns.join(",");
    folder.succeed(&format!("maps sample.epd -o maps.parquet --columns {columns}"));
    folder.succeed(&format!("maps sample.epd -o maps.npy --columns {columns}"));
    let mut got = folder.parquet("maps.parquet");
    assert!(npy(&folder.read("maps.npy")).1 == got);
    got.reverse();

    let expected = maps(&sample(), Map::ALL);
    assert!(got[..Map::ALL.len()] == expected);
    let positions: Vec<Fen> =
        sample().lines().map(|line| Fen::parse(line).expect("a position")).collect();
    for (at, kind) in [Kind::Checkers, Kind::Pinned].into_iter().enumerate() {
        let of = |colour| {
            let map = Map { colour, kind };
            &expected[Map::ALL.iter().position(|&other| other == map).expect("it is there")]
        };
        let (white, black) = (of(Colour::White), of(Colour::Black));
        let mover = positions.iter().enumerate().map(|(row, position)| match position.turn {
            Colour::White => white[row],
            Colour::Black => black[row],
        });
        assert!(got[Map::ALL.len() + at].iter().copied().eq(mover), "{kind:?}");
    }
    let pieces: Vec<Pieces> = positions.iter().map(|position| position.pieces).collect();
    for (&count, got) in Count::ALL.iter().zip(&got[Map::ALL.len() + 2..]) {
        let mut expected = vec![0; pieces.len()];
        Kernel::detect().attack_counts(&pieces[..], &mut [(count, &mut expected[..])]);
        assert!(got.iter().copied().eq(expected.into_iter().map(u64::from)), "{count}");
    }

    for backend in Backend::available() {
        let arguments = format!("maps sample.epd -o - -f parquet -c {columns} --backend {backend}");
        assert!(folder.succeed(&arguments) == folder.read("maps.parquet"), "{backend}");
    }
}

#[test]
fn the_text_is_the_first_column_if_asked_for() {
    let folder = Folder::new();
    let text = "8/8/8/8/8/8/8/8 w - -\r\n8/8/8/8/8/8/8/K7 b - - id \"a, b\"; acd 3;\n";
    folder.write("two.epd", text);
    folder.succeed("maps two.epd -o maps.parquet --with-fen");
    let batches = folder.parquet_batches("maps.parquet");
    let lines = ["8/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/K7 b - - id \"a, b\"; acd 3;"];
    assert_eq!(batches[0].schema().field(0).name(), "fen");
    assert_eq!(batches[0].num_columns(), 17);
    assert!(batches[0].column(0).as_string::<i32>().iter().eq(lines.map(Some)));

    let csv = folder.succeed("maps two.epd -o - -f csv --with-fen -c white_king");
    let expected = "fen,white_king\n8/8/8/8/8/8/8/8 w - -,0\n\
        \"8/8/8/8/8/8/8/K7 b - - id \"\"a, b\"\"; acd 3;\",770\n";
    assert_eq!(String::from_utf8(csv).unwrap(), expected);
    assert!(folder.fail(2, "maps two.epd -o maps.npy --with-fen").contains(".npy"));
}

#[test]
fn every_compression_can_be_read() {
    let folder = Folder::new();
    folder.write("sample.epd", sample());
    let expected = maps(&sample(), Map::DEFAULT);
    for compression in ["zstd", "lz4", "snappy", "none"] {
        folder.succeed(&format!("maps sample.epd -o maps.parquet --compression {compression}"));
        assert!(folder.parquet("maps.parquet") == expected, "{compression}");
    }
}

#[test]
fn neither_threads_nor_backends_change_a_byte() {
    let folder = Folder::new();
    // Many lines and so many batches, but few positions.
    let lines = |line| format!("{line}{}", "\n".repeat(400));
    folder.write("wide.epd", sample().lines().map(lines).collect::<String>());
    folder.write("sample.epd", sample());
    for format in FORMATS {
        let bytes = |arguments: &str| folder.succeed(&format!("maps -o - -f {format} {arguments}"));
        let one = bytes("wide.epd --threads 1");
        assert!(one == bytes("wide.epd --threads 4"), "{format}");
        let scalar = bytes("sample.epd --backend scalar");
        for backend in Backend::available() {
            assert!(scalar == bytes(&format!("sample.epd --backend {backend}")), "{backend}");
        }
    }
    folder.succeed("maps wide.epd -o wide.parquet");
    assert!(folder.parquet("wide.parquet") == maps(&sample(), Map::DEFAULT));
    let file = File::open(folder.path("wide.parquet")).unwrap();
    let groups =
        ParquetRecordBatchReaderBuilder::try_new(file).unwrap().metadata().num_row_groups();
    assert_eq!(groups, 4);
}
