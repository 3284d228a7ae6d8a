//! Arrow IPC, as a file (Feather 2) or as a stream. It is read sequentially, so pipes work too.
//!
//! A file is a stream between two copies of a magic number, with a table of contents before the second copy. The table
//! is only needed to read batches in any order. The second magic number shows that the file is complete.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Message, MessageHeader, root_as_footer, root_as_message};
use arrow_schema::{DataType, Field, SchemaRef};

use super::interface::{Batch, TableReader, catch_panics, starts, unwrap_arrow};
use crate::names::is_stdin;
use crate::open::Stream;

/// The magic number at the start and at the end of a file.
const MAGIC: &[u8] = b"ARROW1";

/// The marker before the size of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The maximum number of bytes of a schema without a size.
const MAX_SCHEMA: usize = 16 << 20;

struct Arrow {
    path: PathBuf,
    input: Stream,
    /// True if the input is a file, which must end with the magic number.
    is_file: bool,
    of_messages: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    /// The rows that are decoded but not returned yet, and the bytes of a row.
    waiting: Option<(RecordBatch, usize)>,
    /// The indices of the columns to return.
    places: Vec<usize>,
    /// The places of the batches, after `parts`.
    batches: Vec<u64>,
}

/// Opens a table, which `input` is from its start, decompressed.
pub(super) fn open(path: &Path, mut input: Stream) -> Result<Box<dyn TableReader>> {
    let mut head = Vec::new();
    let mut is_file = false;
    loop {
        input.by_ref().take(8).read_to_end(&mut head)?;
        if head.starts_with(b"FEA1") && !is_file {
            bail!(
                "it is Feather of version 1, which is not supported: write version 2, which is Arrow"
            );
        }
        // Zeros fill the space between the magic number and the stream.
        if head.starts_with(MAGIC) && !is_file {
            is_file = true;
        } else if !is_file || head != [0; 8] {
            break;
        }
        head.clear();
    }
    // Polars writes the schema of a file without its size. This word is then the offset of the message's root, which is
    // too small to be a length.
    let mut bare = Vec::new();
    while is_file && (!bare.is_empty() || head.starts_with(&4u32.to_le_bytes())) {
        bare.append(&mut head);
        input.by_ref().take(8).read_to_end(&mut head)?;
        if head.starts_with(&CONTINUATION) || head.is_empty() || bare.len() > MAX_SCHEMA {
            break;
        }
    }
    let mut input: Stream = Box::new(Cursor::new(head).chain(input));
    let is_of_polars = !bare.is_empty();
    let head = match is_of_polars {
        false => message(&mut input)?.context("expected Arrow data, found none")?.0,
        true => bare,
    };
    let of_messages = catch_panics(|| {
        let schema = parse(&head)?.header_as_schema();
        Ok(SchemaRef::new(fb_to_schema(
            schema.context("expected a schema, found another message")?,
        )))
    })?;
    let places = (0..of_messages.fields().len()).collect();
    let mut table = Arrow {
        path: path.to_owned(),
        input,
        is_file,
        of_messages,
        dictionaries: HashMap::new(),
        waiting: None,
        places,
        batches: Vec::new(),
    };
    // Polars writes the dictionaries of a file after its batches. A pipe cannot be opened again.
    if is_of_polars && !is_stdin(path) && path.is_file() {
        table.contents()?;
    }
    Ok(Box::new(table))
}

const ENDS: &str = "it ends too soon: within its data";

/// Reads the head and the body of the next message; `None` at the end of the stream.
fn message(input: &mut impl Read) -> Result<Option<(Vec<u8>, Buffer)>> {
    let Some(head) = head(input)? else { return Ok(None) };
    let body =
        u64::try_from(parse(&head)?.bodyLength()).context("a message has a negative size")?;
    let body = read(input, body)?;
    Ok(Some((head, Buffer::from_vec(body))))
}

