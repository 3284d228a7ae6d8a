//! CSV with a header. Every column is unchanged text; empty cells are null.
//!
//! Types are guessed only on request. Without guessing, 007, 1e3 and NaN are preserved, and no later row can contradict
//! a guess.

use std::str;
use std::sync::Arc;

use ::csv::{ByteRecord, ReaderBuilder};
use anyhow::{Context, Result, bail};
use arrow_array::RecordBatch;
use arrow_array::builder::StringBuilder;

use super::cut::{Cut, CutTable, Cutter, LONGEST, Selected};
use super::interface::{TableReader, TextOptions};
use super::types::{self, Kind, SAMPLE};
use crate::open::{self, Stream};

/// Reads the records of a piece, each with its offset.
fn records(
    cut: &Cut,
    delimiter: u8,
    mut see: impl FnMut(usize, &ByteRecord) -> Result<()>,
) -> Result<()> {
    // The caller detects records of other lengths, with a better message.
    let mut builder = ReaderBuilder::new();
    let builder = builder.has_headers(false).flexible(true).delimiter(delimiter);
    let (mut reader, mut record) = (builder.from_reader(&cut.text[..]), ByteRecord::new());
    while reader.read_byte_record(&mut record)? {
        let mut at = record.position().map_or(0, |position| position.byte() as usize);
        // The reader skips line ends before a record.
        at += cut.text[at..].iter().take_while(|byte| b"\r\n".contains(byte)).count();
        see(at, &record)?;
    }
    Ok(())
}

pub(super) fn open(input: Stream, options: &TextOptions) -> Result<Box<dyn TableReader>> {
    let mut delimiter = options.delimiter.unwrap_or(b',');
    let mut cutter = Cutter::new(open::text(input)?, Some(delimiter));
    let (mut columns, mut is_first) = (Vec::new(), true);
    // The file may begin with blank lines.
    while columns.is_empty() {
        let Some(cut) = cutter.next(1, LONGEST, LONGEST)? else {
            bail!("it is empty: expected a header with the names of the columns");
        };
        // Excel names the delimiter on a line before the header.
        if is_first && let Some(of_excel) = delimiter_of_excel(&cut.text) {
            delimiter = options.delimiter.unwrap_or(of_excel);
            cutter.delimiter = Some(delimiter);
            is_first = false;
            continue;
        }
        is_first = false;
        if options.delimiter.is_none()
            && delimiter == b','
            && !cut.text.contains(&b',')
            && cut.text.contains(&b'\t')
        {
            delimiter = b'\t';
            cutter.delimiter = Some(delimiter);
        }
        records(&cut, delimiter, |at, record| {
            for name in record {
                let wrong = || format!("line {}: a name is not UTF-8", cut.line_at(at));
                let name = str::from_utf8(name).ok().with_context(wrong)?;
                columns.push((name.to_owned(), Kind::Text));
            }
            Ok(())
        })?;
    }
    let mut first = None;
    if options.guess == Some(true) {
        first = cutter.next(SAMPLE, LONGEST, LONGEST)?;
        columns.iter_mut().for_each(|(_, kind)| *kind = Kind::Nothing);
        first.as_ref().map_or(Ok(()), |cut| {
            records(cut, delimiter, |_, record| {
                for ((_, kind), cell) in columns.iter_mut().zip(record) {
                    *kind = kind.join(str::from_utf8(cell).map_or(Kind::Text, Kind::of));
                }
                Ok(())
            })
        })?;
    }
    let schema = types::schema(&columns);
    let (fields, advice) = (columns.len(), options.advice);
    let parse =
        move |cut: &Cut, selected: &Selected| parse(cut, selected, delimiter, fields, advice);
    Ok(Box::new(CutTable::new(schema, cutter, first, Arc::new(parse))))
}

/// The delimiter in a line such as `sep=;`.
fn delimiter_of_excel(line: &[u8]) -> Option<u8> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    match line.strip_suffix(b"\r").unwrap_or(line) {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => Some(*delimiter),
        _ => None,
    }
}

/// Parses the selected columns of records with this delimiter and number of fields.
fn parse(
    cut: &Cut,
    Selected { places, schema }: &Selected,
    delimiter: u8,
    expected: usize,
    advice: &str,
) -> Result<RecordBatch> {
    let each = cut.text.len() / expected.max(1);
    let column = |_: &usize| StringBuilder::with_capacity(cut.records, each);
    let mut columns: Vec<_> = places.iter().map(column).collect();
    records(cut, delimiter, |at, record| {
        let line = || cut.line_at(at);
        if record.len() != expected {
            bail!("line {}: expected {expected} fields, found {}", line(), record.len());
        }
        let fields = places.iter().zip(schema.fields());
        for ((place, field), column) in fields.zip(&mut columns) {
            match str::from_utf8(&record[*place]) {
                Ok("") => column.append_null(),
                Ok(text) => {
                    types::check(field, || Kind::of(text), text, advice)
                        .with_context(|| format!("line {}", line()))?;
                    column.append_value(text);
                }
                Err(_) => bail!("line {}: field {} is not UTF-8", line(), *place + 1),
            }
        }
        Ok(())
    })?;
    types::batch(schema, columns, cut.records)
}
