//! Splits text between records, for formats whose records are lines or contain quoted line ends. Any thread can parse
//! the pieces.

use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use setwise_formats::lines;

use super::interface::{Batch, TableReader};
use crate::open::Stream;

/// A piece of text with complete records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) text: Vec<u8>,
    /// The number of the first line in the input, from 1.
    pub(super) line: u64,
    /// The number of records, excluding blank lines.
    pub(super) records: usize,
}

impl Cut {
    /// The number of the line with this byte.
    pub(super) fn line_at(&self, at: usize) -> u64 {
        self.line + lines::count(&self.text, at)
    }
}

pub(super) struct Cutter {
    input: Stream,
    /// The delimiter of fields, if quoted line ends are part of a record.
    pub(super) delimiter: Option<u8>,
    line: u64,
}

/// The maximum size of a record in bytes. Longer records come from an unclosed quote, or from files in another format.
pub(super) const LONGEST: usize = 16 << 20;

/// The columns to read: their indices in the table, in ascending order, and their schema.
#[derive(Clone)]
pub(super) struct Selected {
    pub(super) places: Vec<usize>,
    pub(super) schema: SchemaRef,
}

/// Parses a piece of text into columns.
pub(super) type Parse = dyn Fn(&Cut, &Selected) -> Result<RecordBatch> + Send + Sync;

/// A table whose batches are pieces of its text.
pub(super) struct CutTable {
    schema: SchemaRef,
    cutter: Cutter,
    /// The first piece, if it has already been read to inspect it.
    first: Option<Cut>,
    selected: Selected,
    parse: Arc<Parse>,
}

impl CutTable {
    pub(super) fn new(
        schema: SchemaRef,
        cutter: Cutter,
        first: Option<Cut>,
        parse: Arc<Parse>,
    ) -> Self {
        let places = (0..schema.fields().len()).collect();
        let selected = Selected { places, schema: schema.clone() };
        Self { schema, cutter, first, selected, parse }
    }
}

impl TableReader for CutTable {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn select(&mut self, places: Vec<usize>) {
        let schema = Arc::new(self.schema.project(&places).expect("places of its columns"));
        self.selected = Selected { places, schema };
    }

    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Batch>> {
        let cut = match self.first.take() {
            Some(first) => Some(first),
            None => self.cutter.next(rows, bytes, LONGEST)?,
        };
        let Some(cut) = cut else { return Ok(None) };
        let (parse, selected) = (self.parse.clone(), self.selected.clone());
        let (rows, bytes) = (cut.records, 2 * cut.text.len());
        Ok(Some(Batch { rows, bytes, decode: Box::new(move || parse(&cut, &selected)) }))
    }
}

impl Cutter {
    pub(super) fn new(input: Stream, delimiter: Option<u8>) -> Self {
        Self { input, delimiter, line: 1 }
    }

    /// Returns the next records: the requested number, or fewer if the text reaches `bytes`. Returns `None` at the end.
    pub(super) fn next(
        &mut self,
        records: usize,
        bytes: usize,
        longest: usize,
    ) -> Result<Option<Cut>> {
        let mut cut = Cut { line: self.line, ..Cut::default() };
        while cut.records < records && (cut.text.len() < bytes || cut.records == 0) {
            let (start, line) = (cut.text.len(), self.line);
            let mut quotes = Quotes::default();
            loop {
                let limit = (longest + 1).saturating_sub(cut.text.len() - start);
                let before = cut.text.len();
                let is_read = lines::read(&mut self.input, limit, &mut cut.text)?;
                if cut.text.len() - start > longest {
                    let max = LONGEST >> 20;
                    bail!("line {line}: longer than {max} MiB (a quote or a line end is missing)");
                }
                if !is_read {
                    ensure!(!quotes.open, "line {line}: a quote is open at the end of the input");
                    break;
                }
                self.line += u64::from(cut.text.ends_with(b"\n") || cut.text.ends_with(b"\r"));
                if let Some(delimiter) = self.delimiter {
                    quotes.see(&cut.text[start..], before - start, delimiter);
                }
                if !quotes.open {
                    break;
                }
            }
            let record = &cut.text[start..];
            if record.is_empty() {
                break;
            }
            let blank = match self.delimiter {
                Some(_) => record.iter().all(|byte| b"\r\n".contains(byte)),
                None => record.trim_ascii().is_empty(),
            };
            cut.records += usize::from(!blank);
        }
        Ok((!cut.text.is_empty()).then_some(cut))
    }
}