/// Reads the head of the next message; `None` at the end of the stream.
fn head(input: &mut impl Read) -> Result<Option<Vec<u8>>> {
    let mut size = [0; 4];
    let mut first = Vec::new();
    input.by_ref().take(4).read_to_end(&mut first)?;
    if first.is_empty() {
        return Ok(None);
    }
    if first == CONTINUATION {
        input.read_exact(&mut size).context(ENDS)?;
    } else {
        size = first.try_into().map_err(|_| anyhow!(ENDS))?; // the format before Arrow 0.15
    }
    match u32::from_le_bytes(size) {
        0 => Ok(None),
        size => read(input, size.into()).map(Some),
    }
}

/// Reads bytes. Memory is allocated as data arrive, not by the stated size, so that a damaged file needs no more memory
/// than it has bytes.
fn read(input: &mut impl Read, size: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(size).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < size { Err(anyhow!(ENDS)) } else { Ok(bytes) }
}

fn parse(head: &[u8]) -> Result<Message<'_>> {
    root_as_message(head).map_err(|_| anyhow!("expected a message of Arrow, found something else"))
}

/// Fails if the stated size of a decompressed buffer is impossible. This is checked first because decompression
/// allocates the stated size.
fn check_sizes(batch: arrow_ipc::RecordBatch<'_>, body: &Buffer) -> Result<()> {
    /// More than the compression ratio of zstd for a few repeated bytes.
    const RATIO: u64 = 1 << 16;
    const MAX: u64 = 4 << 30;
    if batch.compression().is_none() {
        return Ok(());
    }
    for buffer in batch.buffers().into_iter().flatten() {
        let place =
            usize::try_from(buffer.offset()).ok().zip(usize::try_from(buffer.length()).ok());
        let bytes = place.and_then(|(at, length)| body.get(at..at.checked_add(length)?));
        let bytes = bytes.context("a column lies outside of its message")?;
        let Some(size) = bytes.first_chunk() else { continue };
        // -1 marks a buffer that is not compressed.
        let size = i64::from_le_bytes(*size);
        if size > 0 && size.cast_unsigned() > MAX.min(RATIO.saturating_mul(bytes.len() as u64)) {
            bail!("a column of {} bytes is said to unpack to {size}", bytes.len());
        }
    }
    Ok(())
}

