//! Reads the program's output: every format into the same kind of table.

use std::io::Cursor;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int64Type, UInt8Type, UInt16Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_schema::{DataType, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

pub(crate) const FORMATS: [&str; 4] = ["parquet", "arrow", "npy", "csv"];

/// Columns with their names, in order.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Table {
    pub(crate) names: Vec<String>,
    /// Numbers. Signed numbers become unsigned numbers with the same bits.
    pub(crate) numbers: Vec<Vec<u64>>,
    /// The column "fen".
    pub(crate) texts: Vec<String>,
}

impl Table {
    pub(crate) fn column(&self, name: &str) -> &[u64] {
        let at = self.names.iter().position(|other| other == name);
        &self.numbers[at.unwrap_or_else(|| panic!("{name}"))]
    }
}

/// Reads a file. Also returns the number of rows in each of its parts, if the format has parts.
pub(crate) fn read(format: &str, bytes: Vec<u8>) -> (Table, Vec<usize>) {
    match format {
        "parquet" => parquet(bytes),
        "arrow" => {
            let reader = FileReader::try_new(Cursor::new(bytes), None).unwrap();
            let schema = reader.schema();
            let batches: Vec<_> = reader.map(Result::unwrap).collect();
            let rows = batches.iter().map(RecordBatch::num_rows).collect();
            (table(&schema, &batches), rows)
        }
        "npy" => (npy(&bytes).1, vec![]),
        "csv" => (csv(&bytes), vec![]),
        other => panic!("{other}"),
    }
}

fn parquet(bytes: Vec<u8>) -> (Table, Vec<usize>) {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
    let schema = reader.schema().clone();
    let rows = reader.metadata().row_groups().iter();
    let rows = rows.map(|group| usize::try_from(group.num_rows()).unwrap()).collect();
    let batches: Vec<_> = reader.build().unwrap().map(Result::unwrap).collect();
    (table(&schema, &batches), rows)
}

fn table(schema: &Schema, batches: &[RecordBatch]) -> Table {
    let mut table = Table::default();
    for (i, field) in schema.fields().iter().enumerate() {
        let parts = batches.iter().map(|batch| batch.column(i));
        assert!(!field.is_nullable() && parts.clone().all(|part| part.null_count() == 0));
        table.names.push(field.name().clone());
        if *field.data_type() == DataType::Utf8 {
            let texts = parts.flat_map(|part| part.as_string::<i32>().iter());
            table.texts = texts.map(|text| text.unwrap().to_owned()).collect();
            table.numbers.push(vec![]);
        } else {
            table.numbers.push(parts.flat_map(numbers).collect());
        }
    }
    table
}

fn numbers(array: &ArrayRef) -> Vec<u64> {
    match array.data_type() {
        DataType::UInt8 => cast(array.as_primitive::<UInt8Type>().values()),
        DataType::UInt16 => cast(array.as_primitive::<UInt16Type>().values()),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().values().to_vec(),
        DataType::Int8 => signed(array.as_primitive::<Int8Type>().values()),
        DataType::Int16 => signed(array.as_primitive::<Int16Type>().values()),
        DataType::Int64 => signed(array.as_primitive::<Int64Type>().values()),
        DataType::LargeList(_) => numbers(array.as_list::<i64>().values()), // one after another
        other => panic!("{other}"),
    }
}

fn cast<T: Copy + Into<u64>>(values: &[T]) -> Vec<u64> {
    values.iter().map(|&value| value.into()).collect()
}

fn signed<T: Copy + Into<i64>>(values: &[T]) -> Vec<u64> {
    values.iter().map(|&value| value.into().cast_unsigned()).collect()
}

/// Reads a NumPy file of version 1.0: its type and shape, and its columns, which have no names.
pub(crate) fn npy(bytes: &[u8]) -> (String, Table) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(end % 64, 0);
    let header = std::str::from_utf8(&bytes[10..end]).unwrap();
    let (data_type, shape) = header
        .strip_prefix("{'descr': '")
        .and_then(|rest| rest.split_once("', 'fortran_order': False, 'shape': ("))
        .unwrap_or_else(|| panic!("{header:?}"));
    let (shape, rest) = shape.split_once("), }").unwrap();
    assert!(rest.ends_with('\n') && rest.trim().is_empty());
    let (rows, columns) = shape.split_once(", ").unwrap();
    let (rows, columns): (usize, usize) = (rows.parse().unwrap(), columns.parse().unwrap());
    assert_eq!(bytes.len() - end, 8 * rows * columns, "the shape says what there is");
    let mut numbers = vec![Vec::new(); columns];
    for (i, cell) in bytes[end..].chunks_exact(8).enumerate() {
        numbers[i % columns].push(u64::from_le_bytes(cell.try_into().unwrap()));
    }
    (format!("{data_type} {shape}"), Table { numbers, ..Table::default() })
}

fn csv(text: &[u8]) -> Table {
    let mut lines = std::str::from_utf8(text).unwrap().lines();
    let mut table = Table::default();
    table.names = lines.next().unwrap().split(',').map(str::to_owned).collect();
    table.numbers = vec![vec![]; table.names.len()];
    for line in lines {
        let cells = cells(line);
        assert_eq!(cells.len(), table.names.len(), "{line}");
        for ((cell, name), numbers) in cells.into_iter().zip(&table.names).zip(&mut table.numbers) {
            match cell.parse::<u64>() {
                _ if name == "fen" => table.texts.push(cell),
                Ok(number) => numbers.push(number),
                Err(_) => numbers.push(cell.parse::<i64>().unwrap().cast_unsigned()),
            }
        }
    }
    table
}

/// Splits a line into cells, some of which are quoted.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cells.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    assert!(!quoted, "{line}");
    cells
}