/// Tracks whether the end of a text is quoted. Only a quote at the start of a field opens; elsewhere it is an ordinary
/// character.
#[derive(Default)]
struct Quotes {
    open: bool,
    /// The offset of the last closing quote.
    closed: Option<usize>,
}

impl Quotes {
    /// Scans a record from an offset on.
    fn see(&mut self, record: &[u8], from: usize, delimiter: u8) {
        for at in memchr::memchr_iter(b'"', &record[from..]).map(|at| from + at) {
            if self.open {
                self.open = false;
                self.closed = Some(at);
            } else {
                // The start of a field, or the second of a doubled quote.
                let first = at == 0 || record[at - 1] == delimiter;
                self.open = first || (at > 0 && self.closed == Some(at - 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cutter(text: &[u8], quotes: bool) -> Cutter {
        Cutter::new(Box::new(std::io::Cursor::new(text.to_vec())), quotes.then_some(b','))
    }

    fn all(text: &[u8], quotes: bool, records: usize, bytes: usize) -> Vec<Cut> {
        let mut cutter = cutter(text, quotes);
        std::iter::from_fn(|| cutter.next(records, bytes, 1000).expect("it can be cut")).collect()
    }

    proptest! {
        #[test]
        fn all_text_is_kept_and_split_between_records(
            fields in proptest::collection::vec("[a\n\r,\"]{0,8}", 0..40),
            records in 1..5usize,
            bytes in 1..50usize,
        ) {
            // Every other field is quoted, with doubled quotes; one field per record.
            let quoted: Vec<String> =
                fields.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\""))).collect();
            let text: String = quoted.iter().map(|record| format!("{record}\n")).collect();
            let cuts = all(text.as_bytes(), true, records, bytes);
            let mut line = 1;
            for cut in &cuts {
                prop_assert!(cut.records <= records && cut.text.ends_with(b"\n"));
                prop_assert_eq!(cut.line, line);
                line += lines::count(&cut.text, cut.text.len());
            }
            let mut rest = quoted.iter();
            for cut in &cuts {
                let text: String =
                    rest.by_ref().take(cut.records).map(|record| format!("{record}\n")).collect();
                prop_assert_eq!(&cut.text, text.as_bytes());
            }
            prop_assert!(rest.next().is_none());
        }
    }

    #[test]
    fn blank_lines_are_no_records() {
        let cuts = all(b"a\n\nb\r\n\r\n\nc", false, 2, 1000);
        let cut = |text: &[u8], line, records| Cut { text: text.to_vec(), line, records };
        assert_eq!(cuts, [cut(b"a\n\nb\r\n", 1, 2), cut(b"\r\n\nc", 4, 1)]);
        assert_eq!(all(b"", true, 2, 1000), []);
        assert_eq!(all(b"\n", true, 2, 1000), [cut(b"\n", 1, 0)]);
    }

    #[test]
    fn quotes_within_fields_are_characters() {
        let text = b"5\" pipe,x\na,\"b\"\"\nc\"\n\"\"\"\"\n";
        let cuts: Vec<_> = all(text, true, 1, 1000).into_iter().map(|cut| cut.text).collect();
        let expected: [&[u8]; 3] = [b"5\" pipe,x\n", b"a,\"b\"\"\nc\"\n", b"\"\"\"\"\n"];
        assert_eq!(cuts, expected);
    }

    #[test]
    fn endless_records_are_errors() {
        for (text, quotes, line) in [("a\n\"b\nc\n", true, 2), ("\"", true, 1)] {
            let fault = cutter(text.as_bytes(), quotes).next(10, 100, 1000).unwrap_err();
            assert!(
                fault.to_string().starts_with(&format!("line {line}: a quote is open")),
                "{fault}"
            );
        }
        for (text, quotes) in
            [("1\n12345678", false), ("1\n12345678\n", false), ("1\n\"\n\n\n\n\n\n\"\n", true)]
        {
            let fault = cutter(text.as_bytes(), quotes).next(10, 100, 7).unwrap_err();
            assert!(fault.to_string().starts_with("line 2: longer than"), "{fault}");
        }
        assert!(cutter(b"1\n123456\n", false).next(10, 100, 7).is_ok());
    }
}
