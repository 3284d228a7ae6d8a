//! What an input format has to say and do.

use std::cell::Cell;
use std::fs::File;
use std::io::BufRead;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

use anyhow::{Result, anyhow, bail};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use indicatif::ProgressBar;
use setwise_table::{
    Condition, Error, Input, InputColumn, Keep, Labels, Part, RowNames, Rows, Source,
};

use super::types::Types;

/// A source of any format.
pub(crate) type AnySource = Box<dyn Source<anyhow::Error> + Send>;

/// What there is to know of a format.
pub(crate) struct InputFormatInfo {
    /// Its name, which is an extension of file names too.
    pub(crate) name: &'static str,
    /// Other extensions.
    pub(crate) aliases: &'static [&'static str],
    /// A line of the help.
    pub(crate) meaning: &'static str,
    /// How its files begin, if that tells them from others.
    pub(super) magic: &'static [u8],
    pub(super) open: fn(Opened, &ReadOptions) -> Result<(Input, AnySource)>,
}

/// An input that is open.
pub(crate) struct Opened {
    /// From the front, and unpacked.
    pub(super) input: Box<dyn BufRead + Send>,
    /// The file itself, if it is one.
    pub(super) file: Option<File>,
    /// Makes the parts of a table.
    pub(super) parts: TableParts,
    /// Counts the bytes of the file that `input` does not count.
    pub(super) progress: ProgressBar,
}

/// Which columns of a table are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadOptions {
    pub(crate) fen_column: Option<String>,
    pub(crate) movetext_column: Option<String>,
    pub(crate) keep: Keep,
    /// Where the labels of a table are, and which of them are read.
    pub(crate) labels: Labels,
    pub(crate) wanted: Vec<InputColumn>,
    /// These need columns too.
    pub(crate) conditions: Vec<Condition>,
    /// What stands between the cells of CSV, if it is said.
    pub(crate) delimiter: Option<u8>,
    pub(crate) types: Option<Types>,
}

/// Columns that are passed along at most: the columns of all batches under way are in memory at once.
const MAX_COLUMNS: usize = 10_000;

impl ReadOptions {
    /// The places of the columns to read, in order, and what the batches of these say.
    pub(super) fn of_table(&self, schema: &SchemaRef) -> Result<(Vec<usize>, Input)> {
        let columns = schema.fields().len();
        if self.all() && columns > MAX_COLUMNS {
            bail!(
                "it has {columns} columns, and at most {MAX_COLUMNS} are passed along: \
                 name those to pass with --keep"
            );
        }
        let names = || schema.fields().iter().map(|field| field.name());
        let named = |name: &'static str| names().find(move |own| own.eq_ignore_ascii_case(name));
        let movetext = match (&self.movetext_column, &self.fen_column) {
            // Where there are no positions, there may be games.
            (None, None) if named("fen").is_none() => named("movetext"),
            (movetext, _) => movetext.as_ref(),
        };
        let input = match movetext {
            Some(movetext) => Input::table_of_games(schema, movetext, &self.keep),
            None => Input::table(schema, self.fen_column.as_deref(), &self.keep),
        };
        let input = input.and_then(|input| input.labelled(&self.labels, &self.wanted));
        let input = input.map_err(explain)?.needing(&self.conditions);
        Ok((input.places(), input.of_places()))
    }

    /// Whether every column is asked for.
    pub(super) fn all(&self) -> bool {
        self.keep == Keep::All
    }
}

/// Makes the parts of a table, and numbers their rows.
pub(crate) struct TableParts {
    name: Arc<str>,
    /// The number of the next row, from 1.
    next: u64,
}

impl TableParts {
    pub(super) fn new(name: String) -> Self {
        Self { name: name.into(), next: 1 }
    }

    /// The name of the input.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The next rows, which take about so many bytes.
    pub(super) fn part(
        &mut self,
        rows: usize,
        bytes: usize,
        read: impl FnOnce() -> Result<RecordBatch> + Send + 'static,
    ) -> Part<'static, anyhow::Error> {
        let (name, first) = (self.name.clone(), self.next);
        self.next += rows as u64;
        let read = move |rows: &mut Rows<'_>| {
            let names = RowNames { before: &format!("{name}: "), first: 1 };
            rows.push_batch(&read()?, first, names).map_err(explain)
        };
        // As they are read, and as they are encoded.
        Part { rows, bytes: 2 * bytes, read: Box::new(read) }
    }
}

/// An error of tables with the options that help.
pub(crate) fn explain(error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::NoFen(_) | Error::SeveralFens(_) => " (--fen-column)",
        Error::OnInvalid(_) => " (--on-invalid)",
        Error::Twice(_) => " (--keep says which columns of the input are passed along)",
        Error::NoFeatureSet(_) => " (--features)",
        Error::Condition(..) => " (--where)",
        Error::Missing(..) => " (--on-missing)",
        Error::Doubt(_, option) => {
            return anyhow!("{error} (--{})", option.replace('_', "-"));
        }
        _ => return error.into(),
    };
    anyhow!("{error}{hint}")
}

/// The same for an error of a run.
pub(crate) fn explained(error: anyhow::Error) -> anyhow::Error {
    let outer = error.to_string();
    match error.downcast::<Error>() {
        Ok(error) if error.to_string() == outer => explain(error),
        Ok(error) => explain(error).context(outer),
        Err(error) => error,
    }
}

/// Runs third-party decoders, some of which panic if a file is damaged, and turns their panics into errors.
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
