//! What a format of positions has to say and do.

use std::cell::Cell;
use std::fs::File;
use std::io::BufRead;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use ::arrow::array::RecordBatch;
use ::arrow::datatypes::{Schema, SchemaRef};
use ::arrow::error::ArrowError;
use anyhow::{Result, anyhow};
use setwise_formats::Records;
use setwise_table::{Keep, Plan};

/// What there is to know of a format.
pub(crate) struct About {
    /// Its name, which is an extension of file names too.
    pub(crate) name: &'static str,
    /// Other extensions.
    pub(crate) aliases: &'static [&'static str],
    /// A line of the help.
    pub(crate) meaning: &'static str,
    /// How its files begin, if that tells them from others.
    pub(super) magic: &'static [u8],
    pub(super) open: Open,
}

pub(super) type Open = fn(Opened, &Wanted) -> Result<Box<dyn Source>>;

/// An input that is open.
pub(crate) struct Opened {
    /// From the front, and unpacked.
    pub(super) input: Box<dyn BufRead + Send>,
    /// The file itself, if it is one.
    pub(super) file: Option<File>,
}

/// Rows of one input, piece by piece.
pub(crate) trait Source: Send {
    /// What its pieces are.
    fn kind(&self) -> Kind;

    /// The next piece: as many rows as that, or fewer if they take so many bytes; none at the end.
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Piece>>;
}

/// What an input is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Batches with these columns.
    Table(SchemaRef),
    Records(setwise_formats::Format),
}

/// Some rows that are still to be decoded.
pub(crate) struct Piece {
    /// How many, as far as that is known.
    pub(crate) rows: usize,
    /// Bytes that they take, more or less.
    pub(crate) bytes: usize,
    /// Bytes of the file that were read for them, if nobody else counts them.
    pub(super) progress: u64,
    pub(crate) read: Read,
}

/// How to decode them.
pub(crate) enum Read {
    Table(ReadTable),
    Records(ReadRecords),
}

pub(crate) type ReadTable = Box<dyn FnOnce() -> Result<RecordBatch> + Send>;
pub(crate) type ReadRecords = Box<dyn FnOnce(&mut Taker<'_>) -> Result<()> + Send>;

/// Who gets records that are decoded.
pub(crate) struct Taker<'a> {
    /// Takes the next rows; before the first of them there are so many records in the input.
    pub(crate) take: &'a mut dyn FnMut(&Records, u64) -> Result<()>,
    /// Hears what is wrong with a record.
    pub(crate) bad: &'a mut dyn FnMut(String) -> Result<()>,
}

/// Which columns of a table are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) fen: Option<String>,
    pub(crate) keep: Keep,
}

impl Wanted {
    /// The places of the columns to read, in order.
    pub(super) fn places(&self, schema: &Schema) -> Result<Vec<usize>> {
        Plan::reads(schema, self.fen.as_deref(), &self.keep).map_err(explain)
    }

    /// Whether every column is asked for.
    pub(super) fn all(&self) -> bool {
        self.keep == Keep::All
    }
}

/// An error of tables in the words of the program.
pub(crate) fn explain(error: setwise_table::Error) -> anyhow::Error {
    use setwise_table::Error;
    let hint = match &error {
        Error::NoFen { .. } | Error::SeveralFens { .. } => " (--fen-column)",
        Error::Twice { .. } => " (--keep says which columns of the input are passed through)",
        _ => "",
    };
    anyhow!("{error}{hint}")
}

/// Does what others' code does, some of which panics if a file is damaged: that is an error here.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    thread_local! {
        static QUIET: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let said = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                said(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    outcome.unwrap_or_else(|payload| {
        let said = payload.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| payload.downcast_ref::<&str>().copied());
        let said = said.unwrap_or("no reason given").lines().next().unwrap_or_default().to_owned();
        Err(anyhow!("it is damaged ({said})"))
    })
}

/// What went wrong, without the wrapping.
pub(super) fn of_arrow(error: ArrowError) -> anyhow::Error {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        ArrowError::ExternalError(error) => anyhow::Error::from_boxed(error),
        ArrowError::IpcError(text)
        | ArrowError::ParseError(text)
        | ArrowError::ParquetError(text)
        | ArrowError::InvalidArgumentError(text) => anyhow!("{text}"),
        other => other.into(),
    }
}
