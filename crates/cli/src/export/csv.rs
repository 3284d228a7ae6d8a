//! Text: decimal numbers separated by commas, below a line with the column names. A list is one cell, with its numbers
//! separated by spaces.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use ::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions, StringBuilder};
use ::arrow::csv::WriterBuilder;
use ::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, Int16Type, Int32Type, Int64Type, Schema, UInt16Type,
    UInt32Type, UInt64Type,
};

use setwise_table::LIST;

use super::interface::{Contents, Export, OutputFormatInfo, Whole, of_arrow};
use crate::output::Output;

pub(crate) struct Csv(Output);

impl Export for Csv {
    const INFO: OutputFormatInfo = OutputFormatInfo {
        name: "csv",
        aliases: &[],
        meaning: "Decimal numbers separated by commas, with a header",
        compressions: &[],
        only_numbers: false,
        batch: 64 << 10,
        encoded: |data_type| match data_type.primitive_width() {
            Some(8) => 21,
            Some(2) => 7,
            Some(1) => 5,
            None if data_type.is_nested() => 6 * LIST,
            _ => 0,
        },
    };
    type Encoder = Whole<Vec<u8>>;

    fn begin(contents: &Contents, mut output: Output) -> io::Result<(Self::Encoder, Self)> {
        let empty = RecordBatch::new_empty(contents.schema.clone());
        output.write_all(&text(&empty, true)?)?;
        Ok((Whole(|batch| text(&batch, false)), Self(output)))
    }

    fn write(&mut self, texts: Vec<Vec<u8>>) -> io::Result<()> {
        texts.iter().try_for_each(|text| self.0.write_all(text))
    }

    fn finish(mut self) -> io::Result<Output> {
        self.0.flush()?;
        Ok(self.0)
    }
}

fn text(batch: &RecordBatch, header: bool) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut writer = WriterBuilder::new().with_header(header).build(&mut bytes);
    writer.write(&without_lists(batch)?).map_err(of_arrow)?;
    drop(writer);
    Ok(bytes)
}

/// The batch with text in place of lists.
fn without_lists(batch: &RecordBatch) -> io::Result<RecordBatch> {
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let (field, column) = match in_one_cell(column) {
            Some(text) => {
                (Arc::new(Field::new(field.name(), DataType::Utf8, field.is_nullable())), text)
            }
            None => (field.clone(), column.clone()),
        };
        fields.push(field);
        columns.push(column);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let schema = Arc::new(Schema::new(fields));
    RecordBatch::try_new_with_options(schema, columns, &options).map_err(of_arrow)
}

/// A column of lists or arrays as text; none for other columns.
fn in_one_cell(column: &ArrayRef) -> Option<ArrayRef> {
    fn texts<T: ArrowPrimitiveType<Native: std::fmt::Display>>(
        column: &ArrayRef,
        items: &ArrayRef,
        rows: Vec<Range<usize>>,
    ) -> ArrayRef {
        let numbers = items.as_primitive::<T>().values();
        let mut texts = StringBuilder::new();
        for (row, range) in rows.into_iter().enumerate() {
            if column.is_null(row) {
                texts.append_null();
                continue;
            }
            for (i, number) in numbers[range].iter().enumerate() {
                let gap = if i == 0 { "" } else { " " };
                let _ = write!(texts, "{gap}{number}"); // writing to memory does not fail
            }
            texts.append_value("");
        }
        Arc::new(texts.finish())
    }
    let (items, rows): (_, Vec<_>) = if let Some(lists) = column.as_list_opt::<i64>() {
        let ends = lists.offsets().windows(2);
        (lists.values(), ends.map(|ends| ends[0] as usize..ends[1] as usize).collect())
    } else {
        let arrays = column.as_fixed_size_list_opt()?;
        let length = usize::try_from(arrays.value_length()).ok()?;
        let row = |row| row * length..(row + 1) * length;
        (arrays.values(), (0..arrays.len()).map(row).collect())
    };
    if items.null_count() > 0 {
        return None;
    }
    let is_array = column.as_fixed_size_list_opt().is_some();
    match items.data_type() {
        DataType::UInt16 => Some(texts::<UInt16Type>(column, items, rows)),
        DataType::Int16 => Some(texts::<Int16Type>(column, items, rows)),
        DataType::UInt32 => Some(texts::<UInt32Type>(column, items, rows)),
        DataType::Int32 => Some(texts::<Int32Type>(column, items, rows)),
        DataType::UInt64 if is_array => Some(texts::<UInt64Type>(column, items, rows)),
        DataType::Int64 if is_array => Some(texts::<Int64Type>(column, items, rows)),
        _ => None,
    }
}
