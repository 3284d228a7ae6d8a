//! Streams sources into batches, in order. One thread reads parts; others decode, compute and encode them; the calling
//! thread writes them.

use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::DataType;
use setwise::Shape;

use crate::column::Column;
use crate::error::Error;
use crate::finished::Report;
use crate::query::Plan;
use crate::rows::Part;
use crate::threads::{Piece, count, in_order};

/// A source of rows, read part by part in order.
pub trait Source<E> {
    /// Returns the next part: `rows` rows, or fewer if they reach `bytes` bytes. Returns `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read.
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, E>>, E>;
}

impl<E, S: Source<E> + ?Sized> Source<E> for Box<S> {
    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Part<'static, E>>, E> {
        (**self).next(rows, bytes)
    }
}

/// The sizes of the parts, and of the memory in use. They depend on the output format.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The best size of a batch in bytes of columns.
    pub batch: usize,
    /// The maximum number of bytes of an encoded cell, by its type.
    pub encoded: fn(&DataType) -> usize,
    /// The number of bytes of the input after which a part ends.
    pub part: usize,
    /// The maximum number of bytes in unfinished parts. By default it is computed from the size of a batch.
    pub under_way: Option<usize>,
}

/// The typical length of a list, for positions from games.
pub const LIST: usize = 48;

/// The result of a part, in the order of the parts.
#[derive(Debug)]
pub struct Done<T> {
    /// The number of rows.
    pub rows: usize,
    /// The encoded pieces, in order; empty if there are no rows.
    pub encoded: Vec<T>,
    /// Invalid rows and other rows without output.
    pub report: Report,
    /// The times of the stages.
    pub times: Times,
}

/// The times of the stages of the work, summed over the threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Reading and unpacking the input.
    pub read: Duration,
    /// Decoding text, tables and records.
    pub parse: Duration,
    /// Computing columns.
    pub maps: Duration,
    /// Encoding columns.
    pub encode: Duration,
}

impl Times {
    /// Adds the times of another part.
    pub fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.parse += other.parse;
        self.maps += other.maps;
        self.encode += other.encode;
    }
}

/// The memory that a row needs.
#[derive(Clone, Copy)]
struct Row {
    /// The number of bytes of its numbers in columns.
    columns: usize,
    /// The number of bytes of its encoded numbers.
    encoded: usize,
    /// The number of copies of its text in memory.
    texts: usize,
}

impl Row {
    fn new(columns: &[Column], sizes: &Sizes) -> Self {
        let width = |&column: &Column| {
            let values = match column.shape() {
                Shape::Value => 1,
                Shape::Array(length) => length,
                _ => LIST,
            };
            let offset = if column.shape() == Shape::List { 8 } else { 0 };
            offset + values * column.value_type().bytes()
        };
        Self {
            columns: columns.iter().map(width).sum(),
            encoded: columns.iter().map(|column| (sizes.encoded)(&column.data_type(false))).sum(),
            texts: 1 + 2 * columns.iter().filter(|column| column.is_text()).count(),
        }
    }

    /// The number of rows that a part should have.
    fn rows(self, sizes: &Sizes) -> usize {
        (sizes.batch / self.columns.max(1)).clamp(256, 128 * 1024)
    }

    /// The approximate number of bytes of a part in all its forms: as input, as columns, and encoded.
    fn bytes(self, rows: usize, text: usize) -> usize {
        const OVERHEAD: usize = 4096;
        OVERHEAD + self.texts * text + rows * (self.columns + self.encoded)
    }

    /// The maximum number of bytes in use: small batches for many threads, or three large batches, whose pieces are
    /// encoded in parallel. With more batches, the threads would only wait for the writer.
    fn under_way(self, rows: usize) -> usize {
        const LINE: usize = 80;
        (8 << 20).max(3 * self.bytes(rows, LINE * rows))
    }
}

impl Plan {
    /// Reads a source to its end, and passes the encoded batches in order to `write`, on this thread. `split` divides
    /// the encoding of a batch into pieces, in order: its columns, or the whole batch. Any thread may encode any piece.
    ///
    /// A separate thread reads the source, so that reading continues even if only one thread computes. It waits while
    /// more than [`Sizes::under_way`] bytes are in use. After an error, `stream` does not wait for that thread.
    ///
    /// # Errors
    /// The first error in the order of the rows, from any stage; then as [`check_labels`](Self::check_labels).
    pub fn stream<T, E>(
        &self,
        mut source: impl Source<E> + Send + 'static,
        split: impl Fn(RecordBatch) -> Result<Vec<Piece<T, E>>, E> + Sync,
        sizes: &Sizes,
        mut write: impl FnMut(Done<T>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let row = Row::new(self.columns(), sizes);
        let rows = self.query.part_rows.unwrap_or_else(|| row.rows(sizes));
        let threads = count(self.query.threads);
        let under_way = sizes.under_way.unwrap_or_else(|| row.under_way(rows));
        let bytes = sizes.part;
        let draw = move || {
            let start = Instant::now();
            let part = source.next(rows, bytes)?;
            let weighed = |part: Part<'static, E>| {
                (row.bytes(part.rows, part.bytes), (part, start.elapsed()))
            };
            Ok(part.map(weighed))
        };
        let timed = |piece: Piece<T, E>| -> Piece<(T, Duration), E> {
            Box::new(move || {
                let start = Instant::now();
                Ok((piece()?, start.elapsed()))
            })
        };
        let work = |(part, read): (Part<'static, E>, Duration)| {
            let start = Instant::now();
            let output = self.read(part)?;
            let rows = output.batch.num_rows();
            let parse = start.elapsed().saturating_sub(output.computing);
            let times = Times { read, parse, maps: output.computing, ..Times::default() };
            let pieces = if rows == 0 { Vec::new() } else { split(output.batch)? };
            Ok(((rows, output.report, times), pieces.into_iter().map(timed).collect()))
        };
        let take = |(rows, report, mut times): (usize, Report, Times),
                    encoded: Vec<(T, Duration)>| {
            let (encoded, encoding): (Vec<_>, Vec<_>) = encoded.into_iter().unzip();
            times.encode = encoding.into_iter().sum();
            write(Done { rows, encoded, report, times })
        };
        let cannot_start = |error| Error::Threads(error).into();
        in_order(threads, under_way, draw, work, take, cannot_start)?;
        Ok(self.check_labels()?)
    }
}
