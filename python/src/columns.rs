//! Columns that are computed in parts, by several threads, and lie in one piece all the same.
//!
//! A part is small, so that its columns are still in the cache when they are copied to their place, and their
//! memory is used again for the next part. The columns themselves lie in huge pages where the system has
//! them: in pages of 4 KiB a third of the time goes into handing those out.

use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use arrow_buffer::{Buffer, NullBufferBuilder};
use arrow_schema::{DataType, Fields};
use arrow_select::concat::concat;
use pyo3::prelude::*;
use setwise_table::Error;

use crate::tasks::{Stopped, Threads};

/// The most rows of a part: sixteen maps of them stay in the cache nearest but one until they are copied. With four
/// times as many a call takes a third longer.
pub(crate) const MOST: usize = 2048;

/// Rows of the input: where they start, how many there are, and what they are.
pub(crate) struct Part<P> {
    pub(crate) start: usize,
    pub(crate) rows: usize,
    pub(crate) input: P,
}

/// The columns of all rows. `compute` makes those of a part, which are of the types of `fields`.
pub(crate) fn computed<P: Send>(
    py: Python<'_>,
    threads: Threads,
    fields: &Fields,
    parts: Vec<Part<P>>,
    compute: impl Fn(P) -> Result<Vec<ArrayRef>, Error> + Sync,
) -> Result<Vec<ArrayRef>, Stopped<Error>> {
    let rows: usize = parts.iter().map(|part| part.rows).sum();
    let types: Vec<&DataType> = fields.iter().map(|field| field.data_type()).collect();
    let widths: Vec<Option<usize>> = types.iter().map(|of| of.primitive_width()).collect();
    let mut memory: Vec<Vec<u64>> =
        widths.iter().map(|width| zeros(width.unwrap_or(0) * rows)).collect();

    let mut places: Vec<&mut [u8]> =
        memory.iter_mut().map(|column| bytemuck::cast_slice_mut(column)).collect();
    let task = |part: Part<P>| {
        let places = places.iter_mut().zip(&widths).map(|(place, width)| {
            let (here, after) = std::mem::take(place).split_at_mut(width.unwrap_or(0) * part.rows);
            *place = after;
            here
        });
        (places.collect::<Vec<_>>(), part)
    };
    let tasks = parts.into_iter().map(task).collect();
    let rest = threads.run(py, tasks, |(places, part)| {
        let columns = compute(part.input).map_err(|error| error.after(part.start))?;
        for ((place, column), width) in places.into_iter().zip(&columns).zip(&widths) {
            if width.is_some() {
                place.copy_from_slice(&column.to_data().buffers()[0].as_slice()[..place.len()]);
            }
        }
        // Values are where they belong: what is left are nulls, and columns that are no numbers.
        let rest = columns.into_iter().zip(&widths).map(|(column, width)| match width {
            Some(_) => Rest::Nulls(column.nulls().cloned(), column.len()),
            None => Rest::Array(column),
        });
        Ok(rest.collect::<Vec<_>>())
    })?;

    let mut rest = by_column(rest, types.len()).into_iter();
    let column = |(of, memory): (&DataType, Vec<u64>)| {
        joined(of, memory, rows, rest.next().unwrap_or_default())
    };
    let columns = types.into_iter().zip(memory).map(column);
    columns.collect::<Result<_, _>>().map_err(Stopped::Failed)
}

/// What is left of a part's column when its values are where they belong.
enum Rest {
    Nulls(Option<arrow_buffer::NullBuffer>, usize),
    Array(ArrayRef),
}

fn by_column(parts: Vec<Vec<Rest>>, columns: usize) -> Vec<Vec<Rest>> {
    let mut all: Vec<Vec<Rest>> = Vec::new();
    all.resize_with(columns, Vec::new);
    for part in parts {
        for (column, rest) in all.iter_mut().zip(part) {
            column.push(rest);
        }
    }
    all
}

/// A column of its values, which lie in `memory`, or of arrays.
fn joined(
    of: &DataType,
    memory: Vec<u64>,
    rows: usize,
    parts: Vec<Rest>,
) -> Result<ArrayRef, Error> {
    let Some(width) = of.primitive_width() else {
        let arrays = parts.iter().filter_map(|part| match part {
            Rest::Array(array) => Some(&**array),
            Rest::Nulls(..) => None,
        });
        let arrays: Vec<&dyn Array> = arrays.collect();
        return if arrays.is_empty() { Ok(new_empty_array(of)) } else { Ok(concat(&arrays)?) };
    };
    let mut nulls = NullBufferBuilder::new(rows);
    for part in parts {
        match part {
            Rest::Nulls(Some(of_part), _) => nulls.append_buffer(&of_part),
            Rest::Nulls(None, rows) => nulls.append_n_non_nulls(rows),
            Rest::Array(_) => {}
        }
    }
    let values = Buffer::from_vec(memory).slice_with_length(0, width * rows);
    let data = new_empty_array(of).to_data().into_builder();
    let data = data.len(rows).buffers(vec![values]).nulls(nulls.finish()).build()?;
    Ok(make_array(data))
}

/// From how many bytes on memory should lie in huge pages, as numpy has it.
#[cfg(target_os = "linux")]
const HUGE: usize = 4 << 20;

/// So many bytes, all 0.
fn zeros(bytes: usize) -> Vec<u64> {
    let memory = vec![0; bytes.div_ceil(8)];
    #[cfg(target_os = "linux")]
    if bytes >= HUGE {
        const PAGE: usize = 4096;
        let start = memory.as_ptr() as usize;
        let first = start.next_multiple_of(PAGE);
        let length = start + 8 * memory.len() - first;
        // SAFETY: these are pages of memory that is ours; the advice changes no byte of them, and whoever does
        // not take it is as well off.
        unsafe { libc::madvise(first as *mut _, length, libc::MADV_HUGEPAGE) };
    }
    memory
}
