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
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _};
use serde_json::value::RawValue;
use setwise_formats::LineFeeds;

use super::cut::{Cut, CutTable, Cutter, LONGEST, Selected};
use super::interface::{TableReader, TextOptions};
use super::types::{self, Kind, SAMPLE};
use crate::open::{self, Stream};

struct Layout {
    /// The index of each known key in the table.
    places: HashMap<String, usize>,
    /// True if unknown keys are errors.
    strict: bool,
    advice: &'static str,
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
    if first.as_ref().is_none_or(|cut| cut.records == 0) {
        bail!("it is empty: expected a JSON object on each line");
    }
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
    let layout = Layout { places, strict: options.strict, advice: options.advice };
    let parse = move |cut: &Cut, selected: &Selected| layout.parse(cut, selected);
    Ok(Box::new(CutTable::new(schema, cutter, first, Arc::new(parse))))
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

impl Layout {
    fn parse(&self, cut: &Cut, selected: &Selected) -> Result<RecordBatch> {
        let column = |_| StringBuilder::with_capacity(cut.records, 0);
        let mut columns: Vec<_> = selected.places.iter().map(column).collect();
        for (row, (number, line)) in lines(cut).enumerate() {
            let mut see = |key: Cow<'_, str>, value: &RawValue| {
                self.cell(selected, &mut columns, row, line, &key, value)
            };
            object(line, Cells(&mut see)).map_err(|error| at(number, line, &error))?;
            for column in columns.iter_mut().filter(|column| column.len() <= row) {
                column.append_null();
            }
        }
        types::batch(&selected.schema, columns, cut.records)
    }

    /// Appends the value of a key to its column, if it is selected.
    fn cell(
        &self,
        selected: &Selected,
        columns: &mut [StringBuilder],
        row: usize,
        line: &[u8],
        key: &str,
        value: &RawValue,
    ) -> Result<(), String> {
        let Some(place) = self.places.get(key) else {
            return match self.strict {
                false => Ok(()),
                true => Err(format!(
                    "the key `{key}` is in none of the first {SAMPLE} lines: \
                     name the columns with --keep"
                )),
            };
        };
        let Ok(at) = selected.places.binary_search(place) else { return Ok(()) };
        let column = &mut columns[at];
        if column.len() > row {
            return Err(format!("the key `{key}` comes twice"));
        }
        let text = value.get();
        types::check(selected.schema.field(at), || kind(value), text, self.advice)
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
