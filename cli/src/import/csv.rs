//! CSV with a header: every column is text, as it stands; what is empty is null.
//!
//! Types are not guessed: 007, 1e3 and NaN come out as they went in, and no row late in the file can
//! prove a guess wrong.

use std::str;
use std::sync::Arc;

use ::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringBuilder};
use ::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use ::csv::{ByteRecord, Reader, ReaderBuilder};
use anyhow::{Context, Result, anyhow, bail};
use setwise_table::{Input, Part, Source};

use super::cut::{Cut, Cutter, Fault, LONGEST};
use super::interface::{AnySource, InputFormatInfo, Opened, ReadOptions, TableParts};
use crate::input;

pub(super) const INFO: InputFormatInfo = InputFormatInfo {
    name: "csv",
    aliases: &[],
    meaning: "comma-separated values with a header, one column of FENs",
    magic: b"",
    open,
};

struct Csv {
    cutter: Cutter,
    layout: Arc<Layout>,
    parts: TableParts,
}

/// What each record has to look like.
struct Layout {
    /// How many fields there are.
    fields: usize,
    /// The places of those that are wanted.
    places: Vec<usize>,
    schema: SchemaRef,
}

fn reader(text: &[u8]) -> Reader<&[u8]> {
    // Records of other lengths are told apart here, with a better message.
    ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text)
}

fn open(opened: Opened, options: &ReadOptions) -> Result<(Input, AnySource)> {
    let mut cutter = Cutter::new(input::text(opened.input)?, true);
    let mut names = Vec::new();
    // Blank lines may come first.
    while names.is_empty() {
        let Some(cut) = cutter.next(1, LONGEST, LONGEST).map_err(explain)? else {
            bail!("it is empty: expected a header with the names of the columns");
        };
        for record in reader(&cut.text).byte_records() {
            if !names.is_empty() {
                bail!(
                    "line 1: a carriage return within the line; expected lines that end with LF or CR LF"
                );
            }
            for name in &record? {
                let name = str::from_utf8(name).ok().context("line 1: a name is no UTF-8")?;
                names.push(name.to_owned());
            }
        }
    }
    let fields: Vec<_> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let all = Arc::new(Schema::new(fields));
    let (places, of_table) = options.of_table(&all)?;
    let schema = Arc::new(all.project(&places)?);
    let layout = Arc::new(Layout { fields: names.len(), places, schema });
    Ok((of_table, Box::new(Csv { cutter, layout, parts: opened.parts })))
}

impl Source<anyhow::Error> for Csv {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, anyhow::Error>>> {
        let cut = self.cutter.next(rows, bytes, LONGEST).map_err(explain)?;
        let layout = self.layout.clone();
        let part =
            |cut: Cut| self.parts.part(cut.records, 2 * cut.text.len(), move || layout.parse(&cut));
        Ok(cut.map(part))
    }
}

impl Layout {
    fn parse(&self, cut: &Cut) -> Result<RecordBatch> {
        let each = cut.text.len() / self.fields.max(1);
        let mut columns: Vec<_> = self
            .places
            .iter()
            .map(|place| (*place, StringBuilder::with_capacity(cut.records, each)))
            .collect();
        let mut reader = reader(&cut.text);
        let mut record = ByteRecord::new();
        let mut rows = 0;
        while reader.read_byte_record(&mut record)? {
            let line = || cut.line + record.position().map_or(0, |position| position.line() - 1);
            if record.len() != self.fields {
                bail!("line {}: expected {} fields, found {}", line(), self.fields, record.len());
            }
            for (place, column) in &mut columns {
                match str::from_utf8(&record[*place]) {
                    Ok("") => column.append_null(),
                    Ok(text) => column.append_value(text),
                    Err(_) => bail!("line {}: field {} is no UTF-8", line(), *place + 1),
                }
            }
            rows += 1;
        }
        let columns =
            columns.into_iter().map(|(_, mut column)| Arc::new(column.finish()) as ArrayRef);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), columns.collect(), &options)?)
    }
}

fn explain(fault: Fault) -> anyhow::Error {
    match fault {
        Fault::Io(error) => error.into(),
        Fault::TooLong(line) => {
            anyhow!("line {line}: a record longer than {} MiB: is a quote missing?", LONGEST >> 20)
        }
        Fault::Open(line) => anyhow!("line {line}: a quote is open at the end of the input"),
    }
}
