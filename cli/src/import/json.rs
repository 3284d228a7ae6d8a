//! JSON Lines: an object a line. Every column is text: strings are what they say, and anything else is its
//! JSON as it stands, so nothing is lost of numbers and nested values; null and a missing key are null.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use ::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringBuilder};
use ::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use anyhow::{Result, anyhow};
use serde::Deserializer as _;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use setwise_table::{Input, Part, Source};

use super::cut::{Cut, Cutter, Fault, LONGEST};
use super::interface::{AnySource, InputFormatInfo, Opened, ReadOptions, TableParts};
use crate::input;

pub(super) const INFO: InputFormatInfo = InputFormatInfo {
    name: "jsonl",
    aliases: &["ndjson"],
    meaning: "JSON Lines: objects with a FEN and what else there is",
    magic: b"",
    open,
};

struct Json {
    cutter: Cutter,
    /// Was read in order to know the keys.
    first: Option<Cut>,
    layout: Arc<Layout>,
    parts: TableParts,
}

struct Layout {
    /// The column of each key that is wanted; no column for those that are known.
    columns: HashMap<String, Option<usize>>,
    /// Whether a key that is not known can be passed over.
    lax: bool,
    schema: SchemaRef,
}

/// Lines that are looked at for their keys.
const SAMPLE: usize = 4096;

fn open(opened: Opened, options: &ReadOptions) -> Result<(Input, AnySource)> {
    let mut cutter = Cutter::new(input::text(opened.input)?, false);
    let first = cutter.next(SAMPLE, LONGEST, LONGEST).map_err(explain)?;
    let mut names: Vec<String> = Vec::new();
    let mut known: HashMap<String, Option<usize>> = HashMap::new();
    for (number, line) in first.iter().flat_map(lines) {
        let mut see = |key: Cow<'_, str>| {
            if !known.contains_key(&*key) {
                known.insert(key.to_string(), None);
                names.push(key.into_owned());
            }
        };
        object(line, Keys(&mut see)).map_err(|error| at(number, line, &error))?;
    }
    let fields: Vec<_> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let all = Arc::new(Schema::new(fields));
    let (places, of_table) = options.of_table(&all)?;
    for (column, place) in places.iter().enumerate() {
        known.insert(names[*place].clone(), Some(column));
    }
    let schema = Arc::new(all.project(&places)?);
    let layout = Arc::new(Layout { columns: known, lax: !options.all(), schema });
    Ok((of_table, Box::new(Json { cutter, first, layout, parts: opened.parts })))
}

/// The lines that are not blank, with their numbers.
fn lines(cut: &Cut) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = cut.text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    (cut.line..).zip(lines).filter(|(_, line)| !line.is_empty())
}

impl Source<anyhow::Error> for Json {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, anyhow::Error>>> {
        let cut = match self.first.take() {
            Some(first) => Some(first),
            None => self.cutter.next(rows, bytes, LONGEST).map_err(explain)?,
        };
        let layout = self.layout.clone();
        let part =
            |cut: Cut| self.parts.part(cut.records, 2 * cut.text.len(), move || layout.parse(&cut));
        Ok(cut.map(part))
    }
}

impl Layout {
    fn parse(&self, cut: &Cut) -> Result<RecordBatch> {
        let mut row = Row {
            layout: self,
            columns: self.schema.fields().iter().map(|_| StringBuilder::new()).collect(),
            rows: 0,
        };
        for (number, line) in lines(cut) {
            object(line, &mut row).map_err(|error| at(number, line, &error))?;
            row.rows += 1;
            for column in &mut row.columns {
                if ::arrow::array::ArrayBuilder::len(column) < row.rows {
                    column.append_null();
                }
            }
        }
        let columns =
            row.columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef);
        let options = RecordBatchOptions::new().with_row_count(Some(row.rows));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), columns.collect(), &options)?)
    }
}

/// Reads a line that is one object.
fn object<'de>(line: &'de [u8], visitor: impl Visitor<'de, Value = ()>) -> serde_json::Result<()> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    reader.deserialize_map(visitor)?;
    reader.end()
}

/// Hands out the keys.
struct Keys<'a, F>(&'a mut F);

impl<'de, F: FnMut(Cow<'de, str>)> Visitor<'de> for Keys<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Text)? {
            (self.0)(key);
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// A string, which is borrowed if it has no escapes.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: de::Deserializer<'de>>(self, from: D) -> Result<Cow<'de, str>, D::Error> {
        from.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// Columns that get a row from an object.
struct Row<'a> {
    layout: &'a Layout,
    columns: Vec<StringBuilder>,
    rows: usize,
}

impl<'de> Visitor<'de> for &mut Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Text)? {
            match self.layout.columns.get(&*key) {
                Some(&Some(column)) => {
                    let column = &mut self.columns[column];
                    if ::arrow::array::ArrayBuilder::len(column) > self.rows {
                        return Err(de::Error::custom(format!("the key `{key}` comes twice")));
                    }
                    let value: &RawValue = map.next_value()?;
                    let text = value.get();
                    match text.as_bytes() {
                        b"null" => column.append_null(),
                        [b'"', ..] => {
                            let mut string = serde_json::Deserializer::from_str(text);
                            let string = Text.deserialize(&mut string);
                            column.append_value(string.map_err(de::Error::custom)?);
                        }
                        _ => column.append_value(text),
                    }
                }
                None if !self.layout.lax => {
                    return Err(de::Error::custom(format!(
                        "the key `{key}` is in none of the first {SAMPLE} lines: \
                         name the columns with --keep"
                    )));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// What is wrong with a line, and where.
fn at(number: u64, line: &[u8], error: &serde_json::Error) -> anyhow::Error {
    let text = error.to_string();
    // The line within the line is always 1.
    let place = format!(" at line {} column {}", error.line(), error.column());
    let reason = text.strip_suffix(&place).unwrap_or(&text);
    if str::from_utf8(line).is_err() {
        return anyhow!("line {number}: it is no UTF-8");
    }
    match error.column() {
        0 => anyhow!("line {number}: {reason}"),
        column => anyhow!("line {number}, byte {column}: {reason}"),
    }
}

fn explain(fault: Fault) -> anyhow::Error {
    match fault {
        Fault::Io(error) => error.into(),
        Fault::TooLong(line) | Fault::Open(line) => {
            anyhow!("line {line}: longer than {} MiB", LONGEST >> 20)
        }
    }
}