impl Arrow {
    /// Decodes the next batch; `None` at the end.
    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        while let Some((head, body)) = message(&mut self.input)? {
            let message = parse(&head)?;
            let version = message.version();
            match message.header_type() {
                MessageHeader::DictionaryBatch => self.read_dictionary(&message, &body)?,
                MessageHeader::RecordBatch => {
                    let batch = message.header_as_record_batch().context("no batch")?;
                    check_sizes(batch, &body)?;
                    let (schema, places) = (self.of_messages.clone(), Some(&self.places[..]));
                    let dictionaries = &self.dictionaries;
                    let read = || {
                        read_record_batch(&body, batch, schema, dictionaries, places, &version)
                            .map_err(unwrap_arrow)
                    };
                    let batch = catch_panics(read);
                    let is_dictionary =
                        |field: &&Field| matches!(field.data_type(), DataType::Dictionary(..));
                    let lacks_values = self.is_file
                        && self.dictionaries.is_empty()
                        && self.of_messages.flattened_fields().iter().any(is_dictionary);
                    return match batch {
                        Err(_) if lacks_values => bail!(
                            "its categories follow its rows, as Polars writes them; name an uncompressed file, not a pipe"
                        ),
                        batch => batch.map(Some),
                    };
                }
                MessageHeader::NONE => {}
                other => bail!("expected a batch or a dictionary, found {other:?}"),
            }
        }
        // In a file, the table of contents follows the stream.
        let mut end = Vec::new();
        loop {
            end.drain(..end.len().saturating_sub(MAGIC.len()));
            if self.input.by_ref().take(1 << 20).read_to_end(&mut end)? == 0 {
                break;
            }
        }
        match (self.is_file, end.as_slice()) {
            (true, MAGIC) | (false, []) => {
                self.is_file = false; // after the mark the input is empty, as at the end of a stream
                Ok(None)
            }
            (true, _) => bail!("it ends too soon: the mark at its end is missing"),
            (false, _) => bail!("something follows the end of the stream"),
        }
    }

    fn read_dictionary(&mut self, message: &Message<'_>, body: &Buffer) -> Result<()> {
        let batch = message.header_as_dictionary_batch().context("no dictionary")?;
        check_sizes(batch.data().context("a dictionary has no values")?, body)?;
        let (schema, dictionaries) = (&self.of_messages, &mut self.dictionaries);
        catch_panics(|| {
            read_dictionary(body, batch, schema, dictionaries, &message.version())
                .map_err(unwrap_arrow)
        })
    }

    /// Reads the table of contents and the dictionaries of a file. Returns the number of rows of each batch; nothing for
    /// a stream or a compressed file.
    fn contents(&mut self) -> Result<Vec<u64>> {
        const END: i64 = 4 + MAGIC.len() as i64;
        let mut file = BufReader::new(File::open(&self.path)?);
        if !self.is_file || file.get_ref().metadata()?.len() < END as u64 {
            return Ok(Vec::new());
        }
        let before = file.seek(SeekFrom::End(-END))?;
        let end = read(&mut file, END as u64)?;
        let Some(size) = end.strip_suffix(MAGIC).and_then(<[u8]>::first_chunk) else {
            return Ok(Vec::new());
        };
        let start = before.checked_sub(u32::from_le_bytes(*size).into()).context(ENDS)?;
        file.seek(SeekFrom::Start(start))?;
        let footer = read(&mut file, before - start)?;
        let footer = root_as_footer(&footer);
        let footer = footer.map_err(|_| anyhow!("its table of contents is damaged"))?;
        let place = |offset: i64| u64::try_from(offset).context("a message has a negative place");
        for block in footer.dictionaries().into_iter().flatten() {
            file.seek(SeekFrom::Start(place(block.offset())?))?;
            let (head, body) = message(&mut file)?.context("no dictionary")?;
            self.read_dictionary(&parse(&head)?, &body)?;
        }
        let mut rows = Vec::new();
        for block in footer.recordBatches().into_iter().flatten() {
            self.batches.push(place(block.offset())?);
            file.seek(SeekFrom::Start(place(block.offset())?))?;
            let head = head(&mut file)?.context("no batch")?;
            let batch = parse(&head)?.header_as_record_batch().context("no batch")?;
            rows.push(u64::try_from(batch.length()).context("a batch has a negative size")?);
        }
        Ok(rows)
    }
}

impl TableReader for Arrow {
    fn schema(&self) -> &SchemaRef {
        &self.of_messages
    }

    fn select(&mut self, places: Vec<usize>) {
        self.places = places;
    }

    fn parts(&mut self) -> Result<Vec<u64>> {
        self.batches.clear();
        Ok(starts(self.contents()?))
    }

    fn seek(&mut self, part: usize) -> Result<()> {
        let place = self.batches.get(part).with_context(|| format!("there is no part {part}"))?;
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(*place))?;
        (self.input, self.waiting) = (Box::new(BufReader::new(file)), None);
        Ok(())
    }

    fn next(&mut self, rows: usize, bytes: usize) -> Result<Option<Batch>> {
        let (batch, each) = loop {
            match self.waiting.take() {
                Some((batch, each)) if batch.num_rows() > 0 => break (batch, each),
                _ => match self.batch()? {
                    Some(batch) => {
                        let bytes: usize =
                            batch.columns().iter().map(|column| size(&column.to_data())).sum();
                        let each = bytes / batch.num_rows().max(1);
                        self.waiting = Some((batch, each));
                    }
                    None => return Ok(None),
                },
            }
        };
        let all = batch.num_rows();
        let take = all.min(rows).min((bytes / each.max(1)).max(1));
        let part = batch.slice(0, take);
        self.waiting = Some((batch.slice(take, all - take), each));
        Ok(Some(Batch { rows: take, bytes: take * each, decode: Box::new(move || Ok(part)) }))
    }
}

/// The bytes of a column's buffers. They lie in one message, so their capacity is that of the message.
fn size(column: &ArrayData) -> usize {
    let own: usize = column.buffers().iter().map(Buffer::len).sum();
    own + column.child_data().iter().map(size).sum::<usize>()
}
