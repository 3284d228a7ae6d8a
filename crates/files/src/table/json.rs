//! JSON Lines: one object per line. If the first values of a column are all integers, numbers, booleans or strings, the
//! column has this type, and a later value of another type is an error. Any other column is text: the contents of
//! strings, and the JSON of all other values. Nulls and missing keys are null.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::BufRead as _;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use arrow_array::RecordBatch;
use arrow_array::builder::{ArrayBuilder as _, StringBuilder};
use arrow_schema::SchemaRef;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::value::RawValue;
use setwise_formats::LineFeeds;

use super::cut::{self, Cut, CutTable, Cutter, LONGEST};
use super::interface::{TableReader, TextOptions};
use super::types::{self, Kind, SAMPLE};
use crate::open::{self, Stream};

struct Layout {
    /// The column of each wanted key; `None` for known keys that are not wanted.
    columns: HashMap<String, Option<usize>>,
    /// True if unknown keys are errors.
    strict: bool,
    advice: &'static str,
    schema: SchemaRef,
}

pub(super) fn open(input: Stream, options: &TextOptions) -> Result<Box<dyn TableReader>> {
    let mut text = LineFeeds::new(open::text(input)?);
    if text.fill_buf()?.trim_ascii_start().starts_with(b"[") {
        bail!(
            "it is a JSON array; expected JSON Lines, one object per line: \
             convert it with `jq -c '.[]'`"
        );
    }
    let mut cutter = Cutter::new(Box::new(text), None);
    let first = cutter.next(SAMPLE, LONGEST, LONGEST)?;
    let mut columns: Vec<(String, Kind)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (number, line) in first.iter().flat_map(lines) {
        let mut see = |key: Cow<'_, str>, value: &RawValue| {
            let place = *places.entry(key.into_owned()).or_insert_with_key(|key| {
                columns.push((key.clone(), Kind::Nothing));
                columns.len() - 1
            });
            columns[place].1 = columns[place].1.join(kind(value));
            Ok(())
        };
        object(line, Cells(&mut see)).map_err(|error| at(number, line, &error))?;
    }
    if options.guess == Some(false) {
        columns.iter_mut().for_each(|(_, kind)| *kind = Kind::Text);
    }
    let schema = types::schema(&columns);
    let known = places.into_iter().map(|(name, place)| (name, Some(place))).collect();
    let (strict, advice) = (options.strict, options.advice);
    let layout = Arc::new(Layout { columns: known, strict, advice, schema: schema.clone() });
    Ok(Box::new(CutTable { schema, cutter, first, layout }))
}

fn kind(value: &RawValue) -> Kind {
    match value.get() {
        "null" => Kind::Nothing,
        value => Kind::of(value),
    }
}

/// Returns the lines except blank lines, with their numbers.
fn lines(cut: &Cut) -> impl Iterator<Item = (u64, &[u8])> {
    let lines = cut.text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    (cut.line..).zip(lines).filter(|(_, line)| !line.is_empty())
}

impl cut::Layout for Layout {
    fn select(&self, schema: &SchemaRef, places: Vec<usize>) -> Self {
        let mut columns: HashMap<_, _> =
            self.columns.keys().map(|key| (key.clone(), None)).collect();
        for (column, &place) in places.iter().enumerate() {
            columns.insert(schema.field(place).name().clone(), Some(column));
        }
        let schema = Arc::new(schema.project(&places).expect("places of its columns"));
        Self { columns, schema, ..*self }
    }

    fn parse(&self, cut: &Cut) -> Result<RecordBatch> {
        let column = |_| StringBuilder::with_capacity(cut.records, 0);
        let mut columns: Vec<_> = self.schema.fields().iter().map(column).collect();
        for (row, (number, line)) in lines(cut).enumerate() {
            let mut see = |key: Cow<'_, str>, value: &RawValue| {
                self.cell(&mut columns, row, line, &key, value)
            };
            object(line, Cells(&mut see)).map_err(|error| at(number, line, &error))?;
            for column in columns.iter_mut().filter(|column| column.len() <= row) {
                column.append_null();
            }
        }
        types::batch(&self.schema, columns, cut.records)
    }
}

impl Layout {
    /// Appends the value of a key to its column.
    fn cell(
        &self,
        columns: &mut [StringBuilder],
        row: usize,
        line: &[u8],
        key: &str,
        value: &RawValue,
    ) -> Result<(), String> {
        let Some(&place) = self.columns.get(key) else {
            return match self.strict {
                false => Ok(()),
                true => Err(format!(
                    "the key `{key}` is in none of the first {SAMPLE} lines: \
                     name the columns with --keep"
                )),
            };
        };
        let Some(place) = place else { return Ok(()) };
        let column = &mut columns[place];
        if column.len() > row {
            return Err(format!("the key `{key}` comes twice"));
        }
        let text = value.get();
        types::check(self.schema.field(place), || kind(value), text, self.advice)
            .map_err(|error| error.to_string())?;
        match text.as_bytes() {
            b"null" => column.append_null(),
            [b'"', ..] => match serde_json::from_str(text) {
                Ok(Text(text)) => column.append_value(text),
                Err(error) => {
                    // serde_json parses the position from the end of the message.
                    let start = text.as_ptr().addr() - line.as_ptr().addr();
                    let reason = reason(&error);
                    return Err(format!("{reason} at line 1 column {}", start + error.column()));
                }
            },
            _ => column.append_value(text),
        }
        Ok(())
    }
}

fn object<'de>(line: &'de [u8], visitor: impl Visitor<'de, Value = ()>) -> serde_json::Result<()> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    reader.deserialize_map(visitor)?;
    reader.end()
}

/// Passes the keys and values on until one is invalid.
struct Cells<'a, F>(&'a mut F);

impl<'de, F: FnMut(Cow<'de, str>, &'de RawValue) -> Result<(), String>> Visitor<'de>
    for Cells<'_, F>
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Text(key)) = map.next_key()? {
            (self.0)(key, map.next_value()?).map_err(de::Error::custom)?;
        }
        Ok(())
    }
}

/// A string, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

fn at(number: u64, line: &[u8], error: &serde_json::Error) -> anyhow::Error {
    let reason = reason(error);
    if str::from_utf8(line).is_err() {
        return anyhow!("line {number}: it is not UTF-8");
    }
    match error.column() {
        0 => anyhow!("line {number}: {reason}"),
        column => anyhow!("line {number}, byte {column}: {reason}"),
    }
}

/// The reason for an error without its place, in which the line is always 1.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
