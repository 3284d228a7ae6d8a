//! CSV: a header line and decimal numbers separated by commas. A list is one cell of numbers separated by spaces.

use std::io::{self, Write};

use ::csv::{ByteRecord, Writer};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType};
use setwise_table::LIST;

use super::interface::{Contents, Export, Split, single_piece, unwrap_arrow};
use crate::cells;
use crate::output::Output;

pub(crate) struct Csv(Output);

impl Export for Csv {
    const BATCH: usize = 64 << 10;
    type Encoded = Vec<u8>;

    fn encoded(data_type: &DataType) -> usize {
        match data_type.primitive_width() {
            Some(8) => 21,
            Some(2) => 7,
            Some(1) => 5,
            None if data_type.is_nested() => 6 * LIST,
            _ => 0,
        }
    }

    fn begin(contents: &Contents, mut output: Output) -> io::Result<(Split<Vec<u8>>, Self)> {
        for field in contents.schema.fields() {
            // Fails before anything is written.
            cells::check(field.data_type()).map_err(|error| not_text(field.name(), error))?;
        }
        let mut header = Writer::from_writer(Vec::new());
        header.write_record(contents.schema.fields().iter().map(|field| field.name()))?;
        output.write_all(&header.into_inner().map_err(|error| error.into_error())?)?;
        Ok((single_piece(|batch| text(&batch)), Self(output)))
    }

    fn write(&mut self, texts: Vec<Vec<u8>>) -> io::Result<()> {
        texts.iter().try_for_each(|text| self.0.write_all(text))
    }

    fn finish(self) -> io::Result<Output> {
        Ok(self.0)
    }
}

/// The error for a cell that has no text.
fn not_text(column: &str, error: ArrowError) -> io::Error {
    let reason = match error {
        ArrowError::NotYetImplemented(reason) => reason,
        other => other.to_string(),
    };
    let advice = "name the columns to write with --keep, or write .parquet or .arrow";
    io::Error::other(format!("column `{column}`: {reason}; {advice}"))
}

fn text(batch: &RecordBatch) -> io::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    let (mut cell, mut record) = (String::new(), ByteRecord::new());
    let names = batch.schema_ref().fields().iter().map(|field| field.name());
    let columns = batch.columns().iter().map(|column| cells::writer(column));
    let columns = columns.collect::<Result<Vec<_>, _>>().map_err(unwrap_arrow)?;
    let columns: Vec<_> = names.zip(columns).collect();
    for row in 0..batch.num_rows() {
        record.clear();
        for (name, column) in &columns {
            cell.clear();
            column(row, &mut cell).map_err(|error| not_text(name, error))?;
            record.push_field(cell.as_bytes());
        }
        writer.write_byte_record(&record)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}
